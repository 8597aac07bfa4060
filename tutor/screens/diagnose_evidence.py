"""What was understood of logs and files, value by value, before any verdict: each can be corrected, or left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static
from textual.widgets.input import Selection

from engine.units import grouped
from tutor import keys
from tutor.diagnoser import correcting, understood
from tutor.keys import Command, Scope
from tutor.screens.base import Panel, bindings
from tutor.widgets.answer_input import AnswerInput
from tutor.widgets.blank import Horizontal
from tutor.widgets.ink import ACCENT, QUIET, STRONG
from tutor.widgets.keyline import KeyHint
from tutor.widgets.lines import Lines
from tutor.widgets.page import Page
from tutor.widgets.rows import Rows

if TYPE_CHECKING:
    from content.diagnosing.observed import Row
    from engine.artefacts.evidence import Evidence
    from tutor.screens.diagnose_files import FilesPage


class UnderstoodPanel(Panel):
    """Up and down choose a value, below it stands what it means; Enter puts another one in its place."""

    SCOPE: ClassVar[Scope] = "evidence"
    BINDINGS: ClassVar[list[BindingType]] = bindings("evidence")
    DEFAULT_CSS = """
    UnderstoodPanel #list { padding: 1 1 0 1; }
    UnderstoodPanel Lines { max-width: 116; }
    UnderstoodPanel #detail { height: auto; max-height: 9; padding: 0 3; border-top: solid $panel; }
    UnderstoodPanel.-ascii #detail { border-top: ascii $panel; }
    UnderstoodPanel #correcting { height: 2; padding: 0 3; display: none; border-top: solid $panel; }
    UnderstoodPanel.-ascii #correcting { border-top: ascii $panel; }
    UnderstoodPanel #correcting Static { width: auto; }
    UnderstoodPanel #wrong, UnderstoodPanel #reading { height: auto; padding: 0 3; display: none; }
    UnderstoodPanel.-normal #detail, UnderstoodPanel.-wide #detail, UnderstoodPanel.-normal #correcting,
    UnderstoodPanel.-wide #correcting, UnderstoodPanel.-normal #wrong, UnderstoodPanel.-wide #wrong,
    UnderstoodPanel.-normal #reading, UnderstoodPanel.-wide #reading { padding: 0 4; }
    """

    def __init__(self, below: FilesPage) -> None:
        super().__init__()
        self.below = below
        self._rows: Mapping[str, Row] = {}

    @property
    def evidence(self) -> Evidence | None:
        """What the diagnoser relies on."""
        return self.below.state.evidence

    def body(self) -> Iterable[Widget]:
        """The list, what its line means, and the line to correct it in."""
        yield Page(Lines(id="rows"), id="list")
        yield Static("", id="detail", markup=False)
        yield Horizontal(Static("", id="label", markup=False), AnswerInput(id="value"), id="correcting")
        yield Static("", id="wrong", markup=False)
        yield Static("", id="reading", markup=False)

    def on_mount(self) -> None:
        """The list takes the keys."""
        self.query_one(Page).can_focus = False
        self.retell()
        self.set_focus(self.values)

    def on_screen_resume(self) -> None:
        """Back from where a file was added."""
        if self._rows:
            self.retell()

    @property
    def values(self) -> Lines:
        """The lines."""
        return self.query_one("#rows", Lines)

    def retell_body(self) -> None:
        """Everything again; the cursor stays."""
        if self.evidence is None:
            return
        made = understood.lines(self.evidence, self.below.speech)
        self._rows = made.rows
        self.values.show(made.lines, self.values.current or made.first)
        self._say_detail()
        if self.correcting:
            self._say_label()

    # --- the line under the cursor ----------------------------------------------------------------------------------

    @property
    def row(self) -> Row | None:
        """The value under the cursor."""
        return self._rows.get(self.values.current)

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """Another value: what it means."""
        event.stop()
        self._say_detail()
        self.retell_keys()

    def _say_detail(self) -> None:
        said = self.query_one("#detail", Static)
        made = understood.detail(self.evidence, self.values.current, self.row, self.below.speech)
        said.display = bool(made) and not self.correcting
        said.update(Content("\n").join(made))

    # --- correcting -------------------------------------------------------------------------------------------------

    @property
    def correcting(self) -> bool:
        """Whether a value is being typed."""
        return bool(self.query_one("#correcting").display)

    def action_correct(self) -> None:
        """Type another value."""
        if self.row is None:
            return
        line = self.query_one(AnswerInput)
        line.value = understood.typed(self.evidence, self.row)
        line.cursor_position = len(line.value)
        line.selection = Selection(0, len(line.value))  # typing takes its place
        self._show_line(True)
        self._say_label()
        self._say_detail()
        self.set_focus(line)
        self.retell_keys()

    def _show_line(self, shown: bool) -> None:
        self.query_one("#correcting").display = shown
        self._say_wrong("" if not shown else self.tell("diagnose.files.correct_how"), quiet=True)

    def _say_label(self) -> None:
        if self.row is not None:
            unit = understood.unit(self.row)
            told = Content.assemble((self.row.label, f"{STRONG} {ACCENT}"), (f"  {unit}" if unit else "", QUIET), "  ")
            self.query_one("#label", Static).update(told)

    def _say_wrong(self, text: str, *, quiet: bool = False) -> None:
        wrong = self.query_one("#wrong", Static)
        wrong.display = bool(text)
        wrong.update(Content.styled(text, QUIET if quiet else ACCENT))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take the value; an empty line means that it is not to be used."""
        event.stop()
        row, evidence = self.row, self.evidence
        if row is None or evidence is None:
            return
        from engine.diagnosis.written import NotRead

        text = event.value.strip()
        if text == understood.typed(evidence, row).strip():
            self._leave_line()
            return
        try:
            value = correcting.read(row.name, text, understood.before(evidence, row)) if text else None
        except NotRead as error:
            self._say_wrong(understood.refused(error.reason, text, self.lang))
            return
        self._leave_line()
        self._rely(evidence.correcting(row.name, value))

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """A click corrects, like Enter."""
        event.stop()
        self.action_correct()

    def _leave_line(self) -> None:
        self._show_line(False)
        self._say_detail()
        self.set_focus(self.values)
        self.retell_keys()

    def action_restore(self) -> None:
        """The value as it was read."""
        if self.row is not None and self.evidence is not None:
            self._rely(self.evidence.restoring(self.row.name))

    def _rely(self, evidence: Evidence | None) -> None:
        self.below.rely(evidence)
        if evidence:
            self.retell()
        else:
            self.tutor.close(self)

    # --- texts ------------------------------------------------------------------------------------------------------

    def action_add_file(self) -> None:
        """One more log or file."""
        from tutor.screens.diagnose_add import AddPanel

        self.tutor.show_panel(AddPanel(self.below))

    def on_paste(self, event: events.Paste) -> None:
        """One more text, or a file that is dropped here."""
        event.stop()
        self.below.take_pasted(event.text)

    def on_answer_input_refused(self, event: AnswerInput.Refused) -> None:
        """A value is no longer than a line: one sentence."""
        event.stop()
        told = {"count": grouped(event.length)}
        self.notify(self.tell("exercise.paste_refused", **told), markup=False, severity="warning")

    def action_remove_file(self) -> None:
        """Do without the value under the cursor; on the name of a text without all of it."""
        evidence, row = self.evidence, self.row
        if evidence is None:
            return
        place = understood.place(self.values.current, row)
        if row is not None:
            self._rely(evidence.correcting(row.name, None))
        elif place is not None:
            self._rely(understood.without(evidence, place))

    def action_verdict(self) -> None:
        """Close, and go to the answer."""
        self.tutor.close(self)
        self.tutor.call_later(self.below.to_answer)

    async def go_back(self) -> None:
        """The line first, then the panel."""
        if self.correcting:
            self._leave_line()
        elif self.below.reading:
            self.below.stop_reading()
        else:
            await super().go_back()

    # --- frame ------------------------------------------------------------------------------------------------------

    def is_typing(self) -> bool:
        """Whether letters go into the line."""
        return self.correcting

    def _hints(self) -> Iterable[KeyHint]:
        if self.correcting:
            yield KeyHint("enter", self.tell("diagnose.files.take"), "screen.enter", 0)
            yield KeyHint(keys.shown("escape"), self.label_of(keys.BY_ID["back"]), "app.back", 9)
            return
        yield from super()._hints()

    async def action_enter(self) -> None:
        """A click on the word."""
        if self.correcting:
            await self.query_one(AnswerInput).action_submit()

    def can(self, command: Command) -> bool:
        """What makes sense at this moment."""
        if command.id in ("peek", "home"):
            return False
        if self.correcting and command.scope == "evidence":
            return False
        if command.id == "restore":
            return self.row is not None and self.row.corrected
        if command.id == "correct":
            return self.row is not None
        if command.id == "remove-file":
            return self.row is None or self.row.used
        return True

    def label_of(self, command: Command) -> str:
        """One key leaves out a value, or a whole text."""
        if command.id == "remove-file" and self.row is not None:
            return self.tell("diagnose.files.leave_out")
        return super().label_of(command)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While a value is typed the keys of the list are letters."""
        own = {"correct", "restore", "add_file", "remove_file", "verdict"}
        return not (self.correcting and action in own)

    def crumbs(self) -> Sequence[str]:
        """Its own name."""
        return (self.name_of(),)

    def name_of(self) -> str:
        """Name of the panel."""
        return self.tell("diagnose.files.understood")
