"""What llama.cpp could not allocate: it is told in MiB by the device's driver, then in bytes, then what it was for."""

from __future__ import annotations

import re

from engine.artefacts.model import Observations
from engine.artefacts.readers.whole import text_of
from engine.artefacts.text import Line

_DRIVER = re.compile(
    r"allocating (?P<mib>\d{1,12}(?:\.\d{1,6})?) MiB on device (?P<device>\d{1,3}):"
    r"|buffer_type_alloc_buffer:[^\n]{0,40} failed to allocate buffer(?: of size|, size =) {1,12}"
    r"(?P<size>\d{1,18}(?:\.\d{1,6})?)(?P<unit> MiB)?(?=\s|$)"
    r"|[Dd]evice memory allocation of size (?P<bytes>\d{1,18}) failed"
)
_BYTES = re.compile(r"failed to allocate \S{1,100} buffer of size (?P<bytes>\d{1,18})(?=[\s\\\"',.]|$)")
_PURPOSE = (
    ("failed to allocate compute", "compute"),
    ("compute buffer allocation failed", "compute"),
    ("failed to allocate buffer for kv cache", "kv cache"),
    ("failed to allocate buffer for rs cache", "rs cache"),
    ("error loading model: unable to allocate", "model"),
)
_NEAR = 8
"""Lines after which what follows is another failure."""
_OLD = re.compile(r"CUDA error 2 at [^\n]{1,200}: out of memory")


class Failures:
    """Failures to allocate. A size in MiB is held until the bytes of it come, for both are one failure."""

    marks = (
        " MiB on device ", "ailed to allocate", "memory allocation of size", "allocation failed", "unable to allocate",
        "CUDA error 2 at",
    )  # fmt: skip
    open = False

    def __init__(self) -> None:
        self._held: tuple[Line, str, str] | None = None
        self._at = -_NEAR

    def line(self, line: Line, out: Observations) -> None:
        """Read a line about an allocation."""
        text = text_of(line)
        driver = _DRIVER.search(text)
        exact = _BYTES.search(text)
        if driver is not None:
            self._flush(out)
            if driver["device"]:
                out.put("gpu_index", int(driver["device"]), line)
            size, unit = (driver["mib"], "MiB") if driver["mib"] else (driver["size"] or driver["bytes"], "bytes")
            self._held, self._at = (line, size, "MiB" if driver["unit"] else unit), line.number
        if exact is not None:
            if self._held is not None and line.number - self._at > _NEAR:
                self._flush(out)
            self._held = None
            self._failed(exact["bytes"], "bytes", line, out)
        for mark, purpose in _PURPOSE:
            if mark in text:
                self._for(purpose, line, out)
                return
        if _OLD.search(text):
            out.put("error", "out_of_memory", line)
            out.seen("llamacpp-start", line)

    def _for(self, purpose: str, line: Line, out: Observations) -> None:
        """What it was for; an error of its own where nothing before said that an allocation failed."""
        self._flush(out)
        if line.number - self._at > _NEAR:
            self._error(line, out)
        self._at = line.number
        out.put("failed_buffer", purpose, line)

    def _failed(self, size: str, unit: str, line: Line, out: Observations) -> None:
        self._error(line, out)
        out.put("failed_allocation", size, line, unit)
        self._at = line.number

    @staticmethod
    def _error(line: Line, out: Observations) -> None:
        out.put("error", "buffer_allocation", line)
        out.seen("llamacpp-start", line)
        out.served_by("llama.cpp")

    def _flush(self, out: Observations) -> None:
        if self._held is not None:
            line, size, unit = self._held
            at, self._held = self._at, None
            self._failed(size, unit, line, out)
            self._at = max(at, line.number)

    def end(self, out: Observations) -> None:
        """Tell what is still held."""
        self._flush(out)
