"""A lever tried: the server before and after it, side by side; it can be kept, and undone in the form."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import work
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from tutor.diagnoser import compare
from tutor.diagnoser.doors import Applied
from tutor.diagnoser.form import differing
from tutor.keys import Command
from tutor.screens.base import Panel
from tutor.widgets.ink import QUIET, STRONG
from tutor.widgets.lines import Lines
from tutor.widgets.page import Page
from tutor.widgets.prose import Piece, Prose
from tutor.widgets.rows import Row, Rows

if TYPE_CHECKING:
    from engine.diagnosis.model import Report
    from tutor.screens.diagnose import DiagnoseScreen


class LeverPanel(Panel):
    """Computed away from the screen; Enter keeps it."""

    DEFAULT_CSS = """
    LeverPanel #change { margin-bottom: 1; }
    LeverPanel #choices { margin-bottom: 1; }
    LeverPanel #terms { margin: 1 2; }
    """

    @dataclass
    class Tried(Message):
        """The answer, from its thread."""

        applied: Applied

    def __init__(self, below: DiagnoseScreen, report: Report, lever: str) -> None:
        super().__init__()
        self.below = below
        self.report = report
        self.lever = lever
        self.applied: Applied | None = None

    def body(self) -> Iterable[Widget]:
        """What the lever does, whether to keep it, both sides, and what else is to be said."""
        yield Page(Prose(id="change"), Rows(id="choices"), Lines(id="sides"), Prose(id="terms"), id="page")

    def on_mount(self) -> None:
        """The choices take the keys."""
        self.query_one("#page", Page).can_focus = False
        self.query_one("#sides", Lines).can_focus = False
        self.query_one("#choices", Rows).still = True
        self.retell()
        self.set_focus(self.query_one("#choices", Rows), scroll_visible=False)
        self._try()

    @work(thread=True, group="lever")
    def _try(self) -> None:
        from tutor.diagnoser import doors

        self.post_message(self.Tried(doors.apply(self.lever, self.report)))

    def on_lever_panel_tried(self, event: Tried) -> None:
        """Show both sides."""
        event.stop()
        self.applied = event.applied
        self.retell()

    def retell_body(self) -> None:
        """Everything again."""
        speech = self.below.speech
        result = next((one for one in self.report.levers if one.id == self.lever), None)
        name, *rest = compare.about(self.lever, result, speech)
        head = Piece(Content.styled(name, STRONG))
        self.query_one("#change", Prose).show([head, *(Piece(Content(text), tight=True) for text in rest)])
        terms = compare.terms(result, speech)
        self.query_one("#terms", Prose).show([Piece(Content.styled(text, QUIET), tight=True) for text in terms])
        choices = self.query_one("#choices", Rows)
        if self.applied is None:
            choices.show([])
            return
        self.query_one("#sides", Lines).show(compare.sides(self.applied, speech))
        note = ", ".join(self._changes())
        keep = Content.assemble(self.tell("diagnose.keep"), (f"  {note}", QUIET))
        choices.show([*([Row("keep", keep)] if note else []), Row("leave", Content(self.tell("diagnose.leave")))])

    def _changes(self) -> Sequence[str]:
        """What keeping it would change in the form; what was observed before it is left out with it."""
        if self.applied is None or self.applied.after is None:
            return ()
        before, after = self.applied.said_before, self.applied.said_after
        speech, fields = self.below.speech, self.below.fields
        told, observed = [], False
        for name in differing(before, after):
            if name in after:
                told.append(f"{speech.field(name)} {speech.setting(name, after[name])}")
            elif name == "symptoms" or (name in fields and fields[name].group == "measured"):
                observed = True
            else:
                told.append(speech.without(name))
        return [*told, *([speech.tell("unobserved")] if observed and told else [])]

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """Keep it, or not."""
        event.stop()
        if event.id == "keep" and self.applied is not None:
            self.below.state.change(self.applied.said_before, self.applied.said_after, [*self.below.fields])
            self.below.take()
        self.tutor.close(self)

    def enter(self) -> str:
        """Keep it, or leave it."""
        return self.tell("diagnose.enter.choose")

    def name_of(self) -> str:
        """Name of the panel."""
        return self.tell("diagnose.lever")

    def can(self, command: Command) -> bool:
        """What makes sense here."""
        return command.id != "home"
