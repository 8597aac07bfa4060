"""`llm-tutor probe` from outside: what is printed where, the exit status, and what is kept. Never a traceback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from content.lang import LANGS
from tests.tutor import inside
from tests.tutor.command import Ran
from tutor import cli
from tutor.commands import completion

ROOT = Path(__file__).parents[2]
RECORD = ROOT / "tests" / "engine" / "data" / "probe" / "fake-card.jsonl"
STUB = """
import json, os, sys, time
program, record, pause, cut, *rest = sys.argv[1:]
asked = json.loads(sys.stdin.readline())
lines = open(record).read().splitlines()
cut = int(cut) or len(lines)
for line in lines[:cut]:
    print(line, flush=True)
    if json.loads(line)["event"] == "stage":
        time.sleep(float(pause))
        while os.path.exists(record + ".hold"):
            time.sleep(0.01)
if cut < len(lines):
    {end}
"""
H200 = "0, GPU-1a2b, NVIDIA H200, 143771, 143100, 0, 580.65.06, Disabled"


class Probe:
    """A machine that is made up: a Python with torch that replays a record, and a driver."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bin = folder / "bin"
        self.bin.mkdir()
        self.env = {name: value for name, value in os.environ.items() if name not in _HIDDEN} | {
            "LLM_TUTOR_HOME": str(folder / "home"), "LLM_TUTOR_LANG": "en", "PATH": f"{self.bin}:/usr/bin:/bin",
            "PYTHONPATH": str(ROOT),
        }  # fmt: skip

    def python(
        self, record: Path = RECORD, pause: float = 0.0, cut: int = 0, end: str = "time.sleep(600)",
        torch: str = "2.9.0+cu130",
    ) -> Path:  # fmt: skip
        """A Python that says it has torch and replays a record, as far as line ``cut``, and then does as told."""
        stub = self.folder / "stub.py"
        stub.write_text(STUB.replace("{end}", end))
        answer = f'{{"version": [3, 12, 3], "prefix": "/fake", "torch": "{torch}"}}'
        return self._script(
            "torch-python",
            f"if [ \"$1\" = -c ]; then echo '{answer}'; exit; fi\n"
            f'exec {sys.executable} {stub} "$1" {record} {pause} {cut}',
        )

    def driver(self, apps: str = "", gpu: str = H200) -> None:
        self._script(
            "nvidia-smi",
            f"case $1 in --query-gpu*) echo '{gpu}';; --query-compute-apps*) echo '{apps}';; *) exit 1;; esac",
        )

    def _script(self, name: str, body: str) -> Path:
        file = self.bin / name
        file.write_text(f"#!/bin/sh\n{body}\n")
        file.chmod(0o755)
        return file

    def start(self, *argv: str, **options: Any) -> subprocess.Popen[str]:
        """The command as a process of its own."""
        command = [sys.executable, "-m", "tutor", "probe", *argv]
        return subprocess.Popen(
            command, cwd=self.folder, env=self.env, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, **options,
        )  # fmt: skip

    def __call__(self, *argv: str) -> Ran:
        done = inside.run(("probe", *argv), self.env, folder=self.folder)
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())

    def measured(self, *argv: str, **python: Any) -> Ran:
        ran = self("--python", str(self.python(**python)), *argv)
        assert "Traceback" not in ran.err
        assert ran.out, ran.err
        return ran


_HIDDEN = ("VIRTUAL_ENV", "CONDA_PREFIX", "CUDA_VISIBLE_DEVICES", "LLM_TUTOR_LANG", "COLUMNS")


@pytest.fixture
def probe(tmp_path: Path) -> Probe:
    return Probe(tmp_path)


# --- a run -----------------------------------------------------------------------------------------------------------


def test_a_run_tells_its_stages_and_then_the_report(probe: Probe) -> None:
    ran = probe.measured("--plain")
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    stages = [line for line in lines if "/" in line.split(" ")[0] and line[0].isdigit()]
    assert stages[0].endswith("looking at the device")
    assert len(stages) == 10
    assert lines.index(stages[-1]) < lines.index("Measured speeds")
    assert "torch 2.9.0+cu130" in ran.out
    assert "Memory-bound, confidence" in ran.out
    assert "How it was predicted" in ran.out
    assert "\x1b" not in ran.out and "\r" not in ran.out


def test_a_run_in_hinglish(probe: Probe) -> None:
    ran = probe.measured("--lang", "hi-Latn")
    assert ran.status == 0
    assert "Is device ki asli speed" in ran.out
    assert "device dekh rahe hain" in ran.out


