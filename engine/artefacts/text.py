"""A line of a text, and the two ends of a text."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Literal

Use = Literal["", "taken", "error"]
"""Of a line: no reader took anything, one took its figures, one took it for an error."""
MOST_KEPT = 2000
"""Lines of either end of a text that are kept, and of each so many characters:"""
MOST_WIDTH = 1000


class Line:
    """A line of a text, cleaned of colours and of what containers put before it.

    Attributes:
        number: 1-based; of lines that were joined, the first one's, and ``last`` the last one's.
        text: without its end.
        width: columns that it takes, with what a container put before it.
        cut: whether it is longer than what was kept of it.
        ended: whether a line end follows; without one the text may stop in the middle of a number.
    """

    __slots__ = ("_at", "_clock", "_stamped", "cut", "ended", "last", "number", "text", "width")

    def __init__(
        self,
        number: int,
        text: str,
        clock: Callable[[str], float | None],
        cut: bool = False,
        ended: bool = True,
        stamped: str | None = None,
    ) -> None:
        self.number = self.last = number
        self.text, self.cut, self.ended = text, cut, ended
        self.width = len(text)
        self._clock: Callable[[str], float | None] | None = clock
        self._stamped = stamped
        self._at: float | None = None

    @property
    def at(self) -> float | None:
        """Seconds of its time stamp, from any beginning; ``None`` without one. Read when first asked for."""
        if self._clock is not None:
            stamped = self.text if self._stamped is None else self._stamped
            self._at, self._clock = self._clock(stamped), None
        return self._at


class Ends:
    """The first and the last lines of a text, shortened: what there is to read in words."""

    __slots__ = ("_first", "_last")

    def __init__(self) -> None:
        self._first: list[tuple[int, str, Use]] = []
        self._last: deque[tuple[int, str, Use]] = deque(maxlen=MOST_KEPT)

    @property
    def begun(self) -> bool:
        """Whether all the first lines are there that are kept."""
        return len(self._first) >= MOST_KEPT

    def add(self, line: Line, use: Use = "") -> None:
        """Keep a line, or let the oldest of the end go for it."""
        one = line.number, line.text[:MOST_WIDTH], use
        if len(self._first) < MOST_KEPT:
            self._first.append(one)
        else:
            self._last.append(one)

    def __iter__(self) -> Iterator[tuple[int, str]]:
        yield from ((number, text) for number, text, _ in self.used())

    def used(self) -> Iterator[tuple[int, str, Use]]:
        """The lines with what a reader took of them."""
        yield from self._first
        yield from self._last

    def __str__(self) -> str:
        return "\n".join(text for _, text in self)

    def line(self, number: int) -> str:
        """The text of a line, "" where it was not kept."""
        return next((text for one, text in self if one == number), "")
