"""A verdict is about the answer it judged: while another one stands in the form it steps back, whatever the kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from content.lang import LANGS, Lang
from tests.tutor.frames import answer, make_app, paste, settle
from tests.tutor.quizzes import drawn, question, quiz_app, right
from tests.tutor.test_app_kinds import at, screen_of
from tutor.app import TutorApp
from tutor.widgets.ink import QUIET
from tutor.widgets.prose import Prose


def stands_back(app: TutorApp) -> bool:
    """Whether all that is said to the answer is quiet; it is said in either case."""
    verdict = app.screen.query_one("#verdict", Prose)
    lines = [line for line in verdict.lines_at(70) if line.plain.strip()]
    assert lines
    return all(
        [span.style for span in line.spans if line.plain[span.start : span.end] == line.plain] == [QUIET]
        for line in lines
    )


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("first", ["3 GB", "2 \U0001f600 GB"])
async def test_over_a_typed_line(tmp_path: Path, lang: Lang, first: str) -> None:
    app = make_app(tmp_path, lang, at("core/L2.1/kv"))
    async with app.run_test(size=(80, 24)) as pilot:
        await answer(pilot, first)
        assert not stands_back(app)
        for typed in ("", "4 GB"):
            await paste(pilot, typed)
            await settle(pilot)
            assert stands_back(app), typed
        await pilot.press("f2")
        await settle(pilot)
        assert stands_back(app)  # in the other language too
        await paste(pilot, first)
        await settle(pilot)
        assert not stands_back(app)  # it is what was judged
        await answer(pilot, "4 GB")
        assert not stands_back(app)


@pytest.mark.parametrize(
    ("part", "keys", "other"),
    [
        ("core/L5.1a/bucket", ("b",), ("a",)),
        ("core/L3.2/twice_as_bad", ("y",), ("n",)),
        ("core/L1.1/a", ("b", "d"), ("c",)),
        ("core/L1.2/two", ("i", "a", "b", "c", "d", "j"), ("home", "e")),
    ],
)
async def test_over_what_is_picked(tmp_path: Path, part: str, keys: tuple[str, ...], other: tuple[str, ...]) -> None:
    app = make_app(tmp_path, place=at(part))
    async with app.run_test(size=(80, 40)) as pilot:
        await settle(pilot)
        await pilot.press(*keys)
        await pilot.press("enter")
        await settle(pilot)
        assert screen_of(app).told and not stands_back(app)
        before = screen_of(app).form.draft  # type: ignore[union-attr]
        await pilot.press(*other)
        await settle(pilot)
        assert screen_of(app).form.draft != before  # type: ignore[union-attr]
        assert stands_back(app)


async def test_a_part_that_is_left_and_entered_again_keeps_it_so(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=at("core/L2.3/fp16"))
    async with app.run_test(size=(80, 24)) as pilot:
        await answer(pilot, "3 GB")
        await paste(pilot, "5 GB")
        await settle(pilot)
        await pilot.press("down")
        await settle(pilot)
        assert screen_of(app).number == 1
        await pilot.press("up")
        await settle(pilot)
        assert screen_of(app).number == 0 and stands_back(app)


async def test_a_letter_for_one_of_the_slips_is_no_other_answer(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=at("core/L2.1/kv"))
    async with app.run_test(size=(80, 40)) as pilot:
        await answer(pilot, "0.537 GB")
        choices = screen_of(app).typed_choices()
        assert choices
        await paste(pilot, choices[0].letter)
        await settle(pilot)
        assert not stands_back(app)
        await paste(pilot, f"{choices[0].letter} GB")
        await settle(pilot)
        assert stands_back(app)


async def test_in_a_quiz() -> None:
    app = quiz_app(["core/L2.1/kv", "core/L2.2/batch"])
    async with app.run_test(size=(80, 24)) as pilot:
        await drawn(pilot)
        await answer(pilot, "1.234 GB")
        await drawn(pilot)
        assert not stands_back(app)
        await paste(pilot, "2 GB")
        for _ in range(40):  # the form tells the page, which says it anew
            await settle(pilot)
            if stands_back(app):
                break
        assert stands_back(app)
        await answer(pilot, right(question(app)))
        await drawn(pilot)
        assert not stands_back(app)
        await pilot.press("enter")
        await drawn(pilot)
        await answer(pilot, "1")
        await drawn(pilot)
        assert not stands_back(app)
