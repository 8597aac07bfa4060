"""What was read, for the report's JSON: observations, notes on them, what follows from them, and which texts."""

from __future__ import annotations

from typing import Any

from content.diagnosing import observed as said
from content.lang import LANGS
from engine.artefacts import derived, notes, observed
from engine.artefacts.evidence import Artefact, Evidence
from engine.artefacts.model import Trap

Document = dict[str, Any]


def document(evidence: Evidence) -> Document:
    """Keys of the report: ``observed``, ``derived``, ``notes`` and ``read``."""
    return {
        "observed": observed.document(evidence),
        "derived": [_derived(one) for one in derived.derive(evidence)],
        "notes": [_note(one, trap) for one in evidence.artefacts for trap in one.found.traps],
        "read": [_text(one) for one in evidence.artefacts],
    }


def _derived(one: derived.Derived) -> Document:
    text = {lang: said.derived(one, lang) for lang in LANGS}
    return {"id": one.id, "value": one.value, "unit": one.unit, "of": one.name, "share": one.share, "text": text}


def _note(artefact: Artefact, one: Trap) -> Document:
    text = {lang: said.trap(one, lang) for lang in LANGS}
    params = dict(one.params)
    return {"id": one.id, "name": one.name or None, "line": one.line or None, "source": artefact.name, "params": params,
            "text": text}  # fmt: skip


def _text(one: Artefact) -> Document:
    found = one.found
    kinds = [{"kind": kind.id, "line": kind.line or None, "times": kind.times} for kind in found.kinds.values()]
    return {
        "source": one.name, "lines": found.lines, "known": min(found.known, found.lines), "kinds": kinds,
        "engine": found.engine or None, "version": found.version or None,
        "note": [{"name": said.name, "value": said.value, "line": said.line} for said in notes.read(one).values],
    }  # fmt: skip
