"""Variants in the app: opened, told apart, left again, resumed, found in the list, counted once."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from content import address, course
from content.fill import fill, of_exercise
from content.markup import plain
from content.words import say
from tests.tutor.frames import SIZES, answer, flat, frame, make_app, paste, settle
from tutor import keys, variants
from tutor.app import TutorApp
from tutor.dialogs.help import HelpPanel
from tutor.dialogs.jump import JumpPanel
from tutor.progress import Place
from tutor.screens.exercise import ExerciseScreen
from tutor.widgets.answer_input import AnswerInput
from tutor.widgets.rows import Rows

LANGS = ("en", "hi-Latn")
EXERCISE, PART = "core/L2.1", "core/L2.1/kv"
AT = Place("exercise", EXERCISE, part=PART)
FIXED = next(entry.id for entry in course.index().tracks[0].exercises if not course.can_vary(course.exercise(entry.id)))
"""An exercise that has only its values as written."""


def exercise(app: TutorApp) -> ExerciseScreen:
    assert isinstance(app.screen, ExerciseScreen)
    return app.screen


def right(part_address: str) -> str:
    """The right answer as the course shows it."""
    from content import fill as filling

    return filling.answer_text(course.part(part_address)[1])


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("size", SIZES[::2])
async def test_a_variant_opens_at_its_first_part_and_says_which_it_is(
    tmp_path: Path, size: tuple[int, int], lang: str
) -> None:
    app = make_app(tmp_path, lang, AT)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        await paste(pilot, "1.0")
        await pilot.press("ctrl+n")
        await settle(pilot)
        drawn = course.exercise(f"{EXERCISE}@1")
        lines = frame(app).splitlines()
        assert exercise(app).exercise.id == drawn.id and exercise(app).current.first.id == f"{EXERCISE}@1/kv"
        assert variants.told(drawn, lang) in flat(app) and all(name in flat(app) for name in drawn.names.values())
        assert "L2.1@1" in lines[0]
        prompt = plain(fill(drawn.prompt[lang], lang, of_exercise(drawn)))  # type: ignore[index]
        assert " ".join(prompt.split())[:40] in flat(app)
        assert app.screen.query_one(AnswerInput).value == ""
        assert app.session.drafts(EXERCISE) == {PART: "1.0"}, "what was typed waits in the values as written"
        await pilot.press("alt+v")  # the twin, and the number after
        await settle(pilot)
        assert "L2.1@2" in frame(app).splitlines()[0]
        await pilot.press("alt+w")
        await settle(pilot)
        assert exercise(app).exercise.variant == 0
        assert app.screen.query_one(AnswerInput).value == "1.0"


@pytest.mark.parametrize("lang", LANGS)
def test_a_variant_is_named_by_what_its_numbers_belong_to(lang: str) -> None:
    drawn = course.exercise(f"{EXERCISE}@1")
    for names in ({}, {"model": "M-7B"}, {"gpu": "G 80GB"}, {"model": "M-7B", "gpu": "G 80GB"}):
        told = variants.told(drawn._replace(names=names), lang)  # type: ignore[arg-type]
        assert all(name in told for name in names.values()) and "1" in told and "{" not in told
    assert variants.told(course.exercise(EXERCISE), lang) == ""  # type: ignore[arg-type]


async def test_where_nothing_can_be_drawn_there_is_no_command(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=Place("exercise", FIXED))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        screen, before = app.screen, frame(app)
        assert "ctrl+n" not in before
        await pilot.press("ctrl+n", "alt+v", "alt+w")
        await settle(pilot)
        assert app.screen is screen and frame(app) == before
        for panel in ("ctrl+p", "f1"):
            await pilot.press(panel)
            await settle(pilot)
            assert "fresh numbers" not in flat(app) and "alt+w" not in flat(app)
            await pilot.press("escape")
            await settle(pilot)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("size", SIZES[::2])
async def test_where_nothing_can_be_drawn_the_key_says_so(tmp_path: Path, size: tuple[int, int], lang: str) -> None:
    app = make_app(tmp_path, lang, Place("exercise", FIXED))
    async with app.run_test(size=size, notifications=True) as pilot:
        await settle(pilot)
        screen = app.screen
        await pilot.press("ctrl+n", "alt+v")
        await settle(pilot)
        sentence = say("cli.plain.no_variant", lang)  # type: ignore[arg-type]
        assert [note.message for note in app._notifications] == [sentence], "once, however often it is pressed"
        await pilot.press("alt+w")
        await settle(pilot)
        written = say("cli.plain.no_original", lang)  # type: ignore[arg-type]
        assert [note.message for note in app._notifications] == [sentence, written]
        assert app.screen is screen and not app.drawing


@pytest.mark.parametrize("lang", LANGS)
async def test_as_written_says_so_where_one_is_there_already(tmp_path: Path, lang: str) -> None:
    app = make_app(tmp_path, lang, AT)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("alt+w")
        await settle(pilot)
        assert [note.message for note in app._notifications] == [say("cli.plain.no_original", lang)]  # type: ignore[arg-type]


@pytest.mark.parametrize("lang", LANGS)
async def test_the_key_is_in_the_line_after_a_wrong_answer(tmp_path: Path, lang: str) -> None:
    app = make_app(tmp_path, lang, AT)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "tab figure" in frame(app).splitlines()[-1], "before, the room is for the figure"
        await answer(pilot, "7 GB")
        assert "ctrl+n variant" in frame(app).splitlines()[-1]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("typed", ["7 GB", "0.537 GB"])
async def test_a_line_with_no_room_for_all_keys_says_where_the_others_are(
    tmp_path: Path, typed: str, lang: str
) -> None:
    app = make_app(tmp_path, lang, AT)
    more = f"F1 {say('app.keys.help.more', lang)}"  # type: ignore[arg-type]
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        assert frame(app).splitlines()[-1].rstrip().endswith(more)
        await answer(pilot, typed)
        line = frame(app).splitlines()[-1]
        assert line.rstrip().endswith(more)
        assert await pilot.click("#keyline", offset=(line.index("F1") + 1, 0))
        await settle(pilot)
        assert isinstance(app.screen, HelpPanel) and "ctrl+n, alt+v" in flat(app)
        await pilot.press("escape")
        await pilot.resize_terminal(250, 24)
        await settle(pilot)
        assert f"F1 {say('app.keys.help.label', lang)}" in frame(app).splitlines()[-1]  # type: ignore[arg-type]


async def test_line_of_keys_help_and_palette_list_it(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=AT)
    async with app.run_test(size=(100, 24)) as pilot:
        await settle(pilot)
        assert "ctrl+n variant" in frame(app).splitlines()[-1]
        await pilot.press("f1")
        await settle(pilot)
        assert "ctrl+n, alt+v the same exercise with fresh numbers" in flat(app)
        await pilot.press("escape", "ctrl+p")
        await settle(pilot)
        assert "as written" not in flat(app), "there is no way back from where one is"
        await paste(pilot, "fresh")
        await pilot.press("enter")
        await settle(pilot)
        assert exercise(app).exercise.variant == 1
        await pilot.press("ctrl+p")
        await settle(pilot)
        await paste(pilot, "as written")
        await pilot.press("enter")
        await settle(pilot)
        assert exercise(app).exercise.id == EXERCISE


@pytest.mark.parametrize("lang", LANGS)
async def test_what_comes_after_an_exercise_offers_fresh_numbers(tmp_path: Path, lang: str) -> None:
    app = make_app(tmp_path, lang, AT)
    async with app.run_test(size=(80, 40)) as pilot:
        await answer(pilot, right(PART))
        assert say("app.exercise.offer.variant", lang) in flat(app)  # type: ignore[arg-type]
        assert say("app.exercise.offer.as_written", lang) not in flat(app)  # type: ignore[arg-type]
        app.screen.query_one("#offers", Rows).go("variant")
        await pilot.press("enter")
        await settle(pilot)
        await answer(pilot, right(f"{EXERCISE}@1/kv"))
        assert app.session.state(f"{EXERCISE}@1/kv").status == "solved"
        app.screen.query_one("#offers", Rows).go("as-written")
        await pilot.press("enter")
        await settle(pilot)
        assert exercise(app).exercise.id == EXERCISE


async def test_home_and_results_count_an_exercise_once(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=Place("exercise", f"{EXERCISE}@3", part=f"{EXERCISE}@3/kv"))
    level = next(level for level in course.index().tracks[0].levels if PART in level.parts)
    async with app.run_test(size=(80, 40)) as pilot:
        await answer(pilot, right(f"{EXERCISE}@3/kv"))
        assert "● 1/1" in " ".join(frame(app).splitlines()[0].split())
        await pilot.press("f10")
        await settle(pilot)
        assert "KV cache solved, 1 attempt" in flat(app)
        await pilot.press("enter")  # the part leads back into the variant
        await settle(pilot)
        assert exercise(app).exercise.id == f"{EXERCISE}@3"
        app.action_home()
        await settle(pilot)
        assert f"{level.title.en}" in flat(app) and f"1/{len(level.parts)}" in flat(app)


async def test_a_slip_of_a_variant_is_counted_in_the_results(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=Place("exercise", f"{EXERCISE}@3", part=f"{EXERCISE}@3/kv"))
    given = course.exercise(f"{EXERCISE}@3").given
    halved = "*".join(str(int(given[symbol])) for symbol in ("B", "S", "L", "d_model", "p"))
    async with app.run_test(size=(80, 40)) as pilot:
        await answer(pilot, f"{halved} bytes")
        assert [slip.part for slip in app.session.progress.slips()] == [f"{EXERCISE}@3/kv"]
        await pilot.press("f10")
        await settle(pilot)
        assert say("app.results.slips", "en") in flat(app) and "1×" in flat(app)


@pytest.mark.parametrize("lang", LANGS)
async def test_home_goes_on_in_the_variant(tmp_path: Path, lang: str) -> None:
    app = make_app(tmp_path, lang, AT)
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+n")
        await settle(pilot)
        await paste(pilot, "1.3")
        app.action_home()
        await settle(pilot)
        title = course.exercise(EXERCISE).title[lang]  # type: ignore[index]
        assert say("app.exercise.variant_here", lang, title=f"L2.1 {title}", n=1) in flat(app)  # type: ignore[arg-type]
        await pilot.press("enter")
        await settle(pilot)
        assert exercise(app).exercise.id == f"{EXERCISE}@1"
        assert app.screen.query_one(AnswerInput).value == "1.3"


async def test_the_list_takes_an_address(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for typed, arrived in (("L2.1@3", f"{EXERCISE}@3"), ("core/l2.1@4/kv", f"{EXERCISE}@4")):
            await pilot.press("f6")
            await settle(pilot)
            await paste(pilot, typed)
            assert "variant" in flat(app)
            await pilot.press("enter")
            await settle(pilot)
            assert exercise(app).exercise.id == arrived
        await pilot.press("f6")
        await settle(pilot)
        await paste(pilot, "L2.1@")  # the number is still to come
        assert [row.id for row in app.screen.query_one(Rows).rows if row.id] == [EXERCISE]
        for none in (f"{FIXED}@3", "core/C2@3", "L2.1@3000000", "nothing@3"):
            await paste(pilot, none)
            assert not any(row.id for row in app.screen.query_one(Rows).rows)
        await pilot.press("enter")
        assert isinstance(app.screen, JumpPanel)


async def test_drawing_does_not_hold_the_page_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = make_app(tmp_path, place=AT)
    fresh = type(app.session).fresh

    def slow(session: object, exercise_id: str) -> str:
        time.sleep(0.4)
        return fresh(session, exercise_id)  # type: ignore[arg-type]

    monkeypatch.setattr(type(app.session), "fresh", slow)
    monkeypatch.setattr("tutor.travel.SLOW", 0.1)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        old = app.screen
        await pilot.press("ctrl+n")
        began = time.monotonic()
        await asyncio.sleep(0.01)
        assert time.monotonic() - began < 0.3 and app.screen is old, "the loop runs on, the old page stands"
        await asyncio.sleep(0.2)
        assert "Drawing fresh numbers" in frame(app).splitlines()[-1]
        await settle(pilot)
        assert exercise(app).exercise.variant == 1
        assert "ctrl+n variant" in frame(app).splitlines()[-1]


async def test_keys_after_the_command_go_to_the_new_page(tmp_path: Path) -> None:
    from textual import events

    app = make_app(tmp_path, place=AT)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for key in ("ctrl+n", "7", "2"):
            app.post_message(events.Key(key, key if len(key) == 1 else None))
        for _ in range(200):
            await asyncio.sleep(0.01)
            if isinstance(app.screen, ExerciseScreen) and app.screen.exercise.variant and not app._typeahead._follower:
                break
        await settle(pilot)
        assert app.screen.query_one(AnswerInput).value == "72"
        assert app.session.drafts(EXERCISE) == {}


async def test_a_variant_that_cannot_be_drawn_is_said_and_the_page_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app(tmp_path, place=AT)

    def none(session: object, exercise_id: str) -> str:
        raise course.UnknownVariant(exercise_id, 1)

    monkeypatch.setattr(type(app.session), "fresh", none)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        screen = app.screen
        await pilot.press("ctrl+n")
        await settle(pilot)
        await pilot.pause(0.1)
        assert app.screen is screen and not app.drawing
        assert say("app.exercise.no_variant", "en") in [note.message for note in app._notifications]


async def test_all_parts_of_a_variant_turn_and_keep_their_drafts(tmp_path: Path) -> None:
    many = next(
        entry.id
        for entry in course.index().tracks[0].exercises
        if len(entry.parts) > 2 and course.can_vary(course.exercise(entry.id))
        and all(part.kind == "number" for part in course.exercise(entry.id).parts[:2])
    )  # fmt: skip
    second = course.exercise(many).parts[1].id
    app = make_app(tmp_path, place=Place("exercise", many, part=second))
    async with app.run_test(size=(100, 40)) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+n")
        await settle(pilot)
        first = course.exercise(many).parts[0].id
        assert exercise(app).current.first.id == address.join(first, 1), "later parts build on those before"
        await pilot.press("down")
        await settle(pilot)
        await paste(pilot, "12")
        await pilot.press("up")
        await settle(pilot)
        await pilot.press("down")
        await settle(pilot)
        assert app.screen.query_one(AnswerInput).value == "12"
        assert app.session.drafts(f"{many}@1") == {address.join(second, 1): "12"}
        assert app.session.drafts(many) == {}


def test_the_key_is_free() -> None:
    assert keys.BY_ID["variant"].keys[0] == "ctrl+n"
    assert list(keys.clashes({})) == []
