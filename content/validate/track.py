"""One track: its index against its files, and every file of it."""

from __future__ import annotations

from collections.abc import Container, Sequence

from content.cards import Card
from content.course import Course
from content.files import ContentError
from content.fill import Scope
from content.quiz.model import FIND
from content.schema import Exercise, ExerciseEntry, Given, Lesson, Level, Track
from content.validate import asked, coverage, figures, keys, lessons, levels, links, prose, shelf, variants
from content.validate.collect import Collector
from content.validate.positions import Path
from content.validate.source import Folder, Source

_NAMING = {("id",), ("lesson",), ("level",), ("exercise",)}
"""Ends of places in an index where names of files, exercises and lessons stand."""


class Seen:
    """What the tracks of a folder hold, for links from outside them."""

    def __init__(self) -> None:
        self.lessons: set[str] = set()
        self.parts: set[str] = set()


def track(folder: Folder, name: str, words: Container[str], seen: Seen) -> None:
    """Check a track."""
    index = folder.source(f"course/{name}/track.toml")
    if index is None:
        return
    found: list[ContentError] = []
    builder = Collector(index.name, found=found)
    built = builder.track(index.table)
    keys.track(index)
    if built.id and built.id != name:
        index.report(("track", "id"), "track-id", id=built.id, folder=name)
    # every file of the track is looked for under the ids that its index gives
    if built.id != name or any(error.where[-1:] in _NAMING for error in found):
        index.report_errors(found)
        return
    nothing = Scope({}, {}, {})
    prose.texts(index, lambda path: nothing)
    _index(index, built)
    seen.lessons |= {entry.id for entry in built.lessons}
    _files(folder, index, built, words, seen, builder)
    index.report_errors(found)


def _files(folder: Folder, index: Source, built: Track, words: Container[str], seen: Seen, builder: Collector) -> None:
    taught = [(s, lessons.lesson(s, entry)) for entry in built.lessons if (s := _source(folder, entry.id)) is not None]
    _sections(index, built, [lesson for _, lesson in taught])
    exercises: list[Exercise] = []
    levelled: list[tuple[Source, tuple[Exercise, ...]]] = []
    givens = _givens(folder, built)
    for level in built.levels:
        source = _source(folder, level.id)
        if source is not None:
            there = levels.level(source, built.id, givens, levels.Known(seen.lessons, words))
            _compare(index, source, level, there)
            levelled.append((source, there))
            exercises += there
    seen.parts |= {part for entry in built.exercises for part in (*entry.parts, *entry.followups)}
    cards = _cards(folder, built, seen)
    _stray(folder, built)
    if folder.complete:  # what a file lacks that cannot be read is anybody's guess
        coverage.coverage(index, builder, taught, exercises, cards)
        _asked(folder, index, built, builder, levelled, cards)
    if not (folder.problems or builder.found):  # values are drawn from what is whole
        course = Course(folder.root, (built.id,))
        for source, there in levelled:
            variants.drawn(source, course, there)


def _asked(
    folder: Folder, index: Source, built: Track, builder: Collector, levelled: asked.Levelled, cards: Sequence[Card]
) -> None:
    required = builder.mapping(index.table, "required")
    if "concepts" in required:
        name = f"course/{built.id}/cards.toml"
        shelf = folder.source(name) if (folder.root / name).exists() else None
        wanted = builder.inside("required").strings(required, "concepts")
        asked.concepts(index, wanted, levelled, shelf, cards)


def _cards(folder: Folder, built: Track, seen: Seen) -> tuple[Card, ...]:
    name = f"course/{built.id}/cards.toml"
    source = folder.source(name) if (folder.root / name).exists() else None
    return shelf.cards(source, built.id, seen.lessons, seen.parts) if source is not None else ()


def _source(folder: Folder, id_: str) -> Source | None:
    return folder.source(f"course/{id_}.toml")


def _givens(folder: Folder, built: Track) -> dict[str, Given]:
    """The given values of all exercises, for one may carry values over from another; of a damaged file, none."""
    found: dict[str, Given] = {}
    for level in built.levels:
        source = _source(folder, level.id)
        builder = Collector(level.id, found=[])
        if source is None:
            found |= {entry.id.partition("/")[2]: {} for entry in level.exercises}
        for table in builder.tables(source.table, "exercise") if source is not None else ():
            found[str(table.get("id", ""))] = builder.given(table)
    return found


