"""The wall round a served app: what it lets through; and what the screens of a stranger look at, and say is closed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input

import content
from engine.diagnosis.reading import checkpoint
from tests.tutor.frames import flat
from tutor import served
from tutor.app import TutorApp
from tutor.commands.context import Refusal
from tutor.diagnoser import dropped, evidence
from tutor.diagnoser.evidence import Problem
from tutor.planning import reading
from tutor.screens.diagnose_add import completions
from tutor.serving import wall
from tutor.session import Session

HERE = str(Path(__file__).resolve())
COURSE = str(Path(content.__file__).with_name("glossary.toml"))
READ, WRITE = ("r", os.O_RDONLY), ("w", os.O_WRONLY | os.O_CREAT)
"""Mode and flags, as an audit event has them."""


def steps(home: Path, outside: Path) -> list[tuple[str, tuple[Any, ...], bool]]:
    """An event, what it is given, and whether it is allowed."""
    own, foreign = str(home / "progress.sqlite3"), str(outside / "secret.txt")
    return [
        ("open", (own, *READ), True), ("open", (own, *WRITE), True), ("open", (own, None, os.O_RDWR), True),
        ("open", (COURSE, *READ), True), ("open", (COURSE, *WRITE), False), ("open", (os.__file__, *READ), True),
        ("open", (os.devnull, *WRITE), True), ("open", (3, *WRITE), True), ("open", (foreign, *READ), False),
        ("open", (foreign, *WRITE), False), ("open", (foreign, None, os.O_RDONLY), False),
        ("open", (f"{home}/../{outside.name}/secret.txt", *READ), False), ("open", (f"{home}/link", *READ), False),
        ("open", (f"{home}-other/x", *READ), False), ("open", (os.fsencode(foreign), *READ), False),
        ("open", ("/etc/passwd", *READ), False), ("open", ("/proc/self/environ", *READ), False),
        ("os.listdir", (str(home),), True), ("os.listdir", (str(outside),), False), ("os.scandir", ("/",), False),
        ("os.rename", (own, f"{own}.old"), True), ("os.rename", (own, foreign), False),
        ("os.remove", (foreign,), False), ("os.mkdir", (f"{outside}/x", 511, -1), False),
        ("os.symlink", ("/etc/passwd", f"{home}/x"), False),
        ("sqlite3.connect", (own,), True), ("sqlite3.connect", (":memory:",), True),
        ("sqlite3.connect", (f"file://{own}?mode=ro",), True), ("sqlite3.connect", (foreign,), False),
        ("sqlite3.connect", (f"file:{foreign}",), False), ("subprocess.Popen", ("sh", ["sh"], None, None), False),
        ("os.system", (b"id",), False), ("socket.connect", (None, ("127.0.0.1", 8000)), False),
        ("socket.getaddrinfo", ("example.org", 80), False), ("import", ("json", None), True),
    ]  # fmt: skip


def test_what_the_wall_lets_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, outside = tmp_path / "home", tmp_path / "outside"
    home.mkdir()
    outside.mkdir()
    (home / "link").symlink_to("/etc/passwd")
    monkeypatch.setattr(sys, "path", [one for one in sys.path if "site-packages" in one or "lib" in one])
    asked = wall.hook(home)
    for event, given, allowed in steps(home, outside):
        try:
            asked(event, given)
            passed = True
        except PermissionError:
            passed = False
        assert passed is allowed, (event, given)


def test_the_screens_look_at_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "config.json").write_text("{}")
    folder = str(tmp_path)
    assert dropped.paths(folder) and completions(f"{folder}/") and checkpoint.is_path(folder)
    monkeypatch.setenv(served.VARIABLE, "1")
    monkeypatch.setattr(checkpoint, "_closed", False)
    checkpoint.close()
    assert not dropped.paths(folder) and not completions(f"{folder}/")
    assert not checkpoint.is_path(folder) and not checkpoint.is_there(folder)
    read = evidence.opened(tmp_path / "config.json")
    assert isinstance(read, Problem) and read.refusal.key == "serve.closed.files"
    sentences = []
    (tmp_path / "here.json").write_text("{}")
    for name in ("here.json", "none.json"):  # one is there, the other is not
        with pytest.raises(Refusal) as refused:
            reading.model(f"{folder}/{name}")
        sentences.append(refused.value.text("en").replace(name, "NAME"))
    assert sentences[0] == sentences[1]


async def test_an_app_that_is_served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path))
    monkeypatch.setenv(served.VARIABLE, "1")
    app = TutorApp(Session.start("en"), "diagnose", ask=False)
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        assert app.screen.query(Input)
        for key, words in (
            ("alt+k", "Measuring a card is closed"), ("alt+z", "Watching a server is closed"),
            ("alt+w", "Saving to a file is closed"), ("alt+o", "Files are closed in the browser"),
        ):  # fmt: skip
            await pilot.press(key)
            await pilot.pause(0.3)
            told = [one.message for one in app._notifications]
            assert any(words in one for one in (flat(app), *told)), key


def test_the_wall_cannot_be_forgotten(tmp_path: Path) -> None:
    program = f"""
import socket, sqlite3, subprocess
from pathlib import Path
from tutor.serving import wall
home = Path({str(tmp_path)!r})
wall.raised(home)
(home / "mine.txt").write_text("mine")
print((home / "mine.txt").read_text())
for step in (
    lambda: open("/etc/passwd"), lambda: list(Path("/etc").iterdir()), lambda: subprocess.run(["true"]),
    lambda: socket.create_connection(("127.0.0.1", 9)), lambda: sqlite3.connect("/etc/passwd"),
    lambda: Path("/tmp/not-mine").write_text("x"),
):
    try:
        step()
        print("passed")
    except PermissionError:
        print("closed")
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert ran.stdout.split() == ["mine", *["closed"] * 6], ran.stderr
