"""Figures: every drawing fits, every key works both ways, every number is the engine's, both languages are complete."""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from textual.app import App, ComposeResult

from content.lang import LANGS, Lang
from content.words import has, say
from engine.formulas.registry import result
from engine.units import quantity
from tutor.figures import budget as buckets
from tutor.figures.base import KEYS, Figure
from tutor.figures.keyline import key_line, key_words
from tutor.figures.pen import Pen
from tutor.figures.plain import plain
from tutor.figures.registry import UnknownFigure, get, names
from tutor.figures.rows import apportion, fit
from tutor.figures.state import State, along, put
from tutor.figures.view import FigureView

WIDTHS = (34, 40, 56, 80, 100)
HEIGHTS = (8, 12, 16, 24)
OWN = [[2**n, 2e-3 * (1 + (max(0, 2**n - 150) / 170)), "compute" if n > 8 else "memory"] for n in range(10)]
"""A curve that a reader's own machine may have."""
STATES: dict[str, list[dict[str, Any]]] = {
    "two-buckets": [
        {"N": 13e9, "p_w": 2, "L": 40, "d_model": 5120, "S": 4096, "B": 16, "p": 2, "capacity": "80e9"},
        {"N": 70e9, "B": 256, "S": 131072, "capacity": 16e9, "unit": "GiB"},
        {"S": 60, "reserve_slots": 2048, "B": 37, "N": 7e9, "L": 32, "d_model": 4096, "capacity": 80e9},
        {"hide": ["kv", "free"], "last": "paging"},
        {"hide": ["weights", "kv", "reserved", "free"], "B": 64},
        {"strip": True, "hide": ["note"]},
    ],
    "token-train": [
        {"text": "antidisestablishmentarianism, [b]x[/b] " * 6, "cached": 99},
        {"text": ""},
        {"hide": ["cache"]},
    ],
    "vector-column": [{"d_model": 8}, {"d_model": 8192, "p": "1/2"}, {"d_model": 1, "p": 4}, {"hide": ["name", "KiB"]}],
    "memory-pipe": [{"bits": 4}, {"bits": 32}, {"bits": 1}, {"hide": ["against", "weights"]}],
    "cache-steps": [{"tokens": 1}, {"prompt": 20, "tokens": 119}, {"tokens": 512, "prompt": 1}],
    "heads": [
        {"n_head": 32, "n_kv_heads": 8},
        {"n_head": 64, "n_kv_heads": 1},
        {"n_head": 40, "n_kv_heads": 40},
        {"n_head": 40, "n_kv_heads": 7},
        {"hide": ["bytes"]},
    ],
    "kv-factors": [
        {"L": 40, "d_model": 5120, "n_head": 40, "S": 4096, "B": 16, "p": 2, "unit": "GiB"},
        {"L": 126, "n_head": 128, "n_kv_heads": 8, "S": 131072, "B": 256, "budget": 40e9},
        {"p": "1/2", "S": 1, "L": 1, "n_head": 1, "d_head": 1, "budget": "40e9"},
        {"budget": 40e9, "S": 2048, "hide": ["products", "fits", "sharing"]},
        {"hide": ["p", "width", "two", "L", "S", "B", "products"]},
    ],
    "phases": [
        {"tokens": 8192, "gpu": "T4"},
        {"tokens": 153, "hide": ["ridge", "limit"]},
        {"tokens": 500, "gpu": "H100 SXM 80GB"},
        {"tokens": 40, "p_w": "1/2", "hide": ["times"]},
    ],
    "roofline": [
        {"gpu": "H100 SXM 80GB", "weights": "fp8", "B": 256, "S": 256, "model": "llama-3.1-8b"},
        {"N": 70e9, "gpu": "T4", "P": 32, "hide": ["variants"]},
        {"model": "deepseek-v3", "gpu": "B300 SXM", "weights": "w8a8", "S": 131072, "P": 131072, "p": 1},
        {"gpu": "Apple M2", "model": "llama-3.2-1b", "B": 1, "S": 1, "P": 1, "hide": ["band", "note"]},
    ],
    "ruler": [
        {"b": 8, "value": -0.6, "r_min": -0.6},
        {"b": 2, "outlier": True, "value": 0.45},
        {"b": 6, "hide": ["step", "most"]},
    ],
    "tracks": [
        {"B": 64, "S": 8192},
        {"B": 1, "S": 1},
        {"d_model": 4096, "L": 32, "N": 7e9},
        {"B": 9, "S": 90_000, "hide": ["own"]},
        {"hide": ["weights", "share"]},
    ],
    "map": [
        {"mastery": {"core/C0": 1.0, "core/C1": "started", "core/C2": 0.4}, "at": "choice"},
        {"folded": ["token", "nonsense"], "at": "heads"},
    ],
    "block-grid": [
        {"used": 2048, "bs": 1},
        {"used": 60, "hide": ["waste", "unused", "blocks", "slots", "slack", "most"]},
        {"used": 1, "bs": 128},
        {"used": 131072, "max_len": 131072},
    ],
    "decode-curve": [
        {"own": {"card": "[b]NVIDIA[/b] H200", "points": OWN, "knee": [171, 150, 192]}, "batch": 256},
        {"own": {"card": "a processor", "points": OWN[:1], "demonstration": True}, "example": True},
        {"points": [[1, 0.5], [8, "0.6"]], "own": {"points": [[0, 1]]}},
    ],
    "batching-timeline": [{"mode": "continuous"}, {"lengths": [120] * 26, "slots": 2}, {"lengths": [1], "slots": 6}],
}


