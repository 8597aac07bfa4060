"""What lies over the playground: the list of figures, the command lines, the exercises about the figure."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.content import Content
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Static
from textual.worker import get_current_worker

from content import address
from content.words import say
from tutor import coursemap
from tutor.diagnoser import shell
from tutor.dialogs.search import SearchPanel
from tutor.figures.registry import names
from tutor.figures.shell import judges
from tutor.keys import Command
from tutor.screens.base import Panel
from tutor.widgets.ink import ACCENT, QUIET
from tutor.widgets.page import Page
from tutor.widgets.rows import Row, Rows

if TYPE_CHECKING:
    from tutor.figures.base import Figure
    from tutor.figures.state import State
    from tutor.playing.matching import Match
    from tutor.screens.playground import PlaygroundScreen


class FiguresPanel(SearchPanel):
    """All figures by title; typing narrows the list."""

    PASSING: ClassVar[bool] = True

    def __init__(self, below: PlaygroundScreen) -> None:
        super().__init__()
        self.below = below

    def rows(self, wanted: str) -> list[Row]:
        """Those that have what is typed in their title or their name; the one that is open has the cursor."""
        made = []
        for name in names():
            title = say(f"figures.title.{name}", self.lang)
            if all(word in f"{title} {name}".lower() for word in wanted.split()):
                made.append(Row(name, Content(title), right=Content.styled(name, QUIET), brief=Content("")))
        return made

    def on_mount(self) -> None:
        """The cursor starts on the figure that is open."""
        super().on_mount()
        self.query_one("#rows", Rows).go(self.below.opened.name)

    async def chosen(self, id: str) -> None:
        """Show it."""
        self.tutor.close(self)
        self.below.call_later(self.below.show_figure, id)

    def name_of(self) -> str:
        """Name of the panel."""
        return self.tell("playground.figures")

    def hint(self) -> str:
        """What to type."""
        return self.tell("playground.filter")


class ListPanel(Panel):
    """A list, and a sentence below it."""

    PASSING: ClassVar[bool] = True

    DEFAULT_CSS = """
    ListPanel Rows { max-width: 100%; }
    ListPanel #said { height: auto; margin: 1 2 0 2; }
    ListPanel #before { height: auto; margin: 0 2 1 2; max-width: 100; }
    """

    def body(self) -> Iterable[Widget]:
        """List and sentence."""
        yield Page(
            Static("", id="before", markup=False), Rows(id="rows"), Static("", id="said", markup=False), id="page"
        )

    def on_mount(self) -> None:
        """The list takes the keys."""
        self.query_one(Page).can_focus = False
        self.retell()
        self.set_focus(self.list)

    @property
    def list(self) -> Rows:
        """The list."""
        return self.query_one("#rows", Rows)

    def say_below(self, words: str, style: str = QUIET) -> None:
        """The sentence below the list; nothing for nothing."""
        said = self.query_one("#said", Static)
        said.display = bool(words)
        said.update(Content.styled(words, style))

    def say_before(self, words: str) -> None:
        """The sentence above the list; nothing for nothing."""
        before = self.query_one("#before", Static)
        before.display = bool(words)
        before.update(Content.styled(words, QUIET))

    def can(self, command: Command) -> bool:
        """What makes sense here."""
        return command.id not in ("peek", "home", "playground")


_BESIDE = 4
"""Columns of a row that its text has not."""
_LEAST = 24
"""Columns below which nothing is broken."""


class CommandsPanel(ListPanel):
    """The command lines of a figure's numbers, the last one opens the figure again; Enter copies."""

    def __init__(
        self, figure: Figure, state: State, named: Mapping[str, str], secret: Callable[[], str] = lambda: ""
    ) -> None:
        """``secret``: why lines are missing, in the reader's language."""
        super().__init__()
        self.lines = command_lines(figure, state, named)
        self._secret = secret
        self._copied = False

    def retell_body(self) -> None:
        """The lines, and what became of the chosen one."""
        told = self.tell("playground.commands_how" if len(self.lines) > 1 else "playground.commands_one")
        judged = any(judges(line) for line in self.lines)
        every = (told, self.tell("playground.judged") if judged else "", self._secret())
        self.say_before(" ".join(filter(None, every)))
        self.list.show([Row(line, Content(self._broken(line)), hang=2) for line in self.lines])
        self.say_below(self.tell("diagnose.copied") if self._copied else "", ACCENT)

    def _broken(self, line: str) -> str:
        """A line as a shell takes it where it is longer than the list is wide: what the mouse selects runs too."""
        room = self.list.size.width - _BESIDE
        return line if len(line) <= room or room < _LEAST else "\n".join(shell.folded(shlex.split(line), room))

    def on_resize(self) -> None:
        """Broken anew."""
        if self.is_attached:
            self.retell_body()

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """Copy it, where the terminal allows that."""
        event.stop()
        self.app.copy_to_clipboard(event.id)
        self._copied = True
        self.retell_body()

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """What was said is about another line."""
        event.stop()
        if self._copied:
            self._copied = False
            self.say_below("")

    def enter(self) -> str:
        """Copy it."""
        return self.tell("playground.copy")

    def name_of(self) -> str:
        """Name of the panel."""
        return self.tell("playground.commands")


