"""Numbers in a text, in groups: "16/32/64", "0.5-1.5 req/s, 300 prompts", "2-4k", "dedh lakh".

Signs, digits and grouping are the reader's (:mod:`engine.reader`); here is what it refuses in an answer and a workload
has: ranges, several numbers with different units, thousands as "k".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from engine.reader.errors import ReadError
from engine.reader.fold import fold
from engine.reader.spoken import with_numbers
from engine.reader.tokens import tokens

MAX_WRITTEN = 200
"""A longer value is no figure."""

NOT_READ = (
    "not-a-number", "no-one-number", "not-whole", "wrong-unit", "unit-missing", "comma-unclear", "point-unclear",
    "too-long", "not-a-text", "not-a-choice", "unknown-unit",
    "not-on-or-off", "unknown-link",
)  # fmt: skip
"""Every reason of :class:`NotRead`."""


class NotRead(Exception):
    """A value that cannot be used; ``reason`` is one of :data:`NOT_READ`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Group(NamedTuple):
    """Numbers that belong together ("16/32/64", "0.5-1.5"), with what stands around them.

    Attributes:
        values: in the order of the text, thousands multiplied in.
        before, after: words and signs in lower case; "req/s" is one.
    """

    values: tuple[Fraction, ...]
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()

    @property
    def one(self) -> Fraction:
        """The number. Raises ``NotRead`` where there are several different ones."""
        if len(set(self.values)) > 1:
            raise NotRead("no-one-number")
        return self.values[0]

    def says(self, listed: Collection[str]) -> bool:
        """Whether one of these words stands beside the numbers."""
        return any(word in listed for word in (*self.before, *self.after))


_SCALES = {
    "k": 1000, "ki": 1024, "thousand": 1000, "hazar": 1000, "hazaar": 1000,
    "hajar": 1000, "hajaar": 1000, "m": 10**6, "mi": 1024**2, "mn": 10**6, "million": 10**6,
    "b": 10**9, "bn": 10**9, "billion": 10**9, "lakh": 10**5, "lac": 10**5, "crore": 10**7,
}  # fmt: skip
_JOINS = frozenset("- / → & , % ~ to till then se and or vs versus aur ya through upto".split())
_TIMES = frozenset(("x", "×"))
_NOTE = re.compile(r"\([^()]*\)")
_MONEY = re.compile(r"[$€£₹]")
_DOTS = re.compile(r"\.\.+")

_Item = Fraction | str


def groups(text: str) -> tuple[Group, ...]:
    """The numbers of a text, those that belong together in one group. Notes in brackets are left out.

    Raises ``NotRead`` for a text without a number, a doubtful comma, and signs that no figure has.
    """
    if len(text) > MAX_WRITTEN:
        raise NotRead("too-long")
    plain = _DOTS.sub("-", _MONEY.sub(" ", _NOTE.sub(" ", text))).strip()
    try:
        items = _scaled(_items(plain)) if plain else []
    except ReadError as error:
        if error.reason == "grouping" and plain.count(",") > 1 and ", " not in plain:  # "1,2,4,8,16"
            return groups(plain.replace(",", ", "))
        raise NotRead("comma-unclear" if error.reason == "comma-unclear" else "not-a-number") from None
    if "^" in items:
        raise NotRead("no-one-number")
    found = tuple(_grouped(items))
    if not found:
        raise NotRead("not-a-number")
    return found


def _items(text: str) -> list[_Item]:
    """Numbers, and words and signs in lower case; "tokens per second" is one word, "tokens/second"."""
    out: list[_Item] = []
    for token in with_numbers(list(tokens(fold(text))), lambda name: None)[:-1]:
        word = token.text.lower()
        if token.kind == "number":
            out.append(-token.value if out == ["-"] else token.value)
        elif token.kind == "word" and out[-1:] in (["/"], ["per"]):
            out.pop()
            head = out[-1] if out else Fraction(0)
            is_word = isinstance(head, str) and head[0].isalpha() and head not in _SCALES
            out.append(f"{out.pop()}/{word}" if is_word else f"/{word}")
        else:
            out.append(word)
    return out


def _scaled(items: Sequence[_Item]) -> list[_Item]:
    """The same with "k" and its like multiplied in: of "2-4k" into both numbers."""
    out: list[_Item] = []
    for at, item in enumerate(items):
        if isinstance(item, Fraction):
            ahead = list(items[at + 1 : at + 4])
            scale = _scale(ahead[:1])
            if scale == 1 and len(ahead) == 3 and ahead[0] in ("-", "/") and item < 1000:
                scale = _scale(ahead[2:])
            out.append(item * scale)
        elif not (at and isinstance(items[at - 1], Fraction) and item in _SCALES):
            out.append(item)
    return out


def _scale(ahead: Sequence[_Item]) -> int:
    return _SCALES.get(ahead[0], 1) if ahead and isinstance(ahead[0], str) else 1


def _refuse_joined(values: Sequence[Fraction], between: Sequence[str], item: Fraction) -> None:
    """A dash joins two numbers that rise: "16-64"; "64-16" and "1-2-3" are something else (a date, a difference)."""
    if list(between) == ["-"] and values and (len(values) > 1 or item < values[-1]):
        raise NotRead("no-one-number")


def _grouped(items: Sequence[_Item]) -> Iterator[Group]:
    """Numbers with nothing but a joining sign or word between them are one group; "x2" behind a group is none."""
    values: list[Fraction] = []
    before: list[str] = []
    after: list[str] = []
    for item in items:
        if isinstance(item, str):
            (after if values else before).append(item)
        elif values and after and after[-1] in _TIMES:
            after.pop()
        elif not values or (after and all(word in _JOINS for word in after)):
            _refuse_joined(values, after, item)
            values.append(item)
            after = ["%"] if "%" in after else []
        else:
            lead = after[-1:] if after[-1:] != [","] and "," in after else []
            yield Group(tuple(values), tuple(before), tuple(after[: len(after) - len(lead)]))
            values, before, after = [item], lead, []
    if values:
        yield Group(tuple(values), tuple(before), tuple(after))
