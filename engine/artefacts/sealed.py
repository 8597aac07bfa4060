"""What is no text though people hand it over as one: an archive, a picture of a log. Told by its first bytes."""

from __future__ import annotations

_MAGIC = (
    ("zip", 0, (b"PK\x03\x04", b"PK\x05\x06")),
    ("zstd", 0, (b"\x28\xb5\x2f\xfd",)),
    ("lz4", 0, (b"\x04\x22\x4d\x18",)),
    ("7z", 0, (b"7z\xbc\xaf\x27\x1c",)),
    ("rar", 0, (b"Rar!\x1a\x07",)),
    ("tar", 257, (b"ustar\x0000", b"ustar  \x00")),
    ("picture", 0, (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a")),
    ("pdf", 0, (b"%PDF-",)),
)
"""Kinds, the byte at which their mark stands, and the marks."""

KINDS = tuple(kind for kind, _, _ in _MAGIC)
"""Every kind; the words of each are those of the reason ``sealed-<kind>``."""


def kind(head: bytes) -> str:
    """What the beginning of a file says that it is; "" for a text, and for anything else."""
    return next((name for name, at, marks in _MAGIC if head.startswith(marks, at)), "")
