"""FI-1: any typed sentence is drawn whole and aligned, counted rightly, and never trusted."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from content.lang import LANGS, Lang
from tutor.figures.pen import Pen
from tutor.figures.pieces import is_word, pieces, token_id, words
from tutor.figures.registry import get
from tutor.figures.state import State
from tutor.figures.token_train import MAX_TEXT, cars, notice

FIGURE = get("token-train")


def _state(**given: Any) -> State:
    return FIGURE.defaults(given)


def _lines(state: State, width: int, height: int = 40, *, ascii: bool = False) -> list[str]:
    drawn = FIGURE.draw(state, width, height, "en", ascii=ascii).plain
    return [line.rstrip() for line in drawn.split("\n")]


def test_a_word_is_cut_as_the_lesson_tells() -> None:
    assert words("Serving is unbelievable") == [("Serv", "ing"), ("is",), ("un", "believ", "able")]
    assert pieces("late, too") == ["late", ",", "too"]
    assert not is_word(",") and is_word("too")


def test_the_train_as_it_stands() -> None:
    drawn = _lines(_state(text="Serving moves bytes", cached=2, hide=["note"]), 60)
    assert drawn[:4] == [
        "┌───────┐ ┌──────┐ ┌──────┐ ┌──────┐ ┌───────┐ ┌──────┐",
        "│ Serv  │─│ ing  │─│ move │─│  s   │─│ byte  │─│  s   │",
        "└─17126─┘ └─5999─┘ └─8056─┘ └─3339─┘ └─21358─┘ └─3339─┘",
        "    kv       kv      new      new       new      new",
    ]
    assert [drawn[5 + place].split()[-1] for place in range(4)] == ["3", "6", "2", "4"]


def test_in_fewer_lines_the_roof_says_what_is_cached_and_then_only_brackets_do() -> None:
    state = _state(text="The unbelievable train is late", cached=2)
    roof = _lines(state, 40, 14)
    assert roof[0].count(" kv ") == 2 and "new" in roof[0]
    assert _lines(state, 40, 8)[0] == "[The]kv[un]kv[believ]  [able]  [train]"


def test_a_train_of_several_lines_is_coupled_and_every_carriage_says_whether_it_is_new() -> None:
    drawn = _lines(_state(hide=["note"]), 56, 14)
    assert drawn[:8] == [
        " ┌───────┐ ┌───────┐ ┌────────┐ ┌───────┐ ┌───────┐",
        " │  The  │─│  un   │─│ believ │─│ able  │─│ train │─",
        " └─28166─┘ └─13075─┘ └──816───┘ └─17480─┘ └──7075─┘",
        "     kv        kv        kv        new       new",
        " ┌───────┐ ┌──────┐",
        "─│  is   │─│ late │",
        " └─10391─┘ └─7573─┘",
        "    new      new",
    ]
    assert "words 5   tokens 7   in the cache (kv) 3   new 4" in _lines(_state(), 56, 14)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("height", [14, 16, 40])
def test_marks_are_words_of_the_reader_and_as_many_as_carriages(lang: Lang, height: int) -> None:
    drawn = FIGURE.draw(_state(cached=2, hide=["note"]), 76, height, lang).plain.split("\n")
    marks = " ".join(line for line in drawn[:8]).split()
    assert marks.count("kv") == 2 and marks.count("new" if lang == "en" else "naya") == 5


def test_a_tall_window_shows_how_each_word_was_cut() -> None:
    lines = _lines(_state(), 76, 33)
    assert "unbelievable  3 tokens  un + believ + able" in lines
    assert "late          1 token   late" in lines
    assert not any("3 tokens" in line for line in _lines(_state(hide=["cache"]), 76, 33)), "a lesson asks for it"
    many = _lines(_state(text=" ".join(f"word{n}" for n in range(24)), cached=0), 110, 33)
    left = next(line for line in many if line.startswith("and ") and line.endswith("more words"))
    assert sum("1 token " in line for line in many) + int(left.split()[1]) == 24


@pytest.mark.parametrize("width", [34, 60, 100, 140])
def test_every_carriage_shows_its_piece_and_its_id(width: int) -> None:
    state = _state(text="One more token, please: the token train", cached=0)
    drawn = " ".join(_lines(state, width))
    for piece in pieces(str(state["text"])):
        assert f" {piece} " in drawn.replace("│", " ")
        assert str(token_id(piece)) in drawn


def test_a_wide_window_has_the_counts_beside_the_train() -> None:
    lines = _lines(_state(), 120)
    assert lines[0].startswith("┌") and lines[0].split()[-2:] == ["words", "5"]
    assert max(map(len, lines)) > 100


@settings(max_examples=80, deadline=None)
@given(st.text(max_size=300), st.integers(0, 400), st.integers(34, 130), st.integers(8, 30), st.booleans())
def test_any_text_is_drawn_within_its_room(text: str, cached: int, width: int, height: int, ascii: bool) -> None:
    state = _state(text=text, cached=cached)
    lines = _lines(state, width, height, ascii=ascii)
    assert max(map(cell_len, lines)) <= width
    assert len(lines) <= height
    assert not ascii or "\n".join(lines).isascii()
    assert all(sign.isprintable() for line in lines for sign in line)
    assert int(str(state["cached"])) <= len(pieces(text[:MAX_TEXT]))


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=80))
def test_boxes_stand_under_their_roofs_whatever_the_script(text: str) -> None:
    pen = Pen(80, 60, "en")
    for car in cars(_state(text=text), pen):
        assert cell_len(car.text) + 2 <= car.width
        assert len(car.ident) + 2 <= car.width


@given(st.text(max_size=120))
def test_no_letter_is_lost_or_made_up(text: str) -> None:
    kept = [sign for sign in text if sign.isprintable() and not sign.isspace()]
    assert "".join(pieces(text)) == "".join(kept)


def test_text_is_text_and_no_markup() -> None:
    drawn = FIGURE.draw(_state(text="[red]x[/red] \x1b[31m {word}"), 100, 20, "en")
    assert "red" in drawn.plain and "\x1b" not in drawn.plain and "{" in drawn.plain


@pytest.mark.parametrize("lang", LANGS)
def test_what_to_notice_follows_the_cache(lang: Lang) -> None:
    pen = Pen(80, 24, lang)
    count = len(pieces(str(_state()["text"])))
    told = [notice(_state(cached=n), pen) for n in range(count + 1)]
    assert len({told[0], told[2], told[-2], told[-1]}) == 4
    assert "decode" in told[-2] and "prefill" in told[0]


def test_what_to_notice_of_words_alone() -> None:
    pen = Pen(80, 24, "en")
    told = {
        text: notice(_state(text=text, hide=["cache"]), pen)
        for text in ("Serving moves", "the train, the track", "one token", "")
    }
    assert "2 carriages: Serv, ing" in told["Serving moves"]
    assert "the comes 2 times" in told["the train, the track"]
    assert len(set(told.values())) == 4
    assert not any("kv" in text or "cache" in text for text in told.values())


def test_the_same_piece_has_the_same_id() -> None:
    state = _state(text="late, late, late", cached=0)
    assert len({car.ident for car in cars(state, Pen(80, 24, "en")) if car.text == "late"}) == 1
