"""Logs and files in the app: read, shown line by line before the verdict, corrected, undone, refused in a sentence."""

from __future__ import annotations

import os
import shlex
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from content.diagnosing import layout
from engine.artefacts.evidence import Artefact, Evidence
from engine.diagnosis.model import Unread
from engine.diagnosis.written import NotRead
from tests.tutor.frames import SIZES, column, flat, frame, make_app, paste, settle
from tutor.app import TutorApp
from tutor.diagnoser import correcting, dropped, evidence, keeping
from tutor.diagnoser.form import FormState
from tutor.diagnoser.speech import Speech
from tutor.screens.diagnose import DiagnoseScreen
from tutor.screens.diagnose_add import AddPanel, completions
from tutor.screens.diagnose_evidence import UnderstoodPanel
from tutor.travel import DIAGNOSE
from tutor.widgets.lines import sentence

LANGS = ("en", "hi-Latn")
STATS = (
    "INFO 03-02 09:15:{at} [loggers.py:118] Engine 000: Avg prompt throughput: 96.0 tokens/s, "
    "Avg generation throughput: {speed} tokens/s, Running: {running} reqs, Waiting: {waiting} reqs, "
    "GPU KV cache usage: {usage}%, Prefix cache hit rate: 3.5%\n"
)
LOG = (
    "INFO 03-02 09:14:20 [gpu_model_runner.py:1595] Model loading took 13.2507 GiB and 9.75 seconds\n"
    "INFO 03-02 09:14:41 [gpu_worker.py:227] Available KV cache memory: 5.50 GiB\n"
    "INFO 03-02 09:14:41 [kv_cache_utils.py:864] GPU KV cache size: 45,056 tokens\n"
    "INFO 03-02 09:14:42 nothing that is known\n"
    + STATS.format(at="10", speed="301.5", running=12, waiting=5, usage="91.0")
    + STATS.format(at="20", speed="288.0", running=11, waiting=9, usage="97.5")
)
SCENARIO = 'model = "llama-3.1-8b"\ngpu = "L4"\nprompt = 900\n'


@pytest.fixture
def log(tmp_path: Path) -> Path:
    file = tmp_path / "server one.log"
    file.write_text(LOG)
    return file


@asynccontextmanager
async def diagnoser(
    tmp_path: Path, lang: str = "en", size: tuple[int, int] = (100, 30)
) -> AsyncIterator[tuple[TutorApp, Pilot[None]]]:
    app = make_app(tmp_path, lang, probe=False)
    app._start = DIAGNOSE
    async with app.run_test(size=size, notifications=True) as pilot:
        await answered(pilot)
        yield app, pilot


async def answered(pilot: Pilot[None]) -> None:
    """Wait for what is being read, then for the pause and the answer."""
    for _ in range(2):
        await pilot.pause(0.07)
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()


async def given(pilot: Pilot[None], text: str) -> None:
    await paste(pilot, text)
    await answered(pilot)


def on(app: TutorApp, kind: type[object]) -> bool:
    return isinstance(app.screen, kind)


def state(app: TutorApp) -> FormState:
    assert app.diagnosing is not None
    return app.diagnosing


def known(app: TutorApp) -> Evidence:
    held = state(app).evidence
    assert held is not None
    return held


# --- reading ---------------------------------------------------------------------------------------------------------


def test_a_file_is_read(log: Path) -> None:
    found = evidence.opened(log)
    assert isinstance(found, Artefact)
    assert found.name == "server one.log" and found.found.one("kv_cache_tokens") == 45056
    assert found.found.all("waiting_requests") == [5, 9]


def test_what_windows_wrote_is_read(tmp_path: Path) -> None:
    file = tmp_path / "w.log"
    file.write_bytes(LOG.replace("\n", "\r\n").encode("utf-16"))
    found = evidence.opened(file)
    assert isinstance(found, Artefact) and found.found.one("kv_cache_memory") == 5.5


