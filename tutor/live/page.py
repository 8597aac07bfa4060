"""What a page is: metrics, or something else that says so or does not."""

from __future__ import annotations

import re
from typing import NamedTuple

HEAD = 2**14
"""Bytes of a page's beginning that tell what it is."""
_METRIC = re.compile(
    rb"^(?:# (?:HELP|TYPE|UNIT|EOF)\b|[A-Za-z_:][\w:.]{0,199}(?:\{[^\n]{0,2000}\})?[ \t]{1,8}[-+]?(?:[\d.]|NaN|Inf))",
    re.MULTILINE,
)
_PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF", b"%PDF", b"<svg")
_PACKED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PK\x03\x04", b"BZh", b"\xfd7zXZ")
_TEXT = ("text/", "application/openmetrics-text")


class Page(NamedTuple):
    """A page that was fetched.

    Attributes:
        data: its bytes.
        at: seconds of the clock when it began to come, which is when the server wrote it.
        kind: what it says it is, without parameters, in small letters; "" where it says nothing.
    """

    data: bytes
    at: float
    kind: str = ""

    @property
    def claims_text(self) -> bool:
        """Whether it says that it is text, or nothing."""
        return not self.kind or (self.kind.startswith(_TEXT) and self.kind != "text/html")


def looks(data: bytes) -> str:
    """What a page is by its beginning: metrics, html, json, picture, packed, binary, empty or text."""
    head = data[:HEAD].removeprefix(b"\xef\xbb\xbf").lstrip()
    if not head:
        return "empty"
    if head.startswith(_PICTURES):
        return "picture"
    if head.startswith(_PACKED):
        return "packed"
    if _binary(head):
        return "binary"
    start = head[:1024].lower()
    if start.startswith((b"<!doctype", b"<html", b"<?xml", b"<head", b"<body")) or b"<html" in start:
        return "html"
    if head[:1] in (b"{", b"["):
        return "json"
    return "metrics" if _METRIC.search(head) else "text"


def _binary(head: bytes) -> bool:
    odd = sum(one < 32 and one not in (9, 10, 13, 27) for one in head)
    return b"\0" in head or odd * 20 > len(head) or head.decode("utf-8", "replace").count("�") * 10 > len(head)
