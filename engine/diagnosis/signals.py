"""What people's own sentences about a slow or full server say, as ids: a reader of words, never a judge.

A sentence is folded to words, words to concepts (``engine.diagnosis.sayings``), and a combination of concepts within
one sentence is a signal. Denied concepts ("no OOM", "OOM nahi aata") are concepts of their own, and comparisons are read
with their direction ("fp16 is faster than AWQ": AWQ is the slower side). Time grows in step with the text, which is
bounded; nothing here can backtrack.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from engine.diagnosis import sayings
from engine.diagnosis.hearing import Heard, hear, sentences, vocabulary
from engine.diagnosis.model import Signal

VOCABULARY: Mapping[str, str] = sayings.VOCABULARY
"""Id of every signal -> its meaning, one line, for developers."""

LINES = 4000
"""Lines of a text that are read: the first half of them from its beginning, the other half from its end."""
NEAR = 6
"""Words between two concepts that are close together."""
_SHOWN = 120
_OF_OOM = frozenset(
    ("oom-loading", "oom-warmup", "oom-capture", "oom-running", "not-enough-memory-fraction", "no-cache-blocks", "oom-only-near-full")
)
"""What "oom" says nothing beside."""


class _Term(NamedTuple):
    kind: str  # any, none, near, order, loses
    left: int
    right: int = 0


class _Row(NamedTuple):
    id: str
    need: int  # a sentence without one of each group of these bits cannot match; checked first, as it is cheap
    terms: tuple[_Term, ...]


@lru_cache(maxsize=1)
def _rows() -> tuple[_Row, ...]:
    """The table, compiled once: first the rows that name a concept, in order, then the signals."""
    return tuple(_row(line) for line in sayings.SAYINGS.strip().split("\n") if line)


def _row(line: str) -> _Row:
    head, _, body = line.partition(":")
    terms = tuple(sorted((_term(word) for word in body.split()), key=lambda one: _ORDER.index(one.kind)))
    return _Row(head, 0, terms)


_ORDER = ("any", "none", "loses", "near", "order")


def _term(word: str) -> _Term:
    bits = vocabulary().mask
    if word.startswith("-"):
        return _Term("none", bits(word[1:]))
    if word.startswith("<"):
        return _Term("loses", bits(word[1:]))
    for sign, kind in (("~", "near"), (">", "order")):
        if sign in word:
            left, _, right = word.partition(sign)
            return _Term(kind, bits(left), bits(right))
    return _Term("any", bits(word))


def _holds(term: _Term, heard: Heard) -> bool:
    if term.kind == "any":
        return bool(heard.bits & term.left)
    if term.kind == "none":
        return not heard.bits & term.left
    if term.kind == "loses":
        return heard.loses(term.left)
    return heard.close(term.left, term.right, NEAR, ordered=term.kind == "order")


@lru_cache(maxsize=512)
def _sentence(text: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """The signals of one sentence, and the levers that it says were tried in vain or are on."""
    lower = text.lower()
    found = dict.fromkeys(one for fragment, ids in sayings.KNOWN for one in ids if fragment in lower)
    heard = hear(lower)
    if heard.bits:
        for row in _rows():
            if row.id[0] == "=" or row.id not in found:
                if all(_holds(term, heard) for term in row.terms):
                    if row.id[0] == "=":
                        heard.add(row.id[1:], row.terms[0].left)
                    else:
                        found[row.id] = None
    if not found.keys().isdisjoint(_OF_OOM):
        found.pop("oom", None)
    return tuple(found), _tried(heard)


def _tried(heard: Heard) -> frozenset[str]:
    bits = vocabulary().mask
    if not heard.bits & bits("tried|noeffect|no-help|nogain|already"):
        return frozenset()
    return frozenset(
        lever
        for lever, body in sayings.LEVERS.items()
        if all(_holds(_term(word), heard) for word in body.split())
    )


def read(text: str, source: str = "symptom") -> tuple[Signal, ...]:
    """The signals that a text carries, each once, in order of the text.

    Args:
        text: a sentence, a paragraph, or a log. Of a long one, the first and the last ``LINES / 2`` lines are read,
            a thousand characters of each.
        source: where it stands: "symptom", or a file and line.
    """
    found: dict[str, Signal] = {}
    for piece in _pieces(text):
        for one in _sentence(piece)[0]:
            found.setdefault(one, Signal(one, piece[:_SHOWN], source))
    return tuple(found.values())


def tried(text: str) -> frozenset[str]:
    """Ids of the levers that a text says were tried in vain, or are on already."""
    return frozenset(lever for piece in _pieces(text) for lever in _sentence(piece)[1])


def _pieces(text: str) -> Iterator[str]:
    seen: set[str] = set()
    return (piece for piece in islice(sentences(text, LINES), 2 * LINES) if not (piece in seen or seen.add(piece)))  # type: ignore[func-returns-value]
