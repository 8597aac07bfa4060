"""One level file: its exercises and their parts."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any, NamedTuple

from content import fill, ranges
from content.entries import Table
from content.files import ContentError
from content.lang import Text
from content.schema import COMPUTED, Exercise, Given, Part
from content.validate import alone, answers, asked, figures, formulas, keys, links, prose, slips, variants
from content.validate.collect import Collector
from content.validate.positions import Path
from content.validate.source import Source
from engine.units import UNITS


class Known(NamedTuple):
    """What the exercises of a level may name: lessons that there are, slips that have words."""

    lessons: Container[str]
    slips: Container[str]


def level(source: Source, track: str, sources: Mapping[str, Given], known: Known) -> tuple[Exercise, ...]:
    """Check a level.

    Args:
        source: its file.
        track: the id of its track.
        sources: the given values of every exercise of the track, for values that are carried over.
        known: what it may name.
    """
    keys.level(source)
    found: list[ContentError] = []
    builder = Collector(source.name, found=found)
    tables = builder.tables(source.table, "exercise", needed=True)
    built, unread = [], set()
    for place, table in enumerate(tables):
        before = len(found)
        built.append(builder.inside(str(table.get("id", ""))).exercise(track, Text("", ""), table, sources))
        parts = Collector(source.name, found=[]).tables(table, "part")
        if any(lacks_values(error, [table, *parts]) for error in found[before:]):
            unread.add(place)
    source.report_errors(found)
    answers.unique(source, (), "exercise", [str(table.get("id", "")) for table in tables])
    for place, (table, exercise) in enumerate(zip(tables, built, strict=True)):
        if place not in unread:
            _exercise(source, ("exercise", place), table, exercise, known)
    scopes = {path: None if path[1] in unread else scope for path, scope in _scopes(built).items()}
    prose.texts(source, lambda path: _scope(scopes, path))
    return tuple(built)


def lacks_values(error: ContentError, tables: Sequence[Any]) -> bool:
    """Whether a complaint is about a given value of one of some tables: all that is computed from it would be noise."""
    given = [table["given"] for table in tables if isinstance(table, Mapping) and "given" in table]
    named = any(isinstance(one, Mapping) and error.params.get("key") in one for one in given)
    return error.reason == "bad-type" and (named or error.params.get("key") == "given")


def _scopes(built: Sequence[Exercise]) -> dict[Path, fill.Scope | None]:
    """The scope of every exercise and part, by the path of its table."""
    scopes: dict[Path, fill.Scope | None] = {}
    for place, exercise in enumerate(built):
        scopes["exercise", place] = fill.of_exercise(exercise)
        for inner, part in enumerate(exercise.parts):
            scopes["exercise", place, "part", inner] = fill.of_part(exercise, part) if part.kind else None
    return scopes


def _scope(scopes: Mapping[Path, fill.Scope | None], path: Path) -> fill.Scope | None:
    """The scope of a text: of its part if it is in one, else of its exercise."""
    return scopes.get(path[:4]) if path[2:3] == ("part",) else scopes.get(path[:2])


def _exercise(source: Source, path: Path, table: Table, exercise: Exercise, known: Known) -> None:
    where = source.ids(path)
    links.link(source, (*path, "lesson"), exercise.lesson, known.lessons)
    figures.beside(source, where, exercise)
    formulas.symbols_known(source, where, exercise.given)
    for symbol in exercise.show:
        if symbol not in exercise.given:
            source.report_in((*path, "show"), symbol, "not-given", symbol=symbol)
    for name, value in exercise.values.items():
        formulas.usable(source, (*where, name), value.formula, value.given, value.unit)
    prose.values_used(source, path, table, exercise.values)
    prose.answers_kept(source, path, table, None, [part for part in exercise.parts if part.kind in COMPUTED])
    _carry(source, path, exercise, known.slips)
    variants.declared(source, path, exercise)
    silent = Collector(source.name, found=[])  # what it complains about is noted already
    for name, options in silent.mapping(table, "options").items():
        answers.clashes(source, (*where, name), silent.options(options))
    answers.unique(source, where, "part", [part.name for part in exercise.parts])
    for place, (part_table, part) in enumerate(zip(silent.tables(table, "part"), exercise.parts, strict=True)):
        if part.kind:
            _part(source, (*path, "part", place), part_table, exercise, part, known.slips)
    alone.asked(source, path, exercise)


def _carry(source: Source, path: Path, exercise: Exercise, words: Container[str]) -> None:
    if exercise.carry is None:
        return
    named = [slip for _, slip in exercise.carry.symbols.values()]
    for slip in (*named, *([exercise.carry.all] if exercise.carry.all else [])):
        if slip not in words:
            source.report_in((*path, "carry"), slip, "unknown-slip", slip=slip)


def _part(source: Source, path: Path, table: Table, exercise: Exercise, part: Part, slip_words: Container[str]) -> None:
    where = source.ids(path)
    formulas.symbols_known(source, where, Collector(source.name, found=[]).given(table))
    answers.hints(source, where, part)
    prose.answers_kept(source, path, table, part, ())
    slips.named(source, where, part, slip_words)
    if part.kind not in COMPUTED and part.kind != "formula":
        answers.worded(source, where, part)
        asked.reverse(source, where, exercise, part)
        return
    usable = formulas.usable(source, where, part.formula, part.given, part.unit)
    if not all(ranges.problem(symbol, value) is None for symbol, value in part.given.items()):
        return  # reported where it is given; whatever is computed from it means nothing
    if usable and part.kind in COMPUTED and part.formula and part.unit in UNITS:
        slips.computed(source, where, exercise, part, slip_words)
        asked.reverse(source, where, exercise, part)
