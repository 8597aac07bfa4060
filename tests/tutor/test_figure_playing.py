"""A figure that plays: by key, to its end and again, never unseen; and what is drawn can be copied and selected."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from textual.app import App, ComposeResult
from textual.containers import VerticalScroll
from textual.pilot import Pilot
from textual.screen import ModalScreen
from textual.widgets import Static

from content.words import say
from tutor.figures import motion
from tutor.figures.motion import seen
from tutor.figures.registry import get
from tutor.figures.view import FigureView

LONG = {"prompt": 4, "tokens": 26}
"""One token before its playing ends."""


class _Panel(ModalScreen[None]):
    def compose(self) -> ComposeResult:
        yield Static("a panel")


class _Stage(App[None]):
    """A figure in a page that scrolls, with text under it."""

    CSS = "#under { height: 60; } FigureView.-gone { display: none; }"

    def __init__(self, view: FigureView) -> None:
        super().__init__()
        self.view = view
        self.session = SimpleNamespace(language="en", settings=SimpleNamespace(ascii=False))
        self.heard: list[Any] = []

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield self.view
            yield Static("text " * 40, id="under")

    def on_mount(self) -> None:
        self.view.focus()

    def on_figure_view_changed(self, message: FigureView.Changed) -> None:
        self.heard.append(message.state)


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """No beat comes by itself: a test takes them one by one."""
    monkeypatch.setattr(motion, "BEAT", 3600)


def steps(**state: Any) -> FigureView:
    return FigureView("cache-steps", state or {"tokens": 4})


def beat(view: FigureView) -> None:
    """The next beat, as its timer would bring it."""
    assert view.playing
    view._playing._beat()


def keys_of(view: FigureView) -> str:
    return " ".join(view.render().plain.split())


async def test_space_plays_and_pauses_and_the_line_of_keys_says_so_at_once() -> None:
    view = steps()
    app = _Stage(view)
    async with app.run_test(size=(80, 24)) as pilot:
        assert "space play" in keys_of(view)
        await pilot.press("space")
        assert view.playing and view.play_word == "pause"
        assert "space pause" in keys_of(view) and "space play" not in keys_of(view)
        assert view.state["tokens"] == 5, "the first moment comes with the key"
        beat(view)
        assert view.state["tokens"] == 6
        await pilot.press("space")
        assert not view.playing
        assert "space play" in keys_of(view)
        assert [state["tokens"] for state in app.heard] == [5, 6]


async def test_the_beat_comes_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(motion, "BEAT", 0.01)
    view = steps(**LONG)
    app = _Stage(view)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("left", "left", "space")
        for _ in range(400):
            if not view.playing:
                break
            await pilot.pause(0.02)
        assert view.state["tokens"] == 27
        assert "space play" in keys_of(view)


@pytest.mark.parametrize("key", ["right", "l", "up", "r", "left"])
async def test_any_other_key_of_the_figure_takes_over(key: str) -> None:
    view = steps(tokens=9, prompt=4)
    async with _Stage(view).run_test(size=(80, 24)) as pilot:
        await pilot.press("a")  # the twin of space
        assert view.playing
        await pilot.press(key)
        assert not view.playing
        assert "space play" in keys_of(view)


async def test_the_last_moment_ends_it_and_it_begins_again_with_the_prefill() -> None:
    view = steps(**LONG)
    async with _Stage(view).run_test(size=(80, 24)) as pilot:
        await pilot.press("space")
        assert view.state["tokens"] == 27 and not view.playing, "nothing is left to wait for"
        assert view.play_word == "play"
        await pilot.press("space")
        assert view.playing and view.state["tokens"] == 4
        await pilot.press("r")
        assert view.state == view.first


async def test_a_whole_schedule_begins_with_its_first_step_and_ends_whole() -> None:
    view = FigureView("batching-timeline", {"lengths": [2, 3], "slots": 2})
    async with _Stage(view).run_test(size=(80, 24)) as pilot:
        at_rest = view.figure.draw(view.state, 76, 40, "en")
        await pilot.press("space")
        assert view.state["now"] == 1
        beat(view)
        assert view.playing
        beat(view)
        assert view.state["now"] == 3 and not view.playing
        rows = [line for line in at_rest.plain.split("\n") if line[:2] in ("1 ", "2 ")]
        assert [line in view.render().plain for line in rows] == [True] * len(rows)


async def test_without_motion_a_press_is_one_moment_and_no_timer_runs() -> None:
    view = steps()
    app = _Stage(view)
    async with app.run_test(size=(80, 24)) as pilot:
        app.animation_level = "none"
        view.repaint()
        assert "space one step" in keys_of(view)
        await pilot.press("space", "space")
        assert view.state["tokens"] == 6
        assert not view.playing and not list(view._timers)


async def test_motion_switched_off_stops_it() -> None:
    view = steps()
    app = _Stage(view)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("space")
        app.animation_level = "none"
        beat(view)
        assert not view.playing and view.state["tokens"] == 5
        assert view.play_word == "step"


async def _covered(app: _Stage, pilot: Pilot[None]) -> None:
    await app.push_screen(_Panel())


async def _hidden(app: _Stage, pilot: Pilot[None]) -> None:
    app.view.add_class("-gone")


async def _scrolled_away(app: _Stage, pilot: Pilot[None]) -> None:
    app.query_one(VerticalScroll).scroll_end(animate=False)


async def _removed(app: _Stage, pilot: Pilot[None]) -> None:
    await app.view.remove()


@pytest.mark.parametrize("away", [_covered, _hidden, _scrolled_away, _removed])
async def test_it_never_plays_unseen(away: Any) -> None:
    view = steps()
    app = _Stage(view)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("space")
        assert view.playing and seen(view)
        await away(app, pilot)
        await pilot.pause()
        await pilot.pause()
        assert not seen(view)
        assert not view.playing
        assert not [timer for timer in view._timers if timer._active.is_set()]
        assert view.state["tokens"] == 5


async def test_it_stays_paused_when_the_panel_is_closed() -> None:
    view = steps()
    app = _Stage(view)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("space")
        await app.push_screen(_Panel())
        await pilot.pause()
        app.pop_screen()
        await pilot.pause()
        assert not view.playing
        await pilot.press("space")
        assert view.playing and view.state["tokens"] == 6


async def test_a_figure_partly_in_sight_plays_on() -> None:
    view = steps()
    app = _Stage(view)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("space")
        app.query_one(VerticalScroll).scroll_to(y=3, animate=False)
        await pilot.pause()
        assert view.playing


@pytest.mark.parametrize("name", ["cache-steps", "batching-timeline"])
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_a_page_does_not_jump_while_a_figure_plays(name: str, size: tuple[int, int]) -> None:
    view = FigureView(name, rows=size[1] - 2)
    app = _Stage(view)
    async with app.run_test(size=size) as pilot:
        page = app.query_one(VerticalScroll)
        await pilot.press("space")
        await pilot.pause()
        heights, rows = [view.size.height], [len(view.render().plain.split("\n"))]
        for _ in range(12):
            beat(view)
            await pilot.pause()
            heights.append(view.size.height)
            rows.append(len(view.render().plain.split("\n")))
            assert page.scroll_y == 0
        assert heights == sorted(heights), "it may grow, and never shrinks"
        assert rows == heights, "nothing is cut, nothing is empty"


async def test_a_change_of_the_same_height_lays_nothing_out_again() -> None:
    view = steps(tokens=12, prompt=4)
    app = _Stage(view)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        laid: list[int] = []
        app.screen.screen_layout_refresh_signal.subscribe(app.screen, lambda _: laid.append(1))
        before = view.render().plain
        await pilot.press("left")
        await pilot.pause()
        assert view.render().plain != before
        assert len(before.split("\n")) == len(view.render().plain.split("\n"))
        assert laid == []


async def test_a_change_of_height_is_followed() -> None:
    view = FigureView("batching-timeline", rows=30)
    async with _Stage(view).run_test(size=(80, 40)) as pilot:
        before = view.size.height
        await pilot.press("up")
        await pilot.pause()
        assert view.size.height == before + 2 == len(view.render().plain.split("\n"))


async def test_the_same_text_is_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    view = steps()
    async with _Stage(view).run_test(size=(80, 24)) as pilot:
        drawn: list[int] = []
        rows = type(view.figure).rows
        monkeypatch.setattr(type(view.figure), "rows", lambda *args: drawn.append(1) or rows(*args))
        await pilot.press("right")
        await pilot.pause()
        view.render()
        assert len(drawn) == 1


async def test_a_figure_without_moments_leaves_space_to_the_screen() -> None:
    view = FigureView("block-grid")
    async with _Stage(view).run_test(size=(80, 24)) as pilot:
        await pilot.press("space")
        assert view.play_word == "" and "space" not in keys_of(view)
        assert view.check_action("play", ()) is False


# --- copy and select -------------------------------------------------------------------------------------------------


async def test_y_copies_the_drawing_and_says_so() -> None:
    view = steps()
    app = _Stage(view)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("y")
        assert app.clipboard.startswith("step ├─ 1: prefill ┤")
        assert "space play" not in app.clipboard, "the keys are no part of the figure"
        assert app.clipboard == "\n".join(line.rstrip() for line in app.clipboard.split("\n"))
        body = [line.rstrip() for line in view.render().plain.split("\n")]
        assert app.clipboard.rstrip("\n").split("\n") == body[: app.clipboard.count("\n")]
        assert [note.message for note in app._notifications] == [say("figures.copied", "en")]


async def test_copying_leaves_a_figure_playing() -> None:
    view = steps()
    app = _Stage(view)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("space", "y")
        assert view.playing
        assert "k5" in app.clipboard


async def test_the_drawing_is_selected_with_the_mouse() -> None:
    view = steps(tokens=6, prompt=4)
    app = _Stage(view)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        left = view.content_region.x - view.region.x
        await pilot.mouse_down(view, offset=(left, 1))
        await pilot.hover(view, offset=(left + 20, 1))
        await pilot.hover(view, offset=(left + 31, 3))
        await pilot.mouse_up(view, offset=(left + 31, 3))
        await pilot.pause()
        chosen = app.screen.get_selected_text()
        assert chosen is not None
        lines = [line.rstrip() for line in view.render().plain.split("\n")]
        assert [line.rstrip() for line in chosen.split("\n")[:2]] == lines[:2]
        assert chosen.split("\n")[2] == lines[2][: len(chosen.split("\n")[2])] != ""
        await pilot.press("ctrl+c")
        assert app.clipboard == chosen


def test_the_figures_that_play_have_words_and_begin_within_themselves() -> None:
    for name in ("cache-steps", "batching-timeline"):
        figure = get(name)
        assert figure.advance is not None and figure.begin is not None
        start = figure.begin(figure.defaults())
        assert figure.advance(start) != start


async def test_what_has_something_to_read_stays_for_its_beats() -> None:
    view = FigureView("two-buckets", {"B": 24, "S": 1024, "reserve_slots": 2048})
    stays = view.figure.beats
    async with _Stage(view).run_test(size=(100, 30)) as pilot:
        await pilot.press("space")
        assert view.state["last"] == "paging" and stays(view.state) > 4
        for _ in range(stays(view.state) - 1):
            beat(view)
            assert view.state["last"] == "paging"
        beat(view)
        assert view.state["B"] != 24
        joined = view.state["B"]
        beat(view)
        assert view.state["B"] != joined, "requests join beat by beat"
