"""The six factors: equal factors look equal, one family of units in the column, shared heads named."""

from __future__ import annotations

import re
from fractions import Fraction
from math import log2
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from content.lang import LANGS, Lang
from tutor.figures.factor_columns import bar_start, pieces
from tutor.figures.factors import products
from tutor.figures.registry import get
from tutor.figures.state import State, number

FIGURE = get("kv-factors")
PIECE = re.compile(r"(▒*)(█*) *$")


def state(**given: Any) -> State:
    return FIGURE.defaults(given)


def lines(of: State, width: int, height: int, lang: Lang = "en") -> list[str]:
    return [line.rstrip() for line in FIGURE.draw(of, width, height, lang).plain.split("\n")]


SHAPES = st.fixed_dictionaries(
    {
        "p": st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4)]),
        "L": st.integers(1, 126),
        "n_head": st.just(32),
        "n_kv_heads": st.sampled_from([1, 2, 4, 8, 16, 32]),
        "S": st.integers(1, 131072),
        "B": st.integers(1, 256),
    }
)


def test_the_ladder_as_it_stands() -> None:
    assert lines(state(dial="B", hide=["note"]), 60, 20) == [
        "                          so far",
        "   p            2 bytes  2 bytes █",
        " × d_model 4096 numbers  8.19 KB ▒███████████",
        " × 2            K and V  16.4 KB ▒▒▒▒▒▒▒▒▒▒▒▒█",
        " × L          32 layers   524 KB ▒▒▒▒▒▒▒▒▒▒▒▒▒█████",
        " × S        1024 tokens 0.537 GB ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒█████████",
        "▌× B          1 request 0.537 GB ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒",
        "log scale from 1 byte: equal lengths multiply equally",
    ]


@settings(deadline=None)
@given(SHAPES, st.integers(6, 120))
def test_equal_factors_look_equal_and_larger_ones_no_shorter(shape: dict[str, Any], room: int) -> None:
    of = state(**shape)
    cells = pieces(of, room)
    factors = [number(of, "p") / bar_start(of), shape["n_kv_heads"] * 128, 2, shape["L"], shape["S"], shape["B"]]
    assert sum(cells) <= room
    for one, wide in zip(factors, cells, strict=True):
        assert (wide > 0) == (one > 1)
        for other, long in zip(factors, cells, strict=True):
            assert wide == long or (wide < long) == (one < other)
    if room >= 6 * sum(map(log2, factors)):
        assert sum(cells) > room * 0.8, "the room is used"


@settings(deadline=None)
@given(SHAPES, st.sampled_from([46, 60, 76, 100, 120]), st.sampled_from([18, 40]))
def test_a_bar_goes_on_where_the_one_above_ends(shape: dict[str, Any], width: int, height: int) -> None:
    drawn = lines(state(**shape, hide=["note"]), width, height)
    found = [match for line in drawn if (match := PIECE.search(line)) and match[0].strip()]
    ends = [len(match[1]) + len(match[2]) for match in found]
    assert [len(match[1]) for match in found] == [0, *ends[:-1]]
    assert len(found) >= 5, "the bar of one number may be empty, no other"


@pytest.mark.parametrize(("unit", "family"), [("GB", "[KMGT]B"), ("GiB", "[KMGT]iB")])
@given(shape=SHAPES)
@settings(deadline=None, max_examples=40)
def test_a_column_has_one_family_of_units(unit: str, family: str, shape: dict[str, Any]) -> None:
    of = state(**shape, unit=unit, hide=["note"])
    amounts = [match[1] for line in lines(of, 60, 8) if (match := re.search(r"[\d.,]+ (bytes|[KMGT]i?B)", line[25:]))]
    assert len(amounts) >= len(products(of)) - 1
    assert not [one for one in amounts if not re.fullmatch(f"bytes|{family}", one)]


def test_shared_heads_are_named_as_one_factor() -> None:
    row = lines(state(n_kv_heads=8), 76, 18)[2]
    assert " × d_kv 8 KV heads × 128  2.05 KB" in row
    assert " × d_kv 1 KV head × 128 " in lines(state(n_kv_heads=1), 76, 18)[2]
    large = state(n_head=128, n_kv_heads=64, d_head=1024, S=131072, B=256)
    assert lines(large, 34, 18)[1].startswith(" × d_kv 64 × 1024     131 KB"), "nouns leave before numbers"


def test_a_tall_window_that_is_not_wide_has_bars_of_its_own_width() -> None:
    of = state(B=2)
    tall, short = lines(of, 46, 30), lines(of, 46, 16)
    assert max(line.count("▒") + line.count("█") for line in tall) >= 40
    assert max(line.count("▒") + line.count("█") for line in short) < 24
    assert len(tall) <= 30 and len(lines(state(budget="24e9"), 46, 20)) <= 20
    assert any("█" in line for line in lines(state(budget="24e9"), 46, 20)), "a budget never costs the bars"


@pytest.mark.parametrize("lang", LANGS)
def test_half_a_byte_is_where_its_bars_start(lang: Lang) -> None:
    half, one = (" ".join(lines(state(p=p), 76, 18, lang)) for p in ("1/2", 1))
    assert "0.5 bytes" in half[half.index("log scale") :] and "1 byte" in one[one.index("log scale") :]


@pytest.mark.parametrize(("hide", "asked"), [(["two", "p", "products"], 1), (["two", "products"], 6)])
def test_a_column_of_which_nothing_is_known_is_left_out(hide: list[str], asked: int) -> None:
    drawn = "\n".join(lines(state(hide=[*hide, "note"]), 46, 18))
    assert drawn.count("?") == asked, drawn
