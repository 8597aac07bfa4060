"""Forms for parts that want more than one choice of a list: two attributes, an order, a yes or no with its reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.message import Message

from content.checking import shuffled_steps
from content.schema import Part
from tutor.widgets.form import letter, shuffled
from tutor.widgets.list_form import ChoiceForm, KeptForm
from tutor.widgets.option_rows import OptionRows
from tutor.widgets.rows import Row, Rows

YES_OR_NO = {
    **dict.fromkeys(("yes", "yep", "yeah", "haan", "ha", "han"), "yes"),
    **dict.fromkeys(("no", "nope", "nahi", "nahin"), "no"),
}
"""What is typed letter by letter for a yes or no, in either language."""


class JudgeForm(ChoiceForm):
    """Yes or no, typed in either language or by the first letter; once that is right, the reasons to choose from."""

    @dataclass
    class Reasoned(Message):
        """A reason was chosen."""

        part: str
        reason: str

    def __init__(self, parts: Sequence[Part]) -> None:
        super().__init__(parts, ())
        self.reasons = shuffled(self.part.reasons, self.part.id)
        self.reasoning = False

    def ask_reason(self) -> None:
        """Ask why."""
        if self.reasons and not self.reasoning:
            self.reasoning = True
            self.wait()
            self.retell()
            self.take_focus()

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """Only a yes or no is a draft."""
        if self.reasoning:
            event.stop()
            event.prevent_default()  # the handler of the base class would run as well
            self.lacks("")

    def submit(self) -> None:
        """Yes or no, or the reason."""
        if not self.reasoning:
            super().submit()
        elif self.list.current:
            self.post_message(self.Reasoned(self.part.id, self.list.current))
        else:
            self.lack()

    def retell(self) -> None:
        """Yes and no, or the reasons, in the language of this moment."""
        rows: list[Row] = []
        self.list.words = {} if self.reasoning else YES_OR_NO
        if self.reasoning:
            rows = [Row(text=Content(self.teller.tell("exercise.reason.ask")))]
            rows += [self.row(number, option) for number, option in enumerate(self.reasons)]
            self.list.show(rows)
            return
        for id in ("yes", "no"):
            said = self.teller.tell(f"exercise.judge.{id}")
            rows.append(Row(id, Content(said), lead=said[0].lower(), letter=said[0]))
        self.list.show(rows)


class PickRows(OptionRows):
    """Rows whose letters do something at once: the form hears `Chosen` for a letter as for Enter."""

    def letter_pressed(self, id: str) -> None:
        """A letter picks."""
        self.post_message(self.Chosen(self, id))


class UnnamedRows(PickRows):
    """Such rows whose texts are whole sentences: a word of letters only stands for those letters."""

    named = False


class ClassifyForm(KeptForm):
    """Several questions with a few options each. A letter or Enter picks; Enter hands in once all are picked.

    The cursor stays on what was picked: Enter alone never picks for a question that nobody has looked at.
    """

    ROWS = PickRows

    def on_mount(self) -> None:
        """Nothing picked yet."""
        self.picked: list[str] = [""] * len(self.part.attributes)
        self.retell()

    @property
    def draft(self) -> str:
        """The picked ids."""
        return " ".join(self.picked) if any(self.picked) else ""

    def restore(self, draft: str) -> None:
        """Pick again."""
        ids = draft.split(" ")
        self.picked = ids if len(ids) == len(self.part.attributes) else [""] * len(self.part.attributes)
        self.retell()

    def retell(self) -> None:
        """Headings and options."""
        rows: list[Row] = []
        count = 0
        for place, options in enumerate(self.part.attributes):
            rows += [Row(text=Content(""))] if place else []
            for option in options:
                sign = "(•)" if self.picked[place] == option.id else "( )"
                lead = f"{letter(count)} {sign}"
                rows.append(
                    Row(f"{place}:{option.id}", Content(option.text[self.lang]), lead=lead, letter=letter(count))
                )
                count += 1
        self.list.show(rows)

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """Pick; what is picked already is handed in."""
        event.stop()
        place, _, id = event.id.partition(":")
        if not id or self.picked[int(place)] == id:
            self.submit()
            return
        self.picked[int(place)] = id
        self.lacks("")
        self.retell()
        self.post_message(self.Drafted(self, self.draft))
        self.teller.retell_keys()

    @property
    def enter(self) -> str:
        """It picks the option under the cursor, where that is not picked yet."""
        place, _, id = self.list.current.partition(":")
        return "exercise.pick" if id and self.picked[int(place)] != id else ""

    def submit(self) -> None:
        """Hand in all picks, or say where one is missing."""
        if all(self.picked):
            self.post_message(self.Submitted({self.part.id: " ".join(self.picked)}))
        else:
            self.lack()

    def lack(self) -> None:
        """Name the letters of the first question without a pick."""
        waiting = next(n for n, one in enumerate(self.picked) if not one)
        found = [row.letter for row in self.list.rows if row.id.startswith(f"{waiting}:")]
        self.lacks(self.teller.tell("exercise.lacking.group", letters=self.either(found)))

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """What Enter does depends on where the cursor is."""
        event.stop()
        self.lacks("")
        self.teller.retell_keys()


class OrderForm(KeptForm):
    """Steps to put in order: letters in the order wanted, backspace takes the last one back."""

    ROWS = UnnamedRows

    def __init__(self, parts: Sequence[Part]) -> None:
        super().__init__(parts)
        self.steps = shuffled_steps(self.part)
        self.order: list[str] = []

    def on_mount(self) -> None:
        """Nothing placed yet."""
        self.retell()

    @property
    def draft(self) -> str:
        """The letters of the placed steps."""
        return " ".join(step.letter for id in self.order for step in self.steps if step.id == id)

    def restore(self, draft: str) -> None:
        """Place again."""
        letters = {step.letter: step.id for step in self.steps}
        self.order = [letters[one] for one in dict.fromkeys(draft.upper().split()) if one in letters]
        self.retell()

    def retell(self) -> None:
        """Steps with their places so far."""
        rows = []
        for step in self.steps:
            place = f"{self.order.index(step.id) + 1}." if step.id in self.order else "  "
            rows.append(
                Row(step.id, Content(step.text[self.lang]), lead=f"{step.letter.lower()} {place}", letter=step.letter)
            )
        self.list.show(rows)

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """Place the step next; with all placed, Enter hands in."""
        event.stop()
        if not event.id or event.id in self.order:
            self.submit()
        else:
            self.order.append(event.id)
            self._changed()

    @property
    def enter(self) -> str:
        """It places the step under the cursor, where that has no place yet."""
        return "exercise.pick" if self.list.current and self.list.current not in self.order else ""

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """What Enter does depends on where the cursor is."""
        event.stop()
        self.lacks("")
        self.teller.retell_keys()

    def on_key(self, event: events.Key) -> None:
        """Backspace takes the last step back."""
        if event.key == "backspace" and self.order:
            event.stop()
            self.order.pop()
            self._changed()

    def _changed(self) -> None:
        self.lacks("")
        self.retell()
        self.teller.retell_keys()
        self.post_message(self.Drafted(self, self.draft))

    def submit(self) -> None:
        """Hand in the whole order, or say which steps have no place."""
        if len(self.order) == len(self.steps):
            self.post_message(self.Submitted({self.part.id: self.draft}))
        else:
            self.lack()

    def lack(self) -> None:
        """Name the letters without a place."""
        open_ = [step.letter.lower() for step in self.steps if step.id not in self.order]
        self.lacks(self.teller.tell("exercise.lacking.order", letters=", ".join(open_)))
