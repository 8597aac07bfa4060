"""Copied text where the terminal alone does not take it: tmux lets no program inside it reach a clipboard unasked."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from contextlib import suppress

LONGEST = 5.0
"""Seconds that tmux may take; it answers in a few milliseconds."""


def beyond(text: str) -> threading.Thread | None:
    """Give a text to the tmux around us, in a thread that ends by itself: to its buffer, and by its own way on to the
    clipboard of the terminal (`-w`, since 3.2). ``None`` where there is no tmux."""
    tmux = shutil.which("tmux") if os.environ.get("TMUX") else None
    if tmux is None:
        return None
    giving = threading.Thread(target=_give, args=(tmux, text.encode("utf-8", "replace")), daemon=True)
    giving.start()
    return giving


def _give(tmux: str, text: bytes) -> None:
    for options in (["-w"], []):
        with suppress(OSError, subprocess.SubprocessError):
            command = [tmux, "load-buffer", *options, "-"]
            if not subprocess.run(command, input=text, capture_output=True, timeout=LONGEST, check=False).returncode:
                return
