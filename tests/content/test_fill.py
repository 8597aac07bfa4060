"""Placeholders: given values, nouns, precisions, declared values, answers and workings."""

from __future__ import annotations

from fractions import Fraction

import pytest

from content import course, fill
from content.fill import FillError, Scope
from content.lang import LANGS
from content.schema import Value
from engine.formulas.registry import FormulaError

GIVEN = {
    "S": Fraction(2048), "B": Fraction(1), "L": Fraction(32), "d_model": Fraction(4096), "N": Fraction(13 * 10**9),
    "p": Fraction(2), "p_w": Fraction(1, 2), "b": Fraction(4), "bs": Fraction(16), "capacity": Fraction(80 * 10**9),
    "bandwidth": Fraction(2039 * 10**9), "r_min": Fraction(-3, 10),
}  # fmt: skip
VALUES = {
    "token": Value("kv_per_token", "KiB", 3, GIVEN),
    "token_fp8": Value("kv_per_token", "bytes", "all", {**GIVEN, "p": Fraction(1)}),
    "lost": Value("kv_pert_token", "KiB", 3, GIVEN),
}
SCOPE = Scope(GIVEN, VALUES, {})


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("{S}", "2048"),
        ("{S.tokens}", "2048 tokens"),
        ("{B.requests}", "1 request"),
        ("{L.layers}", "32 layers"),
        ("{bs.tokens}", "16 tokens"),
        ("{N}", "13 billion"),
        ("{p.bytes}", "2 bytes"),
        ("{p.name}", "FP16"),
        ("{p_w.name}", "INT4"),
        ("{p_w}", "0.5"),
        ("{b.bits}", "4 bits"),
        ("{b}", "4"),
        ("{capacity}", "80 GB"),
        ("{bandwidth}", "2.039 TB/s"),
        ("{r_min}", "-0.3"),
        ("{v.token}", "512 KiB"),
        ("{v.token_fp8}", "262,144 bytes"),
        ("no {braces} here".replace("{braces}", "{ braces }"), "no { braces } here"),
        ("{S} and {S}", "2048 and 2048"),
    ],
)
def test_values_fill_alike_in_both_languages(text: str, filled: str) -> None:
    for lang in LANGS:
        assert fill.fill(text, lang, SCOPE) == filled


def test_fp8_is_the_name_of_one_byte_in_the_cache_and_int8_of_one_byte_in_a_weight() -> None:
    scope = Scope({"p": Fraction(1), "p_w": Fraction(1)}, {}, {})
    assert fill.fill("{p.name} {p_w.name}", "en", scope) == "FP8 INT8"


@pytest.mark.parametrize(
    "name", ["T", "S.wagons", "v.none", "a.kv", "f.value", "p_w.names", "capacity.name", "v", "x.y.z"]
)
def test_a_placeholder_without_a_value_is_named(name: str) -> None:
    with pytest.raises(FillError) as caught:
        fill.fill(f"a {{{name}}}", "en", SCOPE)
    assert caught.value.placeholder == name


def test_a_formula_that_is_not_there_is_an_error_of_the_formula() -> None:
    with pytest.raises(FormulaError):
        fill.fill("{v.lost}", "en", SCOPE)


def test_the_working_of_a_part() -> None:
    exercise, part = course.part("core/L2.1/kv")
    scope = fill.of_part(exercise, part)
    assert fill.fill("{f.symbols}", "en", scope) == "2 · B · S · L · d_model · p"
    assert fill.fill("{f.numbers}", "en", scope) == "2 · 1 · 2048 · 32 · 4096 · 2"
    assert fill.fill("{f.base}", "en", scope) == "1,073,741,824 bytes"
    assert fill.fill("{f.value}", "en", scope) == fill.fill("{a.kv}", "en", scope) == "1.07 GB"
    assert fill.working(part) == (
        "kv_cache = 2 · B · S · L · d_model · p",
        "  = 2 · 1 · 2048 · 32 · 4096 · 2",
        "  = 1.07 GB",
    )


def test_a_working_shows_the_formulas_below_it_first() -> None:
    _, part = course.part("core/L4.2/headroom")
    lines = fill.working(part)
    assert [line.split(" = ")[0] for line in lines if not line.startswith(" ")] == [
        "weights",
        "kv_cache",
        "total",
        "headroom",
    ]
    assert lines[-1] == "  = 19.81 GB"


def test_parts_in_words_have_no_working() -> None:
    assert fill.working(course.part("core/L4.1/fits")[1]) == ()
    assert fill.working(course.part("core/L1.2/formula")[1]) == ("2 · B · S · L · d_model · p",)


@pytest.mark.parametrize("lang", LANGS)
def test_the_table_of_givens(lang: fill.Lang) -> None:
    rows = fill.givens(course.exercise("core/L4.1"), lang)
    assert [row.symbol for row in rows] == ["N", "p_w", "L", "d_model", "S", "B", "p", "capacity"]
    assert [row.value for row in rows][3:] == ["5120", "4096", "16", "2 bytes", "80 GB"]
    assert all(row.meaning for row in rows)
