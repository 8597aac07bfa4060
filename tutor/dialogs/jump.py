"""Every lesson and exercise in one list, with marks; typing narrows it. Start anywhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from textual.content import Content

from content import address, course
from tutor import coursemap
from tutor.coursemap import Count
from tutor.dialogs.search import SearchPanel
from tutor.widgets.ink import QUIET, mark, plainer
from tutor.widgets.rows import Row

if TYPE_CHECKING:
    from content.schema import Track


class JumpPanel(SearchPanel):
    """Lessons, then the exercises level by level."""

    PASSING: ClassVar[bool] = True

    def rows(self, wanted: str) -> list[Row]:
        """The rows that match what is typed; headings of empty groups are left out. "L2.1@3" names a variant."""
        wanted = wanted.removesuffix("@")  # the number is still to come
        if "@" in wanted:
            return self._variants(wanted)
        known = coursemap.states(self.session)
        groups = [group for track in course.index().tracks for group in self._groups(track, known)]
        made: list[Row] = []
        for heading, rows in groups:
            fitting = [row for row in rows if wanted in f"{row.lead} {row.text.plain} {row.id}".lower()]
            if fitting:
                made += [Row()] if made else []
                made += [Row(text=Content(heading)), *fitting]
        return made

    def _groups(self, track: Track, known: coursemap.States) -> Iterator[tuple[str, list[Row]]]:
        """A track's lessons, then its levels, each under its heading."""
        first = track.id == course.FIRST
        lessons = [self._row(e.id, e.title[self.lang], coursemap.of_lesson(e, known)) for e in track.lessons]
        yield self.tell("home.lessons") if first else track.title[self.lang], lessons
        for level in track.levels:
            rows = [self._row(e.id, e.title[self.lang], coursemap.of_exercise(e, known)) for e in level.exercises]
            yield coursemap.level_name(track, level, self.lang), rows

    def _variants(self, wanted: str) -> list[Row]:
        """The variant that an address names, if its exercise has any; it is drawn only when it is gone to."""
        try:
            found = course.resolve(wanted)
        except course.UnknownId:
            return []
        id, variant = address.split(found.id)
        exercise = course.exercise("/".join(id.split("/")[:2])) if variant else None
        if exercise is None or not course.can_vary(exercise):
            return []
        title = self.tell("exercise.variant_here", title=exercise.title[self.lang], n=variant)
        return [Row(found.id, Content(title), lead=found.id.partition("/")[2])]

    def _row(self, id: str, title: str, count: Count) -> Row:
        sign = plainer(mark(count.status), self.session.ascii)
        right = Content.styled(f"{sign} {count.done}/{count.total}", QUIET)
        return Row(id, Content(title), lead=id.split("/")[1], right=right, brief=right)

    async def chosen(self, id: str) -> None:
        """Go there."""
        self.tutor.go(id)

    def name_of(self) -> str:
        """Name of the panel."""
        return self.tell("jump.title")

    def hint(self) -> str:
        """What to type."""
        return self.tell("jump.filter")
