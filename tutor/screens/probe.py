"""The probe's screen: measure this machine, watch the curve grow, read what it means.

A panel over whatever led here. A run lives in a worker thread, its child in a process of its own; both end with the
screen. What comes from the thread comes as a message, so the language and the size of the window may change meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget

from engine.probe.gather import Gather
from engine.probe.readings import Run
from tutor.keys import Command, Scope
from tutor.screens import probe_before, probe_during, probe_report
from tutor.screens import probe_doors as doors
from tutor.screens.base import Panel, bindings
from tutor.screens.probe_doors import Finished, Running
from tutor.screens.probe_speech import ProbeSpeech
from tutor.screens.probe_view import View
from tutor.widgets.lines import Lines, lines_page
from tutor.widgets.page import Page

if TYPE_CHECKING:
    from engine.diagnosis.model import Scenario
    from engine.probe.model import Result
    from engine.probe.readings import Event
    from tutor.probing.running import NotReady, Ready

BEAT = 0.5
"""Seconds between two looks at the clock while a run goes on."""

Taken = Callable[["Result"], None]
"""What whoever opened the screen does with a result; called in the app's own thread, after every run that has one."""


class ProbeScreen(Panel):
    """``scenario``: what the reader runs, to measure its own step too. ``taken`` gets the result of every run."""

    SCOPE: ClassVar[Scope] = "probe"
    BINDINGS = bindings("probe")
    DEFAULT_CSS = """
    ProbeScreen Lines { max-width: 116; }
    """

    @dataclass
    class Looked(Message):
        """Which Pythons and cards there are."""

        number: int
        ready: Ready | NotReady

    @dataclass
    class Heard(Message):
        """The run went on; ``number`` says which run."""

        number: int
        run: Run

    @dataclass
    class Over(Message):
        """A run has ended, or could not be started or judged (``failed``: the words of the system)."""

        number: int
        run: Run
        finished: Finished | None
        failed: str = ""

    def __init__(self, scenario: Scenario | None = None, taken: Taken | None = None, python: str | None = None) -> None:
        super().__init__()
        self.view = View(own=scenario is not None)
        self._scenario = scenario
        self._taken = taken
        self._python = python
        self._number = 0
        self._child: Running | None = None
        self._began: float | None = None
        self._heart: Timer | None = None

    def body(self) -> Iterable[Widget]:
        """One page of lines."""
        yield lines_page()

    def on_mount(self) -> None:
        """Look around; the page takes the arrows."""
        self.retell()
        self.set_focus(self.query_one(Page))
        self._look()

    def on_unmount(self) -> None:
        """Whoever leaves ends the run."""
        self._number += 1
        self._halt()

    # --- saying ------------------------------------------------------------------------------------------------------

    @property
    def speech(self) -> ProbeSpeech:
        """How things are said now."""
        return ProbeSpeech(self.lang, self.session.ascii)

    def retell_body(self) -> None:
        """The page of this moment again; the scroll position stays."""
        page, speech = self.query_one(Page), self.speech
        view = self.view = self.view.but(height=max(8, page.size.height))
        if view.phase in ("running", "stopping"):
            made = probe_during.during(view, speech, self.pressed("back"))
        elif view.finished is not None:
            made = probe_report.after(view, speech, self.pressed("measure"))
        else:
            made = probe_before.before(view, speech, self.pressed("measure"), self.pressed("back"))
        self.query_one(Lines).show(made)

    def _show(self, view: View) -> None:
        """Another state: the page, and the keys where others make sense now."""
        before, self.view = self.view, view
        self.retell_body()
        if (before.phase, before.cpu, before.can_start) != (view.phase, view.cpu, view.can_start):
            self.retell_frame()

    def on_resize(self) -> None:
        """The curve takes the room that there is."""
        if self.is_mounted:
            self.call_after_refresh(self.retell)

    # --- looking around ----------------------------------------------------------------------------------------------

    def _look(self) -> None:
        """Look around; the newest question wins."""
        self._number += 1
        self._look_for(self._number, self.view.cpu)

    @work(thread=True, group="look")
    def _look_for(self, number: int, cpu: bool) -> None:
        self.post_message(self.Looked(number, doors.look(self._scenario, cpu, self._python)))

    def on_probe_screen_looked(self, event: Looked) -> None:
        """A run may begin, or something is missing."""
        event.stop()
        if event.number == self._number:
            self._show(self.view.but(phase="ready", ready=event.ready))

    # --- a run -------------------------------------------------------------------------------------------------------

    def action_measure(self) -> None:
        """Start, or once more."""
        ready = self.view.can_start
        if ready is None:
            return
        self._number += 1
        self._began = None
        self._show(self.view.but(phase="running", run=Run(), finished=None, failed="", elapsed=0.0))
        self.query_one(Page).scroll_home(animate=False)
        self._heart = self._heart or self.set_interval(BEAT, self._beat)
        self._run(self._number, ready)

    @work(thread=True, group="probe")
    def _run(self, number: int, ready: Ready) -> None:
        """The run from its thread. A screen that was left, or was told to stop before the child was there, ends it."""
        try:
            child = doors.start(ready)
        except OSError as error:
            self.post_message(self.Over(number, Run(), None, str(error.strerror or error)))
            return
        self._child = child
        if number != self._number or self.view.phase == "stopping":
            child.cancel()
        gather, events = Gather(), []
        for event in child.events():
            events.append(event)
            gather.feed(event)
            self.post_message(self.Heard(number, gather.run))
        if number == self._number:
            self.post_message(self._finished(number, gather.run, events, ready))

    def _finished(self, number: int, run: Run, events: list[Event], ready: Ready) -> Over:
        """What a run means; a mistake of ours must not take the app with it."""
        try:
            return self.Over(number, run, doors.finish(run, events, ready, self._scenario))
        except Exception as error:
            from tutor.diagnoser.doors import broken

            told = broken(error).params
            return self.Over(number, run, None, self.tell("diagnose.broken", **told))

    def on_probe_screen_heard(self, event: Heard) -> None:
        """One more reading."""
        event.stop()
        if event.number != self._number or self.view.phase not in ("running", "stopping"):
            return
        if self._began is None and event.run.stage:
            self._began = doors.clock()
        self._show(self.view.but(run=event.run, elapsed=self._elapsed(event.run)))

    def _elapsed(self, run: Run) -> float:
        """Seconds of measuring: by our clock since the first stage, and never behind what the program says."""
        return max(run.elapsed, 0.0 if self._began is None else doors.clock() - self._began)

    def _beat(self) -> None:
        if self._began is not None:
            self._show(self.view.but(elapsed=self._elapsed(self.view.run)))

    def on_probe_screen_over(self, event: Over) -> None:
        """What it came to; whoever opened the screen gets it too."""
        event.stop()
        if event.number != self._number:
            return
        self._child = None
        self._rest()
        self._show(self.view.but(
            phase="over" if event.finished is not None else "ready", run=event.run, finished=event.finished,
            failed=event.failed,
        ))  # fmt: skip
        self.query_one(Page).scroll_home(animate=False)
        if event.finished is not None and self._taken is not None and event.finished.outcome.result.usable:
            self._taken(event.finished.outcome.result)

    def _rest(self) -> None:
        if self._heart is not None:
            self._heart.stop()
            self._heart = None

    def _halt(self) -> None:
        """Ask the run to end; nothing is waited for."""
        self._rest()
        running, self._child = self._child, None
        if running is not None:
            running.cancel()

    # --- what can be done --------------------------------------------------------------------------------------------

    def action_processor(self) -> None:
        """The card, or the processor as a demonstration."""
        if self.view.can_choose:
            self._show(self.view.but(cpu=not self.view.cpu, finished=None, phase="looking"))
            self._look()

    def action_meaning(self) -> None:
        """What the numbers mean."""
        from tutor.screens.probe_panels import MeaningPanel

        self.tutor.show_panel(MeaningPanel())

    def action_save_run(self) -> None:
        """The report as a file."""
        from tutor.screens.probe_panels import SaveRunPanel

        if self.view.finished is not None:
            self.tutor.show_panel(SaveRunPanel(self.view.finished.outcome))

    async def go_back(self) -> None:
        """Escape first ends a run, and keeps what it has; then it leaves."""
        if self.view.phase == "running":
            self._show(self.view.but(phase="stopping"))
            if self._child is not None:
                self._child.cancel()
            return
        await super().go_back()

    def can(self, command: Command) -> bool:
        """What makes sense at this moment."""
        able = {
            "measure": self.view.can_start is not None,
            "processor": self.view.can_choose,
            "save-run": self.view.finished is not None,
        }
        return able.get(command.id, command.id not in ("peek", "home", "probe"))

    def label_of(self, command: Command) -> str:
        """Enter starts, or starts again; escape ends a run first; the switch says where it leads."""
        if command.id == "measure" and self.view.finished is not None:
            return self.tell("probe.again")
        if command.id == "back" and self.view.phase == "running":
            return self.tell("probe.stop")
        if command.id == "processor" and self.view.cpu:
            return self.tell("probe.card")
        return super().label_of(command)

    def name_of(self) -> str:
        """Name of the panel."""
        return self.tell("probe.title")
