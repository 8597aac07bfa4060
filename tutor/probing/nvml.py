"""A program of its own: what NVIDIA's library tells of the cards, as one line of JSON. It may hang or crash alone.

Run as a file, with nothing of the tutor on its path.
"""

from __future__ import annotations

import json
from contextlib import suppress
from importlib import import_module
from typing import Any


def main() -> None:
    """Print the cards."""
    pynvml: Any = import_module("pynvml")
    pynvml.nvmlInit()
    driver = _text(pynvml.nvmlSystemGetDriverVersion())
    print(json.dumps([_card(pynvml, index, driver) for index in range(pynvml.nvmlDeviceGetCount())]))


def _card(pynvml: Any, index: int, driver: str) -> dict[str, Any]:
    handle = pynvml.nvmlDeviceGetHandleByIndex(index)
    card: dict[str, Any] = {"index": index, "driver": driver, "name": _text(pynvml.nvmlDeviceGetName(handle))}
    error = pynvml.NVMLError  # what a driver does not support stays away
    with suppress(error):
        card["uuid"] = _text(pynvml.nvmlDeviceGetUUID(handle))
    with suppress(error):
        memory = pynvml.nvmlDeviceGetMemoryInfo(handle)
        card |= {"total": memory.total, "free": memory.free}
    with suppress(error):
        card["utilization"] = pynvml.nvmlDeviceGetUtilizationRates(handle).gpu
    with suppress(error):
        card["slices"] = pynvml.nvmlDeviceGetMigMode(handle)[0] == 1
    with suppress(error):
        found = pynvml.nvmlDeviceGetComputeRunningProcesses(handle)
        card["others"] = [{"pid": one.pid, "bytes": one.usedGpuMemory} for one in found]
    return card


def _text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


if __name__ == "__main__":
    main()
