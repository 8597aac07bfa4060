"""The values of the figure in the playground: said, typed, stepped, with names to choose from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from textual.content import Content
from textual.widget import Widget

from content.words import say
from tutor.playing import reading, values
from tutor.playing.unreadable import Unreadable, refused
from tutor.widgets.field_form import FieldForm
from tutor.widgets.field_rows import FormRow
from tutor.widgets.ink import QUIET
from tutor.widgets.rows import Row
from tutor.widgets.value_form import ValueForm
from tutor.widgets.whole import at_once

if TYPE_CHECKING:
    from content.lang import Lang
    from tutor.figures.parameters import Parameter
    from tutor.figures.state import State
    from tutor.screens.playground_figure import PlayFigure

NAMED = ("model", "gpu", "format", "choice")
"""Kinds of which there are names to choose from."""


def _hint(one: Parameter) -> str:
    """What stands where a value is empty: a name that fits, or that it is not set."""
    return "unset" if one.unset else one.kind if one.kind in ("model", "gpu") else ""


class ValuesPane(ValueForm):
    """The form for one figure after the other; each keeps the value that was at hand."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.take, self.step, self.takes = self._take_text, self._step_value, self._refuses_paste
        self._view: PlayFigure | None = None
        self._told: dict[str, Unreadable] = {}
        """What could not be taken, by value; the language may change while it stands there."""
        self._giving = False
        """Whether the figure is being handed a state from here: all is said once, when it has taken it."""
        self._at: dict[str, str] = {}
        """Of each figure the value at hand."""

    @property
    def _lang(self) -> Lang:
        return "hi-Latn" if self._view is not None and self._view.language == "hi-Latn" else "en"

    @property
    def _parameters(self) -> dict[str, Parameter]:
        if self._view is None:
            return {}
        return {one.name: one for one in values.offered(self._view.figure, self._view.state)}

    @property
    def offers(self) -> bool:
        """Whether this figure has anything to type."""
        return bool(self._parameters)

    def turn(self, view: PlayFigure) -> None:
        """The values of another figure."""
        if self._view is not None:
            self._at[self._view.figure.name] = self.current
        self._view, self._told, self._shown = view, {}, ""
        self.current = self._at.get(view.figure.name, "")
        self.suggest(())
        self.say(fresh=True)

    def say(self, *, fresh: bool = False) -> None:
        """Say all values again; what is being typed stays, unless the figure is another one."""
        view = self._view
        if view is None or not self.is_mounted or self._giving:
            return
        parameters = self._parameters
        typed = self.typed[1] if self.edited and not fresh else None
        rows = [self._row(view, one) for one in parameters.values()]
        self.display = bool(rows)
        self.show_values(rows, typed=typed)
        here = parameters.get(self.current)
        self.signed = here is not None and here.least < 0

    def _row(self, view: PlayFigure, one: Parameter) -> FormRow:
        label = " ".join(say(f"figures.{one.label}", self._lang).split())
        problem = self._told[one.name].told(self._lang) if one.name in self._told else ""
        hint = say(f"app.playground.hint.{_hint(one)}", self._lang) if _hint(one) else ""
        value = values.shown(view.figure, one, view.state, view.named.get(one.name, ""))
        return FormRow(one.name, label, value, "" if value else hint, problem)

    # --- changing ----------------------------------------------------------------------------------------------------

    def _take_text(self, name: str, text: str) -> bool:
        view, one = self._view, self._parameters.get(name)
        if view is None or one is None:
            return False
        try:
            state, called = values.typed(view.figure, one, view.state, text), values.named(one, text)
            taken = self._give(view, state, {name: called} if called else {})
            self._told = {} if taken else {name: refused("alone", one, text)}
        except Unreadable as problem:
            self._told = {name: problem}
        if self._told:
            self.say()
            self.call_after_refresh(self.reveal)
            return False
        self.say(fresh=True)
        return True

    def _refuses_paste(self, name: str, text: str) -> bool:
        """Whether a pasted text can stand in no line; what is wrong with it is told, and the line stays as it was."""
        one = self._parameters.get(name)
        try:
            if one is not None:
                reading.pasted(one, text)
        except Unreadable as problem:
            self._told = {name: problem}
            self.say()
            self.call_after_refresh(self.reveal)
            return True
        return False

    def _step_value(self, name: str, by: int) -> bool:
        view, one = self._view, self._parameters.get(name)
        if view is None or one is None or one.kind in ("text", "list"):
            return False
        state = values.stepped(view.figure, one, view.state, 1 if by > 0 else -1)
        self._told = {}
        named = one.kind in ("model", "gpu") and state != view.state
        self._give(view, state, {name: values.shown(view.figure, one, state, "")} if named else {})
        self.say(fresh=True)
        at_once(self.screen)
        return True

    def _give(self, view: PlayFigure, state: State, called: Mapping[str, str]) -> bool:
        """Hand the figure a state; what it answers is said by whoever asked."""
        self._giving = True
        try:
            return view.take(state, called)
        finally:
            self._giving = False

    def step_by(self, by: int) -> None:
        """A step of the value at hand, wherever the keys are."""
        self.steps(by)

    def forget(self) -> None:
        """Let go of what is typed and told."""
        self._told = {}
        self.suggest(())
        self.restore()

    def escape(self) -> bool:
        """Put the suggestions away and the value that holds back; whether there was anything."""
        had = bool(self._told)
        self._told = {}
        if any((self.close(), self.restore(), had)):
            self.say(fresh=True)
            return True
        return False

    # --- names to choose from ----------------------------------------------------------------------------------------

    def on_field_form_edited(self, event: FieldForm.Edited) -> None:
        """Another text: names that fit it, and what was told is about the text before."""
        event.stop()
        if event.name not in self._parameters or (event.name, event.text) != self.typed:
            return
        if self._told.pop(event.name, None):
            self.say()
        self._offer(event.name, event.text if self.edited else None)

    def on_value_form_opened(self, event: ValueForm.Opened) -> None:
        """What the value may be."""
        event.stop()
        self._offer(event.name, "")

    def on_field_form_moved(self, event: FieldForm.Moved) -> None:
        """Another value is at hand."""
        event.stop()
        self.say()

    def _offer(self, name: str, text: str | None) -> None:
        one = self._parameters.get(name)
        if one is None or one.kind not in NAMED or text is None:
            self.suggest(())
            return
        found = values.suggestions(one, text)
        rows = [Row(name, Content(name)) for name in found]
        left = values.named_by(one) - len(found) if not text else 0
        if left > 0:
            more = say("app.playground.more_names", self._lang, n=left)
            rows.append(Row("", Content.styled(f"  {more}", QUIET)))
        self.suggest(rows)

    def on_resize(self) -> None:
        """What was told is wrapped for the width."""
        self.say()

    def reveal(self) -> None:
        """Bring the line into sight; the form lies on a page that scrolls."""
        if isinstance(self.parent, Widget):
            super().reveal()
