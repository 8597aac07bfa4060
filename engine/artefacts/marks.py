"""Which readers a line is shown to: those that know a fragment of it."""

from __future__ import annotations

from collections.abc import Sequence

from engine.artefacts.fragments import compiled
from engine.artefacts.readers.base import Reader

_NONE: tuple[int, ...] = ()
_SAME = bytes.maketrans(b"123456789", b"0" * 9)
_MOST_SHAPES = 4096


class Marks:
    """Which readers know a fragment of a line. Most lines of a log differ in their digits alone, so that what was found
    of one holds for the next of its shape."""

    def __init__(self, readers: Sequence[Reader]) -> None:
        each = [(mark, number) for number, reader in enumerate(readers) for mark in reader.marks]
        self.all = tuple(dict.fromkeys(mark for mark, _ in each))
        """Every fragment once."""
        self._gate = compiled(self.all)
        self._plain = [(mark, number) for mark, number in each if not any(map(str.isdigit, mark))]
        self._digits = [(mark, number) for mark, number in each if any(map(str.isdigit, mark))]
        self._shapes: dict[bytes, tuple[int, ...]] = {}

    def of(self, text: str) -> tuple[int, ...]:
        """Numbers of the readers, in their order."""
        shape = text.encode("utf-8", "replace").translate(_SAME) if len(text) <= _SHORT else None
        found = None if shape is None else self._shapes.get(shape)
        if found is None:
            found = self._found(text)
            if shape is not None:
                if len(self._shapes) >= _MOST_SHAPES:
                    self._shapes.clear()
                self._shapes[shape] = found
        special = [number for mark, number in self._digits if mark in text]
        return tuple(sorted({*found, *special})) if special else found

    def _found(self, text: str) -> tuple[int, ...]:
        """Numbers of the readers that know a fragment without digits."""
        if not self._gate.search(text):
            return _NONE
        return tuple(sorted({number for mark, number in self._plain if mark in text}))


_SHORT = 1024
"""Characters of the longest line whose shape is remembered."""
