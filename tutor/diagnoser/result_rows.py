"""Rows that the parts of a report have in common: a head with its label, a heading, a number with its note."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from tutor.widgets.ink import QUIET, STRONG
from tutor.widgets.lines import Draw, sentence, wrapped, written

LABEL = 9
"""Columns of the words at the left: memory, decode, prefill, and the like."""


def label(text: str, style: str = QUIET) -> Content:
    """The words at the left of a head, as wide as all of them."""
    return Content.styled(text.ljust(LABEL), style)


def headed(name: str, text: str, quiet: str = "") -> Draw:
    """A head behind its label, and what is less important after it."""
    tail = f"  {quiet}" if quiet else ""
    return written(Content.assemble(text, (tail, QUIET)), label(name), LABEL)


def heading(text: str, quiet: str) -> Draw:
    """A heading over rows, and what is less important after it."""
    return written(Content.assemble((text, STRONG), (f"  {quiet}" if quiet else "", QUIET)))


def noted(head: Content, note: str) -> Draw:
    """A number with its note quietly beside it, or below where there is no room."""

    def draw(width: int) -> Sequence[Content]:
        if head.cell_length + 2 + len(note) <= width:
            return (Content.assemble(head, (f"  {note}", QUIET)).rstrip(),)
        first = (head,) if head.cell_length <= width else wrapped(head, width)
        return (*first, *sentence(note, QUIET, "      ")(width))

    return draw
