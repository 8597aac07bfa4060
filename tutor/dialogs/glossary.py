"""The glossary: terms in one list, narrowed by typing; the open term shows what it means."""

from __future__ import annotations

from typing import ClassVar

from textual.content import Content

from content import glossary
from content.glossary import Term
from tutor.dialogs.search import ListRows, SearchPanel
from tutor.widgets.prose import paired, pieces, wrapped
from tutor.widgets.rows import Row, Rows


class GlossaryPanel(SearchPanel):
    """Enter opens and closes a term; a search opens the first it finds."""

    PASSING: ClassVar[bool] = True

    open_id: str | None = None
    """The term that was opened, "" for none since one was closed; ``None`` where a search opens the first it finds."""
    _wanted = ""
    _shown = ""

    def rows(self, wanted: str) -> list[Row]:
        """Terms that have what is typed in their name or symbols; failing that, in their text."""
        if wanted != self._wanted:
            self._wanted, self.open_id = wanted, None
        every = glossary.terms()
        found = [term for term in every if wanted in _name(term).lower()]
        found.sort(key=lambda term: not _name(term).lower().startswith(wanted))
        if not found:
            found = [term for term in every if wanted in term.text[self.lang].lower()]
        self._shown = shown = found[0].id if self.open_id is None and wanted and found else self.open_id or ""
        made: list[Row] = []
        for term in found:
            made.append(Row(term.id, Content(_name(term))))
            if term.id == shown:
                made += self._meaning(term)
        return made

    def _meaning(self, term: Term) -> list[Row]:
        said = pieces(term.text[self.lang])
        if self.tutor.peek:
            said = paired(said, pieces(term.text[self.tutor.other_language], quiet=True))
        width = max(20, min(76, self.size.width - 6) - 6)  # what a heading of the list has, less its indent
        lines = [Row(text=Content("    ") + line, lead="note") for line in wrapped(said, width)[0]]
        return [*lines, Row()]

    async def chosen(self, id: str) -> None:
        """Open or close a term."""
        self.open_id = "" if self._shown == id else id
        self.retell_body()
        self.retell_keys()

    def enter(self) -> str:
        """Open the term under the cursor, or close it."""
        closes = self._shown and self.query_one(ListRows).current == self._shown
        return self.tell("glossary.close") if closes else super().enter()

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """Enter opens here, and closes there."""
        event.stop()
        self.retell_keys()

    def on_resize(self) -> None:
        """The meaning is wrapped for the width of the window."""
        self.retell_body()

    def name_of(self) -> str:
        """Name of the panel."""
        return self.tell("glossary.title")

    def hint(self) -> str:
        """What to type."""
        return self.tell("glossary.filter")


def _name(term: Term) -> str:
    return term.term
