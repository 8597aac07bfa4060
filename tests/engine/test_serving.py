"""Requests over time: latency, saturation, the batch that a rate needs, cost."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import serving
from engine.formulas.registry import FormulaError

F = Fraction


def test_latency_of_one_request() -> None:
    one = serving.latency("0.2", "0.02", 101, queue="0.3")
    assert (one.ttft, one.tpot, one.total) == (F(1, 2), F(1, 50), F(5, 2))
    assert one.output_rate == 101 / F("2.2")
    many = serving.latency("0.2", "0.02", 101, batch=10)
    assert many.output_rate == 101 / F("0.4")
    with pytest.raises(ValueError, match="at least 1"):
        serving.latency(1, 1, 0)


def test_a_queue_below_at_and_above_its_limit() -> None:
    calm = serving.queue(1, "0.2", "0.02", 101, 10)
    assert (calm.service_time, calm.rate_limit, calm.load) == (F(2, 5), F(5, 2), F(2, 5))
    assert calm.wait == F(2, 5) * F(2, 5) / F(3, 5)
    assert not calm.saturated
    full = serving.queue("2.5", "0.2", "0.02", 101, 10)
    assert full.saturated and full.wait is None
    with pytest.raises(ValueError, match="some time"):
        serving.queue(1, 0, 0, 1, 1)


def step(batch: int) -> Fraction:
    """10 ms of weights and 1 ms a sequence."""
    return F(10 + batch, 1000)


def test_the_batch_that_keeps_up() -> None:
    found = serving.steady(2, "0.1", step, 201, 256)
    assert not found.saturated and found.growth == 0
    assert found.step == step(found.running)
    assert serving.queue(2, "0.1", step(found.running), 201, found.running).load <= 1
    assert serving.queue(2, "0.1", step(found.running - 1), 201, found.running - 1).load > 1
    assert found.tpot == found.step / F(4, 5)
    # Little: requests in decode are the rate times how long one decodes, up to the rounding of the batch
    assert serving.running(2, 200 * found.tpot) <= found.running < serving.running(2, 200 * found.tpot) + 2


def test_a_cap_saturates() -> None:
    found = serving.steady(20, "0.04", step, 201, 16)
    assert found.saturated and found.running == 16
    assert found.load > 1
    limit = serving.queue(20, "0.04", step(16), 201, 16).rate_limit
    assert found.growth == 20 - limit
    assert found.tpot == step(16) / (1 - limit * F("0.04"))


def test_prefills_alone_can_fill_a_card() -> None:
    found = serving.steady(11, "0.1", step, 1, 4)
    assert found.saturated and found.tpot is None


@given(st.integers(1, 50), st.integers(1, 400), st.integers(1, 300))
def test_the_search_finds_the_fewest(rate: int, tokens: int, cap: int) -> None:
    found = serving.steady(F(rate, 10), "0.05", step, tokens, cap)
    keeping = [b for b in range(1, cap + 1) if serving.queue(F(rate, 10), "0.05", step(b), tokens, b).load <= 1]
    assert found.running == (keeping[0] if keeping else cap)
    assert found.saturated == (not keeping)


@pytest.mark.parametrize(("rate", "tokens", "cap"), [(0, 1, 1), (1, 0, 1), (1, 1, 0), (1, 1, 2**21)])
def test_impossible_streams_are_refused(rate: int, tokens: int, cap: int) -> None:
    with pytest.raises(ValueError, match="positive"):
        serving.steady(rate, 1, step, tokens, cap)


def test_cost() -> None:
    assert serving.cost_per_million("3.6", 1000) == 1
    with pytest.raises(FormulaError):
        serving.cost_per_million(1, 0)
