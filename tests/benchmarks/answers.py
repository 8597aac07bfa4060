"""Checks of answers beside what Python and sympy do with the same texts: `python -m tests.benchmarks.answers`.

One table in one run, in processor time, which a busy machine changes least. Warm: the median and the 95th percentile
of single checks. Cold: a fresh process that makes one check, over ``python -c pass``, with the most memory it held
(`tests.benchmarks.startup` has whole processes on the clock). sympy is given expressions that are built already, and
need not read anything. At the end, how many answers a second the batch of a class takes. Nothing here is a test.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from content import address, course
from content.checking import check_part
from engine.answers.check import check
from engine.answers.model import Expectation
from engine.formulas import registry, symbolic
from engine.formulas.registry import result
from engine.reader.errors import ReadError
from engine.reader.read import formula_tree
from engine.tree import Tree, substitute, text
from engine.units import get, number
from tests.benchmarks.alone import environment

ROUNDS = int(os.environ.get("ROUNDS", "9"))
REPEATS = 20
KV, FORMULA, COUNT = "core/L2.1/kv", "core/L1.2/formula", "core/L4.3/extra"
CASES = Path(__file__).parents[1] / "engine" / "data" / "formula_answers.txt"
HEADS = (("d_model", "n_head*d_head"),)
RIGHT = formula_tree("2*B*S*L*d_model*p")

NUMBERS = {
    "right": [
        (KV, "1.07 GB"), (KV, "1.074"), (KV, "2*1*2048*32*4096*2 / 1e9"), (KV, "1,07,37,41,824 bytes"), (COUNT, "6"),
    ],
    "wrong": [(KV, "0.537 GB"), (KV, "2.147"), (KV, "1.61 GB"), (COUNT, "7"), (COUNT, "22"), (KV, "3.3 GB")],
    "unreadable": [(KV, "1.07 kg"), (KV, "1.07 or 2"), (KV, "2*(3"), (COUNT, "six or so")],
}  # fmt: skip


class Row(NamedTuple):
    """One measurement: milliseconds warm and cold, megabytes, and what the design allows (``None``: nothing said)."""

    what: str
    median: float | None
    p95: float | None
    cold: float | None = None
    memory: float | None = None
    held: str = ""


def main() -> int:
    """Measure everything and print the table."""
    with tempfile.TemporaryDirectory() as home:
        rows = [*numbers(home), *formulas(home), *batches(home)]
    width = max(len(row.what) for row in rows)
    print(f"{'':<{width}}   median      p95     cold   memory   design")
    print(f"{'':<{width}}       ms       ms       ms      MiB")
    for row in rows:
        shown = (f"{value:8.3f}" if value is not None else f"{'':8}" for value in row[1:5])
        print(f"{row.what:<{width}} {' '.join(shown)}   {row.held}".rstrip())
    return 0


def held(what: str, ours: float, most: float) -> str:
    """Whether a limit of the design holds."""
    return f"{what} at most {most:g}: {'ok' if ours <= most else 'OVER'}"


# --- warm -------------------------------------------------------------------------------------------------------------


def times(calls: Sequence[Callable[[], object]], repeats: int = REPEATS) -> list[float]:
    """Milliseconds of each single call, the first round not counted."""
    for call in calls:
        call()
    found = []
    for _ in range(repeats):
        for call in calls:
            start = time.process_time()  # of this process alone, however busy the machine is
            call()
            found.append((time.process_time() - start) * 1000)
    return sorted(found)


def spread(found: Sequence[float]) -> tuple[float, float]:
    """The median and the 95th percentile."""
    return statistics.median(found), found[int(len(found) * 0.95)]


def numbers(home: str) -> Iterator[Row]:
    """float() and our checks of numbers."""
    plain = [word for _, word in NUMBERS["right"] if word.replace(".", "").isdigit()]
    cold, memory = fresh(home, "float('1.07')")
    yield Row("float(text)", *spread(times([lambda word=word: float(word) for word in plain])), cold, memory)
    for kind, rows in NUMBERS.items():
        calls = [lambda row=row: check_part(*row) for row in rows]
        median, p95 = spread(times(calls))
        cold, memory = program(home, "check", *rows[0])
        limits = [held("median", median, 1), held("cold", cold, 45)]
        yield Row(f"check of a number, {kind}", median, p95, cold, memory, ", ".join(limits))


def formulas(home: str) -> Iterator[Row]:
    """Our check of the formulas, and sympy's two ways to compare the very same ones."""
    typed = readable()
    checks = [lambda word=word: check_part(FORMULA, word) for word in typed]
    median, p95 = spread(times(checks))
    cold, memory = program(home, "check", FORMULA, "2BSLdp")
    yield Row(f"check of a formula ({len(typed)} of them)", median, p95, cold, memory, held("p95", p95, 5))
    cold, memory = program(home, "check", FORMULA, "(B+B)*S*L*d_model*p")
    free = [lambda question=question, word=word: check(question, word) for question, word in registered()]
    median, p95 = spread(times(free))
    yield Row(f"... of every registered formula ({len(free)})", median, p95, cold, memory, held("p95", p95, 5))
    import sympy

    pairs = [(sympy_of(word), sympy_of(text(RIGHT, plain=True))) for word in typed]
    for name, same in (
        ("sympy: simplify(a - b) == 0", lambda a, b: sympy.simplify(a - b) == 0),
        ("sympy: a.equals(b)", lambda a, b: a.equals(b)),
    ):
        found = times([lambda pair=pair, same=same: same(*pair) for pair in pairs], 1)
        one = "simplify(a - b) == 0" if "simplify" in name else "a.equals(b)"
        cold, memory = fresh(
            home, f"from sympy import symbols, simplify; B, S, L, d, p = symbols('B S L d p'); a = 2*B*S*L*d*p; "
            f"b = (B+B)*S*L*d*p; {one}"
        )  # fmt: skip
        yield Row(name, *spread(found), cold, memory)


