"""A quiz in the app, with the keyboard and on the real store: what is asked, told, graded, kept, come back to."""

from __future__ import annotations

from pathlib import Path

import pytest

from content import course
from content.lang import LANGS
from content.quiz.concepts import taught_at
from content.words import say
from tests.tutor.frames import flat, frame, paste, settle
from tests.tutor.quizzes import drawn, page, question, quiz_app, right
from tests.tutor.test_app_typeahead import burst, quiet
from tutor import coursemap
from tutor.app import TutorApp
from tutor.screens.exercise import ExerciseScreen
from tutor.screens.lesson import LessonScreen
from tutor.screens.quiz_grade import GradeLine
from tutor.screens.quiz_sheet import SheetPanel
from tutor.screens.quiz_solved import SolvedPanel
from tutor.screens.quiz_start import QuizStart
from tutor.session import Session
from tutor.travel import QUIZ
from tutor.widgets.answer_input import AnswerInput
from tutor.widgets.card_form import CardForm
from tutor.widgets.choice import Choice
from tutor.widgets.list_form import ChoiceForm
from tutor.widgets.rows import Rows

KV, BATCH, FIND_S = "core/L2.1/kv", "core/L2.2/batch", "core/L2.1/kv/find-S"
CARD, JUDGE = "core/card/decode-limit", "core/L3.2/twice_as_bad"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path))
    monkeypatch.delenv("LLM_TUTOR_LANG", raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    return tmp_path


def stored(app: TutorApp, item: str) -> list[str]:
    """The grades of an item on the disk, newest first."""
    return [review.grade for review in app.session.progress.reviews(item)]


async def give(pilot: object, text: str) -> None:
    await paste(pilot, text)  # type: ignore[arg-type]
    await pilot.press("enter")  # type: ignore[attr-defined]
    await drawn(pilot)  # type: ignore[arg-type]


async def test_a_right_answer_is_graded_and_enter_goes_on() -> None:
    app = quiz_app([KV, BATCH])
    async with app.run_test(size=(80, 24)) as pilot:
        await drawn(pilot)
        assert "1 of 2" in flat(app) and question(app).item.id == KV
        assert not page(app).query_one(GradeLine).display
        await give(pilot, right(question(app)))
        assert page(app).settled and app.focused is page(app).query_one(GradeLine).grade
        assert "‹ Good › right, no hint; comes back in" in flat(app)
        assert stored(app, KV) == ["good"]
        await pilot.press("enter")
        await drawn(pilot)
        assert "2 of 2" in flat(app) and question(app).item.id == BATCH
        assert isinstance(app.focused, AnswerInput) and app.focused.value == ""


async def test_the_learner_overrules_the_grade() -> None:
    app = quiz_app([KV])
    async with app.run_test(size=(80, 24)) as pilot:
        await drawn(pilot)
        await give(pilot, right(question(app)))
        await pilot.press("left")
        await drawn(pilot)
        assert stored(app, KV) == ["hard"] and "‹ Hard ›" in flat(app) and "you said so" in flat(app)
        assert app.session.progress.reviews(KV)[0].proposed == "good"
        await pilot.press("right", "right")
        await drawn(pilot)
        assert stored(app, KV) == ["easy"]


async def test_a_wrong_answer_may_be_tried_again_and_keeps_its_grade() -> None:
    app = quiz_app([KV, BATCH])
    async with app.run_test(size=(80, 24)) as pilot:
        await drawn(pilot)
        await give(pilot, "1.234 GB")
        assert "Not yet" in flat(app) and f"‹ Again › {say('quiz.reason.wrong', 'en')}" in flat(app)
        assert isinstance(app.focused, AnswerInput)
        await give(pilot, right(question(app)))
        assert "✓ Right" in flat(app) and stored(app, KV) == ["again"]
        assert page(app).settled


async def test_what_cannot_be_read_costs_nothing() -> None:
    app = quiz_app([KV])
    async with app.run_test(size=(80, 24)) as pilot:
        await drawn(pilot)
        await give(pilot, "2*#*3")
        assert "^" in frame(app) and stored(app, KV) == []
        assert page(app).answered is None and not page(app).query_one(GradeLine).display


async def test_a_hint_lowers_the_grade() -> None:
    app = quiz_app([KV])
    async with app.run_test(size=(80, 24)) as pilot:
        await drawn(pilot)
        await pilot.press("f3")
        await settle(pilot)
        assert "Hint 1/3" in flat(app) and "hint 2/3" in frame(app)
        await give(pilot, right(question(app)))
        assert stored(app, KV) == ["hard"] and "with a hint" in flat(app)


async def test_not_knowing_shows_the_solution_and_brings_the_question_back() -> None:
    app = quiz_app([KV])
    async with app.run_test(size=(80, 40)) as pilot:
        await drawn(pilot)
        await pilot.press("f4")
        await drawn(pilot)
        assert "Solution" in flat(app) and "you did not know it" in flat(app) and stored(app, KV) == ["again"]
        await pilot.press("enter")
        await drawn(pilot)
        assert question(app).item.id == KV  # within minutes, in this very quiz
        assert "Solution" not in flat(app)


async def test_skipping_leaves_no_grade() -> None:
    app = quiz_app([KV, BATCH])
    async with app.run_test(size=(80, 24)) as pilot:
        await drawn(pilot)
        await pilot.press("f8")
        await drawn(pilot)
        assert question(app).item.id == BATCH and stored(app, KV) == []


async def test_a_reversed_question_is_read_and_judged_by_its_own_numbers() -> None:
    app = quiz_app([FIND_S])
    async with app.run_test(size=(80, 30)) as pilot:
        await drawn(pilot)
        answer = right(question(app))
        await paste(pilot, answer)
        assert f"read as {answer}" in flat(app)
        await pilot.press("enter")
        await drawn(pilot)
        assert "Put back in" in flat(app) and stored(app, FIND_S) == ["good"]
        await pilot.press("f4")
        await settle(pilot)
        assert "Solution" in flat(app)


async def test_a_card_ticks_only_what_stands_there() -> None:
    app = quiz_app([CARD])
    async with app.run_test(size=(80, 40)) as pilot:
        await drawn(pilot)
        assert "What limits decode" in flat(app) and "Memory bandwidth. Each step" not in flat(app)
        await paste(pilot, "weights, not memory")
        await pilot.press("enter")
        await settle(pilot)
        form = page(app).query_one(CardForm)
        assert "Memory bandwidth. Each step" in flat(app) and form.ticked == ["1"]
        await pilot.press("a", "end", "enter")
        await drawn(pilot)
        assert stored(app, CARD) == ["hard"] and "most ideas were there" in flat(app)
        assert app.session.progress.reviews(CARD)[0].right is None
        await pilot.press("enter")
        await drawn(pilot)
        assert question(app).item.id == CARD  # hard at first: once more within the quiz
        assert "Memory bandwidth. Each step" not in flat(app)


async def test_a_card_may_be_turned_without_a_word() -> None:
    app = quiz_app([CARD], "hi-Latn")
    async with app.run_test(size=(80, 40)) as pilot:
        await drawn(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert "Jawab" in flat(app) and page(app).query_one(CardForm).ticked == []


async def test_a_wrong_reason_lowers_the_grade() -> None:
    app = quiz_app([JUDGE])
    async with app.run_test(size=(80, 40)) as pilot:
        await drawn(pilot)
        part = question(app).part
        assert part is not None
        await pilot.press("n", "enter")
        await drawn(pilot)
        assert "And why?" in flat(app)
        form = page(app).query_one(ChoiceForm)
        form.list.go(next(option.id for option in part.reasons if option.id != part.reason))
        await pilot.press("enter")
        await drawn(pilot)
        assert stored(app, JUDGE)[0] == "again" and "for another reason" in flat(app)
        form.list.go(part.reason)
        await pilot.press("enter")
        await drawn(pilot)
        assert "And that is the reason." in flat(app) and stored(app, JUDGE)[0] == "again"


async def test_which_slip_it_was_is_asked_and_kept() -> None:
    app = quiz_app([KV])
    async with app.run_test(size=(80, 40)) as pilot:
        await drawn(pilot)
        screen = page(app)
        await give(pilot, _open(app))
        rows, listed = screen.query_one("#choices", Rows), screen.choices()
        assert rows.display and len(listed) > 2 and "pick one" in frame(app).splitlines()[-1]
        await pilot.press("down")
        assert app.focused is rows
        await pilot.press("enter")
        await settle(pilot)
        assert not screen.choices() and not rows.display and isinstance(app.focused, AnswerInput)
        assert [review.grade for review in app.session.progress.reviews(f"core/slip/{listed[0].id}")] == ["again"]
        assert screen.quiz.run is not None and screen.quiz.run.sheet().lines[0].slips == (listed[0].id,)


def _open(app: TutorApp) -> str:
    """An answer that two slips would give."""
    from content.checking import check_part, expectation
    from engine import units
    from engine.answers.numeric import broken_values

    asked = question(app)
    assert asked.exercise is not None and asked.part is not None
    values = [one.value for one in broken_values(expectation(asked.exercise, asked.part))]
    texts = [f"{float(value / units.get('GB').factor):.8g} GB" for value in values]
    return next(text for text in texts if check_part(asked.part.id, text).ambiguous)


# --- coming and going -----------------------------------------------------------------------------------------------


async def test_the_lesson_waits_behind_a_key_and_the_quiz_behind_escape() -> None:
    app = quiz_app([KV, BATCH])
    async with app.run_test(size=(80, 24)) as pilot:
        await drawn(pilot)
        variant = question(app).variant
        await paste(pilot, "1.0")
        await pilot.press("f9")
        await settle(pilot)
        assert isinstance(app.screen, LessonScreen) and app.screen.number == 0  # it teaches no concept of its own
        assert "esc to the quiz" in frame(app).splitlines()[-1]
        await pilot.press("escape")
        await drawn(pilot)
        assert question(app).item.id == KV and question(app).variant == variant
        assert app.screen.query_one(AnswerInput).value == "1.0"
        await give(pilot, right(question(app)))
        await pilot.press("f9")
        await settle(pilot)
        await pilot.press("escape")
        await drawn(pilot)
        assert "✓ Right" in flat(app) and "‹ Good ›" in flat(app) and stored(app, KV) == ["good"]


@pytest.mark.parametrize(("id", "section"), [(CARD, "decode"), ("core/L3.1/blocks", "blocks")])
@pytest.mark.parametrize("lang", LANGS)
async def test_the_lesson_opens_at_what_the_question_is_about(id: str, section: str, lang: str) -> None:
    app = quiz_app([id], lang)
    async with app.run_test(size=(60, 20)) as pilot:
        await drawn(pilot)
        item = question(app).item
        assert taught_at(item.concepts[0]) == (item.lesson, section)
        await pilot.press("f9")
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, LessonScreen) and screen.lesson.sections[screen.number].id == section
        assert f"esc {say('app.quiz.back', 'en' if lang == 'en' else 'hi-Latn')}" in frame(app).splitlines()[-1]


async def test_the_sheet_opens_what_was_asked_and_is_come_back_to() -> None:
    app = quiz_app([KV, BATCH, CARD])
    async with app.run_test(size=(80, 40)) as pilot:
        await drawn(pilot)
        variant = question(app).variant
        await give(pilot, "1.234 GB")
        await pilot.press("f8")
        await drawn(pilot)
        await give(pilot, right(question(app)))
        await pilot.press("escape")
        await settle(pilot)
        assert isinstance(app.screen, SheetPanel)
        assert "1 of 2 right at the first answer" in flat(app) and "you wrote: 1.234 GB" in flat(app)
        assert "not reached" not in flat(app)  # the third was never asked, and this is no test
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, SolvedPanel) and "Solution" in flat(app)
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, ExerciseScreen) and app.screen.exercise.variant == variant
        await pilot.press("escape")
        await settle(pilot)
        assert isinstance(app.screen, SheetPanel)
        await pilot.press("r")
        await settle(pilot)
        assert isinstance(app.screen, QuizStart) and "1 of 2 right" in flat(app)
        await pilot.press("escape", "escape")
        await settle(pilot)
        assert "Next C3 Paging" in flat(app)  # both exercises of C2 were answered, one of them rightly


