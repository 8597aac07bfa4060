"""Where a log or a file is named, or a text pasted."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from content.words import say
from tutor.diagnoser import dropped
from tutor.dialogs.search import ListRows, SearchPanel
from tutor.served import served
from tutor.widgets.answer_input import AnswerInput
from tutor.widgets.blank import Horizontal
from tutor.widgets.ink import ACCENT, QUIET, plainer
from tutor.widgets.keyline import KeyHint
from tutor.widgets.lines_typed import LinesTyped
from tutor.widgets.page import Page
from tutor.widgets.rows import Row

if TYPE_CHECKING:
    from tutor.screens.diagnose_files import FilesPage

MOST = 200
"""Names of a folder that are looked at for what is typed."""
SHOWN, FEW = 8, 4
"""Of them, so many are offered, and in a low window."""
TALL = 24
"""Lines from which a window is not low."""


class PathLine(AnswerInput):
    """A line for a path; a pasted text that is more than that goes to the panel."""

    def _on_paste(self, event: events.Paste) -> None:
        panel = self.screen
        if isinstance(panel, AddPanel) and panel.took(event.text):
            event.stop()
            event.prevent_default()
            return
        super()._on_paste(event)


class PasteArea(LinesTyped):
    """Where a text is pasted: it is read at once. Typed lines are read with the panel's key."""

    DEFAULT_CSS = """
    PasteArea, PasteArea:focus { border: none; padding: 0 1; height: 1fr; min-height: 3; background: $surface; }
    PasteArea:ansi { background: ansi_default; }
    """

    async def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        panel = self.screen
        if isinstance(panel, AddPanel) and not panel.took(event.text):
            panel.read_text(event.text)


