"""The line where an answer is typed: no blinking, no box, and a paste that cannot be an answer is refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from textual import events
from textual.message import Message
from textual.widgets import Input

if TYPE_CHECKING:
    from textual.geometry import Region

LONGEST = 2000
"""Characters. Longer than any answer or formula; a megabyte pasted by mistake would only stall the screen."""


class AnswerInput(Input):
    """An input of one line."""

    DEFAULT_CSS = """
    AnswerInput, AnswerInput:focus { border: none; height: 1; padding: 0; background: $surface; width: 1fr; }
    AnswerInput:focus { background-tint: $foreground 5%; }
    AnswerInput:ansi { background: ansi_default; text-style: underline; }
    """

    _same_size = False
    is_text_field = True
    """Letters change its text and nothing else, see `tutor.typeahead`."""

    @dataclass
    class Refused(Message):
        """What was pasted is too long; nothing was changed."""

        length: int

    def __init__(self, value: str = "", *, id: str | None = None) -> None:
        super().__init__(value, id=id, select_on_focus=False, max_length=LONGEST)
        self.cursor_blink = False

    def _watch_value(self, value: str) -> None:
        """Another text has other cells, but the line is as wide and as high as before: no new layout of the screen."""
        self._same_size = True
        try:
            super()._watch_value(value)
        finally:
            self._same_size = False

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        """Paint, and lay out where that can change anything."""
        layout = layout and not (self._same_size and not self.styles.auto_dimensions)
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    async def _on_key(self, event: events.Key) -> None:
        """Leave alt and a letter to the bindings: the terminal sends them with a letter that Input would type."""
        if event.key.startswith("alt+"):
            event.prevent_default()

    def _on_paste(self, event: events.Paste) -> None:
        """Take a pasted text as one line; a copied table cell may end with a line break."""
        event.stop()
        event.prevent_default()
        if len(event.text) + len(self.value) > LONGEST:
            self.post_message(self.Refused(len(event.text)))
            return
        line = " ".join(piece for piece in event.text.splitlines() if piece.strip())
        line = "".join(char for char in line.replace("\r", "").replace("\t", " ") if char.isprintable())
        if line:
            self.replace(line, *sorted(self.selection))
