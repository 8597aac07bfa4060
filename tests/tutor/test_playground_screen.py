"""The playground on the screen: figures with their values beside them, whole in every window, from the first paint."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest
from textual.widget import Widget

from content.words import say
from tests.tutor.frames import SIZES, column, frame, make_app, settle
from tests.tutor.playgrounds import playground, started, state, whole
from tutor import keys
from tutor.figures.registry import get, names
from tutor.playing import values
from tutor.progress import Place
from tutor.screens.playground import PlaygroundScreen
from tutor.widgets.keyline import KeyHint, KeyLine

BOTH = ("en", "hi-Latn")
GRID = Place("exercise", "core/L3.1")


# --- frames ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["two-buckets", "block-grid", "ruler", "map", "decode-curve"])
async def test_it_fits_every_window_in_both_languages(tmp_path: Path, name: str, size: tuple[int, int]) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=size) as pilot:
        await started(pilot, app, name)
        for lang in BOTH:
            for _ in range(2):  # the figure has the keys, then its values have
                text = frame(app)
                whole(text, size)
                assert say(f"figures.title.{name}", lang).partition(":")[0] in text
                assert text.splitlines()[0].endswith("English" if lang == "en" else "Hinglish")
                await pilot.press("tab")
                await settle(pilot)
            assert playground(app).is_typing() is False
            await pilot.press("f2")
            await settle(pilot)


async def test_every_figure_has_its_values_beside_it(tmp_path: Path) -> None:
    app = make_app(tmp_path, "hi-Latn")
    async with app.run_test(size=(120, 40)) as pilot:
        await started(pilot, app, names()[0])
        for name in names():
            assert playground(app).opened.name == name
            labels = [row.label for row in playground(app).pane.rows]
            assert labels == [
                " ".join(say(f"figures.{p.label}", "hi-Latn").split()) for p in values.offered(get(name), state(app))
            ]
            assert all(label in frame(app) for label in labels), name
            await pilot.press("n")
            await settle(pilot)


SMALL = """\
 llm-tutor › Playground                      {place}   English
