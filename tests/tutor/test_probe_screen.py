"""The probe's screen: before, during and after a run, at every size and in both languages; stopped, failed, left."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot

from content import course
from content.lang import LANGS
from engine.probe.model import Result
from tests.tutor import probe_runs as runs
from tests.tutor.frames import SIZES, flat, frame, make_app, paste, settle
from tests.tutor.probe_runs import Machine, Told, install, recorded, upto
from tutor.app import TutorApp
from tutor.probing import kept
from tutor.screens import probe_doors
from tutor.screens.home import HomeScreen
from tutor.screens.probe import ProbeScreen
from tutor.travel import PROBE
from tutor.widgets.page import Page
from tutor.widgets.rows import Rows

BEFORE = {"en": "149 GB free", "hi-Latn": "149 GB khaali"}
VERDICT = {"en": "Memory-bound, confidence 97 %.", "hi-Latn": "Memory-bound, 97 % confidence."}


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Machine:
    return install(monkeypatch, tmp_path)


@asynccontextmanager
async def probe(
    tmp_path: Path, lang: str = "en", size: tuple[int, int] = (80, 24), **chosen: object
) -> AsyncIterator[tuple[TutorApp, Pilot[None]]]:
    app = make_app(tmp_path, lang, **chosen)
    app._start = PROBE
    async with app.run_test(size=size, notifications=True) as pilot:
        await settle(pilot)
        assert isinstance(app.screen, ProbeScreen)
        yield app, pilot


async def heard(pilot: Pilot[None]) -> None:
    """Wait until what a run told is on the screen."""
    for screen in pilot.app.screen_stack:
        run = getattr(screen, "_child", None)
        while isinstance(run, Told) and not run.silent:
            await pilot.pause(0.01)
    await pilot.pause(0.05)
    await pilot.pause()


async def started(pilot: Pilot[None], machine: Machine) -> Told:
    await pilot.press("enter")
    await heard(pilot)
    return machine.runs[-1]


async def finished(pilot: Pilot[None], machine: Machine) -> None:
    """A whole run."""
    (await started(pilot, machine)).tell(*recorded())
    await settle(pilot)


def fits(app: TutorApp, size: tuple[int, int]) -> str:
    text = frame(app)
    assert len(text.splitlines()) <= size[1]
    assert all(cell_len(line) <= size[0] for line in text.splitlines())
    assert "{" not in text and "…" not in text and "probe." not in text
    return text


async def everywhere(app: TutorApp, pilot: Pilot[None]) -> None:
    """The same page at every size and in both languages."""
    for size in SIZES:
        await pilot.resize_terminal(*size)
        await heard(pilot)
        for _ in LANGS:
            fits(app, size)
            await pilot.press("f2")
            await heard(pilot)


def moving(app: TutorApp) -> int:
    """Timers of the screen that go on; Textual's own waits until there is something to paint."""
    return sum(
        timer._repeat is None and timer._task is not None and timer._active.is_set() for timer in app.screen._timers
    )


# --- before ----------------------------------------------------------------------------------------------------------


async def test_before_a_run_it_says_what_with_what_and_how_long(tmp_path: Path, machine: Machine) -> None:
    async with probe(tmp_path) as (app, pilot):
        said = flat(app)
        assert BEFORE["en"] in said and "nobody else on the card" in said
        assert "/opt/torch/bin/python (Python 3.12.3, torch 2.9.0+cu130)" in said and "at most 25 s" in said
        assert "enter starts it" in said and machine.runs == []
        await everywhere(app, pilot)


@pytest.mark.parametrize(
    ("ready", "words"),
    [
        ("CPU_ONLY", ("no GPU was found", "demonstration", "enter starts the demonstration")),
        ("CPU_BUILD", ("the processor, though there is NVIDIA H200", "processor build", "2.9.0+cpu")),
        ("WITH_BUSY", ("vllm 4242", "is at work (process 4242)")),
        ("NO_TORCH", ("No Python with torch was found", "pip install torch", "[b]/old[/b]: it is older than")),
    ],
)
async def test_what_is_missing_and_the_next_step(
    tmp_path: Path, machine: Machine, ready: str, words: tuple[str, ...]
) -> None:
    machine.ready = getattr(runs, ready)
    async with probe(tmp_path, size=(80, 40)) as (app, pilot):
        assert all(word in flat(app) for word in words), flat(app)
        await everywhere(app, pilot)
        if ready == "NO_TORCH":
            await pilot.press("enter")
            assert machine.runs == [] and "measure" not in frame(app).splitlines()[-1]


