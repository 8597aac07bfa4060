"""Calculations asked backwards: what can be undone is undone exactly, slips too, and nothing else is offered."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine import units
from engine.answers.model import Expectation
from engine.answers.reverse import ANSWER, KEPT, MOST_DIGITS, Reversal, askable, can_reverse, check, inverse, reversal
from engine.answers.shown import shown_slips
from engine.answers.slips import broken
from engine.formulas import registry
from engine.formulas.registry import Given
from engine.tree import Bin, Call, EvalError, Neg, Sym, Tree, evaluate, number, symbols, text

S = Sym("S")
KV: Given = {"B": 3, "S": 1500, "L": 32, "d_model": 4096, "p": 2}
ONE: Given = {**KV, "B": 1}
CARD: Given = {**KV, "N": "13e9", "p_w": "1/2", "capacity": "80e9", "bandwidth": "2.039e12"}

amounts = st.fractions(min_value=Fraction(1, 8), max_value=10**6, max_denominator=64)


def asked(formula: str, symbol: str, values: Given, unit: str = "none", digits: int = 3) -> Reversal:
    found = reversal(Expectation("number", formula, values, unit=unit, digits=digits), symbol)
    assert found is not None
    return found


# --- trees ----------------------------------------------------------------------------------------------------------


@st.composite
def chains(draw: st.DrawFn) -> Tree:
    """A tree in which S stands once, under sums, differences, products, quotients and signs."""
    tree: Tree = S
    for _ in range(draw(st.integers(1, 6))):
        op, other = draw(st.sampled_from("+-*/~")), number(draw(amounts))
        sides = (tree, other) if draw(st.booleans()) else (other, tree)
        tree = Neg(tree) if op == "~" else Bin(op, *sides)
    return tree


@given(chains(), amounts)
def test_what_is_undone_gives_the_value_back_exactly(tree: Tree, value: Fraction) -> None:
    undone = inverse(tree, "S", Sym(ANSWER))
    assert undone is not None
    assert "S" not in symbols(undone)
    try:
        answer = evaluate(tree, {"S": value})
        back = evaluate(undone, {ANSWER: answer})
    except EvalError:
        assume(False)
    else:
        assert back == value
        assert evaluate(tree, {"S": back}) == answer


@pytest.mark.parametrize(
    "tree",
    [
        Call("floor", S),
        Bin("*", number(3), Call("ceil", Bin("/", S, number(16)))),
        Bin("^", number(2), S),
        Bin("^", S, number(2)),
        Bin("//", S, number(16)),
        Bin("*", S, Bin("+", S, number(1))),
        Bin("*", number(2), Sym("L")),
        number(7),
    ],
)
def test_what_is_lost_on_the_way_is_not_undone(tree: Tree) -> None:
    assert inverse(tree, "S", Sym(ANSWER)) is None


# --- formulas -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("formula", "values", "symbols_"),
    [
        ("kv_cache", KV, ("B", "S", "L", "d_model", "p")),
        ("kv_cache", {**KV, "n_kv_heads": 8, "d_head": 128}, ("B", "S", "L", "n_kv_heads", "d_head", "p")),
        ("max_requests", {**KV, "budget": "40e9"}, ()),
        ("precision_shrink", {"b_from": 16, "b_to": 4}, ("b_from", "b_to")),
        ("naive_waste", {"max_len": 2048, "used": 120}, ("used",)),
        ("blocks", {"used": 120, "bs": 16}, ()),
        ("quant_step", {"r_max": "0.9", "r_min": "-0.6", "b": 8}, ("r_max", "r_min")),
        ("ridge", {"peak_flops": "312e12", "bandwidth": "2.039e12"}, ("peak_flops", "bandwidth")),
        ("decode_rate", CARD, ("bandwidth", "N", "p_w", "S", "L", "d_model", "p")),
    ],
)
def test_which_symbols_can_be_asked_for(formula: str, values: Given, symbols_: tuple[str, ...]) -> None:
    assert askable(Expectation("number", formula, values)) == symbols_


def test_a_worded_question_cannot_be_turned() -> None:
    assert askable(Expectation("choice")) == ()
    assert reversal(Expectation("choice"), "S") is None
    assert not can_reverse(Expectation("number", "kv_cache", KV), "n_head")


def test_an_answer_that_would_need_too_many_digits_is_not_asked_for() -> None:
    values = {"max_len": 2 * 10**12, "used": 120}
    assert askable(Expectation("percent", "naive_waste", values, unit="%")) == ()


drawn = st.fixed_dictionaries(
    {
        "B": st.integers(1, 256),
        "S": st.integers(1, 200_000),
        "L": st.integers(1, 130),
        "d_model": st.sampled_from((1024, 3584, 4096, 5120, 8192)),
        "p": st.sampled_from((Fraction(1, 2), 1, 2)),
        "N": st.integers(10**8, 7 * 10**11),
        "p_w": st.sampled_from((Fraction(1, 2), 1, 2)),
        "bandwidth": st.integers(3 * 10**11, 8 * 10**12),
    }
)


@given(drawn, st.sampled_from(("kv_cache", "total", "decode_rate")), st.integers(1, 5), st.data())
def test_put_back_in_the_value_gives_the_shown_answer(
    values: Given, formula: str, digits: int, data: st.DataObject
) -> None:
    unit = "tokens/s" if formula == "decode_rate" else "GB"
    expect = Expectation("number", formula, values, unit=unit, digits=digits)
    can = askable(expect)
    assume(can)
    found = reversal(expect, data.draw(st.sampled_from(can)))
    assert found is not None
    value, known = found.expect.value, registry.values(values)
    assert value == known[found.symbol]
    right = registry.result(formula, values)
    assert evaluate(found.inverse, {**known, ANSWER: right}) == value  # exactly, from the exact answer
    solved = evaluate(found.inverse, {**known, ANSWER: found.answer})  # nearly, from the answer that is shown
    reach = found.expect.abs_tol if found.expect.abs_tol is not None else abs(value) / 200
    assert abs(solved - value) <= reach * KEPT
    factor = units.get(unit).factor
    assert found.answer in {units.round_significant(right / factor, n) * factor for n in range(digits, MOST_DIGITS + 1)}
    assert check(found, str(float(solved / units.get(found.expect.unit).factor))).verdict == "correct"


# --- slips ----------------------------------------------------------------------------------------------------------


@given(drawn, st.sampled_from(("S", "B", "L", "p")))
def test_a_slip_undone_gives_the_shown_answer_by_the_broken_way(values: Given, symbol: str) -> None:
    expect = Expectation("number", "total", values, unit="GB")
    assume(can_reverse(expect, symbol))
    found = asked("total", symbol, values, "GB")
    trees = {(b.slip, b.tree) for b in broken("total", values)}
    for one in found.known:
        if one.slip == "gib-for-gb":
            continue
        known = {**registry.values(values), symbol: one.value}
        ways = [tree for slip, tree in trees if slip == one.slip]
        assert any(_value(tree, known) == found.answer for tree in ways), one.slip


def _value(tree: Tree, known: dict[str, Fraction]) -> Fraction | None:
    try:
        return evaluate(registry.multi_head(tree, known), known)
    except EvalError:
        return None


@pytest.mark.parametrize(
    ("symbol", "typed", "slips"),
    [
        ("S", "3000", ("kv-drop-two", "kv-p-one")),
        ("S", "3000 tokens", ("kv-drop-two", "kv-p-one")),
        ("S", "1610", ("gib-for-gb",)),
        ("L", "64", ("kv-drop-two", "kv-p-one")),
        ("p", "4", ("kv-drop-two",)),
        ("B", "9", ()),
        ("S", "1530", ()),
    ],
)
def test_a_wrong_answer_is_named(symbol: str, typed: str, slips: tuple[str, ...]) -> None:
    verdict = check(asked("kv_cache", symbol, KV, "GB"), typed)
    assert (verdict.verdict, verdict.slips) == ("incorrect", slips)
    assert verdict.ambiguous == (len(slips) > 1)


def test_a_slip_that_would_need_the_asked_value_is_not_named() -> None:
    carried = Expectation("number", "kv_cache", KV, unit="GB", carry={"S": (Fraction(2048), "carry-s-2048")})
    for symbol in ("S", "L"):
        found = reversal(carried, symbol)
        assert found is not None
        named = {one.slip for one in found.known}
        assert ("carry-s-2048" in named) == (symbol == "L")
    tight = {**CARD, "capacity": "9.25e9"}
    rounded = {symbol: {one.slip for one in asked("headroom", symbol, tight, "GB").known} for symbol in ("N", "S")}
    assert "early-rounding" in rounded["N"]  # the cache, rounded to two digits, leaves another N
    assert "early-rounding" not in rounded["S"]  # rounding what S is in would have taken S


def test_a_slip_that_leads_to_the_right_value_is_not_named() -> None:
    for layers, named in ((32, False), (40, True)):
        same = Expectation("number", "kv_cache", KV, unit="GB", carry={"L": (Fraction(layers), "carry-layers")})
        found = reversal(same, "S")
        assert found is not None
        assert ("carry-layers" in {one.slip for one in found.known}) == named


# --- reading --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("formula", "symbol", "unit", "digits", "typed", "verdict"),
    [
        ("kv_cache", "S", "GB", 3, "1500", "correct"),
        ("kv_cache", "S", "GB", 3, "1,500 tokens", "correct"),
        ("kv_cache", "S", "GB", 3, "1499.6", "correct"),
        ("kv_cache", "S", "GB", 3, "2.36e9/(2*3*32*4096*2)", "correct"),
        ("kv_cache", "S", "GB", 3, "1500 GB", "invalid"),
        ("kv_cache", "S", "GB", 3, "", "invalid"),
        ("kv_cache", "B", "GB", 3, "3", "correct"),
        ("kv_cache", "B", "GB", 3, "4", "incorrect"),
        ("kv_cache", "p", "GB", 3, "2 bytes", "correct"),
        ("kv_cache", "p", "GB", 3, "16 bits", "correct"),
        ("total", "N", "GB", 4, "13 billion", "correct"),
        ("total", "N", "GB", 4, "1300 crore", "correct"),
        ("headroom", "capacity", "GB", 4, "80", "correct"),
        ("headroom", "capacity", "GB", 4, "74.5 GiB", "correct"),
        ("decode_rate", "bandwidth", "tokens/s", 4, "2.04", "correct"),
        ("decode_rate", "bandwidth", "tokens/s", 4, "2039 GB/s", "correct"),
    ],
)
def test_an_answer_is_read_as_everywhere(
    formula: str, symbol: str, unit: str, digits: int, typed: str, verdict: str
) -> None:
    found = asked(formula, symbol, CARD, unit, digits)
    assert check(found, typed).verdict == verdict


def test_bits_are_a_width_where_one_number_is_measured() -> None:
    found = asked("precision_shrink", "b_to", {"b_from": 16, "b_to": 4}, "x")
    for typed in ("4", "4 bits", "4 bit", "16/4"):
        verdict = check(found, typed)
        assert verdict.verdict == "correct", typed
        assert verdict.read is not None
        assert (verdict.read.value, verdict.read.unit) == (Fraction(4), "bit")
    assert check(found, "32 bits").verdict == "incorrect"


def test_working_in_bytes_a_second_is_an_answer_in_them() -> None:
    found = asked("decode_rate", "bandwidth", CARD, "tokens/s")
    verdict = check(found, f"{float(found.answer)}*(13e9/2 + 2*3*1500*32*4096*2)/3")
    assert verdict.verdict == "correct"
    assert verdict.read is not None
    assert verdict.read.unit == "bytes/s"


@given(st.text(max_size=40))
def test_whatever_is_typed_gets_a_verdict(typed: str) -> None:
    assert check(asked("kv_cache", "S", KV, "GB"), typed).verdict in ("correct", "incorrect", "invalid")


# --- which slips show ----------------------------------------------------------------------------------------------


def test_a_slip_shows_where_it_gives_another_answer() -> None:
    several = shown_slips(Expectation("number", "kv_cache", KV, unit="GB", equal=("kv-no-batch",)))
    alone = shown_slips(Expectation("number", "kv_cache", ONE, unit="GB", equal=("kv-no-batch",)))
    assert {"kv-drop-two", "gib-for-gb", "bytes-as-gb", "kv-no-batch"} <= several
    assert "kv-no-batch" not in alone
    assert "kv-drop-two" not in shown_slips(Expectation("number", "kv_cache", KV, unit="GB", drop=("kv-drop-two",)))


def test_a_cut_digit_shows_where_it_should_have_gone_up() -> None:
    def cut(n: str) -> bool:
        return "truncated" in shown_slips(Expectation("number", "ratio", {"part": n, "whole": 1}, digits=2))

    assert cut("1.99")
    assert not cut("1.93")


def test_units_show_only_where_they_are_asked_for() -> None:
    count = shown_slips(Expectation("integer", "blocks", {"used": 120, "bs": 16}, unit="blocks"))
    share = shown_slips(Expectation("percent", "naive_waste", {"max_len": 2048, "used": 120}, unit="%"))
    assert not count & {"gib-for-gb", "bytes-as-gb", "percent-twice"}
    assert "percent-twice" in share
    assert "sign-flipped" in share


def test_an_inverse_prints_as_people_write_it() -> None:
    found = asked("total", "S", CARD, "GB")
    assert text(found.inverse) == "(answer − N · p_w) / (2 · B · L · d_model · p)"
