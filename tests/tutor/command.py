"""A command line run as `llm-tutor` would run it: in this process, or in one of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from content.words import say
from tutor import cli

ROOT = Path(__file__).parents[2]
KV = "core/L2.1/kv"


class Ran(NamedTuple):
    status: int
    out: str
    err: str


class Tutor:
    """Runs command lines in this process, as `llm-tutor` would, all of one command where one is given;
    :func:`process` runs a real one."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *command: str) -> None:
        self._capsys, self._command = capsys, command

    def __call__(self, *argv: str) -> Ran:
        status = cli.run((*self._command, *argv))
        captured = self._capsys.readouterr()
        return Ran(status, captured.out, captured.err)

    def json(self, *argv: str, status: int = 0) -> Any:
        ran = self(*argv, "--json")
        assert ran.status == status, ran
        return json.loads(ran.out)

    def refused(self, *argv: str) -> str:
        """The one sentence of a refusal."""
        ran = self(*argv)
        assert (ran.status, ran.out) == (2, ""), ran
        assert ran.err.startswith("llm-tutor: ")
        assert ran.err.count("\n") == 1
        return ran.err.removeprefix("llm-tutor: ").strip()


def process(
    argv: Sequence[str], home: Path, stdin: bytes = b"", env: dict[str, str] | None = None, **options: Any
) -> subprocess.CompletedProcess[bytes]:
    """A whole process, with bytes in and out."""
    environment = {**os.environ, "LLM_TUTOR_HOME": str(home), **(env or {})}
    command = [sys.executable, "-m", "tutor", *argv]
    given = {} if "stdin" in options else {"input": stdin}
    return subprocess.run(
        command, cwd=ROOT, env=environment, timeout=60, check=False, **{"capture_output": True, **given, **options}
    )


def batch(tutor: Tutor, tmp_path: Path, *lines: object, command: str = "check") -> list[Any]:
    data = b"\n".join(line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines)
    file = tmp_path / "lines.jsonl"
    file.write_bytes(data)
    ran = tutor(command, "--batch", str(file))
    answers = [json.loads(line) for line in ran.out.splitlines()]
    unused = sum("error" in answer for answer in answers)
    told = f"llm-tutor: {say('cli.batch.unused', 'en', n=unused, of=len(answers))}\n" if unused else ""
    assert (ran.status, ran.err) == (0, told)
    return answers
