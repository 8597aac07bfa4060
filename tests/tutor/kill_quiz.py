"""Kills the quiz at random moments of answering, and looks at the file: `python -m tests.tutor.kill_quiz 200`.

Each time the public program (`llm-tutor quiz --plain`) answers on pipes, on the same file as before; every typed answer
is one of its kind. What it printed says which answers were shown a verdict and a grade: each of them must be in the
file, whole, with its attempt and its memory. `--start` starts a new Python each time, in place of a fork of this one.
"""

from __future__ import annotations

import io
import os
import random
import re
import select
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from content.words import say

SEED = 6
CYCLES = 500
"""Answers that wait in the pipe: more than a child can take before it is killed."""
WORDS = ("quiz", "--plain", "--count", "500", "--lang", "en")
ABOUT = ("--level 2", "--level 4", "--level 5", "--level 3", "--level 1", "--track core", "--weak", "--due")
"""What the quizzes are about, one after the other."""
MOST, LONGEST_S = 5, 0.03
"""A child is killed within so many seconds of one of its first answers."""
GRADES = tuple(say(f"quiz.grade.{grade}.name", "en") for grade in ("again", "hard", "good", "easy"))
_GRADE = re.compile(rf"^({'|'.join(GRADES)}): ")
_TYPED = re.compile(r"(?:^| )(\d+\.\d{4}(?: GB|1)|solution|next)$")
_ASKED = say("cli.plain.how.number", "en")
"""What the line begins with in which a number is typed."""


class Shown(NamedTuple):
    """What one child printed: answers whose grade was shown, and how many grades there were in all."""

    answers: list[str]
    grades: int


class Result(NamedTuple):
    """All kills: answers and grades that were shown, and reviews in the file that nobody was shown any more."""

    kills: int
    answers: int
    grades: int
    unseen: int


def main(words: list[str]) -> int:
    """Kill so many times, and say what was found. Raises ``AssertionError`` for anything lost."""
    kills = int(next((word for word in words if word.isdigit()), "25"))
    with tempfile.TemporaryDirectory() as home:
        os.environ["LLM_TUTOR_HOME"] = home
        result = run(kills, Path(home), start="--start" in words)
    print(f"kills {result.kills}, answers shown {result.answers}, grades shown {result.grades}, lost 0,"
          f" kept but not shown {result.unseen}")  # fmt: skip
    return 0


def run(kills: int, home: Path, start: bool = False) -> Result:
    """Kill the quiz so many times on one file."""
    source = random.Random(SEED)
    if not start:
        _warm()
    answers: list[str] = []
    grades = 0
    for kill in range(kills):
        typed = [f"{kill}.{number:04d}" for number in range(CYCLES)]
        last, after_s = source.randrange(MOST), source.uniform(0, LONGEST_S)
        words = (*WORDS, *ABOUT[kill % len(ABOUT)].split())
        shown = _shown(_killed(words, typed, last, after_s, start))
        answers += shown.answers
        grades += shown.grades
        kept = _looked_at(home / "progress.sqlite3", answers)
        assert grades <= kept <= grades + kill + 1, f"{grades} grades were shown, {kept} reviews are in the file"
    return Result(kills, len(answers), grades, kept - grades)


def _warm() -> None:
    """Load what every child needs: a short quiz on a file of its own, closed before anything is forked."""
    from tutor import cli

    kept, streams = os.environ.get("LLM_TUTOR_HOME", ""), (sys.stdin, sys.stdout)
    with tempfile.TemporaryDirectory() as home:
        os.environ["LLM_TUTOR_HOME"] = home
        sys.stdin, sys.stdout = io.StringIO("1 GB\nsolution\nnext\n" * 4), io.StringIO()
        try:
            cli.run([*WORDS, "--track", "core"])
        finally:
            sys.stdin, sys.stdout = streams
            os.environ["LLM_TUTOR_HOME"] = kept


def _killed(words: tuple[str, ...], typed: list[str], last: int, after_s: float, start: bool) -> str:
    """What a child printed until it was killed, ``after_s`` seconds after the answer of number ``last``."""
    # with a unit and without: one of the two can be read in most parts, and a second answer is a further try
    lines = "".join(f"{answer} GB\n{answer}1\nsolution\nnext\n" for answer in typed).encode()
    with tempfile.TemporaryFile() as questions:
        questions.write(lines)
        questions.seek(0)
        out, into = os.pipe()
        child = (_started if start else _forked)(words, questions.fileno(), into)
        os.close(into)
        printed, end, seen = b"", time.monotonic() + 60.0, False
        try:
            while (left := end - time.monotonic()) > 0:
                if not select.select([out], [], [], left)[0]:
                    break
                piece = os.read(out, 2**16)
                if not piece:
                    break
                printed += piece
                if not seen and f": {typed[last]} GB\n".encode() in printed:
                    seen, end = True, time.monotonic() + after_s
        finally:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        while piece := os.read(out, 2**16):  # what it wrote before the end was shown
            printed += piece
        os.close(out)
    return printed.decode("utf-8", "replace")


def _forked(words: tuple[str, ...], stdin: int, stdout: int) -> int:
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        os.dup2(stdin, 0)
        os.dup2(stdout, 1)
        sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
        sys.argv = ["llm-tutor", *words]
        from tutor.__main__ import main as program

        status = program()
        sys.stdout.flush()
    finally:
        os._exit(status)


def _started(words: tuple[str, ...], stdin: int, stdout: int) -> int:
    command = [sys.executable, "-m", "tutor", *words]
    return subprocess.Popen(command, stdin=stdin, stdout=stdout).pid


def _shown(printed: str) -> Shown:
    """Read a transcript: a grade belongs to the number typed before it, where a number was asked for."""
    answers: list[str] = []
    grades, last = 0, None
    for line in printed.splitlines():
        if found := _TYPED.search(line):
            last = found[1] if line.startswith(_ASKED) and found[1][0].isdigit() else None
        elif _GRADE.match(line):
            grades += 1
            answers += [last] if last is not None else []
            last = None
    return Shown(answers, grades)


def _looked_at(path: Path, answers: list[str]) -> int:
    """How many reviews are in the file, once it was found whole and with every answer."""
    from tutor.progress import open_progress
    from tutor.revision.memory import after

    with closing(sqlite3.connect(path)) as raw:
        assert raw.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        lone = "SELECT count(*) FROM reviews WHERE attempt != '' AND attempt NOT IN (SELECT uid FROM attempts)"
        assert raw.execute(lone).fetchone()[0] == 0, "a review without its attempt"
        assert raw.execute("SELECT count(*) FROM memory WHERE stale").fetchone()[0] == 0, "a memory behind its reviews"
    with closing(open_progress(path)) as store:
        reviews = store.reviews()
        lost = set(answers) - {review.answer for review in reviews}
        assert not lost, f"lost: {sorted(lost)}"
        for item, memory in store.memories(after).items():
            folded = None
            for review in store.reviews(item):
                folded = after(folded, review)
            assert memory == folded, f"a memory that does not follow from its reviews: {item}"
        return sum(review.source == "quiz" for review in reviews)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
