"""How a variant of an exercise is named to the learner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from content.words import say

if TYPE_CHECKING:
    from content.lang import Lang
    from content.quiz.model import Question
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


def asked(question: Question, lang: Lang) -> str:
    """Whose numbers a question of a quiz has: "Numbers of Qwen-14B on A100 SXM 40GB"; nothing for numbers of nobody.

    Named is only what the part itself was drawn from; its exercise and follow-ups may have been drawn from more. A
    reversed question names nothing: the name would be half of its answer.
    """
    from content.draws import GPU_SYMBOLS, MODEL_SYMBOLS
    from engine.formulas import registry

    exercise, part = question.exercise, question.part
    if not question.variant or exercise is None or part is None or question.expect is not None:
        return ""
    drawn = {*(exercise.vary or {}), *(part.vary or {})}
    symbols = registry.needed(part.formula, part.given) if part.formula else exercise.show
    owners = {"model": MODEL_SYMBOLS, "gpu": GPU_SYMBOLS}
    names = {
        owner: exercise.names[owner]
        for owner, own in owners.items()
        if owner in drawn and owner in exercise.names and any(symbol in own for symbol in symbols)
    }
    kind = "both" if len(names) > 1 else next(iter(names), "")
    return say(f"quiz.numbers.{kind}", lang, **names) if kind else ""
