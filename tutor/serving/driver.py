"""The terminal of a served app: packets on standard input and output, as Textual's own driver for the web has them.

Added is how it ends: when the server is gone, the app writes down what stands typed and ends too.
"""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from typing import Any

from textual import messages
from textual.drivers.web_driver import WebDriver

from tutor.serving.limits import PATIENCE


class ServedDriver(WebDriver):
    """Ends the app at the end of its input, and does not mind that nobody reads its output any more."""

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self._write = self._write_all  # type: ignore[assignment]  # the driver's own is os.write, whole or not

    def _write_all(self, data: bytes) -> int:
        rest = memoryview(data)
        with suppress(OSError):  # the end of the input says it as well
            while rest:
                rest = rest[os.write(self.fileno, rest) :]
        return len(data)

    def run_input_thread(self) -> None:
        """Read until there is nothing more."""
        super().run_input_thread()
        if not self.exit_event.is_set():
            last_resort = threading.Timer(PATIENCE, os._exit, (1,))
            last_resort.daemon = True
            last_resort.start()
            self._app.post_message(messages.ExitApp())
