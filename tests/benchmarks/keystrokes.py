"""Keys on every screen but the figures', from key to paint: `python -m tests.benchmarks.keystrokes [WORD...]`.

At 120 x 40, beside one frame of 16 ms and beside a bare Textual app that paints a text of the same size. A line is a
screen and what is done there, in a process of its own; words choose those that hold one of them. The figures are in
`tests.benchmarks.figures`. Nothing here is a test.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks import driven
from tests.benchmarks.alone import played
from tests.benchmarks.driven import FRAME, KEYS, SIZE, Counting, Taken


class Case(NamedTuple):
    """A screen, how one gets there from home, and the keys that are pressed there, over and over."""

    what: str
    screen: str
    """Class of the screen that must be there."""
    way: Sequence[str]
    keys: Sequence[str]
    start: str = ""
    """Where the app starts instead: a lesson or an exercise."""


TYPED = ("1", ".", "0", "7", "space", "G", "B", "backspace", "backspace", "backspace")
WORD = ("c", "a", "c", "h", "backspace", "backspace", "backspace", "backspace")
NUMBER = ("2", "0", "4", "8", "backspace", "backspace", "backspace", "backspace")
UP_AND_DOWN = ("down", "down", "down", "up", "up", "up")
CASES = (
    Case("home, moving", "HomeScreen", (), UP_AND_DOWN),
    Case("lesson, turning", "LessonScreen", (), ("n", "n", "p", "p"), "core/C4"),
    Case("exercise, typing", "ExerciseScreen", (), TYPED, "core/L4.1"),
    Case("exercise, from part to part", "ExerciseScreen", (), UP_AND_DOWN, "core/L4.1"),
    Case("exercise, hint", "ExerciseScreen", (), ("f3",), "core/L4.1"),
    Case("quiz, typing", "QuizScreen", ("r", "down", "down", "down", "down", "enter"), TYPED),
    Case("placement, typing", "PlacementScreen", ("p",), TYPED),
    Case("diagnoser, moving", "DiagnoseScreen", ("d",), UP_AND_DOWN),
    Case("diagnoser, typing", "DiagnoseScreen", ("d", "down", "down"), WORD),
    Case("playground, typing a value", "PlaygroundScreen", ("ctrl+g", "tab"), NUMBER),
    Case("playground, stepping a value", "PlaygroundScreen", ("ctrl+g", "tab"), ("plus", "plus", "minus", "minus")),
    Case("plan, moving", "PlanPanel", ("alt+p",), UP_AND_DOWN),
    Case("plan, typing", "PlanPanel", ("alt+p",), WORD),
    Case("progress, moving", "ProgressPanel", ("alt+i",), UP_AND_DOWN),
    Case("glossary, typing", "", ("f7",), WORD),
    Case("glossary, moving", "", ("f7",), UP_AND_DOWN),
    Case("settings, moving", "", ("s",), UP_AND_DOWN),
    Case("palette, typing", "", ("ctrl+p",), WORD),
    Case("list of places, moving", "", ("f6",), UP_AND_DOWN),
    Case("language, switching", "HomeScreen", (), ("f2",)),
)


def main(wanted: Sequence[str]) -> int:
    """Measure and print the table."""
    bare = played(driven.bare)
    print(f"{KEYS} keys at {SIZE[0]}x{SIZE[1]}, milliseconds; one frame is {FRAME:.0f}.")
    print(f"{'':<30} {'p50':>6} {'p95':>6} {'whole':>6} {'worked':>6} {'bytes':>6}  beside a bare app")
    print(_line("a bare Textual app", bare, bare))
    for case in chosen(wanted):
        print(_line(case.what, played(measured, case), bare), flush=True)
    return 0


def chosen(words: Sequence[str]) -> Iterator[Case]:
    """The lines that hold one of these words; all of them without words."""
    return (case for case in CASES if not words or any(word in case.what for word in words))


def _line(what: str, taken: Taken, bare: Taken) -> str:
    held = "ok" if taken.p95 <= FRAME else "OVER"
    times = f"{taken.p50:6.1f} {taken.p95:6.1f} {taken.whole:6.1f} {taken.worked:6.1f} {taken.size:6.0f}"
    return f"{what:<30} {times}  {taken.p50 / bare.p50:5.2f}x  {held}"


async def measured(case: Case) -> Taken:
    """The keys of one line, in an app of its own."""
    from tests.tutor.frames import make_app
    from tutor.progress import Place

    with tempfile.TemporaryDirectory() as home:
        kind = "lesson" if case.start[5:6] == "C" else "exercise"
        app = make_app(Path(home), "en", Place(kind, case.start) if case.start else None, motion="off")
        app.driver_class = Counting
        way = iter(case.way)

        def there() -> bool:
            """Presses the next key of the way; whether there is none left and the screen is the one wanted."""
            if getattr(app.screen, "busy", False):
                return False
            key = next(way, None)
            if key is not None:
                driven.send(app, key)
                return False
            return not case.screen or type(app.screen).__name__ == case.screen

        return await driven.driven(app, lambda: cycle(case.keys), there)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
