"""The pen: words, glyphs and styles for one width, language and character set."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from engine.units import grouped
from tutor.figures.columns import pointed
from tutor.figures.rows import CAPTION, GAP, Row

if TYPE_CHECKING:
    from textual.content import Content

WEIGHTS = "#1d1300 on #e0993f"
KV = "#00201d on #46b5a6"
RESERVED = "#7fd6c9 on #17463f"
TEAL = "#46b5a6"
"""The buckets, orange and teal in every theme; their letters W, K and r carry the meaning without colour."""
DIM = "dim"
STRONG = "bold"
ACCENT = "bold $text-primary"
OVER = "bold reverse"

_PLAIN = str.maketrans({
    "→": "->", "←": "<-", "↑": "up", "↓": "down", "×": "x", "−": "-", "–": "-", "·": "*",
    "≤": "<=", "≥": ">=", "≈": "~", "…": "...", "²": "^2", "³": "^3", "⁹": "^9",
    "─": "-", "│": "|", "┌": "+", "┐": "+", "└": "+", "┘": "+", "├": "+", "┤": "+", "┬": "+", "┴": "+", "┼": "+",
    "█": "#", "▒": "=", "░": ".", "▌": ">", "▄": "-",
})  # fmt: skip
"""ASCII for every other sign that the figures and their words use."""

Part = str | tuple[str, str]
"""A piece of a line: text, or text with a style."""


@dataclass(frozen=True, slots=True)
class Pen:
    """What a drawing needs to know about where it is drawn."""

    width: int
    height: int
    lang: Literal["en", "hi-Latn"]
    ascii: bool = False

    def fold(self, text: str) -> str:
        """The text in the characters that this terminal has."""
        return text.translate(_PLAIN).encode("ascii", "replace").decode() if self.ascii else text

    def say(self, key: str, **params: object) -> str:
        """The words of ``figures.<key>`` in the reader's language."""
        from content.words import say

        return self.fold(say(f"figures.{key}", self.lang, **params))

    def amount(self, value: Fraction | int, unit: str, digits: int | None = 4) -> str:
        """A value in base units, printed in a unit."""
        from engine.units import quantity

        return self.fold(quantity(Fraction(value), unit, digits))

    def count(self, noun: str, number: int) -> str:
        """A number with its noun, in the right plural: "1 block", "1,192 blocks"."""
        from content.words import noun as word

        return f"{grouped(number)} {word(noun, number, self.lang)}"

    @property
    def dot(self) -> str:
        """An empty cell."""
        return "." if self.ascii else "·"

    def line(self, *parts: Part) -> Content:
        """One line from its pieces, any sign that the terminal lacks replaced."""
        from textual.content import Content

        folded = [(self.fold(p), "") if isinstance(p, str) else (self.fold(p[0]), p[1]) for p in parts]
        return Content.assemble(*[text if not style else (text, style) for text, style in folded])

    def row(self, *parts: Part, rank: int = 0, said: str | None = None) -> Row:
        """One row from its pieces."""
        return Row(self.line(*parts), rank, said)

    def art(self, *parts: Part, rank: int = 0) -> Row:
        """A row that is only a drawing: the plain mode leaves it out."""
        return Row(self.line(*parts), rank, "")

    def gap(self) -> Row:
        """An empty line, where there is room for it."""
        return Row(self.line(""), GAP, "")

    def wrapped(self, text: str, style: str = "", rank: int = 0, width: int | None = None) -> list[Row]:
        """A sentence over as many rows as it needs."""
        lines = textwrap.wrap(text, width or self.width, break_on_hyphens=False) or [""]
        rest = [self.row((line, style), rank=rank, said="") for line in lines[1:]]
        return [self.row((lines[0], style), rank=rank, said=text), *rest]

    def caption(self, text: str, rank: int = CAPTION) -> list[Row]:
        """The quiet sentence under a drawing."""
        return [self.gap(), *self.wrapped(text, DIM, rank)]

    def apart(self, left: str, right: str, style: str = "", rank: int = 0, width: int | None = None) -> list[Row]:
        """A name at the left and its value at the right edge; on two rows where one is too short."""
        left, right, width = self.fold(left), self.fold(right), width or self.width
        space = width - len(left) - len(right)
        said = f"{left}, {right.rstrip()}" if ": " in left else f"{left}: {right.rstrip()}"  # one colon to read aloud
        if space < 1:
            return [
                *self.wrapped(left, style, rank, width)[:-1],
                self.row((left[-width:], style), rank=rank, said=said),
                self.row((right.rjust(width), style), rank=rank, said=""),
            ]
        return [self.row((left, style), " " * space, (right, style or STRONG), rank=rank, said=said)]

    def pairs(self, pairs: Sequence[tuple[str, str]], rank: int = 0, width: int | None = None) -> list[Row]:
        """Names and values in two columns, the values flush right in a column as narrow as they allow."""
        return self.ranked([(rank, name, value) for name, value in pairs], width)

    def ranked(self, facts: Sequence[tuple[int, str, str]], width: int | None = None) -> list[Row]:
        """The same of rank, name and value, where some of them leave a short window before others."""
        names, values = [self.fold(name) for _, name, _ in facts], [self.fold(value) for _, _, value in facts]
        most = width or self.width
        for shown in (pointed(values), values):  # where there is no room for blanks, points stand as they fall
            need = 2 + max(map(len, names), default=0) + max(map(len, shown), default=0)
            if need <= most:
                break
        rows = zip((rank for rank, _, _ in facts), names, shown, strict=True)
        return [row for rank, name, value in rows for row in self.apart(name, value, rank=rank, width=min(most, need))]


def beside(left: Sequence[Row], right: Sequence[Row], at: int, pen: Pen) -> list[Row]:
    """Two blocks of rows side by side, the right one from column ``at``; the plain mode reads all of the left first."""
    rows = []
    last = max(len(left), len(right)) - 1
    for place in range(last + 1):
        first = left[place] if place < len(left) else None
        second = right[place] if place < len(right) else None
        content = first.content if first else pen.line("")
        if second:
            content = content.pad_right(at - content.cell_length) + second.content
        said = [row.plain for row in ([first] if first else []) + ([*right] if place == last else []) if row.plain]
        rows.append(Row(content, min(row.rank for row in (first, second) if row), "\n".join(said)))
    return rows
