"""The two buckets: cells and amounts are the engine's, levers help or say why not, nothing hidden is told anywhere."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from content.lang import LANGS, Lang
from content.words import say
from engine.formulas.registry import result
from engine.units import grouped, number, quantity
from tests.tutor.command import Tutor
from tutor.figures import bucket_notice, budget, card, sizes
from tutor.figures.pen import Pen
from tutor.figures.plain import plain
from tutor.figures.registry import get
from tutor.figures.state import State, put
from tutor.figures.view import FigureView

FIGURE = get("two-buckets")
L4 = {"N": 13e9, "p_w": 2, "L": 40, "d_model": 5120, "S": 4096, "B": 16, "p": 2, "capacity": 80e9}
QUICK = settings(max_examples=60, deadline=None)


@st.composite
def states(draw: st.DrawFn) -> State:
    """States that keys and typing reach: models, loads, cards, levers, units."""
    heads = draw(st.sampled_from((8, 32, 40, 64)))
    return FIGURE.defaults({
        "N": draw(st.integers(10**8, 4 * 10**11)),
        "p_w": draw(st.sampled_from(("1/2", 1, 2, 4))),
        "L": draw(st.integers(1, 120)),
        "n_head": heads,
        "n_kv_heads": draw(st.sampled_from((1, 8, heads))),
        "d_head": draw(st.sampled_from((64, 128, 256))),
        "S": draw(st.integers(1, 200_000)),
        "B": draw(st.integers(1, 2000)),
        "p": draw(st.sampled_from(("1/2", 1, 2))),
        "capacity": draw(st.sampled_from((16, 24, 40, 80, 141, 192))) * 10**9,
        "reserve_slots": draw(st.sampled_from((0, 2048, 131_072))),
        "paging": draw(st.sampled_from(("off", "on"))),
        "batching": draw(st.sampled_from(("static", "continuous"))),
        "strip": draw(st.booleans()),
        "unit": draw(st.sampled_from(("GB", "GiB"))),
        "last": draw(st.sampled_from(("", *budget.LEVERS))),
    })  # fmt: skip


def frame(state: State, width: int, height: int = 30) -> tuple[str, str, str]:
    """The card as drawn: its cells inside the frame, those outside, and its lower edge."""
    lines = FIGURE.draw(state, width, height, "en").plain.split("\n")
    inside, outside = lines[1][1:].split("│")
    return inside, outside, next(line for line in lines if line.startswith("└"))


# --- cells and amounts -----------------------------------------------------------------------------------------------


@QUICK
@given(states(), st.integers(34, 160))
def test_cells_fill_the_bar_and_everything_that_exists_is_seen(state: State, width: int) -> None:
    money = budget.budget(state)
    inside, outside, _ = frame(state, width)
    cells = inside + outside
    assert len(cells) == width - 2
    assert bool(outside) == (money.free < 0)
    amounts = {"W": money.weights, "K": money.used, "r": money.reserved, "·": max(Fraction(0), money.free)}
    for letter, amount in amounts.items():
        assert bool(cells.count(letter)) == bool(amount), (letter, cells)
    assert re.fullmatch("W*K*r*·*>?", cells)
    assert "·" not in outside


@QUICK
@given(states(), st.integers(60, 160))
def test_the_frame_stands_where_the_card_ends(state: State, width: int) -> None:
    """To half a cell, unless the card is so small beside the load that eight cells stand for it."""
    money = budget.budget(state)
    inside, outside, _ = frame(state, width)
    if money.free < 0:
        exact = (width - 2) * money.capacity / money.total
        assert len(inside) == 8 or abs(len(inside) - exact) <= 1
        assert len(outside) >= 1


@QUICK
@given(states())
def test_the_amounts_told_are_the_engines_and_add_up(state: State) -> None:
    given_: dict[str, Any] = {name: state[name] for name in ("N", "p_w", "B", "L", "n_kv_heads", "d_head", "p")}
    held = {**given_, "S": budget.slots(state)}
    weights, used = result("weights", given_), result("kv_cache", {**given_, "S": state["S"]})
    total, free = result("total", held), result("headroom", {**held, "capacity": state["capacity"]})
    money = budget.budget(state)
    assert (money.weights, money.used, money.free, money.total) == (weights, used, free, total)
    assert money.weights + money.used + money.reserved + money.free == money.capacity
    text = "\n" + plain("two-buckets", dict(state), 100, "en")
    for unit in ("GB", "GiB"):
        told = "\n" + plain("two-buckets", {**state, "unit": unit}, 100, "en")
        assert f"weights: {quantity(weights, unit)}" in told
        rest = "free" if free >= 0 else "does not fit"
        for name, value in (("KV in use", used), ("all together", total), (rest, abs(free))):
            shown = quantity(value, sizes.suited(value, unit))
            assert f"{name}: {shown}" in told
    fit = max(0, int(result("batch_that_fits", {**held, "capacity": state["capacity"]})))
    assert f"requests that fit: {grouped(fit)}" in text
    assert f"more would fit: {grouped(max(0, fit - int(str(state['B']))))}" in text


@QUICK
@given(states(), st.integers(34, 160), st.integers(8, 40), st.sampled_from(LANGS), st.booleans())
def test_every_state_fits_every_room(state: State, width: int, height: int, lang: Lang, ascii: bool) -> None:
    lines = FIGURE.draw(state, width, height, lang, ascii=ascii).plain.split("\n")
    assert max(map(len, lines)) <= width, "\n".join(lines)
    assert len(lines) <= height, "\n".join(lines)


@QUICK
@given(states(), st.lists(st.sampled_from(("right", "left", "down", "up", "first", "unit")), max_size=12))
def test_no_request_holds_more_tokens_than_it_has_slots(state: State, keys: list[str]) -> None:
    for key in keys:
        state = FIGURE.press(state, key)
        assert state["reserve_slots"] == 0 or state["reserve_slots"] >= state["S"]
        assert FIGURE.defaults(state) == state


def test_longer_requests_have_more_reserved() -> None:
    assert FIGURE.defaults({**FIGURE.defaults(), "S": 4000})["reserve_slots"] == 4000
    longer = FIGURE.press(FIGURE.press(FIGURE.press(FIGURE.defaults(), "down"), "right"), "right")
    assert (longer["S"], longer["reserve_slots"]) == (4096, 4096)
    none = FIGURE.press(put(longer, dial="reserve_slots"), "left")
    assert none["reserve_slots"] == 0, "fewer than the tokens there are cannot be reserved"
    assert re.search(r"slots reserved each +< as used >", FIGURE.draw(none, 76, 20, "en").plain)
    assert FIGURE.press(none, "right")["reserve_slots"] == 4096


@pytest.mark.parametrize("keys", [(), ("first", "fourth"), ("fourth",), ("second", "third")])
@pytest.mark.parametrize("given", [{}, {"N": 8_030_261_248, "n_kv_heads": 8, "S": 4000, "capacity": 24e9}])
@pytest.mark.parametrize("lang", LANGS)
def test_levers_tell_what_they_do_wherever_there_is_room(
    given: dict[str, Any], keys: Sequence[str], lang: Lang
) -> None:
    """In the playground of a window of 120 columns: with the same rows whatever is pulled."""
    state = FIGURE.defaults(given)
    for key in keys:
        state = FIGURE.press(state, key)
    lines = FIGURE.draw(state, 74, 30, lang).plain.split("\n")
    levers = [line for line in lines if re.match(r"[1-4] \[[x ]\] ", line)]
    nothing = say("figures.two-buckets.moves.unreserved", lang)
    assert len(levers) == 4 and all(line.count(" → ") + (nothing in line) == 2 and " fit" in line for line in levers)
    assert "▒" in lines[6], "and idle time stands below the bar from the start"
    assert sum(line.startswith("│") for line in lines) == 4


@pytest.mark.parametrize("size", [(76, 16), (56, 14)])
@pytest.mark.parametrize("lang", LANGS)
def test_the_sentence_and_how_many_fit_have_room(size: tuple[int, int], lang: Lang) -> None:
    """In the playground of 80 by 24 and of 60 by 20."""
    before = FIGURE.draw(FIGURE.defaults(), *size, lang).plain
    after = FIGURE.draw(FIGURE.press(FIGURE.defaults(), "fourth"), *size, lang).plain
    assert say("figures.two-buckets.fact.fit", lang) in before
    assert after.split("\n")[-1].endswith("24 requests.")
    if size[0] > 72:
        assert before.count("\n") == after.count("\n"), "nothing moves"


@QUICK
@given(states())
def test_requests_that_fit_do_and_one_more_does_not(state: State) -> None:
    fit = budget.fitting(state)
    assert budget.budget(put(state, B=fit + 1)).free < 0
    assert fit == 0 or budget.budget(put(state, B=fit)).free >= 0


def test_a_card_as_it_is_drawn() -> None:
    assert FIGURE.draw(FIGURE.defaults(), 60, 14, "en").plain.split("\n")[:9] == [
        "┌───────────────────────────────────────────── card 40 GB ─┐",
        "│WWWWWWWWWWWWWWWWWWWWKKKKKKKKKKKKKrrrrrrrrrrrr·············│",
        "└──────────────────────────────────────────────────────────┘",
        " W  weights               14 GB   ",
        " K  KV in use              8.59 GB",
        " r  KV reserved, empty     8.59 GB",
        " =  all together          31.18 GB",
        " ·  free                   8.82 GB",
        "    requests that fit           24",
    ]


def test_what_does_not_fit_stands_outside_with_its_amount() -> None:
    state = FIGURE.defaults({**L4, "B": 17})
    inside, outside, edge = frame(state, 60)
    assert inside.endswith("K") and set(outside) == {"K"}
    assert edge.endswith(" 3.043 GB too much ─┘")
    heavy = FIGURE.defaults({"N": 70e9, "capacity": 16e9})
    assert frame(heavy, 60)[2] == "└────────┘ 141.2 GB too much", "beside a frame that is too narrow"


def test_a_wide_window_tells_both_units_and_a_share_of_the_card() -> None:
    text = FIGURE.draw(FIGURE.defaults(), 110, 30, "en").plain
    assert " W  weights               14 GB       13.04 GiB     35 %" in text
    assert "    KV of one token         524 KB" in text
    assert "24 → 48 requests fit" in text


# --- what is hidden --------------------------------------------------------------------------------------------------

HIDES = tuple(card.FOLLOWS)


def _without(monkeypatch: pytest.MonkeyPatch, change: Callable[[str, dict[str, Any]], dict[str, Any]]) -> None:
    def calc(formula: str, **symbols: Fraction | int) -> Fraction:
        return result(formula, change(formula, symbols))

    for module in ("budget", "bucket_panels", "bucket_notice"):
        monkeypatch.setattr(f"tutor.figures.{module}.calc", calc)


SWAPS: dict[str, Callable[[str, dict[str, Any]], dict[str, Any]]] = {
    "weights": lambda _, symbols: {**symbols, "N": symbols["N"] * 3} if "N" in symbols else symbols,
    "kv": lambda _, symbols: {**symbols, "L": symbols["L"] * 3} if "L" in symbols else symbols,
    "free": lambda _, symbols: (
        {**symbols, "capacity": symbols["capacity"] * Fraction(7, 5)} if "capacity" in symbols else symbols
    ),
}
"""Another amount in the place of a hidden one, as the engine would give it for another question."""


@QUICK
@given(states(), st.sampled_from(tuple(SWAPS)), st.sampled_from((34, 60, 80, 110, 150)), st.sampled_from(LANGS))
def test_with_another_hidden_amount_the_drawing_is_the_same(state: State, part: str, width: int, lang: Lang) -> None:
    """Whatever could be read from the drawing about it would differ."""
    state = put(state, hide=(part,))
    before = (FIGURE.draw(state, width, 40, lang), plain("two-buckets", dict(state), width, lang))
    with pytest.MonkeyPatch.context() as monkeypatch:
        _without(monkeypatch, SWAPS[part])
        after = (FIGURE.draw(state, width, 40, lang), plain("two-buckets", dict(state), width, lang))
    assert before == after


def test_the_swaps_would_be_seen_if_nothing_were_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    for part, swap in SWAPS.items():
        before = FIGURE.draw(FIGURE.defaults(), 80, 40, "en").plain
        with monkeypatch.context() as patch:
            _without(patch, swap)
            assert FIGURE.draw(FIGURE.defaults(), 80, 40, "en").plain != before, part


@QUICK
@given(states(), st.sets(st.sampled_from(HIDES), min_size=1), st.sampled_from((34, 60, 80, 110)))
def test_no_hidden_amount_is_printed(state: State, hide: set[str], width: int) -> None:
    state = put(state, hide=tuple(sorted(hide)))
    gone, money = card.secrets(state), budget.budget(state)
    amounts = {
        "weights": money.weights, "kv": money.used, "reserved": money.reserved, "total": money.total,
        "free": abs(money.free), "request": budget.one_request(state),
        "token": result("kv_per_token", {name: state[name] for name in ("L", "n_kv_heads", "d_head", "p")}),  # type: ignore[misc]
    }  # fmt: skip
    known = {quantity(value, unit) for name, value in amounts.items() if name not in gone for unit in ("GB", "GiB")}
    known |= {quantity(Fraction(str(state["capacity"])), unit) for unit in ("GB", "GiB")} | {"0 GB", "0 GiB"}
    told = FIGURE.draw(state, width, 40, "en").plain + plain("two-buckets", dict(state), width, "en")
    for name in gone & set(amounts):
        for unit in ("KB", "KiB", "MB", "MiB", "GB", "GiB"):
            text = quantity(amounts[name], unit)
            assert text in known or not re.search(rf"(?<![\d.,]){re.escape(text)}(?![\d.,])", told), (name, told)
    assert "does not fit" not in told and "too much" not in told
    inside, outside, edge = frame(state, width)
    assert not outside and inside.endswith("?") and "·" not in inside
    assert set(edge[1:-1]) == {"─"}


def test_what_is_known_is_drawn_to_the_cards_scale() -> None:
    inside, _, _ = frame(FIGURE.defaults({**L4, "hide": ["kv"]}), 82)
    assert inside == "W" * 26 + "?" * 54, "26 of 80 GB"
    inside, _, _ = frame(FIGURE.defaults({**L4, "hide": ["weights"]}), 82)
    assert inside == "?" * 80
    inside, _, _ = frame(FIGURE.defaults({**L4, "hide": ["fits"]}), 82)
    assert inside == "W" * 26 + "K" * 53 + "?", "what they come to is told, and what is left has no end"
    inside, _, _ = frame(FIGURE.defaults({**L4, "hide": ["total"]}), 82)
    assert inside == "W" * 26 + "?" * 54, "where K ends would tell what they come to"
    inside, _, _ = frame(FIGURE.defaults({"reserve_slots": 2048, "hide": ["total"]}), 82)
    assert inside == "W" * 28 + "K" * 17 + "?" * 35
    assert frame(FIGURE.defaults({**L4, "hide": ["note"]}), 82) == frame(FIGURE.defaults(L4), 82)


@pytest.mark.parametrize("hide", [("free",), ("fits",), ("total",), ("weights",), ("kv",)])
@pytest.mark.parametrize("requests", [1, 16, 17, 400])
def test_whether_it_fits_is_not_told_by_signs(hide: tuple[str, ...], requests: int) -> None:
    text = FIGURE.draw(FIGURE.defaults({**L4, "B": requests, "hide": hide}), 80, 40, "en").plain
    assert " !" not in text
    assert "fit" not in text
    assert " ·  free                         ?" in text


def test_hidden_amounts_keep_their_levers_sentence_and_commands() -> None:
    figure = FIGURE
    state = figure.press(figure.defaults({"hide": ["kv"]}), "first")
    assert state["last"] == "paging"
    assert "went from" not in plain("two-buckets", dict(state), 100, "en")
    assert figure.commands(state) == ()
    assert figure.advance is not None and figure.advance(state) == state
    assert FIGURE.tween is not None
    assert FIGURE.tween(figure.defaults({"hide": ["kv"]}), state, Fraction(1, 2)) == state


def test_idle_time_can_be_hidden_alone() -> None:
    state = FIGURE.defaults({"strip": True, "hide": ["idle"]})
    for one in (state, FIGURE.press(state, "fourth")):
        text = FIGURE.draw(one, 100, 40, "en").plain
        assert "▒" not in text and "34.4" not in text
        assert "KV in use" in text and "8.59 GB" in text


# --- levers, and what to notice --------------------------------------------------------------------------------------


def _notice(given: dict[str, Any], *keys: str) -> str:
    state = FIGURE.defaults(given)
    for key in keys:
        state = FIGURE.press(state, key)
    return bucket_notice.notice(state, Pen(80, 24, "en"))


@pytest.mark.parametrize(
    ("given", "keys", "expected"),
    [
        ({}, (), "50 % of the KV room holds nothing: reserved for tokens that never come. "
            "Paging gives it back."),
        ({}, ("first",), "Paging: r went from 8.59 GB to 0 GB, W and K stay. Now 48 requests fit instead of 24."),
        (
            {},
            ("first", "first"),
            "Paging: r went from 0 GB to 8.59 GB, W and K stay. Now 24 requests fit instead of 48.",
        ),
        ({}, ("second",), "Weight bits: W went from 14 GB to 3.5 GB, K stays. Now 33 requests fit instead of 24."),
        ({}, ("fourth",), "Batching: idle time went from 34.4 % to 25 %, the memory bar stays. "
            "As many fit as before: 24 requests."),
        (
            {"S": 1024, "reserve_slots": 0},
            ("first",),
            "Paging changes nothing here: no slot stands empty. As many fit as before: 48 requests.",
        ),
        (L4, (), "The card is full: not one more request fits. "
            "Room for more: 5 with W4A16, 16 with KV FP8."),
        (
            {**L4, "B": 17},
            (),
            "3.043 GB does not fit: of 17 requests there is room for 16. "
            "With W4A16 or KV FP8 there would be room for all.",
        ),
        (
            {**L4, "B": 400},
            ("second",),
            "Weight bits: W went from 26 GB to 6.5 GB, K stays. Still 1269 GB does not fit.",
        ),
        (
            {**L4, "N": 70e9, "B": 1},
            (),
            "The weights alone are 60 GB too big for this card. "
            "No KV dial can help: fewer weight bits, or a bigger card.",
        ),
    ],
)  # fmt: skip
def test_what_to_notice(given: dict[str, Any], keys: tuple[str, ...], expected: str) -> None:
    assert _notice(given, *keys) == expected


@QUICK
@given(states())
def test_a_lever_that_is_said_to_help_helps(state: State) -> None:
    for lever in bucket_notice.helping(state):
        pulled = budget.pull(state, lever)
        assert budget.budget(pulled).free > budget.budget(state).free
        assert budget.fitting(pulled) > budget.fitting(state)


@QUICK
@given(states())
def test_played_requests_join_until_no_lever_lets_another_in(state: State) -> None:
    assert FIGURE.advance is not None
    moments = [state]
    while (after := FIGURE.advance(moments[-1])) != moments[-1]:
        moments.append(after)
        assert len(moments) < 120
    for before, after in pairwise(moments):
        joined, made_room = after["B"] != before["B"], after["last"] != "" and after["B"] == before["B"]
        assert joined != made_room
        assert budget.fitting(after) >= budget.fitting(before)
        if joined:
            assert budget.budget(after).free >= 0
    assert bucket_notice.helping(moments[-1]) == ()


# --- typed values and command lines ----------------------------------------------------------------------------------


def test_typed_values_are_brought_within_what_can_be_drawn() -> None:
    for one in FIGURE.parameters:
        if one.name not in FIGURE.base or one.kind == "choice":
            continue
        for value in (one.least, one.most):
            state = FIGURE.defaults({**FIGURE.defaults(), one.name: value})
            assert state[one.name] == value or one.name == "n_kv_heads", one.name
            for width in (34, 80, 110):
                lines = FIGURE.draw(state, width, 30, "hi-Latn").plain.split("\n")
                assert max(map(len, lines)) <= width, "\n".join(lines)
    wild = FIGURE.defaults({"B": -4, "S": 10**30, "p": 0, "capacity": 10**40, "paging": True, "unit": "PB"})
    assert (wild["B"], wild["paging"], wild["unit"]) == (1, "on", "GB")
    assert FIGURE.defaults(wild) == wild


@pytest.mark.parametrize("given", [{}, L4, {"N": 70e9}, {"unit": "GiB", "S": 99, "paging": "on", "p": 1, "p_w": "1/2"}])
def test_command_lines_give_the_numbers_that_are_drawn(tutor: Tutor, given: dict[str, Any]) -> None:
    state = FIGURE.defaults(given)
    text = plain("two-buckets", given, 100, "en").replace(",", "")
    for shell in FIGURE.commands(state):
        _, command, *words = shlex.split(shell.line)
        if command != "calc":
            continue
        shown = tutor(command, *words, "--lang", "en").out.strip().split("\n")[-1].strip(" =")
        full = shown.split()[0].lstrip("-−")
        if words[0] == "kv_cache" and f"S={state['S']}" not in words:
            continue  # K and r together
        short = number(Fraction(full.replace(",", "")), 3).replace(",", "")
        assert re.search(rf"(?<![\d.,])({re.escape(full)}|{re.escape(short)})(?![\d.,])", text), (shell.line, shown)


def test_the_same_load_for_the_diagnoser(tutor: Tutor) -> None:
    state = FIGURE.defaults({"paging": "on", "strip": True, "p_w": "1/2", "p": 1, "S": 512})
    words = FIGURE.commands(state)[-1].words
    assert words == (
        "diagnose", "--model", "meta-llama/Llama-2-7b-hf", "--gpu", "A100 SXM 40GB", "--weights", "w4a16",
        "--kv", "fp8", "--prompt", "384", "--output", "128", "--concurrency", "16", "--block-size", "16",
        "--static-batching", "on",
    )  # fmt: skip
    ran = tutor(*words, "--no-probe", "--lang", "en")
    assert ran.status == 0 and "Not used" not in ran.out
    naive = FIGURE.commands(FIGURE.defaults())[-1].words
    found = tutor(*naive, "--no-probe", "--lang", "en").out
    assert "Not used" not in found
    assert re.search(r"reserved for requests +17\.[12]", found), "B requests of 2048 slots, as drawn"


_SMALL = {"N": 8_030_261_248, "n_kv_heads": 8, "capacity": 24e9}


@pytest.mark.parametrize(
    ("given", "wall"),
    [
        ({**_SMALL, "B": 16, "S": 4000}, "kv-memory"),
        ({**_SMALL, "B": 30, "S": 4000, "paging": "on"}, "kv-memory"),
        ({**_SMALL, "B": 16, "S": 4000, "reserve_slots": 8192}, "kv-fragmentation"),
        ({"B": 60, "S": 1024, "reserve_slots": 0}, "kv-memory"),
        ({"B": 30}, "kv-fragmentation"),
        ({"N": 13e9, "L": 40, "n_head": 40, "n_kv_heads": 40, "capacity": 80e9, "B": 25, "S": 4096}, "kv-memory"),
        ({"capacity": 16e9, "B": 16, "N": 13e9, "L": 40, "n_head": 40, "n_kv_heads": 40}, "weights-memory"),
    ],
)
def test_the_diagnoser_names_what_does_not_fit(tutor: Tutor, given: dict[str, Any], wall: str) -> None:
    """What is short in the figure is what the diagnoser of its line calls the wall."""
    state = FIGURE.defaults(given)
    assert budget.budget(state).free < 0
    assert state["p"] == state["p_w"] == 2
    found = tutor(*FIGURE.commands(state)[-1].words, "--no-probe", "--json", "--lang", "en")
    assert json.loads(found.out)["wall"] == wall


@pytest.mark.parametrize("lang", LANGS)
def test_what_a_server_keeps_back_and_scales_are_said_where_there_is_room(lang: Lang) -> None:
    server = say("figures.two-buckets.aside.server", lang)
    state = FIGURE.defaults({**_SMALL, "S": 4000, "p_w": "1/2"})
    text = " ".join(FIGURE.draw(state, 75, 30, lang).plain.split())
    assert server in text and "5.7 GB" in text, "what the roofline and the diagnoser count of this model"
    assert "5.3 GiB" in " ".join(FIGURE.draw(put(state, unit="GiB"), 75, 30, lang).plain.split())
    assert say("figures.two-buckets.aside.checkpoint", lang) in " ".join(
        FIGURE.draw(put(state, N=9 * 10**9), 75, 30, lang).plain.split()
    )
    assert "5.7 GB" not in FIGURE.draw(put(state, p_w=Fraction(2)), 75, 30, lang).plain
    assert server[:20] not in FIGURE.draw(state, 76, 18, lang).plain, "a short window has the figure itself"
    assert server[:20] not in FIGURE.draw(put(state, hide=("kv",)), 75, 30, lang).plain


def test_one_request_fits_and_nothing_reserved_is_no_nought() -> None:
    text = FIGURE.draw(FIGURE.defaults({**_SMALL, "S": 50_000, "B": 1}), 75, 30, "en").plain
    assert "1 → 1 request fits" in text and "1 → 1 requests" not in text
    assert "nothing is reserved" in text and "r 0 GB → 0 GB" not in text


def test_a_full_card_and_a_lever_stay_until_they_are_read() -> None:
    state = FIGURE.defaults()
    assert FIGURE.beats(put(state, B=1)) == 1
    assert FIGURE.beats(put(state, B=24)) > 4 and FIGURE.beats(FIGURE.press(state, "first")) > 4


@pytest.mark.parametrize("given", [{"capacity": 41e9}, {"L": 33}, {"p_w": 3}])
def test_what_the_catalogue_does_not_know_is_not_diagnosed(given: dict[str, Any]) -> None:
    assert {shell.words[0] for shell in FIGURE.commands(FIGURE.defaults(given))} == {"calc"}


# --- the widget ------------------------------------------------------------------------------------------------------


async def test_without_motion_a_step_is_a_moment() -> None:
    from tests.tutor.test_figures import _Stage

    view = FigureView("two-buckets")
    app = _Stage(view)
    async with app.run_test(size=(100, 30)) as pilot:
        app.animation_level = "none"
        view.focus()
        await pilot.press("space")
        assert view.state["B"] == 20 and not view.playing
        await pilot.press("space", "space", "space", "space")
        assert (view.state["B"], view.state["last"]) == (24, "paging")


@pytest.mark.parametrize("width", [70, 76, 110, 140])
def test_beside_a_lesson_the_dials_around_the_chosen_one_and_how_many_fit_have_room(width: int) -> None:
    """On a page of a lesson of 80 columns a figure has 70, and 14 rows."""
    state = FIGURE.defaults({"strip": True})
    for dial in budget.DIALS:
        lines = FIGURE.draw(put(state, dial=dial), width, 14, "en").plain.split("\n")
        assert len(lines) <= 14 and sum("▌ " in line for line in lines) == 1
        text = "\n".join(lines)
        assert "requests that fit" in text and "34.4 % idle" in text
        assert "Paging gives it back" in " ".join(text.split())


def test_far_too_much_breaks_the_scale_and_says_so() -> None:
    bar = FIGURE.draw(FIGURE.defaults({"B": 1000}), 76, 18, "en").plain.split("\n")[1]
    inside, outside = bar[1:].split("│")
    assert inside == "WWWKKKKK", "14 of 40 GB are weights"
    assert outside.endswith(">") and outside.count("K") - outside.count("r") in (-2, -1, 0, 1)
    assert not FIGURE.draw(FIGURE.defaults({"B": 64}), 76, 18, "en").plain.split("\n")[1].endswith(">")


@pytest.mark.parametrize("bits", [Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4)])
def test_the_lever_on_kv_bits_takes_none_away_that_are_there(bits: Fraction) -> None:
    """A cache in 4 bits has the lever pulled already: it goes by its own name, and no key makes it larger as help."""
    figure = get("two-buckets")
    state = figure.defaults({"p": bits})
    pulled = budget.active(state, "kvfp8")
    assert pulled is (bits <= 1)
    after = figure.press(state, "third")
    assert (budget.one_request(after) < budget.one_request(state)) is not pulled
    drawn = figure.draw(state, 100, 30, "en").plain
    assert f"3 [{'x' if pulled else ' '}] KV {'INT4' if bits < 1 else 'FP8'}" in drawn
