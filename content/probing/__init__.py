"""A probe's result in words.

``sections`` gives the pieces of a report in the order of reading, ``lines`` the same as lines of a width, ``document``
the JSON of ``--json``; ``brief`` is the short form beside a diagnosis, ``drawn`` one part as lines; ``words`` says
single ids: stages, notes, failures, conditions.
"""

from __future__ import annotations

from content.probing.brief import brief, unused
from content.probing.document import document
from content.probing.lines import drawn, lines
from content.probing.report import sections
from content.probing.section import Row, Section

__all__ = ["Row", "Section", "brief", "document", "drawn", "lines", "sections", "unused"]
