"""Another program has the file: commands say what they wait for, and the app writes by itself when it is free."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from content.words import say
from tests.tutor.frames import answer, settle
from tests.tutor.test_progress_full import sound_file
from tutor import cli, ondisk, paths
from tutor.app import TutorApp
from tutor.commands import progress as command
from tutor.language import LANGS
from tutor.progress import Place, connected, open_progress, opening
from tutor.session import Session

BUSY = 0.6


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LLM_TUTOR_LANG", "en")
    for module in (opening, connected):
        monkeypatch.setattr(module, "SAID_AFTER", 0.1)
    monkeypatch.setattr(command, "open_progress", partial(open_progress, busy=BUSY))
    for name, seconds in (("BUSY", 0.05), ("RETRY", 0.05), ("PATIENCE", 0.05)):
        monkeypatch.setattr(ondisk, name, seconds)
    return sound_file(paths.database(), 3)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("mode", ["IMMEDIATE", "EXCLUSIVE"])
@pytest.mark.parametrize("action", ["reset", "import"])
def test_a_command_says_what_it_waits_for(
    path: Path, action: str, mode: str, lang: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = path.parent / "export.json"
    assert cli.run(["progress", "export", str(file)]) == 0
    words = ["reset", "--yes"] if action == "reset" else ["import", str(file)]
    capsys.readouterr()
    waiting = say("cli.progress.waiting", lang, path=path)  # type: ignore[arg-type]
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute(f"BEGIN {mode}")
        assert cli.run(["progress", *words, "--lang", lang]) == 2
        lines = capsys.readouterr().err.splitlines()
        assert len(lines) == 2 and lines[0] == f"llm-tutor: {waiting}"
        other.execute("ROLLBACK")
    assert cli.run(["progress", *words, "--lang", lang]) == 0
    assert capsys.readouterr().err == "", "who does not wait hears nothing"


HOLD = """
import sqlite3, sys, time
other = sqlite3.connect(sys.argv[1], isolation_level=None)
other.execute("BEGIN IMMEDIATE")
print("held", flush=True)
time.sleep(0.3)
other.execute("ROLLBACK")
"""


def test_what_was_waited_for_is_done(
    path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "open_progress", partial(open_progress, busy=30.0))
    holder = subprocess.Popen([sys.executable, "-c", HOLD, str(path)], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None and holder.stdout.readline() == "held\n"
    assert cli.run(["progress", "reset", "--yes"]) == 0
    holder.wait()
    holder.stdout.close()
    assert capsys.readouterr().err.count("\n") == 1
    with closing(open_progress(path)) as store:
        assert store.states() == {}


async def test_the_app_writes_by_itself_once_the_file_is_free(path: Path) -> None:
    session = Session.start()
    app = TutorApp(session, Place("exercise", "core/L2.1"), ask=False)
    told: list[str] = []
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        app.notify = lambda sentence, **_: told.append(sentence)  # type: ignore[method-assign,assignment]
        assert app._trying is None, "no timer while nothing waits"
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            await answer(pilot, "0.537 GB")
            assert session.unwritten and app._trying is not None
            await pilot.pause(0.3)
            assert session.unwritten and app._trying is not None, "it goes on trying"
            other.execute("ROLLBACK")
        for _ in range(50):
            if not session.unwritten:
                break
            await pilot.pause(0.05)
        assert not session.unwritten and session.progress.persistent
        await pilot.pause(0.2)
        assert app._trying is None
        with closing(sqlite3.connect(path)) as raw:
            assert raw.execute("SELECT count(*) FROM attempts WHERE answer = '0.537 GB'").fetchone() == (1,)
        app.tell_notices()
        assert [say("cli.progress.problem.locked", "en", path=path)] == told
    session.close()
    assert not session.lost


def test_a_closed_output_is_told(path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", CLOSED, sys.executable, "-m", "tutor", "progress", "export", "-"],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert ran.returncode == 2
    assert ran.stderr == f"llm-tutor: {say('cli.error.no_output', 'en')}\n"


CLOSED = "import os, sys; os.close(1); os.execv(sys.argv[1], sys.argv[1:])"
