"""How a part is asked in lines, and how what is typed becomes the answer that the checker knows."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from content.fill import fill, of_exercise, of_part
from content.lang import Lang
from content.markup import plain
from content.schema import LETTERS, Exercise, Option, Part, Step
from content.words import say


def question(exercise: Exercise, part: Part, lang: Lang) -> str:
    """The part's own question with its options, one a line."""
    lines = [plain(fill(part.ask[lang], lang, of_part(exercise, part)))] if part.ask else []
    if part.kind in ("choice", "match"):
        lines += _lettered(part.options, lang)
    elif part.kind == "classify":
        for options in part.attributes:
            lines += [say("cli.plain.one_of", lang), *_lettered(options, lang)]
    elif part.kind == "order":
        lines += [f"  {letter}. {plain(step.text[lang])}" for letter, step in zip(LETTERS, shown_steps(part), strict=False)]
    return "\n".join(lines)


def prompt(exercise: Exercise, lang: Lang) -> str:
    """The situation and its givens."""
    from content.fill import givens

    rows = [f"  {row.symbol} = {row.value}: {row.meaning}" for row in givens(exercise, lang)]
    return "\n".join([plain(fill(exercise.prompt[lang], lang, of_exercise(exercise))), *rows])


def how(part: Part, lang: Lang) -> str:
    """What kind of answer is wanted, for the line where it is typed."""
    return say(f"cli.plain.how.{part.kind}", lang)


def answer(part: Part, typed: str) -> str:
    """The answer that the checker knows: letters of steps in the shown order become the steps' ids."""
    if part.kind != "order":
        return typed
    letters = [letter for letter in typed.upper() if letter.isalnum()]
    steps = dict(zip(LETTERS, (step.id for step in shown_steps(part)), strict=False))
    return " ".join(steps[letter] for letter in letters) if letters and all(x in steps for x in letters) else typed


def shown_steps(part: Part) -> Sequence[Step]:
    """The steps of an order task in an order that is not the answer, the same at every visit."""
    steps = list(part.steps)
    for turn in range(9):
        Random(f"{part.id}{turn}").shuffle(steps)
        if steps != list(part.steps):
            break
    return steps


def _lettered(options: Sequence[Option], lang: Lang) -> list[str]:
    return [f"  {option.letter}. {plain(option.text[lang])}" for option in options]
