"""Where the keys of a TOML file stand: path of a key or table -> line.

``tomllib`` gives the values and not their places. This reads only as much as it must to know where each key begins, of
a text that ``tomllib`` has already accepted. A path is keys and places in lists: ``("exercise", 0, "part", 2)``.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping

Path = tuple[str | int, ...]


def positions(text: str) -> Mapping[Path, int]:
    """The line (from 1) of every key, table and list element of a valid TOML text."""
    return _Scanner(text).document()


class _Scanner:
    """One pass over the text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.starts = [0, *(place + 1 for place, letter in enumerate(text) if letter == "\n")]
        self.lines: dict[Path, int] = {}
        self.counts: dict[Path, int] = {}

    def document(self) -> Mapping[Path, int]:
        """Every table and key of the file."""
        here: Path = ()
        while self._skip():
            if self.text.startswith("[", self.at):
                here = self._header()
            else:
                self._pair(here)
        return self.lines

    def _mark(self, path: Path, at: int) -> None:
        """Remember a path, and the tables above it that no header names, at their first mention."""
        line = bisect_right(self.starts, at)
        for length in range(1, len(path) + 1):
            self.lines.setdefault(path[:length], line)

    def _skip(self) -> bool:
        """Move over blank space and comments; whether anything follows."""
        while self.at < len(self.text):
            if self.text[self.at] == "#":
                end = self.text.find("\n", self.at)
                self.at = len(self.text) if end < 0 else end
            elif not self.text[self.at].isspace():
                return True
            else:
                self.at += 1
        return False

    def _header(self) -> Path:
        start, double = self.at, self.text.startswith("[[", self.at)
        self.at += 2 if double else 1
        path: Path = ()
        keys = self._keys()
        for key in keys[:-1]:
            path = self._inside((*path, key))
        path = (*path, keys[-1])
        if double:
            self.counts[path] = self.counts.get(path, -1) + 1
            path = self._inside(path)
        self.at += 2 if double else 1
        self._mark(path, start)
        return path

    def _inside(self, path: Path) -> Path:
        """A table, or of a list of tables the last."""
        return (*path, self.counts[path]) if path in self.counts else path

    def _pair(self, here: Path) -> None:
        start = self.at
        path = (*here, *self._keys())
        self._mark(path, start)
        self.at += 1  # the equals sign
        self._skip()
        self._value(path)

    def _keys(self) -> list[str]:
        """A dotted key, up to the sign behind it."""
        keys: list[str] = []
        while True:
            self._skip()
            if self.text[self.at] in "\"'":
                start = self.at
                self._string()
                keys.append(self.text[start + 1 : self.at - 1])
            else:
                start = self.at
                while self.text[self.at].isalnum() or self.text[self.at] in "_-":
                    self.at += 1
                keys.append(self.text[start : self.at])
            self._skip()
            if self.text[self.at] != ".":
                return keys
            self.at += 1

    def _value(self, path: Path) -> None:
        letter = self.text[self.at]
        if letter in "\"'":
            self._string()
        elif letter == "[":
            self._list(path)
        elif letter == "{":
            self._table(path)
        else:
            while self.at < len(self.text) and self.text[self.at] not in ",]}#\n":
                self.at += 1

    def _list(self, path: Path) -> None:
        self.at += 1
        place = 0
        while self._skip() and self.text[self.at] != "]":
            if self.text[self.at] == ",":
                self.at += 1
                continue
            self._mark((*path, place), self.at)
            self._value((*path, place))
            place += 1
        self.at += 1

    def _table(self, path: Path) -> None:
        self.at += 1
        while self._skip() and self.text[self.at] != "}":
            if self.text[self.at] == ",":
                self.at += 1
                continue
            self._pair(path)
        self.at += 1

    def _string(self) -> None:
        """Move over a string of any of the four kinds."""
        quote = self.text[self.at]
        long = self.text.startswith(quote * 3, self.at)
        end = quote * 3 if long else quote
        self.at += len(end)
        while not self.text.startswith(end, self.at):
            self.at += 2 if quote == '"' and self.text[self.at] == "\\" else 1
        self.at += len(end)
        while long and self.text.startswith(quote, self.at):  # up to two quotes may stand before the closing three
            self.at += 1
