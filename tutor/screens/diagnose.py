"""The diagnoser: a form of what is known of a server, and beside it what that means, anew with every letter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import BindingType

from content.words import say
from tutor.diagnoser import rows
from tutor.keys import Command, Scope
from tutor.screens.base import bindings
from tutor.screens.diagnose_page import DiagnosePage
from tutor.served import served
from tutor.travel import DIAGNOSE
from tutor.widgets.keyline import KeyHint
from tutor.widgets.rows import Rows

if TYPE_CHECKING:
    from engine.diagnosis.model import Scenario

LEVERS = ("first", "lever", "no")
"""Lines of the answer that can be tried."""
TO_FIELD = ("ask", "assumed", "unread", "conflict")
"""Lines that lead to the field that they are about."""


def _known(id: str) -> str:
    """A model's name where the catalogue knows it; "" for one that only a log or a file describes."""
    from engine import catalog

    try:
        return catalog.model(id).id
    except (catalog.UnknownName, catalog.AmbiguousName):
        return ""


class DiagnoseScreen(DiagnosePage):
    """What can be done there, and the lines around the page."""

    SCOPE: ClassVar[Scope] = "diagnose"
    BINDINGS: ClassVar[list[BindingType]] = bindings("diagnose")

    # --- finding the way --------------------------------------------------------------------------------------------

    def action_next_field(self) -> None:
        """Down in the form; the answer has arrows of its own."""
        if self.in_answer:
            self.answer.action_move(1)
        else:
            self.form.walk(1)

    def action_previous_field(self) -> None:
        """Up in the form."""
        if self.in_answer:
            self.answer.action_move(-1)
        else:
            self.form.walk(-1)

    def action_take(self) -> None:
        """Take a suggestion and go on, or open a line of the answer: what Enter does."""
        if self.in_answer:
            self.action_enter()
        else:
            self.form.submit()

    def action_pane(self) -> None:
        """From the form to the result, or back."""
        if self.report is None and not self.in_answer:
            return
        self.show_pane("form" if self.in_answer else "answer")

    async def go_back(self) -> None:
        """Escape closes the suggestions first, then leaves the result for the form, then the screen."""
        if self.stop_reading() or (not self.in_answer and self.form.close()):
            return
        if self.in_answer and not self.beside:
            self.show_pane("form")
            return
        await super().go_back()

    def to_answer(self) -> None:
        """Go to the answer, where there is one."""
        if self.report is not None:
            self.show_pane("answer")

    def to_field(self, name: str) -> None:
        """Go to a field of the form, hidden or not."""
        if name not in rows.shown(self.fields, self.state):
            self.state.every = True
        self.say_form()
        self.form.go(name)
        self.show_pane("form")

    # --- what can be done -------------------------------------------------------------------------------------------

    def action_enter(self) -> None:
        """Open what the cursor of the result is on."""
        self.answer.action_choose()

    async def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """A lever is applied, a question leads to its field, a number is explained."""
        event.stop()
        kind, _, name = event.id.partition(":")
        field = rows.line_of(self.fields, "prompt" if event.id == "assumed:context" else name)
        field = field if kind in TO_FIELD else ""
        if kind in LEVERS:
            self._open_lever(name)
        elif kind == "probe":
            await self.tutor.action_panel("probe")
        elif field:
            self.to_field(field)
        else:
            self._explain(event.id)

    def _open_lever(self, lever: str) -> None:
        from tutor.screens.diagnose_lever import LeverPanel

        if self.report is not None:
            self.tutor.show_panel(LeverPanel(self, self.report, lever))

    def _explain(self, id: str) -> None:
        from tutor.screens.diagnose_explain import ExplainPanel

        if self.report is not None and id:
            self.tutor.show_panel(ExplainPanel(self.report, id))

    def action_explain(self) -> None:
        """The formula of the number under the cursor."""
        self._explain(self.answer.current)

    def action_presets(self) -> None:
        """Examples to start from, and scenario files."""
        from tutor.screens.diagnose_presets import PresetsPanel

        self.tutor.show_panel(PresetsPanel(self))

    def action_fields(self) -> None:
        """All fields, or only the usual ones."""
        self.state.every = not self.state.every
        self.say_form()
        self.retell_keys()
        self.call_after_refresh(self.form.reveal)

    def action_undo(self) -> None:
        """The form as it was before the last lever, example or file."""
        if self.state.undo():
            self.say_files()
            self.take()

    def action_empty(self) -> None:
        """Leave out what stands in the form; with an empty form the logs and files too."""
        if self.state.empty():
            self.say_files()
            self.take({})

    def action_copy_flag(self) -> None:
        """Copy what the chosen lever has to type, the first one's where the cursor is on none."""
        text = self._flag()
        if not text:
            self.notify(self.tell("diagnose.no_flag"), markup=False, severity="warning")
            return
        self.app.copy_to_clipboard(text)
        self.notify(self.tell("diagnose.copied_flag", flag=self.speech.flag(text)), markup=False)

    def _flag(self) -> str:
        """What to type for the lever under the cursor, else for the first one that helps."""
        if self.report is None:
            return ""
        from engine.diagnosis.acting import typed

        kind, _, name = self.answer.current.partition(":")
        under = name if self.in_answer and kind in LEVERS else ""
        levers = [one for one in self.report.levers if (one.id == under if under else one.helps)]
        return typed.paste(levers[0].flag) if levers else ""

    def action_command(self) -> None:
        """The same question as a command line."""
        from tutor.screens.diagnose_keep import CommandPanel

        if self.report is not None:
            self.tutor.show_panel(CommandPanel(self.report))

    def action_save(self) -> None:
        """The scenario or the report as a file."""
        from tutor.screens.diagnose_keep import SavePanel

        if served():
            self.notify(say("serve.closed.save", self.lang), markup=False, severity="warning")
        elif self.report is not None:
            self.tutor.show_panel(SavePanel(self.report))

    def on_click(self, event: events.Click) -> None:
        """A click on the line about further fields shows them, one on the strip goes to the whole answer."""
        clicked, _ = self.get_widget_at(*event.screen_offset)  # on its way up the event names each widget in turn
        if clicked.id == "more":
            self.action_fields()
        elif clicked.id == "strip":
            self.action_pane()
        elif clicked.id == "files":
            self.action_files()

    def action_halt(self) -> None:
        """Stop measuring the card."""
        self.stop_measuring()

    def scenario_of(self) -> Scenario | None:
        """What stands in the form, for the probe's screen to measure."""
        self.stop_measuring()
        return self.report.scenario if self.report is not None else None

    def load_of(self) -> Mapping[str, str]:
        """As the plan reads it: names of the catalogue where they are known, one number of a range."""
        made = {name: self.state.values.get(name, "") for name in ("model", "gpu")}
        read = self.report.scenario if self.report is not None and self.failed.problem is None else None
        if read is not None:
            spans = {"prompt": read.prompt, "output": read.output, "concurrency": read.concurrency}
            made |= {name: str(span.mid) for name, span in spans.items() if span is not None}
            if read.gpu is not None and self.state.values.get("gpu"):
                made["gpu"] = read.gpu.name
            if not made["model"] and read.model is not None and not read.stand_in:
                made["model"] = _known(read.model.id)
        return {name: text for name, text in made.items() if text}

    def whereabouts(self) -> str:
        """Here."""
        return DIAGNOSE

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
        kind, _, name = self.answer.current.partition(":")
        if kind in LEVERS:
            return "try"
        if kind == "probe":
            return "probe"
        return "fill" if kind in TO_FIELD and rows.line_of(self.fields, name) else "explain"

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
        if command.id == "empty":
            return bool(self.state.values or self.state.rest or self.state.evidence)
        if command.id == "copy-flag":
            return self.report is not None and any(one.helps and one.flag for one in self.report.levers)
        if command.id == "halt":
            return self.measuring
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
