"""The page of the diagnoser: the form, the answer beside it, and the reading and judging between the two."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from textual import work
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Static

from engine.diagnosis.fields import BY_NAME
from engine.units import grouped
from tutor.diagnoser import keeping, rows, search
from tutor.diagnoser.doors import Outcome
from tutor.diagnoser.form import FormState
from tutor.diagnoser.result import brief, lines
from tutor.diagnoser.speech import Speech
from tutor.screens.diagnose_files import FilesPage
from tutor.widgets.answer_input import LONGEST, AnswerInput
from tutor.widgets.blank import Horizontal
from tutor.widgets.field_form import FieldForm
from tutor.widgets.ink import QUIET
from tutor.widgets.lines import Line, Lines
from tutor.widgets.page import AnswerPage, Page
from tutor.widgets.prose import Piece, Prose
from tutor.widgets.rows import Row

if TYPE_CHECKING:
    from engine.artefacts.evidence import Evidence
    from engine.diagnosis.fields import Field
    from engine.diagnosis.model import Report
    from tutor.diagnoser.evidence import Told
    from tutor.diagnoser.probed import Seen

PAUSE = 0.06
"""Seconds without a letter after which the form is read: shorter than a person notices, longer than a typed word."""
KEEPING = 1.0
"""Seconds from a change until the form is kept on the disk: a killed app loses no more of it than that."""
TALL = 30
"""Lines from which groups of fields stand apart."""
BESIDE = 100
"""Columns from which form and result stand side by side."""


class Question(NamedTuple):
    """What the engine is asked: see :func:`tutor.diagnoser.doors.diagnose`."""

    number: int
    given: Mapping[str, object]
    seen: Seen | None
    evidence: Evidence | None


class DiagnosePage(FilesPage):
    """Two panes, or one at a time where the window is narrow; then a strip under the form says what came out."""

    DEFAULT_CSS = """
    DiagnosePage #panes { height: 1fr; width: 100%; }
    DiagnosePage #form { width: 48; padding: 0 0 0 1; }
    DiagnosePage #answer { width: 1fr; padding: 0 0 0 1; border-left: solid $panel; }
    DiagnosePage.-tall #form, DiagnosePage.-tall #answer { padding: 1 0 0 1; }
    DiagnosePage.-ascii #answer { border-left: ascii $panel; }
    DiagnosePage #more { height: auto; margin-top: 1; }
    DiagnosePage #strip { height: auto; padding: 0 2; display: none; }
    DiagnosePage.-one #form, DiagnosePage.-one #answer { width: 100%; border-left: none; }
    DiagnosePage.-one #answer { display: none; }
    DiagnosePage.-one.-answer #form { display: none; }
    DiagnosePage.-one.-answer #answer { display: block; }
    DiagnosePage.-one #strip { display: block; border-top: solid $panel; }
    DiagnosePage.-one.-ascii #strip { border-top: ascii $panel; }
    DiagnosePage.-one.-answer #strip { display: none; }
    """

    @dataclass
    class Diagnosed(Message):
        """An answer of the engine, from its thread, with its lines as they were said and drawn there."""

        outcome: Outcome
        speech: Speech
        lines: Sequence[Line]

    busy = False
    """Whether keys have to wait, see `tutor.typeahead`: never, the form is there before the engine is."""

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
        self._keeper: Timer | None = None
        self._kept = ""
        """What was kept last, as it would be kept again."""

    @property
    def state(self) -> FormState:
        """What stands in the form; the app keeps it while the reader is elsewhere."""
        if self.tutor.diagnosing is None:
            self.tutor.diagnosing = keeping.recalled(self._file)
        return self.tutor.diagnosing

    @property
    def _file(self) -> Path:
        """Where the form waits for the next start: beside what else is remembered of this reader."""
        return self.session.progress.path.with_name("form.json")

    def keep(self) -> None:
        """The form is there at the next start."""
        self._take_typed(*self.form.typed)
        self._kept = keeping.told(self.state)
        keeping.remember(self._file, self.state)

    def _keep_soon(self) -> None:
        """Keep it a while after a change, however many more come meanwhile."""
        if self._keeper is None and keeping.told(self.state) != self._kept:
            self._keeper = self.set_timer(KEEPING, self._keep_changed)

    def _keep_changed(self) -> None:
        self._keeper = None
        if self.is_attached:
            self.keep()

    @property
    def report(self) -> Report | None:
        """The last good report, if there is one."""
        return self.outcome.report

    def body(self) -> Iterable[Widget]:
        """Form and result; the strip is for narrow windows."""
        yield Static("", id="files", markup=False)
        yield Horizontal(
            AnswerPage(FieldForm(id="fields"), Static("", id="more", markup=False), id="form"),
            Page(Prose(id="told"), Lines(id="result"), id="answer"),
            id="panes",
        )
        yield Static("", id="strip", markup=False)
        yield Static("", id="probing", markup=False)

    def on_mount(self) -> None:
        """The line takes the keys; the engine is imported meanwhile."""
        for page in self.query(Page):
            page.can_focus = False
        self._kept = keeping.told(self.state)
        self._fit()
        self.form.meant = lambda name, text: search.meant(*self._names_of(name), text)
        self.form.takes = self.takes
        self.retell()
        self.set_focus(self.form.line)
        self._prepare()
        self.read_now()
        self.measure_soon()

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

    @property
    def form(self) -> FieldForm:
        """The form."""
        return self.query_one(FieldForm)

    @work(thread=True, group="warm", exit_on_error=False)
    def _prepare(self) -> None:
        from tutor.diagnoser import doors

        doors.warm()

    # --- reading and judging ----------------------------------------------------------------------------------------

    def read_soon(self) -> None:
        """Read the form once no letter has come for a moment."""
        if self._pause is not None:
            self._pause.stop()
        self._pause = self.set_timer(PAUSE, self.read_now)

    def read_now(self) -> None:
        """Read the form as it stands; while another reading runs this one waits, and the newest wins."""
        self._wanted += 1
        self._keep_soon()
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

    def on_diagnose_page_diagnosed(self, event: Diagnosed) -> None:
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

    # --- saying -----------------------------------------------------------------------------------------------------

    @property
    def speech(self) -> Speech:
        """How sentences are said now."""
        second = self.tutor.other_language if self.tutor.peek else None
        return Speech(self.lang, self.session.ascii, second)

    def retell_body(self) -> None:
        """Form and result in the language of this moment; what is typed, the cursor and the scroll position stay."""
        self.say_files()
        self.say_form()
        self.say_answer()
        self.say_measuring()

    def say_form(self, *, fresh: bool = False) -> None:
        """The form again; ``fresh``: with other values than those that were typed."""
        if not fresh:  # its messages may still be on their way
            self._take_typed(*self.form.typed)
            self.state.current = self.form.current or self.state.current
        shown = rows.shown(self.fields, self.state)
        tight = self.size.height < TALL
        made = rows.rows(self.fields, shown, self.state, self.outcome, self.failed, self.speech, tight=tight)
        self.form.show(made, self.state.current)
        hidden = len(rows.shown(self.fields, self.state, every=True)) - len(shown)
        more = self.query_one("#more", Static)
        key = self.pressed("fields")
        words = "diagnose.fewer" if self.state.every else "diagnose.more"
        more.display = bool(hidden) or self.state.every
        told = "  " + self.tell(words, n=hidden, shortcut=key)
        if str(more.content) != told:  # an update lays out the whole screen
            more.update(Content.styled(told, QUIET))

    def say_answer(self, made: Sequence[Row] | None = None) -> None:
        """The answer again, and its short form for narrow windows; ``made``: its lines, where they are known."""
        told, result = self.query_one("#told", Prose), self.answer
        speech, report = self.speech, self.report
        stale = rows.general(self.fields, self.failed, speech, older=report is not None)
        if not self.beside:
            self.query_one("#strip", Static).update(brief(self.outcome, stale, speech, self.size.width - 4))
        if report is None and self.in_answer:  # nothing is left there that could take a key
            self.show_pane("form")
        result.display = report is not None
        if report is None:
            told.show([Piece(Content.styled(text, QUIET)) for text in (stale, self._intro()) if text])
            result.show([])
            return
        if stale or told.pieces:
            told.show([Piece(Content(stale))] if stale else [])
        before = result.current
        result.show(lines(self.outcome, speech) if made is None else made)
        if self.in_answer and result.current != before:  # its line is gone: the cursor went to another place
            self.call_after_refresh(result.reveal)

    def _intro(self) -> str:
        """What stands where no answer is: what to do, or that one is being worked out."""
        if self.failed.problem is None and (self.state.given() or self.state.evidence):
            return self.tell("diagnose.working")
        return self.tell("diagnose.intro", presets=self.pressed("presets"))

    # --- the form ---------------------------------------------------------------------------------------------------

    def on_field_form_edited(self, event: FieldForm.Edited) -> None:
        """Take a letter: suggestions at once, the judgement when it has been read."""
        event.stop()
        self._take_typed(event.name, event.text)
        if (event.name, event.text) != self.form.typed:  # the reader is further already
            return
        found = search.suggest(*self._names_of(event.name), event.text)
        self.form.suggest([Row(f.text, Content(f.text), right=Content.styled(f.note, QUIET)) for f in found])

    def _names_of(self, name: str) -> tuple[str, Sequence[str]]:
        """What kind of names a field takes, and its choices."""
        field = self.fields.get(name)
        kind = "engine" if name == "engine" else field.kind if field is not None else ""
        return kind, field.choices if field is not None else ()

    def on_answer_input_refused(self, event: AnswerInput.Refused) -> None:
        """One sentence for a paste that is too long."""
        event.stop()
        self.notify(self.tell("exercise.paste_refused", count=grouped(event.length)), markup=False, severity="warning")

    def _take_typed(self, name: str, text: str) -> None:
        if name and self.state.set(name, text):
            self.read_soon()

    def on_field_form_moved(self, event: FieldForm.Moved) -> None:
        """Another field."""
        event.stop()
        self.state.current = event.name

    def relied(self, *, fresh: bool = False) -> None:
        """Other logs and files: read anew; ``fresh``: the form holds other values now."""
        self.say_form(fresh=fresh)
        self.read_now()
        self.retell_keys()

    def fill_with(self, told: Told) -> None:
        """A scenario file fills the form."""
        self.state.take(told.known, [*self.fields])
        self.take(self.state.values)

    def keep_line(self, field: str, text: str) -> bool:
        """Put a pasted text that no reader knows into its field as one line, as long as that is still the one."""
        line = " ".join(piece.strip() for piece in text.splitlines() if piece.strip())
        if not field or self.form.current != field or len(line) + len(self.form.line.value) > LONGEST:
            return False
        self.form.line.insert_text_at_cursor("".join(char for char in line if char.isprintable()))
        return True

    def take(self, change: Mapping[str, str] | None = None) -> None:
        """The form holds other values now: show them, and judge them."""
        self.state.current = "model" if change is not None else self.state.current
        self.say_form(fresh=True)
        self.read_now()

    # --- the two panes ----------------------------------------------------------------------------------------------

    @property
    def beside(self) -> bool:
        """Whether both panes are there at once."""
        return not self.has_class("-one")

    def _fit(self) -> None:
        self.set_class(self.size.width < BESIDE, "-one")

    def on_resize(self) -> None:
        """One pane or two."""
        self._fit()
        if self.is_attached:
            self.retell_body()

    @property
    def in_answer(self) -> bool:
        """Whether the keys go to the result."""
        return bool(self.answer.has_focus)

    def show_pane(self, name: str) -> None:
        """Give the keys to the form, or to the answer."""
        self.set_class(name == "answer", "-answer")
        self.set_focus(self.answer if name == "answer" else self.form.line, scroll_visible=False)
        self.retell_keys()

    def on_descendant_focus(self) -> None:
        """What the keys do depends on where they go."""
        self.set_class(self.in_answer, "-answer")
        self.retell_keys()
