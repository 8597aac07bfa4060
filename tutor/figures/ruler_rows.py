"""The ruler as rows: the whole of it with every mark, the same range before an outlier, and the marks around the value.

Marks that are closer than a column are not drawn as if they stood apart: the line says how many they are.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from tutor.figures.pen import ACCENT, DIM, STRONG, Pen
from tutor.figures.rows import Row
from tutor.figures.snapping import Snap, is_stretched, snap, unstretched
from tutor.figures.state import State, between, hidden, number

MARK, LINE, DENSE, SPAN = "┼", "─", "▒", "█"
_ENDS = "├┤"
ZOOM = 6
"""Rank of the enlarged part: in a short window it leaves after the sentence on what to notice."""
ASIDE = 8
"""Rank of what is only said to explain: it leaves before that sentence."""
_EVEN = 3
"""Columns from mark to mark from which a step that is no whole number of them still looks even."""
_UNKNOWN = "? "
_SHARE = Fraction(3, 5)
"""Of the columns those that a ruler takes at least, where fewer make all its gaps equally wide."""


def column(value: Fraction, ends: tuple[Fraction, Fraction], width: int) -> int:
    """The column of a value on a line of this width whose ends are these."""
    low, high = ends
    return between(round((value - low) / (high - low) * (width - 1)), 0, width - 1)


def even_width(found: Snap, width: int) -> int:
    """The most columns, up to ``width``, on which the gaps are equally wide; all where that would be far fewer."""
    low, high = found.ends
    gaps = (high - low) / found.step
    even = round((width - 1) // gaps * gaps) + 1
    return even if even >= _SHARE * width else width


def is_dense(found: Snap, ends: tuple[Fraction, Fraction], width: int) -> bool:
    """Whether two marks would share a column of a line with these ends."""
    return found.gaps >= width or len(_columns(found.step, found.zero, found.gaps, ends, width)) <= found.gaps


@lru_cache(maxsize=64)
def _columns(step: Fraction, zero: int, gaps: int, ends: tuple[Fraction, Fraction], width: int) -> frozenset[int]:
    """The columns of all marks; the same for every value on the ruler."""
    return frozenset(column((code - zero) * step, ends, width) for code in range(gaps + 1))


def marked_line(found: Snap, ends: tuple[Fraction, Fraction], width: int) -> str:
    """A line from the ruler's first to its last mark, on a scale with these ends; each mark at its column."""
    first, last = (column(found.mark(code), ends, width) for code in (0, found.gaps))
    if is_dense(found, ends, width):
        return " " * first + DENSE * (last - first + 1)
    places = _columns(found.step, found.zero, found.gaps, ends, width)
    return "".join(MARK if place in places else LINE if first <= place <= last else " " for place in range(width))


def is_secret(state: State) -> bool:
    """Whether an exercise asks for the step or an error: then a mark's value would tell."""
    return any(hidden(state, name) for name in ("step", "finer", "ratio", "error", "most"))


def _counted(state: State) -> bool:
    """Whether the marks may be counted in the drawing."""
    return not (hidden(state, "marks") or hidden(state, "gaps"))


def _beside(sign: str, text: str, at: int, width: int, style: str, pen: Pen, rank: int = 0) -> Row:
    """A sign at its column and its text at whichever side has room."""
    right = f"{sign} {text}"
    if at + len(right) <= width:
        return pen.art((" " * at + right, style), rank=rank)
    return pen.art((f"{text} {sign}".rjust(at + 1), style), rank=rank)


def _signs(pen: Pen) -> tuple[str, str]:
    return ("v", "^") if pen.ascii else ("▼", "▲")


def whole_ruler(state: State, pen: Pen) -> list[Row]:
    """The value above, every mark, the landing place below, the ends of the range."""
    found, value = snap(state), number(state, "value")
    ends, width = found.ends, even_width(found, pen.width)
    down, up = _signs(pen)
    here, there = (column(v, ends, width) for v in (value, found.landed))
    line = marked_line(found, ends, width) if _counted(state) else (_UNKNOWN * width)[:width]
    landed = "" if is_secret(state) else pen.amount(found.landed, "none")
    rows = [
        _beside(down, pen.amount(value, "none"), here, width, STRONG, pen),
        pen.art((line, DIM)),
        _beside(up, landed, there, width, ACCENT, pen),
        _range(found, ends, width, pen),
        *_zero(state, found, width, pen),
    ]
    if is_stretched(state) and _counted(state):
        rows = [*_before(state, ends, width, pen), *rows]
    if is_dense(found, ends, width) and _counted(state):
        text = pen.say("ruler.dense", marks=found.gaps + 1, columns=width)
        rows += pen.wrapped(text, DIM, 4)
    return rows


