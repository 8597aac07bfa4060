"""The course: its index, and one lesson or level read at a time."""

import os
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any, Literal, NamedTuple, TypeVar

from content import address
from content.build import Builder, Drawer
from content.entries import Table
from content.files import ROOT, ContentError, load
from content.files import shipped as shipped_table
from content.schema import (
    Exercise,
    ExerciseEntry,
    Given,
    Index,
    Lesson,
    LessonEntry,
    Level,
    Nuance,
    Part,
    Track,
)


def _tracks() -> tuple[str, ...]:
    """The folders with an index: the course that this program is made for, then the others by name."""
    folder = os.path.join(ROOT, "course")
    there = (one for one in os.listdir(folder) if os.path.exists(os.path.join(folder, one, "track.toml")))
    return (FIRST, *sorted(set(there) - {FIRST}))


FIRST = "core"
TRACKS = _tracks()
"""Track folders, in the order of study."""

PlaceKind = Literal["track", "lesson", "level", "exercise", "part"]


class Place(NamedTuple):
    """What an id names."""

    kind: PlaceKind
    id: str


class UnknownId(Exception):
    """No such id; ``close`` are the nearest that exist."""

    def __init__(self, text: str, close: tuple[str, ...]) -> None:
        super().__init__(text, close)
        self.text = text
        self.close = close


class UnknownVariant(Exception):
    """An exercise has no variant of this number: it cannot vary, or the number is none that can be drawn."""

    def __init__(self, exercise: str, variant: int) -> None:
        super().__init__(exercise, variant)
        self.exercise, self.variant = exercise, variant


VARIANTS_KEPT = 128
"""So many variants stay built; a batch may ask for any number of them."""


