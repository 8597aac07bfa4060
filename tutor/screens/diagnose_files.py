"""The diagnoser's logs and files: opened, pasted or dropped, read in a thread, and named in one line over the form."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from textual import events, work
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from engine.units import grouped
from tutor.commands.context import quoted
from tutor.diagnoser import dropped
from tutor.screens.diagnose_measure import MeasuringPage
from tutor.widgets.ink import ACCENT, QUIET

if TYPE_CHECKING:
    from engine.artefacts.evidence import Artefact, Evidence
    from tutor.diagnoser.evidence import Problem, Told
    from tutor.diagnoser.form import FormState
    from tutor.diagnoser.speech import Speech

OFTEN = 0.2
"""Seconds between two words about how far the reading is."""
LARGE = 10**6
"""Bytes from which it is said how many there are."""
LONG = 2**18
"""Characters of a pasted text whose reading may be seen."""
NAMES = 3
"""Files that the line over the form names."""


class FilesPage(MeasuringPage):
    """A page that takes logs and files; subclasses hold the form and read it anew in ``relied``."""

    DEFAULT_CSS = """
    FilesPage #files { height: auto; padding: 0 2; display: none; }
    """

    @dataclass
    class Heard(Message):
        """Texts were read.

        Attributes:
            number: of the reading.
            found: what came of each, in order.
            paths: of those that are files.
            text, field: what was pasted, and into which field.
        """

        number: int
        found: Sequence[Artefact | Told | Problem]
        paths: Sequence[Path]
        text: str = ""
        field: str = ""

    @dataclass
    class Far(Message):
        """So many bytes of a text are read."""

        number: int
        name: str
        done: int
        size: int

    _reading = 0
    """Number of the reading that counts; another one is left."""
    _far: Far | None = None

    @property
    def state(self) -> FormState:
        """What stands in the form; for subclasses."""
        raise NotImplementedError

    @property
    def speech(self) -> Speech:
        """How sentences are said now; for subclasses."""
        raise NotImplementedError

    def to_answer(self) -> None:
        """Go to the answer, where there is one; for subclasses."""

    def relied(self, *, fresh: bool = False) -> None:
        """Other evidence: read the form anew; for subclasses."""

    def keep_line(self, field: str, text: str) -> bool:
        """Put a text into a field after all; whether that can be done; for subclasses."""
        return False

    # --- reading -----------------------------------------------------------------------------------------------------

    def takes(self, field: str, text: str) -> bool:
        """Whether a text pasted into a field is a file's path, or a text to be read, and no value; it is read then."""
        found = dropped.paths(text)
        if found and not (field == "model" and len(found) == 1 and dropped.is_folder(found[0])):
            self.open_paths(found)
            return True
        if not dropped.is_text(text) or (field == "flags" and dropped.is_command(text)):
            return False
        self.open_text(text, field)
        return True

    def on_paste(self, event: events.Paste) -> None:
        """A text that no field took."""
        event.stop()
        self.take_pasted(event.text)

    def take_pasted(self, text: str) -> None:
        """Read a text that no line waits for: of one line too."""
        if text.strip() and not self.takes("", text):
            self.open_line(text)

    def open_line(self, text: str) -> None:
        """Read a line that may be a text, or the path of something that is not there."""
        self.open_text(text, line=True)

    def open_paths(self, paths: Sequence[Path]) -> None:
        """Read files; what was being read is left."""
        self._reading += 1
        self._far = self.Far(self._reading, paths[0].name, 0, 0)
        self._read_paths(self._reading, tuple(paths))
        self.say_files()

    def open_text(self, text: str, field: str = "", *, line: bool = False) -> None:
        """Read a pasted text; ``line``: a path too, where it is no text."""
        from tutor.diagnoser.evidence import PASTED

        self._reading += 1
        if len(text) >= LONG:  # said before anything of it is read
            self._far = self.Far(self._reading, PASTED, 0, len(text))
            self.say_files()
        self._read_text(self._reading, text, field, self.state.pasted + 1, line)

    def on_unmount(self) -> None:
        """Nothing is read for a page that is gone: the app would wait for it when it ends."""
        self._reading += 1

    @property
    def reading(self) -> bool:
        """Whether something is being read that takes its time."""
        return self._far is not None

    def stop_reading(self) -> bool:
        """Leave what is being read; whether there was anything."""
        was = self._far is not None
        self._reading += 1
        self._far = None
        self.say_files()
        return was

    @work(thread=True, group="files", exit_on_error=False)
    def _read_paths(self, number: int, paths: Sequence[Path]) -> None:
        from tutor.diagnoser import evidence

        found: list[Artefact | Told | Problem] = []
        try:
            for path in paths:
                found.append(evidence.opened(path, self._going(number, path)))
        except evidence.Left:
            return
        except Exception as error:  # a file must not be read for ever because of a mistake of ours
            found = [evidence.broken(error)]
        self.post_message(self.Heard(number, found, paths))

    @work(thread=True, group="files", exit_on_error=False)
    def _read_text(self, number: int, text: str, field: str, n: int, line: bool) -> None:
        from tutor.diagnoser import evidence

        going = self._telling(number, evidence.PASTED, len(text), evidence.PIECE)
        found: Artefact | Told | Problem
        try:
            found = evidence.typed(text, n, going) if line else evidence.pasted(text, n, going)
        except evidence.Left:
            return
        except Exception as error:
            found = evidence.broken(error)
        self.post_message(self.Heard(number, (found,), (), text, field))

    def _going(self, number: int, path: Path) -> Callable[[], bool]:
        from tutor.commands.files import PIECE

        return self._telling(number, path.name, path.stat().st_size if dropped.is_file(path) else 0, PIECE)

    def _telling(self, number: int, name: str, size: int, piece: int) -> Callable[[], bool]:
        """Asked before each piece: whether it is still wanted; tells from time to time how far it is."""
        said, pieces = time.monotonic(), 0

        def going() -> bool:
            nonlocal said, pieces
            pieces += 1
            if time.monotonic() - said > OFTEN:
                said = time.monotonic()
                self.post_message(self.Far(number, name, min(pieces * piece, size), size))
            return self._reading == number

        return going

    def on_files_page_far(self, event: Far) -> None:
        """One line says how far it is."""
        event.stop()
        if event.number == self._reading:
            self._far = event
            self.say_files()

    def on_files_page_heard(self, event: Heard) -> None:
        """What was read counts from now on, and is shown."""
        event.stop()
        if event.number != self._reading:
            return
        self._far = None
        from tutor.diagnoser.evidence import Problem, Told

        taken: list[Artefact] = []
        self.say_files()
        for one in event.found:
            if isinstance(one, Problem):
                self.notify(one.text(self.lang), markup=False, severity="warning")
            elif isinstance(one, Told):
                self.fill_with(one)
                self._say_filled(one)
            else:
                taken.append(one)
        if event.text and taken and not taken[0].found and self.keep_line(event.field, event.text):
            taken = []
        if taken:
            self._take(taken, event.paths, pasted=bool(event.text))
        self.say_files()

    def _say_filled(self, told: Told) -> None:
        """The form is another one now: show it, and say how the old one comes back."""
        from tutor.screens.diagnose_add import AddPanel

        name, key = quoted(told.path.name), self.pressed("undo")
        self.notify(self.tell("diagnose.files.filled", name=name, shortcut=key), markup=False)
        if isinstance(shown := self.app.screen, AddPanel):
            self.tutor.close(shown)

    def fill_with(self, told: Told) -> None:
        """A scenario file belongs into the form; for subclasses."""

    def _take(self, taken: Sequence[Artefact], paths: Sequence[Path], *, pasted: bool) -> None:
        from engine.artefacts.evidence import Evidence

        known = self.state.evidence or Evidence()
        for number, one in enumerate(taken):
            path = paths[number] if len(paths) == len(taken) else None
            known = self.state.with_text(known, one, path)
        self.state.pasted += pasted
        self.rely(known)
        self.action_files()

    def rely(self, evidence: Evidence | None) -> None:
        """Take other evidence."""
        shown = self.state.rely(evidence)
        if shown:
            self.notify(self.tell("diagnose.files.example_gone", shortcut=self.pressed("undo")), markup=False)
        self.say_files()
        self.relied(fresh=shown)

    def action_files(self) -> None:
        """What was understood of logs and files, or where they are named."""
        from tutor.screens.diagnose_add import AddPanel
        from tutor.screens.diagnose_evidence import UnderstoodPanel

        shown = self.app.screen
        if not self.state.evidence:
            self.tutor.show_panel(AddPanel(self))
        elif isinstance(shown, UnderstoodPanel):
            shown.retell()
        else:
            if isinstance(shown, AddPanel):
                self.tutor.close(shown)
            self.tutor.show_panel(UnderstoodPanel(self))

    # --- saying ------------------------------------------------------------------------------------------------------

    def say_files(self) -> None:
        """The line about them; none where there are none."""
        reading = self._said_reading()
        _say(self.query_one("#files", Static), reading or self._said_files())
        for panel in self.app.screen_stack:  # what lies over the form says it too
            for line in panel.query("#reading").results(Static):
                _say(line, reading)

    def _said_reading(self) -> Content:
        if self._far is None:
            return Content("")
        from content.diagnosing import observed

        told: dict[str, object] = {"name": quoted(observed.source(self._far.name, self.lang))}
        if self._far.size >= LARGE:
            told |= {"done": grouped(self._far.done // 10**6), "size": grouped(self._far.size / 10**6)}
        return Content.styled(self.tell(f"diagnose.files.{'reading' if 'size' in told else 'opening'}", **told), QUIET)

    def _said_files(self) -> Content:
        if not self.state.evidence:
            return Content("")
        from content.diagnosing import observed

        artefacts = self.state.evidence.artefacts
        names = [observed.source(one.name, self.lang) for one in artefacts[:NAMES]]
        more = len(artefacts) - NAMES
        shown = ", ".join(names) if more <= 0 else self.tell("diagnose.files.others", names=", ".join(names), n=more)
        key = self.pressed("files")
        label = f"{self.tell('diagnose.files.label')}  "
        told = Content.assemble((label, ACCENT), shown, (f"  {self.tell('diagnose.files.see', shortcut=key)}", QUIET))
        left = self._said_left()
        return Content.assemble(told, "\n", left) if left else told

    def _said_left(self) -> str:
        """That fields hold what is of no log here, and how they are emptied."""
        left = [self.speech.field(name) for name in self.state.left]
        if not left:
            return ""
        kind = "example" if self.state.of_example else "last"
        return self.tell(f"diagnose.files.left_{kind}", names=", ".join(left), shortcut=self.pressed("empty"))


def _say(line: Static, made: Content) -> None:
    line.display = bool(made)
    if str(line.content) != str(made):  # an update lays out the whole screen
        line.update(made)
