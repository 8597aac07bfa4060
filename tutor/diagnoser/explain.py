"""A number opened: what the content says to it, as paragraphs, and its lesson."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from content.lang import Lang
from tutor.widgets.prose import Piece

if TYPE_CHECKING:
    from engine.diagnosis.model import Report


def explained(report: Report, name: str, lang: Lang, second: Lang | None) -> tuple[Sequence[Piece], str]:
    """The paragraphs of a number of the report, and the id of the lesson that teaches it ("" where none does)."""
    return [], ""
