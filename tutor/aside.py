"""How the app steps aside for the shell and comes back: `ctrl+z`, `fg`, and the same signals from anybody else.

Textual handles these signals wherever the program happens to be: in the middle of painting it then waits for ever, for
a lock that it holds itself; and a program that was stopped without a warning reads its keyboard twice afterwards, and
leaves the terminal without echo at its end. Here the event loop hears the signals, between two things that it does.
"""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import suppress

from textual.app import App


class Aside(App[None]):
    """Stepping aside, and coming back."""

    _back = False
    """Whether the app has come back already, and the signal about it is still to be heard."""

    def on_mount(self) -> None:
        """Take the signals over from the driver, which has just begun to hear them."""
        if self._can_stop():
            loop = asyncio.get_running_loop()
            with suppress(NotImplementedError, RuntimeError, ValueError):  # not the main thread
                loop.add_signal_handler(signal.SIGTSTP, self._step_aside)
                loop.add_signal_handler(signal.SIGCONT, self._woken)

    def keep_all(self) -> None:
        """Store what stands typed on every screen; for subclasses."""

    def action_aside(self) -> None:
        """Step aside for the shell, which brings us back with `fg`; without such a shell stay."""
        if self._can_stop() and has_shell():
            os.kill(os.getpid(), signal.SIGTSTP)

    def _can_stop(self) -> bool:
        """Whether the driver can give the terminal back and take it again: in a browser, and on Windows, it cannot."""
        return hasattr(signal, "SIGTSTP") and self._driver is not None and self._driver.can_suspend

    def _step_aside(self) -> None:
        """Give the terminal back and stop; what follows happens when somebody wakes us."""
        if self._driver is None or not has_shell():
            return
        self.keep_all()
        self._suspend_signal()
        self._driver.suspend_application_mode()
        os.kill(os.getpid(), signal.SIGSTOP)
        self._come_back()
        self._back = self._reading()

    def _woken(self) -> None:
        """Somebody has woken us: after a stop without a warning the shell has set the terminal as it likes it."""
        if self._back:
            self._back = False
        else:
            self._come_back()

    def _come_back(self) -> None:
        """Take the terminal again. In the background that is refused: then the next signal tries again."""
        if self._driver is None:
            return
        if self._reading():
            self._driver.suspend_application_mode()
        self._driver.resume_application_mode()
        if self._reading():
            self._resume_signal()
            self.refresh(layout=True)

    def _reading(self) -> bool:
        """Whether the keyboard is read: so it is from taking the terminal to giving it back."""
        thread = getattr(self._driver, "_key_thread", None)
        return thread is not None and thread.is_alive()


def has_shell() -> bool:
    """Whether a shell with job control waits for us: a program alone in its session could never be woken."""
    return hasattr(os, "getsid") and os.getpgrp() != os.getsid(0)
