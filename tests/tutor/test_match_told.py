"""A match: what is said of a wrong pair, and the marks of the right ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from content import checking, verdicts
from content.lang import LANGS
from tests.tutor.frames import frame, make_app, settle
from tutor.app import TutorApp
from tutor.widgets.form import letter
from tutor.widgets.match_form import MatchForm

HERE = "core/L1.2"


def told(part: str, option: str) -> dict[str, str]:
    """What is said to an option of a part, in both languages."""
    verdict = checking.check_part(f"{HERE}/{part}", option)
    return {lang: verdicts.message(f"{HERE}/{part}", verdict, lang) for lang in LANGS}


@pytest.mark.parametrize(
    ("part", "option", "words"),
    [
        ("B", "bytes", ("it goes with something else", "kisi aur ke saath jaati hai")),  # the reason of p
        ("B", "prompt_only", ("every token written after it", "Prompt aur output dono gino")),  # S says why not
        ("L", "query_key", ("An old query is never needed again", "cache mein sirf K aur V")),
        ("S", "prompt_only", ("every token written after it", "Prompt aur output dono gino")),  # its own slip
    ],
)
def test_a_wrong_pair_says_why(part: str, option: str, words: tuple[str, str]) -> None:
    said = told(part, option)
    assert all(word in said[lang] for lang, word in zip(LANGS, words, strict=True)), said


async def match(app: TutorApp) -> MatchForm:
    return app.screen.query_one(MatchForm)


async def test_one_choice_at_two_lines_is_told(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 40)) as pilot:
        await settle(pilot)
        app.go(HERE)
        await settle(pilot)
        await pilot.press("i", "i", "b", "c", "d", "j", "enter")
        await settle(pilot)
        assert "2 and B have the same choice; each fits at most one." in frame(app)
        assert "S, " not in frame(app)


async def test_a_draft_keeps_the_marks_of_what_still_stands(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    session = app.session
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        app.go(HERE)
        await settle(pilot)
        form = await match(app)
        options = [option.id for option in form.options]
        for part in form.parts:
            await pilot.press(letter(options.index(part.answer[0])))
        await pilot.press("enter")
        await settle(pilot)
        form.take_focus()
        await settle(pilot)
        await pilot.press("home", "j")  # the first line is given anew, and not handed in
        await settle(pilot)
        assert form.picked[form.part.id] == options[9]
        app.action_home()
        await settle(pilot)
    again = TutorApp(session, None)
    async with again.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        again.go(HERE)
        await settle(pilot)
        form = await match(again)
        assert form.has_class("-beside")
        assert [id.rpartition("/")[2] for id in form.right] == ["B", "S", "L", "d_model", "p"]
