"""FI-3: packets drawn times their bits are the width of the pipe, and the numbers beside them are the engine's."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from content.lang import LANGS, Lang
from engine.formulas.registry import result
from engine.units import quantity
from tutor.figures.memory_pipe import CELL, notice, packet, pipe_cells
from tutor.figures.pen import Pen
from tutor.figures.phases import CARDS, card
from tutor.figures.plain import plain
from tutor.figures.registry import get
from tutor.figures.state import State

FIGURE = get("memory-pipe")
EVERY = (16, 8, 4)


def _state(**given: Any) -> State:
    return FIGURE.defaults(given)


def _drawn(state: State, width: int = 80, height: int = 40) -> list[str]:
    return FIGURE.draw(state, width, height, "en").plain.split("\n")


def _lanes(lines: list[str]) -> dict[int, str]:
    """The first line of each filling: what stands between its name and its count."""
    found = {}
    for line in lines:
        lane = re.match(r".(\d+)-bit +(\[.*\])", line)
        if lane:
            found.setdefault(int(lane[1]), lane[2])
    return found


def test_the_pipe_as_it_stands() -> None:
    drawn = [line.rstrip() for line in _drawn(_state(bits=8, hide=["note"]), 40, 20)]
    assert drawn[:8] == [
        "HBM     ─ 2.039 TB/s ──── → chip",
        "        ────────────────────────",
        " 16-bit [  16  ][  16  ][  16  ]   3",
        "        ────────────────────────",
        "▌8-bit  [8 ][8 ][8 ][8 ][8 ][8 ]   6",
        "        ────────────────────────",
        " 4-bit  [][][][][][][][][][][][]  12",
        "        ────────────────────────",
    ]


@given(st.integers(34, 200), st.sampled_from(EVERY))
def test_packets_times_bits_are_the_width_of_the_pipe(width: int, bits: int) -> None:
    lanes = _lanes(_drawn(_state(bits=bits), width))
    assert set(lanes) == set(EVERY)
    for size, lane in lanes.items():
        assert lane.count("[") * size == pipe_cells(width) * CELL
        assert len(lane) == pipe_cells(width)
        assert lane == packet(size) * lane.count("[")


@settings(max_examples=40, deadline=None)
@given(
    st.integers(1, 10**12), st.integers(10**9, 10**13), st.sampled_from(EVERY), st.integers(34, 140), st.integers(8, 30)
)
def test_the_numbers_are_the_engines_and_all_fits(weights: int, speed: int, bits: int, width: int, height: int) -> None:
    state = _state(N=weights, bandwidth=speed, bits=bits)
    lines = _drawn(state, width, height)
    assert max(map(len, lines)) <= width and len(lines) <= height
    text = plain("memory-pipe", dict(state), 120, "en")
    moved = result("weights", {"N": weights, "p_w": Fraction(bits, 8)})
    time = result("read_time", {"bytes_moved": moved, "bandwidth": speed})
    assert quantity(moved, "GB", 4) in text
    assert quantity(time, "ms", 4) in text


def test_bars_of_the_read_times_are_halves_and_quarters() -> None:
    bars = [line.count("█") for line in _drawn(_state(), 100) if "█" in line]
    assert bars == [bars[0], bars[0] // 2, bars[0] // 4] and bars[0] % 4 == 0


def test_numbers_of_a_second_follow_bits_and_card() -> None:
    assert "4,078 billion" in plain("memory-pipe", {"bits": 4}, 80, "en")
    figure = FIGURE
    state = figure.press(_state(bits=4), "switch")
    assert state["bandwidth"] == card("H100 SXM 80GB")[2]
    assert "H100 SXM 80GB" in "\n".join(_drawn(state))
    assert "6,700 billion" in plain("memory-pipe", dict(state), 80, "en")


def test_the_cards_come_round_and_any_speed_finds_its_way() -> None:
    state, seen = _state(bandwidth=123 * 10**9), []
    for _ in range(len(CARDS) + 1):
        state = FIGURE.press(state, "switch")
        seen.append(state["bandwidth"])
    assert seen[0] == seen[-1] and len(set(seen)) == len(CARDS)


def test_what_is_asked_is_left_out() -> None:
    hide = ["against", "weights", "read", "second", "numbers"]
    text = plain("memory-pipe", {"bits": 4, "N": 13e9, "hide": hide}, 120, "en")
    assert not [told for told in ("4x", "6.5 GB", "billion", " ms", "times") if told in text]
    assert FIGURE.commands(_state(hide=hide)) == ()
    drawn = _drawn(_state(bits=8, hide=["against"]))
    assert [line.split()[-1] for line in drawn if re.match(r".\d+-bit", line)][:3] == ["?", "16", "?"]


@pytest.mark.parametrize("lang", LANGS)
def test_what_to_notice_follows_the_bits(lang: Lang) -> None:
    pen = Pen(80, 24, lang)
    told = {notice(_state(bits=bits), pen) for bits in EVERY} | {notice(_state(hide=["against"]), pen)}
    assert len(told) == 4


def test_command_lines() -> None:
    lines = [shell.line for shell in FIGURE.commands(_state(bits=4))]
    assert lines == [
        "llm-tutor calc read_time bytes_moved=3500000000 bandwidth=2039000000000 unit=ms",
        "llm-tutor calc weights N=7000000000 p_w=0.5 unit=GB",
        "llm-tutor calc precision_shrink b_from=16 b_to=4",
    ]
