"""FI-2: the column grows with the vector on a scale that says what it is, and weighs what the engine says."""

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
from engine.units import grouped
from tutor.figures.pen import Pen
from tutor.figures.plain import plain
from tutor.figures.registry import get
from tutor.figures.state import State
from tutor.figures.vector_column import MOST, SIZES, notice, scale, ticks

FIGURE = get("vector-column")


def _state(**given: Any) -> State:
    return FIGURE.defaults(given)


def _drawn(state: State, width: int = 60, height: int = 40) -> list[str]:
    return FIGURE.draw(state, width, height, "en").plain.split("\n")


def _height(lines: list[str]) -> int:
    """Rows between the two ends of the column."""
    return sum("│" in line for line in lines)


def test_the_column_as_it_stands() -> None:
    drawn = [line.rstrip() for line in _drawn(_state(d_model=64, hide=["note"]), 40, 8)]
    assert drawn == [
        "",
        "",
        "                  d_model = 64 numbers",
        "     ┌─────────┐  × 2 bytes (FP16)",
        "  64 │  +0.54  │  = 128 bytes",
        "   8 │  -0.28  │",
        "   1 │  -0.88  │",
        "     └─────────┘",
    ]


@given(st.integers(1, MOST), st.integers(34, 120), st.integers(8, 40))
def test_every_number_of_the_scale_stands_at_the_column(length: int, width: int, height: int) -> None:
    for line in _drawn(_state(d_model=length), width, height):
        assert not re.match(r" *\d+\s*$", line), line


@pytest.mark.parametrize("lang", LANGS)
@given(length=st.integers(1, MOST), height=st.integers(10, 40))
def test_the_step_from_row_to_row_is_as_told(lang: Lang, length: int, height: int) -> None:
    text = " ".join(FIGURE.draw(_state(d_model=length, hide=["note"]), 200, height, lang).plain.split())
    rows = [int(found) for found in re.findall(r"(\d+) │ [-+]", text)]
    found = re.search(r"(\d+) (times|guna)", text)
    assert rows[0] == length
    if found is None:  # left out by a short window
        return
    steps = {above / below for above, below in pairwise(rows)}
    if "the last on top" in text or "sabse upar" in text:
        steps = {above / below for above, below in pairwise(rows[1:])}
        assert rows[0] < rows[1] * int(found[1])
    assert steps <= {int(found[1])}


def test_a_tall_window_sets_other_lengths_beside_it() -> None:
    lines = _drawn(_state(d_model=2048), 80, 34)
    bars = {line.split()[0]: line.count("█") for line in lines if line.endswith("bytes") and "█" in line}
    assert bars["▌2048"] * 2 == bars["4096"] and bars["4096"] * 2 == bars["8192"]
    assert "other lengths" not in "\n".join(_drawn(_state(hide=["bytes"]), 80, 60))


@given(st.integers(1, MOST), st.sampled_from([2, 4, 8, 16, 64]))
def test_rows_stand_for_powers_up_to_the_last_number(length: int, factor: int) -> None:
    places = ticks(length, factor)
    assert places[0] == 1 and places[-1] == length
    assert all(later == earlier * factor for earlier, later in pairwise(places[:-1]))
    assert len(places) == 1 or places[-1] <= places[-2] * factor


@pytest.mark.parametrize("height", [8, 10, 12, 16, 24, 40])
def test_a_longer_vector_is_never_shorter_and_the_slider_shows(height: int) -> None:
    heights = [_height(_drawn(_state(d_model=size), 60, height)) for size in SIZES]
    assert heights == sorted(heights)
    assert heights[0] < heights[-1]


def test_with_room_each_doubling_is_one_row() -> None:
    doublings = [size for size in SIZES if size & (size - 1) == 0]
    heights = [_height(_drawn(_state(d_model=size))) for size in doublings]
    assert [later - earlier for earlier, later in pairwise(heights)] == [1] * (len(heights) - 1)
    assert "each row 2 times" in " ".join(_drawn(_state()))


@given(st.integers(1, MOST), st.integers(8, 40))
def test_the_scale_is_told_and_fits(length: int, room: int) -> None:
    factor = scale(length, room)
    assert len(ticks(length, factor)) + 2 <= max(room, 8)


@settings(max_examples=40, deadline=None)
@given(
    st.integers(1, MOST), st.sampled_from(["1/2", "9/16", "1", "2", "4", "8"]), st.integers(34, 140), st.integers(8, 30)
)
def test_the_weight_is_the_registrys_and_all_fits(length: int, size: str, width: int, height: int) -> None:
    state = _state(d_model=length, p=size)
    lines = _drawn(state, width, height)
    assert max(map(len, lines)) <= width and len(lines) <= height
    weight = result("vector_bytes", {"d_model": length, "p": Fraction(size)})
    if weight >= 1000:
        assert f"= {grouped(int(weight))} bytes" in plain("vector-column", dict(state), width, "en")


def test_precision_changes_the_weight_and_not_the_height() -> None:
    heavy, light = (_drawn(_state(p=size), 100) for size in (4, "1/2"))
    assert _height(heavy) == _height(light)
    bars = [line.count("█") for line in light if "█" in line][:4]
    assert bars == [bars[0], bars[0] // 2, bars[0] // 4, bars[0] // 8]


def test_what_is_asked_is_left_out() -> None:
    text = plain("vector-column", {"d_model": 5120, "hide": ["bytes"]}, 120, "en")
    assert "= ?" in text
    assert not [told for told in ("10,240", "10240", "10 KiB", "5120 bytes") if told in text]
    assert FIGURE.commands(_state(hide=["bytes"])) == ()
    assert "FP16" not in plain("vector-column", {"hide": ["name"]}, 120, "en")


@pytest.mark.parametrize("lang", LANGS)
def test_what_to_notice_follows_height_and_precision(lang: Lang) -> None:
    pen = Pen(80, 24, lang)
    states = [_state(), _state(d_model=64), _state(p=4), _state(p=1), _state(hide=["bytes"])]
    assert len({notice(state, pen) for state in states}) == 5


def test_command_lines() -> None:
    lines = [shell.line for shell in FIGURE.commands(_state(d_model=5120, p="1/2"))]
    assert lines == [
        "llm-tutor calc vector_bytes d_model=5120 p=0.5",
        "llm-tutor calc vector_bytes d_model=5120 p=0.5 unit=KiB",
    ]
