"""What must hold of every curve: the law with any numbers, scaled, faster, noisier."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.probe import chance
from engine.probe.gather import gathered
from engine.probe.model import Result
from engine.probe.result import judge

WEIGHTS = 1_744_830_464
BATCHES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
RANK = {"overhead": 0, "memory": 0, "knee": 1, "compute": 2}


class Law(NamedTuple):
    """A device by what it reaches: bytes/s, FLOP/s, sharpness of its knee, seconds that are fixed."""

    bandwidth: float
    rate: float
    power: float
    fixed: float
    noise: float = 0.01

    def seconds(self, tokens: int) -> float:
        read, computed = WEIGHTS / self.bandwidth, WEIGHTS * tokens / self.rate
        return self.fixed + float((read**self.power + computed**self.power) ** (1 / self.power))


def events(law: Law, scale: float = 1.0, ceiling: float = 1.0) -> list[dict[str, Any]]:
    """A run of an unknown card; ``ceiling``: copies over what the stack reaches."""

    def reading(what: str, seconds: float, **sizes: Any) -> dict[str, Any]:
        timed = seconds * scale
        return {"event": "reading", "stage": what, "what": what, "seconds": timed, "median": timed,
                "noise": law.noise, "blocks": 8, "graph": True, **sizes}  # fmt: skip

    return [
        {"event": "device", "kind": "cuda", "name": "Some Card", "total": 8 * 10**10, "cache": 5 * 10**7,
         "witness": True, "others": []},
        {"event": "plan", "dtype": "bf16", "d_model": 4096, "d_ff": 14336, "n_head": 32, "n_kv_heads": 8,
         "d_head": 128, "gated": True, "layers": 4, "weight_bytes": WEIGHTS, "budget": 3 * 10**9, "origin": "default"},
        reading("copy", 10**9 / (law.bandwidth * ceiling), bytes=10**9),
        reading("matmul", 10**12 / law.rate, dtype="bf16", n=8192, flops=10**12, fill="random"),
        reading("floor", law.fixed, layers=4),
        *(reading("linear", law.seconds(b), batch=b, bytes=WEIGHTS, flops=WEIGHTS * b, **{"pass": 1}) for b in BATCHES),
        *(reading("prefill", law.seconds(n), tokens=n, linear_flops=WEIGHTS * n, attention_flops=10**6 * n,
                  bytes=WEIGHTS) for n in (512, 2048, 4096)),
    ]  # fmt: skip


def judged(law: Law, scale: float = 1.0, ceiling: float = 1.0) -> Result:
    return judge(gathered(events(law, scale, ceiling)))


KNEES = st.floats(20, 420)
LAWS = st.builds(
    lambda bandwidth, knee, power, fixed: Law(
        bandwidth, bandwidth * knee, power, fixed * WEIGHTS / bandwidth
    ),
    st.floats(1e11, 8e12), KNEES, st.floats(1.3, 3.0), st.floats(0.01, 0.25),
)  # fmt: skip


@given(LAWS)
def test_the_knee_is_found(law: Law) -> None:
    """From two points within what the fixed part and the softness of the turn add: the study's 0.95 to 1.25."""
    knee = judged(law).knee
    assert knee is not None
    true = law.rate / law.bandwidth
    assert 0.93 * true <= knee.batch <= 1.45 * true
    assert knee.low < knee.batch < knee.high
    assert knee.ridge == pytest.approx(true)


@given(LAWS, st.floats(0.9, 6.0))
def test_labels_never_turn_back(law: Law, ceiling: float) -> None:
    ranks = [RANK[spot.label] for spot in judged(law, ceiling=ceiling).curve]
    assert ranks == sorted(ranks) and len(ranks) == len(BATCHES)


@given(LAWS)
def test_predictions_are_the_ceilings_and_never_far_below(law: Law) -> None:
    """The roofline with a sharp turn is under a soft one by at most 2^(1/p) at the knee; the flat part is
    met within what a knee of 20 tokens bends it by batch 16."""
    for spot in judged(law).curve:
        assert spot.predicted is not None
        assert 0.85 <= spot.seconds / spot.predicted <= 1.05 * 2 ** (1 / law.power)


@given(LAWS, st.floats(0.1, 10))
def test_a_device_that_is_slower_in_everything_keeps_its_labels(law: Law, scale: float) -> None:
    one, other = judged(law), judged(law, scale)
    assert [spot.label for spot in one.curve] == [spot.label for spot in other.curve]
    assert one.knee is not None and other.knee is not None
    assert other.knee.batch == pytest.approx(one.knee.batch)


@given(LAWS, st.floats(1.05, 3))
def test_more_bandwidth_never_raises_the_knee(law: Law, factor: float) -> None:
    one, other = judged(law).knee, judged(law._replace(bandwidth=law.bandwidth * factor)).knee
    assert one is not None and (other is None or other.batch < one.batch)


@given(LAWS, st.floats(1.05, 2))
def test_a_faster_processor_never_lowers_it(law: Law, factor: float) -> None:
    one, other = judged(law).knee, judged(law._replace(rate=law.rate * factor)).knee
    assert one is not None and (other is None or other.batch > one.batch)


@given(LAWS, st.floats(2.0, 6.0))
def test_far_under_the_copies_is_overhead_and_never_memory(law: Law, ceiling: float) -> None:
    for spot in judged(law, ceiling=ceiling).curve:
        share = WEIGHTS / spot.seconds / (law.bandwidth * ceiling)
        if spot.batch <= 16:
            assert share < 0.6
            assert spot.label in ("overhead", "knee", "compute") or 0.3 * law.rate < WEIGHTS * spot.batch / spot.seconds


@given(st.floats(0.01, 100), st.floats(0.05, 1.0))
def test_chances_stay_between_their_ends(place: float, deviation: float) -> None:
    likely = chance.memory(place, deviation)
    assert 0.03 <= likely <= 0.97
    assert chance.memory(place * 1.2, deviation) <= likely
    assert 0 <= chance.at_knee(place, deviation) <= 1


@given(st.floats(0, 2), st.floats(0, 1))
def test_more_of_the_bandwidth_is_followed_more(share: float, more: float) -> None:
    assert 0.04 <= chance.followed(share) <= chance.followed(share + more) <= 1


@given(LAWS, st.floats(0.02, 0.5))
def test_noise_only_widens(law: Law, noise: float) -> None:
    one, other = judged(law).knee, judged(law._replace(noise=noise)).knee
    assert one is not None and other is not None
    assert other.high / other.low >= one.high / one.low