async def test_leaving_before_an_answer_leads_home() -> None:
    app = quiz_app([KV])
    async with app.run_test(size=(80, 24)) as pilot:
        await drawn(pilot)
        await pilot.press("escape")
        await settle(pilot)
        assert app.quiz is None and "Begin" in flat(app)


async def test_home_shows_what_is_due_and_a_quiz_that_waits() -> None:
    with_answer = Session.start("en")
    with_answer.check(KV, "1.00 GB", 9)
    for section in course.lesson("core/C2").sections:
        coursemap.saw(with_answer, "core/C2", section.id)
    with_answer.settings = with_answer.settings._replace(language="en")
    app = TutorApp(with_answer, ask=False)
    async with app.run_test(size=(80, 40)) as pilot:
        await settle(pilot)
        assert "Revise" in flat(app)  # something was answered, though there is no place to go back to
        app.go("core/L2.1")
        await settle(pilot)
        await pilot.press("escape")
        await drawn(pilot)
        assert "Revise" in flat(app) and "new" in flat(app)
        await pilot.press("r")
        await settle(pilot)
        assert isinstance(app.screen, QuizStart) and "What is due" in flat(app)
        await pilot.press("enter")
        await drawn(pilot)
        asked = question(app).item.id
        await pilot.press("alt+m")
        await settle(pilot)
        assert "go on with the quiz" in flat(app)
        await pilot.press("r")
        await drawn(pilot)
        assert question(app).item.id == asked


