"""Hostile answers end early: the work of a check is counted in calls and in bits, since a clock would be no test."""

import sys
from collections.abc import Callable
from typing import Any

import pytest

from content.checking import check_part
from engine import tree
from engine.answers.model import Verdict
from engine.reader.fold import MAX_LENGTH
from engine.tree import MAX_BITS

MOST_CALLS = 100_000
MOST_SYMBOLIC_CALLS = 2_000_000
"""Function calls that one check may make, of a value and of a formula (about a second of sympy)."""

NUMERIC = [
    "9**9**9**9", "9^9^9^9", "2^4096*2^4096", "1e999", "1e9999", "1e999999999", "10⁹⁹⁹⁹", "1.0000001^99999",
    "(-8)^(1/3)", "0^-1",
    "1/" * 149 + "3", "(1/3+" * 37 + "1" + ")" * 37, "1 " + "crore " * 48, "1 " + "%" * 250, "=" * 300,
    "1=" * 149 + "1",
    "-" * 299 + "1", "2^" * 149 + "2", "1_" * 140 + "1", "1," * 140 + "1", "x" * 300, "x1" * 150, "５" * 299,
    "²" * 200, "1" + "²" * 100,
    "(" * 300, ")" * 300, "floor(" * 40 + "1" + ")" * 40, r"\frac{" * 40, r"\frac{1}{" * 30 + "2" + "}" * 30,
    r"\frac{" + "{}" * 140,
    "\\" * 300, "{" * 300, "_{" * 150, "$" * 300, "1e300*1e300*1e300*1e300*1e300", "1e-300/1e300/1e300/1e300/1e300",
    "GB " * 100,
    "1 GB + " * 40 + "1 GB", "KV = " * 50 + "1", "__import__('os').system('true')", "().__class__.__bases__", "[/b]",
    "[red]x",
    "{0.__class__}", "%s%n", "\x1b[31m1.07 GB", "\u202e1.07 GB", "\ud800", "a\u0301" * 150, "1" * 10**6,
    "(" * 5000 + "1.07" + ")" * 5000,
    "-" * 100_000 + "1.07", "1+" * 50_000 + "1", "\n" * 10**6, "٣" * 299, "𝟏𝟎", "1" + "\u200b" * 299,
    "~" * 299 + "1", "99999999999999999999^999",
]  # fmt: skip
QUADRATIC = "(B*B+S*S+L*L+p*p+2*B*S+2*B*L+2*B*p+2*S*L+2*S*p+2*L*p)"
SYMBOLIC = [
    "2*B" + " " * 10**6 + "x", "2*B bytes" + ". " * 10**6 + "x", "\t" * 10**6 + "bytes", "B*" * 10**6 + " bytes",
    "B" * 300, "2*B*S*L*d_model*p^(B^(S^(L^9)))", "floor(" * 30 + "B" + ")" * 30, "B^" * 140 + "B", "(B+S)^999999",
    "1/(B-B)",
    *(f"2BSLdp*(1+(B+S+L+p)^{2 * n}-{QUADRATIC}^{n})" for n in (4, 10, 60)),
    "2BSLdp*(1+1/(B+1)-1/(S+1)+1/(L+1)-1/(p+1)-(S-B)/((B+1)*(S+1))-(p-L)/((L+1)*(p+1)))",
    "2BSLdp*((B+S)(L+p)(B+L)(S+p)(B+p)(S+L))^7/((S+B)(p+L)(L+B)(p+S)(p+B)(L+S))^7", "2BSLdp*2^(B*S*L*99)",
    "KV" * 150, "=" * 300,
]  # fmt: skip


class Work:
    """Counts calls and the largest number that arithmetic made."""

    def __init__(self) -> None:
        self.most = MOST_CALLS
        self.calls = 0
        self.bits = 0

    def profile(self, frame: Any, event: str, arg: Any) -> None:
        self.calls += event in ("call", "c_call")
        if self.calls > self.most:
            sys.setprofile(None)
            raise AssertionError(f"more than {self.most} calls")

    def watch(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def watched(*args: Any) -> Any:
            value = function(*args)
            self.bits = max(self.bits, value.numerator.bit_length(), value.denominator.bit_length())
            return value

        return watched


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    counted = Work()
    monkeypatch.setattr(tree, "_combine", counted.watch(tree._combine))
    return counted


def checked(part: str, typed: str, work: Work) -> Verdict:
    sys.setprofile(work.profile)
    try:
        return check_part(part, typed)
    finally:
        sys.setprofile(None)


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    """Course, formulas and sympy loaded, so that only the checks are counted."""
    check_part("core/L1.2/formula", "2*B*S*L*d_model*p + (B + S)^2 - B^2 - 2*B*S - S^2")
    for part in ("core/L2.1/kv", "core/L4.3/extra", "core/L3.1/naive_waste", "core/L4.1/fits"):
        check_part(part, "1")
        check_part(part, "1 + 10/7")  # no slip gives that, so that pairs of slips are computed too


@pytest.mark.parametrize("part", ["core/L2.1/kv", "core/L4.3/extra", "core/L3.1/naive_waste"])
@pytest.mark.parametrize("typed", NUMERIC, ids=lambda text: ascii(text[:24]) + str(len(text)))
def test_numbers(part: str, typed: str, work: Work) -> None:
    verdict = checked(part, typed, work)
    assert verdict.verdict in ("incorrect", "invalid")
    assert work.bits <= 2 * MAX_BITS
    if len(typed) > MAX_LENGTH:
        assert verdict.reason == "too-long"
        assert work.calls < 1000


@pytest.mark.parametrize("typed", SYMBOLIC, ids=lambda text: text[:24] + str(len(text)))
def test_formulas(typed: str, work: Work) -> None:
    work.most = MOST_SYMBOLIC_CALLS
    verdict = checked("core/L1.2/formula", typed, work)
    assert verdict.verdict in ("correct", "incorrect", "invalid")
    assert work.bits <= 2 * MAX_BITS


@pytest.mark.parametrize("typed", ["yes " * 75, "no" * 10**5, "[/b]", "\x1b[31m", "\ud800", "y\u0301" * 100])
@pytest.mark.parametrize("part", ["core/L4.1/fits", "core/L1.1/a", "core/L5.1b/lever", "core/L3.3/explain"])
def test_words(part: str, typed: str, work: Work) -> None:
    assert checked(part, typed, work).verdict in ("correct", "incorrect", "invalid")
