"""Fetching a page of metrics: one request to the server that was named, bounded in time and in size.

No proxy, no cookie, no credentials, no compression; certificates are verified. A redirect is followed once, within the
server that was named. Whatever goes wrong is one sentence.
"""

from __future__ import annotations

import errno
import http.client
import socket
import ssl
import time
from collections.abc import Callable
from typing import NamedTuple

from tutor.commands.context import Refusal, quoted
from tutor.live import page
from tutor.live.address import Address
from tutor.live.line import Deadline, Line, Patience
from tutor.live.page import Page

MOST = 16 * 2**20
"""Bytes of the largest page: that of a busy server with many models has under one million."""
PIECE = 2**16
REDIRECTS = (301, 302, 303, 307, 308)
_SAID = (400, 401, 403, 404, 405, 407, 429, 500, 501, 502, 503, 504)
"""Answers that have a sentence of their own."""
_HEADERS = {
    "Accept": "text/plain;version=0.0.4, */*;q=0.1",
    "Accept-Encoding": "identity",
    "Connection": "close",
    "User-Agent": "llm-tutor",
}


class Limits(NamedTuple):
    """How long and how large.

    Attributes:
        connect, read: seconds until a connection stands, and until the next bytes come.
        whole: seconds for everything, the name's look-up and a redirect included.
        size: bytes of the page.
    """

    connect: float = 5.0
    read: float = 5.0
    whole: float = 10.0
    size: int = MOST


LIMITS = Limits()


class Trouble(Refusal):
    """A page that could not be had: the key of one sentence under ``live.trouble``, and its values."""

    def __init__(self, why: str, address: Address, **params: object) -> None:
        super().__init__(f"live.trouble.{why}", address=quoted(address.name, 200), place=address.place, **params)
        self.why = why


class Fetcher:
    """Fetches the page of one address, as often as asked; one request at a time."""

    def __init__(
        self, address: Address, limits: Limits = LIMITS, clock: Callable[[], float] = time.monotonic
    ) -> None:  # fmt: skip
        self.address = address
        self._limits = limits
        self._clock = clock
        self._line: Line | None = None
        self._ended = False

    def __call__(self) -> Page:
        """The page. Raises :class:`Trouble`."""
        patience = Patience(self._limits.connect, self._limits.read, self._limits.whole, self._clock)
        here = self.address
        for left in (1, 0):
            got = self._one(here, patience)
            if isinstance(got, Page):
                return got
            here = self._next(here, got, left)
        raise AssertionError("a second redirect was refused above")

    def begin(self) -> None:
        """Requests are wanted again after :meth:`end`."""
        self._ended = False

    def end(self) -> None:
        """Break off what goes on, from another thread; later requests fail at once, until :meth:`begin`."""
        self._ended = True
        if self._line is not None:
            self._line.end()

    def _next(self, here: Address, location: str, left: int) -> Address:
        try:
            there = here.joined(location)
        except (Refusal, ValueError):
            raise Trouble("redirect_odd", here, to=quoted(location)) from None
        if not here.may_lead_to(there):
            raise Trouble("redirect_away", here, to=quoted(there.name, 200))
        if not left:
            raise Trouble("redirect_again", here, to=quoted(there.name, 200))
        return there

    def _one(self, here: Address, patience: Patience) -> Page | str:
        """The page, or where it is said to be."""
        line = self._line = Line(here, patience)
        if self._ended:
            line.end()
        try:
            return self._asked(here, line)
        except Deadline:
            raise Trouble("slow", here, seconds=f"{self._limits.whole:g}") from None
        except TimeoutError:
            why = "silent" if line.connected else "no_connection"
            raise Trouble(why, here, seconds=f"{patience.asked:g}") from None
        except socket.gaierror:
            raise Trouble("no_host", here, host=quoted(here.host)) from None
        except ssl.SSLCertVerificationError as error:
            raise Trouble("certificate", here, detail=quoted(error.verify_message or "?", 100)) from None
        except ssl.SSLError as error:
            raise Trouble("tls", here, detail=quoted(error.reason or "?", 100)) from None
        except ConnectionRefusedError:
            raise Trouble("refused", here) from None
        except (http.client.RemoteDisconnected, ConnectionError):
            raise Trouble("hung_up", here) from None
        except http.client.IncompleteRead:
            raise Trouble("broke_off", here) from None
        except (http.client.HTTPException, ValueError):
            raise Trouble("not_http", here) from None
        except OSError as error:
            from tutor.commands.files import trouble

            known = "unreachable" if error.errno in _UNREACHABLE else "system"
            raise Trouble(known, here, detail=trouble(error)) from None
        finally:
            line.close()

    def _asked(self, here: Address, line: Line) -> Page | str:
        answer = line.ask(here.target, {"Host": here.header, **_HEADERS})
        at = self._clock()
        if answer.status in REDIRECTS and (location := answer.getheader("Location")):
            return location
        if answer.status != 200:
            why = f"status_{answer.status}" if answer.status in _SAID else "status"
            raise Trouble(why, here, status=answer.status, reason=quoted(answer.reason or "-", 40))
        said = answer.getheader("Content-Length", "")
        if said.isdigit() and len(said) < 20 and int(said) > self._limits.size:
            raise Trouble("huge", here, mib=self._limits.size // 2**20)
        kind = answer.getheader("Content-Type", "").partition(";")[0].strip().lower()
        found = Page(self._body(here, answer), at, kind)
        _judged(here, found)
        return found

    def _body(self, here: Address, answer: http.client.HTTPResponse) -> bytes:
        data = bytearray()
        missing = answer.length  # what the header promised; None where the end of the line ends the page
        while piece := answer.read(PIECE):
            data += piece
            if len(data) > self._limits.size:
                raise Trouble("huge", here, mib=self._limits.size // 2**20)
        if missing is not None and len(data) < missing:
            raise http.client.IncompleteRead(b"", missing - len(data))
        return bytes(data)


_UNREACHABLE = frozenset((errno.EHOSTUNREACH, errno.ENETUNREACH, errno.ENETDOWN, errno.EADDRNOTAVAIL))


def _judged(here: Address, found: Page) -> None:
    """Raise :class:`Trouble` for a page that is no text of metrics, whatever it says it is."""
    look = page.looks(found.data)
    if look in ("metrics", "text") and (look == "metrics" or found.claims_text):
        return
    said = quoted(found.kind, 60)
    if look == "empty":
        raise Trouble("empty", here)
    if look == "text":
        raise Trouble("type", here, said=said)
    from tutor.commands.context import Words

    looks = Words(f"live.looks.{look}")
    if look == "json":
        raise Trouble("json", here, said=said or '""', looks=looks)
    if found.kind and found.claims_text:
        raise Trouble("lies", here, said=said, looks=looks)
    raise Trouble("looks", here, looks=looks)
