"""The tables beside the card of the two buckets: its parts with their amounts, the dials, one request's share."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from engine.units import grouped
from tutor.figures.budget import DIALS, Budget, fitting, one_request
from tutor.figures.card import secrets
from tutor.figures.columns import pointed
from tutor.figures.numbers import billions, calc, precision, shape
from tutor.figures.pen import ACCENT, DIM, KV, OVER, RESERVED, WEIGHTS, Pen
from tutor.figures.rows import GAP, Row
from tutor.figures.sizes import amount, sized
from tutor.figures.state import State, between, hidden, number, whole, word
from tutor.figures.unsaid import UNKNOWN

PANEL = 34
"""Columns of a table."""
BESIDE = 70
"""Columns from which the dials stand beside the legend."""
TURNED = "dials"
"""The part that turns dials: hidden where an exercise asks how far one could go, for trying would tell it."""
BROAD = 58
"""Columns of the legend that tells each amount in both units and as a share of the card."""
_OTHER, _SHARE = 14, 10


def legend(state: State, money: Budget, pen: Pen, *, broad: bool = False) -> list[Row]:
    """Letter, name and amount of each part of the card, of all of them together, and of what is left or missing."""
    gone = secrets(state)
    last = (
        ("!", OVER, "over", -money.free)
        if money.free < 0 and "free" not in gone
        else ((pen.dot, DIM, "free", money.free))
    )
    parts = [
        ("W", WEIGHTS, "weights", money.weights),
        ("K", KV, "kv", money.used),
        ("r", RESERVED, "reserved", money.reserved),
        ("=", "", "total", money.total),
        last,
    ]
    told = [None if ("free" if name == "over" else name) in gone else value for _, _, name, value in parts]
    unit = word(state, "unit")
    room = PANEL - 5 - max(len(pen.say(f"two-buckets.{name}")) for _, _, name, _ in parts)
    shown = _amounts(told, unit, pen, room)
    others = _amounts(told, "GB" if unit == "GiB" else "GiB", pen, _OTHER - 1) if broad else []
    shares = _shares(state, told, pen) if broad else []
    rows = []
    for place, (letter, style, name, _) in enumerate(parts):
        label, text = pen.say(f"two-buckets.{name}"), shown[place]
        rest = ""
        if broad and told[place] is not None:
            untold = name == "total" and "free" in gone
            rest = others[place].rjust(_OTHER) + ("" if untold else shares[place]).rjust(_SHARE)
        fill = " " * max(1, PANEL - 4 - len(label) - len(text))
        said = f"{letter} {label}: {text.rstrip()}".lstrip(" .·!=")
        quiet = name == "total" and told[place] is not None  # it leaves a short window before the sentence does
        rank = 8 if quiet else 3 if name == "total" else 0
        loud = OVER if name == "over" else "bold"
        rows.append(pen.row((f" {letter} ", style), " ", label, fill, (text, loud), (rest, DIM), rank=rank, said=said))
    return rows


def _amounts(values: Sequence[Fraction | None], unit: str, pen: Pen, room: int) -> list[str]:
    """A column of amounts, its points under each other where ``room`` is enough; ``None`` is one that is not told."""
    texts = [UNKNOWN if value is None else amount(value, unit, pen) for value in values]
    wide = pointed(texts)
    return wide if max(map(len, wide)) <= room else texts


def _shares(state: State, values: Sequence[Fraction | None], pen: Pen) -> list[str]:
    """Each amount as a share of the card."""
    whole_ = number(state, "capacity")
    told = (UNKNOWN if one is None else pen.amount(calc("ratio", part=one, whole=whole_), "%", 3) for one in values)
    return pointed(list(told))


_FIRST = ("fit", "request", "more", "token")
"""What is told of requests, the most important first."""


def request_facts(state: State, pen: Pen, most: int = len(_FIRST)) -> list[Row]:
    """What one token and one request take of the card, how many requests fit and how many more; at ``most`` so many."""
    gone, unit = secrets(state), word(state, "unit")
    if "request" in gone:
        return []
    token, one, fit = calc("kv_per_token", **shape(state)), one_request(state), fitting(state)
    facts = [(name, pen.amount(size, sized(size, unit), 3)) for name, size in (("token", token), ("request", one))]
    if "free" not in gone and not hidden(state, "count"):
        facts += [("fit", grouped(fit)), ("more", grouped(max(0, fit - whole(state, "B"))))]
    there = [name for name in _FIRST if name in dict(facts)][: max(0, most)]
    kept = [fact for fact in facts if fact[0] in there]
    first = "request" if "kv" in gone else "fit"
    ranks = {name: _rank(name == first, pen) for name, _ in kept}
    return [_fact(pen.say(f"two-buckets.fact.{name}"), text, ranks[name], pen) for name, text in kept]


def _rank(first: bool, pen: Pen) -> int:
    """How many fit is what the figure is about, and while the cache is asked for the share of one request: below the
    legend that stays longest, beside the dials all have room."""
    return 8 if first or pen.width >= BESIDE else GAP


def _fact(label: str, text: str, rank: int, pen: Pen) -> Row:
    fill = " " * max(1, PANEL - 4 - len(label) - len(text))
    return pen.row("    ", label, fill, (text, "bold"), rank=rank, said=f"{label}: {text}")


def dials(state: State, pen: Pen, most: int) -> list[Row]:
    """The dials, the chosen one marked; where not all have room ``most`` of them, those around the chosen one."""
    order = list(DIALS)
    first = between(order.index(word(state, "dial")) - most // 2, 0, max(0, len(order) - most))
    return [_dial(state, dial, pen) for dial in order[first : first + most]]


def _dial(state: State, dial: str, pen: Pen) -> Row:
    label, value = pen.say(f"two-buckets.dial.{dial}"), setting(state, dial, pen)
    chosen = dial == word(state, "dial") and not hidden(state, TURNED)
    style = ACCENT if chosen else ""
    shown = f"< {value} >" if chosen else f"{value}  "
    if label[1:3] != "  " and 3 + len(label) + 1 + len(shown) <= PANEL - 2:
        label = f"   {label}"  # some names have a symbol before them; the others begin below their names
    fill = " " * max(1, PANEL - 2 - len(label) - len(shown))
    said = f"{' '.join(label.split())}: {value}"
    return pen.row(("▌ " if chosen else "  ", style), (label, style), fill, (shown, style), rank=1, said=said)


def setting(state: State, dial: str, pen: Pen) -> str:
    """The value of a dial as the reader sees it."""
    if dial in ("p", "p_w"):
        return precision(number(state, dial), kv=dial == "p")
    if dial == "N":
        return billions(whole(state, "N"))
    if dial == "capacity":
        return pen.amount(number(state, "capacity"), word(state, "unit"))
    if dial == "reserve_slots" and not whole(state, dial):
        return pen.say("two-buckets.no-reserve")
    return grouped(whole(state, dial))
