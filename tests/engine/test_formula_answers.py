"""Formulas as learners type them: right in many spellings, wrong in many ways, and hostile ones bounded."""

from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from content.checking import check_part
from engine.answers.check import check
from engine.answers.model import Expectation, Verdict
from engine.answers.symbolic import named
from engine.formulas import identities, points, registry, symbolic
from engine.formulas.identities import IdentityError, solved
from engine.formulas.size import size
from engine.reader.read import formula_tree
from engine.tree import Bin, Call, EvalError, Neg, Tree, evaluate, number, symbols, text

LINES = (Path(__file__).parent / "data" / "formula_answers.txt").read_text(encoding="utf-8").splitlines()


class Case(NamedTuple):
    question: str
    typed: str
    verdict: str
    rest: str


def case(line: str) -> Case:
    question, typed, verdict, *rest = line.split("|")
    return Case(question.strip(), typed.strip(), verdict.strip(), rest[0].strip() if rest else "")


CASES = [case(line) for line in LINES if line and not line.startswith("#")]


def free(formula: str, *pairs: tuple[str, str], **aliases: str) -> Expectation:
    """A question of one's own: a registered formula by name, or any text."""
    names = (
        named(formula)
        if registry.is_formula(formula)
        else [name for side in ((formula,), *pairs) for part in side for name in symbols(formula_tree(part))]
    )
    extra = [name for pair in pairs for side in pair for name in symbols(formula_tree(side))]
    spelled = {name: name for name in (*names, *extra)}
    return Expectation("formula", formula, symbols=spelled | aliases, identities=pairs)


HEADS = ("d_model", "n_head*d_head")
QUESTIONS = {
    "twice": free("2*B"),
    "gqa": free("kv_cache"),
    "grouped": free("kv_cache", HEADS, ("n_head", "g*n_kv_heads")),
    "chain": free(
        "2*B*S*L*d_model*p", ("n_head*d_head", "d_model"), ("n_head", "g*n_kv_heads"), ("T", "B*S"), d="d_model"
    ),
    "headroom": free("headroom"),
    "ridge": free("ridge"),
    "waste": free("paged_waste"),
    "blocks": free("blocks"),
    "extra": free("extra_requests"),
    "codes": free("codes"),
    "step": free("quant_step"),
    "energy": free("m*c^2"),
    "root": free("(a^2 + b^2)^(1/2)"),
    "down": free("floor(a/b)"),
    "up": free("ceil(a/b)"),
    "near": free("round(a/b)"),
}


def answered(question: str, typed: str) -> Verdict:
    return check_part("core/L1.2/formula", typed) if question == "kv" else check(QUESTIONS[question], typed)


@pytest.mark.parametrize("one", CASES, ids=lambda one: f"{one.question}: {one.typed}")
def test_the_verdict_and_the_slip_of_a_typed_formula(one: Case) -> None:
    said = answered(one.question, one.typed)
    assert said.verdict == one.verdict, said
    if one.verdict == "invalid":
        assert said.reason == (one.rest or said.reason)
        assert said.span is not None
        return
    assert said.read is not None
    assert " ".join(said.slips) == one.rest
    assert said.ambiguous == (len(said.slips) > 1)


def test_every_way_named_by_its_slip_stands_in_the_list() -> None:
    """The list tells apart the slips that a formula question is there for."""
    named_slips = {slip for one in CASES if one.verdict == "incorrect" for slip in one.rest.split()}
    assert {
        "kv-drop-two", "d-squared", "power-for-product", "kv-includes-q", "gqa-ignored", "sum-for-product", "kv-p-one",
        "kv-quadratic-s", "kv-dhead", "sign-flipped", "factor-inverted", "quant-2b", "ceil-not-floor",
    } <= named_slips  # fmt: skip
    assert len(CASES) >= 120


# --- every registered formula is a question ---------------------------------------------------------------------------

