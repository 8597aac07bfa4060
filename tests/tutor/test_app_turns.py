"""What follows a verdict, a solution, a reason; what the line of keys promises; what stands there once."""

from __future__ import annotations

from pathlib import Path

import pytest

from content import course
from tests.tutor.frames import answer, flat, frame, make_app, paste, settle
from tutor.app import TutorApp
from tutor.dialogs.settings import SettingsPanel
from tutor.progress import Place
from tutor.screens.exercise import ExerciseScreen
from tutor.screens.lesson import LessonScreen
from tutor.session import Session
from tutor.widgets.answer_input import AnswerInput
from tutor.widgets.page import Page
from tutor.widgets.rows import Rows

KV = "core/L2.1/kv"
LANGS = ("en", "hi-Latn")


def at(part: str) -> Place:
    return Place("exercise", part.rpartition("/")[0], part=part)


def keyline(app: TutorApp) -> str:
    return frame(app).splitlines()[-1]


# --- verdicts -----------------------------------------------------------------------------------------------------


async def test_typing_after_a_wrong_verdict_begins_anew(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=at(KV))
    async with app.run_test(size=(80, 24)) as pilot:
        await answer(pilot, "0.537 GB")
        await pilot.press("1")
        assert app.screen.query_one(AnswerInput).value == "1"


async def test_an_unreadable_answer_is_told_once_and_can_be_mended(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=at(KV))
    async with app.run_test(size=(80, 40)) as pilot:
        await answer(pilot, "2*1*2048*#*2")
        sentence = app.screen.told[KV].message("en")
        assert flat(app).count(" ".join(sentence.split())) == 1
        await pilot.press("backspace")
        assert app.screen.query_one(AnswerInput).value == "2*1*2048*#*"


async def test_the_same_wrong_answer_counts_once(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=at(KV))
    async with app.run_test(size=(80, 24)) as pilot:
        await answer(pilot, "0.537 GB")
        await pilot.press("enter")
        await settle(pilot)
        assert app.session.state(KV).attempts == 1 and "Exactly half" in flat(app)
        await answer(pilot, "0.54 GB")
        assert app.session.state(KV).attempts == 2
        assert list(app.session.progress.slips()) == []  # neither answer had one explanation only
        await answer(pilot, "1*2048*32*4096*2 bytes")
        assert [slip.slip for slip in app.session.progress.slips()] == ["kv-drop-two"]


@pytest.mark.parametrize("lang", LANGS)
async def test_enter_goes_on_from_a_shown_solution(tmp_path: Path, lang: str) -> None:
    part = "core/L2.3/fp16"
    app = make_app(tmp_path, lang, at(part))
    async with app.run_test(size=(100, 40)) as pilot:
        await paste(pilot, "7")
        await pilot.press("f4", "f4")
        await settle(pilot)
        assert app.screen.tell("exercise.shown") in flat(app)
        assert f"enter {app.screen.tell('exercise.go_on')}" in keyline(app) and "F3" not in keyline(app)
        await pilot.press("f3", "enter")
        await settle(pilot)
        assert app.screen.current.first.id == "core/L2.3/int8"
        assert app.session.state(part)._replace(last_answer=None).attempts == app.session.state(part).hints == 0


async def test_after_a_shown_solution_another_answer_is_still_judged(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=at(KV))
    async with app.run_test(size=(100, 40)) as pilot:
        await settle(pilot)
        await pilot.press("f4", "f4")
        await settle(pilot)
        await answer(pilot, "1.07 GB")
        assert "Right" in flat(app) and app.session.state(KV).status == "shown"


async def test_notes_wait_for_the_reason(tmp_path: Path) -> None:
    place = next(
        part
        for entry in course.index().tracks[0].exercises
        for part in course.exercise(entry.id).parts
        if part.reasons and part.nuances
    )
    wrong = [option.id for option in place.reasons if option.id != place.reason]
    app = make_app(tmp_path, place=at(place.id))
    async with app.run_test(size=(100, 60)) as pilot:
        await settle(pilot)
        for row, settled in ((place.answer[0], False), (wrong[0], False), (wrong[0], False), (place.reason, True)):
            app.screen.query_one("#options", Rows).go(row)
            await pilot.press("enter")
            await settle(pilot)
            assert ("In real life" in flat(app)) == settled
        assert app.session.progress.attempts(place.id)[0].reasons == (wrong[0], place.reason)


async def test_a_skip_shows_the_next_question(tmp_path: Path) -> None:
    for size in ((60, 20), (100, 30)):
        app = make_app(tmp_path, place=Place("exercise", "core/L3.3"))
        async with app.run_test(size=size) as pilot:
            await settle(pilot)
            await pilot.press("f8")
            await settle(pilot)
            screen = app.screen
            assert isinstance(screen, ExerciseScreen)
            first = screen.query_one("#ask").pieces[0].content.plain.split()[:3]  # type: ignore[attr-defined]
            assert " ".join(first) in flat(app)


# --- marks of one's own ---------------------------------------------------------------------------------------------


