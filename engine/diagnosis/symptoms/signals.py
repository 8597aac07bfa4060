"""What people's own sentences about a slow or full server say, as ids: a reader of words, never a judge.

A sentence is folded to words, words to concepts (``symptoms.concepts``), and a combination of concepts within
one sentence is a signal (``symptoms.sayings``). Denied concepts ("no OOM", "OOM nahi aata") are concepts too,
and comparisons are read with their direction ("fp16 is faster than AWQ": AWQ is the slower side).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from engine.diagnosis.model import Signal
from engine.diagnosis.symptoms import printed, sayings
from engine.diagnosis.symptoms.figures import hear
from engine.diagnosis.symptoms.hearing import Heard, sentences, vocabulary
from engine.diagnosis.symptoms.meanings import VOCABULARY as VOCABULARY

LINES = 4000
"""Lines of a text that are read: the first half of them from its beginning, the other half from its end."""
KINDS = 1500
"""Sentences that are read, of those that differ in more than numbers."""
NEAR = 6
"""Words between two concepts that are close together."""
_SHOWN = 120
_SHORT = 50
_STAMP = re.compile(
    r"(?:\([\w. -]{1,40} pid=\d{1,9}\)\s{0,4})?"
    r"(?:\[?(?:\d{4}-)?\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?Z?\]?\s{0,4}|"
    r"(?:INFO|WARNING|ERROR|DEBUG|CRITICAL)\b:?\s{0,8}|\[[\w./-]{1,60}:\d{1,6}\]\s{0,4}){1,4}"
)
"""What a log puts before its words: process, level, time, place in the program."""
_OF_OOM = frozenset(
    """
    oom-loading oom-warmup oom-capture oom-running not-enough-memory-fraction no-cache-blocks oom-only-near-full
    warmup-prefill
    """.split()
)
"""What "oom" says nothing beside."""
_NOTHING = re.compile(r"\b(?:0|zero) (?=(?:oom|ooms|out of memory|out-of-memory|preempt|retract|hang|timeout|crash))")
"""A count of nothing: "0 OOM errors" denies as "no OOM errors" does."""
_DIGITS = re.compile(r"[0-9]+")


class _Term(NamedTuple):
    kind: str  # any, none, loses, near, order
    left: int
    right: int = 0


class _Row(NamedTuple):
    id: str
    key: int  # one of these bits is needed: most rows fail on that alone
    terms: tuple[_Term, ...]


_KINDS = ("any", "none", "near", "order", "loses")
"""Kinds of terms, the cheapest first."""


@lru_cache(maxsize=1)
def _rows() -> tuple[tuple[_Row, ...], tuple[_Row, ...]]:
    """The tables, compiled when the first sentence is read: of signals, and of levers."""
    lines = (line.partition(":") for line in sayings.SAYINGS.strip().split("\n") if line)
    return (
        tuple(_row(head, body) for head, _, body in lines),
        tuple(_row(lever, body) for lever, body in sayings.LEVERS.items()),
    )


def _row(head: str, body: str) -> _Row:
    terms = tuple(sorted((_term(word) for word in body.split()), key=lambda one: _KINDS.index(one.kind)))
    return _Row(head, next((one.left for one in terms if one.kind in ("any", "near", "order")), -1), terms)


def _term(word: str) -> _Term:
    bits = vocabulary().mask
    if word[0] in "-<":
        return _Term("none" if word[0] == "-" else "loses", bits(word[1:]))
    for sign, kind in (("~", "near"), (">", "order")):
        if sign in word:
            left, _, right = word.partition(sign)
            return _Term(kind, bits(left), bits(right))
    return _Term("any", bits(word))


def _holds(terms: tuple[_Term, ...], heard: Heard) -> bool:
    for kind, left, right in terms:
        if kind == "any":
            if not heard.bits & left:
                return False
        elif kind == "none":
            if heard.bits & left:
                return False
        elif kind == "loses":
            if not heard.loses(left):
                return False
        elif not heard.close(left, right, NEAR, ordered=kind == "order"):
            return False
    return True


@lru_cache(maxsize=512)
def _sentence(text: str, logged: bool) -> tuple[tuple[str, ...], frozenset[str]]:
    """The signals of one sentence, a person's or a log's, and the levers that it says were tried in vain or are on."""
    lower = _NOTHING.sub("no ", " ".join(text.lower().split()))
    found = dict.fromkeys(one for fragment, ids in printed.KNOWN if fragment in lower for one in ids)
    heard = hear(lower)
    if not heard.bits:
        return tuple(found), frozenset()
    signals, levers = _rows()
    for row in signals:
        if not heard.bits & row.key or row.id in found or not _holds(row.terms, heard):
            continue
        if row.id[0] == "=":
            heard.add(row.id[1:], row.terms[0].left)
        elif not logged or row.id[0] == "!" or row.id in printed.LOGGED:
            found[row.id] = None
    vain = not logged and heard.bits & vocabulary().mask(sayings.IN_VAIN)
    return tuple(found), frozenset(row.id for row in levers if _holds(row.terms, heard)) if vain else frozenset()


def read(text: str, source: str = "symptom") -> tuple[Signal, ...]:
    """The signals that a text carries, each once, in order of the text.

    Args:
        text: a sentence, a paragraph, or a log. Of a long one, the first and the last ``LINES / 2`` lines are read, a
            thousand characters of each, and sentences that differ in more than numbers only up to ``KINDS``.
        source: where it stands: "symptom", or a file and line.
    """
    found: dict[str, Signal] = {}
    for piece, logged in _pieces(text, source == "symptom"):
        for one in _sentence(piece, logged)[0]:
            found.setdefault(one, Signal(one, quoted(piece), source))
    return settled(found.values())


def printed_in(rows: Iterable[str], source: str) -> tuple[Signal, ...]:
    """The signals that a text of an engine stands for by itself, whatever else the line says."""
    found: dict[str, Signal] = {}
    for row in rows:
        lower = row.lower()
        for fragment, ids in printed.KNOWN:
            if fragment in lower:
                for one in ids:
                    found.setdefault(one, Signal(one, quoted(row), source))
    return tuple(found.values())


def quoted(text: str) -> str:
    """A line as evidence: without what the log put before it, and where it is long, cut between two words."""
    whole = " ".join(text.split())
    line = _STAMP.sub("", whole, count=1) if _STAMP.match(whole) else whole
    line = line or whole
    if len(line) <= _SHOWN:
        return line
    head = line[: _SHOWN - 1]
    return f"{head.rpartition(' ')[0].rstrip(' ,;:') or head}…"


def settled(found: Iterable[Signal]) -> tuple[Signal, ...]:
    """Signals without those that others of the same text take back, each once, in their order."""
    each: dict[str, Signal] = {}
    for one in found:
        each.setdefault(one.id, one)
    if not each.keys().isdisjoint(_OF_OOM):
        each.pop("oom", None)
    return tuple(one for one in each.values() if (one.id[0] != "!" and "!" + one.id not in each))


def tried(text: str) -> frozenset[str]:
    """Ids of the levers that a text says were tried in vain, or are on already."""
    return frozenset(lever for piece, logged in _pieces(text, True) for lever in _sentence(piece, logged)[1])


def _pieces(text: str, spoken: bool) -> Iterator[tuple[str, bool]]:
    """The sentences of a text, and whether each is a program's; of those that differ in numbers alone, 40.

    A short sentence about the one before it comes a second time, together with that.
    """
    seen: dict[str, int] = {}
    last = ""
    for piece, logged in sentences(text, LINES):
        kind = _DIGITS.sub("0", piece)
        count = seen.get(kind, 0)
        if count >= 40 or not (count or len(seen) < KINDS):
            continue
        seen[kind] = count + 1
        person = spoken and not logged
        yield piece, not person
        short = len(piece) <= _SHORT and len(last) <= _SHOWN
        if person and last and short and (_leans(piece) or _answers(last, piece)):
            yield f"{last}, {piece}", False
        last = piece if person else ""


def _answers(last: str, piece: str) -> bool:
    """Whether two sentences give the two rates of one comparison ("TP=1: 90 tok/s. TP=2: 77 tok/s.")."""
    if not (any(map(str.isdigit, last)) and any(map(str.isdigit, piece))):
        return False
    rate, sides = vocabulary().mask("rate"), vocabulary().mask("manycards|onecard|quant|plain|draft|lora")
    one, other = hear(last.lower()).bits, hear(piece.lower()).bits
    return bool(one & rate and other & rate and one & sides and other & sides and one & sides != other & sides)


def _leans(piece: str) -> bool:
    heard = hear(piece.lower())
    leaning = vocabulary().mask(sayings.LEANING) | vocabulary().mask("no-gain|no-fast|no-help")
    return len(heard.words) <= 6 and bool(heard.bits & leaning)
