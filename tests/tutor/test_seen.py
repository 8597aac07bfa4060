"""What is painted of a screen is what Textual would paint of it, cell for cell, and less is asked for."""

from __future__ import annotations

from pathlib import Path

import pyte
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from textual._compositor import Compositor, CompositorUpdate
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import TextArea

from tests.tutor.frames import frame, make_app, settle
from tutor.app import TutorApp
from tutor.figures.view import FigureView
from tutor.progress import Place
from tutor.travel import DIAGNOSE, PLAYGROUND
from tutor.widgets.seen import SeenCompositor

pytestmark = pytest.mark.painted
WIDTH, HEIGHT = 100, 30
STARTS = [Place("lesson", "core/C2"), PLAYGROUND, DIAGNOSE]
REGIONS = st.lists(
    st.builds(Region, st.integers(0, WIDTH - 1), st.integers(0, HEIGHT - 1), st.integers(1, 60), st.integers(1, 20)),
    min_size=1,
    max_size=4,
).map(lambda regions: {one.intersection(Region(0, 0, WIDTH, HEIGHT)) for one in regions})


def _textual(ours: Compositor) -> Compositor:
    """Textual's own, of the same screen."""
    made = Compositor()
    made.__dict__.update(ours.__dict__)
    return made


def _cells(app: TutorApp, compositor: Compositor, regions: set[Region]) -> list[dict[int, object]]:
    """What a terminal shows of an update: the cells that it paints, with their colours."""
    terminal = pyte.Screen(WIDTH, HEIGHT)
    compositor._dirty_regions = set(regions)
    update = compositor.render_update(screen_stack=app._background_screens)
    assert isinstance(update, CompositorUpdate)
    pyte.Stream(terminal).feed(update.render_segments(app.console))
    return [dict(terminal.buffer[line]) for line in range(HEIGHT)]


@pytest.mark.parametrize("start", STARTS, ids=str)
async def test_the_cells_are_those_of_textual(tmp_path: Path, start: Place | str | None) -> None:
    app = make_app(tmp_path)
    app._start = start
    async with app.run_test(size=(WIDTH, HEIGHT)) as pilot:
        await settle(pilot)
        ours = app.screen._compositor
        assert isinstance(ours, SeenCompositor)

        @settings(max_examples=12)
        @given(REGIONS)
        def same(regions: set[Region]) -> None:
            assert _cells(app, ours, regions) == _cells(app, _textual(ours), regions)

        same()
        assert _cells(app, ours, {ours.size.region}) == _cells(app, _textual(ours), {ours.size.region})


async def test_what_lies_behind_is_not_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = make_app(tmp_path)
    app._start = PLAYGROUND
    async with app.run_test(size=(WIDTH, HEIGHT)) as pilot:
        await settle(pilot)
        asked: list[tuple[Widget, Region]] = []
        render = Widget.render_lines

        def counted(self: Widget, crop: Region) -> list[Strip]:
            asked.append((self, crop))
            return render(self, crop)

        monkeypatch.setattr(Widget, "render_lines", counted)
        view = app.screen.query_one(FigureView)
        _cells(app, app.screen._compositor, {Region(view.region.x + 2, view.region.y + 3, 10, 2)})
        assert asked == [(view, Region(0, 3, view.region.width, 2))]


async def test_a_widget_that_has_gone_is_not_asked_before_the_next_layout(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=Place("exercise", "core/L3.3", part="core/L3.3/explain"))
    async with app.run_test(size=(WIDTH, HEIGHT)) as pilot:
        await settle(pilot)
        area = app.screen.query_one(TextArea)
        area.text = "It was here."
        await settle(pilot)
        assert "It was here." in frame(app)
        await area._message_loop_exit()  # what its removal does first
        area._running = False
        assert "It was here." not in frame(app)
        area._running = True


@pytest.mark.parametrize("given", [0, 7])
async def test_a_widget_that_gives_less_than_its_room_hides_no_more(
    tmp_path: Path, given: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app(tmp_path)
    app._start = PLAYGROUND
    async with app.run_test(size=(WIDTH, HEIGHT)) as pilot:
        await settle(pilot)
        render = FigureView.render_lines
        monkeypatch.setattr(  # as while its screen is on its way out
            FigureView, "render_lines", lambda self, crop: [one.crop(0, given) for one in render(self, crop)]
        )
        ours = app.screen._compositor
        for regions in ({ours.size.region}, {app.screen.query_one(FigureView).region}):
            assert _cells(app, ours, regions) == _cells(app, _textual(ours), regions)
