"""The line at the bottom: the keys of this moment, the most useful first, as many as fit. A click presses them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from textual import events
from textual.content import Content
from textual.widget import Widget

from tutor.widgets.ink import ACCENT, QUIET, cells

KEYS_FIRST = 6
"""So many keys are worth more than the note."""
GAP = 2
"""Columns between two keys."""


@dataclass(frozen=True, slots=True)
class KeyHint:
    """A key, what it does in a word or two, and the action it runs; lower ranks are kept longest."""

    key: str
    label: str
    action: str
    rank: int
    more: str = ""
    """Its label where the line has no room for all keys: it leads to the others, and is kept before all of them."""


def _room(hint: KeyHint) -> int:
    """Columns that a key takes, with the gap behind it."""
    return cells(hint.key) + 1 + cells(hint.label) + GAP


class KeyLine(Widget):
    """One line of `KeyHint`s in the order of their ranks."""

    DEFAULT_CSS = """
    KeyLine { dock: bottom; height: 1; width: 100%; padding: 0 1; }
    """

    def __init__(self) -> None:
        super().__init__(id="keyline")
        self._hints: Sequence[KeyHint] = ()
        self._note = ""

    def show(self, hints: Sequence[KeyHint], note: str = "") -> None:
        """Show these keys, and a note (`attempt 2`) at the right edge when there is room."""
        shown = sorted(hints, key=lambda hint: hint.rank), note
        if shown != (self._hints, self._note):
            self._hints, self._note = shown
            self.refresh()

    def _fitting(self, width: int) -> list[KeyHint]:
        """The keys that fit; where not all do, the one that leads to the others is among them and says so."""
        if sum(map(_room, self._hints)) - GAP <= width:
            return list(self._hints)
        hints = [replace(hint, label=hint.more) if hint.more else hint for hint in self._hints]
        kept: list[KeyHint] = []
        waiting = sum(_room(hint) for hint in hints if hint.more)
        used = -GAP
        for hint in hints:
            waiting -= _room(hint) if hint.more else 0
            if used + _room(hint) + waiting > width:
                # keys further down are less useful; a gap in the order would look arbitrary
                return kept + [last for last in hints if last.more and last not in kept]
            kept.append(hint)
            used += _room(hint)
        return kept

    def _room_for_note(self, width: int) -> int:
        """Columns for the note; none when it would cost one of the first keys."""
        note = cells(self._note) + 3 if self._note else 0
        return note if len(self._fitting(width - note)) >= min(KEYS_FIRST, len(self._fitting(width))) else 0

    def render(self) -> Content:
        """The keys that fit."""
        width = max(1, self.content_size.width)
        note = self._room_for_note(width)
        kept = self._fitting(width - note)
        parts: list[tuple[str, str] | str] = []
        for number, hint in enumerate(kept):
            parts += [" " * GAP] if number else []
            parts += [(hint.key, ACCENT), (f" {hint.label}", QUIET)]
        line = Content.assemble(*parts)
        if note:
            line = Content.assemble(
                line, " " * max(0, width - line.cell_length - cells(self._note)), (self._note, QUIET)
            )
        return line

    async def on_click(self, event: events.Click) -> None:
        """Run the action of the key under the pointer."""
        x = event.get_content_offset_capture(self).x
        width = max(1, self.content_size.width)
        for hint in self._fitting(width - self._room_for_note(width)):
            if 0 <= x < _room(hint) - GAP:
                await self.screen.run_action(hint.action)
                return
            x -= _room(hint)