def test_a_folder_of_a_model_is_a_model(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(
        '{"model_type": "llama", "num_hidden_layers": 6, "num_attention_heads": 8, "num_key_value_heads": 2,'
        ' "hidden_size": 512, "vocab_size": 1000, "intermediate_size": 1024}'
    )
    found = evidence.opened(tmp_path)
    assert isinstance(found, Artefact) and found.name == tmp_path.name
    assert found.found.one("n_layers") == 6


def test_a_scenario_file_belongs_into_the_form(tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    file.write_text(SCENARIO)
    found = evidence.opened(file)
    assert isinstance(found, evidence.Told) and found.known["gpu"] == "L4"


@pytest.mark.parametrize("lang", LANGS)
def test_what_cannot_be_read_is_one_sentence(tmp_path: Path, lang: str) -> None:
    empty = tmp_path / "folder"
    empty.mkdir()
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    broken = tmp_path / "s.toml"
    broken.write_text('model = "llama-3.1-8b\ngpu = "L4"\n')
    for path in (tmp_path / "none.log", empty, Path("/dev/null"), Path("a\0b"), tmp_path / ("n" * 300), broken):
        found = evidence.opened(path)
        assert isinstance(found, evidence.Problem), path
        told = found.text("hi-Latn" if lang == "hi-Latn" else "en")
        assert told.endswith((".", "?")) and "\n" not in told and "Error" not in told and "{" not in told


def test_a_pipe_that_nobody_writes_into_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "SILENCE", 0.1)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert isinstance(evidence.opened(pipe), evidence.Problem)
    held = os.open(pipe, os.O_RDWR)  # somebody has it open and is silent after a while
    os.write(held, LOG.encode())
    found = evidence.opened(pipe)
    os.close(held)
    assert isinstance(found, Artefact) and found.found.one("kv_cache_tokens") == 45056


def test_reading_can_be_left_between_two_pieces(tmp_path: Path) -> None:
    asked = iter((True, False))
    file = tmp_path / "long.log"
    file.write_text(LOG * 4000)
    with pytest.raises(evidence.Left):
        evidence.opened(file, lambda: next(asked))
    with pytest.raises(evidence.Left):
        evidence.pasted(LOG * 4000, 1, lambda: False)


def test_pasted_texts_are_told_apart() -> None:
    assert [evidence.pasted(LOG, n).name for n in (1, 2)] == ["pasted text", "pasted text 2"]
    assert evidence.pasted(LOG).found.one("kv_cache_usage") == 0.975


# --- dropped files ---------------------------------------------------------------------------------------------------


def test_terminals_write_a_dropped_path_in_their_own_ways(log: Path, tmp_path: Path) -> None:
    other = tmp_path / "b.log"
    other.write_text("x\n")
    ways = (
        str(log),
        f"'{log}'",
        f'"{log}"',
        str(log).replace(" ", "\\ "),
        f"{log}\n",
        log.as_uri(),
        shlex.quote(str(log)) + " ",
    )
    assert all(dropped.paths(way) == [log] for way in ways)
    assert dropped.paths(f"{shlex.quote(str(log))} {other}") == [log, other]
    for no in (
        "",
        "llama-3.1-8b",
        "meta-llama/Llama-3.1-8B",
        "/none/such",
        f"{other} and more",
        "'",
        "~nobody/x",
        "a\0b",
    ):
        assert dropped.paths(no) == [], no


def test_more_than_a_line_is_a_text() -> None:
    assert dropped.is_text("a\nb") and not dropped.is_text("a\n\n")
    assert dropped.is_command("vllm serve m \\\n  --max-num-seqs 8") and dropped.is_command("--a\n--b 3")
    assert not dropped.is_command(LOG)


def test_names_complete_a_path(tmp_path: Path) -> None:
    for name in ("one.log", "one.json", "two.log", ".hidden"):
        (tmp_path / name).write_text("")
    (tmp_path / "onefold").mkdir()
    assert [one.name for one in completions(f"{tmp_path}/one")] == ["one.json", "one.log", "onefold"]
    assert ".hidden" not in [one.name for one in completions(f"{tmp_path}/")]
    assert [one.name for one in completions(f"{tmp_path}/.h")] == [".hidden"]
    assert completions("/none/such/") == [] and completions("a\0") == []


# --- corrections -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "before", "value"),
    [
        ("kv_cache_memory", "6.5", 6.0, 6.5),
        ("kv_cache_memory", "6656 MiB", 6.0, 6.5),
        ("kv_cache_memory", "-0.25 GiB", 6.0, -0.25),
        ("kv_cache_usage", "90 %", 0.5, 0.9),
        ("tpot.p99", "0.022 s", 20.0, 22),
        ("kv_cache_tokens", "32k", 3, 32000),
        ("enforce_eager", "off", True, False),
        ("gpu_name", "NVIDIA L4", "x", "NVIDIA L4"),
        ("tensor_parallel_size", "4", 2, 4),
        ("request_rate", "inf", 2.0, "inf"),
        ("request_rate", "2.5 req/s", 2.0, 2.5),
    ],
)
def test_a_typed_value_is_in_the_names_own_unit(name: str, text: str, before: object, value: object) -> None:
    assert correcting.read(name, text, before) == value


