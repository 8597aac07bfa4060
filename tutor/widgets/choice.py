"""One of a few words, changed in place: left, right, a click."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from tutor.widgets.ink import ACCENT, STRONG, wants_ascii


class Choice(Widget, can_focus=True):
    """A word between two arrows.

    | Key | What it does |
    | :- | :- |
    | left, right, space, a click | the word before, the next |
    """

    DEFAULT_CSS = "Choice { height: 1; width: auto; min-width: 10; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "turn(-1)", show=False),
        Binding("right,space", "turn(1)", show=False),
    ]

    value: reactive[str] = reactive("", init=False)
    """The id of the word that is chosen."""

    @dataclass
    class Changed(Message):
        """Another word."""

        choice: Choice
        value: str

        @property
        def control(self) -> Choice:
            """The widget."""
            return self.choice

    def __init__(self, words: Mapping[str, str], value: str, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._words = dict(words)
        self.set_reactive(Choice.value, value)

    def say(self, words: Mapping[str, str]) -> None:
        """The same choices in other words."""
        self._words = dict(words)
        self.refresh(layout=True)

    def action_turn(self, step: int) -> None:
        """Another word."""
        ids = list(self._words)
        self.value = ids[(ids.index(self.value) + step) % len(ids)]
        self.post_message(self.Changed(self, self.value))

    def on_click(self) -> None:
        """The next word."""
        self.action_turn(1)

    def on_focus(self) -> None:
        """The word stands out while it has the keys."""
        self.refresh()

    def on_blur(self) -> None:
        """See `on_focus`."""
        self.refresh()

    def render(self) -> Content:
        """The word, and the arrows while it has the keys."""
        before, behind = ("< ", " >") if wants_ascii(self) else ("‹ ", " ›")
        style = f"{STRONG} {ACCENT}" if self.has_focus else ""
        return Content.assemble((before, ACCENT), (self._words.get(self.value, self.value), style), (behind, ACCENT))
