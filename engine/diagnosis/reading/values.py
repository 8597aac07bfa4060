"""Values as people write them: "32k", "16-64", "about 120", "22 ms", "50 prompts offline", "4 lakh".

What gives no one figure is refused with a reason, never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from fractions import Fraction
from math import isfinite
from typing import NamedTuple

from engine import units
from engine.diagnosis.model import Span
from engine.diagnosis.reading.counting import (
    AT_ONCE,
    IN_ALL,
    NO_TOKENS,
    TOKENS,
    USUAL,
    refuse_points,
    refuse_rest,
    refuse_units,
)  # fmt: skip
from engine.diagnosis.written import MAX_WRITTEN, Group, NotRead, groups
from engine.reader import words

# --- one figure ----------------------------------------------------------------------------------------------------


def number(value: object) -> Group:
    """One figure with what stands around it; a typical one ("average 500, max 4000") is taken before others.

    Raises ``NotRead``.
    """
    if isinstance(value, str):
        found = groups(value)
        usual = [one for one in found if any(words.key(word) in USUAL for word in one.before)]
        if len(usual or found) > 1:
            raise NotRead("no-one-number")
        return (usual or found)[0]
    return Group((plain(value),))


def plain(value: object) -> Fraction:
    """A number of a parsed file, exactly as it was written there. Raises ``NotRead`` for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction):
        raise NotRead("not-a-number")
    if isinstance(value, int) and value.bit_length() > 256:
        raise NotRead("not-a-number")
    if isinstance(value, float):
        if not isfinite(value):
            raise NotRead("not-a-number")
        return Fraction(repr(value))
    return Fraction(value)


def whole(value: Fraction) -> int:
    """A number of whole things. Raises ``NotRead`` for a broken one."""
    if value.denominator != 1:
        raise NotRead("not-whole")
    return value.numerator


def count(value: object) -> int:
    """A whole number: 8, "32k", "4 lakh", "about 120 tokens". Raises ``NotRead``."""
    refuse_points(value)
    found = number(value)
    refuse_units(found)
    refuse_rest(found)
    return whole(found.one)


def share(value: object) -> Fraction:
    """A share: 0.9, "90%", "90 percent", "0.9 default". Whether it is one at all (1.2) is the caller's to refuse."""
    found = number(value)
    unit = units.find(found.after[0]) if found.after else None
    if "%" in found.after or (unit and unit.dimension == "share"):
        return found.one / 100
    if unit and unit.dimension not in (*units.COUNTS, "factor"):
        raise NotRead("wrong-unit")
    refuse_rest(found)
    return found.one


_SECONDS: dict[str, Fraction] = {
    **dict.fromkeys(("ns", "nsec", "nanosecond", "nanoseconds"), Fraction(1, 10**9)),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), Fraction(1)),
    **dict.fromkeys(("ms", "msec", "millisecond", "milliseconds"), Fraction(1, 1000)),
    **dict.fromkeys(("us", "µs", "μs", "usec", "microsecond", "microseconds"), Fraction(1, 10**6)),
    **dict.fromkeys(("min", "mins", "minute", "minutes"), Fraction(60)),
    **dict.fromkeys(("h", "hr", "hour", "hours"), Fraction(3600)),
}


def seconds(value: object, most: int) -> Fraction:
    """A time: "22 ms", "0.5 s", "22ms/token"; without a unit, seconds.

    Raises ``NotRead``: "unit-missing" where a bare number is more seconds than ``most`` (22 for a step: milliseconds?).
    """
    found = number(value)
    unit = found.after[0].partition("/")[0] if found.after else ""
    if unit in _SECONDS:
        return found.one * _SECONDS[unit]
    if unit and unit not in words.FILLERS and unit not in words.HEDGES:
        raise NotRead("wrong-unit")
    if found.one > most:
        raise NotRead("unit-missing")
    return found.one


_REQUESTS = frozenset("req reqs request requests r query queries prompt prompts".split())
_RATES = {"tps": ("t", 1), "rps": ("r", 1), "qps": ("r", 1), "rpm": ("r", 60), "tpm": ("t", 60)}


def _rate_word(word: str) -> tuple[str, Fraction] | None:
    """What a rate counts ("t", "r", or "" where it does not say) and the seconds it is counted over."""
    if word in _RATES:
        what, over = _RATES[word]
        return what, Fraction(over)
    head, slash, tail = word.rpartition("/")
    if not slash or tail not in _SECONDS:
        return None
    if head and head not in TOKENS | _REQUESTS:
        return None
    return ("t" if head in TOKENS else "r" if head else ""), _SECONDS[tail]


def rate(value: object, what: str) -> Fraction:
    """A rate a second, of tokens ("t") or requests ("r"): "240 tok/s", "2 rps", "120 req/min"; bare numbers are that.

    Raises ``NotRead``: "wrong-unit" for a rate of the other things.
    """
    found = number(value)
    for word in found.after:
        told = _rate_word(word)
        if told is not None:
            if told[0] not in ("", what):
                raise NotRead("wrong-unit")
            return found.one / told[1]
    if found.after and (units.find(found.after[0]) or found.after[0] in NO_TOKENS):
        raise NotRead("wrong-unit")
    return found.one


