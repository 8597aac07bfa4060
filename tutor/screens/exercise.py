"""An exercise: the situation, its parts, an answer to give, and what the tutor says to it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widget import Widget

from content import address, course
from content.words import say
from tutor import coursemap
from tutor.keys import Command, Scope
from tutor.progress import PartState, Place
from tutor.screens.answering import Answering
from tutor.screens.base import bindings
from tutor.screens.choices import ChoiceRows
from tutor.widgets.page import Page
from tutor.widgets.partlist import PartList
from tutor.widgets.whole import at_once

HEADED = 2
"""Lines of the list of what comes next up to its first row."""


class ExerciseScreen(Answering):
    """The commands of an exercise, and the lines around its page."""

    SCOPE: ClassVar[Scope] = "exercise"
    LETTERED = True
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings("exercise"),
        Binding("enter", "screen.go_on", show=False, priority=True),
    ]

    def action_check(self) -> None:
        """Hand in what stands there."""
        if self.form is not None:
            self.form.submit()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enter goes on where the solution is shown, or what comes next waits out of sight; else it is the form's."""
        if action == "go_on":
            return self.goes_on() or self._offers_below()
        return super().check_action(action, parameters)

    def goes_on(self) -> bool:
        """Whether the solution is shown, the part stays unsolved, and nothing else has been typed since."""
        first = self.current.first.id
        if self.form is None or not self.form.is_mounted or self._in_a_list():
            return False
        shown = all(self.states.get(part.id, PartState()).status in ("shown", "solved") for part in self.current.parts)
        return shown and not self.current.solved(self.states) and self.stood.get(first) == self.form.draft

    async def action_go_on(self) -> None:
        """Leave a part whose solution is shown; a list that nobody sees is first brought into sight."""
        if self._offers_below():
            self.reveal(self.query_one("#offers"))
            self.retell_keys_soon()
        else:
            await self.advance()

    def _offers_below(self) -> bool:
        """Whether the keys go to what comes next, and its first row is not in sight."""
        offers = self.query_one("#offers")
        return offers.has_focus and offers.region.intersection(self.query_one(Page).region).height < HEADED

    def on_page_moved(self, event: Page.Moved) -> None:
        """What Enter does depends on what is in sight."""
        self.retell_keys_soon()

    def action_hint(self) -> None:
        """The next rung of the ladder, for the first part of the task that is open."""
        part = self.helped()
        if self.states.get(part.id, PartState()).status == "shown":
            return
        self.session.next_hint(part.id)
        self.refresh_task()
        self.reveal_hint()
        at_once(self)

    def action_solution(self) -> None:
        """Show the working: at once when the part is settled, else after a second press."""
        part = self.aimed()
        status = self.states.get(part.id, PartState()).status
        if part.id in self.revealed:
            return
        if status not in ("solved", "shown") and not self.confirming:
            self.confirming = True
            self.say_task()
            self.retell_keys()
            self.reveal(self.query_one("#solution"))
            return
        self.confirming = False
        self.revealed.add(part.id)
        self.session.solution(part.id)
        if self.form is not None:
            self.stood[self.current.first.id] = self.form.draft
        self.refresh_task()
        self.reveal(self.query_one("#solution"))

    async def action_skip(self) -> None:
        """Leave this task for later."""
        for part in self.current.parts:
            self.session.skip(part.id)
        await self.advance()

    async def action_next_part(self) -> None:
        """The choices under the verdict while they wait, else the task below in the list, settled or not."""
        choices = self.query_one(ChoiceRows)
        if choices.display and not choices.has_focus:
            self.set_focus(choices, scroll_visible=False)
        elif self.number + 1 < len(self.tasks):
            await self.turn(self.number + 1)

    async def action_previous_part(self) -> None:
        """The task above."""
        if self.number:
            await self.turn(self.number - 1)

    _left: Widget | None = None
    """Where the keys went before the figure got them."""

    def action_turn_figure(self) -> None:
        """Give the keys to the figure, or back to where they were; choices that wait under the verdict come first."""
        figure, choices = self._figure, self.query_one(ChoiceRows)
        if choices.display and self.is_typing():
            self.set_focus(choices, scroll_visible=False)
        elif figure is None:
            self.focus_next()
        elif not figure.has_focus:
            self._left = self.focused
            self.set_focus(figure, scroll_visible=False)
        elif self._left is not None and self._left.is_attached and self._left.display:
            self.set_focus(self._left)
        elif self.form is not None:
            self.form.take_focus()
            self.reveal(self.form)

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
            self.say_task()
            self.retell_keys()
            return
        await super().go_back()

    def action_variant(self) -> None:
        """The same exercise with fresh numbers, from its first part on: later parts build on those before."""
        if not course.can_vary(self.exercise):
            self._say_once("cli.plain.no_variant")
            return
        self.keep()
        self.tutor.go_fresh(self.exercise.id, self.tasks[0].first.name, self.back_to)

    def action_as_written(self) -> None:
        """From a variant back to the values as written, at the part at hand."""
        if not self.exercise.variant:
            self._say_once("cli.plain.no_original")
            return
        self.keep()
        part = address.plain(self.current.first.id)
        self.tutor.go(Place("exercise", address.plain(self.exercise.id), part=part), self.back_to)

    _noted = ("", 0.0)
    """The last such sentence, and when it was said."""

    def _say_once(self, key: str) -> None:
        """A sentence beside the page, and not a second time while it stands there."""
        sentence, now = say(key, self.lang), time.monotonic()
        if sentence != self._noted[0] or now - self._noted[1] >= self.app.NOTIFICATION_TIMEOUT:
            self._noted = (sentence, now)
            self.notify(sentence, markup=False)

    async def chosen(self, id: str) -> None:
        """What to do next."""
        if id == "variant":
            self.tutor.go_fresh(self.exercise.id, self.tasks[0].first.name, self.back_to)
        elif id == "as-written":
            self.tutor.go(address.plain(self.exercise.id), self.back_to)
        elif id == "followups":
            number = len(self.tasks)
            self.tasks, self.extra = [*self.tasks, *self.extra], []
            if number < len(self.tasks):  # the row may have been chosen twice before it went
                await self.turn(number)
        elif id == "results":
            await self.action_results()
        elif id == "home":
            self.tutor.go(Place("home"))
        else:
            self.tutor.go(id, back_to="" if id == self.exercise.lesson else self.back_to)

    async def on_part_list_picked(self, event: PartList.Picked) -> None:
        """A part in the list was clicked."""
        event.stop()
        await self.turn(event.number)

    def on_descendant_focus(self) -> None:
        """Which keys can be typed depends on where they go."""
        self.retell_keys()

    # --- frame ------------------------------------------------------------------------------------------------------

    def kept(self) -> bool:
        """Whether Enter on the last row has nothing to keep any more: these marks are kept already."""
        part = self.current.first.id
        if part not in self.marked or self.form is None or not self.form.enter.endswith(".keep"):
            return False
        from tutor.widgets.rubric_form import TickForm

        return isinstance(self.form, TickForm) and tuple(self.form.ticked) == tuple(self.marked[part])

    def is_typing(self) -> bool:
        """Whether letters go into the answer."""
        return self.form is not None and self.form.is_mounted and self.form.typing and not self._in_a_list()

    def _in_a_list(self) -> bool:
        """Whether the keys go to the choices under the verdict, or to what comes next."""
        return self.query_one("#offers").has_focus or self.query_one(ChoiceRows).has_focus

    def has(self, command: Command) -> bool:
        """Only some exercises can be drawn afresh, and only from a variant is there a way back."""
        if command.id == "variant":
            return course.can_vary(self.exercise)
        return bool(self.exercise.variant) if command.id == "as-written" else super().has(command)

    def can(self, command: Command) -> bool:
        """Leave out what this task does not have."""
        if not self.has(command):
            return False
        if command.id == "next-part" and self.query_one(ChoiceRows).display:
            return self.is_typing()
        if command.id in ("next-part", "previous-part"):  # in a list the arrows move inside it
            return len(self.tasks) > 1 and self.is_typing()
        if command.id == "skip":
            return len(self.tasks) > 1
        if command.id == "hint":
            part = self.helped()
            return self.is_open(part) and self.states.get(part.id, PartState()).hints < len(part.hints)
        if command.id == "turn-figure":
            return self._figure is not None and not (self.query_one(ChoiceRows).display and self.is_typing())
        return not (command.id == "solution" and self.aimed().id in self.revealed)

    def rank_of(self, command: Command) -> int:
        """The way to the choices under the verdict comes first while they wait; once something has been answered, or
        drawn afresh, that to other numbers comes before that to the figure."""
        if command.id == "turn-figure" and (
            self.exercise.variant or self.states.get(self.current.first.id, PartState()).attempts
        ):
            return command.rank + 1
        return 1 if command.id == "next-part" and self.query_one(ChoiceRows).display else super().rank_of(command)

    def label_of(self, command: Command) -> str:
        """The next hint's number; Enter's meaning of the moment."""
        if command.id == "hint":
            part = self.helped()
            n = min(self.states.get(part.id, PartState()).hints + 1, len(part.hints))
            return f"{super().label_of(command)} {n}/{len(part.hints)}"
        if command.id == "next-part" and self.query_one(ChoiceRows).display:
            return self.tell("exercise.pick_one")
        if command.id == "turn-figure" and self._figure is not None and self._figure.has_focus:
            return self.tell("exercise.to_answer")
        if command.id == "check":
            if self._in_a_list():
                return self.tell("exercise.go_on" if self._offers_below() else "exercise.pick")
            if self.current.asks_reason(self.states):
                return super().label_of(command)
            if self.kept():
                return self.tell("exercise.go_on")
            unchanged = self.current.first.id not in self.drafts
            if (self.current.solved(self.states) and unchanged) or self.goes_on():
                return self.tell("exercise.go_on")
            if self.form is not None and self.form.enter:
                return self.tell(self.form.enter)
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
        marks = " ".join(self.marks)
        count = coursemap.of_exercise(coursemap.exercise_entry(self.exercise.id), self.states)
        return (f"{marks}  {count.done}/{count.total}", f"{count.done}/{count.total}")