async def test_the_processor_can_be_chosen_and_left_again(tmp_path: Path, machine: Machine) -> None:
    async with probe(tmp_path) as (app, pilot):
        await pilot.press("c")
        await settle(pilot)
        assert "the processor, as you chose" in flat(app) and "c the card" in flat(app)
        run = await started(pilot, machine)
        assert run.asked["device"] == "cpu"
        await pilot.press("escape")
        await settle(pilot)
        await pilot.press("c")
        await settle(pilot)
        assert BEFORE["en"] in flat(app)
        assert (await started(pilot, machine)).asked["device"] == "auto"


# --- during ----------------------------------------------------------------------------------------------------------


async def test_stages_come_one_by_one_and_the_curve_grows(tmp_path: Path, machine: Machine) -> None:
    async with probe(tmp_path, size=(120, 40)) as (app, pilot):
        run = await started(pilot, machine)
        assert "loading torch" in flat(app) and "0 of 25 s" in flat(app)
        run.tell(*upto("floor", 1))
        await heard(pilot)
        said = frame(app)
        assert "✓ memory        4.16 TB/s" in said and "✓ matrices      bf16 783 TFLOP/s" in said
        assert "▸ fixed time" in said and "· KV cache" in said and "ms a step" not in said
        points = []
        linear = [event for event in recorded() if event.get("what") == "linear" and event["pass"] == 1]
        run.tell(next(event for event in recorded() if event.get("stage") == "linear"))
        for count, event in enumerate(linear, 1):
            run.tell(event)
            await heard(pilot)
            points.append(sum(line.replace("┤", "│").partition("│")[2].count("x") for line in frame(app).splitlines()))
            assert count == 1 or f"batch 1 to {event['batch']}" in flat(app)
        assert points == list(range(1, len(linear) + 1))


async def test_the_bar_follows_the_clock(tmp_path: Path, machine: Machine) -> None:
    async with probe(tmp_path) as (app, pilot):
        run = await started(pilot, machine)
        run.tell(*upto("bandwidth"))
        await heard(pilot)
        assert "0 of 25 s" in flat(app)
        machine.now += 12.5
        await pilot.pause(0.7)  # nothing is told, the clock goes on
        bar = frame(app).splitlines()[3]
        assert "12 of 25 s" in bar and abs(bar.count("━") - bar.count("─")) <= 2
        machine.now += 100
        await pilot.pause(0.7)
        assert "25 of 25 s" in flat(app)


async def test_language_and_size_change_in_the_middle(tmp_path: Path, machine: Machine) -> None:
    async with probe(tmp_path) as (app, pilot):
        run = await started(pilot, machine)
        for stage, count in (("ramp", 0), ("linear", 4), ("kv", 3)):
            run.tell(*upto(stage, count))
            await heard(pilot)
            await everywhere(app, pilot)
        assert len(machine.runs) == 1 and not run.cancelled
        await pilot.press("f2")
        await pilot.resize_terminal(80, 24)
        run.tell(*recorded())
        await settle(pilot)
        assert VERDICT["hi-Latn"] in flat(app)


async def test_no_timer_runs_when_nothing_moves(tmp_path: Path, machine: Machine) -> None:
    async with probe(tmp_path) as (app, pilot):
        assert moving(app) == 0
        run = await started(pilot, machine)
        assert moving(app) == 1
        run.tell(*recorded())
        await settle(pilot)
        assert moving(app) == 0
        await started(pilot, machine)
        await pilot.press("escape")
        await settle(pilot)
        assert moving(app) == 0


# --- stopped, failed, left -------------------------------------------------------------------------------------------


async def test_escape_stops_and_keeps_what_is_there(tmp_path: Path, machine: Machine) -> None:
    async with probe(tmp_path) as (app, pilot):
        run = await started(pilot, machine)
        run.tell(*upto("kv"))
        await heard(pilot)
        await pilot.press("escape")
        await settle(pilot)
        assert run.cancelled and isinstance(app.screen, ProbeScreen)
        assert "Stopped after 3 s; what was measured by then is here." in flat(app)
        assert kept.latest() is not None
        await everywhere(app, pilot)
        await pilot.press("escape")
        await settle(pilot)
        assert isinstance(app.screen, HomeScreen)


