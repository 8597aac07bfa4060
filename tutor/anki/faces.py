"""The two sides of a note: an item of revision as written, and its answer, as HTML in one language."""

from __future__ import annotations

from collections.abc import Sequence

from content import verdicts_read
from content.checking import shuffled_steps
from content.fill import answer_text, fill, givens, of_exercise, of_part
from content.lang import Lang
from content.quiz import questions
from content.quiz.model import Question
from content.schema import COMPUTED, Exercise, Option, Part
from tutor.anki.markup import escaped, line, listed, paragraph, rich, verbatim

_BARE = ("none", "%", "x")
"""Units that a value is not asked in by name."""


def front(question: Question, lang: Lang) -> str:
    """What is asked: of a part its situation, what is given, and the options."""
    if question.card is not None:
        return rich(questions.front(question, lang))
    exercise, part = _of(question)
    situation = rich(fill(exercise.prompt[lang], lang, of_exercise(exercise)))
    return "".join([situation, _givens(exercise, lang), _asked(exercise, part, lang), *_options(part, lang)])


def back(question: Question, lang: Lang) -> str:
    """The answer, and how one gets there."""
    working, text = questions.solution(question, lang)
    if question.card is not None:
        return rich(text)
    exercise, part = _of(question)
    pieces = [] if question.item.kind == "reverse" else [_answer(exercise, part, lang)]
    pieces += [verbatim(working)] if working else []
    pieces += [rich(text), *_besides(exercise, part, lang)]
    return "".join(pieces)


def _of(question: Question) -> tuple[Exercise, Part]:
    assert question.exercise is not None and question.part is not None
    return question.exercise, question.part


def _givens(exercise: Exercise, lang: Lang) -> str:
    rows = (f"<code>{escaped(row.symbol)}</code> = {escaped(row.value)}: {escaped(row.meaning)}"
            for row in givens(exercise, lang))  # fmt: skip
    shown = list(rows)
    return listed(shown) if shown else ""


def _asked(exercise: Exercise, part: Part, lang: Lang) -> str:
    label, unit = line(part.label[lang]), part.unit if part.kind in COMPUTED and part.unit not in _BARE else ""
    ask = rich(fill(part.ask[lang], lang, of_part(exercise, part))) if part.ask else ""
    return paragraph(f"<b>{label}</b>{f' ({escaped(unit)})' if unit else ''}") + ask


def _options(part: Part, lang: Lang) -> list[str]:
    if part.kind == "classify":
        return [listed(line(option.text[lang]) for option in options) for options in part.attributes]
    options = shuffled_steps(part) if part.kind == "order" else part.options if part.kind != "judge" else ()
    return [_lettered(options, lang)] if options else []


def _lettered(options: Sequence[Option], lang: Lang) -> str:
    return "".join(paragraph(f"{escaped(option.letter)}. {line(option.text[lang])}") for option in options)


def _answer(exercise: Exercise, part: Part, lang: Lang) -> str:
    """The right answer by itself; of a part that the learner marks there is none but the model."""
    if part.kind == "rubric":
        return ""
    if part.kind == "order":
        steps = {option.id: option for option in shuffled_steps(part)}
        return listed((f"{escaped(steps[id_].letter)}. {line(steps[id_].text[lang])}" for id_ in part.answer), "ol")
    if part.kind in COMPUTED or part.kind == "formula":
        return paragraph(f"<b>{escaped(answer_text(part))}</b>")
    return paragraph(f"<b>{line(verdicts_read.option_text(part, ' '.join(part.answer), lang))}</b>")


def _besides(exercise: Exercise, part: Part, lang: Lang) -> list[str]:
    """What else is told of an answer: the reason of a yes or no, other readings that stand, the points of a model."""
    scope = of_part(exercise, part)
    found = [paragraph(line(option.text[lang])) for option in part.reasons if option.id == part.reason]
    if part.accept_note is not None:
        found.append(rich(fill(part.accept_note[lang], lang, scope)))
    if part.rubric:
        found.append(listed(line(fill(point.text[lang], lang, scope)) for point in part.rubric))
    return found
