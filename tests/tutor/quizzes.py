"""A quiz of chosen items in the app, on a progress file of its own; and what is right for its questions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from textual.pilot import Pilot

from content.checking import expectation
from content.quiz import items
from content.quiz.model import Question
from engine import units
from engine.answers.numeric import right_value
from tests.tutor.frames import settle
from tutor.app import TutorApp
from tutor.revision.model import Mode, Wanted
from tutor.screens.quiz import QuizScreen
from tutor.screens.quiz_turn import Quiz
from tutor.session import Session
from tutor.travel import QUIZ


def quiz_app(ids: Sequence[str] = (), lang: str = "en", mode: Mode = "due", **chosen: object) -> TutorApp:
    """The app on the disk of `LLM_TUTOR_HOME`, with a quiz on these items; without any, at home."""
    session = Session.start(lang)
    session.settings = session.settings._replace(**chosen)
    if not ids:
        return TutorApp(session, ask=False)
    run = session.revision.start(Wanted(mode, most=len(ids)))
    run._queue = [items.catalogue()[id] for id in ids]
    run._total = len(ids)
    app = TutorApp(session, QUIZ, ask=False)
    app.quiz = Quiz(run.wanted, run)
    return app


def page(app: TutorApp) -> QuizScreen:
    """The quiz on the screen."""
    assert isinstance(app.screen, QuizScreen), app.screen
    return app.screen


def question(app: TutorApp) -> Question:
    """What is being asked."""
    found = page(app).question
    assert found is not None
    return found


def right(asked: Question) -> str:
    """A right answer to a question with a number for an answer."""
    assert asked.exercise is not None and asked.part is not None
    value: Fraction = right_value(asked.expect or expectation(asked.exercise, asked.part))
    return f"{float(value / units.get(asked.part.unit).factor):.8g} {asked.part.unit}"


async def drawn(pilot: Pilot[None]) -> None:
    """Wait for the next question."""
    for _ in range(20):
        await settle(pilot)
        screen = pilot.app.screen
        if not getattr(screen, "busy", False):
            return
    raise AssertionError("still busy")
