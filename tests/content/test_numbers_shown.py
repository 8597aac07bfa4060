"""Numbers are written by one rule, in texts and by the program: bare below 10,000, in groups of three from there on."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from content.lang import LANGS
from engine import units
from engine.answers.model import Expectation
from engine.answers.numeric import digits_wanted

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "content").rglob("*.toml"))
SHORT = re.compile(r"(?<![\w.,])\d,\d{3}(?![\d,])")
"""A number of four digits with a comma."""
LONG = re.compile(r"(?<![\w.,#/-])\d{5,}(?= (?:bytes|tokens|slots|weights|requests|numbers|layers|FLOP)\b)")
"""One of five or more without, before what it counts; issue numbers, ports and the output of other tools are quoted."""


def _told(table: Any) -> Iterator[str]:
    """All texts for readers in a file."""
    if isinstance(table, dict):
        for name, value in table.items():
            if name in LANGS and isinstance(value, str):
                yield value
            else:
                yield from _told(value)
    elif isinstance(table, list):
        for one in table:
            yield from _told(one)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_texts_write_numbers_by_one_rule(path: Path) -> None:
    texts = list(_told(tomllib.loads(path.read_text(encoding="utf-8"))))
    assert [found for text in texts for found in (*SHORT.findall(text), *LONG.findall(text))] == []


def test_numbers_are_grouped_in_one_place() -> None:
    """A format of its own would be another rule."""
    sources = [path for room in ("engine", "content", "tutor") for path in (ROOT / room).rglob("*.py")]
    own = re.compile(r"\{[^{}\"']*:[0-9<>^]*,(?:\.\d)?[fd]?\}")
    assert [path.name for path in sources if own.search(path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize(
    ("value", "places", "shown"),
    [
        (8192, 0, "8192"), (9999, 0, "9999"), (10_000, 0, "10,000"), (-9999, 0, "-9999"), (-10_000, 0, "-10,000"),
        (2**30, 0, "1,073,741,824"), (9999.4, 0, "9999"), (9999.6, 0, "10,000"), (12345.67, 1, "12,345.7"),
        (1234.56, 1, "1234.6"), (0, 0, "0"),
    ],
)  # fmt: skip
def test_a_number_is_grouped_from_ten_thousand_on(value: float, places: int, shown: str) -> None:
    assert units.grouped(value, places) == shown


@pytest.mark.parametrize(("value", "digits"), [(12345, 3), (10_000, 1), (12_000, 2), (2039, 3), (120, 2)])
def test_commas_are_no_digits(value: int, digits: int) -> None:
    assert digits_wanted(Expectation("number", value=Fraction(value), digits=6), Fraction(value)) == digits
