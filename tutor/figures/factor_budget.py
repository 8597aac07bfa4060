"""Under the six factors: a budget of memory with the whole requests that fit."""

from __future__ import annotations

from itertools import pairwise

from engine.units import grouped
from tutor.figures.factors import fitting
from tutor.figures.pen import DIM, KV, STRONG, Part, Pen
from tutor.figures.rows import Row, apportion
from tutor.figures.state import State, hidden, number, word


def budget_rows(state: State, pen: Pen) -> list[Row]:
    """The budget with its whole requests, each with a line before its neighbour, and what is left."""
    if not number(state, "budget"):
        return []
    unit, count, left = word(state, "unit"), *fitting(state)
    told = not hidden(state, "fits")
    head = pen.say("kv-factors.budget", amount=pen.amount(number(state, "budget"), unit))
    fits = pen.say("kv-factors.fits", n=grouped(count) if told else "?")
    rest = pen.say("kv-factors.left", amount=pen.amount(left, unit) if told else "?")
    inner = pen.width - 2
    bar: list[Part] = [("?" * inner, DIM)]
    if told:
        full, empty = apportion([number(state, "budget") - left, left], inner)
        bar = [*_boxes(count, full), (pen.dot * empty, DIM)]
    one_line = len(pen.fold(fits + rest)) + 2 <= pen.width
    said = [pen.row((fits, STRONG), *([f"  {rest}"] if one_line else []), said=f"{fits}, {rest}")]
    return [
        pen.gap(),
        pen.row(head, rank=2),
        Row(pen.art("│", *bar, "│").content, 3, ""),
        *said,
        *([] if one_line else [pen.art(rest, rank=1)]),
    ]


def _boxes(count: int, cells: int) -> list[Part]:
    """So many requests over so many cells, a line between two of them; where no line has room they run together."""
    if 2 * count > cells:
        return [("K" * cells, KV)]
    edges = [cells * place // count for place in range(count + 1)] if count else []
    runs: list[Part] = []
    for start, end in pairwise(edges):
        runs += [("│" if start else "K", DIM if start else KV), ("K" * (end - start - 1), KV)]
    return runs
