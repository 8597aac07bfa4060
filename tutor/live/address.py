"""Where a server's metrics are, as people write it: ``host:port``, a URL, a URL with a path of its own."""

from __future__ import annotations

import re
from typing import NamedTuple, NoReturn
from urllib.parse import quote, urljoin, urlsplit

from tutor.commands.context import Refusal, quoted

PAGE = "/metrics"
"""The page that is meant where an address has no path."""
PORTS = {"http": 80, "https": 443}
LONGEST = 2000
"""Characters of an address."""

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]{0,30})://")
_LABEL = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?")
_SIX = re.compile(r"[0-9A-Fa-f:.]{2,50}(?:%[A-Za-z0-9_.-]{1,30})?")
_DIGITS = re.compile(r"\d{1,5}")
_SAFE = "/:@!$&'()*+,;=~%-._?"


class Address(NamedTuple):
    """An address that was understood.

    Attributes:
        scheme: "http" or "https".
        host: in ASCII, without the brackets of IPv6.
        port: its number.
        target: path and query, as they are asked for.
    """

    scheme: str
    host: str
    port: int
    target: str

    @property
    def place(self) -> str:
        """Host and port."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def name(self) -> str:
        """As sentences and sources call it; what stands in a query may be secret and is left out."""
        return f"{self.scheme}://{self.header}{self.target.partition('?')[0]}"

    @property
    def header(self) -> str:
        """The value of the Host header: the port only where it is not the scheme's own."""
        return self.place.rpartition(":")[0] if PORTS[self.scheme] == self.port else self.place

    def joined(self, location: str) -> Address:
        """Where a redirect leads. Raises ``Refusal`` where that is no address."""
        return read(urljoin(f"{self.scheme}://{self.place}{self.target}", location[:LONGEST]))

    def may_lead_to(self, other: Address) -> bool:
        """Whether a redirect stays at the server that was named: same host and port, or its own change to TLS."""
        upgraded = (self.scheme, self.port, other.scheme, other.port) == ("http", 80, "https", 443)
        same = self.host.lower() == other.host.lower()
        kept = self.port == other.port and (self.scheme == other.scheme or other.scheme == "https")
        return same and (kept or upgraded)


def read(text: str) -> Address:
    """An address as it was written. Raises ``Refusal``: another scheme, user info, or no address at all."""
    written = text.strip()
    if not written or len(written) > LONGEST or any(not one.isprintable() or one.isspace() for one in written):
        _refuse(text)
    found = _SCHEME.match(written)
    scheme = found[1].lower() if found else "http"
    if scheme not in PORTS:
        raise Refusal("live.address.scheme", scheme=quoted(scheme), text=quoted(_bare(written)))
    try:
        parts = urlsplit(written if found else f"http://{written}")
        user, host = "@" in parts.netloc, parts.hostname or ""
        port = _port(parts.netloc, scheme)
    except ValueError:
        _refuse(text)
    if user:
        raise Refusal("live.address.user", place=quoted(parts.netloc.rpartition("@")[2]))
    ascii_host = _host(host)
    if ascii_host is None or port is None:
        _refuse(text)
    path = quote(parts.path, safe=_SAFE) if parts.path.strip("/") else PAGE
    return Address(scheme, ascii_host, port, f"{path}?{quote(parts.query, safe=_SAFE)}" if parts.query else path)


def _bare(text: str) -> str:
    """An address without what stands before an @: that may be a password."""
    scheme, mark, rest = text.partition("://")
    place, slash, path = rest.partition("/")
    return f"{scheme}{mark}{place.rpartition('@')[2]}{slash}{path.partition('?')[0]}" if mark else text


def _refuse(text: str) -> NoReturn:
    raise Refusal("live.address.none", text=quoted(_bare(text.strip())))


def _port(place: str, scheme: str) -> int | None:
    """The port that stands there, or the scheme's own; ``None`` for one that is none."""
    rest = place.rpartition("@")[2]
    tail = rest.rpartition("]")[2] if rest.startswith("[") else rest
    before, mark, written = tail.partition(":")
    if before and rest.startswith("["):
        return None
    if not mark:
        return PORTS[scheme]
    return int(written) if _DIGITS.fullmatch(written) and 0 < int(written) < 2**16 else None


def _host(host: str) -> str | None:
    """The host in ASCII; ``None`` where it cannot be one."""
    if ":" in host:
        return host if _SIX.fullmatch(host) else None
    try:
        name = host.encode("idna").decode() if not host.isascii() else host
    except UnicodeError:
        return None
    labels = name.removesuffix(".").split(".")
    good = len(name) <= _LONGEST_HOST and not name.isdigit() and all(map(_LABEL.fullmatch, labels))
    return name if good else None


_LONGEST_HOST = 253
"""Characters of a name (RFC 1035)."""
