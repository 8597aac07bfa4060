"""The six factors of the KV cache: each row multiplies the one above it, from one number to the caches of all requests.

Bars are logarithmic, since factors multiply: the dark end of a bar is what its own factor adds. With a budget the
figure also says how many whole requests go into it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import log2

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
from tutor.figures.state import State, hidden, number, put, whole, word

WIDE, WIDEST = 78, 104
"""Columns from which a row says what its product is, and from which it gives the exact bytes too."""
_SYMBOL, _VALUE, _AMOUNT, _MEANING, _EXACT = 9, 14, 8, 19, 22
_LEAST_BAR = 5


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
    unit = "bytes" if factor == "p" else word(state, "unit") if factor in ("S", "B") else "KiB"
    return pen.amount(value, unit, 3)


def _cells(state: State, room: int) -> tuple[int, ...]:
    """Cells that each factor adds to the bar: one for each doubling, brought to the room. Bits keep half a byte > 1."""
    factors = (8 * number(state, "p"), *(Fraction(whole(state, name)) for name in ("L", "S", "B")))
    bits, layers, tokens, requests = (log2(factor) for factor in factors)
    return apportion([bits, log2(width(state)), 1, layers, tokens, requests], room)


def _row(state: State, place: int, value: Fraction, cells: Sequence[int], pen: Pen) -> Row:
    """One factor: its symbol and value, the product, and the bar with what this factor adds."""
    factor = FACTORS[place]
    chosen = factor == word(state, "dial")
    mark = ("▌" if chosen else " ") + ("  " if not place else "× ")
    symbol, text = _symbol(state, factor), _value(state, factor, pen)
    meaning = pen.say(f"kv-factors.makes.{factor}") if not hidden(state, factor) else "?"
    amount = _amount(state, factor, value, pen)
    parts: list[Part] = [
        ((mark + symbol).ljust(_SYMBOL + 1), ACCENT if chosen else ""),
        (text.rjust(_VALUE), ACCENT if chosen else ""),
    ]
    if pen.width >= WIDE:
        parts.append((f"  {meaning.ljust(_MEANING)}", DIM))
    parts.append((f" {amount.rjust(_AMOUNT)}", STRONG))
    if pen.width >= WIDEST:
        exact = (
            "" if (hidden(state, "products") and place) or value.denominator != 1 else pen.count("bytes", int(value))
        )
        parts.append((exact.rjust(_EXACT), DIM))
    if cells:
        parts += [" ", ("▒" * sum(cells[:place]), DIM), ("█" * cells[place], TEAL)]
    said = f"{'× ' if place else ''}{symbol}, {text}: {meaning}, {amount}"
    return pen.row(*parts, said=pen.fold(said))


def _ladder(state: State, pen: Pen) -> list[Row]:
    """The six rows."""
    used = _SYMBOL + 1 + _VALUE + 1 + _AMOUNT + 1
    used += (_MEANING + 2 if pen.width >= WIDE else 0) + (_EXACT if pen.width >= WIDEST else 0)
    room = pen.width - used
    cells = _cells(state, room) if room >= _LEAST_BAR and not hidden(state, "products") else ()
    rows = [_row(state, place, value, cells, pen) for place, value in enumerate(products(state))]
    return [*rows, pen.art((pen.say("kv-factors.scale"), DIM), rank=6)] if cells else rows


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
