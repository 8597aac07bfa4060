"""Help: what the screen below is for, its keys, each with what it does, then those that work everywhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from content.words import has, say
from tutor import keys
from tutor.keys import Command
from tutor.screens.base import Panel, TutorScreen
from tutor.screens.reading import ReadPanel
from tutor.widgets.givens import GivenRow, Givens
from tutor.widgets.ink import STRONG
from tutor.widgets.page import Page
from tutor.widgets.prose import Prose, pieces


def kebab(name: str) -> str:
    """A class's name as the words file spells it: "GlossaryPanel" is "glossary-panel"."""
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("-")


class HelpPanel(ReadPanel):
    """Two tables of keys and three sentences."""

    PASSING: ClassVar[bool] = True
    _listed: Mapping[str, Sequence[Command]] = {}

    def body(self) -> Iterable[Widget]:
        """Own keys, keys of everywhere, remarks."""
        yield Page(
            Static("", id="here_name", classes="heading", markup=False),
            Prose(id="about_here"),
            Givens(id="here"),
            Static("", id="all_name", classes="heading", markup=False),
            Givens(id="all"),
            Prose(id="remarks"),
            id="page",
        )

    def retell_body(self) -> None:
        """Both tables again."""
        below = self.app.screen_stack[-2] if len(self.app.screen_stack) > 1 else None
        scope = below.SCOPE if isinstance(below, TutorScreen) else "app"
        own: list[Command] = []
        if scope != "app" and isinstance(below, TutorScreen):
            own = [command for command in keys.offered(scope) if below.has(command)]
        heading = self.query_one("#here_name", Static)
        rows = [self._row(command) for command in own]
        name = self.tell(f"keys.scope.{scope}") if scope != "app" else "llm-tutor"
        if isinstance(below, Panel) and scope == "app":
            name = below.name_of()
        if isinstance(below, Panel):
            rows += [GivenRow(key, "", words) for key, words in below.own_keys() if not own or key != "enter"]
        about = f"help.{kebab(type(below).__name__)}"
        told = pieces(say(about, self.lang), quiet=True) if has(about) else []
        self.query_one("#about_here", Prose).show(told)
        heading.display = bool(rows or told)
        heading.update(Content.styled(name, STRONG))
        self._listed = {"here": own, "all": keys.offered("app")}
        self.query_one("#here", Givens).show(rows)
        self.query_one("#all_name", Static).update(Content.styled(self.tell("keys.scope.app"), STRONG))
        self.query_one("#all", Givens).show([self._row(command) for command in keys.offered("app")])
        self.query_one("#remarks", Prose).show(pieces(self.tell("help.remarks")))

    def on_givens_picked(self, event: Givens.Picked) -> None:
        """A click on a key presses it, on the screen below."""
        event.stop()
        listed, below = self._listed.get(event.givens.id or "", ()), self.app.screen_stack[-2]
        if event.number < len(listed) and isinstance(below, TutorScreen) and below.can(listed[event.number]):
            self.tutor.on_the_screen_below(listed[event.number].action)

    def _row(self, command: Command) -> GivenRow:
        own = keys.keys_of(command, self.session.settings.keys)
        shown = ", ".join(keys.shown(key) for key in own)
        return GivenRow(shown, "", say(command.help, self.lang))

    def name_of(self) -> str:
        """Name of the panel."""
        return self.tell("help.title")

    def can(self, command: Command) -> bool:
        """What makes sense here."""
        return command.id not in ("peek", "home")
