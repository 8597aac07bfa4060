"""Tables of a content file to the data of :mod:`content.schema`; every complaint names file and place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from content.entries import MOST_DIGITS, Entries, Table
from content.lang import LANGS, Text
from content.schema import (
    COMPUTED,
    KINDS,
    LETTERS,
    Alone,
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

Drawer = Callable[["Builder", str, Table, Given], "tuple[Given, Mapping[str, str]]"]
"""Draws for a part of this name ("" for the exercise) what its ``vary`` table says: values over those given, and the
names of what was drawn. The builder is the one of the place."""


class Builder(Entries):
    """Builds from the tables of one file; knows the file's name and, as it goes in, the place."""

    def inside(self, place: str) -> Builder:
        """A builder one step further in."""
        return Builder(self.file, *self.where, place)

    # --- small pieces ---------------------------------------------------------------------------------------------

    def values(self, table: Table, base: Given) -> Mapping[str, Value]:
        """The computed numbers that texts name."""
        return {name: self.inside(name).value(entry, base) for name, entry in self.mapping(table, "values").items()}

    def value(self, table: Any, base: Given) -> Value:
        """One computed number."""
        if not isinstance(table, Mapping):
            raise self.error("bad-type", key=self.where[-1], wanted="table")
        formula = self.string(table, "formula")
        unit = self.string(table, "unit") if "unit" in table else ""
        return Value(formula, unit, self.digits(table), self.given(table, base))

    def figure(self, table: Table) -> FigureRef | None:
        """The figure of a table, if any."""
        if "figure" not in table:
            return None
        entry, inside = self.mapping(table, "figure"), self.inside("figure")
        given, asks = inside.mapping(entry, "given"), inside.mapping(entry, "asks")
        return FigureRef(
            inside.string(entry, "name"),
            dict(inside.mapping(entry, "state")),
            {key: inside.string(given, key) for key in given},
            {name: inside.strings(asks, name) for name in asks},
        )

    def nuances(self, table: Table) -> tuple[Nuance, ...]:
        """The nuances of a table."""
        return tuple(self._nuance(entry) for entry in self.tables(table, "nuance"))

    def _nuance(self, entry: Table) -> Nuance:
        id_ = self.string(entry, "id")
        here = self.inside(id_)
        return Nuance(id_, here.both(entry), here.citation(entry, "source"), entry.get("when") == "base")

    def options(self, table: Any) -> tuple[Option, ...]:
        """An option set, lettered in the order of the file."""
        if not isinstance(table, Mapping) or not all(isinstance(entry, Mapping) for entry in table.values()):
            raise self.error("bad-type", "options", key="options", wanted="table of options")
        if not 0 < len(table) <= len(LETTERS):
            raise self.error("bad-type", "options", key="options", wanted=f"1 to {len(LETTERS)} options")
        return tuple(self.inside(name)._option(name, place, entry) for place, (name, entry) in enumerate(table.items()))

    def _option(self, name: str, place: int, entry: Table) -> Option:
        also, but = self.strings(entry, "also"), self.optional(entry, "but")
        return Option(name, LETTERS[place], self.both(entry), also, but)

    def steps(self, table: Table, key: str) -> tuple[Step, ...]:
        """A list of steps or points."""
        return tuple(self._step(entry) for entry in self.tables(table, key, needed=True))

    def _step(self, entry: Table) -> Step:
        id_ = self.string(entry, "id")
        return Step(id_, self.inside(id_).both(entry))

    def hints(self, table: Table, key: str = "hints") -> tuple[Text, ...]:
        """The hint ladder, or another list of texts: as many in each language."""
        hints = self.need(table, key)
        lists: list[list[str]] = []
        for lang in LANGS:
            rungs = hints.get(lang) if isinstance(hints, Mapping) else None
            if (
                not isinstance(rungs, list)
                or not rungs
                or not all(isinstance(rung, str) and rung.strip() for rung in rungs)
            ):
                raise self.error("missing-language", key, key=key, language=lang)
            lists.append(rungs)
        if len(lists[0]) != len(lists[1]):
            raise self.error(f"{key}-differ", key)
        return tuple(Text(en, hi) for en, hi in zip(*lists, strict=True))

    # --- lessons --------------------------------------------------------------------------------------------------

    def lesson(self, id_: str, title: Text, table: Table) -> Lesson:
        """A whole lesson."""
        given = self.given(table)
        sections = tuple(
            self.inside(str(s.get("id", ""))).section(s) for s in self.tables(table, "section", needed=True)
        )
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
            self.citation(table, "source"),
        )

    # --- exercises ------------------------------------------------------------------------------------------------

    def exercise(
        self, track: str, title: Text, table: Table, sources: Mapping[str, Given], draw: Drawer | None = None
    ) -> Exercise:
        """A whole exercise. ``sources`` are the given values of exercises that it may carry values from; with ``draw``
        it is a variant."""
        id_ = f"{track}/{self.string(table, 'id')}"
        given, vary, names = self._values_drawn("", self.given(table), table, draw)
        concepts = self.strings(table, "concepts")
        sets = {name: self.inside(name).options(entry) for name, entry in self.mapping(table, "options").items()}
        parts = tuple(
            self.inside(str(p.get("id", ""))).part(id_, given, sets, {"concepts": list(concepts), **p}, draw)
            for p in self.tables(table, "part", needed=True)
        )
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
            vary,
            names=names,
            concepts=concepts,
            situation=self.optional(table, "situation"),
        )

    def _values_drawn(
        self, part: str, given: Given, table: Table, draw: Drawer | None
    ) -> tuple[Given, Table | None, Mapping[str, str]]:
        """The values of an exercise or part, how they vary, and the names of what they belong to."""
        vary, names = self.mapping(table, "vary") or None, self.mapping(table, "names")
        if not all(isinstance(name, str) for name in names.values()):
            raise self.error("bad-type", "names", key="names", wanted="texts")
        if vary is None or draw is None:
            return given, vary, names
        values, drawn = draw(self.inside(part) if part else self, part, vary, given)
        return {**given, **values}, vary, {**names, **drawn}

    def _carry(self, table: Table, sources: Mapping[str, Given]) -> Carry | None:
        entry = self.mapping(table, "carry")
        if not entry:
            return None
        source = self.string(entry, "from")
        if source not in sources:
            raise self.error("broken-link", "carry", link=source)
        there = sources[source]
        symbols = {s: (there[s], str(slip)) for s, slip in entry.items() if s not in ("from", "all") and s in there}
        return Carry(source, symbols, self.optional_string(entry, "all") or None)

    def part(
        self,
        exercise: str,
        given: Given,
        sets: Mapping[str, tuple[Option, ...]],
        table: Table,
        draw: Drawer | None = None,
    ) -> Part:
        """One part."""
        kind = self.string(table, "kind")
        if kind not in KINDS:
            raise self.error("unknown-kind", "kind", kind=kind)
        name = self.string(table, "id")
        own, vary, names = self._values_drawn(name, self.given(table, given), table, draw)
        equal = self.strings(table, "equal") + (self.strings(table, "equal_base") if draw is None else ())
        part = Part(
            id=f"{exercise}/{name}",
            kind=kind,
            label=self.text(table, "label"),
            ask=self.optional(table, "ask"),
            hints=self.hints(table),
            solution=self.text(table, "solution"),
            nuances=self.nuances(table),
            followup=bool(table.get("followup", False)),
            given=own,
            equal=equal,
            drop=self.strings(table, "drop"),
            group=self.optional_string(table, "group"),
            slips={reading: str(slip) for reading, slip in self.mapping(table, "slips").items()},
            vary=vary,
            names=names,
            concepts=self.strings(table, "concepts"),
            reverse=self.strings(table, "reverse"),
            alone=self.inside("alone").alone(self.mapping(table, "alone")),
        )
        if kind in COMPUTED or kind == "formula":
            return self._computed(part, table)
        return self._worded(part, sets, table)

    def alone(self, table: Table) -> Alone:
        """What a part says where it is asked by itself."""
        return Alone(
            self.optional(table, "ask"),
            self.optional(table, "situation"),
            self.strings(table, "show") if "show" in table else None,
            self.hints(table) if "hints" in table else (),
            self.optional(table, "solution"),
            self.strings(table, "clear"),
            self.optional(table, "label"),
        )

    def _computed(self, part: Part, table: Table) -> Part:
        tolerance = self.number(table["tolerance"], "tolerance") if "tolerance" in table else None
        default = {"integer": "none", "percent": "%", "factor": "x", "formula": "bytes"}.get(part.kind, "none")
        unit = self.string(table, "unit") if "unit" in table else default
        digits = self.digits(table) if "digits" in table else 3
        if digits == "all":
            raise self.error("bad-type", "digits", key="digits", wanted=f"1 to {MOST_DIGITS}")
        return part._replace(formula=self.string(table, "formula"), unit=unit, digits=digits or 3, tolerance=tolerance)

    def _worded(self, part: Part, sets: Mapping[str, tuple[Option, ...]], table: Table) -> Part:
        answer = table.get("answer", [])
        part = part._replace(answer=(answer,) if isinstance(answer, str) else self.strings(table, "answer"))
        if part.kind == "rubric":
            return part._replace(model=self.text(table, "model"), rubric=self.steps(table, "rubric"))
        if part.kind == "order":
            steps = self.steps(table, "steps")
            return part._replace(steps=steps, answer=tuple(step.id for step in steps))
        if part.kind == "classify":
            accept = tuple(self.strings({"accept": reading}, "accept") for reading in self.items(table, "accept"))
            attributes = tuple(self._set(sets, name) for name in self.strings(table, "attributes"))
            return part._replace(attributes=attributes, accept=accept, accept_note=self.optional(table, "accept_note"))
        if part.kind == "judge":
            reasons = self._set(sets, table["reasons"]) if "reasons" in table else ()
            return part._replace(reasons=reasons, reason=self.optional_string(table, "reason"))
        return part._replace(options=self._set(sets, self.need(table, "options")))

    def _set(self, sets: Mapping[str, tuple[Option, ...]], name: Any) -> tuple[Option, ...]:
        if isinstance(name, Mapping):
            return self.options(name)
        if not isinstance(name, str) or name not in sets:
            raise self.error("broken-link", "options", link=str(name))
        return sets[name]

    # --- the index ------------------------------------------------------------------------------------------------

    def track(self, table: Table) -> Track:
        """The index of a track."""
        track, title, about = self.heading(table)
        lessons = tuple(
            self.inside(str(t.get("id", "")))._lesson(track, t) for t in self.tables(table, "lesson", needed=True)
        )
        levels = tuple(
            self.inside(str(t.get("id", "")))._level(track, t) for t in self.tables(table, "level", needed=True)
        )
        return Track(track, title, about, lessons, levels)

    def heading(self, table: Table) -> tuple[str, Text, Text]:
        """A track's own id, its title, and what it is about."""
        self.need(table, "track")
        head, here = self.mapping(table, "track"), self.inside("track")
        return here.plain_id(head), here.text(head, "title"), here.text(head, "about")

    def plain_id(self, table: Table) -> str:
        """An id, which names a file of the track's folder: no path, that would lead elsewhere."""
        id_ = self.string(table, "id")
        if {"/", "\\"} & set(id_) or not id_.strip("."):
            raise self.error("id-path", "id", id=id_)
        return id_

    def _lesson(self, track: str, table: Table) -> LessonEntry:
        id_ = f"{track}/{self.plain_id(table)}"
        needs = tuple(f"{track}/{name}" for name in self.strings(table, "needs"))
        return LessonEntry(id_, self.text(table, "title"), needs, self.count(table, "sections"))

    def _level(self, track: str, table: Table) -> Level:
        exercises = tuple(
            self.inside(str(t.get("id", "")))._entry(track, t) for t in self.tables(table, "exercise", needed=True)
        )
        return Level(f"{track}/{self.plain_id(table)}", self.text(table, "title"), exercises)

    def _entry(self, track: str, table: Table) -> ExerciseEntry:
        id_ = f"{track}/{self.plain_id(table)}"
        parts, followups, reverse = (
            tuple(f"{id_}/{p}" for p in self.strings(table, key)) for key in ("parts", "followups", "reverse")
        )
        lesson, figure = f"{track}/{self.string(table, 'lesson')}", self.optional_string(table, "figure")
        return ExerciseEntry(id_, self.text(table, "title"), lesson, parts, followups, reverse, figure)
