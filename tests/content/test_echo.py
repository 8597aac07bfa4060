"""How a typed answer reads: a value that is not whole never looks whole, and a whole one never looks odd."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from content.lang import LANGS, Lang
from content.verdicts import echo

PART = "core/L1.1/ridge_a100"


def number(text: str) -> str:
    found = re.search(r"-?[\d,]+(?:\.\d+)?", text)
    assert found is not None, text
    return found[0].replace(",", "")


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(("typed", "reads"), [("312/2.039", "153.02"), ("100000/3", "33333.3"), ("2/3*3", "2")])
def test_a_quotient_reads_with_enough_digits(typed: str, reads: str, lang: Lang) -> None:
    assert number(echo(PART, typed, lang)) == reads


@given(st.integers(1, 10**7), st.integers(1, 10**4))
def test_only_a_whole_value_looks_whole(top: int, bottom: int) -> None:
    shown, exact = Fraction(number(echo(PART, f"{top}/{bottom}", "en"))), Fraction(top, bottom)
    assert (shown.denominator == 1) == (exact.denominator == 1)
    assert abs(shown - exact) <= exact / 1000
