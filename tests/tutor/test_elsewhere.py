"""Other systems than this one: without the modules of Unix, with the locks of Windows, with names in any letters."""

from __future__ import annotations

import subprocess
import sys
import types
from pathlib import Path

import pytest

from tests.tutor.test_ascii_output import said
from tutor import cli, locking

ROOT = Path(__file__).parents[2]
EVERY_MODULE = """
import importlib, pkgutil, sys

UNIX = {"fcntl", "termios", "pty", "tty", "resource", "pwd", "grp", "readline", "syslog"}

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in UNIX:
            raise ImportError(f"no {name} here")

sys.meta_path.insert(0, Missing())
for name in UNIX:
    sys.modules.pop(name, None)
count = 0
for package in map(importlib.import_module, ("engine", "content", "tutor")):
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        importlib.import_module(found.name)
        count += 1
print(count)
"""


def test_every_module_loads_without_those_of_unix() -> None:
    command = [sys.executable, "-c", EVERY_MODULE]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert int(done.stdout) > 300


class Windows(types.ModuleType):
    """Its locks: a byte of an open file, held by one who opened it at a time."""

    LK_NBLCK = 2

    def __init__(self, held: int) -> None:
        super().__init__("msvcrt")
        self.tries, self.held = 0, held

    def locking(self, opened: int, mode: int, size: int) -> None:
        assert mode == self.LK_NBLCK and size == 1
        self.tries += 1
        if self.tries <= self.held:
            raise PermissionError(13, "somebody has it")


@pytest.mark.parametrize("held", [0, 3])
def test_the_locks_of_windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, held: int) -> None:
    windows = Windows(held)
    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(sys.modules, "msvcrt", windows)
    with locking.alone(tmp_path / "runs.jsonl"):
        assert windows.tries == held + 1
    assert (tmp_path / "runs.jsonl.lock").exists()


def test_without_locks_it_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with locking.alone(tmp_path / "no folder" / "runs.jsonl"):
        pass
    monkeypatch.setattr(locking, "PATIENCE", 0.05)
    with locking.alone(tmp_path / "runs.jsonl"), locking.alone(tmp_path / "runs.jsonl"):
        pass
    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(sys.modules, "msvcrt", None)
    with locking.alone(tmp_path / "other.jsonl"):
        assert not (tmp_path / "other.jsonl.lock").exists()


def test_a_lock_is_let_go_of(tmp_path: Path) -> None:
    with locking.alone(tmp_path / "runs.jsonl"):
        taken = locking._taker()
        assert taken is not None
        with (tmp_path / "runs.jsonl.lock").open("rb") as other:
            assert not locking._taken(taken, other.fileno())
    with (tmp_path / "runs.jsonl.lock").open("rb") as other:
        assert locking._taken(taken, other.fileno())


@pytest.mark.parametrize(("lang", "words"), [("en", "Use a UTF-8 locale"), ("hi-Latn", "UTF-8 locale lo")])
def test_a_name_for_which_the_locale_has_no_letters(tmp_path: Path, lang: str, words: str) -> None:
    out = said(tmp_path, "diagnose", "wörk.log", "--lang", lang, LC_ALL="C", PYTHONUTF8="0").decode("ascii")
    assert words in out and len(out.splitlines()) == 1
    assert not (tmp_path / "crash.txt").exists()


def test_names_with_blanks_and_letters_of_any_script(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path / "मेरा घर"))
    place = tmp_path / "two words é"
    place.mkdir()
    (place / "सर्वर 1.log").write_text("INFO: GPU KV cache usage: 99.0%, Waiting: 12 reqs\n", encoding="utf-8")
    scenario, report = place / "ü 1.json", place / "ö.md"
    given = ("--model", "llama-3.1-8b", "--gpu", "L4", "--no-probe")
    line = ("diagnose", str(place / "सर्वर 1.log"), *given, "--save", str(scenario), "--report", str(report))
    assert cli.run(line) in (0, 1)
    assert "सर्वर 1.log" in capsys.readouterr().out
    assert scenario.read_text("utf-8").startswith("{") and report.read_text("utf-8").startswith("#")
    assert cli.run(("config", "theme", "nord")) == 0
    assert (tmp_path / "मेरा घर" / "settings.toml").exists()
