"""An explanation in one's own words, beside a model answer, with points to tick. The tutor does not pretend to read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static, TextArea

from content import course, fill
from content.schema import Part
from content.words import say
from engine.answers.model import LONGEST_PROSE
from engine.units import grouped
from tutor.widgets.form import Form, drafted, letter
from tutor.widgets.forms_many import PickRows, UnnamedRows
from tutor.widgets.ink import ACCENT, QUIET, STRONG, plainer, wants_ascii
from tutor.widgets.lines_typed import LinesTyped
from tutor.widgets.option_rows import OptionRows
from tutor.widgets.prose import Piece, Prose
from tutor.widgets.rows import Row, Rows


class Explanation(LinesTyped):
    """A few sentences. Enter is done, as everywhere in the exercises; a new line is alt+enter or ctrl+j."""

    DEFAULT_CSS = """
    Explanation, Explanation:focus { border: none; padding: 0; height: 6; width: 1fr; background: $surface; }
    Explanation:ansi { background: ansi_default; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("alt+enter,ctrl+j", "new_line", show=False)]

    @dataclass
    class Done(Message):
        """Enter."""

    @dataclass
    class Refused(Message):
        """What was pasted is too long."""

        length: int

    async def _on_key(self, event: events.Key) -> None:
        if event.key == "enter":
            event.stop()
            event.prevent_default()
            self.post_message(self.Done())

    async def _on_paste(self, event: events.Paste) -> None:
        event.stop()  # it would come back through the app, and be pasted twice
        if len(event.text) + len(self.text) > LONGEST_PROSE:
            event.prevent_default()
            self.post_message(self.Refused(len(event.text)))

    def action_new_line(self) -> None:
        """Start a new line."""
        self.insert("\n")


class TickRows(UnnamedRows):
    """Points to tick: a letter ticks at once, so that Enter after it has nothing left to do."""

    @dataclass
    class Lettered(Message):
        """A letter was pressed."""

        id: str

    def letter_pressed(self, id: str) -> None:
        """Tell the form which."""
        self.post_message(self.Lettered(id))


