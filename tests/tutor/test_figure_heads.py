"""FI-5: every query head stands over one K and V row, and the cache of a token shrinks as rows are shared."""

from __future__ import annotations

import re
from itertools import pairwise
from math import prod
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from content.lang import LANGS, Lang
from engine.formulas.registry import result
from engine.units import quantity
from tutor.figures.head_rows import chosen, diagram
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
    drawn = _drawn(_state(hide=["note"]), 40, 15)
    assert [line for line in drawn if line][:12] == [
        "GQA: 4 query heads share one K and V",
        "in  [=== whole, for every head ===]",
        "q    q1  q2  q3  q4  q5  q6  q7  q8",
        "    └──────┬──────┘ └──────┬──────┘",
        "kv  [     kv1     ] [     kv2     ]",
        "out [======== joined again =======]",
        "query heads        8",
        "KV heads           2",
        "smaller than MHA  4x",
        "KV cache of one token, all layers",
        "MHA KKKKKKKKKKKKKKKKKKKKKKKKKKKK 128 KiB",
        "GQA KKKKKKK·····················  32 KiB",
    ]


def test_many_heads_are_the_first_ones_dots_and_the_last_one() -> None:
    drawn = _drawn(_state(n_head=32, n_kv_heads=32, hide=["note", "bytes"]), 52, 14)
    assert drawn[:6] == [
        "MHA: every query head has its own K and V",
        "in  [========= whole, for every head ==========]",
        "q    q1   q2   q3   q4   q5   q6   q7   …   q32",
        "     │    │    │    │    │    │    │         │",
        "kv  kv1  kv2  kv3  kv4  kv5  kv6  kv7   …   kv32",
        "out [============== joined again ==============]",
    ]
    shared = _drawn(_state(n_head=64, n_kv_heads=2, hide=["note", "bytes"]), 52, 14)
    assert shared[2:5] == [
        "q     q1    q2    …    q32   q33   q34    …    q64",
        "    └──────────┬──────────┘ └──────────┬──────────┘",
        "kv  [         kv1         ] [         kv2         ]",
    ]


@given(st.integers(1, 256), st.integers(1, 256), st.integers(4, 90))
@example(6, 2, 4)
@example(8, 4, 4)
def test_heads_are_drawn_in_order_and_left_out_only_where_dots_stand(heads: int, wanted: int, room: int) -> None:
    state = _state(n_head=heads, n_kv_heads=wanted)
    shared = int(str(state["n_kv_heads"]))
    size = heads // shared
    drawn = chosen(heads, shared, room)
    assert sum(len(group.places) or 1 for group in drawn) <= room
    seen = [place for group in drawn for place in group.places if place is not None]
    assert seen == sorted(set(seen)) and seen[0] == 0
    assert all(place // size == group.head for group in drawn for place in group.places if place is not None)
    left_out = any(None in group.places or not group.places for group in drawn)
    assert left_out == (seen != list(range(heads)))
    for before, group in pairwise(drawn):
        assert group.head == before.head + 1 or not before.places
    for group in drawn:
        if None in group.places:
            assert group.places[0] == group.head * size and group.places[-1] == (group.head + 1) * size - 1


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 256), st.integers(1, 256), st.integers(34, 150), st.integers(8, 40), st.booleans())
def test_numbers_are_whole_and_all_fits(heads: int, wanted: int, width: int, height: int, ascii: bool) -> None:
    state = _state(n_head=heads, n_kv_heads=wanted)
    lines = FIGURE.draw(state, width, height, "en", ascii=ascii).plain.split("\n")
    assert max(map(len, lines)) <= width and len(lines) <= height
    rows = [row.content.plain for row in diagram(heads, wanted_of(state), width, 9, Pen(width, 9, "en", ascii))]
    vector, result = (row.rstrip() for row in rows[::4])
    assert len(vector) == len(result) if vector.endswith("]") else len(vector) <= len(result)
    assert all(re.fullmatch(r"q\d+|\.\.\.|…", word) for word in rows[1].split()[1:])


def wanted_of(state: State) -> int:
    return int(str(state["n_kv_heads"]))


@pytest.mark.parametrize("lang", LANGS)
def test_a_tall_window_has_every_arrangement(lang: Lang) -> None:
    lines = FIGURE.draw(_state(n_head=32, n_kv_heads=8), 76, 33, lang).plain.split("\n")
    found = {line[1:7]: line.split()[-2:] for line in lines if re.match(r"[ ▌](MHA|GQA|MQA) ", line)}
    for n in (32, 16, 8, 4, 2, 1):
        own, _ = kept(_state(n_head=32, n_kv_heads=n))
        assert found[f"{kind(_state(n_head=32, n_kv_heads=n))} {n:>2}"] == quantity(own, "KiB", 4).split()
    assert [line[1:7] for line in lines if line.startswith("▌")] == ["GQA  8"]
    asked = FIGURE.draw(_state(n_head=32, n_kv_heads=8, hide=["token"]), 76, 33, lang).plain
    assert "128 KiB" not in asked and "× 8" not in asked


def test_the_product_is_what_the_bytes_are() -> None:
    text = " ".join(_drawn(_state(n_head=32, n_kv_heads=8), 76, 33))
    found = re.search(r"= 2 \(K and V\) × (\d+) KV heads × (\d+) numbers × (\d+) layers × (\d+) bytes", text)
    assert found is not None
    assert 2 * prod(map(int, found.groups())) == kept(_state(n_head=32, n_kv_heads=8))[0]


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
        line[:3]: line.count("K", 4) - line.count("KiB")
        for line in _drawn(state, width, 14)
        if re.match("M.. K|GQA K", line)
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
    state, seen = _state(n_kv_heads=8), []
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
        assert not re.search(r"GQA +\d* ?K", drawn), "the bar would tell the share"


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
    assert len(FIGURE.commands(_state(n_kv_heads=8))) == 1
