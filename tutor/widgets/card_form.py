"""A revision card: the key words typed, then its answer with the ideas that were found in them ticked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from content import cards
from content.cards import Card
from content.quiz.ideas import found, ideas
from content.schema import Part
from tutor.widgets.prose import Piece
from tutor.widgets.rubric_form import TickForm


class CardForm(TickForm):
    """Only what stands there word for word is ticked beforehand; the learner ticks and unticks. No text is needed.

    Enter goes on, from the text to the answer and from there to the count: the cursor waits on the row that counts.
    """

    DEFAULT_CSS = "CardForm Explanation, CardForm Explanation:focus { height: 3; }"
    WORDS: ClassVar[str] = "quiz.card"
    BLANK: ClassVar[bool] = True
    FIRST: ClassVar[str] = "done"
    FOLDS: ClassVar[bool] = True

    def __init__(self, parts: Sequence[Part], card: Card) -> None:
        super().__init__(parts)
        self.card = card

    def points(self) -> Sequence[tuple[str, str]]:
        """The ideas of the answer; their ids are their numbers."""
        return [(str(number), said) for number, said in enumerate(ideas(self.card, self.lang))]

    def model(self) -> Sequence[Piece]:
        """The card's back."""
        return self.teller.read(self.card.back, cards.scope(self.card))

    def begin(self) -> None:
        """Tick what was found."""
        there = found(self.card, self.text.text, self.lang)
        self.ticked = [str(number) for number, said in enumerate(there) if said]
