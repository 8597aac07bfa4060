"""What people's own notes among the texts say of a workload: weaker than what any program printed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from engine.artefacts import sentences
from engine.artefacts.evidence import Artefact, Evidence
from engine.artefacts.facts import place
from engine.diagnosis import scenario as scenarios
from engine.diagnosis.fields import BY_NAME, ScenarioProblem
from engine.diagnosis.model import Said, Scenario, Signal, Unread
from engine.diagnosis.reading import noted
from engine.diagnosis.reading.noted import FLAG, Noted


class Note(NamedTuple):
    """A text that is a person's note, and what was read in it, in the order of its lines."""

    name: str
    values: tuple[Noted, ...]


def read(artefact: Artefact) -> Note:
    """What a text says as a note; nothing where a program printed it."""
    return Note(artefact.name, tuple(sorted(noted.read(sentences.noted(artefact)), key=lambda one: one.line)))


def is_note(artefact: Artefact) -> bool:
    """Whether a text of which no reader knew a line says something in plain words."""
    return not artefact.found and bool(
        read(artefact).values or sentences.signals(artefact) or sentences.tried(artefact)
    )


def scenario(evidence: Evidence, base: Scenario) -> Scenario:
    """The scenario with what the notes say over it; of what cannot be true together in a note one part is left out, and
    told."""
    found = base
    for artefact in evidence.artefacts:
        note = read(artefact)
        if note.values:
            found = _over(found, note)
    return found


_MOST_LEFT_OUT = 3
"""Values of a note that are left out for the rest of it; a note that contradicts itself further says nothing."""


def _over(base: Scenario, note: Note) -> Scenario:
    """The scenario with what one note says over it."""
    given, left = _given(note), list[Unread]()
    signals: tuple[Signal, ...] = ()
    for _ in range(_MOST_LEFT_OUT):
        try:
            found = _placed(scenarios.build(given, note.name, base), note)
        except ScenarioProblem as problem:
            if problem.field not in given:
                return base
            said = next(one for one in note.values if one.name == problem.field)
            given = {name: value for name, value in given.items() if name != problem.field}
            left.append(Unread(problem.field, said.value, "note-contradicts"))
            if problem.reason == "longer-than-window":
                place_of = place(note.name, said.line)
                signals = (*signals, Signal(_REFUSED, said.value, place_of))
            continue
        return replace(found, unread=(*found.unread, *left), signals=(*found.signals, *signals))
    return base


_REFUSED = "requests-over-window"
"""What a prompt comes to that is longer than the window which its server was given."""


def _given(note: Note) -> dict[str, object]:
    given: dict[str, object] = {one.name: one.value for one in note.values if not one.name.startswith(FLAG)}
    flags = {one.name.removeprefix(FLAG): one.value for one in note.values if one.name.startswith(FLAG)}
    return given | ({"flags": flags} if flags else {})


def _placed(found: Scenario, note: Note) -> Scenario:
    """The scenario with the line of each value where it says only the note."""
    lines = {BY_NAME[one.name].attribute: one.line for one in note.values if one.name in BY_NAME}
    also: Mapping[str, str] = {"model": "model_name", "gpu": "gpu_name", "engine": "engine_name"}
    lines |= {name: lines[source] for name, source in also.items() if source in lines}
    said = {
        name: Said(one.origin, place(note.name, lines[name])) if one.source == note.name and name in lines else one
        for name, one in found.said.items()
    }
    return replace(found, said=said)
