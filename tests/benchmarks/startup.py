"""Start-up and response times beside a yardstick measured in the same run: `python -m tests.benchmarks.startup`.

Prints one line per measurement: ours, the yardstick, what the design allows, and whether it holds. Nothing here is a
test; times depend on the machine, ratios hardly do.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks.alone import environment
from tests.terminal import Terminal

ROUNDS = int(os.environ.get("ROUNDS", "9"))
PROGRAM = str(Path(sys.executable).with_name("llm-tutor"))
BARE = """
from textual.app import App
from textual.widgets import Static
class Bare(App):
    def compose(self):
        yield Static("painted")
Bare().run()
"""
HEAVIEST = "core/C4"
EXERCISE = "core/L4.1"
"""Seven parts, a table of eight values, and a figure."""


class Line(NamedTuple):
    """One measurement in milliseconds (or a ratio), with the most that the design allows."""

    what: str
    ours: float
    yardstick: float
    most: float
    unit: str


def main() -> int:
    """Measure everything and print the table."""
    with tempfile.TemporaryDirectory() as home:
        env = environment(home)
        lines = [*processes(env), *frames(env), *keys(env)]
    width = max(len(line.what) for line in lines)
    for line in lines:
        held = "ok" if line.ours <= line.most else "OVER"
        ours = f"{line.what:<{width}}  {line.ours:8.2f} {line.unit:<3}"
        print(f"{ours}  yardstick {line.yardstick:7.1f} ms  at most {line.most:6.2f}  {held}")
    return 0


def processes(env: dict[str, str]) -> list[Line]:
    """Whole processes beside ``python -c pass``: the surplus in milliseconds."""
    commands = {
        "--help": ["--help"],
        "check, right": ["check", "core/L2.1/kv", "1.07 GB", "--json"],
        "check, wrong": ["check", "core/L2.1/kv", "0.537 GB", "--json"],
        "course list": ["course", "list"],
    }
    samples: dict[str, list[float]] = {name: [] for name in ("pass", *commands)}
    for _ in range(ROUNDS):  # interleaved, so that a busy moment hits all alike
        samples["pass"].append(_process([sys.executable, "-c", "pass"], env))
        for name, words in commands.items():
            samples[name].append(_process([PROGRAM, *words], env))
    base = statistics.median(samples["pass"])
    return [
        Line(f"process: {name}, over python -c pass", statistics.median(samples[name]) - base, base, 45, "ms")
        for name in commands
    ]


def _process(command: list[str], env: dict[str, str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, env={**os.environ, **env}, capture_output=True, check=False)
    return (time.perf_counter() - start) * 1000


def frames(env: dict[str, str]) -> list[Line]:
    """First painted frames beside that of a bare Textual app: ratios."""
    bare, home, lesson, exercise, opening = [], [], [], [], []
    for _ in range(ROUNDS):
        bare.append(_first_frame([sys.executable, "-c", BARE], env, "painted"))
        home.append(_first_frame([PROGRAM], env, "Core course"))
        lesson.append(_first_frame([PROGRAM, "study", HEAVIEST], env, "1/"))
        exercise.append(_first_frame([PROGRAM, "study", EXERCISE], env, "Does it fit"))
        opening.append(_open_lesson(env))
    base = statistics.median(bare)
    return [
        Line("first frame: home", statistics.median(home) / base, base, 1.5, "x"),
        Line(f"first frame: {HEAVIEST}", statistics.median(lesson) / base, base, 2.0, "x"),
        Line(f"first frame: {EXERCISE}", statistics.median(exercise) / base, base, 2.0, "x"),
        Line("opening a lesson from home", statistics.median(opening), base, 300, "ms"),
    ]


def _first_frame(command: list[str], env: dict[str, str], words: str) -> float:
    with Terminal(command, env, (120, 40)) as terminal:
        return terminal.wait(words) * 1000


def _open_lesson(env: dict[str, str]) -> float:
    with Terminal([PROGRAM], env, (120, 40)) as terminal:
        terminal.wait("Core course")
        terminal.read(0.3)
        start = time.perf_counter()
        terminal.press("enter")
        terminal.wait(lambda t: "Core course ›" in t.flat or "1/" in t.flat)
        return (time.perf_counter() - start) * 1000


def keys(env: dict[str, str]) -> list[Line]:
    """From a key to the first bytes painted, typing into an exercise: the 95th percentile."""
    times: list[float] = []
    with Terminal([PROGRAM, "study", "core/L2.1"], env, (120, 40)) as terminal:
        terminal.wait("KV cache")
        for _ in range(20):
            terminal.read(0.05)
        for key in "1.07 GB 2*1*2048*32*4096*2 / 1e9 GB" * 3:
            start = time.perf_counter()
            os.write(terminal.fd, key.encode())
            while not terminal.read(0.5):
                pass
            times.append((time.perf_counter() - start) * 1000)
            while terminal.read(0.03):
                pass
    times.sort()
    return [Line("keystroke to repaint, p95", times[int(len(times) * 0.95)], statistics.median(times), 16, "ms")]


if __name__ == "__main__":
    sys.exit(main())
