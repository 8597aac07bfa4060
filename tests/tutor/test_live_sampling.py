"""Two samples of a running server on the command line, and the watch without a screen: schedule, memory, lines."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from content.lang import LANGS, Lang
from engine.artefacts import registry
from engine.diagnosis.model import Scenario
from tests.tutor import stub_server as stub
from tests.tutor.command import ROOT, Tutor
from tests.tutor.stub_server import FIRST, SECOND, Load, metrics, serving
from tutor.commands import living
from tutor.commands.context import Refusal
from tutor.live import address, saying
from tutor.live.fetch import Fetcher, Trouble
from tutor.live.page import Page
from tutor.live.sampling import FIGURES, NoMetrics, Sampling
from tutor.live.watching import PACES, Watcher, time_to_full
from tutor.plain import watch
from tutor.widgets.spark import BLOCKS, PLAIN, spark

PLACE = address.read("gpu-1:8000")


class Replayed(Fetcher):
    """Pages one after the other, each at its second; a trouble in the place of a page is raised."""

    def __init__(self, *pages: tuple[float, Load | str]) -> None:
        self.now = 0.0
        super().__init__(PLACE, clock=lambda: self.now)
        self._pages = iter(pages)

    def __call__(self) -> Page:
        self.now, what = next(self._pages)
        if isinstance(what, Load):
            return Page(metrics(what).encode(), self.now, "text/plain")
        if what.startswith("!"):
            raise Trouble(what[1:], PLACE, seconds="5")
        return Page(what.encode(), self.now, "text/plain")


def bare(found: object) -> Scenario:
    return Scenario()


def watcher(*pages: tuple[float, Load | str], interval: float = 5.0) -> Watcher:
    fetcher = Replayed(*pages)
    return Watcher(fetcher, bare, interval, clock=lambda: fetcher.now)


# --- samples ---------------------------------------------------------------------------------------------------------


def test_two_samples_are_rates_of_the_time_between_them() -> None:
    sampling = Sampling(Replayed((10.0, FIRST), (14.0, SECOND)))
    first = sampling.take()
    assert not first.rated and first.seconds == 0 and first.preempted == 0
    assert "generation_throughput" not in first.figures and first.figures["running_requests"] == 12
    second = sampling.take()
    assert second.rated and second.seconds == 4.0
    assert second.figures["generation_throughput"] == pytest.approx((94_500 - 90_000) / 4)
    assert second.figures["prompt_throughput"] == pytest.approx((44_000 - 40_000) / 4)
    assert second.figures["request_throughput"] == pytest.approx(12 / 4)
    assert second.figures["prefix_cache_hit_rate"] == pytest.approx(900 / 3_000)
    assert second.usage == 0.94 and second.in_flight == 36 and second.preempted == 3
    # of 1,200 gaps between the samples 40 took up to 10 ms and 400 up to 25: the 600th lies in the third bucket
    assert second.figures["tpot.p50"] == pytest.approx(25 + 25 * (600 - 400) / 750)
    assert set(second.figures) <= set(FIGURES)


def test_a_restart_between_two_samples_has_no_rates() -> None:
    sampling = Sampling(Replayed((0.0, SECOND), (5.0, FIRST), (10.0, SECOND)))
    sampling.take()
    second, third = sampling.take(), sampling.take()
    assert not second.rated and "generation_throughput" not in second.figures and second.preempted == 0
    assert third.rated and third.preempted == 3


def test_what_is_kept_is_bounded() -> None:
    sampling = Sampling(Replayed(*((float(n), FIRST) for n in range(50))), keep=7)
    for _ in range(50):
        sampling.take()
    assert [one.at for one in sampling.readings] == [43.0, 44.0, 45.0, 46.0, 47.0, 48.0, 49.0]


def test_a_page_without_anything_known() -> None:
    with pytest.raises(NoMetrics):
        Sampling(Replayed((0.0, "# TYPE python_gc counter\npython_gc 3\n"))).take()


def test_several_engines_add_up_and_the_fullest_pool_binds() -> None:
    page = "".join(
        f'vllm:num_requests_running{{engine="{n}"}} {4 + n}\nvllm:kv_cache_usage_perc{{engine="{n}"}} {0.2 + n / 2}\n'
        for n in range(2)
    )
    reading = Sampling(Replayed((0.0, page))).take()
    assert reading.figures["running_requests"] == 9 and reading.usage == 0.7


def test_a_server_between_two_requests_is_not_idle() -> None:
    still = FIRST._replace(running=0)
    sampling = Sampling(Replayed((0.0, still), (5.0, still), (10.0, still._replace(made=90_400))))
    assert sampling.take().idle and sampling.take().idle and not sampling.take().idle


# --- the watch -------------------------------------------------------------------------------------------------------


def test_the_next_sample_is_due_an_interval_after_the_last_one_began() -> None:
    seen = watcher((3.0, FIRST), (6.0, SECOND))
    seen.heard(seen.step())
    assert seen.due() == pytest.approx(2.0)  # begun at 0, three seconds were spent on it
    seen.heard(seen.step())
    assert seen.due() == pytest.approx(2.0)


def test_a_server_that_is_gone_is_asked_ever_more_rarely_and_what_was_seen_stays() -> None:
    troubles = [(10.0 + n, "!refused") for n in range(8)]
    seen = watcher((1.0, FIRST), *troubles, (30.0, SECOND))
    assert seen.watched.phase == "connecting"
    assert seen.heard(seen.step()).phase == "live"
    waits = []
    for _ in range(8):
        watched = seen.heard(seen.step())
        assert watched.phase == "trouble" and watched.last is not None and watched.verdict is not None
        waits.append(watched.retry)
    assert waits == [5.0, 10.0, 20.0, 40.0, 60.0, 60.0, 60.0, 60.0]
    assert watched.age == pytest.approx(17.0 - 1.0)
    again = seen.heard(seen.step())
    assert again.phase == "live" and again.failures == 0 and len(again.readings) == 2 and seen.due() < 5.1


def test_a_long_interval_is_not_shortened_by_a_trouble() -> None:
    seen = watcher((0.0, "!silent"), interval=300.0)
    assert seen.heard(seen.step()).retry == 300.0


def test_faster_and_slower_go_through_the_intervals_and_stop_at_their_ends() -> None:
    seen = watcher(interval=7.0)
    assert seen.paced(1).interval == 10.0 and seen.paced(-1).interval == 5.0
    for _ in range(20):
        seen.paced(-1)
    assert seen.watched.interval == PACES[0]
    for _ in range(20):
        seen.paced(1)
    assert seen.watched.interval == PACES[-1]


def test_time_to_full_needs_a_rise() -> None:
    def course(*shares: float) -> float | None:
        pages = [(2.0 * n, FIRST._replace(usage=share)) for n, share in enumerate(shares)]
        sampling = Sampling(Replayed(*pages))
        for _ in pages:
            sampling.take()
        return time_to_full(sampling.readings)

    assert course(0.5, 0.6, 0.7, 0.8) == pytest.approx(4.0)
    assert course(0.5, 0.6) is None and course(0.5, 0.5, 0.5) is None and course(0.9, 0.7, 0.5) is None
    assert course(0.8, 0.9, 1.0) is None


def test_a_mistake_of_ours_does_not_end_the_watch(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path))
    seen = watcher((0.0, FIRST), (5.0, SECOND))

    def broken(*_: Any) -> Any:
        raise RuntimeError("odd")

    with monkeypatch.context() as patch:
        patch.setattr(registry, "read", broken)
        watched = seen.heard(seen.step())
    assert watched.trouble is not None and "(RuntimeError, " in watched.trouble.text("en")
    assert seen.heard(seen.step()).phase == "live"


# --- lines -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
def test_plain_lines_say_the_verdict_only_when_it_changes(monkeypatch: pytest.MonkeyPatch, lang: Lang) -> None:
    monkeypatch.setattr(watch.time, "sleep", lambda _: None)
    idle = FIRST._replace(running=0)
    seen = watcher((0.0, FIRST), (5.0, SECOND), (10.0, SECOND), (15.0, "!refused"), (20.0, idle))
    lines: list[str] = []
    warned: list[str] = []
    assert watch.run(seen, lang, lines.append, warned.append, 5)
    samples = [line for line in lines if line[2:3] == ":"]
    assert len(samples) == 4 and len(warned) == 1
    assert "94.0 %" in samples[1] and "30" in samples[1] and "1125" not in samples[0]
    assert "p50 31.7 ms / p99 50 ms" in samples[1] and "900 tok/s" in samples[1]
    verdicts = [line for line in lines if line.startswith(" ")]
    assert 1 <= len(verdicts) <= 3  # once: the scenario is always the same bare one
    assert PLACE.place in warned[0] and saying.span(5.0, lang) in warned[0]
    assert not any("{" in line for line in (*lines, *warned))


def test_plain_lines_of_a_server_that_never_answers() -> None:
    lines: list[str] = []
    assert not watch.run(watcher((0.0, "!refused")), "en", lambda _: None, lines.append, 1)
    assert len(lines) == 1 and "Trying again" not in lines[0]


@given(st.lists(st.none() | st.floats(0, 1e9), max_size=40), st.integers(0, 30), st.none() | st.floats(0, 1e6))
def test_a_course_is_as_long_as_its_figures_and_never_more(
    values: list[float | None], width: int, top: float | None
) -> None:
    drawn = spark(values, width, top)
    assert len(drawn) == min(width, len(values)) and set(drawn) <= {*BLOCKS, " "}
    plain = spark(values, width, top, ascii_only=True)
    assert set(plain) <= {*PLAIN, " "} and [BLOCKS.find(one) for one in drawn] == [PLAIN.find(one) for one in plain]


# --- the command -----------------------------------------------------------------------------------------------------


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """Waits take no time; how long they would have been."""
    waited: list[float] = []

    def wait(whole: float, tell: Callable[[int], None]) -> None:
        waited.append(whole)

    monkeypatch.setattr(living, "_wait", wait)
    yield waited


SERVER = ("--model", "llama-3.1-8b", "--gpu", "H100 SXM 80GB", "--no-probe")


def test_json_has_what_both_samples_say_under_observed(tutor: Tutor, impatient: list[float]) -> None:
    with serving(stub.page(metrics(FIRST)), stub.page(metrics(SECOND))) as server:
        found = tutor.json("diagnose", "--url", server.place, *SERVER)
        assert len(server.asked) == 2
    assert impatient == [5.0]
    observed = found["observed"]
    assert observed["running_requests"]["value"] == 30 and observed["waiting_requests"]["value"] == 6
    assert observed["kv_cache_usage"]["value"] == 0.94 and observed["model"]["value"] == "acme/small-7b"
    assert observed["tpot.p50"]["unit"] == "ms" and observed["generation_throughput"]["value"] > 0
    assert found["wall"] != "none" and server.place in str(observed)


def test_options_win_over_the_server_and_files_stand_beside_it(
    tutor: Tutor, impatient: list[float], tmp_path: Path
) -> None:
    log = tmp_path / "serve.log"
    log.write_text("INFO 01-02 03:04:05 worker.py:9] model weights take 14.99GiB; x\n")
    with serving(stub.page(metrics(FIRST)), stub.page(metrics(SECOND))) as server:
        found = tutor.json("diagnose", str(log), "--url", server.place, "--running", "7", *SERVER)
    assert {"running_requests", "kv_cache_usage"} <= found["observed"].keys()
    assert found["text"]["en"] and "7" in str(found)


def test_a_second_sample_that_fails_is_told_and_the_first_one_used(tutor: Tutor, impatient: list[float]) -> None:
    with serving(stub.page(metrics(SECOND)), stub.failing("503 Service Unavailable")) as server:
        ran = tutor("diagnose", "--url", server.place, *SERVER)
    assert ran.status == 0 and "503" in ran.err and ran.err.count("\n") == 1
    assert "Wall" in ran.out


def test_a_restart_is_told(tutor: Tutor, impatient: list[float]) -> None:
    with serving(stub.page(metrics(SECOND)), stub.page(metrics(FIRST))) as server:
        ran = tutor("diagnose", "--url", server.place, *SERVER)
    assert "restarted" in ran.err and ran.status == 0


def test_metrics_under_another_type_are_read_and_that_is_told(tutor: Tutor, impatient: list[float]) -> None:
    with serving(stub.page(metrics(FIRST), "text/html"), stub.page(metrics(SECOND), "text/html")) as server:
        ran = tutor("diagnose", "--url", server.place, *SERVER, "--lang", "hi-Latn")
    assert ran.status == 0 and "text/html" in ran.err and "Deewar" in ran.out


OTHER = "# HELP go_gc_cycles x\n# TYPE go_gc_cycles counter\ngo_gc_cycles 12\n"


def test_a_page_of_something_else_is_refused_unless_there_is_more(tutor: Tutor, impatient: list[float]) -> None:
    with serving(stub.page(OTHER)) as server:
        assert "none of them is of an LLM server" in tutor.refused("diagnose", "--url", server.place)
        ran = tutor("diagnose", "--url", server.place, *SERVER, "--tpot", "22ms")
    assert ran.status == 0 and "none of them" in ran.err and "Wall" in ran.out


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("--url", "ftp://h"), "only http and https"),
        (("--url", "http://me:s3cret@h:1"), "Leave it out: h:1"),
        (("--url", "no way"), "no address of a server"),
        (("--url", ""), "no address of a server"),
        (("--interval", "2"), "--interval needs --url"),
        (("--watch",), "--watch needs --url"),
        (("--samples", "3"), "--samples needs --url"),
        (("--url", "h:1", "--samples", "3"), "--samples belongs to --watch"),
        (("--url", "h:1", "--watch", "--samples", "0"), "--samples is a whole number"),
        (("--url", "h:1", "--watch", "--samples", "x"), "--samples is a whole number"),
        (("--url", "h:1", "--watch", "--save", "x.json"), "--watch with --save makes no sense"),
        (("--url", "h:1", "--watch", "--what-if", "fp8"), "--watch with --what-if makes no sense"),
        (("--url", "h:1", "--interval", "0.4"), "--interval is a time"),
        (("--url", "h:1", "--interval", "11 min"), "--interval is a time"),
        (("--url", "h:1", "--interval", "soon"), "--interval is a time"),
        (("--url", "h:1", "--interval", "-5"), "--interval is a time"),
        (("--url", "h:1", "--gpus", "few"), "few is no number"),
    ],
)
def test_what_cannot_be_is_one_sentence_before_anything_is_asked(
    tutor: Tutor, argv: tuple[str, ...], said: str
) -> None:
    sentence = tutor.refused("diagnose", *argv)
    assert said in sentence.lower() or said in sentence
    assert "s3cret" not in sentence


def test_watch_and_json_do_not_go_together(tutor: Tutor) -> None:
    refused = tutor.json("diagnose", "--url", "h:1", "--watch", status=2)
    assert set(refused["error"]) == set(LANGS) and "--watch" in refused["error"]["en"]


@pytest.mark.parametrize(("written", "value"), [("2", 2.0), ("0.5 s", 0.5), ("500ms", 0.5), ("1 min", 60.0)])
def test_intervals_as_people_write_them(written: str, value: float) -> None:
    assert living.seconds(written) == value


@given(st.text(max_size=30))
def test_any_interval_is_a_time_or_refused(text: str) -> None:
    try:
        assert 0.5 <= living.seconds(text) <= 600
    except Refusal as refusal:
        assert refusal.key == "live.need.seconds"


def test_errors_are_one_sentence_in_both_languages(tutor: Tutor) -> None:
    with serving(stub.page("<!doctype html>")) as server:
        for lang in LANGS:
            assert "HTML" in tutor.refused("diagnose", "--url", server.place, "--lang", lang)
        refused = tutor.json("diagnose", "--url", server.place, status=2)
    assert server.place in refused["error"]["en"] and server.place in refused["error"]["hi-Latn"]


# --- a process -------------------------------------------------------------------------------------------------------


def start(home: Path, *argv: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "LLM_TUTOR_HOME": str(home), "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "tutor", "diagnose", *argv]
    return subprocess.Popen(
        command, cwd=ROOT, env=environment, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )  # fmt: skip


def test_ctrl_c_ends_the_lines_of_a_watch_as_done(tmp_path: Path) -> None:
    with serving(stub.page(metrics(FIRST)), stub.page(metrics(SECOND))) as server:
        running = start(tmp_path, "--url", server.place, "--watch", "--interval", "0.5")
        assert running.stdout is not None
        head = running.stdout.readline()
        assert server.place in head
        while "94.0 %" not in running.stdout.readline():
            assert running.poll() is None
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=30)
    assert (running.returncode, err) == (0, "")


def test_ctrl_c_between_two_samples_ends_at_once_without_a_traceback(tmp_path: Path) -> None:
    with serving(stub.page(metrics(FIRST))) as server:
        running = start(tmp_path, "--url", server.place, "--interval", "600")
        while not server.asked:
            assert running.poll() is None
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=30)
    assert running.returncode == 130 and out == "" and err.count("\n") <= 1 and "Traceback" not in err
