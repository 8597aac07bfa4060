"""Killed while it is answered, a quiz has lost no answer that was shown a verdict; 200 times by the driver alone."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork and no SIGKILL there")
def test_what_was_shown_a_verdict_is_there_after_a_kill() -> None:
    command = [sys.executable, "-m", "tests.tutor.kill_quiz", "25"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == 0, ended.stderr[-2000:]
    found = re.fullmatch(r"kills (\d+), answers shown (\d+), grades shown (\d+), lost 0, .*\n", ended.stdout)
    assert found is not None
    kills, answers, grades = map(int, found.groups())
    assert kills == 25 and answers > 5 and grades > 25, "else nothing was shown"
