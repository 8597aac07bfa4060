"""A command over several lines as a shell takes it, so that what the mouse selects runs too."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

INDENT = "  "
"""Before every line but the first."""
END = " \\"
"""Behind a line whose command goes on. Inside quotes nothing is needed: a sentence may have any blanks."""


def folded(words: Sequence[str], width: int) -> list[str]:
    """The command in lines of at most ``width``, where its words allow that: an option stays with its value, and a
    sentence that is longer than a line goes on at a blank, inside its quotes."""
    room = max(20, width - len(INDENT) - len(END))
    rows: list[tuple[str, str]] = []
    """Lines, and what ends them."""
    current = ""
    for piece in _pieces(words):
        if current and len(current) + 1 + len(piece) > room:
            rows.append((current, END))
            current = ""
        current = f"{current} {piece}" if current else piece
        inside = False
        while len(current) > room and (at := _blank(current, room, inside)):
            rows.append((current[:at], ""))
            current, inside = current[at + 1 :], True
    rows.append((current, ""))
    return [f"{INDENT if place else ''}{line}{end}" for place, (line, end) in enumerate(rows)]


def _blank(line: str, room: int, inside: bool) -> int:
    """The last blank in the first ``room`` characters that stands inside single quotes; 0 where there is none.

    Args:
        line: as ``shlex.quote`` writes it: a quote of the text itself stands in double ones.
        room: characters.
        inside: whether the line begins inside quotes.
    """
    found, quote = 0, "'" if inside else ""
    for at, char in enumerate(line[:room]):
        if char in ("'", '"') and quote in ("", char):
            quote = "" if quote else char
        elif char == " " and quote == "'":
            found = at
    return found


def _pieces(words: Sequence[str]) -> Iterator[str]:
    """Words as a shell reads them, an option and its value as one."""
    option = ""
    for word in words:
        quoted = shlex.quote(word)
        if word.startswith("--"):
            if option:
                yield option
            option = quoted
            continue
        yield f"{option} {quoted}" if option else quoted
        option = ""
    if option:
        yield option