def _states(name: str) -> list[State]:
    return [get(name).defaults(), *(get(name).defaults(given) for given in STATES[name])]


def _check_lines(figure: Figure, state: State, width: int, height: int, lang: Lang, ascii: bool) -> None:
    text = figure.draw(state, width, height, lang, ascii=ascii).plain
    lines = text.split("\n")
    assert max(map(len, lines)) <= width, (figure.name, state, width, text)
    assert len(lines) <= height, (figure.name, state, width, height, text)
    assert not ascii or text.isascii(), (figure.name, text)


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("lang", LANGS)
def test_every_drawing_fits_its_room(name: str, lang: Lang) -> None:
    """Every state in every room and language; each second drawing in ASCII, the other way round from state to state."""
    for number, state in enumerate(_states(name), LANGS.index(lang)):
        for column, width in enumerate(WIDTHS, number):
            for turn, height in enumerate(HEIGHTS, column):
                _check_lines(get(name), state, width, height, lang, ascii=bool(turn % 2))


@pytest.mark.parametrize("name", names())
def test_drawings_fit_wherever_the_keys_lead(name: str) -> None:
    figure, wander = get(name), random.Random(name)
    for state in _states(name):
        for _ in range(40):
            state = figure.press(state, wander.choice(figure.keys).action)
            _check_lines(
                figure,
                state,
                wander.randint(34, 100),
                wander.randint(8, 24),
                wander.choice(LANGS),
                wander.random() < 0.5,
            )


@pytest.mark.parametrize("name", names())
def test_a_drawing_is_the_same_every_time(name: str) -> None:
    figure = get(name)
    for state in _states(name):
        copy = dict(state)
        assert figure.draw(state, 56, 20, "en") == figure.draw(copy, 56, 20, "en")
        assert state == copy


@pytest.mark.parametrize("name", names())
def test_every_key_changes_something_somewhere(name: str) -> None:
    figure = get(name)
    for key in figure.keys:
        reached = [
            state
            for start in _states(name)
            for state in (start, *(figure.press(start, other.action) for other in figure.keys))
        ]
        assert any(key.change(state) != state for state in reached), (name, key.action)


def written(state: State) -> str:
    """A state as a text, to be looked for among thousands."""
    return repr(sorted(state.items()))


@pytest.mark.parametrize("name", names())
def test_a_key_pressed_for_ever_clamps_or_comes_round(name: str) -> None:
    figure = get(name)
    for key in figure.keys:
        state, seen = figure.defaults(), set[str]()
        while (now := written(state)) not in seen and len(seen) < 9000:
            seen.add(now)
            state = key.change(state)
        assert written(state) in seen, (name, key.action)


