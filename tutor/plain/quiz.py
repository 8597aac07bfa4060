"""A quiz in lines: question after question until none is left or the learner stops; then the sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from content.words import say
from tutor import quizsheet, quizzed
from tutor.plain.orders import QUIZ, word
from tutor.plain.reader import Quit, Reader
from tutor.plain.terminal import Terminal
from tutor.session import Session

if TYPE_CHECKING:
    from content.quiz.model import Question
    from tutor.revision.run import Run


class Revisor(Reader):
    """A reader who is being asked."""

    orders = QUIZ
    room = "quiz"


def run(session: Session, terminal: Terminal, asked: Run) -> None:
    """Ask until the quiz is over. Whatever ends it, what was answered is on the disk, and the sheet is said.

    Raises:
        KeyboardInterrupt: the learner pressed ctrl+c; the sheet is said by then.
    """
    reader = Revisor(session, terminal)
    reader.notices()
    try:
        _questions(reader, asked)
    except (Quit, EOFError):
        pass
    except KeyboardInterrupt:
        terminal.say()
        _end(reader, asked)
        raise
    _end(reader, asked)


def _questions(reader: Revisor, asked: Run) -> None:
    from tutor.plain import carding, turn

    question = asked.next()
    if question is None:
        return
    _opening(reader, asked)
    while question is not None:
        _heading(reader, asked, question)
        if question.card is not None:
            carding.ask(reader, asked, question, question.card)
        else:
            turn.ask(reader, asked, question)
        question = asked.next()


def _opening(reader: Revisor, asked: Run) -> None:
    """What this quiz is, and what steers it."""
    _, of = asked.place()
    mode, due = asked.wanted.mode, asked.offered
    if asked.limit_s is not None:
        minutes = round(asked.limit_s / 60)
        reader.out.say(say("quiz.test.start", reader.lang, n=of, minutes=minutes))
    elif mode == "due":
        reader.out.say(quizzed.waiting(due.items, due.new, due.minutes, reader.lang) + ".")
    else:
        about = say(f"quiz.mode.{mode}.about", reader.lang)
        reader.out.say(f"{say(f'quiz.mode.{mode}.name', reader.lang)}: {about}.")
    if mode == "due":
        for sentence in quizzed.backlog(due, of, reader.session, reader.lang):
            reader.out.say(sentence)
    reader.out.say(reader.say("quiz.welcome", help=word("help", reader.lang), quit=word("quit", reader.lang)))


def _heading(reader: Revisor, asked: Run, question: Question) -> None:
    """Which question it is; in a test, with the time that is left."""
    n, of = asked.place()
    place = reader.say("quiz.question", n=n, of=of, name=quizzed.name(question.item, reader.lang))
    if asked.limit_s is not None:
        place += f" ({say('quiz.test.clock', reader.lang, left=quizzed.duration(asked.left_s()))})"
    reader.out.say(f"\n{place}")


def _end(reader: Revisor, asked: Run) -> None:
    """The sheet, or why there is none; what stays is said to be kept only where it is."""
    sheet = asked.sheet()
    if sheet.lines:
        reader.out.say()
        if sheet.over:
            reader.out.say(say("quiz.test.over", reader.lang))
        for line in quizsheet.lines(sheet, reader.lang):
            reader.out.say(line)
    else:
        reader.out.say(quizzed.nothing(asked, reader.session, reader.lang))
        reader.out.say(reader.say("quiz.nothing_else"))
    kept = reader.session.save()
    if sheet.asked:
        reader.out.say(reader.say("quiz.bye" if kept else "plain.bye_unkept"))
    if kept:
        reader.notices()
