"""How a variant of an exercise is named to the learner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from content.words import say

if TYPE_CHECKING:
    from content.lang import Lang
    from content.schema import Exercise


def told(exercise: Exercise, lang: Lang) -> str:
    """Which variant this is and of what its numbers are, as a line over it; nothing for the values as written.

    "Variant 3: numbers of Llama-2-13b-hf on A100 SXM 80GB". Where the exercise itself stays as written, only its
    follow-ups are drawn: for other cards.
    """
    if not exercise.variant:
        return ""
    names = {name: exercise.names[name] for name in ("model", "gpu") if exercise.names.get(name)}
    kind = "both" if len(names) > 1 else next(iter(names), "none" if exercise.vary else "followups")
    of = say(f"app.exercise.variant_names.{kind}", lang, **names)
    return say("app.exercise.variant_of", lang, n=exercise.variant, names=of)