╭─ One token, one column ──────────────────────────────────╮"""
VALUES = {"en": " ▸ width (d_model)", "hi-Latn": " ▸ chaudai (d_model)"}


async def test_a_small_window_opens_the_values_below_the_figure(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(60, 20)) as pilot:
        await started(pilot, app, "vector-column")
        place = f"{names().index('vector-column') + 1}/{len(names())}".rjust(5)
        closed = frame(app).splitlines()
        assert (
            closed[:2] == SMALL.format(place=place.strip().rjust(4)).splitlines() or closed[1] == SMALL.splitlines()[1]
        )
        assert closed[18].startswith("╰") and closed[19].startswith(" tab values  F3 figures")
        await pilot.press("tab")
        await settle(pilot)
        opened = frame(app).splitlines()
        foot = next(n for n, line in enumerate(opened) if line.startswith("╰"))
        assert foot < 18 and opened[foot + 1].startswith(" ▸ ")
        assert opened[19].startswith(" tab figure  + more  - less  enter take")
        await pilot.press("tab")
        await settle(pilot)
        assert frame(app).splitlines() == closed


async def test_a_wide_window_has_both_all_the_time(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await started(pilot, app)
        lines = frame(app).splitlines()
        assert lines[3].index("▸ model") > 78 and lines[2].startswith("╭─ Two buckets on one card")
        assert playground(app).focused is playground(app).view
        assert "Arrows choose and change a value" in column(app, "#values")


@pytest.mark.parametrize("width", [79, 99, 112, 116, 119, 120, 160])
async def test_the_values_leave_the_figure_as_many_columns_as_a_small_window(tmp_path: Path, width: int) -> None:
    app = make_app(tmp_path, "hi-Latn")
    async with app.run_test(size=(width, 40)) as pilot:
        await started(pilot, app)
        for name in ("two-buckets", "cache-steps", "heads", "token-train"):
            await playground(app).show_figure(name)
            await settle(pilot)
            view, values = playground(app).view, playground(app).query_one("#values")
            assert view is not None
            assert view.outer_size.width >= min(80, width), (name, width)
            assert width < 120 or values.size.width, "all the time"
            if values.display and width >= 120:
                longest = max(len(row.label) for row in playground(app).pane.rows)
                assert values.outer_size.width <= 40 or width > 120, (name, longest)


async def test_a_long_value_stands_whole_under_its_line(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await started(pilot, app, "token-train")
        for _ in range(2):  # the figure has the keys, then its values have
            assert "The unbelievable train is late" in column(app, "#pane").replace("tokens in the cache 3", "")
            await pilot.press("tab")
            await settle(pilot)
        await pilot.press("tab")
        await pilot.press("l", "a", "t", "e")
        await settle(pilot)
        assert "unbelievable" not in column(app, "#pane")
        await pilot.press("escape")
        await settle(pilot)
        assert "The unbelievable train is late" in column(app, "#pane")


async def test_a_title_that_is_too_long_leaves_out_what_follows_its_colon(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await started(pilot, app)
        title = say("figures.title.two-buckets", "en")
        assert title in frame(app)
        await pilot.press("tab")
        await settle(pilot)
        assert title.partition(":")[0] in frame(app) and "…" not in frame(app).splitlines()[2]


async def test_a_figure_without_values_has_no_panel(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await started(pilot, app, "map")
        assert "tab values" not in frame(app)
        assert all(line[-1] in "╮│╰╯" for line in frame(app).splitlines()[2:37])
        await pilot.press("tab")
        await settle(pilot)
        assert playground(app).focused is playground(app).view


async def test_in_ascii(tmp_path: Path) -> None:
    app = make_app(tmp_path, ascii=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await started(pilot, app)
        await pilot.press("tab")
        await settle(pilot)
        assert frame(app).isascii()
        assert "> model" in frame(app)


# --- the first paint --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "asked"), [("map", False), ("tracks", False), ("block-grid", True)])
async def test_no_key_comes_or_goes_once_the_figure_is_there(
    tmp_path: Path, name: str, asked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines: list[set[str]] = []
    show = KeyLine.show

    def watched(line: KeyLine, hints: Sequence[KeyHint], note: str = "") -> None:
        if isinstance(line.screen, PlaygroundScreen):
            lines.append({hint.action for hint in hints})
        show(line, hints, note)

    monkeypatch.setattr(KeyLine, "show", watched)
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await started(pilot, app, name)
        assert lines and {keys.BY_ID["make-exercise"].action in line for line in lines} == {asked}


@pytest.mark.parametrize(
    ("size", "tall", "wide"), [((80, 24), True, False), ((120, 40), True, True), ((60, 20), False, False)]
)
async def test_a_screen_knows_the_window_before_it_is_painted(
    tmp_path: Path, size: tuple[int, int], tall: bool, wide: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Textual tells the size of the window with the first resize: what was painted before would move."""
    seen: list[frozenset[str]] = []
    body = PlaygroundScreen.body

    def watched(screen: PlaygroundScreen) -> Iterable[Widget]:
        seen.append(frozenset(screen.classes))
        return body(screen)

    monkeypatch.setattr(PlaygroundScreen, "body", watched)
    app = make_app(tmp_path)
    async with app.run_test(size=size) as pilot:
        await started(pilot, app)
        (first,) = seen
        assert ("-tall" in first, "-wide" in first) == (tall, wide)
        by_size = {name for _, name in (*app.HORIZONTAL_BREAKPOINTS, *app.VERTICAL_BREAKPOINTS)}
        assert first & by_size == app.screen.classes & by_size, "and the first resize changes nothing"


@pytest.mark.parametrize(("size", "shown"), [((120, 40), True), ((120, 24), False)])
async def test_how_values_are_changed_is_there_from_the_first_paint(
    tmp_path: Path, size: tuple[int, int], shown: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[bool] = []
    fit = PlaygroundScreen._fit_how

    def watched(screen: PlaygroundScreen) -> None:
        fit(screen)
        if screen.pane.rows:
            told.append(screen.query_one("#how").display)

    monkeypatch.setattr(PlaygroundScreen, "_fit_how", watched)
    app = make_app(tmp_path)
    async with app.run_test(size=size) as pilot:
        await started(pilot, app)
        assert len(told) > 1 and set(told) == {shown}
