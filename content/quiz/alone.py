"""A part of an exercise as it stands by itself: what else it needs is said on the same page."""

from __future__ import annotations

from content.lang import Text
from content.schema import Exercise, Part


def label(part: Part) -> Text:
    """The name of a part in lists, true of every variant; an item of revision has no numbers of its own."""
    return part.alone.label or part.label


def alone(exercise: Exercise, part: Part) -> tuple[Exercise, Part]:
    """The exercise and the part as revision asks them: one part, which no other came before.

    The situation is told with the values and names of this part, which may have some of its own; where the author has
    written nothing for this, the texts are those of the course. Ids, answers and the other parts stay as they are.
    """
    own = part.alone
    prompt = own.situation or exercise.situation or exercise.prompt
    show = exercise.show if own.show is None else own.show
    asked = part._replace(
        ask=own.ask or part.ask, hints=own.hints or part.hints, solution=own.solution or part.solution
    )
    names = {**exercise.names, **part.names}
    return exercise._replace(prompt=prompt, show=show, given=part.given, names=names), asked
