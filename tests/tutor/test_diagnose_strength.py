"""The diagnoser's panels under odd input: lines that are texts, signs that terminals obey, values that cannot be."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot
from textual.strip import Strip
from textual.widgets import Input

from engine.artefacts.evidence import Artefact, Evidence
from engine.artefacts.model import Observations
from engine.artefacts.vocabulary import TERMS
from engine.diagnosis.written import NOT_READ, NotRead
from tests.tutor.frames import SIZES, flat, frame, paste, settle
from tests.tutor.test_diagnose_evidence import answered, diagnoser, given, known, on, state
from tutor.app import TutorApp
from tutor.diagnoser import bounds, correcting, discreet, doors, dropped, evidence, form, keeping, understood
from tutor.diagnoser.form import FormState
from tutor.diagnoser.speech import Speech
from tutor.screens.diagnose_add import AddPanel, PathLine
from tutor.screens.diagnose_evidence import UnderstoodPanel
from tutor.screens.diagnose_files import FilesPage

LANGS = ("en", "hi-Latn")
NO_FILE = ("there is no such file", "file nahi")
CONFIG = json.dumps(
    {
        "architectures": ["LlamaForCausalLM"], "model_type": "llama", "num_hidden_layers": 6, "hidden_size": 512,
        "num_attention_heads": 8, "num_key_value_heads": 2, "intermediate_size": 1024, "vocab_size": 1000,
        "rope_scaling": {"factor": 8.0, "high_freq_factor": 4.0, "low_freq_factor": 1.0, "rope_type": "llama3"},
    }
)  # fmt: skip
COMMAND = "vllm serve acme/small-7b --max-model-len 4096 --gpu-memory-utilization 0.85"
OOM = (
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 24.00 MiB. GPU 0 has a total capacity of 23.60 GiB "
    "of which 14.00 MiB is free."
)
LINES = {"config": CONFIG, "command": COMMAND, "torch-oom": OOM}
HOSTILE = "[/]\x1b]0;pwned\x07\x9b2J\u202eL4\r\n\x00"
LOADED = "INFO 03-02 09:14:20 [gpu_model_runner.py:1595] Model loading took {size} GiB and 9.75 seconds\n"


async def opened(pilot: Pilot[None]) -> AddPanel:
    await pilot.press("alt+o")
    await settle(pilot)
    panel = pilot.app.screen
    assert isinstance(panel, AddPanel)
    return panel


# --- a line is a text too --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", LINES)
@pytest.mark.parametrize("then", [(), ("tab",)])
async def test_a_line_that_is_pasted_is_read(tmp_path: Path, kind: str, then: tuple[str, ...]) -> None:
    async with diagnoser(tmp_path) as (app, pilot):
        await opened(pilot)
        await pilot.press(*then)
        await given(pilot, LINES[kind])
        assert on(app, UnderstoodPanel) and kind in known(app).artefacts[0].found.kinds


@pytest.mark.parametrize("kind", LINES)
async def test_a_line_that_stands_in_the_line_for_a_path_is_read_with_enter(tmp_path: Path, kind: str) -> None:
    async with diagnoser(tmp_path) as (app, pilot):
        panel = await opened(pilot)
        panel.query_one(PathLine).value = LINES[kind]
        await pilot.press("enter")
        await answered(pilot)
        assert on(app, UnderstoodPanel) and kind in known(app).artefacts[0].found.kinds


async def test_a_line_over_the_list_of_what_was_understood_is_read(tmp_path: Path) -> None:
    async with diagnoser(tmp_path) as (app, pilot):
        await opened(pilot)
        await given(pilot, OOM)
        app.screen.post_message(events.Paste(COMMAND))
        await answered(pilot)
        assert len(known(app).artefacts) == 2 and "command" in known(app).artefacts[1].found.kinds


@pytest.mark.parametrize("lang", LANGS)
async def test_a_path_of_nothing_is_one_sentence(tmp_path: Path, lang: str) -> None:
    async with diagnoser(tmp_path, lang) as (app, pilot):
        for typed in ("no/such.log", "no such.log", "/no/such/file.log", "~nobody-here/x", "a\x00b"):
            panel = await opened(pilot)
            assert not any(sentence in flat(app).replace("▌ ", "") for sentence in NO_FILE), "nothing is said yet"
            panel.query_one(PathLine).value = typed
            await pilot.press("enter")
            await answered(pilot)
            await settle(pilot)
            assert on(app, AddPanel) and state(app).evidence is None
            assert NO_FILE[LANGS.index(lang)] in flat(app).replace("▌ ", ""), typed
            app.clear_notifications()
            await pilot.press("escape")
            await settle(pilot)


@pytest.mark.parametrize("text", ["x" * 5000, "x/" * 2500, "é" * 200, "{" + '"a' * 300 + "}"])
async def test_no_line_vanishes_and_none_ends_the_app(tmp_path: Path, text: str) -> None:
    async with diagnoser(tmp_path) as (app, pilot):
        await opened(pilot)
        await given(pilot, text)
        await pilot.press("enter")
        await answered(pilot)
        assert app.is_running and (state(app).evidence is not None or "cannot be read" in flat(app))


async def test_a_config_on_one_line_is_read_wherever_it_is_pasted(tmp_path: Path) -> None:
    async with diagnoser(tmp_path) as (app, pilot):
        await given(pilot, CONFIG)
        assert on(app, UnderstoodPanel) and known(app).artefacts[0].found.one("n_layers") == 6
        assert not state(app).values


async def test_what_is_pasted_of_a_path_stays_in_the_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "server.log").write_text(LOADED.format(size="13.25"))
    monkeypatch.chdir(tmp_path)
    async with diagnoser(tmp_path) as (app, pilot):
        panel = await opened(pilot)
        await given(pilot, "server")
        assert on(app, AddPanel) and panel.query_one(PathLine).value == "server"
        await pilot.press("enter")
        await answered(pilot)
        assert known(app).artefacts[0].name == "server.log"


@pytest.mark.skipif(os.name != "posix" or os.getuid() == 0, reason="root may look into every folder")
async def test_a_closed_folder_is_one_sentence(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir()
    closed.chmod(0)
    try:
        assert not dropped.is_file(closed / "x") and not dropped.is_model(closed)
    finally:
        closed.chmod(0o700)


def test_a_name_that_no_file_can_have_is_none() -> None:
    for text in ("/" + "x" * 5000, "/a\x00b", "\ud800"):
        assert not dropped.is_file(Path(text)) and not dropped.is_folder(Path(text))
    assert dropped.may_be_path("logs/server.log") and dropped.may_be_path("/var/log/my server.log")
    assert not any(dropped.may_be_path(text) for text in (*LINES.values(), "/usr/bin/python3 -m x.y --model z"))


# --- what terminals obey ---------------------------------------------------------------------------------------------


def painted(app: TutorApp) -> str:
    return "".join(strip.text for strip in app.screen._compositor.render_strips())


def obeyed(text: str) -> list[str]:
    return [char for char in text if ord(char) < 32 or 0x7F <= ord(char) < 0xA0 or char == "\u202e"]


async def test_a_scenario_brings_no_sign_that_is_obeyed(tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    file.write_text(f"model = {json.dumps(HOSTILE)}\ngpu = {json.dumps(HOSTILE)}\n[flags]\n{json.dumps(HOSTILE)} = 1\n")
    async with diagnoser(tmp_path) as (app, pilot):
        await opened(pilot)
        await given(pilot, str(file))
        assert "pwned" in state(app).values["gpu"]
        assert all(text.isprintable() for text in state(app).values.values())
        assert not obeyed(painted(app)) and "pwned" in painted(app)


def test_a_form_that_was_kept_brings_none(tmp_path: Path) -> None:
    file = tmp_path / "form.json"
    file.write_text(json.dumps({"values": {"gpu": HOSTILE}, "rest": {}}))
    assert keeping.recalled(file).values == {"gpu": form.line(HOSTILE)}
    assert form.line(HOSTILE).isprintable() and form.line("a\tb\r\nc") == "a b c" and form.line("H100 ×2") == "H100 ×2"


@pytest.mark.skipif(os.name != "posix", reason="a file's name may hold anything there")
async def test_a_files_name_is_not_obeyed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "a\x1b]0;pwned\x07.log").write_text(LOADED.format(size="13.25"))
    monkeypatch.chdir(folder)
    async with diagnoser(tmp_path) as (app, pilot):
        await opened(pilot)
        await given(pilot, "a")
        assert "pwned" in painted(app) and not obeyed(painted(app))
        await pilot.press("enter")
        await answered(pilot)
        assert on(app, UnderstoodPanel) and "pwned" in painted(app) and not obeyed(painted(app))


async def test_the_last_line_of_defence_takes_no_column(tmp_path: Path) -> None:
    async with diagnoser(tmp_path) as (app, _):
        from rich.segment import Segment
        from textual.color import Color

        strip = Strip([Segment("ab\x1b[2Jc"), Segment("é\x85")])
        for one in app.get_line_filters()[-1:]:
            made = strip.apply_filter(one, Color(0, 0, 0))
            assert made.text == "ab[2Jcé" and made.cell_length == strip.cell_length


# --- corrections -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("weights_memory", "1e400", "too-large"), ("weights_memory", "-5", "negative"), ("weights_memory", "0", "zero"),
        ("weights_memory", "9" * 40, "too-large"), ("weights_memory", "1e-400", "too-small"),
        ("kv_cache_usage", "150%", "over-one"), ("kv_cache_usage", "-5", "negative"),
        ("kv_cache_usage", "150", "over-one"),
        ("running_requests", "-1", "negative"), ("running_requests", "1e8", "too-large"), ("ttft", "0", "zero"),
        ("n_layers", "3.5", "not-whole"), ("max_model_len", "0", "zero"), ("request_rate", "-3", "negative"),
        ("gpu_temperature", "9000", "too-large"), ("some_flag", "1e20", "too-large"),
    ],
)  # fmt: skip
def test_a_value_that_cannot_be_is_refused(name: str, text: str, reason: str) -> None:
    with pytest.raises(NotRead) as refused:
        correcting.read(name, text, 3.0)
    assert refused.value.reason == reason
    for lang in LANGS:
        assert text[:20] in understood.refused(reason, text, lang)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("kv_cache_usage", "95", 0.95), ("kv_cache_usage", "0.95", 0.95), ("kv_cache_usage", "95 %", 0.95),
        ("kv_cache_usage", "0", 0), ("kv_cache_memory", "-14.9", -14.9), ("n_gpu_layers", "-1", -1),
        ("parameters", "8e9", 8 * 10**9), ("graph_memory", "0", 0), ("request_rate", "inf", "inf"),
    ],
)  # fmt: skip
def test_one_that_can_be_is_taken(name: str, text: str, value: object) -> None:
    assert correcting.read(name, text, 3.0) == value


@pytest.mark.parametrize("name", [name for name, term in TERMS.items() if term.unit])
def test_whatever_is_accepted_can_be_judged(name: str) -> None:
    """The most and the least that a correction takes give an answer, or a sentence, and no mistake of ours."""
    read = Observations()
    read.put(name, 1.0)
    read.put("weights_memory", 13.25)
    given = Evidence((Artefact("a.log", read),))
    tried = ["0", "1", "-1", *(f"{sign}1e{power}" for sign in ("", "-") for power in (-9, -3, 3, 6, 7, 9, 12, 14, 15))]
    for text in tried:
        try:
            value = correcting.read(name, text, 1.0)
        except NotRead as refused:
            assert refused.reason in (*NOT_READ, "zero", "negative", "over-one", "too-small", "too-large")
            continue
        outcome = doors.diagnose(1, {"model": "llama-3.1-8b", "gpu": "L4"}, None, given.correcting(name, value))
        assert outcome.problem is None or outcome.problem.reason != doors.BROKEN, (name, text, outcome.problem)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("size", SIZES)
async def test_a_refused_correction_is_said_under_its_line(tmp_path: Path, lang: str, size: tuple[int, int]) -> None:
    async with diagnoser(tmp_path, lang, size) as (app, pilot):
        await given(pilot, LOADED.format(size="13.25") * 2)
        panel = app.screen
        assert isinstance(panel, UnderstoodPanel)
        await pilot.press("enter")
        app.screen.query_one(Input).value = "-5"
        await pilot.press("enter")
        await answered(pilot)
        assert panel.correcting and not known(app).corrected
        assert ("below zero" if lang == "en" else "zero se kam") in flat(app)


async def test_a_paste_too_long_for_a_value_is_one_sentence(tmp_path: Path) -> None:
    async with diagnoser(tmp_path) as (app, pilot):
        await given(pilot, LOADED.format(size="13.25") * 2)
        await pilot.press("enter")
        await paste(pilot, "9" * 5000)
        await settle(pilot)
        assert "5000 characters" in flat(app)


def test_a_value_that_no_server_has_is_marked() -> None:
    for name, odd, fine in (("weights_memory", -14.9, 14.9), ("gpu_power", 10**7, 300), ("ttft", -3.0, 0.0)):
        for value in (odd, fine):
            read = Observations()
            read.put(name, value)
            made = understood.lines(Evidence((Artefact("a.log", read),)), Speech("en", False, None))
            notes = [note for row in made.rows.values() if row.name == name for note in row.notes]
            assert any("No server" in note for note in notes) == (value == odd), (name, value)


def test_bounds_know_counters_and_qualifiers() -> None:
    assert bounds.impossible("ttft.count", 0) == "" and bounds.impossible("ttft.p99", 0) == "zero"
    assert bounds.impossible("prompt_tokens_total", 10**12) == "" and bounds.impossible("input_len", 10**12)
    assert bounds.impossible("weights_memory", float("nan")) == "too-large"


# --- a sign of reading -----------------------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("size", SIZES)
async def test_the_panel_says_that_it_reads_and_escape_stops_it(
    tmp_path: Path, lang: str, size: tuple[int, int]
) -> None:
    pipe = tmp_path / "live.log"
    os.mkfifo(pipe)
    async with diagnoser(tmp_path, lang, size) as (app, pilot):
        panel = await opened(pilot)
        panel.query_one(PathLine).value = str(pipe)
        await pilot.press("enter")
        await pilot.pause(0.3)
        said = "Reading live.log" if lang == "en" else "live.log padh raha hai"
        assert app.screen is panel and said in flat(app)
        await pilot.press("escape")
        await settle(pilot)
        assert app.screen is panel and said not in flat(app)
        await pilot.press("escape")
        await settle(pilot)
        assert app.screen is not panel and said not in flat(app)


@pytest.mark.parametrize("lang", LANGS)
async def test_a_long_paste_is_said_before_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lang: str
) -> None:
    monkeypatch.setattr(FilesPage, "_read_text", lambda *_: None)
    async with diagnoser(tmp_path, lang, SIZES[1]) as (app, pilot):
        app.screen.post_message(events.Paste(LOADED.format(size="13.25") * 20_000))
        await settle(pilot)
        assert ("0 of 2 MB" if lang == "en" else "2 mein se 0 MB") in flat(app)


async def test_a_scenario_that_was_opened_is_said_and_shown(tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    file.write_text('model = "llama-3.1-8b"\ngpu = "L4"\n')
    async with diagnoser(tmp_path) as (app, pilot):
        panel = await opened(pilot)
        panel.query_one(PathLine).value = str(file)
        await pilot.press("enter")
        await answered(pilot)
        await settle(pilot)
        assert app.screen is not panel and "s.toml is in the form now" in flat(app) and "alt+u" in flat(app)
        assert state(app).values["gpu"] == "L4"


async def test_a_mistake_of_ours_ends_the_reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise OverflowError("too much")

    monkeypatch.setattr(evidence, "opened", fails)
    file = tmp_path / "a.log"
    file.write_text("x\n")
    async with diagnoser(tmp_path) as (app, pilot):
        panel = await opened(pilot)
        await given(pilot, str(file))
        assert app.screen is panel and not panel.below.reading and "(OverflowError, " in flat(app)
        assert "too much" not in flat(app), "what a mistake says may hold what was typed"


def test_a_file_without_a_size_ends_where_nothing_more_comes(tmp_path: Path) -> None:
    empty = tmp_path / "empty.log"
    empty.write_text("")
    read = evidence.opened(empty)
    assert isinstance(read, Artefact) and read.found.lines == 0
    made = Path("/proc/self/status")
    if made.is_file():
        read = evidence.opened(made)
        assert isinstance(read, Artefact) and read.found.lines > 5


# --- what is kept ----------------------------------------------------------------------------------------------------


@pytest.mark.skipif(os.name != "posix", reason="modes of files")
def test_the_form_is_kept_for_its_reader_alone_and_without_secrets(tmp_path: Path) -> None:
    file = tmp_path / "form.json"
    file.write_text("{}")
    file.chmod(0o644)
    (tmp_path / "form.json.new").write_text("left")
    flags = "--api-key plain-secret --max-num-seqs 64 --hf-token='two words' HF_TOKEN=third"
    rest: dict[str, object] = {
        "flags": {"api-key": "fourth", "enforce_eager": True},
        "command": "vllm serve m --api-key fifth --tp 2",
    }
    keeping.remember(file, FormState({"flags": flags, "symptoms": "sk-abcdefgh12345678 is slow"}, rest))
    told = file.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert not [word for word in ("plain-secret", "two words", "third", "fourth", "fifth", "sk-abc") if word in told]
    again = keeping.recalled(file)
    assert again.values["flags"] == "--max-num-seqs 64" and again.values["symptoms"] == " is slow"
    assert again.rest == {"flags": {"enforce_eager": True}, "command": "vllm serve m --tp 2"}


def test_a_line_without_secrets_stays_as_it_was() -> None:
    for text in ("--max-num-seqs  64 --x='a b'", 'slow "since yesterday', "--max-num-batched-tokens 8192", ""):
        assert discreet.text(text) == text


@pytest.mark.parametrize("small", [(20, 5), (39, 24), (80, 11)])
async def test_a_log_that_is_pasted_into_a_tiny_window_waits(tmp_path: Path, small: tuple[int, int]) -> None:
    async with diagnoser(tmp_path) as (app, pilot):
        await pilot.resize_terminal(*small)
        await settle(pilot)
        app.post_message(events.Paste(LOADED.format(size="13.25") * 3))
        await answered(pilot)
        assert state(app).evidence is None
        await pilot.resize_terminal(100, 30)
        await settle(pilot)
        await answered(pilot)
        assert on(app, UnderstoodPanel) and known(app).artefacts[0].found.one("model_loading_memory") == 13.25
        assert frame(app)
