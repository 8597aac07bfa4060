"""The probe's program in a process of its own: started, heard, stopped. Whatever happens to it, its events have an end.

Three threads belong to a child: two hear its outputs, one keeps the time and passes events on; all end with it. Its
standard input stays open as long as we live: a parent that is killed takes the child with it.
"""

from __future__ import annotations

import json
import queue
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import engine
from tutor.probing import pipes
from tutor.probing.asking import end, own_group
from tutor.probing.pipes import Event
from tutor.probing.pythons import environment
from tutor.probing.watch import MAX_ODD, Limits, Watch

__all__ = ["PROGRAM", "Child", "Event", "Limits", "start"]

PROGRAM = Path(engine.__file__).parent / "probe" / "program"
"""The folder that a Python runs."""
PROTOCOL = 1
TAIL = 20
"""Lines of standard error that are kept."""
_WAKE = b"(look)"
"""In the place of a line: somebody wants the keeper to look up."""


class Child:
    """A running probe. Iterate :meth:`events` from any one thread; :meth:`cancel` may come from another.

    The last event is always an ``end`` or a ``failed``: the program's own, or ours when it ended without. Ours have the
    ids killed, crashed, torch-broken, timeout, hung, unreadable, silent.

    Attributes:
        odd: lines that were no events.
    """

    def __init__(
        self, process: subprocess.Popen[bytes], seconds: float, limits: Limits, first: Sequence[Event] = ()
    ) -> None:
        self.odd = 0
        self._process = process
        self._limits = limits
        self._seconds = seconds
        self._raw: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._told: queue.SimpleQueue[Event | None] = queue.SimpleQueue()
        self._tail: deque[str] = deque(maxlen=TAIL)
        self._stop = threading.Event()
        self._over = threading.Event()
        self._done = threading.Event()
        self._readers = [
            threading.Thread(target=self._hear, args=(process.stdout,), name="probe-out", daemon=True),
            threading.Thread(target=self._hear_errors, args=(process.stderr,), name="probe-err", daemon=True),
        ]
        self._keeper = threading.Thread(target=self._keep, name="probe", daemon=True)
        for event in first:
            self._told.put(event)
        for thread in (*self._readers, self._keeper):
            thread.start()

    @property
    def pid(self) -> int:
        """The process."""
        return self._process.pid

    @property
    def tail(self) -> tuple[str, ...]:
        """The last lines of its standard error."""
        return tuple(self._tail)

    @property
    def running(self) -> bool:
        """Whether it has not ended, or not all was cleared up behind it."""
        return not self._done.is_set()

    def events(self) -> Iterator[Event]:
        """Its events as they come, an ``end`` or a ``failed`` last."""
        while True:
            try:
                event = self._told.get(timeout=1.0)  # without one, ctrl+c would not come through everywhere
            except queue.Empty:
                if self._done.is_set():  # an interrupt took the last word with it
                    break
                continue
            if event is None:
                break
            yield event
        self._told.put(None)  # for whoever asks again

    def cancel(self) -> None:
        """Ask it to stop; in two seconds it is ended. Its events go on to an ``end`` with the reason ``stop``."""
        if not self._stop.is_set():
            self._stop.set()
            self._raw.put(_WAKE)

    @property
    def stopping(self) -> bool:
        """Whether it was asked to stop."""
        return self._stop.is_set()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until nothing is left of it; whether that is so."""
        return self._done.wait(timeout)

    # --- hearing -----------------------------------------------------------------------------------------------------

    def _hear(self, pipe: IO[bytes]) -> None:
        for line in pipes.lines(pipe.fileno(), self._over):
            self._raw.put(line)
        self._raw.put(None)

    def _hear_errors(self, pipe: IO[bytes]) -> None:
        for line in pipes.lines(pipe.fileno(), self._over):
            text = " ".join("".join(c if c.isprintable() else " " for c in line.decode("utf-8", "replace")).split())
            if text:
                self._tail.append(text[:300])

    # --- keeping time ------------------------------------------------------------------------------------------------

    def _keep(self) -> None:
        watch = Watch(self._seconds, self._limits)
        try:
            self._listen(watch)
        finally:
            self._clear(watch)
            if not watch.ended:
                self._told.put(self._ending(watch))
            self._told.put(None)
            self._done.set()

    def _listen(self, watch: Watch) -> None:
        """Pass events on until the child's output ends, or it has to be ended."""
        while not watch.late:
            if self._stop.is_set() and not watch.stopping:
                watch.stop()
                end(self._process)
            try:
                line = self._raw.get(timeout=watch.patience())
            except queue.Empty:
                watch.look()
                continue
            if line is None:
                return
            self._take(line, watch)

    def _take(self, line: bytes, watch: Watch) -> None:
        event = None if line is _WAKE else pipes.event(line)
        if event is None:
            self.odd += line is not _WAKE
            watch.flooded = watch.flooded or self.odd > MAX_ODD
        elif not watch.ended:
            watch.heard(event)
            self._told.put(event)
        watch.look()

    def _clear(self, watch: Watch) -> None:
        """End what still runs, reap it, let the readers end, close the pipes."""
        process = self._process
        if not watch.late:
            with suppress(subprocess.TimeoutExpired):
                process.wait(self._limits.leave)
        watch.own = process.poll()  # how it ended by itself, before we lend a hand
        end(process, hard=True)
        process.wait()
        self._readers[0].join(0.5)  # what it wrote last
        self._over.set()
        for reader in self._readers:
            reader.join(2.0)
        for pipe in (process.stdin, process.stdout, process.stderr):
            with suppress(OSError, ValueError):  # a request that it never read cannot be flushed
                pipe.close() if pipe is not None else None

    def _ending(self, watch: Watch) -> Event:
        """The event that the child did not come to."""
        if watch.stopping:
            return {"event": "end", "reason": "stop", "elapsed": round(watch.elapsed, 3), "stages": {}, "memory": {}}
        id, detail = self._cause(watch)
        return {"event": "failed", "id": id, "detail": detail, "log": list(self._tail)[-5:]}

    def _cause(self, watch: Watch) -> tuple[str, str]:
        last = self._tail[-1] if self._tail else ""
        if watch.late:
            return watch.late, watch.stage
        status = watch.own
        if status is None or status == 0:
            return ("unreadable", str(self.odd)) if self.odd else ("silent", last)
        name = _signal(status)
        if name in ("SIGKILL", "SIGTERM", "SIGHUP", "SIGINT"):
            return "killed", name
        if "out of memory" in last.lower():
            return "no-memory", last
        if not watch.greeted:
            return "torch-broken", name or last
        return "crashed", name or last or str(status)


