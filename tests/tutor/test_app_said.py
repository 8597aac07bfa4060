"""What is said to an answer stands whole and in sight, under its question, on the smallest good screen."""

from __future__ import annotations

from pathlib import Path

import pytest

from content import course
from content.fill import fill, of_part
from content.lang import LANGS, Lang
from content.markup import plain
from tests.tutor.frames import answer, column, flat, frame, make_app, settle
from tutor.app import TutorApp
from tutor.progress import Place

KV, MANY, TOTAL = "core/L2.1/kv", "core/L4.1/kv", "core/L4.1/total"
HALF = "1*2048*32*4096*2 bytes"
"""The cache of L2.1 without the two of key and value, as a calculation that shows it."""


def at(part: str) -> Place:
    return Place("exercise", part.rpartition("/")[0], part=part)


def working(part: str, *, two: bool) -> str:
    """The cache of a part as a calculation, with or without the two of key and value."""
    given = course.part(part)[1].given
    factors = [str(int(given[symbol])) for symbol in ("B", "S", "L", "d_model", "p")]
    return "*".join((["2"] if two else []) + factors) + " bytes"


def said(app: TutorApp, part: str) -> str:
    return " ".join(app.screen.told[part].message(app.session.language).split())  # type: ignore[attr-defined]


@pytest.mark.parametrize("lang", LANGS)
async def test_the_same_slip_elsewhere_and_that_it_is_gone_are_said_whole(tmp_path: Path, lang: Lang) -> None:
    app = make_app(tmp_path, lang, at(MANY))
    app.session.check(KV, HALF)
    async with app.run_test(size=(60, 20)) as pilot:
        await answer(pilot, working(MANY, two=False))
        assert app.screen.told[MANY].again == KV
        assert "L2.1" in said(app, MANY) and said(app, MANY) in column(app, "#said")
        await answer(pilot, working(MANY, two=True))
        assert app.screen.told[MANY].gone is not None
        assert said(app, MANY) in column(app, "#said")


@pytest.mark.parametrize("lang", LANGS)
async def test_follow_through_is_said_under_its_question(tmp_path: Path, lang: Lang) -> None:
    app = make_app(tmp_path, lang, at(MANY))
    async with app.run_test(size=(60, 20)) as pilot:
        await answer(pilot, working(MANY, two=False))
        await pilot.press("down")
        await settle(pilot)
        assert app.screen.current.first.id == TOTAL
        exercise, part = course.part(TOTAL)
        own = part.given["N"] * part.given["p_w"] + app.session.state(MANY).value
        await answer(pilot, f"{float(own / 10**9):.2f} GB")
        assert "follow-through" in app.screen.told[TOTAL].verdict.notes
        assert said(app, TOTAL) in column(app, "#said")
        assert part.ask is not None
        ask = plain(fill(part.ask[lang], lang, of_part(exercise, part)))
        assert " ".join(ask.split()) in column(app, "#left")


@pytest.mark.parametrize("lang", LANGS)
async def test_one_more_digit_keeps_the_echo_and_is_no_attempt(tmp_path: Path, lang: Lang) -> None:
    app = make_app(tmp_path, lang, at(KV))
    async with app.run_test(size=(60, 20)) as pilot:
        await answer(pilot, "1.1 GB")
        assert app.screen.told[KV].verdict.reason == "more-digits"
        assert said(app, KV) in column(app, "#said") and app.session.state(KV).attempts == 0
        assert "1.1 GB = 1,100,000,000 bytes" in flat(app), "it was understood"


async def test_a_mark_takes_the_place_of_the_echo_so_that_nothing_moves(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=at(KV))
    async with app.run_test(size=(80, 40)) as pilot:
        await answer(pilot, "0.537 GB")
        first = app.screen.query_one("#said").region.y
        await answer(pilot, "0.537 # GB")
        assert "^" in frame(app)
        assert app.screen.query_one("#said").region.y == first


async def test_a_window_that_shrinks_keeps_the_verdict_in_sight(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=at(KV))
    async with app.run_test(size=(120, 40)) as pilot:
        await answer(pilot, HALF)
        await pilot.resize_terminal(60, 20)
        await settle(pilot)
        assert said(app, KV) in column(app, "#said")


async def test_a_hint_stays_in_sight_whatever_becomes_of_the_window(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=Place("exercise", "core/L4.2"))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("f3")
        await settle(pilot)
        assert "Hint 1/3" in frame(app)
        for size in ((60, 20), (300, 100), (80, 24)):
            await pilot.resize_terminal(*size)
            await settle(pilot)
            assert "Hint 1/3" in frame(app), size


@pytest.mark.parametrize(
    ("lang", "told"), [("en", "ctrl+q ends the tutor"), ("hi-Latn", "Tutor ctrl+q se band hota hai")]
)
async def test_ctrl_c_says_what_ends_the_tutor(tmp_path: Path, lang: str, told: str) -> None:
    app = make_app(tmp_path, lang)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+c")
        await settle(pilot)
        assert told in flat(app) and app.is_running
