"""The card of the two buckets as a frame of cells: one letter a cell, what does not fit outside, ``?`` for the unsaid.

The cells sum to the width of the frame, every part above zero has one at least, and the exact amount that does not fit
stands on the frame's lower edge.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby

from tutor.figures.budget import Budget, slots
from tutor.figures.glide import drawn
from tutor.figures.pen import DIM, KV, OVER, RESERVED, WEIGHTS, Part, Pen
from tutor.figures.rows import Row, apportion
from tutor.figures.state import State, hidden, whole, word
from tutor.figures.unsaid import UNKNOWN, unsaid

FOLLOWS = {
    "weights": ("total", "free"),
    "kv": ("reserved", "request", "total"),
    "cache": ("total",),
    "reserved": ("request", "total"),
    "token": ("request",),
    "request": ("kv",),
    "total": ("free",),
    "free": ("fits",),
    "fits": ("free",),
    "overflow": ("free",),
    "headroom": ("free",),
}
"""Parts that a state can hide, each with the parts that would tell it. The others stand alone: "count", "note"."""
AMOUNTS = frozenset(FOLLOWS)

_NARROWEST = 8
"""Cells of the frame of a card that is far too small."""
_ON = ">"
"""At the end of a bar that is longer than drawn."""
_TALL, _TALLER = 23, 30
"""Lines from which the bar is two cells high, and four."""
_STYLE = {"W": WEIGHTS, "K": KV, "r": RESERVED, UNKNOWN: DIM, _ON: OVER}


def secrets(state: State) -> frozenset[str]:
    """The amounts that this state does not tell. Where no slot stands empty, the nought is no secret unless hidden.

    "cache" hides what all requests hold together, and leaves the share of one to be told: the reader has found it.
    """
    found = unsaid(state, FOLLOWS) & AMOUNTS
    found |= {"kv", "reserved"} if "cache" in found else set()
    nought = slots(state) == whole(state, "S") and not hidden(state, "reserved")
    return found - {"reserved"} if nought else found


def card(state: State, money: Budget, pen: Pen) -> list[Row]:
    """The frame with its cells, the card's size on its upper edge, and on its lower edge what does not fit."""
    gone, inner, unit = secrets(state), pen.width - 2, word(state, "unit")
    shown = drawn(state, money)
    over = max(Fraction(0), -shown.free) if not gone else Fraction(0)
    scaled = round(inner * shown.capacity / shown.total) if over else inner
    frame = max(_NARROWEST, min(inner - 1, scaled)) if over else inner
    if gone:
        cells = _unsure(shown, gone, frame)
    elif scaled < frame:
        cells = _broken(shown, frame, inner)
    else:
        cells = _letters(shown, inner, pen.dot)
    line: list[Part] = ["│", *_runs(cells[:frame], pen.dot), "│"]
    line += [(text, OVER) for text, _ in _runs(cells[frame:], pen.dot)]
    bar = pen.art(*line)
    size = pen.say("two-buckets.card", amount=pen.amount(money.capacity, unit))
    missing = pen.say("two-buckets.missing", amount=pen.amount(-money.free, unit)) if over and money.free < 0 else ""
    return [
        _edge("┌┐", size, frame, pen),
        bar,
        *[Row(bar.content, 8, "")] * ((pen.height >= _TALL) + 2 * (pen.height >= _TALLER)),
        _edge("└┘", missing, frame, pen),
    ]


def _edge(corners: str, label: str, frame: int, pen: Pen) -> Row:
    """An edge of the frame with a label on it, or beside it where the frame is too narrow and there is room."""
    left, right = corners[0], corners[1]
    if label and frame >= len(label) + 5:
        return pen.art(f"{left}{'─' * (frame - len(label) - 3)} {label} ─{right}")
    aside = f" {label}" if label and frame + 3 + len(label) <= pen.width else ""
    return pen.art(f"{left}{'─' * frame}{right}{aside}")


def _letters(money: Budget, width: int, dot: str) -> str:
    """One letter for each cell, in the order W, K, r, free; with an overflow the bar runs on past the frame."""
    amounts = [money.weights, money.used, money.reserved, max(Fraction(0), money.free)]
    return "".join(letter * count for letter, count in zip("WKr" + dot, apportion(amounts, width), strict=True))


def _broken(money: Budget, frame: int, width: int) -> str:
    """So much too much that the card would be a sliver: inside the frame to the card's own scale, then what is left to
    another one, with a sign at its end that it goes on."""
    inside, outside, room = [], [], money.capacity
    for letter, amount in zip("WKr", (money.weights, money.used, money.reserved), strict=True):
        held = min(amount, room)
        room -= held
        inside.append((letter, held))
        outside.append((letter, amount - held))
    parts = ((inside, frame), (outside, width - frame - len(_ON)))
    drawn = (zip(group, apportion([amount for _, amount in group], cells), strict=True) for group, cells in parts)
    return "".join(letter * count for group in drawn for (letter, _), count in group) + _ON


def _unsure(money: Budget, gone: frozenset[str], width: int) -> str:
    """What is known, to the card's scale from the left; from the first unknown on ``?``, to the end of the frame.

    Where each part is known and what they come to is asked, the last of them has no end to be seen.
    """
    parts = [("weights", "W", money.weights), ("kv", "K", money.used), ("reserved", "r", money.reserved)]
    known: list[tuple[str, Fraction]] = []
    for name, letter, amount in parts:
        if name in gone:
            break
        if amount:
            known.append((letter, amount))
    else:
        known = known if "total" not in gone else known[:-1]
    text = ""
    for letter, amount in known:
        room = width - 1 - len(text)
        text += letter * min(room, max(1, round(width * amount / money.capacity)))
    return text.ljust(width, UNKNOWN)


def _runs(cells: Sequence[str], dot: str) -> list[tuple[str, str]]:
    """Neighbouring equal letters together, each with its style."""
    runs = ["".join(group) for _, group in groupby(cells)]
    return [(run, DIM if run[0] == dot else _STYLE[run[0]]) for run in runs]