async def test_nothing_learnt_is_said_and_not_asked() -> None:
    app = quiz_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "Revise" not in flat(app)
        await pilot.press("r")
        await settle(pilot)
        assert "There is nothing to revise yet." in flat(app)
        await pilot.press("enter")
        await drawn(pilot)
        assert isinstance(app.screen, QuizStart) and "There is nothing to revise yet." in flat(app)


async def test_a_level_is_asked_by_its_name() -> None:
    app = quiz_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("r")
        await settle(pilot)
        await pilot.press("down", "down", "down", "down", "enter")
        await drawn(pilot)
        assert "L2 Application" in frame(app).splitlines()[0] and question(app).item.level == "core/L2"


# --- the test -------------------------------------------------------------------------------------------------------


async def test_a_test_tells_nothing_before_its_end() -> None:
    app = quiz_app([KV, BATCH], mode="test")
    async with app.run_test(size=(80, 30)) as pilot:
        await drawn(pilot)
        assert ":" in frame(app).splitlines()[0] and "hint" not in frame(app).splitlines()[-1]
        await give(pilot, "GB ##")
        assert "#" in flat(app) and question(app).item.id == KV  # what cannot be read is told
        await give(pilot, "1.234 GB")
        assert question(app).item.id == BATCH
        assert "Not yet" not in flat(app) and not page(app).query_one(GradeLine).display
        await pilot.press("escape")
        await settle(pilot)
        assert "Leave the test?" in flat(app)
        await give(pilot, right(question(app)))
        await settle(pilot)
        assert isinstance(app.screen, SheetPanel)
        assert "Result of the test" in flat(app) and "1 of 2 right" in flat(app)