def test_json_is_one_document_with_both_languages(probe: Probe) -> None:
    ran = probe.measured(
        "--json", "--model", "llama-3.1-8b", "--concurrency", "16", "--prompt", "2k", "--output", "256"
    )
    assert (ran.status, ran.err) == (0, "")
    made = json.loads(ran.out)
    assert made["text"].keys() == set(LANGS)
    assert made["python"]["torch"] == "2.9.0+cu130"
    assert made["demonstration"] is False
    assert made["ceilings"]["bandwidth"]["share"] > 0.5
    asked = made["asked"]["request"]
    assert (asked["shape"]["d_model"], asked["layers"], asked["case"]["batch"], asked["case"]["prompt"]) == (
        4096, 32, 16, 2000,
    )  # fmt: skip
    assert 2000 <= asked["case"]["context"] <= 2256
    assert made["case"]["model"] is not None


def test_an_architecture_that_the_program_does_not_run_is_told(probe: Probe) -> None:
    ran = probe.measured("--model", "mixtral-8x7b", "--concurrency", "4")
    assert ran.status == 0
    assert "The model has experts, which the probe does not run" in " ".join(ran.out.split())


def test_the_request_goes_to_the_program(probe: Probe) -> None:
    echo = "print(json.dumps({'event': 'note', 'id': 'other', 'asked': asked}), flush=True)"
    ran = probe.measured("--json", "--device", "CPU", "--seconds", "7s", cut=3, end=echo)
    noted = [one for one in json.loads(ran.out)["notes"] if one["id"] == "other"]
    assert noted[0]["params"]["asked"] == {
        "protocol": 1, "device": "cpu", "seconds": 7.0, "shape": None,
        "case": {"batch": 8, "context": 4096, "prompt": 512}, "layers": None, "zeros": False,
    }  # fmt: skip


# --- what is kept ----------------------------------------------------------------------------------------------------


def test_the_last_run_is_shown_again_and_the_next_stands_beside_it(probe: Probe, tmp_path: Path) -> None:
    empty = probe("--last")
    assert (empty.status, empty.err) == (1, "")
    assert "No run is kept yet" in empty.out
    first = probe.measured("--plain")
    again = probe("--last")
    assert again.status == 0
    report = first.out[first.out.index("\n\n") :].strip()
    assert report in again.out
    slower = tmp_path / "slower.jsonl"
    slower.write_text("".join(slow(line) for line in RECORD.read_text().splitlines()))
    second = probe.measured("--plain", record=slower)
    assert "Beside the run of 2" in second.out
    assert "-20.0 %" in second.out
    made = json.loads(probe("--last", "--json").out)
    assert {one["name"] for one in made["changes"]} >= {"bandwidth"}
    assert made["at"] >= made["before"]


def slow(line: str) -> str:
    event = json.loads(line)
    if event["event"] == "reading" and event["what"] in ("copy", "read"):
        event |= {"seconds": event["seconds"] * 1.25, "median": event["median"] * 1.25}
    return json.dumps(event) + "\n"


def test_a_last_run_keeps_its_workload(probe: Probe) -> None:
    first = probe.measured("--json", "--model", "llama-3.1-8b", "--concurrency", "16")
    again = probe("--last", "--json")
    assert json.loads(again.out)["case"] == json.loads(first.out)["case"]


def test_a_disk_that_keeps_nothing_is_one_sentence_beside_the_report(probe: Probe, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "probes.jsonl").mkdir()
    ran = probe.measured("--plain")
    assert ran.status == 0
    assert "Memory-bound" in ran.out
    place = tmp_path / "home" / "probes.jsonl"
    assert ran.err == f"llm-tutor: This run could not be kept for later in {place}: it is a folder; a file is needed.\n"
    last = probe("--last")
    assert last.status == 1 and str(place) in last.out and "folder" in last.out


def test_runs_that_are_damaged_are_not_said_to_be_none(probe: Probe, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "probes.jsonl").write_text("half a l")
    ran = probe("--last", "--json")
    assert ran.status == 1 and json.loads(ran.out)["reason"] == "damaged"


# --- when something is wrong -----------------------------------------------------------------------------------------


def test_a_crash_shows_what_was_measured(probe: Probe) -> None:
    ran = probe.measured("--plain", cut=25, end="import os; os.abort()")
    assert ran.status == 0
    assert "The measuring process crashed (SIGABRT)" in " ".join(ran.out.split())
    assert "matmul BF16" in ran.out


