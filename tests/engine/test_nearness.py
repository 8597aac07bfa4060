"""A little off: relative to the value, and of a share to the smaller of itself and what is left of the whole."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.answers.check import check
from engine.answers.model import Expectation
from engine.answers.nearness import close


@pytest.mark.parametrize(
    ("right", "typed", "near"),
    [
        ("97.4", "98.7", False),  # half of what was used
        ("97.4", "97", False),
        ("94.1", "94.2", True),  # within a fiftieth of 5.9 points
        ("50", "50.9", True),
        ("50", "51.5", False),
        ("2.6", "2.65", True),
        ("2.6", "3.9", False),
        ("0", "0.5", False),
        ("100", "99", False),
        ("1500", "1520", True),  # more than the whole: nothing is left of it
    ],
)
def test_a_share_beside_what_is_left_of_the_whole(right: str, typed: str, near: bool) -> None:
    value = Fraction(right) / 100
    assert close(Fraction(typed) / 100, value, "%") is near
    expect = Expectation("percent", value=value, unit="%", digits=None, rel_tol=Fraction(1, 1000))
    verdict = check(expect, f"{typed} %")
    assert verdict.verdict == "incorrect" or abs(value - Fraction(typed) / 100) <= Fraction(1, 1000)
    assert ("near" in verdict.notes) is (near and verdict.verdict == "incorrect")


def test_other_values_are_judged_by_their_own_size() -> None:
    assert close(Fraction(98, 100), Fraction(97, 100), "x")
    assert close(Fraction(51), Fraction(50), "GB")
    assert not close(Fraction(52), Fraction(50), "GB")
