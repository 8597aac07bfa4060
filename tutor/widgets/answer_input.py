"""The line where an answer is typed: no blinking, no box, and a paste that cannot be an answer is refused."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.message import Message
from textual.widgets import Input

LONGEST = 2000
"""Characters. Longer than any answer or formula; a megabyte pasted by mistake would only stall the screen."""


class AnswerInput(Input):
    """An input of one line."""

    DEFAULT_CSS = """
    AnswerInput, AnswerInput:focus { border: none; height: 1; padding: 0; background: $surface; width: 1fr; }
    AnswerInput:focus { background-tint: $foreground 5%; }
    AnswerInput:ansi { background: ansi_default; text-style: underline; }
    """

    is_text_field = True
    """Letters change its text and nothing else, see `tutor.typeahead`."""

    @dataclass
    class Refused(Message):
        """What was pasted is too long; nothing was changed."""

        length: int

    def __init__(self, value: str = "", *, id: str | None = None) -> None:
        super().__init__(value, id=id, select_on_focus=False, max_length=LONGEST)
        self.cursor_blink = False

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
