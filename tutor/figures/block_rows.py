"""The blocks of FI-10: one by one with their slots, the last of them slot by slot, and where they lie in memory."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import NamedTuple

from tutor.figures.pen import DIM, KV, RESERVED, Part, Pen
from tutor.figures.rows import Row, apportion

_OPEN = 2
"""Whole blocks that are drawn where their number is the reader's to find."""
_RANK = 3
_MEMORY = 144
"""Blocks of the memory that is drawn, the same in every window: what lies where must not hang on its size."""
_MEMORY_WIDTHS = (72, 48, 36, 24)
"""Widths that make whole rows of it."""
_TABLE = 4
"""Entries of the block table that are told before the last one."""


class Blocks(NamedTuple):
    """The blocks of one request."""

    number: int
    size: int
    slack: int
    """Unused slots, all in the last block."""
    number_shown: bool
    """Whether the number of blocks may be seen."""
    slack_shown: bool
    """Whether the slack may be seen."""

    @property
    def full(self) -> int:
        """Blocks without an unused slot."""
        return self.number - (self.slack > 0)


def letters(size: int, room: int) -> int:
    """Letters of a block in a row: one a slot where there is room, else half at most, which nobody counts for slots."""
    return size if size <= room else min(room, size // 2)


def cells(used: int, unused: int, width: int) -> list[Part]:
    """A row of slots in proportion: K used, r reserved and unused."""
    filled, empty = apportion([used, unused], width)
    return [("K" * filled, KV), ("r" * empty, RESERVED)]


def block_rows(blocks: Blocks, room: int, pen: Pen) -> list[Row]:
    """Every block, as wide as the width allows; what ``room`` rows cannot hold is told, not drawn."""
    if not blocks.number_shown:
        return [_some(blocks, pen)]
    inner = letters(blocks.size, pen.width // blocks.number - 2)
    if inner < 2:
        return _compact(blocks, room, pen)
    last = blocks.size - blocks.slack
    parts: list[Part] = ["[", ("K" * inner, KV), "]"] * (blocks.number - 1)
    end = cells(last, blocks.slack, inner) if blocks.slack_shown else [("?" * inner, DIM)]
    return [pen.art(*parts, "[", *end, "]", rank=_RANK)]


def _some(blocks: Blocks, pen: Pen) -> Row:
    """The first blocks alone: their number is asked for."""
    room = pen.width - len(pen.fold(" …"))
    whole = min(_OPEN, blocks.full, room // (blocks.size + 2)) or min(_OPEN, blocks.full)
    inner = letters(blocks.size, room // max(1, whole) - 2)
    parts: list[Part] = ["[", ("K" * inner, KV), "]"] * whole
    return pen.art(*parts, (" …", DIM), rank=_RANK)


def _compact(blocks: Blocks, room: int, pen: Pen) -> list[Row]:
    """One cell a block: K full, k the last one that is not full."""
    full = blocks.full if blocks.slack_shown else blocks.number
    text = "K" * full + "k" * (blocks.number - full)
    lines = [text[i : i + pen.width] for i in range(0, len(text), pen.width)]
    told = f"   {_legend(blocks, pen)}"
    if len(lines) <= room:
        *above, last = lines
        parts: list[Part] = [(last, KV), *([(told, DIM)] if len(last) + len(told) <= pen.width else [])]
        return [*[pen.art((line, KV), rank=_RANK) for line in above], pen.art(*parts, rank=_RANK)]
    shown = max(0, room - 1)
    more = pen.say("block-grid.more", blocks=pen.count("blocks", blocks.number - pen.width * shown))
    return [*[pen.art((line, KV), rank=_RANK) for line in lines[:shown]], pen.art((more, DIM), rank=_RANK)]


def _legend(blocks: Blocks, pen: Pen) -> str:
    """What the letter of a block means, of small ones too where one stands."""
    return pen.say("block-grid.letters" if blocks.slack_shown and blocks.slack else "block-grid.letter")


def last_row(blocks: Blocks, pen: Pen) -> Row:
    """The last block, slot by slot where there is room."""
    only = blocks.number == 1 and blocks.number_shown
    label = pen.say("block-grid.only" if only else "block-grid.last") + " "
    room = min(blocks.size, pen.width - len(label) - 2)
    inside = cells(blocks.size - blocks.slack, blocks.slack, room) if blocks.slack_shown else [("?" * room, DIM)]
    return pen.art((label, DIM), "[", *inside, "]", rank=1)


def memory_rows(blocks: Blocks, pen: Pen, rank: int) -> list[Row]:
    """The blocks where they lie in memory, an example of any order, and the table that keeps them in theirs.

    Nothing where they would fill more than half of it, or may not be seen.
    """
    if 2 * blocks.number > _MEMORY or not blocks.number_shown or not blocks.slack_shown:
        return []
    width = next(width for width in _MEMORY_WIDTHS if width <= pen.width)
    place = _places(blocks.number, _MEMORY)
    signs = ["o" if (cell * cell + cell // 7) % 3 == 0 else pen.dot for cell in range(_MEMORY)]
    for number, cell in enumerate(place, start=1):
        signs[cell] = "k" if number > blocks.full else "K"
    rows = [
        Row(row.content, rank, "")
        for row in pen.wrapped(pen.say("block-grid.memory", letters=_legend(blocks, pen)), DIM)
    ]
    for first in range(0, _MEMORY, width):
        rows.append(pen.art(*_styled(signs[first : first + width]), rank=rank))
    return [*rows, *_table(place, pen, rank)]


def _styled(signs: Sequence[str]) -> list[Part]:
    return [(sign, KV if sign in "Kk" else DIM) for sign in signs]


def _places(count: int, total: int) -> list[int]:
    """Where each block lies: all over the memory, no two in one place, the same every time."""
    stride = next(step for step in range(total * 5 // 8, 2 * total) if gcd(step, total) == 1)
    return [(number * stride + total // 3) % total for number in range(count)]


def _table(place: Sequence[int], pen: Pen, rank: int) -> list[Row]:
    """The block table: the first entries, and the last."""
    entries = [f"{number}→{cell}" for number, cell in enumerate(place, start=1)]
    shown = entries if len(entries) <= _TABLE + 1 else [*entries[:_TABLE], "…", entries[-1]]
    text = f"{pen.say('block-grid.table')} {', '.join(shown).replace(', …, ', ' … ')}"
    return pen.wrapped(pen.fold(text), "", rank)
