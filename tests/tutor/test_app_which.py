"""The question which of several slips it was: the next thing shown, answered by a click, a row or a letter."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Static

from content import checking, course, fill, verdicts_read, verdicts_wrong
from content.lang import LANGS, Lang, Text
from content.words import say
from tests.tutor.frames import SIZES, answer, column, frame, make_app, paste, settle
from tutor import letters
from tutor.app import TutorApp
from tutor.progress import Place
from tutor.screens.choices import ChoiceRows
from tutor.screens.exercise import ExerciseScreen
from tutor.widgets.answer_input import AnswerInput

KV = "core/L2.1/kv"
AT = Place("exercise", "core/L2.1", part=KV)
HALF = "0.537 GB"
"""Half of the right answer: the two of key and value left out, or one byte for each number."""


OTHER = "core/L4.1/per_request"
"""A part of another exercise, where the same slips can be made, with a long page above it."""


def half(part: str) -> float:
    """The cache of one request without the two of key and value, in bytes."""
    given = course.part(part)[1].given
    return float(given["S"] * given["L"] * given["d_model"] * given["p"])


def choices(app: TutorApp) -> list[verdicts_wrong.Choice]:
    assert isinstance(app.screen, ExerciseScreen)
    return list(verdicts_wrong.choices(KV, app.screen.told[KV].verdict, app.session.language))


def whole(text: str, app: TutorApp) -> bool:
    """Whether every word of a text is on the screen, in its order."""
    return " ".join(text.split()) in column(app, "#said")


def rows(app: TutorApp) -> ChoiceRows:
    return app.screen.query_one(ChoiceRows)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("size", SIZES[::2])
async def test_the_question_stands_whole_with_its_choices(tmp_path: Path, size: tuple[int, int], lang: str) -> None:
    app = make_app(tmp_path, lang, AT)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        assert not rows(app).display
        await answer(pilot, HALF)
        offered = choices(app)
        assert len(offered) >= 3 and offered[-1].slip == ""
        assert whole(app.screen.told[KV].message(app.session.language), app)
        assert HALF in frame(app)
        for choice in offered:
            assert whole(f"{choice.letter} {choice.text}", app)
        assert whole(letters.how([choice.letter for choice in offered], app.session.language), app)
        assert f"↓ {say('app.exercise.pick_one', app.session.language)}" in frame(app).splitlines()[-1]


@pytest.mark.parametrize(
    ("typed", "size", "lang"),
    [("a", (60, 20), "en"), ("b", (80, 24), "hi-Latn"), ("B)", (80, 24), "en"), (" c. ", (60, 20), "hi-Latn")],
)
async def test_a_letter_and_enter_pick(tmp_path: Path, size: tuple[int, int], lang: str, typed: str) -> None:
    app = make_app(tmp_path, lang, AT)
    async with app.run_test(size=size) as pilot:
        await answer(pilot, HALF)
        picked = next(choice for choice in choices(app) if choice.letter in typed.lower())
        before, ambiguous = app.session.progress.attempts(KV), app.screen.told[KV].message(app.session.language)
        await paste(pilot, typed)
        echo = str(app.screen.query_one("#echo", Static).content)
        assert picked.text in echo, "the echo says what the letter stands for"
        await pilot.press("enter")
        await settle(pilot)
        verdict = app.screen.told[KV].verdict
        assert whole(verdicts_wrong.settled(KV, verdict, picked.slip, app.session.language), app)
        assert not whole(ambiguous, app) and not rows(app).display
        after = app.session.progress.attempts(KV)
        assert len(after) == len(before) == 1, "no attempt is counted"
        assert after[0].slips == ((picked.slip,) if picked.slip else before[0].slips)
        line = app.screen.query_one(AnswerInput)
        assert line.value == HALF and app.focused is line
        assert app.session.drafts("core/L2.1") == {}
        await pilot.press("1")
        assert line.value == "1", "the answer is typed over"


async def test_arrows_go_in_and_out_and_enter_picks(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=AT)
    async with app.run_test(size=(80, 24)) as pilot:
        await answer(pilot, HALF)
        line = app.screen.query_one(AnswerInput)
        await pilot.press("down")
        assert rows(app).has_focus and rows(app).current == "a"
        assert frame(app).splitlines()[-1].strip().startswith("enter pick")
        await pilot.press("up")
        assert line.has_focus
        await pilot.press("tab")
        assert rows(app).has_focus, "tab leads there too"
        await pilot.press("down", "enter")
        await settle(pilot)
        second = app.session.progress.slips()[0].slip
        assert [second] == list(app.screen.told[KV].verdict.slips[1:2]) and line.has_focus


async def test_a_click_picks(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=AT)
    async with app.run_test(size=(80, 24)) as pilot:
        await answer(pilot, HALF)
        assert await pilot.click(ChoiceRows, offset=(8, 1))
        await settle(pilot)
        assert [slip.slip for slip in app.session.progress.slips()] == [app.screen.told[KV].verdict.slips[1]]
        assert not rows(app).display


@pytest.mark.parametrize("size", [(60, 20), (120, 40)])
async def test_the_other_language_and_another_size_keep_what_stands_there(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    app = make_app(tmp_path, "en", AT)
    async with app.run_test(size=size) as pilot:
        await answer(pilot, HALF)
        await pilot.press("down", "down", "f2")
        await settle(pilot)
        assert rows(app).has_focus and rows(app).current == "b"
        for choice in choices(app):
            assert whole(f"{choice.letter} {choice.text}", app)
        await pilot.resize_terminal(80, 24)
        await settle(pilot)
        assert rows(app).current == "b" and all(whole(choice.text, app) for choice in choices(app))
        await pilot.press("enter")
        await settle(pilot)
        verdict, slip = app.screen.told[KV].verdict, app.screen.picked[KV].slip
        assert whole(verdicts_wrong.settled(KV, verdict, slip, "hi-Latn"), app)
        await pilot.press("f2")
        await settle(pilot)
        assert whole(verdicts_wrong.settled(KV, verdict, slip, "en"), app)


async def test_a_new_answer_closes_the_question_and_a_letter_is_then_no_answer(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=AT)
    async with app.run_test(size=(80, 24)) as pilot:
        await answer(pilot, HALF)
        assert rows(app).display
        await answer(pilot, "7 GB")
        assert choices(app) == [] and not rows(app).display
        await answer(pilot, "1*2048*32*4096*2 bytes")  # the working shows which one it was
        assert not rows(app).display
        await answer(pilot, "a")
        assert app.screen.told[KV].verdict.verdict == "invalid"
        assert app.session.state(KV).attempts == 3


async def test_a_shown_solution_ends_the_question(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=AT)
    async with app.run_test(size=(80, 40)) as pilot:
        await answer(pilot, HALF)
        await pilot.press("f4", "f4")
        await settle(pilot)
        assert not rows(app).display


async def test_where_letters_are_symbols_only_the_rows_pick(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=Place("exercise", "core/L1.2", part="core/L1.2/formula"))
    async with app.run_test(size=(80, 40)) as pilot:
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, ExerciseScreen)
        assert screen.current.first.kind == "formula" and screen.typed_choices() == ()
        await answer(pilot, "B")
        assert screen.told["core/L1.2/formula"].verdict.verdict == "incorrect", "it was read as a formula"
        assert app.session.state("core/L1.2/formula").attempts == 1 and screen.picked == {}


async def test_only_ascii_where_that_is_wished(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=AT, ascii=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await answer(pilot, HALF)
        await pilot.press("down")
        assert "> a  " in frame(app) and not set("▸✗✓›") & set(frame(app))


LISTED = (
    letters.Lettered("a", "one", Text("I left out the 2 for K and V", "K aur V wala 2 reh gaya")),
    letters.Lettered("b", "two", Text("I took S = 2,048", "S = 2,048 le liya")),
    letters.Lettered("c", "", Text("Something else", "Kuch aur")),
)


@pytest.mark.parametrize(
    ("letter", "typed"),
    [
        ("a", "a| A |a.|a)|(a)|option a|a wala|A wala hi|it was a|pehla|pehla wala|pehli|first|the first one|1st"),
        ("a", "option 1|i left out THE 2, for K and V!|k aur v wala 2 reh gaya|a) I left out the 2 for K and V"),
        ("b", "B|b)|option b|Choice B|b wala|doosra|dusra wala|second|the second|2nd|I took S = 2,048.|option 2"),
        ("c", "c|third|teesra wala|tisra|something else|Something else.|kuch aur|KUCH AUR!|c) kuch aur"),
        ("c", "none|neither|none of these|dono nahi|koi nahi|dono nahin|in me se koi nahi|inmein se koi nahi"),
    ],
)
def test_a_choice_may_be_typed_in_many_ways(letter: str, typed: str) -> None:
    assert {one: letters.of(one, LISTED) for one in typed.split("|")} == dict.fromkeys(typed.split("|"), letter)


@pytest.mark.parametrize(
    "typed",
    ["", ")", "ab", "d", "fourth", "option 4", "option", "2", "2 bytes", "1.07 GB", "a*b", "a b", "2048 b", "5 b",
     "not a", "a ya b", "I left out", "else", "dono", "yes", "no", "aa", "S = 2048", "-1", "option 0",
     "kuch nahi samjha"],
)  # fmt: skip
def test_what_may_be_an_answer_of_its_own_is_no_choice(typed: str) -> None:
    assert letters.of(typed, LISTED) == ""


def test_yes_and_no_answer_where_one_thing_is_listed() -> None:
    asked = (LISTED[0], LISTED[2]._replace(letter="b"))
    assert [letters.of(typed, asked) for typed in ("yes", "haan", "no", "nahi", "dono")] == ["a", "a", "b", "b", ""]
    no_other = LISTED[:2]
    assert [letters.of(typed, no_other) for typed in ("none", "kuch aur", "no", "b")] == ["", "", "", "b"]


def test_every_choice_of_the_course_is_picked_by_its_words() -> None:
    """Whatever several slips of a part are listed: each line's words in either language mean that line."""
    seen = 0
    for typed in ("0.537 GB", "2.15 GB", "0.268 GB", "1 GB", "0.134 GB"):
        listed = letters.choices(KV, checking.check_part(KV, typed))
        for one in listed:
            seen += 1
            assert {letters.of(one.text[lang], listed) for lang in LANGS} == {one.letter}
    assert seen >= 3


