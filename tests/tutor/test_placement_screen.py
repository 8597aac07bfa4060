"""The placement in the app and in lines, and what home says before and after it."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from textual.widget import AwaitMount, Widget

from content.words import say
from tests.tutor.frames import SIZES, answer, flat, frame, make_app, settle
from tutor import cli, nextup
from tutor.app import TutorApp
from tutor.progress import Place
from tutor.travel import PLACEMENT, QUIZ
from tutor.widgets.blank import Vertical

NEW = {
    "en": """\
  ▸ Begin      C0 Foundations: from a token to a batch                 enter
    New here?  two minutes suggest a level to begin with                   p
    Diagnose   a server of yours                                           d
    Measure    what your GPU really does                                   m
    Figures    to play with, with your own numbers                    ctrl+g""",
    "hi-Latn": """\
  ▸ Shuru karo  C0 Neev: ek token se batch tak                         enter
    Naye ho?    2 minute mein pata chalega kis level se shuru karna hai    p
    Diagnose    apna koi server                                            d
    Measure     apne GPU ki asli speed                                     m
    Figures     khud chalao, apne numbers ke saath                    ctrl+g""",
}
FOUND = """\
  Begin with L3 Analysis.

  ✓ L2 Application   2 of 2
  ✗ L3 Analysis      0 of 1
  ✗ L4 Synthesis     0 of 1

  It is a suggestion: every level stays open.

  ▸ Start with L3.1 Reserved against paged
    First read C3 Paging: stop reserving, start handing out
    Other questions, once more
    Home"""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path))
    for name in ("LLM_TUTOR_LANG", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def bare(text: str) -> str:
    """Lines without the margins of the window."""
    return "\n".join(line.strip() for line in text.split("\n"))


def ways(app: TutorApp) -> str:
    """The first block of home."""
    return "\n".join(line.rstrip(" ▁▂▃▄▅▆▇█") for line in frame(app).split("\n")[3:]).split("\n\n")[0]


@pytest.mark.parametrize("lang", ["en", "hi-Latn"])
async def test_home_offers_one_thing_and_the_placement_to_who_is_new(tmp_path: Path, lang: str) -> None:
    app = make_app(tmp_path, lang)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert ways(app) == NEW[lang]
        await pilot.press("p")
        await settle(pilot)
        assert "Placement" in flat(app) and "26" not in flat(app)
        await pilot.press("escape")
        await settle(pilot)
        assert ways(app) == NEW[lang] and app.session.settings.placement == "off"


async def test_the_placement_is_offered_until_something_was_answered(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        app.go("core/C0")
        await settle(pilot)
        await pilot.press("escape")
        await settle(pilot)
        assert "▸ Continue   C0" in frame(app) and "New here?" in flat(app) and "p placement" in flat(app)
        assert "what you begin to forget" not in flat(app)
        app.session.check("core/L2.1/kv", "1.07 GB")
        await pilot.press("f6")
        await settle(pilot)
        await pilot.press("escape")
        await settle(pilot)
        assert "New here?" not in flat(app)


@pytest.mark.parametrize(
    ("lang", "typed", "read", "missing"),
    [
        ("en", "I don't know", "read as I don't know", "Nothing is typed yet. F4 says"),
        ("hi-Latn", "mujhe nahi pata", "aise padha: pata nahi", "Abhi kuch likha nahi hai. Pata na ho toh F4 dabao."),
    ],
)
async def test_who_writes_that_they_do_not_know_has_answered_and_an_empty_line_says_what_can_be_done(
    tmp_path: Path, lang: str, typed: str, read: str, missing: str
) -> None:
    app = make_app(tmp_path, lang)
    app._start = PLACEMENT
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert missing in flat(app) and " 2, " not in flat(app)
        await pilot.press(*typed.replace("'", "’"))
        await settle(pilot)
        assert read in flat(app)
        await pilot.press("enter")
        await settle(pilot)
        assert say("placement.unknown", "en" if lang == "en" else "hi-Latn") in flat(app) and "hint" not in flat(app)


@pytest.mark.parametrize("size", SIZES)
async def test_a_placement_from_the_first_question_to_the_exercise(tmp_path: Path, size: tuple[int, int]) -> None:
    app = make_app(tmp_path)
    app._start = PLACEMENT
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        assert 'F4 says "I don\'t know"' in flat(app) and "question 1, 10 at most" in flat(app)
        await answer(pilot, "hmm")
        assert "No number found" in flat(app) and "question 1" in flat(app)
        await answer(pilot, "26 GB")
        assert "✓ Right." in flat(app) and "question 2" in flat(app)
        await pilot.press("f2", "f2", "y", "enter")  # a language is no answer
        await settle(pilot)
        assert "✗ Not yet." in flat(app)
        await pilot.press("f4")
        await settle(pilot)
        assert "· Good to know." in flat(app)
        await answer(pilot, "2*2048*32*4096*2/1e9")
        if size[0] >= 80:
            assert bare(FOUND) in bare(frame(app))
        assert " ".join(FOUND.split()) in flat(app)
        assert app.session.settings.placement == "L3"
        assert not app.session.progress.overall("")  # nothing was tried, nothing was solved
        await pilot.press("escape")
        await settle(pilot)
        assert "▸ Start L3.1 Reserved against paged (placement)" in flat(app)
        await pilot.press("enter")
        await settle(pilot)
        assert "L3.1" in flat(app) and nextup.place_of(app.session) is not None


async def test_a_new_suggestion_starts_on_its_first_way_and_a_language_keeps_the_place(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    app._start = PLACEMENT
    async with app.run_test(size=(80, 24)) as pilot:

        async def know_nothing() -> None:
            await settle(pilot)
            for _ in range(3):
                await pilot.press("f4")
                await settle(pilot)

        await know_nothing()
        assert "▸ Start with C0" in flat(app)
        await pilot.press("down", "f2")
        await settle(pilot)
        assert "▸ Doosre sawaal, ek baar phir" in flat(app)
        await pilot.press("enter")
        await know_nothing()
        assert "▸ Shuru karo: C0" in flat(app)


async def test_home_says_at_every_moment_one_thing(tmp_path: Path) -> None:
    app = make_app(tmp_path, placement="L4")
    session = app.session
    async with app.run_test(size=(80, 24)) as pilot:

        async def first() -> str:
            await pilot.press("f6")
            await settle(pilot)
            await pilot.press("escape")
            await settle(pilot)
            return " ".join(ways(app).split("\n")[0].split())

        await settle(pilot)
        assert await first() == "▸ Start L4.1 Does it fit on the card? (placement) enter"
        session.set_place(Place("exercise", "core/L2.1", part="core/L2.1/kv"))
        assert await first() == "▸ Continue L2.1 How large is the KV cache? enter"
        session.check("core/L2.1/kv", "1.07 GB")
        assert (await first()).startswith("▸ Start L4.1")
        for part in ("weights", "per_request", "kv", "total", "margin", "fits", "safe"):
            session.skip(f"core/L4.1/{part}")
        session.set_place(Place("exercise", "core/L4.1"))
        assert (await first()).startswith("▸ Continue L4.1")


# --- in lines ---------------------------------------------------------------------------------------------------------


def run(typed: str, *argv: str, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    return cli.run(["placement", *argv])


def test_in_lines_an_empty_one_says_i_do_not_know(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    assert run("26\n\nhelp\nhint\n8\nidk\n17\n", "--plain", monkeypatch=monkeypatch) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "Right. Question 2, 10 at most" in said and "Good to know. Question 3" in said
    assert "idk: I don't know (an empty line does the same)" in said and "There are no hints here." in said
    assert "Begin with L4 Synthesis." in said and "`llm-tutor study core/L4.1` opens it" in said
    assert 'placement = "L4"' in (home / "settings.toml").read_text()


def test_left_before_the_end_it_suggests_and_changes_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    assert run("26\nquit\n", "--lang", "hi-Latn", monkeypatch=monkeypatch) == 1
    assert "Beech mein chhod diya" in capsys.readouterr().out
    assert not (home / "settings.toml").exists()


def test_json_is_one_document(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("\n\n\n", "--json", monkeypatch=monkeypatch) == 0
    told = capsys.readouterr()
    assert json.loads(told.out) == {
        "level": "core/L1",
        "begin": "core/C0",
        "beyond": False,
        "asked": 3,
        "scores": {"core/L1": {"right": 0, "asked": 2}, "core/L2": {"right": 0, "asked": 1}},
    }
    assert "Question 1" in told.err
    assert run("26\n", "--json", monkeypatch=monkeypatch) == 1
    assert json.loads(capsys.readouterr().out)["level"] is None


@pytest.mark.parametrize("start", [PLACEMENT, QUIZ, Place("exercise", "core/L2.3")], ids=["placement", "quiz", "L2.3"])
async def test_a_form_that_is_still_being_made_gets_no_key(
    home: Path, start: str | Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    there, mount = list[object](), Vertical.mount

    def looked(self: Vertical, *made: Widget, **where: Any) -> AwaitMount:
        if self.id == "answering":
            there.append(self.screen.form)
        return mount(self, *made, **where)

    monkeypatch.setattr(Vertical, "mount", looked)
    app = make_app(home)
    app._start = start
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        if start == QUIZ:
            await pilot.press(*["down"] * 4, "enter")
            await settle(pilot)
        await pilot.press("f4", "f4", "enter")
        await settle(pilot)
        assert app.screen.form is not None
    assert there and not any(there)
