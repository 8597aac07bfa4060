"""FI-11, the batching timeline: what has happened is drawn and counted, and nothing else."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from content.lang import LANGS, Lang
from engine.batching import Mode, simulate
from tutor import cli
from tutor.figures.batching_timeline import LENGTHS, end, pace, passed, timeline
from tutor.figures.pen import Pen
from tutor.figures.plain import plain
from tutor.figures.registry import get
from tutor.figures.slot_rows import SHADES, Scale, letter
from tutor.figures.slots_said import waiting
from tutor.figures.state import State, put

FIGURE = get("batching-timeline")
BUS = [10, 20, 30, 100, 10, 20, 30, 100]
"""The answers of the lesson on continuous batching."""
LOADS = st.fixed_dictionaries({
    "lengths": st.lists(st.integers(1, 120), min_size=1, max_size=26),
    "slots": st.integers(2, 6),
    "mode": st.sampled_from(["static", "continuous"]),
})  # fmt: skip
WIDTHS = st.sampled_from([34, 40, 60, 100, 120])


def state(**given: Any) -> State:
    return FIGURE.defaults(given)


def lines(of: State, width: int, height: int, lang: Lang = "en", *, ascii: bool = False) -> list[str]:
    return [line.rstrip() for line in FIGURE.draw(of, width, height, lang, ascii=ascii).plain.split("\n")]


def slots(drawn: list[str]) -> list[str]:
    """The cells of the slots, in order."""
    return [match[1] for line in drawn if (match := re.fullmatch(r"\d (.*)│", line))]


def told(of: State, lang: Lang = "en") -> str:
    assert FIGURE.notice is not None
    return FIGURE.notice(of, Pen(80, 24, lang))


def moments(of: State) -> list[State]:
    """Every moment of a playing figure, the first to the last."""
    assert FIGURE.begin is not None and FIGURE.advance is not None
    seen = [FIGURE.begin(of)]
    while (after := FIGURE.advance(seen[-1])) != seen[-1]:
        seen.append(after)
    return seen


def test_one_schedule_in_a_narrow_window() -> None:
    assert lines(state(), 40, 16)[:9] == [
        "[static]  continuous",
        "1 AAAA················EEEE········│",
        "2 BBBBBBBBBB··········FFFFFFFFFF··│",
        "3 CCCCCCCCCCCCCCCC····GGGGGGGG····│",
        "4 DDDDDDDDDDDDDDDDDDDDHHHHHHHHHHHH│",
        "           5        10        15 steps",
        "",
        "steps                        16",
        "idle cells     22 of 64, 34.4 %",
    ]


def test_step_seven_while_it_plays() -> None:
    assert lines(state(now=7), 60, 24) == [
        "[static]                          step 7, idle 7 of 28, 25 %",
        "1 AAAAAA···············│",
        "2 BBBBBBBBBBBBBBB······│",
        "3 CCCCCCCCCCCCCCCCCCCCC│",
        "4 DDDDDDDDDDDDDDDDDDDDD│",
        "waiting: EFGH",
        "",
        " continuous                        step 7, idle 0 of 28, 0 %",
        "1 AAAAAAEEEEEEFFFFFFFFF│",
        "2 BBBBBBBBBBBBBBBGGGGGG│",
        "3 CCCCCCCCCCCCCCCCCCCCC│",
        "4 DDDDDDDDDDDDDDDDDDDDD│",
        "       2     4     6     8    10    12    14    16 steps",
        "waiting: H",
        "",
        "Step 7: 2 slots idle, 4 requests waiting, because D still",
        "runs.",
    ]


def test_a_small_window_in_ascii() -> None:
    assert lines(state(now=3, mode="continuous"), 34, 8, ascii=True) == [
        " static  [continuous]",
        "1 AAE|",
        "2 BBB|",
        "3 CCC|",
        "4 DDD|",
        "steps so far                    3",
        "idle cells           0 of 12, 0 %",
        "static        step 3, 8.33 % idle",
    ]


@settings(max_examples=100, deadline=None)
@given(LOADS, st.integers(0, 400))
def test_idle_cells_up_to_a_step_are_the_cells_without_a_token(load: dict[str, Any], step: int) -> None:
    for mode in ("static", "continuous"):
        line = simulate(load["lengths"], load["slots"], mode)
        made = sum(who is not None for row in line.rows for who in row[:step])
        assert line.idle_by(step) + made == line.slots * min(step, line.steps)
        assert line.idle_by(line.steps) == line.idle
        assert line.idle_share_by(line.steps) == line.idle_share
        assert 0 <= line.idle_share_by(step) <= 1
    assert line.idle_share_by(0) == Fraction(0)
    with pytest.raises(IndexError):
        line.start(len(load["lengths"]))


@settings(max_examples=100, deadline=None)
@given(LOADS, WIDTHS)
def test_every_request_and_every_gap_is_seen_and_nothing_leaves_the_chart(load: dict[str, Any], width: int) -> None:
    of = state(**load)
    static, continuous = timeline(of, "static"), timeline(of, "continuous")
    drawn = slots(lines(of, width, 60))
    assert len(drawn) == 2 * load["slots"]
    scale = Scale.of(end(of), width)
    for line, rows in ((static, drawn[: load["slots"]]), (continuous, drawn[load["slots"] :])):
        for row, cells in zip(line.rows, rows, strict=True):
            served = dict.fromkeys(who for who in row if who is not None)
            assert list(dict.fromkeys(cells.replace("·", ""))) == [letter(who) for who in served]
            assert ("·" in cells) == (None in row)
            if scale.steps == 1:
                exact = "".join((letter(who) if who is not None else "·") * scale.each for who in row)
                assert cells == exact
            else:
                assert abs(len(cells) - scale.column(line.steps)) <= len(served)


@settings(max_examples=60, deadline=None)
@given(LOADS, WIDTHS, st.data())
def test_what_has_not_happened_yet_is_not_drawn(load: dict[str, Any], width: int, data: st.DataObject) -> None:
    of = state(**load)
    of = state(**load, now=data.draw(st.integers(1, end(of))))
    scale = Scale.of(end(of), width)
    drawn, whole = slots(lines(of, width, 60)), slots(lines(put(of, now=0), width, 60))
    rows = [row for mode in ("static", "continuous") for row in timeline(of, mode).rows]
    for cells, all, row in zip(drawn, whole, rows, strict=True):
        assert all.startswith(cells)
        assert len(cells) <= scale.column(min(int(str(of["now"])), len(row)))
        if scale.steps == 1:
            assert len(cells) == scale.each * min(int(str(of["now"])), len(row))


@settings(max_examples=40, deadline=None)
@given(LOADS)
def test_playing_goes_through_the_schedule_to_its_whole(load: dict[str, Any]) -> None:
    of = state(**load)
    seen = moments(of)
    assert [int(str(one["now"])) for one in seen] == [*range(1, end(of), pace(of)), end(of)][: len(seen)] or end(
        of
    ) == 1
    assert len(seen) <= 82
    assert slots(lines(seen[-1], 60, 60)) == slots(lines(of, 60, 60))
    assert told(seen[-1]) == told(of), "at its end it says the rule"
    assert FIGURE.advance is not None and FIGURE.advance(of) == of


@settings(max_examples=40, deadline=None)
@given(LOADS, st.sampled_from(LANGS))
def test_every_moment_has_its_sentence(load: dict[str, Any], lang: Lang) -> None:
    for one in moments(state(**load)):
        text = told(one, lang)
        assert text.endswith(".") and "{" not in text
        if 0 < int(str(one["now"])) < end(one) and passed(one, timeline(one)) == one["now"]:
            assert text.startswith(f"Step {one['now']}:")


def test_what_is_told_of_single_steps() -> None:
    assert told(state(now=1)) == "Step 1: the first requests start, A, B, C, D. Each slot makes one token a step."
    assert told(state(now=2)) == "Step 2: every slot makes a token."
    assert told(state(now=3)) == "Step 3: 1 slot idle, 4 requests waiting, because D still runs."
    assert told(state(now=11)) == "Step 11: now the next batch may start, E, F, G, H."
    assert told(state(now=3, mode="continuous")) == "Step 3: E takes the slot that A has just left."
    assert told(state(now=13, mode="continuous")) == "Step 13: 3 slots idle, because no request is waiting any more."
    assert told(state(now=15, mode="continuous")) == (
        "Continuous batching is done, after 14 steps; static batching is still at it."
    )


def test_a_long_schedule_is_told_without_missing_who_came() -> None:
    of = state(lengths=BUS, mode="continuous")
    assert (end(of), pace(of)) == (200, 5)
    text = " ".join(told(one) for one in moments(of))
    assert re.findall(r"([A-H](?:, [A-H])*) takes? the slots? that ([A-H](?:, [A-H])*)", text) == [
        ("E", "A"),
        ("F, G", "E, B"),
        ("H", "C"),
    ]


def test_the_numbers_of_the_lesson() -> None:
    of = state(lengths=BUS)
    text = plain("batching-timeline", dict(of), 80, "en")
    assert "static: 200 steps, idle 480 of 800, 60 %" in text
    assert "continuous: 130 steps, idle 200 of 520, 38.5 %" in text
    assert waiting(timeline(of), 200) == ""


@pytest.mark.parametrize(("mode", "first"), [("static", "part=22 whole=64"), ("continuous", "part=14 whole=56")])
def test_the_commands_give_the_idle_share_of_both(mode: Mode, first: str) -> None:
    found = [shell.line for shell in FIGURE.commands(state(mode=mode))]
    assert found[0] == f"llm-tutor calc ratio {first} unit=%"
    assert len(set(found)) == 2


def test_the_commands_follow_the_step_that_is_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    of = state(now=7)
    shells = FIGURE.commands(of)
    assert [shell.line for shell in shells] == [
        "llm-tutor calc ratio part=7 whole=28 unit=%",
        "llm-tutor calc ratio part=0 whole=28 unit=%",
    ]
    assert cli.run(shells[0].words) == 0
    assert capsys.readouterr().out.strip().endswith("= 25 %") and "7 of 28, 25 %" in "\n".join(lines(of, 60, 24))


@pytest.mark.parametrize("lang", LANGS)
def test_two_schedules_that_are_alike_are_called_so(lang: Lang) -> None:
    of = state(lengths=[3, 3, 3, 3, 9])
    assert timeline(of, "static").rows == timeline(of, "continuous").rows
    assert told(of, lang) == told(FIGURE.press(of, "right"), lang) not in (told(state(), lang), "")
    assert len(FIGURE.commands(of)) == 1
    assert told(state(), lang) != told(FIGURE.press(state(), "right"), lang)


@settings(max_examples=100, deadline=None)
@given(LOADS)
def test_they_are_alike_just_where_nobody_waits_for_an_idle_slot(load: dict[str, Any]) -> None:
    line = simulate(load["lengths"], load["slots"], "static")
    missed = any(any(row[step] is None for row in line.rows) and waiting(line, step + 1) for step in range(line.steps))
    assert missed == (line.rows != simulate(load["lengths"], load["slots"], "continuous").rows)


def test_at_its_end_nobody_is_said_to_wait() -> None:
    seen = moments(state())
    assert any("waiting: nobody" in " ".join(lines(one, 60, 24)) for one in seen)
    assert lines(seen[-1], 60, 24) == lines(state(), 60, 24)


def test_other_slots_are_another_schedule() -> None:
    of = FIGURE.press(state(now=5), "up")
    assert (of["slots"], of["now"]) == (5, 0)
    assert FIGURE.press(state(now=5), "right")["now"] == 5, "the other mode at the same step"
    assert state(now=999)["now"] == end(state())
    assert state(lengths=LENGTHS, now=-3)["now"] == 0


@given(
    st.lists(st.integers(1, 30), min_size=2, max_size=20), st.sampled_from(["static", "continuous"]), st.integers(2, 6)
)
def test_requests_that_follow_each_other_in_a_slot_differ_in_shade(lengths: list[int], mode: str, slots: int) -> None:
    drawn = FIGURE.draw(state(lengths=lengths, mode=mode, slots=slots), 60, 20, "en")
    spans = sorted((span for span in drawn.spans if span.style in SHADES), key=lambda span: span.start)
    assert all(len(set(drawn.plain[span.start : span.end])) <= 1 for span in spans), "a shade for each request"
    for one, other in pairwise(span for span in spans if span.end > span.start):
        assert "\n" in drawn.plain[one.end : other.start] or one.style != other.style
