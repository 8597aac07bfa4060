"""The probe's child: whatever the program does, its events have an end, and nothing of it is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.probe.gather import gathered
from tutor.probing import child, watch
from tutor.probing.child import Child, Event, Limits

QUICK = Limits(start=20.0, silence=20.0, leave=1.0)
"""Patience that a busy machine does not try."""
HEAD = """
import json, os, signal, sys, time
request = json.loads(sys.stdin.readline())
def tell(event, **fields):
    print(json.dumps({"event": event, **fields}), flush=True)
def hello():
    tell("hello", protocol=1, python="3.11", torch="2.9", backend="cuda", import_seconds=1.0)
    tell("plan", dtype="bf16")
    tell("stage", stage="bandwidth", n=3, of=10, elapsed=1.0, budget=25.0)
def end():
    tell("end", reason="done", elapsed=2.0, stages={}, memory={})
"""
Start = Callable[..., Child]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts a program given as text; afterwards none of its threads, pipes or processes may be left."""
    before, children = open_files(), []

    def starting(body: str, seconds: float = 5.0, limits: Limits = QUICK, **extra: str) -> Child:
        program = tmp_path / f"program{len(children)}.py"
        program.write_text(HEAD + body)
        made = child.start({"seconds": seconds, "device": "cpu"}, sys.executable, program=program, limits=limits,
                           extra=extra)  # fmt: skip
        children.append(made)
        return made

    yield starting
    for one in children:
        one.cancel()
        assert one.wait(10)
        with pytest.raises(ProcessLookupError):
            os.kill(one.pid, 0)
    until = time.monotonic() + 5
    while time.monotonic() < until and any(thread.name.startswith("probe") for thread in threading.enumerate()):
        time.sleep(0.01)
    assert [thread.name for thread in threading.enumerate() if thread.name.startswith("probe")] == []
    assert open_files() == before


def open_files() -> int:
    folder = Path("/proc/self/fd")
    return len(list(folder.iterdir())) if folder.exists() else 0


def heard(one: Child) -> list[Event]:
    return list(one.events())


def last(one: Child) -> Event:
    events = heard(one)
    assert sum(event["event"] in ("end", "failed") for event in events) == 1, events
    return events[-1]


def waited(what: Callable[[], bool], seconds: float = 10.0) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if what():
            return True
        time.sleep(0.02)
    return what()


# --- what it says ----------------------------------------------------------------------------------------------------


def test_events_come_in_their_order_and_end(start: Start) -> None:
    one = start("hello(); end()")
    assert [event["event"] for event in heard(one)] == ["hello", "plan", "stage", "end"]
    assert one.odd == 0
    assert heard(one) == [], "asked again it has nothing more to say, and does not wait"


def test_the_program_gets_the_request_and_the_protocol(start: Start) -> None:
    one = start("tell('note', id='echo', **{k: v for k, v in request.items() if k != 'event'}); end()", seconds=7.0)
    assert heard(one)[0] == {"event": "note", "id": "echo", "protocol": 1, "seconds": 7.0, "device": "cpu"}


def test_lines_that_are_no_events_are_counted_and_left_out(start: Start) -> None:
    one = start(
        r"""
hello()
print("Warning: something"); print(""); print("[1, 2]"); print('{"no": "event"}'); print('{"event": 7}')
print("[" * 100000); print("1" * 10000); print("x" * 1000000, flush=True)
sys.stdout.buffer.write(b"\xff\xfe\x00garbage\n"); sys.stdout.flush()
end()
"""
    )
    events = heard(one)
    assert [event["event"] for event in events] == ["hello", "plan", "stage", "end"]
    assert one.odd == 9


def test_numbers_that_are_none_do_not_come_through(start: Start) -> None:
    one = start(
        'print(\'{"event": "note", "id": "x", "a": NaN, "b": -Infinity, "c": 1e999, "d": 1.5}\'); hello(); end()'
    )
    assert heard(one)[0] == {"event": "note", "id": "x", "a": None, "b": None, "c": None, "d": 1.5}


def test_an_event_that_comes_in_pieces_is_one(start: Start) -> None:
    one = start(
        r"""
hello()
for piece in ('{"event": "no', 'te", "id": "split"}', "\n"):
    sys.stdout.write(piece); sys.stdout.flush(); time.sleep(0.05)
end()
"""
    )
    assert {"event": "note", "id": "split"} in heard(one)


def test_what_comes_after_the_end_is_not_heard(start: Start) -> None:
    one = start("hello(); end(); tell('note', id='late'); tell('failed', id='error', detail='late')")
    assert last(one)["event"] == "end"


