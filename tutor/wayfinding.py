"""Where the learner stands and where to go from there: states, what waits, fresh variants, the place and the drafts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice
from typing import NamedTuple

from content import address
from tutor.ondisk import OnDisk
from tutor.progress import PartState, Place, ProgressProblem

OPEN = ("new", "tried")
"""States of a part that still waits for an answer."""
LATELY = 3
"""So many of the last variants are looked at, for a draw may come out as one of them."""
FRESH_TRIES = 20
"""So many numbers of variants are looked at for one that can be drawn."""


class Results(NamedTuple):
    """How an exercise, a level or a track stands. Follow-ups are extra: they count apart."""

    id: str
    parts: Mapping[str, PartState]
    followups: Mapping[str, PartState]

    @property
    def solved(self) -> int:
        """Parts with a right answer given before the solution was seen."""
        return sum(state.status == "solved" for state in self.parts.values())

    @property
    def done(self) -> bool:
        """Whether nothing waits any more: every part solved, shown or skipped."""
        return not any(state.status in OPEN for state in self.parts.values())


class Wayfinding(OnDisk):
    """One learner's way through the course."""

    def state(self, part_id: str) -> PartState:
        """Where one part stands."""
        return self.progress.state(part_id)

    def results(self, place_id: str) -> Results:
        """How an exercise, a level or a track stands, part by part in the order of the course.

        Of all variants the best counts; the address of a variant gives that one alone, by the addresses of its parts.
        """
        from content import course

        if address.split(place_id)[1]:
            return self._as_worked(place_id)
        states = self.progress.overall(place_id)
        parts: dict[str, PartState] = {}
        followups: dict[str, PartState] = {}
        for track in course.index().tracks:
            for level in track.levels:
                for exercise in level.exercises:
                    if place_id in (track.id, level.id, exercise.id):
                        parts |= {part: states.get(part, PartState()) for part in exercise.parts}
                        followups |= {part: states.get(part, PartState()) for part in exercise.followups}
        return Results(place_id, parts, followups)

    def _as_worked(self, exercise_id: str) -> Results:
        """How one variant stands, or the values as written."""
        from tutor import coursemap

        states = self.progress.states(exercise_id)
        entry = coursemap.exercise_entry(exercise_id)
        parts, followups = ({id: states.get(id, PartState()) for id in ids} for ids in (entry.parts, entry.followups))
        return Results(exercise_id, parts, followups)

    def next_unsolved(self, after: str = "", track: str = "core") -> str | None:
        """The part to go to: the first open one behind ``after``, then from the start, then a skipped one."""
        parts = self.results(track).parts
        order = list(parts)
        after = address.plain(after)
        start = order.index(after) + 1 if after in parts else 0
        order = order[start:] + order[:start]
        waiting = _first(order, parts, OPEN)
        return waiting if waiting is not None else _first(order, parts, ("skipped",))

    def first_open(self, exercise_id: str) -> str | None:
        """Where to begin in an exercise, or in a variant of it: its first open part, then a skipped one.

        ``None`` when all is done. What another variant solved is open here, with other values.
        """
        parts = self._as_worked(exercise_id).parts
        waiting = _first(parts, parts, OPEN)
        return waiting if waiting is not None else _first(parts, parts, ("skipped",))

    def fresh(self, exercise_id: str, above: int = 0) -> str:
        """The address of the next variant that nothing was done in, and whose numbers are not those of the last ones.

        ``above``: a number up to which variants count as used.

        Raises ``UnknownVariant`` where none can be drawn, and ``UnknownId``.
        """
        from content import course, draws

        id_ = address.plain(exercise_id)
        touched = self.progress.variants(id_)
        highest = max(above, *touched, 0)
        lately = [course.exercise(address.join(id_, n)) for n in sorted({*touched, above} - {0})[-LATELY:]]
        upward, below = range(highest + 1, address.MOST + 1), (n for n in range(1, highest) if n not in touched)
        refused: course.UnknownVariant | None = None
        for number in islice(chain(upward, below), FRESH_TRIES):
            try:
                drawn = course.exercise(address.join(id_, number))
            except course.UnknownVariant as error:
                refused = refused or error
                continue
            if not any(draws.same_values(drawn, other) for other in lately):
                return drawn.id
        raise refused or course.UnknownVariant(id_, highest)

    def resume(self) -> Place | None:
        """Where the learner was last, if the course has that place."""
        from tutor import standing

        place = self.progress.place()
        return place if place is not None and standing.fits(place) else None

    def set_place(self, place: Place) -> None:
        """Remember where the learner is, with the unsent draft."""
        self._write(lambda progress: progress.set_place(place))

    def keep(self, place: Place) -> None:
        """Remember where the learner is, and the unsent draft as that of the part."""
        self._write(lambda progress: progress.keep(place))

    def drafts(self, exercise_id: str) -> Mapping[str, str]:
        """The unsent drafts of an exercise: part -> what stands typed. None while the disk refuses."""
        try:
            return self.progress.drafts(exercise_id)
        except ProgressProblem:
            return {}


def _first(order: Iterable[str], states: Mapping[str, PartState], wanted: Sequence[str]) -> str | None:
    return next((part for part in order if states[part].status in wanted), None)
