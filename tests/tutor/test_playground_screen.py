"""The playground: figures with their values beside them, kept while one looks elsewhere, in both languages."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot
from textual.widget import Widget

from content.words import say
from tests.tutor.frames import SIZES, column, flat, frame, make_app, paste, settle
from tutor import keys
from tutor.app import TutorApp
from tutor.figures.registry import get, names
from tutor.figures.state import put
from tutor.figures.view import FigureView
from tutor.playing import matching, opening, played, values
from tutor.playing.matching import Match
from tutor.progress import Place
from tutor.screens.playground import PlaygroundScreen
from tutor.screens.playground_panels import CommandsPanel, MatchesPanel
from tutor.travel import PLAYGROUND
from tutor.widgets.keyline import KeyHint, KeyLine

BOTH = ("en", "hi-Latn")
GRID = Place("exercise", "core/L3.1")


def playground(app: TutorApp) -> PlaygroundScreen:
    assert isinstance(app.screen, PlaygroundScreen)
    return app.screen


def state(app: TutorApp) -> dict[str, object]:
    view = playground(app).view
    assert view is not None
    return dict(view.state)


def value(app: TutorApp, name: str) -> str:
    return next(row.value for row in playground(app).pane.rows if row.name == name)


def whole(text: str, size: tuple[int, int]) -> None:
    lines = text.splitlines()
    assert len(lines) <= size[1]
    assert all(cell_len(line) <= size[0] for line in lines)
    assert "{" not in text


async def started(pilot: Pilot[None], app: TutorApp, name: str = "two-buckets") -> None:
    app.playing_at = (name, get(name).defaults())
    await settle(pilot)
    await pilot.press("ctrl+g")
    await settle(pilot)


async def go_to(pilot: Pilot[None], app: TutorApp, name: str) -> None:
    """The values have the keys, and this one is at hand."""
    if not playground(app).is_typing():
        await pilot.press("tab")
    playground(app).pane.go(name)
    await settle(pilot)


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


# --- values ----------------------------------------------------------------------------------------------------------


async def test_a_typed_value_shows_at_once_and_stays_at_hand(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await started(pilot, app)
        await go_to(pilot, app, "B")
        await pilot.press(*"2 * 16", "enter")
        await settle(pilot)
        assert state(app)["B"] == 32
        assert "< 32 >" in frame(app)
        assert playground(app).pane.typed == ("B", "32")
        await pilot.press(*"7", "enter")
        await settle(pilot)
        assert state(app)["B"] == 7, "typing took the place of the value"


async def test_a_value_that_is_left_counts(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await started(pilot, app)
        await go_to(pilot, app, "B")
        await pilot.press("9", "down")
        await settle(pilot)
        assert state(app)["B"] == 9 and playground(app).pane.current == "S"
        await pilot.press(*"4k", "tab")
        await settle(pilot)
        assert state(app)["S"] in (4000, 4096) and not playground(app).is_typing()


async def test_steps_by_arrow_and_by_sign_and_from_the_figure(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await started(pilot, app)
        await go_to(pilot, app, "B")
        before = state(app)["B"]
        await pilot.press("right")
        await settle(pilot)
        up = state(app)["B"]
        assert isinstance(up, int) and isinstance(before, int) and up > before
        await pilot.press("left")
        await settle(pilot)
        assert state(app)["B"] == before
        await pilot.press("plus")
        await settle(pilot)
        assert state(app)["B"] == up
        await pilot.press("minus", "tab", "plus")
        await settle(pilot)
        assert state(app)["B"] == up, "the figure has the keys, and plus still changes the value at hand"


async def test_arrows_move_in_a_text_that_is_being_typed(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await started(pilot, app)
        await go_to(pilot, app, "B")
        await pilot.press("1", "2", "left", "0", "enter")
        await settle(pilot)
        assert state(app)["B"] == 102


async def test_a_minus_begins_a_number_where_there_are_some_below_zero(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await started(pilot, app, "ruler")
        await go_to(pilot, app, "r_min")
        await pilot.press(*"-1.5", "enter")
        await settle(pilot)
        assert value(app, "r_min") in ("-1.5", "-3/2")


async def test_what_cannot_be_read_costs_nothing(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await started(pilot, app)
        await go_to(pilot, app, "B")
        before = state(app)
        await pilot.press(*"many", "enter")
        await settle(pilot)
        assert state(app) == before
        assert "requests: many cannot be read" in column(app, "#values")
        assert playground(app).pane.typed == ("B", "many")
        await pilot.press("f2")
        await settle(pilot)
        assert "samajh nahi aaya" in column(app, "#values")
        assert playground(app).pane.typed == ("B", "many"), "the language is another one, the text is not"
        await pilot.press("escape")
        await settle(pilot)
        assert playground(app).pane.typed == ("B", "16") and "samajh" not in frame(app)
        await pilot.press(*"[b]x[/b]", "down")
        await settle(pilot)
        assert state(app) == before and value(app, "B") == "16" and "[b]x[/b]" in column(app, "#values")


async def test_names_of_the_catalogue_are_offered_and_fill_what_they_know(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await started(pilot, app)
        await go_to(pilot, app, "model")
        await pilot.press(*"llama-3.1")
        await settle(pilot)
        assert "Llama-3.1-70B" in column(app, "#values")
        await pilot.press("down", "enter")
        await settle(pilot)
        assert value(app, "model") == "Llama-3.1-8B"
        assert (state(app)["L"], state(app)["n_kv_heads"]) == (32, 8)
        assert "Llama-3.1-70B" not in frame(app), "the list is put away"
        await go_to(pilot, app, "gpu")
        await pilot.press(*"h100 sxm", "down", "enter")
        await settle(pilot)
        assert "H100" in value(app, "gpu") and state(app)["capacity"] == 80 * 10**9


async def test_enter_on_an_untouched_value_shows_what_it_may_be(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await started(pilot, app)
        await go_to(pilot, app, "p_w")
        await pilot.press("enter")
        await settle(pilot)
        assert "INT4" in column(app, "#values")
        await pilot.press("escape")
        await settle(pilot)
        assert "INT4" not in column(app, "#values") and isinstance(app.screen, PlaygroundScreen)


async def test_a_key_of_the_figure_shows_in_the_values(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await started(pilot, app)
        await pilot.press("2")
        await settle(pilot)
        assert value(app, "p_w") == "INT4"
        await pilot.press("r")
        await settle(pilot)
        assert value(app, "p_w") == "FP16"


async def test_reset_takes_a_half_typed_text_away(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await started(pilot, app)
        await go_to(pilot, app, "B")
        await pilot.press(*"64", "enter", *"nine", "alt+r")
        await settle(pilot)
        assert state(app)["B"] == 16 and playground(app).pane.typed == ("B", "16")


async def test_a_resize_keeps_text_and_keys(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await started(pilot, app)
        await go_to(pilot, app, "B")
        await pilot.press(*"3 *")
        for size in ((80, 24), (60, 20), (40, 12), (120, 40), (60, 20)):
            await pilot.resize_terminal(*size)
            await settle(pilot)
            whole(frame(app), size)
            assert playground(app).pane.typed == ("B", "3 *") and playground(app).is_typing()
        await pilot.press(*" 4", "enter")
        await settle(pilot)
        assert state(app)["B"] == 12


async def test_the_mouse_chooses_a_value(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await started(pilot, app)
        lines = frame(app).splitlines()
        y = next(n for n, line in enumerate(lines) if "tokens of a request" in line)
        await pilot.click(offset=(lines[y].index("tokens of a request"), y))
        await settle(pilot)
        assert playground(app).is_typing() and playground(app).pane.current == "S"


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


# --- command lines and exercises -------------------------------------------------------------------------------------


async def test_command_lines_are_shown_and_copied(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await started(pilot, app, "block-grid")
        await go_to(pilot, app, "used")
        await pilot.press(*"300", "f9")
        await settle(pilot)
        assert isinstance(app.screen, CommandsPanel)
        lines = app.screen.lines
        assert lines[-1].startswith("llm-tutor playground block-grid used=300")
        assert lines[0].startswith("llm-tutor calc") and "used=300" in lines[0]
        assert all(line in flat(app) for line in lines)
        await pilot.press("down", "enter")
        await settle(pilot)
        assert app.clipboard == lines[1] and "Copied" in frame(app)
        await pilot.press("f2", "down")
        await settle(pilot)
        assert "Copy ho gaya" not in frame(app)


@pytest.fixture
def matched(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, object]]]:
    asked: list[tuple[str, object]] = []

    def matches(name: str, state: object) -> Sequence[Match]:
        asked.append((name, state))
        return (Match("core/L3.1", True), Match("core/L5.1a@3", False)) if name == "block-grid" else ()

    monkeypatch.setattr(matching, "matches", matches)
    yield asked


async def test_a_figure_becomes_an_exercise_and_escape_leads_back(
    tmp_path: Path, matched: list[tuple[str, object]]
) -> None:
    app = make_app(tmp_path, place=Place("lesson", "core/C3"))
    async with app.run_test(size=(80, 24)) as pilot:
        await started(pilot, app, "block-grid")
        await pilot.press("right")
        await settle(pilot)
        before = state(app)
        await pilot.press("f4")
        await settle(pilot)
        assert isinstance(app.screen, MatchesPanel)
        assert [(name, dict(given)) for name, given in matched] == [("block-grid", before)]  # type: ignore[call-overload]
        assert "these numbers" in frame(app) and "variant 3" in frame(app) and "nearest" in frame(app)
        await pilot.press("enter")
        await settle(pilot)
        assert "L3.1" in frame(app).splitlines()[0]
        await pilot.press("escape")
        await settle(pilot)
        assert playground(app).opened.name == "block-grid" and state(app) == before
        await pilot.press("escape")
        await settle(pilot)
        assert "C3" in frame(app).splitlines()[0], "the lesson that it was opened over"


async def test_the_nearest_variant_is_told_as_such(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching, "matches", lambda name, state: (Match("core/L5.1a@3", False),))
    app = make_app(tmp_path, "hi-Latn")
    async with app.run_test(size=(80, 24)) as pilot:
        await started(pilot, app, "block-grid")
        await pilot.press("e")
        await settle(pilot)
        assert "sabse paas" in flat(app) and "kisi mein nahi" in flat(app)


async def test_a_figure_without_exercises_says_so(tmp_path: Path, matched: list[tuple[str, object]]) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await started(pilot, app, "tracks")
        await app.workers.wait_for_complete()
        await pilot.press("alt+e")
        await settle(pilot)
        assert [note.message for note in app._notifications] == ["No exercise asks about this figure."]
        assert isinstance(app.screen, PlaygroundScreen) and not matched


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