ASKED = [name for name in registry.names() if len(text(registry.expanded(name), plain=True)) < 290]


@pytest.mark.parametrize("name", ASKED)
def test_every_registered_formula_can_be_asked_for(name: str) -> None:
    question = free(name)
    as_declared, whole = registry.get(name).tree, registry.expanded(name)
    for right in (as_declared, whole):
        assert check(question, text(right, plain=True)).verdict == "correct"
        assert check(question, f"({text(right, plain=True)})*6/3/2").verdict == "correct"
        wrong = check(question, f"3*({text(right, plain=True)})")
        assert (wrong.verdict, wrong.expected and wrong.expected.display) == ("incorrect", text(whole))


@pytest.mark.parametrize("name", ASKED)
def test_a_broken_calculation_is_named_or_right(name: str) -> None:
    """Whatever breaks a formula is named when its formula is typed, unless it changes nothing or has no symbol."""
    from engine.answers.slips import broken_trees

    question = free(name)
    for slip, broken, _ in broken_trees(name, {}):
        said = check(question, text(broken, plain=True))
        if said.verdict == "incorrect":
            assert slip in said.slips or not any(values(broken, broken)), "only what never has a value goes unnamed"
        elif said.verdict == "correct":
            assert all(left == right for left, right in values(broken, registry.expanded(name)))
        else:
            assert said.reason in ("needs-formula", "division-by-zero", "too-long")


def values(one: Tree, other: Tree) -> list[tuple[Fraction, Fraction]]:
    """The values of two formulas at points where both have one."""
    draw, found = Random(text(one)), []
    for _ in range(50):
        at = {name: Fraction(draw.randint(1, 10 ** draw.randint(1, 12))) for name in symbols(one) + symbols(other)}
        with suppress(EvalError):
            found.append((evaluate(one, at), evaluate(other, at)))
    return found


# --- what decides -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pairs", "name", "stands"),
    [
        ([("d", "h*w")], "d", "h*w"),
        ([("h*w", "d")], "d", "h*w"),
        ([("d", "h*w"), ("h", "g*k")], "d", "g*k*w"),
        ([("h", "g*k"), ("d", "h*w")], "d", "g*k*w"),
        ([("a", "b"), ("b", "c"), ("c", "d")], "a", "d"),
        ([("a*b", "c*d + 1")], "b", "(c*d + 1)/a"),
        ([("d", "h*w"), ("d", "hidden")], "hidden", "h*w"),
    ],
)
def test_identities_are_solved_in_any_order_and_direction(pairs: list[tuple[str, str]], name: str, stands: str) -> None:
    assert symbolic.equal(solved(tuple(pairs))[name], formula_tree(stands))


def test_an_identity_said_twice_changes_nothing_and_a_wrong_one_is_refused() -> None:
    once = solved((("d", "h*w"),))
    assert solved((("d", "h*w"), ("w*h", "d"), ("h", "d/w"))) == once
    for pairs in ((("a + b", "c + d"),), (("a", "a + 1"),), (("2", "3"),)):
        with pytest.raises(IdentityError):
            solved(pairs)
    squares = tuple((chr(97 + n), f"{chr(98 + n)}*{chr(98 + n)}") for n in range(20))
    with pytest.raises(IdentityError):
        solved(squares)
    assert identities.MOST_NODES < 2**20


def test_points_refute_and_never_prove_what_is_different() -> None:
    """A formula made to fit points known beforehand is caught at points that depend on itself."""
    right = formula_tree("2*B")
    zeros = "*".join(f"(B-{n})" for n in range(2, 40))
    made = formula_tree(f"2*B + {zeros}")
    assert points.fingerprint(made, points.witnesses(right)) == points.fingerprint(right, points.witnesses(right))
    assert not size(made).bounded, "sympy is not asked"
    assert not symbolic.equal(made, right)