@pytest.mark.parametrize("name", [n for n in names() if n != "map"])
@pytest.mark.parametrize(("there", "back"), [("right", "left"), ("up", "down"), ("left", "right"), ("down", "up")])
def test_arrows_take_each_other_back(name: str, there: str, back: str) -> None:
    figure = get(name)
    apart = {
        "batching-timeline": {"mode": "static" if there == "right" else "continuous"},
        "cache-steps": {"tokens": 14},
    }
    start = figure.defaults(apart.get(name))
    moved = figure.press(start, there)
    if moved != start:
        assert figure.draw(figure.press(moved, back), 56, 20, "en") == figure.draw(start, 56, 20, "en")


def test_levers_switches_and_units_take_themselves_back() -> None:
    for name, actions in (("two-buckets", ("first", "second", "third", "fourth", "unit")), ("ruler", ("switch",))):
        figure = get(name)
        for action in actions:
            twice = figure.press(figure.press(figure.defaults(), action), action)
            assert (
                put(twice, last="") == put(figure.defaults(), last="")
                if "last" in twice
                else twice == figure.defaults()
            )


def test_keys_are_known_distinct_and_never_only_a_bracket() -> None:
    for name in names():
        used = [key for k in get(name).keys for key in (k.key, k.twin)]
        assert len(used) == len(set(used))
        assert all(k.action in KEYS for k in get(name).keys)


# --- words -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", names())
def test_title_and_key_labels_have_words(name: str) -> None:
    assert has(f"figures.title.{name}")
    for lang in LANGS:
        assert all(text for _, text in key_words(get(name), lang))
        assert all(line.cell_length <= 34 for line in key_line(get(name), 34, lang))
        assert all(line.plain.isascii() for line in key_line(get(name), 34, lang, ascii=True))


def _texts(table: Any, path: str = "") -> Iterator[tuple[str, dict[str, str]]]:
    for key, value in table.items():
        if "en" in value:
            yield f"{path}{key}", value
        else:
            yield from _texts(value, f"{path}{key}.")


def test_both_languages_say_everything_with_the_same_placeholders() -> None:
    from content.files import shipped
    from content.words import placeholders

    for key, text in _texts(shipped("words/figures.toml")):
        assert set(text) == {"en", "hi-Latn"}, key
        assert sorted(placeholders(text["en"])) == sorted(placeholders(text["hi-Latn"])), key


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("lang", LANGS)
def test_plain_says_every_number_without_the_drawing(name: str, lang: Lang) -> None:
    for state in ({}, *STATES[name]):
        text = plain(name, state, 60, lang)
        assert text.startswith(say(f"figures.title.{name}", lang))
        assert not set(text) & set("│┌└█▒░▲▼")
        assert len(text.split("\n")) >= 3
    assert plain(name, {}, 60, lang, ascii=True).isascii()


# --- numbers ---------------------------------------------------------------------------------------------------------

L4 = {"N": 13e9, "p_w": 2, "L": 40, "d_model": 5120, "S": 4096, "B": 16, "p": 2, "capacity": "80e9"}


def _said(name: str, given: dict[str, Any] | None = None) -> str:
    return plain(name, given or {}, 80, "en")


def test_the_card_of_level_4() -> None:
    text = _said("two-buckets", L4)
    assert "weights: 26 GB" in text
    assert "KV in use: 53.69 GB" in text
    assert "free: 0.3129 GB" in text
    assert "KV reserved, empty: 0 GB" in text


def test_overflow_is_told_in_four_digits() -> None:
    money = buckets.budget(get("two-buckets").defaults({**L4, "B": 17}))
    assert -money.free == Fraction("3042534400")
    assert "does not fit: 3.043 GB" in _said("two-buckets", {**L4, "B": 17})
    assert "does not fit: 1.274 GB" in _said(
        "two-buckets", {"N": 7e9, "L": 32, "d_model": 4096, "S": 1024, "B": 21, "capacity": 24e9}
    )
    assert "reverse" in str(get("two-buckets").draw(get("two-buckets").defaults({**L4, "B": 17}), 56, 16, "en").spans)


def test_budget_is_the_registry_and_adds_up() -> None:
    for state in _states("two-buckets"):
        money = buckets.budget(state)
        assert money.weights == result("weights", {"N": state["N"], "p_w": state["p_w"]})  # type: ignore[dict-item]
        assert money.weights + money.used + money.reserved + money.free == money.capacity
        assert money.reserved >= 0


