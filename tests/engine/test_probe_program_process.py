"""The probe's program as a process of its own, without torch or with one that misbehaves."""

import ast
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import engine.probe.program
from engine.probe.program import guard
from engine.probe.program.emit import Emitter, line

FOLDER = Path(engine.probe.program.__file__).parent
REQUEST = json.dumps({"protocol": 1, "device": "cpu", "seconds": 5.0}) + "\n"


def start(folder: Path = FOLDER, stub: Path | None = None) -> "subprocess.Popen[str]":
    """The program on a Python without any installed package (``-S``), except a stub's folder."""
    environment = {**os.environ, "PYTHONPATH": str(stub)} if stub else {**os.environ}
    environment.pop("PYTHONPATH", None) if stub is None else None
    return subprocess.Popen(
        [sys.executable, "-S", str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, env=environment, cwd=folder.parent,
    )  # fmt: skip


def ran(request: str, folder: Path = FOLDER, stub: Path | None = None) -> tuple[int, list[dict[str, Any]], str]:
    """Exit status, events and standard error, with standard input open until the program has ended."""
    child = start(folder, stub)
    assert child.stdin is not None
    assert child.stdout is not None
    assert child.stderr is not None
    try:
        child.stdin.write(request)
        child.stdin.flush()
        told = child.stdout.read()
        said = child.stderr.read()
        return child.wait(20), [json.loads(text) for text in told.splitlines()], said
    finally:
        child.kill()
        child.communicate()


def torch(folder: Path, source: str) -> Path:
    """A stub of torch."""
    (folder / "torch").mkdir()
    (folder / "torch" / "__init__.py").write_text(source, encoding="utf-8")
    return folder


def test_without_torch_it_says_so() -> None:
    status, told, said = ran(REQUEST)
    assert status == 3
    assert [(event["event"], event["id"]) for event in told] == [("failed", "no-torch")]
    assert said == ""


@pytest.mark.parametrize("bad", ["\n", "what?\n", '{"protocol": 99}\n', '{"protocol": 1, "seconds": -1}\n'])
def test_a_bad_request_is_answered_in_one_line(bad: str) -> None:
    status, told, said = ran(bad)
    assert status == 3
    (event,) = told
    assert (event["event"], event["id"]) == ("failed", "error")
    assert event["detail"]
    assert "Traceback" not in said


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("raise ImportError('libcudart.so.12: no\\nsuch object file')", "libcudart.so.12: no such object"),
        ("raise OSError('[WinError 126] fbgemm.dll')", "fbgemm.dll"),
        ("raise SystemExit(1)", "1"),
        ("import numpy_that_nobody_has", "numpy_that_nobody_has"),
        ("1 / 0", "division by zero"),
    ],
)  # fmt: skip
def test_a_torch_that_cannot_be_imported_is_broken(tmp_path: Path, source: str, words: str) -> None:
    status, told, said = ran(REQUEST, stub=torch(tmp_path, source))
    assert status == 3
    (event,) = told
    assert event["id"] == "torch-broken"
    assert words in event["detail"]
    assert "\n" not in event["detail"]
    assert "Traceback" not in said


def test_a_torch_that_is_too_old_is_not_used(tmp_path: Path) -> None:
    old = "import types\n__version__ = '1.13.1'\nnn = types.SimpleNamespace(functional=types.SimpleNamespace())"
    status, told, _ = ran(REQUEST, stub=torch(tmp_path, old))
    assert status == 3
    assert told[0]["id"] == "unsupported"
    assert "1.13.1" in told[0]["detail"]


def test_a_torch_that_aborts_leaves_nothing_but_its_signal(tmp_path: Path) -> None:
    status, told, _ = ran(REQUEST, stub=torch(tmp_path, "import os\nos.abort()"))
    assert status == -signal.SIGABRT
    assert told == []


def test_what_torch_prints_does_not_get_among_the_events(tmp_path: Path) -> None:
    chatter = (
        "import os, sys\nprint('{\"event\": \"hello\"}', flush=True)\nos.write(1, b'[W101 driver too old]\\n')\n"
        "raise ImportError('no')\n"
    )
    status, told, said = ran(REQUEST, stub=torch(tmp_path, chatter))
    assert status == 3
    assert [event["event"] for event in told] == ["failed"]
    assert "driver too old" in said


def test_its_own_modules_hide_nobody_elses(tmp_path: Path) -> None:
    """Python puts the folder first on the path: a package of the user's may have a module ``device``, too."""
    for name in ("device", "sizes", "timing", "host"):
        (tmp_path / f"{name}.py").write_text("MINE = True\n", encoding="utf-8")
    source = "import device, sizes, timing, host\nassert device.MINE and host.MINE\nraise ImportError('all mine')"
    _, told, _ = ran(REQUEST, stub=torch(tmp_path, source))
    assert told[0]["detail"] == "all mine"


def test_it_runs_wherever_its_folder_lies(tmp_path: Path) -> None:
    copy = tmp_path / "some where" / "probe é"
    for source in FOLDER.rglob("*.py"):
        target = copy / source.relative_to(FOLDER)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(source.read_bytes())
    status, told, said = ran(REQUEST, folder=copy)
    assert (status, told[0]["id"]) == (3, "no-torch"), said


SLEEPS = "import time\nprint('ready', flush=True)\ntime.sleep(30)\n"


