"""Where a question is answered: what an exercise and a quiz have in common.

A question stands there with the form for it, below it what is said to an answer. Which question that is, how an answer
is judged and what comes next is for the two screens to know.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from textual.content import Content
from textual.widget import Widget

from content import fill
from content.schema import COMPUTED, Exercise, Part
from tutor import letters
from tutor.progress import PartState
from tutor.screens.choices import ChoiceRows
from tutor.screens.in_sight import InSight
from tutor.widgets.blank import Vertical
from tutor.widgets.form import Form
from tutor.widgets.ink import QUIET
from tutor.widgets.prose import Piece, Prose
from tutor.widgets.rows import Row, Rows
from tutor.widgets.tasks import Task

if TYPE_CHECKING:
    from content.lang import Lang
    from engine.answers.model import Verdict


class Told(Protocol):
    """A judged answer with its words; `tutor.checked.Checked` is one."""

    @property
    def part(self) -> str:
        """Id of the part, or of what stands for one."""
        ...

    @property
    def verdict(self) -> Verdict:
        """The verdict."""
        ...

    def message(self, lang: Lang) -> str:
        """What to tell the learner."""
        ...


class Asked(NamedTuple):
    """A judged answer that may leave a question open, and what stood in the form then."""

    checked: Told
    stood: str


class Desk(InSight):
    """A question, the form for it, and what is said below it."""

    exercise: Exercise
    """The situation that the question stands in."""
    tasks: Sequence[Task] = ()
    """All that is asked in it."""
    number = 0
    """Which of them is being answered."""

    def __init__(self) -> None:
        super().__init__()
        self.told: dict[str, Told] = {}
        """The last verdict on each part in this visit."""
        self.asked: dict[str, Asked] = {}
        """The last answer to each part that could be read, until the learner has said which slip it was."""
        self.picked: dict[str, letters.Settled] = {}
        """What the learner said to a verdict that left several slips open."""
        self.marked: dict[str, Sequence[str]] = {}
        """The learner's own marks on explanations: id of the part -> ids of the points."""
        self.judged: dict[str, str] = {}
        """What stood in the form when it was judged, or marked: id of a task's first part -> draft."""
        self.confirming = False
        """Whether the solution was asked for and the warning stands there."""
        self.revealed: set[str] = set()
        """Parts whose solution is on the screen."""
        self.states: Mapping[str, PartState] = {}
        self.since = time.monotonic()
        """When the learner began with the task at hand."""

    @property
    def current(self) -> Task:
        """What is being answered."""
        return self.tasks[self.number]

    @staticmethod
    def answering() -> Iterable[Widget]:
        """The widgets of a question and of what is said to its answer."""
        yield Prose(id="ask")
        yield Vertical(id="answering")
        yield Vertical(Prose(id="verdict"), ChoiceRows(id="choices"), id="said")
        yield Prose(id="hints")
        yield Prose(id="solution")
        yield Prose(id="nuance")

    def aimed(self) -> Part:
        """The part that hint, solution and skip are about: in a match the one under the cursor."""
        current = self.form.aimed if self.form is not None and self.form.is_mounted else ""
        return next((part for part in self.current.parts if part.id == current), self.current.first)

    def helped(self) -> Part:
        """The part that a hint is about: the one under the cursor, or where that is found, the first that is open."""
        here = self.aimed()
        return next((part for part in (here, *self.current.parts) if self.is_open(part)), here)

    def is_open(self, part: Part) -> bool:
        """Whether a part is to be found yet, or the reason for it."""
        status = self.states.get(part.id, PartState()).status
        waits = part == self.current.first and self.current.asks_reason(self.states)
        return waits or status not in ("solved", "shown")

    def on_form_aimed(self, event: Form.Aimed) -> None:
        """Another part of a match is under the cursor: its hints, and whether it has more."""
        event.stop()
        self.let_go()
        self._say_hints()
        self.retell_keys()

    def answered_here(self) -> bool:
        """Whether something was said to an answer to what stands there."""
        return bool(self.tasks) and self.current.first.id in self.told

    # --- saying -----------------------------------------------------------------------------------------------------

    def say_answer(self) -> None:
        """The question, and what is said to its answer: all that a verdict, a hint or a language changes."""
        from tutor.screens import feedback

        said = {
            "#ask": feedback.question,
            "#verdict": feedback.verdict,
            "#solution": feedback.solution,
            "#nuance": feedback.nuances,
        }
        for place, words in said.items():
            self.query_one(place, Prose).show(words(self))
        self._say_hints()
        self.say_choices()

    def _say_hints(self) -> None:
        """In the form, where that has a place for them; else under the verdict."""
        from tutor.screens import feedback

        made = feedback.hints(self)
        there = self.form is not None and self.form.hint(made)
        self.query_one("#hints", Prose).show([] if there else made)

    def reveal_hint(self) -> None:
        """Bring the hint into sight, wherever it stands."""
        hints = self.query_one("#hints", Prose)
        self.reveal(hints if hints.pieces or self.form is None else self.form)

    def was_judged(self) -> None:
        """From here on the verdict is about what stands in the form."""
        if self.form is not None:
            self.judged[self.current.first.id] = self.form.draft
        self.fade_verdict()

    def fade_verdict(self) -> None:
        """The verdict steps back while something else stands in the form than what it is about; a letter that picks one
        of its slips is no other answer."""
        stood, form = self.judged.get(self.current.first.id), self.form
        other = stood is not None and form is not None and form.draft != stood
        if other and form is not None:
            other = not self.current.asks_reason(self.states) and not letters.of(form.draft, self.typed_choices())
        self.query_one("#verdict", Prose).fade(other)

    def named(self) -> bool:
        """Whether a part that has no question of its own is asked for by its name."""
        return len(self.tasks) > 1

    def worked(self, part: Part) -> tuple[Sequence[str], Sequence[Piece]]:
        """The lines of the calculation, and the sentences about it."""
        return fill.working(part), self.read(part.solution, fill.of_part(self.exercise, part))

    def warning(self) -> str:
        """What showing the solution costs, while it has been asked for once."""
        return self.tell("exercise.solution_warning", shortcut=self.pressed("solution"), back=self.pressed("back"))

    def shown(self) -> str:
        """What follows from having seen the solution first."""
        return self.tell("exercise.shown_part" if self.current.grouped else "exercise.shown")

    def choices(self) -> Sequence[letters.Lettered]:
        """What can be said to a verdict that leaves slips open; nothing once it is said, or the solution shown."""
        part = self.current.first
        asked = self.asked.get(part.id)
        if asked is None or part.id in self.revealed:
            return ()
        return letters.choices(part.id, asked.checked.verdict)

    def say_choices(self) -> None:
        """The choices as a list under the verdict, and their letters for the line where the answer is typed."""
        choices, rows = self.choices(), self.query_one(ChoiceRows)
        rows.display = bool(choices)
        made = [Row(c.letter, Content(c.text[self.lang]), lead=c.letter, letter=c.letter) for c in choices]
        typed = self.typed_choices()
        if typed:
            how = f"  {letters.how([choice.letter for choice in typed], self.lang)}"
            made.append(Row(text=Content.styled(how, QUIET), lead="note"))
        rows.show(made)
        if self.form is not None:
            self.form.answered_by(typed)

    def typed_choices(self) -> Sequence[letters.Lettered]:
        """The choices that may be typed in place of an answer; none where a letter is one or stands in a formula."""
        return self.choices() if self.current.first.kind in COMPUTED else ()

    # --- picking ----------------------------------------------------------------------------------------------------

    async def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """What the learner says about the slip, or a row of the screen's own."""
        event.stop()
        if isinstance(event.rows, ChoiceRows):
            self.pick(event.id)
        else:
            await self.chosen(event.id)

    def pick(self, letter: str) -> None:
        """Take what the learner says about the slip; the answer stands there again, to be typed over."""
        part = self.current.first
        choice = next((choice for choice in self.choices() if choice.letter == letter), None)
        if choice is None:
            return
        asked = self.asked.pop(part.id)
        self.told[part.id] = asked.checked  # what could not be read meanwhile is done with
        self.picked[part.id] = self.settle(asked.checked, choice.id)
        self.forget_draft()
        self.judged[part.id] = asked.stood
        if self.form is not None:
            self.form.point(None)
            self.form.offer(asked.stood)
        self.refresh_task()
        if self.form is not None:
            self.form.take_focus()
        self.reveal_said()

    def settle(self, checked: Told, slip: str) -> letters.Settled:
        """Record which slip it was, "" for none of them; for subclasses."""
        raise NotImplementedError

    async def chosen(self, id: str) -> None:
        """A row of the screen's own lists; for subclasses."""

    def forget_draft(self) -> None:
        """What stands in the form is no draft any more; for subclasses."""

    def refresh_task(self) -> None:
        """Say the task and the frame again after something happened; for subclasses."""
