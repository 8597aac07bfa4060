"""The small markup of course texts: paragraphs, bullets, worked lines, strong and code spans; nothing else."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

_SPAN = re.compile(r"\*\*(.+?)\*\*|`([^`]+)`")


class Span(NamedTuple):
    """A stretch of text in one style."""

    text: str
    style: Literal["", "strong", "code"]


class Block(NamedTuple):
    """A paragraph, a bullet, or one worked line that must not be wrapped."""

    kind: Literal["para", "bullet", "code"]
    spans: tuple[Span, ...]

    @property
    def text(self) -> str:
        """The block without its styles."""
        return "".join(span.text for span in self.spans)


def blocks(text: str) -> tuple[Block, ...]:
    """The blocks of a filled text."""
    found: list[Block] = []
    paragraph: list[str] = []

    def close() -> None:
        if paragraph:
            found.append(Block("para", spans(" ".join(paragraph))))
            paragraph.clear()

    for line in text.splitlines():
        stripped = line.strip()
        if stripped.startswith("| ") or stripped == "|":
            close()
            found.append(Block("code", (Span(stripped[2:].rstrip(), "code"),)))
        elif stripped.startswith("- "):
            close()
            found.append(Block("bullet", spans(stripped[2:])))
        elif not stripped:
            close()
        elif not paragraph and found and found[-1].kind == "bullet" and line.startswith("  "):
            found[-1] = Block("bullet", spans(f"{_source(found[-1])} {stripped}"))
        else:
            paragraph.append(stripped)
    close()
    return tuple(found)


def _source(block: Block) -> str:
    marks = {"": "", "strong": "**", "code": "`"}
    return "".join(f"{marks[s.style]}{s.text}{marks[s.style]}" for s in block.spans)


def spans(line: str) -> tuple[Span, ...]:
    """The styled stretches of one paragraph."""
    found: list[Span] = []
    at = 0
    for match in _SPAN.finditer(line):
        if match.start() > at:
            found.append(Span(line[at : match.start()], ""))
        found.append(Span(match[1], "strong") if match[1] is not None else Span(match[2], "code"))
        at = match.end()
    if at < len(line):
        found.append(Span(line[at:], ""))
    return tuple(found)


def plain(text: str) -> str:
    """A text without its markup: one line a paragraph, bullet or worked line."""
    marks = {"para": "", "bullet": "- ", "code": "    "}
    lines: list[str] = []
    last = None
    for block in blocks(text):
        if lines and not (block.kind == last and block.kind in ("bullet", "code")):
            lines.append("")
        lines.append(marks[block.kind] + block.text)
        last = block.kind
    return "\n".join(lines)