def scaled(value: object, dimension: str, unit: str) -> Fraction:
    """A quantity in base units of a dimension of ``engine.units``; bare numbers are in ``unit``: "80GB", "2 TB/s"."""
    found = number(value)
    for word in found.after[:1]:
        tries = (word, f"{word}/s", f"{word.removesuffix('s')}/s") if dimension.endswith("/s") else (word,)
        told = next((unit for unit in map(units.find, tries) if unit and unit.dimension == dimension), None)
        if told is None:
            raise NotRead("wrong-unit")
        return found.one * told.factor
    return found.one * units.get(unit).factor


def parameters(value: object) -> int:
    """Parameters: 7 and "7B" are billions, "350M" millions; a bare number is itself where a model may have so many.

    A million of billions is none, and a million of parameters is no model that is served: such a number is refused as
    the billions that it says. Raises ``NotRead`` for units of something else.
    """
    found = number(value)
    exact = found.one
    scaled = isinstance(value, str) and _SCALED.search(value) is not None
    refuse_units(found)
    return round(exact if scaled or abs(exact) >= _BARE_PARAMETERS else exact * 10**9)


_SCALED = re.compile(r"\d\s{0,3}(?:m|b|k|mn|bn|million|billion|lakh|lac|crore|thousand|hazar)\b", re.IGNORECASE)
_BARE_PARAMETERS = 10**7


def money(value: object) -> Fraction:
    """A price: "$2.50", "2.5 USD/h". Which money it is does not matter here."""
    return number(value).one


def text(value: object) -> str:
    """A text without what has no place in one line. Raises ``NotRead`` for what is no text."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise NotRead("not-a-text")
    if isinstance(value, int):
        plain(value)
    cleaned = " ".join("".join(c if c.isprintable() else " " for c in str(value)[: 2 * MAX_WRITTEN]).split())
    if len(cleaned) > MAX_WRITTEN:
        raise NotRead("too-long")
    return cleaned


_ON = frozenset("true on yes 1 enabled enable haan han".split())
_OFF = frozenset("false off no 0 disabled disable nahi none".split())


def switch(value: object) -> bool:
    """On or off. Raises ``NotRead``."""
    if isinstance(value, bool):
        return value
    key = text(value).lower()
    if key not in _ON | _OFF:
        raise NotRead("not-on-or-off")
    return key in _ON


# --- ranges, and what is offered to a server -------------------------------------------------------------------------


def span(value: object, other: Collection[str] = ()) -> Span:
    """Tokens of a request: 1000, "256-512", "16/32/64", "4096 (warm-up prefill)", [256, 512].

    ``other``: words beside other numbers (:data:`OUT` for a prompt: "500 in / 100 out"). Raises ``NotRead``.
    """
    if isinstance(value, list | tuple):
        return _span([whole(plain(one)) for one in value[:100]], "")
    if not isinstance(value, str):
        return _span([whole(plain(value))], "")
    refuse_points(value)
    found = groups(value)
    if len(found) > 1 and any(word in _PERHAPS for one in found for word in one.before):
        raise NotRead("no-one-number")
    found = tuple(one for one in found if not one.says(other)) or found
    found = tuple(one for one in found if one.after and one.after[0] in TOKENS - {"t"}) or found
    usual = [one for one in found if any(words.key(word) in USUAL for word in one.before)]
    for one in usual or found:
        refuse_units(one)
        if other:
            refuse_rest(one)
    return _span([whole(number) for one in usual or found for number in one.values], value)


_PERHAPS = frozenset("maybe perhaps possibly shayad".split())


def _span(numbers: Sequence[int], written: str) -> Span:
    if not numbers:
        raise NotRead("not-a-number")
    line = " ".join(written.split())
    return Span(min(numbers), max(numbers), "" if line.isdecimal() else line)


class Load(NamedTuple):
    """What is offered: requests in flight, or arriving, or in all; or the tokens of one step's batch."""

    concurrency: Span | None = None
    rate: Fraction | None = None
    requests: int | None = None
    batch_tokens: int | None = None


_ONE_BY_ONE = frozenset("single sequential sequentially serial serially".split())


def load(value: object) -> Load:
    """What a text about concurrency says: "16-64", "1 vs 4", "50 prompts offline", "0.5-1.5 req/s, 300 prompts".

    Raises ``NotRead`` where it says no number ("sweep").
    """
    if not isinstance(value, str):
        return Load(concurrency=span(value))
    told = Load()
    if any(word in _ONE_BY_ONE for word in value.lower().split()[:20]) and not any(c.isdigit() for c in value):
        return Load(concurrency=_span([1], value))
    found = groups(value)
    at_once = any(one.says(AT_ONCE) for one in found)
    for one in found:
        rates = [rate for rate in map(_rate_word, one.after) if rate is not None]
        if rates or "rate" in one.before:
            over = rates[0][1] if rates else Fraction(1)
            told = told._replace(rate=sum(one.values, Fraction(0)) / len(one.values) / over)
        elif at_once and len(found) > 1 and one.says(_REQUESTS) and not one.says(AT_ONCE):
            told = told._replace(requests=whole(max(one.values)))
        elif next((word for word in one.after if word != "-"), "") in TOKENS - {"t"}:  # "512-token batch"
            told = told._replace(batch_tokens=whole(one.one))
        elif one.says(IN_ALL) and not one.says(AT_ONCE):
            told = told._replace(requests=whole(max(one.values)))
        else:
            refuse_units(one)
            told = told._replace(concurrency=_span([whole(number) for number in one.values], value))
    return told
