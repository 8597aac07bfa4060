"""A report as Markdown, to keep or to send. Whatever was read is text in it, never markup."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from content.diagnosing import observed
from content.diagnosing.block import Block
from content.diagnosing.blocks import text
from content.diagnosing.words import ROOT
from content.lang import Lang
from content.words import say
from engine.artefacts.evidence import Evidence
from engine.diagnosis.model import Report

_SIGNS = re.compile(r"([\\`*_{}\[\]<>#|~&])")
_START = re.compile(r"^(\s*)([-+=]|\d+[.)](?=\s|$))")
_LINK = re.compile(r"(?i)\b(https?|ftp|mailto|www)([:.])")


def markdown(report: Report, lang: Lang, evidence: Evidence | None = None) -> str:
    """The whole report as a Markdown document, with what was read where anything was."""
    parts = [f"# {say(f'{ROOT}.heading.title', lang)}", ""]
    for kind, group in groupby(text(report, lang), key=lambda block: block.kind):
        parts += [*_MAKERS[kind](list(group)), ""]
    if evidence:
        parts += [f"## {say(f'{ROOT}.heading.read', lang)}", ""]  # as it stands: indented, nothing in it is markup
        parts += [f"    {line}".rstrip() for line in observed.lines(evidence, lang)]
    return "\n".join(parts).rstrip() + "\n"


def escaped(line: str) -> str:
    """A line in which no sign means anything to Markdown."""
    plain = _SIGNS.sub(r"\\\1", line)
    plain = _LINK.sub(r"\1\\\2", plain)
    return _START.sub(lambda found: f"{found[1]}\\{found[2]}" if found[2] in "-+=" else _numbered(found), plain)


def _numbered(found: re.Match[str]) -> str:
    return f"{found[1]}{found[2][:-1]}\\{found[2][-1]}"


def _headings(blocks: list[Block]) -> Iterator[str]:
    yield from (f"## {escaped(block.text)}" for block in blocks)


def _walls(blocks: list[Block]) -> Iterator[str]:
    yield from (f"**{escaped(block.text)}**" for block in blocks)


def _paragraphs(blocks: list[Block]) -> Iterator[str]:
    yield "\n\n".join(escaped(block.text) for block in blocks)


def _rows(blocks: list[Block]) -> Iterator[str]:
    yield "| | | | |"
    yield "|---|---:|---|---|"
    for block in blocks:
        cells = (block.label.strip(), block.value, block.note, block.origin)
        yield "| " + " | ".join(escaped(cell) for cell in cells) + " |"


def _levers(blocks: list[Block]) -> Iterator[str]:
    for block in blocks:
        number = block.text.partition(".")[0]
        mark = f"{number}." if block.helps and number.isdigit() else "-"
        said = f": {escaped(block.value)}" if block.value else ""
        yield f"{mark} **{escaped(block.label)}** {escaped(f'[{block.name}]')}{said}"
        yield from (f"   - {escaped(line)}" for line in block.more)


def _questions(blocks: list[Block]) -> Iterator[str]:
    yield from (f"- {escaped(block.text)}" for block in blocks)


_MAKERS = {
    "heading": _headings, "wall": _walls, "sentence": _paragraphs, "row": _rows, "lever": _levers,
    "question": _questions, "note": _questions,
}  # fmt: skip
