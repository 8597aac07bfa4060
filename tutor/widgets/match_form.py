"""An answer to several parts at once: each takes one option of a common set."""

from __future__ import annotations

import json
from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult
from textual.content import Content

from content.schema import Option, Part
from tutor.widgets.form import Form, letter, shuffled
from tutor.widgets.ink import ACCENT
from tutor.widgets.list_form import still
from tutor.widgets.option_rows import Word
from tutor.widgets.rows import Row, Rows

YES_OR_NO = {
    **dict.fromkeys(("yes", "yep", "yeah", "haan", "ha", "han"), "yes"),
    **dict.fromkeys(("no", "nope", "nahi", "nahin"), "no"),
}
"""What is typed letter by letter for a yes or no, in either language."""


class MatchForm(Form):
    """Each part takes one option of a common set: go to a part, press the option's letter."""

    def __init__(self, parts: Sequence[Part]) -> None:
        super().__init__(parts)
        self.options: list[Option] = shuffled(self.part.options, self.part.exercise)
        self.picked: dict[str, str] = {}
        self.pairs = still(Rows(id="pairs"))
        """The parts."""
        self._word = Word()

    def compose(self) -> ComposeResult:
        """The parts, and under them the options."""
        yield self.pairs
        options = Rows(id="options")
        options.can_focus = False
        yield options

    def on_mount(self) -> None:
        """Nothing matched yet."""
        self.retell()

    @property
    def aimed(self) -> str:
        """The part under the cursor."""
        return self.pairs.current

    @property
    def draft(self) -> str:
        """The picks as JSON."""
        return json.dumps(self.picked) if self.picked else ""

    def restore(self, draft: str) -> None:
        """Pick again; a draft that is none of ours is dropped."""
        try:
            told = json.loads(draft)
        except ValueError:
            told = {}
        known = {option.id for option in self.options}
        if isinstance(told, dict):
            self.picked = {p.id: told[p.id] for p in self.parts if told.get(p.id) in known}
        self.retell()

    def retell(self) -> None:
        """Parts with what they got, then the options."""
        letters = {option.id: letter(n) for n, option in enumerate(self.options)}
        longest = max(len(part.label[self.lang]) for part in self.parts)
        rows = []
        for part in self.parts:
            chosen = letters.get(self.picked.get(part.id, ""), "·")
            rows.append(Row(part.id, Content.assemble(part.label[self.lang].ljust(longest), "  ", (chosen, ACCENT))))
        self.pairs.show(rows)
        options = [Row(o.id, Content(o.text[self.lang]), lead=letters[o.id]) for o in self.options]
        self.query_one("#options", Rows).show([Row(), *options])

    def take_focus(self) -> None:
        """The parts."""
        self.screen.set_focus(self.pairs, scroll_visible=False)

    def on_key(self, event: events.Key) -> None:
        """An option's letter gives it to the part under the cursor; a word gives nothing."""
        if self._word.goes_on(event, [letter(number) for number in range(len(self.options))]):
            event.stop()
            event.prevent_default()
            return
        for number, option in enumerate(self.options):
            if event.character == letter(number):
                event.stop()
                event.prevent_default()
                self._give(option.id)
                return

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """A click on an option gives it; Enter on a part hands in, or goes to the next part without an option."""
        event.stop()
        if event.rows.id == "options":
            self._give(event.id)
        else:
            self.submit()

    def aim(self, part: str) -> None:
        """Go to it."""
        self.pairs.go(part)

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """Hints are about the part under the cursor."""
        event.stop()
        self.post_message(self.Aimed(self.aimed))

    def _give(self, option: str) -> None:
        self.picked[self.pairs.current] = option
        order = [part.id for part in self.parts]
        here = order.index(self.pairs.current)
        waiting = next((id for id in order[here:] + order[:here] if id not in self.picked), None)
        self.retell()
        if waiting is not None:
            self.pairs.go(waiting)
        self.post_message(self.Drafted(self, self.draft))

    def submit(self) -> None:
        """Hand in all, or go to the first that has nothing yet."""
        waiting = next((part.id for part in self.parts if part.id not in self.picked), None)
        if waiting is None:
            self.post_message(self.Submitted(dict(self.picked)))
        else:
            self.pairs.go(waiting)
