"""Reading what a person names on the command line: a file, or `-` for standard input. Bounded, refused in words."""

from __future__ import annotations

import errno
import io
import os
import stat
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from tutor import paths
from tutor.commands.context import Refusal, Words, quoted_path

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

MAX_LINE = 2**20
"""Bytes of the longest line that is kept."""
MAX_DROPPED = 64 * 2**20
"""Bytes of a line too long that are read to find its end; /dev/zero has none."""

_TROUBLES = {
    errno.ENOENT: "missing", errno.ENOTDIR: "missing", errno.EISDIR: "folder", errno.EACCES: "denied",
    errno.EPERM: "denied", errno.EROFS: "readonly", errno.ENOSPC: "full", errno.EDQUOT: "full",
    errno.ENAMETOOLONG: "name", errno.ELOOP: "loop", errno.EBADF: "closed", errno.ENXIO: "unread",
    errno.ETIMEDOUT: "unread", errno.EEXIST: "taken", errno.EFBIG: "large",
}  # fmt: skip


class Own(OSError):
    """A file that is to be written holds what we remember of the learner."""

    def __init__(self) -> None:
        super().__init__(errno.EEXIST, "llm-tutor keeps its own data in it")


def trouble(error: OSError) -> Words:
    """What the system refused, in words of ours."""
    if isinstance(error, Own):
        return Words("cli.os.own")
    known = _TROUBLES.get(error.errno or 0)
    if known:
        return Words(f"cli.os.{known}")
    return Words("cli.os.other", code=errno.errorcode.get(error.errno or 0, "?"))


def is_unspeakable(error: UnicodeEncodeError) -> bool:
    """Whether a file's name has letters for which the locale has no bytes, so that no such file can be asked for."""
    return error.encoding == sys.getfilesystemencoding()


def unspeakable(error: UnicodeEncodeError) -> Refusal:
    """The refusal of such a name."""
    return Refusal("cli.error.file_name", path=quoted_path(error.object), encoding=error.encoding)


def json_trouble(error: Exception, *, one_line: bool = False) -> Words:
    """Why a text is no JSON, in words of ours; of one line only the column is of interest."""
    if isinstance(error, RecursionError):
        return Words("cli.json.deep")
    if isinstance(error, UnicodeDecodeError):
        return Words("cli.json.not_text")
    row, column = getattr(error, "lineno", None), getattr(error, "colno", None)
    if row is not None:
        return Words("cli.json.column" if one_line else "cli.json.place", row=row, column=column)
    return Words("cli.json.number")


def write_text(name: str, text: str, ours: Callable[[Path], bool] | None = None) -> bool:
    """As :func:`write_bytes`, a text in UTF-8."""
    return write_bytes(name, text.encode("utf-8"), ours)


def write_bytes(name: str, data: bytes, ours: Callable[[Path], bool] | None = None) -> bool:
    """Write a file, whole or not at all; whether it is one that stays (and no pipe or device).

    A link is followed, an existing file keeps its mode.

    Args:
        name: of the file.
        data: what it is to hold.
        ours: whether a file that is there may be replaced; it may raise ``OSError``. Without it each may.

    Raises:
        Refusal: it cannot be written, may not be replaced, or is one of our own.
    """
    try:
        path = Path(name)
        if paths.is_own(path):
            raise Own
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, "")
        if name.startswith(("/dev/", "/proc/")):
            with path.open("wb") as file:
                file.write(data)
            return False
        if path.exists() and not path.is_file():
            _poured(path, data)
            return False
        if ours is not None and path.exists() and path.stat().st_size and not ours(path):
            raise Refusal("cli.error.not_ours", path=quoted_path(name, 200))
        replace_bytes(Path(os.path.realpath(name)), data)
        return True
    except FileNotFoundError as error:  # of what is to be written only the folder can be missing
        raise Refusal("cli.error.no_folder", path=quoted_path(name)) from error
    except OSError as error:
        raise Refusal("cli.error.write", path=quoted_path(name), detail=trouble(error)) from error


def _poured(path: Path, data: bytes) -> None:
    """Write to a pipe or a device as fast as somebody takes it. Raises ``TimeoutError`` where nobody does."""
    import select

    until = time.monotonic() + _WAKING
    while True:
        try:
            out = os.open(path, os.O_WRONLY | getattr(os, "O_NONBLOCK", 0))
            break
        except OSError as error:  # a pipe that nobody reads cannot even be opened
            if error.errno != errno.ENXIO or time.monotonic() > until:
                raise
            time.sleep(0.02)
    try:
        rest = memoryview(data)
        while rest:
            if not select.select([], [out], [], _PATIENCE)[1]:
                raise TimeoutError(errno.ETIMEDOUT, "")
            rest = rest[os.write(out, rest) :]
    finally:
        os.close(out)


def replace(path: Path, text: str) -> None:
    """Write a text file whole or leave it as it was. Raises ``OSError``."""
    replace_bytes(path, text.encode("utf-8"))


