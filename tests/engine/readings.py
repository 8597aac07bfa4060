"""What was read in a text, as tests compare it."""

from __future__ import annotations

from typing import Any

from engine.artefacts.model import Observations


def values(found: Observations) -> dict[str, Any]:
    """What was read by name, one entry as itself, several as a list."""
    return {name: every[0] if len(every := found.all(name)) == 1 else every for name in found.series}


def traps(found: Observations) -> dict[str, str]:
    """The notes by their ids, each with what it is about."""
    return {one.id: one.name for one in found.traps}
