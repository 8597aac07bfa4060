"""Between the diagnoser's form and its answer: the form is read and judged, away from the screen, the newest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from textual import work
from textual.message import Message
from textual.timer import Timer

from engine.diagnosis.fields import BY_NAME
from tutor.diagnoser import rows
from tutor.diagnoser.doors import Outcome
from tutor.diagnoser.result import lines
from tutor.diagnoser.speech import Speech
from tutor.screens.diagnose_kept import KeptPage
from tutor.widgets.lines import Line, Lines
from tutor.widgets.rows import Row

if TYPE_CHECKING:
    from engine.artefacts.evidence import Evidence
    from engine.diagnosis.fields import Field
    from engine.diagnosis.model import Report
    from tutor.diagnoser.probed import Seen

PAUSE = 0.06
"""Seconds without a letter after which the form is read: shorter than a person notices, longer than a typed word."""


class Question(NamedTuple):
    """What the engine is asked: see :func:`tutor.diagnoser.doors.diagnose`."""

    number: int
    given: Mapping[str, object]
    seen: Seen | None
    evidence: Evidence | None


class JudgingPage(KeptPage):
    """A page that is judged anew whenever its form changes; subclasses show what came out."""

    @dataclass
    class Diagnosed(Message):
        """An answer of the engine, from its thread, with its lines as they were said and drawn there."""

        outcome: Outcome
        speech: Speech
        lines: Sequence[Line]

    def __init__(self) -> None:
        super().__init__()
        self.fields: Mapping[str, Field] = BY_NAME
        """The inputs that the engine knows: a table that needs no engine."""
        self.outcome = Outcome(0)
        """The last good answer."""
        self.failed = Outcome(0)
        """The answer to what stands there now, where that cannot be."""
        self._wanted = 0
        self._judging = False
        self._seen: Seen | None = None
        self._pause: Timer | None = None

    @property
    def report(self) -> Report | None:
        """The last good report, if there is one."""
        return self.outcome.report

    def on_screen_resume(self) -> None:
        """Back from the probe's screen: what it measured counts here."""
        if self._seen is not self.tutor.seen:
            self.measured()

    def measured(self) -> None:
        """Read the form anew with what was measured."""
        self.read_now()

    @property
    def answer(self) -> Lines:
        """The lines of the answer."""
        return self.query_one("#result", Lines)

    def say_form(self, *, fresh: bool = False) -> None:
        """The form again; for subclasses."""

    def say_answer(self, made: Sequence[Row] | None = None) -> None:
        """The answer again; for subclasses."""

    def read_soon(self) -> None:
        """Read the form once no letter has come for a moment."""
        if self._pause is not None:
            self._pause.stop()
        self._pause = self.set_timer(PAUSE, self.read_now)

    def read_now(self) -> None:
        """Read the form as it stands; while another reading runs this one waits, and the newest wins."""
        self._wanted += 1
        self.keep_soon()
        if not self._judging:
            self._judge()

    def _judge(self) -> None:
        self._judging = True
        self._seen = self.tutor.seen
        question = Question(self._wanted, self.state.given(), self._seen, self.state.evidence)
        self._diagnose(question, self.speech, self.answer.room)

    @work(thread=True, group="diagnose")
    def _diagnose(self, question: Question, speech: Speech, room: int) -> None:
        from tutor.diagnoser import doors

        told = question.given or question.evidence
        outcome = doors.diagnose(*question) if told else Outcome(question.number)
        try:
            made = lines(outcome, speech)
            for line in made:
                line.draw(room)
        except Exception as error:  # the form must not be lost with what is said about it
            outcome, made = Outcome(question.number, problem=doors.broken(error)), []
        self.post_message(self.Diagnosed(outcome, speech, made))

    def on_judging_page_diagnosed(self, event: Diagnosed) -> None:
        """Show an answer, unless a newer one is wanted already."""
        event.stop()
        self._judging = False
        if event.outcome.number != self._wanted:
            self._judge()
            return
        if self._yields(event.outcome):
            return
        self.say_files()
        self.failed = event.outcome if event.outcome.problem is not None else Outcome(0)
        if event.outcome.problem is None:
            self.outcome = event.outcome
        self.say_form()
        failed = self.failed.problem is not None
        self.say_answer(self.answer.rows if failed else event.lines if event.speech == self.speech else None)
        self.retell_keys()

    def _yields(self, outcome: Outcome) -> bool:
        """Leave out what an earlier run left in the form where logs and files say otherwise; whether there was any."""
        left = rows.against(self.fields, outcome)
        gone = self.state.yielding(left)
        for name in gone:
            told = {
                "field": self.speech.field(name),
                "value": left[name].kept,
                "source": self.speech.place(left[name].dropped_source),
            }
            key = "diagnose.yielded_example" if self.state.of_example else "diagnose.yielded"
            self.notify(self.tell(key, **told), markup=False, severity="warning")
        if gone:
            self.say_form(fresh=True)
            self.read_now()
        return bool(gone)