async def test_stopped_before_the_first_number_there_is_no_verdict(tmp_path: Path, machine: Machine) -> None:
    async with probe(tmp_path) as (app, pilot):
        (await started(pilot, machine)).tell(*upto("ramp"))
        await pilot.press("escape")
        await settle(pilot)
        assert "No verdict: too little was measured." in flat(app) and kept.latest() is None


@pytest.mark.parametrize("way", ["q", "ctrl+q"])
async def test_quitting_ends_the_run(tmp_path: Path, machine: Machine, way: str) -> None:
    async with probe(tmp_path) as (_, pilot):
        run = await started(pilot, machine)
        run.tell(*upto("kv"))
        await heard(pilot)
        await pilot.press(way)
        await heard(pilot)
    assert run.cancelled


async def test_another_place_ends_the_run_too(tmp_path: Path, machine: Machine) -> None:
    async with probe(tmp_path) as (app, pilot):
        run = await started(pilot, machine)
        app.go("core/C2")
        await heard(pilot)
        assert run.cancelled and not isinstance(app.screen, ProbeScreen)


@pytest.mark.parametrize(
    ("stage", "event", "words"),
    [
        (
            "ramp",
            {"event": "failed", "id": "no-memory", "detail": "3 MB"},
            "too little free memory on the device (3 MB)",
        ),
        ("kv", {"event": "failed", "id": "crashed", "detail": "SIGSEGV"}, "crashed (SIGSEGV)"),
        ("kv", {"event": "failed", "id": "[b]odd[/b]", "detail": "\x1b[31m[red]x"}, "[red]x"),
    ],
)
async def test_a_failure_is_said_first(
    tmp_path: Path, machine: Machine, event: dict[str, str], words: str, stage: str
) -> None:
    async with probe(tmp_path) as (app, pilot):
        (await started(pilot, machine)).tell(*upto(stage), event)
        await settle(pilot)
        assert words in flat(app) and "\x1b" not in frame(app)
        await everywhere(app, pilot)
        assert len(machine.runs) == 1
        await started(pilot, machine)
        assert len(machine.runs) == 2


async def test_a_python_that_cannot_be_started_is_said(tmp_path: Path, machine: Machine) -> None:
    machine.refuses = "Permission denied"
    async with probe(tmp_path) as (app, pilot):
        await pilot.press("enter")
        await settle(pilot)
        assert "It could not be started: Permission denied" in flat(app) and "enter starts it" in flat(app)
        assert moving(app) == 0


