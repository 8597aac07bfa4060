"""Of a drawing only the rows that change are made and painted; the screen shows the drawing all the same."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.app import App, ComposeResult
from textual.content import Content
from textual.style import Style
from textual.visual import RenderOptions

from tests.benchmarks.figures import _states
from tutor.figures.registry import get, names
from tutor.figures.view import FigureView
from tutor.widgets.painted import Painted, Strips, altered

ROWS = st.lists(
    st.builds(Content.styled, st.text("ab \t€", max_size=6), st.sampled_from(["", "bold", "dim"])), max_size=8
).map(tuple)
OPTIONS = RenderOptions(Style.parse, {"text_wrap": "nowrap", "text_overflow": "clip"})


@given(ROWS, ROWS)
def test_painting_what_changed_leaves_the_new_drawing(before: tuple[Content, ...], after: tuple[Content, ...]) -> None:
    screen = dict(enumerate(before))
    for region in altered(before, after, 10):
        screen.pop(region.y, None)
        screen |= {region.y: after[region.y]} if region.y < len(after) else {}
    assert len(screen) == len(after) and all(screen[y].is_same(row) for y, row in enumerate(after))


@given(ROWS)
def test_what_is_as_before_is_not_painted(rows: tuple[Content, ...]) -> None:
    assert altered(rows, tuple(Content(row.plain, list(row.spans)) for row in rows), 10) == []


@given(st.lists(ROWS, min_size=1, max_size=4))
def test_strips_that_were_kept_are_those_of_a_fresh_drawing(drawings: list[tuple[Content, ...]]) -> None:
    strips = Strips()
    for rows in drawings:
        kept = Painted(rows, strips).render_strips(8, None, Style(), OPTIONS)
        fresh = Painted(rows, Strips()).render_strips(8, None, Style(), OPTIONS)
        assert [list(one) for one in kept] == [list(one) for one in fresh], "each segment knows its row"


@given(ROWS.filter(bool))
def test_the_strips_are_those_that_textual_makes(rows: tuple[Content, ...]) -> None:
    own = Painted(rows, Strips()).render_strips(8, None, Style(bold=True), OPTIONS)
    textual = Content("\n").join(rows).render_strips(8, None, Style(bold=True), OPTIONS)
    assert [list(one) for one in own] == [list(one) for one in textual]
    assert [one.cell_length for one in own] == [one.cell_length for one in textual]


def test_other_colours_make_every_row_again() -> None:
    strips, rows = Strips(), (Content("a"), Content("b"))
    plain = Painted(rows, strips).render_strips(8, None, Style(), OPTIONS)
    bold = Painted(rows, strips).render_strips(8, None, Style(bold=True), OPTIONS)
    assert [list(one) for one in plain] != [list(one) for one in bold]


class _Stage(App[None]):
    def __init__(self, name: str) -> None:
        super().__init__()
        self.view = FigureView(name, rows=30)

    def compose(self) -> ComposeResult:
        yield self.view


@pytest.mark.painted
@pytest.mark.parametrize("name", names())
async def test_what_stands_on_the_screen_is_the_drawing(name: str) -> None:
    """After many keys, each of which painted only what it changed."""
    app = _Stage(name)
    async with app.run_test(size=(80, 36)) as pilot:
        app.animation_level = "none"
        await pilot.pause()
        for state in islice(_states(name), 0, 40, 3):
            app.view.change(state)
            await pilot.pause()
            inside = app.view.content_region
            lines = app.screen._compositor.render_strips()
            shown = [line.crop(inside.x, inside.right).text.rstrip() for line in lines[inside.y : inside.bottom]]
            assert shown == [line.rstrip() for line in app.view.render().plain.split("\n")]


@pytest.mark.painted
async def test_a_key_paints_no_more_than_it_changes() -> None:
    app = _Stage("token-train")
    async with app.run_test(size=(80, 36)) as pilot:
        await pilot.pause()
        before = app.view.render().rows
        painted: list[int] = []
        paint = app.view.render_line
        app.view.render_line = lambda y: painted.append(y) or paint(y)  # type: ignore[method-assign, func-returns-value]
        await pilot.press("right")
        while not painted:
            await pilot.pause(0.02)
        after = app.view.render().rows
        assert sorted(painted) == [region.y for region in altered(before, after, 1)]
        assert 0 < len(painted) < len(after)


async def test_the_height_stays_until_the_reader_goes() -> None:
    """What stands below does not jump while somebody turns a figure; nothing stays empty behind them."""
    app = _Stage("batching-timeline")
    async with app.run_test(size=(80, 36)) as pilot:
        app.animation_level = "none"
        app.view.focus()
        await pilot.press("up", "up")
        tall = app.view.size.height
        await pilot.press("down", "down", "down")
        await pilot.pause()
        rows = app.view.render().rows
        assert app.view.size.height == tall == len(rows) > len(app.view.figure.rows(app.view.state, _pen(app.view)))
        app.set_focus(None)
        await pilot.pause()
        assert app.view.size.height == len(app.view.render().rows) < tall


def _pen(view: FigureView):  # type: ignore[no-untyped-def]
    from tutor.figures.pen import Pen

    return Pen(view.content_size.width, 30, "en", False)


def test_every_figure_that_points_somewhere_says_how_to_go_there() -> None:
    from tutor.figures.keyline import key_words

    for name in names():
        figure = get(name)
        assert (figure.target is not None) == ("enter" in [key for key, _ in key_words(figure, "en")])
