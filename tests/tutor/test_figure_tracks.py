"""Parallel tracks: one scale, cells that sum, the engine's numbers, and nothing hidden told anywhere."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from content.lang import LANGS, Lang
from content.words import say
from engine.formulas.registry import result
from engine.units import number, quantity
from tests.tutor.command import Tutor
from tutor.figures import sizes, track_read
from tutor.figures.pen import Pen
from tutor.figures.plain import plain
from tutor.figures.registry import get
from tutor.figures.state import State, put

FIGURE = get("tracks")
QUICK = settings(max_examples=60, deadline=None)


@st.composite
def states(draw: st.DrawFn) -> State:
    """States that keys and typing reach."""
    return FIGURE.defaults({
        "B": draw(st.integers(1, 4096)),
        "S": draw(st.integers(1, 300_000)),
        "N": draw(st.integers(10**8, 4 * 10**11)),
        "p_w": draw(st.sampled_from(("1/2", 1, 2, 4))),
        "L": draw(st.integers(1, 120)),
        "n_kv_heads": draw(st.sampled_from((1, 8, 40))),
        "d_head": draw(st.sampled_from((64, 128))),
        "p": draw(st.sampled_from(("1/2", 1, 2))),
    })  # fmt: skip


def drawn(state: State, width: int, height: int = 40) -> list[str]:
    return FIGURE.draw(state, width, height, "en").plain.split("\n")


def step_bar(lines: list[str]) -> str:
    return next(line for line in lines if line.startswith("one step ")).removeprefix("one step ").rstrip()


# --- cells and amounts -----------------------------------------------------------------------------------------------


@QUICK
@given(states(), st.integers(34, 160))
def test_one_step_has_the_cells_of_the_gate_and_of_all_tracks(state: State, width: int) -> None:
    """One scale: the same weights have the same cells wherever they stand, and so has the KV."""
    lines = drawn(state, width)
    bar, shared, first = step_bar(lines), lines[1], lines[2]
    assert re.fullmatch("W+K+", bar), "weights and KV exist, so both are seen"
    assert bar.count("W") == shared.count("W") and "W" not in first, "the weights stand there once, for all"
    assert shared.index("W") == lines[0].find("┌") + 1 or "┌" not in lines[0]
    assert next(line for line in lines if line.startswith("one step")).index("W") == shared.index("W")
    if bar.count("K") != first.count("K") * int(str(state["B"])):
        assert first.count("K") == 1 and bar.count("K") < int(str(state["B"])), "a track is thinner than a cell"


@QUICK
@given(states(), st.integers(34, 160))
def test_weights_and_tracks_have_one_scale(state: State, width: int) -> None:
    told, lines = track_read.read(state), drawn(state, width)
    weights, kv = lines[1].count("W"), step_bar(lines).count("K")
    assert weights >= 1 and kv >= 1
    if weights > 1 and kv > 1:
        cell = told.kv / kv
        assert abs(told.weights / cell - weights) <= 2 or abs(told.kv * weights / told.weights - kv) <= 2


@QUICK
@given(states(), st.integers(34, 160), st.integers(8, 40), st.sampled_from(LANGS), st.booleans())
def test_every_state_fits_every_room_and_counts_its_tracks(
    state: State, width: int, height: int, lang: Lang, ascii: bool
) -> None:
    lines = FIGURE.draw(state, width, height, lang, ascii=ascii).plain.split("\n")
    assert max(map(len, lines)) <= width and len(lines) <= height, "\n".join(lines)
    shown = sum(line.startswith("req ") for line in lines)
    more = [
        int(found[1].replace(",", "")) for line in lines if (found := re.match(r"[ │|]*(?:and |aur |\+)([\d,]+)", line))
    ]
    assert shown >= 1 and shown + sum(more) == state["B"]


@QUICK
@given(states())
def test_the_amounts_told_are_the_engines(state: State) -> None:
    given_: dict[str, Any] = {name: value for name, value in state.items() if name != "hide"}
    text = plain("tracks", dict(state), 100, "en")
    for label, formula in (
        ("weights per request", "weight_read_per_request"),
        ("KV of one request", "kv_per_request"),
        ("one step reads", "total"),
    ):
        value = result(formula, given_)
        assert f"{label}: {quantity(value, sizes.suited(value, 'GB'), 3)}" in text
    share = 1 - result("kv_share", given_)
    assert f"weights' share: {quantity(share, '%', 3)}" in text
    told = track_read.read(state)
    assert told.even * told.own <= told.weights < (told.even + 1) * told.own
    assert told.weights + told.kv == told.step


def test_tracks_as_they_are_drawn() -> None:
    assert drawn(FIGURE.defaults({"B": 3, "S": 8000, "hide": ["note"]}), 50, 18) == [
        "        ┌─ read once: 14 GB ─┐   own KV",
        "        │WWWWWWWWWWWWWWWWWWWW│",
        "req 1  ─┤                    ├── KKKKKK",
        "req 2  ─┤                    ├── KKKKKK",
        "req 3  ─┤                    ├── KKKKKK",
        "        └────────────────────┘",
        "",
        "one step WWWWWWWWWWWWWWWWWWWWKKKKKKKKKKKKKKKKKK",
        "",
        "weights per request       4.67 GB",
        "KV of one request         4.19 GB",
        "one step reads           26.6 GB ",
        "requests B                      3",
        "weights' share             52.7 %",
        "KV overtakes W at B             4",
    ]


def test_in_a_low_window_the_weights_stand_in_the_first_track() -> None:
    assert drawn(FIGURE.defaults({"B": 3, "S": 8000, "hide": ["note"]}), 50, 11)[:3] == [
        "        ┌─ read once: 14 GB ─┐   own KV",
        "req 1  ─┤WWWWWWWWWWWWWWWWWWWW├── KKKKKK",
        "req 2  ─┤                    ├── KKKKKK",
    ]


def test_many_tracks_are_counted_in_the_gate() -> None:
    lines = drawn(FIGURE.defaults({"B": 64}), 74, 14)
    assert lines[5:8] == [
        "req 4  ─┤                   ├── K",
        "        │ and 60 more       │",
        "        └───────────────────┘",
    ]


def test_a_wide_window_has_the_numbers_side_by_side() -> None:
    lines = drawn(FIGURE.defaults(), 110, 24)
    assert len(lines[-3].rstrip()) == 107
    assert re.fullmatch(r"weights per request +3.5 GB +one step reads +16.1 GB +weights' share +87 %", lines[-4])


@pytest.mark.parametrize(("size", "all"), [((56, 14), 4), ((76, 16), 6), ((74, 30), 6)])
@pytest.mark.parametrize("lang", LANGS)
def test_four_tracks_and_the_sentence_have_room_in_every_playground(
    size: tuple[int, int], all: int, lang: Lang
) -> None:
    text = FIGURE.draw(FIGURE.defaults(), *size, lang).plain
    assert sum(line.startswith("req ") and "┤" in line for line in text.split("\n")) == 4
    labels = ("share", "own", "step", "requests", "part", "overtakes")
    assert sum(say(f"figures.tracks.{name}", lang) in text for name in labels) >= all - (lang != "en")
    assert "87 %" in text.split("\n\n")[-1] or "87 %" in text.split("\n")[-2]


# --- what is hidden --------------------------------------------------------------------------------------------------

SWAPS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "weights": lambda symbols: {**symbols, "N": symbols["N"] * 3} if "N" in symbols else symbols,
    "own": lambda symbols: {**symbols, "L": symbols["L"] * 3} if "L" in symbols else symbols,
}
"""Another amount in the place of a hidden one, as the engine would give it for another question."""


@QUICK
@given(states(), st.sampled_from(tuple(SWAPS)), st.sampled_from((34, 60, 80, 110)), st.sampled_from(LANGS))
def test_with_another_hidden_amount_the_drawing_is_the_same(state: State, part: str, width: int, lang: Lang) -> None:
    """Whatever could be read from the drawing about it would differ."""

    def both(one: State) -> tuple[object, str]:
        return FIGURE.draw(one, width, 30, lang), plain("tracks", dict(one), width, lang)

    def swapped(formula: str, **symbols: Fraction | int) -> Fraction:
        changed = SWAPS[part](symbols)
        if formula == "max_requests":
            changed = {**changed, "budget": result("weights", {"N": state["N"], "p_w": state["p_w"]})}  # type: ignore[dict-item]
        return result(formula, changed)

    secret = put(state, hide=(part,))
    before, open_before = both(secret), both(state)
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(track_read, "calc", swapped)
        assert both(secret) == before
        assert both(state) != open_before, "where nothing is hidden the swap is seen"


@QUICK
@given(states(), st.sets(st.sampled_from(tuple(track_read.FOLLOWS)), min_size=1), st.sampled_from((34, 60, 80, 110)))
def test_no_hidden_amount_is_printed(state: State, hide: set[str], width: int) -> None:
    state = put(state, hide=tuple(sorted(hide)))
    told = track_read.read(state)
    prints = {
        name: quantity(value, sizes.suited(value, "GB"))
        for name, value in (("weights", told.weights), ("share", told.share), ("own", told.own), ("step", told.step))
    } | {"part": quantity(told.part, "%", 3)}
    known = {text for name, text in prints.items() if name not in told.gone}
    text = FIGURE.draw(state, width, 40, "en").plain + plain("tracks", dict(state), width, "en")
    for name in told.gone & set(prints):
        shown = re.search(rf"(?<![\d.,]){re.escape(prints[name])}(?![\d.,])", text)
        assert prints[name] in known or not shown, (name, text)
    assert ("overtakes" in text) == ("overtakes" not in told.gone)
    assert FIGURE.commands(state) == ()


def test_a_hidden_length_is_drawn_as_none() -> None:
    lines = drawn(FIGURE.defaults({"hide": ["own"]}), 60)
    assert re.fullmatch(r"        │W+│", lines[1])
    assert re.fullmatch(r"req 1  ─┤ +├── \?\?\?", lines[2])
    assert set(step_bar(lines)) == {"?"}
    assert lines == drawn(FIGURE.defaults({"hide": ["own"], "S": 8000}), 60), "a longer request tells nothing either"
    assert step_bar(drawn(FIGURE.defaults({"hide": ["step"]}), 60)).startswith("???")
    assert "own" not in track_read.read(FIGURE.defaults({"hide": ["note", "share"]})).gone


# --- what to notice, and command lines -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"B": 1}, "Alone, a request has the whole weight read to itself: 14 GB for one token, "
            "96.4 % of all that is read."),
        (
            {},
            "One weight read serves 4 requests and is 87 % of what the step reads. KV overtakes it at 27 requests.",
        ),
        (
            {"B": 64},
            "KV has overtaken the weights: 70.6 % of the read is KV, and nobody shares that. "
            "More requests save little now.",
        ),
        (
            {"S": 200_000},
            "The KV of one request, 105 GB, is more than all the weights, 14 GB. "
            "Sharing the weight read saves little here.",
        ),
        ({"hide": ["own"]}, "All share one weight read; nobody shares the KV."),
    ],
)  # fmt: skip
def test_what_to_notice(given: dict[str, Any], expected: str) -> None:
    assert track_read.notice(FIGURE.defaults(given), Pen(80, 24, "en")) == expected


def test_kv_overtakes_where_it_says() -> None:
    told = track_read.read(FIGURE.defaults())
    at, before = (FIGURE.defaults({"B": count}) for count in (told.even + 1, told.even))
    assert track_read.read(at).kv > told.weights >= track_read.read(before).kv
    assert "overtaken" in track_read.notice(at, Pen(80, 24, "en"))
    assert "overtaken" not in track_read.notice(before, Pen(80, 24, "en"))


@pytest.mark.parametrize("given", [{}, {"B": 64, "S": 4000, "p": 1, "n_kv_heads": 8}])
def test_command_lines_give_the_numbers_that_are_drawn(tutor: Tutor, given: dict[str, Any]) -> None:
    text = plain("tracks", given, 100, "en")
    for shell in FIGURE.commands(FIGURE.defaults(given)):
        _, command, *words = shlex.split(shell.line)
        shown = tutor(command, *words, "--lang", "en").out.strip().split("\n")[-1].strip(" =").split()[0]
        if words[0] == "ratio":
            shown = f"{100 * float(shown.removesuffix('x')):.3g}"
        if words[0] == "kv_share":
            shown = f"{float(shown):.3g}"
        short = number(Fraction(shown.replace(",", "")), 3)
        assert re.search(rf"(?<![\d.,])({re.escape(shown)}|{re.escape(short)})(?![\d.,])", text), (shell.line, shown)


def test_typed_values_are_brought_within_what_can_be_drawn() -> None:
    for one in FIGURE.parameters:
        if one.name not in FIGURE.base:
            continue
        for value in (one.least, one.most):
            state = FIGURE.defaults({**FIGURE.defaults(), one.name: value})
            assert state[one.name] == value
            for width in (34, 80, 110):
                assert max(map(len, drawn(state, width))) <= width
    wild = FIGURE.defaults({"B": 0, "S": 10**30, "p": 0})
    assert (wild["B"], FIGURE.defaults(wild)) == (1, wild)
