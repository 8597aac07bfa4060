"""The watch on the screen: at every size and in both languages; paused, failing, idle; what moves and what does not."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot

from content.lang import LANGS
from engine.artefacts.evidence import Artefact
from engine.artefacts.model import Observations
from engine.diagnosis.model import Scenario
from tests.tutor import stub_server as stub
from tests.tutor.frames import SIZES, flat, frame, make_app, paste, settle
from tests.tutor.stub_server import FIRST, SECOND, Load, metrics, serving
from tutor import keys
from tutor.app import TutorApp
from tutor.diagnoser import reading
from tutor.diagnoser.form import FormState
from tutor.dialogs.watch import WatchPanel
from tutor.live import address
from tutor.live.fetch import Fetcher, Trouble
from tutor.live.page import Page
from tutor.live.watching import Seen, Watcher
from tutor.screens.home import HomeScreen
from tutor.screens.watch import WatchScreen
from tutor.screens.watch_report import WatchReport
from tutor.travel import WATCH
from tutor.widgets.lines import Lines

PLACE = address.read("gpu-1:8000")
OPTIONS = {"model": "llama-3.1-8b", "gpu": "H100 SXM 80GB"}


def fed(found: Observations) -> Scenario:
    return reading.together((), OPTIONS, (Artefact(PLACE.name, found),)).scenario


class Scripted(Fetcher):
    """Pages of a script, the last of them for ever; each fetch moves the clock on by five seconds. The next sample is
    never due by itself, but where a test says so."""

    def __init__(self, script: Sequence[Load | str]) -> None:
        self.now, self.asked = 100.0, 0
        super().__init__(PLACE, clock=lambda: self.now)
        self.script = script
        self.gate: threading.Event | None = None

    def __call__(self) -> Page:
        if self.gate is not None:
            self.gate.wait(10)
        what = self.script[min(self.asked, len(self.script) - 1)]
        self.asked, self.now = self.asked + 1, self.now + 5.0
        if isinstance(what, str):
            raise Trouble(what, PLACE, seconds="5")
        return Page(metrics(what).encode(), self.now, "text/plain")


RISING = [FIRST._replace(usage=0.5 + n / 10, running=10 + n, made=90_000 + 5_000 * n) for n in range(5)]


@asynccontextmanager
async def watching(
    tmp_path: Path, *script: Load | str, lang: str = "en", size: tuple[int, int] = (80, 24), quick: bool = False,
    gate: threading.Event | None = None, **chosen: object,
) -> AsyncIterator[tuple[TutorApp, Pilot[None], Scripted]]:  # fmt: skip
    app = make_app(tmp_path, lang, **chosen)
    fetcher = Scripted(script)
    fetcher.gate = gate
    app.watching = Watcher(fetcher, fed, 5.0 if quick else 600.0, clock=lambda: fetcher.now)
    app._start = WATCH
    async with app.run_test(size=size, notifications=True) as pilot:
        await pilot.pause(0.05)
        if gate is None and not quick:
            await settle(pilot)
        assert isinstance(app.screen, WatchScreen)
        yield app, pilot, fetcher


async def sampled(app: TutorApp, pilot: Pilot[None], times: int = 1) -> None:
    """So many further samples, now."""
    for _ in range(times):
        screen_of(app)._ask()
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()
    await settle(pilot)


async def until(pilot: Pilot[None], done: Callable[[], bool]) -> None:
    for _ in range(500):
        if done():
            await pilot.pause()
            await pilot.pause()
            return
        await pilot.pause(0.01)
    raise AssertionError(frame(pilot.app))  # type: ignore[arg-type]


async def paused(app: TutorApp, pilot: Pilot[None]) -> None:
    """Stop time, so that a frame can be looked at."""
    if not screen_of(app).watched.paused:
        await pilot.press("space")
    await settle(pilot)


def screen_of(app: TutorApp) -> WatchScreen:
    assert isinstance(app.screen, WatchScreen)
    return app.screen


def moving(app: TutorApp) -> int:
    """Timers of the screen that go on or wait; Textual's own repaint timer waits until there is something to paint."""
    return sum(
        timer._task is not None and not timer._task.done() and timer._active.is_set() for timer in app.screen._timers
    )


def fits(app: TutorApp, size: tuple[int, int]) -> str:
    text = frame(app)
    assert len(text.splitlines()) <= size[1]
    assert all(cell_len(line) <= size[0] for line in text.splitlines())
    assert "{" not in text and "…" not in text and "live." not in text and "None" not in text
    return text


async def everywhere(app: TutorApp, pilot: Pilot[None]) -> None:
    for size in SIZES:
        await pilot.resize_terminal(*size)
        await settle(pilot)
        for _ in LANGS:
            fits(app, size)
            await pilot.press("f2")
            await settle(pilot)


# --- what it shows ---------------------------------------------------------------------------------------------------


