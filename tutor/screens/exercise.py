"""An exercise: the situation, its parts, an answer to give, and what the tutor says to it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.containers import Vertical
from textual.timer import Timer
from textual.widget import Widget

from content import course, fill
from content.schema import Part
from tutor import coursemap
from tutor.keys import Command, Scope
from tutor.progress import PartState, Place
from tutor.screens import feedback
from tutor.screens.base import TutorScreen, bindings
from tutor.widgets.forms import Form
from tutor.widgets.givens import GivenRow, Givens
from tutor.widgets.page import AnswerPage, Page
from tutor.widgets.partlist import PartList
from tutor.widgets.prose import Prose, pieces
from tutor.widgets.rows import Rows
from tutor.widgets.tasks import Task, form_of, tasks_of

if TYPE_CHECKING:
    from tutor.figures.view import FigureView
    from tutor.session import Checked
    from tutor.widgets.forms_many import JudgeForm
    from tutor.widgets.rubric_form import RubricForm

DRAFT_DELAY = 0.3
"""Seconds of rest after a key before the draft is written: one write for a word, not one for a letter."""
LAYOUT = 0.05
"""Seconds after which a changed page has been laid out: three frames."""
SLOW = 1.0
"""Seconds after which a check that still runs says so."""


class ExerciseScreen(TutorScreen):
    """One exercise. `part` is where to begin, `draft` what stood typed there."""

    SCOPE: ClassVar[Scope] = "exercise"
    BINDINGS = bindings("exercise")

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
        self.drafts: dict[int, str] = {self.number: draft} if draft else {}
        self.confirming = False
        """Whether the solution was asked for and the warning stands there."""
        self.revealed: set[str] = set()
        """Parts whose solution is on the screen."""
        self.reasoned: dict[str, bool] = {}
        """Whether the reason given for a yes or no was the right one."""
        self.checking = False
        self.states: Mapping[str, PartState] = {}
        self._form: Form | None = None
        self._figure: FigureView | None = None
        self._keeper: Timer | None = None
        self._since = time.monotonic()
        self._marks: dict[str, Sequence[str]] = {}

    @property
    def current(self) -> Task:
        """What is being answered."""
        return self.tasks[self.number]

    def body(self) -> Iterable[Widget]:
        """Left the exercise, right its figure; on a narrow screen the figure comes last."""
        left = Vertical(
            Prose(id="prompt"),
            Givens(id="givens"),
            PartList(id="parts"),
            Prose(id="ask"),
            Vertical(id="answering"),
            Prose(id="verdict"),
            Prose(id="hints"),
            Prose(id="solution"),
            Prose(id="nuance"),
            Rows(id="offers"),
            id="left",
        )
        yield AnswerPage(Vertical(left, Vertical(id="right"), id="columns"), id="page")

    async def on_mount(self) -> None:
        """Fill in the figure and the first form."""
        if self.exercise.figure is not None:
            from tutor.figures.view import FigureView

            self._figure = FigureView(self.exercise.figure.name, self.exercise.figure.state)
            await self.query_one("#right", Vertical).mount(self._figure)
        self.query_one("#right").display = self._figure is not None
        await self.turn(self.number)

    async def turn(self, number: int) -> None:
        """Go to a task, with what was typed there."""
        self.number = number
        self.confirming = False
        self._since = time.monotonic()
        self.states = self.session.progress.states(self.exercise.id)
        place = self.query_one("#answering", Vertical)
        await place.remove_children()
        self._form = form_of(self.current)
        await place.mount(self._form)
        draft = self.drafts.get(number) or self._last_answer()
        if draft:
            self._form.restore(draft)
        self.retell()
        self._form.take_focus()
        self.reveal(self._form)
        self.keep()

    def _last_answer(self) -> str:
        state = self.states.get(self.current.first.id)
        return "" if self.current.grouped or state is None else state.last_answer or ""

    def reveal(self, widget: Widget) -> None:
        """Bring a widget into sight. Its new height is known only after a layout, which comes with the next frame."""

        def scroll() -> None:
            if widget.is_attached and widget.display:
                widget.scroll_visible(animate=False, force=True, immediate=True)

        self.call_after_refresh(scroll)
        self.set_timer(LAYOUT, scroll)

    # --- saying -----------------------------------------------------------------------------------------------------

    def retell_body(self) -> None:
        """Say everything again in place."""
        page = self.query_one(Page)
        point = page.anchor_point()
        self.query_one("#prompt", Prose).show(self.read(self.exercise.prompt, self._scope))
        rows = [GivenRow(*row) for row in fill.givens(self.exercise, self.lang)]
        self.query_one(Givens).show(rows)
        if self._figure is not None:
            self._figure.retell()
        if self._form is not None:
            self._form.retell()
        self._say_task()
        page.restore(point)

    def _say_task(self) -> None:
        """The part of the page that a verdict, a hint or a language changes."""
        self.query_one(PartList).tell(self.tasks, self.number, self.states, self.lang, self.session.settings.ascii)
        self.query_one("#ask", Prose).show(feedback.question(self))
        self.query_one("#verdict", Prose).show(feedback.verdict(self))
        self.query_one("#hints", Prose).show(feedback.hints(self))
        self.query_one("#solution", Prose).show(feedback.solution(self))
        self.query_one("#nuance", Prose).show(feedback.nuances(self))
        self._say_offers()

    def _say_offers(self) -> None:
        offers = self.query_one("#offers", Rows)
        offers.display = all(task.settled(self.states) for task in self.tasks)
        if offers.display:
            offers.show(feedback.offers(self))

    def refresh_task(self) -> None:
        """Say the task and the frame again after something happened."""
        self.states = self.session.progress.states(self.exercise.id)
        self._say_task()
        self.retell_frame()
        self.tutor.tell_notices()

    # --- answering --------------------------------------------------------------------------------------------------

    async def on_form_submitted(self, event: Form.Submitted) -> None:
        """Enter: check, or go on when the same answer has been found right already."""
        event.stop()
        if self.checking:
            return
        if self._right_already(event.answers):
            await self.advance()
            return
        self.checking = True
        self.confirming = False
        self.set_timer(SLOW, self._say_checking)
        self._check(dict(event.answers), time.monotonic() - self._since)

    def _right_already(self, answers: Mapping[str, str]) -> bool:
        for part, answer in answers.items():
            state = self.states.get(part)
            if state is None or state.status != "solved" or state.last_answer != answer:
                return False
        return all(self.told[p].verdict.verdict == "correct" if p in self.told else True for p in answers)

    def _say_checking(self) -> None:
        if self.checking:
            self.query_one("#verdict", Prose).show(pieces(self.tell("exercise.checking")))

    @work(thread=True, group="check")
    def _check(self, answers: dict[str, str], seconds: float) -> None:
        """Away from the screen: a formula may take sympy, and the disk may be slow."""
        told = {part: self.session.check(part, answer, seconds) for part, answer in answers.items()}
        self.app.call_from_thread(self._checked, told)

    def _checked(self, told: Mapping[str, Checked]) -> None:
        self.checking = False
        if not self.is_attached:
            return
        self.told.update(told)
        if any(one.verdict.verdict != "invalid" for one in told.values()):
            self._since = time.monotonic()
            self.drafts.pop(self.number, None)
        self.refresh_task()
        if self._form is not None:
            self._form.point(next((one.verdict.span for one in told.values()), None))
            if all(one.verdict.verdict == "correct" for one in told.values()):
                self._form.ask_reason()
        verdict, offers = self.query_one("#verdict", Prose), self.query_one("#offers", Rows)
        self.reveal(verdict)
        if offers.display and self.current.solved(self.states) and not self.current.first.reasons:
            offers.focus(scroll_visible=False)

    def on_form_drafted(self, event: Form.Drafted) -> None:
        """Remember what is typed, soon."""
        event.stop()
        self.drafts[self.number] = event.draft
        if self._keeper is not None:
            self._keeper.stop()
        self._keeper = self.set_timer(DRAFT_DELAY, self.keep)

    def keep(self) -> None:
        """Store the place and the draft."""
        draft = self.drafts.get(self.number, "")
        place = Place("exercise", self.exercise.id, part=self.current.first.id, draft=draft)
        self.session.set_place(place)

    async def on_rubric_form_marked(self, event: RubricForm.Marked) -> None:
        """The learner's own marks under an explanation; the same marks again go on."""
        if self._marks.get(event.part) == event.ticked:
            await self.advance()
            return
        self._marks[event.part] = event.ticked
        self.session.self_mark(event.part, event.text, event.ticked, time.monotonic() - self._since)
        self.drafts.pop(self.number, None)
        self.refresh_task()
        self.reveal(self.query_one("#nuance"))

    async def on_judge_form_reasoned(self, event: JudgeForm.Reasoned) -> None:
        """The reason behind a yes or no: told, not counted."""
        if event.right and self.reasoned.get(event.part):
            await self.advance()
            return
        self.reasoned[event.part] = event.right
        self.refresh_task()
        self.reveal(self.query_one("#verdict"))

    # --- commands ---------------------------------------------------------------------------------------------------

    def action_check(self) -> None:
        """Hand in what stands there."""
        if self._form is not None:
            self._form.submit()

    def action_hint(self) -> None:
        """The next rung of the ladder, for the first part of the task that is open."""
        self.session.next_hint(self.aimed().id)
        self.refresh_task()
        self.reveal(self.query_one("#hints"))

    def aimed(self) -> Part:
        """The part that hint, solution and skip are about: in a match the one under the cursor."""
        current = self._form.aimed if self._form is not None and self._form.is_mounted else ""
        return next((part for part in self.current.parts if part.id == current), self.current.first)

    def action_solution(self) -> None:
        """Show the working: at once when the part is settled, else after a second press."""
        part = self.aimed()
        status = self.states.get(part.id, PartState()).status
        if part.id in self.revealed:
            return
        if status not in ("solved", "shown") and not self.confirming:
            self.confirming = True
            self._say_task()
            self.retell_keys()
            self.reveal(self.query_one("#solution"))
            return
        self.confirming = False
        self.revealed.add(part.id)
        self.session.solution(part.id)
        self.refresh_task()
        self.reveal(self.query_one("#solution"))

    async def action_skip(self) -> None:
        """Leave this task for later."""
        for part in self.current.parts:
            self.session.skip(part.id)
        await self.advance()

    async def advance(self) -> None:
        """The next task that waits; with none left, what comes after the exercise."""
        self.states = self.session.progress.states(self.exercise.id)
        order = [*range(self.number + 1, len(self.tasks)), *range(self.number)]
        waiting = next((n for n in order if not self.tasks[n].settled(self.states)), None)
        if waiting is None:
            self.refresh_task()
            offers = self.query_one("#offers", Rows)
            if offers.display:
                offers.focus()
                self.reveal(offers)
            elif self.number + 1 < len(self.tasks):
                await self.turn(self.number + 1)
            return
        await self.turn(waiting)

    async def action_next_part(self) -> None:
        """The task below in the list, settled or not."""
        if self.number + 1 < len(self.tasks):
            await self.turn(self.number + 1)

    async def action_previous_part(self) -> None:
        """The task above."""
        if self.number:
            await self.turn(self.number - 1)

    async def action_lesson(self) -> None:
        """The lesson that this exercise stands on."""
        self.keep()
        self.tutor.go(self.exercise.lesson)

    async def action_results(self) -> None:
        """How the exercise went."""
        from tutor.screens import route

        self.tutor.show_panel(route.results(self.exercise.id))

    async def go_back(self) -> None:
        """Escape takes the warning away first, then leaves."""
        if self.confirming:
            self.confirming = False
            self._say_task()
            self.retell_keys()
            return
        await super().go_back()

    async def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """What to do next."""
        event.stop()
        if event.id == "followups":
            number = len(self.tasks)
            self.tasks, self.extra = [*self.tasks, *self.extra], []
            await self.turn(number)
        elif event.id == "results":
            await self.action_results()
        elif event.id == "home":
            self.tutor.go(Place("home"))
        else:
            self.tutor.go(event.id, back_to="" if event.id == self.exercise.lesson else self.back_to)

    async def on_part_list_picked(self, event: PartList.Picked) -> None:
        """A part in the list was clicked."""
        event.stop()
        await self.turn(event.number)

    def on_descendant_focus(self) -> None:
        """Which keys can be typed depends on where they go."""
        self.retell_keys()

    # --- frame ------------------------------------------------------------------------------------------------------

    def is_typing(self) -> bool:
        """Whether letters go into the answer."""
        return (
            self._form is not None
            and self._form.is_mounted
            and self._form.typing
            and not self.query_one("#offers").has_focus
        )

    def can(self, command: Command) -> bool:
        """Leave out what this task does not have."""
        if command.id in ("next-part", "previous-part", "skip"):
            return len(self.tasks) > 1
        if command.id == "hint":
            state = self.states.get(self.aimed().id, PartState())
            return state.status != "solved" and state.hints < len(self.aimed().hints)
        return not (command.id == "solution" and self.aimed().id in self.revealed)

    def label_of(self, command: Command) -> str:
        """The next hint's number; Enter's meaning of the moment."""
        if command.id == "hint":
            part = self.aimed()
            n = min(self.states.get(part.id, PartState()).hints + 1, len(part.hints))
            return f"{super().label_of(command)} {n}/{len(part.hints)}"
        if command.id == "check" and self.current.solved(self.states):
            return self.tell("exercise.go_on")
        return super().label_of(command)

    def note(self) -> str:
        """How many attempts so far."""
        attempts = self.states.get(self.current.first.id, PartState()).attempts
        return self.tell("exercise.attempts", n=attempts) if attempts else ""

    def crumbs(self) -> Sequence[str]:
        """Level and exercise."""
        level = coursemap.level_of(self.exercise.id)
        name = f"{level.id.split('/')[1]} {level.title[self.lang]}"
        return (name, f"{self.exercise.id.split('/')[1]} {self.exercise.title[self.lang]}")

    def progress(self) -> Sequence[str]:
        """Parts as marks."""
        marks = " ".join(task.mark(self.states) for task in self.tasks)
        count = coursemap.of_exercise(coursemap.exercise_entry(self.exercise.id), self.states)
        return (f"{marks}  {count.done}/{count.total}", f"{count.done}/{count.total}")
