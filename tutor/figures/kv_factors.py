"""The six factors of the KV cache: each row multiplies the one above it, from one number to the caches of all requests.

Bars are logarithmic, since factors multiply: the dark end of a bar is what its own factor adds. With a budget the
figure also says how many whole requests go into it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import log2
from typing import NamedTuple

from engine.units import grouped
from tutor.figures.base import Figure, FigureKey
from tutor.figures.factors import (
    BASE,
    BYTES,
    DIALS,
    FACTORS,
    SHARING,
    choose,
    clean,
    fitting,
    products,
    shape,
    shared,
    turn,
    width,
)
from tutor.figures.numbers import PRECISIONS
from tutor.figures.parameters import Parameter
from tutor.figures.pen import ACCENT, DIM, KV, STRONG, TEAL, Part, Pen
from tutor.figures.rows import Row, apportion
from tutor.figures.shell import Shell, calc
from tutor.figures.sizes import LEAST, sized, suited
from tutor.figures.state import State, hidden, number, put, whole, word

WIDE, WIDEST = 78, 104
"""Columns from which a row says what its product is, and from which it gives the exact bytes too."""
_LEAST_BAR, _SCALE = 5, 6
"""Cells of the shortest bar, and the rank of the line that says its scale."""
_KIB = 1 << 10


def _symbol(state: State, factor: str) -> str:
    """A factor as the formula has it; where heads share, their KV heads stand in the place of d_model."""
    if factor == "width":
        return "KV" if shared(state) else "d_model"
    return {"two": "2"}.get(factor, factor)


def _value(state: State, factor: str, pen: Pen) -> str:
    """A factor with its noun; the bare number where the exercise asks what it stands for."""
    told = not hidden(state, factor)
    if factor == "p":
        return pen.amount(number(state, "p"), "bytes") if told else pen.amount(number(state, "p"), "none")
    if factor == "two":
        return pen.say("kv-factors.two") if told else "?"
    if factor == "width" and shared(state):
        return f"{whole(state, 'n_kv_heads')} × {whole(state, 'd_head')}"
    count = width(state) if factor == "width" else whole(state, factor)
    return pen.count(_NOUNS[factor], count) if told else grouped(count)


_NOUNS = {"width": "numbers", "L": "layers", "S": "tokens", "B": "requests"}


def _amount(state: State, factor: str, value: Fraction, pen: Pen) -> str:
    """The product up to a factor; bytes and KiB are for what is small, the reader's unit for whole requests."""
    if hidden(state, "p" if factor == "p" else "products"):
        return "?"
    if value < _KIB:
        return pen.amount(value, "bytes")
    if factor in ("S", "B"):
        return pen.amount(value, suited(value, word(state, "unit")), 3)
    return pen.amount(value, "KiB" if value < LEAST else sized(value, "KiB"), 3)


def _cells(state: State, room: int) -> tuple[int, ...]:
    """Cells that each factor adds to the bar: one for each doubling, brought to the room. Bits keep half a byte > 1."""
    factors = (8 * number(state, "p"), *(Fraction(whole(state, name)) for name in ("L", "S", "B")))
    bits, layers, tokens, requests = (log2(factor) for factor in factors)
    return apportion([bits, log2(width(state)), 1, layers, tokens, requests], room)


class _Line(NamedTuple):
    """What one factor has to say."""

    sign: str
    value: str
    short: str
    """The value without its noun."""
    meaning: str
    amount: str
    exact: str


def _line(state: State, place: int, product: Fraction, pen: Pen) -> _Line:
    factor = FACTORS[place]
    known, told = not hidden(state, factor), not (place and hidden(state, "products"))
    value = _value(state, factor, pen)
    count = value.split(" ", 1)[0]
    return _Line(
        ("   " if not place else " × ") + _symbol(state, factor),
        value,
        count if factor in _NOUNS and "×" not in value else value,
        pen.say(f"kv-factors.makes.{factor}") if known else "?",
        _amount(state, factor, product, pen),
        pen.count("bytes", int(product)) if told and product.denominator == 1 else "",
    )


class _Columns(NamedTuple):
    """Cells of each column, blanks between them included; 0 where it has no room."""

    sign: int
    value: int
    meaning: int
    amount: int
    exact: int
    bar: int
    nouns: bool
    """Whether a value stands with its noun."""


def _columns(lines: Sequence[_Line], wide: int) -> _Columns:
    """The columns that a width has room for: what each product is, its exact bytes and the bar leave in that order."""

    def cells(texts: Iterable[str], between: int) -> int:
        return max(map(len, texts)) + between

    sign = cells((one.sign for one in lines), 1)
    amount = cells((one.amount for one in lines), 1)
    value = cells((one.value for one in lines), 0)
    if nouns := sign + value + amount <= wide:
        room = wide - sign - value - amount
    else:
        value = cells((one.short for one in lines), 0)
        room = wide - sign - value - amount
    meaning = cells((one.meaning for one in lines), 2) if wide >= WIDE else 0
    exact = cells((one.exact for one in lines), 2) if wide >= WIDEST else 0
    bar = room - meaning - exact - 1
    if bar < _LEAST_BAR and exact:
        exact, bar = 0, bar + exact
    if bar < _LEAST_BAR and meaning:
        meaning, bar = 0, bar + meaning
    return _Columns(sign, value, meaning, amount, exact, bar if bar >= _LEAST_BAR else 0, nouns)


