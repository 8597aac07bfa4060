"""The ways into the playground and back: each figure keeps its state, and what is asked stays hidden."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.tutor.frames import SIZES, flat, frame, make_app, paste, settle
from tests.tutor.playgrounds import go_to, playground, started, state, value, whole
from tutor.figures.registry import get, names
from tutor.figures.state import put
from tutor.figures.view import FigureView
from tutor.playing import opening, played
from tutor.progress import Place
from tutor.screens.playground import PlaygroundScreen
from tutor.screens.playground_panels import CommandsPanel
from tutor.travel import PLAYGROUND

BOTH = ("en", "hi-Latn")
GRID = Place("exercise", "core/L3.1")


# --- figures ---------------------------------------------------------------------------------------------------------


async def test_each_figure_keeps_its_state(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        await started(pilot, app)
        await pilot.press("1")
        paging = state(app)
        await pilot.press("n", "n", "p", "p")
        await settle(pilot)
        assert state(app) == paging
        await pilot.press("p")
        await settle(pilot)
        assert playground(app).opened.name == names()[-1], "the list is a circle"
        await pilot.press("n", "escape", "ctrl+g")
        await settle(pilot)
        assert state(app) == paging
        assert app.playing_at is not None and dict(app.playing_at[1]) == paging


async def test_the_list_of_figures(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await started(pilot, app, "heads")
        await pilot.press("f3")
        await settle(pilot)
        assert "▸ Heads that share K and V" in frame(app)
        await paste(pilot, "ruler")
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert playground(app).opened.name == "ruler" and "A ruler with few marks" in frame(app)


async def test_the_value_at_hand_is_that_of_the_figure(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await started(pilot, app)
        await go_to(pilot, app, "bs")
        await pilot.press("f8")
        await settle(pilot)
        assert playground(app).is_typing() and playground(app).pane.current in state(app)
        await pilot.press("alt+u")
        await settle(pilot)
        assert playground(app).pane.current == "bs"


async def test_the_drawing_is_copied(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await started(pilot, app)
        await pilot.press("tab", "alt+y")
        await settle(pilot)
        assert "WWWW" in app.clipboard and "card 40 GB" in app.clipboard


# --- ways in and back ------------------------------------------------------------------------------------------------


async def test_home_leads_there_and_back(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        home = frame(app)
        await pilot.press(*["down"] * 4, "enter")
        await settle(pilot)
        assert playground(app).opened.name == names()[0]
        await pilot.press("escape", *["up"] * 4)
        await settle(pilot)
        assert frame(app) == home


async def test_the_figure_of_a_lesson_comes_along_whole(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=Place("lesson", "core/C2", "one-token"))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        view = app.screen.query_one(FigureView)
        await pilot.press("ctrl+g")
        await settle(pilot)
        assert playground(app).opened.name == view.figure.name
        assert {k: v for k, v in state(app).items() if k != "hide"} == {
            k: v for k, v in view.state.items() if k not in ("hide", "other")
        }
        assert not state(app).get("hide")
        await pilot.press("right")
        await settle(pilot)
        changed = state(app)
        await pilot.press("ctrl+g")
        await settle(pilot)
        assert "C2" in frame(app).splitlines()[0], "the same key closes it"
        await pilot.press("alt+j")
        await settle(pilot)
        assert state(app) == changed, "the page's figure is the same: what was done to it waits"


async def test_what_an_exercise_asks_stays_hidden_and_its_answer_stays_typed(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=GRID)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press(*"94", "ctrl+g")
        await settle(pilot)
        assert state(app)["hide"] and "94.14" not in frame(app)
        await pilot.press("escape")
        await settle(pilot)
        assert "L3.1" in frame(app).splitlines()[0] and "94" in flat(app)


def test_what_only_a_page_says_is_left_there() -> None:
    view = FigureView("two-buckets", {"other": True, "hide": ["kv"], "B": 3})
    open_, secret = (played.of_page(view, secret=kept) for kept in (False, True))
    assert "other" not in open_.state and not open_.state["hide"] and open_.state["B"] == 3
    assert secret.state["hide"] == ("kv",) and "other" not in secret.first


async def test_no_second_playground_opens_over_the_first(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await started(pilot, app)
        for key in ("f1", "f3", "f9", "alt+p"):
            await pilot.press(key)
            await settle(pilot)
            assert not isinstance(app.screen, PlaygroundScreen)
            await pilot.press("ctrl+g")
            await settle(pilot)
            assert isinstance(app.screen, PlaygroundScreen)
            assert len(app.screen_stack) == 2


async def test_the_app_can_start_there(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    app._start = PLAYGROUND
    app.playing_at = ("heads", get("heads").defaults({"n_head": 64, "n_kv_heads": 8}))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert state(app)["n_head"] == 64
        await pilot.press("right", "r")
        await settle(pilot)
        assert state(app)["n_head"] == 64
        await pilot.press("escape")
        await settle(pilot)
        assert "Core course" in frame(app)


async def test_the_map_opens_a_lesson_and_knows_it_afterwards(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await started(pilot, app, "map")
        assert "Taught in" in frame(app) and "You have not opened its lesson C0 yet" in flat(app)
        await pilot.press("enter")
        await settle(pilot)
        assert "C0" in frame(app).splitlines()[0]
        await pilot.press("escape")
        await settle(pilot)
        assert playground(app).opened.name == "map" and "You have begun its lesson C0" in flat(app)


# --- all of it -------------------------------------------------------------------------------------------------------


async def test_help_is_about_this_screen(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 60)) as pilot:
        await started(pilot, app)
        await pilot.press("f1")
        await settle(pilot)
        assert "In the playground" in frame(app) and "the value at hand, a step up" in frame(app)


async def test_a_remapped_key_works_here(tmp_path: Path) -> None:
    app = make_app(tmp_path, keys={"figures": "f12", "playground": "f11"})
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("f11")
        await settle(pilot)
        assert "F12 figures" in frame(app)
        await pilot.press("f12")
        await settle(pilot)
        assert "part of a title" in frame(app)


@pytest.mark.painted
@pytest.mark.parametrize("seed", range(3))
async def test_nothing_that_is_pressed_breaks_it(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    keys = [*"0123456789kq[]+-%hwbrx", "tab", "up", "down", "left", "right", "enter", "n", "p", "f2", "f8", "backspace"]
    app = make_app(tmp_path, ascii=bool(seed % 2))
    size = SIZES[seed]
    async with app.run_test(size=size) as pilot:
        await started(pilot, app, dice.choice(names()))
        for _ in range(60):
            key = dice.choice(keys)
            if key in ("q", "x") and not playground(app).is_typing():
                continue
            await pilot.press(key)
            if not isinstance(app.screen, PlaygroundScreen):  # the map leads to lessons
                app.go(PLAYGROUND)
                await settle(pilot)
        await settle(pilot)
        whole(frame(app), size)
        view = playground(app).view
        assert view is not None and dict(put(view.state)) == dict(app.playing_at[1] if app.playing_at else {})


async def test_a_card_of_the_command_line_keeps_its_name_when_one_comes_back(tmp_path: Path) -> None:
    """An L4, an A10 and an RTX 4090 have the same memory: what was asked for stands there."""
    opened = opening.read(("two-buckets", "gpu=L4", "model=llama-3.1-8b"))
    app = make_app(tmp_path)
    app.now_playing(played.Played(opened.figure, opened.state, opened.state, named=opened.named))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+g")
        await settle(pilot)
        assert (value(app, "gpu"), value(app, "model")) == ("L4", "Llama-3.1-8B")
        await pilot.press("f8", "alt+u")
        await settle(pilot)
        assert (value(app, "gpu"), value(app, "model")) == ("L4", "Llama-3.1-8B")
        await pilot.press("f9")
        await settle(pilot)
        panel = app.screen
        assert isinstance(panel, CommandsPanel)
        assert "--model meta-llama/Llama-3.1-8B --gpu L4" in " ".join(panel.lines)
        assert panel.lines[-1] == "llm-tutor playground two-buckets model=Llama-3.1-8B gpu=L4"
