"""Which Python has torch: asked of processes, and never by importing it."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tutor.probing import asking, pythons
from tutor.probing.pythons import Tried

Made = Callable[..., Path]
REAL = os.path.realpath(sys.executable)


def script(path: Path, body: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Made:
    """Makes environments whose Python is this one, with a package that calls itself torch; none is on the way else."""
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONPATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    monkeypatch.setattr(sys, "executable", "")

    def making(name: str, version: str = "", told: str = "", does: str = "") -> Path:
        folder = tmp_path / name
        if version:
            torch = folder / "packages" / "torch"
            torch.mkdir(parents=True)
            (torch / "__init__.py").write_text(does or f"open({str(folder / 'imported')!r}, 'w')")
            (torch / "version.py").write_text(f"__version__ = {version!r}\n{told}\n")
        start = f'PYTHONPATH="{folder / "packages"}" exec {REAL} "$@"'
        script(folder / "bin" / "python", start)
        return folder

    return making


CUDA = "from typing import Optional\ncuda: Optional[str] = '12.8'\nhip: Optional[str] = None"
CPU = "cuda: 'str | None' = None\nhip = None"


def test_an_environment_with_torch_is_found_and_torch_is_not_imported(made: Made) -> None:
    folder = made("env", "2.9.0+cu128", CUDA)
    found = pythons.find(str(folder)).found
    assert found is not None
    assert (found.python, found.torch, found.build, found.origin) == (
        str(folder / "bin" / "python"), "2.9.0+cu128", "cuda", "asked",
    )  # fmt: skip
    assert found.version == ".".join(map(str, sys.version_info[:3]))
    assert not (folder / "imported").exists()


@pytest.mark.parametrize(
    ("version", "told", "build"),
    [
        ("2.9.0+cu128", CUDA, "cuda"),
        ("2.9.0", CUDA, "cuda"),
        ("2.9.0+cpu", CPU, "cpu"),
        ("2.9.0", CPU, "cpu"),
        ("2.9.0+rocm6.4", "cuda = None\nhip = '6.4.43482'", "rocm"),
        ("2.9.0a0+git123", "hip = '6.2'", "rocm"),
        ("2.9.0+cu130", "", "cuda"),
        ("2.9.0", "this is ) no Python", "unknown"),
        ("2.9.0+xpu", "", "xpu"),
    ],
)
@pytest.mark.skipif(sys.platform == "darwin", reason="a build without CUDA is one for Metal there")
def test_what_torch_was_built_for_is_read(made: Made, version: str, told: str, build: str) -> None:
    found = pythons.find(str(made("env", version, told))).found
    assert found is not None
    assert found.build == build


def test_a_version_file_is_read_and_not_run(made: Made, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    folder = made("env", "2.9.0", f"open({str(mark)!r}, 'w')\ncuda = '12.8'")
    found = pythons.find(str(folder)).found
    assert found is not None
    assert found.build == "cuda"
    assert not mark.exists()


def test_a_torch_that_crashes_when_imported_is_found_all_the_same(made: Made) -> None:
    assert pythons.find(str(made("env", "2.9.0+cu128", CUDA, "import os; os.abort()"))).found is not None


def test_a_folder_of_that_name_is_no_torch(made: Made) -> None:
    folder = made("env")
    (folder / "packages" / "torch").mkdir(parents=True)
    assert [one.why for one in pythons.find(str(folder)).tried] == ["no-torch"]


def test_a_python_without_torch_beside_one_with_it(
    made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    bare, full = made("bare"), made("full", "2.9.0+cpu", CPU)
    monkeypatch.setenv("VIRTUAL_ENV", str(bare))
    monkeypatch.setenv("CONDA_PREFIX", str(tmp_path / "gone"))
    monkeypatch.setenv("PATH", f"{tmp_path / 'nowhere'}{os.pathsep}{full / 'bin'}")
    search = pythons.find()
    assert search.found is not None
    assert search.found.python == str(full / "bin" / "python")
    assert search.tried == (
        Tried(str(tmp_path / "gone"), "conda", "no-environment"),
        Tried(str(bare / "bin" / "python"), "virtual-env", "no-torch"),
    ) or search.tried == (
        Tried(str(bare / "bin" / "python"), "virtual-env", "no-torch"),
        Tried(str(tmp_path / "gone"), "conda", "no-environment"),
    )


def test_a_build_for_a_card_comes_before_one_for_the_processor(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    cpu, cuda = made("cpu", "2.9.0+cpu", CPU), made("cuda", "2.9.0+cu128", CUDA)
    monkeypatch.setenv("VIRTUAL_ENV", str(cpu))
    monkeypatch.setenv("CONDA_PREFIX", str(cuda))
    monkeypatch.setattr(pythons, "_read", distinct(pythons._read))
    card, none = pythons.find(device=True).found, pythons.find(device=False).found
    assert card is not None
    assert none is not None
    assert (card.build, none.build) == ("cuda", "cpu")


def distinct(read: Callable[[str], pythons._Answer | None]) -> Callable[[str], pythons._Answer | None]:
    """Environments of these tests share one prefix; real ones do not."""
    count = iter(range(1000))

    def reading(text: str) -> pythons._Answer | None:
        answer = read(text)
        return None if answer is None else answer._replace(prefix=f"{answer.prefix}-{next(count)}")

    return reading


def test_one_python_in_two_places_is_asked_once(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = made("env", "2.9.0+cpu", CPU)
    (folder / "bin" / "python3").symlink_to(folder / "bin" / "python")
    monkeypatch.setenv("VIRTUAL_ENV", str(folder))
    monkeypatch.setenv("PATH", os.pathsep.join([str(folder / "bin")] * 3))
    asked: list[str] = []
    ask = pythons.asking.ask
    monkeypatch.setattr(
        pythons.asking, "ask", lambda command, *rest, **more: asked.append(command[0]) or ask(command, *rest, **more)
    )
    assert pythons.find(device=True).found is not None
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("exit 1", "no-python"),
        ("echo hello", "no-python"),
        ("echo '[1]'", "no-python"),
        ('echo \'{"version": "new"}\'', "no-python"),
        ("echo '{\"version\": [2, 7, 18]}'", "too-old"),
        ('echo \'{"version": [3, 8, 1], "torch": "2.0"}\'', "too-old"),
        ('echo \'{"version": [3, 12, 1], "prefix": "/usr"}\'', "no-torch"),
        ("while :; do echo yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy; done", "no-python"),
        ("kill -SEGV $$", "no-python"),
    ],
)
def test_what_is_no_use_says_why(made: Made, tmp_path: Path, body: str, why: str) -> None:
    file = script(tmp_path / "odd", body)
    assert pythons.find(str(file)).tried == (Tried(str(file), "asked", why),)  # type: ignore[arg-type]


def test_one_that_does_not_answer_is_left(made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pythons, "PATIENCE", 0.3)
    file = script(tmp_path / "slow", "/bin/sleep 600 & /bin/sleep 600")
    assert [one.why for one in pythons.find(str(file)).tried] == ["silent"]


def test_what_is_no_file_is_told(made: Made, tmp_path: Path) -> None:
    plain, folder = tmp_path / "plain.txt", tmp_path / "folder"
    plain.write_text("no program")
    folder.mkdir()
    for text, why in ((str(plain), {"denied", "no-python"}), (str(folder), {"no-environment"}), ("", {"missing"}),
                      (str(tmp_path / "gone"), {"missing"}), ("no-such-python-here", {"missing"}),
                      ("~nobody-of-that-name/x", {"missing"}), ("a\0b", {"missing"})):  # fmt: skip
        search = pythons.find(text)
        assert search.found is None
        assert {one.why for one in search.tried} <= why, text
        assert search.tried, text


def test_a_command_is_looked_up(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = made("env", "2.9.0+cpu", CPU)
    monkeypatch.setenv("PATH", str(folder / "bin"))
    found = pythons.find("python").found
    assert found is not None
    assert found.python == str(folder / "bin" / "python")


def test_our_own_library_is_not_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONHOME", "/somewhere")
    monkeypatch.setenv("KEPT", "yes")
    made = pythons.environment({"MORE": "1"})
    assert "PYTHONHOME" not in made
    assert (made["KEPT"], made["MORE"]) == ("yes", "1")


def test_an_answer_is_bounded_and_nothing_of_the_program_stays(tmp_path: Path) -> None:
    endless = script(tmp_path / "endless", "while :; do echo yes; done")
    answer = asking.ask([str(endless)], 20, most=1000)
    assert (len(answer.text), answer.late) == (1000, False)
    note = tmp_path / "pid"
    answer = asking.ask([str(script(tmp_path / "parent", f"sleep 600 & echo $! > {note}; echo done"))], 0.5)
    assert "done" in answer.text
    state, until = Path(f"/proc/{note.read_text().strip()}/stat"), time.monotonic() + 10
    while running(state) and time.monotonic() < until:
        time.sleep(0.01)
    assert not running(state)


def running(state: Path) -> bool:
    """Whether a process runs, and is not one that only waits to be reaped."""
    try:
        return state.read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
