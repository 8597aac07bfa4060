"""The rows that a figure's widget shows: the drawing above, the line of keys under it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from tutor.figures.base import Figure, Lang
from tutor.figures.keyline import OWN, key_line
from tutor.figures.pen import Pen
from tutor.figures.state import State

if TYPE_CHECKING:
    from textual.content import Content

    from tutor.widgets.painted import Rows


class Ask(NamedTuple):
    """Everything that the text depends on."""

    figure: Figure
    state: State
    """What the keys belong to."""
    frame: State
    """What is drawn: the state, or one on the way to it."""
    width: int
    height: int
    """Rows of drawing and keys together."""
    lang: Lang
    ascii: bool
    keys: bool
    playing: str
    """What the play key does now, as :func:`~tutor.figures.keyline.key_words` takes it."""
    own: tuple[str, str] = OWN
    """The keys that copy and reset."""


class Sheet:
    """Draws, and keeps the last rows: a layout asks for their number, and the painting for the same rows again.

    While the reader is at a figure, :attr:`steady` keeps the line of keys where it is: a drawing that has become
    shorter is followed by blank rows, so that nothing below it jumps.
    """

    def __init__(self) -> None:
        self.steady = False
        self._tallest = 0
        self._width = 0
        self._asked: Ask | None = None
        self._made: Rows = ()

    def free(self) -> None:
        """Let the drawing have its own height again."""
        self.steady, self._tallest, self._asked = False, 0, None

    def rows(self, ask: Ask) -> Rows:
        """The drawing with its keys, no more than ``height`` rows where the drawing can be as short as that."""
        if ask != self._asked:
            self._asked, self._made = ask, self._draw(ask)
        return self._made

    def body(self, ask: Ask) -> list[Content]:
        """The drawing alone, as it stands over its keys."""
        return self._body(ask, self._room(ask, self._keys(ask)))

    def _draw(self, ask: Ask) -> Rows:
        keys = self._keys(ask)
        room = self._room(ask, keys)
        body = self._body(ask, room)
        return (*body, *self._blank(ask, len(body), room), *keys)

    @staticmethod
    def _room(ask: Ask, keys: Sequence[Content]) -> int:
        return max(8, ask.height - len(keys))

    @staticmethod
    def _body(ask: Ask, room: int) -> list[Content]:
        return [row.content for row in ask.figure.rows(ask.frame, Pen(ask.width, room, ask.lang, ask.ascii))]

    def _keys(self, ask: Ask) -> list[Content]:
        if not ask.keys:
            return []
        return key_line(
            ask.figure, ask.width, ask.lang, ascii=ask.ascii, state=ask.state, playing=ask.playing, own=ask.own
        )

    def _blank(self, ask: Ask, rows: int, room: int) -> list[Content]:
        """Rows under a drawing that has been taller."""
        from textual.content import Content

        kept = self._tallest if self.steady and ask.width == self._width else 0
        self._tallest, self._width = max(rows, min(kept, room)), ask.width
        return [Content("")] * (self._tallest - rows)
