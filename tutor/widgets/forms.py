"""How an answer is given: typed, or chosen with letters and arrows. One form for each kind of part.

A form knows nothing of verdicts. It tells what is typed (`Drafted`) and handed in (`Submitted`), and it takes a draft
back, so that a killed app loses no word.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Protocol, TypeVar, cast

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Static

from content.lang import Lang
from content.schema import Option, Part, Step
from engine.units import COUNTS
from tutor import letters
from tutor.widgets.answer_input import AnswerInput
from tutor.widgets.ink import ACCENT, QUIET, cells, plainer, wants_ascii
from tutor.widgets.option_rows import OptionRows
from tutor.widgets.rows import Row, Rows

if TYPE_CHECKING:
    from tutor.screens.base import TutorScreen


def letter(number: int) -> str:
    """The letter of an option: a, b, c."""
    return "abcdefghijklmnopqrstuvwxyz"[number]


_Item = TypeVar("_Item", Option, Step)


def shuffled(items: Sequence[_Item], seed: str) -> list[_Item]:
    """The items in an order of their own, the same at every visit; never the order of the file if that is avoidable."""
    order = list(items)
    for turn in range(9):
        Random(f"{seed}{turn}").shuffle(order)
        if order != list(items):
            break
    return order


_List = TypeVar("_List", bound=Rows)


def still(rows: _List) -> _List:
    """A list that does not scroll the page by taking the focus: the page decides what is to be seen."""
    rows.still = True
    return rows


class Reading(Protocol):
    """How a typed answer reads, before it is judged."""

    def reads(self, typed: str) -> bool:
        """Whether it can be read, though perhaps not judged: one with too few digits."""
        ...

    def echo(self, typed: str, lang: Lang) -> str:
        """The line under the input."""
        ...


class PartReading:
    """As an answer to a part of the course."""

    def __init__(self, part_id: str) -> None:
        self._part = part_id

    def reads(self, typed: str) -> bool:
        """See :class:`Reading`."""
        from content import checking

        return checking.read_only(self._part, typed).verdict != "invalid"

    def echo(self, typed: str, lang: Lang) -> str:
        """See :class:`Reading`."""
        from content import verdicts

        return verdicts.echo(self._part, typed, lang)


def drafted(text: str, ticked: Sequence[str], *, comparing: bool) -> str:
    """An explanation with its ticks, and whether it is being compared already, as the draft of its form."""
    return json.dumps({"text": text, "ticked": list(ticked), "comparing": comparing}, ensure_ascii=False)


MANY_DIGITS = 3
"""More wanted digits than this are said before the first answer; fewer are what one would type anyway."""


class Form(Vertical):
    """The base: parts to answer, a draft, and two messages."""

    DEFAULT_CSS = "Form { height: auto; width: 1fr; max-width: 76; }"

    @dataclass
    class Submitted(Message):
        """Answers handed in: part id -> what was typed, or the id of what was chosen."""

        answers: Mapping[str, str]

    @dataclass
    class Drafted(Message):
        """What is typed or chosen, and not handed in, has changed."""

        form: Form
        draft: str

    @dataclass
    class Aimed(Message):
        """Another part of the group is under the cursor."""

        part: str

    def __init__(self, parts: Sequence[Part]) -> None:
        super().__init__(id="form")
        self.parts = tuple(parts)

    @property
    def part(self) -> Part:
        """The part, or the first of a group."""
        return self.parts[0]

    @property
    def teller(self) -> TutorScreen:
        """The screen, for its words."""
        return cast("TutorScreen", self.screen)

    @property
    def lang(self) -> Lang:
        """The language of this moment."""
        return self.teller.lang

    @property
    def draft(self) -> str:
        """What stands there now, as a text that `restore` takes back."""
        return ""

    @property
    def typing(self) -> bool:
        """Whether letters are typed into a text."""
        return False

    @property
    def edited(self) -> Widget:
        """What the learner is changing and wants to see."""
        return self

    @property
    def enter(self) -> str:
        """Key of the words for what Enter does, where that is not a check."""
        return ""

    @property
    def turned(self) -> bool:
        """Whether the answer stands there already, to be compared with."""
        return False

    @property
    def aimed(self) -> str:
        """Id of the part that hints and the solution are about."""
        return self.part.id

    def restore(self, draft: str) -> None:
        """Fill in a draft."""

    def offer(self, answer: str) -> None:
        """Fill in the last answer, to be changed or typed over."""
        self.restore(answer)

    def retell(self) -> None:
        """Say the form's own words again."""

    def aim(self, part: str) -> None:
        """Put the cursor on a part of the group."""

    def wait(self) -> None:
        """Have nothing chosen before the learner chooses: Enter alone is no answer then."""

    def take_focus(self) -> None:
        """Put the cursor where the answer goes."""

    def answered_by(self, listed: Sequence[letters.Lettered]) -> None:
        """Lines that wait under the verdict and may be picked in place of an answer."""

    def point(self, span: tuple[int, int] | None) -> None:
        """Show where an answer could not be read; None takes the mark away."""

    def judged(self, verdict: str) -> None:
        """What the verdict was: after a wrong one the next letter begins anew."""

    def ask_reason(self) -> None:
        """Ask why, where the part has reasons; only a yes or no has."""

    def submit(self) -> None:
        """Hand in what stands there, as Enter does."""


