"""What nvidia-smi prints: its table of every driver; its queries, report and topology are in ``nvidia_query``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.artefacts.model import Observations
from engine.artefacts.readers.nvidia_query import Listed, Query, Report, Topology
from engine.artefacts.readers.whole import cells
from engine.artefacts.text import Line

_BUS = re.compile(r"[0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.\d")
_CARD = re.compile(r"(\d{1,3})\s{1,8}(\S.{0,80}?)\s{1,40}(?:On|Off|WDDM|TCC|MCDM|N/A|ERR!|Enabled|Disabled|\[N/A\])")
_DRIVER = re.compile(r"(?:Driver|KMD) Version: {1,12}(\d{2,4}(?:\.\d{1,4}){1,3})(?=\s|$)")
_CUDA = re.compile(r"CUDA (?:UMD )?Version: {1,12}(\d{1,3}\.\d{1,3})(?=\s|$)")
_HEAT = re.compile(r"(?:^|\s)(-?\d{1,3})C(?=\s|$)")
_POWER = re.compile(
    r"(?:^|\s)(\d{1,5}(?:\.\d{1,3})?)W(?= {0,4}/|\s|$)(?: {0,4}/ {0,4}(\d{1,5}(?:\.\d{1,3})?)W(?=\s|$))?"
)
_CAP = re.compile(r"/ {0,4}(\d{1,5})W(?=\s|$)")
_MEMORY = re.compile(r"(\d{1,9}) ?MiB {0,4}/ {0,4}(\d{1,9}) ?MiB")
_ALONE = re.compile(r"(?<![\d.])" + _MEMORY.pattern + r"(?!\w)")
"""The memory of a card by itself, as people quote it."""
_BUSY = re.compile(r"(\d{1,3})%(?=\s|$)")
_MIG = ("Disabled", "Enabled", "Disabled*", "Enabled*")
_AT_CAP = 0.97
"""Of the cap: what is drawn swings a little below it while clocks are held down."""


class Table:
    """The table: three lines a card, two before driver 450. Open from its heading to the processes below it."""

    marks = ("NVIDIA-SMI", "Bus-Id", "MiB /", "MiB/", "00000000:", ":00.0 O")

    def __init__(self) -> None:
        self.open = False
        self._slices = False  # the table of MIG devices: parts of a card, whose memory is not the card's

    def line(self, line: Line, out: Observations) -> None:
        """Read a heading or a card's line."""
        text = line.text
        if "NVIDIA-SMI" in text or "Bus-Id" in text:
            self._slices = False
            self._heading(line, out)
            return
        self._slices = self._slices or "MIG devices:" in text
        if self._slices:
            return
        row = cells(line)
        if not row and (alone := _ALONE.search(text)) is not None:
            self._memory(alone, line, out)
        if "Processes:" in text or (text.strip() and not row and text.strip()[0] not in "+|"):
            self.open = False
            return
        if len(row) >= 2 and _BUS.search(row[1]):
            self.open = True
            self._first(row, line, out)
        elif len(row) >= 1 and (self.open or "MiB" in text):
            self._second(row, line, out)

    def _heading(self, line: Line, out: Observations) -> None:
        self.open = True
        if "|" not in line.text:
            return
        text = line.text if line.ended else line.text.rpartition(" ")[0]
        for name, pattern in (("driver_version", _DRIVER), ("cuda_version", _CUDA)):
            found = pattern.search(text)
            if found is not None:
                out.put(name, found[1], line)
                out.seen("nvidia-smi", line)

    @staticmethod
    def _first(row: Sequence[str], line: Line, out: Observations) -> None:
        found = _CARD.fullmatch(row[0])
        if found is not None:
            out.put("gpu_index", int(found[1]), line)
            out.put("gpu_name", found[2], line)
            out.seen("nvidia-smi", line)

    def _second(self, row: Sequence[str], line: Line, out: Observations) -> None:
        """Temperature and power, memory, utilisation; or, a line below, the MIG mode."""
        state = row[0]
        if state:
            heat, power = _HEAT.search(state), _POWER.search(state)
            if heat is not None:
                out.put("gpu_temperature", heat[1], line)
            if power is not None:
                out.put("gpu_power", power[1], line)
            cap = _CAP.search(state)
            if cap is not None:
                out.put("gpu_power_cap", cap[1], line)
            if power is not None and cap is not None and float(power[1]) >= _AT_CAP * float(cap[1]):
                out.trap("at-power-cap", "gpu_power", line)
            self._rest(row[1:], line, out)
        elif len(row) >= 3 and row[2] in _MIG:
            out.put("mig_mode", row[2], line)

    @staticmethod
    def _rest(row: Sequence[str], line: Line, out: Observations) -> None:
        memory = _MEMORY.fullmatch(row[0]) if row else None
        if memory is not None:
            Table._memory(memory, line, out)
        busy = _BUSY.match(row[1]) if len(row) > 1 else None
        if busy is not None:
            out.put("gpu_utilization", busy[1], line, "%")
            out.trap("utilization-not-load", "gpu_utilization", line)

    @staticmethod
    def _memory(found: re.Match[str], line: Line, out: Observations) -> None:
        out.put("gpu_memory_used", found[1], line, "MiB")
        out.put("gpu_memory_total", found[2], line, "MiB")
        out.trap("engine-sees-less", "gpu_memory_total", line)
        out.trap("reserved-not-needed", "gpu_memory_used", line)
        out.seen("nvidia-smi", line)

    def end(self, out: Observations) -> None:
        """A table that stops is read as far as it goes."""


_PROCESS = re.compile(
    r"\|\s{1,8}(?P<card>\d{1,3})(?:\s{1,6}(?:N/A|\d{1,4})){0,2}\s{1,12}(?P<pid>\d{1,10})\s{1,8}(?P<type>C|C\+G|M\+C)\s"
    r".{0,200}?\s(?P<memory>\d{1,9})MiB\s{0,4}\|"
)


class Processes:
    """The table of processes below it: a card that several programs hold memory of serves more than one."""

    marks = ("Processes:", "MiB |")
    open = False

    def __init__(self) -> None:
        self._held: dict[int, dict[str, Line]] = {}

    def line(self, line: Line, out: Observations) -> None:
        """Read a process that computes; those that draw are none of a server's."""
        found = _PROCESS.match(line.text.strip())
        if found is not None and len(self._held) < _MOST:
            out.seen("nvidia-smi", line)
            held = self._held.setdefault(int(found["card"]), {})
            if len(held) < _MOST:
                held[found["pid"]] = line

    def end(self, out: Observations) -> None:
        """Tell of the cards with more than the others: one process each is a server, two are two."""
        fewest = min((len(held) for held in self._held.values()), default=0) if len(self._held) > 1 else 1
        beside = "gpu_memory_used" if "gpu_memory_used" in out.series else ""
        for card, held in self._held.items():
            if len(held) > fewest:
                last = list(held.values())[-1]
                out.trap("several-processes", beside, last, card=str(card), count=len(held))


_MOST = 256
"""Cards, and processes of each, that are told apart."""


READERS = (Table, Processes, Query, Report, Topology, Listed)
