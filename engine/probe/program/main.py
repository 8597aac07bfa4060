"""From the request on standard input to the exit status."""

from __future__ import annotations

import os
import platform
import sys
import time
from typing import Any

from . import backends, guard, host, torch_device
from .emit import Emitter, line
from .model import NoDevice, NoMemory, Refused, Request, Stopped
from .request import read
from .run import measure

GRACE = 5.0
"""Seconds over the budget after which a step that hangs is left behind."""
DONE, FAILED = 0, 3


class Failure(Exception):
    """Ends the run with a ``failed`` event."""

    def __init__(self, id: str, detail: str) -> None:
        super().__init__(detail)
        self.id = id


def main() -> None:
    """Run, and leave at once: what torch would still tidy up is the system's to take back, and may crash."""
    guard.stop_on_signal()
    guard.end_with_parent()
    emitter = Emitter(guard.own_output())
    status = DONE
    try:
        status = program(emitter)
    except (Stopped, BrokenPipeError):
        pass
    except Exception as error:
        status = FAILED
        emitter.last("failed", id="error", detail=line(error))
    finally:
        os._exit(status)


def program(emitter: Emitter) -> int:
    """Everything; the exit status. Raises ``Stopped`` when asked to end before the run has begun."""
    try:
        asked = read(guard.first_line())
        guard.end_with_input()
        _measure(emitter, asked)
    except ValueError as error:
        return _failed(emitter, "error", error)
    except Failure as failure:
        return _failed(emitter, failure.id, failure)
    except NoDevice as error:
        return _failed(emitter, "no-device", error)
    except NoMemory as error:
        return _failed(emitter, "no-memory", error)
    except Refused as error:
        return _failed(emitter, "unsupported", error)
    return DONE


def _failed(emitter: Emitter, id: str, error: BaseException) -> int:
    emitter.last("failed", id=id, detail=line(error))
    return FAILED


def _measure(emitter: Emitter, asked: Request) -> None:
    torch, seconds = _torch()
    name = _told(emitter, torch, asked, seconds)
    device = backends.opened(torch, name)
    began = time.perf_counter()

    def end() -> None:
        emitter.last(
            "end", reason="budget", elapsed=time.perf_counter() - began, stages={},
            memory={"budget": None, "peak": None},
        )  # fmt: skip

    over = guard.end_in_time(asked.seconds + GRACE, end)
    measure(device, emitter, asked)
    over.set()


def _torch() -> tuple[Any, float]:
    """torch and the seconds that its import took. Raises ``Failure`` and ``Refused``."""
    began = time.perf_counter()
    try:
        torch = torch_device.load()
    except ModuleNotFoundError as error:
        raise Failure("no-torch" if error.name == "torch" else "torch-broken", line(error)) from None
    except (Refused, Stopped, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise Failure("torch-broken", line(error)) from None
    return torch, time.perf_counter() - began


def _told(emitter: Emitter, torch: Any, asked: Request, seconds: float) -> str:
    """Tell versions, and why no GPU is measured when none is; the device's name. Raises ``NoDevice``."""
    try:
        name, missing = backends.chosen(torch, asked.device), None
    except NoDevice as error:
        name, missing = asked.device, error
    backend = "rocm" if name == "cuda" and torch.version.hip else name
    emitter.event(
        "hello", protocol=1, python=platform.python_version(), torch=str(torch.__version__), backend=backend,
        import_seconds=seconds,
    )  # fmt: skip
    built = bool(torch.version.cuda or torch.version.hip)
    wanted = missing is not None or (asked.device == "auto" and name == "cpu")
    if wanted and not built and sys.platform != "darwin" and host.gpu_seems_there():
        emitter.event("note", id="cpu-build", version=str(torch.__version__))
    if missing is not None:
        raise missing
    if wanted:
        emitter.event("note", id="no-gpu")
    return name
