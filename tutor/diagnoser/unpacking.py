"""A log that is packed, as rotated logs are: unpacked while it is read, by the standard library, and never to more than
may be read of a file."""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, BinaryIO, cast

from tutor.commands.context import Refusal, Words, quoted_path
from tutor.commands.files import MOST_STREAMED, PIECE

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_MARKS = (("gzip", b"\x1f\x8b"), ("bzip2", b"BZh"), ("xz", b"\xfd7zXZ\x00"))
"""How a file is packed, by its first bytes; also the name of the program that unpacks it."""
_ENDS = (".gz", ".bz2", ".xz")
_LOOSE = 16 * 2**20
"""Bytes that a file may unpack to however small it is; beyond,"""
_TIGHTEST = 500
"""times as many as it has: a log that says the same line all day stays far below."""


def inner(name: str) -> str:
    """The name of what a packed file holds."""
    return next((name[: -len(end)] for end in _ENDS if name.lower().endswith(end)), name)


def unpacked(name: str, pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The text of a file that may be packed, in pieces. Raises ``Refusal`` for one that is damaged or unpacks to too
    much, and what the pieces raise."""
    head = next(pieces, b"")
    packed = next((kind for kind, mark in _MARKS if head.startswith(mark)), "")
    if not packed:
        yield head
        yield from pieces
        return
    shown: str | Words = Words("cli.error.stdin") if name == "-" else quoted_path(name)
    source = _Source(chain((head,), pieces))
    size = 0
    try:
        file = _file(packed, source)
        while piece := file.read(PIECE):
            size += len(piece)
            most = max(_LOOSE, min(MOST_STREAMED, _TIGHTEST * source.taken))
            if size > most:
                raise Refusal("cli.diagnose.unpacks_to_more", path=shown, mib=most // 2**20, packed=packed)
            yield piece
    except Refusal:
        raise
    except Exception as error:  # each way of packing has errors of its own
        raise Refusal("cli.diagnose.packed_damaged", path=shown, packed=packed) from error


def _file(packed: str, source: _Source) -> BinaryIO:
    """A packed file to read from; only the module that it takes is imported."""
    raw = cast("BinaryIO", io.BufferedReader(source, PIECE))
    if packed == "gzip":
        import gzip

        return cast("BinaryIO", gzip.GzipFile(fileobj=raw))
    if packed == "bzip2":
        import bz2

        return cast("BinaryIO", bz2.BZ2File(raw))
    import lzma

    return cast("BinaryIO", lzma.LZMAFile(raw))


class _Source(io.RawIOBase):
    """Pieces as a file; ``taken``: how many bytes of them were read."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        super().__init__()
        self._pieces, self._rest = pieces, b""
        self.taken = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        room = memoryview(buffer).cast("B")
        self._rest = self._rest or next(self._pieces, b"")
        n = min(len(room), len(self._rest))
        room[:n], self._rest = self._rest[:n], self._rest[n:]
        self.taken += n
        return n
