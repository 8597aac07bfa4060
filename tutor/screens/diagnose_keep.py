"""What can be taken away from the diagnoser: a command line, a scenario file, a report."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, cast

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static
from textual.widgets.input import Selection

from tutor.diagnoser import keeping
from tutor.keys import Command
from tutor.screens.base import WALK, Panel
from tutor.screens.reading import ReadPanel
from tutor.widgets.answer_input import AnswerInput
from tutor.widgets.ink import ACCENT, QUIET
from tutor.widgets.keyline import KeyHint
from tutor.widgets.page import Page
from tutor.widgets.prose import Piece, Prose
from tutor.widgets.rows import Row, Rows

if TYPE_CHECKING:
    from engine.diagnosis.model import Report


WIDTH = 56
"""Columns of a command before its panel has any."""


class CommandPanel(ReadPanel):
    """The command line, copied when the panel opens and shown: not every terminal lets a program copy."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "screen.copy", show=False)]

    def __init__(self, report: Report) -> None:
        super().__init__()
        self.report = report

    def on_mount(self) -> None:
        """Copy it."""
        self.action_copy()

    @property
    def line(self) -> str:
        """The command as a shell reads it."""
        from tutor.diagnoser import doors

        return shlex.join(doors.command(self.report.scenario))

    def retell_body(self) -> None:
        """The line, broken as a shell takes it; then that it was copied."""
        from tutor.diagnoser import doors, shell

        said = self.query_one("#said", Prose)
        lines = shell.folded(doors.command(self.report.scenario), said.size.width or WIDTH)
        told = Content.styled(self.tell("diagnose.copied"), QUIET)
        said.show([Piece(Content("\n".join(lines)), fixed=True), Piece(told)])

    def on_resize(self) -> None:
        """Broken anew."""
        if self.is_attached:
            self.retell_body()

    def action_copy(self) -> None:
        """Once more."""
        self.app.copy_to_clipboard(self.line)

    async def action_enter(self) -> None:
        """A click on the word presses the key."""
        self.action_copy()

    def enter(self) -> str:
        """Copy again."""
        return self.tell("diagnose.enter.copy")

    def name_of(self) -> str:
        """Name of the panel."""
        return self.tell("diagnose.command")

    def can(self, command: Command) -> bool:
        """What makes sense here."""
        return command.id not in ("peek", "home")


class KeepPanel(Panel):
    """Up and down choose what is kept, Enter writes it under the name in the line; a second Enter goes over a file.

    Subclasses say what there is to keep, by the name that it is offered under.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*WALK]
    DEFAULT_CSS = """
    KeepPanel #path { margin: 1 2; max-width: 76; }
    KeepPanel #said { height: auto; margin: 0 2; }
    """
    KINDS: ClassVar[Mapping[str, str]] = {}

    def __init__(self) -> None:
        super().__init__()
        self.typed: dict[str, str] = {}
        """Names that were changed by hand, by what they are for."""
        self.over = ""
        """A file that the next Enter goes over."""

    def body(self) -> Iterable[Widget]:
        """What, where, and what became of it."""
        kinds = Rows(id="kinds")
        kinds.always = True
        yield Page(kinds, AnswerInput(id="path"), Static("", id="said", markup=False), id="page")

    def on_mount(self) -> None:
        """The line takes the keys."""
        self.query_one(Page).can_focus = False
        self.query_one(Rows).can_focus = False
        self.retell()
        self._offer()
        self.set_focus(self.query_one(AnswerInput))

    def retell_body(self) -> None:
        """The list again."""
        self.query_one(Rows).show([Row(kind, Content(self.named(kind))) for kind in self.KINDS])

    def named(self, kind: str) -> str:
        """What can be kept, in words."""
        raise NotImplementedError

    def text(self, kind: str) -> str:
        """What the file holds. Raises ``ValueError`` with the sentence where it cannot be written down."""
        raise NotImplementedError

    def misnamed(self, typed: str) -> bool:
        """Whether a name says that the file holds something else; for subclasses."""
        return False

    def is_ours(self, path: Path) -> bool:
        """Whether a file that is there was kept here before; for subclasses."""
        return True

    @property
    def kind(self) -> str:
        """What is kept."""
        return self.query_one(Rows).current or next(iter(self.KINDS))

    def _offer(self) -> None:
        line = self.query_one(AnswerInput)
        line.value = self.typed.get(self.kind, self.KINDS[self.kind])
        line.selection = Selection(0, len(line.value))  # typing takes its place

    def action_walk(self, step: int) -> None:
        """Another thing to keep."""
        rows = self.query_one(Rows)
        before = rows.current
        rows.action_move(step)
        if rows.current != before:
            self._offer()

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """A click chooses."""
        event.stop()
        self._offer()

    def on_input_changed(self, event: Input.Changed) -> None:
        """A name typed by hand is kept; what was said is about another one."""
        event.stop()
        if event.value != self.KINDS[self.kind]:
            self.typed[self.kind] = event.value
        if event.value != self.over:
            self._tell("")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Write it."""
        event.stop()
        typed = event.value.strip()
        if not typed:
            self._tell(self.tell("diagnose.no_name"))
            return
        if self.misnamed(typed):
            self._tell(self.tell("diagnose.misnamed", end=Path(typed).suffix, what=self.named(self.kind)))
            return
        try:
            path = keeping.write(typed, self.text(self.kind), over=self.over == typed)
        except keeping.Exists:
            known = "exists" if self.is_ours(Path(typed).expanduser()) else "foreign"
            self._tell(self.tell(f"diagnose.{known}", path=typed), over=typed)
            return
        except (OSError, ValueError, RuntimeError) as error:
            reason = str(getattr(error, "strerror", None) or error)
            self._tell(self.tell("diagnose.not_saved", path=typed, reason=reason))
            return
        self.notify(self.tell("diagnose.saved", path=str(path.absolute())), markup=False)
        self.tutor.close(self)

    def _tell(self, words: str, over: str = "") -> None:
        self.over = over
        said = self.query_one("#said", Static)
        said.display = bool(words)
        said.update(Content.styled(words, ACCENT))

    def enter(self) -> str:
        """Write it."""
        return self.tell("diagnose.enter.save")

    def is_typing(self) -> bool:
        """Always: letters go into the line."""
        return True

    def name_of(self) -> str:
        """Name of the panel."""
        return self.tell("diagnose.save")

    def can(self, command: Command) -> bool:
        """What makes sense here."""
        return command.id not in ("peek", "home")


