"""The programs and files of each vendor's driver, read with suspicion: none of them promises its format."""

from __future__ import annotations

import csv
import json
import os
import platform
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from tutor.probing import asking, cards
from tutor.probing.cards import MIB, PATIENCE, Card, Other

# --- NVIDIA ----------------------------------------------------------------------------------------------------------


def nvml() -> list[Card]:
    """By NVIDIA's library, in a process of its own; none where it is not installed or does not answer."""
    if not cards.pynvml_at_hand() or not sys.executable:
        return []
    told = _json([sys.executable, str(Path(__file__).with_name("nvml.py"))])
    return [_of_nvml(one, place) for place, one in enumerate(told)] if isinstance(told, list) else []


def _of_nvml(one: Any, place: int) -> Card:
    told: Mapping[str, Any] = one if isinstance(one, dict) else {}
    others = told.get("others")
    return Card(
        "nvidia", _name(told.get("name")), _whole(told.get("index")) or place, _name(told.get("uuid")),
        _whole(told.get("total")), _whole(told.get("free")),
        None if not isinstance(others, list) else tuple(filter(None, map(_other, others))),
        _percent(told.get("utilization")), _name(told.get("driver")), told.get("slices") is True,
    )  # fmt: skip


def _other(one: Any) -> Other | None:
    pid = _whole(one.get("pid")) if isinstance(one, dict) else None
    return None if pid is None else Other(pid, "", _whole(one.get("bytes")))


_FIELDS = "index,uuid,name,memory.total,memory.free,utilization.gpu,driver_version,mig.mode.current"


def nvidia_smi() -> list[Card]:
    """By the program that comes with every driver of NVIDIA's."""
    program = shutil.which("nvidia-smi") or cards.wsl_program()
    if not program:
        return []
    rows = _rows(program, f"--query-gpu={_FIELDS}") or _rows(program, f"--query-gpu={_FIELDS.rpartition(',')[0]}")
    found = [card for card in map(_of_row, rows or ()) if card is not None]
    if not found:
        return []
    apps = _rows(program, "--query-compute-apps=gpu_uuid,pid,used_memory,process_name")
    hidden = apps is None or bool(cards.wsl_program())  # under WSL the list is always empty
    return [card if hidden else card._replace(others=tuple(_apps(apps or (), card.uuid))) for card in found]


def _rows(program: str, query: str) -> list[list[str]] | None:
    """The lines of an answer as cells; ``None`` where the program does not know the question, or hangs."""
    text = _text([program, query, "--format=csv,noheader,nounits"])
    if text is None:
        return None
    try:
        return [
            [cell.strip() for cell in row] for row in csv.reader(text.splitlines()[:1000], skipinitialspace=True) if row
        ]
    except csv.Error:
        return None


def _of_row(row: Sequence[str]) -> Card | None:
    """A card of a line; ``None`` for a line that is none ("No devices were found")."""
    if len(row) < 7 or not row[0].isascii() or not row[0].isdecimal():
        return None
    total, free = (None if (value := _whole(cell)) is None else value * MIB for cell in row[3:5])
    slices = len(row) > 7 and row[7].lower() == "enabled"
    return Card(
        "nvidia", _name(row[2]), int(row[0][:4]), _name(row[1]), total, free, None, _percent(row[5]),
        _name(row[6]), slices,
    )  # fmt: skip


def _apps(rows: Sequence[Sequence[str]], uuid: str) -> Iterator[Other]:
    for row in rows:
        pid = _whole(row[1]) if len(row) >= 3 and row[0] == uuid else None
        if pid is not None:
            held = _whole(row[2])
            yield Other(pid, _name(row[3]) if len(row) > 3 else "", None if held is None else held * MIB)


def nvidia_files() -> list[Card]:
    """By the driver's files, where its program is missing or hangs: that there are cards, and their names."""
    found: list[Card] = []
    with suppress(OSError):
        for place, file in enumerate(sorted(Path("/proc/driver/nvidia/gpus").glob("*/information"))):
            lines = dict(line.partition(":")[::2] for line in file.read_text("utf-8", "replace").splitlines())
            found.append(Card("nvidia", _name(lines.get("Model")), place, _name(lines.get("GPU UUID"))))
    return found


# --- AMD -------------------------------------------------------------------------------------------------------------


