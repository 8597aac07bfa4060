"""The sheet of a quiz: what is right, which slip it may have been, when it comes back, and the question once more."""

from __future__ import annotations

import io
from datetime import date, timedelta
from pathlib import Path

import pytest

from content import course
from content.lang import LANGS, Lang
from content.quiz import items, questions
from content.words import say
from tests.tutor.frames import flat, frame, paste, settle
from tests.tutor.quizzes import drawn, page, question, quiz_app, right
from tests.tutor.test_app_frames import check_frame
from tutor import quizsheet, quizzed
from tutor.plain import quiz
from tutor.plain.terminal import Terminal
from tutor.revision.model import Graded, Line
from tutor.screens.exercise import ExerciseScreen
from tutor.screens.lesson import LessonScreen
from tutor.screens.quiz_sheet import SheetPanel
from tutor.screens.quiz_solved import SolvedPanel
from tutor.widgets.page import Page
from tutor.widgets.rows import Rows

KV, BATCH, FIND_S, CARD = "core/L2.1/kv", "core/L2.2/batch", "core/L2.1/kv/find-S", "core/card/decode-limit"
BUCKET, PHASES, JUDGE = "core/L5.1a/bucket", "core/L1.1/a", "core/L3.2/twice_as_bad"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path))
    monkeypatch.delenv("LLM_TUTOR_LANG", raising=False)
    return tmp_path


def line(id: str, answer: str = "", right: bool | None = False, slips: tuple[str, ...] = (), **more: object) -> Line:
    item = items.catalogue()[id]
    place = "" if item.kind == "card" else item.source
    made = Line(item, 0, answer, right, Graded("again", "again", ("wrong",)), slips, 9.0, None, False, place)
    return made._replace(**more)  # type: ignore[arg-type]


def notes(of: Line, lang: Lang = "en") -> list[str]:
    return list(quizsheet.notes(of, lang))


# --- words ------------------------------------------------------------------------------------------------------------


def test_what_is_right_stands_beside_what_was_written() -> None:
    assert notes(line(KV, "1.00 GB")) == ["you wrote: 1.00 GB; right answer: 1.07 GB"]
    assert notes(line(KV)) == ["right answer: 1.07 GB"]  # given up
    assert notes(line(KV, "1.07 GB", True)) == [] and notes(line(KV, right=None)) == []
    assert notes(line(FIND_S, "3"))[0].startswith("you wrote: 3; right answer: ")
    assert notes(line(CARD)) == []  # it takes more than a line


@pytest.mark.parametrize("lang", LANGS)
def test_options_are_told_in_words(lang: Lang) -> None:
    part = course.part(BUCKET)[1]
    wrong = next(option for option in part.options if option.id not in part.answer)
    for answer in (wrong.id, wrong.letter, wrong.letter.lower()):
        (told,) = notes(line(BUCKET, answer), lang)
        assert wrong.text[lang].rstrip(".") in told
        assert questions.answer_shown(questions.question(items.catalogue()[BUCKET]), lang) in told
    (told,) = notes(line(JUDGE, "yes"), lang)
    assert say("verdicts.word-yes", lang) in told and say("verdicts.word-no", lang) in told


@pytest.mark.parametrize("lang", LANGS)
def test_one_slip_is_named_and_several_are_a_perhaps(lang: Lang) -> None:
    names = [quizzed.slip_name(slip, lang) for slip in ("gib-for-gb", "kv-drop-two")]
    assert notes(line(KV, "1.0 GB", slips=("gib-for-gb",)), lang)[1:] == [names[0]]
    several = notes(line(KV, "1.0 GB", slips=("gib-for-gb", "kv-drop-two")), lang)[1:]
    assert several == [say("quiz.sheet.perhaps", lang, slips="; ".join(names))]
    assert quizzed.slip_name("gib-for-gb", lang) not in quizsheet.question(line(KV, "1"), date(2026, 1, 1), lang)


