"""The registry computes exactly; the multi-head case, the references, numpy and sympy all follow the one tree."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import units
from engine.formulas import registry, symbolic
from engine.formulas.registry import FormulaError, Value, result
from engine.formulas.size import size
from engine.formulas.sweep import sweep
from engine.formulas.symbols import SYMBOLS
from engine.formulas.worked import numbers_text, symbol_value, work
from engine.reader.read import formula_tree
from engine.tree import Call, evaluate, symbols, walk

F = Fraction
SEVEN = {"L": 32, "d_model": 4096, "p": 2}
THIRTEEN = {"L": 40, "d_model": 5120, "p": 2, "S": 4096}
FULL = {**THIRTEEN, "B": 16, "N": 13 * 10**9, "capacity": 80 * 10**9}


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        # the golden values of the core course
        ("kv_cache", {**SEVEN, "B": 1, "S": 2048}, 1073741824),
        ("kv_cache", {**THIRTEEN, "B": 1}, 3355443200),
        ("kv_cache", {**THIRTEEN, "B": 16}, 53687091200),
        ("weights", {"N": 13e9, "p_w": 2}, 26 * 10**9),
        ("weights", {"N": 13e9, "p_w": 1}, 13 * 10**9),
        ("weights", {"N": 13e9, "p_w": 0.5}, 65 * 10**8),
        ("max_requests", {**SEVEN, "S": 2048, "budget": 40e9}, 37),
        ("extra_requests", {**FULL, "p_w": 0.5}, 5),
        ("naive_waste", {"max_len": 2048, "used": 120}, F(241, 256)),
        ("blocks", {"used": 120, "bs": 16}, 8),
        ("slots", {"used": 120, "bs": 16}, 128),
        ("wasted_slots", {"used": 120, "bs": 16}, 8),
        ("paged_waste", {"used": 120, "bs": 16}, F(1, 16)),
        ("blocks", {"used": 60, "bs": 16}, 4),
        ("slots", {"used": 60, "bs": 16}, 64),
        ("wasted_slots", {"used": 60, "bs": 16}, 4),
        ("paged_waste", {"used": 60, "bs": 16}, F(1, 16)),
        ("quant_step", {"r_min": "-0.6", "r_max": "0.9", "b": 8}, F(1, 170)),
        ("quant_step", {"r_min": "-0.6", "r_max": "0.9", "b": 4}, F(1, 10)),
        ("step_ratio", {"b_high": 8, "b_low": 4}, 17),
        ("zero_point", {"r_min": "-0.6", "r_max": "0.9", "b": 8}, 102),
        ("zero_point", {"r_min": "-0.6", "r_max": "0.9", "b": 4}, 6),
        ("symmetric_step_ratio", {"b_high": 8, "b_low": 4}, F(127, 7)),
        # the other values that the course states
        ("kv_per_token", SEVEN, 524288),
        ("kv_per_token", THIRTEEN, 819200),
        ("total", {**FULL, "p_w": 2}, 79687091200),
        ("headroom", {**FULL, "p_w": 2}, 312908800),
        ("headroom", {**FULL, "p_w": 0.5}, 19812908800),
        ("weights_saved", {"N": 13e9, "p_from": 2, "p_w": 0.5}, 195 * 10**8),
        ("density_gain", {"max_len": 2048, "used": 60, "bs": 16}, 32),
        ("naive_waste", {"max_len": 2048, "used": 60}, F(497, 512)),
        ("paged_sessions", {**SEVEN, "budget": 40e9, "used": 60, "bs": 16}, 1192),
        ("naive_sessions", {**SEVEN, "budget": 40e9, "max_len": 2048}, 37),
        ("worst_slack", {"bs": 16}, 15),
        ("mean_slack", {"bs": 16}, F(15, 2)),
        ("max_error", {"r_min": "-0.6", "r_max": "0.9", "b": 4}, F(1, 20)),
        ("precision_shrink", {"b_from": 16, "b_to": 4}, 4),
        ("codes", {"b": 4}, 16),
        ("gaps", {"b": 4}, 15),
        ("ridge", {"peak_flops": 312e12, "bandwidth": 2039e9}, F(312000, 2039)),
        ("positions_cached", {"P": 5, "T": 3}, 7),
        ("positions_uncached", {"P": 5, "T": 3}, 18),
    ],
)  # fmt: skip
def test_values_are_exact(name: str, given: dict[str, Value], expected: Fraction) -> None:
    assert result(name, given) == expected


def test_grouped_heads_and_full_width_are_one_formula() -> None:
    wide = result("kv_cache", {"B": 1, "S": 2048, "L": 32, "p": 2, "d_model": 4096})
    heads = result("kv_cache", {"B": 1, "S": 2048, "L": 32, "p": 2, "n_kv_heads": 32, "d_head": 128})
    assert wide == heads
    assert registry.needed("kv_cache", ("d_model",)) == ("B", "S", "L", "d_model", "p")
    assert registry.needed("kv_cache") == ("B", "S", "L", "n_kv_heads", "d_head", "p")


def test_given_heads_outrank_the_width() -> None:
    both = {"B": 1, "S": 1, "L": 1, "p": 1, "d_model": 4096, "n_kv_heads": 8, "d_head": 128}
    assert result("kv_cache", both) == 2 * 8 * 128


def test_an_override_stands_for_a_formula_below() -> None:
    assert result("headroom", {"capacity": 80e9}, {"total": F(70 * 10**9)}) == 10 * 10**9


@pytest.mark.parametrize(
    ("name", "given", "reason"),
    [
        ("kv_cach", {}, "unknown-formula"), ("kv_cache", {"B": 1}, "missing-symbol"),
        ("weights", {"N": "many", "p_w": 2}, "bad-value"),
        ("ridge", {"peak_flops": 1, "bandwidth": 0}, "division-by-zero"), ("codes", {"b": 10**6}, "too-large"),
        ("weights", {"N": "1/0", "p_w": 1}, "bad-value"), ("weights", {"N": "nan", "p_w": 1}, "bad-value"),
    ],
)  # fmt: skip
def test_refusals(name: str, given: dict[str, Value], reason: str) -> None:
    with pytest.raises(FormulaError) as caught:
        result(name, given)
    assert caught.value.reason == reason


def test_an_unknown_formula_names_the_close_ones() -> None:
    with pytest.raises(FormulaError) as caught:
        registry.get("kv_cach")
    assert "kv_cache" in caught.value.params["close"]


@pytest.mark.parametrize("name", registry.names())
def test_every_formula_names_only_symbols_and_has_a_unit_and_a_source(name: str) -> None:
    formula = registry.get(name)
    assert set(symbols(registry.expanded(name))) <= set(SYMBOLS)
    assert formula.unit in units.UNITS
    assert formula.source
    assert set(registry.all_references(name)) <= set(registry.names())


@pytest.mark.parametrize("name", SYMBOLS)
def test_every_symbol_has_a_unit_and_prints(name: str) -> None:
    assert SYMBOLS[name].unit in units.UNITS or SYMBOLS[name].unit == "width"
    assert symbol_value(name, F(2))


def test_working_shows_symbols_numbers_and_result() -> None:
    done = work("extra_requests", {**FULL, "p_w": "1/2"}, digits=3)
    assert [step.name for step in done.steps][-1] == "extra_requests"
    assert {"headroom", "kv_per_request", "total"} <= {step.name for step in done.steps}
    assert done.exact == 5
    assert done.value == "5 requests"
    first = work("kv_cache", {**SEVEN, "B": 1, "S": 2048}, "GB", 3)
    assert first.symbols == "2 · B · S · L · d_model · p"
    assert first.numbers == "2 · 1 · 2048 · 32 · 4096 · 2"
    assert (first.base, first.value) == ("1,073,741,824 bytes", "1.07 GB")


def test_negative_givens_are_put_in_brackets() -> None:
    tree = registry.get("quant_step").tree
    known = registry.values({"r_min": "-0.6", "r_max": "0.9", "b": 8})
    assert evaluate(formula_tree(numbers_text(tree, known))) == F(1, 170)


small = st.integers(1, 400)


def values_for(name: str, data: st.DataObject) -> dict[str, Value]:
    bits = ("b", "b_high", "b_low", "b_from", "b_to")
    return {s: data.draw(st.integers(2, 12) if s in bits else small) for s in registry.needed(name)}


@given(st.data(), st.sampled_from(registry.names()))
def test_numpy_gives_the_exact_value(data: st.DataObject, name: str) -> None:
    given_values = values_for(name, data)
    try:
        exact = result(name, given_values)
    except FormulaError:
        return  # a division by zero has no value; numpy says inf
    swept = float(sweep(name, {s: np.array([float(v)]) for s, v in given_values.items()})[0])
    rule = registry.expanded(name)
    rounds = any(isinstance(node, Call) for node in walk(rule))
    if rounds and abs(swept - float(exact)) == 1:
        return  # a quotient that is whole falls on either side of its floor in floating point
    assert swept == pytest.approx(float(exact), rel=1e-12, abs=1e-12)


def test_sweeps_broadcast() -> None:
    out = sweep("kv_cache", {**SEVEN, "B": np.array([[1], [16]]), "S": np.array([2048, 4096])})
    assert out.shape == (2, 2)
    assert out[1, 1] == 16 * 2 * 1073741824
    with pytest.raises(FormulaError):
        sweep("kv_cache", {"B": 1})


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2*B*S", "S*B*2", True), ("B*(S + L)", "B*S + B*L", True), ("2*B*S", "B*S", False), ("B^2", "B*B", True),
        ("B/S", "B*S^-1", True),
        ("(B^2 - S^2)/(B - S)", "B + S", True), ("2^b/2", "2^(b - 1)", True), ("floor(B/S)", "B/S", False),
        ("B - B", "0", True),
        ("(B + S)^90", "(S + B)^89*(B + S)", True), ("(B + S)^90", "(B + S)^90 + 1", False),
        ("(B + S + L + p)^40", "(B + S + L + p)^39*(p + L + B + S)", True),
    ],
)  # fmt: skip
def test_equality_of_formulas(one: str, other: str, same: bool) -> None:
    assert symbolic.equal(formula_tree(one), formula_tree(other)) is same


def test_the_terms_of_an_expansion_are_counted_before_it_is_made() -> None:
    assert size(formula_tree("2*B*S*L*d_model*p"))[:2] == (1, 1)
    assert size(formula_tree("(B + S)*(L + p)"))[:2] == (4, 1)
    assert size(formula_tree("(B + S)^10"))[:2] == (11, 1)
    assert size(formula_tree("1/(B + 1) + 1/(S + 1)"))[:2] == (4, 4)
    assert not size(formula_tree("(B + S + L + p)^99")).bounded
    assert not size(formula_tree("2^((B + S + L + p)^99)")).bounded
    assert not size(formula_tree("B*9^999*9^999")).bounded


@pytest.mark.parametrize("name", registry.names())
def test_every_formula_is_a_sympy_expression_with_the_same_value(name: str) -> None:
    tree = registry.expanded(name)
    at = {symbol: F(n) for n, symbol in enumerate(symbols(tree), start=3)}
    expected = evaluate(tree, at)
    expression = symbolic.expression(tree).subs({s: int(at[s.name]) for s in symbolic.expression(tree).free_symbols})
    assert F(int(expression.p), int(expression.q)) == expected


@given(small, st.integers(1, 10**5), small, small, st.sampled_from(["1/2", 1, 2, 4]))
def test_the_cache_grows_in_proportion_to_every_factor(b: int, s: int, layers: int, heads: int, p: Value) -> None:
    known: dict[str, Value] = {"B": b, "S": s, "L": layers, "n_kv_heads": heads, "d_head": 128, "p": p}
    base = result("kv_cache", known)
    assert base > 0
    for symbol in known:
        doubled = {**known, symbol: 2 * registry.exact(symbol, known[symbol])}
        assert result("kv_cache", doubled) == 2 * base
    assert base == b * result("kv_per_request", known) == b * s * result("kv_per_token", known)


@given(st.integers(1, 10**4), st.integers(1, 256))
def test_paging_wastes_less_than_one_block(used: int, bs: int) -> None:
    known: dict[str, Value] = {"used": used, "bs": bs}
    wasted = result("wasted_slots", known)
    assert 0 <= wasted <= result("worst_slack", known)
    assert result("slots", known) == used + wasted
    assert result("paged_waste", known) <= result("paged_waste_bound", known)


@given(st.integers(2, 16), st.fractions(-8, 0, max_denominator=64), st.fractions(F(1, 64), 8, max_denominator=64))
def test_a_step_times_its_gaps_is_the_range(b: int, low: Fraction, high: Fraction) -> None:
    known: dict[str, Value] = {"r_min": low, "r_max": high, "b": b}
    step = result("quant_step", known)
    assert step * result("gaps", known) == high - low
    assert 0 <= result("zero_point", known) <= result("codes", known)
    assert result("max_error", known) * 2 == step
