"""The choice of a quiz: what is due and how long that takes, and the other ways to be asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from textual.content import Content
from textual.widget import Widget

from content import course
from content.words import say
from tutor import quizzed
from tutor.keys import Command
from tutor.revision.model import Wanted
from tutor.screens.base import Panel
from tutor.screens.counting import CountsDue
from tutor.screens.quiz_turn import Quiz
from tutor.travel import QUIZ
from tutor.widgets.ink import QUIET, STRONG, cells
from tutor.widgets.page import Page
from tutor.widgets.prose import Prose, pieces
from tutor.widgets.rows import Row, Rows

if TYPE_CHECKING:
    from tutor.revision.model import Due, Mode

MOST, EDGES = 74, 10
"""Columns of a line of the list at most, and those of the window that it does not have."""
AGAIN = 5.0
"""Seconds after which it is counted again: what was missed comes back after minutes, and the quiz asks it too."""
MODES: tuple[Mode, ...] = ("due", "weak", "test")


class QuizStart(CountsDue, Panel):
    """Modes, levels, the sheet of the last quiz, the way to the progress."""

    DEFAULT_CSS = """
    QuizStart #waiting { margin-bottom: 1; }
    QuizStart #levels, QuizStart #ways { margin-top: 1; }
    """

    def __init__(self, last: Quiz | None = None) -> None:
        super().__init__()
        self.last = last
        self._due: Due | None = None

    def body(self) -> Iterable[Widget]:
        """What waits, the modes, the levels, and other ways on."""
        yield Page(Prose(id="waiting"), Rows(id="modes"), Rows(id="levels"), Rows(id="ways"), id="page")

    def on_mount(self) -> None:
        """What is due comes a moment later: counting it reads the course."""
        self.query_one(Page).can_focus = False
        self.retell()
        self.set_focus(self.query_one("#modes"))
        self.count_due()
        self.set_interval(AGAIN, self.count_due)

    def on_screen_resume(self) -> None:
        """Back from a panel that lay over this one."""
        if self.is_mounted and self._due is not None:
            self.count_due()

    def counted(self, due: Due) -> None:
        """What waits stands above the modes."""
        if self.is_attached and due != self._due:
            self._due = due
            self.retell()

    # --- words ------------------------------------------------------------------------------------------------------

    def retell_body(self) -> None:
        """What waits, and the list."""
        self.query_one("#waiting", Prose).show(pieces("\n\n".join(self._about())))
        modes: dict[str, tuple[str, str]] = {
            mode: (say(f"quiz.mode.{mode}.name", self.lang), self._what(mode)) for mode in MODES
        }
        self.query_one("#modes", Rows).show(self._choices(modes))
        self.query_one("#levels", Rows).show(list(self._levels()))
        self.query_one("#ways", Rows).show(self._ways())

    def _levels(self) -> Iterator[Row]:
        """The levels of all tracks, those of an added one under its title."""
        for track in course.index().tracks:
            head = say("quiz.mode.level.name", self.lang) if track.id == course.FIRST else track.title[self.lang]
            yield Row(text=Content(head))
            for level in track.levels:
                yield Row(f"level:{level.id}", Content(level.title[self.lang]), lead=level.id.split("/")[1])

    def _ways(self) -> list[Row]:
        """The sheet of the last quiz, and the progress."""
        named = {"last": self.tell("quiz.last"), "progress": self.tell("quiz.progress")}
        told = {"progress": self.tell("quiz.progress_what")}
        sheet = self.last.run.sheet() if self.last is not None and self.last.run is not None else None
        if sheet is not None and sheet.lines:
            told = {"last": say("quiz.sheet.right", self.lang, right=sheet.right, of=len(sheet.asked)), **told}
        return self._choices({id: (named[id], what) for id, what in told.items()})

    def _choices(self, told: Mapping[str, tuple[str, str]]) -> list[Row]:
        """Choices and what they are: in one line each where all of them have room, else in two."""
        wide = max(cells(name) for name, _ in told.values())
        room = min(MOST, self.size.width - EDGES)
        one_line = all(wide + 2 + cells(what) <= room for _, what in told.values())
        rows: list[Row] = []
        for id, (name, what) in told.items():
            if one_line:
                rows.append(Row(id, Content.assemble((name.ljust(wide), STRONG), (f"  {what}", QUIET))))
            else:
                rows += [
                    Row(id, Content.styled(name, STRONG)),
                    Row(text=Content.styled(f"    {what}", QUIET), lead="note"),
                ]
        return rows

    def on_resize(self) -> None:
        """One line or two."""
        if self.is_mounted:
            self.retell()

    def _what(self, mode: Mode) -> str:
        if mode == "due" and self._due is not None and self._due.offered:
            return quizzed.waiting(self._due, self.lang)
        return say(f"quiz.mode.{mode}.about", self.lang)

    def _about(self) -> list[str]:
        """Why the last choice asked nothing; else that nothing is due, or that more is than one quiz holds."""
        run = self.last.run if self.last is not None else None
        if run is not None and not run.sheet().lines:
            return [self._with_a_way_on(quizzed.nothing(run, self.session, self.lang))]
        if self._due is None:
            return [self.tell("quiz.looking")]
        if not self._due.offered:
            return [self._with_a_way_on(quizzed.none_due(self._due, self.session, self.lang))]
        return list(quizzed.backlog(self._due, self._due.offered, self.session, self.lang)) or [
            self.tell("quiz.choose")
        ]

    def _with_a_way_on(self, nothing: str) -> str:
        return f"{nothing} {say('quiz.due.otherwise', self.lang)}"

    # --- choosing ---------------------------------------------------------------------------------------------------

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """A quiz, the last sheet, or the progress."""
        event.stop()
        if event.id == "last" and self.last is not None:
            self.tutor.go(QUIZ)
        elif event.id == "progress":
            self.tutor.show_panel(_progress())
        else:
            self.tutor.quizzing = _wanted(event.id)
            self.tutor.go(QUIZ)

    def enter(self) -> str:
        """Begin, or open."""
        choice = self.focused.current if isinstance(self.focused, Rows) else ""
        return say("app.keys.open.label", self.lang) if choice in ("last", "progress") else self.tell("quiz.start")

    def on_descendant_focus(self) -> None:
        """What Enter does depends on which list has the keys."""
        self.retell_keys()

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """What Enter does depends on where the cursor is."""
        event.stop()
        self.retell_keys()

    def name_of(self) -> str:
        """Name of the panel."""
        return self.tell("quiz.title")

    def can(self, command: Command) -> bool:
        """There is no text to peek at."""
        return command.id not in ("peek", "home")


def _wanted(id: str) -> Wanted:
    level = id.removeprefix("level:")
    if level != id:
        return Wanted("level", level=level)
    return Wanted(next(mode for mode in MODES if mode == id))


def _progress() -> Panel:
    from tutor.screens.progress import ProgressPanel

    return ProgressPanel()


def panel(quiz: Quiz | None) -> Panel:
    """What came of a quiz that has ended; without one, or where nothing was asked, the choice of one."""
    if quiz is None or quiz.run is None or not quiz.run.sheet().lines:
        return QuizStart(quiz)
    from tutor.screens.quiz_sheet import SheetPanel

    return SheetPanel(quiz)
