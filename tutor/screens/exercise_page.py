"""The page of an exercise: the situation, its parts, the form of the part at hand, and what is said to it."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget

from content import course, fill
from content.schema import COMPUTED, Part
from tutor import letters, variants
from tutor.progress import PartState, Place
from tutor.screens import feedback
from tutor.screens.base import LAYOUT, TutorScreen
from tutor.screens.choices import ChoiceRows
from tutor.widgets.forms import Form
from tutor.widgets.givens import GivenRow, Givens
from tutor.widgets.ink import QUIET
from tutor.widgets.page import AnswerPage, Page
from tutor.widgets.partlist import PartList
from tutor.widgets.prose import Prose, pieces
from tutor.widgets.rows import Row, Rows
from tutor.widgets.tasks import Task, form_of, tasks_of

if TYPE_CHECKING:
    from tutor.figures.view import FigureView
    from tutor.session import Checked


class Asked(NamedTuple):
    """A judged answer that may leave a question open, and what stood in the form then."""

    checked: Checked
    stood: str


class ExercisePage(TutorScreen):
    """One exercise as it is shown, as written or in a variant. `part` is where to begin, `draft` what stood there."""

    def __init__(self, exercise_id: str, part: str = "", draft: str = "") -> None:
        super().__init__()
        self.exercise = course.exercise(exercise_id)
        self._scope = fill.of_exercise(self.exercise)
        self.tasks = tasks_of(self.exercise, followups=False)
        self.extra = tasks_of(self.exercise, followups=True)
        if part and any(p.id == part for task in self.extra for p in task.parts):
            self.tasks, self.extra = [*self.tasks, *self.extra], []
        self.number = next((n for n, t in enumerate(self.tasks) if any(p.id == part for p in t.parts)), 0)
        self.told: dict[str, Checked] = {}
        """The last verdict on each part in this visit."""
        self.asked: dict[str, Asked] = {}
        """The last answer to each part that could be read, until the learner has said which slip it was."""
        self.picked: dict[str, letters.Settled] = {}
        """What the learner said to a verdict that left several slips open."""
        self.drafts: dict[str, str] = {self.current.first.id: draft} if draft else {}
        """What stands typed and unsent: id of a task's first part -> draft."""
        self.confirming = False
        """Whether the solution was asked for and the warning stands there."""
        self.revealed: set[str] = set()
        """Parts whose solution is on the screen."""
        self.stood: dict[str, str] = {}
        """What stood in the form when a solution was shown: id of a task's first part -> draft."""
        self.states: Mapping[str, PartState] = {}
        self.since = time.monotonic()
        """When the learner began with the task at hand."""
        self.form: Form | None = None
        self._figure: FigureView | None = None
        self._revealed: tuple[Widget, ...] = ()
        """What was last brought into sight."""
        self._turning = asyncio.Lock()
        self._begun = False
        """Whether a first task has been shown."""

    @property
    def current(self) -> Task:
        """What is being answered."""
        return self.tasks[self.number]

    def body(self) -> Iterable[Widget]:
        """Left the exercise, right its figure; on a narrow screen the figure comes last."""
        offers = Rows(id="offers")
        offers.still = True  # the verdict above it is what the learner wants to see
        left = Vertical(
            Prose(id="variant"),
            Prose(id="prompt"),
            Givens(id="givens"),
            PartList(id="parts"),
            Prose(id="ask"),
            Vertical(id="answering"),
            Vertical(Prose(id="verdict"), ChoiceRows(id="choices"), id="said"),
            Prose(id="hints"),
            Prose(id="solution"),
            Prose(id="nuance"),
            offers,
            id="left",
        )
        yield AnswerPage(Vertical(left, Vertical(id="right"), id="columns"), id="page")

    async def on_mount(self) -> None:
        """Fill in the drafts, the figure and the first form."""
        self.drafts = {**self.session.drafts(self.exercise.id), **self.drafts}
        if self.exercise.figure is not None:
            from tutor.screens.figure import figure_of

            self._figure = figure_of(self.exercise.figure, self.session)
        right = self.query_one("#right", Vertical)
        right.display = self._figure is not None
        if self._figure is not None and right.is_attached:
            await right.mount(self._figure)
        if not self._turning.locked():
            await self.turn(self.number)

    async def turn(self, number: int) -> None:
        """Go to a task, with what was typed there. Of two turns asked for at once the later stands at the end."""
        async with self._turning:
            self.number = number
            self.confirming = False
            self.since = time.monotonic()
            self.states = self.session.progress.states(self.exercise.id)
            place = self.query_one("#answering", Vertical)
            await place.remove_children()
            if not place.is_attached:  # the reader has left meanwhile
                return
            self.form = form_of(self.current)
            await place.mount(self.form)
            draft, answer = self.drafts.get(self.current.first.id), self.last_answer()
            if draft:
                self.form.restore(draft)
            elif answer:
                self.form.offer(answer)
            if self.current.asks_reason(self.states):
                self.form.ask_reason()
            self.retell()
            self.form.take_focus()
            if number or draft or self._begun:  # on opening, the situation is read first
                self.reveal(self.form, self.query_one("#ask"))
            self._begun = True
            self.keep()

    def last_answer(self) -> str:
        """The last answer as a draft, to go on from."""
        answers = {
            part.id: state.last_answer
            for part in self.current.parts
            if (state := self.states.get(part.id)) is not None and state.last_answer
        }
        if self.current.grouped:
            return json.dumps(answers) if answers else ""
        return answers.get(self.current.first.id, "")

    def keep(self) -> None:
        """Store the place and the draft."""
        part = self.current.first.id
        self.session.keep(Place("exercise", self.exercise.id, part=part, draft=self.drafts.get(part, "")))

    def reveal(self, *widgets: Widget) -> None:
        """Bring widgets into sight; where there is no room for all, the last.

        Their new height is known only after a layout, which comes with the next frame.
        """

        self._revealed = widgets

        def scroll() -> None:
            for widget in widgets:
                if widget.is_attached and widget.display:
                    widget.scroll_visible(animate=False, force=True, immediate=True)

        self.call_after_refresh(scroll)
        self.set_timer(LAYOUT, scroll)

    def reveal_said(self) -> None:
        """Bring into sight what was said to the answer, under its question where there is room."""
        self.reveal(self.query_one("#ask"), self.query_one("#said"), self.query_one(ChoiceRows))

    def _in_sight(self) -> bool:
        """Whether something of what was last brought into sight is still there."""
        page = self.query_one(Page).region
        return any(one.is_attached and one.display and one.region.overlaps(page) for one in self._revealed)

    def on_resize(self) -> None:
        """What was just said stays in sight when the window changes."""
        if self.current.first.id in self.told:
            self.reveal_said()

    # --- saying -----------------------------------------------------------------------------------------------------

    def retell_body(self) -> None:
        """Say everything again in place."""
        page = self.query_one(Page)
        point, watched = page.anchor_point(), self._revealed if self._in_sight() else ()
        self.query_one("#variant", Prose).show(pieces(variants.told(self.exercise, self.lang), quiet=True))
        self.query_one("#prompt", Prose).show(self.read(self.exercise.prompt, self._scope))
        rows = [GivenRow(*row) for row in fill.givens(self.exercise, self.lang)]
        self.query_one(Givens).show(rows)
        if self._figure is not None:
            self._figure.retell()
        if self.form is not None:
            self.form.retell()
        self.say_task()
        if watched:
            self.reveal(*watched)
        else:
            page.restore(point)

    def say_task(self) -> None:
        """The part of the page that a verdict, a hint or a language changes."""
        self.query_one(PartList).tell(self.tasks, self.number, self.states, self.lang, self.session.ascii)
        said = {
            "#ask": feedback.question,
            "#verdict": feedback.verdict,
            "#hints": feedback.hints,
            "#solution": feedback.solution,
            "#nuance": feedback.nuances,
        }
        for place, words in said.items():
            self.query_one(place, Prose).show(words(self))
        self._say_choices()
        offers = self.query_one("#offers", Rows)
        offers.display = all(task.settled(self.states) for task in self.tasks)
        if offers.display:
            offers.show(feedback.offers(self))

    def choices(self) -> Sequence[letters.Lettered]:
        """What can be said to a verdict that leaves slips open; nothing once it is said, or the solution shown."""
        part = self.current.first
        asked = self.asked.get(part.id)
        if asked is None or part.id in self.revealed:
            return ()
        return letters.choices(part.id, asked.checked.verdict)

    def _say_choices(self) -> None:
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

    def refresh_task(self) -> None:
        """Say the task and the frame again after something happened."""
        self.states = self.session.progress.states(self.exercise.id)
        self.say_task()
        self.retell_frame()
        self.tutor.tell_notices()

    # --- finding the way --------------------------------------------------------------------------------------------

    def aimed(self) -> Part:
        """The part that hint, solution and skip are about: in a match the one under the cursor."""
        current = self.form.aimed if self.form is not None and self.form.is_mounted else ""
        return next((part for part in self.current.parts if part.id == current), self.current.first)

    async def advance(self) -> None:
        """The next task that waits; with none left, what comes after the exercise."""
        self.states = self.session.progress.states(self.exercise.id)
        order = [*range(self.number + 1, len(self.tasks)), *range(self.number)]
        waiting = next((n for n in order if not self.tasks[n].settled(self.states)), None)
        if waiting is not None:
            await self.turn(waiting)
            return
        self.refresh_task()
        offers = self.query_one("#offers", Rows)
        if offers.display:
            self.set_focus(offers, scroll_visible=False)
            self.reveal(offers)
        elif self.number + 1 < len(self.tasks):
            await self.turn(self.number + 1)

    @property
    def marks(self) -> Sequence[str]:
        """The mark of each task."""
        return [task.mark(self.states) for task in self.tasks]
