"""Questions: an item as it is asked, with the numbers of one draw, and everything that is said of it."""

from __future__ import annotations

from collections.abc import Sequence

from content import cards as deck
from content import course
from content.address import join
from content.address import plain as plain_id
from content.cards import Card
from content.checking import check_part
from content.checking import read_only as read_part
from content.fill import fill
from content.lang import Lang
from content.markup import plain
from content.quiz import items, reverse
from content.quiz.alone import alone
from content.quiz.alone import label as listed_label
from content.quiz.model import Item, Question
from content.schema import Exercise, Part
from content.words import say
from engine.answers.model import Verdict

NAME_WIDTH = 48
"""Columns that a name takes in a list at most."""


def question(item: Item, variant: int = 0, part: str = "") -> Question:
    """An item as it is asked with the numbers of one draw.

    Args:
        item: what is asked.
        variant: the number of the draw; 0 is the values as written. A card has no others.
        part: of a slip item, the plain id of the part in which it is asked; by default the first that shows it.

    Raises:
        UnknownVariant: the exercise has no such variant, or its numbers do not decide a reversed answer.
        KeyError: no part shows the slip, or the card is gone.
        UnknownId: the part is gone.
        ContentError: a file is damaged.
    """
    if item.kind == "card":
        return Question(item, card=_card(item.source))
    if item.kind == "reverse":
        return reverse.question(item, variant)
    id_ = item.source if item.kind == "part" else part or _first(item.source)
    exercise, found = alone(*course.part(join(id_, variant)))
    return Question(item, exercise, found, variant=variant)


def shows(slip: str, exercise: Exercise, part: Part) -> bool:
    """Whether a slip would come to light in a part with these numbers: it gives another answer than the right one."""
    return slip in items.shown_by(exercise, part)


def check(question: Question, typed: str) -> Verdict:
    """The verdict on a typed answer: of a reverse item by its own numbers, of a part as the course checks it.

    Raises:
        ValueError: a card, which is ticked and not checked.
    """
    if question.item.kind == "reverse":
        return reverse.check(question, typed)
    return check_part(_part(question).id, typed)


def read_only(question: Question, typed: str) -> Verdict:
    """How a typed text reads, unjudged. Raises ``ValueError`` for a card."""
    if question.item.kind == "reverse":
        return reverse.read_only(question, typed)
    return read_part(_part(question).id, typed)


def echo(question: Question, typed: str, lang: Lang) -> str:
    """The line under the input: how the typed text reads so far. Raises ``ValueError`` for a card."""
    from content import verdicts

    if question.item.kind == "reverse":
        return verdicts.echo_of(_part(question), read_only(question, typed), typed, lang)
    return verdicts.echo(_part(question).id, typed, lang)


def message(question: Question, verdict: Verdict, lang: Lang) -> str:
    """What a verdict says to the learner. Raises ``ValueError`` for a card."""
    from content import verdicts

    if question.item.kind == "reverse":
        return reverse.message(question, verdict, lang)
    return verdicts.message(_part(question).id, verdict, lang)


def solution(question: Question, lang: Lang) -> tuple[tuple[str, ...], str]:
    """The worked solution: its lines of working, and its text. Of a card, its back.

    The text of a part is the course's, filled, and may hold the course's small markup.
    """
    from content import fill as filling

    if question.card is not None:
        return (), fill(question.card.back[lang], lang, deck.scope(question.card))
    if question.item.kind == "reverse":
        return reverse.solution(question, lang)
    part = _part(question)
    assert question.exercise is not None
    text = part.model or part.solution
    return filling.working(part), fill(text[lang], lang, filling.of_part(question.exercise, part))


def answer_shown(question: Question, lang: Lang) -> str:
    """The right answer in a line: a number as the course displays it, options in words; "" where it takes more."""
    from content import verdicts_read
    from content.fill import answer_text

    if question.card is not None:
        return ""
    part = _part(question)
    if question.expect is not None:
        return reverse.answer_shown(question, lang)
    if part.kind in ("rubric", "order"):
        return ""
    if part.kind == "classify":
        return " / ".join(_named(reading, part, lang) for reading in (part.answer, *part.accept))
    text = answer_text(part)
    if part.kind in ("choice", "match"):
        return next(option.text[lang] for option in part.options if option.id == text).rstrip(".")
    return verdicts_read.option_text(part, text, lang) if part.kind == "judge" else text


def _named(reading: Sequence[str], part: Part, lang: Lang) -> str:
    """A reading of a classify part in words, one option for each attribute."""
    options = zip(reading, part.attributes, strict=True)
    return ", ".join(next(o.text[lang] for o in several if o.id == id_).rstrip(".") for id_, several in options)


def front(question: Question, lang: Lang) -> str:
    """What a card asks, filled; of any other question what its part asks, which may be nothing beside its situation."""
    from content import fill as filling

    if question.card is not None:
        return fill(question.card.front[lang], lang, deck.scope(question.card))
    part, exercise = _part(question), question.exercise
    assert exercise is not None
    return fill(part.ask[lang], lang, filling.of_part(exercise, part)) if part.ask else ""


def intro(question: Question, place: str, lang: Lang) -> str:
    """What stands over the question of a slip item: which slip it is, and where it was made (a part, or "").

    Empty for other items.
    """
    if question.item.kind != "slip":
        return ""
    slip = say(f"slips.{question.item.source}.name", lang)
    if not place:
        return say("quiz.slip.intro_bare", lang, slip=slip)
    return say("quiz.slip.intro", lang, slip=slip, place=plain_id(place).split("/")[1])


def name(item: Item, lang: Lang) -> str:
    """An item as a list names it, in at most :data:`NAME_WIDTH` columns; a slip is called one."""
    if item.kind == "slip":
        return _short(say("quiz.slip.named", lang, slip=say(f"slips.{item.source}.name", lang)))
    if item.kind == "card":
        return _short(plain(front(Question(item, card=_card(item.source)), lang)))
    _, part = course.part(item.source)
    label = reverse.name(item, part, lang) if item.kind == "reverse" else listed_label(part)[lang]
    return _short(f"{part.exercise.partition('/')[2]} {plain(label)}")


def _short(text: str) -> str:
    """A text cut at a word, where it is longer than a list has room."""
    text = " ".join(text.split())
    if len(text) <= NAME_WIDTH:
        return text
    return text[: NAME_WIDTH - 1].rpartition(" ")[0].rstrip(" ,;:.") + "…"


def _card(id_: str) -> Card:
    for card in deck.cards():
        if card.id == id_:
            return card
    raise KeyError(id_)


def _first(slip: str) -> str:
    parts = items.slip_parts(slip)
    if not parts:
        raise KeyError(slip)
    return parts[0]


def _part(question: Question) -> Part:
    if question.part is None:
        raise ValueError("a card is ticked, not checked")
    return question.part
