"""A lesson read aloud: one section, then the reader says what next."""

from __future__ import annotations

from collections.abc import Sequence

from content import cards, course
from content.fill import fill, of_lesson
from content.markup import plain
from content.schema import Section
from content.words import say
from tutor.plain.orders import word
from tutor.plain.study import Student
from tutor.progress import Place


def visit(reader: Student, place: Place) -> Place:
    """Read from a section on until the reader goes elsewhere."""
    lesson = course.lesson(place.id)
    ids = [section.id for section in lesson.sections]
    number = ids.index(place.section) if place.section in ids else 0
    reader.heading(lesson.title[reader.lang], lesson.id)
    while number < len(ids):
        reader.session.set_place(Place("lesson", lesson.id, ids[number]))
        _read(reader, lesson.id, number)
        order, _ = reader.listen(reader.say("plain.lesson_prompt"))
        if order in ("back", "list"):
            number = max(number - 1, 0) if order == "back" else number
            if order == "list":
                return Place("home")
        elif order == "skip":
            break
        elif order not in ("repeat", "lang"):
            number += 1
    return _after(reader, lesson.id)


def _read(reader: Student, lesson_id: str, number: int) -> None:
    from tutor import coursemap

    lesson, lang = course.lesson(lesson_id), reader.lang
    section, scope = lesson.sections[number], of_lesson(lesson)
    place = reader.say("plain.section", n=number + 1, of=len(lesson.sections))
    reader.out.say(f"\n{plain(fill(section.heading[lang], lang, scope))} ({place})\n")
    reader.out.say(plain(fill(section.text[lang], lang, scope)))
    _figure(reader, section)
    for nuance in section.nuances:
        reader.out.say(f"\n{say('app.lesson.simplifies', lang)}: {plain(fill(nuance.text[lang], lang, scope))}")
        reader.source(nuance.source)
    reader.source(section.source)
    coursemap.saw(reader.session, lesson_id, section.id)


def _figure(reader: Student, section: Section) -> None:
    """The figure in words: every number that the drawing shows."""
    if section.figure is not None:
        reader.figure(section.figure)


def _after(reader: Student, lesson_id: str) -> Place:
    """The exercises that follow; the next open one is proposed, nothing opens by itself."""
    entries = [
        exercise
        for track in course.index().tracks
        for level in track.levels
        for exercise in level.exercises
        if exercise.lesson == lesson_id
    ]
    reader.out.say(f"\n{reader.say('plain.lesson_end')}")
    for entry in entries:
        reader.out.say(f"  {entry.id}: {entry.title[reader.lang]}")
    following = next((e.id for e in entries if not reader.session.results(e.id).done), None)
    questions = cards.of_lesson(lesson_id)
    if not questions:
        return reader.choose(following)
    reader.out.say(f"\n{reader.say('plain.cards', n=len(questions), word=word('cards', reader.lang))}")
    return reader.choose(following, {"cards": lambda: _ask(reader, questions)})


def _ask(reader: Student, questions: Sequence[cards.Card]) -> None:
    """The questions of a lesson, one at a time; an empty line shows the answer, any order but that ends them."""
    for number, card in enumerate(questions, start=1):
        lang, scope = reader.lang, cards.scope(card)
        place = say("app.cards.number", lang, n=number, of=len(questions))
        reader.out.say(f"\n{plain(fill(card.front[lang], lang, scope))} ({place})")
        order, _ = reader.listen(say("app.cards.think", lang))
        if order in ("back", "list", "skip"):
            return
        reader.out.say(plain(fill(card.back[reader.lang], reader.lang, scope)))