@pytest.mark.parametrize(
    ("one", "other"),
    [("B^2", "2*B"), ("2^B", "B^2"), ("B^B", "4*B/2"), ("B*S", "B + S"), ("B/B", "1/B*B*B"), ("B^3 - B", "6*B")],
)
def test_formulas_that_meet_at_small_numbers_differ(one: str, other: str) -> None:
    assert not symbolic.equal(formula_tree(one), formula_tree(other))


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        ("B*(S + 1)", "B*S + B", True), ("B*(S - S)^0", "B", True), ("(B - S)^0", "1", True),
        ("B*S", "B + S", False), ("(B^2 - 1)/(B - 1)", "B + 1", True),
        ("1/(1/B + 1/S)", "B*S/(B + S)", True), ("1/(B - B)", "B", False),
        ("floor(B/S)", "B//S", True), ("floor((B + B)/S)", "floor(2*B/S)", True),
        ("ceil(B/S)", "floor((B + S - 1)/S)", None), ("2^(B + 1)", "2*2^B", True), ("2^B", "3^B", None),
        ("(B^2)^0.5", "B", True), ("4^(b/2)", "2^b", True),
        ("2^(3*b - 1)", "2^b*2^b*2^b/2", True), ("1/(1 - 2^b)", "-1/(2^b - 1)", True), ("B^0.5", "B", False),
        ("(B + S + L + p)^99", "(B + S + L + p)^99", None),
    ],
)  # fmt: skip
def test_sympy_says_what_it_can_prove(one: str, other: str, said: bool | None) -> None:
    assert symbolic.decided(formula_tree(one), formula_tree(other)) is said


TOWERS = [
    "(B+S+L+p)^99*(B+S)^99", "B^9999999999", "(1+B)^(2^70)", "2^(B^(S^(L^p)))", "9^9^9^9*B", "(B+1)^-999999",
    "(999999999999999999999999999999*B + 1)^900", "/".join(["1"] + ["(B+1)"] * 40),
    "+".join(f"1/(B+{n})" for n in range(1, 30)), "floor(" * 35 + "B/3" + ")" * 35, "((B+1)^30)^30", "B^(1/3)^(1/7)",
    "+".join(f"(B+{n})^0.5" for n in range(1, 25)), "(" * 39 + "B" + "^B)" * 39, "2^(99999999*B)", "B^0.123456789",
]  # fmt: skip


