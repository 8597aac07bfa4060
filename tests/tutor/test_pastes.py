"""A paste is one text, wherever its bytes are cut and whatever escapes are in it; keys around it stay keys."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from textual import events
from textual._xterm_parser import XTermParser

from tutor import mends
from tutor.pastes import END, START, Pastes

LOG = "INFO 08-01 \x1b[31m[gpu_worker.py:276]\x1b[0m Available KV cache memory: 4.2 GiB\x1b[0m\nline two\x1b]8;;http://a\x07x\x1b"
TEXT = "INFO 08-01 [gpu_worker.py:276] Available KV cache memory: 4.2 GiB\nline twox"
PIECES = st.text(st.sampled_from("ab1;[]m\\~?\x07\x1b\n 2")) | st.sampled_from(
    ["\x1b[31m", "\x1b]0;t\x07", "\x1b[200", "é"]
)


def heard(pieces: Sequence[str]) -> list[str]:
    """What the parser makes of the pieces: keys by their names, pastes by their texts in quotes."""
    mends.apply()
    parser, made = XTermParser(), list[str]()
    for piece in pieces:
        for event in parser.feed(piece):
            if isinstance(event, events.Paste):
                made.append(f"'{event.text}'")
            elif isinstance(event, events.Key):
                made.append(event.key)
    return made


def cut(data: str, places: Sequence[int]) -> list[str]:
    ends = sorted({place % (len(data) + 1) for place in places} | {0, len(data)})
    return [data[a:b] for a, b in pairwise(ends)]


@given(st.lists(st.integers(0, 300), max_size=12))
@example([])
def test_a_coloured_log_is_one_text_wherever_it_is_cut(places: list[int]) -> None:
    data = f"q{START}{LOG}{END}\x1b[Az{START}b{END}"
    assert heard([piece for piece in cut(data, places) if piece]) == ["q", f"'{TEXT}'", "up", "z", "'b'"]


@given(st.lists(PIECES), st.lists(st.integers(0, 200), max_size=8))
def test_any_paste_comes_as_one_without_escapes(texts: list[str], places: list[int]) -> None:
    text = "".join(texts).replace(END, "")
    made = heard([piece for piece in cut(f"{START}{text}{END}k", places) if piece])
    assert made[-1] == "k"
    assert len(made) <= 2 and "\x1b" not in "".join(made)


@given(st.text(st.sampled_from("abc\x1b[20~1")), st.lists(st.integers(0, 60), max_size=6))
def test_outside_a_paste_nothing_is_changed(text: str, places: list[int]) -> None:
    data = text.replace(START, "")
    filter = Pastes()
    assert "".join(filter.clean(piece) for piece in cut(data, places)) == data


@given(st.text(), st.text(), st.lists(st.integers(0, 60), max_size=6))
def test_nothing_of_a_paste_goes_on_but_where_it_begins_and_ends(one: str, other: str, places: list[int]) -> None:
    one, other = one.replace("\x1b", "").replace("\x00", ""), other.replace("\x1b", "").replace("\x00", "")
    pastes = Pastes()
    data = f"k{START}{one}{END}{START}{other}{END}"
    assert "".join(pastes.clean(piece) for piece in cut(data, places)) == f"k{START}{END}{START}{END}"
    assert [pastes.take(), pastes.take()] == [one, other]


@pytest.mark.parametrize("lost", ["\x1b]0;" + "x" * 10_000, "\x1b[" + "1" * 10_000, "\x1bP" + "y" * 9_000])
def test_a_sequence_without_an_end_swallows_nothing_behind_it(lost: str) -> None:
    (text,) = heard([f"{START}a {lost}", f" b{END}"])
    assert text.startswith("'a ") and text.endswith(" b'")


def test_the_end_of_the_terminal_is_still_heard() -> None:
    mends.apply()
    parser = XTermParser()
    list(parser.feed(f"{START}a\x1b"))
    assert list(parser.feed("")) == [] and parser.is_eof
