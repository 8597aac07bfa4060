"""Everything that the design bounds, in one table: `python -m tests.benchmarks`.

Each line is what was measured, a yardstick of the same run, their ratio, and the most that the design allows
(milliseconds, or a ratio where the design gives one). Keystrokes are taken on every screen and under every figure; the
worst of each kind is named. Every measure has a process of its own: a figure is the same here as alone. Some seven
minutes on a quiet machine; `KEYS` and `ROUNDS` in the environment shorten it.
Nothing here is a test: times belong to the machine, ratios hardly do. The other modules of this folder say more about
one subject each.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from tests.benchmarks import answers, diagnosing, driven, figures, keystrokes, startup, sweeping
from tests.benchmarks.alone import alone, environment, played, rows
from tutor.figures.registry import names

CLOCK = "import time\nfrom content import course\nbegan = time.perf_counter()\n{}\nprint(time.perf_counter() - began)"
INDEX = CLOCK.format("course.index()")
FILES = CLOCK.format(
    "import tomllib\nfrom pathlib import Path\n"
    "for file in (Path(course.__file__).parent / 'course').rglob('*.toml'):\n    tomllib.loads(file.read_text('utf-8'))"
)
"""Reading all files of the course, as one would without an index."""


class Line(NamedTuple):
    """One measurement beside a yardstick, with the design's limit for it."""

    what: str
    ours: float
    yardstick: float
    most: float
    unit: str = "ms"
    remark: str = ""


def main() -> int:
    """Measure and print, line by line."""
    print(f"{'':<52} {'ours':>9} {'yardstick':>10} {'ratio':>7} {'at most':>8}")
    missed = 0
    for line in chain(_started(), _answered(), _pressed(), _diagnosed(), _swept(), _indexed()):
        held = line.ours <= line.most
        missed += not held
        ratio = line.ours if line.unit == "x" else line.ours / line.yardstick
        shown = (
            f"{line.ours:>7.2f} {line.unit:<2} {line.yardstick:>7.2f} ms {ratio:>6.2f}x {line.most:>5g} {line.unit:<2}"
        )
        print(f"{line.what:<52} {shown} {'ok' if held else 'OVER'}{line.remark}", flush=True)
    print(f"{missed} of the design's limits missed." if missed else "All of the design's limits hold.")
    return 0


def _started() -> Iterator[Line]:
    """First frames beside a bare app's, short commands beside an interpreter that does nothing."""
    with tempfile.TemporaryDirectory() as home:
        env = environment(home)
        for line in (*startup.frames(env), *startup.processes(env)):
            yield Line(line.what, line.ours, line.yardstick, line.most, line.unit)


def _answered() -> Iterator[Line]:
    """Checks in a warm process: numbers beside ``float()``, formulas beside what building their tree takes sympy."""
    with tempfile.TemporaryDirectory() as home:
        base, *checks = rows(answers.numbers, home)
        for row in checks:
            yield Line(f"{row.what}, warm, median", row.median, base.median, 1)
        formula, _, simplified, _ = rows(answers.formulas, home)
        yield Line(f"{formula.what}, warm, p95", formula.p95, simplified.p95, 5, remark=f"  beside {simplified.what}")


def _pressed() -> Iterator[Line]:
    """From a key to what it paints: each screen, then the worst figures of lessons and playground."""
    bare = played(driven.bare)
    for case in keystrokes.CASES:
        yield _keys(case.what, played(keystrokes.measured, case), bare)
    for place, measured in (("lesson", figures.in_lesson), ("playground", figures.in_playground)):
        found = ((name, played(measured, name)) for name in names())
        taken = {name: one for name, one in found if one is not None}
        worst = max(taken, key=lambda name: taken[name].p95)
        over = sum(one.p95 > driven.FRAME for one in taken.values())
        line = _keys(f"figures, {place}, worst: {worst}", taken[worst], bare)
        yield line._replace(remark=f"{line.remark}  ({over} of {len(taken)} over)")


def _keys(what: str, taken: driven.Taken, bare: driven.Taken) -> Line:
    return Line(f"key to repaint, p95: {what}", taken.p95, bare.p95, driven.FRAME)


def _diagnosed() -> Iterator[Line]:
    """The whole way from what was given to the text, warm; beside the part of it that only judges."""
    for name, given in diagnosing.CASES.items():
        read, judged, said = alone(diagnosing.warm, given)
        yield Line(f"a full diagnosis, warm: {name}", read + judged + said, judged, 5)


def _swept() -> Iterator[Line]:
    yield Line("a sweep of a million configurations", *alone(sweeping.sweep), 1000)


def _indexed() -> Iterator[Line]:
    """The index of the course in a fresh process, beside reading the course's files."""
    ours, file = (statistics.median(_printed(code) for _ in range(5)) for code in (INDEX, FILES))
    yield Line("course index, fresh process", ours, file, 30)


def _printed(code: str) -> float:
    """Milliseconds that a fresh process says."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)
    return float(done.stdout) * 1000


if __name__ == "__main__":
    sys.exit(main())