def test_the_last_words_without_a_line_end_count(start: Start) -> None:
    one = start("hello(); sys.stdout.write(json.dumps({'event': 'end', 'reason': 'done'})); sys.stdout.flush()")
    assert last(one)["reason"] == "done"


# --- how it ends -----------------------------------------------------------------------------------------------------


def test_its_own_failure_is_its_ending(start: Start) -> None:
    one = start("tell('failed', id='no-device', detail='no CUDA'); sys.exit(3)")
    assert last(one) == {"event": "failed", "id": "no-device", "detail": "no CUDA"}


@pytest.mark.parametrize(
    ("body", "id", "detail"),
    [
        ("hello(); os.kill(os.getpid(), signal.SIGKILL)", "killed", "SIGKILL"),
        ("hello(); os.kill(os.getpid(), signal.SIGTERM)", "killed", "SIGTERM"),
        ("hello(); os.kill(os.getpid(), signal.SIGSEGV)", "crashed", "SIGSEGV"),
        ("hello(); os.abort()", "crashed", "SIGABRT"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "torch-broken", "SIGSEGV"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "killed", "SIGKILL"),
        ("sys.exit('libcuda is not there')", "torch-broken", "libcuda is not there"),
        ("hello(); sys.exit('the device fell off')", "crashed", "the device fell off"),
        ("", "silent", ""),
        ("hello()", "silent", ""),
        ("print('what?')", "unreadable", "1"),
    ],
)
def test_an_ending_of_its_own_makes_is_told(start: Start, body: str, id: str, detail: str) -> None:
    one = start(body)
    event = last(one)
    assert (event["event"], event["id"], event["detail"]) == ("failed", id, detail)
    assert gathered([event]).failed == (id, detail)


def test_what_was_measured_before_a_crash_is_kept(start: Start) -> None:
    reading = '{"event": "reading", "stage": "bandwidth", "what": "copy", "bytes": 1000000, "seconds": 0.001}'
    one = start(f"hello(); print('{reading}', flush=True); os.kill(os.getpid(), signal.SIGSEGV)")
    run = gathered(heard(one))
    assert [moved.rate for moved in run.moved] == [1e9]
    assert run.failed is not None


def test_one_that_hangs_is_ended_and_says_where(start: Start) -> None:
    one = start("hello(); time.sleep(600)", limits=Limits(start=20.0, silence=0.5, leave=0.5))
    assert last(one) | {"log": []} == {"event": "failed", "id": "hung", "detail": "bandwidth", "log": []}


def test_one_that_hangs_before_its_first_word_is_ended(start: Start) -> None:
    one = start("time.sleep(600)", seconds=0.1, limits=Limits(start=0.5, silence=20.0, leave=0.5))
    event = last(one)
    assert (event["id"] in ("hung", "timeout"), event["detail"]) == (True, "")


def test_one_that_talks_for_ever_is_ended_at_its_limit(start: Start) -> None:
    one = start(
        "hello()\nwhile True:\n    tell('note', id='still'); time.sleep(0.05)",
        seconds=0.5, limits=Limits(start=1.0, silence=20.0, leave=0.5),
    )  # fmt: skip
    assert last(one)["id"] == "timeout"


@pytest.mark.parametrize(
    "flood", ["print('x')", "print()", "tell('note', id='again')", "sys.stdout.write('x' * 65536)"]
)
def test_a_flood_is_ended(start: Start, flood: str) -> None:
    one = start(f"hello()\nwhile True:\n    {flood}", limits=Limits(start=20.0, silence=1.0, leave=0.5))
    assert last(one)["id"] in ("unreadable", "hung")
    assert one.odd <= watch.MAX_ODD + 1


def test_errors_are_kept_as_a_tail(start: Start) -> None:
    one = start(
        r"""
for n in range(5000):
    sys.stderr.write(f"line {n}\x1b[31m\n")
sys.stderr.write("last words"); sys.stderr.flush()
hello(); sys.exit(1)
"""
    )
    event = last(one)
    assert event["detail"] == "last words"
    assert len(one.tail) == child.TAIL
    assert one.tail[-2] == "line 4999 [31m"


def test_a_closed_output_is_an_end(start: Start) -> None:
    one = start("hello(); end(); os.close(1); os.close(2); time.sleep(600)", limits=Limits(leave=0.5))
    assert last(one)["event"] == "end"