@pytest.mark.parametrize(
    ("typed", "size", "lang"),
    [("kuch aur", (60, 20), "hi-Latn"), ("Something else!", (80, 24), "en"), ("second", (120, 40), "en"),
     ("b wala", (60, 20), "en")],
)  # fmt: skip
async def test_what_cannot_be_read_leaves_the_question_open(
    tmp_path: Path, size: tuple[int, int], lang: str, typed: str
) -> None:
    app = make_app(tmp_path, lang, AT)
    async with app.run_test(size=size) as pilot:
        await answer(pilot, HALF)
        offered = choices(app)
        for unreadable in ("asdf qwer", "1.07 GB ya 2 GB"):
            await answer(pilot, unreadable)
            assert app.screen.told[KV].verdict.verdict == "invalid"  # type: ignore[attr-defined]
            assert rows(app).display and all(whole(f"{one.letter} {one.text}", app) for one in offered)
        await answer(pilot, typed)
        screen = app.screen
        assert isinstance(screen, ExerciseScreen)
        picked = offered[1] if typed in ("second", "b wala") else offered[-1]
        assert screen.picked[KV].slip == picked.slip and not rows(app).display
        attempts = app.session.progress.attempts(KV)
        assert [one.answer for one in attempts] == [HALF], "neither noise nor a choice is an attempt"
        verdict = screen.told[KV].verdict
        assert verdict.verdict == "incorrect" and "✗" in frame(app) and "? " not in column(app, "#verdict")[:2]
        assert whole(verdicts_wrong.settled(KV, verdict, picked.slip, app.session.language), app)
        assert app.screen.query_one(AnswerInput).value == HALF, "the answer that was judged, not the noise"
        assert not app.screen.query_one("#caret").display
        await answer(pilot, "a")
        assert screen.told[KV].verdict.verdict == "invalid", "answered once, the list is gone"


