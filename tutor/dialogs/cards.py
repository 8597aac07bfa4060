"""The questions of a lesson, one at a time: think, turn the card, go on. Nothing is graded here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar

from textual.binding import BindingType
from textual.widget import Widget

from content import cards
from content.words import say
from tutor.keys import Command, Scope
from tutor.screens.base import bindings
from tutor.screens.reading import ReadPanel
from tutor.widgets.page import Page
from tutor.widgets.prose import Prose, pieces


class CardsPanel(ReadPanel):
    """One card: its question, and after a key its answer."""

    DEFAULT_CSS = "CardsPanel #back { margin-top: 1; }"
    SCOPE: ClassVar[Scope] = "cards"
    BINDINGS: ClassVar[list[BindingType]] = bindings("cards")

    def __init__(self, lesson: str, done: Callable[[], None]) -> None:
        super().__init__()
        self._done = done
        """Told when the reader has gone past the last card."""
        self.cards = cards.of_lesson(lesson)
        self.number = 0
        self.turned = False

    def body(self) -> Iterable[Widget]:
        """The question, and below it the answer."""
        yield Page(Prose(id="front"), Prose(id="back"), id="page")

    def retell_body(self) -> None:
        """The card again, as far as it is turned."""
        card = self.cards[self.number]
        scope = cards.scope(card)
        self.query_one("#front", Prose).show(self.read(card.front, scope))
        waiting = pieces(self.tell("cards.think"), quiet=True)
        self.query_one("#back", Prose).show(self.read(card.back, scope) if self.turned else waiting)

    def action_turn_card(self) -> None:
        """Show the answer; on an answer, go to the next card."""
        if self.turned:
            self.action_next_card()
        else:
            self.turned = True
            self.retell()

    def action_next_card(self) -> None:
        """The next question; behind the last one the panel closes."""
        if self.number + 1 < len(self.cards):
            self._go(self.number + 1)
        else:
            self._done()
            self.tutor.call_later(self.tutor.action_back)

    def action_previous_card(self) -> None:
        """The question before."""
        if self.number:
            self._go(self.number - 1)

    def _go(self, number: int) -> None:
        self.number, self.turned = number, False
        self.retell()
        self.query_one(Page).scroll_home(animate=False)

    def can(self, command: Command) -> bool:
        """What makes sense on this card."""
        return command.id != "home" and not (command.id == "previous-card" and self.number == 0)

    def label_of(self, command: Command) -> str:
        """On an answer the turning key goes on."""
        going_on = command.id == "turn-card" and self.turned
        return say("app.keys.next-card.label", self.lang) if going_on else super().label_of(command)

    def name_of(self) -> str:
        """Name of the panel."""
        return self.tell("cards.title")

    def progress(self) -> Sequence[str]:
        """Which question of how many."""
        return (
            self.tell("cards.number", n=self.number + 1, of=len(self.cards)),
            f"{self.number + 1}/{len(self.cards)}",
        )
