"""Figures under the fingers: `python -m tests.benchmarks.figures [FIGURE...]`.

Per figure, at 120 x 40: the drawing alone; from a key to the first paint and to the last byte (whole), on a lesson's
page and in the playground, beside one frame of 16 ms and beside a bare Textual app that paints a text of the same size;
and what importing the figure's module costs a process that has the other parts already.

Wall times are of this moment, on this machine, and a machine that does other things shows it; the processor's times
say what was worked. Nothing here is a test.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from tests.benchmarks import driven
from tests.benchmarks.alone import played
from tests.benchmarks.driven import FRAME, KEYS, SIZE, Counting, Taken
from tutor.figures.registry import get, names
from tutor.figures.view import FigureView


def main(wanted: Sequence[str]) -> int:
    """Measure everything and print the table."""
    bare = played(driven.bare)
    print(f"{KEYS} keys at {SIZE[0]}x{SIZE[1]}, milliseconds. A bare app: {_brief(bare)}; one frame is {FRAME:.0f}.")
    columns = "  p50   p95  whole  work  bytes   bare    "
    print(f"{'':<34}   {'lesson':<42}  playground")
    print(f"{'':<18} {'draw':>6} {'import':>7}   {columns}   {columns}")
    for name in wanted or names():
        lesson, play = played(in_lesson, name), played(in_playground, name)
        print(f"{name:<18} {drawing(name):>6.2f} {importing(name):>7.1f}   {_long(lesson, bare)}  {_long(play, bare)}")
    return 0


def _brief(taken: Taken) -> str:
    times = f"p50 {taken.p50:.1f}, p95 {taken.p95:.1f}, whole {taken.whole:.1f}, worked {taken.worked:.1f}"
    return f"{times}, {taken.size:.0f} bytes"


def _long(taken: Taken | None, bare: Taken) -> str:
    if taken is None:
        return f"{'on no page':<42}"
    held = "ok" if taken.p95 <= FRAME else "OVER"
    times = f"{taken.p50:5.1f} {taken.p95:5.1f} {taken.whole:6.1f} {taken.worked:5.1f} {taken.size:6.0f}"
    return f"{times} {taken.p50 / bare.p50:5.2f}x {held:<4}"


def drawing(name: str) -> float:
    """Milliseconds of one drawing at 120 x 40, each of another state."""
    figure = get(name)
    states = list(islice(_states(name), KEYS))
    began = time.process_time()
    for state in states:
        figure.draw(state, *SIZE, "en")
    return (time.process_time() - began) * 1000 / len(states)


def _states(name: str) -> Iterator[Mapping[str, object]]:
    figure = get(name)
    state = figure.defaults()
    figure.draw(state, *SIZE, "en")  # what is read once has been read
    for action in _turns(name):
        state = figure.press(state, action)
        yield state


def _turns(name: str) -> Iterator[str]:
    """The figure's keys, each a few times running, for ever."""
    return (key.action for key in cycle(get(name).keys) for _ in range(3))


@cache
def importing(name: str) -> float:
    """Milliseconds that a figure's first drawing adds to a process that has the others' parts: import and reading."""
    module = get(name).notice.__module__ if get(name).notice else get(name).paint.__module__
    code = (
        "import time, textual.content, tutor.figures.base, tutor.figures.view, content.words\n"
        f"began = time.perf_counter()\nimport {module}\nprint((time.perf_counter() - began) * 1000)"
    )
    times = [
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
        for _ in range(3)
    ]
    return min(times)


async def in_lesson(name: str) -> Taken | None:
    """Its keys on the first page that has it."""
    from tutor.progress import Place

    place = _page(name)
    return None if place is None else await _in_the_app(name, Place("lesson", *place))


async def in_playground(name: str) -> Taken | None:
    """Its keys in the playground."""
    try:
        from tutor.travel import PLAYGROUND
    except ImportError:
        return None
    return await _in_the_app(name, PLAYGROUND)


async def _in_the_app(name: str, start: Any) -> Taken:
    from tests.tutor.frames import make_app

    with tempfile.TemporaryDirectory() as home:
        app = make_app(Path(home), "en", motion="off")  # a glide paints for a while after its key
        app.driver_class = Counting
        app._start = start
        if not hasattr(start, "screen"):
            app.playing_at = (name, get(name).defaults())

        def focused() -> bool:
            for view in app.screen.query(FigureView):
                view.focus(scroll_visible=False)
                return bool(view.figure.name == name)
            return False

        from tutor.figures.base import KEYS as NAMED

        return await driven.driven(app, lambda: (NAMED[action][0] for action in _turns(name)), focused)


@cache
def _page(name: str) -> tuple[str, str] | None:
    """The first lesson with this figure, and the section."""
    from content import course

    for number in range(7):
        lesson = course.lesson(f"core/C{number}")
        for section in lesson.sections:
            if section.figure is not None and section.figure.name == name:
                return lesson.id, section.id
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