def replace_bytes(path: Path, data: bytes) -> None:
    """Write a file whole or leave it as it was. Raises ``OSError``, and :class:`Own` for a file of ours."""
    if paths.is_own(path):
        raise Own
    beside = path.with_name(f".{path.name[:60]}.{os.getpid()}-{os.urandom(4).hex()}")
    try:
        with beside.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            beside.chmod(path.stat().st_mode & 0o7777)
        beside.replace(path)
    except PermissionError:
        if not path.exists():
            raise
        path.write_bytes(data)  # a folder that takes no new file, around one that may be written
    finally:
        beside.unlink(missing_ok=True)


def shown(name: str) -> str | Words:
    """What is read, in a sentence: a file by its name, standard input as such."""
    return Words("cli.error.stdin") if name == "-" else quoted_path(name)


def read_bytes(name: str, limit: int) -> bytes:
    """All of a file. Raises ``Refusal`` when it cannot be read or holds more than ``limit`` bytes."""
    try:
        with _open(name) as file:
            data = file.read(limit + 1)
    except OSError as error:
        raise Refusal("cli.error.read", path=shown(name), detail=trouble(error)) from error
    if len(data) > limit:
        raise Refusal("cli.error.too_large", path=shown(name), mib=limit // 2**20)
    return data


_PATIENCE = 5.0
"""Seconds that somebody at the other end of a named pipe may take nothing."""
_WAKING = 0.3
"""Seconds that somebody who waits at the other end takes at most to go on: where nobody does, nobody is there."""


class _Pipe(io.RawIOBase):
    """A named pipe that somebody writes into, read as it comes. Reading raises ``Refusal`` where nobody writes."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._shown = quoted_path(name)
        self._pipe = os.open(name, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        self._until = time.monotonic() + _WAKING
        self._said = False

    def readable(self) -> bool:
        """It is there to be read."""
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        """What came by now, or what comes next; nothing once all writers have left."""
        import select

        room = memoryview(buffer).cast("B")
        while True:
            select.select([self._pipe], [], [], 0.1)  # of a pipe that nobody opened yet it would wait for ever
            try:
                piece = os.read(self._pipe, len(room))
            except BlockingIOError:
                continue
            if piece:
                self._said = True
                room[: len(piece)] = piece
                return len(piece)
            if self._said:
                return 0
            if time.monotonic() > self._until:
                raise Refusal("cli.error.read", path=self._shown, detail=Words("cli.os.silent"))
            time.sleep(0.02)  # nobody writes yet: such a pipe is always at its end

    def close(self) -> None:
        """Leave the pipe."""
        if not self.closed:
            os.close(self._pipe)
        super().close()


MOST_STREAMED = 2**30
"""Bytes of the largest file that is read piece by piece."""
MOST_OF_DEVICE = 64 * 2**20
"""And of a device, which may have no end."""
PIECE = 2**20
"""Bytes of a file that are read at once."""


def chunks(name: str) -> Iterator[bytes]:
    """A file in pieces, so that one of any size takes the memory of a piece.

    Raises:
        Refusal: it cannot be opened or read, or holds more than :data:`MOST_STREAMED`.
    """
    try:
        if name != "-" and name and not Path(name).is_file() and Path(name).exists():
            yield read_bytes(name, MOST_OF_DEVICE)  # refused before a line of /dev/random is looked at
            return
        size = 0
        with _open(name) as file:
            while piece := file.read(PIECE):
                yield piece
                size += len(piece)
                if size > MOST_STREAMED:
                    raise Refusal("cli.error.too_large", path=shown(name), mib=MOST_STREAMED // 2**20)
    except OSError as error:
        raise Refusal("cli.error.read", path=shown(name), detail=trouble(error)) from error


def lines(name: str) -> Iterator[bytes]:
    """The lines of a file, as they arrive, without their ends. A line too long comes at once, cut.

    Raises:
        Refusal: the file cannot be opened or read, or a line of it has no end.
    """
    try:
        with _open(name) as file:
            while line := file.readline(MAX_LINE + 2):
                yield line.rstrip(b"\r\n")
                _drop_rest(file, line)
    except OSError as error:
        raise Refusal("cli.error.read", path=shown(name), detail=trouble(error)) from error


def _drop_rest(file: BinaryIO, rest: bytes) -> None:
    dropped = 0
    while rest and not rest.endswith(b"\n"):
        rest = file.readline(MAX_LINE)
        dropped += len(rest)
        if dropped > MAX_DROPPED:
            raise Refusal("cli.batch.endless", mib=MAX_DROPPED // 2**20)


def _open(name: str) -> BinaryIO:
    if name == "-":
        if sys.stdin is None:
            raise Refusal("cli.error.no_input")
        return open(sys.stdin.fileno(), "rb", closefd=False)
    if not name:
        raise Refusal("cli.error.no_file")
    if stat.S_ISFIFO(Path(name).stat().st_mode):
        return io.BufferedReader(_Pipe(name))
    return Path(name).open("rb")
