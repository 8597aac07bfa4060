"""Variants: what is drawn exists, the draws come out fair, every number changes, and the texts fill for all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from content import fill, ranges
from content.address import join
from content.checking import expectation
from content.course import Course, UnknownVariant, can_vary
from content.entries import Table
from content.files import ContentError
from content.lang import LANGS, Text
from content.quiz.alone import alone
from content.schema import COMPUTED, Exercise, Part
from content.validate.collect import Collector
from content.validate.positions import Path
from content.validate.source import Source
from content.vary import Draw, vary
from engine.answers.reverse import can_reverse
from engine.catalog import AmbiguousName, UnknownName
from engine.formulas import registry
from engine.formulas.registry import FormulaError
from engine.formulas.symbols import SYMBOLS

DRAWS = 8
"""So many variants of each exercise are drawn and looked at."""
LEAST = 2
"""Different right answers that a part has among them."""


def declared(source: Source, path: Path, exercise: Exercise) -> None:
    """What an exercise and its parts say about their variants: symbols, formulas and entries that there are."""
    computed = any(part.kind in COMPUTED for part in exercise.parts)
    if computed and not can_vary(exercise):
        source.report(path, "cannot-vary")
    places = [(path, exercise.vary, exercise.given)]
    places += [((*path, "part", n), part.vary, part.given) for n, part in enumerate(exercise.parts)]
    for place, table, given in places:
        for reason, name in _problems(source, place, table, given) if table is not None else ():
            source.report_in((*place, "vary"), name, reason, symbol=name, formula=name, name=name)


def _problems(source: Source, place: Path, table: Table, given: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    found: list[ContentError] = []
    try:
        said = vary(Collector(source.name, *source.ids(place), found=found), table)
    except ContentError as error:  # a list without its numbers leaves nothing to go on with
        source.report_errors([*found, error])
        return
    source.report_errors(found)
    for one in said.draws:
        for symbol in _symbols(one):
            if symbol not in SYMBOLS:
                yield "unknown-symbol", symbol
            elif symbol not in given:
                yield "drawn-not-given", symbol
        values = [value for option in one.options for value in option.items()]
        for symbol, wrong in {(s, bad) for s, value in values if (bad := ranges.problem(s, value))}:
            yield f"given-{wrong.replace('_', '-')}", symbol
        if one.formula and not registry.is_formula(one.formula):
            yield "unknown-formula", one.formula
        if one.entries and not _known(one):
            yield "unknown-entry", ", ".join(one.entries)
    yield from (("unknown-formula", limit.formula) for limit in said.limits if not registry.is_formula(limit.formula))


def _symbols(one: Draw) -> set[str]:
    return {symbol for option in one.options for symbol in option} or (set() if one.entries else {one.name})


def _known(one: Draw) -> bool:
    from content.draws import entries

    try:
        return bool(entries(one))
    except (UnknownName, AmbiguousName):
        return False


def drawn(source: Source, course: Course, exercises: tuple[Exercise, ...]) -> None:
    """Draw each exercise of a level some times and look at what comes out."""
    for place, exercise in enumerate(exercises):
        if can_vary(exercise):
            _drawn(source, ("exercise", place), course, exercise)


def _drawn(source: Source, path: Path, course: Course, exercise: Exercise) -> None:
    made: list[Exercise] = []
    for number in range(1, DRAWS + 1):
        try:
            made.append(course.exercise(join(exercise.id, number)))
        except UnknownVariant:
            source.report((*path, "vary"), "variant-not-drawn", number=number, why=_hindrance(course, exercise))
            return
        except ContentError as error:
            source.report_error(error)
            return
        except fill.FillError as error:
            source.report((*path, "vary"), "cannot-fill", placeholder=f"{{{error.placeholder}}}")
            return
    for place, part in enumerate(exercise.parts):
        inner = (*path, "part", place)
        if part.kind in COMPUTED and len({_right(one.parts[place]) for one in made}) < LEAST:
            source.report(inner, "part-does-not-vary")
        _turned(source, inner, made, place)
    for one in made:
        _filled(source, path, one)


def _turned(source: Source, path: Path, made: list[Exercise], place: int) -> None:
    """What a part lets ask for backwards can be asked for in the variants too."""
    for number, symbol in enumerate(made[0].parts[place].reverse):
        for one in made:
            if not can_reverse(expectation(one, one.parts[place]), symbol):
                source.report((*path, "reverse", number), "variant-not-reversed", symbol=symbol, number=one.variant)
                break


def _right(part: Part) -> object:
    return registry.result(part.formula, part.given)


def _hindrance(course: Course, exercise: Exercise) -> str:
    """What refused the draws most often: for whoever writes the limits."""
    from content import draws

    found: Counter[str] = Counter()
    for attempt in range(draws.TRIES // 4):
        try:
            made = course.try_draw(exercise.id, f"why/{attempt}")
        except draws.Refused as refused:
            found[str(refused)] += 1
            continue
        found.update(f"{p.name}: {why}" for p in made.parts if p.kind in COMPUTED and (why := draws.unfair(made, p)))
    return ", ".join(f"{why} ({times})" for why, times in found.most_common(3)) or "-"


def _filled(source: Source, path: Path, exercise: Exercise) -> None:
    """Every text of a variant has its values; what does not fill is reported where it stands."""
    whole = fill.of_exercise(exercise)
    texts = [((*path, "prompt"), whole, exercise.prompt)]
    texts += [((*path, "nuance"), whole, nuance.text) for nuance in exercise.nuances]
    for place, part in enumerate(exercise.parts):
        scope, inner = fill.of_part(exercise, part), (*path, "part", place)
        texts += [(inner, scope, text) for text in _texts(part)]
        page, made = alone(exercise, part)
        texts += [((*inner, "alone"), fill.of_exercise(page), page.prompt)]
        texts += [((*inner, "alone"), fill.of_part(page, made), text) for text in _asked(made)]
    for where, scope, text in texts:
        for lang in LANGS:
            try:
                fill.fill(text[lang], lang, scope)
            except (fill.FillError, FormulaError, KeyError) as error:
                name = error.placeholder if isinstance(error, fill.FillError) else str(error)
                source.report_in(where, f"{{{name}}}", "variant-cannot-fill", name=name, number=exercise.variant)


def _asked(part: Part) -> Iterator[Text]:
    yield from (text for text in (part.ask, part.solution) if text is not None)
    yield from part.hints


def _texts(part: Part) -> Iterator[Text]:
    yield from _asked(part)
    yield from (text for text in (part.model, part.accept_note) if text is not None)
    yield from (nuance.text for nuance in part.nuances)
    yield from (step.text for step in (*part.steps, *part.rubric))