class Course:
    """The course under one content folder, of some tracks; files are read when first asked for and kept."""

    def __init__(self, root: str | os.PathLike[str] = ROOT, tracks: tuple[str, ...] = TRACKS) -> None:
        self.root, self.tracks = os.fspath(root), tracks
        self._tables: dict[str, dict[str, Any]] = {}
        self._exercises: dict[str, Exercise] = {}
        self._variants: dict[str, Exercise] = {}
        self._lessons: dict[str, Lesson] = {}

    def table(self, file: str) -> dict[str, Any]:
        """The table of one of its files. Raises ``ContentError``."""
        if file not in self._tables:
            whole = shipped_table(file) if self.root == ROOT else load(os.path.join(self.root, file), self.root)
            self._tables[file] = whole
        return self._tables[file]

    @cached_property
    def index(self) -> Index:
        """Everything there is to study, titles and ids only."""
        files = (f"course/{name}/track.toml" for name in self.tracks)
        return Index(tuple(Builder(file).track(self.table(file)) for file in files))

    @cached_property
    def places(self) -> dict[str, Place]:
        """Every id in lower case -> its place."""
        rows: list[tuple[PlaceKind, str]] = []
        for track in self.index.tracks:
            rows.append(("track", track.id))
            rows += [("lesson", lesson.id) for lesson in track.lessons]
            rows += [("level", level.id) for level in track.levels]
            for exercise in track.exercises:
                rows.append(("exercise", exercise.id))
                rows += [("part", part) for part in exercise.parts + exercise.followups]
        return {id_.lower(): Place(kind, id_) for kind, id_ in rows}

    def resolve(self, text: str) -> Place:
        """The place that an id names, in any case; the track may be left out where that is clear ("L2.1/kv").

        A variant of an exercise or part has its number in the id ("L2.1@3/kv"). Whether it can be drawn shows when it
        is asked for.

        Raises:
            UnknownId: with the closest ids.
        """
        wanted, variant = address.split(text.strip().strip("/").lower()[:80])
        for candidate in (wanted, *(f"{track}/{wanted}" for track in self.tracks)):
            place = self.places.get(candidate)
            if place is not None and (not variant or place.kind in ("exercise", "part")):
                return Place(place.kind, address.join(place.id, variant))
        raise UnknownId(text, self._close(wanted))

    def _close(self, wanted: str) -> tuple[str, ...]:
        """The nearest ids. The track is left out of the comparison: what all ids share makes none of them near."""
        import difflib  # only a wrong id needs it

        tails = {name.partition("/")[2] or name: place.id for name, place in self.places.items()}
        track, slash, tail = wanted.partition("/")
        asked = tail if slash and track in self.tracks else wanted
        return tuple(tails[name] for name in difflib.get_close_matches(asked, tails, n=3)) if asked else ()

    def _checked(self, text: str, kind: PlaceKind) -> str:
        place = self.resolve(text)
        if place.kind != kind:
            inside = (p.id for p in self.places.values() if p.kind == kind and p.id.startswith(place.id))
            raise UnknownId(text, tuple(inside)[:3])
        return place.id

    def lesson_entry(self, id_: str) -> LessonEntry:
        """A lesson's line in the index. Raises ``KeyError``."""
        return _found(id_, (lesson for track in self.index.tracks for lesson in track.lessons))

    def exercise_entry(self, id_: str) -> ExerciseEntry:
        """An exercise's line in the index, by its id or the address of a variant. Raises ``KeyError``."""
        return _found(address.plain(id_), (exercise for track in self.index.tracks for exercise in track.exercises))

    def track_of(self, id_: str) -> Track:
        """The track that an id belongs to. Raises ``KeyError``."""
        return _found(id_.partition("/")[0], self.index.tracks)

    def level_of(self, id_: str) -> Level:
        """The level of an exercise or part. Raises ``KeyError``."""
        owner = "/".join(address.plain(id_).split("/")[:2])
        return next(level for level in self.track_of(id_).levels if any(e.id == owner for e in level.exercises))

    def lesson(self, text: str) -> Lesson:
        """A lesson. Raises ``UnknownId``, or ``ContentError`` for a damaged file."""
        id_ = self._checked(text, "lesson")
        if id_ not in self._lessons:
            file = f"course/{id_}.toml"
            self._lessons[id_] = Builder(file).lesson(id_, self.lesson_entry(id_).title, self.table(file))
        return self._lessons[id_]

    def exercise(self, text: str) -> Exercise:
        """An exercise, or a variant of it.

        Raises:
            UnknownId: no such exercise.
            UnknownVariant: it has no such variant.
            ContentError: its file is damaged.
        """
        id_, variant = address.split(self._checked(text, "exercise"))
        if id_ not in self._exercises:
            self._exercises[id_] = _settled(self._build(id_))
        return self._variant(id_, variant) if variant else self._exercises[id_]

    def _variant(self, id_: str, variant: int) -> Exercise:
        name = address.join(id_, variant)
        if name not in self._variants:
            if len(self._variants) >= VARIANTS_KEPT:
                del self._variants[next(iter(self._variants))]
            self._variants[name] = self._drawn(id_, variant)
        return self._variants[name]

    def _drawn(self, id_: str, variant: int) -> Exercise:
        """A variant: the first fair draw of its number that is not the exercise as written."""
        from content import draws  # the catalogue and the slips: only variants need them

        first = self._exercises[id_]
        if not can_vary(first):
            raise UnknownVariant(id_, variant)
        for attempt in range(draws.TRIES):
            try:
                made = _as_variant(self.try_draw(id_, f"{variant}/{attempt}"), variant)
            except draws.Refused:
                continue
            if not draws.same_values(made, first) and draws.fair(made):
                return _settled(made)
        raise UnknownVariant(id_, variant)

    def try_draw(self, id_: str, key: str) -> Exercise:
        """One draw of an exercise, fair or not. Raises ``draws.Refused`` where it is outside its limits."""
        from content import draws, vary

        def drawer(build: Builder, part: str, table: Table, given: Given) -> tuple[Given, Mapping[str, str]]:
            return draws.draw(vary.vary(build, table), given, f"{id_}/{key}/{part}")

        return self._build(id_, drawer)

    def part(self, text: str) -> tuple[Exercise, Part]:
        """A part and its exercise. Raises ``UnknownId``, or ``ContentError`` for a damaged file."""
        id_ = self._checked(text, "part")
        owner, _, name = id_.rpartition("/")
        found = self.exercise(owner)
        try:
            return found, found.part(name)
        except KeyError:
            raise ContentError(self.level_file(owner), "missing-part", owner, name, part=id_) from None

    def level_file(self, exercise_id: str) -> str:
        """The file that holds an exercise."""
        return f"course/{self.level_of(exercise_id).id}.toml"

    def _build(self, id_: str, draw: Drawer | None = None) -> Exercise:
        file, name = self.level_file(id_), id_.partition("/")[2]
        table = self._exercise_table(id_)
        carried = table.get("carry", {}).get("from")
        sources: dict[str, Given] = {}
        source_id = f"{id_.partition('/')[0]}/{carried}"
        if source_id.lower() in self.places:
            sources[carried] = Builder(file, carried).given(self._exercise_table(source_id))
        return Builder(file, name).exercise(id_.partition("/")[0], self.exercise_entry(id_).title, table, sources, draw)

    def _exercise_table(self, id_: str) -> dict[str, Any]:
        file, name = self.level_file(id_), id_.partition("/")[2]
        for table in self.table(file).get("exercise", []):
            if table.get("id") == name:
                return dict(table)
        raise ContentError(file, "missing-exercise", name, exercise=name)


