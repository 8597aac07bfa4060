"""The page of the diagnoser: the form, the answer beside it, and what is said in both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from textual import work
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from engine.units import grouped
from tutor.diagnoser import rows, search
from tutor.diagnoser.result import brief, lines
from tutor.diagnoser.speech import Speech
from tutor.screens.diagnose_judging import JudgingPage
from tutor.widgets.answer_input import LONGEST, AnswerInput
from tutor.widgets.blank import Horizontal
from tutor.widgets.field_form import FieldForm
from tutor.widgets.ink import QUIET
from tutor.widgets.lines import Lines
from tutor.widgets.page import AnswerPage, Page
from tutor.widgets.prose import Piece, Prose
from tutor.widgets.rows import Row

if TYPE_CHECKING:
    from tutor.diagnoser.evidence import Told

TALL = 30
"""Lines from which groups of fields stand apart."""
BESIDE = 100
"""Columns from which form and result stand side by side."""


class DiagnosePage(JudgingPage):
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

    busy = False
    """Whether keys have to wait, see `tutor.typeahead`: never, the form is there before the engine is."""

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
        self._fit()
        self.form.meant = lambda name, text: search.meant(*self._names_of(name), text)
        self.form.takes = self.takes
        self.retell()
        self.set_focus(self.form.line)
        self._prepare()
        self.read_now()
        self.measure_soon()

    @work(thread=True, group="warm", exit_on_error=False)
    def _prepare(self) -> None:
        from tutor.diagnoser import doors

        doors.warm()

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
            self.take_typed(*self.form.typed)
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
        self.take_typed(event.name, event.text)
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
