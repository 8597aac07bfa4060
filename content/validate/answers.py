"""Right answers that are words: the options exist, their names do not clash, what is called wrong is not right."""

from __future__ import annotations

from collections.abc import Sequence

from content.schema import COMPUTED, Option, Part, Step
from content.validate.source import Source
from engine.answers.wording import folded

_HINTS = 3
_OF_OTHERS = (2, 3)


def worded(source: Source, where: tuple[str, ...], part: Part) -> None:
    """Check answer, options and slips of a part that is answered in words."""
    if part.kind in ("choice", "match"):
        _readings(source, where, part, (part.options,))
    elif part.kind == "classify":
        _readings(source, where, part, part.attributes)
    elif part.kind == "judge":
        _judge(source, where, part)
    elif part.kind == "order":
        _listed(source, where, "steps", part.steps)
    elif part.kind == "rubric":
        _listed(source, where, "rubric", part.rubric)


def _listed(source: Source, where: tuple[str, ...], key: str, steps: Sequence[Step]) -> None:
    """Steps and points are there, each once."""
    unique(source, where, key, [step.id for step in steps])
    if not steps and source.find((*where, key)) != source.find(where):
        source.report(source.find((*where, key)), "missing-key", key=key)


def _readings(source: Source, where: tuple[str, ...], part: Part, sets: Sequence[tuple[Option, ...]]) -> None:
    """Answers, further answers and wrong readings each name one option of every set."""
    if not all(sets) or not sets:
        return  # the missing set is reported where it is named
    known = [{option.id for option in options} for options in sets]
    wrong = tuple(tuple(reading.split()) for reading in part.slips)
    for key, readings in (("answer", (part.answer,)), ("accept", part.accept), ("slips", wrong)):
        for reading in readings:
            if len(reading) != len(known) or any(one not in ids for one, ids in zip(reading, known, strict=True)):
                _report(source, where, key, " ".join(reading), [" / ".join(sorted(ids)) for ids in known])
    for reading in wrong:
        if reading in (part.answer, *part.accept):
            text = " ".join(reading)
            source.report_in(source.find((*where, "slips")), text, "slip-is-right", reading=text)


def _report(source: Source, where: tuple[str, ...], key: str, reading: str, known: Sequence[str]) -> None:
    params = {"option": reading or "-", "known": "; ".join(known)}
    source.report_in(source.find((*where, key)), reading, "unknown-option", **params)


def _judge(source: Source, where: tuple[str, ...], part: Part) -> None:
    for key, said in (("answer", part.answer or ("",)), ("slips", tuple(part.slips))):
        for word in said:
            if word not in ("yes", "no"):
                _report(source, where, key, word, ["no / yes"])
    if set(part.slips) & set(part.answer):
        source.report(source.find((*where, "slips")), "slip-is-right", reading=" ".join(part.answer))
    if part.reasons and part.reason not in {option.id for option in part.reasons}:
        _report(source, where, "reason", part.reason, [" / ".join(option.id for option in part.reasons)])


def clashes(source: Source, where: tuple[str, ...], options: Sequence[Option]) -> None:
    """No two options answer to the same name; a letter is a name too."""
    owner: dict[str, str] = {}
    for option in options:
        texts = (option.id, option.letter, option.text.en, option.text.hi, *option.also)
        for name in sorted({folded(text) for text in texts} - {""}):
            first = owner.setdefault(name, option.id)
            if first != option.id:
                place = source.find((*where, option.id))
                source.report(place, "duplicate-name", name=name, first=first, second=option.id)


def hints(source: Source, where: tuple[str, ...], part: Part) -> None:
    """A ladder of three rungs for what is computed, of two or three for the rest."""
    wanted = (_HINTS,) if part.kind in (*COMPUTED, "formula") else _OF_OTHERS
    if part.hints and len(part.hints) not in wanted:
        shown = " / ".join(map(str, wanted))
        source.report(source.find((*where, "hints")), "hints-count", count=len(part.hints), wanted=shown)


def unique(source: Source, where: tuple[str, ...], key: str, ids: Sequence[str]) -> None:
    """No id twice in a list of tables."""
    path = source.find(where)
    for place, id_ in enumerate(ids):
        if id_ in ids[:place]:
            source.report((*path, key, place), "duplicate-id", id=id_)
