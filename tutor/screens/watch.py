"""A running server, watched: sample after sample, gauges, courses and the verdict, for as long as somebody looks.

A panel over whatever led here. Each sample is taken and judged in a thread and comes back as a message; between two of
them one timer waits, and while the watch is paused none does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import work
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget

from tutor.keys import Command, Scope
from tutor.live import saying
from tutor.live.watching import Seen, Watched, Watcher
from tutor.screens.base import Panel, bindings
from tutor.screens.watch_view import Look, page
from tutor.widgets.lines import Line, Lines, lines_page
from tutor.widgets.page import Page

BEAT = 1.0
"""Seconds between two looks at the clock while the server does not answer."""


class WatchScreen(Panel):
    """What ``watcher`` sees."""

    SCOPE: ClassVar[Scope] = "watch"
    BINDINGS = bindings("watch")
    DEFAULT_CSS = """
    WatchScreen Lines { max-width: 116; }
    """

    @dataclass
    class Heard(Message):
        """A step is over; ``number`` says of which visit."""

        number: int
        seen: Seen

    def __init__(self, watcher: Watcher) -> None:
        super().__init__()
        self.watcher = watcher
        self._number = 0
        self._asking = False
        self._next: Timer | None = None
        self._heart: Timer | None = None
        self._drawn: object = None

    def body(self) -> Iterable[Widget]:
        """One page of lines."""
        yield lines_page()

    def on_mount(self) -> None:
        """The first sample; the page takes the arrows."""
        self.watcher.begin()
        self.retell()
        self.set_focus(self.query_one(Page))
        if not self.watched.paused:
            self._ask()

    def on_unmount(self) -> None:
        """Whoever leaves ends it."""
        self._number += 1
        self._rest()
        self.watcher.end()

    def turn_to(self, watcher: Watcher) -> None:
        """Another server, in the place of this one."""
        self._rest()
        self.watcher.end()
        self.watcher, self._asking = watcher, False
        self._number += 1
        watcher.begin()
        self.retell()
        self._ask()

    @property
    def watched(self) -> Watched:
        """What there is to show."""
        return self.watcher.watched

    # --- saying ------------------------------------------------------------------------------------------------------

    def retell_body(self) -> None:
        """The page of this moment; where nothing on it is another thing, nothing is drawn."""
        lines, height = self.query_one(Lines), max(8, self.query_one(Page).size.height)
        look = Look(self.lang, self.session.ascii, height)
        made = page(self.watched, look, self._asking, self.watcher.due())
        drawn = (lines.room, [_cells(one, lines.room) for one in made])
        if drawn != self._drawn:
            self._drawn = drawn
            lines.show(made)

    def _show(self, before: Watched) -> None:
        """Another state: the page, and the frame where it says something else."""
        self.retell_body()
        if _framed(before) != _framed(self.watched):
            self.retell_frame()

    def on_resize(self) -> None:
        """The courses take the room that there is."""
        if self.is_mounted:
            self.call_after_refresh(self.retell)

    def progress(self) -> Sequence[str]:
        """How often, or that it rests."""
        if self.watched.paused:
            return (self._word("paused"),)
        if self.watched.trouble is not None:
            return (self._word("failing"),)
        return (self._word("every", time=saying.span(self.watched.interval, self.lang)),)

    def _word(self, key: str, **params: object) -> str:
        from content.words import say

        return say(f"live.watch.{key}", self.lang, **params)

    # --- sampling ----------------------------------------------------------------------------------------------------

    def _ask(self) -> None:
        """Take a sample, unless one is on its way."""
        self._rest()
        if self._asking:
            return
        self._asking = True
        self._step(self._number)
        if self.watched.trouble is not None:
            self.retell_body()

    @work(thread=True, group="watch")
    def _step(self, number: int) -> None:
        self.post_message(self.Heard(number, self.watcher.step()))

    def on_watch_screen_heard(self, event: Heard) -> None:
        """A sample is here, or a trouble."""
        event.stop()
        if event.number != self._number:
            return
        self._asking = False
        before = self.watched
        self.watcher.heard(event.seen)
        self._wait()
        self._show(before)

    def _wait(self) -> None:
        """Wait for the next sample, and count the seconds where that one is in doubt."""
        self._rest()
        if self.watched.paused or self._asking:
            return
        self._next = self.set_timer(max(0.01, self.watcher.due()), self._ask)
        if self.watched.trouble is not None:
            self._heart = self.set_interval(BEAT, self._beat)

    def _beat(self) -> None:
        self.watcher.older()
        self.retell_body()

    def _rest(self) -> None:
        for timer in (self._next, self._heart):
            if timer is not None:
                timer.stop()
        self._next = self._heart = None

    # --- what can be done --------------------------------------------------------------------------------------------

    def action_pause(self) -> None:
        """Ask nothing more, or go on."""
        before = self.watched
        self.watcher.paused(not before.paused)
        if self.watched.paused:
            self._rest()
        else:
            self._ask()
        self._show(before)

    def action_faster(self) -> None:
        """The next shorter interval."""
        self._pace(-1)

    def action_slower(self) -> None:
        """The next longer interval."""
        self._pace(1)

    def _pace(self, step: int) -> None:
        before = self.watched
        self.watcher.paced(step)
        self._wait()
        self._show(before)

    def action_full_report(self) -> None:
        """Everything that the last sample means."""
        from tutor.screens.watch_report import WatchReport

        verdict = self.watched.verdict
        if verdict is not None and verdict.report is not None:
            self.tutor.show_panel(WatchReport(verdict.report))

    def can(self, command: Command) -> bool:
        """What makes sense at this moment."""
        verdict = self.watched.verdict
        if command.id == "full-report":
            return verdict is not None and verdict.report is not None
        return command.id not in ("peek", "home")

    def label_of(self, command: Command) -> str:
        """Pause, or go on."""
        if command.id == "pause" and self.watched.paused:
            return self._word("resume")
        return super().label_of(command)

    def crumbs(self) -> Sequence[str]:
        """Its name, and the server's."""
        return (self.name_of(), self.watched.address.place)

    def name_of(self) -> str:
        """Name of the panel."""
        return self._word("title")


def _cells(line: Line, width: int) -> list[tuple[str, object]]:
    """A line as it is drawn: two contents are equal for Textual when their texts are."""
    return [(one.plain, tuple(one.spans)) for one in line.draw(width)]


def _framed(watched: Watched) -> tuple[object, ...]:
    """What the lines at the top and at the bottom say of a state."""
    known = watched.verdict is not None and watched.verdict.report is not None
    return watched.paused, watched.interval, watched.trouble is None, known