async def test_a_mistake_of_ours_does_not_take_the_app(
    tmp_path: Path, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("a mistake")

    monkeypatch.setattr(probe_doors, "finish", broken)
    async with probe(tmp_path) as (app, pilot):
        await finished(pilot, machine)
        assert "a mistake" in flat(app) and isinstance(app.screen, ProbeScreen)


async def test_odd_events_and_hostile_names_stay_text(tmp_path: Path, machine: Machine) -> None:
    events = recorded()
    device = next(event for event in events if event["event"] == "device")
    async with probe(tmp_path) as (app, pilot):
        run = await started(pilot, machine)
        run.tell({"event": "reading", "what": "linear", "batch": -1}, {"event": "stage", "stage": "[b]x[/b]"})
        await heard(pilot)
        assert "[b]x[/b]" in flat(app)
        named = {**device, "name": "[red]GPU\x1b[31m[/red]"}
        run.tell(*(named if event is device else event for event in events))
        await settle(pilot)
        assert "[red]GPU" in flat(app) and "\x1b" not in frame(app)


# --- after -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
async def test_the_verdict_comes_first_then_everything_else(tmp_path: Path, machine: Machine, lang: str) -> None:
    async with probe(tmp_path, lang, size=(120, 40)) as (app, pilot):
        await finished(pilot, machine)
        assert VERDICT[lang] in flat(app) and app.screen.query_one(Page).scroll_y == 0
        seen = frame(app)
        for _ in range(4):
            await pilot.press("pagedown")
            await settle(pilot)
            seen += frame(app)
        for words in ("4.16 TB/s", "knee 200", "W4A16", "0.609 ms", "M memory", "87 %"):
            assert words in seen, words
        await pilot.press("home")
        await everywhere(app, pilot)


async def test_a_second_run_is_set_beside_the_first(tmp_path: Path, machine: Machine) -> None:
    async with probe(tmp_path, size=(120, 40)) as (app, pilot):
        await finished(pilot, machine)
        assert "the run before" not in flat(app)
        slower = [
            {**event, "seconds": 2 * event["seconds"], "median": 2 * event["median"]}
            if event.get("what") == "linear" else event
            for event in recorded()
        ]  # fmt: skip
        (await started(pilot, machine)).tell(*slower)
        await settle(pilot)
        seen = frame(app)
        for _ in range(4):
            await pilot.press("pagedown")
            await settle(pilot)
            seen += frame(app)
        assert "small letters: the run before" in seen and "Beside the run of" in seen
        assert len(kept.runs()) == 2


async def test_whoever_opened_it_gets_the_result(tmp_path: Path, machine: Machine) -> None:
    taken: list[Result] = []
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        app.show_panel(ProbeScreen(taken=taken.append))
        await settle(pilot)
        await finished(pilot, machine)
        assert [result.run.device.name for result in taken if result.run.device] == ["NVIDIA H200"]
        await pilot.press("escape")
        await settle(pilot)
        assert isinstance(app.screen, HomeScreen)


@pytest.mark.parametrize("kind", ["text", "json"])
async def test_the_report_is_saved(tmp_path: Path, machine: Machine, kind: str) -> None:
    async with probe(tmp_path) as (app, pilot):
        await pilot.press("w")  # nothing to save yet
        assert isinstance(app.screen, ProbeScreen)
        await finished(pilot, machine)
        await pilot.press("w")
        await settle(pilot)
        if kind == "json":
            await pilot.press("down")
        file = tmp_path / f"report.{kind}"
        await paste(pilot, str(file))
        await pilot.press("enter")
        await settle(pilot)
        text = file.read_text(encoding="utf-8")
        assert isinstance(app.screen, ProbeScreen)
        if kind == "json":
            assert json.loads(text)["device"]["name"] == "NVIDIA H200"
        else:
            assert "NVIDIA H200" in text and VERDICT["en"] in text


async def test_what_the_numbers_mean(tmp_path: Path, machine: Machine) -> None:
    async with probe(tmp_path) as (app, pilot):
        run = await started(pilot, machine)
        await pilot.press("e")
        await heard(pilot)
        assert "Measured speeds" in flat(app)
        await everywhere(app, pilot)
        await pilot.press("escape")
        await heard(pilot)
        assert isinstance(app.screen, ProbeScreen) and not run.cancelled  # it went on below


async def test_ascii_and_no_colour(tmp_path: Path, machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with probe(tmp_path, ascii=True) as (app, pilot):
        pages = [frame(app)]
        run = await started(pilot, machine)
        run.tell(*upto("kv"))
        await heard(pilot)
        pages.append(frame(app))
        run.tell(*recorded())
        await settle(pilot)
        for _ in range(6):
            pages.append(frame(app))
            await pilot.press("pagedown")
            await settle(pilot)
        for page in pages:
            assert "\n".join(page.splitlines()[2:-2]).isascii()


# --- the ways to it --------------------------------------------------------------------------------------------------


async def test_home_and_the_palette_lead_there(tmp_path: Path, machine: Machine) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        app.screen.query_one("#resume", Rows).go(PROBE)
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, ProbeScreen)
        await pilot.press("escape")
        await settle(pilot)
        app.go("core/C2")
        await settle(pilot)
        await pilot.press("ctrl+p")
        await settle(pilot)
        await paste(pilot, "measure")
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, ProbeScreen)
        await pilot.press("escape")
        await settle(pilot)
        assert "C2" in frame(app).splitlines()[0]


async def test_the_lesson_shows_the_readers_own_curve(tmp_path: Path, machine: Machine) -> None:
    async with probe(tmp_path, size=(120, 40)) as (app, pilot):
        app.go("core/C1")
        await settle(pilot)
        sections = [section.figure for section in course.lesson("core/C1").sections]
        place = next(place for place, one in enumerate(sections) if one is not None and one.name == "decode-curve")
        await pilot.press(*["n"] * place)
        await settle(pilot)
        assert "A100 SXM 80GB" in flat(app) and "own/example" not in flat(app)
        await pilot.press("m")
        await settle(pilot)
        await finished(pilot, machine)
        await pilot.press("escape", "p", "n")
        await settle(pilot)
        assert "Measured on this machine: NVIDIA H200." in flat(app) and "own/example" in flat(app)
