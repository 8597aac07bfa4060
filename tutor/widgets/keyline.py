"""The line at the bottom: the keys of this moment, the most useful first, as many as fit. A click presses them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

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


def _fitting(hints: Sequence[KeyHint], width: int) -> Sequence[KeyHint]:
    """The keys that fit; where not all do, the one that leads to the others is among them and says so."""
    if sum(map(_room, hints)) - GAP <= width:
        return hints
    hints = [replace(hint, label=hint.more) if hint.more else hint for hint in hints]
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


@lru_cache(maxsize=64)  # a screen has a few lines of keys, and comes back to them
def _laid(hints: tuple[KeyHint, ...], note: str, width: int) -> tuple[Sequence[KeyHint], Content]:
    """The keys that fit, and the line that says them, with the note where it costs none of the first keys."""
    kept = _fitting(hints, width)
    noted = cells(note) + 3 if note else 0
    beside = _fitting(hints, width - noted)
    if len(beside) < min(KEYS_FIRST, len(kept)):
        beside, note = kept, ""
    parts: list[tuple[str, str] | str] = []
    for number, hint in enumerate(beside):
        parts += [" " * GAP] if number else []
        parts += [(hint.key, ACCENT), (f" {hint.label}", QUIET)]
    line = Content.assemble(*parts)
    if note:
        line = Content.assemble(line, " " * max(0, width - line.cell_length - cells(note)), (note, QUIET))
    return beside, line


class KeyLine(Widget):
    """One line of `KeyHint`s in the order of their ranks."""

    DEFAULT_CSS = """
    KeyLine { dock: bottom; height: 1; width: 100%; padding: 0 1; }
    """

    def __init__(self) -> None:
        super().__init__(id="keyline")
        self._hints: tuple[KeyHint, ...] = ()
        self._note = ""

    def show(self, hints: Sequence[KeyHint], note: str = "") -> None:
        """Show these keys, and a note (`attempt 2`) at the right edge when there is room."""
        shown = tuple(sorted(hints, key=lambda hint: hint.rank)), note
        if shown != (self._hints, self._note):
            self._hints, self._note = shown
            self.refresh()

    @property
    def _shown(self) -> tuple[Sequence[KeyHint], Content]:
        return _laid(self._hints, self._note, max(1, self.content_size.width))

    def render(self) -> Content:
        """The keys that fit."""
        return self._shown[1]

    async def on_click(self, event: events.Click) -> None:
        """Run the action of the key under the pointer."""
        x = event.get_content_offset_capture(self).x
        for hint in self._shown[0]:
            if 0 <= x < _room(hint) - GAP:
                await self.screen.run_action(hint.action)
                return
            x -= _room(hint)
