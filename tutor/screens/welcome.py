"""The one question of the first start: which language. The locale only puts the cursor.

Cursor, frame and F2 say the same at every moment: what Enter would take is the language of the frame.
"""

from __future__ import annotations

from collections.abc import Iterable

from textual.content import Content
from textual.widget import Widget

from content.lang import LABELS, LANGS
from content.words import say
from tutor import language
from tutor.keys import Command
from tutor.progress import Place
from tutor.screens.base import TutorScreen
from tutor.widgets.blank import Vertical
from tutor.widgets.ink import QUIET
from tutor.widgets.keyline import KeyHint
from tutor.widgets.rows import Row, Rows


class WelcomeScreen(TutorScreen):
    """Both languages, each in its own words; they can be switched at any time."""

    def __init__(self, then: Place | str | None) -> None:
        super().__init__()
        self._then = then

    def body(self) -> Iterable[Widget]:
        """One list in the middle."""
        yield Vertical(Rows(id="languages"), id="welcome")

    def on_mount(self) -> None:
        """The cursor goes where the locale points."""
        width = max(map(len, LABELS.values())) + 3
        rows = [
            Row(lang, Content.assemble(LABELS[lang].ljust(width), (say("app.welcome.sample", lang), QUIET)))
            for lang in LANGS
        ]
        both = [Row(text=Content(say("app.welcome.question", lang)), lead="note") for lang in LANGS]
        both += [Row(text=Content("")), *rows, Row(text=Content(""))]
        both += [Row(text=Content.styled(say("app.welcome.later", lang), QUIET), lead="note") for lang in LANGS]
        languages = self.query_one(Rows)
        self.session.language = language.propose()
        languages.show(both, current=self.lang)
        self.set_focus(languages)
        self.retell()

    def retell_body(self) -> None:
        """The cursor goes where the switch leads; both languages stand there anyway."""
        self.query_one(Rows).go(self.lang)

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """The frame speaks the language under the cursor; nothing is kept before Enter."""
        event.stop()
        self.session.language = "hi-Latn" if event.rows.current == "hi-Latn" else "en"
        self.retell_frame()

    async def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """Keep the answer and go on."""
        event.stop()
        self.session.set_language("hi-Latn" if event.id == "hi-Latn" else "en")
        self.tutor.go(self._then or Place("home"))

    async def go_back(self) -> None:
        """Nothing lies further out."""

    def _hints(self) -> Iterable[KeyHint]:
        yield KeyHint("enter", self.tell("welcome.enter"), "screen.take", 0)
        yield from super()._hints()

    def action_take(self) -> None:
        """A click on the word for Enter."""
        self.query_one(Rows).action_choose()

    def can(self, command: Command) -> bool:
        """Only the other language, help and the way out; everything else wants a language first."""
        return command.id in ("language", "help", "quit")
