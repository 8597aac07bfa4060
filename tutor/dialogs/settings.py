"""Settings: every one of `tutor.settings.SETTINGS`, with value and meaning; changes hold at once and are saved."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static

from content.words import say
from tutor import looks, paths
from tutor.keys import Command
from tutor.screens.base import Panel
from tutor.served import served
from tutor.settings import BY_NAME, SETTINGS, Setting, shown
from tutor.widgets.answer_input import AnswerInput
from tutor.widgets.ink import ACCENT, QUIET
from tutor.widgets.page import Page
from tutor.widgets.prose import Piece, Prose, pieces
from tutor.widgets.rows import Row, Rows

_OF_THE_MACHINE = ("probe", "probe_python")
"""Settings of what is closed in a browser."""


class SettingsPanel(Panel):
    """Arrows choose a setting, left and right (or Enter) its next value; a free text is typed below."""

    PASSING: ClassVar[bool] = True

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "screen.change(-1)", show=False),
        Binding("right", "screen.change(1)", show=False),
    ]

    def body(self) -> Iterable[Widget]:
        """The list, the meaning of the current setting, a line to type in."""
        rows = Rows(id="rows")
        rows.always = True  # the cursor says whose value is being typed
        yield Page(
            rows,
            Prose(id="meaning"),
            AnswerInput(id="typed"),
            Static("", id="told", markup=False),
            Prose(id="file"),
            id="page",
        )

    def on_mount(self) -> None:
        """The cursor is on the first setting."""
        self.query_one(Page).can_focus = False
        self.query_one(AnswerInput).display = False
        self.retell()
        self.set_focus(self.query_one(Rows))

    def retell_body(self) -> None:
        """List and meaning again."""
        rows = self.query_one(Rows)
        rows.show([self._row(setting) for setting in SETTINGS if not (served() and setting.name in _OF_THE_MACHINE)])
        self._say_meaning()
        told = [Piece(Content.styled(self.tell("settings.how"), QUIET))]
        told += pieces(self.tell("settings.keys"), quiet=True)
        if not served():
            told.append(Piece(Content.styled(self.tell("settings.file", path=str(paths.settings_file())), QUIET)))
        self.query_one("#file", Prose).show(told)

    def _row(self, setting: Setting) -> Row:
        value = self._value(setting)
        right = Content.styled(value or "·", ACCENT)
        return Row(setting.name, Content(say(f"settings.{setting.name}.label", self.lang)), right=right, brief=right)

    def _value(self, setting: Setting) -> str:
        # The running theme may come from the environment; the list shows what is saved.
        return shown(getattr(self.session.settings, setting.name))

    def _say_meaning(self) -> None:
        name = self.query_one(Rows).current
        self.query_one("#meaning", Prose).show(
            [Piece(Content(say(f"settings.{name}.help", self.lang)))] if name else []
        )
        self._tell("")

    def _tell(self, text: str) -> None:
        told = self.query_one("#told", Static)
        told.display = bool(text)
        told.update(Content(text))

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """Tell what the setting means."""
        event.stop()
        self._say_meaning()

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """The next value, or a line to type it in."""
        event.stop()
        if BY_NAME[event.id].options():
            self.action_change(1)
            return
        line = self.query_one(AnswerInput)
        line.display = True
        line.value = self._value(BY_NAME[event.id])
        self.set_focus(line)
        self.retell_keys()

    def action_change(self, step: int) -> None:
        """The next or the last of the values."""
        setting = BY_NAME[self.query_one(Rows).current]
        options = setting.options()
        if options:
            value = self._value(setting)
            place = options.index(value) if value in options else -1
            self._set(setting, options[(place + step) % len(options)])

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take a typed value, or say that it is none."""
        event.stop()
        setting = BY_NAME[self.query_one(Rows).current]
        try:
            self._set(setting, event.value)
        except ValueError:
            self._tell(self.tell("settings.no_value"))
            return
        self._close_line()

    def _close_line(self) -> None:
        self.query_one(AnswerInput).display = False
        self.set_focus(self.query_one(Rows))
        self.retell_keys()

    def _set(self, setting: Setting, text: str) -> None:
        value = setting.parse(text)
        self.session.change(**{setting.name: value})
        if setting.name == "language" and value in ("en", "hi-Latn"):
            self.session.set_language("hi-Latn" if value == "hi-Latn" else "en")
        if setting.name == "theme":
            looks.wear(self.tutor, text)
        if setting.name == "motion":
            looks.move(self.tutor, text)
        self.tutor.retell()

    async def go_back(self) -> None:
        """Escape leaves the line first."""
        if self.query_one(AnswerInput).display:
            self._close_line()
            return
        await super().go_back()

    def enter(self) -> str:
        """Change the setting, or keep what is typed."""
        return self.tell("settings.keep" if self.is_typing() else "settings.enter")

    def is_typing(self) -> bool:
        """While the line is open."""
        return bool(self.query_one(AnswerInput).display)

    def name_of(self) -> str:
        """Name of the panel."""
        return self.tell("settings.title")

    def can(self, command: Command) -> bool:
        """What makes sense here."""
        return command.id not in ("peek", "home")
