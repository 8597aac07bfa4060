"""The machine around the device, from the standard library alone; what a system does not tell is ``None``."""

from __future__ import annotations

import ctypes
import os
import platform
import sys
from contextlib import suppress
from pathlib import Path

_SIGNS = ("/proc/driver/nvidia/version", "/dev/nvidiactl", "/dev/kfd", "/dev/dxg", r"C:\Windows\System32\nvcuda.dll")
"""What a machine with a GPU's driver has: NVIDIA, AMD, the Windows subsystem for Linux, Windows."""


def gpu_seems_there() -> bool:
    """Whether a driver of NVIDIA or AMD left its traces."""
    return any(Path(sign).exists() for sign in _SIGNS)


def _text(path: str) -> str | None:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace").strip()
    except (OSError, ValueError):
        return None


def _number(path: str) -> int | None:
    text = _text(path)
    return int(text) if text and text.isdigit() else None


def processor() -> str:
    """Name of the processor."""
    for line in (_text("/proc/cpuinfo") or "").splitlines():
        name, _, value = line.partition(":")
        if name.strip() in ("model name", "Hardware", "Model"):
            return value.strip() or "CPU"
    return platform.processor() or platform.machine() or "CPU"


def last_cache() -> int | None:
    """Bytes of the first core's last-level cache."""
    found = []
    for index in range(6):
        folder = f"/sys/devices/system/cpu/cpu0/cache/index{index}/"
        size = _text(folder + "size") or ""
        if size[:-1].isdigit() and size[-1] in "KMG":
            found.append(int(size[:-1]) << {"K": 10, "M": 20, "G": 30}[size[-1]])
    return max(found) if found else None


def memory() -> tuple[int | None, int | None]:
    """Bytes of memory, and those that are free: a container's limit counts as the whole."""
    total, free = _memory()
    limit, used = _number("/sys/fs/cgroup/memory.max"), _number("/sys/fs/cgroup/memory.current")
    if limit is not None and used is not None and (total is None or limit < total):
        left = max(0, limit - used)
        return limit, left if free is None else min(free, left)
    return total, free


def _memory() -> tuple[int | None, int | None]:
    if sys.platform == "win32":
        return _windows_memory()
    fields = {}
    for line in (_text("/proc/meminfo") or "").splitlines():
        name, _, value = line.partition(":")
        with suppress(ValueError, IndexError):
            fields[name] = int(value.split()[0]) * 1024
    if "MemTotal" in fields:
        return fields["MemTotal"], fields.get("MemAvailable", fields.get("MemFree"))
    with suppress(ValueError, OSError, AttributeError):
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        # macOS tells no free memory without a foreign program; half of it is a safe guess.
        return total, total // 2
    return None, None


def _windows_memory() -> tuple[int | None, int | None]:
    class Status(ctypes.Structure):
        _fields_ = (
            ("length", ctypes.c_ulong), ("load", ctypes.c_ulong),
            *((name, ctypes.c_ulonglong) for name in ("total", "free", "a", "b", "c", "d", "e")),
        )  # fmt: skip

    status = Status()
    status.length = ctypes.sizeof(Status)
    try:
        ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status))  # type: ignore[attr-defined,unused-ignore]
    except (AttributeError, OSError):
        return None, None
    return int(status.total), int(status.free)


def usable_cores() -> int:
    """Cores that this process may use: its affinity, and a container's quota."""
    cores = os.cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    quota = (_text("/sys/fs/cgroup/cpu.max") or "").split()
    if len(quota) == 2 and all(part.isdigit() for part in quota) and int(quota[1]):
        cores = min(cores, max(1, int(quota[0]) // int(quota[1])))
    return cores


def resident() -> int | None:
    """Bytes of the process in memory now; the peak is counted anew from here, where the system can."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
    return _status("VmRSS")


def resident_peak() -> int | None:
    """Most bytes of the process in memory."""
    return _status("VmHWM")


def _status(name: str) -> int | None:
    for line in (_text("/proc/self/status") or "").splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1]) * 1024
    return None