def test_a_crash_before_anything_was_measured_is_the_honest_negative(probe: Probe) -> None:
    ran = probe.measured("--plain", cut=1, end="import os; os.abort()")
    assert ran.status == 1
    assert "crashed (SIGABRT)" in ran.out
    assert probe("--last").status == 1, "nothing is kept of it"


def test_garbage_is_no_probe(probe: Probe) -> None:
    ran = probe.measured("--plain", record=Path("/etc/hosts"))
    assert ran.status == 1
    assert "Traceback" not in ran.out + ran.err


def test_no_torch_says_what_to_do_and_what_was_tried(probe: Probe) -> None:
    for name in ("python3", "python"):
        probe._script(name, 'echo \'{"version": [3, 12, 3], "prefix": "/none"}\'')
    probe.env["PATH"] = str(probe.bin)
    ran = probe("--plain")
    if ran.status == 0:
        pytest.skip("the Python of these tests has torch itself")
    assert (ran.status, ran.err) == (1, "")
    assert "llm-tutor probe --python PATH" in ran.out
    assert f"{probe.bin / 'python3'}:ithasnotorch" in "".join(ran.out.split())
    made = json.loads(probe("--json").out)
    assert made["reason"] == "no-torch"
    assert {one["why"] for one in made["tried"]} == {"no-torch"}


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("--python", "/no/such/python"), "there is no such file, folder or command"),
        (("--python", "/etc/hosts"), "cannot run the probe"),
        (("--python", ""), "there is no such file"),
        (("--device", "tpu"), "--device cannot be tpu"),
        (("--seconds", "soon"), "--seconds is a number from 3 to 300"),
        (("--seconds", "-4"), "--seconds is a number from 3 to 300"),
        (("--seconds", "nan"), "--seconds is a number from 3 to 300"),
        (("--model", "no-such-model-at-all"), "no-such-model-at-all"),
        (("--concurrency", "several"), "several"),
        (("--model", "llama"), "Llama-3.1-8B"),
        (("--gpu", "zz9"), "zz9"),
        (("--last", "--seconds", "4"), "--last shows a run that was"),
        (("--nothing",), "There is no option --nothing"),
        (("word",), "one word too many"),
    ],
)
def test_what_cannot_be_used_is_one_line(probe: Probe, argv: Sequence[str], said: str) -> None:
    ran = probe(*argv)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err
    assert ran.err.count("\n") == 1
    refused = probe(*argv, "--json")
    assert refused.status == 2
    assert json.loads(refused.out)["error"].keys() == set(LANGS)


# --- the card --------------------------------------------------------------------------------------------------------


def test_a_busy_card_is_left_alone_unless_asked_twice(probe: Probe) -> None:
    probe.driver(apps="GPU-1a2b, 4711, 120000, vllm")
    said = "NVIDIA H200 is at work (process 4711)."
    left = probe.measured("--plain")
    assert left.status == 1 and "Measuring NVIDIA H200" not in left.out and "--busy" in left.out
    assert said in left.out
    refused = json.loads(probe.measured("--json").out)
    assert refused["reason"] == "busy" and set(refused["text"]) == set(LANGS)
    ran = probe.measured("--plain", "--busy")
    assert ran.status == 0
    assert said in " ".join(ran.out.split())
    assert ran.out.index("4711") < ran.out.index("Measuring NVIDIA H200")
    assert "the real rates are at least this" in " ".join(ran.out.split()), "the driver's word is not forgotten"


def test_another_card_than_the_servers_is_told(probe: Probe) -> None:
    probe.driver()
    ran = probe.measured("--json", "--model", "llama-3.1-8b", "--gpu", "L4")
    (one,) = json.loads(ran.out)["conditions"]
    assert (one["id"], one["params"]["named"], one["params"]["here"]) == ("other-gpu", "L4", "NVIDIA H200")
    for named in ("H200 SXM", "H200"):  # a short name of several cards means the one that is here
        assert json.loads(probe.measured("--json", "--gpu", named).out)["conditions"] == []


def test_a_torch_that_cannot_see_the_card_is_told(probe: Probe) -> None:
    probe.driver()
    ran = probe.measured("--plain", torch="2.9.0+cpu")
    text = " ".join(ran.out.split())
    assert "Here is NVIDIA H200, but the torch found (2.9.0+cpu) is the processor build." in text
    assert "Measuring what is here" in text