@pytest.mark.parametrize("lang", LANGS)
def test_the_hint_says_what_a_number_would_be(lang: Lang) -> None:
    said = letters.how("abc", lang)
    assert said == say("app.exercise.pick_how", lang, letters="a, b or c" if lang == "en" else "a, b ya c")
    assert "number" in said and "{" not in said
    assert letters.spoken(["a"], lang) == "a"


@pytest.mark.parametrize("size", SIZES[::2])
async def test_both_languages_keep_verdict_and_choices_in_view(tmp_path: Path, size: tuple[int, int]) -> None:
    part, lang = OTHER, "hi-Latn" if size[0] < 100 else "en"
    other: Lang = "hi-Latn" if lang == "en" else "en"
    app = make_app(tmp_path, lang, Place("exercise", "core/L4.1", part=part))
    async with app.run_test(size=size) as pilot:
        await answer(pilot, f"{half(part) / 1e9:.4g} GB")
        screen = app.screen
        assert isinstance(screen, ExerciseScreen) and rows(app).display
        await pilot.press("f5")
        await settle(pilot)

        def quiet(text: str) -> str:
            return " ".join(text.replace("│", " ").split())

        seen = quiet(column(app, "#said"))
        for language in (lang, other):
            assert quiet(screen.told[part].message(language)) in seen
        assert all(f"{one.letter} {one.text[lang]}" in seen for one in screen.choices())
        assert letters.how([choice.letter for choice in screen.choices()], lang) in seen
        await pilot.press("f5")
        await settle(pilot)
        assert whole(screen.told[part].message(lang), app) and not whole(screen.told[part].message(other), app)
        await answer(pilot, "a")
        await pilot.press("f5")
        await settle(pilot)
        seen = quiet(column(app, "#said"))
        assert all(quiet(screen.picked[part].message(language)) in seen for language in (lang, other))


