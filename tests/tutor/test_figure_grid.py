"""FI-10, the block grid: slots drawn are slots computed, and what an exercise asks for is nowhere."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from content.lang import LANGS, Lang
from engine.formulas.registry import result
from tutor.figures.block_grid import SIZES, blocks_of
from tutor.figures.block_rows import _places
from tutor.figures.pen import Pen
from tutor.figures.plain import plain
from tutor.figures.registry import get
from tutor.figures.state import State

FIGURE = get("block-grid")
EVERY = ("waste", "unused", "blocks", "slots", "slack", "most")
WIDTHS = st.sampled_from([34, 40, 60, 80, 100, 120])


@st.composite
def loads(draw: st.DrawFn) -> dict[str, Any]:
    most = draw(st.integers(1, 20_000))
    return {"max_len": most, "used": draw(st.integers(1, most)), "bs": draw(st.sampled_from([*SIZES, 3, 100]))}


def state(**given: Any) -> State:
    return FIGURE.defaults(given)


def lines(of: State, width: int, height: int, lang: Lang = "en", *, ascii: bool = False) -> list[str]:
    return [line.rstrip() for line in FIGURE.draw(of, width, height, lang, ascii=ascii).plain.split("\n")]


def told(of: State, lang: Lang = "en") -> str:
    assert FIGURE.notice is not None
    return FIGURE.notice(of, Pen(80, 24, lang))


def test_the_idea_beside_a_lesson() -> None:
    assert lines(state(used=45, bs=8, max_len=1024), 56, 24)[:11] == [
        "one row: 1024                             95.61 % unused",
        "│KKrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr│",
        "K used: 45   r reserved, unused: 979",
        "",
        "blocks of 8                                6.25 % unused",
        "│KKr···················································│",
        "976 stay free: 21.3x as many requests",
        "[KKKK][KKKK][KKKK][KKKK][KKKK][KKKr]",
        "45 / 8 → 6 blocks = 48 slots",
        "last [KKKKKrrr]",
        "3 unused in the last block; 7 at most",
    ]


def test_the_smallest_window_keeps_both_shares_and_the_slack() -> None:
    assert lines(state(), 34, 8, ascii=True) == [
        "one row: 2048       87.79 % unused",
        "|KKKKrrrrrrrrrrrrrrrrrrrrrrrrrrrr|",
        "blocks of 16        2.344 % unused",
        "KKKKKKKKKKKKKKKk",
        "250 / 16 -> 16 blocks = 256 slots",
        "last [KKKKKKKKKKrrrrrr]",
        "6 unused in the last block; 15 at",
        "most",
    ]


@settings(max_examples=100, deadline=None)
@given(loads(), WIDTHS)
def test_both_rows_have_one_scale_and_show_what_exists(load: dict[str, Any], width: int) -> None:
    naive, paged = [line for line in lines(state(**load), width, 60) if line.startswith("│")]
    slots = int(result("slots", {"used": load["used"], "bs": load["bs"]}))
    used, most, slack = load["used"], load["max_len"], slots - load["used"]
    whole = max(most, slots)
    for line, parts in (
        (naive, {"K": used, "r": most - used}),
        (paged, {"K": used, "r": slack, "·": max(0, most - slots)}),
    ):
        for sign, amount in parts.items():
            drawn = line.count(sign)
            assert (drawn > 0) == (amount > 0), (sign, line)
            assert abs(drawn - (width - 2) * amount / whole) < 3, (sign, line)
    assert len(paged) == width
    assert abs(naive.count("K") - paged.count("K")) <= 1


@settings(max_examples=100, deadline=None)
@given(loads(), WIDTHS, st.integers(8, 40))
def test_blocks_drawn_are_blocks_computed(load: dict[str, Any], width: int, height: int) -> None:
    blocks = blocks_of(state(**load))
    assert blocks.number == result("blocks", {"used": load["used"], "bs": load["bs"]})
    drawn = lines(state(**load), width, 60 if height > 30 else height)
    one_by_one = [line for line in drawn if re.fullmatch(r"(\[[Kr]+\])+", line)]
    compact = [
        match[1]
        for line in drawn
        if (match := re.fullmatch(r"(K+k?|k)(   K: full block(, k: last, not full)?)?", line))
    ]
    more = [
        int(match[1].replace(",", "")) for line in drawn if (match := re.fullmatch(r"and ([\d,]+) blocks? more", line))
    ]
    if blocks.number == 1:
        assert not one_by_one and any(line.startswith("the only block [") for line in drawn), "drawn once"
    elif one_by_one:
        assert sum(line.count("[") for line in one_by_one) == blocks.number
        assert sum(re.fullmatch(r"\[K+\]", block) is not None for block in re.findall(r"\[[^]]+\]", one_by_one[0])) == (
            blocks.full
        )
    elif compact or more:
        assert sum(map(len, compact)) + sum(more) == blocks.number
        if not more:
            assert "".join(compact).count("k") == (blocks.slack > 0)


@settings(max_examples=60, deadline=None)
@given(loads())
def test_the_last_block_is_drawn_slot_by_slot(load: dict[str, Any]) -> None:
    of = state(**{**load, "bs": min(load["bs"], 64)})
    blocks = blocks_of(of)
    last = next(line for line in lines(of, 90, 60) if line.startswith(("last [", "the only block [")))
    last = last[: last.index("]")]
    assert (last.count("K"), last.count("r")) == (blocks.size - blocks.slack, blocks.slack)


@given(st.integers(1, 200), st.integers(100, 500))
def test_no_two_blocks_lie_in_one_place(count: int, total: int) -> None:
    count = min(count, total)
    places = _places(count, total)
    assert len(set(places)) == count and all(0 <= place < total for place in places)


def test_the_memory_holds_each_block_once_and_the_table_tells_where() -> None:
    drawn = lines(state(used=45, bs=8), 71, 40)
    top = drawn.index("places in memory (K: full block, k: last, not full, o: other requests)")
    memory = "".join(line.ljust(48) for line in drawn[top + 1 : top + 4])
    assert (memory.count("K"), memory.count("k")) == (5, 1)
    table = {int(a): int(b) for a, b in re.findall(r"(\d+)→(\d+)", " ".join(drawn[top + 4 : top + 6]))}
    assert set(table) == set(range(1, 7)) - {5}, "the first and the last"
    assert all(memory[place] in "Kk" for place in table.values()) and memory[table[6]] == "k"
    assert sorted(table.values()) != list(table.values()), "not one after the other"


def test_where_the_blocks_lie_does_not_hang_on_the_window() -> None:
    tables = {
        re.search(r"(1→.*16→\d+)", " ".join(" ".join(drawn).split()))[1]  # type: ignore[index]
        for drawn in (lines(state(), width, 40) for width in (40, 60, 75, 80, 94))
    }
    assert len(tables) == 1 and tables.pop() in plain("block-grid", {}, 80, "en")
    assert "in memory" not in plain("block-grid", {}, 80, "en"), "nothing is drawn there"


@pytest.mark.parametrize("lang", LANGS)
def test_blocks_longer_than_the_row_are_called_worse(lang: Lang) -> None:
    worse, better = told(state(bs=4096), lang), told(state(bs=64), lang)
    assert "3846" in worse and "1798" in worse and "3846" not in better
    assert told(state(used=2048, bs=4096), lang) != told(state(used=2048, bs=16), lang)


@pytest.mark.parametrize("lang", LANGS)
def test_what_to_notice_follows_the_last_block(lang: Lang) -> None:
    states = [
        state(used=250),
        state(used=256),
        state(used=257),
        state(used=2048),
        state(used=250, bs=1),
        state(used=250, hide=["waste"]),
    ]
    assert len({told(of, lang) for of in states}) == len(states)
    assert "6" in told(states[0], lang) and "1798" in told(states[0], lang)
    assert "15" in told(states[2], lang)


def test_one_token_more_takes_one_block_more_only_when_the_last_is_full() -> None:
    before = blocks_of(state(used=256)).number
    assert [blocks_of(FIGURE.press(state(used=n), "right")).number - before for n in (255, 256, 257)] == [0, 1, 1]


@settings(max_examples=100, deadline=None)
@given(st.integers(50, 300), st.sampled_from([8, 16, 32]), st.sampled_from([40, 60, 100, 120]), st.sampled_from(LANGS))
def test_an_exercise_keeps_every_answer(used: int, size: int, width: int, lang: Lang) -> None:
    of = state(used=used, bs=size, max_len=4096, hide=list(EVERY))
    blocks = blocks_of(of)
    drawn = "\n".join(lines(of, width, 60, lang)) + "\n" + plain("block-grid", dict(of), width, lang)
    numbers = {int(found.replace(",", "")) for found in re.findall(r"\d[\d,]*", drawn)}
    assert numbers <= {used, size, 4096}
    rows = [line for line in lines(of, width, 60, lang) if line.startswith("[")]
    room = max(1, (width - 2) // (size + 2))
    assert [row.count("[") for row in rows] == [min(2, blocks.full, room)] and rows[0].endswith("…")
    assert all(len(block) == size for block in re.findall(r"\[(K+)\]", rows[0])), "a letter for each slot"
    assert "r]" not in drawn and "→1" not in drawn and "·" not in drawn
    assert FIGURE.commands(of) == []


@pytest.mark.parametrize("part", EVERY)
def test_one_hidden_number_is_shown_as_a_question(part: str) -> None:
    open, shut = state(used=120), state(used=120, hide=[part])
    shown = {
        "waste": "94.14 %",
        "unused": "1928",
        "blocks": "8 blocks",
        "slots": "128 slots",
        "slack": "8 unused in",
        "most": "15 at most",
    }[part]
    assert shown in "\n".join(lines(open, 80, 60))
    drawn = "\n".join(lines(shut, 80, 60))
    assert shown not in drawn and "?" in drawn
    told_by_commands = " ".join(shell.line for shell in FIGURE.commands(shut))
    named = {"waste": "_waste", "unused": "unused_slots", "blocks": "blocks", "slack": "wasted_slots", "most": "worst"}
    assert part not in named or named[part] not in told_by_commands


def test_the_commands_give_the_numbers() -> None:
    found = [shell.line for shell in FIGURE.commands(state(used=120))]
    assert found[:3] == [
        "llm-tutor calc paged_waste used=120 bs=16",
        "llm-tutor calc naive_waste max_len=2048 used=120",
        "llm-tutor calc blocks used=120 bs=16",
    ]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("used", [1, 250, 2048])
def test_of_blocks_is_spoken_only_where_they_are_drawn(used: int, lang: Lang) -> None:
    of = state(used=used, hide=["paged"])
    said = FIGURE.notice(of, Pen(80, 24, lang))
    assert "block" not in " ".join(lines(of, 80, 24, lang)) and "block" not in said
    assert "2048" in said
