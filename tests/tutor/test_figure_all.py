"""What every figure owes its reader: a sentence that follows the keys, values to type, commands, room well used."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from content.lang import LANGS, Lang
from content.words import has, say
from tutor import cli
from tutor.figures.base import Figure
from tutor.figures.pen import Pen
from tutor.figures.plain import plain
from tutor.figures.registry import get, names
from tutor.figures.shell import PROGRAM
from tutor.figures.state import State, hidden, put

SIZES = ((34, 8), (34, 40), (40, 16), (60, 20), (80, 24), (100, 12), (120, 40), (160, 40))
VIEW = {
    "two-buckets": {"dial", "last"},
    "kv-factors": {"dial"},
    "map": {"at", "folded"},
}
"""State keys that only say what the reader looks at: the dial that is chosen, the branch that is folded."""
NARROW: dict[str, str] = {}
"""Figures that leave most of a wide window empty, each with its reason."""
NO_NUMBERS = ("map", "token-train", "decode-curve")
"""Figures without a number that a command gives: the published curve was measured by others."""
WIDE = 70
PLAYING = ("two-buckets", "cache-steps", "batching-timeline")
MOMENTS = 2000
"""More moments than any figure plays before it stands still."""


@cache
def reached(name: str) -> tuple[State, ...]:
    """States that a reader comes to: every key pressed up to four times, from the start and after each other key."""
    figure = get(name)
    states = [figure.defaults()]
    starts = [states[0], *(key.change(states[0]) for key in figure.keys)]
    for start in starts:
        for key in figure.keys:
            state = start
            for _ in range(4):
                state = key.change(state)
                if state not in states:
                    states.append(state)
    return tuple(states)


def told(figure: Figure, state: State, lang: Lang, width: int = 80) -> str:
    assert figure.notice is not None, f"{figure.name} has nothing to notice"
    return figure.notice(state, Pen(width, 24, lang))


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("lang", LANGS)
def test_what_to_notice_is_one_calm_sentence(name: str, lang: Lang) -> None:
    for state in reached(name):
        text = told(get(name), state, lang)
        assert text and text == text.strip() and "  " not in text and "\n" not in text, (name, text)
        assert text.endswith((".", "?")), (name, text)
        assert len(re.findall(r"[.?!](?=\s|$)", text)) <= 2, (name, text)
        assert not set(text) & set("{}"), (name, text)
        assert len(Pen(80, 24, lang).wrapped(text)) <= 3, (name, text)


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("lang", LANGS)
def test_what_to_notice_follows_the_keys(name: str, lang: Lang) -> None:
    assert len({told(get(name), state, lang) for state in reached(name)}) >= 2


@pytest.mark.parametrize("name", names())
def test_what_to_notice_is_said_in_both_languages(name: str) -> None:
    for state in reached(name)[:20]:
        assert told(get(name), state, "en") != told(get(name), state, "hi-Latn")


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("lang", LANGS)
def test_what_to_notice_stands_under_the_drawing_unless_an_exercise_hides_it(name: str, lang: Lang) -> None:
    figure = get(name)
    for state in reached(name)[:8]:
        text = told(figure, state, lang, 100)
        assert text in plain(name, state, 100, lang)
        drawn = " ".join(figure.draw(state, 100, 60, lang).plain.split())
        assert text.split(". ")[0].rstrip(".") in drawn, (name, text, drawn)
        if "hide" in state:
            quiet = put(state, hide=("note",))
            assert hidden(quiet, "note")
            assert text not in plain(name, dict(quiet), 100, lang)


@pytest.mark.parametrize("name", names())
def test_a_figure_beside_an_exercise_can_hide_its_sentence(name: str) -> None:
    assert "hide" in get(name).base or name == "map"


# --- what can be typed -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", names())
def test_parameters_set_what_the_state_holds_and_have_words(name: str) -> None:
    figure = get(name)
    assert figure.parameters or name == "map", f"{name} has nothing to type"
    assert len({one.name for one in figure.parameters}) == len(figure.parameters)
    for one in figure.parameters:
        if one.name not in figure.base:
            assert one.kind in ("model", "gpu") and one.fills, (name, one.name)
        assert not set(one.fills) - set(figure.base), (name, one.name)
        assert has(f"figures.{one.label}"), (name, one.label)
        for lang in LANGS:
            assert 0 < len(say(f"figures.{one.label}", lang)) <= 24, (name, one.label)
        assert one.least <= one.most
        assert list(one.ladder) == sorted(one.ladder)
        assert all(one.least <= value <= one.most for value in one.ladder), (name, one.name)
        assert bool(one.choices) == (one.kind == "choice"), (name, one.name)


def _changed(name: str) -> Iterator[str]:
    """State keys whose value some key changes."""
    start = get(name).defaults()
    for state in reached(name):
        yield from (key for key in start if state[key] != start[key])


@pytest.mark.parametrize("name", names())
def test_every_value_that_a_key_changes_can_be_typed(name: str) -> None:
    figure = get(name)
    typed = {key for one in figure.parameters for key in (one.name, *one.fills)}
    missing = set(_changed(name)) - typed - VIEW.get(name, set())
    assert not missing, (name, missing)


@pytest.mark.parametrize("name", names())
def test_no_key_leads_out_of_what_can_be_typed(name: str) -> None:
    figure = get(name)
    for one in figure.parameters:
        if one.kind in ("model", "gpu", "text", "list") or one.name not in figure.base:
            continue
        for state in reached(name):
            value = state[one.name]
            if isinstance(value, bool):
                assert one.choices == ("off", "on"), (name, one.name)
                continue
            inside = value in one.choices if one.kind == "choice" else one.least <= value <= one.most  # type: ignore[operator]
            assert inside, (name, one.name, value)


@pytest.mark.parametrize("name", names())
def test_command_lines_are_command_lines(name: str) -> None:
    figure = get(name)
    assert figure.commands(figure.defaults()) or name in NO_NUMBERS, f"{name} has no command"
    for state in reached(name)[:40]:
        for shell in figure.commands(state):
            program, command, *words = shlex.split(shell.line)
            assert program == PROGRAM and (command, *words) == shell.words
            assert command in cli.COMMANDS
            cli.parser(command).split(words)  # refuses what it does not know
            assert shell.line.isascii() and "\n" not in shell.line


# --- how it is drawn -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("lang", LANGS)
def test_a_wide_window_is_used(name: str, lang: Lang) -> None:
    silent = replace(get(name), notice=None)
    for state in reached(name)[:1]:
        lines = silent.draw(state, 100, 30, lang).plain.split("\n")
        assert max(len(line.rstrip()) for line in lines) > WIDE or name in NARROW, (name, "\n".join(lines))


def _broken_box(lines: list[str]) -> str:
    """Where the wall of a box does not go down from its corner to another corner; empty where every box is whole."""
    for row, line in enumerate(lines):
        for column, sign in enumerate(line):
            if sign not in "┌┐":
                continue
            down = "".join(other[column : column + 1] or " " for other in lines[row + 1 :])
            if not re.match(r"[│├┤┼╪┆▏▌:]*[└┘┴]", down):
                return f"line {row + 1}, column {column + 1}\n" + "\n".join(lines)
    return ""


@pytest.mark.parametrize("name", names())
def test_every_state_that_keys_reach_fits_every_window_and_its_boxes_are_whole(name: str) -> None:
    """Every state in every window; the languages take turns, from window to window and from state to state."""
    figure = get(name)
    for number, state in enumerate(reached(name)[:60]):
        for turn, (width, height) in enumerate(SIZES, number):
            lines = figure.draw(state, width, height, LANGS[turn % 2]).plain.split("\n")
            assert max(map(len, lines)) <= width and len(lines) <= height, (name, width, height, "\n".join(lines))
            assert any(line.strip() for line in lines)
            assert not (broken := _broken_box(lines)), (name, width, height, broken)


@pytest.mark.parametrize("name", names())
def test_no_line_stands_twice(name: str) -> None:
    """A sentence that the figure says itself and again as what to notice."""
    for lang in LANGS:
        lines = [line for line in plain(name, {}, 200, lang).split("\n") if len(line) > 30]
        assert len(set(lines)) == len(lines), (name, lines)


# --- what plays ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PLAYING)
def test_a_figure_that_plays_comes_to_an_end_and_shows_each_moment(name: str) -> None:
    figure = get(name)
    advance = figure.advance
    assert advance is not None
    state, moments = figure.defaults(), 0
    if advance(state) == state and figure.begin is not None:
        state = figure.begin(state)
    while (after := advance(state)) != state and moments < MOMENTS:
        if moments < 12:
            assert figure.draw(after, 80, 40, "en") != figure.draw(state, 80, 40, "en"), (name, moments)
        state, moments = after, moments + 1
    assert 2 <= moments < MOMENTS, (name, moments)


def test_motion_only_where_it_teaches() -> None:
    assert {name for name in names() if get(name).advance is not None} == set(PLAYING)
