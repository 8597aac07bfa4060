"""`llm-tutor progress`: shown, taken along, brought back, and refused where it cannot be used."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.tutor.command import KV, Tutor


@pytest.mark.parametrize(
    "place",
    [
        {"screen": "lesson", "id": "core/L2.1", "section": "", "part": ""},
        {"screen": "lesson", "id": "core/C2", "section": "nope", "part": ""},
        {"screen": "exercise", "id": "core/L2.1", "section": "", "part": "core/L2.2/batch"},
        {"screen": "exercise", "id": "core/L2.1", "section": "", "part": "core/L2.1/nope"},
        {"screen": "exercise", "id": "nope", "section": "", "part": ""},
    ],
)
def test_an_imported_place_that_the_course_lacks_is_left_out_and_told(
    tutor: Tutor, tmp_path: Path, place: dict[str, str]
) -> None:
    file = tmp_path / "x.json"
    row = {"at": "2026-01-02T03:04:05.000000+00:00", "draft": "", **place}
    file.write_text(json.dumps({"format": "llm-tutor-progress", "version": 1, "attempts": [], "marks": [],
                                "place": row}))  # fmt: skip
    ran = tutor("progress", "import", str(file))
    assert (ran.status, ran.err.count("\n")) == (0, 1)
    assert "the course has no place" in ran.err
    assert tutor.json("progress", "export", "-")["place"] is None


def test_a_slip_that_has_no_words_any_more_goes_by_its_id(tutor: Tutor) -> None:
    from datetime import UTC, datetime

    from tutor import paths
    from tutor.progress import Attempt, open_progress

    store = open_progress(paths.database())
    for slip in ("nope", "a.b", "\x1b[31m"):
        store.record(Attempt(KV, "1", "incorrect", (slip,), 0, 1.0, 0, datetime.now(UTC)))
    store.close()
    said = tutor("progress", "show")
    assert said.status == 0
    assert "nope, 1 x" in said.out and "a.b, 1 x" in said.out and "\x1b" not in said.out


def test_an_export_follows_links_and_keeps_the_mode(tutor: Tutor, tmp_path: Path) -> None:
    file, link = tmp_path / "real.json", tmp_path / "link.json"
    file.write_text('{"format": "llm-tutor-progress"}')
    file.chmod(0o640)
    link.symlink_to(file)
    assert tutor("progress", "export", str(link)).status == 0
    assert link.is_symlink() and json.loads(file.read_text())["attempts"] == []
    assert file.stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["home", "link.json", "real.json"]


def test_an_export_goes_straight_into_a_pipe(tutor: Tutor, tmp_path: Path) -> None:
    import threading

    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[str] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
    reader.start()
    assert tutor("progress", "export", str(pipe)) == (0, "", "")
    reader.join(10)
    assert json.loads(got[0])["attempts"] == []
    assert pipe.is_fifo()
    assert tutor("progress", "export", "/dev/null") == (0, "", "")


@pytest.mark.parametrize("kind", ["readonly", "full", "locked"])
def test_a_home_that_cannot_be_written_can_be_looked_at(
    tutor: Tutor, monkeypatch: pytest.MonkeyPatch, kind: Any
) -> None:
    from tutor.commands import progress
    from tutor.progress import ProgressProblem
    from tutor.session import Session

    session = Session.start()
    session.check(KV, "0.537 GB")
    session.close()

    def refuse(path: Path) -> None:
        raise ProgressProblem(kind, path)

    monkeypatch.setattr(progress, "open_progress", refuse)
    assert tutor.json("progress", "show")["parts"] == {KV: "tried"}
    assert len(tutor.json("progress", "export", "-")["attempts"]) == 1
    assert tutor("progress", "reset", "--yes").status == 2


def test_progress_travels(tutor: Tutor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tutor.session import Session

    session = Session.start()
    session.check(KV, "0.537 GB")
    session.close()
    file = str(tmp_path / "export.json")
    assert tutor.json("progress", "export", file) == {"file": file, "attempts": 1}
    assert tutor.json("progress", "show")["parts"] == {KV: "tried"}
    assert "L2" in tutor("progress").out
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path / "other"))
    assert tutor.json("progress", "import", file)["new"] == 1
    assert tutor.json("progress", "import", file)["new"] == 0
    assert tutor.json("progress", "export", "-") == json.loads(Path(file).read_text())
    assert tutor.json("progress", "reset", "core/l2.1", "--yes")["removed"] == 1
    assert tutor.json("progress", "show")["parts"] == {}


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"format": "llm-tutor-progress", "version": 2}', "[" * 99_999, "\udcff"]
)
def test_an_import_that_is_none_is_refused(tutor: Tutor, tmp_path: Path, text: str) -> None:
    file = tmp_path / "x.json"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert str(file)[:30] in tutor.refused("progress", "import", str(file))


def test_a_newer_database_is_refused_in_one_sentence(tutor: Tutor, tmp_path: Path) -> None:
    import sqlite3

    tutor("progress")
    with sqlite3.connect(tmp_path / "home" / "progress.sqlite3") as raw:
        raw.execute("PRAGMA user_version = 99")
    raw.close()
    assert "newer llm-tutor" in tutor.refused("progress", "export", "-")
