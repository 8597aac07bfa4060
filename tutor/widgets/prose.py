"""Course text on the screen: one widget for all paragraphs of a page, wrapped by itself.

Wrapping here rather than in the widget's visual gives bullets a hanging indent, and tells on which line a paragraph
starts; that is what keeps the reader's place when the language changes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual.content import Content

from content.markup import Block, blocks
from tutor.widgets.drawn import Drawn
from tutor.widgets.ink import ACCENT, CODE, QUIET, STRONG

_STYLES = {"": "", "strong": STRONG, "code": CODE}


@dataclass(frozen=True, slots=True)
class Piece:
    """One paragraph: its words, what stands before its first line, and whether it joins the one above without a gap."""

    content: Content
    lead: str = ""
    tight: bool = False
    fixed: bool = False
    mark: bool = False
    """Whether the lead is a mark that wants to be seen."""


def pieces(text: str, *, quiet: bool = False) -> list[Piece]:
    """The paragraphs of a course text, ready to be wrapped."""
    made: list[Piece] = []
    last = ""
    for block in blocks(text):
        made.append(_piece(block, quiet, tight=last == block.kind and block.kind != "para"))
        last = block.kind
    return made


def _piece(block: Block, quiet: bool, tight: bool) -> Piece:
    parts = [(span.text, QUIET if quiet and not span.style else _STYLES[span.style]) for span in block.spans]
    content = Content.assemble(*parts)
    if block.kind == "bullet":
        return Piece(content, "· ", tight)
    return Piece(content, "  " if block.kind == "code" else "", tight, fixed=block.kind == "code")


def paired(first: Sequence[Piece], second: Sequence[Piece]) -> list[Piece]:
    """Both languages, paragraph under paragraph when they are cut alike, else one text after the other.

    A paragraph that reads the same in both, as a formula does, stands once.
    """
    other = [Piece(piece.content, "│ " + piece.lead, True, piece.fixed) for piece in second]
    if len(first) != len(second):
        return [*first, *([Piece(other[0].content, other[0].lead)] if other else []), *other[1:]]
    made: list[Piece] = []
    for one, two in zip(first, other, strict=True):
        made += [one] if one.content.plain == two.content.plain else [one, two]
    return made


def wrapped(made: Sequence[Piece], width: int) -> tuple[list[Content], list[int]]:
    """The lines at a width, and for each piece the number of its first line."""
    lines: list[Content] = []
    starts: list[int] = []
    for number, piece in enumerate(made):
        if number and not piece.tight:
            lines.append(Content(""))
        starts.append(len(lines))
        again = "│" + " " * (len(piece.lead) - 1) if piece.lead.startswith("│") else " " * len(piece.lead)
        room = max(8, width - len(piece.lead))
        own = piece.content.split(allow_blank=True) if piece.fixed else piece.content.wrap(room)
        for place, line in enumerate(own):
            lead = piece.lead if not place else again
            ink = f"{STRONG} {ACCENT}" if piece.mark else QUIET
            lines.append(Content.assemble((lead, ink), line.rstrip()) if lead else line.rstrip())
    return lines, starts


class Prose(Drawn):
    """A text made of pieces. Never takes markup from the text itself."""

    DEFAULT_CSS = """
    Prose { height: auto; width: 1fr; max-width: 76; }
    Prose.-empty { display: none; }
    """

    def __init__(
        self, source: Callable[[], Sequence[Piece]] | None = None, *, id: str | None = None, classes: str | None = None
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._source = source
        self._made: Sequence[Piece] = source() if source is not None else ()
        self._cache: tuple[int, list[Content], list[int]] = (-1, [], [])
        self._faded = False

    @property
    def pieces(self) -> Sequence[Piece]:
        """What is shown."""
        return self._made

    def show(self, made: Sequence[Piece]) -> None:
        """Show these paragraphs; an empty text takes no line."""
        self._made = made
        self._cache = (-1, [], [])
        self.set_class(not made, "-empty")
        self.clear_cached_dimensions()
        self.refresh(layout=True)

    def fade(self, on: bool) -> None:
        """Show them as what does not count any more, or as before; every line keeps its place."""
        if on != self._faded:
            self._faded = on
            self.refresh()

    def retell(self) -> None:
        """Ask the source again, after the language changed."""
        if self._source is not None:
            self.show(self._source())

    def _lines(self, width: int) -> tuple[list[Content], list[int]]:
        if self._cache[0] != width:
            self._cache = (width, *wrapped(self._made, width))
        return self._cache[1], self._cache[2]

    def lines_at(self, width: int) -> Sequence[Content]:
        """The wrapped lines."""
        lines = self._lines(width)[0]
        return [Content.styled(line.plain, QUIET) for line in lines] if self._faded else lines

    def piece_at(self, line: int) -> tuple[int, int]:
        """Which piece stands on a line of this widget, and how many lines into it."""
        starts = self._lines(max(1, self.content_size.width))[1]
        for number in range(len(starts) - 1, -1, -1):
            if starts[number] <= line:
                return number, line - starts[number]
        return 0, 0

    def line_of(self, piece: int, into: int = 0) -> int:
        """The line where a piece starts, plus `into` if the piece is that long."""
        lines, starts = self._lines(max(1, self.content_size.width))
        if not starts:
            return 0
        piece = min(piece, len(starts) - 1)
        end = starts[piece + 1] if piece + 1 < len(starts) else len(lines)
        return min(starts[piece] + into, max(starts[piece], end - 1))
