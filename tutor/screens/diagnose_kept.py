"""The diagnoser's form as it stands: kept while the reader is elsewhere, and on the disk as it is typed."""

from __future__ import annotations

from pathlib import Path

from textual.timer import Timer

from tutor.diagnoser import keeping
from tutor.diagnoser.form import FormState
from tutor.screens.diagnose_files import FilesPage
from tutor.widgets.field_form import FieldForm

KEEPING = 1.0
"""Seconds from a change until the form is kept on the disk: a killed app loses no more of it than that."""


class KeptPage(FilesPage):
    """A page with a form that no end of the app loses."""

    def __init__(self) -> None:
        super().__init__()
        self._keeper: Timer | None = None
        self._kept: str | None = None
        """What was kept last, or was there at first, as it would be kept again."""

    @property
    def form(self) -> FieldForm:
        """The form."""
        return self.query_one(FieldForm)

    @property
    def state(self) -> FormState:
        """What stands in the form; the app keeps it while the reader is elsewhere."""
        if self.tutor.diagnosing is None:
            self.tutor.diagnosing = keeping.recalled(self._file)
        return self.tutor.diagnosing

    @property
    def _file(self) -> Path:
        """Where the form waits for the next start: beside what else is remembered of this reader."""
        return self.session.progress.path.with_name("form.json")

    def keep(self) -> None:
        """The form is there at the next start."""
        self.take_typed(*self.form.typed)
        self._kept = keeping.told(self.state)
        keeping.remember(self._file, self.state)

    def keep_soon(self) -> None:
        """Keep it a while after a change, however many more come meanwhile."""
        if self._keeper is not None:
            return
        told = keeping.told(self.state)
        self._kept = told if self._kept is None else self._kept
        if told != self._kept:
            self._keeper = self.set_timer(KEEPING, self._keep_changed)

    def _keep_changed(self) -> None:
        self._keeper = None
        if self.is_attached:
            self.keep()

    def take_typed(self, name: str, text: str) -> None:
        """Take what is typed into a field."""
        if name and self.state.set(name, text):
            self.read_soon()

    def read_soon(self) -> None:
        """Read the form once no letter has come for a moment; for subclasses."""
