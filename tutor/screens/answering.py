"""Answering: an answer is handed in and judged, a reason or one's own marks are given, a draft is kept."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from textual import work
from textual.timer import Timer

from tutor import letters
from tutor.screens.choices import ChoiceRows
from tutor.screens.desk import Asked, Told
from tutor.screens.exercise_page import ExercisePage
from tutor.widgets.form import Form
from tutor.widgets.prose import Prose, pieces
from tutor.widgets.rows import Rows

if TYPE_CHECKING:
    from tutor.checked import Checked
    from tutor.widgets.forms_many import JudgeForm
    from tutor.widgets.rubric_form import TickForm

DRAFT_DELAY = 0.3
"""Seconds of rest after a key before the draft is written: one write for a word, not one for a letter."""
SLOW = 1.0
"""Seconds after which a check that still runs says so."""


class Answering(ExercisePage):
    """What the forms report, and what follows from it."""

    busy = False
    """Whether an answer is being judged; keys typed meanwhile wait for the verdict, see `tutor.typeahead`."""

    def __init__(self, exercise_id: str, part: str = "", draft: str = "") -> None:
        super().__init__(exercise_id, part, draft)
        self._keeper: Timer | None = None

    async def on_form_submitted(self, event: Form.Submitted) -> None:
        """Enter: check, or go on when the same answer has been found right already."""
        event.stop()
        if self.busy:
            return
        letter = letters.of(next(iter(event.answers.values()), ""), self.typed_choices())
        if letter:
            self.pick(letter)
            return
        if self._right_already(event.answers):
            await self.advance()
            return
        self.busy = True
        self.confirming = False
        self.set_timer(SLOW, self._say_checking)
        stood = self.form.draft if self.form is not None else ""
        self._check(dict(event.answers), stood, time.monotonic() - self.since)

    def _right_already(self, answers: Mapping[str, str]) -> bool:
        for part, answer in answers.items():
            state = self.states.get(part)
            if state is None or state.status != "solved" or state.last_answer != answer:
                return False
        return all(self.told[p].verdict.verdict == "correct" if p in self.told else True for p in answers)

    def _say_checking(self) -> None:
        if self.busy:
            self.query_one("#verdict", Prose).show(pieces(self.tell("exercise.checking")))

    @work(thread=True, group="check")
    def _check(self, answers: dict[str, str], stood: str, seconds: float) -> None:
        """Away from the screen: a formula may take sympy, and the disk may be slow."""
        told = {part: self.session.check(part, answer, seconds) for part, answer in answers.items()}
        self.app.call_from_thread(self._checked, told, stood)

    def _checked(self, told: Mapping[str, Checked], stood: str) -> None:
        self.busy = False
        if not self.is_attached:
            return
        self.told.update(told)
        for part, one in told.items():
            self.picked.pop(part, None)
            if one.verdict.verdict != "invalid":  # what could not be read answers no question and takes none away
                self.asked[part] = Asked(one, stood)
        if any(one.verdict.verdict != "invalid" for one in told.values()):
            self.since = time.monotonic()
            self.forget_draft()
        if self.form is not None:
            self.form.missed([part for part, one in told.items() if one.verdict.verdict != "correct"])
        self.refresh_task()
        if self.form is not None:
            self.form.point(next((one.verdict.span for one in told.values()), None))
            self.form.judged(next((one.verdict.verdict for one in told.values()), ""))
            if self.current.asks_reason(self.states):
                self.form.ask_reason()
        self.was_judged()
        offers = self.query_one("#offers", Rows)
        self.reveal_said()
        if offers.display and self.current.solved(self.states):
            self.set_focus(offers, scroll_visible=False)
            self.retell_keys_soon()

    # --- which slip it was ------------------------------------------------------------------------------------------

    def settle(self, checked: Told, slip: str) -> letters.Settled:
        """Recorded with the answer; the letter that was typed for it is no answer and is no draft."""
        settled = letters.settle(self.session, cast("Checked", checked), slip)
        self.forget_draft()
        self.keep()
        return settled

    async def on_choice_rows_left(self, event: ChoiceRows.Left) -> None:
        """Up to the answer, down to the offers, or to the part below."""
        event.stop()
        offers = self.query_one("#offers", Rows)
        if event.step < 0 and self.form is not None:
            self.form.take_focus()
        elif event.step > 0 and offers.display:
            self.set_focus(offers)
        elif event.step > 0 and self.number + 1 < len(self.tasks):
            await self.turn(self.number + 1)

    # --- drafts -----------------------------------------------------------------------------------------------------

    def on_form_drafted(self, event: Form.Drafted) -> None:
        """Remember what is typed, soon."""
        event.stop()
        if self.form is None or event.form is not self.form:  # a form on its way out
            return
        self.fade_verdict()
        if event.draft == self.last_answer():  # what was handed in is no draft
            self.drafts.pop(self.current.first.id, None)
        else:
            self.drafts[self.current.first.id] = event.draft
            if not self.can_view_entire(self.form.edited):
                self.reveal(self.form.edited)
        self._stop_keeper()
        self._keeper = self.set_timer(DRAFT_DELAY, self.keep)

    def forget_draft(self) -> None:
        """What stands in the form has been handed in."""
        self.drafts.pop(self.current.first.id, None)
        self._stop_keeper()

    def _stop_keeper(self) -> None:
        if self._keeper is not None:
            self._keeper.stop()
            self._keeper = None

    def keep(self) -> None:
        """Store the place and the draft, and not again a moment later."""
        self._stop_keeper()
        super().keep()

    def keep_at_once(self) -> None:
        """As `keep`, of what stands in the form: its word that it was typed may still be on its way here."""
        if self.form is not None and (draft := self.form.draft) and draft != self.last_answer():
            self.drafts[self.current.first.id] = draft
        self.keep()

    # --- reasons and marks ------------------------------------------------------------------------------------------

    async def on_tick_form_marked(self, event: TickForm.Marked) -> None:
        """The learner's own marks under an explanation; the same marks again go on."""
        if self.marked.get(event.part) == event.ticked:
            await self.advance()
            return
        self.marked[event.part] = event.ticked
        self.session.self_mark(event.part, event.text, event.ticked, time.monotonic() - self.since)
        self.forget_draft()
        self.refresh_task()
        self.was_judged()
        self.reveal(self.query_one("#nuance"), self.query_one("#said"))

    async def on_judge_form_reasoned(self, event: JudgeForm.Reasoned) -> None:
        """The reason behind a yes or no, recorded with it; the right one again goes on."""
        part = self.current.first
        given = self.states[part.id].reasons if part.id in self.states else ()
        if given and given[-1] == event.reason:
            if event.reason == part.reason:
                await self.advance()
            return
        self.session.give_reason(event.part, event.reason)
        self.refresh_task()
        self.reveal_said()
