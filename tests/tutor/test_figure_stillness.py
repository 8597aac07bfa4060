"""A figure that nobody touches: in a real terminal it writes not one byte and the processor rests."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from tests.terminal import Terminal
from tutor.paths import database
from tutor.progress import Place, open_progress

pytestmark = pytest.mark.pty
SIZE = (120, 40)
REST = 1.5
"""Seconds for which the app is watched."""
BUSY = 0.25
"""Share of one processor that counts as work: many times what waiting for keys takes, far less than drawing takes."""
QUIET = 0.5
"""Seconds without a byte after which a page has been painted."""
PAGES = {
    "two-buckets": ("core/C5", "two-buckets"),
    "batching-timeline": ("core/C1", "continuous-batching"),
    "cache-steps": ("core/C2", "one-token"),
    "decode-curve": ("core/C1", "own-machine"),
}
HURRIED = (
    "import sys; from tutor import __main__; from tutor.figures import motion\n"
    "motion.BEAT = 0.03\n"
    "sys.argv = ['llm-tutor', *sys.argv[1:]]; sys.exit(__main__.main())"
)
"""The app, whose figures play fast enough for a test to see their end."""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path))
    return tmp_path


def lesson(home: Path, figure: str, motion: str = "on", *, hurried: bool = False) -> Terminal:
    """The app on the page of a lesson that has this figure."""
    id, section = PAGES[figure]
    progress = open_progress(database())
    progress.set_place(Place("lesson", id, section))
    progress.close()
    (home / "settings.toml").write_text(f'language = "en"\nmotion = "{motion}"\n')
    program = ["-c", HURRIED] if hurried else ["-m", "tutor"]
    return Terminal([sys.executable, *program, "study", id], {"LLM_TUTOR_HOME": str(home)}, SIZE)


def settle(terminal: Terminal) -> None:
    """Until the program has written nothing for a moment."""
    while terminal.read(QUIET):
        pass


def processor(terminal: Terminal) -> float:
    """Seconds that the program has had the processor."""
    fields = Path(f"/proc/{terminal.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def at_rest(terminal: Terminal) -> None:
    """It writes nothing, and hardly runs."""
    settle(terminal)
    before, end, written = processor(terminal), time.perf_counter() + REST, b""
    while (left := end - time.perf_counter()) > 0:
        written += terminal.read(left)
    assert written == b"", written
    assert processor(terminal) - before < BUSY * REST


def test_a_page_with_a_figure_stands_still(home: Path) -> None:
    with lesson(home, "decode-curve") as terminal:
        terminal.wait("copy")
        at_rest(terminal)


def test_after_a_glide_nothing_moves(home: Path) -> None:
    with lesson(home, "two-buckets") as terminal:
        terminal.wait("copy")
        at_rest(terminal)
        before = terminal.text
        terminal.press("right", "right")
        at_rest(terminal)
        assert terminal.text != before


@pytest.mark.parametrize("figure", ["batching-timeline", "cache-steps"])
def test_a_figure_stands_still_before_it_plays_and_while_it_is_paused(home: Path, figure: str) -> None:
    with lesson(home, figure) as terminal:
        terminal.wait("space play")
        at_rest(terminal)
        terminal.press(" ")
        terminal.wait("space pause")
        terminal.press(" ")
        terminal.wait("space play")
        at_rest(terminal)


@pytest.mark.parametrize("figure", ["batching-timeline", "cache-steps"])
def test_a_figure_that_came_to_its_end_stands_still(home: Path, figure: str) -> None:
    with lesson(home, figure, hurried=True) as terminal:
        terminal.wait("space play")
        settle(terminal)
        terminal.press(" ")
        terminal.wait("space pause")
        terminal.wait("space play", 60)
        at_rest(terminal)


@pytest.mark.parametrize("figure", ["batching-timeline", "cache-steps"])
def test_without_motion_a_moment_is_a_step_and_then_rest(home: Path, figure: str) -> None:
    with lesson(home, figure, motion="off") as terminal:
        terminal.wait("space one step")
        settle(terminal)
        before = terminal.text
        terminal.press(" ")
        at_rest(terminal)
        assert terminal.text != before
        assert "space one step" in terminal.flat
