"""An answer to several parts at once: each takes one option of a common set."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.widget import Widget

from content.schema import Option, Part
from tutor.widgets.blank import Container, Vertical
from tutor.widgets.form import Form, Missing, letter, shuffled
from tutor.widgets.ink import ACCENT, plainer, wants_ascii
from tutor.widgets.list_form import still
from tutor.widgets.option_rows import Word
from tutor.widgets.page import Page
from tutor.widgets.prose import Piece, Prose
from tutor.widgets.rows import Row, Rows

ROOM = 36
"""Columns that options want beside the parts; in fewer they would be taller than what they stand beside is worth."""


class MatchForm(Form):
    """Each part takes one option of a common set: go to a part, press the option's letter.

    The cursor then goes to the next part that is open, or, after a verdict, to the next that was not right. The parts
    stand beside the options where there is room, and stay in sight while the options go by. What is said about them, a
    hint or that one is missing, stands under them, so that it moves nothing and is seen together with the options.
    """

    DEFAULT_CSS = """
    MatchForm > #sides { layout: vertical; height: auto; width: 1fr; }
    MatchForm.-beside > #sides { layout: horizontal; }
    MatchForm #lines { height: auto; width: 1fr; }
    MatchForm #lines Prose { margin: 1 2 0 2; }
    """

    def __init__(self, parts: Sequence[Part]) -> None:
        super().__init__(parts)
        self.options: list[Option] = shuffled(self.part.options, self.part.exercise)
        self.picked: dict[str, str] = {}
        self.wrong: Sequence[str] = ()
        """Parts that were not right, and have not been given anew."""
        self.right: Sequence[str] = ()
        """Parts that were."""
        self.pairs = still(Rows(id="pairs"))
        """The parts."""
        self._hints = Prose(id="help")
        self._word = Word()
        self._kept: tuple[dict[str, str], Sequence[str], str] = ({}, (), "")
        """Picks, wrong ones and cursor before the letters that are being typed."""
        self._meant = ""
        """The option that the text typed so far stands for."""

    def compose(self) -> ComposeResult:
        """The parts, and beside or under them the options."""
        options = Rows(id="options")
        options.can_focus = False
        yield Container(Vertical(self.pairs, Missing(), self._hints, id="lines"), options, id="sides")

    def on_mount(self) -> None:
        """Nothing matched yet; the parts follow the page."""
        self.retell()
        for page in self.ancestors:
            if isinstance(page, Page):
                self.watch(page, "scroll_y", self._follow, init=False)

    def on_resize(self) -> None:
        """Side by side where there is room."""
        self._arrange()

    def _arrange(self) -> None:
        longest = max(len(part.label[self.lang]) for part in self.parts)
        wanted = longest + len("▸   a ✓   ")
        beside = self.size.width - wanted >= ROOM
        self.query_one("#lines").styles.width = wanted if beside else "1fr"
        if beside != self.has_class("-beside"):
            self.set_class(beside, "-beside")
            self.retell()
        self._follow()

    def _follow(self) -> None:
        """Put the parts where the window begins, as far as the options reach."""
        page = next((one for one in self.ancestors if isinstance(one, Page)), None)
        sides = self.query_one("#sides")
        if page is None or not sides.region:
            return
        above = round(page.scroll_y) - page.line_of(sides) if self.has_class("-beside") else 0
        lines = self.query_one("#lines")
        down = max(0, min(above, sides.region.height - lines.size.height))
        lines.styles.offset = (0, down)

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
            name = part.label[self.lang].ljust(longest)
            rows.append(Row(part.id, Content.assemble(name, "  ", (chosen, ACCENT), self._sign(part.id))))
        self.pairs.show(rows)
        options = [Row(o.id, Content(o.text[self.lang]), lead=letters[o.id]) for o in self.options]
        self.query_one("#options", Rows).show(options if self.has_class("-beside") else [Row(), *options])
        if self.size:
            self._arrange()

    def _sign(self, part: str) -> str:
        """How the line was judged, until it is given anew."""
        sign = " ✗" if part in self.wrong else " ✓" if part in self.right else ""
        return plainer(sign, wants_ascii(self)) if sign else ""

    @property
    def edited(self) -> Widget:
        """The lines; the options below them may be more than a window holds."""
        return self.pairs

    def take_focus(self) -> None:
        """The parts."""
        self.screen.set_focus(self.pairs, scroll_visible=False)

    def on_key(self, event: events.Key) -> None:
        """An option's letter gives it to the part under the cursor, and so does its own text; another word nothing."""
        known = {letter(number): option.id for number, option in enumerate(self.options)}
        if not self._word.take(event, known):
            return
        if self._word.begun:
            self._kept, self._meant = (dict(self.picked), self.wrong, self.pairs.current), ""
        if self._word.turned:
            self._take_back()
        if self._word.strange:
            self._give_named()
        elif event.character and event.character.casefold() in known:
            self._give(known[event.character.casefold()])
        if not (self._word.begun and self._word.strange):  # a first letter that is no option's is the screen's
            event.stop()
            event.prevent_default()

    def _give_named(self) -> None:
        named = self._word.named({option.id: option.text[self.lang] for option in self.options})
        if named != self._meant:
            if self._meant:
                self._take_back()
            if named:
                self._give(named)
            self._meant = named

    def _take_back(self) -> None:
        """It was a word: its letters gave nothing."""
        picked, wrong, here = self._kept
        if (picked, wrong, here) == (self.picked, self.wrong, self.pairs.current):
            return
        self.picked, self.wrong = dict(picked), wrong
        self.retell()
        self.pairs.go(here)
        self.post_message(self.Drafted(self, self.draft))

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """A click on an option gives it; Enter on a part hands in, or goes to the next part without an option."""
        event.stop()
        if event.rows.id == "options":
            self._give(event.id)
        else:
            self.submit()

    def hint(self, made: Sequence[Piece]) -> bool:
        """Under the lines."""
        self._hints.show(made)
        return True

    def held(self, answers: Mapping[str, str]) -> None:
        """Mark the lines that have what was right."""
        self.right = tuple(part for part, option in answers.items() if self.picked.get(part) == option)
        self.retell()

    def missed(self, parts: Sequence[str]) -> None:
        """Mark them, and go to the first; the page shows what was said to it meanwhile."""
        self.wrong = tuple(parts)
        self.right = tuple(part.id for part in self.parts if part.id not in parts)
        self.retell()
        if parts:
            self.pairs.show(self.pairs.rows, parts[0])

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """Hints are about the part under the cursor."""
        event.stop()
        self.lacks("")
        self.post_message(self.Aimed(self.aimed))

    def _give(self, option: str) -> None:
        part = self.pairs.current
        self.picked[part] = option
        self.wrong = tuple(one for one in self.wrong if one != part)
        self.right = tuple(one for one in self.right if one != part)
        order = [one.id for one in self.parts]
        here = order.index(part)
        turned = order[here:] + order[:here]
        waiting = next((id for id in turned if id not in self.picked or id in self.wrong), None)
        self.lacks("")
        self.retell()
        if waiting is not None:
            self.pairs.go(waiting)
        self.post_message(self.Drafted(self, self.draft))

    def submit(self) -> None:
        """Hand in all, or go to the first that has nothing yet, and say so."""
        waiting = next((part.id for part in self.parts if part.id not in self.picked), None)
        if waiting is None:
            self.post_message(self.Submitted(dict(self.picked)))
        else:
            self.pairs.show(self.pairs.rows, waiting)
            self.post_message(self.Aimed(waiting))
            label = next(part.label[self.lang] for part in self.parts if part.id == waiting)
            self.lacks(self.teller.tell("exercise.lacking.match", label=label))
