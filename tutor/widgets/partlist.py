"""The parts of an exercise: mark, name, answer so far; in two columns where that is shorter. A click goes to one.

In a short window only the part at hand: all of them would push the answer line out of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.message import Message

from content.lang import Lang
from content.words import say
from tutor.progress import PartState
from tutor.widgets.drawn import Drawn
from tutor.widgets.ink import ACCENT, QUIET, STRONG, cells, plainer
from tutor.widgets.tasks import Task, answer_shown

SHORT = 22
"""Lines of a window below which it is short."""


class PartList(Drawn):
    """Hidden for an exercise with one part only: there the mark in the top line says it all."""

    DEFAULT_CSS = "PartList { height: auto; width: 1fr; max-width: 76; }"

    @dataclass
    class Picked(Message):
        """A part was clicked."""

        number: int

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._cells: list[Content] = []
        self._current = 0
        self._place = ""
        """Which part it is, of how many, in words: "6/6" alone would read as a score."""

    def tell(
        self, tasks: Sequence[Task], current: int, states: Mapping[str, PartState], lang: Lang, ascii_only: bool
    ) -> None:
        """Show the tasks."""
        self.display = len(tasks) > 1
        self._current = current
        self._place = say("app.exercise.part", lang, n=current + 1, of=len(tasks))
        longest = max(cells(task.label(lang)) for task in tasks)
        self._cells = [
            self._cell(n == current, task, states, lang, ascii_only, longest) for n, task in enumerate(tasks)
        ]
        self.clear_cached_dimensions()
        self.refresh(layout=True)

    def _cell(
        self, here: bool, task: Task, states: Mapping[str, PartState], lang: Lang, ascii_only: bool, longest: int
    ) -> Content:
        label, answer = task.label(lang), _answer(task, states, lang)
        style = f"{STRONG} {ACCENT}" if here else ""
        sign = (plainer(task.mark(states), ascii_only), ACCENT if here else QUIET)
        lead = plainer("▸ ", ascii_only) if here else "  "
        gap = " " * (longest - cells(label) + 2) if answer else ""
        return Content.assemble((lead, ACCENT), sign, " ", (label, style), gap, (answer, QUIET))

    def _columns(self, width: int) -> int:
        widest = max((cell.cell_length for cell in self._cells), default=0)
        return 2 if len(self._cells) > 3 and 2 * widest + 3 <= width else 1

    def lines_at(self, width: int) -> list[Content]:
        """The parts, or in a short window the one at hand."""
        if self._cells and self._short:
            return _hanging(Content.assemble(self._cells[self._current], "  ", (self._place, QUIET)), width)
        if self._columns(width) == 1:
            return [line for cell in self._cells for line in _hanging(cell, width)]
        half = (len(self._cells) + 1) // 2
        second = [*self._cells[half:], Content("")]
        return [
            Content.assemble(a, " " * (width // 2 - a.cell_length), b)
            for a, b in zip(self._cells[:half], second, strict=False)
        ]

    @property
    def _short(self) -> bool:
        return self.app.size.height < SHORT

    def on_click(self, event: events.Click) -> None:
        """Tell which part is under the pointer."""
        if self._short:
            return
        width = max(1, self.content_size.width)
        spot = event.get_content_offset_capture(self)
        half = (len(self._cells) + 1) // 2
        if self._columns(width) == 2:
            number = spot.y + (half if spot.x >= width // 2 else 0)
        else:
            ends, line = [], 0
            for cell in self._cells:
                line += len(_hanging(cell, width))
                ends.append(line)
            number = next((n for n, end in enumerate(ends) if spot.y < end), len(ends))
        if number < len(self._cells):
            self.post_message(self.Picked(number))


def _hanging(cell: Content, width: int) -> list[Content]:
    """A cell on as many lines as it needs, its further lines indented."""
    if cell.cell_length <= width:
        return [cell]
    first, *rest = cell.wrap(width)
    following = Content(" ").join(rest).wrap(max(8, width - 6))
    return [first.rstrip(), *(Content("      ") + line.rstrip() for line in following)]


def _answer(task: Task, states: Mapping[str, PartState], lang: Lang) -> str:
    state = states.get(task.first.id)
    if task.grouped or state is None or state.status == "new" or not state.last_answer:
        return ""
    return answer_shown(task.first, state.last_answer, lang)
