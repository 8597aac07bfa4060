"""The question which of several slips it was: the next thing shown, answered by a click, a row or a letter."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Static

from content import verdicts
from content.lang import LANGS
from content.words import say
from tests.tutor.frames import SIZES, answer, column, frame, make_app, paste, settle
from tutor import letters
from tutor.app import TutorApp
from tutor.progress import Place
from tutor.screens.choices import ChoiceRows
from tutor.screens.exercise import ExerciseScreen
from tutor.widgets.answer_input import AnswerInput

KV = "core/L2.1/kv"
AT = Place("exercise", "core/L2.1", part=KV)
HALF = "0.537 GB"
"""Half of the right answer: the two of key and value left out, or one byte for each number."""


def choices(app: TutorApp) -> list[verdicts.Choice]:
    assert isinstance(app.screen, ExerciseScreen)
    return list(verdicts.choices(KV, app.screen.told[KV].verdict, app.session.language))


def whole(text: str, app: TutorApp) -> bool:
    """Whether every word of a text is on the screen, in its order."""
    return " ".join(text.split()) in column(app, "#said")


def rows(app: TutorApp) -> ChoiceRows:
    return app.screen.query_one(ChoiceRows)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("size", SIZES)
async def test_the_question_stands_whole_with_its_choices(tmp_path: Path, size: tuple[int, int], lang: str) -> None:
    app = make_app(tmp_path, lang, AT)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        assert not rows(app).display
        await answer(pilot, HALF)
        offered = choices(app)
        assert len(offered) >= 3 and offered[-1].slip == ""
        assert whole(app.screen.told[KV].message(app.session.language), app)
        assert HALF in frame(app)
        for choice in offered:
            assert whole(f"{choice.letter} {choice.text}", app)
        assert whole(letters.how([choice.letter for choice in offered], app.session.language), app)
        assert f"↓ {say('app.exercise.pick_one', app.session.language)}" in frame(app).splitlines()[-1]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
@pytest.mark.parametrize("typed", ["a", "b", "B)", " c. "])
async def test_a_letter_and_enter_pick(tmp_path: Path, size: tuple[int, int], lang: str, typed: str) -> None:
    app = make_app(tmp_path, lang, AT)
    async with app.run_test(size=size) as pilot:
        await answer(pilot, HALF)
        picked = next(choice for choice in choices(app) if choice.letter in typed.lower())
        before, ambiguous = app.session.progress.attempts(KV), app.screen.told[KV].message(app.session.language)
        await paste(pilot, typed)
        echo = str(app.screen.query_one("#echo", Static).content)
        assert picked.text in echo, "the echo says what the letter stands for"
        await pilot.press("enter")
        await settle(pilot)
        verdict = app.screen.told[KV].verdict
        assert whole(verdicts.settled(KV, verdict, picked.slip, app.session.language), app)
        assert not whole(ambiguous, app) and not rows(app).display
        after = app.session.progress.attempts(KV)
        assert len(after) == len(before) == 1, "no attempt is counted"
        assert after[0].slips == ((picked.slip,) if picked.slip else before[0].slips)
        line = app.screen.query_one(AnswerInput)
        assert line.value == HALF and app.focused is line
        assert app.session.drafts("core/L2.1") == {}
        await pilot.press("1")
        assert line.value == "1", "the answer is typed over"


async def test_arrows_go_in_and_out_and_enter_picks(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=AT)
    async with app.run_test(size=(80, 24)) as pilot:
        await answer(pilot, HALF)
        line = app.screen.query_one(AnswerInput)
        await pilot.press("down")
        assert rows(app).has_focus and rows(app).current == "a"
        assert frame(app).splitlines()[-1].strip().startswith("enter pick")
        await pilot.press("up")
        assert line.has_focus
        await pilot.press("tab")
        assert rows(app).has_focus, "tab leads there too"
        await pilot.press("down", "enter")
        await settle(pilot)
        second = app.session.progress.slips()[0].slip
        assert [second] == list(app.screen.told[KV].verdict.slips[1:2]) and line.has_focus


async def test_a_click_picks(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=AT)
    async with app.run_test(size=(80, 24)) as pilot:
        await answer(pilot, HALF)
        assert await pilot.click(ChoiceRows, offset=(8, 1))
        await settle(pilot)
        assert [slip.slip for slip in app.session.progress.slips()] == [app.screen.told[KV].verdict.slips[1]]
        assert not rows(app).display


@pytest.mark.parametrize("size", [(60, 20), (120, 40)])
async def test_the_other_language_and_another_size_keep_what_stands_there(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    app = make_app(tmp_path, "en", AT)
    async with app.run_test(size=size) as pilot:
        await answer(pilot, HALF)
        await pilot.press("down", "down", "f2")
        await settle(pilot)
        assert rows(app).has_focus and rows(app).current == "b"
        for choice in choices(app):
            assert whole(f"{choice.letter} {choice.text}", app)
        await pilot.resize_terminal(80, 24)
        await settle(pilot)
        assert rows(app).current == "b" and all(whole(choice.text, app) for choice in choices(app))
        await pilot.press("enter")
        await settle(pilot)
        verdict, slip = app.screen.told[KV].verdict, app.screen.picked[KV]
        assert whole(verdicts.settled(KV, verdict, slip, "hi-Latn"), app)
        await pilot.press("f2")
        await settle(pilot)
        assert whole(verdicts.settled(KV, verdict, slip, "en"), app)


async def test_a_new_answer_closes_the_question_and_a_letter_is_then_no_answer(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=AT)
    async with app.run_test(size=(80, 24)) as pilot:
        await answer(pilot, HALF)
        assert rows(app).display
        await answer(pilot, "7 GB")
        assert choices(app) == [] and not rows(app).display
        await answer(pilot, "1*2048*32*4096*2 bytes")  # the working shows which one it was
        assert not rows(app).display
        await answer(pilot, "a")
        assert app.screen.told[KV].verdict.verdict == "invalid"
        assert app.session.state(KV).attempts == 3


async def test_a_shown_solution_ends_the_question(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=AT)
    async with app.run_test(size=(80, 40)) as pilot:
        await answer(pilot, HALF)
        await pilot.press("f4", "f4")
        await settle(pilot)
        assert not rows(app).display


async def test_where_letters_are_symbols_only_the_rows_pick(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=Place("exercise", "core/L1.2", part="core/L1.2/formula"))
    async with app.run_test(size=(80, 40)) as pilot:
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, ExerciseScreen)
        assert screen.current.first.kind == "formula" and screen.letters() == {}
        await answer(pilot, "B")
        assert screen.told["core/L1.2/formula"].verdict.verdict == "incorrect", "it was read as a formula"
        assert app.session.state("core/L1.2/formula").attempts == 1 and screen.picked == {}


async def test_only_ascii_where_that_is_wished(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=AT, ascii=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await answer(pilot, HALF)
        await pilot.press("down")
        assert "> a  " in frame(app) and not set("▸✗✓›") & set(frame(app))


def test_a_letter_may_be_written_in_a_few_ways() -> None:
    assert [letters.of(typed, "abc") for typed in ("a", " B ", "c)", "a.", "(a", "ab", "d", "", ")")] == [
        "a", "b", "c", "a", "", "", "", "", "",
    ]  # fmt: skip


async def test_a_question_left_open_waits_at_its_part(tmp_path: Path) -> None:
    part, other = "core/L2.3/fp16", "core/L2.3/int8"
    app = make_app(tmp_path, place=Place("exercise", "core/L2.3", part=part))
    async with app.run_test(size=(80, 40)) as pilot:
        for typed in ("52 GB", "13 GB", "104 GB", "6.5 GB"):  # one that more than one slip explains
            await answer(pilot, typed)
            if rows(app).display:
                break
        assert rows(app).display
        offered = [row.id for row in rows(app).rows if row.id]
        await pilot.press("down", *["down"] * len(offered))  # through the choices and on to the part below
        await settle(pilot)
        assert app.screen.current.first.id == other and not rows(app).display  # type: ignore[attr-defined]
        await answer(pilot, "99 GB")
        await pilot.press("up")
        await settle(pilot)
        assert rows(app).display
        await answer(pilot, "a")
        assert app.screen.query_one(AnswerInput).value == typed
        assert app.session.state(part).attempts == len(app.session.progress.attempts(part))
