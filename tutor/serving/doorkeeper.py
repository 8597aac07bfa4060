"""Who may talk to the server: its own page and no other.

A browser sends whatever a foreign page asks for, to loopback too. Two checks close that: the Host must be an address
or a name of ours, for a name that a stranger owns may lead to loopback (DNS rebinding); and a websocket must come from
a page of the same host and port (its Origin), for the rule that keeps pages apart does not hold for websockets.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

LOCALHOST = "localhost"


class Doorkeeper:
    """Knows the names that the server goes by; addresses in digits need none, as nobody can point them elsewhere."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._names = frozenset(name.lower().rstrip(".") for name in (LOCALHOST, *names) if name)

    def knows(self, host: str) -> bool:
        """Whether a Host header is one of ours; any port, for a tunnel has its own."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if not name or "@" in host or "/" in host:
            return False
        name = name.rstrip(".")
        return name in self._names or is_address(name)

    def admits(self, headers: Mapping[str, str]) -> bool:
        """Whether a websocket comes from a page of ours."""
        origin, host = headers.get("Origin", ""), headers.get("Host", "")
        try:
            parts = urlsplit(origin)
        except ValueError:
            return False
        own = parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()
        return own and self.knows(host)


def is_address(text: str) -> bool:
    """Whether a host is an address in digits."""
    try:
        ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return False
    return True
