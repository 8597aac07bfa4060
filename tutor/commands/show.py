"""A place of the course as a page of text, and as a JSON record. Answers are not among what is shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from content import address, course
from content.checking import shuffled_steps
from content.fill import Scope, fill, givens, of_exercise, of_lesson, of_part
from content.lang import LANGS, Lang, Text
from content.markup import plain
from content.schema import Exercise, Option, Part, Section
from content.words import say
from tutor.plain import asking


def _filled(text: Text | None, scope: Scope) -> dict[str, str] | None:
    """A course text in both languages, its placeholders filled, its markup taken out."""
    return None if text is None else {lang: plain(fill(text[lang], lang, scope)) for lang in LANGS}


def record(place: course.Place) -> dict[str, Any]:
    """A place for scripts: its texts in both languages, letters and ids of its options."""
    if place.kind == "lesson":
        return _lesson_record(place.id)
    if place.kind == "exercise":
        return _exercise_record(course.exercise(place.id))
    if place.kind == "part":
        exercise, part = course.part(place.id)
        prompt = {"prompt": _filled(exercise.prompt, of_exercise(exercise))}
        return _part_record(exercise, part) | _variant(exercise) | prompt
    return {"id": place.id, "kind": place.kind, "contains": list(_inside(place))}


def _inside(place: course.Place) -> Sequence[str]:
    """What a level or a track holds."""
    for track in course.index().tracks:
        if track.id == place.id:
            return [*(lesson.id for lesson in track.lessons), *(level.id for level in track.levels)]
        for level in track.levels:
            if level.id == place.id:
                return [exercise.id for exercise in level.exercises]
    return []


def _lesson_record(lesson_id: str) -> dict[str, Any]:
    lesson = course.lesson(lesson_id)
    scope = of_lesson(lesson)
    sections = [
        {
            "id": section.id,
            "heading": _filled(section.heading, scope),
            "text": _filled(section.text, scope),
            "figure": section.figure and section.figure.name,
            "nuances": [_filled(nuance.text, scope) for nuance in section.nuances],
        }
        for section in lesson.sections
    ]
    title = {lang: lesson.title[lang] for lang in LANGS}
    return {"id": lesson.id, "kind": "lesson", "title": title, "sections": sections}


def _exercise_record(exercise: Exercise) -> dict[str, Any]:
    return {
        "id": address.plain(exercise.id),
        "kind": "exercise",
        **_variant(exercise),
        "title": {lang: exercise.title[lang] for lang in LANGS},
        "lesson": exercise.lesson,
        "prompt": _filled(exercise.prompt, of_exercise(exercise)),
        "givens": [{"symbol": row.symbol, "value": row.value} for row in givens(exercise, "en")],
        "parts": [_part_record(exercise, part) for part in exercise.parts],
    }


def _variant(exercise: Exercise) -> dict[str, Any]:
    """Which variant this is, what its numbers are of, and whether there are others."""
    names = dict(exercise.names) if exercise.variant else {}
    return {"variant": exercise.variant, "names": names, "varies": course.can_vary(exercise)}


def _part_record(exercise: Exercise, part: Part) -> dict[str, Any]:
    scope = of_part(exercise, part)
    options = shuffled_steps(part) if part.kind == "order" else part.options
    return {
        "id": address.plain(part.id),
        "kind": part.kind,
        "label": _filled(part.label, scope),
        "ask": _filled(part.ask, scope),
        "unit": part.unit,
        "followup": part.followup,
        "options": [_option(option) for option in options],
        "attributes": [[_option(option) for option in options] for options in part.attributes],
        "rubric": [{"id": point.id, "text": _filled(point.text, scope)} for point in part.rubric],
    }


def _option(option: Option) -> dict[str, Any]:
    return {"id": option.id, "letter": option.letter, "text": {lang: plain(option.text[lang]) for lang in LANGS}}


# --- as text ----------------------------------------------------------------------------------------------------------


def page(place: course.Place, lang: Lang) -> str:
    """A place as text to read."""
    if place.kind == "lesson":
        return _lesson_page(place.id, lang)
    if place.kind in ("exercise", "part"):
        return _exercise_page(place, lang)
    return "\n".join([place.id, *(f"  {inside}" for inside in _inside(place))])


def _lesson_page(lesson_id: str, lang: Lang) -> str:
    lesson = course.lesson(lesson_id)
    sections = (_section(section, of_lesson(lesson), lang) for section in lesson.sections)
    return "\n\n\n".join([f"{lesson.id}  {lesson.title[lang]}", *sections])


def _section(section: Section, scope: Scope, lang: Lang) -> str:
    pieces = [plain(fill(section.heading[lang], lang, scope)), plain(fill(section.text[lang], lang, scope))]
    for nuance in section.nuances:
        pieces.append(f"{say('app.lesson.simplifies', lang)}: {plain(fill(nuance.text[lang], lang, scope))}")
    return "\n\n".join(pieces)


def _exercise_page(place: course.Place, lang: Lang) -> str:
    owner = place.id.rpartition("/")[0] if place.kind == "part" else place.id
    exercise = course.exercise(owner)
    lines = [f"{exercise.id}  {exercise.title[lang]}", "", asking.prompt(exercise, lang), ""]
    lines.append(f"{say('cli.course.lesson', lang)}: {exercise.lesson}")
    for part in exercise.parts:
        if place.id in (exercise.id, part.id):
            label = plain(fill(part.label[lang], lang, of_part(exercise, part)))
            lines += ["", f"{part.id}  {label}", *filter(None, [asking.question(exercise, part, lang)])]
    return "\n".join(lines)
