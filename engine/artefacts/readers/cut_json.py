"""A JSON document that is cut off: what stands before the cut, without the value that the cut goes through."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from engine.artefacts.model import Observations
from engine.artefacts.text import Line

MOST = 2**18
"""Characters of a document that is cut off; a longer one is left alone."""
_OPENING = re.compile(r'\s*\{\s*(?:$|")')
_STRUCTURE = re.compile(r'"(?:[^"\\\n]|\\.)*+(?:"|\\?$)|[{}\[\],]', re.MULTILINE)
_CLOSES = {"}": "{", "]": "["}

Reads = Callable[[Any, Observations, Line | None], bool]


class Cut:
    """Gathers a document that begins on a line of its own; what ends whole is read as such by others."""

    marks = ("{",)

    def __init__(self, reads: Sequence[Reads]) -> None:
        self.open = False
        self._reads = reads
        self._held: list[str] = []
        self._first: Line | None = None
        self._depth = self._size = 0

    def line(self, line: Line, out: Observations) -> None:
        """Gather a line."""
        text = line.text
        if not self.open:
            if not _OPENING.match(text):
                return
            self.open, self._first = True, line
        self._held.append(text)
        self._size += len(text)
        for one in _STRUCTURE.findall(text):
            self._depth += (one in "{[") - (one in "}]")
        if self._depth <= 0 or self._size > MOST:
            self._drop()

    def end(self, out: Observations) -> None:
        """The text is over in the middle of the document: read what is whole of it."""
        if self.open:
            found = before_the_cut("\n".join(self._held))
            known = [read(found, out, self._first) for read in self._reads] if found else []
            if any(known):
                out.trap("cut", "", self._first)
        self._drop()

    def _drop(self) -> None:
        self.open, self._held, self._first, self._depth, self._size = False, [], None, 0, 0


def before_the_cut(text: str) -> dict[str, Any] | None:
    """The members of an object that end before the text does; a list that is cut is left out whole, since a part of it
    is not what was printed. ``None`` where nothing is whole."""
    opened: list[str] = []
    end, depth = 0, 0
    for found in _STRUCTURE.finditer(text):
        one = found[0]
        if one in _CLOSES:
            if not opened or opened.pop() != _CLOSES[one]:
                return None
        elif one in "{[":
            opened.append(one)
        elif one == "," and "[" not in opened:
            end, depth = found.start(), len(opened)
        if len(opened) > 50:
            return None
    try:
        whole = json.loads(text[:end] + "}" * depth)
    except (ValueError, RecursionError):
        return None
    return whole if isinstance(whole, dict) else None