async def test_the_other_language_keeps_the_line_being_read_where_the_verdict_is_out_of_sight(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=Place("exercise", "core/L4.1", part=OTHER))
    async with app.run_test(size=(60, 20)) as pilot:
        await answer(pilot, f"{half(OTHER) / 1e9:.4g} GB")
        await pilot.press("pageup", "pageup", "pageup")
        await settle(pilot)
        top = frame(app).splitlines()[1]
        assert "Either" not in frame(app)
        await pilot.press("f5")
        await settle(pilot)
        assert frame(app).splitlines()[1] == top


@pytest.mark.parametrize("lang", LANGS)
async def test_a_pick_names_the_other_exercise_with_the_same_slip(tmp_path: Path, lang: Lang) -> None:
    app = make_app(tmp_path, lang, AT)
    async with app.run_test(size=(80, 40)) as pilot:
        slip = checking.check_part(KV, HALF).slips[0]
        app.session.check(OTHER, f"{half(OTHER) / 1e9:.4g} GB")
        app.session.settle(OTHER, slip)
        app.session.check(OTHER, fill.answer_text(course.part(OTHER)[1]))  # no evidence any more, but not forgotten
        await answer(pilot, HALF)
        await answer(pilot, next(one.letter for one in choices(app) if one.slip == slip))
        place = verdicts_read.place_text(OTHER, lang)
        assert whole(say("verdicts.slip-again", lang, name=say(f"slips.{slip}.name", lang), place=place), app)


async def test_a_question_left_open_waits_at_its_part(tmp_path: Path) -> None:
    part, other = "core/L2.3/fp16", "core/L2.3/int8"
    app = make_app(tmp_path, place=Place("exercise", "core/L2.3", part=part))
    async with app.run_test(size=(80, 40)) as pilot:
        for typed in ("52 GB", "13 GB", "104 GB", "6.5 GB"):  # one that more than one slip explains
            await answer(pilot, typed)
            if rows(app).display:
                break
        assert rows(app).display
        offered = [row.id for row in rows(app).rows if row.id]
        await pilot.press("down", *["down"] * len(offered))  # through the choices and on to the part below
        await settle(pilot)
        assert app.screen.current.first.id == other and not rows(app).display  # type: ignore[attr-defined]
        await answer(pilot, "99 GB")
        await pilot.press("up")
        await settle(pilot)
        assert rows(app).display
        await answer(pilot, "a")
        assert app.screen.query_one(AnswerInput).value == typed
        assert app.session.state(part).attempts == len(app.session.progress.attempts(part))
