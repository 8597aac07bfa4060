"""nvidia-smi's other forms: queries as CSV, the report of ``-q``, the matrix of ``topo -m``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from engine.artefacts.model import Observations
from engine.artefacts.readers.base import NUMBER, compiled
from engine.artefacts.readers.whole import text_of
from engine.artefacts.text import Line

_PROPERTIES: Mapping[str, tuple[str, str]] = {
    "index": ("gpu_index", ""), "name": ("gpu_name", ""), "gpu_name": ("gpu_name", ""),
    "driver_version": ("driver_version", ""), "memory.total": ("gpu_memory_total", "MiB"),
    "memory.used": ("gpu_memory_used", "MiB"), "memory.free": ("gpu_memory_free", "MiB"),
    "utilization.gpu": ("gpu_utilization", "%"), "temperature.gpu": ("gpu_temperature", "C"),
    "power.draw": ("gpu_power", "W"), "power.draw.instant": ("gpu_power", "W"), "power.limit": ("gpu_power_cap", "W"),
    "enforced.power.limit": ("gpu_power_cap", "W"), "mig.mode.current": ("mig_mode", ""),
}  # fmt: skip
"""Properties of a query and the unit that they are in, which a column's name may tell again."""
_TRAPS: Mapping[str, str] = {
    "gpu_memory_total": "engine-sees-less", "gpu_memory_used": "reserved-not-needed",
    "gpu_utilization": "utilization-not-load",
}  # fmt: skip
_WORDS = ("gpu_name", "driver_version", "mig_mode")
_NONE = ("", "N/A", "[N/A]", "[Not Supported]", "[Unknown Error]", "Not Supported", "...")
_COLUMN = re.compile(r"([a-z][a-z_]{1,40}(?:\.[a-z_]{1,40}){0,4})(?: \[[\w%/]{1,8}\])?")
_COMMAND = re.compile(r"--query-gpu[= ]([a-z_.,]{3,400})(?=\s|$).{0,200}?--format[= ](csv[\w,]{0,30})")
_VALUE = re.compile(rf"({NUMBER})(?: (MiB|%|W|C))?")


def _known(columns: Sequence[str]) -> bool:
    return sum(column in _PROPERTIES for column in columns) >= min(2, len(columns))


def _put(column: str, value: str, line: Line, out: Observations) -> bool:
    """Keep a value of a query; whether it looks like one of that column."""
    if value in _NONE or column not in _PROPERTIES:
        return True
    name, unit = _PROPERTIES[column]
    if name in _WORDS:
        out.put(name, value, line)
        return True
    found = _VALUE.fullmatch(value)
    if found is None or (found[2] and found[2] != unit):
        return False
    out.put(name, int(found[1]) if name == "gpu_index" and found[1].isdigit() else found[1], line, unit)
    _note(name, line, out)
    return True


def _note(name: str, line: Line, out: Observations) -> None:
    trap = _TRAPS.get(name)
    if trap:
        out.trap(trap, name, line)


class Query:
    """``--query-gpu=... --format=csv``: open from the header, or from the command of a query without one."""

    marks = ("memory.", "utilization.gpu", "power.draw", "temperature.gpu", "--query-gpu")

    def __init__(self) -> None:
        self.open = False
        self._columns: list[str] = []

    def line(self, line: Line, out: Observations) -> None:
        """Read a command, a header or a row; of a row that was cut, all but its last value."""
        text = line.text.strip()
        command = _COMMAND.search(text)
        if command is not None:
            self._columns = command[1].split(",")
            self.open = "noheader" in command[2] and _known(self._columns)
            return
        fields = [one.strip() for one in text.split(",")]
        names = [found[1] for one in fields if (found := _COLUMN.fullmatch(one))]
        if len(names) == len(fields) and _known(names):
            self._columns, self.open = names, line.ended
        elif self.open:
            self._row(fields, line, out)

    def _row(self, fields: Sequence[str], line: Line, out: Observations) -> None:
        self.open = len(fields) == len(self._columns) or not line.ended
        if not self.open:
            return
        whole = fields if line.ended else fields[:-1]
        for column, value in zip(self._columns, whole, strict=False):
            if not _put(column, value, line, out):
                self.open = False
                return
        out.seen("nvidia-smi", line)

    def end(self, out: Observations) -> None:
        """Rows are complete in themselves."""


