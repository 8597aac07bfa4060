"""Which readers a line is shown to: those that know a fragment of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from engine.artefacts.readers.base import Reader

_NONE: frozenset[int] = frozenset()
_SAME = str.maketrans("123456789", "0" * 9)
_MOST_SHAPES = 4096


class Marks:
    """Which readers know a fragment of a line. Most lines of a log differ in their digits alone, so that what was found
    of one holds for the next of its shape."""

    def __init__(self, readers: Sequence[Reader]) -> None:
        each = [(mark, number) for number, reader in enumerate(readers) for mark in reader.marks]
        self.all = tuple(dict.fromkeys(mark for mark, _ in each))
        """Every fragment once."""
        self._gate = _gate(self.all)
        self._plain = [(mark, number) for mark, number in each if not any(map(str.isdigit, mark))]
        self._digits = [(mark, number) for mark, number in each if any(map(str.isdigit, mark))]
        self._shapes: dict[str, frozenset[int]] = {}

    def of(self, text: str) -> frozenset[int]:
        """Numbers of the readers."""
        if not self._gate.search(text):
            return _NONE
        shape = text.translate(_SAME)
        found = self._shapes.get(shape)
        if found is None:
            if len(self._shapes) >= _MOST_SHAPES:
                self._shapes.clear()
            found = frozenset(number for mark, number in self._plain if mark in text)
            if len(shape) <= _SHORT:
                self._shapes[shape] = found
        special = [number for mark, number in self._digits if mark in text]
        return found.union(special) if special else found


_SHORT = 1024
"""Characters of the longest line whose shape is remembered."""


@lru_cache(maxsize=4)
def _gate(marks: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(any_of(marks))


def any_of(marks: Iterable[str]) -> str:
    """A pattern that finds any of the fragments, letter by letter: most lines of a log have none, and it says so many
    times sooner than looking for each."""
    branches: dict[str, list[str]] = {}
    for mark in marks:
        if not mark:
            return ""  # a fragment ends here: whatever follows, it is found
        branches.setdefault(mark[0], []).append(mark[1:])
    made = [re.escape(letter) + any_of(rest) for letter, rest in sorted(branches.items())]
    return made[0] if len(made) == 1 else f"(?:{'|'.join(made)})"
