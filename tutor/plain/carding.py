"""A card of a quiz in lines: what comes to mind is typed, then the answer is read and its ideas are counted."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from content import cards
from content.fill import fill
from content.markup import plain
from tutor.plain import grading
from tutor.plain.orders import Order
from tutor.plain.reader import Reader

if TYPE_CHECKING:
    from content.quiz.model import Question
    from tutor.revision.model import Answered
    from tutor.revision.run import Run

_ALL = frozenset("all sab saare sabhi".split())
_NONE = frozenset(("none", "no", "0", "nothing", "koi nahi", "kuch nahi", "nahi", "ek bhi nahi"))
_AND = frozenset("and aur".split())


def ask(reader: Reader, asked: Run, question: Question, card: cards.Card) -> None:
    """Ask a card and stay until the learner goes on."""
    _Turn(reader, asked, question, card).all()


def numbers(typed: str, most: int) -> frozenset[int] | None:
    """Which of so many ideas a line names, counted from 1: "1 3", "1, 3", "1 aur 3", "all", "none".

    ``None`` for a line that is no such list.
    """
    said = " ".join(typed.lower().split()).rstrip(".")
    if said in _NONE:
        return frozenset()
    if said in _ALL:
        return frozenset(range(1, most + 1))
    words = [word for word in re.split(r"[\s,;.+&]+", said) if word and word not in _AND]
    if not words or not all(word.isascii() and word.isdigit() and len(word) < 4 for word in words):
        return None
    found = frozenset(map(int, words))
    return found if found <= frozenset(range(1, most + 1)) else None


class _Turn:
    def __init__(self, reader: Reader, asked: Run, question: Question, card: cards.Card) -> None:
        self._reader, self._asked, self._question, self._card = reader, asked, question, card
        self._answered: Answered | None = None
        self._began = time.monotonic()

    def all(self) -> None:
        """From the front to the wish to go on."""
        self._say_front()
        while self._answered is None:
            order, typed = self._reader.listen(self._reader.say("quiz.card_prompt"))
            if order in ("next", "skip"):
                self._asked.skip()
                self._reader.out.say(self._reader.say("quiz.skipped"))
                return
            self._heard(order, typed)
        while not self._answered.test:
            order, typed = self._reader.listen(self._reader.say("quiz.next_prompt"))
            if order in ("next", "skip") or (order is None and not typed):
                return
            self._after(order, typed)

    def _heard(self, order: Order | None, typed: str) -> None:
        """Before the answer is shown."""
        seconds = time.monotonic() - self._began
        if order == "solution":
            self._answered = self._asked.give_up(seconds)
            self._say_back()
            self._say_grade()
        elif order is not None:
            self._aside(order)
        elif grading.is_said(typed):
            grading.help(self._reader, None)
        else:
            self._mark(typed, seconds)

    def _mark(self, typed: str, seconds: float) -> None:
        """The answer, its ideas, and which of them were there."""
        from content.quiz import ideas

        self._say_back()
        labels, found = ideas.ideas(self._card, self._reader.lang), ideas.found(self._card, typed, self._reader.lang)
        there = frozenset(n for n, known in enumerate(found, start=1) if known)
        self._say_ideas(there)
        kept = self._kept(there, len(labels))
        self._answered = self._asked.tick(typed, [str(n - 1) for n in sorted(kept)], seconds)
        self._reader.out.say(self._reader.say("quiz.ideas_kept", n=len(kept), of=len(labels)))
        self._say_grade()

    def _kept(self, there: frozenset[int], of: int) -> frozenset[int]:
        """The marks as the learner leaves them."""
        while True:
            order, typed = self._reader.listen(self._reader.say("quiz.ideas_prompt"))
            if order in ("repeat", "lang"):
                self._say_back()
                self._say_ideas(there)
            elif order in ("next", "skip") or not typed:
                return there
            elif order == "solution":  # "I do not know": none of them was there
                return frozenset()
            elif (named := numbers(typed, of)) is not None:
                return named
            else:
                self._reader.out.say(self._reader.say("quiz.ideas_numbers", of=of))

    def _after(self, order: Order | None, typed: str) -> None:
        """When it is graded."""
        if order == "solution":
            self._say_back()
        elif order is not None:
            self._aside(order)
        elif (changed := grading.overruled(self._reader, self._asked, self._answered, typed)) is not None:
            self._answered = changed
        elif grading.is_said(typed):
            grading.help(self._reader, self._answered)
        else:
            self._reader.out.say(self._reader.say("quiz.done_with"))

    def _aside(self, order: Order) -> None:
        if order in ("repeat", "lang"):
            self._say_front()
            if self._answered is not None:
                self._say_back()
        elif order == "grade":
            grading.help(self._reader, self._answered)
        elif order == "lesson":
            self._reader.out.say(grading.lesson(self._reader, self._question))
        else:
            self._reader.out.say(self._reader.say("quiz.card_no_hint" if order == "hint" else "quiz.not_here"))

    def _say_grade(self) -> None:
        if self._answered is not None:
            grading.outcome(self._reader, self._answered)

    def _say_front(self) -> None:
        lang = self._reader.lang
        self._reader.out.say("\n" + plain(fill(self._card.front[lang], lang, cards.scope(self._card))))

    def _say_back(self) -> None:
        lang = self._reader.lang
        text = plain(fill(self._card.back[lang], lang, cards.scope(self._card)))
        self._reader.out.say(self._reader.say("quiz.card_back", text=text))

    def _say_ideas(self, there: frozenset[int]) -> None:
        from content.quiz import ideas

        self._reader.out.say(self._reader.say("quiz.ideas"))
        for n, label in enumerate(ideas.ideas(self._card, self._reader.lang), start=1):
            key = "quiz.idea_found" if n in there else "quiz.idea_open"
            self._reader.out.say(self._reader.say(key, n=n, idea=label))
