"""A placement in lines: question, right or not yet, and at the end where to begin."""

from __future__ import annotations

from content.markup import plain
from content.quiz import questions
from content.quiz.model import Question
from content.words import say
from tutor.placement import telling
from tutor.placement.placement import MOST, Placement, Suggestion
from tutor.placement.where import target
from tutor.plain import asking
from tutor.plain.orders import PLACEMENT, Order, word
from tutor.plain.reader import Quit, Reader
from tutor.plain.terminal import Terminal
from tutor.session import Session

_UNKNOWN: tuple[Order, ...] = ("solution", "skip", "next")
"""Words that all say "I don't know" here."""


class Newcomer(Reader):
    """A reader who is being placed."""

    orders = PLACEMENT

    def help(self) -> str:
        """What can be typed."""
        named = {"solution": say("placement.unknown_word", self.lang)}
        lines = [
            f"  {named.get(order) or word(order, self.lang)}: {say(f'placement.lines.order_{order}', self.lang)}"
            for order in self.orders
        ]
        return "\n".join([self.say("plain.help"), *lines])


def run(session: Session, terminal: Terminal, placement: Placement) -> Suggestion | None:
    """Ask until it is clear where to begin, and keep that; ``None`` where the learner left before.

    Raises:
        KeyboardInterrupt: the learner pressed ctrl+c; nothing was changed.
    """
    reader = Newcomer(session, terminal)
    unknown = say("placement.empty_line", reader.lang)
    reader.out.say(say("placement.how", reader.lang, most=MOST, unknown=unknown))
    try:
        while (question := placement.next()) is not None:
            _ask(reader, placement, question)
    except (Quit, EOFError):
        reader.out.say(say("placement.lines.left", reader.lang))
        return None
    found = placement.suggestion()
    session.change(placement=found.id.rpartition("/")[2])
    _tell(reader, found)
    return found


def _ask(reader: Newcomer, placement: Placement, question: Question) -> None:
    """One question, until it is answered."""
    assert question.part is not None  # cards are not asked
    reader.out.say("\n" + say("placement.lines.question", reader.lang, n=placement.number, of=MOST))
    _say_question(reader, question)
    while placement.current is not None:
        order, typed = reader.listen(asking.how(question.part, reader.lang))
        if order in _UNKNOWN or not typed:
            placement.dont_know()
        elif order in ("repeat", "lang"):
            _say_question(reader, question)
        elif order is not None:
            reader.out.say(say("placement.lines.not_here", reader.lang, quit=word("quit", reader.lang)))
        else:
            verdict = placement.answer(typed)
            if verdict.verdict == "invalid" and placement.current is not None:
                reader.out.say(plain(questions.message(question, verdict, reader.lang)))
    reader.out.say(say(f"placement.{placement.said[-1].outcome}", reader.lang))


def _say_question(reader: Newcomer, question: Question) -> None:
    assert question.exercise is not None and question.part is not None
    bare = question.exercise._replace(show=())  # the prompt has all values already, and is read aloud here
    reader.out.say(asking.prompt(bare, reader.lang, ""))
    if question.part.kind == "match" and question.part.ask is None:
        reader.out.say(f'"{plain(question.part.label[reader.lang])}"')
    text = asking.question(question.exercise, question.part, reader.lang)
    if text:
        reader.out.say(text)


def _tell(reader: Newcomer, found: Suggestion) -> None:
    reader.out.say("\n" + telling.headline(found, reader.lang))
    for line in telling.why(found, reader.lang):
        reader.out.say(line)
    reader.out.say(say("placement.result.open", reader.lang))
    reader.out.say(say("placement.lines.goes_on", reader.lang, id=target(found.level)))
    reader.notices()