class TypedForm(Form):
    """A line to type in, and under it how the tutor reads what is typed."""

    DEFAULT_CSS = """
    TypedForm > Horizontal { height: 1; width: 1fr; }
    TypedForm Static { height: auto; width: 1fr; }
    TypedForm #prompt { width: 2; }
    TypedForm #caret { padding-left: 2; text-wrap: nowrap; text-overflow: clip; }
    TypedForm #echo { padding-left: 2; min-height: 1; }
    """

    def __init__(self, parts: Sequence[Part], reading: Reading | None = None) -> None:
        super().__init__(parts)
        self._reading: Reading = reading or PartReading(self.part.id)

    def compose(self) -> ComposeResult:
        """The input between its prompt and its echo."""
        with Horizontal():
            yield Static(Content.styled(plainer("› ", wants_ascii(self)), ACCENT), id="prompt")
            yield AnswerInput(id="answer")
        yield Static("", id="caret", markup=False)
        yield Static("", id="echo", markup=False)

    def on_mount(self) -> None:
        """Nothing to point at yet; a mark stays under its piece when the line moves sideways."""
        self.point(None)
        self.watch(self.input, "scroll_x", self._draw_caret, init=False)
        self.retell()

    @property
    def input(self) -> AnswerInput:
        """The line."""
        return self.query_one(AnswerInput)

    @property
    def draft(self) -> str:
        """The typed text."""
        return self.input.value if self.is_mounted else ""

    @property
    def typing(self) -> bool:
        """Always."""
        return True

    def restore(self, draft: str) -> None:
        """Put the text back with the cursor at its end."""
        self.input.value = draft
        self.input.cursor_position = len(draft)

    def offer(self, answer: str) -> None:
        """All of it selected: the next letter begins anew, an arrow keeps it."""
        self.restore(answer)
        self.input.select_all()

    def retell(self) -> None:
        """Placeholder and echo."""
        words = self.teller.tell(f"exercise.placeholder.{self._wanted()}", unit=self.part.unit, digits=self.part.digits)
        self.input.placeholder = words
        self._echo()

    def _wanted(self) -> str:
        """What the placeholder asks for: a number with its unit, one of things counted, or what the kind says."""
        unit = self.part.unit
        if unit in ("none", "numbers", "%", "x") or self.part.kind == "formula":
            return self.part.kind
        if unit in COUNTS:
            return "count"
        return "precise" if self.part.digits > MANY_DIGITS else "unit"

    def judged(self, verdict: str) -> None:
        """Select a wrong answer; what could not be read is told by the verdict, so the echo need not say it too."""
        self._told = self.input.value if verdict == "invalid" else None
        self._echo()
        if verdict == "incorrect":
            self.input.select_all()

    _told: str | None = None
    """A text of which the verdict says that it cannot be read."""
    _listed: Sequence[letters.Lettered] = ()
    """See `answered_by`."""
    _span: tuple[int, int] | None = None
    """The piece of the typed text that is pointed at."""

    def answered_by(self, listed: Sequence[letters.Lettered]) -> None:
        """The echo says which line is meant."""
        self._listed = listed
        self._echo()

    def _echo(self) -> None:
        typed = self.input.value
        picked = letters.of(typed, self._listed)
        if picked:
            said = next(f"{picked}  {one.text[self.lang]}" for one in self._listed if one.letter == picked)
        elif not typed.strip() or (typed == self._told and not self._reading.reads(typed)):
            said = ""
        else:
            said = self._reading.echo(typed, self.lang)
        self.query_one("#echo", Static).update(Content.styled(said, QUIET))

    def take_focus(self) -> None:
        """The line itself."""
        self.screen.set_focus(self.input, scroll_visible=False)

    def point(self, span: tuple[int, int] | None) -> None:
        """Carets under the piece that could not be read, which the line shows."""
        self._span = span
        self.query_one("#caret", Static).display = span is not None
        self.query_one("#echo", Static).display = span is None  # in its place, so that nothing moves
        if span is None:
            return
        start, end = self._piece()
        shown = range(self.input.scroll_offset.x, self.input.scroll_offset.x + self.input.content_size.width)
        if self.input.content_size.width and not (start in shown and end - 1 in shown):
            self.input.scroll_to(x=max(0, min(start, end - len(shown))), animate=False, force=True, immediate=True)
        self._draw_caret()

    def _piece(self) -> tuple[int, int]:
        """The cells of the line on which the piece stands: an accent lies on its letter, the end behind the last."""
        text, (first, last) = self.input.value, self._span or (0, 0)
        while 0 < first < len(text) and not cells(text[first]):
            first -= 1
        start = cells(text[:first])
        return start, max(cells(text[:last]), start + 1)

    def _draw_caret(self) -> None:
        """As far as the piece is in sight."""
        if self._span is None:
            return
        start, end = (place - self.input.scroll_offset.x for place in self._piece())
        start, end = max(0, start), min(end, self.input.content_size.width or end)
        self.query_one("#caret", Static).update(Content.assemble(" " * start, ("^" * (end - start), ACCENT)))

    def submit(self) -> None:
        """Hand in the line, unless it is empty."""
        if self.input.value.strip():
            self.post_message(self.Submitted({self.part.id: self.input.value}))

    def on_input_changed(self, event: Input.Changed) -> None:
        """Echo, and tell the draft."""
        event.stop()
        self.point(None)
        self._echo()
        self.post_message(self.Drafted(self, event.value))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter."""
        event.stop()
        self.submit()

    def on_answer_input_refused(self, event: AnswerInput.Refused) -> None:
        """One sentence for a paste that is too long."""
        event.stop()
        self.point(None)
        said = self.teller.tell("exercise.paste_refused", count=f"{event.length:,}")
        self.query_one("#echo", Static).update(Content(said))


class ChoiceForm(Form):
    """Options with letters; Enter hands in the one under the cursor."""

    def __init__(self, parts: Sequence[Part], options: Sequence[Option | Step]) -> None:
        super().__init__(parts)
        self.options = list(options)

    def compose(self) -> ComposeResult:
        """One list."""
        yield still(OptionRows(id="options"))

    def on_mount(self) -> None:
        """Fill the list."""
        self.retell()

    @property
    def list(self) -> OptionRows:
        """The list."""
        return self.query_one(OptionRows)

    @property
    def draft(self) -> str:
        """Id of the option under the cursor."""
        return self.list.current

    def restore(self, draft: str) -> None:
        """Put the cursor back."""
        self.list.go(draft)

    def retell(self) -> None:
        """The options' words."""
        self.list.show([self.row(number, option) for number, option in enumerate(self.options)])

    def wait(self) -> None:
        """No option is under the cursor."""
        self.list.waits = True
        self.list.cursor = -1

    def row(self, number: int, option: Option | Step) -> Row:
        """One option."""
        return Row(option.id, Content(option.text[self.lang]), lead=letter(number), letter=letter(number))

    def take_focus(self) -> None:
        """The list."""
        self.screen.set_focus(self.list, scroll_visible=False)

    def submit(self) -> None:
        """Hand in the option under the cursor."""
        if self.list.current:
            self.post_message(self.Submitted({self.part.id: self.list.current}))

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """Enter or a click."""
        event.stop()
        self.submit()

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """The cursor is the draft."""
        event.stop()
        self.post_message(self.Drafted(self, self.draft))
