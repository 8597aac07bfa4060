"""The diagnoser's screen: form and answer side by side, the panels over them, at every size and in both languages."""

from __future__ import annotations

import json
import shlex
import threading
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from fractions import Fraction as F
from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot
from textual.widgets import Input

from content.lang import Lang
from engine import catalog
from tests.tutor import diagnosis_report as built
from tests.tutor.frames import SIZES, flat, frame, make_app, paste, settle
from tests.tutor.test_app_typeahead import burst, quiet
from tutor.app import TutorApp
from tutor.diagnoser import compare, doors, keeping, search
from tutor.diagnoser.form import FormState, flags_of, shown
from tutor.diagnoser.presets import PRESETS, values
from tutor.diagnoser.speech import Speech
from tutor.figures import roof as roofline
from tutor.screens.diagnose import DiagnoseScreen
from tutor.travel import DIAGNOSE
from tutor.widgets import ledger_bar
from tutor.widgets.lines import Lines

LANGS: tuple[Lang, ...] = ("en", "hi-Latn")


@pytest.fixture(autouse=True)
def by_hand(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Answers made by hand, unless a test wants the engine."""
    if "engine" not in request.fixturenames:
        monkeypatch.setattr(doors, "diagnose", built.diagnose)
        monkeypatch.setattr(doors, "apply", built.apply)


@pytest.fixture
def engine() -> None:
    """For a test that wants the engine's own answers."""


@asynccontextmanager
async def diagnoser(
    tmp_path: Path, lang: str = "en", size: tuple[int, int] = (120, 40), **chosen: object
) -> AsyncIterator[tuple[TutorApp, Pilot[None]]]:
    app = make_app(tmp_path, lang, **chosen)
    app._start = DIAGNOSE
    async with app.run_test(size=size, notifications=True) as pilot:
        await app.workers.wait_for_complete()
        await pilot.pause()
        yield app, pilot


async def fill(pilot: Pilot[None], text: str = "llama-3.1-8b") -> None:
    await paste(pilot, text)
    await answered(pilot)


async def answered(pilot: Pilot[None]) -> None:
    """Wait for the pause after the last letter, and for the answer."""
    await pilot.pause(0.07)
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


def check(app: TutorApp, size: tuple[int, int]) -> str:
    text = frame(app)
    assert len(text.splitlines()) <= size[1]
    assert all(cell_len(line) <= size[0] for line in text.splitlines())
    assert "…" not in text and "{" not in text and "diagnose." not in text
    assert len(app.screen.query("*")) < 60
    return text


# --- every state at every size ---------------------------------------------------------------------------------------


async def at_a_size(app: TutorApp, pilot: Pilot[None], size: tuple[int, int], *words: str) -> None:
    if app.size != size:
        await pilot.resize_terminal(*size)
        await pilot.pause()
    text = check(app, size)
    assert all(word in text for word in words), words


async def in_both_languages(app: TutorApp, pilot: Pilot[None], size: tuple[int, int], *words: str) -> None:
    for _ in LANGS:
        await at_a_size(app, pilot, size, *words)
        await pilot.press("f2")
        await pilot.pause()


async def test_the_first_lever_and_its_flag_stand_on_the_first_page(tmp_path: Path) -> None:
    async with diagnoser(tmp_path) as (app, pilot):
        await fill(pilot)
        best = next(one for one in app.screen.report.levers if one.helps and one.flag)
        assert best is app.screen.report.levers[0]
        for size in SIZES[:2]:
            await pilot.resize_terminal(*size)
            await pilot.pause()
            for lang in LANGS:
                assert best.flag in flat(app), "under the form"
                await pilot.press("tab")
                await pilot.pause()
                text = flat(app)
                assert Speech(lang).lever(best.id) in text and text.index(best.flag) < text.index("WWW")
                await pilot.press("tab", "f2")
                await pilot.pause()
        await pilot.press("tab", "down", "enter")
        await settle(pilot)
        assert app.screen.lever == best.id, "Enter tries it"


async def test_form_answer_and_panels_fit(tmp_path: Path) -> None:
    async with diagnoser(tmp_path) as (app, pilot):
        for size in SIZES:
            await at_a_size(app, pilot, size, "F3 examples", "model")
        await fill(pilot)
        await in_both_languages(app, pilot, (60, 20), "memory bandwidth", "WWW")
        await pilot.press("tab")
        assert isinstance(app.focused, Lines)
        for size in SIZES:
            await at_a_size(app, pilot, size, "memory bandwidth", "WWW")
        for key, size in (("enter", SIZES[0]), ("f3", SIZES[1]), ("f9", SIZES[0]), ("f10", SIZES[0])):
            before = frame(app)
            await pilot.press(key)
            await pilot.pause()
            await in_both_languages(app, pilot, size)
            assert frame(app) != before
            await pilot.press("escape")


async def test_both_languages_at_once(tmp_path: Path) -> None:
    async with diagnoser(tmp_path) as (app, pilot):
        await fill(pilot)
        await pilot.press("f5")
        await settle(pilot)
        said = flat(app)
        assert "A step takes 22 ms" in said and "Ek step 22 ms leta hai" in said


async def test_the_language_changes_in_place(tmp_path: Path) -> None:
    async with diagnoser(tmp_path) as (app, pilot):
        await pilot.press("down", "down", "down")
        await paste(pilot, "H200")
        line = app.focused
        assert isinstance(line, Input)
        line.cursor_position = 2
        await answered(pilot)
        await pilot.press("f2")
        await settle(pilot)
        assert "Ek step 22 ms leta hai" in flat(app)
        assert app.focused is line and line.value == "H200" and line.cursor_position == 2
        assert app.screen.state.values == {"gpu": "H200"}


async def test_ascii_and_no_colour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with diagnoser(tmp_path, ascii=True) as (app, pilot):
        await fill(pilot)
        assert "\n".join(frame(app).splitlines()[2:-2]).isascii()
        await pilot.press("tab", "end", "enter")
        await settle(pilot)
        assert "\n".join(frame(app).splitlines()[2:-2]).isascii()


async def test_wide_has_both_panes_and_narrow_one_at_a_time(tmp_path: Path) -> None:
    async with diagnoser(tmp_path) as (app, pilot):
        await fill(pilot)
        assert "weights format" in frame(app) and "Will not help" in frame(app)
        await pilot.resize_terminal(80, 24)
        await settle(pilot)
        assert "weights format" in frame(app) and "Will not help" not in frame(app)
        await pilot.press("tab")
        await settle(pilot)
        assert "weights format" not in frame(app)
        await pilot.press("escape")  # outward: first to the form, then home
        await settle(pilot)
        assert "weights format" in frame(app)
        await pilot.press("escape")
        await settle(pilot)
        assert "Exercises" in frame(app)


# --- typing ----------------------------------------------------------------------------------------------------------


async def test_names_are_suggested_while_one_types(tmp_path: Path) -> None:
    async with diagnoser(tmp_path) as (app, pilot):
        await pilot.press(*"qwen")
        await settle(pilot)
        assert "Qwen" in frame(app)
        await pilot.press("escape")
        assert "Qwen" not in frame(app) and isinstance(app.screen, DiagnoseScreen)
        await pilot.press("2")
        await pilot.press("down", "enter")
        await settle(pilot)
        screen = app.screen
        assert screen.state.values["model"].lower().startswith("qwen")
        assert screen.state.current == "weights"  # on to the next field
        await pilot.press(*"own", "enter")  # a name of one's own is kept
        assert screen.state.values["weights"] == "own"


def test_suggestions_by_kind() -> None:
    def named(kind: str, typed: str, choices: tuple[str, ...] = ()) -> list[str]:
        return [found.text for found in search.suggest(kind, choices, typed)]

    assert named("model", "3.1 8b")[0] == "Llama-3.1-8B" and named("gpu", "h100")[0].startswith("H100")
    assert named("format", "aw") == ["awq"] and named("kv-format", "fp") == ["fp16", "fp8"]
    assert named("engine", "llam") == ["llama.cpp", "exllama", "ollama"] and named(
        "choice", "nv", ("nvlink", "pcie")
    ) == ["nvlink"]
    assert named("model", "") == named("model", "Llama-3.1-8B") == named("span", "12") == []
    for found in search.suggest("model", (), "llama-7b"):
        catalog.model(found.text)  # what is taken over names one model


async def test_a_quick_typist_loses_nothing(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        burst(
            app,
            "d",
            "llama",
            "enter",
            "awq",
            "enter",
            "down",
            "T4",
            "up",
            "up",
            "end",
            "s",
            "backspace",
            "up",
            "end",
            "2",
        )
        await quiet(app)
        await answered(pilot)
        assert app.screen.state.values == {"model": "llama2", "weights": "awq", "gpu": "T4"}
        assert app.screen.form.line.value == "llama2"


async def test_only_the_newest_answer_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gate, seen = threading.Event(), []

    def slow(number: int, given: Mapping[str, object], measured: object = None, files: object = None) -> doors.Outcome:
        seen.append(given.get("model"))
        gate.wait(5)
        return built.diagnose(number, {"weights": "awq"} if given.get("model") == "newest" else {})

    monkeypatch.setattr(doors, "diagnose", slow)
    async with diagnoser(tmp_path) as (app, pilot):
        for text in ("first", "second", "newest"):
            await paste(pilot, text)
            await pilot.pause(0.1)
        gate.set()
        await answered(pilot)
        assert seen == ["first", "newest"]
        assert "5.76 GB" in frame(app)


async def test_what_is_impossible_is_said_under_its_field(tmp_path: Path) -> None:
    async with diagnoser(tmp_path) as (app, pilot):
        await fill(pilot)
        await pilot.press("down", "down", "down", "down")
        await fill(pilot, "0")
        lines = frame(app).splitlines()
        place = next(n for n, line in enumerate(lines) if "number of cards" in line and "▸" in line)
        assert "cannot be zero" in lines[place + 1]
        assert "memory bandwidth" in flat(app) and "the values before" in flat(app)
        await fill(pilot, "2")
        assert "cannot be zero" not in flat(app) and "the values before" not in flat(app)


async def test_a_value_that_was_put_aside_is_a_remark(tmp_path: Path) -> None:
    async with diagnoser(tmp_path) as (app, pilot):
        await fill(pilot)
        assert "· several is no number" in frame(app)


@pytest.mark.usefixtures("engine")
async def test_hostile_text_stays_text(tmp_path: Path) -> None:
    async with diagnoser(tmp_path) as (app, pilot):
        for field in ("model", "symptoms", "prompt"):
            app.screen.to_field(field)
            for text in ("[/b] [red]x", "\x1b[31m" + "9" * 1500, "{model}", "-1", "1e999"):
                await paste(pilot, text)
                await pilot.pause(0.08)
        await answered(pilot)
        await pilot.press("tab", "f2")
        assert isinstance(app.screen, DiagnoseScreen)


async def test_all_fields_or_the_usual_ones(tmp_path: Path) -> None:
    async with diagnoser(tmp_path) as (app, pilot):
        usual = len(app.screen.form.names)
        await pilot.press("f8")
        assert len(app.screen.form.names) > usual + 30
        await pilot.press("f8")
        assert len(app.screen.form.names) == usual


# --- levers, questions, numbers --------------------------------------------------------------------------------------


def on(app: TutorApp, id: str) -> None:
    """Put the cursor of the answer on a line."""
    lines = app.screen.query_one("#result", Lines)
    app.screen.show_pane("answer")
    lines.go(id)


async def test_a_lever_is_tried_kept_and_undone(tmp_path: Path) -> None:
    async with diagnoser(tmp_path) as (app, pilot):
        await fill(pilot)
        on(app, "first:w4a16")
        await pilot.press("enter")
        await answered(pilot)
        said = flat(app)
        assert "before after" in said and "weights 16.1 GB 5.76 GB" in said
        await pilot.press("enter")
        await answered(pilot)
        screen = app.screen
        assert isinstance(screen, DiagnoseScreen)
        assert screen.state.values == {"model": "llama-3.1-8b", "weights": "awq"}
        await pilot.press("alt+u")
        await answered(pilot)
        assert screen.state.values == {"model": "llama-3.1-8b"}


async def test_a_lever_that_changes_nothing_cannot_be_kept(tmp_path: Path) -> None:
    async with diagnoser(tmp_path) as (app, pilot):
        await fill(pilot)
        on(app, "no:paged-attention")
        await pilot.press("enter")
        await answered(pilot)
        assert "changes nothing that can be computed" in flat(app) and "Keep it" not in flat(app)
        await pilot.press("enter")
        await settle(pilot)
        assert app.screen.state.values == {"model": "llama-3.1-8b"}


async def test_a_question_leads_to_its_field(tmp_path: Path) -> None:
    async with diagnoser(tmp_path) as (app, pilot):
        await fill(pilot)
        on(app, "ask:eager")
        await pilot.press("enter")
        await settle(pilot)
        assert app.screen.state.current == "eager" and isinstance(app.focused, Input)


async def test_the_mouse_does_it_all(tmp_path: Path) -> None:
    async with diagnoser(tmp_path) as (app, pilot):
        await fill(pilot)
        lines = frame(app).splitlines()

        async def click(words: str) -> None:
            here = frame(app).splitlines()
            row = next(n for n, line in enumerate(here) if words in line)
            await pilot.click(offset=(here[row].index(words) + 1, row))
            await pilot.pause()

        await click("requests at once")
        assert app.screen.state.current == "concurrency" and app.screen.form.line.has_focus
        await click("52 more fields" if "52 more fields" in "\n".join(lines) else "more fields")
        assert app.screen.state.every
        app.screen.to_field("gpu")
        await paste(pilot, "409")
        await pilot.pause(0.05)
        await click("RTX 4090 Laptop")
        assert app.screen.state.values["gpu"] == "RTX 4090 Laptop" and app.screen.form.line.has_focus
        await click("4-bit weights (W4A16)")
        assert "A lever tried" in flat(app)
        await click("Leave it")
        assert isinstance(app.screen, DiagnoseScreen)
        await pilot.resize_terminal(60, 20)
        await pilot.pause()
        if app.screen.in_answer:
            await pilot.press("escape")
        await pilot.pause()
        await click("memory bandwidth")
        assert app.screen.in_answer


async def test_a_number_leads_to_its_formula_and_lesson_and_back(tmp_path: Path) -> None:
    async with diagnoser(tmp_path) as (app, pilot):
        await fill(pilot)
        on(app, "ledger:kv-pool")
        await pilot.press("e")
        await settle(pilot)
        assert "kv_pool = usable_memory" in flat(app)
        await pilot.press("f2")
        await settle(pilot)
        assert "kv_pool = usable_memory" in flat(app) and "lesson" in frame(app).splitlines()[-1]
        await pilot.press("enter")
        await settle(pilot)
        assert "C5" in frame(app).splitlines()[0]
        await pilot.press("escape")
        await answered(pilot)
        assert isinstance(app.screen, DiagnoseScreen) and app.screen.form.line.value == "llama-3.1-8b"
        on(app, "experiment")
        await pilot.press("enter")
        await settle(pilot)
        assert "apna formula nahi" in flat(app)


# --- taking it away --------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("engine")
async def test_the_command_is_shown_and_copied(tmp_path: Path) -> None:
    async with diagnoser(tmp_path) as (app, pilot):
        await fill(pilot)
        app.screen.to_field("symptoms")
        await fill(pilot, "two cards; rm -rf $HOME 'quoted'")
        await pilot.press("f9")
        await settle(pilot)
        words = shlex.split(app.clipboard)
        assert words[:2] == ["llm-tutor", "diagnose"] and "--model" in words
        assert "llm-tutor diagnose" in flat(app)


@pytest.mark.usefixtures("engine")
async def test_a_scenario_is_saved_and_opened_again(tmp_path: Path) -> None:
    file = tmp_path / "server.json"
    async with diagnoser(tmp_path) as (app, pilot):
        await fill(pilot)
        await pilot.press("f10")
        await settle(pilot)
        await paste(pilot, str(file))
        await pilot.press("enter")
        await settle(pilot)
        saved = json.loads(file.read_text(encoding="utf-8"))
        assert "llama" in str(saved["model"]).lower()
        for lang in LANGS:
            assert keeping.text("markdown", app.screen.report, lang).startswith("# ")
        assert {"wall", "levers", "ledger"} <= json.loads(keeping.text("json", app.screen.report, "en")).keys()
        app.screen.state.replace({})
        await pilot.press("f3")
        await settle(pilot)
        await paste(pilot, str(file))
        await pilot.press("down", "enter")
        await answered(pilot)
        assert "llama" in app.screen.state.values["model"].lower()


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize(
    "text",
    ["", "[" * 10**5, "x" * 3_000_000, "a = 1", "\x00\xff", '{"model": {"a": 1}}'],
    ids=["empty", "deep", "long", "other", "binary", "table"],
)
def test_a_file_that_is_no_scenario_is_refused_in_a_sentence(tmp_path: Path, text: str) -> None:
    file = tmp_path / "[b]file.toml"
    file.write_text(text, encoding="utf-8")
    known = doors.opened(text, file)
    assert isinstance(known, doors.Problem) or set(known) <= {"model"}
    if isinstance(known, doors.Problem):
        assert len(Speech("en").problem(known)) > 10


def test_no_file_is_written_over_unasked(tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    file.write_text("mine", encoding="utf-8")
    with pytest.raises(keeping.Exists):
        keeping.write(str(file), "new")
    assert file.read_text(encoding="utf-8") == "mine"
    keeping.write(str(file), "new", over=True)
    assert file.read_text(encoding="utf-8") == "new" and [*tmp_path.iterdir()] == [file]
    (other := tmp_path / "kept.json.new").write_text("mine too", encoding="utf-8")
    (link := tmp_path / "link.json").symlink_to(file)
    keeping.write(str(link), "newer", over=True)
    assert link.is_symlink() and file.read_text(encoding="utf-8") == "newer"
    assert other.read_text(encoding="utf-8") == "mine too"


async def test_a_file_that_is_there_is_asked_about(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "text", lambda *_: "report\n")
    file = tmp_path / "kept.md"
    file.write_text("mine", encoding="utf-8")
    async with diagnoser(tmp_path) as (app, pilot):
        await fill(pilot)
        await pilot.press("f10", "down")
        await settle(pilot)
        await paste(pilot, str(file))
        await pilot.press("enter")
        await settle(pilot)
        assert file.read_text(encoding="utf-8") == "mine" and "was not saved here" in flat(app)
        await pilot.press("enter")
        await settle(pilot)
        assert file.read_text(encoding="utf-8") == "report\n" and isinstance(app.screen, DiagnoseScreen)
        await pilot.press("f10")
        await settle(pilot)
        await paste(pilot, str(tmp_path / "no" / "folder.json"))
        await pilot.press("enter")
        await settle(pilot)
        assert "cannot be written" in flat(app)


# --- examples --------------------------------------------------------------------------------------------------------


async def test_an_example_fills_the_form_and_can_be_undone(tmp_path: Path) -> None:
    async with diagnoser(tmp_path) as (app, pilot):
        await fill(pilot, "mine")
        await pilot.press("f3")
        await settle(pilot)
        await paste(pilot, "awq slower")
        await pilot.press("enter")
        await answered(pilot)
        assert app.screen.state.values == values("awq-slower", "en")
        await pilot.press("alt+u")
        await answered(pilot)
        assert app.screen.state.values == {"model": "mine"} and app.screen.form.line.value == "mine"


async def test_an_empty_form_is_offered_where_something_stands_and_can_be_undone(tmp_path: Path) -> None:
    async with diagnoser(tmp_path) as (app, pilot):
        await pilot.press("f3")
        await settle(pilot)
        await paste(pilot, "another server")
        assert "brings back what stands there now" not in flat(app)
        await pilot.press("escape")
        await settle(pilot)
        await fill(pilot, "mine")
        await pilot.press("f3")
        await settle(pilot)
        await paste(pilot, "another server")
        assert "alt+u brings back what stands there now" in flat(app)
        await pilot.press("enter")
        await answered(pilot)
        assert app.screen.state.values == {} and app.screen.form.line.value == ""
        await pilot.press("alt+u")
        await answered(pilot)
        assert app.screen.state.values == {"model": "mine"}


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("name", PRESETS)
def test_every_example_is_read_whole_and_has_the_same_wall_in_both_languages(name: str) -> None:
    found = []
    for lang in LANGS:
        outcome = doors.diagnose(1, FormState(dict(values(name, lang))).given())
        assert outcome.problem is None and outcome.report is not None
        assert outcome.report.scenario.unread == () and outcome.report.wall not in ("other", "none")
        found.append(outcome.report)
    assert found[0].walls == found[1].walls
    assert values(name, "en")["symptoms"] != values(name, "hi-Latn")["symptoms"]


@pytest.mark.usefixtures("engine")
def test_the_examples_of_the_course() -> None:
    found = {name: doors.diagnose(1, FormState(dict(values(name, "en"))).given()).report for name in PRESETS}
    walls = {name: report.wall for name, report in found.items() if report is not None}
    assert walls["reserved-slots"] == "kv-fragmentation" and walls["long-prompts"] == "compute"
    assert walls["too-large"] == "weights-memory" and walls["preemption"] == "kv-memory"
    first = {name: next(one.id for one in report.levers if one.helps) for name, report in found.items() if report}
    assert first["reserved-slots"] == "paged-attention"
    assert "w8a8" in [one.id for one in found["long-prompts"].levers if one.helps][:3]


# --- the way there and back ------------------------------------------------------------------------------------------


async def test_home_leads_there_and_the_form_waits(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "d diagnose" in frame(app) and "Diagnose a server of yours" in flat(app)
        await pilot.press("d", *"mine")  # typed ahead
        await answered(pilot)
        assert app.screen.state.values == {"model": "mine"}
        await pilot.press("escape")
        await settle(pilot)
        assert "Exercises" in frame(app)
        await pilot.press("d")
        await answered(pilot)
        assert app.screen.form.line.value == "mine"


async def test_a_remapped_key(tmp_path: Path) -> None:
    async with diagnoser(tmp_path, keys={"presets": "f12"}) as (app, pilot):
        assert "F12 examples" in frame(app)
        await pilot.press("f12")
        await settle(pilot)
        assert "Two cards slower than one" in frame(app)


# --- drawings --------------------------------------------------------------------------------------------------------


def test_the_bar_is_the_card_and_shows_what_does_not_fit() -> None:
    fits = [ledger_bar.Share("weights", F(16)), ledger_bar.Share("kv", F(17)), ledger_bar.Share("graphs", F(1, 100))]
    for width in (12, 40, 90):
        drawn = ledger_bar.bar(fits, F(80), width).plain
        assert cell_len(drawn) == width and drawn[0] == drawn[-1] == "│"
        assert drawn.count("W") in (round((width - 2) / 5), round((width - 2) / 5) - 1) and "G" in drawn
    over = ledger_bar.bar([ledger_bar.Share("weights", F(140))], F(80), 60).plain
    inside, outside = over[1:].split("│")
    assert cell_len(over) == 60 and outside and abs(len(inside) / len(inside + outside) - 80 / 140) < 0.03
    assert ledger_bar.bar(fits, F(80), 40, ascii_only=True).plain.isascii()


def _roof(*points: roofline.Point) -> roofline.Roof:
    return roofline.Roof(F(3350 * 10**9), F(989 * 10**12), points)


@pytest.mark.parametrize("width", [24, 40, 64, 100])
@pytest.mark.parametrize("intensity", [F(1, 1000), F(1), F(60), F(295), F(10**5)])
def test_points_stand_under_the_roof(width: int, intensity: F) -> None:
    top = min(intensity * 3350 * 10**9, F(989 * 10**12))
    for ascii_only in (False, True):
        points = (roofline.Point("D", intensity, top / 2), roofline.Point("M", intensity, top / 4))
        words = roofline.Words("flat", "slope", "ridge")
        drawn = [line.plain for line in roofline.draw(_roof(*points), width, words, ascii_only).all]
        most = max(roofline.NARROWEST, min(roofline.WIDEST, width))
        assert len(drawn) == roofline.ROWS + roofline.FRAME and all(cell_len(line) <= most for line in drawn)
        text = "\n".join(drawn)
        assert text.count("D") == text.count("M") == 1
        assert not ascii_only or text.isascii()
        decode, measured = (next(n for n, line in enumerate(drawn) if letter in line) for letter in "DM")
        assert decode <= measured


def test_two_points_in_one_cell_are_both_seen() -> None:
    points = (roofline.Point("D", F(60), F(10**14)), roofline.Point("M", F(60), F(10**14)))
    text = "\n".join(line.plain for line in roofline.draw(_roof(*points), 40, roofline.Words("", "", "")).all)
    assert "DM" in text


# --- what stands in the form -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "flags"),
    [
        ("--enforce-eager --max-num-seqs 64", {"--enforce-eager": True, "--max-num-seqs": "64"}),
        ("max_num_seqs=64, ", {"max_num_seqs": "64,"}),
        ("vllm serve x --dtype=half -tp 2", {"--dtype": "half", "-tp": "2"}),
        ("-ngl -1 'open quote", {"-ngl": "-1"}),
        ("", {}),
    ],
)
def test_flags_as_typed(typed: str, flags: dict[str, object]) -> None:
    assert flags_of(typed) == flags


def test_a_lever_changes_only_what_differs() -> None:
    state = FormState({"model": "llama-3.1-8b", "prompt": "2k", "flags": "--enforce-eager"}, {"read": [1]})
    before = {"model": "x", "prompt": 2048, "eager": True}
    state.change(before, {"model": "x", "prompt": 2048, "weights": "awq"}, ["model", "prompt", "weights", "eager"])
    assert state.values == {"model": "llama-3.1-8b", "prompt": "2k", "flags": "--enforce-eager", "weights": "awq"}
    assert state.undo() and "weights" not in state.values and not state.undo()


def test_values_of_a_file_as_one_types_them() -> None:
    assert [shown(one) for one in (True, False, 2.0, 0.92, [16, 64])] == ["on", "off", "2", "0.92", "16; 64"]
    assert shown({"max_num_seqs": 64, "--enforce-eager": True}) == "--max_num_seqs=64 --enforce-eager"


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("lang", LANGS)
def test_a_lever_that_cannot_be_computed_says_what_to_fill_in(lang: Lang) -> None:
    from engine.diagnosis import judge, scenario

    for given, missing in (({"model": "llama-3.1-8b"}, ["gpu"]), ({"symptoms": ["decode is slow"]}, ["model", "gpu"])):
        report, speech = judge.diagnose(scenario.build(given)), Speech(lang)
        for lever in ("fp8", "cpu-offload"):
            (line,) = compare.sides(doors.apply(lever, report), speech)
            said = " ".join(str(row) for row in line.draw(200))
            assert said.endswith(f"{', '.join(map(speech.field, missing))}.")
