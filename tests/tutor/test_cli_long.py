"""`llm-tutor check` of a long answer: prose is taken as the app takes it, anything else told what would be enough."""

from __future__ import annotations

import pytest

from content import course
from content.lang import LANGS, Lang
from content.words import say
from engine.answers.model import LONGEST_PROSE
from engine.reader.fold import MAX_LENGTH
from tests.tutor.command import Tutor

ENOUGH = {"formula": "-formula", "choice": "-choice", "classify": "-choice", "match": "-choice", "judge": "-judge",
          "order": "-order", "rubric": "-prose"}  # fmt: skip
"""Kind of a part -> the end of the id of the sentence that tells its length."""
KINDS = {
    course.part(part)[1].kind: part
    for track in course.index().tracks
    for level in track.levels
    for exercise in level.exercises
    for part in exercise.parts
}


def test_prose_as_long_as_the_app_takes_it_is_no_trouble(tutor: Tutor) -> None:
    assert LONGEST_PROSE > 5 * MAX_LENGTH
    for length in (MAX_LENGTH + 1, LONGEST_PROSE):
        said = tutor.json("check", KINDS["rubric"], ("Decode reads the weights. " * 200)[:length], status=1)
        assert said["reason"] == "self-marked" and len(said["read"]["text"]) == length


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_too_long_is_told_by_what_the_part_asks_for(tutor: Tutor, kind: str, lang: Lang) -> None:
    most = LONGEST_PROSE if kind == "rubric" else MAX_LENGTH
    ran = tutor("check", KINDS[kind], "1" * (most + 1), "--lang", lang)
    assert ran.status == 1
    wanted = say(f"verdicts.invalid-too-long{ENOUGH.get(kind, '')}", lang, most=str(most))
    assert ran.out.startswith(wanted)


def test_the_kinds_that_are_told_apart_are_all_met() -> None:
    assert KINDS.keys() >= ENOUGH.keys()
