"""What of a text no reader would look at, passed over without making lines of it.

Lines without a fragment that any reader knows matter only as the first and the last ones of a text, which are kept for
their words. In a long stretch of them all but its last ones go by at the speed of one search; runs of blank lines too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from engine.artefacts.fragments import in_bytes
from engine.artefacts.text import MOST_KEPT

_BLOCK = 2**14
"""Bytes of a step of the search: of a text with fragments everywhere only the first bytes of each are looked at."""
_MORE = 256
"""Bytes that the longest fragment may stand over a block's end."""
_CHANGED = (*map(chr, (*range(9), *range(11, 32), 127)), "{", *(f"[{one}" for one in "0123456789m"))
"""What cleaning may take out of a line or unpack, so that a fragment is there only afterwards; JSON begins so too."""
_BLANK = re.compile(rb"(?:[ \t]{0,200}+\n)++")
_ENDS = re.compile(rb"(?:\r\n)++")

Says = Callable[[bytes], bool]
"""Whether a line has a word of its own."""


class Sieve:
    """For one text.

    Attributes:
        on: false where lines are joined, whose fragments may lie in two of them.
    """

    def __init__(self, marks: Iterable[str], most: int, idle: Callable[[], bool]) -> None:
        """Make one.

        Args:
            marks: of all readers.
            most: bytes of a line that are kept; a longer one is noted.
            idle: whether what follows is nobody's: no table or block goes on, and the first lines are kept.
        """
        self.on = True
        self._most, self._idle = most, idle
        self._noted = in_bytes((*marks, *_CHANGED))

    def gaps(self, chunk: bytes) -> Iterator[tuple[int, int]]:
        """Stretches of whole lines of a piece that have nothing for a reader, from a line's beginning to another's;
        the first line may have begun in the piece before, and is not among them.
        """
        at = 0
        while at < len(chunk):
            if self._noted.search(chunk, at, at + _BLOCK + _MORE):
                at += _BLOCK
                continue
            hit = self._noted.search(chunk, at)
            over = hit.start() if hit else len(chunk)
            first, last = chunk.find(b"\n", at) + 1, chunk.rfind(b"\n", at, over) + 1
            if 0 < first < last - 2 * MOST_KEPT:
                yield first, last
            at = over + 1

    def passed(self, chunk: bytes, start: int, end: int, says: Says) -> int | None:
        """Where to go on reading, of a stretch that begins and ends with a line; ``start`` where nothing may be passed
        over now, ``None`` where nothing of the rest ever may.
        """
        if self.on and not self._idle():
            return start
        if not self.on or self._is_long(chunk, start, end):
            return None
        kept, at = 0, end
        while kept < MOST_KEPT and at > start:
            before = chunk.rfind(b"\n", start, at - 1)
            begin = before + 1 if before >= 0 else start
            kept += says(chunk[begin : at - 1])
            at = begin
        return at if at > start else None

    def _is_long(self, chunk: bytes, start: int, end: int) -> bool:
        while end - start > self._most:
            stop = chunk.rfind(b"\n", start, start + self._most + 1)
            if stop < 0:
                return True
            start = stop + 1
        return False


class Passing:
    """One piece of a text under a sieve."""

    __slots__ = ("_chunk", "_sieve", "gaps")

    def __init__(self, sieve: Sieve, chunk: bytes) -> None:
        self._sieve, self._chunk = sieve, chunk
        self.gaps = list(sieve.gaps(chunk))[::-1]

    def over(self, start: int, says: Says, blanks: bool) -> int:
        """Where to go on from the beginning of a line: ``start`` where the line is read; ``blanks`` are passed over if
        true, but for the last one of a run.
        """
        chunk, lead = self._chunk, self._chunk[start]
        if lead == _RETURN and (found := _ENDS.match(chunk, start)):
            return found.end()
        if blanks and lead <= _SPACE and (found := _BLANK.match(chunk, start)):
            return max(start, chunk.rfind(b"\n", start, found.end() - 1) + 1)
        while self.gaps and self.gaps[-1][1] <= start:
            self.gaps.pop()
        if not self.gaps or start < self.gaps[-1][0]:
            return start
        at = self._sieve.passed(chunk, start, self.gaps[-1][1], says)
        if at != start:
            self.gaps.pop()
        return start if at is None else at


_RETURN, _SPACE = b"\r "
