"""What `progress show` says of revision: what is due, mastery, retention, slips, and what keeps slipping away."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import TYPE_CHECKING, Any

from tutor import quizzed
from tutor.commands.context import Context

if TYPE_CHECKING:
    from tutor.revision.revision import Revision

DAYS = 30
"""Days over which retention is measured."""
FORECAST = 14
"""Days of which the document of --json says how much comes up."""


# --- the whole ------------------------------------------------------------------------------------------------------


def lines(context: Context, revision: Revision) -> Iterator[str]:
    """Due, mastery of what was begun, retention, and what keeps slipping away."""
    say, lang = context.say, context.lang
    due = revision.due()
    if due.offered:
        yield f"{quizzed.waiting(due, lang)}."
    else:
        yield quizzed.none_due(due, revision.session, lang)
    concepts = revision.mastery()
    begun = sorted((one for one in concepts if one.answered), key=lambda one: -one.value)
    if begun:
        yield f"{say('quiz.mastery.title')}:"
    for one in begun:
        of = say("quiz.mastery.of", answered=one.answered, items=one.items)
        yield f"  {quizzed.concept(one.id, lang)} ({one.id}): {percent(context, one.value)}, {of}"
    yield _untouched(context, len(concepts) - len(begun))
    yield _retention(context, revision)
    for item, memory in revision.leeches():
        told = say("cli.progress.leech", name=quizzed.name(item, lang), n=memory.lapses, lesson=item.lesson or "-")
        yield f"{told}"


def _untouched(context: Context, n: int) -> str:
    """How many concepts are not begun yet, and where it says how a mastery comes about."""
    left = context.say("cli.progress.untouched_one" if n == 1 else "cli.progress.untouched", n=n) if n else ""
    return " ".join(filter(None, (left, context.say("cli.progress.computed_how"))))


def _retention(context: Context, revision: Revision) -> str:
    known, of = revision.retention(DAYS)
    target = round(100 * context.settings.target_retention)
    if not of:
        return context.say("quiz.retention.none", target=target)
    return context.say("quiz.retention.measured", percent=round(100 * known / of), of=of, days=DAYS, target=target)


def document(context: Context, revision: Revision) -> dict[str, Any]:
    """The same as JSON carries it."""
    due, (known, of) = revision.due(), revision.retention(DAYS)
    return {
        "due": {**due._asdict(), "next": due.next.isoformat() if due.next else None},
        "forecast": list(revision.forecast(FORECAST)),
        "mastery": [
            {"concept": one.id, "lesson": one.lesson, "value": round(one.value, 4), "items": one.items,
             "answered": one.answered}
            for one in revision.mastery()
        ],
        "retention": {"right": known, "of": of, "days": DAYS, "target": context.settings.target_retention},
        "leeches": [
            {"item": item.id, "lesson": item.lesson, "lapses": memory.lapses} for item, memory in revision.leeches()
        ],
    }  # fmt: skip


def trends(revision: Revision) -> dict[str, dict[str, Any]]:
    """Slip -> its trend, as JSON carries it."""
    return {
        one.slip: {
            "recent": one.recent, "before": one.before, "trend": one.trend, "last": one.last.isoformat(),
            "due": one.due.isoformat() if one.due else None,
        }
        for one in revision.slips()
    }  # fmt: skip


def trend(context: Context, of: dict[str, Any], today: date) -> str:
    """A trend in words: "less often, comes up in 9 days"."""
    pieces = [context.say(f"quiz.trend.{of['trend']}")] if of["recent"] + of["before"] > 1 else []
    if of["due"]:
        when = quizzed.when(date.fromisoformat(of["due"]), today, context.lang)
        pieces.append(context.say("quiz.slips.due", when=when))
    return ", ".join(pieces)


def percent(context: Context, share: float) -> str:
    """A share from 0 to 1 in percent."""
    return context.say("quiz.mastery.share", percent=round(100 * share))