def command_lines(figure: Figure, state: State, named: Mapping[str, str]) -> Sequence[str]:
    """The command lines of a figure, and the one that opens it in this state, with what was ``named``."""
    import shlex

    from tutor.figures.shell import PROGRAM
    from tutor.playing import opening

    own = opening.commands(figure.name, state, named)
    again = shlex.join((PROGRAM, "playground", *opening.arguments(figure.name, state, named)))
    return tuple(dict.fromkeys((*own, again)))


class MatchesPanel(ListPanel):
    """The exercises that stand on this figure, those with its very numbers first; Enter opens one."""

    def __init__(self, figure: str, state: State) -> None:
        super().__init__()
        self._figure, self._state = figure, state
        self._matches: Sequence[Match] | None = None
        self._since = time.monotonic()
        self._clock: Timer | None = None
        """Runs while they are looked for, and only then."""

    def on_mount(self) -> None:
        """Looking for them takes a moment: numbers are drawn for it."""
        super().on_mount()
        self._clock = self.set_interval(1.0, self.retell_body)
        self._look()

    @work(thread=True, exclusive=True, group="matches")
    def _look(self) -> None:
        from tutor.playing import matching

        found = matching.matches(self._figure, self._state)
        if not get_current_worker().is_cancelled:
            self.app.call_from_thread(self._arrived, found)

    def _arrived(self, found: Sequence[Match]) -> None:
        if self._clock is not None:
            self._clock.stop()
        if self.is_attached:
            self._matches = found
            self.retell()

    def retell_body(self) -> None:
        """The exercises, or that they are still being looked for, or that there are none."""
        found = self._matches
        if found is None:
            seconds = int(time.monotonic() - self._since)
            self.say_before(self.tell("playground.looking", time=f" {seconds} s" if seconds else ""))
        elif not found:
            self.say_before(self.tell("playground.no_exercise"))
        else:
            exact = any(one.exact for one in found)
            how = "exact" if exact else "near" if any(one.varies for one in found) else "fixed"
            self.say_before(self.tell(f"playground.exercise_{how}"))
        self.list.show([self._row(one) for one in found or ()])
        self.say_below("")

    def _row(self, match: Match) -> Row:
        id, variant = address.split(match.address)
        title = coursemap.exercise_entry(id).title[self.lang]
        told = self.tell("exercise.variant_here", title=title, n=variant) if variant else title
        mark = "same" if match.exact else "near" if match.varies else ""
        said = self.tell(f"playground.{mark}") if mark else ""
        how = Content.styled(said, ACCENT if match.exact else QUIET)
        return Row(match.address, Content(told), lead=id.split("/")[1], right=how, brief=how)

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """Open it; from there the way back is the playground."""
        event.stop()
        self.tutor.leave_the_playground(event.id)

    def enter(self) -> str:
        """Open it."""
        return say("app.keys.open.label", self.lang) if self._matches else ""

    def name_of(self) -> str:
        """Name of the panel."""
        return self.tell("playground.exercises")
