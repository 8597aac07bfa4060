"""How a part is asked in lines, and what kind of answer is wanted."""

from __future__ import annotations

from collections.abc import Sequence

from content.checking import shuffled_steps
from content.fill import fill, of_exercise, of_part
from content.lang import Lang
from content.markup import plain
from content.schema import COMPUTED, Exercise, Option, Part
from content.words import say
from tutor import variants


def question(exercise: Exercise, part: Part, lang: Lang) -> str:
    """The part's own question with its options, one a line."""
    lines = [plain(fill(part.ask[lang], lang, of_part(exercise, part)))] if part.ask else []
    if part.kind in ("choice", "match"):
        lines += _lettered(part.options, lang)
    elif part.kind == "classify":
        for options in part.attributes:
            # without letters: the same letter would stand in every list
            lines += [say("cli.plain.one_of", lang), *(f"  {plain(option.text[lang])}" for option in options)]
    elif part.kind == "order":
        lines += _lettered(shuffled_steps(part), lang)
    return "\n".join(lines)


def prompt(exercise: Exercise, lang: Lang, numbers: str | None = None) -> str:
    """The situation and its givens; first whose ``numbers`` these are: by default which variant it is."""
    from content.fill import givens

    rows = [f"  {row.symbol} = {row.value}: {row.meaning}" for row in givens(exercise, lang)]
    line = variants.told(exercise, lang) if numbers is None else numbers
    variant = [f"{line}\n"] if line else []
    return "\n".join([*variant, plain(fill(exercise.prompt[lang], lang, of_exercise(exercise))), *rows])


def how(part: Part, lang: Lang) -> str:
    """What kind of answer is wanted, for the line where it is typed."""
    unit = f" ({part.unit})" if part.kind in COMPUTED and part.unit not in ("none", "%", "x") else ""
    return say(f"cli.plain.how.{part.kind}", lang) + unit


def _lettered(options: Sequence[Option], lang: Lang) -> list[str]:
    return [f"  {option.letter}. {plain(option.text[lang])}" for option in options]
