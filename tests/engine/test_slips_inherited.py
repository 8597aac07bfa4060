"""Slips for free: a formula that nobody wrote a slip for has those of the formulas that it refers to."""

from collections.abc import Iterator
from fractions import Fraction

import pytest

from engine.answers.breaks import BREAKS
from engine.answers.check import check
from engine.answers.edits import times
from engine.answers.model import Expectation
from engine.answers.numeric import broken_values, right_value
from engine.answers.slips import broken, rebuilt, steps
from engine.formulas import registry
from engine.formulas.registry import Value

F = Fraction
GIVEN: dict[str, Value] = {
    "B": 3, "S": 3000, "L": 48, "d_model": 4096, "n_head": 32, "p": 1, "N": "7e9", "p_w": "1/2", "bandwidth": "1e12",
}  # fmt: skip


@pytest.fixture
def swap() -> Iterator[str]:
    """Seconds to move weights and caches over a slow link, a formula of this test alone."""
    name = "swap_time_of_this_test"
    if not registry.is_formula(name):
        registry.declare(name, "(2*weights + kv_cache)/bandwidth", "s", "this test")
    yield name
    registry._FORMULAS.pop(name)
    registry.get.cache_clear()
    registry.expanded.cache_clear()


def test_a_new_formula_inherits_the_slips_of_weights_and_cache(swap: str) -> None:
    assert swap not in BREAKS
    found = {b.slip: b.value for b in broken(swap, GIVEN)}
    cache = registry.result("kv_cache", GIVEN)
    assert found["kv-drop-two"] == (2 * F("3.5e9") + cache / 2) / 10**12
    assert found["weights-still-fp16"] == (2 * F("14e9") + cache) / 10**12
    inherited = {slip for family in ("kv_cache", "weights") for slip, _ in BREAKS[family]}
    assert inherited & set(found) >= {"kv-no-layers", "kv-no-batch", "kv-fp32", "weights-twice", "int4-unpacked"}


def test_its_wrong_values_are_named_and_its_pairs_too(swap: str) -> None:
    expect = Expectation("number", swap, GIVEN, unit="ms")
    cache = registry.result("kv_cache", GIVEN)
    one = (2 * F("3.5e9") + cache / 48) / 10**9
    assert check(expect, f"{float(one):.4f} ms").slips == ("kv-no-layers",)
    two = (2 * F("14e9") + cache / 48) / 10**9
    verdict = check(expect, f"{float(two):.4f} ms")
    assert (set(verdict.slips), verdict.notes) == ({"kv-no-layers", "weights-still-fp16"}, ("together",))
    upside_down = 1 / right_value(expect) * 1000
    assert check(expect, f"{float(upside_down):.4f} ms").slips == ("factor-inverted",)


def test_a_step_rounded_on_the_way_is_a_slip_of_every_formula_that_builds_on_others(swap: str) -> None:
    given: dict[str, Value] = {**GIVEN, "N": "7.049e9", "B": 1}
    near = [b for b in broken(swap, given) if b.slip == "early-rounding"]
    assert near == []  # three digits of it change next to nothing here: no slip is made of that
    small: dict[str, Value] = {"capacity": "14.3e9", **given, "p_w": 2, "S": 100}
    found = [b.value for b in broken("headroom", small) if b.slip == "early-rounding"]
    total = registry.result("total", small)
    assert registry.result("headroom", small) == F("14.3e9") - total
    assert F("14.3e9") - 14 * 10**9 in found  # the total as 14 GB


def test_counts_are_not_rounded_on_the_way() -> None:
    given: dict[str, Value] = {"used": 1990, "bs": 16}
    assert "early-rounding" not in {b.slip for b in broken("wasted_slots", given)}


@pytest.mark.parametrize(
    ("formula", "more", "slip", "wrong"),
    [
        ("decode_rate", {}, "batch-free-lunch", F(3 * 10**12) / (F("3.5e9") + 1179648000)),
        ("kv_pool", {"capacity": "80e9", "fraction": "9/10", "reserve": "2e9"}, "gmu-of-free", F("66.85e9")),
        ("gaps", {"b": 4}, "quant-2b", F(16)),
        ("symmetric_step", {"b": 4, "absmax": "0.9"}, "quant-half-codes", F(9, 80)),
        ("bytes_of_bits", {"b": 4}, "weights-bits-as-bytes", F(4)),
        ("paged_waste_bound", {"bs": 16, "used": 60}, "percent-of-used", F(1, 4)),
        ("critical_batch", {"peak_flops": "312e12", "bandwidth": "2.039e12"}, "sparse-as-dense", F(77)),
        ("compute_time", {"flops": "2e12", "peak_flops": "1e12"}, "sparse-as-dense", F(1)),
        ("vector_bytes", {"p": 2}, "kv-p-one", F(4096)),
    ],
)
def test_slips_of_formulas_that_later_tracks_ask(
    formula: str, more: dict[str, Value], slip: str, wrong: Fraction
) -> None:
    assert wrong in [b.value for b in broken(formula, {**GIVEN, **more}) if b.slip == slip]


@pytest.mark.parametrize("name", [name for name in registry.names() if steps(name)])
def test_rebuilding_without_edits_is_the_formula_itself(name: str) -> None:
    known = {symbol: F(place + 3, 2) for place, symbol in enumerate(registry.needed(name))}
    assert rebuilt(name, known, {}) == registry.expanded(name)
    assert rebuilt(name, known, {"kv_cache": (times("3"),)} if "kv_cache" not in BREAKS else {}) is not None


def test_a_declared_equal_slip_is_named_wherever_its_value_is_another() -> None:
    def expect(used: int) -> Expectation:
        return Expectation("percent", "paged_waste", {"used": used, "bs": 16, "max_len": 2048}, unit="%",
                           equal=("one-over-block", "paged-floor"))  # fmt: skip

    assert check(expect(120), "6.25 %").verdict == "correct"
    assert "one-over-block" not in {b.slip for b in broken_values(expect(120))}
    assert check(expect(117), "6.25 %").slips == ("one-over-block",)
    assert check(expect(117), "8.59 %").verdict == "correct"


def test_a_declared_equal_whole_number_is_hidden_only_where_it_is_that_very_number() -> None:
    def expect(budget: int) -> Expectation:
        given: dict[str, Value] = {"budget": budget, "S": 1, "L": 1, "d_model": 4, "n_head": 2, "p": 1}
        return Expectation("integer", "max_requests", given, unit="requests", equal=("round-not-floor",))

    assert check(expect(8 * 500 + 2), "500").verdict == "correct"
    assert check(expect(8 * 500 + 6), "501").slips[:2] == ("ceil-not-floor", "round-not-floor")
    assert check(expect(8 * 500 + 2), "501").slips == ("ceil-not-floor",)


def test_a_dropped_slip_is_never_named() -> None:
    expect = Expectation("number", "kv_cache", GIVEN, unit="GB", drop=("kv-no-layers",))
    wrong = right_value(expect) / 48 / 10**9
    assert "kv-no-layers" not in check(expect, f"{float(wrong):.5f} GB").slips