# --- stopping --------------------------------------------------------------------------------------------------------


def read_until(stream: Any, what: str) -> str:
    found = ""
    for line in stream:
        found += line
        if what in line:
            return found
    raise AssertionError(found)


def children_of(pid: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = stat.read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if int(parent) == pid and state != "Z":
            found.append(int(stat.parent.name))
    return found


def gone(pids: Sequence[int], seconds: float = 15) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until and any(alive(pid) for pid in pids):
        time.sleep(0.02)
    return not any(alive(pid) for pid in pids)


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc")


@needs_proc
def test_ctrl_c_stops_and_shows_what_was_measured(probe: Probe) -> None:
    started = probe.start("--plain", "--python", str(probe.python(cut=25)))
    assert started.stdout is not None
    read_until(started.stdout, "decode steps")
    pids = children_of(started.pid)
    assert pids
    started.send_signal(signal.SIGINT)
    out, err = started.communicate(timeout=60)
    assert (started.returncode, err) == (0, "")
    assert out.startswith("Stopping")
    assert "matmul BF16" in out
    assert "Stopped after" in out
    assert gone(pids)


@needs_proc
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_however_the_command_ends_its_child_ends(probe: Probe, number: signal.Signals) -> None:
    watching = "import os; sys.stdin.read(); os._exit(0)"  # as the program does
    started = probe.start("--plain", "--python", str(probe.python(cut=25, end=watching)))
    assert started.stdout is not None
    read_until(started.stdout, "decode steps")
    pids = children_of(started.pid)
    assert pids
    started.send_signal(number)
    started.communicate(timeout=60)
    assert gone(pids)


@needs_proc
def test_a_reader_that_has_seen_enough_ends_the_run(probe: Probe) -> None:
    started = probe.start("--plain", "--python", str(probe.python(pause=0.2)))
    assert started.stdout is not None
    started.stdout.readline()
    pids = children_of(started.pid)
    started.stdout.close()
    assert started.wait(60) == 0
    assert started.stderr is not None
    assert started.stderr.read() == ""
    started.stderr.close()
    assert gone(pids)


def test_on_a_terminal_stages_tell_the_seconds_and_nothing_moves(probe: Probe) -> None:
    """On one that does not even tell its size."""
    pty = pytest.importorskip("pty")
    above, below = pty.openpty()
    command = [sys.executable, "-m", "tutor", "probe", "--plain", "--python", str(probe.python())]
    started = subprocess.Popen(command, cwd=probe.folder, env=probe.env, stdin=below, stdout=below, stderr=below)
    os.close(below)
    timer = threading.Timer(60, started.kill)
    timer.start()
    said = b""
    try:
        while piece := os.read(above, 65536):
            said += piece
    except OSError:
        pass  # Linux says so where the other end is closed
    os.close(above)
    assert started.wait(60) == 0, said
    timer.cancel()
    text = said.decode().replace("\r\n", "\n")
    assert "\x1b" not in text and "\r" not in text
    assert text.count(" of 25 s)") == 10


# --- around it -------------------------------------------------------------------------------------------------------


def test_the_command_is_known_to_help_and_completion(capsys: pytest.CaptureFixture[str]) -> None:
    assert "probe" in cli.COMMANDS
    assert cli.run(["probe", "--help"]) == 0
    assert "--device auto|cuda|cpu|mps" in capsys.readouterr().out
    said = {declared.option for declared in cli.parser("probe").declared}
    assert {"--python", "--seconds", "--last", "--plain", "--model", "--max-model-len"} <= said
    assert "--device" in completion._whole().format_help() or cli.run(["completion", "bash"]) == 0
    assert "--max-model-len" in capsys.readouterr().out


def test_short_commands_do_not_import_the_probe() -> None:
    code = (
        "import sys; from tutor import cli; cli.run(['--help']); cli.run(['check', 'core/L2.1/kv', '1.07 GB']);"
        "print([name for name in sys.modules if name.startswith(('tutor.probing', 'engine.probe', 'torch'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_measurement_does_not_import_torch_or_a_screen(probe: Probe) -> None:
    code = (
        "import sys; from tutor import cli; cli.run(sys.argv[1:]);"
        "print([name for name in sys.modules if name.partition('.')[0] in ('torch', 'textual', 'sympy')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "probe", "--plain", "--python", str(probe.python())],
        cwd=ROOT, env=probe.env, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.splitlines()[-1] == "[]"