def test_each_lever_moves_its_own_bucket_only() -> None:
    figure = get("two-buckets")
    start = figure.defaults()
    before = buckets.budget(start)
    paged, int4, fp8, joined = (buckets.budget(figure.press(start, a)) for a in ("first", "second", "third", "fourth"))
    assert (paged.weights, paged.used, paged.reserved) == (before.weights, before.used, Fraction(0))
    assert (int4.weights, int4.used, int4.reserved) == (before.weights / 4, before.used, before.reserved)
    assert (fp8.weights, fp8.used, fp8.reserved) == (before.weights, before.used / 2, before.reserved / 2)
    assert joined == before


def test_hidden_amounts_stay_hidden() -> None:
    text = _said("two-buckets", {**L4, "hide": ["kv", "free"]})
    assert "KV in use: ?" in text
    assert "53.69" not in text
    assert "0.3129" not in text


def test_an_exercise_keeps_its_answers_to_itself() -> None:
    every = ["waste", "unused", "blocks", "slots", "slack", "most"]
    grid = _said("block-grid", {"used": 120, "hide": every})
    assert not [n for n in ("94.14", "1928", "8 blocks", "128", "15", "6.25") if n in grid]
    assert "K used: 120   r reserved, unused: ?" in grid
    ruler = _said("ruler", {"r_min": -0.6, "r_max": 0.9, "hide": ["step", "error", "most"]})
    assert "0.1" not in ruler.replace("0.17", "")
    assert "4x" not in _said("memory-pipe", {"bits": 4, "hide": ["against"]})
    assert "memory-bound" not in _said("phases", {"hide": ["limit"]})
    assert "153" not in _said("phases", {"hide": ["ridge"]})


def test_a_lesson_leaves_out_what_comes_later() -> None:
    figure = get("token-train")
    state = figure.defaults({"hide": ["cache"], "cached": 2})
    assert "kv" not in figure.draw(state, 56, 20, "en").plain
    assert figure.press(state, "right") == state
    assert "cache" not in " ".join(text for _, text in key_words(figure, "en", state=state))
    assert figure.press(figure.defaults(), "right") != figure.defaults()
    assert "KiB" not in _said("heads", {"hide": ["bytes"]}) + _said("vector-column", {"hide": ["KiB"]})
    assert "FP16" not in _said("vector-column", {"hide": ["name"]})


def test_another_example_is_told_as_such() -> None:
    for name in names():
        assert "Another example" in _said(name, {"other": True})
        assert "Another example" not in _said(name)


def test_idle_time_is_told_where_batching_is_the_topic_or_there_is_room() -> None:
    figure = get("two-buckets")
    for strip in ({}, {"strip": True}):
        assert ("idle" in figure.draw(figure.defaults(strip), 76, 14, "en").plain) == bool(strip)
        assert "34.4 % idle" in figure.draw(figure.defaults(strip), 76, 16, "en").plain
    assert "idle" not in _said("two-buckets", {"hide": ["total"]}), "beside what is asked only where it is the topic"
    pulled = figure.press(figure.defaults(), "fourth")
    assert "idle" in figure.draw(pulled, 60, 30, "en").plain


def test_idle_time_is_that_of_the_figure_about_slots() -> None:
    """Two examples of eight requests with other numbers would look like a mistake in one of them."""
    slots, buckets = get("batching-timeline"), get("two-buckets").defaults({"strip": True})
    for mode, state in (("static", buckets), ("continuous", get("two-buckets").press(buckets, "fourth"))):
        (idle,) = re.findall(r"([\d.]+ %) idle", get("two-buckets").draw(state, 76, 24, "en").plain)
        assert idle in slots.draw(slots.defaults({"mode": mode}), 76, 24, "en").plain


def test_the_first_step_explains_no_sign_that_is_not_drawn() -> None:
    figure = get("cache-steps")
    first, later = (figure.draw(figure.defaults({"tokens": n}), 76, 24, "en").plain for n in (4, 5))
    assert "are kept" not in first and "From step 2 on" in first
    assert "k one whose k and v are kept" in later and "kkkk█" in later


