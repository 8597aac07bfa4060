"""Static and continuous batching: the course's numbers exactly, and what every schedule must keep."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.batching import MAX_CELLS, Timeline, simulate

MIXED = (20, 50, 80, 200, 20, 50, 80, 200)
some_lengths = st.lists(st.integers(1, 12), min_size=1, max_size=12)
some_slots = st.integers(1, 6)


def test_one_static_batch_waits_for_its_longest_request() -> None:
    line = simulate((20, 50, 80, 200), 4, "static")
    assert (line.steps, line.idle, line.idle_share) == (200, 450, Fraction(9, 16))


def test_the_two_schedules_of_the_course() -> None:
    static, continuous = simulate(MIXED, 4, "static"), simulate(MIXED, 4, "continuous")
    assert (static.steps, continuous.steps) == (400, 280)
    assert 1 - static.idle_share == Fraction(7, 16)
    assert 1 - continuous.idle_share == Fraction(5, 8)
    assert Fraction(static.steps, continuous.steps) == Fraction(10, 7)


def test_cells_say_who_is_served() -> None:
    assert simulate((1, 3, 2), 2, "static").rows == ((0, None, None, 2, 2), (1, 1, 1, None, None))
    assert simulate((1, 3, 2), 2, "continuous").rows == ((0, 2, 2), (1, 1, 1))


def test_a_request_finishes_after_its_waiting() -> None:
    assert simulate((1, 3, 2), 2, "static").finish(2) == 5
    assert simulate((1, 3, 2), 2, "continuous").finish(2) == 3
    with pytest.raises(IndexError):
        simulate((1,), 1, "static").finish(1)


def test_nothing_to_do() -> None:
    line = simulate((), 3, "continuous")
    assert (line.steps, line.busy, line.idle, line.idle_share) == (0, 0, 0, Fraction(0))


@pytest.mark.parametrize(("lengths", "slots"), [((1,), 0), ((0, 1), 2), ((-3,), 1), ((MAX_CELLS,), 2)])
def test_impossible_runs_are_refused(lengths: tuple[int, ...], slots: int) -> None:
    with pytest.raises(ValueError, match=r"at least 1|too many"):
        simulate(lengths, slots, "static")


def _by_steps(lengths: list[int], slots: int) -> int:
    """Continuous batching the slow way: step by step, as the definition says."""
    waiting, running, steps = list(lengths), [0] * slots, 0
    while waiting or any(running):
        running = [left or (waiting.pop(0) if waiting else 0) for left in running]
        running = [max(0, left - 1) for left in running]
        steps += 1
    return steps


@given(some_lengths, some_slots)
def test_continuous_is_what_the_definition_says(lengths: list[int], slots: int) -> None:
    assert simulate(lengths, slots, "continuous").steps == _by_steps(lengths, slots)


@given(some_lengths, some_slots)
def test_every_schedule_serves_each_request_fully_and_without_pause(lengths: list[int], slots: int) -> None:
    for line in (simulate(lengths, slots, "static"), simulate(lengths, slots, "continuous")):
        _check_served(line)
        assert line.busy + line.idle == line.slots * line.steps


def _check_served(line: Timeline) -> None:
    for request, length in enumerate(line.lengths):
        cells = [(slot, step) for slot, row in enumerate(line.rows) for step, who in enumerate(row) if who == request]
        assert len(cells) == length
        assert len({slot for slot, _ in cells}) == 1
        assert [step for _, step in cells] == list(range(cells[0][1], cells[0][1] + length))


@given(some_lengths, some_slots)
def test_continuous_never_needs_more_steps(lengths: list[int], slots: int) -> None:
    assert simulate(lengths, slots, "continuous").steps <= simulate(lengths, slots, "static").steps
