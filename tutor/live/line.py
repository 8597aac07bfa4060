"""One connection: found, opened and read within a deadline, and broken off from another thread."""

from __future__ import annotations

import http.client
import io
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, cast

from tutor.live.address import Address


class Deadline(Exception):
    """The time for everything is over, though something still comes."""


class Patience:
    """How long to wait for the next thing: its own time, never beyond that of everything.

    ``asked`` is the last time that was granted for its own sake.
    """

    def __init__(self, connect: float, read: float, whole: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.connect, self.read = connect, read
        self.asked = connect
        self._clock = clock
        self._until = clock() + whole

    def left(self, most: float) -> float:
        """Seconds to wait. Raises :class:`Deadline` where there are none."""
        left = self._until - self._clock()
        if left <= 0:
            raise Deadline
        self.asked = most
        return min(most, left)

    @property
    def over(self) -> bool:
        """Whether nothing is left."""
        return self._clock() >= self._until


class _Raw(io.RawIOBase):
    """What comes, each piece waited for no longer than there is patience: a byte a second gets nobody further."""

    def __init__(self, link: socket.socket, patience: Patience) -> None:
        self._link, self._patience = link, patience

    def readable(self) -> bool:
        return True

    def readinto(self, into: Any) -> int:
        self._link.settimeout(self._patience.left(self._patience.read))
        try:
            return self._link.recv_into(into)
        except TimeoutError:
            if self._patience.over:
                raise Deadline from None
            raise


class _Link:
    """The part of a socket that :mod:`http.client` uses."""

    def __init__(self, link: socket.socket, patience: Patience) -> None:
        self._link, self._patience = link, patience

    def makefile(self, *_: object, **__: object) -> io.BufferedReader:
        """What is read from."""
        return io.BufferedReader(_Raw(self._link, self._patience))

    def sendall(self, data: bytes) -> None:
        """Send, in time."""
        self._link.settimeout(self._patience.left(self._patience.read))
        self._link.sendall(data)

    def close(self) -> None:
        """The line itself closes."""


class Line:
    """A connection to an address."""

    def __init__(self, address: Address, patience: Patience) -> None:
        self.connected = False
        self._address, self._patience = address, patience
        self._link: socket.socket | None = None
        self._found = threading.Event()
        self._ended = False

    def ask(self, target: str, headers: Mapping[str, str]) -> http.client.HTTPResponse:
        """Ask for a page; its body is still to be read.

        Raises:
            Deadline, TimeoutError: too slow, in all or for the next bytes.
            OSError: no connection; ``ssl.SSLError`` and ``socket.gaierror`` are of these.
            http.client.HTTPException: what comes is no HTTP.
        """
        link = self._opened()
        talk = http.client.HTTPConnection(self._address.host, self._address.port)
        talk.sock = cast(Any, _Link(link, self._patience))
        talk.putrequest("GET", target, skip_host=True, skip_accept_encoding=True)
        for name, value in headers.items():
            talk.putheader(name, value)
        talk.endheaders()
        return talk.getresponse()

    def end(self) -> None:
        """Break it off, from any thread."""
        self._ended = True
        self._found.set()
        if self._link is not None:
            with suppress(OSError):
                self._link.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Let go of it."""
        if self._link is not None:
            with suppress(OSError):
                self._link.close()

    def _opened(self) -> socket.socket:
        failed: OSError | None = None
        for family, place in self._places():
            try:
                return self._reached(family, place)
            except ssl.SSLError:
                raise
            except OSError as error:
                self.close()
                failed = failed or error
        raise failed or socket.gaierror

    def _reached(self, family: int, place: Any) -> socket.socket:
        self.connected = False
        link = self._link = socket.socket(family, socket.SOCK_STREAM)
        if self._ended:
            raise ConnectionAbortedError
        link.settimeout(self._patience.left(self._patience.connect))
        try:
            link.connect(place)
            self.connected = True
            if self._address.scheme == "https":
                link.settimeout(self._patience.left(self._patience.read))
                context = ssl.create_default_context()
                link = self._link = context.wrap_socket(link, server_hostname=self._address.host)
        except TimeoutError:
            if self._patience.over:
                raise Deadline from None
            raise
        return link

    def _places(self) -> list[tuple[int, Any]]:
        """Where the host is. The system's look-up knows no time limit, so it is waited for from outside."""
        found: list[Any] = []

        def look() -> None:
            try:
                host, port = self._address.host, self._address.port
                found.append(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
            except (OSError, UnicodeError):
                found.append([])
            self._found.set()

        threading.Thread(target=look, daemon=True).start()
        self._found.wait(self._patience.left(self._patience.connect))
        if not found or not found[0]:
            raise socket.gaierror
        return [(family, place) for family, _, _, _, place in found[0]]