class TickForm(Form):
    """First the text; then what a good one says, and points, ticked one by one and handed in together."""

    DEFAULT_CSS = """
    TickForm Static { height: auto; }
    TickForm > #line { height: auto; width: 1fr; }
    TickForm #prompt { width: 2; }
    TickForm #own { height: 1; text-wrap: nowrap; text-overflow: ellipsis; }
    TickForm #model, TickForm #options { margin-top: 1; }
    """

    WORDS: ClassVar[str] = "exercise.rubric"
    """Where its own words stand among those of the app."""
    BLANK: ClassVar[bool] = False
    """Whether Enter shows the answer although nothing is written."""
    FIRST: ClassVar[str] = ""
    """The row under the cursor once it is compared; "" is the first point."""
    FOLDS: ClassVar[bool] = False
    """Whether the text becomes one line beside the answer, and none where nothing was written: key words are no
    sentences to compare with."""

    @dataclass
    class Marked(Message):
        """The learner's own marks."""

        part: str
        text: str
        ticked: Sequence[str]

    def __init__(self, parts: Sequence[Part]) -> None:
        super().__init__(parts)
        self.ticked: list[str] = []
        self.comparing = False
        self.over = False
        """Whether it was counted or given up: nothing is to be written or ticked any more."""
        self._lettered = ""
        """The point that was just ticked by its letter."""
        self._kept: list[str] = []
        """What was ticked before the letters that are being typed."""

    def compose(self) -> ComposeResult:
        """Text, model answer, points."""
        text = Explanation(soft_wrap=True, tab_behavior="focus", id="answer")
        text.cursor_blink = False
        with Horizontal(id="line"):
            yield Static(Content.styled(plainer("› ", wants_ascii(self)), ACCENT), id="prompt")
            yield text
        yield Static("", id="echo", markup=False)
        yield Static("", id="own", markup=False)
        yield Prose(id="model")
        yield TickRows(id="options")

    def on_mount(self) -> None:
        """Only the text at first."""
        self.retell()

    @property
    def text(self) -> Explanation:
        """The text area."""
        return self.query_one(Explanation)

    @property
    def typing(self) -> bool:
        """While the text has the keys."""
        return self.text.has_focus

    @property
    def edited(self) -> Widget:
        """The text, or all points with the row that keeps the marks."""
        return self.query_one(PickRows) if self.comparing else self.text

    @property
    def enter(self) -> str:
        """From the text to the model answer; there a tick, and at the end of the list the marks are kept."""
        if not self.comparing:
            return f"{self.WORDS}.enter.compare"
        done = self.query_one(PickRows).current == "done"
        return f"{self.WORDS}.enter.{'keep' if done else 'tick'}"

    @property
    def draft(self) -> str:
        """Text, ticks and stage as JSON."""
        return drafted(self.text.text, self.ticked, comparing=self.comparing)

    def settle(self, over: bool) -> None:
        """Whether it is settled: what can be done is said only as long as it can be done."""
        if over is not self.over:
            self.over = over
            self.retell()

    def restore(self, draft: str) -> None:
        """Fill in again; a bare text is the text."""
        try:
            told = json.loads(draft)
        except ValueError:
            told = {"text": draft}
        if not isinstance(told, dict):
            told = {"text": draft}
        self.text.text = str(told.get("text", ""))
        known = {id for id, _ in self.points()}
        self.ticked = [id for id in told.get("ticked", []) if id in known]
        self.comparing = told.get("comparing") is True
        self.retell()

    def points(self) -> Sequence[tuple[str, str]]:
        """What can be ticked: id and words; for subclasses."""
        return ()

    def model(self) -> Sequence[Piece]:
        """What a good answer says; for subclasses."""
        return ()

    def begin(self) -> None:
        """The comparison begins; for subclasses that tick something themselves."""

    def retell(self) -> None:
        """Stage by stage."""
        tell = self.teller.tell
        how = f"{self.WORDS}.{'tick' if self.comparing else 'how'}"
        self.query_one("#echo", Static).update(Content.styled("" if self.over else tell(how), QUIET))
        self._fold()
        model = self.query_one("#model", Prose)
        rows = self.query_one(PickRows)
        rows.display = self.comparing
        if not self.comparing:
            model.show([])
            return
        head = Piece(Content.styled(tell(f"{self.WORDS}.model"), STRONG))
        model.show([head, *self.model()])
        points = self.points()
        made = [self._row(number, id, said) for number, (id, said) in enumerate(points)]
        done = tell(f"{self.WORDS}.done", n=len(self.ticked), m=len(points))
        rows.show([*made, Row(), Row("done", Content.styled(f" {done} ", f"{STRONG} reverse"))])

    def _fold(self) -> None:
        words, folded = " ".join(self.text.text.split()), self.FOLDS and (self.comparing or self.over)
        self.query_one("#line").display = not folded
        own = self.query_one("#own", Static)
        own.display = folded and bool(words)
        own.update(Content.styled(say("quiz.sheet.answered", self.lang, answer=words), QUIET))

    def _row(self, number: int, id: str, said: str) -> Row:
        lead = f"{letter(number)} [{'x' if id in self.ticked else ' '}]"
        return Row(id, Content(said), lead=lead, letter=letter(number))

    def take_focus(self) -> None:
        """The text, or the points."""
        target: Widget = self.query_one(PickRows) if self.comparing else self.text
        self.screen.set_focus(target, scroll_visible=False)

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        """The text is the draft."""
        event.stop()
        self.post_message(self.Drafted(self, self.draft))

    def on_explanation_refused(self, event: Explanation.Refused) -> None:
        """One sentence for a paste that is too long."""
        event.stop()
        said = self.teller.tell("exercise.paste_refused", count=grouped(event.length))
        self.query_one("#echo", Static).update(Content(said))

    def on_explanation_done(self, event: Explanation.Done) -> None:
        """Show the model answer."""
        event.stop()
        self.submit()

    def submit(self) -> None:
        """From the text to the comparison; from there the marks are handed in."""
        if not self.comparing:
            if self.BLANK or self.text.text.strip():
                self.comparing = True
                self.begin()
                self.retell()
                if self.FIRST:
                    self.query_one(PickRows).go(self.FIRST)
                self.take_focus()
                self.post_message(self.Drafted(self, self.draft))
            return
        self.post_message(self.Marked(self.part.id, self.text.text, tuple(self.ticked)))

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """Tick, untick, or hand in."""
        event.stop()
        if event.id == "done":
            self.submit()
        elif event.id == self._lettered:
            self._lettered = ""
            event.rows.action_move(1)
        else:
            self._toggle(event.id)

    def on_option_rows_begun(self, event: OptionRows.Begun) -> None:
        """A letter begins: the ticks of now may come back."""
        event.stop()
        self._kept = list(self.ticked)

    def on_option_rows_taken_back(self, event: OptionRows.TakenBack) -> None:
        """It was a word, and ticked nothing."""
        event.stop()
        self._lettered = ""
        if self.ticked != self._kept:
            self.ticked = self._kept
            self.retell()
            self.post_message(self.Drafted(self, self.draft))

    def on_tick_rows_lettered(self, event: TickRows.Lettered) -> None:
        """Tick or untick."""
        event.stop()
        self._lettered = event.id
        self._toggle(event.id)

    def _toggle(self, id: str) -> None:
        if id in self.ticked:
            self.ticked.remove(id)
        else:
            self.ticked.append(id)
        self.retell()
        self.post_message(self.Drafted(self, self.draft))

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """What Enter does depends on where the cursor is."""
        event.stop()
        if event.id != self._lettered:
            self._lettered = ""
        self.teller.retell_keys()


class RubricForm(TickForm):
    """An explanation beside the author's model answer."""

    @property
    def _scope(self) -> fill.Scope:
        return fill.of_part(*course.part(self.part.id))

    def points(self) -> Sequence[tuple[str, str]]:
        """The author's points."""
        return [(point.id, fill.fill(point.text[self.lang], self.lang, self._scope)) for point in self.part.rubric]

    def model(self) -> Sequence[Piece]:
        """The model answer."""
        return [] if self.part.model is None else self.teller.read(self.part.model, self._scope)
