"""Tables of a content file to the data of :mod:`content.schema`; every complaint names file and place."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from content.files import ContentError
from content.lang import LANGS, Text
from content.schema import (
    COMPUTED,
    KINDS,
    LETTERS,
    Carry,
    Exercise,
    ExerciseEntry,
    FigureRef,
    Given,
    Lesson,
    LessonEntry,
    Level,
    Nuance,
    Option,
    Part,
    Section,
    Step,
    Track,
    Value,
)

Table = Mapping[str, Any]


class Builder:
    """Builds from the tables of one file; knows the file's name and, as it goes in, the place."""

    def __init__(self, file: str, *where: str) -> None:
        self.file = file
        self.where = where

    def inside(self, place: str) -> Builder:
        """A builder one step further in."""
        return Builder(self.file, *self.where, place)

    def error(self, reason: str, place: str = "", **params: str) -> ContentError:
        """A complaint about this place."""
        return ContentError(self.file, reason, *self.where, *([place] if place else []), **params)

    # --- small pieces ---------------------------------------------------------------------------------------------

    def need(self, table: Table, key: str) -> Any:
        """A key that must be there."""
        if not isinstance(table, Mapping) or key not in table:
            raise self.error("missing-key", key, key=key)
        return table[key]

    def string(self, table: Table, key: str) -> str:
        """A text without languages: an id, a unit."""
        value = self.need(table, key)
        if not isinstance(value, str):
            raise self.error("bad-type", key, key=key, wanted="text")
        return value

    def strings(self, table: Table, key: str) -> tuple[str, ...]:
        """A list of such texts, empty when the key is not there."""
        value = table.get(key, [])
        if not (isinstance(value, list) and all(isinstance(item, str) for item in value)):
            raise self.error("bad-type", key, key=key, wanted="list of texts")
        return tuple(value)

    def text(self, table: Table, key: str) -> Text:
        """A text in both languages."""
        value = self.need(table, key)
        if not isinstance(value, Mapping):
            raise self.error("bad-type", key, key=key, wanted="en and hi-Latn")
        return self.both(value, key)

    def both(self, table: Table, key: str = "") -> Text:
        """The text of a table that has ``en`` and ``hi-Latn`` itself."""
        for lang in LANGS:
            if not isinstance(table.get(lang), str) or not table[lang].strip():
                raise self.error("missing-language", key, key=key, language=lang)
        return Text(table["en"].strip(), table["hi-Latn"].strip())

    def optional(self, table: Table, key: str) -> Text | None:
        """A text in both languages that may be left out."""
        return self.text(table, key) if key in table else None

    def number(self, value: Any, key: str) -> Fraction:
        """A number: 2, 0.5, "80e9", "1/2"."""
        try:
            if isinstance(value, bool):
                raise ValueError
            return Fraction(str(value))
        except (ValueError, ZeroDivisionError):
            raise self.error("bad-type", key, key=key, wanted="number") from None

    def given(self, table: Table, base: Given | None = None) -> Given:
        """The ``given`` values of a table over those around it."""
        own = table.get("given", {})
        if not isinstance(own, Mapping):
            raise self.error("bad-type", "given", key="given", wanted="table")
        return {**(base or {}), **{name: self.number(value, name) for name, value in own.items()}}

    def values(self, table: Table, base: Given) -> Mapping[str, Value]:
        """The computed numbers that texts name."""
        found = table.get("values", {})
        if not isinstance(found, Mapping):
            raise self.error("bad-type", "values", key="values", wanted="table")
        return {name: self.inside(name)._value(entry, base) for name, entry in found.items()}

    def _value(self, table: Table, base: Given) -> Value:
        return Value(self.string(table, "formula"), table.get("unit", ""), table.get("digits"), self.given(table, base))

    def figure(self, table: Table) -> FigureRef | None:
        """The figure of a table, if any."""
        if "figure" not in table:
            return None
        return FigureRef(self.string(table["figure"], "name"), dict(table["figure"].get("state", {})))

    def nuances(self, table: Table) -> tuple[Nuance, ...]:
        """The nuances of a table."""
        return tuple(
            Nuance(self.string(entry, "id"), self.inside(entry["id"]).both(entry), entry.get("source", ""), entry.get("when") == "base")
            for entry in table.get("nuance", [])
        )

    def options(self, table: Any) -> tuple[Option, ...]:
        """An option set, lettered in the order of the file."""
        if not isinstance(table, Mapping) or not table:
            raise self.error("bad-type", "options", key="options", wanted="table of options")
        return tuple(
            Option(name, LETTERS[place], self.inside(name).both(entry), self.inside(name).strings(entry, "also"))
            for place, (name, entry) in enumerate(table.items())
        )

    def steps(self, table: Table, key: str) -> tuple[Step, ...]:
        """A list of steps or points."""
        return tuple(Step(self.string(entry, "id"), self.inside(entry["id"]).both(entry)) for entry in table.get(key, []))

    def hints(self, table: Table) -> tuple[Text, ...]:
        """The hint ladder: as many rungs in each language."""
        hints = self.need(table, "hints")
        lists = [hints.get(lang) if isinstance(hints, Mapping) else None for lang in LANGS]
        for lang, rungs in zip(LANGS, lists, strict=True):
            if not isinstance(rungs, list) or not rungs:
                raise self.error("missing-language", "hints", key="hints", language=lang)
        if len(lists[0]) != len(lists[1]):
            raise self.error("hints-differ", "hints")
        return tuple(Text(en, hi) for en, hi in zip(*lists, strict=True))

    # --- lessons --------------------------------------------------------------------------------------------------

    def lesson(self, id_: str, title: Text, table: Table) -> Lesson:
        """A whole lesson."""
        given = self.given(table)
        sections = tuple(self.inside(str(s.get("id", ""))).section(s) for s in self.need(table, "section"))
        return Lesson(id_, title, given, self.values(table, given), sections)

    def section(self, table: Table) -> Section:
        """One section."""
        return Section(
            self.string(table, "id"),
            self.text(table, "heading"),
            self.text(table, "text"),
            self.optional(table, "notice"),
            self.figure(table),
            self.nuances(table),
            self.strings(table, "concepts"),
        )

    # --- exercises ------------------------------------------------------------------------------------------------

    def exercise(self, track: str, title: Text, table: Table, sources: Mapping[str, Given]) -> Exercise:
        """A whole exercise. ``sources`` are the given values of exercises that it may carry values from."""
        id_ = f"{track}/{self.string(table, 'id')}"
        given = self.given(table)
        sets = {name: self.inside(name).options(entry) for name, entry in table.get("options", {}).items()}
        parts = tuple(self.inside(str(p.get("id", ""))).part(id_, given, sets, p) for p in self.need(table, "part"))
        return Exercise(
            id_,
            title,
            f"{track}/{self.string(table, 'lesson')}",
            self.text(table, "prompt"),
            given,
            self.strings(table, "show"),
            self.figure(table),
            self.values(table, given),
            self._carry(table, sources),
            self.nuances(table),
            parts,
        )

    def _carry(self, table: Table, sources: Mapping[str, Given]) -> Carry | None:
        entry = table.get("carry")
        if entry is None:
            return None
        source = self.string(entry, "from")
        if source not in sources:
            raise self.error("broken-link", "carry", link=source)
        there = sources[source]
        symbols = {s: (there[s], slip) for s, slip in entry.items() if s not in ("from", "all") and s in there}
        return Carry(source, symbols, entry.get("all"))

    def part(self, exercise: str, given: Given, sets: Mapping[str, tuple[Option, ...]], table: Table) -> Part:
        """One part."""
        kind = self.string(table, "kind")
        if kind not in KINDS:
            raise self.error("unknown-kind", "kind", kind=kind)
        part = Part(
            id=f"{exercise}/{self.string(table, 'id')}",
            kind=kind,
            label=self.text(table, "label"),
            ask=self.optional(table, "ask"),
            hints=self.hints(table),
            solution=self.text(table, "solution"),
            nuances=self.nuances(table),
            followup=bool(table.get("followup", False)),
            given=self.given(table, given),
            equal=self.strings(table, "equal"),
            also=self.strings(table, "also"),
            drop=self.strings(table, "drop"),
            group=table.get("group", ""),
            slips=dict(table.get("slips", {})),
        )
        if kind in COMPUTED or kind == "formula":
            return self._computed(part, table)
        return self._worded(part, sets, table)

    def _computed(self, part: Part, table: Table) -> Part:
        tolerance = self.number(table["tolerance"], "tolerance") if "tolerance" in table else None
        default = {"integer": "none", "percent": "%", "factor": "x", "formula": "bytes"}.get(part.kind, "none")
        unit = table.get("unit", default)
        return part._replace(formula=self.string(table, "formula"), unit=unit, digits=table.get("digits", 3), tolerance=tolerance)

    def _worded(self, part: Part, sets: Mapping[str, tuple[Option, ...]], table: Table) -> Part:
        answer = table.get("answer", ())
        part = part._replace(answer=(answer,) if isinstance(answer, str) else tuple(answer))
        if part.kind == "rubric":
            return part._replace(model=self.text(table, "model"), rubric=self.steps(table, "rubric"))
        if part.kind == "order":
            steps = self.steps(table, "steps")
            return part._replace(steps=steps, answer=tuple(step.id for step in steps))
        if part.kind == "classify":
            accept = tuple(tuple(reading) for reading in table.get("accept", []))
            attributes = tuple(self._set(sets, name) for name in self.strings(table, "attributes"))
            return part._replace(attributes=attributes, accept=accept, accept_note=self.optional(table, "accept_note"))
        if part.kind == "judge":
            reasons = self._set(sets, table["reasons"]) if "reasons" in table else ()
            return part._replace(reasons=reasons, reason=table.get("reason", ""))
        return part._replace(options=self._set(sets, self.need(table, "options")))

    def _set(self, sets: Mapping[str, tuple[Option, ...]], name: Any) -> tuple[Option, ...]:
        if isinstance(name, Mapping):
            return self.options(name)
        if name not in sets:
            raise self.error("broken-link", "options", link=str(name))
        return sets[name]

    # --- the index ------------------------------------------------------------------------------------------------

    def track(self, table: Table) -> Track:
        """The index of a track."""
        head = self.need(table, "track")
        track = self.string(head, "id")
        lessons = tuple(
            LessonEntry(f"{track}/{self.string(t, 'id')}", self.inside(t["id"]).text(t, "title"), tuple(f"{track}/{n}" for n in self.strings(t, "needs")))
            for t in self.need(table, "lesson")
        )
        levels = tuple(self.inside(str(t.get("id", "")))._level(track, t) for t in self.need(table, "level"))
        return Track(track, self.text(head, "title"), self.text(head, "about"), lessons, levels)

    def _level(self, track: str, table: Table) -> Level:
        exercises = tuple(self._entry(track, t) for t in self.need(table, "exercise"))
        return Level(f"{track}/{self.string(table, 'id')}", self.text(table, "title"), exercises)

    def _entry(self, track: str, table: Table) -> ExerciseEntry:
        id_ = f"{track}/{self.string(table, 'id')}"
        parts, followups = (tuple(f"{id_}/{p}" for p in self.strings(table, key)) for key in ("parts", "followups"))
        return ExerciseEntry(id_, self.inside(id_).text(table, "title"), f"{track}/{self.string(table, 'lesson')}", parts, followups)
