"""The program's clock: blocks, percentiles, what is measured again, and the budget of time."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.probe.program import timing
from engine.probe.program.clock import KEPT, STAGES, WEIGHTS, Clock
from engine.probe.program.timing import bimodal, layout, measure, percentile, summary
from tests.engine.probe_card import CPU, STALL, Card, Work

STEP = Work(1, 1e9, 0, "", 1e9)


@pytest.mark.parametrize(
    ("share", "value"), [(0, 1.0), (0.2, 1.8), (0.5, 3.0), (0.75, 4.0), (1, 5.0)]
)  # fmt: skip
def test_percentiles_lie_on_the_line_between_neighbours(share: float, value: float) -> None:
    assert percentile([5.0, 1.0, 4.0, 2.0, 3.0], share) == pytest.approx(value)


@given(st.lists(st.floats(1e-6, 10), min_size=1, max_size=40))
def test_a_summary_lies_within_its_samples(samples: list[float]) -> None:
    found = summary(samples)
    assert min(samples) <= found.seconds <= found.median <= max(samples)
    assert found.noise >= 0
    assert found.blocks == len(samples)


def test_two_speeds_are_told_from_noise_around_one() -> None:
    assert bimodal([1.0, 1.01, 0.99, 1.5, 1.51, 1.49, 1.0, 1.5])
    assert not bimodal([1.0, 1.01, 0.99, 1.02, 1.03, 1.0, 0.98, 1.01])
    assert not bimodal([1.0, 1.0, 1.01, 1.0, 1.02, 1.0, 1.01, 1.9]), "one slow block is no second speed"
    assert not bimodal([1.0 + 0.06 * place for place in range(10)]), "a slope is no second speed"
    assert not bimodal([1.0, 2.0])


@given(st.floats(1e-7, 2), st.sampled_from([1e-3, 0.02]), st.floats(0.01, 30), st.floats(0.01, 30))
def test_a_point_keeps_within_its_room(one: float, block: float, room: float, fair: float) -> None:
    repeats, blocks = layout(one, block, room, fair)
    assert repeats >= 1
    assert repeats * blocks * one <= room * 1.001
    if room > 10 and fair > 10:
        assert repeats * one >= block * 0.999
        assert blocks >= (timing.BLOCKS if one < 0.03 else timing.FEWEST)
        assert repeats * blocks * one <= max(timing.LONGEST * 1.01, timing.FEWEST * one, timing.BLOCKS * block * 1.5)
        assert repeats * blocks * one >= timing.POINT * 0.999


def test_a_quiet_device_is_measured_once() -> None:
    card = Card(noise=0.002)
    found = measure(card, STEP, 5.0, 5.0)
    assert found.seconds == pytest.approx(1e9 / card.bandwidth + card.launch, rel=0.02)
    assert not found.flagged
    assert found.blocks >= timing.BLOCKS
    assert card.timings == 3, "a first run, a warm-up, the blocks"


def test_a_noisy_device_is_measured_again_and_flagged() -> None:
    card = Card(noise=0.4)
    found = measure(card, STEP, 5.0, 5.0)
    assert found.flagged
    assert found.noise >= timing.NOISY
    assert card.timings == 4


def test_one_run_is_told_when_there_is_time_for_no_more() -> None:
    found = measure(Card(bandwidth=1e9), STEP, 1.0, 1.0)
    assert found.blocks == 1
    assert found.flagged


def test_a_processor_is_stopped_between_blocks_when_time_is_up() -> None:
    card = Card(CPU, bandwidth=1e11, kernel=0, stalls=2)
    found = measure(card, STEP, 1.0, 1.0)
    assert found.blocks < timing.BLOCKS
    assert card.clock < 1.0 + STALL + 0.02


def test_the_processor_guard_sees_what_share_the_probe_had() -> None:
    for share in (1.0, 0.5):
        found = measure(Card(CPU, bandwidth=2e10, launch=0, kernel=0, share=share), STEP, 5.0, 5.0, threads=2)
        assert found.quiet == pytest.approx(share, rel=0.01)
    tiny = Work(1, 1e6, 0, "", 1e9)
    assert measure(Card(CPU, bandwidth=2e10, share=0.5), tiny, 5.0, 5.0, threads=2).quiet is None


class Hand:
    """A clock that a test turns."""

    def __init__(self) -> None:
        self.at = 100.0

    def __call__(self) -> float:
        return self.at


def test_a_stage_has_its_share_of_what_is_left() -> None:
    hand = Hand()
    clock = Clock(hand, 25.0)
    clock.open("identify")
    assert clock.stage_left == pytest.approx(25 * (1 - KEPT) / sum(WEIGHTS.values()))
    hand.at += 0.1
    clock.open("ramp")
    rest = sum(WEIGHTS.values()) - WEIGHTS["identify"]
    assert clock.stage_left == pytest.approx((25 * (1 - KEPT) - 0.1) * WEIGHTS["ramp"] / rest)
    assert clock.spent["identify"] == pytest.approx(0.1)


def test_what_one_stage_leaves_is_the_others() -> None:
    hand, slow = Hand(), Hand()
    quick_clock, slow_clock = Clock(hand, 10.0), Clock(slow, 10.0)
    for stage in STAGES[:-1]:
        quick_clock.open(stage)
        slow_clock.open(stage)
        slow.at += slow_clock.stage_left
    quick_clock.open("recheck")
    slow_clock.open("recheck")
    assert quick_clock.stage_left > 5 * slow_clock.stage_left > 0


@given(st.floats(0.1, 600), st.lists(st.floats(0, 3), min_size=10, max_size=10))
def test_stages_that_overrun_leave_the_clock_at_nothing_never_under(seconds: float, factors: list[float]) -> None:
    hand = Hand()
    clock = Clock(hand, seconds)
    lefts = []
    for stage, factor in zip(STAGES, factors, strict=True):
        clock.open(stage)
        hand.at += clock.stage_left * factor
        lefts.append(clock.left)
    assert all(a >= b >= 0 for a, b in pairwise(lefts))
    if max(factors) <= 1:
        assert clock.elapsed <= seconds
