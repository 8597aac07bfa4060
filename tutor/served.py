"""Whether this app runs on another machine than its reader's (`llm-tutor serve`), and what is then closed.

The screens ask here, so that what is closed is said in one sentence and not offered. That it stays closed whatever the
screens forget is the work of `tutor.serving.wall`.
"""

from __future__ import annotations

import os

VARIABLE = "LLM_TUTOR_SERVED"
"""Set for the process of one reader's app, by the server."""
CLOSED = frozenset(("probe", "watch", "save", "save-run", "aside"))
"""Commands of the app that read, write, start or reach something of the machine that serves."""


def served() -> bool:
    """Whether the reader sits at another machine's browser."""
    return VARIABLE in os.environ
