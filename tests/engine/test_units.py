"""Units are exact, and numbers print as people write them."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import units

F = Fraction


@pytest.mark.parametrize(
    ("name", "factor"),
    [
        ("GB", 10**9), ("GiB", 2**30), ("KB", 1000), ("KiB", 1024), ("PB", 10**15), ("bytes", 1), ("B", 1),
        ("bits", F(1, 8)),
        ("Gbit", F(10**9, 8)), ("%", F(1, 100)), ("x", 1), ("ms", F(1, 1000)), ("TFLOP/s", 10**12), ("GB/s", 10**9),
        ("tokens", 1), ("none", 1),
    ],
)  # fmt: skip
def test_factors_are_exact(name: str, factor: Fraction) -> None:
    assert units.get(name).factor == factor


@pytest.mark.parametrize(
    ("text", "symbol"),
    [
        ("gb", "GB"), ("GBs", "GB"), ("Gigabytes", "GB"), ("giga bytes", "GB"), ("gib", "GiB"), ("MiB", "MiB"),
        ("b", "bits"),
        ("Bit", "bits"), ("tok/s", "tokens/s"), ("tokens/s", "tokens/s"), ("percent", "%"), ("guna", "x"),
        ("Tokens", "tokens"),
        ("requests", "requests"), ("gb/s", "GB/s"), ("seconds", "s"),
    ],
)  # fmt: skip
def test_units_are_found_in_many_spellings(text: str, symbol: str) -> None:
    found = units.find(text)
    assert found is not None
    assert found.symbol == symbol


@pytest.mark.parametrize("text", ["", "Gb", "Mb", "gbx", "apples", "G", "hz", "B/B"])
def test_what_is_no_unit_or_unclear_is_not_guessed(text: str) -> None:
    assert units.find(text) is None


def test_a_capital_prefix_before_a_small_b_is_unclear() -> None:
    assert units.is_unclear("Gb")
    assert not units.is_unclear("GB")


def test_every_unit_is_found_by_its_own_name() -> None:
    for name, unit in units.UNITS.items():
        if name not in ("none", "bit"):  # "bit" as a word is bits of data; as a unit it is the width of a format
            assert units.find(name) == unit


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (F(1073741824, 10**9), 3, "1.07"), (F(241, 256) * 100, 3, "94.1"), (F(1, 170), 3, "0.00588"), (F(0), 3, "0"),
        (F(26), 3, "26"), (F(2469, 2), 3, "1235"), (F(-1, 3), 2, "-0.33"), (F(995, 100), 2, "10"),
        (F(1, 3), "all", "0.333333333333"),
        (F(1073741824), "all", "1,073,741,824"), (F(-5, 2), "all", "-2.5"), (F(2) ** 70, 3, "1.18 × 10^21"),
        (F(1, 10**9), 3, "1 × 10^-9"), (F(25, 2), 2, "13"),
    ],
)  # fmt: skip
def test_numbers(value: Fraction, digits: units.Digits, text: str) -> None:
    assert units.number(value, digits) == text


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (F(1073741824), "GB", "1.07 GB"), (F(1073741824), "GiB", "1 GiB"), (F(241, 256), "%", "94.1 %"),
        (F(17), "x", "17x"),
        (F(1), "requests", "1 request"), (F(37), "requests", "37 requests"), (F(1, 170), "none", "0.00588"),
        (F(1), "bytes", "1 byte"),
    ],
)  # fmt: skip
def test_quantities(value: Fraction, unit: str, text: str) -> None:
    assert units.quantity(value, unit, 3) == text


def test_halves_round_away_from_zero() -> None:
    assert [units.round_half_up(F(n, 2)) for n in (-3, -1, 1, 3, 5)] == [-2, -1, 1, 2, 3]


@given(st.fractions(min_value=-(10**12), max_value=10**12), st.integers(1, 8))
def test_rounding_moves_a_value_by_at_most_half_a_digit(value: Fraction, digits: int) -> None:
    rounded = units.round_significant(value, digits)
    if value:
        assert abs(rounded - value) <= F(10) ** (units.exponent(value) - digits + 1) / 2
        assert F(10) ** units.exponent(value) <= abs(value) < F(10) ** (units.exponent(value) + 1)


@given(st.integers(-(10**15), 10**15), st.integers(0, 6))
def test_decimals_print_exactly(whole: int, places: int) -> None:
    value = F(whole, 10**places)
    text = units.decimal_text(value)
    assert text is not None
    assert F(text) == value


@given(st.sampled_from(sorted(units.UNITS)), st.integers(1, 10**12))
def test_a_quantity_reads_back(name: str, value: int) -> None:
    unit = units.UNITS[name]
    shown = units.number(F(value), "all").replace(",", "")
    assert F(shown) * unit.factor == value * unit.factor
