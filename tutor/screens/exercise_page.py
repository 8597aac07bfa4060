"""The page of an exercise: the situation, its parts, the form of the part at hand, and what is said to it."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from textual.widget import Widget

from content import course, fill
from content.schema import Part
from tutor import coursemap, variants
from tutor.progress import PartState, Place
from tutor.progress.records import Status
from tutor.screens import feedback
from tutor.screens.desk import Desk
from tutor.screens.runs_on import RunsOn
from tutor.widgets.blank import Vertical
from tutor.widgets.form import drafted
from tutor.widgets.givens import GivenRow, Givens
from tutor.widgets.page import AnswerPage, Page
from tutor.widgets.partlist import PartList
from tutor.widgets.prose import Prose, pieces
from tutor.widgets.rows import Rows
from tutor.widgets.tasks import Task, form_of, tasks_of

if TYPE_CHECKING:
    from tutor.playing.played import Played
    from tutor.screens.figure import PageFigure


class ExercisePage(RunsOn, Desk):
    """One exercise as it is shown, as written or in a variant. `part` is where to begin, `draft` what stood there."""

    def __init__(self, exercise_id: str, part: str = "", draft: str = "") -> None:
        super().__init__()
        self.exercise = course.exercise(exercise_id)
        self._scope = fill.of_exercise(self.exercise)
        self.tasks: list[Task] = tasks_of(self.exercise, followups=False)
        self.extra = tasks_of(self.exercise, followups=True)
        if part and any(p.id == part for task in self.extra for p in task.parts):
            self.tasks, self.extra = [*self.tasks, *self.extra], []
        self.number = next((n for n, t in enumerate(self.tasks) if any(p.id == part for p in t.parts)), 0)
        self.drafts: dict[str, str] = {self.current.first.id: draft} if draft else {}
        """What stands typed and unsent: id of a task's first part -> draft."""
        self.stood: dict[str, str] = {}
        """What stood in the form when a solution was shown: id of a task's first part -> draft."""
        self._figure: PageFigure | None = None
        self._turning = asyncio.Lock()
        self._begun = False
        """Whether a first task has been shown."""

    def body(self) -> Iterable[Widget]:
        """Left the exercise, right its figure; on a narrow screen the figure comes last."""
        offers = Rows(id="offers")
        offers.still = True  # the verdict above it is what the learner wants to see
        left = Vertical(
            Prose(id="variant"),
            Prose(id="prompt"),
            Givens(id="givens"),
            PartList(id="parts"),
            *self.answering(),
            offers,
            id="left",
        )
        yield AnswerPage(Vertical(left, Vertical(id="right"), id="columns"), id="page")

    async def on_mount(self) -> None:
        """Fill in the drafts, the figure and the first form."""
        self.drafts = {**self.session.drafts(self.exercise.id), **self.drafts}
        states = self.session.progress.states(self.exercise.id)
        if any(part.id in states for task in self.extra for part in task.parts):  # begun before: they stay reachable
            self.tasks, self.extra = [*self.tasks, *self.extra], []
        self.watch_page()
        self.screen_layout_refresh_signal.subscribe(self, lambda _: self.look_below())
        if self.exercise.figure is not None:
            from tutor.screens.figure import figure_of

            self._figure = figure_of(coursemap.figure_beside(self.exercise, self.exercise.figure, states), self.session)
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
            self.form = None  # on its way out it has nothing to tell any more
            if place.has_focus_within:
                self.set_focus(None)  # else the figure would get the keys for a moment, and the page would go to it
            await place.remove_children()
            if not place.is_attached:  # the reader has left meanwhile
                return
            form = form_of(self.current)
            await place.mount(form)
            self.form = form  # a key finds it when it is whole
            draft, answer = self.drafts.get(self.current.first.id), self.last_answer()
            if draft:
                self.form.restore(draft)
                self.form.held(self._solved_answers())
            elif answer:
                self.form.offer(answer)
                self.form.missed([one.id for one in self.current.parts if self._was_wrong(one)])
            else:
                self.form.wait()
            if self.current.asks_reason(self.states):
                self.form.ask_reason()
            self.retell()
            self.fade_verdict()
            self.form.take_focus()
            if number or draft or self._begun:  # on opening, the situation is read first
                self.reveal_question()
            self._begun = True
            self.keep()

    def runs_on(self) -> bool:
        """Whether some of the exercise is below the window; the figure has a key of its own."""
        return super().runs_on() and self.query_one("#left").region.bottom > self.query_one(Page).region.bottom

    def status(self, part: Part) -> Status:
        """Where a part stands."""
        return self.states.get(part.id, PartState()).status

    def _was_wrong(self, part: Part) -> bool:
        """Whether its last answer was. One whose solution was seen first is not solved, whatever was answered then."""
        state = self.states.get(part.id, PartState())
        answered = state.status == "shown" and state.last_answer is not None
        return state.status == "tried" or (answered and bool(part.answer) and state.last_answer not in part.answer)

    def _solved_answers(self) -> dict[str, str]:
        solved = (part for part in self.current.parts if self.status(part) == "solved")
        return {part.id: self.states[part.id].last_answer or "" for part in solved}

    def last_answer(self) -> str:
        """The last answer as a draft, to go on from."""
        answers = {
            part.id: state.last_answer
            for part in self.current.parts
            if (state := self.states.get(part.id)) is not None and state.last_answer
        }
        if self.current.grouped:
            return json.dumps(answers) if answers else ""
        if self.current.first.kind == "rubric" and answers:
            return self._last_marks()
        return answers.get(self.current.first.id, "")

    def _last_marks(self) -> str:
        """An explanation as it was marked last, as a draft: there is nothing to compare again."""
        part = self.current.first.id
        last = self.session.progress.attempts(part)[-1]
        self.marked[part] = last.ticked
        return drafted(last.answer, last.ticked, comparing=True)

    def keep(self) -> None:
        """Store the place and the draft."""
        part = self.current.first.id
        self.session.keep(Place("exercise", self.exercise.id, part=part, draft=self.drafts.get(part, "")))

    def playing(self) -> Played | None:
        """The figure beside the exercise; what is still asked stays hidden in the playground too."""
        if self._figure is None:
            return None
        from tutor.playing import played

        return played.of_page(self._figure, secret=True, names=self.exercise.names)

    def whereabouts(self) -> Place:
        """This exercise, at the part at hand."""
        part = self.current.first.id
        return Place("exercise", self.exercise.id, part=part, draft=self.drafts.get(part, ""))

    def on_resize(self) -> None:
        """What was just said stays in sight when the window changes; a short one names the part at hand alone."""
        parts = self.query_one(PartList)
        parts.clear_cached_dimensions()
        parts.refresh(layout=True)
        self.stay_in_sight()

    # --- saying -----------------------------------------------------------------------------------------------------

    def retell_body(self) -> None:
        """Say everything again in place."""
        self.retell_in_place()

    def say_all(self) -> None:
        """Situation, figure, form, and the task at hand."""
        self.query_one("#variant", Prose).show(pieces(variants.told(self.exercise, self.lang), quiet=True))
        self.query_one("#prompt", Prose).show(self.read(self.exercise.prompt, self._scope))
        rows = [GivenRow(*row) for row in fill.givens(self.exercise, self.lang)]
        self.query_one(Givens).show(rows)
        if self._figure is not None:
            self._figure.retell()
        if self.form is not None:
            self.form.retell()
        self.say_task()

    def say_task(self) -> None:
        """The part of the page that a verdict, a hint or a language changes."""
        self.query_one(PartList).tell(self.tasks, self.number, self.states, self.lang, self.session.ascii)
        self.say_answer()
        offers = self.query_one("#offers", Rows)
        offers.display = all(task.settled(self.states) for task in self.tasks)
        if offers.display:
            offers.show(feedback.offers(self))

    def say_figure(self) -> None:
        """The figure shows what has been found."""
        ref = self.exercise.figure
        if self._figure is not None and ref is not None:
            self._figure.reveal(coursemap.figure_beside(self.exercise, ref, self.states).state)

    def refresh_task(self) -> None:
        """Say the task and the frame again after something happened."""
        self.states = self.session.progress.states(self.exercise.id)
        self.say_task()
        self.say_figure()
        self.retell_frame()
        self.tutor.tell_notices()

    # --- finding the way --------------------------------------------------------------------------------------------

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
