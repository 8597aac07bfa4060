"""What stands under the token train: its counts on one line, and each word with the pieces that it was cut into."""

from __future__ import annotations

from collections.abc import Sequence

from tutor.figures.pen import DIM, STRONG, Part, Pen
from tutor.figures.pieces import is_word, words
from tutor.figures.rows import Row

_COUNT = 10
"""Columns of a number of tokens."""


def columns(text: str) -> int:
    """Columns that a text takes; a sign of some scripts takes two or none."""
    from rich.cells import cell_len

    return cell_len(text)


def in_a_row(counts: Sequence[tuple[int, str, str]], pen: Pen) -> list[Row]:
    """The counts on one line; none where that is too long."""
    parts: list[Part] = []
    for _, name, count in counts:
        parts += ["   " if parts else "", f"{name} ", (count, STRONG)]
    row = pen.row(*parts, said="\n".join(f"{name}: {count}" for _, name, count in counts))
    return [row] if row.content.cell_length <= pen.width else []


def cuts(text: str, room: int, pen: Pen) -> list[Row]:
    """Which word takes which carriages, one word a line, in ``room`` rows; nothing where not three have room."""
    found = [cut for cut in words(text) if is_word(cut[0])]
    if room < 5 or not found:
        return []
    longest = max(columns("".join(cut)) for cut in found)
    rows = [pen.gap(), pen.art((pen.say("token-train.cuts"), DIM))]
    shown = found if len(found) <= room - 2 else found[: room - 3]
    for cut in shown:
        whole, pieces_of = pen.fold("".join(cut)), " + ".join(pen.fold(piece) for piece in cut)
        count = pen.count("tokens", len(cut))
        pad = " " * (longest - columns(whole) + 2)
        if columns(whole + pad) + _COUNT + columns(pieces_of) > pen.width:
            return []
        rows.append(pen.row(whole, pad, (count.ljust(_COUNT), STRONG if len(cut) > 1 else DIM), pieces_of))
    left = len(found) - len(shown)
    return [*rows, *([pen.art((pen.say("token-train.more-words", n=left), DIM))] if left else [])]