class AddPanel(SearchPanel):
    """A path with the names that complete it, and below a place for a pasted text."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "screen.other", show=False),
        Binding("alt+enter,ctrl+j", "screen.read_typed", show=False),
    ]
    DEFAULT_CSS = """
    AddPanel #line { margin: 1 1 0 1; }
    AddPanel #page { height: auto; max-height: 10; }
    AddPanel #how { height: auto; }
    AddPanel #how, AddPanel PasteArea, AddPanel #reading { max-width: 74; }
    AddPanel #reading { height: auto; margin: 1 2 0 3; display: none; }
    AddPanel PasteArea { margin: 1 2 1 3; }
    AddPanel #how { margin: 1 2 0 3; }
    """

    def __init__(self, below: FilesPage) -> None:
        super().__init__()
        self.below = below

    def body(self) -> Iterable[Widget]:
        """Line, names, area."""
        sign = Content.styled(plainer("› ", self.session.ascii), ACCENT)
        yield Horizontal(Static(sign, id="prompt"), PathLine(id="wanted"), id="line")
        yield Page(ListRows(id="rows"), Static("", id="none", markup=False), id="page")
        yield Static("", id="reading", markup=False)
        yield Static("", id="how", markup=False)
        area = PasteArea(soft_wrap=False, tab_behavior="focus", id="area")
        area.cursor_blink, area.highlight_cursor_line = False, False
        yield area

    def retell_body(self) -> None:
        """Everything again."""
        super().retell_body()
        how = say("serve.closed.files", self.lang) if served() else self.tell("diagnose.files.how")
        self.query_one("#how", Static).update(Content.styled(how, QUIET))

    # --- a path -----------------------------------------------------------------------------------------------------

    def _fill(self, typed: str) -> None:
        super()._fill(typed)
        self.query_one("#none", Static).display = False

    def rows(self, wanted: str) -> list[Row]:
        """The files and folders whose names begin as what is typed."""
        typed = self.query_one(AnswerInput).value if self.is_mounted else ""
        most = SHOWN if self.size.height >= TALL else FEW
        return [Row(str(path), Content(_named(path, typed))) for path in completions(typed)[:most]]

    async def chosen(self, id: str) -> None:
        """Go into a folder, or read the file; a model's folder is read too."""
        path = Path(id)
        if dropped.is_folder(path) and not dropped.is_model(path):
            line = self.query_one(AnswerInput)
            line.value = f"{_named(path, line.value)}"
            line.cursor_position = len(line.value)
            return
        self.below.open_paths([path])

    async def on_input_submitted(self, event: AnswerInput.Submitted) -> None:
        """Enter takes the name under the mark, or what is typed."""
        event.stop()
        typed = event.value.strip()
        current = self.query_one(ListRows).current
        if not typed and not current:
            return
        exact = dropped.paths(typed) or [one for one in [_expanded(typed)] if one is not None and dropped.is_file(one)]
        if exact and (not dropped.is_folder(exact[0]) or dropped.is_model(exact[0])):
            self.below.open_paths(exact)
        elif current:
            await self.chosen(current)
        else:
            self.below.open_line(typed)  # as a path it says what is wrong

    # --- a text -----------------------------------------------------------------------------------------------------

    def took(self, text: str) -> bool:
        """Read a pasted text, unless it is a path, or a piece of one."""
        if self.below.takes("", text):
            return True
        line = self.query_one(PathLine).value
        size = len(line) + len(text)
        path = dropped.may_be_path(text) and size <= dropped.LONGEST_VALUE
        if not text.strip() or path or (line and size <= dropped.LONGEST_NAME):
            return False
        self.below.open_text(text)
        return True

    def read_text(self, text: str) -> None:
        """Read a text of one line too."""
        if text.strip():
            self.below.open_text(text)

    def action_read_typed(self) -> None:
        """Read what stands in the area."""
        self.read_text(self.query_one(PasteArea).text)

    def action_other(self) -> None:
        """From the line to the area, or back."""
        area = self.query_one(PasteArea)
        self.set_focus(self.query_one(AnswerInput) if area.has_focus else area)
        self.retell_keys()

    async def go_back(self) -> None:
        """Stop the reading first, then close."""
        if self.below.reading:
            self.below.stop_reading()
        else:
            await super().go_back()

    # --- frame ------------------------------------------------------------------------------------------------------

    def _hints(self) -> Iterable[KeyHint]:
        yield from super()._hints()
        there = self.query_one(PasteArea).has_focus
        yield KeyHint("tab", self.tell("diagnose.files.line" if there else "diagnose.files.area"), "screen.other", 1)
        if there:
            yield KeyHint("ctrl+j", self.tell("diagnose.files.read"), "screen.read_typed", 1)

    def enter(self) -> str:
        """What Enter does."""
        return self.tell("diagnose.files.open")

    def hint(self) -> str:
        """What to type."""
        return self.tell("diagnose.files.path")

    def name_of(self) -> str:
        """Name of the panel."""
        return self.tell("diagnose.files.title")


def _expanded(typed: str) -> Path | None:
    try:
        return Path(typed.strip().strip("'\"")).expanduser()
    except (RuntimeError, ValueError):
        return None


def completions(typed: str) -> list[Path]:
    """Files and folders that what is typed may become, folders last; hidden ones only where a dot is typed."""
    path = _expanded(typed or "./")
    if path is None or served():
        return []
    folder, start = (path, "") if not typed or typed.endswith(("/", "\\")) else (path.parent, path.name)
    try:
        with_names = sorted(_some(folder))
        found = [one for one in with_names if one.name.startswith(start) and (start or not one.name.startswith("."))]
        return sorted(found, key=dropped.is_folder)[:SHOWN]
    except (OSError, ValueError):
        return []


def _some(folder: Path) -> list[Path]:
    found = []
    for one in folder.iterdir():
        found.append(one)
        if len(found) >= MOST:
            break
    return found


def _named(path: Path, typed: str) -> str:
    """A path as it would be typed, a folder with its stroke."""
    home, tail = str(Path.home()), "/" if dropped.is_folder(path) else ""
    shown = str(path)
    if typed.startswith("~") and shown.startswith(home):
        shown = f"~{shown[len(home) :]}"
    return f"{shown}{tail}"
