"""The README as data: blocks behind a marker, command lines, keys, links and files that it names.

A marker is a comment on a line of its own, such as ``<!-- frame: llm-tutor; 80x24; en -->``, and belongs to the code
block, the table or the picture below it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"

_MARKER = re.compile(r"<!-- (\w+)(?:: (.*?))? -->")
_LINK = re.compile(r"(!?)\[([^]]*)\]\(([^)\s]+)\)")
_CODE = re.compile(r"`([^`]+)`")


class Block(NamedTuple):
    """What stands below a marker: ``lines`` without fences, from line ``first`` (from 0) on."""

    kind: str
    argument: str
    first: int
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        """The block as one text."""
        return "\n".join(self.lines)


def blocks(text: str) -> list[Block]:
    """Every block with a marker."""
    rows = text.split("\n")
    return [
        _below(rows, number, found[1], found[2] or "")
        for number, row in enumerate(rows)
        if (found := _MARKER.fullmatch(row))
    ]


def _below(rows: Sequence[str], marker: int, kind: str, argument: str) -> Block:
    """The block of a marker: up to the fence that closes it, else up to the next empty line."""
    first = next(number for number in range(marker + 1, len(rows)) if rows[number].strip())
    fence = re.match(r"`{3,}", rows[first])
    if fence:
        last = next(number for number in range(first + 1, len(rows)) if rows[number] == fence[0])
        return Block(kind, argument, first + 1, tuple(rows[first + 1 : last]))
    last = next((number for number in range(first, len(rows)) if not rows[number].strip()), len(rows))
    return Block(kind, argument, first, tuple(rows[first:last]))


def replaced(text: str, block: Block, wanted: str) -> str:
    """The README with other words in a block of it."""
    rows = text.split("\n")
    return "\n".join([*rows[: block.first], *wanted.split("\n"), *rows[block.first + len(block.lines) :]])


def command_lines(text: str) -> Iterator[str]:
    """Every line of a code block that calls the program, continued lines put together; ``$`` before it is left out."""
    waiting = ""
    for row in _code_rows(text):
        line = f"{waiting} {row.strip()}".strip() if waiting else row.strip().removeprefix("$ ")
        waiting = line[:-1].strip() if line.endswith("\\") else ""
        if not waiting and re.search(r"(^|[|/] ?|/bin/)llm-tutor( |$)", line) and not line.startswith(("python3", "#")):
            yield line


def _code_rows(text: str) -> Iterator[str]:
    """The lines of code blocks that show commands: fenced as ``sh`` or ``console``, or indented by four."""
    inside = ""
    for row in text.split("\n"):
        if row.startswith("```"):
            inside = "" if inside else row.strip("`") or "text"
        elif inside in ("sh", "console") or (not inside and row.startswith("    ")):
            yield row


def prose(text: str) -> str:
    """The README without its code blocks."""
    return re.sub(r"(?ms)^(`{3,}).*?^\1$", "", text)


def codes(text: str) -> list[str]:
    """What stands between backticks in the prose."""
    return _CODE.findall(prose(text))


def links(text: str) -> list[str]:
    """Where the links and pictures of the prose lead."""
    return [found[2] for found in _LINK.findall(prose(text))]


def anchors(text: str) -> set[str]:
    """The names by which headings are linked to."""
    heads = re.findall(r"(?m)^#+ (.+)$", prose(text))
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}
