"""Which server to watch: an address that is typed, or where the usual servers listen on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.content import Content
from textual.widgets import Static

from content.words import say
from tutor.commands.context import Refusal
from tutor.dialogs.search import SearchPanel
from tutor.widgets.answer_input import AnswerInput
from tutor.widgets.ink import QUIET
from tutor.widgets.rows import Row

if TYPE_CHECKING:
    from engine.artefacts.model import Observations
    from engine.diagnosis.model import Scenario

USUAL = (
    ("vLLM", "127.0.0.1:8000"), ("SGLang", "127.0.0.1:30000"), ("llama.cpp", "127.0.0.1:8080"),
    ("TGI", "127.0.0.1:3000"), ("Triton", "127.0.0.1:8002"),
)  # fmt: skip
"""Servers and the ports at which they have their metrics unless told otherwise."""


class WatchPanel(SearchPanel):
    """Enter watches; what stands in the diagnoser's form counts beside what the server says."""

    PASSING: ClassVar[bool] = True

    def rows(self, wanted: str) -> list[Row]:
        """The address that is typed; the usual ones before anything is."""
        typed = self.query_one(AnswerInput).value.strip() if self.is_mounted else ""
        if not typed:
            return [Row(place, Content(place), lead=name) for name, place in USUAL]
        from tutor.live import address

        try:
            return [Row(typed, Content(address.read(typed).name))]
        except Refusal:
            return []

    def _fill(self, typed: str) -> None:
        super()._fill(typed)
        from tutor.live import address

        try:
            address.read(typed)
        except Refusal as refusal:
            self.query_one("#none", Static).update(Content.styled(refusal.text(self.lang), QUIET))

    async def chosen(self, id: str) -> None:
        """Watch it, in the place of another one that is watched."""
        from tutor.live import address
        from tutor.live.fetch import Fetcher
        from tutor.live.watching import Watcher
        from tutor.screens.watch import WatchScreen

        where = address.read(id)
        given = self.tutor.diagnosing.given() if self.tutor.diagnosing is not None else {}

        def feed(found: Observations) -> Scenario:
            from engine.artefacts import feed as artefacts
            from engine.artefacts.evidence import Artefact, Evidence
            from engine.diagnosis import scenario

            base = artefacts.scenario(Evidence((Artefact(where.name, found),)))
            return scenario.build(given, "form", base) if given else base

        watcher = self.tutor.watching = Watcher(Fetcher(where), feed)
        for screen in self.app.screen_stack:
            if isinstance(screen, WatchScreen):
                self.tutor.close(self)
                screen.turn_to(watcher)
                return
        self.tutor.show_panel(WatchScreen(watcher))

    def name_of(self) -> str:
        """Name of the panel."""
        return say("live.ask.title", self.lang)

    def hint(self) -> str:
        """What to type."""
        return say("live.ask.hint", self.lang)

    def enter(self) -> str:
        """Watch it."""
        return say("live.ask.enter", self.lang)