def test_a_child_of_the_child_ends_with_it(start: Start, tmp_path: Path) -> None:
    note = tmp_path / "pid"
    one = start(
        f"""
import subprocess
other = subprocess.Popen(["sleep", "600"])
open({str(note)!r}, "w").write(str(other.pid))
hello(); end()
"""
    )
    assert last(one)["event"] == "end"
    assert one.wait(10)
    assert waited(lambda: not alive(int(note.read_text())))


def alive(pid: int) -> bool:
    """Whether a process runs; one that only waits to be reaped by another does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


# --- stopping --------------------------------------------------------------------------------------------------------


def test_cancel_ends_it_with_what_was_measured(start: Start) -> None:
    one = start("hello(); time.sleep(600)")
    events = []
    for event in one.events():
        events.append(event)
        if event["event"] == "stage":
            one.cancel()
    assert events[-1]["event"] == "end"
    assert events[-1]["reason"] == "stop"
    assert gathered(events).ended is not None


def test_a_child_that_tells_its_own_stop_is_believed(start: Start) -> None:
    one = start(
        """
def stop(*_):
    tell("end", reason="stop", elapsed=4.5, stages={}, memory={}); os._exit(0)
signal.signal(signal.SIGTERM, stop)
hello(); time.sleep(600)
"""
    )
    events = []
    for event in one.events():
        events.append(event)
        if event["event"] == "stage":
            one.cancel()
    assert (events[-1]["reason"], events[-1]["elapsed"]) == ("stop", 4.5)


def test_one_that_does_not_listen_is_killed(start: Start) -> None:
    one = start("signal.signal(signal.SIGTERM, signal.SIG_IGN); hello(); time.sleep(600)", limits=Limits(leave=0.3))
    events = []
    for event in one.events():
        events.append(event)
        if event["event"] == "stage":
            one.cancel()
            one.cancel()
    assert events[-1]["reason"] == "stop"


def test_cancel_from_another_thread_at_once(start: Start) -> None:
    one = start("time.sleep(600)")
    threading.Thread(target=one.cancel).start()
    assert last(one)["reason"] == "stop"
    assert one.stopping
    assert one.wait(10)
    assert not one.running


def test_a_python_that_is_none_is_an_oserror(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        child.start({"seconds": 1.0}, str(tmp_path / "nothing"))


# --- with the parent -------------------------------------------------------------------------------------------------


def test_a_parent_that_is_killed_takes_the_child_with_it(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(HEAD + "hello()\nwhile sys.stdin.readline():\n    pass\nos._exit(0)")
    parent = tmp_path / "parent.py"
    parent.write_text(
        "import sys, time\nfrom pathlib import Path\nfrom tutor.probing import child\n"
        f"one = child.start({{'seconds': 60.0}}, sys.executable, program=Path({str(program)!r}))\n"
        "for event in one.events():\n    print(one.pid, flush=True)\n"
    )
    root = str(Path(__file__).parents[2])
    started = subprocess.Popen(
        [sys.executable, str(parent)], stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": root}
    )
    assert started.stdout is not None
    pid = int(started.stdout.readline())
    assert alive(pid)
    started.send_signal(signal.SIGKILL)
    started.wait()
    started.stdout.close()
    assert waited(lambda: not alive(pid))


# --- the real program ------------------------------------------------------------------------------------------------


def torch_that(tmp_path: Path, does: str) -> dict[str, Any]:
    """A package that calls itself torch."""
    package = tmp_path / "packages" / "torch"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(does)
    return {"PYTHONPATH": str(package.parent)}


def real(extra: dict[str, str]) -> Event:
    one = child.start({"device": "cpu", "seconds": 3.0}, sys.executable, limits=QUICK, extra=extra)
    try:
        return last(one)
    finally:
        one.cancel()
        assert one.wait(10)


def test_the_program_tells_of_a_torch_that_raises(tmp_path: Path) -> None:
    event = real(torch_that(tmp_path, "raise ImportError('libtorch_cuda.so: cannot open shared object file')"))
    assert (event["id"], "libtorch_cuda.so" in event["detail"]) == ("torch-broken", True)


def test_a_torch_that_crashes_the_program_is_told(tmp_path: Path) -> None:
    event = real(torch_that(tmp_path, "import os; os.abort()"))
    assert (event["id"], event["detail"]) == ("torch-broken", "SIGABRT")


def test_a_torch_that_prints_while_it_is_imported_does_no_harm(tmp_path: Path) -> None:
    event = real(torch_that(tmp_path, "print('hello from torch')\nraise ImportError('broken')"))
    assert event["id"] == "torch-broken"
