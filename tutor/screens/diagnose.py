"""The diagnoser: a form of what is known of a server, and beside it what that means, anew with every letter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events, work
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Static

from content.words import say
from tutor.diagnoser import rows, search
from tutor.diagnoser.doors import Outcome
from tutor.diagnoser.form import FREE, FormState
from tutor.diagnoser.result import brief, lines
from tutor.diagnoser.speech import Speech
from tutor.keys import Command, Scope
from tutor.screens.base import TutorScreen, bindings
from tutor.widgets.field_form import FieldForm
from tutor.widgets.ink import QUIET
from tutor.widgets.keyline import KeyHint
from tutor.widgets.lines import Lines
from tutor.widgets.page import AnswerPage, Page
from tutor.widgets.prose import Piece, Prose, pieces
from tutor.widgets.rows import Row, Rows

if TYPE_CHECKING:
    from engine.diagnosis.fields import Field

PAUSE = 0.06
"""Seconds without a letter after which the form is read: shorter than a person notices, longer than a typed word."""
TALL = 30
"""Lines from which groups of fields stand apart."""
BESIDE = 100
"""Columns from which form and result stand side by side."""


TO_FIELD = ("ask", "assumed", "unread", "conflict")
"""Lines of the answer that lead to the field that they are about."""


class DiagnoseScreen(TutorScreen):
    """Two panes, or one at a time where the window is narrow; then a strip under the form says what came out."""

    SCOPE: ClassVar[Scope] = "diagnose"
    BINDINGS: ClassVar[list[BindingType]] = bindings("diagnose")
    DEFAULT_CSS = """
    DiagnoseScreen #panes { height: 1fr; width: 100%; }
    DiagnoseScreen #form { width: 48; padding: 0 0 0 1; }
    DiagnoseScreen #answer { width: 1fr; padding: 0 0 0 1; border-left: solid $panel; }
    DiagnoseScreen.-tall #form, DiagnoseScreen.-tall #answer { padding: 1 0 0 1; }
    DiagnoseScreen.-ascii #answer { border-left: ascii $panel; }
    DiagnoseScreen:ansi #answer { border-left: none; padding-left: 2; }
    DiagnoseScreen #more { height: auto; margin-top: 1; }
    DiagnoseScreen #strip { height: auto; padding: 0 2; display: none; }
    DiagnoseScreen.-one #form, DiagnoseScreen.-one #answer { width: 100%; border-left: none; }
    DiagnoseScreen.-one #answer { display: none; }
    DiagnoseScreen.-one.-answer #form { display: none; }
    DiagnoseScreen.-one.-answer #answer { display: block; }
    DiagnoseScreen.-one #strip { display: block; border-top: solid $panel; }
    DiagnoseScreen.-one.-ascii #strip { border-top: ascii $panel; }
    DiagnoseScreen.-one:ansi #strip { border-top: none; }
    DiagnoseScreen.-one.-answer #strip { display: none; }
    """

    @dataclass
    class Diagnosed(Message):
        """An answer of the engine, from its thread."""

        outcome: Outcome

    @dataclass
    class Ready(Message):
        """The inputs that the engine knows, from the thread that imported it."""

        fields: tuple[Field, ...]

    def __init__(self) -> None:
        super().__init__()
        self.fields: Mapping[str, Field] = {}
        self.outcome = Outcome(0)
        """The last good answer."""
        self.failed = Outcome(0)
        """The answer to what stands there now, where that cannot be."""
        self.busy = True
        """Whether the inputs are still being imported; keys wait for them, see `tutor.typeahead`."""
        self._wanted = 0
        self._judging = False
        self._pause: Timer | None = None

    @property
    def state(self) -> FormState:
        """What stands in the form; the app keeps it while the reader is elsewhere."""
        if self.tutor.diagnosing is None:
            self.tutor.diagnosing = FormState()
        return self.tutor.diagnosing

    @property
    def report(self) -> Any:
        """The last good report, if there is one."""
        return self.outcome.report

    def body(self) -> Iterable[Widget]:
        """Form and result; the strip is for narrow windows."""
        yield Horizontal(
            AnswerPage(FieldForm(id="fields"), Static("", id="more", markup=False), id="form"),
            Page(Prose(id="told"), Lines(id="result"), id="answer"),
            id="panes",
        )
        yield Static("", id="strip", markup=False)

    def on_mount(self) -> None:
        """The line takes the keys; the fields come when the engine is there."""
        for page in self.query(Page):
            page.can_focus = False
        self.query_one("#answer", Page).can_focus = False
        self._fit()
        self.retell()
        self.set_focus(self.form.line)
        self._prepare()

    @property
    def form(self) -> FieldForm:
        """The form."""
        return self.query_one(FieldForm)

    @work(thread=True, group="fields")
    def _prepare(self) -> None:
        from tutor.diagnoser import doors

        self.post_message(self.Ready(doors.fields()))

    def on_diagnose_screen_ready(self, event: Ready) -> None:
        """Show the fields, and what stands in them."""
        event.stop()
        self.fields = {field.name: field for field in event.fields}
        self.busy = False
        self.retell()
        self.read_now()

    # --- reading and judging ----------------------------------------------------------------------------------------

    def read_soon(self) -> None:
        """Read the form once no letter has come for a moment."""
        if self._pause is not None:
            self._pause.stop()
        self._pause = self.set_timer(PAUSE, self.read_now)

    def read_now(self) -> None:
        """Read the form as it stands; while another reading runs this one waits, and the newest wins."""
        self._wanted += 1
        if not self._judging and self.fields:
            self._judging = True
            self._diagnose(self._wanted, self.state.given())

    @work(thread=True, group="diagnose")
    def _diagnose(self, number: int, given: Mapping[str, object]) -> None:
        from tutor.diagnoser import doors

        self.post_message(self.Diagnosed(doors.diagnose(number, given) if given else Outcome(number)))

    def on_diagnose_screen_diagnosed(self, event: Diagnosed) -> None:
        """Show an answer, unless a newer one is wanted already."""
        event.stop()
        self._judging = False
        if event.outcome.number != self._wanted:
            self._judging = True
            self._diagnose(self._wanted, self.state.given())
            return
        self.failed = event.outcome if event.outcome.problem is not None else Outcome(0)
        if event.outcome.problem is None:
            self.outcome = event.outcome
        self._say_form()
        self._say_answer()
        self.retell_keys()

    # --- saying -----------------------------------------------------------------------------------------------------

    @property
    def speech(self) -> Speech:
        """How sentences are said now."""
        second = self.tutor.other_language if self.tutor.peek else None
        return Speech(self.lang, self.session.ascii, second)

    def retell_body(self) -> None:
        """Form and result in the language of this moment; what is typed, the cursor and the scroll position stay."""
        self._say_form()
        self._say_answer()

    def _say_form(self, *, fresh: bool = False) -> None:
        """The form again; ``fresh``: with other values than those that were typed."""
        if not self.fields:
            return
        if not fresh:
            self._take_typed(*self.form.typed)
        shown = rows.shown(self.fields, self.state)
        tight = self.size.height < TALL
        made = rows.rows(self.fields, shown, self.state, self.outcome, self.failed, self.speech, tight=tight)
        self.form.show(made, self.state.current)
        hidden = len(rows.shown(self.fields, self.state, every=True)) - len(shown)
        more = self.query_one("#more", Static)
        key = self._key("fields")
        words = "diagnose.fewer" if self.state.every else "diagnose.more"
        more.display = bool(hidden) or self.state.every
        told = "  " + self.tell(words, n=hidden, shortcut=key)
        if str(more.content) != told:  # an update lays out the whole screen
            more.update(Content.styled(told, QUIET))

    def _key(self, id: str) -> str:
        from tutor import keys

        return keys.shown(keys.keys_of(keys.BY_ID[id], self.session.settings.keys)[0])

    def _say_answer(self) -> None:
        told, result = self.query_one("#told", Prose), self.query_one("#result", Lines)
        speech, report = self.speech, self.report
        if not self.beside:
            self.query_one("#strip", Static).update(brief(self.outcome, self.failed, speech, self.size.width - 4))
        result.display = report is not None
        if report is None:
            intro = [rows.general(self.failed, speech), self.tell("diagnose.intro", presets=self._key("presets"))]
            told.show(pieces("\n\n".join(text for text in intro if text), quiet=True))
            result.show([])
            return
        stale = rows.general(self.failed, speech, older=True) if self.failed.problem is not None else ""
        if stale or told.pieces:
            told.show([Piece(Content(stale))] if stale else [])
        result.show(lines(self.outcome, speech))

    # --- the form ---------------------------------------------------------------------------------------------------

    def on_field_form_edited(self, event: FieldForm.Edited) -> None:
        """Take a letter: suggestions at once, the judgement when it has been read."""
        event.stop()
        self._take_typed(event.name, event.text)
        field = self.fields.get(event.name)
        found = search.suggest(field.kind, field.choices, event.text) if field is not None else []
        self.form.suggest([Row(f.text, Content(f.text), right=Content.styled(f.note, QUIET)) for f in found])

    def _take_typed(self, name: str, text: str) -> None:
        if name and self.state.set(name, text):
            self.read_soon()

    def on_field_form_moved(self, event: FieldForm.Moved) -> None:
        """Another field."""
        event.stop()
        self.state.current = event.name

    def to_field(self, name: str) -> None:
        """Go to a field of the form, hidden or not."""
        if not self._has_line(name):
            return
        if name not in rows.shown(self.fields, self.state):
            self.state.every = True
        self.state.current = name
        self._say_form()
        self._show_pane("form")
        self.call_after_refresh(self.form.reveal)

    def take(self, change: Mapping[str, str] | None = None) -> None:
        """The form holds other values now: show them, and judge them."""
        self.state.current = "model" if change is not None else self.state.current
        self._say_form(fresh=True)
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
        return bool(self.query_one("#result", Lines).has_focus)

    def _show_pane(self, name: str) -> None:
        self.set_class(name == "answer", "-answer")
        self.set_focus(self.query_one("#result", Lines) if name == "answer" else self.form.line, scroll_visible=False)
        self.retell_keys()

    def action_pane(self) -> None:
        """From the form to the result, or back."""
        if self.report is None and not self.in_answer:
            return
        self._show_pane("form" if self.in_answer else "answer")

    def on_descendant_focus(self) -> None:
        """What the keys do depends on where they go."""
        self.set_class(self.in_answer, "-answer")
        self.retell_keys()

    async def go_back(self) -> None:
        """Escape leaves the result for the form first."""
        if self.in_answer and not self.beside:
            self._show_pane("form")
            return
        await super().go_back()

    # --- what can be done -------------------------------------------------------------------------------------------

    def action_enter(self) -> None:
        """Open what the cursor of the result is on."""
        self.query_one("#result", Lines).action_choose()

    async def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """A lever is applied, a question leads to its field, a number is explained."""
        event.stop()
        kind, _, name = event.id.partition(":")
        if kind in ("lever", "no"):
            self._open_lever(name)
        elif kind in TO_FIELD and self._has_line(name):
            self.to_field(name)
        else:
            self._explain(event.id)

    def _open_lever(self, lever: str) -> None:
        from tutor.screens.diagnose_lever import LeverPanel

        self.tutor.show_panel(LeverPanel(self, lever))

    def _explain(self, id: str) -> None:
        from tutor.screens.diagnose_explain import ExplainPanel

        if self.report is not None and id:
            self.tutor.show_panel(ExplainPanel(self.report, id))

    def action_explain(self) -> None:
        """The formula of the number under the cursor."""
        self._explain(self.query_one("#result", Lines).current)

    def action_presets(self) -> None:
        """Examples to start from, and scenario files."""
        from tutor.screens.diagnose_presets import PresetsPanel

        self.tutor.show_panel(PresetsPanel(self))

    def action_fields(self) -> None:
        """All fields, or only the usual ones."""
        self.state.every = not self.state.every
        self._say_form()
        self.call_after_refresh(self.form.reveal)

    def action_undo(self) -> None:
        """The form as it was before the last lever, example or file."""
        if self.state.undo():
            self.take()

    def action_command(self) -> None:
        """The same question as a command line."""
        from tutor.screens.diagnose_keep import CommandPanel

        if self.report is not None:
            self.tutor.show_panel(CommandPanel(self.report))

    def action_save(self) -> None:
        """The scenario or the report as a file."""
        from tutor.screens.diagnose_keep import SavePanel

        if self.report is not None:
            self.tutor.show_panel(SavePanel(self.report))

    def on_click(self, event: events.Click) -> None:
        """A click on the line about further fields shows them, one on the strip goes to the whole answer."""
        clicked, _ = self.get_widget_at(*event.screen_offset)  # on its way up the event names each widget in turn
        if clicked.id == "more":
            self.action_fields()
        elif clicked.id == "strip":
            self.action_pane()

    # --- frame ------------------------------------------------------------------------------------------------------

    def is_typing(self) -> bool:
        """Whether letters go into the form."""
        return not self.in_answer

    def _hints(self) -> Iterable[KeyHint]:
        label = self._opens() if self.in_answer else ""
        if label:
            yield KeyHint("enter", self.tell(f"diagnose.enter.{label}"), "screen.enter", 0)
        for hint in super()._hints():
            if label != "explain" or hint.action != "screen.explain":  # Enter is the same
                yield hint

    def _opens(self) -> str:
        """What Enter does with the line under the cursor."""
        kind, _, name = self.query_one("#result", Lines).current.partition(":")
        if kind in ("lever", "no"):
            return "try"
        return "fill" if kind in TO_FIELD and self._has_line(name) else "explain"

    def _has_line(self, name: str) -> bool:
        """Whether the form has a line for a field."""
        return name in self.fields or name in FREE

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """What Enter does depends on the line."""
        event.stop()
        self.retell_keys()

    def can(self, command: Command) -> bool:
        """What makes sense at this moment."""
        if command.id == "explain":
            return self.in_answer
        if command.id in ("pane", "command", "save"):
            return self.report is not None
        if command.id == "undo":
            return bool(self.state.undone)
        return True

    def label_of(self, command: Command) -> str:
        """Tab leads to whichever pane has not got the keys."""
        if command.id == "pane" and self.in_answer:
            return self.tell("diagnose.form")
        if command.id == "fields" and self.state.every:
            return self.tell("diagnose.usual")
        return super().label_of(command)

    def crumbs(self) -> Sequence[str]:
        """Its own name."""
        return (say("app.diagnose.title", self.lang),)
