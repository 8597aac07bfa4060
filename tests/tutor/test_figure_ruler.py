"""FI-7: the marks drawn are the marks computed, the value lands within half a step, and the error is a span."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from content.lang import LANGS, Lang
from engine.formulas.registry import result
from tutor.figures.pen import Pen
from tutor.figures.plain import plain
from tutor.figures.registry import get
from tutor.figures.ruler import notice
from tutor.figures.ruler_rows import DENSE, MARK, column, enlarged, even_width, is_dense, marked_line
from tutor.figures.snapping import left_for_others, snap, unstretched
from tutor.figures.state import State, put

FIGURE = get("ruler")
SECRETS = ["step", "error", "most", "marks"]

ranges = st.tuples(st.fractions(-5, 0, max_denominator=100), st.fractions(Fraction(1, 10), 5, max_denominator=100))


def _state(**given: Any) -> State:
    return FIGURE.defaults(given)


def _drawn(state: State, width: int = 40, height: int = 24, lang: Lang = "en") -> list[str]:
    return [line.rstrip() for line in FIGURE.draw(state, width, height, lang).plain.split("\n")]


def test_the_ruler_as_it_stands() -> None:
    assert _drawn(_state(hide=["note"]), 40, 12) == [
        "                   ▼ 0.17",
        "┼─┼─┼─┼─┼─┼─┼─┼─┼─┼─┼─┼─┼─┼─┼─┼",
        "                  ▲ 0.15",
        "-0.3                       0.45",
        "around the value, enlarged",
        "          0.17  error 0.02 ▼",
        "┼──────────────────┼████████──────────┼",
        "0.1              0.15               0.2",
        "bits            4   step: one gap  0.05",
        "marks (codes)  16   error now      0.02",
        "gaps           15   largest error  0.025",
    ]


def test_the_outlier_thins_the_marks_out() -> None:
    state = _state(value="0.08", outlier=True, hide=["note"])
    drawn = _drawn(state, 80)
    assert drawn[5] == "0 is always a mark, so the marks run from -0.22 to 3.08."
    assert drawn[:5] == [
        "├────────────────┤ before: all 16 marks here                           outlier *",
        "         ▼ 0.08",
        "  ┼────┼────┼────┼────┼────┼────┼────┼────┼────┼────┼────┼────┼────┼────┼────┼",
        "       ▲ 0",
        "-0.3                                                                       3",
    ]
    assert left_for_others(state) == 4
    assert drawn[-1] == "marks left for the others  4"


def test_marks_that_stand_wide_enough_are_drawn_before_the_outlier_too() -> None:
    assert _drawn(_state(b=2, outlier=True), 80)[0].lstrip().startswith("┼─────┼────┼─────┼ before: all 4 marks")
    assert _drawn(_state(b=4, outlier=True), 80)[0].startswith("├───")


def test_marks_that_reach_from_end_to_end_need_no_word() -> None:
    for bits in (2, 4, 8):
        assert "0 is always" not in "\n".join(_drawn(_state(b=bits, r_min=-1, r_max=2**bits - 2), 80))
    assert "0 is always" not in "\n".join(_drawn(_state(outlier=True, hide=["marks"]), 80))
    assert "0 is always" not in "\n".join(_drawn(_state(outlier=True, hide=["step"]), 80))


@pytest.mark.parametrize("lang", LANGS)
def test_in_a_short_window_the_sentence_on_the_outlier_stays(lang: Lang) -> None:
    for value in ("0.08", "0.17"):
        state = _state(value=value, outlier=True)
        assert notice(state, Pen(56, 13, lang)) in " ".join(" ".join(_drawn(state, 56, 13, lang)).split())
    narrow = " ".join(_drawn(_state(outlier=True), 34, 12))
    assert "marks left for the others" in narrow


@settings(max_examples=100, deadline=None)
@given(ranges, st.integers(2, 8), st.fractions(0, 1, max_denominator=1000), st.booleans())
def test_a_value_lands_on_a_mark_within_half_a_step(
    ends: tuple[Fraction, Fraction], bits: int, share: Fraction, outlier: bool
) -> None:
    low, high = ends
    state = _state(r_min=low, r_max=high, b=bits, value=low + share * (high - low), outlier=outlier)
    found = snap(state)
    assert found.landed in found.marks
    assert found.error == abs(Fraction(str(state["value"])) - found.landed) <= found.step / 2
    assert found.error == min(abs(Fraction(str(state["value"])) - mark) for mark in found.marks)
    assert found.step == result("quant_step", {"r_min": found.low, "r_max": found.high, "b": bits})
    assert len(found.marks) == result("codes", {"b": bits})


@settings(max_examples=100, deadline=None)
@given(ranges, st.integers(2, 8), st.integers(34, 300))
def test_marks_drawn_are_marks_computed(ends: tuple[Fraction, Fraction], bits: int, width: int) -> None:
    found = snap(_state(r_min=ends[0], r_max=ends[1], b=bits))
    line = marked_line(found, found.ends, width)
    assert len(line) == width
    if is_dense(found, found.ends, width):
        assert MARK not in line and DENSE in line
    else:
        assert line.count(MARK) == 2**bits
        assert [place for place, sign in enumerate(line) if sign == MARK] == [
            column(mark, found.ends, width) for mark in found.marks
        ]


@settings(max_examples=100, deadline=None)
@given(ranges, st.integers(2, 8), st.integers(34, 300))
def test_gaps_are_equally_wide_where_a_ruler_of_most_columns_allows_it(
    ends: tuple[Fraction, Fraction], bits: int, width: int
) -> None:
    found = snap(_state(r_min=ends[0], r_max=ends[1], b=bits))
    columns = even_width(found, width)
    assert Fraction(3, 5) * width <= columns <= width
    gaps = (found.ends[1] - found.ends[0]) / found.step
    if columns < width and gaps.denominator == 1:
        places = [column(mark, found.ends, columns) for mark in found.marks]
        assert len({after - before for before, after in pairwise(places)}) == 1


@settings(max_examples=60, deadline=None)
@given(
    ranges,
    st.integers(2, 8),
    st.fractions(0, 1, max_denominator=1000),
    st.integers(34, 140),
    st.integers(8, 40),
    st.booleans(),
)
def test_every_range_fits_and_the_span_is_the_error(
    ends: tuple[Fraction, Fraction], bits: int, share: Fraction, width: int, height: int, outlier: bool
) -> None:
    value = ends[0] + share * (ends[1] - ends[0])
    state = _state(r_min=ends[0], r_max=ends[1], b=bits, value=value, outlier=outlier)
    lines = _drawn(state, width, height)
    assert max(map(len, lines)) <= width and len(lines) <= height
    found = snap(state)
    span = sum(row.content.plain.count("█") for row in enlarged(state, Pen(width, height, "en")))
    half = (width - 1) // 2
    assert abs(span - found.error / found.step * half) <= 1


def test_8_bits_have_more_marks_than_columns_and_say_so() -> None:
    text = " ".join(_drawn(_state(b=8), 80))
    assert "256 marks on 80 columns: too close to draw apart." in text
    assert MARK not in _drawn(_state(b=8), 80)[1]
    assert "too close" not in " ".join(_drawn(_state(b=4), 80))
    assert "0.1676" in text and "0.1706" in text, "the enlarged part still shows single marks"


@settings(max_examples=40, deadline=None)
@given(ranges, st.integers(2, 8), st.integers(1, 50))
def test_the_outlier_only_widens_the_step(ends: tuple[Fraction, Fraction], bits: int, far: int) -> None:
    low, high = ends
    state = _state(r_min=low, r_max=high, b=bits, outlier=True, stretched=high + far)
    assert snap(state).step > unstretched(state).step
    assert left_for_others(state) == sum(low <= mark <= high for mark in snap(state).marks)


@pytest.mark.parametrize("width", [34, 40, 80, 120])
@pytest.mark.parametrize("lang", LANGS)
def test_what_is_asked_is_left_out(width: int, lang: Lang) -> None:
    given_: dict[str, Any] = {"r_min": "-0.6", "r_max": "0.9", "b": 4, "value": "0.33", "hide": SECRETS}
    text = plain("ruler", given_, width, lang) + "\n".join(_drawn(_state(**given_), width, 40, lang))
    answers = ("0.1", "0.05", "0.3", "0.03", "16", "15")
    assert not set(re.findall(r"[\d.]+", text)) & set(answers)
    assert MARK * 2 not in text and _drawn(_state(**given_), width)[1].count(MARK) == 0
    assert FIGURE.commands(_state(hide=[*SECRETS, "gaps"])) == ()
    assert "4" not in plain("ruler", {**given_, "hide": [*SECRETS, "bits"], "outlier": True}, width, lang)


@pytest.mark.parametrize("lang", LANGS)
def test_what_to_notice_follows_the_value_the_bits_and_the_outlier(lang: Lang) -> None:
    pen = Pen(80, 24, lang)
    states: list[dict[str, Any]] = [
        {}, {"value": "0.15"}, {"value": "0.174"}, {"b": 8}, {"b": 2},
        {"outlier": True}, {"outlier": True, "value": "0.08"},
    ]  # fmt: skip
    assert len({notice(_state(**given), pen) for given in states}) == len(states)


def test_an_author_switches_the_outlier_by_true_and_false() -> None:
    assert _state(outlier=True)["outlier"] == _state(outlier="on")["outlier"] == "on"
    assert _state(outlier=False)["outlier"] == _state()["outlier"] == "off"


def test_command_lines() -> None:
    lines = [shell.line for shell in FIGURE.commands(_state())]
    assert lines == [
        "llm-tutor calc quant_step r_min=-0.3 r_max=0.45 b=4",
        "llm-tutor calc max_error r_min=-0.3 r_max=0.45 b=4",
        "llm-tutor calc codes b=4",
        "llm-tutor calc gaps b=4",
    ]


def test_a_finer_code_is_compared_with_and_each_step_waits_for_itself() -> None:
    state = _state(b=4, finer=8, r_min=Fraction(-3, 5), r_max=Fraction(9, 10), hide=["step", "error", "most", "ratio"])
    told = plain("ruler", dict(state), 100, "en")
    assert "step with 8 bits: 0.005882" in told and "wider" not in told and "0.1\n" not in told
    assert "0.1\n" in plain("ruler", dict(put(state, hide=("error", "most", "ratio"))), 100, "en")
    assert "wider by: 17x" in plain("ruler", dict(put(state, hide=("error", "most"))), 100, "en")
    finer = put(state, b=8, hide=("finer",))
    assert "0.005882" not in plain("ruler", dict(finer), 100, "en") + "\n".join(_drawn(finer, 100, 40))
