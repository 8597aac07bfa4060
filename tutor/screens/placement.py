"""The placement: question after question, right or not yet in a line, and at the end where to begin.

It lies over home. Nothing is recorded but the suggestion; escape leaves at any time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual.content import Content
from textual.widget import Widget

from content import fill
from content.files import ContentError
from content.quiz.model import Question
from content.words import say
from tutor import nextup
from tutor.keys import Command, Scope
from tutor.placement import telling
from tutor.placement.placement import MOST, Placement, Suggestion
from tutor.placement.reading import PlacedReading
from tutor.placement.where import lesson_before, place_name, target
from tutor.screens.base import LAYOUT, Panel, bindings
from tutor.widgets.blank import Vertical
from tutor.widgets.form import Form
from tutor.widgets.ink import ACCENT, QUIET, STRONG, plainer
from tutor.widgets.page import AnswerPage, Page
from tutor.widgets.prose import Piece, Prose, pieces
from tutor.widgets.rows import Row, Rows
from tutor.widgets.tasks import Task, form_of

MARKS = {"right": "✓ ", "wrong": "✗ ", "unknown": "· "}


class PlacementScreen(Panel):
    """One question at a time; then the suggestion, where Enter begins."""

    SCOPE: ClassVar[Scope] = "placement"
    LETTERED = True
    BINDINGS = bindings("placement")
    DEFAULT_CSS = """
    PlacementScreen #last { margin-bottom: 1; }
    PlacementScreen #found { margin-bottom: 1; }
    PlacementScreen #unread { margin-top: 1; }
    """

    def __init__(self, turn: int = 0) -> None:
        super().__init__()
        self._turn = turn
        self._placement = Placement(turn)
        self._question: Question | None = None
        self._found: Suggestion | None = None
        self._unread = ""
        """An answer that could not be read, until the next one."""
        self._broken = ""
        """A file of the course that is damaged."""
        self.form: Form | None = None

    def body(self) -> Iterable[Widget]:
        """The last verdict, the question with its form, or the suggestion with its ways on."""
        yield AnswerPage(
            Prose(id="last"),
            Prose(id="prompt"),
            Prose(id="ask"),
            Vertical(id="answering"),
            Prose(id="unread"),
            Prose(id="found"),
            Rows(id="ways"),
            id="page",
        )

    async def on_mount(self) -> None:
        """The first question."""
        self.query_one(Page).can_focus = False
        await self._advance()

    # --- questions --------------------------------------------------------------------------------------------------

    async def _advance(self) -> None:
        """The next question, or where to begin."""
        self._unread = ""
        try:
            self._question = self._placement.next()
        except ContentError as error:
            self._question, self._broken = None, error.file
        place = self.query_one("#answering", Vertical)
        self.form = None  # on its way out it has nothing to tell any more
        await place.remove_children()
        if self._question is not None and self._question.part is not None:
            part = self._question.part
            form = form_of(Task((part,)), PlacedReading(part.id), turn=f"p{self._turn}")
            await place.mount(form)
            self.form = form  # a key finds it when it is whole
            form.wait()
        elif not self._broken:
            self._finish()
        self.retell()
        self.query_one(Page).scroll_home(animate=False)
        if self.form is not None:
            self.form.take_focus()
            self.set_timer(LAYOUT, self._reveal)
        else:
            self.set_focus(self.query_one("#ways"))

    def _finish(self) -> None:
        """Home remembers the suggestion."""
        self._found = self._placement.suggestion()
        self.session.change(placement=self._found.id.rpartition("/")[2])
        self.tutor.placed_at = (nextup.place_of(self.session),)
        self.tutor.tell_notices()

    def _reveal(self) -> None:
        """Where the answer goes is in sight, whatever the window."""
        if self.form is not None and self.form.is_attached:
            self.form.edited.scroll_visible(animate=False, force=True, immediate=True)

    async def on_form_submitted(self, event: Form.Submitted) -> None:
        """Judge; what cannot be read stays, to be mended."""
        event.stop()
        typed, asked = next(iter(event.answers.values()), ""), self._placement.current
        if asked is None or self.form is None:
            return
        verdict = self._placement.answer(typed)
        if self._placement.current is not None:
            self._unread = typed
            self.form.point(verdict.span)
            self.form.judged(verdict.verdict)
            self._say_unread()
            self.call_after_refresh(self.query_one("#unread").scroll_visible, animate=False)
            return
        await self._advance()

    async def action_place_unknown(self) -> None:
        """ "I don't know"."""
        if self._placement.current is not None:
            self._placement.dont_know()
            await self._advance()

    def action_place_answer(self) -> None:
        """Enter, or a click on its word."""
        if self.form is not None:
            self.form.submit()
        else:
            self.query_one("#ways", Rows).action_choose()

    def on_form_drafted(self, event: Form.Drafted) -> None:
        """A changed answer is not the unread one any more."""
        event.stop()
        if self._unread and event.draft != self._unread:
            self._unread = ""
            self._say_unread()

    # --- the end ----------------------------------------------------------------------------------------------------

    async def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """Begin, once more, or home."""
        event.stop()
        if event.id == "again":
            self._turn += 1
            self._placement, self._found = Placement(self._turn), None
            self.query_one("#ways", Rows).show([])  # the next suggestion begins on its own first way, not on this one
            await self._advance()
        elif event.id == "home":
            await self.go_back()
        else:
            self.tutor.go(event.id)

    # --- words ------------------------------------------------------------------------------------------------------

    def tell(self, key: str, **params: object) -> str:
        """Words of the app; where the form misses an answer, also that one need not know it."""
        told = super().tell(key, **params)
        if not key.startswith("exercise.lacking."):
            return told
        return f"{told} {say('placement.or_unknown', self.lang, unknown=self.pressed('place-unknown'))}"

    def retell_body(self) -> None:
        """Question or suggestion, in place."""
        asking = self._question is not None
        for id in ("#found", "#prompt", "#ask", "#unread"):
            self.query_one(id, Prose).show([])
        self.query_one("#answering").display = asking
        self.query_one("#ways").display = not asking
        self.query_one("#last", Prose).show(self._last())
        if self._question is not None:
            self._say_question(self._question)
        elif self._broken:
            self.query_one("#found", Prose).show(pieces(say("placement.trouble", self.lang, file=self._broken)))
            self.query_one("#ways", Rows).show([Row("home", Content(say("placement.result.home", self.lang)))])
        elif self._found is not None:
            self._say_found(self._found)

    def _last(self) -> Sequence[Piece]:
        """How the last answer was, or before the first one what this is."""
        said = self._placement.said
        if self._question is None:
            return []
        if not said:
            how = say("placement.how", self.lang, most=MOST, unknown=self.pressed("place-unknown"))
            return pieces(how, quiet=True)
        outcome = said[-1].outcome
        lead = plainer(MARKS[outcome], self.session.ascii)
        return [Piece(Content(say(f"placement.{outcome}", self.lang)), lead, mark=outcome == "right")]

    def _say_question(self, question: Question) -> None:
        exercise, part = question.exercise, question.part
        if exercise is None or part is None:
            return
        self.query_one("#prompt", Prose).show(self.read(exercise.prompt, fill.of_exercise(exercise)))
        ask = list(self.read(part.ask, fill.of_part(exercise, part))) if part.ask is not None else []
        if part.kind == "classify":
            ask.append(Piece(Content.styled(self.tell("exercise.classify_how"), QUIET), tight=bool(ask)))
        self.query_one("#ask", Prose).show(ask)
        if self.form is not None:
            self.form.retell()
        self._say_unread()

    def _say_unread(self) -> None:
        """What could not be read, and what to type instead."""
        said: Sequence[Piece] = []
        if self._unread and self._question is not None:
            from content.quiz import questions

            verdict = questions.check(self._question, self._unread)
            said = [Piece(Content(questions.message(self._question, verdict, self.lang)), "? ", mark=True)]
        self.query_one("#unread", Prose).show(said)

    def _say_found(self, found: Suggestion) -> None:
        head = Piece(Content.styled(telling.headline(found, self.lang), f"{STRONG} {ACCENT}"))
        why = [
            Piece(Content(line), plainer(MARKS["right" if well else "wrong"], self.session.ascii), bool(n), mark=well)
            for n, (line, well) in enumerate(telling.table(found, self.lang))
        ]
        last = Piece(Content.styled(say("placement.result.open", self.lang), QUIET))
        self.query_one("#found", Prose).show([head, *why, last])
        self.query_one("#ways", Rows).show(self._ways(found))

    def _ways(self, found: Suggestion) -> list[Row]:
        first, lesson = target(found.level), lesson_before(found.level)
        named = {first: say("placement.result.start", self.lang, name=place_name(first, self.lang))}
        if lesson:
            named[lesson] = say("placement.result.lesson", self.lang, name=place_name(lesson, self.lang))
        named |= {id: say(f"placement.result.{id}", self.lang) for id in ("again", "home")}
        return [Row(id, Content(text)) for id, text in named.items()]

    # --- frame ------------------------------------------------------------------------------------------------------

    def name_of(self) -> str:
        """Name of the panel."""
        return say("placement.title", self.lang)

    def progress(self) -> Sequence[str]:
        """Which question."""
        if self._question is None:
            return ()
        n = self._placement.number
        return (say("placement.place", self.lang, n=n, of=MOST), say("placement.place_short", self.lang, n=n))

    def is_typing(self) -> bool:
        """Whether letters go into the answer."""
        return self.form is not None and self.form.is_mounted and self.form.typing

    def can(self, command: Command) -> bool:
        """What makes sense at this moment."""
        if command.id == "place-unknown":
            return self._question is not None
        return command.id not in ("home",) and (command.id != "peek" or self._question is not None)

    def rank_of(self, command: Command) -> int:
        """The way out stands near the front: nobody has to be placed."""
        return 3 if command.id == "back" else super().rank_of(command)

    def label_of(self, command: Command) -> str:
        """At the end Enter begins."""
        if command.id == "place-answer" and self._question is None:
            return say("app.quiz.start", self.lang)
        return super().label_of(command)
