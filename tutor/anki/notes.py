"""The notes of a package: every card, part and reversed part of the course as written, in both languages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

from content import course
from content.lang import LANGS, Lang
from content.quiz import questions
from content.quiz.items import catalogue
from content.quiz.model import Item
from content.schema import FigureRef
from tutor.anki import faces
from tutor.anki.markup import escaped

FIGURE_WIDTH = 56
"""Columns of a figure in a note: it must fit a narrow window."""
KINDS = ("card", "part", "reverse")
"""Kinds of items that become notes. A slip is only known once it was made, and needs numbers that show it."""


class Note(NamedTuple):
    """One note: the sides and the figure (a text, HTML-safe, "" for none) by language, where it belongs, its tags."""

    id: str
    kind: str
    front: Mapping[Lang, str]
    back: Mapping[Lang, str]
    figure: Mapping[Lang, str]
    lesson: str
    level: str
    tags: tuple[str, ...]


def notes() -> Iterator[Note]:
    """All notes in the order of the course. Raises ``ContentError`` for a damaged file."""
    drawn = _figures()
    titles = {lesson.id: lesson.title for track in course.index().tracks for lesson in track.lessons}
    for item in catalogue().values():
        if item.kind in KINDS:
            question = questions.question(item)
            yield Note(
                item.id,
                item.kind,
                {lang: faces.front(question, lang) for lang in LANGS},
                {lang: faces.back(question, lang) for lang in LANGS},
                next((drawn[concept] for concept in item.concepts if concept in drawn), dict.fromkeys(LANGS, "")),
                _named(item.lesson, titles[item.lesson].en if item.lesson in titles else ""),
                _last(item.level),
                _tags(item),
            )


def _named(place: str, title: str) -> str:
    return escaped(f"{_last(place)} {title}".strip())


def _last(id_: str) -> str:
    """The last piece of an id: "L2" of "core/L2"."""
    return id_.rpartition("/")[2]


def _tags(item: Item) -> tuple[str, ...]:
    """Tags of a note: what Anki's search narrows by."""
    named = [("track", item.track), ("level", item.level), ("lesson", item.lesson), ("kind", item.kind)]
    named += [("concept", concept) for concept in item.concepts]
    return tuple(f"{name}::{_last(value)}" for name, value in named if value)


def _figures() -> dict[str, dict[Lang, str]]:
    """Concept -> the figure of the section that introduces it, drawn in text."""
    found: dict[str, dict[Lang, str]] = {}
    for track in course.index().tracks:
        for entry in track.lessons:
            for section in course.lesson(entry.id).sections:
                if section.figure is not None and section.concepts:
                    drawn = {lang: _drawn(section.figure, lang) for lang in LANGS}
                    found |= {concept: drawn for concept in section.concepts if concept not in found}
    return found


def _drawn(figure: FigureRef, lang: Lang) -> str:
    from tutor.figures.plain import plain
    from tutor.figures.registry import BROKEN

    with suppress(*BROKEN):  # `course validate` names it; the note still stands
        return escaped(plain(figure.name, figure.state, FIGURE_WIDTH, lang, art=True))
    return ""
