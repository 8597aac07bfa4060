"""Logs, metrics, results and configs for the app: a file or a pasted text, read in pieces, away from the screen.

Nothing here waits for ever: between two pieces the reading asks whether it is still wanted.
"""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tutor.commands.context import Refusal, Words, quoted_path
from tutor.served import served

if TYPE_CHECKING:
    from content.lang import Lang
    from engine.artefacts.evidence import Artefact

PIECE = 2**18
"""Characters of a pasted text that are read at once."""
SILENCE = 5.0
"""Seconds that a named pipe may say nothing: then what came is all."""
MOST_OF_PIPE = 2**28
"""Bytes of a named pipe that are read."""
PASTED = "pasted text"
"""Name of a text that was pasted; the second one is "pasted text 2"."""


class Problem(NamedTuple):
    """Why a file could not be read."""

    refusal: Refusal

    def text(self, lang: Lang) -> str:
        """The sentence."""
        return self.refusal.text(lang)


class Told(NamedTuple):
    """A scenario file: what it says by public names, which belongs into the form."""

    known: Mapping[str, object]
    path: Path


def broken(error: Exception) -> Problem:
    """A mistake of ours as a problem, see :func:`tutor.diagnoser.doors.broken`."""
    from tutor import crash

    return Problem(Refusal("app.diagnose.files.broken", detail=crash.brief(error), path=crash.keep(error)))


class Left(Exception):
    """The reading is not wanted any more."""


def always() -> bool:
    """For a reading that nobody stops."""
    return True


def opened(path: Path, going: Callable[[], bool] = always) -> Artefact | Told | Problem:
    """What a file says; a folder is that of a model, and its config.json is read.

    Args:
        path: of the file.
        going: whether it is still wanted, asked before each piece.

    Raises:
        Left: it was not.
    """
    from engine.artefacts import evidence
    from tutor.diagnoser.opening import in_utf8
    from tutor.diagnoser.unpacking import unpacked

    if served():
        return Problem(Refusal("serve.closed.files"))
    try:
        name, place = path.name or str(path), path
        if path.is_dir():
            place = path / "config.json"
            if not place.is_file():
                raise Refusal("observed.file.folder", path=quoted_path(str(path)))
        elif (told := _scenario(path)) is not None:
            return told
        return evidence.read(name, _while(going, in_utf8(unpacked(str(path), _pieces(place, going)))))
    except Refusal as refusal:
        return Problem(refusal)
    except (OSError, ValueError) as error:
        return Problem(_refused(path, error))


def _refused(path: Path, error: OSError | ValueError) -> Refusal:
    from tutor.commands.files import trouble

    detail = trouble(error) if isinstance(error, OSError) else Words("cli.os.missing")  # a name with a NUL in it
    return Refusal("cli.error.read", path=quoted_path(str(path)), detail=detail)


def typed(text: str, n: int, going: Callable[[], bool] = always) -> Artefact | Told | Problem:
    """What a line says that was typed or pasted where a path is expected: a log's line, a start command, a config; else
    it is a path. Raises :class:`Left`."""
    from tutor.diagnoser import dropped

    found = pasted(text, n, going)
    if found.found or len(text) > dropped.LONGEST_NAME or dropped.is_document(text):
        return found
    try:
        return opened(Path(text.strip().strip("'\"")).expanduser(), going)
    except RuntimeError:  # the home folder of nobody
        return opened(Path(text.strip()), going)


def pasted(text: str, n: int = 1, going: Callable[[], bool] = always) -> Artefact:
    """What a pasted text says; ``n``: the how many-eth it is. Raises :class:`Left`."""
    from engine.artefacts import evidence

    text = lined(text)
    text += (
        "" if text.endswith("\n") else "\n"
    )  # what a person selects are whole lines, though the last one's end is seldom among it
    pieces = (text[at : at + PIECE].encode("utf-8", "replace") for at in range(0, len(text), PIECE))
    return evidence.read(PASTED if n < 2 else f"{PASTED} {n}", _while(going, pieces))


def lined(text: str) -> str:
    """A pasted text with line feeds: terminals send a carriage return for each, or for both of two signs."""
    if "\n" in text or "\r" not in text:
        return text
    doubled = all(len(ends) % 2 == 0 for ends in _RETURNS.findall(text.strip("\r")))
    return text.replace("\r\r" if doubled else "\r", "\n")


_RETURNS = re.compile(r"\r+")


def _while(going: Callable[[], bool], pieces: Iterator[bytes]) -> Iterator[bytes]:
    for piece in pieces:
        if not going():
            raise Left
        yield piece


def _pieces(path: Path, going: Callable[[], bool]) -> Iterator[bytes]:
    """A file in pieces. Raises ``Refusal`` and ``OSError``."""
    from tutor.commands.files import chunks

    kind = path.stat().st_mode
    if stat.S_ISFIFO(kind):
        yield from _piped(path, going)
    elif stat.S_ISREG(kind) and not path.stat().st_size:  # empty, or made while it is read, and then it may not end
        yield from _piped(path, going, ends=True)
    elif stat.S_ISREG(kind):
        yield from chunks(str(path))
    else:
        raise Refusal("observed.file.device", path=quoted_path(str(path)))


def _piped(path: Path, going: Callable[[], bool], *, ends: bool = False) -> Iterator[bytes]:
    """A named pipe until its writer leaves, or says nothing for a while; ``ends``: nothing to read is the end of it."""
    import select

    pipe = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    try:
        size, until = 0, time.monotonic() + SILENCE
        while size < MOST_OF_PIPE and time.monotonic() < until and going():
            select.select([pipe], [], [], 0.1)
            try:
                piece = os.read(pipe, 2**16)
            except BlockingIOError:  # somebody has it open, and says nothing
                continue
            if piece:
                size, until = size + len(piece), time.monotonic() + SILENCE
                yield piece
            elif size or ends:
                break
            else:
                time.sleep(0.02)  # nobody writes yet: such a pipe is always at its end
    finally:
        os.close(pipe)
    if not size and not ends:
        raise Refusal("cli.error.read", path=quoted_path(str(path)), detail=Words("cli.os.silent"))


def _scenario(path: Path) -> Told | None:
    """What a scenario file says; ``None`` for anything else. Raises ``Refusal`` for one with a mistake in it."""
    from engine.artefacts import evidence
    from engine.diagnosis import scenario
    from engine.diagnosis.fields import ScenarioProblem
    from tutor.diagnoser.opening import HEAD, RESULTS
    from tutor.diagnoser.reading import Impossible

    if path.suffix.lower() not in (".toml", ".json") or not path.is_file() or path.stat().st_size > HEAD:
        return None
    data = path.read_bytes()
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    if scenario.kind_of(path.name, text) != "scenario":
        return None
    if evidence.read(path.name, (data,)).found.kinds.keys() & RESULTS:
        return None  # results of a benchmark have a key or two of a scenario
    try:
        return Told(scenario.load(text, path.name), path)
    except ScenarioProblem as problem:
        raise Impossible(problem, path.name) from problem
