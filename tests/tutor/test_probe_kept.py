"""Runs that are kept: nothing that was measured is lost to a damaged line, a second program or a full disk."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.probe.gather import gathered
from tutor.probing import kept
from tutor.probing.kept import Kept

HELLO = {"event": "hello", "protocol": 1, "python": "3.12.3", "torch": "2.9.0", "backend": "cuda"}
COPY = {"event": "reading", "stage": "bandwidth", "what": "copy", "bytes": 10**9, "seconds": 0.001}


def device(name: str = "NVIDIA H200", driver: str = "580.65") -> dict[str, Any]:
    return {"event": "device", "kind": "cuda", "name": name, "driver": driver}


def run(at: str = "2026-01-02T03:04:05Z", *events: dict[str, Any]) -> Kept:
    return Kept(at, {"device": "auto"}, events or (HELLO, device(), COPY))


def test_what_is_kept_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "new" / "probes.jsonl"
    first, second = run(), run("2026-01-03T00:00:00Z", HELLO, device("NVIDIA L4"), COPY)
    kept.append(first, path)
    kept.append(second, path)
    assert kept.runs(path) == (first, second)
    assert kept.runs(path)[0].run == gathered(first.events)
    assert path.read_bytes().count(b"\n") == 2


def test_nothing_is_kept_where_nothing_was(tmp_path: Path) -> None:
    assert kept.runs(tmp_path / "none") == ()
    assert kept.latest(tmp_path / "none") is None
    assert kept.runs(tmp_path) == (), "a folder"


def test_it_lies_with_the_rest_of_the_learners_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path / "home"))
    kept.append(run())
    assert kept.file() == tmp_path / "home" / "probes.jsonl"
    assert kept.latest() == run()


def test_damaged_lines_are_skipped_and_stay(tmp_path: Path) -> None:
    path = tmp_path / "probes.jsonl"
    damage = [
        b"{",
        b"\xff\xfe",
        b"[]",
        b'{"at": 1, "asked": {}, "events": []}',
        b'{"later": "version"}',
        b"[" * 10**5,
        b"",
    ]
    kept.append(run("2026-01-01T00:00:00Z"), path)
    path.write_bytes(path.read_bytes() + b"\n".join(damage) + b"\n")
    kept.append(run("2026-01-02T00:00:00Z"), path)
    assert [one.at for one in kept.runs(path)] == ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"]
    assert b'{"later": "version"}\n' in path.read_bytes()


def test_half_a_line_of_a_killed_program_spoils_no_other(tmp_path: Path) -> None:
    path = tmp_path / "probes.jsonl"
    kept.append(run(), path)
    path.write_bytes(path.read_bytes() + b'{"at": "2026-01-02T03')
    kept.append(run("2026-01-04T00:00:00Z"), path)
    assert [one.at for one in kept.runs(path)] == ["2026-01-02T03:04:05Z", "2026-01-04T00:00:00Z"]


def test_only_so_many_are_kept_and_the_damaged_stay(tmp_path: Path) -> None:
    path = tmp_path / "probes.jsonl"
    path.write_bytes(b"damaged\n")
    for n in range(kept.MOST + kept.SLACK + 1):
        kept.append(run(f"{n:04}"), path)
    lines = path.read_bytes().splitlines()
    assert lines[0] == b"damaged"
    assert len(lines) == kept.MOST + 1
    assert [kept.runs(path)[place].at for place in (0, -1)] == ["0011", "0110"]
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith(".")] == []


def test_a_full_disk_is_an_error_that_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "probes.jsonl"
    kept.append(run("0001"), path)
    before, write = path.read_bytes(), os.write
    monkeypatch.setattr(kept.os, "write", lambda opened, data: write(opened, data[:100]))
    with pytest.raises(OSError, match="No space left"):
        kept.append(run("0002"), path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("what", ["pipe", "device", "folder"])
def test_what_is_no_file_is_neither_read_nor_written(tmp_path: Path, what: str) -> None:
    """A pipe would wait for ever, a device never end."""
    path = tmp_path / "probes.jsonl"
    if what == "pipe":
        os.mkfifo(path)
    elif what == "device":
        path.symlink_to("/dev/zero")
    else:
        path.mkdir()
    read = kept.read(path)
    assert read.runs == () and read.trouble is not None
    with pytest.raises(OSError):
        kept.append(run(), path)


def test_lines_that_are_none_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "probes.jsonl"
    path.write_bytes(b"half a l\n\0\0\n")
    assert kept.read(path) == kept.Read((), 2, None)
    kept.append(run(), path)
    assert len(kept.read(path).runs) == 1 and kept.read(path).damaged == 2
    assert kept.read(tmp_path / "none") == kept.Read()


def test_a_read_only_disk_is_an_error_that_leaves_all_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "probes.jsonl"
    kept.append(run(), path)
    before, opened = path.read_bytes(), os.open

    def refusing(file: Any, flags: int, *rest: Any, **more: Any) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR):
            raise OSError(30, "Read-only file system", str(file))
        return opened(file, flags, *rest, **more)

    monkeypatch.setattr(os, "open", refusing)
    with pytest.raises(OSError, match="Read-only"):
        kept.append(run("2026-01-05T00:00:00Z"), path)
    assert path.read_bytes() == before


def test_a_folder_in_its_place_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "probes.jsonl").mkdir()
    with pytest.raises(OSError, match="directory"):
        kept.append(run(), tmp_path / "probes.jsonl")


def test_numbers_that_json_does_not_have_are_refused_before_anything_is_written(tmp_path: Path) -> None:
    path = tmp_path / "probes.jsonl"
    with pytest.raises(ValueError, match="JSON"):
        kept.append(run("x", {"event": "note", "id": "x", "value": float("nan")}), path)
    assert not path.exists()


WRITER = """
import sys
from pathlib import Path
from tutor.probing import kept
for n in range(40):
    events = ({"event": "note", "id": "x" * 5000},)
    kept.append(kept.Kept(f"{sys.argv[2]}-{n:03}", {}, events), Path(sys.argv[1]))
