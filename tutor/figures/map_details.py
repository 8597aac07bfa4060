"""What the wide map says of the chosen idea: what it is, its formula, the way to it, its lesson and how far that is."""

from __future__ import annotations

from fractions import Fraction

from tutor.figures.pen import ACCENT, DIM, STRONG, Pen
from tutor.figures.prerequisites import NODES, Node, way
from tutor.figures.rows import Row, apportion

BAR = 20
"""Cells of the bar of pages."""


def details(place: int, share: Fraction | None, level: str, width: int, pen: Pen) -> list[Row]:
    """The block beside the tree. ``share``: of the lesson's pages, where that is known, else ``None``; ``level``: in a
    word.
    """
    node = NODES[place]
    rows = [pen.row((pen.say(f"map.{node.id}"), f"{STRONG} {ACCENT}")), *_meanings(node, width, pen)]
    if node.formula:
        rows += [pen.gap(), *_labelled("map.formula", _expression(node.formula, pen), width, pen, rank=5)]
    if len(way(place)) > 1:
        told = " → ".join(pen.say(f"map.{NODES[one].id}") for one in way(place))
        rows += [pen.gap(), *_labelled("map.way", told, width, pen, rank=6)]
    return [*rows, pen.gap(), *_lesson(node, share, level, width, pen)]


def _meanings(node: Node, width: int, pen: Pen) -> list[Row]:
    """Each of its terms with what the glossary says, its name before it where there are several."""
    from content import glossary

    known = {term.id: term for term in glossary.terms()}
    rows: list[Row] = []
    for place, id in enumerate(node.terms):
        term = known[id]
        text = term.text[pen.lang]
        told = text if len(node.terms) == 1 else f"{term.term}: {text}"
        rows += [*([pen.gap()] if place else []), *pen.wrapped(pen.fold(told), "", 3 + place, width)]
    return rows


def _expression(formula: str, pen: Pen) -> str:
    from engine import tree
    from engine.formulas import registry

    return tree.text(registry.get(formula).tree, plain=pen.ascii)


def _labelled(key: str, text: str, width: int, pen: Pen, rank: int) -> list[Row]:
    return [pen.row((pen.say(key), DIM), rank=rank), *pen.wrapped(pen.fold(text), "", rank, width)]


def _lesson(node: Node, share: Fraction | None, level: str, width: int, pen: Pen) -> list[Row]:
    """Its lesson by name, and the pages of it that were opened."""
    from content import course

    entries = (entry for track in course.index().tracks for entry in track.lessons)
    entry = next((one for one in entries if one.id == node.lesson), None)
    short = node.lesson.partition("/")[2]
    title = short if entry is None else f"{short}  {entry.title[pen.lang]}"
    rows = [pen.row((pen.say("map.lesson"), DIM), rank=2), *pen.wrapped(pen.fold(title), "", 2, width)]
    told = pen.say(f"map.level.{level}")
    if share is None:
        return [*rows, pen.row(told, rank=2)]
    read, unread = apportion((share, 1 - share), BAR)
    if 0 < share < 1:
        told = f"{told}, {pen.amount(share, '%', 2)}"
    return [*rows, pen.row(("█" * read, ACCENT), (pen.dot * unread, DIM), f"  {told}", rank=2, said=told)]
