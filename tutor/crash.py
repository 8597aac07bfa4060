"""What is kept of a mistake of ours: where in the program it happened, in a file for whoever is to mend it.

The file may be sent to strangers, so nothing of the learner is in it: no message of the error (it may quote what was
typed, or a line of a log), no values, no environment, no path outside the program. Places, kinds of errors and the
versions are enough to find the line.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType

NAME = "crash.txt"
"""In the folder of all data."""
MOST = 5
"""Reports that the file holds, the newest first."""
LARGEST = 2**16
"""Bytes of the file at most."""
LONGEST = 120
"""Characters of the sentence about it."""
FRAMES = 60
"""Frames of one error that are told: half from its beginning, half from its end."""
OWN = ("tutor", "content", "engine")
"""Our packages: only of these the lines themselves are told."""
NEWEST = "llm-tutor "
"""What each report begins with."""


def keep(error: BaseException) -> str:
    """Write down where it happened, before the reports that are there; the file's name, or "-" where there is none."""
    from tutor import paths

    try:
        file = paths.home() / NAME
        _write(file, [report(error), *_earlier(file)])
    except (OSError, RuntimeError):  # a home that cannot be written, or is nobody's, must not hide what happened
        return "-"
    return str(file)


def brief(error: BaseException) -> str:
    """The kind of mistake and the place in the program, on one line: "KeyError, tutor/app.py:12"."""
    own = [frame for frame in _frames(error.__traceback__) if frame.own]
    place = f", {own[-1].file}:{own[-1].line}" if own else ""
    return f"{_kind(error)}{place}"[:LONGEST]


def report(error: BaseException) -> str:
    """Versions, the moment, and the traceback of an error and of those behind it."""
    from datetime import UTC, datetime

    from tutor import __version__

    python = ".".join(map(str, sys.version_info[:3]))
    lines = [
        f"{NEWEST}{__version__}, {datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        f"Python {python}, Textual {_version('textual')}, {sys.platform}",
    ]
    for one, joint in _chain(error):
        lines += ["", *([joint] if joint else []), *_told(_frames(one.__traceback__)), _kind(one)]
    return "\n".join(lines) + "\n"


class Frame:
    """One place of a traceback.

    Attributes:
        file: by its name within the program ("tutor/app.py"), or the last part of it.
        line, name: its number, and the function.
        own: whether it is ours.
    """

    def __init__(self, path: str, line: int, name: str) -> None:
        parts = Path(path).parts
        packages = [at for at, part in enumerate(parts) if part in ("site-packages", "dist-packages")]
        root = Path(__file__).parents[1]
        inside = Path(path).is_relative_to(root) and Path(path).relative_to(root).parts[0] in OWN
        self.own = inside
        self.path, self.line, self.name = path, line, name
        if inside:
            self.file = Path(path).relative_to(root).as_posix()
        elif packages:
            self.file = "/".join(parts[packages[-1] + 1 :])
        else:
            self.file = _of_python(path)

    def told(self) -> Iterator[str]:
        """The place, and of our own files the line."""
        import linecache

        yield f"  {self.file}:{self.line} in {self.name}"
        if self.own and (code := linecache.getline(self.path, self.line).strip()):
            yield f"    {code}"


def _of_python(path: str) -> str:
    """A file of Python's own by its module; any other, a script of somebody's, by no name at all."""
    folder = Path(os.__file__).parent
    if Path(path).is_relative_to(folder):
        return Path(path).relative_to(folder).as_posix()
    return path if path.startswith("<frozen ") else "elsewhere"


def _frames(trace: TracebackType | None) -> list[Frame]:
    """The places of a traceback, from outside in. Only these are read: no values of theirs."""
    found = []
    while trace is not None:
        code = trace.tb_frame.f_code
        found.append(Frame(code.co_filename, trace.tb_lineno, code.co_name))
        trace = trace.tb_next
    return found


def _told(frames: Sequence[Frame]) -> list[str]:
    half = FRAMES // 2
    left_out = len(frames) - FRAMES
    shown = [*frames[:half], *frames[-half:]] if left_out > 0 else frames
    lines = [list(frame.told()) for frame in shown]
    if left_out > 0:
        lines.insert(half, [f"  ... {left_out} more"])
    return [line for frame in lines for line in frame]


def _chain(error: BaseException) -> list[tuple[BaseException, str]]:
    """What caused it, oldest first, each with how it led to the next; no circles."""
    found: list[tuple[BaseException, str]] = []
    one: BaseException | None = error
    joint = ""
    while one is not None and all(one is not known for known, _ in found) and len(found) < MOST:
        found.append((one, joint))
        cause, context = one.__cause__, None if one.__suppress_context__ else one.__context__
        one, joint = (cause, "which caused:") if cause is not None else (context, "and while that was handled:")
    joints = [joint for _, joint in found[1:]]
    return [(one, how) for (one, _), how in zip(reversed(found), ["", *reversed(joints)], strict=True)]


def _kind(error: BaseException) -> str:
    """The kind of an error, and the number of the system's where it has one."""
    number = f" {error.errno}" if isinstance(error, OSError) and error.errno is not None else ""
    return f"{type(error).__module__}.{type(error).__qualname__}{number}".removeprefix("builtins.")


def _version(package: str) -> str:
    from importlib import metadata

    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "unknown"


def _earlier(file: Path) -> list[str]:
    """The reports that are there; a file that is none of ours, or too large, is not read."""
    if not file.is_file() or file.is_symlink() or file.stat().st_size > LARGEST:
        return []
    text = file.read_text(encoding="utf-8", errors="replace")
    if not text.startswith(NEWEST):  # of an older version, which told more than it should
        return []
    return [NEWEST + part for part in ("\n" + text).split(f"\n{NEWEST}")[1:]]


def _write(file: Path, reports: Sequence[str]) -> None:
    """Put as many reports as there is room for into the file, which only its owner may read. Raises ``OSError``."""
    file.parent.mkdir(parents=True, exist_ok=True)
    text = ""
    for one in reports[:MOST]:
        longer = text + ("\n" if text else "") + one.rstrip("\n") + "\n"
        if text and len(longer.encode()) > LARGEST:
            break
        text = longer
    beside = file.with_name(f"{NAME}.{os.getpid()}")
    beside.unlink(missing_ok=True)  # of a program that was killed in the middle of this
    opened = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        with os.fdopen(opened, "wb") as written:
            written.write(text.encode("utf-8", "replace")[:LARGEST])
        os.replace(beside, file)  # noqa: PTH105  its errors are the same
    except OSError:
        beside.unlink(missing_ok=True)
        raise
