"""The few styles of the app's own text, by meaning. Figures bring their two bucket colours themselves.

Style names are theme variables, so that every theme, and an ANSI theme with its sixteen colours, keeps them apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.content import Content

if TYPE_CHECKING:
    from textual.widget import Widget

ACCENT = "$text-primary"
"""The one accent colour: where you are, and what can be pressed."""
STRONG = "bold"
QUIET = "dim"
"""Less important than the text around it. Not $text-muted: an automatic colour comes out white in a Content."""
CODE = "$text-primary"
"""Formulas and symbols inside a sentence."""

SOLVED, TRIED, NEW = "●", "◐", "○"
_ASCII = str.maketrans("●◐○━▸▾›┃─·│✓✗↑↓→←", "*+-=>v>|-.|*x^v><")


def plainer(text: str, ascii_only: bool) -> str:
    """The same text with the app's marks replaced by ASCII ones of the same width, where the setting asks for it."""
    return text.translate(_ASCII) if ascii_only else text


def wants_ascii(widget: Widget) -> bool:
    """Whether the reader asked for ASCII marks only."""
    return bool(getattr(getattr(widget.app, "session", None), "ascii", False))


def mark(status: str) -> str:
    """The mark of a part: ● solved, ◐ tried, shown or skipped, ○ new."""
    return {"solved": SOLVED, "new": NEW}.get(status, TRIED)


def bar(done: int, total: int, width: int = 10) -> str:
    """A progress bar in text; full only when everything is done, and not empty once something is."""
    if total <= 0:
        return "─" * width
    filled = min(width, done * width // total)
    if done and not filled:
        filled = 1
    return "━" * filled + "─" * (width - filled)


def spread(left: Content, right: Content, width: int) -> Content | None:
    """Left and right on one line of `width` cells, or None when they do not fit with two blanks between."""
    room = width - left.cell_length - right.cell_length
    return Content.assemble(left, " " * room, right) if room >= (2 if right.cell_length else 0) else None


def cells(text: str) -> int:
    """Width of a text on the screen."""
    return cell_len(text)
