"""The figure of the playground: as on a page, and it takes a state that was typed."""

from __future__ import annotations

import textwrap
from types import MappingProxyType
from typing import TYPE_CHECKING

from textual.content import Content

from content.words import say
from tutor import keys
from tutor.figures.registry import BROKEN
from tutor.figures.shell import judges
from tutor.figures.view import FigureView
from tutor.screens.figure import PageFigure
from tutor.widgets.ink import CODE, QUIET

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tutor.figures.state import State
    from tutor.playing.played import Played
    from tutor.widgets.painted import Rows


APART = 1
"""Empty lines between a figure and its command lines."""


class PlayFigure(PageFigure):
    """A figure as it stands in the playground. Room that is left under it shows the command lines of its numbers."""

    def __init__(self, opened: Played, heard: Callable[[PlayFigure], None]) -> None:
        """The figure as it was left; ``heard`` is called whenever it is another one."""
        super().__init__(opened.name)
        self._heard = heard
        self.first = opened.first
        self.named = opened.named
        """Models and cards as they were named: others may have the same numbers."""
        self.again = False
        """Whether it went back to its beginning, until somebody has taken note of it."""
        self.set_reactive(FigureView.state, opened.state)

    def action_reset(self) -> None:
        """Back to how it was."""
        self.again = True
        super().action_reset()

    def take(self, state: State, called: Mapping[str, str] | None = None) -> bool:
        """Go to a state that was typed; it takes over from a figure that plays. Whether it can be drawn.

        ``called``: how models and cards were named in it.
        """
        self._stand()
        try:
            self._sheet.rows(self._asked(state, self.content_size.width))
        except BROKEN:
            return False
        if called:
            self.named = MappingProxyType({**self.named, **called})
        if state != self.state:
            self.change(state)
        elif called:  # others may have the same values: no other state
            self.tell()
        return True

    def tell(self) -> None:
        """At once, not by a message: the values beside the figure are painted together with it."""
        self._heard(self)

    def rows_at(self, width: int) -> Rows:
        """The drawing and its keys, then command lines."""
        drawn = super().rows_at(width)
        spare = self.content_size.height - len(drawn)
        lines = self._commands(width, spare) if spare > APART + 1 else []
        return (*drawn, *([Content("")] * APART if lines else []), *lines)

    def _commands(self, width: int, rows: int) -> list[Content]:
        """As many command lines as so many rows hold, whole, under a heading; none where not one fits."""
        from tutor.playing import opening

        session = getattr(self.app, "session", None)
        chosen = keys.keys_of(keys.BY_ID["figure-command"], session.settings.keys if session is not None else {})
        shells = opening.commands(self.figure.name, self.state, self.named)
        key = "shell_judged" if any(map(judges, shells)) else "shell"
        heading = say(f"app.playground.{key}", self.language, shortcut=keys.shown(chosen[0]))
        made = [Content.styled(line, QUIET) for line in textwrap.wrap(heading, width)]
        told = len(made)
        for shell in shells:
            lines = textwrap.wrap(shell, width, subsequent_indent="  ", break_on_hyphens=False)
            if len(made) + len(lines) + APART > rows:
                break
            made += [Content.styled(line, CODE) for line in lines]
        return made if len(made) > told else []
