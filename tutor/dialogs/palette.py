"""The command palette: everything that can be done on the screen below, found by typing, with its keys."""

from __future__ import annotations

from typing import ClassVar

from textual.content import Content

from content.words import say
from tutor import keys
from tutor.dialogs.search import SearchPanel
from tutor.screens.base import TutorScreen
from tutor.widgets.ink import QUIET
from tutor.widgets.rows import Row


class PalettePanel(SearchPanel):
    """Commands of the screen below. One that makes no sense there at this moment is left out."""

    PASSING: ClassVar[bool] = True

    @property
    def below(self) -> TutorScreen | None:
        """The screen that the command will act on."""
        stack = self.app.screen_stack
        under = stack[-2] if len(stack) > 1 else None
        return under if isinstance(under, TutorScreen) else None

    def rows(self, wanted: str) -> list[Row]:
        """The commands whose name or explanation has what is typed."""
        below, chosen, made = self.below, self.session.settings.keys, []
        for command in below.commands() if below is not None else keys.of("app"):
            offered = command.palette or command.id == "quit"
            if not offered or (below is not None and not below.can(command)):
                continue
            name, explained = say(command.label, self.lang), say(command.help, self.lang)
            if wanted and wanted not in f"{name} {explained} {command.id}".lower():
                continue
            shown = ", ".join(keys.shown(key) for key in keys.keys_of(command, chosen)[:2])
            made.append(Row(command.id, Content(explained), lead=name, right=Content.styled(shown, QUIET)))
        return made

    async def chosen(self, id: str) -> None:
        """Close, and do it on the screen below."""
        self.tutor.on_the_screen_below(keys.BY_ID[id].action)

    def name_of(self) -> str:
        """Name of the panel."""
        return self.tell("palette.title")

    def enter(self) -> str:
        """Do it."""
        return self.tell("palette.enter")

    def hint(self) -> str:
        """What to type."""
        return self.tell("palette.filter")
