"""FI-3: packets drawn times their bits are the 64 bits of the pipe, and the numbers beside them are the engine's."""

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
from tutor.figures.memory_pipe import notice
from tutor.figures.pen import Pen
from tutor.figures.phases import CARDS, card
from tutor.figures.pipe_lanes import PIPE, packet
from tutor.figures.plain import plain
from tutor.figures.registry import get
from tutor.figures.state import State

FIGURE = get("memory-pipe")
EVERY = (16, 8, 4)


def _state(**given: Any) -> State:
    return FIGURE.defaults(given)


def _drawn(state: State, width: int = 80, height: int = 40) -> list[str]:
    return FIGURE.draw(state, width, height, "en").plain.split("\n")


def _lanes(lines: list[str]) -> dict[int, tuple[str, str]]:
    """Of each filling its packets and its count."""
    found = {}
    for line in lines:
        lane = re.match(r"[▌ ](\d+)(?:-bit)? +((?:\[ *\d* *\]|\|)+) +(\d+|\?)", line)
        if lane:
            found[int(lane[1])] = (lane[2], lane[3])
    return found


def test_the_pipe_as_it_stands() -> None:
    drawn = [line.rstrip() for line in _drawn(_state(bits=8, hide=["note"]), 40, 20)]
    assert drawn[:8] == [
        "    memory ─ 2.039 TB/s ──────→ chip",
        "    ────────────────────────────────",
        " 16 [  16  ][  16  ][  16  ][  16  ]  4",
        "    ────────────────────────────────",
        "▌8  [8 ][8 ][8 ][8 ][8 ][8 ][8 ][8 ]  8",
        "    ────────────────────────────────",
        " 4  [][][][][][][][][][][][][][][][] 16",
        "    ├───── numbers in 64 bits ─────┤  ↑",
    ]


def test_beside_the_numbers_stands_the_time_of_one_read() -> None:
    drawn = [line.rstrip() for line in _drawn(_state(bits=4, hide=["note"]), 75, 20)]
    assert drawn[:8] == [
        "        memory ─ 2.039 TB/s ──────→ chip  numbers   one read of all weights",
        "        ────────────────────────────────",
        " 16-bit [  16  ][  16  ][  16  ][  16  ]        4   ████████████  6.87 ms",
        "        ────────────────────────────────",
        " 8-bit  [8 ][8 ][8 ][8 ][8 ][8 ][8 ][8 ]        8   ██████        3.43 ms",
        "        ────────────────────────────────",
        "▌4-bit  [][][][][][][][][][][][][][][][]       16   ███           1.72 ms",
        "        ├──── 64 bits of the pipe ─────┤",
    ]
    assert "6.87 ms" in "\n".join(_drawn(_state(), 56, 14)), "the times stay in a narrow window"


def test_beside_an_exercise_each_width_tells_its_bytes_once_they_are_found() -> None:
    state = _state(bits=16, N=13 * 10**9, lanes="weights", hide=["4-bit", "read", "against", "note"])
    drawn = [line.rstrip() for line in _drawn(state, 76, 20)]
    assert drawn[:8] == [
        "        memory ─ 2.039 TB/s ──────→ chip  numbers   weights of 13B",
        "        ────────────────────────────────",
        "▌16-bit [  16  ][  16  ][  16  ][  16  ]        4   ████████████████  26 GB",
        "        ────────────────────────────────",
        " 8-bit  [8 ][8 ][8 ][8 ][8 ][8 ][8 ][8 ]        8   ████████          13 GB",
        "        ────────────────────────────────",
        " 4-bit  [][][][][][][][][][][][][][][][]        ?                         ?",
        "        ├──── 64 bits of the pipe ─────┤",
    ]
    turned = "\n".join(_drawn(FIGURE.press(FIGURE.press(state, "down"), "down"), 76, 20))
    assert "6.5 GB" not in turned and "▌4-bit" in turned


@given(st.integers(34, 200), st.sampled_from(EVERY), st.sampled_from([(), ("read",), ("against",)]))
def test_the_pipe_has_64_bits_in_every_window(width: int, bits: int, hide: tuple[str, ...]) -> None:
    lanes = _lanes(_drawn(_state(bits=bits, hide=hide), width))
    assert set(lanes) == set(EVERY)
    assert len({len(lane) for lane, _ in lanes.values()}) == 1, "all fillings end at the same column"
    for size, (lane, count) in lanes.items():
        held = PIPE // size
        assert lane == packet(size, len(lane)) * held
        assert count == ("?" if hide == ("against",) and size != bits else str(held))


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
    assert quantity(time, "ms", 3) in text


def test_bars_of_the_read_times_are_halves_and_quarters() -> None:
    for width in (75, 100, 120, 160):
        bars = [line.count("█") for line in _drawn(_state(), width) if "█" in line]
        assert bars == [bars[0], bars[0] // 2, bars[0] // 4] and bars[0] % 4 == 0


def test_numbers_of_a_second_follow_bits_and_card() -> None:
    assert "4078 billion" in plain("memory-pipe", {"bits": 4}, 80, "en")
    figure = FIGURE
    state = figure.press(_state(bits=4), "switch")
    assert state["bandwidth"] == card("H100 SXM 80GB")[2]
    assert "H100 SXM 80GB" in "\n".join(_drawn(state))
    assert "6700 billion" in plain("memory-pipe", dict(state), 80, "en")


@pytest.mark.parametrize(("speed", "name"), [("300e9", "L4"), ("320e9", "T4"), ("1935e9", "A100 PCIe 80GB")])
def test_any_card_of_the_catalogue_is_named_and_no_kind_of_memory(speed: str, name: str) -> None:
    drawn = "\n".join(_drawn(_state(bandwidth=speed)))
    assert f" {name} " in drawn and "HBM" not in drawn
    assert "card this fast" not in "\n".join(_drawn(_state(bandwidth="301e9")))


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
    assert [count for _, count in _lanes(drawn).values()] == ["?", "8", "?"]
    assert not [line for line in drawn if "█" in line or "one read of all" in line], "times would tell the factor"


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
