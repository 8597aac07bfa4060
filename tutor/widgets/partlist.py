"""The parts of an exercise as a list: a mark, a name, and the answer so far. The current one is marked; a click goes there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from textual.content import Content

from content.lang import Lang
from tutor.progress import PartState
from tutor.widgets.ink import ACCENT, QUIET, STRONG, cells, plainer
from tutor.widgets.rows import Row, Rows
from tutor.widgets.tasks import Task, answer_shown


class PartList(Rows, can_focus=False):
    """Hidden for an exercise with one part only: there the mark in the top line says it all."""

    def tell(self, tasks: Sequence[Task], current: int, states: Mapping[str, PartState], lang: Lang, ascii_only: bool) -> None:
        """Show the tasks."""
        self.display = len(tasks) > 1
        longest = max(cells(task.label(lang)) for task in tasks)
        rows = [self._row(n, n == current, task, states, lang, ascii_only, longest) for n, task in enumerate(tasks)]
        self.show(rows)

    def _row(
        self, number: int, here: bool, task: Task, states: Mapping[str, PartState], lang: Lang, ascii_only: bool, longest: int
    ) -> Row:
        label = task.label(lang)
        style = f"{STRONG} {ACCENT}" if here else ""
        text = Content.assemble((label, style), " " * (longest - cells(label) + 3), (_answer(task, states, lang), QUIET))
        return Row(str(number), text, lead=plainer(task.mark(states), ascii_only))


def _answer(task: Task, states: Mapping[str, PartState], lang: Lang) -> str:
    state = states.get(task.first.id)
    if task.grouped or state is None or state.status == "new" or not state.last_answer:
        return ""
    return answer_shown(task.first, state.last_answer, lang)
