"""A diagnosis in words: the doors of :mod:`content.diagnosing`.

``text`` gives blocks in the order of reading and ``lines`` the same as plain lines; ``markdown`` is a document and
``document`` the JSON of ``--json``; ``explain`` says where a number comes from.
"""

from __future__ import annotations

from content.diagnosing.blocks import Block, entry_row, step_title, text, wall_text
from content.diagnosing.document import document
from content.diagnosing.explain import Explanation, explain, names
from content.diagnosing.figures import step_load
from content.diagnosing.layout import lines, table, wrapped
from content.diagnosing.levers import LeverWords, effect_text, lever, title
from content.diagnosing.markdown import markdown
from content.diagnosing.words import cause, conflict, field, named, problem, quantity, unread

__all__ = [
    "Block", "Explanation", "LeverWords", "cause", "conflict", "document", "effect_text", "entry_row", "explain",
    "field", "lever", "lines", "markdown", "named", "names", "problem", "quantity", "step_load", "step_title", "table",
    "text", "title", "unread", "wall_text", "wrapped",
]  # fmt: skip
