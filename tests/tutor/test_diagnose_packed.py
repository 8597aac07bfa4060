"""Logs that are packed, and files that are no text: read as what they hold, or named with the next step."""

from __future__ import annotations

import bz2
import gzip
import lzma
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from content.lang import LANGS
from content.words import say
from engine.artefacts import sealed
from tests.tutor.command import Tutor
from tests.tutor.test_diagnose_input import LOG, flat, unread
from tutor.commands.context import Refusal
from tutor.diagnoser import evidence, unpacking

PACKERS = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}
SERVER = ("--model", "llama-3.1-8b", "--gpu", "L4")


@pytest.mark.parametrize("end", PACKERS)
@pytest.mark.parametrize("name", ["server.log.{}", "server.log"])  # a rotated log is told by what it holds
def test_a_packed_log_says_what_it_holds(tutor: Tutor, tmp_path: Path, end: str, name: str) -> None:
    plain, packed = tmp_path / "plain" / "server.log", tmp_path / name.format(end)
    plain.parent.mkdir()
    plain.write_text(LOG)
    packed.write_bytes(PACKERS[end](LOG.encode()))
    told = [tutor.json("diagnose", str(one), *SERVER) for one in (plain, packed)]
    assert told[0]["observed"].keys() == told[1]["observed"].keys()
    assert told[0]["walls"] == told[1]["walls"]
    in_app = evidence.opened(packed)
    assert not isinstance(in_app, evidence.Problem | evidence.Told)
    assert in_app.found.lines == LOG.count("\n")


def test_several_streams_in_one_file_are_one_text(tmp_path: Path) -> None:
    packed = b"".join(gzip.compress(part.encode()) for part in ("one\n", "two\n"))
    assert b"".join(unpacking.unpacked("a.gz", iter([packed[:7], packed[7:]]))) == b"one\ntwo\n"


def test_a_packed_scenario_and_a_packed_config_are_read(tutor: Tutor, tmp_path: Path) -> None:
    scenario = tmp_path / "s.toml.gz"
    scenario.write_bytes(gzip.compress(b'model = "llama-3.1-8b"\ngpu = "L4"\n'))
    assert tutor.json("diagnose", str(scenario))["scenario"]["gpu"] == "L4"


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("end", PACKERS)
def test_a_damaged_one_is_refused_in_a_sentence_with_the_next_step(
    tutor: Tutor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str, lang: str
) -> None:
    monkeypatch.chdir(tmp_path)
    whole = PACKERS[end](LOG.encode())
    for number, data in enumerate((whole[: len(whole) // 2], whole[:20] + b"\x00" * 40)):
        file = tmp_path / f"{number}.log.{end}"
        file.write_bytes(data)
        ran = tutor("diagnose", file.name, "--lang", lang)
        assert (ran.status, ran.out, len(ran.err.splitlines())) == (2, "", 1)
        assert file.name in ran.err and "-dc FILE" in ran.err
        assert isinstance(evidence.opened(file), evidence.Problem)


@pytest.mark.parametrize("end", PACKERS)
def test_a_bomb_stays_bounded(end: str) -> None:
    packed = PACKERS[end](bytes(unpacking._LOOSE * 4))
    size = 0
    with pytest.raises(Refusal, match="unpacks_to_more"):
        for piece in unpacking.unpacked("bomb", iter([packed])):
            size += len(piece)
    assert size <= max(unpacking._LOOSE, unpacking._TIGHTEST * len(packed))


def _zip(file: Path, log: Path) -> None:
    with zipfile.ZipFile(file, "w") as archive:
        archive.write(log, log.name)


def _tar(file: Path, log: Path) -> None:
    with tarfile.open(file, "w") as archive:
        archive.add(log, log.name)


def _tgz(file: Path, log: Path) -> None:
    with tarfile.open(file, "w:gz") as archive:
        archive.add(log, log.name)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(
    ("name", "make", "kind"), [("a.zip", _zip, "zip"), ("a.tar", _tar, "tar"), ("a.tgz", _tgz, "tar")]
)
def test_an_archive_is_named_and_the_rest_is_diagnosed(
    tutor: Tutor, tmp_path: Path, name: str, make: Callable[[Path, Path], None], kind: str, lang: str
) -> None:
    log, file = tmp_path / "server.log", tmp_path / name
    log.write_text(LOG)
    make(file, log)
    found = tutor.json("diagnose", str(file), str(log), *SERVER)
    assert found["wall"] == "kv-memory"
    assert unread(found) == {"file": f"sealed-{kind}"}
    said = flat(tutor("diagnose", str(file), str(log), *SERVER, "--lang", lang).out)
    assert flat(say(f"diagnosis.unread.sealed-{kind}", lang, text=name)) in said
    assert say("observed.row.sealed", lang) in said


def test_every_kind_has_its_sentence_in_both_languages() -> None:
    for kind in sealed.KINDS:
        for lang in LANGS:
            assert "a.b" in say(f"diagnosis.unread.sealed-{kind}", lang, text="a.b")


@pytest.mark.parametrize("text", ["", "PK", "BZ", LOG, "%PD", '{"model": 1}'])
def test_a_text_is_no_archive(text: str) -> None:
    assert sealed.kind(text.encode()) == ""
