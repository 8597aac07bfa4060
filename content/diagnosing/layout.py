"""A report as lines of a terminal: values under each other within a section, nothing wider than the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from content.diagnosing import together
from content.diagnosing.block import Block
from content.diagnosing.blocks import text
from content.lang import Lang
from engine.diagnosis.model import Report

WIDTH = 78
"""Columns where there is no terminal."""
NARROWEST = 40
INDENT = "   "
"""Before what belongs to the line above."""
GAP = 2


_RUN_IN = ("questions", "more_levers", "useless", "more_questions", "assumed", "experiment", "also")
"""Sections whose heading stands before their first words."""


def lines(report: Report, lang: Lang, width: int = WIDTH) -> list[str]:
    """The report: a blank line before its sections, rows in columns, every line at most ``width`` wide."""
    room = max(width, NARROWEST)
    found: list[str] = []
    before = ""
    for heading, blocks in _sections(text(report, lang)):
        run_in = heading.name in _RUN_IN
        if found and not (run_in and before in _RUN_IN):
            found.append("")
        before = heading.name
        if run_in:
            between = "; " if heading.name in ("assumed", "more_levers") else " "
            said = between.join(_grouped(blocks) if heading.name == "useless" else (block.text for block in blocks))
            found += wrapped(f"{heading.text}: {said}", room, "", INDENT)
        else:
            found += [heading.text, *_section(blocks, room)]
    return found


def _grouped(blocks: Sequence[Block]) -> Iterator[str]:
    """Levers with their reason, those of one reason together."""
    names: list[str] = []
    for block, after in zip(blocks, [*blocks[1:], None], strict=True):
        if block.kind != "lever":
            yield block.text
            continue
        names.append(f"{block.label} [{block.name}]")
        if after is None or after.value != block.value:
            yield f"{', '.join(names)}: {block.value}"
            names = []


def _sections(blocks: Sequence[Block]) -> Iterator[tuple[Block, list[Block]]]:
    held: list[Block] = []
    for block in [*blocks, Block("heading", "")]:
        if block.kind == "heading" and held:
            yield held[0], held[1:]
            held = []
        held.append(block)


def _section(blocks: Sequence[Block], width: int) -> Iterator[str]:
    """Its rows in columns, the parts of a number ("decode.kv") as shares under it, or beside it where there is but one;
    the rest as sentences."""
    rows = [block for block in blocks if block.kind == "row" and "." not in block.name]
    parts = {row.name: _parts(row, blocks) for row in rows}
    cells = [_cells(row, parts[row.name][0] if len(parts[row.name]) == 1 else "") for row in rows]
    drawn = dict(zip((row.name for row in rows), tables(cells, width), strict=True))
    for block in blocks:
        if block.name in drawn and block.kind == "row":
            yield from drawn[block.name]
            if len(parts[block.name]) > 1:
                yield from wrapped(", ".join(parts[block.name]), width, INDENT * 2, INDENT * 2)
        elif block.kind != "row":
            yield from wrapped(block.text, width, INDENT if rows else "", INDENT * 2 if rows else INDENT)
            for line in block.more:
                yield from wrapped(line, width, INDENT, INDENT)


def _parts(row: Block, blocks: Sequence[Block]) -> list[str]:
    return [f"{one.label.strip()} {one.note}" for one in blocks
            if one.kind == "row" and one.name.startswith(f"{row.name}.")]  # fmt: skip


def _cells(block: Block, part: str) -> tuple[str, str, str]:
    origin = "" if block.name in ("decode", "prefill") else block.origin
    return block.label, block.value, "; ".join(text for text in (block.note, origin, part) if text)


def table(rows: Sequence[tuple[str, str, str]], width: int) -> list[str]:
    """Rows of label, value and note in columns, as lines."""
    return [line for lines_ in tables(rows, width) for line in lines_]


def tables(rows: Sequence[tuple[str, str, str]], width: int) -> list[list[str]]:
    """The lines of each row: labels to the left, values to the right of their column, notes wrapped in theirs.

    Where the columns leave a note no room it stands below its row.
    """
    label = max((len(row[0]) for row in rows), default=0)
    value = max((len(row[1]) for row in rows), default=0)
    if len(INDENT) + label + GAP + value > width:
        return [
            [*wrapped(": ".join(row[:2]), width, INDENT, INDENT * 2), *_below(row[2], width)] for row in rows
        ]  # fmt: skip
    start = len(INDENT) + label + GAP + value + GAP
    found: list[list[str]] = []
    for name, amount, note in rows:
        head = f"{INDENT}{name.ljust(label)}{' ' * GAP}{amount.rjust(value)}"
        if not note:
            found.append([head])
        elif width - start >= min(_LEAST_NOTE, len(note)):
            first, *rest = wrapped(note, width - start, "", "")
            found.append([f"{head}{' ' * GAP}{first}", *(" " * start + line for line in rest)])
        else:
            found.append([head, *_below(note, width)])
    return found


def _below(note: str, width: int) -> list[str]:
    return wrapped(note, width, INDENT * 2, INDENT * 2) if note else []


_LEAST_NOTE = 24
"""Columns below which a note is not squeezed beside its value."""


def wrapped(line: str, width: int, first: str, later: str) -> list[str]:
    """A text broken at its words; a value and its unit stay together, and a word that is too long is cut. Behind its
    indent a line has room for one character at least."""
    width = max(width, len(first) + 1, len(later) + 1)
    found: list[str] = []
    current, indent = first, first
    for word in together.words(line):
        while len(indent) + len(word) > width and len(word) > 1:  # a path, or somebody's text without a space
            if current != indent:
                found.append(current)
                current = indent = later
            found.append(indent + word[: width - len(indent)])
            word = word[width - len(indent) :]
            current = indent = later
        space = "" if current == indent else " "
        if len(current) + len(space) + len(word) > width:
            found.append(current)
            current = indent = later
            space = ""
        current += space + word
    return [*found, current] if current.strip() or not found else found