@pytest.mark.parametrize(
    ("name", "text"),
    [("kv_cache_memory", "a lot"), ("ttft.mean", "3 GB"), ("kv_cache_tokens", "3-5"), ("kv_cache_memory", "5 furlongs"),
     ("kv_cache_memory", "9" * 500)],
)  # fmt: skip
def test_what_is_no_value_is_refused(name: str, text: str) -> None:
    with pytest.raises(NotRead):
        correcting.read(name, text, 3.0)


# --- the screens -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("size", SIZES)
async def test_the_panels_at_every_size(tmp_path: Path, log: Path, lang: str, size: tuple[int, int]) -> None:
    async with diagnoser(tmp_path, lang, size) as (app, pilot):
        await pilot.press("alt+o")
        await answered(pilot)
        assert on(app, AddPanel)
        check(app, size)
        await given(pilot, str(log))
        assert on(app, UnderstoodPanel)
        text = check(app, size)
        assert "13.25 GiB" in text and "5.5 GiB" in text
        await pilot.press("enter")
        await settle(pilot)
        check(app, size)
        await pilot.press("escape", "tab")
        await answered(pilot)
        assert on(app, DiagnoseScreen) and app.screen.in_answer
        assert "server one.log" in check(app, size)


def check(app: TutorApp, size: tuple[int, int]) -> str:
    text = frame(app)
    assert all(len(one) <= size[0] for one in text.splitlines()) and len(text.splitlines()) <= size[1]
    assert "…" not in text and "{" not in text and "diagnose." not in text
    return text


async def test_a_log_pasted_into_a_field_is_read_and_not_typed(tmp_path: Path) -> None:
    async with diagnoser(tmp_path) as (app, pilot):
        await given(pilot, LOG)
        assert on(app, UnderstoodPanel)
        assert state(app).values == {}
        assert "lines known" in flat(app) and "pasted text" in flat(app)
        await pilot.press("escape")
        await answered(pilot)
        assert "Files pasted text" in flat(app)
        assert "vllm pasted text" in flat(app), "what the log says stands in the form, with where it says so"


async def test_an_unknown_text_of_two_lines_stays_a_value(tmp_path: Path) -> None:
    async with diagnoser(tmp_path) as (app, pilot):
        screen = app.screen
        assert isinstance(screen, DiagnoseScreen)
        screen.to_field("symptoms")
        await settle(pilot)
        await given(pilot, "it is slow\nand the card is idle")
        assert on(app, DiagnoseScreen)
        assert state(app).values["symptoms"] == "it is slow and the card is idle" and state(app).evidence is None


async def test_flags_of_several_lines_stay_flags(tmp_path: Path) -> None:
    async with diagnoser(tmp_path) as (app, pilot):
        screen = app.screen
        assert isinstance(screen, DiagnoseScreen)
        screen.to_field("flags")
        await settle(pilot)
        await given(pilot, "--max-num-seqs 8\n--enforce-eager")
        assert state(app).values["flags"] == "--max-num-seqs 8 --enforce-eager" and state(app).evidence is None


async def test_a_value_is_corrected_left_out_and_restored(tmp_path: Path, log: Path) -> None:
    async with diagnoser(tmp_path) as (app, pilot):
        await given(pilot, str(log))
        panel = app.screen
        assert isinstance(panel, UnderstoodPanel)
        panel.values.go("value:0:kv_cache_tokens")
        await settle(pilot)
        assert "GPU KV cache size: 45,056 tokens" in flat(app), "the line it was read from"
        await pilot.press("enter")
        await given(pilot, "many")
        assert panel.correcting and "many" in flat(app)
        assert not known(app).corrected
        app.screen.query_one(Input).value = "60k"
        await pilot.press("enter")
        await answered(pilot)
        assert known(app).corrected == {"kv_cache_tokens": 60000}
        assert "60,000 tokens" in flat(app) and "It was read as 45,056 tokens." in flat(app)
        await pilot.press("enter", "ctrl+u", "enter")
        await answered(pilot)
        assert known(app).corrected == {"kv_cache_tokens": None} and "not used" in flat(app)
        await pilot.press("r")
        await answered(pilot)
        assert not known(app).corrected and "not used" not in flat(app)


