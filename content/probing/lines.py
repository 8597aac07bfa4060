"""A result as lines of a terminal: values under each other within a section, nothing wider than the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from content.diagnosing.layout import INDENT, NARROWEST, WIDTH, table, wrapped
from content.lang import Lang
from content.probing import words
from content.probing.report import sections
from content.probing.section import Section
from content.words import say
from engine.probe.model import Change, Result


def lines(
    result: Result, lang: Lang, width: int = WIDTH, changes: Sequence[Change] = (), before: str = ""
) -> list[str]:  # fmt: skip
    """The report, every line at most ``width`` wide. The curve is drawn where there is room for it.

    Args:
        result: what was found.
        lang: of the words.
        width: columns.
        changes: beside an earlier run, which was at ``before`` (UTC, ISO 8601).
        before: when that was; "" for no such run.
    """
    room = max(width, NARROWEST)
    found: list[str] = []
    for section in sections(result, lang, changes, before):
        if found:
            found.append("")
        found += drawn(section, room)
    short = _short(result, lang)
    return [*found, *(["", *wrapped(short, room, "", INDENT)] if short else [])] or [say("probe.report.nothing", lang)]


def _short(result: Result, lang: Lang) -> str:
    """The verdict once more, since a terminal ends with the last line; "" where there is none for a card."""
    if result.case is None or not result.usable or result.run.demonstration:
        return ""
    of = result.case.verdict
    return say(
        "probe.report.short", lang, label=words.label(of.label, lang), confidence=words.share(of.confidence, lang)
    )


def drawn(section: Section, width: int) -> list[str]:
    """One part of it."""
    head = [*wrapped(section.title, width, "", INDENT)] if section.title else []
    first, later = (INDENT, INDENT * 2) if section.title else ("", INDENT)
    drawn = [INDENT + line for line in section.drawn if all(len(INDENT + one) <= width for one in section.drawn)]
    rows = table([(row.label, row.value, row.note) for row in section.rows], width)
    texts = [line for text in section.texts for line in wrapped(text, width, first, later)]
    return [*head, *drawn, *rows, *texts]
