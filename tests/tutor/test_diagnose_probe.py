"""The diagnoser and the card at hand: when it measures, when it only offers to, and what it does with the numbers."""

from __future__ import annotations

import json
import os
import shutil
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from engine.diagnosis import judge, scenario
from engine.probe.gather import gathered
from engine.probe.result import judge as judged
from tests.terminal import Terminal
from tests.tutor import inside
from tests.tutor.command import Ran
from tests.tutor.frames import frame, make_app, settle
from tests.tutor.test_probe_cli import RECORD, Probe
from tutor.app import TutorApp
from tutor.diagnoser import probed
from tutor.probing import kept
from tutor.screens.diagnose import DiagnoseScreen
from tutor.screens.probe import ProbeScreen
from tutor.travel import DIAGNOSE

LOAD = ("--model", "llama-3.1-8b", "--prompt", "2k", "--output", "256", "--concurrency", "16")
BUSY = "GPU-1a2b, 4242, 90000, vllm"
H100 = "0, GPU-1a2b, NVIDIA H100 80GB HBM3, 81559, 81000, 0, 580.65.06, Disabled"


class Machine(Probe):
    """A machine with an idle H200, and on PATH a Python with torch that replays a run of it."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.driver()
        self.torch()

    def torch(self, pause: float = 0.0, record: Path = RECORD, *, held: bool = False) -> Path:
        """The program answers a request with a shape by running that shape; so does the replayed plan.

        ``held``: it stays at its first stage until the file that is returned is gone.
        """
        own = self.folder / record.name
        hold = own.with_name(f"{own.name}.hold")
        if held:
            hold.touch()
        own.write_text(record.read_text().replace('"origin": "default"', '"origin": "case"'))
        self.python(own, pause).replace(self.bin / "python3")
        return hold

    def diagnose(self, *argv: str) -> Ran:
        """As in a pipe."""
        done = inside.run(("diagnose", *argv), self.env, folder=self.folder)
        assert b"Traceback" not in done.stderr
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())

    def on_terminal(self, *argv: str) -> tuple[int, str]:
        """On a terminal: status, and all that the screen held."""
        hidden = {name: "" for name in ("VIRTUAL_ENV", "CONDA_PREFIX") if name in os.environ}
        with Terminal([sys.executable, "-m", "tutor", "diagnose", *argv], {**self.env, **hidden}, (100, 120)) as there:
            return there.finish(60), there.text

    @property
    def runs(self) -> tuple[kept.Kept, ...]:
        return kept.runs(Path(self.env["LLM_TUTOR_HOME"]) / "probes.jsonl")


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


# --- the command -----------------------------------------------------------------------------------------------------


def test_a_pipe_measures_nothing_unasked(machine: Machine) -> None:
    ran = machine.diagnose(*LOAD, "--gpu", "H200 SXM 141GB", "--json")
    assert (ran.status, ran.err) == (0, "")
    assert json.loads(ran.out)["probe"] is None
    assert machine.runs == ()


def test_asked_for_it_measures_and_computes_with_it(machine: Machine) -> None:
    plain = json.loads(machine.diagnose(*LOAD, "--gpu", "H200 SXM 141GB", "--json").out)
    ran = machine.diagnose(*LOAD, "--gpu", "H200 SXM 141GB", "--json", "--probe")
    assert (ran.status, ran.err) == (0, "")
    found = json.loads(ran.out)
    assert found["probe"]["device"]["name"] == "NVIDIA H200" and found["probe"]["own_step"] is True
    card = next(one for one in found["ledger"] if one["name"] == "card")
    assert card["origin"] == "measured" and card["bytes"] == found["probe"]["device"]["total"]
    assert found["steps"]["decode"]["usual"] != plain["steps"]["decode"]["usual"]
    assert [one.asked["request"]["case"]["batch"] for one in machine.runs] == [16]  # the workload's own step


def test_asked_for_again_it_measures_anew(machine: Machine) -> None:
    for count in (1, 2):
        assert machine.diagnose(*LOAD, "--probe").status == 0
        assert len(machine.runs) == count


def test_its_numbers_stand_below_the_report(machine: Machine) -> None:
    for lang, title in (("en", "Measured on this card: NVIDIA H200, just now"),
                        ("hi-Latn", "Isi card par measure kiya: NVIDIA H200, abhi abhi")):  # fmt: skip
        assert title in machine.diagnose(*LOAD, "--probe", "--lang", lang).out


def test_both_wishes_at_once_are_refused(machine: Machine) -> None:
    ran = machine.diagnose(*LOAD, "--probe", "--no-probe")
    assert ran.status == 2 and ran.out == "" and len(ran.err.splitlines()) == 1


def test_asked_for_without_a_card_it_says_so_and_goes_on(machine: Machine) -> None:
    (machine.bin / "nvidia-smi").unlink()
    if shutil.which("nvidia-smi", path=machine.env["PATH"]) or Path("/dev/kfd").exists():
        pytest.skip("this machine has a card of its own")
    ran = machine.diagnose(*LOAD, "--gpu", "H200 SXM 141GB", "--probe")
    assert ran.status == 0 and "no GPU" in ran.err
    assert ran.out == machine.diagnose(*LOAD, "--gpu", "H200 SXM 141GB").out


def test_another_card_than_the_scenarios_is_not_measured_for_it(machine: Machine) -> None:
    ran = machine.diagnose(*LOAD, "--gpu", "L4", "--probe")
    assert ran.status == 0 and "NVIDIA H200" in ran.err and "L4" in ran.err
    assert machine.runs == () and "Measured on this card" not in ran.out


@pytest.mark.parametrize("given", [(), ("--gpu", "H100")])
def test_a_card_that_is_not_named_in_full_is_this_machines(machine: Machine, given: tuple[str, ...]) -> None:
    record = RECORD.with_name("h100.jsonl")
    machine.driver(gpu=H100)
    machine.torch(record=record)
    asked = json.loads(machine.diagnose(*LOAD, *given, "--json").out)
    assert "gpu" in [one["input"] for one in asked["questions"]]
    found = json.loads(machine.diagnose(*LOAD, *given, "--json", "--probe").out)
    assert "gpu" not in [one["input"] for one in found["questions"]]
    assumed = {one["name"]: one for one in found["assumed"]}
    assert assumed["gpu"]["value"] == "H100 SXM 80GB" and assumed["gpu"]["reason"] == "this-machine"


@pytest.mark.parametrize("lang", ["en", "hi-Latn"])
def test_a_measurement_that_failed_is_not_shown_as_one(machine: Machine, lang: str) -> None:
    script = (machine.bin / "python3").read_text().splitlines()
    script[-1] = "read line; echo 'RuntimeError: broken' >&2; exit 1"
    (machine.bin / "python3").write_text("\n".join(script) + "\n")
    ran = machine.diagnose(*LOAD, "--gpu", "H200 SXM 141GB", "--probe", "--lang", lang)
    said = {"en": "could not be measured: torch cannot be imported there", "hi-Latn": "measure nahi ho paaya"}
    text = " ".join(ran.out.split())
    assert ran.status == 0 and said[lang] in text and "RuntimeError: broken" in text
    assert "just now" not in text and "abhi abhi" not in text
    asked = json.loads(machine.diagnose(*LOAD, "--gpu", "H200 SXM 141GB", "--probe", "--json").out)
    assert asked["probe"]["failed"]["id"] == "torch-broken"


# --- on a terminal ---------------------------------------------------------------------------------------------------


@pytest.mark.pty
def test_on_a_terminal_an_idle_card_is_measured_once_a_day(machine: Machine) -> None:
    status, first = machine.on_terminal(*LOAD)
    assert status == 0 and "10/10" in first and "Measured on this card: NVIDIA H200, just now" in first
    status, second = machine.on_terminal(*LOAD)
    assert status == 0 and "/10" not in second and "Measured on this card: NVIDIA H200, at 20" in second
    assert len(machine.runs) == 1


@pytest.mark.pty
def test_a_card_that_works_is_only_offered(machine: Machine) -> None:
    machine.driver(apps=BUSY)
    status, out = machine.on_terminal(*LOAD, "--gpu", "H200 SXM 141GB")
    assert status == 0 and "4242" in out and "--probe" in out
    assert machine.runs == ()


@pytest.mark.pty
@pytest.mark.parametrize("how", ["--no-probe", "--plain", "setting"])
def test_it_can_be_kept_from_measuring(machine: Machine, how: str) -> None:
    if how == "setting":
        home = Path(machine.env["LLM_TUTOR_HOME"])
        home.mkdir()
        (home / "settings.toml").write_text("probe = false\n")
    status, out = machine.on_terminal(*LOAD, "--gpu", "H200 SXM 141GB", *([how] if how != "setting" else []))
    assert status == 0 and "Measur" not in out
    assert machine.runs == ()


@pytest.mark.pty
def test_without_torch_one_sentence_says_so(machine: Machine) -> None:
    (machine.bin / "python3").unlink()
    _, out = machine.on_terminal(*LOAD, "--gpu", "H200 SXM 141GB")
    if "Measured on this card" in out:
        pytest.skip("a Python of this machine has torch")
    assert "no Python with torch" in out


# --- which run counts ------------------------------------------------------------------------------------------------


def run_of(age: timedelta, record: Path = RECORD) -> kept.Kept:
    then = datetime.now(UTC) - age
    events = tuple(json.loads(line) for line in record.read_text().splitlines())
    return kept.Kept(then.strftime("%Y-%m-%dT%H:%M:%SZ"), {}, events)


@pytest.fixture
def here(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """The machine for this process itself."""
    for name in ("LLM_TUTOR_HOME", "PATH"):
        monkeypatch.setenv(name, machine.env[name])
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX", "CUDA_VISIBLE_DEVICES"):
        monkeypatch.delenv(name, raising=False)
    return machine


@pytest.mark.parametrize(
    ("age", "counts"), [(timedelta(hours=3), True), (timedelta(days=2), False), (timedelta(hours=-5), False)]
)
def test_a_run_of_today_stands_for_the_card(here: Machine, age: timedelta, counts: bool) -> None:
    kept.append(run_of(age))
    chance = probed.look(scenario.build({"model": "llama-3.1-8b"}))
    assert (chance.seen is not None) is counts
    assert (chance.ready is not None) is not counts


def test_a_run_of_another_card_or_of_the_processor_does_not(here: Machine) -> None:
    for name in ("cpu", "l40s"):
        kept.append(run_of(timedelta(hours=1), RECORD.with_name(f"{name}.jsonl")))
    assert probed.look(scenario.build({})).seen is None


def test_a_scenario_of_another_card_looks_at_nothing(here: Machine) -> None:
    kept.append(run_of(timedelta(hours=1)))
    assert probed.look(scenario.build({"gpu": "L4"})) == probed.Chance()
    assert probed.look(scenario.build({"gpu": "no such card"})) == probed.Chance()


def test_a_processor_says_nothing_to_a_diagnosis() -> None:
    run = gathered(json.loads(line) for line in RECORD.with_name("cpu.jsonl").read_text().splitlines())
    read = scenario.build({"model": "llama-3.1-8b"})
    assert probed.fed(read, probed.Seen(judged(run))) is read


def test_what_is_fed_names_its_card_and_changes_the_steps() -> None:
    run = gathered(json.loads(line) for line in RECORD.read_text().splitlines())
    read = scenario.build({"model": "llama-3.1-8b", "prompt": 2000, "output": 256, "concurrency": 16})
    made = probed.fed(read, probed.Seen(judged(run)))
    assert made.gpu is not None and made.gpu.name == "H200 SXM 141GB" and made.seen is not None
    report = judge.diagnose(made)
    assert report.timings.decode is not None and report.timings.decode.step.reached.weights.basis == "measured"


# --- the app ---------------------------------------------------------------------------------------------------------


@asynccontextmanager
async def diagnoser(
    folder: Path, lang: str = "en", size: tuple[int, int] = (120, 40), **chosen: object
) -> AsyncIterator[tuple[TutorApp, Pilot[None]]]:
    app = make_app(folder, lang, **chosen)
    app._start = DIAGNOSE
    async with app.run_test(size=size, notifications=True) as pilot:
        yield app, pilot


async def until(pilot: Pilot[None], what: Any, seconds: float = 20.0) -> None:
    for _ in range(int(seconds / 0.02)):
        if what():
            return
        await pilot.pause(0.02)
    raise AssertionError(frame(pilot.app))


@pytest.mark.parametrize("lang", ["en", "hi-Latn"])
async def test_the_app_measures_an_idle_card_and_uses_it(here: Machine, tmp_path: Path, lang: str) -> None:
    hold = here.torch(held=True)
    async with diagnoser(tmp_path / "app", lang) as (app, pilot):
        await until(pilot, lambda: "/10: " in frame(app))
        assert "alt+y" in frame(app)
        hold.unlink()
        await until(pilot, lambda: app.seen is not None)
        screen = app.screen
        assert isinstance(screen, DiagnoseScreen)
        screen.state.replace({"model": "llama-3.1-8b"})
        screen.take()
        await until(pilot, lambda: "(H200 SXM 141GB)" in frame(app))
        assert screen.report is not None and screen.report.scenario.seen is not None
        assert "/10: " not in frame(app) and not screen.measuring
        assert any(line.id == "probe" for line in screen.answer.rows)


async def test_measuring_can_be_stopped_and_nothing_counts(here: Machine, tmp_path: Path) -> None:
    here.torch(pause=30)
    async with diagnoser(tmp_path / "app") as (app, pilot):
        await until(pilot, lambda: "/10: " in frame(app))
        screen = app.screen
        assert isinstance(screen, DiagnoseScreen) and screen._child is not None
        child = screen._child
        await pilot.press("alt+y")
        await until(pilot, lambda: not child.running)
        await until(pilot, lambda: "/10: " not in frame(app))
        await settle(pilot)
        assert app.seen is None and "alt+y" not in frame(app)


async def test_leaving_the_screen_ends_the_run(here: Machine, tmp_path: Path) -> None:
    here.torch(pause=30)
    async with diagnoser(tmp_path / "app") as (app, pilot):
        await until(pilot, lambda: "/10: " in frame(app))
        screen = app.screen
        assert isinstance(screen, DiagnoseScreen) and screen._child is not None
        child = screen._child
        app.go("core/C1")
        await until(pilot, lambda: app.screen is not screen)
        await until(pilot, lambda: not child.running)


async def test_on_a_busy_card_the_app_only_offers(here: Machine, tmp_path: Path) -> None:
    here.driver(apps=BUSY)
    async with diagnoser(tmp_path / "app") as (app, pilot):
        await until(pilot, lambda: "4242" in frame(app))
        assert "alt+k" in frame(app)
        assert not isinstance(app.screen, ProbeScreen) and app.seen is None


async def test_a_setting_keeps_the_app_from_looking(here: Machine, tmp_path: Path) -> None:
    async with diagnoser(tmp_path / "app", probe=False) as (app, pilot):
        await pilot.pause(1.0)
        await settle(pilot)
        assert app.seen is None and kept.runs() == ()


async def test_the_probes_screen_takes_the_form_along_and_gives_its_numbers_back(here: Machine, tmp_path: Path) -> None:
    async with diagnoser(tmp_path / "app", probe=False) as (app, pilot):
        screen = app.screen
        assert isinstance(screen, DiagnoseScreen)
        screen.state.replace({"model": "llama-3.1-8b", "gpu": "H200", "concurrency": "16", "prompt": "2000"})
        screen.take()
        await until(pilot, lambda: screen.report is not None)
        await pilot.press("alt+k")
        await until(pilot, lambda: isinstance(app.screen, ProbeScreen) and app.screen.view.phase == "ready")
        await pilot.press("enter")
        await until(pilot, lambda: app.seen is not None)
        assert app.seen is not None and app.seen.own
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is screen)
        await until(pilot, lambda: screen.report is not None and screen.report.scenario.seen is not None)
        assert kept.runs()[-1].asked["request"]["case"]["batch"] == 16


async def test_a_measurement_that_fails_is_told_in_the_app(here: Machine, tmp_path: Path) -> None:
    script = (here.bin / "python3").read_text().splitlines()
    script[-1] = "read line; echo 'RuntimeError: broken' >&2; exit 1"
    (here.bin / "python3").write_text("\n".join(script) + "\n")
    async with diagnoser(tmp_path / "app") as (app, pilot):
        await until(pilot, lambda: "could not be measured" in " ".join(frame(app).split()))
        assert "alt+k" in frame(app) and app.seen is None


# --- whose step it was -----------------------------------------------------------------------------------------------


def measured_for(**told: object) -> probed.Seen:
    """A run for a scenario, as the app and the command make it."""
    from engine import catalog
    from tutor.probing import running

    events = [json.loads(line) for line in RECORD.read_text().splitlines()]
    events = [{**event, "origin": "case"} if event["event"] == "plan" else event for event in events]
    load = running.workload(scenario.build(told), catalog.gpu("H200 SXM 141GB"))
    return probed.Seen(judged(gathered(events), None, load))


ASKED = {"model": "llama-3.1-8b", "prompt": 2000, "output": 256, "concurrency": 16}


@pytest.mark.parametrize(
    ("change", "own"),
    [({}, True), ({"gpu": "H200 SXM 141GB"}, True), ({"concurrency": 64}, False), ({"model": "qwen2.5-7b"}, False),
     ({"weights": "fp8"}, False), ({"prompt": 4000}, False)],
)  # fmt: skip
def test_a_form_that_was_filled_in_further_is_another_workload(change: dict[str, object], own: bool) -> None:
    assert probed.about(scenario.build({**ASKED, **change}), measured_for(**ASKED)).own is own


def test_the_probes_own_stack_is_no_step_of_the_readers() -> None:
    events = [json.loads(line) for line in RECORD.read_text().splitlines()]
    assert not probed.about(scenario.build({}), probed.Seen(judged(gathered(events)))).own
    assert not probed.about(scenario.build(ASKED), probed.Seen(judged(gathered(events)))).own


async def test_stopped_while_it_still_looks_it_does_not_start(
    here: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, answer, look = threading.Event(), threading.Event(), probed.look

    def slow(*args: Any) -> probed.Chance:
        asked.set()
        answer.wait(20)
        return look(*args)

    monkeypatch.setattr(probed, "look", slow)
    async with diagnoser(tmp_path / "app") as (app, pilot):
        await until(pilot, asked.is_set)
        screen = app.screen
        assert isinstance(screen, DiagnoseScreen)
        await pilot.press("alt+k")  # the probe's own screen takes over
        await until(pilot, lambda: isinstance(app.screen, ProbeScreen))
        answer.set()
        await settle(pilot)
        assert not screen.measuring and screen._stage is None
        assert kept.runs() == ()
