"""The memory of one card as a bar of letters, and its lines one under the other: what, how much, from where.

The bar is the card; what does not fit stands outside its frame, in reverse, as in the figure of the two buckets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from textual.content import Content

from tutor.figures.pen import DIM, KV, OVER, RESERVED, STRONG, WEIGHTS
from tutor.figures.rows import apportion

FREE = "·"
LETTERS: Mapping[str, tuple[str, str]] = {
    "weights": ("W", WEIGHTS), "kv": ("K", KV), "kv-pool": ("P", KV), "kv-request": ("K", KV),
    "reserved": ("r", RESERVED),
    "activation": ("A", STRONG), "graphs": ("G", STRONG), "non-torch": ("N", STRONG),
    "free": (FREE, DIM), "short": ("!", OVER),
}  # fmt: skip
"""Letter and look of each line of a ledger; the letters carry the meaning without colour."""


class Share(NamedTuple):
    """A part of the bar."""

    name: str
    size: Fraction


def letter(name: str) -> tuple[str, str]:
    """Letter and look of a line; one that nobody has named yet gets its own first letter."""
    return LETTERS.get(name, (name[:1].upper() or "?", STRONG))


def fold(text: str, ascii_only: bool) -> str:
    """The bar's signs in the characters that this terminal has."""
    return text.translate(str.maketrans("│·", "|.")) if ascii_only else text


def extent(shares: Sequence[Share], card: Fraction) -> Fraction:
    """The bytes that a bar of them stands for: the card, or what is asked of it where that is more."""
    return max(card, sum((one.size for one in shares if one.size > 0 and one.name not in _REST), Fraction(0)))


_REST = ("free", "short")


def bar(
    shares: Sequence[Share], card: Fraction, width: int, ascii_only: bool = False, whole: Fraction | None = None
) -> Content:
    """One line: the card between its edges, and behind them what does not fit.

    Args:
        shares: what takes memory.
        card: its size.
        width: of the line.
        ascii_only: in plain signs.
        whole: bytes that the full width stands for, where bars are to be compared; else the bar fills the line.
    """
    inner = max(8, width - 2)
    if whole is not None and whole > 0:
        inner = max(8, min(inner, round(inner * extent(shares, card) / whole)))
    taken = [share for share in shares if share.size > 0 and share.name not in _REST]
    total = sum((share.size for share in taken), Fraction(0))
    over = max(Fraction(0), total - card)
    frame = inner if not over else max(4, min(inner - 1, int(inner * card / total)))
    if not over:
        taken = [*taken, Share("free", card - total)]
    counts = apportion([share.size for share in taken], inner)
    cells = [name for share, count in zip(taken, counts, strict=True) for name in [share.name] * count]
    edge = (fold("│", ascii_only), DIM)
    inside = [(fold(letter(n)[0], ascii_only) * c, letter(n)[1]) for n, c in _runs(cells[:frame])]
    outside = [(fold(letter(n)[0], ascii_only) * c, OVER) for n, c in _runs(cells[frame:])]
    return Content.assemble(edge, *inside, edge, *outside)


def _runs(cells: Sequence[str]) -> list[tuple[str, int]]:
    """Neighbouring equal cells together."""
    runs: list[tuple[str, int]] = []
    for name in cells:
        if runs and runs[-1][0] == name:
            runs[-1] = (name, runs[-1][1] + 1)
        else:
            runs.append((name, 1))
    return runs


class Entered(NamedTuple):
    """One line of the ledger in words: its name, amount, spread, and where it comes from."""

    name: str
    label: str
    amount: str
    spread: str
    origin: str


def entry(one: Entered, columns: tuple[int, int, int], width: int, ascii_only: bool = False) -> Sequence[Content]:
    """The line: letter, label, amount flush right, spread, origin; the last two are left out where they do not fit."""
    sign, look = letter(one.name)
    labels, amounts, spreads = columns
    loud = OVER if one.name == "short" else STRONG
    line = Content.assemble(
        (f" {fold(sign, ascii_only)} ", look), " ", one.label.ljust(labels), "  ", (one.amount.rjust(amounts), loud)
    )
    spread, origin = f"  {one.spread.ljust(spreads)}" if spreads else "", f"  {one.origin}" if one.origin else ""
    for tail in (spread + origin, origin, ""):
        if line.cell_length + len(tail.rstrip()) <= width:
            return (line + Content.styled(tail.rstrip(), DIM),)
    name = Content.assemble((f" {fold(sign, ascii_only)} ", look), " ", one.label)  # the number whole, on its own line
    return (name, Content.styled(one.amount.rjust(max(width, len(one.amount))), loud))
