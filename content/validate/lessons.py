"""One lesson file."""

from __future__ import annotations

from content import fill
from content.build import Builder
from content.files import ContentError
from content.lang import Text
from content.schema import Lesson, LessonEntry
from content.validate import answers, figures, formulas, keys, prose
from content.validate.collect import Collector
from content.validate.levels import lacks_values
from content.validate.source import Source


def lesson(source: Source, entry: LessonEntry) -> Lesson:
    """Check a lesson; the lesson itself, for what the whole course must hold."""
    found: list[ContentError] = []
    builder: Builder = Collector(source.name, found=found)
    built = builder.lesson(entry.id, Text("", ""), source.table)
    source.report_errors(found)
    keys.lesson(source)
    formulas.symbols_known(source, (), built.given)
    values = Collector(source.name, found=[]).mapping(source.table, "values").values()
    unread = any(lacks_values(error, [source.table, *values]) for error in found)
    for name, value in built.values.items() if not unread else ():
        formulas.usable(source, (name,), value.formula, value.given, value.unit)
    prose.values_used(source, (), source.table, built.values)
    answers.unique(source, (), "section", [section.id for section in built.sections])
    for section in built.sections:
        figures.known(source, (section.id,), section.figure)
    scope = fill.of_lesson(built) if not unread else None
    prose.texts(source, lambda path: scope)
    return built
