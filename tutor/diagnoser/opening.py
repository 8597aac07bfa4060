"""Opening what a command line names: each file once, in pieces, unpacked, told apart by what it holds."""

from __future__ import annotations

import codecs
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tutor.commands.context import Refusal, quoted_path
from tutor.diagnoser.unpacking import inner, unpacked

if TYPE_CHECKING:
    from engine.artefacts.evidence import Artefact

HEAD = 2**20
"""Bytes of a file in which a scenario, a command or a config has all of itself."""


Tell = Callable[[str, int, int], None]
"""Is told, of a file that takes its time, its name, how many bytes of what it holds are read, and of how many; 0 where
that is not known: of a pipe, or of what is packed."""


def opened(files: Sequence[str], tell: Tell | None = None) -> tuple[Opened, ...]:
    """The files of a command line, each read once, weakest first. Raises ``Refusal``."""
    _once(files)
    return tuple(sorted((_opened(name, tell) for name in files), key=lambda one: _RANKS.index(one.kind)))


def _once(files: Sequence[str]) -> None:
    """Raise ``Refusal`` for a file that is named twice: its lines would count twice."""
    seen: set[str] = set()
    for name in files:
        place = name if name == "-" else os.path.realpath(name)
        if place in seen:
            raise Refusal("cli.diagnose.file_twice", path=quoted_path(name))
        seen.add(place)


# --- files -----------------------------------------------------------------------------------------------------------

_RANKS = ("words", "config", "command", "scenario")
"""Weakest first, so that what comes later wins."""


class Opened(NamedTuple):
    """A file: its kind, its text where it is a scenario, a command or a config, and what was read in it."""

    name: str
    kind: str
    text: str | None = None
    artefact: Artefact | None = None

    @property
    def shown(self) -> str:
        """As sentences and sources call it."""
        return _shown(self.name)


def _opened(name: str, tell: Tell | None = None) -> Opened:
    """A file, told apart by what it holds. Raises ``Refusal``."""
    from tutor.commands.files import chunks

    if name != "-" and Path(name).is_dir():
        return Opened(name, "config")
    pieces, held = in_utf8(unpacked(name, chunks(name))), inner(name)
    pieces = pieces if tell is None else _told(name, pieces, tell)
    head = b""
    for piece in pieces:
        head += piece
        if len(head) > HEAD:
            break
    if len(head) > HEAD:
        return Opened(name, "words", None, _artefact(name, chain((head,), pieces)))
    from engine.diagnosis import scenario

    text = head.decode("utf-8", errors="replace").removeprefix("\ufeff")
    found, kind = _artefact(name, (head,)), scenario.kind_of(held, text)
    kinds = found.found.kinds.keys()
    if kind == "scenario" and _is_other(held, text, bool(kinds)):
        kind = "words"
    if (kind == "scenario" and kinds & RESULTS) or (kind == "command" and kinds - {"command"}):
        kind = "words"  # results have a key or two of a scenario, a log and an issue's text the command as well
    return Opened(name, kind, text, None if kind == "scenario" else found)


RESULTS = frozenset(("bench-serve", "bench-latency", "bench-throughput", "bench-sglang", "trtllm-bench", "llama-bench"))


_A_WHILE = 0.5
"""Seconds that a file may take before it is told how far it is."""


def _told(name: str, pieces: Iterator[bytes], tell: Tell) -> Iterator[bytes]:
    """The same pieces, telling how much was read where it takes a while."""
    since, size, whole = time.monotonic(), 0, 0 if name == "-" or inner(name) != name else _size(name)
    for piece in pieces:
        if time.monotonic() - since > _A_WHILE:
            tell(_shown(name), size, whole if size <= whole else 0)  # more than it has: it is packed after all
        yield piece
        size += len(piece)


def _size(name: str) -> int:
    try:
        return Path(name).stat().st_size
    except OSError:
        return 0


_SCENARIOS = (".toml", ".json")


def _is_other(name: str, text: str, known: bool) -> bool:
    """Whether a text with lines like a scenario's is none: it cannot be read as one, and is a log or is named otherwise
    (a page of documentation, a program)."""
    from engine.diagnosis import scenario
    from engine.diagnosis.fields import ScenarioProblem

    suffix = "" if name == "-" else Path(name).suffix.lower()
    if suffix in _SCENARIOS or not (known or suffix):
        return False
    try:
        scenario.load(text, name)
    except ScenarioProblem:
        return True
    return False


def in_utf8(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The same text, of what Windows wrote in UTF-16 too."""
    first = next(pieces, b"")
    if first[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        yield first
        yield from pieces
        return
    decoder = codecs.getincrementaldecoder("utf-16")("replace")
    for piece in chain((first,), pieces):
        yield decoder.decode(piece).encode("utf-8", "replace")


def _artefact(name: str, pieces: Iterable[bytes]) -> Artefact:
    from engine.artefacts import evidence

    return evidence.read(_shown(name), pieces)


def _shown(name: str) -> str:
    """A file as sentences and sources call it."""
    return "standard input" if name == "-" else Path(name).name
