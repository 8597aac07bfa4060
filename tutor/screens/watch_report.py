"""The whole report of a sample, over the watch; the watch goes on below."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from textual.content import Content
from textual.widget import Widget

from content.words import say
from tutor.diagnoser.speech import Speech
from tutor.keys import Command
from tutor.screens.reading import ReadPanel
from tutor.widgets.lines import Line, Lines, lines_page

if TYPE_CHECKING:
    from engine.diagnosis.model import Report


class WatchReport(ReadPanel):
    """The lines of ``report``."""

    DEFAULT_CSS = """
    WatchReport Lines { max-width: 104; }
    """

    def __init__(self, report: Report) -> None:
        super().__init__()
        self.report = report

    def body(self) -> Iterable[Widget]:
        """One page of lines."""
        yield lines_page()

    def retell_body(self) -> None:
        """The report in the language of this moment, wrapped for the width."""
        from content import diagnosis

        lang, plain = self.lang, Speech(self.lang, self.session.ascii).plain

        def draw(width: int) -> Sequence[Content]:
            return [Content(plain(one)) for one in diagnosis.lines(self.report, lang, width)]

        self.query_one(Lines).show([Line(draw=draw)])

    def name_of(self) -> str:
        """Name of the panel."""
        return say("live.watch.report", self.lang)

    def can(self, command: Command) -> bool:
        """What makes sense here."""
        return command.id not in ("peek", "home")