async def test_the_bell_ends_a_test() -> None:
    app = quiz_app([KV, BATCH], mode="test")
    async with app.run_test(size=(80, 24)) as pilot:
        await drawn(pilot)
        run = page(app).quiz.run
        assert run is not None and run.limit_s is not None
        run._ticks = lambda: run._began + run.limit_s + 1
        await pilot.pause(1.2)
        await settle(pilot)
        assert isinstance(app.screen, SheetPanel) and "Time is up." in flat(app)


async def test_the_bell_takes_what_stands_typed() -> None:
    app = quiz_app([KV, BATCH], mode="test")
    async with app.run_test(size=(80, 24)) as pilot:
        await drawn(pilot)
        run, item, answer = page(app).quiz.run, question(app).item.id, right(question(app))
        assert run is not None and run.limit_s is not None
        await pilot.press(*[{" ": "space", ".": "full_stop"}.get(letter, letter) for letter in answer])
        run._ticks = lambda: run._began + run.limit_s + 1
        await pilot.pause(1.2)
        await settle(pilot)
        await pilot.pause(1.2)
        await settle(pilot)
        assert isinstance(app.screen, SheetPanel) and "1 of 1 right" in flat(app)
        assert stored(app, item) == ["good"]


# --- keys and words -------------------------------------------------------------------------------------------------


