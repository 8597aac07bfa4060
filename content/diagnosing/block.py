"""One piece of a report, as every way of showing it takes it."""

from __future__ import annotations

from typing import Literal, NamedTuple

BlockKind = Literal["heading", "wall", "sentence", "row", "lever", "question", "note"]


class Block(NamedTuple):
    """One piece of a report.

    Attributes:
        kind: what it is; a ``row`` is one number, a ``note`` a sentence of less weight.
        text: the whole of it as one line of plain text.
        label, value, note, origin: of a row: the name, the number, its spread or what was measured, where it comes
            from. Of a lever: its name, its first effect, when it backfires, its flag. Of a wall: name and share.
        name: id of what it is about, for "explain" and for applying a lever: "weights", "decode", "w4a16", "prompt".
        helps: of a lever.
        more: further sentences, one a line.
    """

    kind: BlockKind
    text: str
    label: str = ""
    value: str = ""
    note: str = ""
    origin: str = ""
    name: str = ""
    helps: bool = True
    more: tuple[str, ...] = ()
