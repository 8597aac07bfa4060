"""Reading a text of any kind.

Every line is shown to the readers that know a fragment of it, every JSON document to those of documents. A text may
hold several kinds, and what no reader knows costs nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from itertools import chain, pairwise
from typing import Any

from engine.artefacts import sealed
from engine.artefacts.lines import MOST_LINE, lines
from engine.artefacts.marks import Marks
from engine.artefacts.model import Observations
from engine.artefacts.readers.base import Reader
from engine.artefacts.sieve import Sieve
from engine.artefacts.text import Line
from engine.diagnosis.settings.flag_names import is_secret

MOST_DOCUMENT = 64 * 2**20
"""Bytes of the largest text that is one JSON document."""
MOST_PASTED = 2**20
"""Characters of a JSON document inside another text."""

DocumentReader = Callable[[Any, Observations, Line | None], bool]
"""Reads a JSON document; whether it is one of its kind. Shown the ``Line`` where it begins in a mixed text."""

_MODULES = (
    "vllm_start", "vllm_config", "vllm_stats", "vllm_errors", "torch_oom", "sglang", "tensorrt", "tgi", "llamacpp",
    "commands", "metrics", "bench_serve", "bench_offline", "bench_tables", "nvidia_smi", "hf_config",
)  # fmt: skip
"""Modules of :mod:`engine.artefacts.readers`; each has ``READERS`` (makers of line readers), ``DOCUMENTS``, or both."""


def _modules() -> Iterator[Any]:
    for name in _MODULES:
        yield import_module(f"engine.artefacts.readers.{name}")


def _readers() -> list[Reader]:
    return [make() for module in _modules() for make in getattr(module, "READERS", ())]


def _documents() -> tuple[DocumentReader, ...]:
    return tuple(one for module in _modules() for one in getattr(module, "DOCUMENTS", ()))


def read_text(text: str) -> Observations:
    """Everything that is read in a text."""
    return read((text.encode("utf-8", "replace"),))


def read(chunks: Iterable[bytes]) -> Observations:
    """Everything that is read in a text that comes in pieces. Never raises but for what the pieces raise."""
    out = Observations()
    pieces = iter(chunks)
    head = b""
    for piece in pieces:
        head += piece
        if head.strip():
            break
    out.sealed = sealed.kind(head)
    if out.sealed:
        return out
    if head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"["):
        whole, rest = _gathered(head, pieces)
        if rest is None and _whole(whole, out):
            return out
        pieces = chain((whole,), rest or ())
    else:
        pieces = chain((head,), pieces)
    _lines(pieces, out)
    return out


def _gathered(head: bytes, pieces: Iterator[bytes]) -> tuple[bytes, Iterator[bytes] | None]:
    """All of a text, or what of it is no more than one document may have, with the rest."""
    found = bytearray(head)
    for piece in pieces:
        found += piece
        if len(found) > MOST_DOCUMENT:
            return bytes(found), pieces
    return bytes(found), None


def _whole(data: bytes, out: Observations) -> bool:
    """Read a text that is one JSON document, or one a line; whether it is."""
    found = _loaded(data.decode("utf-8-sig", "replace"))
    if found is not None:
        out.lines = data.count(b"\n") + 1
        return _shown(found, out, None)
    rows = data.split(b"\n")
    if not any(len(row) > MOST_LINE for row in rows):
        return False  # as lines they are read too
    taken = False
    for row in rows:
        if row[:1] == b"{" and (one := _loaded(row.decode("utf-8", "replace"))) is not None:
            taken = _shown(one, out, None) or taken
    return taken


def _loaded(text: str) -> Any:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict | list) else None


def _shown(found: Any, out: Observations, line: Line | None) -> bool:
    """Show a document to the readers of documents, or each of a list of them; whether one knew it."""
    if isinstance(found, list):
        known = [_shown(one, out, line) for one in found[:10_000] if isinstance(one, dict)]
        return any(known)
    known = [read(found, out, line) for read in _documents()]  # all of them: a config has parts of several kinds
    if "config" in out.kinds and out.config is None:
        out.config = found
    return any(known)


def _lines(pieces: Iterator[bytes], out: Observations) -> None:
    readers, pasted = _readers(), _Pasted()
    opened = [number for number, reader in enumerate(readers) if reader.open]  # in the middle of a table or a block
    marks = Marks(readers)
    sieve = Sieve(marks.all, MOST_LINE, lambda: out.text.begun and not opened and not pasted.held)
    for line in lines(pieces, sieve):
        text = line.text
        out.lines = line.last
        if line.cut:
            out.trap("line-cut", "", line, most=MOST_LINE)
        if not text:
            continue
        known = marks.of(text)
        if not known and not opened and not pasted.wants(text):
            out.text.add(line)
            continue
        errors = out.errors
        shown_to = sorted({*known, *opened}) if opened else known
        taken = _taken([readers[number] for number in shown_to], pasted, line, out)
        opened = [number for number in shown_to if readers[number].open]
        if taken or opened:
            out.known += line.last - line.number + 1
        out.text.add(line, "error" if out.errors > errors else "taken" if taken or opened else "")
    for reader in readers:
        reader.end(out)
    out.forget(is_secret)
    out.settle()
    _interval(out)


def _taken(readers: Sequence[Reader], pasted: _Pasted, line: Line, out: Observations) -> bool:
    """Show a line; whether something was taken from it, and not only from lines before it that it ended."""
    taken = False
    for reader in readers:
        before = out.taken
        reader.line(line, out)
        taken = taken or (out.taken > before and not getattr(reader, "past", False))
    before = out.taken
    pasted.line(line, out)
    return taken or out.taken > before


def _interval(out: Observations) -> None:
    """The median gap between lines of statistics; lines of one moment (several engines) are one."""
    gaps = sorted(after - before for before, after in pairwise(out.ticks) if after > before)
    if gaps:
        middle = len(gaps) // 2
        out.put("stats_interval", gaps[middle] if len(gaps) % 2 else (gaps[middle - 1] + gaps[middle]) / 2)


_STRUCTURE = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?$)|[{}\[\]]')  # a text that is not closed is one too


class _Pasted:
    """JSON documents inside another text: gathered from a line that begins one to the bracket that closes it."""

    def __init__(self) -> None:
        self.held: list[str] = []
        self.first: Line | None = None
        self.depth = self.size = 0

    def wants(self, text: str) -> bool:
        """Whether a line begins a document or goes on with one."""
        return bool(self.held) or text.lstrip()[:1] == "{"

    def line(self, line: Line, out: Observations) -> None:
        """Gather a line, and read the document that it ends."""
        text = line.text
        if not self.wants(text):
            return
        if not self.held:
            self.first = line
        self.held.append(text)
        self.size += len(text)
        self.depth += sum({"{": 1, "[": 1, "}": -1, "]": -1}.get(one, 0) for one in _STRUCTURE.findall(text))
        if self.depth > 0 and self.size <= MOST_PASTED:
            return
        if self.depth <= 0:
            found = _loaded("\n".join(self.held).rstrip().rstrip(","))
            if isinstance(found, dict):
                _shown(found, out, self.first)
        self.held, self.first, self.depth, self.size = [], None, 0, 0
