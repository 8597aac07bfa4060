"""The figure beside an exercise: it starts from the given values, keeps each answer until it is found, then tells."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from fractions import Fraction

import pytest

from content import beside, course, fill
from content.address import join
from content.course import can_vary
from content.lang import LANGS, Lang
from content.schema import COMPUTED, Exercise, FigureRef, Part
from engine.formulas import registry as formulas
from engine.units import quantity
from tutor.figures.base import Figure
from tutor.figures.plain import plain
from tutor.figures.registry import get
from tutor.figures.state import State

IDS = [e.id for e in course.index().tracks[0].exercises if course.exercise(e.id).figure is not None]
VARIANTS = 4
PAGES = [join(id_, n) for id_ in IDS for n in range(VARIANTS + 1) if not n or can_vary(course.exercise(id_))]
MOST_PRESSES = 6
"""From 2 bits to 8."""
SIZES = ((40, 16), (60, 30), (100, 40))
_NUMBER = re.compile(r"(?<![\w.,])(\d[\d,]*(?:\.\d+)?)(?![\w]*-?bit)( Gi?B)?")
"""A number that stands alone, with its unit where that is GB or GiB: "INT4" and "4-bit" are names."""


def figured(page: str) -> tuple[Exercise, FigureRef]:
    exercise = course.exercise(page)
    assert exercise.figure is not None
    return exercise, exercise.figure


def computed(exercise: Exercise) -> list[Part]:
    return [part for part in exercise.parts if part.kind in COMPUTED]


def numbers(text: str) -> set[str]:
    """The numbers of a text, without the commas between thousands: bare, and with GB or GiB where that follows."""
    found = [(number.replace(",", "").rstrip("."), unit) for number, unit in _NUMBER.findall(text)]
    return {number for number, _ in found} | {number + unit for number, unit in found}


def prints(part: Part) -> set[str]:
    """The usual prints of an answer: as the course displays it, with more digits, in GB, GiB and bytes.

    A bare "26" may be a count of anything, so whole GB count with their unit only.
    """
    value = formulas.result(part.formula, part.given)
    sized = part.unit in ("GB", "GiB")
    units = ("GB", "GiB", "bytes") if sized else (part.unit,)
    shown = [fill.answer_text(part), *(quantity(value, unit, n) for unit in units for n in range(part.digits, 7))]
    found = set[str]().union(*(numbers(text) for text in shown))
    return {text for text in found if not (sized and text.isdigit() and len(text) < 4)}


def given(exercise: Exercise) -> set[str]:
    """Numbers that stand on the page anyway: the given values in every unit that they have, and those of the prompt."""
    printed = set[str]()
    for value in exercise.given.values():
        printed |= numbers(fill.plain_value("", value, "en")) | numbers(quantity(value, "none", 6))
        printed |= set[str]().union(*(numbers(quantity(value, unit, n)) for unit in ("GB", "GiB") for n in (3, 4, 6)))
    return printed | numbers(fill.fill(exercise.prompt.en, "en", fill.of_exercise(exercise)))


def turned(state: State) -> set[str]:
    """The values of a state itself: where the reader turned a dial to 64, a "64" tells nothing."""
    values = [Fraction(value) for value in state.values() if isinstance(value, int | Fraction)]
    return set[str]().union(*(numbers(quantity(value, unit, 6)) for value in values for unit in ("none", "GB", "GiB")))


def drawn(figure: Figure, state: State, lang: Lang) -> str:
    """All that a reader can read of a state: the drawing at three widths, and the words for it."""
    seen = [figure.draw(state, width, height, lang).plain for width, height in SIZES]
    return "\n".join([*seen, plain(figure.name, dict(state), 100, lang)])


def start(exercise: Exercise, ref: FigureRef, settled: Collection[str] = ()) -> State:
    return get(ref.name).defaults(beside.state(exercise, ref, settled))


def reached(figure: Figure, state: State, times: int = 2) -> Iterator[State]:
    """Where each key leads that is pressed once, twice, and up to so many times; the play key is one of them."""
    changes = [key.change for key in figure.shown(state)]
    for change in (*changes, *([figure.advance] if figure.advance is not None else [])):
        there = state
        for _ in range(times):
            there = change(there)
            yield there


def leaks(exercise: Exercise, ref: FigureRef, state: State, settled: Collection[str]) -> dict[str, set[str]]:
    """Answers that can be read although nobody has found them: name of the part -> its prints.

    A small count that the figure has nothing to do with is no answer: 84 sessions, and 84 tokens.
    """
    asked = {name for parts in ref.asks.values() for name in parts}
    known = given(exercise).union(turned(state), *(prints(part) for part in computed(exercise) if part.name in settled))
    found = set[str]().union(*(numbers(drawn(get(ref.name), state, lang)) for lang in LANGS)) - known
    told = {
        part.name: {text for text in prints(part) & found if part.name in asked or not text.isdigit()}
        for part in computed(exercise)
        if part.name not in settled
    }
    return {name: texts for name, texts in told.items() if texts}


@pytest.mark.parametrize("page", PAGES)
def test_nothing_that_is_asked_can_be_read_before_it_is_found(page: str) -> None:
    exercise, ref = figured(page)
    names = [part.name for part in exercise.parts]
    for many in range(len(names)):
        settled = names[:many]
        assert not leaks(exercise, ref, start(exercise, ref, settled), settled), (page, settled)


@pytest.mark.parametrize("page", PAGES)
def test_no_key_gives_away_what_is_asked(page: str) -> None:
    exercise, ref = figured(page)
    figure = get(ref.name)
    for state in reached(figure, start(exercise, ref)):
        assert not leaks(exercise, ref, state, ()), page


UNPRINTED = {
    "core/L1.1": {"ridge_a100", "ridge_h100"},
    "core/L2.1": {"gqa8"},
    "core/L2.3@": {"shrink"},
}
"""Answers that a figure leads to and does not print: the whole tokens above a ridge, a cache that two keys must turn
to, the pipe of 3 or 5 bits that some variants have."""


@pytest.mark.parametrize("page", PAGES)
def test_what_is_found_is_shown_and_nothing_but_that(page: str) -> None:
    exercise, ref = figured(page)
    figure, names = get(ref.name), {part.name for part in exercise.parts}
    asked = {name for parts in ref.asks.values() for name in parts}
    asked -= set[str]().union(*(parts for id_, parts in UNPRINTED.items() if page.startswith(id_)))
    whole = start(exercise, ref, names)
    states = (whole, *reached(figure, whole, MOST_PRESSES))
    shown = set[str]().union(*(numbers(plain(figure.name, dict(state), 100, "en")) for state in states))
    for part in computed(exercise):
        if part.name in asked:
            others = names - {part.name}
            early = leaks(exercise, ref, start(exercise, ref, others), others).get(part.name, set())
            assert not {text for text in early if not text.isdigit()}, part.id  # a count may be another one's too
            assert prints(part) & shown, (part.id, prints(part))


AT_ONCE = {
    "core/L2.3": ("fp16", "int8", "int4"),
    "core/L3.1": ("naive_waste", "worst_case", "blocks", "wasted", "paged_waste"),
    "core/L3.2": ("int8_step", "int4_step", "ratio"),
    "core/L4.1": ("weights", "per_request", "kv", "total", "margin"),
    "core/L4.2": ("weights", "total"),
}
"""Parts whose answer stands in the figure as soon as they are found, in the order in which they are asked."""


@pytest.mark.parametrize("page", [page for page in PAGES if page.partition("@")[0] in AT_ONCE])
def test_what_is_found_is_shown_at_once(page: str) -> None:
    exercise, ref = figured(page)
    wanted, names = AT_ONCE[page.partition("@")[0]], [part.name for part in exercise.parts]
    for name in wanted:
        settled = names[: names.index(name) + 1]
        shown = numbers(plain(ref.name, beside.state(exercise, ref, settled), 100, "en"))
        assert prints(exercise.part(name)) & shown, (name, prints(exercise.part(name)), shown)


def test_an_argument_in_order_shows_its_two_times() -> None:
    exercise, ref = figured("core/L3.3")
    before, after = (plain(ref.name, beside.state(exercise, ref, settled), 100, "en") for settled in ((), ("chain",)))
    assert "?" in before and "?" not in after and " ms" in after


@pytest.mark.parametrize("page", PAGES)
def test_a_figure_starts_from_the_given_values(page: str) -> None:
    exercise, ref = figured(page)
    state = start(exercise, ref)
    for key, symbol in ref.given.items():
        if symbol in exercise.given and key in state:
            assert state[key] == exercise.given[symbol], (page, key)


def test_every_exercise_with_values_takes_them() -> None:
    """An exercise whose page shows numbers has them in its figure; one without numbers may use any."""
    for id_ in IDS:
        exercise, ref = figured(id_)
        assert ref.given or not exercise.show, id_
        assert not ref.state.get("other"), id_


def test_the_sentence_waits_until_all_is_known() -> None:
    exercise, ref = figured("core/L4.1")
    names = [part.name for part in exercise.parts]
    assert beside.state(exercise, ref, names).get("hide", ()) == ()
    for many in range(len(names)):
        hide = beside.state(exercise, ref, names[:many])["hide"]
        assert isinstance(hide, tuple) and beside.SENTENCE in hide


@pytest.mark.parametrize("lang", LANGS)
def test_the_card_of_level_4_is_found_piece_by_piece(lang: Lang) -> None:
    exercise, ref = figured("core/L4.1")
    names = [part.name for part in exercise.parts]
    told = [plain(ref.name, beside.state(exercise, ref, names[:many]), 100, lang) for many in range(len(names) + 1)]
    seen = [[amount in text for amount in ("26 GB", "53.69 GB", "0.3129 GB")] for text in told]
    assert seen[0] == [False] * 3
    assert seen[1] == [True, False, False]
    assert seen[3] == [True, True, False]
    assert seen[-1] == [True] * 3