_ENTRY = re.compile(r"(\s{0,40})(\S[^:\n]{0,60}?)\s{0,60}: ([^\s\x00][^\n\x00]{0,120})$")
_SECTION = re.compile(r"(\s{0,40})(\S[^:\n]{0,60})$")
_DETAILS: Mapping[tuple[str, str], tuple[str, str]] = {
    ("", "Driver Version"): ("driver_version", ""), ("", "CUDA Version"): ("cuda_version", ""),
    ("", "Product Name"): ("gpu_name", ""), ("FB Memory Usage", "Total"): ("gpu_memory_total", "MiB"),
    ("FB Memory Usage", "Used"): ("gpu_memory_used", "MiB"), ("FB Memory Usage", "Free"): ("gpu_memory_free", "MiB"),
    ("Utilization", "Gpu"): ("gpu_utilization", "%"), ("Utilization", "GPU"): ("gpu_utilization", "%"),
    ("Temperature", "GPU Current Temp"): ("gpu_temperature", "C"), ("MIG Mode", "Current"): ("mig_mode", ""),
    **{
        (section, entry): (name, "W")
        for section in ("Power Readings", "GPU Power Readings")
        for entry, name in (
            ("Power Draw", "gpu_power"), ("Instantaneous Power Draw", "gpu_power"),
            ("Current Power Limit", "gpu_power_cap"), ("Power Limit", "gpu_power_cap"),
        )
    },
}  # fmt: skip


class Report:
    """The report of ``nvidia-smi -q``: entries under headings, told apart by how far they stand in."""

    marks = ("NVSMI LOG",)

    def __init__(self) -> None:
        self.open = False
        self._section = ""
        self._limit = False

    def line(self, line: Line, out: Observations) -> None:
        """Read an entry, or the heading that those below it belong to."""
        if "NVSMI LOG" in line.text:
            self.open, self._section = True, ""
            return
        entry = _ENTRY.match(text_of(line))
        if entry is not None:
            self._entry(len(entry[1]), entry[2], entry[3], line, out)
        elif (heading := _SECTION.match(line.text)) is not None:
            self._section, self._limit = heading[2].strip(), False

    def _entry(self, indent: int, entry: str, text: str, line: Line, out: Observations) -> None:
        """Keep an entry; those under a heading stand in by more than the card's own four."""
        name, unit = _DETAILS.get((self._section if indent > 4 else "", entry), ("", ""))
        value = compiled(r"({N}) (MiB|%|W|C)").fullmatch(text) if unit else None
        if not name or text in _NONE or (unit and (value is None or value[2] != unit)):
            return
        if name == "gpu_power_cap" and self._limit:
            return  # the requested, default and highest limits stand below the one in force
        self._limit = self._limit or name == "gpu_power_cap"
        out.put(name, text if value is None else value[1], line, unit)
        _note(name, line, out)
        out.seen("nvidia-smi", line)

    def end(self, out: Observations) -> None:
        """A report that stops is read as far as it goes."""


_FABRIC = re.compile(r"NV\d{1,3}")
_BUSES = ("SYS", "NODE", "PHB", "PXB", "PIX", "SOC")


class Topology:
    """The matrix of ``nvidia-smi topo -m``: whether NVLink joins the cards. Where it joins only some of them, both."""

    marks = ("GPU0",)

    def __init__(self) -> None:
        self.open = False
        self._cards: list[str] = []
        self._links: set[str] = set()
        self._line: Line | None = None

    def line(self, line: Line, out: Observations) -> None:
        """Read the header or a card's row."""
        words = line.text.split()
        if words[:2] == ["GPU0", "GPU1"]:
            self.end(out)
            self._cards = [word for word in words if re.fullmatch(r"GPU\d{1,3}", word)]
            self.open, self._line = True, line
        elif self.open and words and words[0] in self._cards:
            whole = words[1 : 1 + len(self._cards)]
            whole = whole if line.ended else words[1:-1][: len(self._cards)]
            self._links.update("nvlink" for word in whole if _FABRIC.fullmatch(word))
            self._links.update("pcie" for word in whole if word in _BUSES)
        elif self.open and words:
            self.end(out)

    def end(self, out: Observations) -> None:
        """Tell the links of a matrix."""
        for link in sorted(self._links):
            out.put("gpu_link", link, self._line)
        if self._links:
            out.seen("nvidia-topology", self._line)
        self.open, self._links = False, set()


_LISTED = re.compile(
    r"GPU (?:(?<=^GPU )|(?<=: GPU ))(\d{1,3}): ((?:NVIDIA|Tesla|GeForce|Quadro|TITAN|AMD|Intel)[^(:\n\x00]{1,80}?)"
    r"(?: \(UUID: [^)\n]{1,80}\))?$"
)


_DRIVER = re.compile(r"Nvidia driver version: (\d{2,4}(?:\.\d{1,4}){1,3})$")


class Listed:
    """``nvidia-smi -L``, which PyTorch's collect_env repeats."""

    marks = ("GPU ", "vidia driver version")
    open = False

    def line(self, line: Line, out: Observations) -> None:
        """Read a card, or collect_env's line of the driver."""
        text = text_of(line)
        driver = _DRIVER.search(text)
        if driver is not None:
            out.put("driver_version", driver[1], line)
        found = _LISTED.search(text)
        if found is not None:
            out.put("gpu_index", int(found[1]), line)
            out.put("gpu_name", found[2], line)
            out.seen("nvidia-smi", line)

    def end(self, out: Observations) -> None:
        """Lines are complete in themselves."""


READERS = (Query, Report, Topology, Listed)
