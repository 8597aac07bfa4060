"""Over the probe's screen: what the numbers mean, and the report as a file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual.content import Content

from content.words import say
from tutor.keys import Command
from tutor.screens.diagnose_keep import KeepPanel
from tutor.screens.reading import ReadPanel
from tutor.widgets.ink import STRONG
from tutor.widgets.prose import Piece, Prose, paired, pieces

if TYPE_CHECKING:
    from tutor.probing.running import Outcome

MEANINGS = ("ceilings", "curve", "knee", "classes", "confidence", "fixed", "predicted", "limits")
"""What is explained, in the order of the report."""


class MeaningPanel(ReadPanel):
    """A paragraph for each kind of number."""

    def retell_body(self) -> None:
        """All paragraphs again; with the peek on, in both languages."""
        made: list[Piece] = []
        for name in MEANINGS:
            made.append(Piece(Content.styled(self.tell(f"probe.meaning.{name}.name"), STRONG)))
            own = pieces(self.tell(f"probe.meaning.{name}.text"))
            if self.tutor.peek:
                second = say(f"app.probe.meaning.{name}.text", self.tutor.other_language)
                own = list(paired(own, pieces(second, quiet=True)))
            made += [replace(own[0], tight=True), *own[1:]]
        self.query_one("#said", Prose).show(made)

    def name_of(self) -> str:
        """Name of the panel."""
        return self.tell("probe.meaning.title")

    def can(self, command: Command) -> bool:
        """What makes sense here."""
        return command.id != "home"


class SaveRunPanel(KeepPanel):
    """The report of a run, for a reader or for a program."""

    KINDS: ClassVar[Mapping[str, str]] = {"text": "probe.txt", "json": "probe.json"}

    def __init__(self, outcome: Outcome) -> None:
        super().__init__()
        self.outcome = outcome

    def named(self, kind: str) -> str:
        """What can be kept, in words."""
        return self.tell(f"probe.keep_{kind}")

    def text(self, kind: str) -> str:
        """What the file holds."""
        from content import probing

        of = self.outcome
        if kind == "json":
            document = probing.document(of.result, of.changes, of.before, of.at)
            return json.dumps(document, ensure_ascii=False, indent=2) + "\n"
        return "\n".join(probing.lines(of.result, self.lang, changes=of.changes, before=of.before)) + "\n"

    def name_of(self) -> str:
        """Name of the panel."""
        return self.tell("probe.save")