def can_vary(exercise: Exercise) -> bool:
    """Whether an exercise, or a part of it, has values to draw."""
    return exercise.vary is not None or any(part.vary is not None for part in exercise.parts)


LEAST_DIGITS = 3
"""Digits of a variant's answers: those as written may be round, drawn ones seldom are."""


def _as_variant(made: Exercise, variant: int) -> Exercise:
    """A drawn exercise under its address, without what holds for the values as written only."""
    id_ = address.join(made.id, variant)
    parts = tuple(
        part._replace(
            id=f"{id_}/{part.name}", digits=max(part.digits, LEAST_DIGITS), nuances=_of_every_draw(part.nuances)
        )
        for part in made.parts
    )
    return made._replace(id=id_, variant=variant, parts=parts, nuances=_of_every_draw(made.nuances))


def _of_every_draw(nuances: tuple[Nuance, ...]) -> tuple[Nuance, ...]:
    return tuple(nuance for nuance in nuances if not nuance.base_only)


def _settled(made: Exercise) -> Exercise:
    """An exercise whose labels and options stand filled, since they are shown without their scope."""
    if not any("{" in text for part in made.parts for text in _plain_texts(part)):
        return made
    from content import fill  # most exercises have none

    return made._replace(parts=tuple(fill.settled(made, part) for part in made.parts))


def _plain_texts(part: Part) -> Iterator[str]:
    yield part.label.en
    for options in (part.options, part.reasons, *part.attributes):
        yield from (text.en for option in options for text in (option.text, option.but) if text is not None)


_Entry = TypeVar("_Entry", LessonEntry, ExerciseEntry, Track)


def _found(id_: str, entries: Iterable[_Entry]) -> _Entry:
    for entry in entries:
        if entry.id == id_:
            return entry
    raise KeyError(id_)


@lru_cache(maxsize=1)
def shipped() -> Course:
    """The course that comes with the program."""
    return Course()


def index() -> Index:
    """The index of the shipped course."""
    return shipped().index


def resolve(text: str) -> Place:
    """As :meth:`Course.resolve`, of the shipped course."""
    return shipped().resolve(text)


def lesson(text: str) -> Lesson:
    """As :meth:`Course.lesson`, of the shipped course."""
    return shipped().lesson(text)


def exercise(text: str) -> Exercise:
    """As :meth:`Course.exercise`, of the shipped course."""
    return shipped().exercise(text)


def part(text: str) -> tuple[Exercise, Part]:
    """As :meth:`Course.part`, of the shipped course."""
    return shipped().part(text)