def readable() -> list[str]:
    """The formulas of the case list that the course's own question can read."""
    lines = CASES.read_text(encoding="utf-8").splitlines()
    rows = (line.split("|") for line in lines if line.startswith("kv "))
    return [row[1].strip() for row in rows if row[2].strip() != "invalid"]


def registered() -> Iterator[tuple[Expectation, str]]:
    """Every registered formula as a question, with a right answer in another spelling and a wrong one."""
    from engine.answers.symbolic import named

    for name in registry.names():
        question = Expectation("formula", name, symbols={symbol: symbol for symbol in named(name)})
        right = text(registry.expanded(name), plain=True)
        if len(right) < 280:
            yield question, f"({right})*6/3/2"
            yield question, f"3*({right})"


def sympy_of(typed: str) -> Any:
    """A typed formula as sympy would be given it, the identity put in."""
    from content.checking import FORMULA_SYMBOLS
    from engine.reader.names import Names
    from engine.reader.read import read

    try:
        tree: Tree = read(typed.removesuffix(".").removesuffix(" bytes"), Names(FORMULA_SYMBOLS, units=False)).tree
    except ReadError:
        tree = RIGHT
    return symbolic.expression(substitute(tree, {name: formula_tree(value) for name, value in HEADS}))


# --- cold, and many ---------------------------------------------------------------------------------------------------

_MEASURED = """
import resource, sys
try:
    with open("/proc/self/status") as status:
        most = next(line.split()[1] for line in status if line.startswith("VmHWM"))
except OSError:
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
used = resource.getrusage(resource.RUSAGE_SELF)
print(most, used.ru_utime + used.ru_stime, file=sys.stderr)
"""
"""Behind a piece of code: the most memory in KiB (ru_maxrss would count what the parent held), and the time used."""


class Ran(NamedTuple):
    """A process that ended: the milliseconds of processor that it took, and the most MiB it held."""

    used: float
    memory: float


def fresh(home: str, code: str) -> tuple[float, float]:
    """A fresh process that runs some code: milliseconds over ``python -c pass``, and the most memory it held."""
    return _over_pass(home, [sys.executable, "-c", code + "\n" + _MEASURED])


def program(home: str, *words: str) -> tuple[float, float]:
    """The same of our program."""
    code = f"from tutor import cli; cli.run({list(words)!r})"
    return _over_pass(home, [sys.executable, "-c", code + "\n" + _MEASURED])