async def test_gauges_courses_and_the_verdict_at_every_size(tmp_path: Path) -> None:
    async with watching(tmp_path, FIRST, SECOND) as (app, pilot, _):
        await sampled(app, pilot, 3)
        await paused(app, pilot)
        said = flat(app)
        assert "KV in use 94.0 %" in said and "running 30" in said and "waiting 6" in said
        assert "preempted 3 since the watch began" in said
        assert "acme/small-7b vllm" in said and "paused" in said and "gpu-1:8000" in said
        assert "Wall" in said and "First lever" in said
        await everywhere(app, pilot)


@pytest.mark.parametrize("lang", LANGS)
async def test_rates_and_latencies_of_the_interval(tmp_path: Path, lang: str) -> None:
    async with watching(tmp_path, FIRST, SECOND, lang=lang) as (app, pilot, _):
        await sampled(app, pilot)
        said = " ".join(word for word in flat(app).split() if not set(word) <= set("▁▂▃▄▅▆▇━─"))
        assert "output 900 tok/s" in said and "prompts 800 tok/s" in said
        assert "TPOT p50 31.7 ms p99 50 ms" in said and "cache hits 30.0 %" in said


async def test_the_first_sample_says_what_it_lacks(tmp_path: Path) -> None:
    async with watching(tmp_path, FIRST) as (app, _pilot, _):
        said = flat(app)
        assert "rates need a second one" in said and "since the server started" in said and "mean 18 ms" in said
        assert "tok/s" not in said.split("First lever")[0]
        assert "every 10 min" in said


async def test_a_pool_that_fills_says_when_it_is_full(tmp_path: Path) -> None:
    async with watching(tmp_path, *RISING, RISING[-1]._replace(usage=1.0)) as (app, pilot, _):
        await sampled(app, pilot)
        assert "full in" not in flat(app)
        await sampled(app, pilot, 3)
        assert screen_of(app).watched.to_full == pytest.approx((1 - 0.9) / (0.1 / 5))
        assert "full in about 5 s" in flat(app)
        await everywhere(app, pilot)
        await sampled(app, pilot)
        assert "full" in flat(app) and "full in" not in flat(app)


async def test_an_idle_server_is_told_and_has_no_wall(tmp_path: Path) -> None:
    async with watching(tmp_path, FIRST._replace(running=0, usage=0.0)) as (app, pilot, _):
        await paused(app, pilot)
        assert "an idle server has no wall" in flat(app) and "Wall" not in flat(app)
        await everywhere(app, pilot)


async def test_connecting_is_said_while_nothing_is_there(tmp_path: Path) -> None:
    gate = threading.Event()
    async with watching(tmp_path, FIRST, gate=gate) as (app, pilot, _):
        assert "Asking gpu-1:8000 ..." in flat(app)
        await pilot.press("f2")
        await pilot.pause(0.05)
        assert "gpu-1:8000 se poochh rahe hain" in flat(app)
        gate.set()
        await until(pilot, lambda: screen_of(app).watched.last is not None)


# --- what goes wrong -------------------------------------------------------------------------------------------------


async def test_a_trouble_keeps_the_last_figures_with_their_age(tmp_path: Path) -> None:
    async with watching(tmp_path, FIRST, SECOND, "refused") as (app, pilot, fetcher):
        await sampled(app, pilot, 2)
        said = flat(app)
        assert "Nobody listens at gpu-1:8000." in said and "no answer" in said
        assert "The figures are from" in said and "KV in use 94.0 %" in said and "Trying again" in said
        await paused(app, pilot)
        assert moving(app) == 0 and "nothing is asked" in flat(app)
        await everywhere(app, pilot)
        fetcher.script = [SECOND]
        await pilot.press("space")
        await until(pilot, lambda: screen_of(app).watched.trouble is None)
        assert "Nobody listens" not in flat(app)


async def test_the_age_of_the_figures_grows_while_nobody_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tutor.screens import watch

    monkeypatch.setattr(watch, "BEAT", 0.02)
    async with watching(tmp_path, FIRST, "silent") as (app, pilot, fetcher):
        await sampled(app, pilot)
        before = screen_of(app).watched.age
        fetcher.now += 30.0
        await until(pilot, lambda: screen_of(app).watched.age >= before + 29)


async def test_a_server_that_was_never_there(tmp_path: Path) -> None:
    async with watching(tmp_path, "status_404") as (app, pilot, _):
        await paused(app, pilot)
        assert "llama.cpp with --metrics" in flat(app) and "figures" not in flat(app)
        await everywhere(app, pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, WatchScreen)


# --- what moves ------------------------------------------------------------------------------------------------------


async def test_nothing_is_asked_and_no_timer_runs_while_paused(tmp_path: Path) -> None:
    async with watching(tmp_path, FIRST, quick=True) as (app, pilot, fetcher):
        await until(pilot, lambda: fetcher.asked >= 3)
        await paused(app, pilot)
        asked = fetcher.asked
        assert moving(app) == 0
        await pilot.pause(0.2)
        assert fetcher.asked == asked
        await pilot.press("p")
        await until(pilot, lambda: fetcher.asked > asked)