@settings(max_examples=60, deadline=None)
@given(st.fractions(-2, 0), st.fractions(Fraction(1, 10), 3), st.integers(2, 8), st.fractions(0, 1), st.booleans())
def test_zero_is_a_mark_and_no_value_is_further_than_half_a_step(
    low: Fraction, width: Fraction, bits: int, share: Fraction, outlier: bool
) -> None:
    from tutor.figures.snapping import snap

    high = low + max(width, -low)
    value = low + share * (high - low)
    given_ = {"r_min": low, "r_max": high, "b": bits, "outlier": outlier}
    found = snap(get("ruler").defaults({**given_, "value": value}))
    assert found.error <= found.step / 2
    assert snap(get("ruler").defaults({**given_, "value": 0})).landed == 0


def test_a_value_near_zero_is_lost_once_an_outlier_stretches_the_ruler() -> None:
    assert "0.08 lands on 0;" in _said("ruler", {"b": 4, "value": 0.08, "outlier": True})
    assert "0.17 lands on 0.15;" in _said("ruler", {"b": 4, "value": 0.17})


def test_tokens_double_and_halve() -> None:
    figure = get("phases")
    state = figure.defaults({"tokens": 500})
    assert [figure.press(state, action)["tokens"] for action in ("right", "left")] == [1000, 250]
    assert figure.press(figure.defaults({"tokens": 8000}), "right")["tokens"] == 8192
    assert figure.press(figure.defaults({"tokens": 1}), "left")["tokens"] == 1


def test_gib_is_binary() -> None:
    assert f"KV in use: {quantity(Fraction(50 * 2**30), 'GiB', 4)}" in _said("two-buckets", {**L4, "unit": "GiB"})


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        ("vector-column", {"d_model": 5120}, ["= 10,240 bytes", "= 10 KiB"]),
        ("cache-steps", {"prompt": 20, "tokens": 119}, ["with cache: 119", "without: 6950"]),
        ("cache-steps", {"tokens": 4}, ["with cache: 4", "without: 4"]),
        (
            "heads",
            {"n_head": 32, "n_kv_heads": 8},
            ["GQA: 4 query heads", "one token keeps: 128 KiB", "with MHA it keeps: 512 KiB"],
        ),
        ("kv-factors", {"S": 2048}, ["one token, 524 KB", "one request, 1.07 GB"]),
        ("kv-factors", {"S": 2048, "budget": "40e9"}, ["37 whole requests fit, 0.2716 GB left over"]),
        ("memory-pipe", {"bits": 4}, ["speed, 16-bit = 1x: 4x", "weights of 7B: 3.5 GB"]),
        (
            "ruler",
            {"b": 4, "r_min": -0.6, "r_max": 0.9, "value": 0.33},
            ["marks (codes): 16", "gaps: 15", "step: one gap, 0.1", "error now: 0.03", "largest error: 0.05"],
        ),
        ("ruler", {"b": 8, "r_min": -0.6, "r_max": 0.9}, ["marks (codes): 256", "step: one gap, 0.005882"]),
        (
            "tracks",
            {"B": 16},
            ["weights per request: 0.875 GB", "KV of one request: 0.524 GB", "one step reads: 22.4 GB"],
        ),
        (
            "block-grid",
            {"used": 120},
            ["94.14 % unused", "6.25 % unused", "8 blocks = 128 slots", "8 unused in the last block; 15 at most"],
        ),
        ("block-grid", {"used": 60}, ["97.07 % unused", "4 blocks = 64 slots"]),
        ("batching-timeline", {"lengths": [20, 50, 80, 200]}, ["120 steps, idle 210 of 480, 43.8 %"]),
        ("phases", {"tokens": 1}, ["ridge: 153 FLOP/byte", "read: 6.87 ms", "memory-bound"]),
        ("phases", {"tokens": 500}, ["compute-bound"]),
        ("phases", {"tokens": 153, "gpu": "A100 SXM 80GB"}, ["Both take the same time."]),
    ],
)
def test_numbers_of_the_course(name: str, given: dict[str, Any], expected: list[str]) -> None:
    text = _said(name, given)
    assert [part for part in expected if part not in text] == []