async def test_what_is_typed_before_a_question_stands_there_is_no_answer_to_it() -> None:
    app = quiz_app([BATCH, KV])
    async with app.run_test(size=(80, 24)) as pilot:
        await drawn(pilot)
        answer = right(question(app)).split()[0]
        burst(app, answer, "enter", "enter", "17")
        await quiet(app)
        await drawn(pilot)
        assert question(app).item.id == KV
        assert app.screen.query_one(AnswerInput).value == ""
        assert stored(app, BATCH) == ["good"] and stored(app, KV) == []
        await pilot.press("1", "7")
        assert app.screen.query_one(AnswerInput).value == "17"


@pytest.mark.parametrize("item", ["core/L1.3/paged", "core/L4.1/fits", "core/L1.1/a"])
async def test_enter_alone_answers_nothing(item: str) -> None:
    app = quiz_app([item])
    async with app.run_test(size=(80, 30)) as pilot:
        await drawn(pilot)
        await pilot.press("enter", "enter")
        await settle(pilot)
        assert stored(app, item) == [] and page(app).answered is None
        await pilot.press("down", "enter")
        await settle(pilot)
        assert stored(app, item) or item == "core/L1.1/a"  # there one is picked of each group


async def test_the_language_changes_in_place() -> None:
    app = quiz_app([KV])
    async with app.run_test(size=(80, 24)) as pilot:
        await drawn(pilot)
        await give(pilot, right(question(app)))
        await pilot.press("f2")
        await settle(pilot)
        assert "✓ Sahi" in flat(app) and "din mein wapas aayega" in flat(app)
        assert app.focused is page(app).query_one(Choice) and stored(app, KV) == ["good"]


async def test_the_line_of_keys_says_what_enter_does() -> None:
    app = quiz_app([KV, CARD])
    async with app.run_test(size=(120, 40)) as pilot:
        await drawn(pilot)
        assert "enter check" in frame(app) and "F4 don't know" in frame(app) and "F8 skip" in frame(app)
        await give(pilot, "1.234 GB")
        assert "F4 reveal" in frame(app) and "F8 next" in frame(app)
        await give(pilot, right(question(app)))
        assert "enter next" in frame(app).splitlines()[-1] and "F8" not in frame(app).splitlines()[-1]
        await pilot.press("up")
        await settle(pilot)
        assert isinstance(app.focused, AnswerInput)
        await pilot.press("enter")
        await drawn(pilot)
        assert question(app).item.id == CARD and "enter turn" in frame(app)


async def test_the_app_starts_with_what_is_wanted() -> None:
    from tutor.revision.model import Wanted

    session = Session.start("en")
    app = TutorApp(session, QUIZ, ask=False)
    app.quizzing = Wanted("level", level="core/L3")
    async with app.run_test(size=(80, 24)) as pilot:
        await drawn(pilot)
        await drawn(pilot)
        assert question(app).item.level == "core/L3" and app.quizzing is None
        assert course.resolve(question(app).item.source.split("/card")[0]).id
