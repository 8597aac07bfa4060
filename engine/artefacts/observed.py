"""What was read, as the JSON of ``observed``: name -> value, unit and line; a public interface."""

from __future__ import annotations

from typing import Any

from engine.artefacts.evidence import Evidence
from engine.artefacts.model import shown
from engine.artefacts.vocabulary import term

Document = dict[str, dict[str, Any]]


def document(evidence: Evidence) -> Document:
    """All names of all texts. Several entries are a list in the order of the texts, equal facts are one; ``line`` is
    that of the first entry, ``None`` where no one line has it; ``source`` the text that it stands in."""
    out: Document = {}
    names = dict.fromkeys(name for one in evidence.artefacts for name in one.found.series)
    for name in (*names, *(name for name in evidence.corrected if name not in names)):
        found = _corrected(evidence, name) if name in evidence.corrected else _read(evidence, name)
        if found is not None:
            out[name] = found
    return out


def _corrected(evidence: Evidence, name: str) -> dict[str, Any] | None:
    value = evidence.corrected[name]
    if value is None:
        return None
    return {"value": shown(name, value), "unit": term(name).unit, "line": None, "source": "corrected"}


def _read(evidence: Evidence, name: str) -> dict[str, Any]:
    once = term(name).form == "fact"
    values: list[Any] = []
    first: tuple[int, str] | None = None
    for artefact in evidence.artefacts:
        series = artefact.found.series.get(name)
        if series is None:
            continue
        first = first or (series.lines[0], artefact.name)
        for value in series:
            one = shown(name, value)
            if not (once and one in values):
                values.append(one)
    line, source = first or (0, "")
    value = values[0] if len(values) == 1 else values
    return {"value": value, "unit": term(name).unit, "line": line or None, "source": source}
