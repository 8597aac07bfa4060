"""PyTorch's out-of-memory text, of every version.

1.x gives capacity, allocated, free and reserved in parentheses; 2.0 and later sentences, with "capacty" in 2.0 and 2.1,
the processes of the card, and what is reserved but unallocated; the asynchronous allocator a list. AMD's, Intel's and
Ascend's builds say HIP, XPU and NPU. People paste it cut, and broken at its sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from engine.artefacts.model import Observations
from engine.artefacts.text import Line
from engine.artefacts.vocabulary import factor

_HEAD = re.compile(
    r"(?:CUDA|HIP|XPU|NPU|MUSA|MLU|HPU|MPS backend)(?: driver)?(?: error:)? out of memory"
    r"|Allocation on device(?: \d{1,3})? would exceed allowed memory"
)
_ASKED = re.compile(r"ried to allocate|Requested {0,30}:|occurred when warming up")
_BEFORE = re.compile(r"(?:^|[Ee]rror|Exception|failed|ERROR|message\"?)[:\]\s\"'()]{0,6}$")
_FRAGMENT = re.compile(
    r"ried to allocate|total capac|in use|allocated|is free|reserved|PyTorch|\d [KMG]iB"
    r"|Requested {0,30}:|Device limit {0,30}:|Free \(according"
)
_RECORD = re.compile(r"(?:\([^)]{1,60}\) )?(?:INFO|WARNING|ERROR|DEBUG)\b|\s{0,8}File \"|Traceback|[A-Z]\w{2,40}Error:")
_LAST = ("If reserved", "but unallocated", "reserved in total by PyTorch)", "PyTorch limit")
_LINES = 8
"""Lines that a broken text may have."""

_SIZE = r"(\d{1,15}(?:\.\d{1,6})?) ?(bytes|[KMGT]i?B)\b"
_VALUES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern.replace("{S}", _SIZE)))
    for name, pattern in (
        ("failed_allocation", r"ried to allocate {S}|Requested {0,30}: {S}"),
        ("gpu_memory_total", r"total capac(?:i)?ty of {S}|{S} total(?: capacity)?;|Device limit {0,30}: {S}"),
        ("gpu_memory_free", r"of which {S} is free|{S} free[;,)]|Free \(according to CUDA\) {0,30}: {S}"),
        ("pytorch_allocated_memory",
         r"Of the allocated memory {S}|{S} is allocated by PyTorch|{S} already allocated|MPS allocated: {S}"
         r"|Currently allocated {0,30}: {S}"),
        ("pytorch_unallocated_memory", r"{S} is reserved by PyTorch"),
    )
)  # fmt: skip
_ALONE = re.compile(rf"Tried to allocate {_SIZE}")
"""What is left of the text where a person quotes the one figure."""
_GPU = re.compile(r"GPU (\d{1,3}) has a total|\((?:GPU|NPU|XPU) (\d{1,3});")
_OWN = re.compile(rf"this process has {_SIZE} memory in use")
_OTHERS = re.compile(rf"Process \d{{1,10}} has {_SIZE} memory in use")
_UNKNOWN = Fraction(2**34)
"""GiB: 2**64 bytes, which Windows' driver model gives where it does not tell a process's memory."""
_NOTABLE = Fraction(1, 20)
"""Share of the reserved memory below which what lies unallocated is the rounding of blocks (2 to 20 MiB each)."""


class OutOfMemory:
    """Reads the text from its head to its last sentence, over as many lines as it was broken into."""

    marks: tuple[str, ...] = (" out of memory", "would exceed allowed memory", "Tried to allocate")

    def __init__(self) -> None:
        self.open = self.past = False
        self._held: list[str] = []
        self._first: Line | None = None

    def line(self, line: Line, out: Observations) -> None:
        """Read a line that begins such a text, or carries it on."""
        begins = _HEAD.search(line.text) is not None or (not self.open and "Tried to allocate" in line.text)
        if self.open and (begins or _RECORD.match(line.text) or not _FRAGMENT.search(line.text)):
            self._close(out)
            self.past = not begins
        else:
            self.past = False
        if not begins and not self.open:
            return
        if begins:
            self._first = line
        self._held.append(line.text)
        self.open = len(self._held) < _LINES and not any(last in line.text for last in _LAST)
        if not self.open:
            self._close(out)

    def end(self, out: Observations) -> None:
        """Read what is held."""
        self._close(out)

    def _close(self, out: Observations) -> None:
        text, line = " ".join(self._held), self._first
        self.open, self._held, self._first = False, [], None
        if line is None:
            return
        for one in _texts(text):
            _read(one, line, out)


def _texts(text: str) -> Iterator[str]:
    """Each out-of-memory text of a line; what only speaks of one is none."""
    heads = list(_HEAD.finditer(text))
    if not heads and _ALONE.search(text):
        yield text
    for at, head in enumerate(heads):
        stop = heads[at + 1].start() if at + 1 < len(heads) else len(text)
        one = text[head.start() : stop]
        if _ASKED.search(one) or _BEFORE.search(text[max(0, head.start() - 40) : head.start()]):
            yield one


def _read(text: str, line: Line, out: Observations) -> None:
    out.seen("torch-oom", line)
    out.put("error", "out_of_memory", line)
    found: dict[str, Fraction] = {}
    for name, pattern in _VALUES:
        if match := pattern.search(text):
            number, unit = (one for one in match.groups() if one is not None)
            out.put(name, number, line, unit)
            found[name] = _gib(number, unit)
    if match := _GPU.search(text):
        out.put("gpu_index", int(match[1] or match[2]), line)
        out.trap("visible-cards", "gpu_index", line)
    own, others = _OWN.findall(text), _OTHERS.findall(text)
    held = [*(("process_memory", *one) for one in own or others), *(("other_process_memory", *one) for one in others)]
    for name, number, unit in held[: len(own) + len(others)]:  # without its own, the one that is named is its own
        if _gib(number, unit) < _UNKNOWN:
            out.put(name, number, line, unit)
    _judge(found, line, out)


def _gib(number: str, unit: str) -> Fraction:
    return Fraction(number) * factor("process_memory", unit)


def _judge(found: dict[str, Fraction], line: Line, out: Observations) -> None:
    """Whether what is reserved but unallocated explains the failure: it would have held the request, and is more than
    the rounding of blocks."""
    spare, used = found.get("pytorch_unallocated_memory"), found.get("pytorch_allocated_memory")
    if spare is None or used is None:
        return
    enough = spare >= found.get("failed_allocation", Fraction(0))
    large = enough and spare >= _NOTABLE * (spare + used)
    out.trap("fragmentation" if large else "little-fragmentation", "pytorch_unallocated_memory", line)


READERS = (OutOfMemory,)
