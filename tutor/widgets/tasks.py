"""An exercise as tasks: each part is one, but parts that are matched together are one task with one form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from content.lang import Lang
from content.schema import Exercise, Option, Part
from content.words import say
from tutor.progress import PartState
from tutor.widgets.form import Form, shuffled
from tutor.widgets.ink import NEW, SOLVED, TRIED, mark
from tutor.widgets.list_form import ChoiceForm
from tutor.widgets.typed_form import Reading, TypedForm


@dataclass(frozen=True, slots=True)
class Task:
    """What is answered at one go."""

    parts: tuple[Part, ...]

    @property
    def first(self) -> Part:
        """The part, or the first of the group."""
        return self.parts[0]

    @property
    def grouped(self) -> bool:
        """Whether several parts are matched together."""
        return len(self.parts) > 1

    def label(self, lang: Lang) -> str:
        """Its name in the list of parts."""
        return say("app.exercise.match", lang) if self.grouped else self.first.label[lang]

    def mark(self, states: Mapping[str, PartState]) -> str:
        """● all solved, ○ all new, ◐ between."""
        marks = {mark(states.get(part.id, PartState()).status) for part in self.parts}
        return marks.pop() if len(marks) == 1 and marks <= {SOLVED, NEW} else TRIED

    def settled(self, states: Mapping[str, PartState]) -> bool:
        """Whether nothing waits here: every part solved, shown or skipped, and the reason given where one is asked.

        An explanation has its marks, be they few: the learner has judged it, and goes on.
        """
        waits = any(
            states.get(part.id, PartState()).status in ("new", *(("tried",) if part.kind != "rubric" else ()))
            for part in self.parts
        )
        return not waits and not self.unreasoned(states)

    def asks_reason(self, states: Mapping[str, PartState]) -> bool:
        """Whether the yes or no is right, and no reason or another one than the right one has been given."""
        state = states.get(self.first.id, PartState())
        return bool(self.first.reasons) and state.status == "solved" and state.reasons[-1:] != (self.first.reason,)

    def unreasoned(self, states: Mapping[str, PartState]) -> bool:
        """Whether the reason has not been given at all."""
        return self.asks_reason(states) and not states[self.first.id].reasons

    def solved(self, states: Mapping[str, PartState]) -> bool:
        """Whether every part is solved."""
        return all(states.get(part.id, PartState()).status == "solved" for part in self.parts)


def tasks_of(exercise: Exercise, *, followups: bool) -> list[Task]:
    """The tasks of an exercise, or those of its follow-ups."""
    made: list[Task] = []
    for part in exercise.parts:
        if part.followup != followups:
            continue
        last = made[-1].first if made else None
        if last is not None and part.kind == "match" == last.kind and part.group and part.group == last.group:
            made[-1] = Task((*made[-1].parts, part))
        else:
            made.append(Task((part,)))
    return made


def form_of(task: Task, reading: Reading | None = None, turn: str = "") -> Form:
    """The form for a task; the rarer ones are imported when they are needed.

    ``reading``: how a typed answer reads, where the task is no part of the course. ``turn``: options stand in another
    order for each; a quiz asks again, and a place in a list is soon remembered in place of the answer.
    """
    parts: Sequence[Part] = task.parts
    kind = task.first.kind
    if task.grouped:
        from tutor.widgets.match_form import MatchForm

        return MatchForm(parts)
    if kind in ("choice", "match"):
        return ChoiceForm(parts, shuffled(task.first.options, f"{task.first.id}{turn}"))
    if kind == "rubric":
        from tutor.widgets.rubric_form import RubricForm

        return RubricForm(parts)
    if kind == "classify" and turn:
        sets = (tuple(shuffled(options, f"{task.first.id}{turn}")) for options in task.first.attributes)
        parts = [task.first._replace(attributes=tuple(sets))]
    if kind in ("judge", "classify", "order"):
        from tutor.widgets import forms_many

        forms: dict[str, type[Form]] = {
            "judge": forms_many.JudgeForm,
            "classify": forms_many.ClassifyForm,
            "order": forms_many.OrderForm,
        }
        return forms[kind](parts)
    return TypedForm(parts, reading)


def answer_shown(part: Part, answer: str, lang: Lang) -> str:
    """An answer as the list of parts shows it: option ids become words; a free text is not repeated."""
    if part.kind in ("rubric", "order"):
        return ""
    if part.kind == "judge":
        return say(f"app.exercise.judge.{answer}", lang) if answer in ("yes", "no") else answer
    sets: Sequence[Sequence[Option]] = part.attributes or (part.options,)
    words = {option.id: option.text[lang] for options in sets for option in options}
    if part.kind == "classify":
        return ", ".join(words.get(id, id) for id in answer.split())
    return words.get(answer, answer) if part.kind in ("choice", "match") else answer
