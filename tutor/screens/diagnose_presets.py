"""Servers to start from, found by typing; a path that is typed opens a scenario file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from textual.content import Content
from textual.widgets import Static

from content.words import say
from tutor.diagnoser.presets import PRESETS, values
from tutor.dialogs.search import SearchPanel
from tutor.served import served
from tutor.widgets.ink import QUIET
from tutor.widgets.rows import Row

if TYPE_CHECKING:
    from tutor.screens.diagnose import DiagnoseScreen

MOST_BYTES = 2_000_000
"""A scenario is a page; what is larger is not read."""
FILE = "file:"
EMPTY = "empty:"
"""The row that begins anew: another server than the last one."""


class PresetsPanel(SearchPanel):
    """Enter fills the form; undo brings back what stood there."""

    def __init__(self, below: DiagnoseScreen) -> None:
        super().__init__()
        self.below = below

    def rows(self, wanted: str) -> list[Row]:
        """The examples that match, and the file that is named."""
        made = []
        for id in PRESETS:
            name, about = (say(f"diagnosis.preset.{id}.{part}", self.lang) for part in ("name", "about"))
            told = f"{name} {about} {' '.join(values(id, self.lang).values())}".lower()
            if all(word in told for word in wanted.split()):
                made += [Row(id, Content(name)), Row(text=Content.styled(f"  {about}", QUIET), lead="note")]
        name, about = self.tell("diagnose.empty_form"), self.tell("diagnose.empty_form_what", undo=self.pressed("undo"))
        begun = self.below.state.values or self.below.state.evidence
        if begun and all(word in f"{name} {about}".lower() for word in wanted.split()):
            made += [Row(EMPTY, Content(name)), Row(text=Content.styled(f"  {about}", QUIET), lead="note")]
        path = self._path()
        if path is not None:
            made.append(Row(FILE, Content(self.tell("diagnose.open_file", path=str(path)))))
        return made

    def _fill(self, typed: str) -> None:
        super()._fill(typed)
        if not served() and ("/" in typed or typed.strip().lower().endswith((".json", ".toml", ".txt"))):
            self.query_one("#none", Static).update(Content.styled(self.tell("diagnose.no_file"), QUIET))

    def _path(self) -> Path | None:
        """What is typed, where it is a file."""
        from tutor.widgets.answer_input import AnswerInput

        typed = self.query_one(AnswerInput).value.strip() if self.is_mounted else ""
        if not typed or served():
            return None
        try:
            path = Path(typed).expanduser()
            return path if path.is_file() else None
        except (OSError, RuntimeError, ValueError):
            return None

    async def chosen(self, id: str) -> None:
        """Fill the form, and close."""
        if id == FILE:
            self._open()
            return
        filled = {} if id == EMPTY else values(id, self.lang)
        if id == EMPTY:
            self.below.state.replace(filled)
            self.below.state.evidence = None  # undo knows of it
        else:
            self.below.state.illustrate(filled)
        self.below.take(filled)
        self.tutor.close(self)

    def _open(self) -> None:
        from tutor.diagnoser import doors

        path = self._path()
        if path is None:
            return
        try:
            with path.open("rb") as file:
                text = file.read(MOST_BYTES + 1)[: MOST_BYTES + 1].decode("utf-8", "replace")
        except OSError as error:
            self.notify(str(error.strerror or error), markup=False, severity="warning")
            return
        known = doors.opened(text, path)
        if isinstance(known, doors.Problem):
            self.notify(self.below.speech.problem(known), markup=False, severity="warning")
            return
        self.below.state.take(known, [*self.below.fields])
        self.below.take(self.below.state.values)
        self.tutor.close(self)

    def name_of(self) -> str:
        """Name of the panel."""
        return self.tell("diagnose.presets")

    def hint(self) -> str:
        """What to type."""
        return self.tell("diagnose.presets_filter")

    def enter(self) -> str:
        """Fill the form."""
        return self.tell("diagnose.enter.fill_form")