def start(
    request: Mapping[str, Any], python: str, *, program: Path = PROGRAM, limits: Limits = Limits(),  # noqa: B008
    extra: Mapping[str, str] | None = None, first: Sequence[Event] = (),
) -> Child:  # fmt: skip
    """Start the program with a Python, and hand it the request.

    Args:
        request: as the protocol has it; ``seconds`` bounds the run.
        python: the file of a Python that has torch.
        program: what it runs.
        limits: patience with it.
        extra: variables of its environment.
        first: events of ours that come before its own.

    Raises:
        OSError: the Python cannot be started.
    """
    process = subprocess.Popen(
        [python, str(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=environment(extra), **own_group(),
    )  # fmt: skip
    child = Child(process, float(request.get("seconds") or 0.0), limits, first)
    line = json.dumps({"protocol": PROTOCOL, **request}, allow_nan=False).encode("ascii") + b"\n"
    assert process.stdin is not None
    with suppress(OSError, ValueError):  # it is gone already; its ending says why
        process.stdin.write(line)
        process.stdin.flush()
    return child


def _signal(status: int) -> str:
    """The signal that ended a process, "" where none did. Windows reports a crash as a status of its own."""
    if status < 0:
        try:
            return signal.Signals(-status).name
        except ValueError:
            return f"signal {-status}"
    return {0xC0000005: "access violation", 0xC0000409: "stack overrun"}.get(status & 0xFFFFFFFF, "")
