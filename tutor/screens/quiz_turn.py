"""A quiz as the app keeps it while the reader is elsewhere: what is asked, and what was said to it so far."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from content.lang import Lang, Text
from content.markup import plain
from content.quiz.model import Item, Question
from content.schema import Exercise, Part
from content.words import say
from tutor import quizzed
from tutor.widgets.typed_form import Reading

if TYPE_CHECKING:
    from content.cards import Card
    from engine.answers.model import Verdict
    from tutor.letters import Settled
    from tutor.revision.model import Answered, Wanted
    from tutor.revision.run import Run
    from tutor.screens.desk import Asked, Told

NOTHING = Text("", "")


class Reversed(NamedTuple):
    """A judged answer to a question that is no part of the course, with its words; see `tutor.screens.desk.Told`."""

    question: Question
    verdict: Verdict

    @property
    def part(self) -> str:
        """Id of what stands for a part."""
        return self.question.item.id

    def message(self, lang: Lang) -> str:
        """What to tell the learner."""
        from content.quiz import questions

        return questions.message(self.question, self.verdict, lang)


class ReverseReading:
    """How an answer to a reversed question reads."""

    def __init__(self, question: Question) -> None:
        self._question = question

    def _read(self, typed: str) -> Verdict:
        from content.quiz import questions

        return questions.read_only(self._question, typed)

    def reads(self, typed: str) -> bool:
        """See `Reading`."""
        return self._read(typed).verdict != "invalid"

    def echo(self, typed: str, lang: Lang) -> str:
        """See `Reading`."""
        from content import verdicts

        return verdicts.echo_of(stand(self._question)[1], self._read(typed), typed, lang)


def reading(question: Question) -> Reading | None:
    """How typed answers read; ``None`` for a part of the course, whose id says that."""
    return ReverseReading(question) if question.expect is not None else None


def stand(question: Question) -> tuple[Exercise, Part]:
    """The situation and what is asked in it; a card becomes a situation of its own."""
    if question.card is not None:
        return _of_card(question.card)
    if question.exercise is None or question.part is None:
        raise ValueError(question.item.id)
    return question.exercise, question.part


def _of_card(card: Card) -> tuple[Exercise, Part]:
    part = Part(card.id, "rubric", NOTHING, card.front, (), card.back, (), followup=False, given=card.given)
    exercise = Exercise(card.id, NOTHING, card.lesson, NOTHING, card.given, (), None, card.values, None, (), (part,))
    return exercise, part


def mode_name(wanted: Wanted, lang: Lang) -> str:
    """What is asked: a level by its own name, else the mode."""
    from content import course

    levels = [level for track in course.index().tracks for level in track.levels if level.id == wanted.level]
    if wanted.mode == "level" and levels:
        return f"{wanted.level.split('/')[1]} {levels[0].title[lang]}"
    return say(f"quiz.mode.{wanted.mode}.name", lang)


def name_whole(item: Item, lang: Lang) -> str:
    """An item in a list that wraps: a card by the whole of its question."""
    if item.kind != "card":
        return quizzed.name(item, lang)
    from content.quiz import questions

    return plain(questions.front(questions.question(item), lang))


@dataclass
class Turn:
    """One question, and all that happened to it."""

    question: Question
    number: str = ""
    """Which time it is that this is asked; options stand in another order each time."""
    answered: Answered | None = None
    """What came of the last answer that could be read, of ticks, or of giving up."""
    told: dict[str, Told] = field(default_factory=dict)
    asked: dict[str, Asked] = field(default_factory=dict)
    judged: dict[str, str] = field(default_factory=dict)
    picked: dict[str, Settled] = field(default_factory=dict)
    revealed: set[str] = field(default_factory=set)
    reasons: tuple[str, ...] = ()
    """Those that were chosen for a right yes or no."""
    tries: int = 0
    draft: str = ""
    """What stood in the form when the reader went elsewhere."""
    spent_s: float = 0.0
    """Seconds before that."""


@dataclass
class Quiz:
    """A quiz that was begun; `run` comes with its first question."""

    wanted: Wanted
    run: Run | None = None
    turn: Turn | None = None
    ended: bool = False
    row: str = ""
    """The question that was opened from its sheet."""
