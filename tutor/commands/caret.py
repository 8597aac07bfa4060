"""The place of a reading error under the typed text: one line of the text, one with carets below it."""

from __future__ import annotations

import unicodedata

WIDTH = 76
"""Columns that the two lines take at most, on a terminal or not."""
_CUT = "..."


def span(typed: str, found: tuple[int, int] | None) -> tuple[int, int] | None:
    """Where in a typed text a reading error lies; ``None`` when there is no place, or none that can be trusted.

    A text with LaTeX is rewritten before it is read, and then the places of the signs are lost.
    """
    if found is None or _rewritten(typed):
        return None
    start = min(max(found[0], 0), len(typed))
    end = min(max(found[1], start), len(typed))
    return (start, end) if typed.strip() else None


def _rewritten(typed: str) -> bool:
    from engine.reader.errors import ReadError
    from engine.reader.fold import fold

    try:
        folded = fold(typed)
    except ReadError:
        return False  # then the place is where the gate stopped, in the text as typed
    return not folded.places


def lines(typed: str, found: tuple[int, int] | None, encoding: str) -> tuple[str, ...]:
    """The two lines, or none where there is nothing to point at."""
    place = span(typed, found)
    if place is None:
        return ()
    start, end = place
    if start == end:  # something is missing at the end: the caret stands behind the last sign
        start, end = (start, start + 1) if start < len(typed) else (len(typed.rstrip()), len(typed.rstrip()) + 1)
    cells = [_shown(letter, encoding) for letter in typed[: end + WIDTH]] + [" "] * max(end - len(typed), 0)
    first = _first(cells, start)
    line, marks = (_CUT, " " * len(_CUT)) if first else ("", "")
    for place_, cell in enumerate(cells[first:], start=first):
        if _width(line + cell) > WIDTH - len(_CUT):
            line += _CUT
            break
        line += cell
        marks += ("^" if start <= place_ < end else " ") * _width(cell)
    return (f"  {line.rstrip()}", f"  {marks.rstrip()}") if "^" in marks else ()


def _first(cells: list[str], start: int) -> int:
    """The first sign that is shown: that of the text where the place is near it, else some before the place."""
    if _width("".join(cells[: start + 1])) <= WIDTH - 2 * len(_CUT):
        return 0
    first = start
    while first > 0 and _width("".join(cells[first - 1 : start])) <= WIDTH // 2:
        first -= 1
    return first


def _shown(letter: str, encoding: str) -> str:
    """A letter as the output shows it: one that cannot be printed is a sign that stands for it."""
    if letter in "\t\n\r":
        return " "
    if not letter.isprintable():
        letter = "\N{REPLACEMENT CHARACTER}"
    try:
        letter.encode(encoding)
    except (UnicodeError, LookupError):
        return "?"
    return letter


def _width(text: str) -> int:
    """Columns of a text on a terminal: wide signs take two, combining ones none."""
    return sum(
        0 if unicodedata.combining(letter) or unicodedata.category(letter) in ("Mn", "Me", "Cf")
        else 2 if unicodedata.east_asian_width(letter) in "WF"
        else 1
        for letter in text
    )  # fmt: skip
