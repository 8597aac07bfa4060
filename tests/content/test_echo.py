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


@pytest.mark.parametrize(
    ("typed", "reads"),
    [
        ("13.37 GiB", {"en": "about 14,355,928,187 bytes", "hi-Latn": "lagbhag 14,355,928,187 bytes"}),
        ("1.07 GB", {"en": "= 1,070,000,000 bytes", "hi-Latn": "= 1,070,000,000 bytes"}),
        ("4.1 KiB", {"en": "about 4198 bytes", "hi-Latn": "lagbhag 4198 bytes"}),
        ("4 bits", {"en": "= 0.5 bytes", "hi-Latn": "= 0.5 bytes"}),
        ("0.0001 KB", {"en": "= 0.1 bytes", "hi-Latn": "= 0.1 bytes"}),
    ],
)
def test_a_size_is_told_in_whole_bytes(typed: str, reads: dict[Lang, str]) -> None:
    for lang in LANGS:
        assert reads[lang] in echo("core/L2.1/kv", typed, lang)