def waiting(tmp_path: Path) -> "subprocess.Popen[str]":
    """The program inside an import of torch that takes long."""
    child = start(stub=torch(tmp_path, SLEEPS))
    assert child.stdin is not None
    assert child.stderr is not None
    child.stdin.write(REQUEST)
    child.stdin.flush()
    assert child.stderr.readline() == "ready\n"
    return child


def test_the_end_of_its_input_ends_it(tmp_path: Path) -> None:
    child = waiting(tmp_path)
    assert child.stdin is not None
    began = time.monotonic()
    child.stdin.close()
    assert child.wait(15) == 0
    assert time.monotonic() - began < 10
    assert child.stdout is not None
    assert child.stdout.read() == ""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_quietly(tmp_path: Path, number: signal.Signals) -> None:
    child = waiting(tmp_path)
    child.send_signal(number)
    _, said = child.communicate(timeout=15)
    assert child.returncode == 0
    assert "Traceback" not in said


def test_a_reader_that_goes_away_ends_it_without_a_word() -> None:
    child = start()
    assert child.stdin is not None
    assert child.stdout is not None
    assert child.stderr is not None
    child.stdout.close()
    child.stdin.write(REQUEST)
    child.stdin.flush()
    said = child.stderr.read()
    child.wait(15)
    child.stdin.close()
    child.stderr.close()
    assert "Traceback" not in said


# --- its parts -------------------------------------------------------------------------------------------------------


def test_a_run_that_hangs_is_ended_by_its_deadline() -> None:
    left: list[int] = []
    done = threading.Event()

    def leave(status: int) -> None:
        left.append(status)
        done.set()

    told: list[str] = []
    guard.end_in_time(0.01, lambda: told.append("end"), leave)
    assert done.wait(10)
    assert (told, left) == (["end"], [0])
    over = guard.end_in_time(0.2, lambda: told.append("late"), left.append)
    over.set()
    time.sleep(0.3)
    assert told == ["end"]


def test_nothing_is_told_after_the_end(tmp_path: Path) -> None:
    with (tmp_path / "out").open("w+") as out:
        emitter = Emitter(out)
        emitter.event("note", id="a", share=float("nan"), deep={"x": [float("inf"), 1.0]}, name="é\n")
        emitter.last("end", reason="done")
        emitter.event("note", id="late")
        emitter.last("failed", id="error")
        out.seek(0)
        text = out.read()
    assert text.isascii()
    first, second = (json.loads(row) for row in text.splitlines())
    assert (first["share"], first["deep"], first["name"]) == (None, {"x": [None, 1.0]}, "é\n")
    assert second == {"event": "end", "reason": "done"}


def test_an_error_is_one_printable_line() -> None:
    assert line(RuntimeError("CUDA error:\n\x1b[31m  bad\t thing")) == "CUDA error: ?[31m bad thing"
    assert line(KeyError()) == "KeyError"
    assert len(line(ValueError("x" * 5000))) == 300


def test_the_source_is_that_of_python_3_9() -> None:
    """Users' torch lives in older Pythons than the tutor. What the grammar cannot tell is looked for by name."""
    files = sorted(FOLDER.rglob("*.py"))
    assert len(files) > 15
    for path in files:
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text, str(path), feature_version=(3, 9))
        for node in ast.walk(tree):
            assert not isinstance(node, ast.Match), path
            names = [keyword.arg for keyword in node.keywords] if isinstance(node, ast.Call) else []
            assert "strict" not in names, f"{path}: zip(strict=) is of 3.10"
            assert "slots" not in names, f"{path}: dataclass(slots=) is of 3.10"
        imported = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
        assert path.name == "__init__.py" or any(node.module == "__future__" for node in imported), path


def test_torch_is_imported_in_one_place() -> None:
    holders = {path.name for path in FOLDER.rglob("*.py") if 'import_module("torch")' in path.read_text("utf-8")}
    assert holders == {"torch_device.py"}
    for path in FOLDER.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                assert not {name.name.split(".")[0] for name in node.names} & {"torch", "engine", "content", "tutor"}
            if isinstance(node, ast.ImportFrom) and not node.level:
                assert (node.module or "").split(".")[0] not in {"torch", "engine", "content", "tutor"}


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a child with its parent")
def test_an_import_that_holds_python_still_ends_with_its_parent(tmp_path: Path) -> None:
    """No thread of the program runs while C code sleeps with Python's lock: the system itself ends the process."""
    hangs = f"import ctypes, pathlib\npathlib.Path({str(tmp_path / 'in')!r}).touch()\nctypes.PyDLL(None).sleep(120)"
    stub = torch(tmp_path, hangs)
    parent = subprocess.Popen(
        [sys.executable, "-c", "import subprocess, sys, time\n"
         "child = subprocess.Popen([sys.executable, sys.argv[1]], stdin=subprocess.PIPE)\n"
         "child.stdin.write(sys.argv[2].encode() + b'\\n'); child.stdin.flush()\n"
         "print(child.pid, flush=True); time.sleep(120)", str(FOLDER), REQUEST],
        stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(stub)},
    )  # fmt: skip
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    until = time.monotonic() + 20
    while not (tmp_path / "in").exists():
        assert time.monotonic() < until
        time.sleep(0.02)
    parent.kill()
    parent.wait()
    while gone_or_zombie(pid) is False:
        assert time.monotonic() < until, "the child outlived its parent"
        time.sleep(0.02)


def gone_or_zombie(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True
