"""The table of commands: complete, free of clashes, with words, and the app obeys it."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from content.lang import LANGS
from content.words import say
from tests.tutor.frames import flat, frame, make_app, paste, settle
from tutor import keys
from tutor.app import TutorApp
from tutor.dialogs.help import HelpPanel
from tutor.dialogs.settings import SettingsPanel
from tutor.progress import Place
from tutor.session import Session
from tutor.widgets.rows import Rows

ROOT = Path(__file__).parents[2]


def test_ids_are_unique_and_keys_do_not_clash() -> None:
    assert len(keys.BY_ID) == len(keys.TABLE)
    assert list(keys.clashes({})) == []
    assert ("f2", "hint", "language") in list(keys.clashes({"hint": "f2"}))


@pytest.mark.parametrize("command", keys.TABLE, ids=lambda command: command.id)
def test_every_function_key_has_a_twin_and_every_command_its_words(command: keys.Command) -> None:
    if any(key[0] == "f" and key[1:].isdigit() for key in command.keys):
        assert any(key.startswith(("ctrl+", "alt+")) for key in command.keys)
    for lang in LANGS:
        assert len(say(command.label, lang)) <= 13
        assert say(command.help, lang)


def test_the_table_needs_no_textual() -> None:
    code = "import sys, tutor.keys; sys.exit('textual' in sys.modules or 'content' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


async def test_a_remapped_key_works_and_is_shown(tmp_path: Path) -> None:
    app = make_app(tmp_path, keys={"language": "f12"})
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "F12 Hinglish" in frame(app)
        await pilot.press("f2")
        assert app.session.language == "en"
        await pilot.press("f12")
        assert app.session.language == "hi-Latn"


async def test_a_key_of_the_file_that_another_command_has_takes_nothing_from_the_app(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path))
    (tmp_path / "settings.toml").write_text('language = "en"\n[keys]\nhelp = "f2"\n')
    app = TutorApp(Session.start())
    told: list[str] = []
    monkeypatch.setattr(app, "notify", lambda text, **_: told.append(text))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert len(told) == 1 and "llm-tutor config keys.help KEY" in told[0]
        await pilot.press("f2")
        assert app.session.language == "hi-Latn"
        await pilot.press("f1")
        await settle(pilot)
        assert isinstance(app.screen, HelpPanel)


async def test_letters_are_shown_only_where_they_work(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(140, 40)) as pilot:
        await settle(pilot)
        assert "q quit" in frame(app) and "ctrl+q" not in frame(app)
        app.go("core/L2.1")
        await settle(pilot)
        assert "ctrl+q quit" in frame(app)


async def test_the_list_narrows_and_jumps(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("l")
        await settle(pilot)
        await paste(pilot, "quantization step")
        assert "L3.2" in frame(app) and "L2.1" not in frame(app)
        await pilot.press("down", "enter")
        await settle(pilot)
        assert "L3.2 The quantization step" in frame(app).splitlines()[0]


async def test_the_palette_runs_a_command_below(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=Place("exercise", "core/L2.1"))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+p")
        await settle(pilot)
        await paste(pilot, "next hint")
        await pilot.press("enter")
        await settle(pilot)
        assert "Hint 1/3" in flat(app)


async def test_the_glossary_opens_what_is_found(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("g")
        await settle(pilot)
        await paste(pilot, "tokenizer")
        await settle(pilot)
        assert "cuts text into tokens" in flat(app)
        await pilot.press("f2")
        await settle(pilot)
        assert "tokens mein kaatta hai" in flat(app)


async def test_settings_hold_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path))
    monkeypatch.delenv("TEXTUAL_THEME", raising=False)
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("s")
        await settle(pilot)
        assert isinstance(app.screen, SettingsPanel)
        await pilot.press("down", "right")
        await settle(pilot)
        assert app.theme == app.session.settings.theme != "textual-dark"
        app.screen.query_one(Rows).go("name")
        await pilot.press("enter")
        await paste(pilot, "[b]Asha[/b]")
        await pilot.press("enter")
        await settle(pilot)
        assert app.session.settings.name == "[b]Asha[/b]" and "[b]Asha[/b]" in frame(app)
        assert "Asha" in (tmp_path / "settings.toml").read_text(encoding="utf-8")


async def test_results_name_slips_and_go_on_only_when_asked(tmp_path: Path) -> None:
    from tests.tutor.frames import answer

    app = make_app(tmp_path, place=Place("exercise", "core/L2.1"))
    async with app.run_test(size=(120, 40)) as pilot:
        await answer(pilot, "1*2048*32*4096*2 bytes")
        await answer(pilot, "1.07 GB")
        await pilot.press("f10")
        await settle(pilot)
        assert "solved, 2 attempts" in flat(app)
        assert "K-and-V factor left out 1×" in flat(app)
        assert "Next: L2.2" in flat(app)
        await pilot.press("escape")
        await settle(pilot)
        assert "L2.1" in frame(app).splitlines()[0]


@pytest.mark.parametrize(("lang", "told"), [("en", "tried, 3 of 4 marks"), ("hi-Latn", "try kiya, 4 mein se 3 marks")])
async def test_results_tell_the_marks_that_were_kept_of_a_text(tmp_path: Path, lang: str, told: str) -> None:
    app = make_app(tmp_path, lang)
    points = [point.id for point in app.session.part("core/L3.3/explain")[1].rubric]
    app.session.self_mark("core/L3.3/explain", "weights are a part only", points[:3])
    async with app.run_test(size=(80, 24)) as pilot:
        app.go("core/L3.3")
        await settle(pilot)
        await pilot.press("f10")
        await settle(pilot)
        assert told in flat(app)


async def test_escape_steps_outward_and_home_shows_what_was_done(tmp_path: Path) -> None:
    from tests.tutor.frames import answer

    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        app.go("core/C2")
        await settle(pilot)
        await pilot.press("e", "enter")
        await settle(pilot)
        assert "L1.2" in frame(app).splitlines()[0]
        await pilot.press("escape")
        await settle(pilot)
        assert "C2" in frame(app).splitlines()[0]
        app.go("core/L2.1")
        await settle(pilot)
        await answer(pilot, "1*2048*32*4096*2 bytes")
        await pilot.press("escape")
        await settle(pilot)
        assert "Slips to watch" in frame(app) and "once, in L2.1" in frame(app)


def test_home_needs_neither_formulas_nor_figures() -> None:
    code = (
        "import sys; from tutor.app import TutorApp; from tutor.screens.home import HomeScreen;"
        "from content import course; course.index();"
        "print([m for m in sys.modules if m.startswith(('engine.', 'tutor.figures', 'sympy', 'numpy'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_no_key_is_one_that_terminals_send_for_another() -> None:
    taken = {"alt+f", "alt+b"}  # alt and an arrow, on many terminals: Textual reads a word's step to the right or left
    assert not taken & {key for command in keys.TABLE for key in command.keys}


FIXED = {
    "ctrl+c", "ctrl+d",  # the terminal's own
    "ctrl+j",  # what terminals send for ctrl+Enter; nobody can give it to a command
}  # fmt: skip
FIRST_START = {"app.welcome.later", "help.welcome-screen"}
"""Said before anybody could choose keys."""


def test_no_sentence_names_a_key_that_the_reader_may_have_changed() -> None:
    named = re.compile(r"\b(F\d{1,2}|(?:ctrl|alt)\+\w+)\b")
    found = {
        (f"{file.stem}.{place}", key)
        for file in (ROOT / "content" / "words").glob("*.toml")
        if file.stem not in ("cli", "serve")  # lines of a shell, where keys are only examples; a browser's own keys
        for place, text in texts(tomllib.loads(file.read_text("utf-8")))
        for key in named.findall(text)
        if key not in FIXED and f"{file.stem}.{place}" not in FIRST_START
    }
    assert found == set()


def texts(table: object, place: str = "") -> Iterator[tuple[str, str]]:
    """All sentences of a words file with their places."""
    if isinstance(table, str):
        yield place.removesuffix(".en").removesuffix(".hi-Latn").lstrip("."), table
    elif isinstance(table, dict):
        for name, below in table.items():
            yield from texts(below, f"{place}.{name}")


async def test_a_question_names_the_keys_that_the_reader_chose(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=Place("exercise", "core/L2.1"), keys={"solution": "f12"})
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("f12")
        await settle(pilot)
        assert "F12 again shows it" in flat(app) and "F4" not in flat(app)


async def test_a_key_in_help_can_be_clicked(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 60)) as pilot:
        await settle(pilot)
        await pilot.press("f1")
        await settle(pilot)
        lines = frame(app).splitlines()
        line = next(number for number, text in enumerate(lines) if text.lstrip().startswith("alt+p "))
        await pilot.click(offset=(8, line))
        await settle(pilot)
        assert type(app.screen).__name__ == "PlanPanel", "whose key has no room in the line of keys"
