"""FI-E1, the two buckets: the card as one bar of W, K, r and free cells, with dials and levers.

Overflow stands outside the card's frame, in reverse, with its amount. The idle strip below the bar is about time,
not memory: continuous batching changes the strip and leaves the bar alone. It is there where batching is the topic.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from engine.units import grouped
from tutor.figures.base import Figure, FigureKey
from tutor.figures.budget import BASE, DIALS, LEVERS, Budget, budget, choose, clean, other_unit, pull, turn
from tutor.figures.glide import drawn, tween
from tutor.figures.levers import idle_strip, lever_note, lever_rows
from tutor.figures.numbers import billions, precision
from tutor.figures.pen import ACCENT, DIM, KV, OVER, RESERVED, WEIGHTS, Part, Pen, beside
from tutor.figures.rows import Row, apportion
from tutor.figures.state import State, names, number, whole, word

WIDE = 72
"""Columns from which the dials stand beside the legend."""
_LEGEND = 34
_TALL = 14


def _bar(money: Budget, unit: str, pen: Pen) -> list[Row]:
    """The card's frame with its cells; what does not fit stands to the right of the frame."""
    inner = pen.width - 2
    over = max(Fraction(0), -money.free)
    frame = inner
    if over:
        frame = max(8, min(inner - 1, round(inner * money.capacity / money.total)))
    letters = _letters(money, frame, inner, pen.dot)
    inside, outside = letters[:frame], letters[frame:]
    edge = pen.say("two-buckets.card", amount=pen.amount(money.capacity, unit))
    top = f"┌{'─' * (frame - len(edge) - 3)} {edge} ─┐" if frame >= len(edge) + 5 else f"┌{'─' * frame}┐"
    style = {"W": WEIGHTS, "K": KV, "r": RESERVED, pen.dot: DIM}
    cells: list[Part] = ["│", *[(text, style[text[0]]) for text in _runs(inside)], "│"]
    cells += [(text, OVER) for text in _runs(outside)]
    bar = pen.art(*cells)
    extra = [Row(bar.content, 8, "")] if pen.height >= _TALL else []
    return [pen.art(top), bar, *extra, pen.art(f"└{'─' * frame}┘")]


def _letters(money: Budget, frame: int, inner: int, dot: str) -> str:
    """One letter for each cell, in the order W, K, r, free; with an overflow the bar runs on past the frame."""
    amounts = [money.weights, money.used, money.reserved]
    if money.free < 0:
        counts = apportion(amounts, inner)
        return "".join(letter * count for letter, count in zip("WKr", counts, strict=True))
    counts = apportion([*amounts, money.free], frame)
    return "".join(letter * count for letter, count in zip("WKr" + dot, counts, strict=True))


def _runs(text: str) -> list[str]:
    """Neighbouring equal letters together."""
    runs: list[str] = []
    for letter in text:
        if runs and runs[-1][0] == letter:
            runs[-1] += letter
        else:
            runs.append(letter)
    return runs


def _legend(state: State, money: Budget, pen: Pen) -> list[Row]:
    """Letter, name and amount of each part of the bar, and of what is left or missing."""
    hidden, unit = names(state, "hide"), word(state, "unit")
    over = money.free < 0
    parts = [
        ("W", WEIGHTS, "weights", money.weights),
        ("K", KV, "kv", money.used),
        ("r", RESERVED, "reserved", money.reserved),
        ("!", OVER, "over", -money.free) if over else (pen.dot, DIM, "free", money.free),
    ]
    rows = []
    for letter, style, name, value in parts:
        shown = "?" if name in hidden or (name == "over" and "free" in hidden) else pen.amount(value, unit)
        label = pen.say(f"two-buckets.{name}")
        fill = " " * (_LEGEND - 4 - len(label) - len(shown))
        loud = OVER if name == "over" else "bold"
        rows.append(
            pen.row(
                (f" {letter} ", style),
                " ",
                label,
                fill,
                (shown, loud),
                said=f"{letter} {label}: {shown}".lstrip(" .·!"),
            )
        )
    return rows


def _setting(state: State, dial: str, pen: Pen) -> str:
    """The value of a dial as the reader sees it."""
    if dial in ("p", "p_w"):
        return precision(number(state, dial), kv=dial == "p")
    if dial == "N":
        return billions(whole(state, "N"))
    if dial == "capacity":
        return pen.amount(number(state, "capacity"), "GB")
    return grouped(whole(state, dial))


def _dials(state: State, pen: Pen, *, every: bool) -> list[Row]:
    """The dials, the chosen one marked; only that one where height is short."""
    rows = []
    for dial in DIALS:
        chosen = dial == word(state, "dial")
        if not (chosen or every):
            continue
        label, value = pen.say(f"two-buckets.dial.{dial}"), _setting(state, dial, pen)
        style = ACCENT if chosen else ""
        shown = f"< {value} >" if chosen else f"{value}  "
        fill = " " * max(1, _LEGEND - 2 - len(label) - len(shown))
        mark = "▌ " if chosen else "  "
        rows.append(
            pen.row(
                (mark, style), (label, style), fill, (shown, style), rank=1, said=f"{' '.join(label.split())}: {value}"
            )
        )
    return rows


def paint(state: State, pen: Pen) -> list[Row]:
    """The card, its legend, the idle strip, the levers, the dials, and what the last lever did."""
    money = budget(state)
    legend, strip = _legend(state, money, pen), idle_strip(state, pen)
    note = lever_note(state, pen) if not names(state, "hide") else []
    levers = lever_rows(state, pen)
    bar = _bar(drawn(state, money), word(state, "unit"), pen)
    if pen.width >= WIDE:
        body = beside(legend, _dials(state, pen, every=pen.height >= len(DIALS) + 4), _LEGEND + 4, pen)
        return [*bar, *strip, pen.gap(), *body, pen.gap(), *levers, *note]
    fixed = 3 + len(legend) + len(strip) + len(levers)
    dials = _dials(state, pen, every=pen.height >= fixed + len(DIALS))
    return [*bar, *strip, *legend, pen.gap(), *levers, *dials, *note]


FIGURE = Figure(
    "two-buckets",
    BASE,
    (
        FigureKey("right", partial(turn, by=1), "key.more"),
        FigureKey("left", partial(turn, by=-1), "key.less"),
        FigureKey("down", partial(choose, by=1), "key.next-dial"),
        FigureKey("up", partial(choose, by=-1), "key.previous-dial"),
        *(
            FigureKey(a, partial(pull, lever=name), f"two-buckets.lever.{name}")
            for a, name in zip(("first", "second", "third", "fourth"), LEVERS, strict=True)
        ),
        FigureKey("unit", other_unit, "key.unit"),
    ),
    paint,
    clean,
    frozenset({"d_model", "max_len"}),
    tween,
)
