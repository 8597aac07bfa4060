"""FI-7, the ruler: 2^b marks, 2^b - 1 gaps; a value snaps to the nearest mark; an outlier stretches it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

from engine.units import grouped
from tutor.figures.base import Figure, FigureKey
from tutor.figures.numbers import Args, calc
from tutor.figures.parameters import Parameter
from tutor.figures.pen import ACCENT, DIM, Pen, beside
from tutor.figures.rows import Row
from tutor.figures.ruler_rows import ASIDE, enlarged, is_secret, said, whole_ruler
from tutor.figures.shell import Shell
from tutor.figures.shell import calc as command
from tutor.figures.snapping import Snap, is_stretched, left_for_others, snap
from tutor.figures.state import State, between, hidden, number, put, step, whole, word

BITS = (2, 3, 4, 5, 6, 7, 8)
_STEPS = 25
"""Key presses from one end of the range to the other: no whole number of gaps, so that the error changes."""
_FARTHEST = 100
"""Beyond this no end of the range and no value can be typed."""
_EVERY = 6
"""The facts where none is asked for."""
_TALL = 26
_TALLER = 31
"""Rows that the table of all widths needs with everything above it, beside the facts and below them."""
_FACTS = 36
_APART = 6
"""Columns between two blocks at most."""


def _range(found: Snap, bits: int) -> Args:
    return {"r_min": found.low, "r_max": found.high, "b": bits}


def _facts(state: State, pen: Pen) -> list[tuple[int, str, str]]:
    """Rank, name and value of each fact that is not asked for."""
    found, bits = snap(state), whole(state, "b")
    limits = calc("max_error", **_range(found, bits))
    counted = not (hidden(state, "marks") or hidden(state, "gaps"))
    facts: dict[str, tuple[int, str]] = {"bits": (3, str(bits))}
    if counted:
        facts |= {
            "marks": (0, grouped(int(calc("codes", b=bits)))),
            "gaps": (2, grouped(int(calc("gaps", b=bits)))),
        }
    facts["step"] = (0, pen.amount(found.step, "none"))
    facts |= {
        "error": (0, pen.amount(found.error, "none")),
        "most": (1, pen.amount(limits, "none")),
    }
    gone = {"step", "error", "most"} if _is_finer(state) and hidden(state, "finer") else set[str]()
    told = [
        (rank, pen.say(f"ruler.{name}"), text)
        for name, (rank, text) in facts.items()
        if name not in gone and not hidden(state, name)
    ]
    return [*told, *_compared(state, found, pen)]


def _is_finer(state: State) -> bool:
    """Whether the ruler has the width of code that it is compared with."""
    return whole(state, "finer") == whole(state, "b")


def _compared(state: State, found: Snap, pen: Pen) -> list[tuple[int, str, str]]:
    """The step of a finer code on the same range, and how many times wider the drawn one is."""
    finer, bits = whole(state, "finer"), whole(state, "b")
    made: list[tuple[int, str, str]] = []
    if finer and not (hidden(state, "finer") or _is_finer(state)):
        text = pen.amount(calc("quant_step", **_range(found, finer)), "none")
        made.append((0, pen.say("ruler.finer", bits=finer), text))
    if finer > bits and not hidden(state, "ratio"):
        ratio = calc("step_ratio", b_high=finer, b_low=bits)
        made.append((0, pen.say("ruler.ratio"), pen.amount(ratio, "x", 4)))
    return made


def _left(state: State, pen: Pen, rank: int = 0) -> list[tuple[int, str, str]]:
    """The marks that an outlier leaves for all the others, where neither marks nor step are asked for."""
    asked = is_secret(state) or hidden(state, "marks") or hidden(state, "gaps")
    if not is_stretched(state) or asked:
        return []
    return [(rank, pen.say("ruler.left"), str(left_for_others(state)))]


@lru_cache(maxsize=64)
def _width(low: Fraction, high: Fraction, bits: int) -> tuple[Fraction, Fraction, Fraction]:
    """Marks, step and largest error of codes of this width on a range."""
    given: Args = {"r_min": low, "r_max": high, "b": bits}
    return calc("codes", b=bits), calc("quant_step", **given), calc("max_error", **given)


def _table(state: State, pen: Pen) -> list[Row]:
    """Every width of a code on the same range: marks, step and largest error."""
    found, chosen = snap(state), whole(state, "b")
    names = ("bits", "marks", "step", "most")
    heads = [pen.say(f"ruler.{name}") for name in names]
    rows = [heads]
    for bits in BITS:
        values = _width(found.low, found.high, bits)
        rows.append([str(bits), *(pen.amount(value, "none") for value in values)])
    widths = [max(len(row[place]) for row in rows) for place in range(len(names))]
    lines = ["   ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    marks = ["  ", *("▌ " if bits == chosen else "  " for bits in BITS)]
    styles = [DIM, *(ACCENT if bits == chosen else "" for bits in BITS)]
    told = ["", *(pen.say("ruler.row", **dict(zip(names, row, strict=True))) for row in rows[1:])]
    return [
        pen.row((mark + line, style), said=text)
        for mark, line, style, text in zip(marks, lines, styles, told, strict=True)
    ]


def _told(state: State, pen: Pen) -> list[Row]:
    """The facts, and the table of all widths of a code beside or below them where there is room for it."""
    facts = _facts(state, pen)
    asked = is_secret(state) or any(hidden(state, part) for part in ("bits", "finer", "ratio"))
    if asked or len(facts) < _EVERY or pen.height < _TALL:
        return _folded(facts, state, pen)
    table = _table(state, pen)
    width = max(row.content.cell_length for row in table)
    if pen.width >= _FACTS + _APART + width:
        return beside(pen.ranked([*facts, *_left(state, pen)], _FACTS), table, _FACTS + _APART, pen)
    if pen.width >= width and pen.height >= _TALLER:
        return [*_folded(facts, state, pen), pen.gap(), *table]
    return _folded(facts, state, pen)


def _folded(facts: list[tuple[int, str, str]], state: State, pen: Pen) -> list[Row]:
    """The facts in two columns where they fit, else one below the other; there the sentence, which says what an
    outlier leaves, has no room."""
    half = (len(facts) + 1) // 2
    left, right = (pen.ranked([(0, name, value) for _, name, value in part]) for part in (facts[:half], facts[half:]))
    widths = [max((row.content.cell_length for row in rows), default=0) for rows in (left, right)]
    space = min(_APART, pen.width - sum(widths))
    if space < 2:
        return pen.ranked([*facts, *_left(state, pen)])
    return [*beside(left, right, widths[0] + space, pen), *pen.ranked(_left(state, pen, ASIDE))]


def paint(state: State, pen: Pen) -> list[Row]:
    """The ruler, the marks around the value enlarged, then marks, gaps, step and the two errors."""
    drawn = whole_ruler(state, pen)
    drawn[0] = Row(drawn[0].content, drawn[0].rank, said(state, pen))
    facts = _told(state, pen)
    return [*drawn, pen.gap(), *enlarged(state, pen), *([pen.gap(), *facts] if facts else [])]


def notice(state: State, pen: Pen) -> str:
    """Where the value stands between the marks; with an outlier, what it leaves for the others."""
    found, bits = snap(state), whole(state, "b")
    counted = not (hidden(state, "marks") or hidden(state, "gaps"))
    if is_secret(state) or not counted:
        return pen.say("ruler.notice.stretched" if is_stretched(state) else "ruler.notice.nearest")
    value = pen.amount(number(state, "value"), "none")
    if is_stretched(state):
        if found.landed == 0 != number(state, "value"):
            return pen.say("ruler.notice.lost", value=value)
        return pen.say("ruler.notice.left", left=left_for_others(state), marks=pen.count("marks", found.gaps + 1))
    if not found.error:
        return pen.say("ruler.notice.exact", value=value)
    if found.error * 20 >= found.step * 9:
        return pen.say("ruler.notice.worst", value=value)
    if bits >= 7:
        return pen.say("ruler.notice.fine", marks=pen.count("marks", found.gaps + 1))
    if bits == 2:
        return pen.say("ruler.notice.coarse", marks=pen.count("marks", found.gaps + 1))
    return pen.say("ruler.notice.nearest")


def commands(state: State) -> Sequence[Shell]:
    """Step, largest error, marks and gaps of the ruler that is drawn."""
    bits = whole(state, "b")
    given = _range(snap(state), bits)
    lines = {
        "step": command("quant_step", given),
        "most": command("max_error", given),
        "marks": command("codes", {"b": bits}),
        "gaps": command("gaps", {"b": bits}),
    }
    asked = {"step", "most"} if is_secret(state) else set[str]()
    return tuple(line for name, line in lines.items() if name not in asked and not hidden(state, name))


def _move(by: int, state: State) -> State:
    """The value a little to the right or left, within the range without the outlier."""
    low, high = number(state, "r_min"), number(state, "r_max")
    value = number(state, "value") + by * (high - low) / _STEPS
    return put(state, value=max(low, min(high, value)))


def _stretch(state: State) -> State:
    """The outlier in the range, or out of it."""
    return put(state, outlier="off" if is_stretched(state) else "on")


def clean(state: State, given: Mapping[str, object]) -> State:
    """A range that rises, a value inside it, an outlier beyond it; an author switches the outlier by true and false."""
    low, high = number(state, "r_min"), number(state, "r_max")
    if high <= low:
        raise ValueError(f"r_max = {high}")
    stretched = (
        max(number(state, "stretched"), high + (high - low)) if "stretched" not in given else number(state, "stretched")
    )
    return put(
        state,
        b=between(whole(state, "b"), BITS[0], BITS[-1]),
        finer=between(whole(state, "finer"), 0, BITS[-1]),
        value=max(low, min(high, number(state, "value"))),
        stretched=max(stretched, high),
        outlier="on" if word(state, "outlier") in ("on", "True") else "off",
    )


_TENTHS = tuple(Fraction(n, 20) for n in range(-_FARTHEST, _FARTHEST + 1))


def _end(name: str) -> Parameter:
    return Parameter(name, "number", least=-_FARTHEST, most=_FARTHEST, ladder=_TENTHS)


FIGURE = Figure(
    "ruler",
    {
        "b": 4,
        "finer": 0,
        "value": Fraction(17, 100),
        "outlier": "off",
        "r_min": Fraction(-3, 10),
        "r_max": Fraction(9, 20),
        "stretched": Fraction(3),
        "hide": (),
    },
    (
        FigureKey("right", lambda state: _move(1, state), "ruler.key.right"),
        FigureKey("left", lambda state: _move(-1, state), "ruler.key.left"),
        FigureKey("up", step("b", BITS, 1), "ruler.key.more"),
        FigureKey("down", step("b", BITS, -1), "ruler.key.fewer"),
        FigureKey("switch", _stretch, "ruler.key.outlier"),
    ),
    paint,
    clean,
    notice=notice,
    parameters=(
        Parameter("b", "bits", least=BITS[0], most=BITS[-1], ladder=BITS),
        _end("value"),
        _end("r_min"),
        _end("r_max"),
        Parameter("outlier", "choice", choices=("off", "on")),
        _end("stretched"),
    ),
    commands=commands,
)