@pytest.mark.parametrize("typed", TOWERS, ids=lambda typed: typed[:30])
@pytest.mark.parametrize("formula", ["B*2", "(B+S+L+p)^9", "floor(B/S)", "2^B", "(B+S)^0.5"])
def test_towers_end_early_on_both_paths(typed: str, formula: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing larger than the bounds reaches sympy, and points refuse numbers before they are made."""
    asked: list[Tree] = []
    for name in ("_equal_quotients", "_simplified"):
        real = getattr(symbolic, name)

        def watched(one: Tree, other: Tree, real: object = real) -> object:
            asked.extend((one, other))
            return real(one, other)  # type: ignore[operator]

        monkeypatch.setattr(symbolic, name, watched)
    for one, other in ((f"({formula})*({typed})/({typed})", formula), (typed, formula), (typed, f"({typed})+1")):
        if len(one) <= 300 and len(other) <= 300:
            symbolic.equal(formula_tree(one), formula_tree(other))
    assert all(size(tree).bounded for tree in asked)


# --- any formula ------------------------------------------------------------------------------------------------------

LEAVES = st.sampled_from(["B", "S", "L", "2", "3", "1/2"]).map(formula_tree)


def _grown(inner: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    pairs = st.tuples(st.sampled_from("+-*/"), inner, inner).map(lambda parts: Bin(*parts))
    powers = st.tuples(inner, st.integers(-2, 3)).map(lambda parts: Bin("^", parts[0], number(parts[1])))
    floors = inner.map(lambda arg: Call("floor", arg))
    return st.one_of(pairs, pairs, powers, floors)


def _respelled(tree: Tree) -> Tree:
    """The same function in another spelling: sides exchanged, differences as sums, quotients as powers."""
    match tree:
        case Bin("+" | "*" as op, left, right):
            return Bin(op, _respelled(right), _respelled(left))
        case Bin("-", left, right):
            return Bin("+", Neg(_respelled(right)), _respelled(left))
        case Bin("/", left, right):
            return Bin("*", Bin("^", _respelled(right), number(-1)), _respelled(left))
        case Bin("^", base, power):
            return Bin("^", _respelled(base), power)
        case Call(name, arg):
            return Call(name, _respelled(arg))
    return tree


@settings(deadline=None, max_examples=150, derandomize=True)
@given(st.recursive(LEAVES, _grown, max_leaves=8))
def test_a_formula_is_itself_in_another_spelling_and_nothing_else(tree: Tree) -> None:
    assume(symbols(tree) and len(values(tree, tree)) > 10)
    assert symbolic.equal(tree, _respelled(tree))
    for wrong in (Bin("+", tree, number("1/7")), Bin("*", tree, number(2)), Bin("+", tree, formula_tree("B*S"))):
        same = all(left == right for left, right in values(tree, wrong))
        found = symbolic.equal(_respelled(tree), wrong)
        assert found is same or (same and points.rounds(tree)), "roundings may differ where these points do not look"


def test_usual_names_of_symbols_give_way_to_those_of_the_question() -> None:
    """ "tokens" is S only where no other symbol counts tokens, and never what a question calls so itself."""
    assert check(free("2*S*L"), "2*tokens*layers").verdict == "correct"
    assert check(free("2*S*T"), "2*tokens*T").reason == "unknown-symbol"
    own = Expectation("formula", "S*tokens", symbols={"S": "S", "tokens": "tokens"})
    assert check(own, "tokens*S").verdict == "correct"
    assert check(own, "S*S").verdict == "incorrect"


@pytest.mark.parametrize("typed", ["max(B, S)", "sqrt(B)", "foo(B)", "log2(S)*B"])
@pytest.mark.parametrize("lang", ["en", "hi-Latn"])
def test_a_function_that_formulas_have_not_is_told_with_those_that_they_have(typed: str, lang: str) -> None:
    from content import verdicts

    said = check_part("core/L1.2/formula", typed)
    told = verdicts.message("core/L1.2/formula", said, lang)  # type: ignore[arg-type]
    assert f"'{typed[: typed.index('(')]}(...)'" in told
    assert "floor, ceil, round" in told and "max, sqrt" not in told
    for name in said.params["known"].split(", "):
        assert check_part("core/L1.2/formula", f"{name}(B)").verdict == "incorrect"


def test_points_beside_a_step_are_at_the_step_or_next_to_it() -> None:
    """Whole numbers where a symbol counts, and as near as one likes where it need not be whole."""
    from engine.formulas import edges

    def draw(words: str) -> int:
        return sum(words.encode()) * 7919

    for formula in ("ceil(used/bs)", "floor(a/b)", "round(3*a - b)", "floor(p*B)"):
        inside = next(node for node in [formula_tree(formula)] if isinstance(node, Call)).arg
        half = Fraction(1, 2) if formula.startswith("round") else Fraction(0)
        at = list(edges.beside((formula_tree(formula),), frozenset(), draw))
        assert len(at) > 8
        assert all(value > 0 for point in at for value in point.values())
        away = [evaluate(inside, point) + half for point in at]
        assert any(value.denominator == 1 for value in away)
        assert all(point[name].denominator == 1 for point in at for name in point if edges.whole(name))
        if any(not edges.whole(name) for name in symbols(inside)):
            assert any(0 < value % 1 < Fraction(1, 10**12) for value in away)
            assert any(1 - Fraction(1, 10**12) < value % 1 < 1 for value in away)