async def test_the_form_wins_over_the_log_and_undo_brings_evidence_back(tmp_path: Path, log: Path) -> None:
    async with diagnoser(tmp_path) as (app, pilot):
        await given(pilot, str(log))
        await pilot.press("escape")
        await answered(pilot)
        screen = app.screen
        assert isinstance(screen, DiagnoseScreen) and screen.report is not None
        assert screen.report.scenario.kv_pool_tokens == 45056
        screen.state.set("kv_pool_tokens", "70000")
        screen.take()
        await answered(pilot)
        assert screen.report.scenario.kv_pool_tokens == 70000
        screen.action_undo()
        await answered(pilot)
        assert screen.state.evidence is None and "server one.log" not in flat(app)


async def test_what_a_note_says_stands_above_what_was_printed(tmp_path: Path) -> None:
    both = tmp_path / "both.txt"
    both.write_text("On one L40S, 12 requests at once.\nvllm serve Qwen/Qwen2.5-7B-Instruct --max-num-seqs 8\n")
    async with diagnoser(tmp_path) as (app, pilot):
        await given(pilot, str(both))
        told = flat(app)
        assert (
            told.index("Said in the note")
            < told.index("requests at once 12 line 1")
            < told.index("Qwen2.5-7B-Instruct line 2")
        )


async def test_files_are_added_and_removed(tmp_path: Path, log: Path) -> None:
    other = tmp_path / "two.log"
    other.write_text(LOG.replace("5.50", "4.25"))
    async with diagnoser(tmp_path) as (app, pilot):
        await given(pilot, str(log))
        await pilot.press("a")
        await answered(pilot)
        await given(pilot, str(other))
        assert flat(app).index("server one.log") < flat(app).index("two.log"), "the list has both"
        assert [one.name for one in known(app).artefacts] == ["server one.log", "two.log"]
        panel = app.screen
        assert isinstance(panel, UnderstoodPanel)
        panel.values.go("text:0")
        await pilot.press("x")
        await answered(pilot)
        assert [one.name for one in known(app).artefacts] == ["two.log"] and "4.25 GiB" in flat(app)
        await pilot.press("x")
        await answered(pilot)
        assert on(app, DiagnoseScreen) and state(app).evidence is None
        assert "two.log" not in flat(app)


async def test_the_same_file_again_takes_its_own_place(tmp_path: Path, log: Path) -> None:
    async with diagnoser(tmp_path) as (app, pilot):
        await given(pilot, str(log))
        log.write_text(LOG.replace("5.50", "4.25"))
        await given(pilot, str(log))
        assert len(known(app).artefacts) == 1 and "4.25 GiB" in flat(app)


