"""How a quiz went: the sum, by level and kind, then question by question; Enter opens the exercise or the lesson."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.content import Content
from textual.widget import Widget

from content import course
from content.words import say
from tutor import quizsheet, quizzed
from tutor.keys import Command, Scope
from tutor.revision import sheet as sums
from tutor.screens.base import Panel, bindings
from tutor.screens.quiz_solved import SolvedPanel
from tutor.screens.quiz_turn import Quiz, mode_name, name_whole
from tutor.travel import QUIZ
from tutor.widgets.ink import ACCENT, QUIET, STRONG, bar, plainer
from tutor.widgets.page import Page
from tutor.widgets.prose import Piece, Prose
from tutor.widgets.rows import Row, Rows

if TYPE_CHECKING:
    from tutor.revision.model import Line, Sheet


class SheetPanel(Panel):
    """The sum above, the list below it."""

    DEFAULT_CSS = "SheetPanel #ways { margin-top: 1; }"
    SCOPE: ClassVar[Scope] = "sheet"
    BINDINGS = bindings("sheet")

    def __init__(self, quiz: Quiz) -> None:
        super().__init__()
        self.quiz = quiz

    @property
    def sheet(self) -> Sheet:
        """The sheet."""
        if self.quiz.run is None:
            raise ValueError("a quiz without a run has no sheet")
        return self.quiz.run.sheet()

    def body(self) -> Iterable[Widget]:
        """Sum and list."""
        yield Page(Prose(id="sum"), Rows(id="rows"), Rows(id="ways"), id="page")

    def on_mount(self) -> None:
        """The cursor starts on the first question; the sum above it is read first."""
        self.query_one(Page).can_focus = False
        rows = self.query_one("#rows", Rows)
        rows.still = True
        self.retell()
        if self.quiz.row:  # the reader comes back to the question that was opened
            rows.go(self.quiz.row)
        self.set_focus(rows, scroll_visible=bool(self.quiz.row))
        if self.quiz.row:
            self.call_after_refresh(rows.reveal)

    # --- words ------------------------------------------------------------------------------------------------------

    def retell_body(self) -> None:
        """Everything again."""
        sheet = self.sheet
        self.query_one("#sum", Prose).show(self._sum(sheet))
        rows = [*self._shares(sheet), *self._slips(sheet), *self._questions(sheet)]
        self.query_one("#rows", Rows).show(rows)
        ways = [Row("again", Content(self.tell("quiz.again"))), Row("home", Content(self.tell("exercise.offer.home")))]
        self.query_one("#ways", Rows).show([Row(text=Content(self.tell("quiz.more"))), *ways])

    def _sum(self, sheet: Sheet) -> Sequence[Piece]:
        title = "title_test" if sheet.wanted.mode == "test" else "title"
        head = Piece(Content.styled(self._say(title), STRONG))
        if not sheet.asked:
            over = [Piece(Content(say("quiz.test.over", self.lang)), tight=True)] if sheet.over else []
            return [head, *over, Piece(Content(self._say("none")), tight=True)]
        taken = quizzed.duration(sheet.seconds)
        told = [self._say("right", right=sheet.right, of=len(sheet.asked))]
        if sheet.limit_s is None:
            told.append(self._say("time", time=taken))
        else:
            told.append(self._say("time_of", time=taken, limit=quizzed.duration(sheet.limit_s)))
        told += [self._say("over")] if sheet.over else []
        told += [self._say("unasked", n=sheet.unasked)] if sheet.unasked else []
        return [head, Piece(Content(", ".join(told) + "."), tight=True), Piece(Content(self._left(sheet)), tight=True)]

    def _left(self, sheet: Sheet) -> str:
        """What waits still."""
        return " ".join(quizsheet.ahead(sheet, self.session.revision.today, self.lang))

    def _say(self, key: str, **params: object) -> str:
        return say(f"quiz.sheet.{key}", self.lang, **params)

    def _shares(self, sheet: Sheet) -> list[Row]:
        """By level and by kind, where there is more than one."""
        rows: list[Row] = []
        levels, kinds = sums.by_level(sheet), sums.by_kind(sheet)
        if len(levels) > 1:
            named = {level: self._level(level) for level in levels}
            rows += [Row(), Row(text=Content(self._say("by_level"))), *self._bars(levels, named)]
        if len(kinds) > 1:
            named = {kind: say(f"quiz.kind.{kind}.many", self.lang) for kind in kinds}
            rows += [Row(), Row(text=Content(self._say("by_kind"))), *self._bars(kinds, named)]
        return rows

    def _level(self, id: str) -> str:
        found = next((level for track in course.index().tracks for level in track.levels if level.id == id), None)
        return self._say("no_level") if found is None else f"{id.split('/')[1]} {found.title[self.lang]}"

    def _bars(self, shares: Mapping[str, sums.Share], named: Mapping[str, str]) -> list[Row]:
        wide = max(map(len, named.values()))
        rows = []
        for key, share in shares.items():
            full = bar(share.right, share.of)
            done = len(full.rstrip("─"))
            drawn = [
                (plainer(full[:done], self.session.ascii), ACCENT),
                (plainer(full[done:], self.session.ascii), QUIET),
            ]
            told = self._say("share", right=share.right, of=share.of)
            rows.append(Row(text=Content.assemble(f"  {named[key]:<{wide}}  ", *drawn, f"  {told}"), lead="note"))
        return rows

    def _slips(self, sheet: Sheet) -> list[Row]:
        named = [(quizzed.slip_name(slip, self.lang), n) for slip, n in sums.slips(sheet).items()]
        rows = [Row(text=Content(f"  {name}  {n}×"), lead="note") for name, n in named if name]
        return [Row(), Row(text=Content(self._say("slips"))), *rows] if rows else []

    def _questions(self, sheet: Sheet) -> list[Row]:
        rows = [Row(), Row(text=Content(self._say("questions")))]
        for number, line in enumerate(sheet.lines):
            mark = {True: "✓", False: "✗", None: "○"}[line.right]
            sign = plainer(mark, self.session.ascii)
            right = Content.styled(self._worth(line), QUIET)
            rows.append(Row(f"q:{number}", Content(name_whole(line.item, self.lang)), lead=sign, right=right))
            notes = quizsheet.notes(line, self.lang)
            rows += [Row(text=Content.styled(f"     {note}", QUIET), lead="note") for note in notes]
        return rows

    def _worth(self, line: Line) -> str:
        if line.right is None or line.graded is None:
            return quizsheet.ungraded(line, self.lang)
        told = [quizzed.grade_name(line.graded.grade, self.lang)]
        told += filter(None, [quizsheet.back(line, self.session.revision.today, self.lang)])
        return "  ".join(told)

    # --- going on ---------------------------------------------------------------------------------------------------

    async def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """A question's exercise or lesson, another quiz, or home."""
        event.stop()
        if event.id == "home":
            self.tutor.action_home()
        elif event.id == "again":
            self.action_more_questions()
        else:
            self._open(event.id)

    def _open(self, row: str) -> None:
        """A question with its solution; one that was never shown is not told: its lesson is there."""
        self.quiz.row, line = row, self.sheet.lines[int(row[2:])]
        if line.reached:
            self.tutor.show_panel(SolvedPanel(line))
        else:
            self.tutor.go(line.item.lesson, back_to=QUIZ)

    def action_more_questions(self) -> None:
        """The choice of another quiz."""
        from tutor.screens.quiz_start import QuizStart

        self.tutor.show_panel(QuizStart(self.quiz))

    def enter(self) -> str:
        """The question of the row, or what the row says."""
        row = self.focused.current if isinstance(self.focused, Rows) else ""
        return self.tell("quiz.see") if row.startswith("q:") else say("app.keys.open.label", self.lang)

    def on_descendant_focus(self) -> None:
        """What Enter does depends on which list has the keys."""
        self.retell_keys()

    def name_of(self) -> str:
        """Name of the panel."""
        return self.tell("quiz.title")

    def crumbs(self) -> Sequence[str]:
        """The quiz and its mode."""
        return (self.name_of(), mode_name(self.quiz.wanted, self.lang))

    def can(self, command: Command) -> bool:
        """There is no text to peek at."""
        return command.id not in ("peek", "home")
