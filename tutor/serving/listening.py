"""Where the server listens: an address and a port, looked up and bound before anything is said."""

from __future__ import annotations

import errno
import ipaddress
import socket
from typing import NamedTuple

from tutor.commands.context import Refusal, quoted

HOST, PORT = "127.0.0.1", 8808
"""Loopback, and a port that none of the usual serving engines takes."""


class Place(NamedTuple):
    """An address that was looked up."""

    family: socket.AddressFamily
    address: str
    loopback: bool


def looked_up(host: str) -> Place:
    """The address of a host, IPv4 first. Raises ``Refusal`` for one that is none."""
    try:
        found = socket.getaddrinfo(host or "\0", None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, ValueError):  # UnicodeError of a label that is too long is one
        raise Refusal("serve.error.no_address", host=quoted(host)) from None
    found.sort(key=lambda one: one[0] != socket.AF_INET)
    family, address = found[0][0], str(found[0][4][0])
    return Place(family, address, ipaddress.ip_address(address.partition("%")[0]).is_loopback)


def bound(place: Place, port: int) -> socket.socket:
    """A socket that listens. Raises ``Refusal``: a port that is taken or closed to us, an address of elsewhere."""
    try:
        return socket.create_server((place.address, port), family=place.family, backlog=64)
    except OSError as error:
        why = {errno.EADDRINUSE: "port_taken", errno.EACCES: "port_closed"}.get(error.errno or 0, "not_ours")
        if getattr(error, "winerror", None) in (10013, 10048):  # what Windows says of a port that another one has
            why = "port_taken"
        raise Refusal(f"serve.error.{why}", port=port, host=quoted(place.address)) from error


def address_of(sock: socket.socket) -> tuple[str, int]:
    """Address and port of a socket, as they stand in a link; for all addresses of the machine, its name."""
    host, port = sock.getsockname()[:2]
    if ipaddress.ip_address(host.partition("%")[0]).is_unspecified:
        return socket.gethostname(), port
    return (f"[{host}]" if ":" in host else host), port