async def test_a_letter_ticks_and_enter_leaves_it_ticked(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=at("core/L3.3/explain"))
    async with app.run_test(size=(100, 40)) as pilot:
        await paste(pilot, "prefill reads many tokens at once")
        assert "enter compare" in keyline(app)
        await pilot.press("enter")
        await settle(pilot)
        assert "enter tick" in keyline(app)
        await pilot.press("a", "enter")
        await settle(pilot)
        form = app.screen.form
        assert len(form.ticked) == 1
        await pilot.press("up", "enter")
        assert form.ticked == []
        await pilot.press("end")
        await settle(pilot)
        assert "enter keep marks" in keyline(app)


# --- lessons --------------------------------------------------------------------------------------------------------


def figured(lesson: str) -> str:
    return next(section.id for section in course.lesson(lesson).sections if section.figure)


async def test_the_way_out_of_a_figure_is_told_while_it_has_the_keys(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=Place("lesson", "core/C3", figured("core/C3")))
    async with app.run_test(size=(140, 60)) as pilot:
        await settle(pilot)
        await settle(pilot)  # the figure gets the keys once the page is laid out, and the line of keys follows
        screen = app.screen
        assert isinstance(screen, LessonScreen) and screen._figure is not None
        assert screen._figure.has_focus and "shift+tab page" in keyline(app)
        assert keyline(app).startswith(" n next") and "←→ figure" in keyline(app)
        await pilot.press("shift+tab")
        assert isinstance(screen.focused, Page) and "tab page" not in keyline(app)
        assert keyline(app).startswith(" n next") and "←→ figure" in keyline(app)


async def test_a_figure_keeps_all_arrows(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(140, 60)) as pilot:
        for entry in course.index().tracks[0].lessons:
            lesson = course.lesson(entry.id)
            number = next((n for n, section in enumerate(lesson.sections) if section.figure), None)
            if number is None:
                continue
            app.go(Place("lesson", entry.id, lesson.sections[number].id))
            await settle(pilot)
            screen = app.screen
            assert isinstance(screen, LessonScreen) and screen._figure is not None
            screen.set_focus(screen._figure)
            await pilot.press("right", "left", "left")
            assert screen.number == number


async def test_a_figure_out_of_sight_gets_no_keys(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=Place("lesson", "core/C3", figured("core/C3")))
    async with app.run_test(size=(60, 14)) as pilot:
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, LessonScreen) and screen._figure is not None
        assert not screen._figure.has_focus and "PgDn more" in keyline(app)
        screen.query_one(Page).scroll_end(animate=False)
        await settle(pilot)
        assert "PgDn" not in keyline(app)


@pytest.mark.parametrize("lang", LANGS)
async def test_a_lesson_without_exercises_says_so(tmp_path: Path, lang: str) -> None:
    app = make_app(tmp_path, lang, Place("lesson", "core/C0", "end"))
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        assert app.screen.tell("lesson.end_bare") in flat(app) and app.screen.tell("lesson.end_text") not in flat(app)


# --- panels, both languages, ASCII ----------------------------------------------------------------------------------


async def test_panels_tell_what_enter_does(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=at(KV))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for key, said in (("f10", "open"), ("f6", "open"), ("f7", "open"), ("ctrl+p", "do it"), ("alt+s", "change")):
            await pilot.press(key)
            await settle(pilot)
            assert keyline(app).strip().startswith(f"enter {said}")
        assert isinstance(app.screen, SettingsPanel) and "`" not in frame(app)
        before = app.session.language
        await app.screen.run_action("screen.enter")
        await settle(pilot)
        assert app.session.language != before


async def test_what_reads_the_same_in_both_languages_stands_once(tmp_path: Path) -> None:
    from content.markup import blocks

    lesson, section, line = next(
        (entry.id, section.id, block.spans[0].text)
        for entry in course.index().tracks[0].lessons
        for section in course.lesson(entry.id).sections
        for block in blocks(section.text.en)
        if block.kind == "code" and "{" not in block.spans[0].text and "\n" not in block.spans[0].text
    )
    app = make_app(tmp_path, place=Place("lesson", lesson, section))
    async with app.run_test(size=(120, 80)) as pilot:
        await settle(pilot)
        once = flat(app).count(" ".join(line.split()))
        await pilot.press("f5")
        await settle(pilot)
        assert flat(app).count(" ".join(line.split())) == once >= 1


async def test_a_terminal_that_has_only_ascii_gets_only_ascii(tmp_path: Path) -> None:
    for place in (None, Place("lesson", "core/C3", figured("core/C3")), at("core/L4.1/weights")):
        app = make_app(tmp_path, place=place)
        assert isinstance(app.session, Session)
        app.session.ascii_only = True
        async with app.run_test(size=(60, 20)) as pilot:
            await settle(pilot)
            signs = {char for char in frame(app) if not char.isascii()}
            assert not signs & set("╭╮╰╯│─━▁▂▃▄▅▆▇▸●○◐")
