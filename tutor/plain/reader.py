"""One person at one terminal: what is said, what is typed, and the words that steer."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from content.words import has, say
from tutor import language
from tutor.language import Lang
from tutor.plain.orders import STUDY, Order, order_of, word
from tutor.plain.terminal import Terminal
from tutor.session import Session

if TYPE_CHECKING:
    from content.lang import Text
    from content.schema import FigureRef


class Quit(Exception):
    """The reader has had enough."""


class Reader:
    """Says our words and hears typed lines.

    ``orders`` are the words that steer here, ``room`` whose words say what they do there ("plain" for those of study).
    """

    orders: tuple[Order, ...] = STUDY
    room = "plain"

    def __init__(self, session: Session, terminal: Terminal) -> None:
        self.session, self.out = session, terminal

    @property
    def lang(self) -> Lang:
        """The language of this moment."""
        return self.session.language

    def say(self, key: str, **params: object) -> str:
        """Our words: `plain.hint` is `cli.plain.hint`."""
        return say(f"cli.{key}", self.lang, **params)

    def heading(self, title: str, place_id: str) -> None:
        """The name of a lesson or exercise."""
        self.out.say(f"\n{title} ({place_id})")

    def figure(self, ref: FigureRef) -> None:
        """A figure in words; one that cannot be told is left out."""
        lines = self.figure_lines(ref)
        if lines:
            self.out.say("\n" + "\n".join(lines))

    def figure_lines(self, ref: FigureRef) -> tuple[str, ...]:
        """The title and the lines of a figure, with what the reader has learnt so far; none if it cannot be told."""
        from tutor import coursemap
        from tutor.figures.plain import plain
        from tutor.figures.registry import BROKEN

        with suppress(*BROKEN):  # `course validate` names it; the text around it still stands
            state = coursemap.figure_state(ref, self.session)
            return tuple(plain(ref.name, state, 70, self.lang, ascii=self.session.ascii).split("\n"))
        return ()

    def source(self, text: Text | None) -> None:
        """Where a statement comes from, if that is told."""
        if text is not None:
            self.out.say("  " + say("app.lesson.source", self.lang, text=text[self.lang]))

    def listen(self, prompt: str) -> tuple[Order | None, str]:
        """The next line: the order it gives, or the text. `lang`, `help` and `quit` are followed here.

        Raises:
            Quit: the reader said so.
            EOFError: the input ended.
        """
        self.notices()
        while True:
            typed = self.out.ask(f"{prompt}:")
            order = order_of(typed)
            if order == "quit":
                raise Quit
            if order == "help":
                self.out.say(self.help())
                continue
            if order == "lang":
                self.session.set_language(language.other(self.lang))
                self.out.say(self.say("plain.lang"))
            return order, typed

    def help(self) -> str:
        """What can be typed."""
        lines = [f"  {word(order, self.lang)}: {self.say(self._meaning(order))}" for order in self.orders]
        return "\n".join([self.say("plain.help"), *lines])

    def _meaning(self, order: Order) -> str:
        own = f"{self.room}.order.{order}"
        return own if has(f"cli.{own}") else f"plain.order.{order}"

    def notices(self) -> None:
        """What went wrong with files, each once."""
        for sentence in self.session.notices():
            self.out.say(sentence)
