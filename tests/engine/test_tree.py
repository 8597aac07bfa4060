"""Trees evaluate exactly, within bounds, and print as they are written."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import tree as forest
from engine.reader.read import formula_tree
from engine.tree import MAX_BITS, Bin, Call, EvalError, Neg, Num, Sym, Tree, evaluate, number, substitute, symbols, text

F = Fraction


def value(source: str, **known: int) -> Fraction:
    return evaluate(formula_tree(source), {name: F(v) for name, v in known.items()})


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("1 + 2*3", 7), ("(1 + 2)*3", 9), ("2^3^2", 512), ("-2^2", -4), ("7//2", 3), ("-7//2", -4),
        ("1/3 + 1/6", F(1, 2)),
        ("8 - 3 - 2", 3), ("16/4/2", 2), ("floor(7/2)", 3), ("ceil(7/2)", 4), ("round(5/2)", 3), ("round(-5/2)", -3),
        ("int(-7/2)", -3), ("abs(-4)", 4), ("2^-3", F(1, 8)), ("0^0", 1), ("1^99999", 1), ("(-1)^99999", -1),
        ("0^5", 0),
        ("(-1)^4", 1),
    ],
)  # fmt: skip
def test_exact_values(source: str, expected: Fraction) -> None:
    assert value(source) == expected


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("1/0", "division-by-zero"), ("1//0", "division-by-zero"), ("0^-1", "division-by-zero"),
        ("2^(1/2)", "not-finite"),
        ("9^9^9^9", "too-large"), ("2^5000", "too-large"), ("2^4000*2^4000", "too-large"), ("q + 1", "unknown-symbol"),
    ],
)  # fmt: skip
def test_what_has_no_value_says_why(source: str, reason: str) -> None:
    with pytest.raises(EvalError) as caught:
        value(source)
    assert caught.value.reason == reason


@given(st.fractions(min_value=-1000, max_value=1000, max_denominator=50))
def test_roundings_stay_on_their_side(x: Fraction) -> None:
    assert forest.floor(x) <= x < forest.floor(x) + 1
    assert forest.ceil(x) - 1 < x <= forest.ceil(x)
    assert abs(forest.nearest(x) - x) <= F(1, 2)
    assert forest.nearest(-x) == -forest.nearest(x)


numbers = st.integers(1, 99).map(number)
names = st.sampled_from("B S L p".split()).map(Sym)
trees: st.SearchStrategy[Tree] = st.recursive(
    numbers | names,
    lambda inner: (
        st.builds(Bin, st.sampled_from("+-*/"), inner, inner)
        | st.builds(Neg, inner)
        | st.builds(Call, st.sampled_from(["floor", "ceil"]), inner)
    ),
    max_leaves=8,
)
KNOWN = {"B": F(3), "S": F(5), "L": F(7), "p": F(2)}


def outcome(tree: Tree) -> Fraction | str:
    try:
        return evaluate(tree, KNOWN)
    except EvalError as error:
        return error.reason


@given(trees)
def test_a_printed_tree_reads_back_as_the_same_function(tree: Tree) -> None:
    assert outcome(formula_tree(text(tree, plain=True))) == outcome(tree)
    assert outcome(formula_tree(text(tree))) == outcome(tree)


@given(trees)
def test_evaluation_stays_within_the_bound(tree: Tree) -> None:
    result = outcome(tree)
    if isinstance(result, Fraction):
        assert max(result.numerator.bit_length(), result.denominator.bit_length()) <= 2 * MAX_BITS


@given(trees)
def test_rebuilding_with_no_change_copies(tree: Tree) -> None:
    assert forest.rebuild(tree, lambda node: None) == tree
    assert substitute(tree, {}) == tree


@given(trees)
def test_substituting_values_is_evaluating_with_them(tree: Tree) -> None:
    put = substitute(tree, {name: number(v) for name, v in KNOWN.items()})
    assert symbols(put) == ()
    assert outcome(put) == outcome(tree)


def test_walk_gives_a_parent_before_its_parts() -> None:
    tree = formula_tree("2*(B + S)")
    kinds = [type(node) for node in forest.walk(tree)]
    assert kinds == [Bin, Num, Bin, Sym, Sym]


def test_factors_and_product_are_inverse() -> None:
    tree = formula_tree("2*B*S*L")
    assert forest.product(forest.factors(tree)) == tree
    assert evaluate(forest.product(())) == 1


def test_symbols_come_once_in_order() -> None:
    assert symbols(formula_tree("S*B + B/S + L")) == ("S", "B", "L")


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("2*B*S", "2 · B · S"), ("a - (b - c)", "a − (b − c)"), ("a/(b*c)", "a / (b · c)"),
        ("(a + b)*c", "(a + b) · c"),
        ("floor(a/b)", "⌊a / b⌋"), ("ceil(a)", "⌈a⌉"), ("2^(b - 1)", "2^(b − 1)"), ("(2^b)^c", "(2^b)^c"),
    ],
)  # fmt: skip
def test_printing(source: str, shown: str) -> None:
    assert text(formula_tree(source)) == shown
