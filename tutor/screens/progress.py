"""The progress: levels, mastery of each concept, what comes up when, slips with their trend, retention. No verdict."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from textual import work
from textual.content import Content
from textual.widget import Widget

from content import course
from content.words import say
from tutor import coursemap, quizzed
from tutor.keys import Command
from tutor.progress import ProgressProblem
from tutor.screens.base import Panel
from tutor.widgets.blank import Vertical
from tutor.widgets.ink import ACCENT, QUIET, STRONG, bar, cells, plainer
from tutor.widgets.lines import Line, Lines, sentence
from tutor.widgets.page import Page

if TYPE_CHECKING:
    from datetime import date

    from tutor.coursemap import States
    from tutor.revision.mastery import Concept
    from tutor.revision.trends import SlipTrend

DAYS = 14
"""Days of the forecast."""
KEPT_DAYS = 30
"""Days over which retention is measured."""
SLIPS = 8
"""Slips that are shown, the most recent trouble first."""
ENOUGH = 10
"""Due questions from which their share says something."""
BAR = 20
"""Columns of a bar where there is room."""


class Sums(NamedTuple):
    """What was added up, away from the screen."""

    states: States
    concepts: Sequence[Concept]
    forecast: Sequence[int]
    slips: Sequence[SlipTrend]
    kept: tuple[int, int]
    today: date


class ProgressPanel(Panel):
    """One list; Enter on a concept says how its mastery is computed."""

    DEFAULT_CSS = """
    ProgressPanel #right { margin-top: 1; max-width: 100; }
    ProgressPanel.-wide #right { margin-top: 0; width: 1fr; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.sums: Sums | None = None

    def body(self) -> Iterable[Widget]:
        """Levels and mastery, what can be opened; beside or below them the rest."""
        rest = Lines(id="rest")
        rest.can_focus = False
        left, right = Vertical(Lines(id="rows"), id="left"), Vertical(rest, id="right")
        yield Page(Vertical(left, right, id="columns"), id="page")

    def on_mount(self) -> None:
        """The sums come a moment later."""
        self.query_one(Page).can_focus = False
        self.retell()
        self.set_focus(self.query_one("#rows"), scroll_visible=False)
        self._add_up()

    @work(thread=True, exclusive=True, group="sums")
    def _add_up(self) -> None:
        revision = self.session.revision
        try:
            sums = Sums(
                coursemap.states(self.session),
                revision.mastery(),
                revision.forecast(DAYS),
                revision.slips()[:SLIPS],
                revision.retention(KEPT_DAYS),
                revision.today,
            )
        except ProgressProblem:
            return
        self.app.call_from_thread(self._added_up, sums)

    def _added_up(self, sums: Sums) -> None:
        if self.is_attached:
            self.sums = sums
            self.retell()

    # --- words ------------------------------------------------------------------------------------------------------

    def retell_body(self) -> None:
        """Everything again."""
        sums, rows, rest = self.sums, self.query_one("#rows", Lines), self.query_one("#rest", Lines)
        if sums is None:
            rows.show([Line(draw=sentence(self.tell("progress.looking"), QUIET))])
            return
        rows.show([*self._levels(sums), *self._mastery(sums)])
        rest.show([*self._forecast(sums), *self._slips(sums), *self._kept(sums)])

    def _head(self, text: str, *, first: bool = False) -> list[Line]:
        return [*([] if first else [Line()]), Line(draw=sentence(text, STRONG))]

    def _bars(self, rows: Sequence[Measured]) -> list[Line]:
        """Names, bars and numbers in three columns; the bars get shorter where the room is narrow."""
        name = max((cells(row.name) for row in rows), default=0)
        told = max((cells(row.told) for row in rows), default=0)

        def drawn(row: Measured) -> Line:
            def draw(width: int) -> Sequence[Content]:
                room = max(4, min(BAR, width - name - told - 6))
                full = bar(row.value, row.of, room)
                done = len(full.rstrip("─"))
                signs = plainer(full, self.session.ascii)
                rest = signs[done:] if row.track else " " * (room - done)
                left = Content.assemble(f"{row.name:<{name}}  ", (signs[:done], ACCENT), (rest, QUIET))
                return [Content.assemble(left, f"  {row.told:>{told}}").rstrip()]

            return Line(row.id, draw=draw)

        return [drawn(row) for row in rows]

    def _levels(self, sums: Sums) -> list[Line]:
        rows = []
        for track in course.index().tracks:
            for level in track.levels:
                count = coursemap.of_level(level, sums.states)
                name = coursemap.level_name(track, level, self.lang)
                rows.append(Measured("", name, count.done, count.total, f"{count.done}/{count.total}"))
        return [*self._head(self.tell("progress.levels"), first=True), *self._bars(rows)]

    def _mastery(self, sums: Sums) -> list[Line]:
        rows = [
            Measured(
                f"concept:{one.id}",
                quizzed.concept(one.id, self.lang),
                round(one.value * 100),
                100,
                say("quiz.mastery.share", self.lang, percent=round(one.value * 100)),
            )
            for one in sums.concepts
        ]
        return [*self._head(say("quiz.mastery.title", self.lang)), *self._bars(rows)]

    def _forecast(self, sums: Sums) -> list[Line]:
        head = self._head(say("quiz.forecast.title", self.lang), first=True)
        if not any(sums.forecast):
            return [*head, Line(draw=sentence(say("quiz.forecast.none", self.lang), QUIET))]
        most = max(sums.forecast)
        rows = []
        for number, count in enumerate(sums.forecast):
            rows.append(
                Measured("", self._day(number, sums.today), count, most, str(count) if count else "", track=False)
            )
        return [*head, *self._bars(rows)]

    def _day(self, number: int, today: date) -> str:
        if not number:  # with what is overdue
            return say("quiz.when.today", self.lang)
        return quizzed.when(today + timedelta(days=number), today, self.lang)

    def _slips(self, sums: Sums) -> list[Line]:
        made = self._head(say("quiz.slips.title", self.lang))
        named = [(one, quizzed.slip_name(one.slip, self.lang)) for one in sums.slips]
        if not any(name for _, name in named):
            return [*made, Line(draw=sentence(say("quiz.slips.none", self.lang), QUIET))]
        for one, name in named:
            if name:
                made.append(Line(draw=sentence(name)))
                made.append(Line(draw=sentence(self._trend(one), QUIET, "  ")))
        return made

    def _trend(self, one: SlipTrend) -> str:
        last = quizzed.day(one.last)
        times = "quiz.slips.once" if one.times == 1 else "quiz.slips.times"
        told = [say(times, self.lang, n=one.times, day=last)]
        told += [say(f"quiz.trend.{one.trend}", self.lang)] if one.times > 1 else []  # once is no trend
        if one.due is not None and self.sums is not None and one.due <= self.sums.today:
            told.append(self.tell("progress.due_now"))
        elif one.due is not None:
            when = quizzed.when(one.due, self.session.revision.today, self.lang)
            told.append(say("quiz.slips.due", self.lang, when=when))
        return "; ".join(told)

    def _kept(self, sums: Sums) -> list[Line]:
        right, of = sums.kept
        target = round(self.session.settings.target_retention * 100)
        if of >= ENOUGH:
            told = say(
                "quiz.retention.measured", self.lang, percent=round(100 * right / of), of=of, days=KEPT_DAYS,
                target=target,
            )  # fmt: skip
        else:
            told = say("quiz.retention.none", self.lang, target=target)
        return [*self._head(say("quiz.retention.title", self.lang)), Line(draw=sentence(told))]

    # --- going on ---------------------------------------------------------------------------------------------------

    def on_rows_chosen(self, event: Lines.Chosen) -> None:
        """How the mastery of a concept is computed."""
        event.stop()
        concept = next((c for c in self.sums.concepts if f"concept:{c.id}" == event.id), None) if self.sums else None
        if concept is not None:
            from tutor.screens.progress_concept import ConceptPanel

            self.tutor.show_panel(ConceptPanel(concept))

    def enter(self) -> str:
        """How it is computed."""
        return self.tell("progress.explain") if self.query_one("#rows", Lines).current else ""

    def name_of(self) -> str:
        """Name of the panel."""
        return self.tell("progress.title")

    def can(self, command: Command) -> bool:
        """There is no text to peek at."""
        return command.id not in ("peek", "home", "progress")


class Measured(NamedTuple):
    """A line with a bar: `value` of `of`, and the words behind it."""

    id: str
    name: str
    value: int
    of: int
    told: str
    track: bool = True
    """Whether the rest of the bar is drawn: where it is a share of a whole."""
