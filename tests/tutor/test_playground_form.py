"""The form of the playground: names whole, what a value may be, one mark of the cursor, keys that lead on."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot

from tests.tutor.frames import column, frame, make_app, settle
from tutor.app import TutorApp
from tutor.figures.registry import get, names
from tutor.playing import matching, opening
from tutor.playing.matching import Match
from tutor.playing.played import Played
from tutor.screens.playground import PlaygroundScreen
from tutor.screens.playground_panels import CommandsPanel, MatchesPanel
from tutor.widgets.field_rows import FormRow, label_column


async def started(pilot: Pilot[None], app: TutorApp, *words: str) -> PlaygroundScreen:
    opened = opening.read(words)
    app.playing_at = Played(opened.figure, opened.state, opened.state, named=opened.named)
    await settle(pilot)
    await pilot.press("ctrl+g")
    await settle(pilot)
    assert isinstance(app.screen, PlaygroundScreen)
    return app.screen


@pytest.mark.parametrize("lang", ["en", "hi-Latn"])
async def test_names_stand_in_one_line_at_hand_or_not(tmp_path: Path, lang: str) -> None:
    app = make_app(tmp_path, lang)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await started(pilot, app, "two-buckets", "model=llama-2-7b", "gpu=H200 SXM 141GB")
        await pilot.press("tab")
        for name in ("model", "N", "gpu"):
            screen.pane.go(name)
            await settle(pilot)
            assert "Llama-2-7b-hf" in frame(app) if name != "gpu" else "H200 SXM 141GB" in frame(app)
            line = screen.pane.line
            assert line.scroll_offset.x == 0, "the beginning is in sight"


async def test_a_name_longer_than_the_window_breaks_behind_a_hyphen(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await started(pilot, app, "roofline", "model=Mistral-Small-3.2-24B-Instruct-2506")
        await pilot.press("tab", "down")
        await settle(pilot)
        shown = [line[42:].strip() for line in frame(app).splitlines()[3:5]]
        assert shown[0].startswith("model") and shown[0].endswith("-")
        assert shown[0].removeprefix("model").strip() + shown[1] == "Mistral-Small-3.2-24B-Instruct-2506"
        await pilot.press("up")
        await settle(pilot)
        assert frame(app).splitlines()[3].partition("▸")[2].split()[1].startswith("Mistral-Small-3.2")
        assert screen.pane.typed == ("model", "Mistral-Small-3.2-24B-Instruct-2506")


def test_a_label_gives_way_only_where_that_helps() -> None:
    assert label_column(FormRow("a", "model", "x" * 10), 20, 40) == 24
    assert label_column(FormRow("a", "model", "x" * 20), 20, 40) == 19
    assert label_column(FormRow("a", "model", "x" * 50), 20, 40) == 8
    assert label_column(FormRow("a", "model", "some words that wrap where words end"), 20, 40) == 24


@pytest.mark.parametrize(("figure", "first"), [("two-buckets", "Llama-2-7b-hf"), ("roofline", "Llama-2-7b-hf")])
async def test_enter_on_a_model_or_card_shows_what_it_may_be(tmp_path: Path, figure: str, first: str) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await started(pilot, app, figure)
        await pilot.press("tab", "enter")
        await settle(pilot)
        told = column(app, "#values")
        assert first in told and "Llama-2-70b-hf" in told and "more: type part of a name" in told
        await pilot.press("down", "down", "enter")
        await settle(pilot)
        assert next(row.value for row in screen.pane.rows if row.name == "model") == "Llama-2-13b-hf"
        screen.pane.go("gpu")
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert "V100 SXM2 32GB" in column(app, "#values")


async def test_own_values_are_named_only_where_there_are_some(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await started(pilot, app, "roofline")
        await pilot.press("tab", "backspace")
        await settle(pilot)
        assert "own values" not in frame(app)
        await pilot.press("enter")
        await settle(pilot)
        assert "nothing is typed" in frame(app) and "own values" not in frame(app)
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await started(pilot, app, "two-buckets", "N=7B")
        await pilot.press("tab")
        await settle(pilot)
        assert "own values" in frame(app)


async def test_a_sentence_has_another_sign_than_the_cursor(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await started(pilot, app, "block-grid")
        await pilot.press("tab", *"5000", "enter")
        await settle(pilot)
        assert frame(app).count("▸") == 1
        assert "! tokens used: 5000 does not go" in column(app, "#values")


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
async def test_further_lines_of_a_command_stand_in(tmp_path: Path, size: tuple[int, int]) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=size) as pilot:
        await started(pilot, app, "roofline")
        await pilot.press("f9")
        await settle(pilot)
        assert isinstance(app.screen, CommandsPanel)
        lines = frame(app).splitlines()
        first = next(n for n, line in enumerate(lines) if "▸ llm-tutor" in line)
        column_of_lines = lines[first].index("llm-tutor")
        shown = [line for line in lines[first:-2] if line.strip()]
        begun = [line for line in shown if line[column_of_lines:].startswith("llm-tutor ")]
        assert len(shown) > len(begun) > 1
        assert all(line.startswith(" " * (column_of_lines + 2)) for line in shown if line not in begun)
        await pilot.press(*["down"] * len(app.screen.lines))
        await settle(pilot)
        assert "▸ llm-tutor playground roofline" in frame(app), "the last one comes into sight"
        assert [row.id for row in app.screen.list.rows] == list(app.screen.lines)


async def test_exercises_are_offered_where_there_are_some(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await started(pilot, app, "block-grid")
        await app.workers.wait_for_complete()
        await settle(pilot)
        assert "F4 exercise" in frame(app)
        await started_again(pilot, "tracks", app)
        assert "F4" not in frame(app).splitlines()[-1]
        await pilot.press("f4")
        await settle(pilot)
        assert not isinstance(app.screen, MatchesPanel)
        assert [note.message for note in app._notifications] == ["No exercise asks about this figure."]


async def started_again(pilot: Pilot[None], name: str, app: TutorApp) -> None:
    assert isinstance(app.screen, PlaygroundScreen)
    await app.screen.show_figure(name)
    await settle(pilot)


async def test_escape_brings_back_the_value_that_holds(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await started(pilot, app, "roofline")
        await pilot.press("tab", *"Qwen")
        await settle(pilot)
        assert screen.pane.typed == ("model", "Qwen") and "Qwen2" in frame(app)
        await pilot.press("escape")
        await settle(pilot)
        assert screen.pane.typed == ("model", "Llama-2-7b-hf") and "Qwen" not in frame(app)
        assert isinstance(app.screen, PlaygroundScreen) and screen.is_typing()


async def test_only_an_exercise_that_varies_is_the_nearest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = (Match("core/L5.1a@3", False), Match("core/L1.2", False, varies=False))
    monkeypatch.setattr(matching, "matches", lambda name, state: found)
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await started(pilot, app, "block-grid")
        await pilot.press("f4")
        await settle(pilot)
        lines = {word: line for line in frame(app).splitlines() for word in ("L5.1a", "L1.2") if word in line}
        assert "nearest" in lines["L5.1a"] and "nearest" not in lines["L1.2"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("16" * 50_000, "requests: that is too long; 200 letters are the most."),
        ("1\x1b[31m6", "requests: the pasted text has control characters, so nothing of it was taken."),
        ("line1\nline2\nB=4", "is more than a value. Write the value alone"),
        ("512\n513", "is more than a value. Write the value alone"),
    ],
)
async def test_a_paste_that_cannot_stand_in_a_line_is_told(tmp_path: Path, text: str, said: str) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await started(pilot, app, "two-buckets")
        await pilot.press("tab")
        screen.pane.go("B")
        await settle(pilot)
        before = screen.pane.typed
        await pilot.press("1", "2")
        app.focused.post_message(events.Paste(text))  # type: ignore[union-attr]
        await settle(pilot)
        assert said in " ".join(column(app, "#values").split())
        assert screen.pane.typed == ("B", "12") != before, "what was typed stays"
        await pilot.press("enter")
        await settle(pilot)
        assert screen.view is not None and screen.view.state["B"] == 12
        app.focused.post_message(events.Paste("16\n"))  # type: ignore[union-attr]
        await settle(pilot)
        assert screen.pane.typed == ("B", "16"), "a copied cell ends with a line break"


def test_the_figures_of_exercises_are_figures() -> None:
    asked = {name for name in names() if matching.asked(name)}
    assert {"block-grid", "ruler", "two-buckets"} <= asked < set(names())
    assert all(get(name).parameters for name in asked)