@pytest.mark.parametrize("lang", LANGS)
def test_skipped_is_not_the_same_as_not_reached(lang: Lang) -> None:
    today = date(2026, 1, 1)
    passed, missed = (quizsheet.question(line(KV, right=None, reached=one), today, lang) for one in (True, False))
    assert passed.endswith(say("quiz.sheet.skipped", lang)) and missed.endswith(say("quiz.sheet.ungraded", lang))
    assert passed != missed


def test_days_are_told_from_today() -> None:
    today = date(2026, 1, 1)
    told = [quizsheet.back(line(KV, due=today + timedelta(days=days)), today, "en") for days in (0, 1, 9, 90)]
    assert told == ["today", "tomorrow", "in 9 days", "in 3 months"]


@pytest.mark.parametrize("id", [id for id, item in items.catalogue().items() if item.kind != "slip"])
def test_every_question_has_notes_in_both_languages(id: str) -> None:
    for lang in LANGS:
        for answer in ("", "7", "nonsense [/b]"):
            told = " ".join(notes(line(id, answer), lang))
            assert "{" not in told and "None" not in told


# --- in lines ---------------------------------------------------------------------------------------------------------


def test_lines_say_skipped_and_what_is_right() -> None:
    from tests.tutor.test_quiz_plain import Quizzed, Wanted

    quizzed = Quizzed()
    said = quizzed(Wanted("level", level="core/L2", most=2), "1.234 GB", "", "", "skip", "quit")
    sheet = said.partition("How it went")[2]
    assert "right answer: " in sheet and "skipped" in sheet and "not reached" not in sheet
    lines = quizzed.asked.sheet().lines
    assert [one.reached for one in lines] == [True, True]


def test_the_clock_of_a_quiz_that_is_left_stands_still() -> None:
    from tests.tutor.test_quiz_plain import Quizzed, Wanted

    quizzed = Quizzed()
    quizzed.asked = quizzed.session.revision.start(Wanted("level", level="core/L2", most=2))
    quiz.run(quizzed.session, Terminal(io.StringIO("quit\n"), io.StringIO()), quizzed.asked)
    before = quizzed.asked.sheet().seconds
    ticks = quizzed.asked._ticks
    quizzed.asked._ticks = lambda: ticks() + 500
    assert quizzed.asked.sheet().seconds == before


# --- in the app -------------------------------------------------------------------------------------------------------


async def ended(app: object, pilot: object, answers: int) -> SheetPanel:
    """Answer so many questions wrong, then leave."""
    for _ in range(answers):
        await drawn(pilot)  # type: ignore[arg-type]
        if question(app).card is not None:  # type: ignore[arg-type]
            await pilot.press("f4")  # type: ignore[attr-defined]
        else:
            await paste(pilot, f"1.234 {question(app).part.unit}")  # type: ignore[arg-type,union-attr]
            await pilot.press("enter")  # type: ignore[attr-defined]
        await drawn(pilot)  # type: ignore[arg-type]
        await pilot.press("f8")  # type: ignore[attr-defined]
        await drawn(pilot)  # type: ignore[arg-type]
    await pilot.press("escape")  # type: ignore[attr-defined]
    await settle(pilot)  # type: ignore[arg-type]
    assert isinstance(app.screen, SheetPanel)  # type: ignore[attr-defined]
    return app.screen  # type: ignore[attr-defined]


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
async def test_the_question_is_shown_once_more_with_its_solution(size: tuple[int, int]) -> None:
    app = quiz_app([KV, BATCH])
    async with app.run_test(size=size) as pilot:
        sheet = await ended(app, pilot, 1)
        assert "skipped" in flat(app) and "right answer" in flat(app) and "today" in flat(app)
        await pilot.press("enter")
        await settle(pilot)
        panel = app.screen
        assert isinstance(panel, SolvedPanel)
        seen = ""
        for _ in range(6):
            check_frame(frame(app), size)
            seen += flat(app)
            await pilot.press("pagedown")
            await settle(pilot)
        for told in ("How many GB", "you wrote: 1.234 GB", "Solution", "kv_cache =", "Its exercise", "(core/C2)"):
            assert told in seen, told
        assert panel.query_one(Rows).has_focus  # at the end of the page
        await pilot.press("enter")
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, ExerciseScreen) and screen.exercise.variant == sheet.sheet.lines[0].variant
        assert app.session.state(sheet.sheet.lines[0].place).status in ("shown", "solved")


