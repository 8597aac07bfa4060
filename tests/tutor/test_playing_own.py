"""What the reader has set goes along from figure to figure, and from nowhere else."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import pytest
from textual.pilot import Pilot

from content import course
from tests.tutor.frames import flat, frame, make_app, settle
from tests.tutor.playgrounds import playground, value
from tutor.app import TutorApp
from tutor.figures.parameters import Parameter
from tutor.figures.registry import get, names
from tutor.figures.state import put
from tutor.playing import catalogue, opening, own
from tutor.playing.own import OwnValues
from tutor.playing.played import Played, fresh
from tutor.progress import Place
from tutor.screens.playground_figure import PlayFigure
from tutor.screens.playground_panels import CommandsPanel

SERVER = ("two-buckets", "model=llama-3.1-8b", "gpu=L4", "B=16", "S=4096", "p_w=int4", "p=fp8")


def opened(*words: str) -> Played:
    found = opening.read(words)
    return Played(found.figure, found.state, found.state, named=found.named, given=opening.given(words))


def of_words(*words: str) -> OwnValues:
    return own.opened(OwnValues(), opened(*words))


def arrived(values: OwnValues, name: str) -> Mapping[str, object]:
    return own.carried(values, fresh(name, {})).state


def changed(values: OwnValues, played: Played, **keys: object) -> tuple[OwnValues, Played]:
    after = played._replace(state=put(played.state, **keys))
    return own.noted(values, played, after), after


def test_a_server_goes_along_to_every_figure_that_knows_it() -> None:
    server = of_words(*SERVER)
    roofline = arrived(server, "roofline")
    assert (roofline["model"], roofline["gpu"]) == ("meta-llama/Llama-3.1-8B", "L4")
    assert (roofline["B"], roofline["S"], roofline["weights"], roofline["p"]) == (16, 4096, "w4a16", 1)
    tracks = arrived(server, "tracks")
    assert (tracks["B"], tracks["n_kv_heads"], tracks["p_w"], tracks["p"]) == (16, 8, Fraction(1, 2), 1)
    pipe = arrived(server, "memory-pipe")
    assert (pipe["N"], pipe["bits"], pipe["bandwidth"]) == (tracks["N"], 4, 300 * 10**9)
    assert arrived(server, "phases")["gpu"] == "L4"
    assert arrived(server, "vector-column")["d_model"] == 4096


def test_the_name_goes_along_where_others_have_the_same_values() -> None:
    pipe = own.carried(of_words("two-buckets", "gpu=A10"), fresh("memory-pipe", {}))
    assert pipe.named["gpu"] == "A10" and pipe.state["bandwidth"] == 600 * 10**9


@pytest.mark.parametrize("name", names())
def test_what_a_figure_does_not_know_is_left_out(name: str) -> None:
    start = fresh(name, {})
    after = own.carried(of_words(*SERVER), start)
    get(name).draw(after.state, 60, 16, "hi-Latn")
    assert own.carried(OwnValues(), start).state == start.state
    assert after.first == start.first, "reset goes to its own beginning"


def test_what_cannot_be_drawn_is_left_out() -> None:
    many = of_words("kv-factors", "B=100000", "L=9")
    tracks = arrived(many, "tracks")
    assert tracks["L"] == 9 and tracks["B"] == get("tracks").defaults()["B"]


def test_counts_of_other_things_stay_where_they_are() -> None:
    assert arrived(of_words("phases", "tokens=7"), "cache-steps")["tokens"] == get("cache-steps").defaults()["tokens"]


def test_the_value_that_was_set_last_holds() -> None:
    values = of_words("two-buckets", "B=20")
    tracks = own.carried(values, fresh("tracks", {}))
    assert tracks.state["B"] == 20
    values, tracks = changed(values, tracks, B=3)
    buckets = own.carried(values, opened("two-buckets", "B=20"))
    assert buckets.state["B"] == 3
    tracks = tracks._replace(seen=values.last)
    assert own.carried(values, tracks).state["B"] == 3
    values, _ = changed(values, buckets, B=5)
    assert own.carried(values, tracks).state["B"] == 5


def test_a_later_model_stands_for_the_sizes_that_were_typed() -> None:
    values = of_words("two-buckets", "N=9B")
    assert arrived(values, "tracks")["N"] == 9 * 10**9
    before = fresh("roofline", {})
    state = put(before.state, model="meta-llama/Llama-3.1-8B")
    values = own.noted(values, before, before._replace(state=state))
    assert arrived(values, "two-buckets")["N"] == 8030261248
    back = own.noted(values, before, before._replace(state=put(before.state, S=9)))
    assert arrived(back, "two-buckets")["N"] == 8030261248


def test_reset_takes_back_what_was_set_there() -> None:
    values, buckets = changed(of_words("heads", "L=7"), fresh("two-buckets", {}), B=9)
    assert arrived(values, "tracks")["B"] == 9
    values = own.reset(values, buckets._replace(state=buckets.first))
    assert arrived(values, "tracks")["B"] == get("tracks").defaults()["B"]
    assert arrived(values, "tracks")["L"] == 7, "that was set elsewhere"
    server = own.reset(of_words(*SERVER), opened(*SERVER))
    assert arrived(server, "roofline")["gpu"] == "L4", "the words of the command line hold still"


# --- in the app ------------------------------------------------------------------------------------------------------


async def turned(pilot: Pilot[None], app: TutorApp, name: str) -> None:
    await playground(app).show_figure(name)
    await settle(pilot)


async def typed(pilot: Pilot[None], app: TutorApp, name: str, text: str) -> None:
    if not playground(app).is_typing():
        await pilot.press("tab")
    playground(app).pane.go(name)
    await settle(pilot)
    await pilot.press(*text, "enter")
    await settle(pilot)


async def test_the_server_of_the_command_line_is_there_in_the_next_figure(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    app.now_playing(opened(*SERVER))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+g")
        await settle(pilot)
        await turned(pilot, app, "roofline")
        assert (value(app, "model"), value(app, "gpu")) == ("Llama-3.1-8B", "L4")
        await typed(pilot, app, "B", "24")
        await pilot.press("escape", "ctrl+g")
        await settle(pilot)
        assert playground(app).opened.name == "roofline" and value(app, "B") == "24"
        await pilot.press("alt+r")
        await settle(pilot)
        assert (value(app, "model"), value(app, "B")) == ("Llama-2-7b-hf", "16"), "its own beginning"
        await turned(pilot, app, "two-buckets")
        assert (value(app, "model"), value(app, "gpu"), value(app, "S")) == ("Llama-3.1-8B", "L4", "4096")
        await turned(pilot, app, "roofline")
        assert value(app, "model") == "Llama-2-7b-hf", "what was reset stays so"


async def test_typed_stepped_and_turned_values_go_along(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+g")
        await settle(pilot)
        await typed(pilot, app, "gpu", "A10")
        await typed(pilot, app, "gpu", "L4")
        playground(app).pane.go("model")
        await pilot.press("right")
        await settle(pilot)
        model = value(app, "model")
        await pilot.press("tab", "right")
        await settle(pilot)
        requests = value(app, "B")
        await turned(pilot, app, "roofline")
        assert (value(app, "model"), value(app, "gpu"), value(app, "B")) == (model, "L4", requests)
        assert model and requests != "16"


async def test_a_figure_that_plays_sets_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+g")
        await settle(pilot)
        view = playground(app).view
        assert view is not None and view.figure.advance is not None
        with monkeypatch.context() as patched:
            patched.setattr(PlayFigure, "playing", property(lambda self: True))
            view.change(view.figure.advance(view.state))
            await settle(pilot)
        there = value(app, "B")
        assert there != "16" and app.own is not None and not app.own.found
        await turned(pilot, app, "roofline")
        assert value(app, "B") == "16"
        await turned(pilot, app, "two-buckets")
        assert value(app, "B") == there


LOADED = Place("exercise", "core/L4.1@2")


async def test_an_exercise_overwrites_nothing_of_ones_own(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    app.now_playing(opened(*SERVER))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+g")
        await settle(pilot)
        mine = dict(playground(app).opened.state)
        app.leave_the_playground("core/L4.1@2")
        await settle(pilot)
        for _ in range(2):
            assert "L4.1" in frame(app).splitlines()[0]
            await pilot.press("ctrl+g")
            await settle(pilot)
            assert playground(app).opened.came is not None and dict(playground(app).opened.state) != mine
            await pilot.press("tab", "tab", "right")
            await pilot.press("escape")
            await settle(pilot)
        await pilot.press("escape")
        await settle(pilot)
        assert dict(playground(app).opened.state) == mine and value(app, "gpu") == "L4"
        await pilot.press("escape")
        await settle(pilot)
        assert "Core course" in frame(app)


async def test_the_figure_of_a_page_is_there_again_after_an_exercise(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=LOADED)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+g")
        await settle(pilot)
        theirs = dict(playground(app).opened.state)
        app.leave_the_playground("core/L4.3")
        await settle(pilot)
        await pilot.press("escape")
        await settle(pilot)
        assert dict(playground(app).opened.state) == theirs
        await pilot.press("n", "p")
        await settle(pilot)
        assert dict(playground(app).opened.state) == theirs, "one passes it among the others"


# --- what an exercise asks for ---------------------------------------------------------------------------------------

WHY = {"en": '"?" is what the exercise asks for', "hi-Latn": '"?" wahi hai jo exercise poochh rahi hai'}


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_a_secret_says_why_and_the_way_to_the_whole_figure(tmp_path: Path, size: tuple[int, int]) -> None:
    app = make_app(tmp_path, place=LOADED)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+g")
        await settle(pilot)
        for lang in ("en", "hi-Latn"):
            for _ in range(2):  # the figure has the keys, then its values have
                assert WHY[lang] in frame(app) and "F3" in flat(app).partition('"?"')[2]
                await pilot.press("tab")
                await settle(pilot)
            await pilot.press("f9")
            await settle(pilot)
            assert isinstance(app.screen, CommandsPanel) and WHY[lang] in flat(app)
            await pilot.press("escape", "f2")
            await settle(pilot)
        await typed(pilot, app, "model", "llama-3.1-8b")
        await pilot.press("tab", "f3", "enter")
        await settle(pilot)
        assert playground(app).opened.name == "two-buckets" and playground(app).opened.state == get("two-buckets").base
        assert not any(words in flat(app) for words in WHY.values()) and "?" not in frame(app)
        await pilot.press("n", "p")
        await settle(pilot)
        assert playground(app).opened.came is None, "what was chosen stays"
        await pilot.press("ctrl+g", "ctrl+g")
        await settle(pilot)
        assert WHY["en"] in frame(app), "the page's figure is where it was"


async def test_the_card_of_a_variant_goes_by_its_name(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=LOADED)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        card = course.exercise("core/L4.1@2").names["gpu"]
        assert card in flat(app)
        await pilot.press("ctrl+g")
        await settle(pilot)
        assert value(app, "gpu") == card
        assert next(one.name for one in catalogue.entries(_gpu()) if one.values["capacity"] == 48 * 10**9) != card


def test_a_part_of_a_name_is_one_of_those_that_fit() -> None:
    state = get("two-buckets").defaults({"capacity": "80e9"})
    assert catalogue.matching(_gpu(), state, "H100").startswith("H100")
    assert catalogue.matching(_gpu(), state, "L4").startswith("A100"), "that has other values"


def _gpu() -> Parameter:
    return next(one for one in get("two-buckets").parameters if one.name == "gpu")


async def test_the_words_on_values_are_there_whole_or_not_at_all(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+g", "tab")
        await settle(pilot)
        assert "Or" not in frame(app).split() and "Arrows choose" not in frame(app)
        for size, there in (((80, 34), True), ((120, 40), True), ((120, 20), False)):
            await pilot.resize_terminal(*size)
            await settle(pilot)
            assert ("Arrows choose" in frame(app)) == ("press Enter." in frame(app)) == there, size