async def test_a_scenario_that_is_dropped_fills_the_form(tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    file.write_text(SCENARIO)
    async with diagnoser(tmp_path) as (app, pilot):
        await given(pilot, str(file))
        assert on(app, DiagnoseScreen)
        assert state(app).values["prompt"] == "900" and state(app).evidence is None


async def test_a_missing_file_is_one_sentence(tmp_path: Path) -> None:
    async with diagnoser(tmp_path) as (app, pilot):
        await pilot.press("alt+o")
        await answered(pilot)
        await given(pilot, str(tmp_path / "none.log"))
        await pilot.press("enter")
        await answered(pilot)
        assert on(app, AddPanel)
        assert [note.message for note in app._notifications][-1].endswith("there is no such file; check the path.")


@pytest.mark.parametrize("lang", LANGS)
async def test_the_language_changes_in_place(tmp_path: Path, log: Path, lang: str) -> None:
    async with diagnoser(tmp_path, lang) as (app, pilot):
        await given(pilot, str(log))
        panel = app.screen
        assert isinstance(panel, UnderstoodPanel)
        panel.values.go("value:0:kv_cache_usage")
        before = frame(app)
        await pilot.press("f2")
        await settle(pilot)
        assert panel.values.current == "value:0:kv_cache_usage" and frame(app) != before


async def test_a_report_is_saved_without_paths_and_people(tmp_path: Path) -> None:
    told = tmp_path / "diagnosis.json"
    async with diagnoser(tmp_path) as (app, pilot):
        screen = app.screen
        assert isinstance(screen, DiagnoseScreen)
        screen.state.replace(
            {"model": "llama-3.1-8b", "gpu": "L4", "symptoms": "maya@gpu-7: slow, see /home/maya/x.log"}
        )
        screen.take()
        await answered(pilot)
        await pilot.press("f10")
        await settle(pilot)
        await pilot.press("down", "down", "alt+r")
        await settle(pilot)
        assert flat(app).count("redacted") >= 2
        app.screen.query_one(Input).value = str(told)
        await pilot.press("enter")
        await settle(pilot)
    written = told.read_text()
    assert "maya" not in written and "<path-1>" in written and "llama-3.1-8b" in written


# --- what a new user met ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["\r", "\r\n", "\r\r"])
def test_a_paste_with_the_line_ends_of_a_terminal_has_its_lines(end: str) -> None:
    whole, sent = evidence.pasted(LOG).found, evidence.pasted(LOG.replace("\n", end)).found
    assert (sent.lines, sent.known) == (whole.lines, whole.known) == (6, 5)
    for name, series in whole.series.items():
        assert sent.all(name) == whole.all(name) and list(sent.series[name].lines) == list(series.lines), name


def test_progress_bars_stay_on_their_line() -> None:
    text = "Loading: 0%\rLoading: 50%\rLoading: 100%\n" + LOG
    assert evidence.lined(text) == text


async def test_a_pasted_log_with_carriage_returns_is_known_line_by_line(tmp_path: Path) -> None:
    async with diagnoser(tmp_path) as (app, pilot):
        await given(pilot, LOG.replace("\n", "\r"))
        assert on(app, UnderstoodPanel) and "5 of 6 lines known" in flat(app)


SMI = "".join(
    f"|   {at}  NVIDIA A100-SXM4-80GB          On |   00000000:0{at}:00.0 Off |                    0 |\n"
    "| N/A   41C    P0              98W /  400W |    70112MiB /  81920MiB |     97%      Default |\n"
    for at in range(2)
)


@pytest.mark.parametrize("lang", LANGS)
async def test_a_card_of_the_last_run_gives_way_to_a_new_nvidia_smi(tmp_path: Path, lang: str) -> None:
    file = tmp_path / "form.json"
    keeping.remember(file, FormState({"gpu": "H100 SXM", "model": "llama-3.1-8b", "prompt": "700"}))
    async with diagnoser(tmp_path, lang) as (app, pilot):
        app.diagnosing = keeping.recalled(file)
        screen = app.screen
        assert isinstance(screen, DiagnoseScreen)
        screen.take()
        await answered(pilot)
        await given(pilot, SMI)
        await answered(pilot)
        assert "gpu" not in state(app).values and state(app).values["prompt"] == "700"
        assert screen.report is not None and screen.report.scenario.gpu is not None
        assert screen.report.scenario.gpu.name.startswith("A100")
        assert any("H100" in one.message for one in app._notifications)
        screen.action_undo()
        await answered(pilot)
        assert state(app).values["gpu"] == "H100 SXM", "undone it is somebody's wish, and holds"
        assert screen.report.scenario.gpu.name.startswith("H100")


async def test_a_card_that_is_typed_holds_and_the_log_is_told_beside_it(tmp_path: Path) -> None:
    async with diagnoser(tmp_path, size=(120, 40)) as (app, pilot):
        screen = app.screen
        assert isinstance(screen, DiagnoseScreen)
        await given(pilot, SMI)
        await pilot.press("escape")
        screen.to_field("gpu")
        await settle(pilot)
        await pilot.press(*"h100 sxm")
        await answered(pilot)
        assert screen.report is not None and screen.report.scenario.gpu is not None
        assert screen.report.scenario.gpu.name.startswith("H100")
        assert "pasted text, line 1 says NVIDIA A100-SXM4-80GB; what is typed here counts." in column(app, "#form")


async def test_the_field_in_hand_shows_what_a_log_says_of_it(tmp_path: Path) -> None:
    async with diagnoser(tmp_path, size=(120, 40)) as (app, pilot):
        screen = app.screen
        assert isinstance(screen, DiagnoseScreen)
        await given(pilot, SMI)
        await pilot.press("escape")
        screen.to_field("gpu")
        await settle(pilot)
        assert "A100" in screen.form.line.placeholder


async def test_typing_takes_the_place_of_an_old_value(tmp_path: Path, log: Path) -> None:
    async with diagnoser(tmp_path) as (app, pilot):
        screen = app.screen
        assert isinstance(screen, DiagnoseScreen)
        screen.state.replace({"max_model_len": "8192", "symptoms": "it is slow"})
        screen.take()
        screen.to_field("max_model_len")
        await settle(pilot)
        await pilot.press(*"4096")
        assert screen.form.line.value == "4096"
        screen.to_field("symptoms")
        await settle(pilot)
        await pilot.press(*" too")
        assert screen.form.line.value == "it is slow too", "a sentence goes on"
        await given(pilot, LOG)
        panel = app.screen
        assert isinstance(panel, UnderstoodPanel)
        panel.values.go("value:0:kv_cache_tokens")
        await settle(pilot)
        await pilot.press("enter", *"60000", "enter")
        await answered(pilot)
        assert known(app).corrected == {"kv_cache_tokens": 60000}


async def test_x_leaves_out_a_value_and_on_a_name_the_file(tmp_path: Path, log: Path) -> None:
    async with diagnoser(tmp_path) as (app, pilot):
        await given(pilot, str(log))
        panel = app.screen
        assert isinstance(panel, UnderstoodPanel)
        panel.values.go("value:0:kv_cache_memory")
        await settle(pilot)
        assert "leave out" in flat(app)
        await pilot.press("x")
        await answered(pilot)
        assert known(app).corrected == {"kv_cache_memory": None} and len(known(app).artefacts) == 1
        await pilot.press("r")
        await answered(pilot)
        assert not known(app).corrected
        panel.values.go("text:0")
        await settle(pilot)
        assert "remove file" in flat(app)
        await pilot.press("x")
        await answered(pilot)
        assert state(app).evidence is None and isinstance(app.screen, DiagnoseScreen)


def test_flags_that_are_put_aside_are_named_once_for_a_reason() -> None:
    one, two = Unread("flags.colour", "", "unknown-flag"), Unread("flags.shade", "", "unknown-flag")
    told = Speech("en").unread_in([one, two, Unread("flags.max_num_sqs", "max_num_seqs", "unknown-flag")])
    assert told == (
        "colour, shade: no flag of this name is known here; "
        "max_num_sqs: there is no flag of this name; perhaps max_num_seqs"
    )


@pytest.mark.parametrize(
    ("kind", "name", "wrong"),
    [
        ("scenario", "app-report.md", True), ("scenario", "server.json", False), ("scenario", "server", False),
        ("markdown", "report.json", True), ("markdown", "report.MD", False), ("markdown", "report.txt", False),
        ("json", "report.md", True), ("json", "a.b.json", False),
    ],
)  # fmt: skip
def test_a_name_that_belongs_to_another_kind_of_file(kind: str, name: str, wrong: bool) -> None:
    assert keeping.misnamed(kind, name) is wrong


async def test_a_scenario_is_not_written_into_a_report(tmp_path: Path) -> None:
    async with diagnoser(tmp_path) as (app, pilot):
        await given(pilot, LOG)
        await pilot.press("tab")
        await answered(pilot)
        await pilot.press("f10")
        await settle(pilot)
        file = tmp_path / "app-report.md"
        await paste(pilot, str(file))
        await pilot.press("enter")
        await settle(pilot)
        assert not file.exists() and "A name that ends in .md" in flat(app)


@pytest.mark.parametrize("width", range(12, 60))
def test_no_line_ends_between_a_number_and_its_unit(width: int) -> None:
    text = "The first token comes later, more than 10 % of headroom wastes the pool, measured 20.6 ms beside 7.25 GiB *"
    for found in ([one.plain for one in sentence(text)(width)], layout.wrapped(text, width, "", "")):
        assert " ".join(" ".join(found).split()) == text
        assert all(not line.startswith(("%", "ms", "GiB", "*")) for line in found)
