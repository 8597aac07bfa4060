"""How the app ends when nobody asked it to: a mistake of ours, a closed window, `kill`.

Whatever happens, what stands typed is kept first and the terminal is given back as it was. Textual prints its own
traceback, with the learner's values in it, and says that all went well; so its last words are taken from it here, by
the one method that has them.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from contextlib import suppress

from textual.app import ScreenStackError
from textual.worker import WorkerFailed

from tutor.aside import Aside
from tutor.screens.base import TutorScreen

SIGNALS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Signals that ask a program to end; a system may lack one."""
PATIENCE = 8.0
"""Seconds after which a terminal that is gone no longer holds us."""


class Ending(Aside):
    """Ways out of the app."""

    crash: BaseException | None = None
    """What ended the app, when it was a mistake of ours; the command line tells it."""

    def _handle_exception(self, error: Exception) -> None:
        if self.crash is None:
            own = error.error if isinstance(error, WorkerFailed) else error
            self.crash = own
        super()._handle_exception(error)
        self._exit_renderables.clear()

    def _fatal_error(self) -> None:
        self._close_messages_no_wait()

    def on_load(self) -> None:
        """Listen for signals before the screen is drawn on."""
        loop = asyncio.get_running_loop()
        for number in SIGNALS:
            with suppress(NotImplementedError, RuntimeError, ValueError):  # not Unix, or not the main thread
                loop.add_signal_handler(number, self.end_by, number)

    def end_by(self, number: int) -> None:
        """End because of a signal: keep what is typed, give the terminal back, and report it as a shell does."""
        status = 128 + number
        last_resort = threading.Timer(PATIENCE, os._exit, (status,))
        last_resort.daemon = True
        last_resort.start()
        self.keep_all()
        self.exit(return_code=status)

    def keep_all(self) -> None:
        """Store what stands typed on every screen, the letter too whose word is still on its way to the screen."""
        for screen in self._kept():
            screen.keep_at_once()

    def _kept(self) -> list[TutorScreen]:
        with suppress(ScreenStackError):
            return [one for one in self.screen_stack if isinstance(one, TutorScreen) and one.made and one.is_attached]
        return []
