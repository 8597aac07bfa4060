"""What a person types in the place of a value that was read: taken in the unit that is shown, or in one of its kind."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.artefacts.model import Value

LONGEST = 200
"""Characters of a name that is typed."""
_SAME = {"req/s": "requests/s", "reqs/s": "requests/s", "rps": "requests/s", "w": "W", "c": "C", "x": "x"}
"""Words that stand for a unit of the vocabulary that :mod:`engine.units` has not got."""


def read(name: str, text: str, before: object) -> Value:
    """A typed value in the name's own unit.

    Args:
        name: of the vocabulary, or a flag.
        text: as it was typed.
        before: what was read, which tells a switch from a number and a number from a name where there is no unit.

    Raises:
        NotRead: it is no such value, with the reason.
    """
    from engine.artefacts.vocabulary import term
    from engine.diagnosis.reading import values
    from engine.diagnosis.written import NotRead

    unit, text = term(name).unit, text.strip()
    if len(text) > LONGEST:
        raise NotRead("too-long")
    if isinstance(before, bool):
        return values.switch(text)
    if not unit and not isinstance(before, int | float):
        return text
    if text.lower() == "inf" and unit == "requests/s":
        return "inf"
    return _plain(possible(name, _number(text, unit)))


def possible(name: str, value: Fraction) -> Fraction:
    """The value, where the name can have it. Raises ``NotRead`` with the reason of an ``Unread`` where it cannot."""
    from engine.artefacts.vocabulary import WHOLE, term
    from engine.diagnosis.written import NotRead
    from tutor.diagnoser import bounds

    if why := bounds.impossible(name, value):
        raise NotRead(why)
    own = term(name)
    if own.form == "fact" and own.unit in WHOLE and value.denominator != 1:
        raise NotRead("not-whole")
    return value


def _number(text: str, unit: str) -> Fraction:
    from engine.diagnosis.reading import values
    from engine.diagnosis.written import NotRead

    if unit == "fraction":
        share, found = values.share(text), values.number(text)
        bare = share > 1 and not found.after  # "95" in a line that shows per cent; "0.95" is how flags have it
        if found.before not in ((), ("-",)):
            raise NotRead("not-a-number")
        return share / 100 if bare else share
    found = values.number(text)
    if found.before == ("-",):
        value = -abs(found.one)
    elif found.before:
        raise NotRead("not-a-number")
    else:
        value = found.one
    return value * (_factor(found.after[0], unit) if found.after else 1)


def _factor(word: str, unit: str) -> Fraction:
    """What turns a number in a typed unit into the shown one. Raises ``NotRead`` for a unit of another kind."""
    from engine import units
    from engine.diagnosis.written import NotRead

    if word == unit.lower() or _SAME.get(word) == unit:
        return Fraction(1)
    typed, own = units.find(word), units.UNITS.get(unit)
    if typed is None:
        raise NotRead("unknown-unit")
    if own is None or typed.dimension != own.dimension:
        raise NotRead("wrong-unit")
    return typed.factor / own.factor


def _plain(value: Fraction) -> int | float:
    return value.numerator if value.denominator == 1 else float(value)
