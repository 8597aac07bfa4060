"""Slots reserved for whole windows, and what paging would do with the same bytes."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.catalog import Model, model, models
from engine.reservation import reserve

SIZED = [entry for entry in models() if not entry.cannot_size]


def test_the_case_of_the_course() -> None:
    found = reserve(model("llama-2-7b"), Fraction(40 * 10**9), 2048, 60)
    assert (found.bytes, found.requests, found.unused) == (2**30, 37, 1988)
    assert found.waste == Fraction(497, 512)
    assert (found.paged_requests, found.paged_waste) == (1192, Fraction(1, 16))


def test_a_window_is_all_that_is_reserved() -> None:
    sliding = model("mistralai/Mistral-7B-v0.1")  # 4,096 tokens in every layer
    assert reserve(sliding, Fraction(10**10), 32768, 100).bytes == reserve(sliding, Fraction(10**10), 4096, 100).bytes


@given(st.sampled_from(SIZED), st.integers(0, 10**12), st.integers(1, 10**5), st.integers(1, 10**5))
def test_paging_never_serves_fewer_and_neither_takes_too_much(entry: Model, budget: int, one: int, other: int) -> None:
    used, slots = sorted((one, other))
    found = reserve(entry, Fraction(budget), slots, used, block_size=1)
    assert found.requests * found.bytes <= budget
    assert found.paged_requests >= found.requests
    assert found.paged_waste == 0 <= found.waste < 1


@pytest.mark.parametrize(("slots", "used"), [(0, 0), (10, 11), (10, 0)])
def test_impossible_requests_are_refused(slots: int, used: int) -> None:
    with pytest.raises(ValueError, match="used"):
        reserve(model("llama-2-7b"), Fraction(10**9), slots, used)
