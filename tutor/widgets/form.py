"""The base of every form, the way an answer is given: typed, or chosen with letters and arrows, by the kind of part.

A form knows nothing of verdicts. It tells what is typed (`Drafted`) and handed in (`Submitted`), and it takes a draft
back, so that a killed app loses no word.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, TypeVar, cast

from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from content.lang import Lang
from content.schema import Option, Part, Step
from tutor import letters
from tutor.widgets.blank import Vertical

if TYPE_CHECKING:
    from tutor.screens.base import TutorScreen
    from tutor.widgets.prose import Piece


def letter(number: int) -> str:
    """The letter of an option: a, b, c."""
    return "abcdefghijklmnopqrstuvwxyz"[number]


_Item = TypeVar("_Item", Option, Step)


def shuffled(items: Sequence[_Item], seed: str) -> list[_Item]:
    """The items in an order of their own, the same at every visit; never the order of the file if that is avoidable."""
    order = list(items)
    for turn in range(9):
        Random(f"{seed}{turn}").shuffle(order)
        if order != list(items):
            break
    return order


def drafted(text: str, ticked: Sequence[str], *, comparing: bool) -> str:
    """An explanation with its ticks, and whether it is being compared already, as the draft of its form."""
    return json.dumps({"text": text, "ticked": list(ticked), "comparing": comparing}, ensure_ascii=False)


class Missing(Static):
    """One line that says which choice is missing; nothing is picked for the learner."""

    DEFAULT_CSS = "Missing { height: auto; width: 1fr; margin: 1 0 0 2; display: none; }"

    def __init__(self) -> None:
        super().__init__("", id="missing", markup=False)

    def say(self, words: str) -> None:
        """Say it, and bring it into sight; nothing for nothing."""
        if not words and not self.display:
            return
        self.update(Content(words))
        self.display = bool(words)
        if words:
            self.call_after_refresh(self.scroll_visible, animate=False, force=True, immediate=True)


class Form(Vertical):
    """The base: parts to answer, a draft, and two messages."""

    DEFAULT_CSS = "Form { height: auto; width: 1fr; max-width: 76; }"

    @dataclass
    class Submitted(Message):
        """Answers handed in: part id -> what was typed, or the id of what was chosen."""

        answers: Mapping[str, str]

    @dataclass
    class Drafted(Message):
        """What is typed or chosen, and not handed in, has changed."""

        form: Form
        draft: str

    @dataclass
    class Aimed(Message):
        """Another part of the group is under the cursor."""

        part: str

    def __init__(self, parts: Sequence[Part]) -> None:
        super().__init__(id="form")
        self.parts = tuple(parts)

    @property
    def part(self) -> Part:
        """The part, or the first of a group."""
        return self.parts[0]

    @property
    def teller(self) -> TutorScreen:
        """The screen, for its words."""
        return cast("TutorScreen", self.screen)

    @property
    def lang(self) -> Lang:
        """The language of this moment."""
        return self.teller.lang

    @property
    def draft(self) -> str:
        """What stands there now, as a text that `restore` takes back."""
        return ""

    @property
    def typing(self) -> bool:
        """Whether letters are typed into a text."""
        return False

    @property
    def edited(self) -> Widget:
        """What the learner is changing and wants to see."""
        return self

    @property
    def enter(self) -> str:
        """Key of the words for what Enter does, where that is not a check."""
        return ""

    @property
    def aimed(self) -> str:
        """Id of the part that hints and the solution are about."""
        return self.part.id

    def restore(self, draft: str) -> None:
        """Fill in a draft."""

    def offer(self, answer: str) -> None:
        """Fill in the last answer, to be changed or typed over."""
        self.restore(answer)

    def retell(self) -> None:
        """Say the form's own words again."""

    def settle(self, over: bool) -> None:
        """Whether all is answered and judged, so that the form's own words ask for nothing more."""

    def held(self, answers: Mapping[str, str]) -> None:
        """Which parts of the group were right, with what: what still stands so keeps its mark."""

    def missed(self, parts: Sequence[str]) -> None:
        """Which parts of the group are not right: the cursor goes to the first, and from one to the next."""

    def lacks(self, words: str) -> None:
        """Say which choice is missing; "" takes the line away."""
        for line in self.query(Missing):
            line.say(words)

    def hint(self, made: Sequence[Piece]) -> bool:
        """Show these hints where the answer is given; whether this form has a place for them."""
        return False

    def wait(self) -> None:
        """Have nothing chosen before the learner chooses: Enter alone is no answer then."""

    def take_focus(self) -> None:
        """Put the cursor where the answer goes."""

    def answered_by(self, listed: Sequence[letters.Lettered]) -> None:
        """Lines that wait under the verdict and may be picked in place of an answer."""

    def point(self, span: tuple[int, int] | None) -> None:
        """Show where an answer could not be read; None takes the mark away."""

    def judged(self, verdict: str) -> None:
        """What the verdict was: after a wrong one the next letter begins anew."""

    def ask_reason(self) -> None:
        """Ask why, where the part has reasons; only a yes or no has."""

    def submit(self) -> None:
        """Hand in what stands there, as Enter does."""