def test_map_marks_mastery_and_opens_the_lesson() -> None:
    from tutor.figures.course_map import target

    figure = get("map")
    text = _said("map", {"mastery": {"core/C0": 1, "core/C2": "started"}})
    assert "token (C0): read" in text
    assert "KV formula (C2): begun" in text
    assert "PagedAttention (C3): new" in text
    assert target(figure.defaults({"at": "paging"})) == "core/C3"
    folded = figure.press(figure.defaults(), "left")
    assert "(+9)" in figure.draw(folded, 56, 24, "en").plain
    assert figure.press(folded, "right") == figure.defaults()


def test_map_fits_the_lessons_of_the_course() -> None:
    from tutor.figures.prerequisites import NODES

    assert {node.lesson for node in NODES} == {f"core/C{n}" for n in range(7)}
    assert all(later.depth <= node.depth + 1 for node, later in pairwise(NODES))


# --- parts -----------------------------------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 10**12), min_size=1, max_size=6), st.integers(1, 120))
def test_cells_sum_to_the_width_and_show_what_exists(amounts: list[int], cells: int) -> None:
    counts = apportion(amounts, cells)
    assert sum(counts) == (cells if any(amounts) else 0)
    assert all(count == 0 for count, amount in zip(counts, amounts, strict=True) if not amount)
    if cells >= 2 * len(amounts):
        assert all(count for count, amount in zip(counts, amounts, strict=True) if amount)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 300), st.integers(1, 200_000), st.sampled_from([16, 24, 80, 192]), st.integers(34, 100))
def test_the_bar_fills_its_width_whatever_lies_on_the_card(requests: int, tokens: int, card: int, width: int) -> None:
    figure = get("two-buckets")
    state = figure.defaults({"B": requests, "S": tokens, "capacity": card * 10**9})
    bar = figure.draw(state, width, 16, "en").plain.split("\n")[1]
    assert len(bar) == width


@given(st.lists(st.integers(-50, 50), min_size=1, unique=True).map(sorted), st.integers(-60, 60))
def test_a_ladder_moves_strictly_or_not_at_all(ladder: list[int], value: int) -> None:
    up, down = along(ladder, Fraction(value), 1), along(ladder, Fraction(value), -1)
    assert up == value >= ladder[-1] or (up in ladder and up > value)
    assert down == value <= ladder[0] or (down in ladder and down < value)


def test_rows_leave_by_rank_and_together() -> None:
    pen = Pen(40, 8, "en")
    rows = [pen.row("a"), pen.row("b", rank=2), pen.row("c", rank=5), pen.row("d", rank=5)]
    assert [row.plain for row in fit(rows, 4)] == ["a", "b", "c", "d"]
    assert [row.plain for row in fit(rows, 3)] == ["a", "b"]
    assert [row.plain for row in fit(rows, 0)] == ["a"]


def test_what_an_author_writes_wrong_is_told() -> None:
    with pytest.raises(UnknownFigure) as caught:
        get("two-bucket")
    assert caught.value.close == ("two-buckets",)
    assert get("heads").unknown({"n_head": 8, "colour": 1}) == ("colour",)
    assert get("two-buckets").unknown({"d_model": 8, "max_len": 1}) == ()
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("heads", {"n_head": "many"}),
        ("heads", {"p": "1/0"}),
        ("ruler", {"r_max": -1}),
        ("phases", {"gpu": "no such card"}),
    ]
    for name, state in wrong:
        with pytest.raises(ValueError, match="="):
            get(name).defaults(state)


# --- the widget ------------------------------------------------------------------------------------------------------


class _Stage(App[None]):
    def __init__(self, *views: FigureView, lang: Lang = "en", ascii: bool = False) -> None:
        super().__init__()
        self.views = views
        self.session = SimpleNamespace(language=lang, settings=SimpleNamespace(ascii=ascii))
        self.heard: list[object] = []

    def compose(self) -> ComposeResult:
        yield from self.views

    def on_figure_view_changed(self, message: FigureView.Changed) -> None:
        self.heard.append(message.state)

    def on_figure_view_chosen(self, message: FigureView.Chosen) -> None:
        self.heard.append(message.target)