async def test_nothing_is_drawn_where_nothing_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with watching(tmp_path, FIRST, size=(60, 20)) as (app, pilot, _):
        await sampled(app, pilot, 40)  # the courses are as long as they get
        drawn = 0
        show = Lines.show

        def counted(self: Lines, *args: object) -> None:
            nonlocal drawn
            drawn += 1
            show(self, *args)  # type: ignore[arg-type]

        monkeypatch.setattr(Lines, "show", counted)
        await sampled(app, pilot, 3)
        assert drawn == 0
        screen_of(app).watcher.heard(Seen(None, None, Trouble("refused", PLACE)))
        screen_of(app).retell_body()
        assert drawn == 1


async def test_faster_and_slower_are_said_and_can_be_remapped(tmp_path: Path) -> None:
    async with watching(tmp_path, FIRST, quick=True, keys={"faster": "z"}) as (app, pilot, _):
        await paused(app, pilot)
        await pilot.press("z")
        assert screen_of(app).watched.interval == 2.0
        await pilot.press("plus")
        assert screen_of(app).watched.interval == 2.0
        await pilot.press("minus", "minus", "d")
        assert screen_of(app).watched.interval == 20.0
        await pilot.press("space")
        await until(pilot, lambda: "every 20 s" in flat(app))


# --- ways ------------------------------------------------------------------------------------------------------------


async def test_the_whole_report_lies_over_the_watch(tmp_path: Path) -> None:
    async with watching(tmp_path, FIRST, SECOND) as (app, pilot, _):
        await sampled(app, pilot)
        for size in SIZES:
            await pilot.resize_terminal(*size)
            await pilot.press("enter")
            await settle(pilot)
            assert isinstance(app.screen, WatchReport)
            assert "Verdict" in fits(app, size)
            await pilot.press("f2")
            await settle(pilot)
            assert "Deewar" in fits(app, size)
            await pilot.press("f2", "escape")
            await settle(pilot)
            assert isinstance(app.screen, WatchScreen)


async def test_escape_leads_home_and_ends_the_request(tmp_path: Path) -> None:
    async with watching(tmp_path, FIRST, quick=True) as (app, pilot, fetcher):
        await pilot.press("escape")
        await settle(pilot)
        assert isinstance(app.screen, HomeScreen)
        asked = fetcher.asked
        await pilot.pause(0.2)
        assert fetcher.asked == asked


async def test_help_has_the_keys_of_the_watch(tmp_path: Path) -> None:
    async with watching(tmp_path, FIRST, size=(120, 40)) as (app, pilot, _):
        await paused(app, pilot)
        await pilot.press("f1")
        await settle(pilot)
        said = flat(app)
        assert "While a server is watched" in said
        assert all(f"{keys.shown(command.keys[0])}, " in said for command in keys.of("watch"))


async def test_the_real_thing_over_a_socket(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    with serving(stub.page(metrics(FIRST)), stub.page(metrics(SECOND))) as server:
        where = address.read(server.place)
        app.watching = Watcher(Fetcher(where), fed, 0.5)
        app._start = WATCH
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: "94.0 %" in flat(app))
            assert server.place in flat(app)
            await pilot.press("q")
    assert app.return_code == 0


async def test_ascii_has_signs_of_its_own(tmp_path: Path) -> None:
    async with watching(tmp_path, FIRST, SECOND, ascii=True) as (app, pilot, _):
        await sampled(app, pilot)
        assert frame(app).isascii()


# --- which server ----------------------------------------------------------------------------------------------------


async def test_an_address_is_typed_and_watched_and_then_another(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    with serving(stub.page(metrics(FIRST))) as one, serving(stub.page(metrics(SECOND))) as other:
        async with app.run_test(size=(80, 24)) as pilot:
            await settle(pilot)
            await pilot.press("alt+z")
            await settle(pilot)
            assert isinstance(app.screen, WatchPanel) and "vLLM 127.0.0.1:8000" in flat(app)
            for size in SIZES:
                await pilot.resize_terminal(*size)
                await settle(pilot)
                fits(app, size)
            await paste(pilot, "ftp://x")
            await settle(pilot)
            assert "only http and https" in flat(app)
            for server, share in ((one, "50.0 %"), (other, "94.0 %")):
                if not isinstance(app.screen, WatchPanel):
                    await pilot.press("alt+z")
                    await settle(pilot)
                await paste(pilot, server.place)
                await pilot.press("enter")
                await until(pilot, lambda share=share: isinstance(app.screen, WatchScreen) and share in flat(app))  # type: ignore[misc]
                assert server.place in flat(app)
            await pilot.press("escape")
            await settle(pilot)
            assert isinstance(app.screen, HomeScreen)


async def test_the_form_of_the_diagnoser_counts_beside_the_server(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    app.diagnosing = FormState({"model": "llama-3.1-8b", "gpu": "H100 SXM 80GB"})
    with serving(stub.page(metrics(FIRST))) as server:
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("alt+z")
            await settle(pilot)
            await paste(pilot, server.place)
            await pilot.press("enter")
            await until(pilot, lambda: isinstance(app.screen, WatchScreen) and "Wall" in flat(app))
            verdict = screen_of(app).watched.verdict
            assert verdict is not None and verdict.report is not None
            assert verdict.report.scenario.gpu is not None and verdict.report.ledger is not None
