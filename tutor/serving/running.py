"""The server's life: from a socket that listens to ctrl+c."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Callable
from contextlib import suppress

from aiohttp import web

from tutor.serving.limits import PATIENCE
from tutor.serving.site import Served, Site

SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


def run(served: Served, listening: socket.socket, ready: Callable[[], None]) -> None:
    """Serve until somebody ends it; ``ready`` is called when the first reader may come."""
    with suppress(KeyboardInterrupt, asyncio.CancelledError):  # where the loop knows no signals
        asyncio.run(_run(served, listening, ready))


async def _run(served: Served, listening: socket.socket, ready: Callable[[], None]) -> None:
    over = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in SIGNALS:
        with suppress(NotImplementedError, ValueError):
            loop.add_signal_handler(number, over.set)
    runner = web.AppRunner(Site(served).app(), access_log=None, shutdown_timeout=2 * PATIENCE)
    try:
        await runner.setup()
        await web.SockSite(runner, listening).start()
        ready()
        await over.wait()
    finally:
        await runner.cleanup()