async def test_view_answers_keys_twins_and_reset() -> None:
    view = FigureView("cache-steps", {"tokens": 4})
    app = _Stage(view)
    async with app.run_test(size=(60, 24)) as pilot:
        view.focus()
        await pilot.press("right", "l", "left")
        assert view.state["tokens"] == 5
        await pilot.press("r")
        assert view.state == view.first
        assert [state["tokens"] for state in app.heard] == [5, 6, 5, 4]  # type: ignore[index]
        await pilot.press("left")
        assert len(app.heard) == 4


async def test_view_leaves_keys_that_it_lacks_to_the_screen() -> None:
    view = FigureView("memory-pipe")
    async with _Stage(view).run_test(size=(60, 24)) as pilot:
        view.focus()
        await pilot.pause()
        assert view.check_action("press", ("right",)) is False
        assert view.check_action("press", ("down",)) is True


async def test_map_view_opens_a_lesson() -> None:
    view = FigureView("map", {"at": "paging"})
    app = _Stage(view)
    async with app.run_test(size=(60, 24)) as pilot:
        view.focus()
        await pilot.press("enter")
        assert app.heard == ["core/C3"]


@pytest.mark.parametrize("size", [(40, 14), (60, 20), (80, 24), (120, 40)])
@pytest.mark.parametrize("lang", LANGS)
async def test_view_fits_the_screen_and_follows_a_resize(size: tuple[int, int], lang: Lang) -> None:
    view = FigureView("two-buckets", rows=size[1] - 3)
    async with _Stage(view, lang=lang).run_test(size=size) as pilot:
        await pilot.pause()
        _check_view(view)
        await pilot.resize_terminal(100, 30)
        await pilot.pause()
        _check_view(view)


def _check_view(view: FigureView) -> None:
    lines = view.render().plain.split("\n")
    assert max(map(len, lines)) <= view.content_size.width
    assert len(lines) == view.content_size.height


async def test_view_speaks_the_language_of_the_session_and_changes_it_in_place() -> None:
    view = FigureView("two-buckets")
    app = _Stage(view)
    async with app.run_test(size=(80, 24)) as pilot:
        view.focus()
        await pilot.press("1")
        state = view.state
        assert "KV reserved, empty" in view.render().plain
        app.session.language = "hi-Latn"
        view.retell()
        await pilot.pause()
        assert "reserve, khaali" in view.render().plain
        assert str(view.border_title) == say("figures.title.two-buckets", "hi-Latn")
        assert view.state == state


async def test_a_lever_glides_to_rest_and_motion_off_does_not() -> None:
    for level in ("full", "none"):
        view = FigureView("two-buckets")
        app = _Stage(view)
        async with app.run_test(size=(80, 24)) as pilot:
            app.animation_level = level
            view.focus()
            at_rest = view.figure.draw(view.figure.press(view.state, "first"), *view.content_size, "en").plain.split(
                "\n"
            )
            view.action_press("first")
            drawn = view.render().plain.split("\n")
            assert (drawn[1] == at_rest[1]) == (level == "none")
            free = [line for line in at_rest if line.startswith(" ·  free")]
            assert free and set(free) <= set(drawn), "the numbers are the new ones at once"
            for _ in range(200):  # a quarter of a second, more on a busy machine
                if view.render().plain.split("\n")[1] == at_rest[1]:
                    break
                await pilot.pause(0.05)
            assert view.render().plain.split("\n")[1] == at_rest[1]
            assert "bar" not in view.state


async def test_view_in_ascii() -> None:
    view = FigureView("block-grid")
    async with _Stage(view, ascii=True).run_test(size=(60, 24)) as pilot:
        await pilot.pause()
        assert view.render().plain.isascii()
        assert view.has_class("-ascii")


# --- the course ------------------------------------------------------------------------------------------------------


def _course_figures(value: object) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if isinstance(value.get("figure"), dict):
            yield value["figure"]
        for inner in value.values():
            yield from _course_figures(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _course_figures(inner)


def test_every_figure_of_the_course_exists_and_knows_its_state() -> None:
    import content

    for path in sorted((Path(content.__file__).parent / "course").rglob("*.toml")):
        for figure in _course_figures(tomllib.loads(path.read_text("utf-8"))):
            state = figure.get("state", {})
            assert get(figure["name"]).unknown(state) == (), (path.name, figure)
            get(figure["name"]).defaults(state)
