"""And why? Asked in lines after a right yes or no."""

from __future__ import annotations

from collections.abc import Callable

from content.markup import plain
from content.schema import Option, Part
from tutor import letters
from tutor.plain.orders import Order, word
from tutor.plain.reader import Reader

TRIES = 2
"""So often a reason may be tried before it is told."""


def ask(reader: Reader, part: Part, give: Callable[[str], bool], aside: Callable[[Order], None]) -> None:
    """Ask for the reason, a second time where it is another one, and tell it in the end.

    Args:
        reader: who is asked.
        part: a right answer was given to it.
        give: records the id of a reason; whether it is the right one.
        aside: follows an order that leaves the question open ("hint").
    """
    reader.out.say(reader.say("plain.why"))
    listed(reader, part)
    tries = 0
    while tries < TRIES:
        order, typed = reader.listen(reader.say("plain.how.choice"))
        if order in ("skip", "next", "solution") or not typed:
            break
        if order in ("repeat", "lang"):
            listed(reader, part)
            continue
        if order is not None:
            aside(order)
            continue
        reason = chosen(part, typed)
        if reason is None:
            wanted = letters.spoken([option.letter for option in part.reasons], reader.lang)
            reader.out.say(reader.say("plain.reason_letter", letters=wanted, skip=word("skip", reader.lang)))
            listed(reader, part)
            continue
        tries += 1
        if give(reason.id):
            reader.out.say(reader.say("plain.reason_right"))
            return
        if tries < TRIES:
            why = plain(reason.but[reader.lang]) if reason.but else ""
            reader.out.say(reader.say("plain.reason_other_why" if why else "plain.reason_other", why=why))
    right = next(option for option in part.reasons if option.id == part.reason)
    reader.out.say(reader.say("plain.reason_is", reason=plain(right.text[reader.lang])))


def listed(reader: Reader, part: Part) -> None:
    """The reasons with their letters, one a line."""
    for option in part.reasons:
        reader.out.say(f"  {option.letter}. {plain(option.text[reader.lang])}")


def chosen(part: Part, typed: str) -> Option | None:
    """The reason that a typed line means, by its letter, its place in the list, its words or its id."""
    lines = [letters.Lettered(option.letter.lower(), option.id, option.text) for option in part.reasons]
    wanted = letters.of(typed, lines) or typed.strip().lower()
    return next((option for option in part.reasons if wanted in (option.letter.lower(), option.id.lower())), None)
