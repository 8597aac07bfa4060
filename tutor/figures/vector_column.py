"""FI-2, one token as a column of d_model numbers, and what the column weighs in bytes.

The column's height is logarithmic: each row up stands for twice as many numbers, or 4, 8 times where the window is
short. The scale beside it names the numbers, and the figure says that it is so. In a tall window bars on a linear scale
stand below, one for each usual length.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from engine.units import grouped
from tutor.figures.base import Figure, FigureKey
from tutor.figures.numbers import PRECISIONS, Args, calc, precision
from tutor.figures.parameters import Parameter
from tutor.figures.pen import ACCENT, DIM, STRONG, Pen, beside
from tutor.figures.rows import Row
from tutor.figures.shell import Shell
from tutor.figures.shell import calc as command
from tutor.figures.state import State, between, hidden, number, put, step, whole

SIZES = (8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 5120, 8192)
MOST = 1 << 20
"""The longest vector that is drawn."""
_SCALE = 8192
"""The scale reaches this far at least."""
_BOX = 9
_FACTS = 26
"""Columns of the product beside the column, where more stands at its right."""
_TABLE = 38
"""Columns that the other formats take at least."""
_SHARES = 8
"""Cells of a bar come in so many, so that a half, a quarter and an eighth are whole ones."""
_NOTE = 8
_USUAL = 1024
"""From this length on a column is set beside the others."""


def ticks(length: int, factor: int) -> list[int]:
    """The places of a vector that the drawing shows, from below: 1, then always ``factor`` times as far, then the last.

    One row each, so their count is the height of the column.
    """
    places, place = [], 1
    while place <= length:
        places.append(place)
        place *= factor
    return places if places[-1] == length else [*places, length]


def scale(length: int, room: int) -> int:
    """How many times as many numbers each row up stands for: the smallest power of 2 with which all fits the room."""
    factor = 2
    while len(ticks(max(length, _SCALE), factor)) + 2 > room and factor < _SCALE:
        factor *= 2
    return factor


def _sample(place: int) -> str:
    """A made-up entry of the vector, the same every time."""
    value = (place * 37 - 26) % 199 - 99
    return f"{value / 100:+.2f}"


def _column(length: int, factor: int, pen: Pen) -> list[Row]:
    """The column on its scale, bottom up; the rows above it are the room in which it can grow."""
    inside = ticks(length, factor)
    above = len(ticks(max(length, _SCALE), factor)) - len(inside)
    margin = len(str(max(length, _SCALE)))
    edge, blank = "─" * _BOX, " " * margin
    return [
        *[pen.art("")] * above,
        pen.art(blank, f" ┌{edge}┐"),
        *[pen.art(f"{place:>{margin}} │{_sample(place):^{_BOX}}│") for place in reversed(inside)],
        pen.art(blank, f" └{edge}┘"),
    ]


def _weight(total: Fraction, pen: Pen) -> str:
    return pen.amount(total, "bytes", 12) if total < 1000 else f"{grouped(int(total))} bytes"


def _product(state: State, width: int, pen: Pen) -> list[Row]:
    """Numbers times bytes of each, and what that makes."""
    length, size = whole(state, "d_model"), number(state, "p")
    total = calc("vector_bytes", d_model=length, p=size)
    words = "each" if size in PRECISIONS and not hidden(state, "name") else "size"
    each = pen.say(f"vector-column.{words}", name=precision(size), size=pen.amount(size, "bytes"))
    shown = "?" if hidden(state, "bytes") else _weight(total, pen)
    lines = [(each, ""), (f"= {shown}", STRONG)]
    if total >= 1024 and not hidden(state, "KiB") and not hidden(state, "bytes"):
        lines.append((f"= {pen.amount(total, 'KiB')}", DIM))
    height = f"d_model = {grouped(length)} {pen.say('vector-column.numbers')}"
    name, numbers = height.split(" ", 1)
    one = [height] if len(height) <= width else [name, numbers]
    first, *rest = [row for text in one for row in pen.wrapped(text, ACCENT, width=width)]
    return [
        Row(first.content, 0, height),
        *[Row(row.content, 0, "") for row in rest],
        *[row for text, style in lines for row in pen.wrapped(text, style, width=width)],
    ]


def _bars(head: str, names: Sequence[str], totals: Sequence[Fraction], chosen: int, width: int, pen: Pen) -> list[Row]:
    """Weights as bars on one linear scale under a heading, the one at hand marked."""
    amounts = [_weight(total, pen) for total in totals]
    name, amount = max(map(len, names)), max(map(len, amounts))
    cells = width - name - amount - 4
    cells -= cells % _SHARES
    rows = [pen.row((head, DIM))]
    for place, (label, total, text) in enumerate(zip(names, totals, amounts, strict=True)):
        style = ACCENT if place == chosen else ""
        bar = ("█" * max(1, round(cells * total / max(totals)))).ljust(cells)
        parts = (("▌" if place == chosen else " ") + label.ljust(name), f" {bar} ", text.rjust(amount))
        rows.append(pen.row(*[(part, style) for part in parts], said=f"{label}: {text}"))
    return rows


def _formats(state: State, width: int, pen: Pen) -> list[Row]:
    """The same column with every usual number format."""
    length, chosen = whole(state, "d_model"), number(state, "p")
    sizes = sorted({*PRECISIONS, chosen}, reverse=True)
    named = set() if hidden(state, "name") else set(PRECISIONS)
    names = [pen.amount(s, "bytes") + (f" {precision(s)}" if s in named else "") for s in sizes]
    totals = [calc("vector_bytes", d_model=length, p=s) for s in sizes]
    return _bars(pen.say("vector-column.formats"), names, totals, sizes.index(chosen), width, pen)


def _lengths(state: State, pen: Pen) -> list[Row]:
    """Columns of the usual lengths in this format: twice the numbers, twice the bar."""
    length, size = whole(state, "d_model"), number(state, "p")
    lengths = sorted({*(n for n in SIZES if n >= _USUAL), length})
    totals = [calc("vector_bytes", d_model=n, p=size) for n in lengths]
    margin = len(grouped(lengths[-1]))
    names = [f"{grouped(n):>{margin}}" for n in lengths]
    return [pen.gap(), *_bars(pen.say("vector-column.lengths"), names, totals, lengths.index(length), pen.width, pen)]


def _middle(rows: Sequence[Row], height: int, pen: Pen) -> list[Row]:
    """The rows with empty ones above, so that they stand at half the height."""
    return [*[pen.art("")] * max(0, (height - len(rows)) // 2), *rows]


def _right(state: State, width: int, height: int, pen: Pen) -> list[Row]:
    """The product, with the other formats at its right, or below it where only the column is tall enough."""
    if hidden(state, "bytes"):
        return _product(state, width, pen)
    if width >= _FACTS + _TABLE:
        product, formats = _product(state, _FACTS - 2, pen), _formats(state, width - _FACTS, pen)
        tall = max(len(product), len(formats))
        return beside(_middle(product, tall, pen), _middle(formats, tall, pen), _FACTS, pen)
    product = _product(state, width, pen)
    formats = _formats(state, width, pen) if width >= _TABLE else []
    spare = height - len(product) - len(formats)
    return product if spare < 0 or not formats else [*product, *[pen.art("")] * min(1, spare), *formats]


def _told(length: int, factor: int, pen: Pen) -> list[Row]:
    """What the height means. The top row is the last number, even where that is no whole step up."""
    even = len(ticks(length, factor)) < 2 or length == factor * ticks(length, factor)[-2]
    text = pen.say(f"vector-column.{'scale' if even else 'scale-end'}", factor=factor)
    return [Row(row.content, row.rank, "") for row in pen.wrapped(text, DIM, _NOTE)]


def paint(state: State, pen: Pen) -> list[Row]:
    """The column at the left, the product and the other formats beside it; in a tall window other lengths below."""
    length = whole(state, "d_model")
    note = [] if hidden(state, "note") else pen.caption(notice(state, pen))
    factor = scale(length, max(8, pen.height - len(note)))
    column = _column(length, factor, pen)
    at = max(row.content.cell_length for row in column) + 2
    right = _right(state, pen.width - at, len(column), pen)
    rows = [*beside(column, _middle(right, len(column), pen), at, pen), pen.gap(), *_told(length, factor, pen)]
    others = [] if hidden(state, "bytes") or pen.width < _TABLE else _lengths(state, pen)
    return [*rows, *(others if len(rows) + len(others) + len(note) <= pen.height else [])]


def notice(state: State, pen: Pen) -> str:
    """Height and weight are two things: what the keys just changed."""
    length, size = whole(state, "d_model"), number(state, "p")
    if hidden(state, "bytes"):
        return pen.say("vector-column.notice.asked")
    if length < 1024:
        return pen.say("vector-column.notice.short", n=grouped(length))
    if size != 2:
        return pen.say(f"vector-column.notice.{'heavier' if size > 2 else 'lighter'}")
    total = calc("vector_bytes", d_model=length, p=size)
    return pen.say("vector-column.notice.one", n=grouped(length), weight=_weight(total, pen))


def commands(state: State) -> Sequence[Shell]:
    """The weight of the column, in bytes and in KiB."""
    if hidden(state, "bytes"):
        return ()
    given: Args = {"d_model": whole(state, "d_model"), "p": number(state, "p")}
    large = calc("vector_bytes", **given) >= 1024 and not hidden(state, "KiB")
    return (command("vector_bytes", given), *([command("vector_bytes", given, "KiB")] if large else []))


def clean(state: State, given: Mapping[str, object]) -> State:
    """A vector of at least one number, each of a bit at least."""
    size = max(Fraction(1, 8), min(Fraction(8), number(state, "p")))
    return put(state, d_model=between(whole(state, "d_model"), 1, MOST), p=size)


FIGURE = Figure(
    "vector-column",
    {"d_model": 4096, "p": Fraction(2), "hide": ()},
    (
        FigureKey("up", step("d_model", SIZES, 1), "vector-column.key.taller"),
        FigureKey("down", step("d_model", SIZES, -1), "vector-column.key.shorter"),
        FigureKey("right", step("p", PRECISIONS, 1), "key.finer"),
        FigureKey("left", step("p", PRECISIONS, -1), "key.coarser"),
    ),
    paint,
    clean,
    notice=notice,
    parameters=(
        Parameter("model", "model", fills=("d_model",)),
        Parameter("d_model", "count", least=1, most=MOST, ladder=SIZES),
        Parameter("p", "format", least=Fraction(1, 8), most=8, ladder=PRECISIONS),
    ),
    commands=commands,
)
