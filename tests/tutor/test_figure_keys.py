"""Own keys of the reader and keys of figures: copy and reset go along, others are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tutor.frames import frame, make_app, settle
from tutor import cli, keychoice, keys
from tutor.figures.base import KEYS, OWN_KEYS
from tutor.figures.keyline import key_line, key_words
from tutor.figures.registry import get
from tutor.figures.view import FigureView

_TAKEN = sorted({key for group in (*KEYS.values(), *OWN_KEYS.values()) for key in group})
_COMMANDS = ("figure-command", "copy-figure", "figures", "make-exercise", "next-figure")


@pytest.mark.parametrize("action", _COMMANDS)
@pytest.mark.parametrize("key", _TAKEN)
def test_a_key_of_the_figures_is_no_key_of_a_command_beside_them(action: str, key: str) -> None:
    own = {*keys.BY_ID[action].keys, *OWN_KEYS.get(action.removesuffix("-figure"), ())}
    for wanted in (key, f"f12,{key}"):
        found = keychoice.trouble(action, wanted)
        assert (found is None) == (key in own)
        assert found is None or found == ("figure", key)


def test_every_key_that_a_figure_binds_is_known() -> None:
    bound = {key for one in FigureView.BINDINGS for key in one.key.split(",")}  # type: ignore[union-attr]
    assert bound - {"enter"} == set(_TAKEN), "enter is nobody's to give away"
    assert "enter" in keychoice.RESERVED


@pytest.mark.parametrize(
    ("action", "key"), [("figure-command", "right"), ("copy-figure", "1"), ("copy-figure", "space")]
)
def test_the_refusal_is_one_sentence(
    action: str, key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path))
    assert cli.run(["--lang", "en", "config", f"keys.{action}", key]) == 2
    said = f"keys.{action} cannot be {key}: figures use this key themselves. Take another one, like f12 or alt+n."
    assert capsys.readouterr().err == f"llm-tutor: {said}\n"
    assert not (tmp_path / "settings.toml").exists()


def test_the_line_of_keys_says_the_keys_that_copy_and_reset() -> None:
    figure = get("ruler")
    assert key_words(figure, "en")[-2:] == [("y", "copy"), ("r", "reset")]
    assert key_words(figure, "en", own=("F12", "x"))[-2:] == [("F12", "copy"), ("x", "reset")]
    line = key_line(figure, 60, "en", ascii=True, own=("alt+→", "x"))[-1].plain
    assert line.isascii() and "alt+-> copy" in line


async def test_a_figure_copies_and_resets_with_the_keys_that_were_chosen(tmp_path: Path) -> None:
    app = make_app(tmp_path, keys={"copy-figure": "f12", "reset-figure": "alt+x,0"})
    app.playing_at = ("ruler", get("ruler").defaults())
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+g")
        await settle(pilot)
        view = app.screen.query_one(FigureView)
        view.focus()
        await settle(pilot)
        assert "F12 copy" in frame(app) and "y copy" not in frame(app) and "r reset" not in frame(app)
        start = view.state
        await pilot.press("right")
        assert view.state != start
        for key in ("r", "y"):
            await pilot.press(key)
        await settle(pilot)
        assert view.state != start and not app.clipboard
        await pilot.press("f12")
        await settle(pilot)
        assert app.clipboard
        await pilot.press("0")
        await settle(pilot)
        assert view.state == start
