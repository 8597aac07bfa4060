"""Whose numbers a question of a quiz has: named where this very part was drawn from them, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from content import course
from content.lang import LANGS
from content.quiz import items, questions
from content.quiz.model import Question
from tests.tutor.frames import flat, settle
from tests.tutor.quizzes import drawn, page, quiz_app
from tutor import variants
from tutor.figures.plain import plain
from tutor.plain import asking
from tutor.screens.quiz_turn import Turn


def question(id: str, variant: int = 3) -> Question:
    return questions.question(items.catalogue()[id], variant)


@pytest.mark.parametrize(
    ("id", "owners"),
    [
        ("core/L2.1/kv", ("model",)),
        ("core/L1.1/ridge_a100", ("gpu",)),
        ("core/L4.1/margin", ("model", "gpu")),
        ("core/L4.1/weights", ("model",)),  # the card plays no role in them
        ("core/L5.1a/waste", ()),  # the model is that of another part
        ("core/L1.1/a", ()),  # only the follow-ups are drawn
        ("core/L3.1/blocks", ()),
        ("core/L4.1/kv/find-L", ()),  # the name would be half of the answer
    ],
)
def test_named_is_what_the_part_was_drawn_from(id: str, owners: tuple[str, ...]) -> None:
    for lang in LANGS:
        asked = question(id)
        said = variants.asked(asked, lang)
        assert asked.exercise is not None
        names = {**course.exercise(asked.exercise.id).names, **asked.exercise.names}
        for owner in ("model", "gpu"):
            assert (owner in names and names[owner] in said) == (owner in owners), said
        assert bool(said) == bool(owners) and "ariant" not in said
        assert variants.asked(question(id, 0), lang) == ""


@pytest.mark.parametrize("lang", LANGS)
def test_no_question_speaks_of_follow_ups(lang: str) -> None:
    for id, item in items.catalogue().items():
        if item.kind == "card":
            continue
        try:
            asked = questions.question(item, 72)
        except course.UnknownVariant:
            continue
        assert asked.exercise is not None
        said = asking.prompt(asked.exercise, lang, variants.asked(asked, lang))  # type: ignore[arg-type]
        assert "follow-ups" not in said and "ariant 72" not in said, id


async def test_the_quiz_shows_it_over_the_question(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path))
    app = quiz_app(["core/L4.1/margin"])
    async with app.run_test(size=(80, 24)) as pilot:
        await drawn(pilot)
        for id, named in (("core/L4.1/margin", True), ("core/L1.1/a", False)):
            await page(app).show_turn(Turn(question(id)))
            await settle(pilot)
            assert ("Numbers of" in flat(app)) == named and "Variant" not in flat(app)


@pytest.mark.parametrize("lang", LANGS)
def test_a_figure_in_lines_speaks_of_no_keys(lang: str) -> None:
    said = plain("block-grid", {"other": True}, 70, lang)  # type: ignore[arg-type]
    assert "keys" not in said and ("Another example" in said or "alag example" in said)