async def test_a_reversed_question_leads_to_no_page_that_holds_its_answer() -> None:
    app = quiz_app([FIND_S])
    async with app.run_test(size=(80, 40)) as pilot:
        await ended(app, pilot, 1)
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, SolvedPanel) and "the other way round" in flat(app) and "S = " in flat(app)
        assert "Its exercise" not in flat(app)
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, LessonScreen)


async def test_a_card_is_shown_with_its_back() -> None:
    app = quiz_app([CARD], "hi-Latn")
    async with app.run_test(size=(80, 40)) as pilot:
        await ended(app, pilot, 1)
        await pilot.press("enter")
        await settle(pilot)
        asked = questions.question(items.catalogue()[CARD])
        assert " ".join(questions.front(asked, "hi-Latn").split()) in flat(app)
        assert " ".join(questions.solution(asked, "hi-Latn")[1].split())[:60] in flat(app)


async def test_the_sheet_keeps_its_row_and_its_time() -> None:
    app = quiz_app([KV, BATCH, FIND_S])
    async with app.run_test(size=(80, 24)) as pilot:
        sheet = await ended(app, pilot, 3)
        run = app.quiz.run if app.quiz is not None else None
        assert run is not None
        before, ticks = sheet.sheet.seconds, run._ticks
        run._ticks = lambda: ticks() + 500
        await pilot.press("down", "enter")
        await settle(pilot)
        await pilot.press("escape")
        await settle(pilot)
        assert app.screen.query_one("#rows", Rows).current == "q:1"
        await pilot.press("enter")
        await settle(pilot)
        for _ in range(4):
            await pilot.press("pagedown")
            await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, ExerciseScreen)
        await pilot.press("escape")
        await settle(pilot)
        assert isinstance(app.screen, SheetPanel)
        assert app.screen.query_one("#rows", Rows).current == "q:1" and app.screen.sheet.seconds == before


async def test_missed_ones_are_counted_down() -> None:
    app = quiz_app([KV, BATCH])
    async with app.run_test(size=(80, 24)) as pilot:
        for left in ("1 of 2", "2 of 2", "once more, 2 left", "once more, 1 left"):
            await drawn(pilot)
            assert left in frame(app).splitlines()[0], left
            if left == "1 of 2" or left == "2 of 2":
                await pilot.press("f4")
                await drawn(pilot)
            else:
                await paste(pilot, right(question(app)))
                await pilot.press("enter")
                await drawn(pilot)
            await pilot.press("enter")
        await drawn(pilot)


# --- what is below the window -----------------------------------------------------------------------------------------


async def test_the_line_of_keys_says_that_the_answer_is_below() -> None:
    app = quiz_app(["core/L4.1/margin"])
    async with app.run_test(size=(60, 20)) as pilot:
        await drawn(pilot)
        screen = page(app)
        assert not screen.can_view_entire(screen.form.edited)  # type: ignore[union-attr]
        assert "pgdn answer" in frame(app).splitlines()[-1].lower()
        await pilot.press("pagedown", "pagedown")
        await settle(pilot)
        assert screen.query_one(Page).at_end() and "pgdn" not in frame(app).splitlines()[-1].lower()
        await paste(pilot, "1.234 GB")
        await pilot.press("enter")
        await drawn(pilot)
        assert "F10 grade" in frame(app).splitlines()[-1]


@pytest.mark.parametrize("lang", LANGS)
async def test_a_slip_is_named_above_an_empty_line(lang: Lang) -> None:
    app = quiz_app(["core/slip/gib-for-gb"], lang)
    async with app.run_test(size=(60, 20)) as pilot:
        await drawn(pilot)
        rows = frame(app).splitlines()
        (last,) = (
            n
            for n, row in enumerate(rows)
            if row.strip().endswith(("happen here.", "bhi ho sakti hai.", "hai.")) and n < 5
        )
        assert not rows[last + 1].strip(" ▁▂▃▄▅▆▇█") and rows[last + 2].strip()
