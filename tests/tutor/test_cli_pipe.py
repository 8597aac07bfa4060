"""A batch from a named pipe: answered as its lines come, and refused in a sentence where nobody writes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from content.lang import LANGS, Lang
from content.words import say
from tests.tutor.command import KV, ROOT, Tutor

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
LINES = {
    "check": {"id": KV, "answer": "1.07 GB"},
    "calc": {"formula": "ridge", "given": {"gpu": "L4"}},
}


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return path


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("command", LINES)
def test_nobody_writes(tutor: Tutor, pipe: Path, command: str, lang: Lang) -> None:
    ran = tutor(command, "--batch", str(pipe), "--lang", lang)
    assert (ran.status, ran.out) == (2, "")
    assert say("cli.os.silent", lang) in ran.err and ran.err.count("\n") == 1 and "pipe" in ran.err


@pytest.mark.parametrize("command", LINES)
def test_every_line_is_answered_whatever_pieces_it_comes_in(tutor: Tutor, pipe: Path, command: str) -> None:
    text = (json.dumps(LINES[command]) + "\n") * 700  # more than a pipe holds at once
    writer = threading.Thread(target=lambda: pipe.write_text(text))
    writer.start()
    ran = tutor(command, "--batch", str(pipe))
    writer.join(10)
    said = [json.loads(line) for line in ran.out.splitlines()]
    assert ran.status == 0 and len(said) == 700 and not any("error" in line for line in said)


def test_an_answer_comes_while_the_writer_stays(pipe: Path, tmp_path: Path) -> None:
    """Whoever writes line by line reads an answer before the next line."""
    env = os.environ | {"LLM_TUTOR_HOME": str(tmp_path / "home")}
    argv = [sys.executable, "-m", "tutor", "check", "--batch", str(pipe)]
    held = os.open(pipe, os.O_RDWR)  # a writer that was there before the reader, so that neither waits for the other
    with subprocess.Popen(argv, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        for answer, verdict in (("1.07 GB", "correct"), ("0.537 GB", "incorrect")):
            os.write(held, (json.dumps({"id": KV, "answer": answer}) + "\n").encode())
            assert json.loads(child.stdout.readline())["verdict"] == verdict
        os.close(held)
    assert child.returncode == 0
