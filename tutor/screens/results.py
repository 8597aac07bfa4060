"""How an exercise and its level went: every part, what it took, which slips, and where to go from here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual.content import Content
from textual.widget import Widget

from content import address, course
from content.schema import ExerciseEntry, Part
from content.words import has, say
from tutor import coursemap, nextup
from tutor.keys import Command, Scope
from tutor.placement.where import place_name
from tutor.progress import PartState
from tutor.screens.base import Panel, bindings
from tutor.widgets.ink import QUIET, mark, plainer
from tutor.widgets.page import Page
from tutor.widgets.rows import Row, Rows


class ResultsScreen(Panel):
    """The level of an exercise, its exercises one under the other; Enter on a part goes to it.

    Of all variants the best counts. The parts of a variant that led here lead back to it.
    """

    SCOPE: ClassVar[Scope] = "results"
    BINDINGS = bindings("results")

    def __init__(self, place_id: str) -> None:
        super().__init__()
        self.place_id = place_id
        self.level = coursemap.level_of(place_id)

    def body(self) -> Iterable[Widget]:
        """One list."""
        yield Page(Rows(id="rows"), id="page")

    def on_mount(self) -> None:
        """The cursor starts at the exercise that led here."""
        self.query_one(Page).can_focus = False
        self.retell()
        rows = self.query_one(Rows)
        rows.go(next((row.id for row in rows.rows if row.id.startswith(f"{self.place_id}/")), rows.current))
        self.set_focus(rows)

    def retell_body(self) -> None:
        """All parts again."""
        known = coursemap.states(self.session)
        rows: list[Row] = []
        for entry in self.level.exercises:
            count = coursemap.of_exercise(entry, known)
            head = f"{entry.id.split('/')[1]} {entry.title[self.lang]}  {count.done}/{count.total}"
            rows += [Row()] if rows else []
            rows += [Row(text=Content(head)), *self._parts(entry, known)]
        rows += [*self._slips(), Row(), Row(text=Content(self.tell("results.next"))), *self._next()]
        self.query_one(Rows).show(rows)

    def _parts(self, entry: ExerciseEntry, known: coursemap.States) -> Iterable[Row]:
        exercise = course.exercise(entry.id)
        for part in exercise.parts:
            state = known.get(part.id, PartState())
            if part.followup and state.status == "new":
                continue
            sign = plainer(mark(state.status), self.session.ascii)
            yield Row(
                self._way(part.id),
                Content(part.label[self.lang]),
                lead=sign,
                right=Content.styled(self._told(part, state), QUIET),
            )

    def _way(self, part_id: str) -> str:
        """The part in the variant that led here, where it is of the same exercise."""
        exercise, variant = address.split(self.place_id)
        return address.join(part_id, variant) if part_id.startswith(f"{exercise}/") else part_id

    def _told(self, part: Part, state: PartState) -> str:
        said = self.tell(f"results.status.{state.status}")
        if part.reasons and state.status == "solved":
            kind = "open" if not state.reasons else "right" if state.reasons[-1] == part.reason else "other"
            said += ", " + self.tell(f"results.reason.{kind}")
        if part.rubric and state.status == "tried" and (last := self.session.progress.newest(part.id)) is not None:
            marks = {point.id for point in part.rubric} & set(last.ticked)
            said += ", " + self.tell("results.marks", n=len(marks), m=len(part.rubric))
        if state.attempts:
            said += ", " + self.tell("results.attempt" if state.attempts == 1 else "results.attempts", n=state.attempts)
        if state.hints:
            said += ", " + self.tell("results.hint" if state.hints == 1 else "results.hints", n=state.hints)
        return said

    def _slips(self) -> list[Row]:
        here = {part for entry in self.level.exercises for part in entry.parts + entry.followups}
        known, counts = self.session.progress, {}
        for slip in (one.slip for one in known.slips() if has(f"slips.{one.slip}.name")):
            places = [place for place in known.slip_places(slip) if address.plain(place) in here]
            counts[slip] = sum(attempt.slips == (slip,) for place in places for attempt in known.attempts(place))
        named = [(slip, n) for slip, n in sorted(counts.items(), key=lambda pair: -pair[1]) if n]
        if not named:
            return []
        rows = [Row(), Row(text=Content(self.tell("results.slips")))]
        for slip, n in named:
            rows.append(Row(text=Content(f"  {say(f'slips.{slip}.name', self.lang)}  {n}×"), lead="note"))
        return rows

    def _next(self) -> list[Row]:
        """The next open part of the course, and home."""
        waiting = self.session.next_unsolved(after=self._last_part()) or ""
        exercise, last = (id.rpartition("/")[0] for id in (waiting, self._last_part()))
        rows: list[Row] = []
        for key, id in nextup.onward(last, coursemap.states(self.session), exercise):
            name = place_name(id, self.lang)
            goes = waiting if id == exercise else id
            rows.append(Row(f"go:{goes}", Content(self.tell(f"exercise.offer.{key}", name=name))))
        return [*rows, Row("home", Content(self.tell("exercise.offer.home")))]

    def _last_part(self) -> str:
        here = address.plain(self.place_id)
        entries = [e for e in self.level.exercises if e.id == here] or list(self.level.exercises)
        return entries[-1].parts[-1]

    async def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """A part, the next open one, or home."""
        event.stop()
        if event.id == "home":
            self.tutor.action_home()
        else:
            self.tutor.go(event.id.removeprefix("go:"))

    async def action_again(self) -> None:
        """Back to the first part of the exercise that led here."""
        self.tutor.go(self.query_one(Rows).current.removeprefix("go:") or self.place_id)

    def can(self, command: Command) -> bool:
        """`again` is Enter by another name; the line has no room for both."""
        return command.id not in ("again", "peek")

    def enter(self) -> str:
        """Go to the row."""
        return say("app.keys.open.label", self.lang)

    def crumbs(self) -> Sequence[str]:
        """The level."""
        return (self.tell("results.title"), f"{self.level.id.split('/')[1]} {self.level.title[self.lang]}")
