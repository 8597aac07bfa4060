"""FI-5: every query head stands over one K and V row, and the cache of a token shrinks as rows are shared."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from content.lang import LANGS, Lang
from engine.formulas.registry import result
from engine.units import quantity
from tutor.figures.head_rows import diagram, groups
from tutor.figures.heads import kept, kind, notice
from tutor.figures.pen import Pen
from tutor.figures.plain import plain
from tutor.figures.registry import get
from tutor.figures.state import State

FIGURE = get("heads")


def _state(**given: Any) -> State:
    return FIGURE.defaults(given)


def _drawn(state: State, width: int = 80, height: int = 40) -> list[str]:
    return [line.rstrip() for line in FIGURE.draw(state, width, height, "en").plain.split("\n")]


def test_the_heads_as_they_stand() -> None:
    drawn = _drawn(_state(n_kv_heads=2, hide=["note"]), 40, 14)
    assert drawn[:6] == [
        "GQA: 4 query heads share one K and V",
        "in  [1] [2] [3] [4] [5] [6] [7] [8]",
        "q    q1  q2  q3  q4  q5  q6  q7  q8",
        "    └──────┬──────┘ └──────┬──────┘",
        "kv  [     kv1     ] [     kv2     ]",
        "out [======== joined again =======]",
    ]
    assert drawn[-2:] == [
        "MHA  KKKKKKKKKKKKKKKKKKKKKKKKKKK 128 KiB",
        "GQA  KKKKKKK····················  32 KiB",
    ]


@given(st.integers(1, 256), st.integers(1, 256), st.integers(1, 90))
def test_every_query_head_is_in_one_group_of_its_kv_head(heads: int, wanted: int, limit: int) -> None:
    state = _state(n_head=heads, n_kv_heads=wanted)
    shared = int(str(state["n_kv_heads"]))
    lines = groups(heads, shared, limit)
    flat = [group for line in lines for group in line]
    assert [place for group in flat for place in range(group.first, group.end)] == list(range(heads))
    assert all(group.first // (heads // shared) == group.head == (group.end - 1) // (heads // shared) for group in flat)
    assert all(sum(group.end - group.first for group in line) <= limit for line in lines)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 256), st.integers(1, 256), st.integers(34, 150), st.integers(8, 40))
def test_all_heads_are_drawn_or_told(heads: int, wanted: int, width: int, height: int) -> None:
    state = _state(n_head=heads, n_kv_heads=wanted)
    lines = _drawn(state, width, height)
    assert max(map(len, lines)) <= width and len(lines) <= height
    pen = Pen(width, height, "en")
    rows = [row.content.plain for row in diagram(heads, int(str(state["n_kv_heads"])), width, height - 4, pen)]
    seen = sum(len(re.findall("q", row[4:])) for row in rows if re.match(r"q(ueries)? ", row))
    left = [int(found[1]) for row in rows if (found := re.search(r"and (\d+) more", row))]
    assert seen + sum(left) == heads


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from([4, 8, 12, 32, 64]), st.integers(1, 64), st.integers(34, 150), st.sampled_from(["1/2", "1", "2"])
)
def test_the_bar_of_a_token_is_its_share_of_the_bar_without_sharing(
    heads: int, wanted: int, width: int, p: str
) -> None:
    state = _state(n_head=heads, n_kv_heads=wanted, p=p)
    own, full = kept(state)
    bars = {
        line[:3]: line.count("K", 5) - line.count("KiB")
        for line in _drawn(state, width)
        if re.match("M..  |GQA  ", line)
    }
    assert bars["MHA"] >= 10
    if kind(state) == "MHA":
        assert len(bars) == 1
    else:
        cells = bars[kind(state)]
        assert cells >= 1 and abs(cells - bars["MHA"] * own / full) <= 1
    text = plain("heads", dict(state), width, "en")
    assert f"one token keeps: {quantity(own, 'KiB', 4)}" in text


def test_bytes_are_the_registrys() -> None:
    own, full = kept(_state(n_head=32, n_kv_heads=8))
    shape = {"L": 32, "d_head": 128, "p": 2}
    assert own == result("kv_per_token", {"n_kv_heads": 8, **shape})
    assert full == result("kv_per_token", {"n_kv_heads": 32, **shape}) == 4 * own


def test_the_keys_lead_from_mha_to_mqa_and_back() -> None:
    state, seen = _state(), []
    while state not in seen:
        seen.append(state)
        state = FIGURE.press(state, "left")
    assert [kind(one) for one in seen] == ["MHA", "GQA", "GQA", "MQA"]


@pytest.mark.parametrize("hide", ["bytes", "token"])
def test_what_is_asked_is_left_out(hide: str) -> None:
    text = plain("heads", {"n_head": 32, "n_kv_heads": 8, "hide": [hide]}, 120, "en")
    drawn = "\n".join(_drawn(_state(n_head=32, n_kv_heads=8, hide=[hide]), 120))
    for told in ("128 KiB", "cache of a token is"):
        assert told not in text + drawn
    if hide == "token":
        assert "512 KiB" in text and "one token keeps: ?" in text
        assert not re.search(r"GQA  K", drawn), "the bar would tell the share"


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("hide", [[], ["bytes"]])
def test_what_to_notice_follows_the_sharing(lang: Lang, hide: list[str]) -> None:
    pen = Pen(80, 24, lang)
    told = {notice(_state(n_kv_heads=n, hide=hide), pen) for n in (8, 2, 1)}
    assert len(told) == 3
    assert not hide or not any("cache" in text for text in told)


def test_command_lines() -> None:
    lines = [shell.line for shell in FIGURE.commands(_state(n_head=32, n_kv_heads=8))]
    assert lines == [
        "llm-tutor calc kv_per_token n_kv_heads=8 L=32 d_head=128 p=2 unit=KiB",
        "llm-tutor calc kv_per_token n_kv_heads=32 L=32 d_head=128 p=2 unit=KiB",
    ]
    assert len(FIGURE.commands(_state())) == 1