def amd_smi() -> list[Card]:
    """By AMD's newer program."""
    program = shutil.which("amd-smi")
    told = _json([program, "metric", "--mem-usage", "--usage", "--json"]) if program else None
    listed = told.get("gpu_data") if isinstance(told, dict) else told  # newer ones put the list into a table
    if program is None or not isinstance(listed, list):
        return []
    named = _json([program, "static", "--asic", "--json"])
    named = named.get("gpu_data") if isinstance(named, dict) else named
    names = [_at(one, "asic", "market_name") for one in named] if isinstance(named, list) else []
    return [_of_amd(one, place, names) for place, one in enumerate(listed)]


def _of_amd(one: Any, place: int, names: Sequence[Any]) -> Card:
    total, free = (_sized(_at(one, "mem_usage", name)) for name in ("total_vram", "free_vram"))
    busy = _at(one, "usage", "gfx_activity")
    return Card(
        "amd", _name(names[place]) if place < len(names) else "", place, "", total, free, None,
        _percent(busy.get("value") if isinstance(busy, dict) else busy),
    )  # fmt: skip


def _sized(told: Any) -> int | None:
    """A size as {"value": 196592, "unit": "MB"}; AMD's MB are of 2^20."""
    value = _whole(told.get("value")) if isinstance(told, dict) else None
    return None if value is None else value * {"GB": 2**30, "B": 1}.get(str(told.get("unit")), MIB)


def rocm_smi() -> list[Card]:
    """By AMD's older program."""
    program = shutil.which("rocm-smi")
    told = _json([program, "--showproductname", "--showmeminfo", "vram", "--showuse", "--json"]) if program else None
    if not isinstance(told, dict):
        return []
    found = []
    for place, (_, one) in enumerate((key, value) for key, value in sorted(told.items()) if key.startswith("card")):
        lower = {str(key).lower(): value for key, value in one.items()} if isinstance(one, dict) else {}
        total, used = (_whole(lower.get(f"vram total {word}memory (b)")) for word in ("", "used "))
        name = _name(lower.get("card series") or lower.get("card model"))
        free = None if total is None or used is None else total - used
        found.append(Card("amd", name, place, "", total, free, None, _percent(lower.get("gpu use (%)"))))
    return found


def amd_files() -> list[Card]:
    """By the kernel's interface, where no program of AMD's is installed: that there is a card."""
    nodes = Path("/sys/class/kfd/kfd/topology/nodes")
    found = 0
    with suppress(OSError):
        for file in nodes.glob("*/properties"):
            lines = dict(line.partition(" ")[::2] for line in file.read_text("utf-8", "replace").splitlines())
            found += lines.get("simd_count", "0").strip() not in ("", "0")  # a processor is a node too
    return [Card("amd", "", place) for place in range(found)] if Path("/dev/kfd").exists() else []


# --- Apple -----------------------------------------------------------------------------------------------------------


def apple() -> list[Card]:
    """The processor of a Mac, which is its card too."""
    if platform.system() != "Darwin" or platform.machine() != "arm64":
        return []
    return [Card("apple", _name(_text(["sysctl", "-n", "machdep.cpu.brand_string"])), total=_memory())]


def _memory() -> int | None:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return None


# --- reading ---------------------------------------------------------------------------------------------------------


def _text(command: Sequence[str]) -> str | None:
    """What a program says; ``None`` where it fails or hangs."""
    try:
        answer = asking.ask(command, PATIENCE)
    except (OSError, ValueError):
        return None
    return answer.text if answer.status == 0 and not answer.late else None


def _json(command: Sequence[str]) -> Any:
    """What a program says, as JSON; ``None`` for anything else. Warnings may stand before it."""
    text = _text(command)
    if text is None:
        return None
    starts = [place for place in (text.find("{"), text.find("[")) if place >= 0]
    try:
        return json.loads(text[min(starts) :]) if starts else None
    except (ValueError, RecursionError):
        return None


def _at(value: Any, *path: str) -> Any:
    for step in path:
        value = value.get(step) if isinstance(value, dict) else None
    return value


def _name(value: Any) -> str:
    """A short printable text; drivers say "[N/A]" and the like for none."""
    text = "" if value is None else " ".join("".join(c if c.isprintable() else " " for c in str(value)[:200]).split())
    return (
        ""
        if text.strip("[]").lower() in ("n/a", "not supported", "unknown error", "insufficient permissions")
        else text
    )


def _whole(value: Any) -> int | None:
    """A count that is none below zero; ``None`` for anything else."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, float):
        value = int(value) if abs(value) < 2**63 else None
    text = str(value).strip()
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 20 else None


def _percent(value: Any) -> int | None:
    found = _whole(value)
    return found if found is not None and found <= 100 else None
