"""Home: what to do next, the map of the course, the slips to watch. Nothing that asks for attention by itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, ClassVar

from textual.content import Content
from textual.widget import Widget

from content import address, course
from content.words import has, say
from tutor import coursemap, nextup
from tutor.coursemap import Count
from tutor.keys import Command, Scope
from tutor.nextup import Now, Step
from tutor.placement.where import place_name
from tutor.progress import Place, ProgressProblem
from tutor.screens.base import bindings
from tutor.screens.counting import CountsDue
from tutor.served import served
from tutor.travel import DIAGNOSE, PLACEMENT, PLAYGROUND, PROBE, QUIZ
from tutor.widgets.blank import Vertical
from tutor.widgets.ink import ACCENT, QUIET, STRONG, bar, cells, plainer
from tutor.widgets.page import Page
from tutor.widgets.prose import Prose, pieces
from tutor.widgets.rows import Row, Rows

if TYPE_CHECKING:
    from content.schema import Track
    from tutor.revision.model import Due

SLIPS_SHOWN = 3
SOON = 0.3
"""Seconds after the first frame in which what is due is counted."""
NEXT = "next"
"""Begins the id of a row that says what to do next."""
Told = tuple[str, str, str]
"""A way on: its name, where it leads, and its key."""
_LATER = {"placement": 13}
"""Ranks of commands that are seldom wanted here."""
BARS_FROM = 80
"""Columns from which there is room for bars beside the longest title."""


class HomeScreen(CountsDue):
    """The map, as two lists that the arrows walk through as one."""

    SCOPE: ClassVar[Scope] = "home"
    BINDINGS = bindings("home")

    _left = False
    """Whether the reader has been elsewhere."""
    _due: Due | None = None
    """What waits for revision, as far as that is known."""
    _step = Step("begin")
    """What the first row leads to."""
    _steps: Mapping[str, Step] = {}
    """What the rows lead to that say what to do next."""
    _wide = False
    """Whether the rows have bars now."""

    def body(self) -> Iterable[Widget]:
        """Continue, lessons, levels, slips."""
        yield Page(
            Prose(id="about"),
            Rows(id="resume"),
            Vertical(
                Vertical(Rows(id="lessons"), id="left"),
                Vertical(Rows(id="levels"), Rows(id="slips"), id="right"),
                id="columns",
            ),
            id="page",
        )

    def on_mount(self) -> None:
        """The cursor starts on the way back to where the reader was."""
        self.query_one(Page).can_focus = False
        self.query_one("#slips").can_focus = False
        self.place = nextup.place_of(self.session)
        self.retell()
        self.set_focus(self.query_one("#resume", Rows))
        if self._begun():
            self.set_timer(SOON, self.count_due)

    def on_screen_resume(self) -> None:
        """Back from elsewhere: what was done there shows here."""
        if self._left:
            self.place = nextup.place_of(self.session)
            self.retell()
            self.count_due()

    def on_screen_suspend(self) -> None:
        """The reader goes elsewhere."""
        self._left = True

    def _begun(self) -> bool:
        """Whether anything was ever done: only then is there something to revise."""
        return self.place is not None or bool(coursemap.states(self.session))

    def _next(self) -> tuple[Step, Step]:
        """The one thing to do next, and what it would be if nothing were due."""
        known, placed_at = coursemap.states(self.session), self.tutor.placed_at
        now = Now(
            known,
            self.place,
            nextup.finished(self.session, self.place, known),
            nextup.placed(self.session),
            placed_at is not None and placed_at[0] == self.place,
            self._due is not None and bool(self._due.items),  # new ones can wait for their turn
            self.tutor.quiz is not None and not self.tutor.quiz.ended,
        )
        return nextup.step(now), nextup.step(now._replace(due=False))

    def retell_body(self) -> None:
        """All lists again."""
        self._wide = self.size.width >= BARS_FROM
        known = coursemap.states(self.session)
        tracks = course.index().tracks
        self.query_one("#about", Prose).show(pieces(tracks[0].about[self.lang]))
        self._step, along = self._next()
        self._steps = {f"{NEXT}:{one.kind}": one for one in (self._step, along)}
        self.query_one("#resume", Rows).show(self._ways())
        self.query_one("#lessons", Rows).show([row for one in tracks for row in self._lessons(one, known)])
        self.query_one("#levels", Rows).show([row for one in tracks for row in self._levels(one, known)])
        self._say_slips()

    def _lessons(self, track: Track, known: coursemap.States) -> list[Row]:
        rows = [self._row(e.id, e.title[self.lang], coursemap.of_lesson(e, known)) for e in track.lessons]
        return [Row(), Row(text=Content(track.title[self.lang])), *rows] if rows else []

    def _levels(self, track: Track, known: coursemap.States) -> list[Row]:
        """The levels of a track; those of an added one say whose they are."""
        rows = [self._row(e.id, e.title[self.lang], coursemap.of_level(e, known)) for e in track.levels]
        name = self.tell("home.levels") if track.id == course.FIRST else track.title[self.lang]
        return [Row(), Row(text=Content(name)), *rows] if rows else []

    def _ways(self) -> list[Row]:
        """First what to do next, then the other ways on; each with its key.

        What is due is counted when home stands there already: the row that was first then is the second one, with the
        cursor still on it, so that enter does what was read there.
        """
        told = {id: self._told(one, "enter" if one == self._step else "") for id, one in self._steps.items()}
        told |= self._others(self._step)
        width = max(cells(name) for name, _, _ in told.values()) + 2
        return [
            Row(
                id,
                Content.assemble((name + " " * (width - cells(name)), STRONG), what),
                right=Content.styled(key, QUIET),
                brief=None if self._wide else Content(""),
                hang=width,
            )
            for id, (name, what, key) in told.items()
        ]

    def _told(self, step: Step, key: str) -> Told:
        """What to do next."""
        if step.kind in ("quiz", "due"):
            return self._way("revise", self._revise_what(), key)
        if step.kind == "done":
            return self._way("done", self.tell("home.done_what"), key)
        if step.kind == "resume" and self.place is not None:
            return self._way("continue", self._place_name(self.place), key)
        name = place_name(step.id, self.lang)
        if step.kind == "placed":
            return self._way("start", self.tell("home.start_what", name=name), key)
        return self._way("begin" if step.kind == "begin" else "next", name, key)

    def _others(self, step: Step) -> dict[str, Told]:
        """What else can be done from here; a placement is offered to who is new."""
        others: dict[str, Told] = {}
        if self._new(step):
            others[PLACEMENT] = self._way("placement", self.tell("home.placement_what"))
        if step.kind not in ("quiz", "due", "begin") and (self._due is not None or not self._new(step)):
            others[QUIZ] = self._way("revise", self._revise_what())
        for id in (DIAGNOSE, PLAYGROUND) if served() else (DIAGNOSE, PROBE, PLAYGROUND):
            others[id] = self._way(id, self.tell(f"home.{id}_what"))
        return others

    def _new(self, step: Step) -> bool:
        """Whether nothing was answered yet, in the course or in a placement; pages may have been read."""
        if step.kind == "begin":
            return True
        known = coursemap.states(self.session)
        return not nextup.placed(self.session) and not coursemap.touched(tuple(known), known)

    def _way(self, name: str, what: str, key: str | None = None) -> Told:
        """One of them: its name, what it leads to, its key, where that is not the one of its own command."""
        return self.tell(f"home.{name}"), what, self.pressed(name) if key is None else key

    def _revise_what(self) -> str:
        if self.tutor.quiz is not None and not self.tutor.quiz.ended:
            return self.tell("home.revise_running")
        if self._due is None:
            return self.tell("home.revise_counting")
        from tutor import quizzed

        if self._due.offered:
            return quizzed.waiting(self._due, self.lang)
        return quizzed.none_due(self._due, self.session, self.lang)

    def counted(self, due: Due) -> None:
        """What is due stands in its row."""
        self._due = due if due.offered or due.next is not None else None
        if self.is_attached and self.is_current:
            self.retell()

    def _place_name(self, place: Place) -> str:
        id, variant = address.split(place.id)
        short = id.split("/")[1]
        if place.screen == "lesson":
            return f"{short} {coursemap.lesson_entry(place.id).title[self.lang]}"
        title = f"{short} {coursemap.exercise_entry(id).title[self.lang]}"
        return self.tell("exercise.variant_here", title=title, n=variant) if variant else title

    def _row(self, id: str, title: str, count: Count) -> Row:
        ascii_only = self.session.ascii
        brief = f"{count.done}/{count.total}"
        style = QUIET if not count.done else ""
        right = Content.styled(brief, style)
        if self._wide:
            line = bar(count.done, count.total)
            full, rest = line.rstrip("─"), line[len(line.rstrip("─")) :]
            lead = ((plainer(full, ascii_only), ACCENT), (plainer(rest, ascii_only), QUIET))
            right = Content.assemble(*lead, (f" {brief:>5}", style))
        return Row(id, Content(title), lead=id.split("/")[1], right=right)

    def on_resize(self) -> None:
        """Bars come and go with the width."""
        if self._wide != (self.size.width >= BARS_FROM) and self.query(Rows):
            self.retell()

    def _say_slips(self) -> None:
        widget = self.query_one("#slips", Rows)
        try:
            slips = [slip for slip in self.session.progress.slips() if has(f"slips.{slip.slip}.name")][:SLIPS_SHOWN]
        except ProgressProblem:
            slips = []
        widget.display = bool(slips)
        rows = [Row(), Row(text=Content(self.tell("home.slips")))]
        for slip in slips:
            part = address.plain(slip.part).split("/")[1]
            times = self.tell("home.slip_once" if slip.times == 1 else "home.slip_times", n=slip.times, part=part)
            rows.append(
                Row(
                    f"slip:{slip.slip}",
                    Content(say(f"slips.{slip.slip}.name", self.lang)),
                    right=Content.styled(times, QUIET),
                )
            )
        widget.show(rows)

    async def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """A lesson, a level, the way back, or the exercise of a slip."""
        event.stop()
        if event.id in self._steps:
            await self._go_on(self._steps[event.id])
        elif event.id == PLACEMENT:
            self.action_placement()
        elif event.id == DIAGNOSE:
            self.action_diagnose()
        elif event.id == QUIZ:
            self.action_revise()
        elif event.id in (PLAYGROUND, PROBE):
            await self.tutor.action_panel(event.id)
        elif event.id.startswith("slip:"):
            slip = next((s for s in self.session.progress.slips() if s.slip == event.id[5:]), None)
            if slip is not None:
                self.tutor.go(slip.part)
        elif course.resolve(event.id).kind == "level":
            self.tutor.go(self._entry_of_level(event.id))
        else:
            self.tutor.go(event.id)

    def _entry_of_level(self, level_id: str) -> str:
        """The first exercise of a level that is not done yet, else its first."""
        level = coursemap.level_of(level_id)
        known = coursemap.states(self.session)
        waiting = (e.id for e in level.exercises if coursemap.of_exercise(e, known).status != "solved")
        return next(waiting, level.exercises[0].id)

    def action_open(self) -> None:
        """Open what the cursor is on."""
        for rows in self.query(Rows):
            if rows.has_focus:
                rows.action_choose()

    async def _go_on(self, step: Step) -> None:
        """Do what is to be done next."""
        if step.kind in ("quiz", "due", "done"):
            self.action_revise()
        elif step.kind == "resume":
            await self.action_resume()
        else:
            self.tutor.go(step.id)

    def action_placement(self) -> None:
        """A few questions that suggest a level."""
        self.tutor.go(PLACEMENT)

    async def action_resume(self) -> None:
        """Back to where the reader was."""
        if self.place is not None:
            self.tutor.go(self.place)

    def action_diagnose(self) -> None:
        """A server of the reader's own."""
        self.tutor.go(DIAGNOSE)

    def action_revise(self) -> None:
        """The quiz that was begun, else the choice of one."""
        if self.tutor.quiz is not None and not self.tutor.quiz.ended:
            self.tutor.go(QUIZ)
            return
        from tutor.screens.quiz_start import QuizStart

        self.tutor.show_panel(QuizStart(self.tutor.quiz))

    async def go_back(self) -> None:
        """Nothing lies further out."""

    def can(self, command: Command) -> bool:
        """Home needs no way home."""
        if command.id == "resume":
            return self.place is not None
        if command.id == "revise":
            return self._begun()
        return command.id not in ("back", "home", "peek")

    def rank_of(self, command: Command) -> int:
        """A placement is for who is new; later it stands behind what is done every day."""
        return 2 if command.id == "placement" and self._new(self._step) else _LATER.get(command.id, command.rank)
