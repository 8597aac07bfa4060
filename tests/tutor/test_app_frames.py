"""Every screen at three sizes in both languages: whole lines, both edges in place, both languages at the same spot."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.cells import cell_len

from content import course
from content.lang import LANGS, Lang
from content.words import say
from tests.tutor.frames import SIZES, flat, frame, make_app, settle
from tutor.progress import Place
from tutor.widgets.page import Page

PLACES = {
    "home": None,
    "lesson": Place("lesson", "core/C2", "one-token"),
    "lesson-end": Place("lesson", "core/C2", "end"),
    "typed": Place("exercise", "core/L4.1", part="core/L4.1/weights"),
    "match": Place("exercise", "core/L1.2"),
    "order": Place("exercise", "core/L3.3"),
    "judge": Place("exercise", "core/L3.2", part="core/L3.2/twice_as_bad"),
    "choice": Place("exercise", "core/L5.1a"),
}
PANELS = {"jump": "f6", "glossary": "f7", "settings": "alt+s", "help": "f1", "palette": "ctrl+p"}


def check_frame(text: str, size: tuple[int, int]) -> None:
    lines = text.splitlines()
    assert len(lines) <= size[1]
    assert all(cell_len(line) <= size[0] for line in lines)
    assert "…" not in text
    assert "{" not in text, "a placeholder was not filled"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", PLACES)
async def test_screens(tmp_path: Path, name: str, size: tuple[int, int]) -> None:
    app = make_app(tmp_path, "en", PLACES[name])
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        for language in ("English", "Hinglish"):
            text = frame(app)
            check_frame(text, size)
            lines = text.splitlines()
            assert lines[0].rstrip().endswith(language)
            assert "F1" in lines[-1]
            assert len(app.screen.query("*")) < 60
            await pilot.press("f2")
            await settle(pilot)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", PANELS)
async def test_panels(tmp_path: Path, name: str, size: tuple[int, int]) -> None:
    app = make_app(tmp_path, "en")
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        home = frame(app)
        await pilot.press(PANELS[name])
        await settle(pilot)
        assert frame(app) != home
        check_frame(frame(app), size)
        await pilot.press("f2")
        await settle(pilot)
        assert frame(app).splitlines()[0].endswith("Hinglish")
        check_frame(frame(app), size)
        await pilot.press("f2", "escape")
        await settle(pilot)
        assert frame(app) == home


@pytest.mark.parametrize("lang", LANGS)
async def test_every_word_of_a_lesson_can_be_reached(tmp_path: Path, lang: str) -> None:
    from content import fill, markup

    lesson = course.lesson("core/C2")
    app = make_app(tmp_path, lang, Place("lesson", "core/C2"))
    async with app.run_test(size=(60, 20)) as pilot:
        for section in lesson.sections:
            await settle(pilot)
            seen = flat(app)
            page = app.screen.query_one(Page)
            while not page.at_end():
                page.scroll_page_down(animate=False)
                await settle(pilot)
                seen += " " + flat(app)
            words = markup.plain(fill.fill(section.text[lang], lang, fill.of_lesson(lesson))).split()
            assert [word for word in words if word not in seen and word != "-"] == []
            await pilot.press("n")


@pytest.mark.parametrize("theme", ["ansi-dark", "ansi-light", "nord", "textual-light", "no-such-theme"])
async def test_themes(tmp_path: Path, theme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TEXTUAL_THEME", raising=False)
    app = make_app(tmp_path, place=PLACES["typed"], theme=theme)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        check_frame(frame(app), (80, 24))
        assert app.theme == (theme if theme in app.available_themes else "textual-dark")


@pytest.mark.parametrize("theme", ["ansi-dark", "textual-dark"])
async def test_no_color_sends_no_colour(tmp_path: Path, theme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = make_app(tmp_path, place=PLACES["typed"], theme=theme)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert app.native_ansi_color
        check_frame(frame(app), (80, 24))


async def test_an_empty_no_color_means_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "")
    assert not make_app(tmp_path).no_color


async def test_ascii_marks(tmp_path: Path) -> None:
    app = make_app(tmp_path, ascii=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        body = "\n".join(frame(app).splitlines()[2:-2])
        assert body.isascii()


@pytest.mark.parametrize("lang", LANGS)
async def test_a_long_title_leaves_page_and_language_in_sight(tmp_path: Path, lang: Lang) -> None:
    app = make_app(tmp_path, lang)
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        for entry in course.index().tracks[0].lessons:
            app.go(entry.id)
            await settle(pilot)
            top = frame(app).splitlines()[0]
            assert top.split()[0] == entry.id.split("/")[1], top
            assert top.split()[1].rstrip(":") == entry.title[lang].split()[0].rstrip(":"), top
            assert f"1/{entry.sections}" in top and top.endswith(say("app.language", lang)), top


async def test_every_page_says_one_pair_of_keys_that_turn_it(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        app.go("core/C2")
        for figure in (False, True, False):
            await settle(pilot)
            keys = frame(app).splitlines()[-1]
            assert "n next" in keys and "→ next" not in keys and ("←→ figure" in keys) is figure
            await pilot.press("n")
        await pilot.press("p", "p")
        await settle(pilot)
        await pilot.press("tab")
        await settle(pilot)
        assert "n next" in frame(app).splitlines()[-1] and "←→ figure" in flat(app)