def _zero(state: State, found: Snap, width: int, pen: Pen) -> list[Row]:
    """Why the first and the last mark do not stand at the ends of the range, where that is seen."""
    first, last = found.mark(0), found.mark(found.gaps)
    seen = any(
        column(mark, found.ends, width) != column(end, found.ends, width)
        for mark, end in ((first, found.low), (last, found.high))
    )
    if not seen or is_secret(state) or not _counted(state):
        return []
    ends = {"first": pen.amount(first, "none", 3), "last": pen.amount(last, "none", 3)}
    return pen.wrapped(pen.say("ruler.zero", **ends), DIM, ASIDE)


def _range(found: Snap, ends: tuple[Fraction, Fraction], width: int, pen: Pen) -> Row:
    """The two ends of the range under their columns."""
    low, high = (pen.amount(end, "none") for end in (found.low, found.high))
    at = column(found.low, ends, width)
    to = column(found.high, ends, width) + 1
    return pen.art((" " * at + low + high.rjust(to - at - len(low)), DIM), rank=4)


def _before(state: State, ends: tuple[Fraction, Fraction], width: int, pen: Pen) -> list[Row]:
    """The ruler as it was without the outlier, on the scale of the stretched one; and the outlier itself.

    Where its marks would stand too close to look even, only how far it reached.
    """
    calm = unstretched(state)
    first, last = (column(calm.mark(code), ends, width) for code in (0, calm.gaps))
    line = marked_line(calm, ends, width).rstrip()
    if last - first < _EVEN * calm.gaps:
        line = " " * first + _ENDS[0] + LINE * (last - first - 1) + _ENDS[1] * (last > first)
    text = pen.say("ruler.before", marks=pen.count("marks", calm.gaps + 1))
    named = f"{line} {text}" if len(line) + 1 + len(text) <= pen.width else line
    out = f"{pen.say('ruler.key.outlier')} *"
    room = pen.width - len(out) - len(named)
    return [pen.art((f"{named}{' ' * room}{out}" if room > 1 else named, DIM), rank=2)]


def enlarged(state: State, pen: Pen) -> list[Row]:
    """The mark that the value lands on with its neighbours, the error as a span between value and mark."""
    found, value = snap(state), number(state, "value")
    middle = (pen.width - 1) // 2
    width = 2 * middle + 1
    here = middle + round((value - found.landed) / found.step * middle)
    down, _ = _signs(pen)
    codes = {0: found.code - 1, middle: found.code, width - 1: found.code + 1}
    marks = {place: code for place, code in codes.items() if 0 <= code <= found.gaps}
    span = range(min(here, middle), max(here, middle) + 1)
    first, last = min(marks), max(marks)
    line = "".join(
        MARK if place in marks else SPAN if place in span else LINE if first <= place <= last else " "
        for place in range(width)
    )
    error = pen.amount(found.error, "none")
    text = pen.amount(value, "none")
    if not is_secret(state):
        text += f"  {pen.say('ruler.span', error=error)}"
        names = _under({place: pen.amount(found.mark(code), "none") for place, code in marks.items()}, width)
    else:
        names = ""
    return [
        pen.art((pen.say("ruler.enlarged"), DIM), rank=ASIDE),
        _beside(down, text, here, width, STRONG, pen, ZOOM),
        pen.art((line, ACCENT), rank=ZOOM),
        *([pen.art((names, DIM), rank=ZOOM)] if names else []),
    ]


def _under(names: dict[int, str], width: int) -> str:
    """Names under their columns: the outer ones flush with the ends, the middle one centred."""
    line = " " * width
    for place, name in names.items():
        start = between(place - len(name) // 2, 0, width - len(name))
        line = line[:start] + name + line[start + len(name) :]
    return line.rstrip()


def said(state: State, pen: Pen) -> str:
    """The ruler in words."""
    found = snap(state)
    ends = f"{pen.amount(found.low, 'none')} {pen.fold('…')} {pen.amount(found.high, 'none')}"
    value = pen.amount(number(state, "value"), "none")
    if is_secret(state):
        return pen.say("ruler.said-asked", value=value, ends=ends)
    return pen.say("ruler.said", value=value, mark=pen.amount(found.landed, "none"), ends=ends)
