"""The playground's values: typed, stepped, offered, reset; what cannot be read costs nothing."""

from __future__ import annotations

from pathlib import Path

from tests.tutor.frames import column, frame, make_app, settle
from tests.tutor.playgrounds import go_to, playground, started, state, value, whole
from tutor.progress import Place
from tutor.screens.playground import PlaygroundScreen

BOTH = ("en", "hi-Latn")
GRID = Place("exercise", "core/L3.1")


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
