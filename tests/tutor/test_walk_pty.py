"""The main walk in a real terminal: a lesson, a wrong answer, a right one, the other language, quit, and back."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.terminal import Terminal

pytestmark = pytest.mark.pty
COMMAND = [sys.executable, "-m", "tutor"]


def start(home: Path, *words: str, size: tuple[int, int] = (100, 34)) -> Terminal:
    return Terminal([*COMMAND, *words], {"LLM_TUTOR_HOME": str(home)}, size)


def test_from_the_first_start_to_resuming(tmp_path: Path) -> None:
    with start(tmp_path) as terminal:
        terminal.wait("Kis language mein")  # asked once, in both languages
        terminal.press("enter")
        terminal.wait("Begin")
        terminal.press(*["down"] * 7)
        terminal.press("enter")
        terminal.wait("C2 The KV cache")
        terminal.press("e")
        terminal.wait("L2.1 How large is the KV cache?")
        terminal.press("down", "enter")
        terminal.wait("How many GB does the KV cache take?")
        terminal.press("0.537 GB")
        terminal.wait("read as 0.537 GB = 537,000,000 bytes")
        terminal.press("enter")
        terminal.wait("Exactly half. Either the 2 for key and value is missing, or each number was taken as 1 byte.")
        terminal.press("ctrl+u", "1.07 GB", "enter")
        terminal.wait("Right: 1.07 GB.")
        terminal.press("f2")
        terminal.wait("Sahi: 1.07 GB.")
        terminal.wait("L2.1 KV cache kitna bada hai?")
        terminal.press("ctrl+q")
        assert terminal.finish() == 0
    with start(tmp_path) as terminal:
        terminal.wait("L2.2 Ek saath kitni requests?")  # what comes next, now that L2.1 is solved
        terminal.press("c")
        terminal.wait("KV cache kitne GB lega?")
        terminal.wait("1/1")


def test_a_killed_program_loses_neither_answer_nor_draft(tmp_path: Path) -> None:
    with start(tmp_path, "--lang", "en", "study", "core/L2.3") as terminal:
        terminal.wait("FP16")
        terminal.press("26 GB", "enter")
        terminal.wait("Right: 26 GB.")
        terminal.press("down")
        terminal.wait("How many GB in INT8?")
        terminal.press("13.0")
        terminal.wait("read as 13")
        terminal.idle(1.0)  # a draft is written a moment after the last key
    with start(tmp_path, "--lang", "en", "study", "core/L2.3") as terminal:
        terminal.wait("13.0")
        terminal.wait("1/4")


def test_a_tiny_window_says_so_and_keeps_what_was_typed(tmp_path: Path) -> None:
    with start(tmp_path, "--lang", "en", "study", "core/L2.1") as terminal:
        terminal.wait("How many GB")
        terminal.press("1.07")
        terminal.wait("read as 1.07")
        terminal.resize(20, 5)
        terminal.wait(lambda t: "larger" in t.flat)
        terminal.resize(80, 24)
        terminal.wait("read as 1.07")
        terminal.press("ctrl+q")
        assert terminal.finish() == 0


def test_bytes_that_are_no_text_do_not_end_it(tmp_path: Path) -> None:
    """A Latin-1 terminal, or an 8-bit Alt: what cannot be read stands there as such, and the rest goes on."""
    with start(tmp_path, "--lang", "en", "study", "core/L2.1") as terminal:
        terminal.wait("How many GB")
        os.write(terminal.fd, b"1.07\xff\xe9a")
        terminal.wait("1.07")
        terminal.idle(0.2)
        terminal.press("ctrl+u", "1.07 GB", "enter")
        terminal.wait("Right: 1.07 GB.")
        terminal.press("ctrl+q")
        assert terminal.finish() == 0
