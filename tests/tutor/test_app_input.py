"""What a learner may type, paste and do to the window: nothing is lost, nothing is markup, nothing ends the app."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual import events

from tests.tutor.frames import answer, flat, frame, make_app, paste, settle
from tutor.progress import Place
from tutor.widgets.answer_input import AnswerInput

L21 = Place("exercise", "core/L2.1", part="core/L2.1/kv")


@pytest.mark.parametrize(
    "typed", ["[/b]", "[red]x", "kv[layer]", "cache[i] = [/]", "$a {b} \\[", "9**9**9**9", "\u202e1 GB"]
)
async def test_learner_text_is_never_markup(tmp_path: Path, typed: str) -> None:
    app = make_app(tmp_path, place=L21)
    async with app.run_test(size=(80, 24)) as pilot:
        await answer(pilot, typed)
        value = app.screen.query_one(AnswerInput).value
        assert value == "".join(char for char in typed if char.isprintable())
        assert value.split()[0] in frame(app)
        assert app.session.state("core/L2.1/kv").attempts == 0


async def test_the_place_of_a_reading_error_is_pointed_at(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=L21)
    async with app.run_test(size=(80, 24)) as pilot:
        await answer(pilot, "2*1*2048*#*2")
        lines = frame(app).splitlines()
        place = next(n for n, line in enumerate(lines) if "2048*#*2" in line)
        assert lines[place + 1].index("^") == lines[place].index("#")
        assert app.session.state("core/L2.1/kv").attempts == 0


async def test_a_megabyte_is_refused_with_one_sentence(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=L21)
    async with app.run_test(size=(80, 24)) as pilot:
        await paste(pilot, "1.07")
        app.focused.post_message(__import__("textual").events.Paste("9" * 1_000_000))
        await settle(pilot)
        assert app.screen.query_one(AnswerInput).value == "1.07"
        assert "1,000,000 characters" in flat(app)


async def test_a_copied_cell_is_one_line(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=L21)
    async with app.run_test(size=(80, 24)) as pilot:
        await paste(pilot, "1.07\tGB\r\n")
        assert app.screen.query_one(AnswerInput).value == "1.07 GB"


@pytest.mark.parametrize("small", [(20, 5), (39, 24), (80, 11), (1, 1)])
async def test_a_tiny_window_asks_kindly_and_keeps_the_text(tmp_path: Path, small: tuple[int, int]) -> None:
    app = make_app(tmp_path, place=L21)
    async with app.run_test(size=(80, 24)) as pilot:
        await paste(pilot, "1.0")
        await pilot.resize_terminal(*small)
        await settle(pilot)
        if small[0] > 1:
            assert "window larger" in flat(app)
        await pilot.press("7", "enter", "f3", "f8", "escape", "f2")  # only the last can be seen to do something
        await pilot.resize_terminal(80, 24)
        await settle(pilot)
        assert app.screen.query_one(AnswerInput).value == "1.0"
        assert app.session.state("core/L2.1/kv").attempts == app.session.state("core/L2.1/kv").hints == 0
        assert app.session.language == "hi-Latn"
        assert "Window thodi" not in flat(app)


async def test_f2_keeps_text_cursor_verdict_and_attempts(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=L21)
    async with app.run_test(size=(80, 24)) as pilot:
        await answer(pilot, "0.537 GB")
        line = app.screen.query_one(AnswerInput)
        line.cursor_position = 3
        await pilot.press("f2")
        await settle(pilot)
        assert (line.value, line.cursor_position, app.focused) == ("0.537 GB", 3, line)
        assert "Bilkul aadha" in flat(app)
        assert app.session.state("core/L2.1/kv").attempts == 1
        await pilot.press("ctrl+l")
        await settle(pilot)
        assert "Exactly half" in flat(app)


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
async def test_f2_keeps_the_paragraph_being_read(tmp_path: Path, size: tuple[int, int]) -> None:
    from content import course
    from tutor.widgets.page import Page

    lesson = max(
        (e.id for e in course.index().tracks[0].lessons),
        key=lambda i: max(len(s.text.en) for s in course.lesson(i).sections),
    )
    section = max(course.lesson(lesson).sections, key=lambda s: len(s.text.en))
    app = make_app(tmp_path, place=Place("lesson", lesson, section.id))
    async with app.run_test(size=size) as pilot:
        await pilot.resize_terminal(size[0], 12)
        await settle(pilot)
        page = app.screen.query_one(Page)
        page.scroll_to(y=9, animate=False, force=True)
        await settle(pilot)
        before = page.anchor_point()
        assert before is not None
        await pilot.press("f2")
        await settle(pilot)
        after = page.anchor_point()
        assert after is not None and after[:2] == before[:2]
        await pilot.press("f2")
        await settle(pilot)
        assert page.anchor_point()[:2] == before[:2]


async def test_peek_shows_both_languages(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=L21)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert "KV cache kitne GB lega?" not in flat(app)
        await pilot.press("f5")
        await settle(pilot)
        assert "KV cache kitne GB lega?" in flat(app) and "How many GB" in flat(app)
        await pilot.press("ctrl+y")
        await settle(pilot)
        assert "KV cache kitne GB lega?" not in flat(app)


@pytest.mark.parametrize("key", ["alt+m", "alt+h", "alt+g", "alt+l", "alt+s"])
async def test_an_alt_twin_is_a_command_and_not_a_letter(tmp_path: Path, key: str) -> None:
    app = make_app(tmp_path, place=Place("exercise", "core/L2.1", part="core/L2.1/kv"))
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await paste(pilot, "1.07")
        before = app.screen
        app.post_message(events.Key(key, key[-1]))  # a terminal sends the letter with it
        await settle(pilot)
        await settle(pilot)
        assert app.screen is not before
        assert set(app.session.progress.drafts("core/L2.1").values()) <= {"1.07"}
