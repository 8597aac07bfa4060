"""The diagnoser's own measuring: an idle card is measured while the form is filled in, and what it reaches is used.

It starts by itself only where nobody is disturbed (:mod:`tutor.probing.conditions`), says so, can be stopped, and ends
with the screen. On a card that works it is offered in one quiet line.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import work
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from tutor.diagnoser.probed import Chance, Seen
from tutor.screens.base import Panel, TutorScreen
from tutor.served import served
from tutor.widgets.ink import QUIET

if TYPE_CHECKING:
    from engine.diagnosis.model import Report
    from engine.probe.model import Result
    from tutor.probing.child import Child
    from tutor.probing.running import Ready

SETTLED = 0.5
"""Seconds after which the screen has its first answer, and one may look around for cards."""


class MeasuringPage(TutorScreen):
    """A page with a line about the measurement; subclasses hold the report and read it anew in ``measured``."""

    DEFAULT_CSS = """
    MeasuringPage #probing { height: auto; padding: 0 2; display: none; }
    """

    @dataclass
    class Looked(Message):
        """What is to be had without asking."""

        chance: Chance

    @dataclass
    class Stage(Message):
        """The run went on to a stage: its name, number, and of how many."""

        name: str
        n: int
        of: int

    @dataclass
    class Ended(Message):
        """The run is over; ``seen`` is ``None`` where nothing usable came of it, ``failed`` is that result."""

        seen: Seen | None
        failed: Result | None = None

    _chance: Chance | None = None
    _stage: Stage | None = None
    _child: Child | None = None
    _failed: Result | None = None
    _left = False
    _wanted_here = False
    """Whether what is looked for, or runs, still counts: not once it was stopped or the screen was left."""

    @property
    def report(self) -> Report | None:
        """The last good report; for subclasses."""
        return None

    def measured(self) -> None:
        """Something was measured: read anew; for subclasses."""

    def measure_soon(self) -> None:
        """Look around once the screen has its first answer, unless the reader does not want it."""
        if self.session.settings.probe and not served() and self.tutor.seen is None:
            self._wanted_here = True
            self.set_timer(SETTLED, self._look)

    @property
    def measuring(self) -> bool:
        """Whether a run goes on."""
        return self._child is not None

    def stop_measuring(self) -> None:
        """End the run; what it has so far counts for nothing."""
        self._end()
        self._stage, self._chance, self._failed = None, None, None
        self.say_measuring()
        if self.is_attached:
            self.retell_keys()

    def on_unmount(self) -> None:
        """Whoever leaves ends the run."""
        self._leave()

    def on_screen_suspend(self) -> None:
        """So does whoever goes elsewhere and leaves the screen lying below; a panel over it is no leaving."""
        self.call_later(self._leave_unless_covered)

    def on_screen_resume(self) -> None:
        """Back again: what was ended may begin anew."""
        if self._left:
            self._left = False
            self.measure_soon()

    def _leave_unless_covered(self) -> None:
        if not isinstance(self.app.screen, Panel) and self.app.screen is not self:
            self._leave()

    def _leave(self) -> None:
        self._left = True
        self._end()
        self._stage = None

    def _end(self) -> None:
        """Nothing that is looked for or runs is wanted any more."""
        self._wanted_here = False
        child, self._child = self._child, None
        if child is not None:
            child.cancel()

    # --- the run -----------------------------------------------------------------------------------------------------

    @work(thread=True, group="probe", exit_on_error=False)
    def _look(self) -> None:
        from engine.diagnosis.model import Scenario
        from tutor.diagnoser import probed

        report, python = self.report, self.session.settings.probe_python or None
        scenario = report.scenario if report is not None else Scenario()
        self.post_message(self.Looked(probed.look(scenario, python)))

    def on_measuring_page_looked(self, event: Looked) -> None:
        """Use a run of today, start one, or say why not."""
        event.stop()
        chance = event.chance
        if not self._wanted_here:
            return
        if chance.seen is not None:
            self.tutor.seen = chance.seen
            self.measured()
            return
        self._chance = chance
        if chance.ready is not None:
            self._measure(chance.ready)
        self.say_measuring()

    @work(thread=True, group="probe", exit_on_error=False)
    def _measure(self, ready: Ready) -> None:
        from tutor.probing import running

        try:
            child = running.start(ready)
        except OSError:
            self.post_message(self.Ended(None))
            return
        self._child = child
        if not self._wanted_here:  # it was stopped before the child was there
            child.cancel()
        events = []
        for event in child.events():
            events.append(event)
            if event.get("event") == "stage":
                self.post_message(self.Stage(str(event.get("stage")), *(int(event.get(x) or 0) for x in ("n", "of"))))
        self._child = None
        if not self._wanted_here:
            return
        outcome = running.finish(events, ready.workload, {"request": dict(ready.request)})
        usable = outcome.result.reached is not None
        self.post_message(self.Ended(Seen(outcome.result)) if usable else self.Ended(None, outcome.result))

    def on_measuring_page_stage(self, event: Stage) -> None:
        """One line says how far it is."""
        event.stop()
        if self.measuring:
            before, self._stage = self._stage, event
            self.say_measuring()
            if before is None:
                self.retell_keys()

    def on_measuring_page_ended(self, event: Ended) -> None:
        """What came of it is used from now on."""
        event.stop()
        self._stage, self._chance, self._failed = None, None, event.failed
        if event.seen is not None:
            self.tutor.seen = event.seen
            self.measured()
        self.say_measuring()
        self.retell_keys()

    # --- saying ------------------------------------------------------------------------------------------------------

    def say_measuring(self) -> None:
        """The line about it; none where there is nothing to say."""
        line = self.query_one("#probing", Static)
        text = self._said()
        line.display = bool(text)
        if str(line.content) != text:
            line.update(Content.styled(text, QUIET))

    def _said(self) -> str:
        from content.probing import unused, words

        if self._failed is not None:
            why = unused(self._failed, self.lang)
            return self.tell("diagnose.not_measured", why=why, shortcut=self.pressed("probe"))
        if self._stage is not None:
            told = words.stage(self._stage.name, self.lang)
            stop = self.pressed("halt")
            return self.tell("diagnose.measuring", stage=told, n=self._stage.n, of=self._stage.of, shortcut=stop)
        if self._chance is not None and self._chance.reason:
            why = words.may(self._chance.reason, self._chance.params, self.lang)
            return self.tell("diagnose.not_measured", why=why, shortcut=self.pressed("probe"))
        return ""
