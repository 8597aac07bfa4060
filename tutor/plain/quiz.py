"""A quiz in lines: question after question until none is left or the learner stops; then the sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from content.words import counted, say
from tutor import quizsheet, quizzed
from tutor.plain.orders import QUIZ, word
from tutor.plain.reader import Quit, Reader
from tutor.plain.terminal import Terminal
from tutor.session import Session

if TYPE_CHECKING:
    from content.quiz.model import Question
    from tutor.revision.model import Answered
    from tutor.revision.run import Run


class Revisor(Reader):
    """A reader who is being asked."""

    orders = QUIZ
    room = "quiz"
    told = False
    """Whether the sheet was said already."""


def run(session: Session, terminal: Terminal, asked: Run) -> None:
    """Ask until the quiz is over. Whatever ends it, what was answered is on the disk, and the sheet is said.

    Raises:
        KeyboardInterrupt: the learner pressed ctrl+c; the sheet is said by then.
    """
    reader = Revisor(session, terminal)
    reader.notices()
    try:
        _through(reader, asked)
    except KeyboardInterrupt:
        _farewell(reader, asked)
        raise
    _farewell(reader, asked)


def within(session: Session, terminal: Terminal, asked: Run) -> None:
    """The same inside plain study, which goes on afterwards."""
    _through(Revisor(session, terminal), asked)


def _through(reader: Revisor, asked: Run) -> None:
    """All questions, and the sheet however they end."""
    try:
        _questions(reader, asked)
    except (Quit, EOFError):
        pass
    except KeyboardInterrupt:
        reader.out.say()
        _end(reader, asked)
        raise
    _end(reader, asked)


def _questions(reader: Revisor, asked: Run) -> None:
    from tutor.plain import afterwards, carding, turn

    question = asked.next()
    if question is None:
        return
    _opening(reader, asked)
    given = list[tuple[str, "Answered"]]()
    while question is not None:
        _heading(reader, asked, question)
        if question.card is not None:
            carding.ask(reader, asked, question, question.card)
        elif (answer := turn.ask(reader, asked, question)) is not None:
            given.append(answer)
        question = asked.next()
    if asked.wanted.mode == "test":
        _sheet(reader, asked)
        afterwards.go_through(reader, given)


def _opening(reader: Revisor, asked: Run) -> None:
    """What this quiz is, and what steers it."""
    _, of = asked.place()
    mode, due = asked.wanted.mode, asked.offered
    if asked.limit_s is not None:
        minutes = round(asked.limit_s / 60)
        told = {"questions": counted("questions", of, reader.lang), "minutes": counted("minutes", minutes, reader.lang)}
        reader.out.say(say("quiz.test.start", reader.lang, **told))
    elif mode == "due":
        reader.out.say(quizzed.waiting(due, reader.lang) + ".")
    else:
        place = quizzed.place(asked.wanted, reader.lang)
        reader.out.say(f"{place}: {say(f'quiz.mode.{mode}.about', reader.lang)}.")
    if mode == "due":
        for sentence in quizzed.backlog(due, of, reader.session, reader.lang):
            reader.out.say(sentence)
    reader.out.say(reader.say("quiz.welcome", help=word("help", reader.lang), quit=word("quit", reader.lang)))


def _heading(reader: Revisor, asked: Run, question: Question) -> None:
    """Which question it is, or how many missed ones come again; in a test, with the time that is left."""
    n, of = asked.place()
    name = quizzed.heading(question.item, reader.lang)
    if not asked.once_more:
        place = reader.say("quiz.question", n=n, of=of, name=name)
    elif n < of:  # others come in between
        place = reader.say("quiz.once_more", name=name)
    else:
        place = reader.say("quiz.once_more_left", left=asked.coming + 1, name=name)
    if asked.limit_s is not None:
        place += f" ({say('quiz.test.clock', reader.lang, left=quizzed.duration(asked.left_s()))})"
    reader.out.say(f"\n{place}")


def _sheet(reader: Revisor, asked: Run) -> None:
    sheet, reader.told = asked.sheet(), True
    reader.out.say()
    if sheet.over:
        reader.out.say(say("quiz.test.over", reader.lang))
    for line in quizsheet.lines(sheet, reader.lang):
        reader.out.say(line)


def _end(reader: Revisor, asked: Run) -> None:
    """The sheet, or why there is none."""
    asked.end()
    sheet = asked.sheet()
    if sheet.lines:
        if not reader.told:
            _sheet(reader, asked)
    else:
        reader.out.say(quizzed.nothing(asked, reader.session, reader.lang))
        reader.out.say(reader.say("quiz.nothing_else"))


def _farewell(reader: Revisor, asked: Run) -> None:
    """What was answered is said to be kept only where it is."""
    kept = reader.session.save()
    if asked.sheet().asked:
        reader.out.say(reader.say("quiz.bye" if kept else "plain.bye_unkept"))
    if kept:
        reader.notices()