"""


def test_writers_at_once_do_not_mix_their_lines_and_lose_none(tmp_path: Path) -> None:
    path, root = tmp_path / "probes.jsonl", str(Path(__file__).parents[2])
    kept.append(run("first"), path)
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(path), name], env={**os.environ, "PYTHONPATH": root})
        for name in "abc"
    ]
    assert [writer.wait(60) for writer in writers] == [0, 0, 0]
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    assert len(lines) >= kept.MOST
    for name in "abc":  # the newest of each are there, in their order
        ats = [line["at"] for line in lines if line["at"].startswith(name)]
        assert ats == sorted(ats)
        assert ats[-1] == f"{name}-039"
    assert len(lines) == kept.MOST + (121 - kept.MOST) % (kept.SLACK + 1)


def test_the_latest_run_of_a_device_is_that_of_its_name_driver_and_torch(tmp_path: Path) -> None:
    path = tmp_path / "probes.jsonl"
    runs = [
        run("1", HELLO, device(), COPY), run("2", HELLO, device("NVIDIA L4"), COPY), run("3", HELLO, device(), COPY),
        run("4", HELLO, device(driver="590"), COPY), run("5", {**HELLO, "torch": "2.10"}, device(), COPY),
        run("6", HELLO, device()),
    ]  # fmt: skip
    for one in runs:
        kept.append(one, path)
    like = runs[0].run
    found = kept.latest(path, like=like)
    assert found is not None
    assert found.at == "3", "the sixth measured nothing"
    newest = kept.latest(path)
    assert newest is not None
    assert newest.at == "5"
    assert kept.latest(path, like=run("x", HELLO, device("NVIDIA T4"), COPY).run) is None


def test_a_moment_is_written_as_others_read_it() -> None:
    assert len(kept.now()) == 20
    assert kept.now().endswith("Z")
