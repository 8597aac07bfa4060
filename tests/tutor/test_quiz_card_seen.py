"""A card that is turned: its question stays in sight while its ideas are ticked, in the smallest window too."""

from __future__ import annotations

from pathlib import Path

import pytest

from content.lang import LANGS
from content.quiz import items, questions
from content.words import say
from tests.tutor.frames import flat, frame, paste, settle
from tests.tutor.quizzes import drawn, page, question, quiz_app
from tutor.widgets.card_form import CardForm

CARDS = [id for id, item in items.catalogue().items() if item.kind == "card"]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path))
    monkeypatch.delenv("LLM_TUTOR_LANG", raising=False)
    return tmp_path


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
async def test_the_question_stays_while_ideas_are_ticked(size: tuple[int, int], lang: str) -> None:
    longest = sorted(CARDS, key=lambda id: -len(questions.front(questions.question(items.catalogue()[id]), "en")))
    app = quiz_app([longest[0], "core/card/decode-limit"], lang)
    async with app.run_test(size=size) as pilot:
        for _ in range(2):
            await drawn(pilot)
            front = " ".join(questions.front(question(app), lang).replace("**", "").replace("`", "").split())
            assert front in flat(app)
            await paste(pilot, "memory and\nmany weights " * 12)
            await pilot.press("enter")
            await settle(pilot)
            form = page(app).query_one(CardForm)
            own = "you wrote: memory and many" if lang == "en" else "tumne likha: memory and many"
            seen = []
            for key in ("home", "a", "pageup", "end"):
                await pilot.press(key)
                await settle(pilot)
                assert front in flat(app), key
                seen += [line for line in frame(app).splitlines() if own in line]
            assert form.comparing and seen
            assert sum(front[:20] in line for line in frame(app).splitlines()) == 1
            await pilot.press("enter")
            await drawn(pilot)
            assert front in flat(app)  # and while it is graded
            await pilot.press("enter")
        await drawn(pilot)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
@pytest.mark.parametrize("keys", [("enter", "enter"), ("f4",)])
async def test_a_question_never_moves(size: tuple[int, int], lang: str, keys: tuple[str, ...]) -> None:
    app = quiz_app(["core/card/decode-limit"], lang)
    async with app.run_test(size=size) as pilot:
        await drawn(pilot)
        front = questions.front(question(app), lang)[:20]
        stood = [n for n, line in enumerate(frame(app).splitlines()) if front in line]
        assert len(stood) == 1 and "›" in frame(app)
        for key in keys:
            await pilot.press(key)
            await settle(pilot)
            assert [n for n, line in enumerate(frame(app).splitlines()) if front in line] == stood
        assert not any(line.strip() == "›" for line in frame(app).splitlines()), "there is nothing to type any more"
        assert say("app.quiz.card.how", lang) not in flat(app)


async def test_without_words_there_is_no_line_of_them() -> None:
    app = quiz_app(["core/card/decode-limit"])
    async with app.run_test(size=(80, 24)) as pilot:
        await drawn(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert "you wrote" not in flat(app) and "What limits decode" in flat(app)


@pytest.mark.parametrize("lang", LANGS)
async def test_enter_goes_on_and_takes_no_tick_away(lang: str) -> None:
    app = quiz_app(["core/card/decode-limit"], lang)
    async with app.run_test(size=(80, 24)) as pilot:
        await drawn(pilot)
        assert "› " in frame(app)  # a place to type is seen
        card = question(app).card
        assert card is not None
        form = page(app).query_one(CardForm)
        await paste(pilot, card.back[form.lang])
        await pilot.press("enter")
        await settle(pilot)
        found = list(form.ticked)
        assert found and form.comparing
        await pilot.press("enter")
        await settle(pilot)
        assert form.ticked == found and page(app).settled
        assert say("app.quiz.card.tick", form.lang)[:20] not in flat(app)


async def test_who_gives_up_is_not_asked_to_type() -> None:
    app = quiz_app(["core/card/decode-limit"])
    async with app.run_test(size=(80, 24)) as pilot:
        await drawn(pilot)
        assert "Enter turns the card" in flat(app)
        await pilot.press("f4")
        await settle(pilot)
        assert page(app).settled and "Enter turns the card" not in flat(app)
