"""The wall round an app whose reader is a stranger: what of the machine it may touch, whatever the screens forget.

An audit hook of the interpreter: it is asked before a file is opened, a folder listed, a program started, a connection
made, and cannot be taken away again. It lets the process read the program itself and the learner's own folder, and
write in that folder alone. It is no prison for foreign code (there is none here: nothing that a reader types is
evaluated), and it does not see whether a file exists, which is asked of `os.stat`; the screens ask nothing of that kind
for names that a reader types, see `tutor.served`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from importlib.machinery import all_suffixes
from pathlib import Path
from urllib.parse import unquote, urlsplit

import content
import engine
import tutor

ALWAYS = (os.devnull, "/dev/urandom", "/etc/localtime")
"""Files that tell nothing."""
ZONES = ("/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo")
NEVER = frozenset((
    "os.system", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.startfile", "os.startfile/2",
    "pty.spawn", "subprocess.Popen", "webbrowser.open", "socket.bind", "socket.connect", "socket.getaddrinfo",
    "socket.gethostbyname", "socket.sendmsg", "socket.sendto", "urllib.Request", "sqlite3.load_extension",
))  # fmt: skip
"""Events of starting a program and of reaching another machine."""
LISTING = frozenset(("os.listdir", "os.scandir"))
CHANGING = frozenset((
    "os.chmod", "os.chown", "os.link", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.symlink", "os.truncate",
    "os.utime",
))  # fmt: skip
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_MODULES = (*all_suffixes(),)

Hook = Callable[[str, tuple[object, ...]], None]


def raised(home: Path) -> None:
    """Put the wall round this process, for good."""
    sys.addaudithook(hook(home))


def hook(home: Path) -> Hook:
    """What is asked before each step; it raises ``PermissionError`` for one that is not allowed."""
    wall = _Wall(home)

    def asked(event: str, given: tuple[object, ...]) -> None:
        if event == "open":
            wall.open(given)
        elif event in NEVER:
            raise PermissionError(1, f"{event} is closed here")
        elif event in LISTING:
            wall.list(given[0])
        elif event in CHANGING:
            wall.change(event, given)
        elif event == "sqlite3.connect":
            wall.database(given[0])

    return asked


class _Wall:
    """Which paths are inside."""

    def __init__(self, home: Path) -> None:
        packages = (Path(str(one.__file__)).parent for one in (content, engine, tutor))
        self._own = _roots([home])
        self._program = _roots([sys.prefix, sys.base_prefix, sys.exec_prefix, *packages, *ZONES, *_library()])
        self._entries = frozenset(os.path.realpath(one) for one in sys.path if one)
        self._always = frozenset((*ALWAYS, *map(os.path.realpath, ALWAYS)))

    def open(self, given: tuple[object, ...]) -> None:
        """Reading: the program, and what is one's own. Writing: what is one's own, and compiled modules."""
        path = _path(given[0])
        if path is None or path in self._always:
            return
        mode, flags = given[1], given[2]
        writes = bool(set(mode) & set("wax+")) if isinstance(mode, str) else bool(int(str(flags or 0)) & _WRITING)
        real = os.path.realpath(path)
        if _under(real, self._own) or (self._compiled(real) if writes else self._readable(real)):
            return
        raise PermissionError(13, os.strerror(13), path)

    def list(self, given: object) -> None:
        """Folders of the program, of modules, and one's own; no path is the folder that one is in."""
        path = _path("." if given is None else given)
        if path is None:
            return
        real = os.path.realpath(path)
        if real not in self._entries and not _under(real, (*self._own, *self._program)):
            raise PermissionError(13, os.strerror(13), path)

    def change(self, event: str, given: tuple[object, ...]) -> None:
        """Making, renaming and removing: what is one's own, and compiled modules."""
        for one in given[: 2 if event in ("os.rename", "os.link", "os.symlink") else 1]:
            path = _path(one)
            real = os.path.realpath(path) if path is not None else ""
            if real and not _under(real, self._own) and not self._compiled(real):
                raise PermissionError(13, os.strerror(13), path)

    def database(self, given: object) -> None:
        """One's own, and those in memory: SQLite opens its files itself."""
        path = _path(given)
        if path is not None and path.startswith("file:"):
            path = unquote(urlsplit(path).path)
        if path and path != ":memory:" and not _under(os.path.realpath(path), self._own):
            raise PermissionError(13, os.strerror(13), path)

    def _readable(self, real: str) -> bool:
        if _under(real, self._program):
            return True
        return real.endswith(_MODULES) and _under(real, tuple(f"{one}{os.sep}" for one in self._entries))

    def _compiled(self, real: str) -> bool:
        return "__pycache__" in real and ".pyc" in real and self._readable(real.rpartition(".pyc")[0] + ".pyc")


def _library() -> Iterable[str]:
    """Where the standard library lies, should that be elsewhere."""
    return [os.path.dirname(os.__file__)]  # noqa: PTH120  a name alone


def _roots(folders: Iterable[str | Path]) -> tuple[str, ...]:
    """Folders as their paths begin; the root of a disk is none, for that would be everything."""
    real = {os.path.realpath(one) for one in folders}
    return tuple(f"{one}{os.sep}" for one in sorted(real) if Path(one).parent != Path(one))


def _under(real: str, roots: tuple[str, ...]) -> bool:
    return f"{real}{os.sep}".startswith(roots)


def _path(given: object) -> str | None:
    """A path as text; ``None`` for the number of a file that is open already."""
    if isinstance(given, int):
        return None
    return os.fsdecode(given) if isinstance(given, str | bytes | os.PathLike) else None
