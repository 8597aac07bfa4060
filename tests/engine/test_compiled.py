"""Trees made into functions answer what evaluating them answers, and refuse what it refuses."""

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.compiled import Numbers, compiled
from engine.formulas import registry
from engine.reader.read import formula_tree
from engine.tree import FUNCTIONS, Bin, Call, EvalError, Neg, Num, Qty, Sym, Tree, evaluate, number

F = Fraction
NAMES = "a b c d".split()

huge = st.integers(2**1900, 2**2050)
values = st.one_of(
    st.sampled_from([F(0), F(1), F(-1)]),
    st.fractions(max_denominator=10**9),
    st.integers(-(10**6), 10**6).map(F),
    huge.map(F),
    huge.map(lambda n: F(1, n)),
)
leaves: st.SearchStrategy[Tree] = st.sampled_from(NAMES).map(Sym) | values.map(number)
powers: st.SearchStrategy[Tree] = st.integers(-4, 6).map(number) | leaves


def _grown(smaller: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    return st.one_of(
        st.builds(Bin, st.sampled_from(["+", "-", "*", "*", "/", "/", "//"]), smaller, smaller),
        st.builds(Bin, st.just("^"), smaller, powers),
        st.builds(Neg, smaller),
        st.builds(Call, st.sampled_from(sorted(FUNCTIONS)), smaller),
        st.builds(Qty, smaller, st.just("ms"), st.sampled_from([F(1, 1000), F(2**30)])),
    )


trees = st.recursive(leaves, _grown, max_leaves=12)


def answer(of: Callable[[], Fraction]) -> Fraction | tuple[str, str]:
    try:
        return of()
    except EvalError as error:
        return error.reason, error.name


def whole(known: dict[str, Fraction]) -> Numbers:
    """The same numbers, whole ones as ``int``."""
    return {name: int(value) if value.denominator == 1 else value for name, value in known.items()}


@given(trees, st.fixed_dictionaries({}, optional=dict.fromkeys(NAMES, values)))
def test_a_function_is_its_tree(tree: Tree, known: dict[str, Fraction]) -> None:
    expected = answer(lambda: evaluate(tree, known))
    function = compiled(tree)
    for numbers in (known, whole(known)):
        found = answer(lambda numbers=numbers: function(numbers))  # type: ignore[misc]
        assert found == expected
        assert type(found) is type(expected)


@pytest.mark.parametrize(
    "source",
    [
        "a/(b/c)", "a/b/c", "a*(b/c)", "a/(b*c)", "(a/b)/(c/d)", "-a/b", "a//(b/c)", "(a - b)^-3", "a^b", "0*2^5000*a",
        "2^4000*a*2^4000", "2^2000*a*(1/2^2000)", "ceil(a/b)*c", "round(a/b) - int(-a/b)",
    ],
)  # fmt: skip
def test_products_quotients_and_powers_at_their_edges(source: str) -> None:
    tree = formula_tree(source)
    for a in (0, 1, -1, 7):
        for b in (0, 1, -2, 3):
            for c in (0, -5, 4):
                known = {"a": F(a), "b": F(b), "c": F(c), "d": F(c, 3)}
                assert answer(lambda known=known: compiled(tree)(known)) == answer(  # type: ignore[misc]
                    lambda known=known: evaluate(tree, known)  # type: ignore[misc]
                )


def test_numbers_that_are_long_only_before_they_are_reduced_have_their_value() -> None:
    tree = formula_tree("a*b/(c*b)/b*b")
    known = {"a": F(3), "b": F(2**1500), "c": F(2)}
    assert compiled(tree)(known) == evaluate(tree, known) == F(3, 2)


@given(st.data(), st.sampled_from(registry.names()))
def test_every_formula_is_its_tree(data: st.DataObject, name: str) -> None:
    symbols = registry.needed(name)
    drawn = st.integers(0, 10**6).map(F) | st.fractions(0, 10**6, max_denominator=1000)
    known = {symbol: data.draw(drawn) for symbol in symbols}

    def result() -> Fraction:
        try:
            return registry.result(name, dict(whole(known)))
        except registry.FormulaError as error:
            raise EvalError(error.reason) from None

    joined = registry.multi_head(registry.expanded(name), known)
    assert answer(result) == answer(lambda: evaluate(joined, known))


def test_a_number_is_itself() -> None:
    assert compiled(Num(F(5, 3)))({}) == F(5, 3)
