"""The command line as a process of its own: pipes, closed streams, full disks, bytes that are no text, signals."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tutor.command import ROOT, process


def test_a_reader_who_leaves_early_is_no_error(tmp_path: Path) -> None:
    command = ["bash", "-o", "pipefail", "-c", f"{sys.executable} -m tutor calc | head -1"]
    env = {**os.environ, "LLM_TUTOR_HOME": str(tmp_path)}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_under_the_output_is_told(tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = process(["--help"], tmp_path, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1


def test_an_ascii_terminal_gets_ascii(tmp_path: Path) -> None:
    env = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = process(["course", "show", "core/L2.1"], tmp_path, env=env)
    assert done.returncode == 0
    assert done.stdout.isascii() and b"10^9 bytes" in done.stdout
    done = process(["course", "show", "core/L2.1", "--json"], tmp_path, env=env)
    assert "10^9" in json.loads(done.stdout.decode("ascii"))["prompt"]["en"]


def test_bytes_that_are_no_text_are_an_answer_like_any_other(tmp_path: Path) -> None:
    command = [os.fsencode(sys.executable), b"-m", b"tutor", b"check", b"core/L2.1/kv", b"1.07\xff GB"]
    env = {**os.environ, "LLM_TUTOR_HOME": str(tmp_path)}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, timeout=60, check=False)
    assert done.returncode == 1
    assert done.stderr == b""


@pytest.mark.parametrize("command", ["study --plain", "check --batch -", "progress import -"])
def test_a_closed_input_is_one_sentence(tmp_path: Path, command: str) -> None:
    env = {**os.environ, "LLM_TUTOR_HOME": str(tmp_path)}
    line = f"{sys.executable} -m tutor {command} <&-"
    done = subprocess.run(["bash", "-c", line], cwd=ROOT, env=env, capture_output=True, timeout=60, check=False)
    said = b"llm-tutor: There is nothing to read from: standard input is closed."
    said += b" Start it in a terminal, or feed it a file with <.\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", said)


@pytest.mark.parametrize("command", ["study --plain", "check --batch /dev/null"])
def test_a_closed_output_is_one_sentence(tmp_path: Path, command: str) -> None:
    env = {**os.environ, "LLM_TUTOR_HOME": str(tmp_path)}
    line = f"{sys.executable} -m tutor {command} </dev/null >&-"
    done = subprocess.run(["bash", "-c", line], cwd=ROOT, env=env, stderr=subprocess.PIPE, timeout=60, check=False)
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    assert b"standard output is closed" in done.stderr


def test_closed_streams_do_no_harm(tmp_path: Path) -> None:
    env = {**os.environ, "LLM_TUTOR_HOME": str(tmp_path)}
    command = f"{sys.executable} -m tutor check core/L2.1/kv 1.07 <&- >&- 2>&-"
    assert subprocess.run(["bash", "-c", command], cwd=ROOT, env=env, timeout=60, check=False).returncode == 0


def test_a_mistake_of_ours_is_a_sentence_and_a_file(tmp_path: Path) -> None:
    code = """
import sys
from tutor import __main__, cli
def broken(argv):
    raise KeyError("a secret of the code")
cli.run = broken
sys.exit(__main__.main())
"""
    env = {**os.environ, "LLM_TUTOR_HOME": str(tmp_path)}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "Traceback" not in done.stderr
    assert "KeyError" in (told := (tmp_path / "crash.txt").read_text()) and "a secret" not in told + done.stderr


def test_ctrl_c_is_no_mistake(tmp_path: Path) -> None:
    code = """
import os, signal, sys, time
from tutor import __main__, cli
def run(argv):
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(5)
cli.run = run
sys.exit(__main__.main())
"""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (130, "")