def _over_pass(home: str, command: Sequence[str]) -> tuple[float, float]:
    rounds = []
    for _ in range(ROUNDS):  # interleaved, so that a busy moment hits both alike
        rounds.append((_run(home, [sys.executable, "-c", "pass" + _MEASURED]), _run(home, command)))
    base, ours = (statistics.median(pair[place].used for pair in rounds) for place in (0, 1))
    return ours - base, max(pair[1].memory for pair in rounds)


def _run(home: str, command: Sequence[str]) -> Ran:
    env = {**os.environ, **environment(home)}
    done = subprocess.run(command, env=env, capture_output=True, check=True)
    memory, used = done.stderr.split()[-2:]
    return Ran(float(used) * 1000, int(memory) / 1024)


def batches(home: str) -> Iterator[Row]:
    """Whole batches: no answer comes twice."""
    mixed = [*course_lines(0), *formula_lines(), *free_lines(), *course_lines(40)]
    for name, lines in (
        ("course answers", course_lines(0)),
        ("answers to 40 variants", course_lines(40)),
        ("formulas", formula_lines()),
        ("free questions", free_lines()),
        ("all of these", mixed),
    ):
        many = list(lines)
        file = Path(home) / "lines.jsonl"
        file.write_text("\n".join(map(json.dumps, many)))
        base = _run(home, [sys.executable, "-c", "pass" + _MEASURED])
        code = f"from tutor import cli; cli.run(['check', '--batch', {str(file)!r}])"
        done = _run(home, [sys.executable, "-c", code + "\n" + _MEASURED])
        used = done.used - base.used
        rate = f"{1000 * len(many) / used:,.0f} answers/s of one processor"
        yield Row(f"batch of {len(many)}: {name}", used / len(many), None, used, done.memory, rate)


def course_lines(variants: int) -> Iterator[dict[str, object]]:
    """Right, wrong and unreadable answers to every computed part, of the course as written or of variants of it."""
    for track in course.index().tracks:
        for entry in track.exercises:
            for variant in range(1, variants + 1) if variants else (0,):
                if variant and not course.can_vary(course.exercise(entry.id)):
                    continue
                for part in course.exercise(address.join(entry.id, variant)).parts:
                    if part.kind in ("number", "integer", "percent", "factor"):
                        yield from part_lines(part.id, variant)


def part_lines(part_id: str, variant: int) -> Iterator[dict[str, object]]:
    """A class's answers to one part: half of them right, every one written in its own way."""
    _, part = course.part(part_id)
    right = result(part.formula, part.given) / get(part.unit).factor
    plain = address.plain(part_id)
    scales = (2, "1/2", 4, 8, 3, "1.0737", "0.9313", 10, 1000) if not variant else (2, "1/2")
    spelled = [number(right, digits) for digits in range(3, 12 if not variant else 5)]
    spelled += [number(right * registry.exact("scale", scale), 4) for scale in scales]
    spelled += [f"{spelled[0]} kg", f"{spelled[0]} or 2", "about", "(3*4"] if not variant else [f"{spelled[0]} kg"]
    for answer in dict.fromkeys(spelled):
        yield {"id": plain, "variant": variant, "answer": answer}


def formula_lines() -> Iterator[dict[str, object]]:
    """The formulas of the case list, each in ten spellings."""
    for word in readable():
        for times_ in range(1, 11):
            bare = word.removeprefix("KV =").removeprefix("KV=").removesuffix(".").removesuffix(" bytes")
            yield {"id": FORMULA, "answer": word if times_ == 1 else f"({bare})*{times_}/{times_}"}


def free_lines() -> Iterator[dict[str, object]]:
    """Questions of one's own of every kind."""
    given = {"B": 1, "S": 2048, "L": 32, "d_model": 4096, "p": 2}
    value = {"kind": "number", "value": 1.0737, "unit": "GB", "rel_tol": 0.01}
    computed = {"kind": "number", "formula": "kv_cache", "given": given, "unit": "GB"}
    choice = {"kind": "choice", "options": ["cache", "weights"], "value": "A"}
    for n in range(100):
        yield {"expect": value, "answer": f"{1 + n / 500} GB"}
        yield {"expect": computed, "answer": f"{0.1 * n:.3f}"}
        yield {"expect": {"kind": "formula", "formula": "headroom"}, "answer": f"capacity - total*{n}/{n or 1}"}
        yield {"expect": choice, "answer": "ab"[n % 2]}


if __name__ == "__main__":
    sys.exit(main())
