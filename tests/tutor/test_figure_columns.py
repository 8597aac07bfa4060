"""Numbers of one column: their points under each other, nothing of them changed."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from content.lang import LANGS, Lang
from tutor.figures.columns import pointed
from tutor.figures.pen import Pen
from tutor.figures.registry import get

NUMBERS = st.tuples(st.integers(0, 99_999), st.sampled_from(["", ".5", ".59", ".0449"]), st.sampled_from(["", " GB"]))


def points(texts: list[str]) -> set[int]:
    """Where the point of each text is, or would be behind a whole number, from its right end."""
    return {len(text) - len(match[0]) for text in texts if (match := re.match(r" *[-+\d,]+", text))}


@given(st.lists(NUMBERS.map(lambda one: f"{one[0]:,}{one[1]}{one[2]}"), min_size=1, max_size=6))
def test_points_stand_under_each_other(texts: list[str]) -> None:
    wide = pointed(texts)
    assert [text.rstrip() for text in wide] == texts
    for unit in (True, False):
        assert len(points([text for text in wide if text.rstrip().endswith("GB") is unit])) <= 1


def test_other_units_and_words_stay_as_they_are() -> None:
    assert pointed(["16.1 GB", "3 GB", "87 %", "never (up to 25.6)", "?", "4x"]) == [
        "16.1 GB", "3 GB  ", "87 %", "never (up to 25.6)", "?", "4x",
    ]  # fmt: skip


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("width", [46, 60, 76, 110])
def test_the_list_of_a_card_has_its_points_in_one_column(width: int, lang: Lang) -> None:
    figure = get("two-buckets")
    of = figure.defaults({"N": 8030261248, "n_kv_heads": 8, "S": 4096, "capacity": 24 * 10**9})
    lines = [row.content.plain for row in figure.rows(of, Pen(width, 24, lang))]
    listed = [match for line in lines if (match := re.match(r" [WKr=!·]  .*?([\d,]+)(\.\d+)? GB", line))]
    assert len(listed) >= 4
    assert len({match.end(1) for match in listed}) == 1, "\n".join(lines)
