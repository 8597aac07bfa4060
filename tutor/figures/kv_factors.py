"""The six factors of the KV cache: each row multiplies the one above it, from one number to the caches of all requests.

Bars are logarithmic, since factors multiply: the dark end of a bar is its own factor, as long as any equal one. With a
budget the figure also says how many whole requests go into it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial

from engine.units import grouped
from tutor.figures.base import Figure, FigureKey
from tutor.figures.factor_budget import budget_rows
from tutor.figures.factor_columns import Columns, Line, bar_start, columns_for, pieces
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
    shared,
    turn,
    width,
)
from tutor.figures.numbers import PRECISIONS, shape
from tutor.figures.parameters import Parameter
from tutor.figures.pen import ACCENT, DIM, STRONG, TEAL, Part, Pen
from tutor.figures.rows import Row
from tutor.figures.shell import Shell, calc
from tutor.figures.sizes import sized, suited
from tutor.figures.state import State, hidden, number, put, whole, word

_SCALE = 6
"""Rank of the line that says the scale of the bars."""
_GOOD_BAR, _TALL = 24, 20
"""Cells from which a bar stands well beside its row, and the rows of height from which a shorter one gets its own."""
_OWN = 10**8
"""Bytes of whole requests from which they are in the reader's unit, 0.1 GB and more."""
_INDENT = 3
"""Columns before a bar on a row of its own, those of the sign."""


def _symbol(state: State, factor: str) -> str:
    """A factor as the formula has it; where heads share, the numbers of their KV heads stand for d_model."""
    if factor == "width":
        return "d_kv" if shared(state) else "d_model"
    return {"two": "2"}.get(factor, factor)


def _value(state: State, factor: str, pen: Pen) -> str:
    """A factor with its noun; the bare number where the exercise asks what it stands for."""
    told = not hidden(state, factor)
    if factor == "p":
        return pen.amount(number(state, "p"), "bytes") if told else pen.amount(number(state, "p"), "none")
    if factor == "two":
        return pen.say("kv-factors.two") if told else "?"
    if factor == "width" and shared(state):
        heads = whole(state, "n_kv_heads")
        return pen.say(f"kv-factors.head{'s' if heads > 1 else ''}", n=heads, d=whole(state, "d_head"))
    count = width(state) if factor == "width" else whole(state, factor)
    return pen.count(_NOUNS[factor], count) if told else grouped(count)


_NOUNS = {"width": "numbers", "L": "layers", "S": "tokens", "B": "requests"}


def _amount(state: State, factor: str, value: Fraction, pen: Pen) -> str:
    """The product up to a factor, all in the reader's family of units; whole requests in the unit of it they chose."""
    unit = word(state, "unit")
    if hidden(state, "p" if factor == "p" else "products"):
        return "?"
    if value < (1000 if unit == "GB" else 1024):
        return pen.amount(value, "bytes")
    own = factor in ("S", "B") and value >= _OWN
    return pen.amount(value, suited(value, unit) if own else sized(value, unit), 3)


def _line(state: State, place: int, product: Fraction, pen: Pen) -> Line:
    factor = FACTORS[place]
    known, told = not hidden(state, factor), not (place and hidden(state, "products"))
    silent = hidden(state, "products") and hidden(state, "p")  # no product is known yet: a column of "?" says nothing
    value = _value(state, factor, pen)
    short = value.split(" ", 1)[0] if factor in _NOUNS else value
    if factor == "width" and shared(state):
        short = f"{whole(state, 'n_kv_heads')} × {whole(state, 'd_head')}"
    return Line(
        ("   " if not place else " × ") + _symbol(state, factor),
        value,
        short,
        pen.say(f"kv-factors.makes.{factor}") if known else "" if silent else "?",
        "" if silent else _amount(state, factor, product, pen),
        pen.count("bytes", int(product)) if told and product.denominator == 1 else "",
    )


def _row(state: State, place: int, line: Line, cells: Sequence[int], columns: Columns, pen: Pen) -> Row:
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
        parts += [" ", *_bar(cells, place)]
    said = f"{line.sign.strip()}, {line.value}: {line.meaning}, {line.amount}"
    return pen.row(*parts, said=pen.fold(said))


def _bar(cells: Sequence[int], place: int) -> list[Part]:
    """The product up to a factor, its own piece at the end."""
    return [("▒" * sum(cells[:place]), DIM), ("█" * cells[place], TEAL)]


def _ladder(state: State, pen: Pen) -> list[Row]:
    """The six rows, each with its bar beside it or, in a tall window that is not wide, below it."""
    lines = [_line(state, place, product, pen) for place, product in enumerate(products(state))]
    columns, drawn = columns_for(lines, pen.width), not hidden(state, "products")
    tall = pen.height >= _TALL + len(budget_rows(state, pen))
    if below := drawn and tall and columns.bar < _GOOD_BAR:
        columns = columns_for(lines, pen.width, bars=False)
    cells = pieces(state, pen.width - _INDENT if below else columns.bar) if drawn and (below or columns.bar) else ()
    before = columns.sign + columns.value + columns.meaning
    head = (pen.say("kv-factors.so-far").rjust(columns.amount), DIM)
    rows = [pen.art(" " * before, head, rank=_SCALE)] if cells else []
    for place, line in enumerate(lines):
        rows.append(_row(state, place, line, () if below else cells, columns, pen))
        if below:
            rows.append(pen.art(" " * _INDENT, *_bar(cells, place), rank=_SCALE))
    start = pen.amount(bar_start(state), "bytes") if bar_start(state) != 1 else pen.count("bytes", 1)
    scale = pen.wrapped(pen.say("kv-factors.scale", start=start), DIM, _SCALE) if cells else []
    return [*rows, *(Row(line.content, line.rank, "") for line in scale)]


def paint(state: State, pen: Pen) -> list[Row]:
    """The ladder of products, and the budget where there is one."""
    return [*_ladder(state, pen), *budget_rows(state, pen)]


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
    return pen.say("kv-factors.notice.alone", token=_amount(state, "L", products(state)[3], pen))


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
        Parameter("budget", "bytes", 0, 10**15, unset=True),
        Parameter("unit", "choice", choices=("GB", "GiB")),
    ),
    commands=commands,
)
