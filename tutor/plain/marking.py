"""What only the learner can judge: a free text beside a model answer, marked point by point."""

from __future__ import annotations

from content.fill import fill, of_part
from content.markup import plain
from content.schema import Exercise, Part
from tutor.plain.reader import Reader

YES = ("y", "yes", "haan", "ha", "han")


def ticked(reader: Reader, exercise: Exercise, part: Part) -> tuple[str, ...]:
    """The model answer, then each point of the rubric with a yes or no; ids of those that were there."""
    lang, scope = reader.lang, of_part(exercise, part)
    if part.model:
        reader.out.say(f"\n{reader.say('plain.model')}\n{plain(fill(part.model[lang], lang, scope))}")
    reader.out.say(f"\n{reader.say('plain.tick')}")
    marked = []
    for point in part.rubric:
        reader.out.say(f"- {plain(fill(point.text[lang], lang, scope))}")
        _, said = reader.listen(reader.say("plain.how.judge"))
        if said.lower() in YES:
            marked.append(point.id)
    return tuple(marked)


def told(reader: Reader, part: Part, marked: tuple[str, ...]) -> str:
    """How many points it were, by the learner's own count."""
    return reader.say("plain.ticked", n=len(marked), of=len(part.rubric))
