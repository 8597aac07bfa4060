"""`progress show CONCEPT|ID`: how a mastery is computed, and all that is remembered of one question."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from content.words import counted
from tutor import quizzed
from tutor.commands.context import Context, Refusal, quoted
from tutor.commands.revising import percent

if TYPE_CHECKING:
    from content.quiz.model import Item
    from tutor.progress import Memory, Review
    from tutor.revision.mastery import ItemRecall
    from tutor.revision.revision import Revision

HISTORY = 10
"""So many reviews of one item are listed, the newest first."""


class Asked(NamedTuple):
    """What is to be explained: a concept, or what stands under an id, by its items."""

    concept: str
    id: str
    title: str
    rows: tuple[ItemRecall, ...]

    @property
    def value(self) -> float:
        """The mean recall of the items."""
        from tutor.revision.mastery import mean

        return mean(self.rows)


def explain(context: Context, revision: Revision, text: str) -> int:
    """`progress show CONCEPT|ID`: how a mastery comes about; of one item all that is remembered."""
    asked = _asked(context, revision, text)
    if context.json:
        context.document(_explained(revision, asked))
        return 0
    for line in _explanation(context, revision, asked):
        context.prose(line)
    return 0


def _asked(context: Context, revision: Revision, text: str) -> Asked:
    from content.quiz.concepts import concepts

    wanted = " ".join(text.lower().split())[:80]
    for id in concepts():
        if wanted in (id, *(name.lower() for name in quizzed.concept_names(id))):
            return Asked(id, "", quizzed.concept(id, context.lang), revision.mastery_of(id))
    return _by_id(context, revision, text)


def _by_id(context: Context, revision: Revision, text: str) -> Asked:
    found = _items(revision, text)
    if found is None:
        raise _unknown(text)
    id, items = found
    title = quizzed.name(items[0], context.lang) if len(items) == 1 else id
    rows = sorted((_row(revision, item) for item in items), key=lambda row: -row.recall)
    return Asked("", id, title, tuple(rows))


def _items(revision: Revision, text: str) -> tuple[str, list[Item]] | None:
    """The id that is meant, and the items under it; ``None`` for none."""
    from content import address, course

    every = revision.items
    wanted = text.strip().strip("/").lower()
    own = next((id for id in every if wanted in (id.lower(), id.lower().partition("/")[2])), None)
    if own is not None:
        return own, [every[own]]
    try:
        id = address.plain(course.resolve(text).id)
    except course.UnknownId:
        return None
    return id, [item for item in every.values() if _under(item, id) and item.kind != "slip"]


def _under(item: Item, id: str) -> bool:
    return id in (item.track, item.level, item.lesson) or f"{item.source}/".startswith(f"{id}/")


def _row(revision: Revision, item: Item) -> ItemRecall:
    from tutor.revision import mastery, schedule

    memory = revision.memories.get(item.id)
    when = mastery.horizon(revision.plan)
    return mastery.ItemRecall(item, schedule.recall(memory, when) if memory is not None else 0.0, memory)


def _unknown(text: str) -> Refusal:
    from difflib import get_close_matches

    from content import course
    from content.quiz.concepts import concepts

    close = get_close_matches(text.lower(), concepts(), n=2)
    try:
        course.resolve(text)
    except course.UnknownId as error:
        close += [id for id in error.close if id not in close]
    key = "cli.progress.no_such_close" if close else "cli.progress.no_such"
    return Refusal(key, text=quoted(text), close=", ".join(close[:3]))


def _explanation(context: Context, revision: Revision, asked: Asked) -> Iterator[str]:
    say = context.say
    if len(asked.rows) == 1 and not asked.concept:
        yield from _one(context, revision, asked)
        return
    yield f"{asked.title}: {percent(context, asked.value)}"
    answered = sum(row.memory is not None for row in asked.rows)
    yield quizzed.about_mastery(revision.plan, answered, context.lang)
    questions = counted("questions", len(asked.rows), context.lang)
    yield say("quiz.mastery.computed", concept=asked.title, questions=questions, answered=answered)
    for row in asked.rows:
        yield f"  {row.item.id}: {_recalled(context, row)}"


def _recalled(context: Context, row: ItemRecall) -> str:
    if row.memory is None:
        return context.say("quiz.mastery.never")
    return context.say(
        "quiz.mastery.item", percent=round(100 * row.recall), stability=_days(context, row.memory),
        day=quizzed.day(row.memory.day),
    )  # fmt: skip


def _days(context: Context, memory: Memory) -> str:
    """The days in which the chance of a right answer falls to 90 %."""
    return counted("days", f"{memory.stability:.1f}".removesuffix(".0"), context.lang)


def _one(context: Context, revision: Revision, asked: Asked) -> Iterator[str]:
    """All that is remembered of one item, and its last reviews."""
    from tutor.revision import mastery

    row, when = asked.rows[0], quizzed.day(mastery.horizon(revision.plan))
    if row.memory is None:
        yield f"{asked.title} ({row.item.id}): {context.say('quiz.mastery.never')}."
        return
    yield f"{asked.title} ({row.item.id})"
    yield context.say("cli.progress.chance", percent=round(100 * row.recall), day=when)
    memory: Memory = row.memory
    yield context.say(
        "cli.progress.memory", reviews=memory.reviews, lapses=memory.lapses, stability=_days(context, memory),
        difficulty=f"{memory.difficulty:.1f}", due=quizzed.when(revision.due_day(memory), revision.today, context.lang),
    )  # fmt: skip
    for review in revision.session.progress.reviews(row.item.id)[:HISTORY]:
        yield f"  {_reviewed(context, review)}"


def _reviewed(context: Context, review: Review) -> str:
    pieces = [quizzed.grade_name(review.grade, context.lang)]
    if review.grade != review.proposed:
        pieces.append(context.say("quiz.reason.overruled"))
    pieces.append(context.say(f"cli.progress.source.{review.source}"))
    if review.answer:
        pieces.append(context.say("quiz.sheet.answered", answer=quoted(review.answer)))
    return f"{quizzed.day(review.day)}: {', '.join(pieces)}"


def _explained(revision: Revision, asked: Asked) -> dict[str, Any]:
    from tutor.revision import mastery

    made = {
        "concept": asked.concept or None,
        "id": asked.id or None,
        "value": round(asked.value, 4),
        "on": mastery.horizon(revision.plan).isoformat(),
        "items": [_item(revision, row) for row in asked.rows],
    }
    if len(asked.rows) == 1 and not asked.concept:
        made["reviews"] = [
            {"when": one.when.isoformat(timespec="seconds"), "day": one.day.isoformat(), "grade": one.grade,
             "proposed": one.proposed, "source": one.source, "answer": one.answer, "right": one.right}
            for one in revision.session.progress.reviews(asked.rows[0].item.id)
        ]  # fmt: skip
    return made


def _item(revision: Revision, row: ItemRecall) -> dict[str, Any]:
    memory = row.memory
    return {
        "item": row.item.id,
        "recall": round(row.recall, 4),
        "stability_days": round(memory.stability, 2) if memory else None,
        "difficulty": round(memory.difficulty, 2) if memory else None,
        "reviews": memory.reviews if memory else 0,
        "lapses": memory.lapses if memory else 0,
        "last": memory.day.isoformat() if memory else None,
        "due": revision.due_day(memory).isoformat() if memory else None,
    }