def _row(state: State, place: int, line: _Line, cells: Sequence[int], columns: _Columns, pen: Pen) -> Row:
    """One factor: its symbol and value, the product, and the bar with what this factor adds."""
    chosen = FACTORS[place] == word(state, "dial")
    sign = ("▌" + line.sign[1:] if chosen else line.sign).ljust(columns.sign)
    value = (line.value if columns.nouns else line.short).rjust(columns.value)
    parts: list[Part] = [(sign, ACCENT if chosen else ""), (value, ACCENT if chosen else "")]
    if columns.meaning:
        parts.append((f"  {line.meaning}".ljust(columns.meaning), DIM))
    parts.append((line.amount.rjust(columns.amount), STRONG))
    if columns.exact:
        parts.append((line.exact.rjust(columns.exact), DIM))
    if cells:
        parts += [" ", ("▒" * sum(cells[:place]), DIM), ("█" * cells[place], TEAL)]
    said = f"{line.sign.strip()}, {line.value}: {line.meaning}, {line.amount}"
    return pen.row(*parts, said=pen.fold(said))


def _ladder(state: State, pen: Pen) -> list[Row]:
    """The six rows."""
    lines = [_line(state, place, product, pen) for place, product in enumerate(products(state))]
    columns = _columns(lines, pen.width)
    cells = _cells(state, columns.bar) if columns.bar and not hidden(state, "products") else ()
    rows = [_row(state, place, line, cells, columns, pen) for place, line in enumerate(lines)]
    scale = pen.wrapped(pen.say("kv-factors.scale"), DIM, _SCALE) if cells else []
    return [*rows, *(Row(line.content, line.rank, "") for line in scale)]


def _budget(state: State, pen: Pen) -> list[Row]:
    """The budget with its whole requests, each in a shade other than its neighbour's, and what is left."""
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
    """So many requests over so many cells; more requests than cells run together."""
    if count > cells:
        return [("K" * cells, KV)]
    edges = [cells * place // count for place in range(count + 1)] if count else []
    return [(("k" if place % 2 else "K") * (end - start), KV) for place, (start, end) in enumerate(pairwise(edges))]


def paint(state: State, pen: Pen) -> list[Row]:
    """The ladder of products, and the budget where there is one."""
    return [*_ladder(state, pen), *_budget(state, pen)]


def notice(state: State, pen: Pen) -> str:
    """What sharing saves, what the budget holds, what a request more costs, or that all of it multiplies."""
    if hidden(state, "products") or hidden(state, "fits"):
        return pen.say("kv-factors.notice.asked")
    if number(state, "budget"):
        count, left = fitting(state)
        if not left:
            return pen.say("kv-factors.notice.full", n=grouped(count))
        return pen.say("kv-factors.notice.fits", n=grouped(count), left=pen.amount(left, word(state, "unit")))
    if shared(state):
        saved = pen.amount(Fraction(whole(state, "n_head"), whole(state, "n_kv_heads")), "x")
        return pen.say("kv-factors.notice.shared", n=whole(state, "n_kv_heads"), heads=whole(state, "n_head"), x=saved)
    if whole(state, "B") > 1:
        return pen.say("kv-factors.notice.batch", n=grouped(whole(state, "B")))
    return pen.say("kv-factors.notice.alone", token=pen.amount(products(state)[3], "KiB", 3))


def commands(state: State) -> Sequence[Shell]:
    """The cache, a token of it, and the requests of the budget; what an exercise asks for gets no command."""
    if hidden(state, "products") or hidden(state, "fits"):
        return ()
    load = {**shape(state), "S": whole(state, "S")}
    made = [calc("kv_cache", {"B": whole(state, "B"), **load}, word(state, "unit")), calc("kv_per_token", shape(state))]
    budget = number(state, "budget")
    return [calc("max_requests", {"budget": budget, **load}), *made] if budget else made


FIGURE = Figure(
    "kv-factors",
    BASE,
    (
        FigureKey("right", partial(turn, by=1), "key.more"),
        FigureKey("left", partial(turn, by=-1), "key.less"),
        FigureKey("down", partial(choose, by=1), "kv-factors.key.next"),
        FigureKey("up", partial(choose, by=-1), "kv-factors.key.previous"),
        FigureKey("unit", lambda state: put(state, unit="GiB" if word(state, "unit") == "GB" else "GB"), "key.unit"),
    ),
    paint,
    clean,
    frozenset({"d_model"}),
    notice=notice,
    parameters=(
        Parameter("model", "model", fills=("L", "n_head", "n_kv_heads", "d_head"), part=SHARING),
        Parameter("p", "format", BYTES[0], PRECISIONS[-1], BYTES),
        Parameter("n_kv_heads", "count", 1, 1024, part=SHARING),
        Parameter("d_head", "count", 1, 1 << 16),
        *(Parameter(name, "count", 1, 10**9, DIALS[name]) for name in ("L", "S", "B")),
        Parameter("budget", "bytes", 0, 10**15),
        Parameter("unit", "choice", choices=("GB", "GiB")),
    ),
    commands=commands,
)
