"""Figures as linear text: for screen readers, pipes and dumb terminals."""

from __future__ import annotations

from collections.abc import Mapping

from tutor.figures.base import Lang
from tutor.figures.pen import Pen
from tutor.figures.registry import get


def plain(
    name: str, state: Mapping[str, object] | None, width: int, lang: Lang, *, ascii: bool = False, art: bool = False
) -> str:
    """A figure in words: its title, then every number that the drawing shows, one a line.

    The drawing itself is left out, because cells read aloud say nothing; ``art`` keeps it. Raises
    ``UnknownFigure`` and, for a state of the wrong kind, ``ValueError``.
    """
    figure = get(name)
    pen = Pen(max(34, width), 1000, lang, ascii)
    given = dict(state or {})
    other = [pen.say("other_plain")] if given.pop("other", False) else []  # there are no keys to try
    rows = figure.rows(figure.defaults(given), pen)
    lines = [row.content.plain.rstrip() for row in rows] if art else [row.plain for row in rows if row.plain]
    return "\n".join([pen.say(f"title.{name}"), *other, *lines])
