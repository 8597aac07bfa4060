"""An answer that is typed: a line, and under it how the tutor reads what stands there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, Static

from content.lang import Lang
from content.schema import Part
from engine.answers.model import MOST_ASKED
from engine.units import COUNTS, grouped
from tutor import letters
from tutor.widgets.answer_input import AnswerInput
from tutor.widgets.blank import Horizontal
from tutor.widgets.form import Form
from tutor.widgets.ink import ACCENT, QUIET, cells, plainer, wants_ascii

_LONG = ("percent", "factor")
"""Kinds of which people are used to give fewer digits than tell a slip apart: where that matters, it is said."""


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
        wanted, tell = self._wanted(), self.teller.tell
        words = tell(f"exercise.placeholder.{wanted}", unit=self.part.unit, digits=MOST_ASKED)
        if wanted in _LONG and self.part.formula:
            from content.checking import digits_wanted

            words += tell("exercise.placeholder.digits", digits=n) if (n := digits_wanted(self.part)) > 2 else ""
        self.input.placeholder = words
        self._echo()

    def _wanted(self) -> str:
        """What the placeholder asks for: a number with its unit, one of things counted, or what the kind says. How many
        digits is said where the course displays more than are asked for."""
        unit = self.part.unit
        if unit in ("none", "numbers", "%", "x") or self.part.kind == "formula":
            return self.part.kind
        if unit in COUNTS:
            return "count"
        return "precise" if self.part.digits > MOST_ASKED else "unit"

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
        """Hand in the line; of an empty one say that it is."""
        if self.input.value.strip():
            self.post_message(self.Submitted({self.part.id: self.input.value}))
        else:
            said = self.teller.tell("exercise.lacking.text")
            self.query_one("#echo", Static).update(Content(said))

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
        said = self.teller.tell("exercise.paste_refused", count=grouped(event.length))
        self.query_one("#echo", Static).update(Content(said))