def _index(index: Source, built: Track) -> None:
    """No id twice in the index, and its links lead somewhere and never round in a circle."""
    ids = {entry.id for entry in built.lessons}
    needs = {entry.id: entry.needs for entry in built.lessons}
    rows = [*(("lesson", place, entry.id) for place, entry in enumerate(built.lessons))]
    rows += [("level", place, level.id) for place, level in enumerate(built.levels)]
    known: set[str] = set()
    for key, place, id_ in rows:
        if id_ in known:
            index.report((key, place), "duplicate-id", id=id_)
        known.add(id_)
    for place, entry in enumerate(built.lessons):
        links.links(index, ("lesson", place, "needs"), entry.needs, ids)
    chain = links.circle(needs)
    if chain:
        place = next(place for place, entry in enumerate(built.lessons) if entry.id == chain[0])
        index.report(("lesson", place, "needs"), "circle", chain=" → ".join(chain))
    _exercises(index, built, ids, known)


def _exercises(index: Source, built: Track, lesson_ids: Container[str], known: set[str]) -> None:
    for place, level in enumerate(built.levels):
        for inner, entry in enumerate(level.exercises):
            path = ("level", place, "exercise", inner)
            if entry.id in known:
                index.report(path, "duplicate-id", id=entry.id)
            known.add(entry.id)
            links.link(index, (*path, "lesson"), entry.lesson, lesson_ids)
            listed = entry.parts + entry.followups
            for number, part in enumerate(listed):
                if part in listed[:number]:
                    index.report((*path, "parts"), "duplicate-id", id=part)


def _sections(index: Source, built: Track, taught: Sequence[Lesson]) -> None:
    """The index counts the sections of a lesson as its file does."""
    there = {lesson.id: len(lesson.sections) for lesson in taught}
    for place, entry in enumerate(built.lessons):
        count = there.get(entry.id, 0)
        if count and entry.sections and count != entry.sections:
            params = {"lesson": entry.id, "here": str(entry.sections), "there": str(count)}
            index.report(("lesson", place, "sections"), "sections-differ", **params)


def _compare(index: Source, source: Source, level: Level, there: Sequence[Exercise]) -> None:
    """The index and a level's file name the same exercises and parts."""
    by_id = {exercise.id: exercise for exercise in there}
    for place, exercise in enumerate(there):
        if exercise.id not in {entry.id for entry in level.exercises}:
            source.report(("exercise", place), "unlisted-exercise", exercise=exercise.id)
    for entry in level.exercises:
        where = index.find((level.id, entry.id))
        if entry.id not in by_id:
            index.report(where, "missing-exercise", exercise=entry.id.partition("/")[2])
            continue
        exercise = by_id[entry.id]
        if exercise.lesson != entry.lesson:
            params = {"exercise": entry.id, "here": entry.lesson, "there": exercise.lesson}
            index.report((*where, "lesson"), "lesson-differs", **params)
        figure = exercise.figure.name if exercise.figure is not None else ""
        if figure != entry.figure and (not figure or figure in figures.named()):  # an unknown one is told in its file
            index.report((*where, "figure"), "figure-differs", exercise=entry.id, figure=figure or "-")
        _parts(index, where, source, entry, exercise)


def _parts(index: Source, where: Path, source: Source, entry: ExerciseEntry, exercise: Exercise) -> None:
    by_id = {part.id: part for part in exercise.parts}
    for listed, followup in ((entry.parts, False), (entry.followups, True)):
        for id_ in listed:
            name = id_.rpartition("/")[2]
            if id_ not in by_id:
                index.report_in(where, f'"{name}"', "missing-part", part=id_)
            elif by_id[id_].kind and by_id[id_].followup != followup:
                source.report((*source.find((exercise.id, name)), "followup"), "followup-differs", part=id_)
    for part in exercise.parts:
        if part.id not in entry.parts + entry.followups:
            source.report(source.find((exercise.id, part.name)), "unlisted-part", part=part.id)
    _reversed(index, where, source, entry, exercise)


def _reversed(index: Source, where: Path, source: Source, entry: ExerciseEntry, exercise: Exercise) -> None:
    """The index and a level's file name the same reverse items."""
    there = {f"{part.id}/{FIND}{symbol}": part for part in exercise.parts for symbol in part.reverse}
    unread = tuple(f"{part.id}/" for part in exercise.parts if not part.kind)
    for id_ in entry.reverse:
        if id_ not in there and not id_.startswith(unread):
            index.report_in((*where, "reverse"), f'"{id_.removeprefix(entry.id + "/")}"', "missing-reverse", item=id_)
    for id_, part in there.items():
        if id_ not in entry.reverse:
            source.report((*source.find((exercise.id, part.name)), "reverse"), "unlisted-reverse", item=id_)


def _stray(folder: Folder, built: Track) -> None:
    """Files of the track's folder that its index does not name are never read."""
    ids = [lesson.id for lesson in built.lessons] + [level.id for level in built.levels]
    named = {f"course/{id_}.toml" for id_ in ids}
    named |= {f"course/{built.id}/{name}.toml" for name in ("track", "cards")}
    for name in folder.names(f"course/{built.id}/*.toml"):
        if name not in named:
            source = folder.source(name)
            if source is not None:
                source.report((), "unlisted-file", track=f"course/{built.id}/track.toml")
