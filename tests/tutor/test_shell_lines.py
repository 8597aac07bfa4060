"""Commands over several lines: what the mouse selects is the same to a shell as what is copied."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from tests.tutor.frames import make_app, settle
from tutor.diagnoser import shell
from tutor.screens.playground_panels import CommandsPanel


def heard(text: str) -> list[str]:
    """The words of a text as a shell passes them on."""
    got = subprocess.run(["bash", "-c", f"printf '%s\\0' {text}"], capture_output=True, check=True).stdout.decode()
    return [" ".join(one.split()) for one in got.split("\0")[:-1]]


WORDS = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "Zs"]), max_size=60)


@settings(max_examples=60)
@drawn(st.lists(WORDS.filter(lambda word: " ".join(word.split()) == word), max_size=6), st.integers(30, 90))
def test_a_command_over_several_lines_is_the_same_to_a_shell(words: list[str], width: int) -> None:
    command = ["llm-tutor", "diagnose", *words]
    assert heard("\n".join(shell.folded(command, width))) == command


def test_lines_of_a_command_are_as_wide_as_their_words_allow() -> None:
    command = [
        "llm-tutor",
        "diagnose",
        "--model",
        "llama-3.1-8b",
        "--symptom",
        "it is slow " * 20,
        "--gpu",
        "H100 SXM 80GB",
    ]
    for width in (40, 60, 76):
        lines = shell.folded(command, width)
        assert len(lines) > 3 and max(map(len, lines)) <= width


@pytest.mark.parametrize("size", [(60, 20), (120, 40)])
async def test_the_lines_of_a_figure_run_as_they_stand(tmp_path: Path, size: tuple[int, int]) -> None:
    app = make_app(tmp_path, probe=False)
    async with app.run_test(size=size) as pilot:
        await pilot.press("ctrl+g")
        await settle(pilot)
        await pilot.press("f9")
        await settle(pilot)
        panel = app.screen
        assert isinstance(panel, CommandsPanel)
        shown = {row.id: row.text.plain for row in panel.list.rows}
        assert any("\n" in text for text in shown.values()) or size[0] > 100
        for line, text in shown.items():
            assert heard(text) == shlex.split(line)