class SavePanel(KeepPanel):
    """The scenario of the form, or its report, with or without what tells whose server it is."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("alt+r", "screen.redact", show=False)]
    REPORTS = ("markdown", "json")
    """What can be redacted: a scenario without its paths could not be opened again."""

    KINDS: ClassVar[Mapping[str, str]] = {str(kind): name for kind, name in keeping.KINDS.items()}

    def __init__(self, report: Report) -> None:
        super().__init__()
        self.report = report
        self.redacted = False

    def named(self, kind: str) -> str:
        """What can be kept, in words."""
        return self.tell(f"diagnose.keep_{kind}")

    def text(self, kind: str) -> str:
        """What the file holds."""
        whole = keeping.text(cast("keeping.Kind", kind), self.report, self.lang)
        return keeping.redacted(cast("keeping.Kind", kind), whole) if self.redacted and kind in self.REPORTS else whole

    def misnamed(self, typed: str) -> bool:
        """JSON is not to lie in a file for reading, nor the other way round."""
        return keeping.misnamed(self.kind, typed)

    def is_ours(self, path: Path) -> bool:
        """Whether it is an earlier scenario, or an earlier report."""
        from tutor.diagnoser import targets

        try:
            return targets.is_ours(path, report=self.kind in self.REPORTS)
        except OSError:
            return False

    def retell_body(self) -> None:
        """The list, each report with the note that it is redacted."""
        note = Content.styled(f"  {self.tell('diagnose.redacted')}", ACCENT)
        marked = self.REPORTS if self.redacted else ()
        rows = [(kind, Content(self.named(kind))) for kind in self.KINDS]
        self.query_one(Rows).show(
            [Row(kind, Content.assemble(told, note if kind in marked else "")) for kind, told in rows]
        )

    def action_redact(self) -> None:
        """Leave out hosts, paths and people, or leave them in."""
        self.redacted = not self.redacted
        self.retell()

    def _hints(self) -> Iterable[KeyHint]:
        yield from super()._hints()
        word = "diagnose.unredact" if self.redacted else "diagnose.redact"
        yield KeyHint("alt+r", self.tell(word), "screen.redact", 1)

    def own_keys(self) -> Sequence[tuple[str, str]]:
        """Its own keys, for help."""
        return [*super().own_keys(), ("alt+r", self.tell("diagnose.redact_help"))]
