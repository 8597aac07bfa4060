"""A standard output that takes nothing: what could not be written is named, and what was done all the same."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from content.lang import LANGS, Lang
from content.words import say
from tests.tutor.command import process

FULL = Path("/dev/full")

pytestmark = pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")


def into_full(home: Path, *argv: str, unbuffered: bool) -> str:
    with FULL.open("wb") as full:
        env = {"PYTHONUNBUFFERED": "1" if unbuffered else ""}
        ran = process(argv, home, env=env, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert ran.returncode == 2
    return ran.stderr.decode()


@pytest.mark.parametrize("unbuffered", [True, False])
@pytest.mark.parametrize("lang", LANGS)
def test_a_change_is_told_where_the_output_is_full(tmp_path: Path, lang: Lang, unbuffered: bool) -> None:
    told = into_full(tmp_path, "config", "motion", "on", "--lang", lang, unbuffered=unbuffered)
    done = say("cli.config.saved", lang, name="motion", value="on")
    assert told == f"llm-tutor: {say('cli.error.output_done', lang, detail=say('cli.os.full', lang), done=done)}\n"
    assert 'motion = "on"' in (tmp_path / "settings.toml").read_text()


@pytest.mark.parametrize("argv", [("--version",), ("glossary",), ("--help",), ("check", "core/L2.1/kv", "3")])
def test_nothing_is_said_to_be_done_where_nothing_was(tmp_path: Path, argv: tuple[str, ...]) -> None:
    told = into_full(tmp_path, *argv, unbuffered=False)
    assert told == f"llm-tutor: {say('cli.error.output', 'en', detail=say('cli.os.full', 'en'))}\n"
