"""The shipped course: every text fills, every right answer is right, every named slip is wrong and named."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from content import course, fill
from content.checking import check_part, expectation, shuffled_steps
from content.course import UnknownId
from content.lang import LANGS, Text
from content.schema import COMPUTED, Exercise, Part
from content.verdicts import message
from engine import units
from engine.answers.matching import rounded_away
from engine.answers.numeric import broken_values, right_value
from engine.answers.slips import Broken

TRACK = course.index().tracks[0]
EXERCISES = tuple(course.exercise(entry.id) for entry in TRACK.exercises)
PARTS = tuple((exercise, part) for exercise in EXERCISES for part in exercise.parts)
NUANCES = {
    "C0": "S4 S6 S7 S32 S33 token-split",
    "C1": "S1 S2 S3 S4 S29",
    "C2": "S5 S6 S8 S9 S33 S34",
    "C3": "S13 S14 S15",
    "C4": "S11 S16 S17 S18 S19 S20 S21 S22 S23",
    "C5": "S10 S12 S24 S25 S26 S27 S28 S34",
    "C6": "S3 S22 S23 S24 S27 S31",
    "L1.1": "S1 S2 S3",
    "L1.2": "S5 S8",
    "L1.3": "S29",
    "L2.1": "S5 S9",
    "L2.2": "S10",
    "L2.3": "S11 S12",
    "L3.1": "S13 S14 S15",
    "L3.2": "S17 S18 S19 S20",
    "L3.3": "S22 S23",
    "L4.1": "S25 S26 S28 S34",
    "L4.2": "S11 S12 S27",
    "L4.3": "S25 S27",
    "L5.1a": "S14 S30",
    "L5.1b": "S22 S23 S24 S31",
}
"""Where each simplification must be told."""


def named(pair: tuple[Exercise, Part]) -> str:
    return pair[1].id


# --- texts ----------------------------------------------------------------------------------------------------------


def lesson_texts() -> Iterator[tuple[Text, fill.Scope]]:
    for entry in TRACK.lessons:
        lesson = course.lesson(entry.id)
        scope = fill.of_lesson(lesson)
        for section in lesson.sections:
            for text in (section.heading, section.text, section.notice, *(nuance.text for nuance in section.nuances)):
                if text is not None:
                    yield text, scope


def exercise_texts() -> Iterator[tuple[Text, fill.Scope]]:
    for exercise in EXERCISES:
        scope = fill.of_exercise(exercise)
        yield exercise.prompt, scope
        yield from ((nuance.text, scope) for nuance in exercise.nuances)
        for part in exercise.parts:
            yield from ((text, fill.of_part(exercise, part)) for text in part_texts(part))


def part_texts(part: Part) -> Iterator[Text]:
    optional = (part.ask, part.model, part.accept_note)
    yield from (part.label, part.solution, *part.hints, *(nuance.text for nuance in part.nuances))
    yield from (text for text in optional if text is not None)
    for options in (part.options, part.reasons, part.steps, part.rubric, *part.attributes):
        yield from (option.text for option in options)


def test_every_text_fills_in_both_languages() -> None:
    count = 0
    for text, scope in (*lesson_texts(), *exercise_texts()):
        for lang in LANGS:
            filled = fill.fill(text[lang], lang, scope)
            assert filled.strip()
            assert "{" not in filled
            count += 1
    assert count > 1000


def test_nuances_stand_where_they_belong() -> None:
    for name, ids in NUANCES.items():
        if name.startswith("C"):
            told = {nuance.id for section in course.lesson(name).sections for nuance in section.nuances}
        else:
            exercise = course.exercise(name)
            told = {nuance.id for part in exercise.parts for nuance in part.nuances}
            told |= {nuance.id for nuance in exercise.nuances}
        assert set(ids.split()) <= told, name


# --- the index and ids ----------------------------------------------------------------------------------------------


def test_the_index_agrees_with_the_files() -> None:
    for entry, exercise in zip(TRACK.exercises, EXERCISES, strict=True):
        assert exercise.id == entry.id
        assert exercise.lesson == entry.lesson
        assert exercise.title == entry.title
        assert {part.id for part in exercise.parts} == {*entry.parts, *entry.followups}
        assert {part.id for part in exercise.parts if part.followup} == set(entry.followups)


def test_the_fixed_ids() -> None:
    fixed = {
        "L1.1": "a b c",
        "L1.2": "two B S L d_model p formula",
        "L1.3": "paged int4 continuous",
        "L2.1": "kv",
        "L2.2": "batch",
        "L2.3": "fp16 int8 int4 shrink",
        "L3.1": "naive_waste worst_case blocks wasted paged_waste",
        "L3.2": "int8_step int4_step ratio twice_as_bad",
        "L3.3": "explain",
        "L4.1": "weights per_request kv total margin fits safe",
        "L4.2": "weights total fits headroom",
        "L4.3": "extra",
        "L5.1a": "bucket waste lever blocks slots paged_waste",
        "L5.1b": "phase wall lever why",
    }
    for exercise, names in fixed.items():
        for name in names.split():
            assert course.part(f"core/{exercise}/{name}")[1].id == f"core/{exercise}/{name}"
    assert [lesson.id for lesson in TRACK.lessons] == [f"core/C{number}" for number in range(7)]


def test_ids_are_read_in_any_case_and_without_the_track() -> None:
    for place in course.shipped().places.values():
        kind = (place.kind, place.id)
        for spelling in (place.id, place.id.upper(), place.id.lower(), f" {place.id}/ "):
            assert course.resolve(spelling) == kind
        if "/" in place.id:
            assert course.resolve(place.id.removeprefix("core/").swapcase()) == kind


def test_an_unknown_id_names_the_closest() -> None:
    with pytest.raises(UnknownId) as caught:
        course.resolve("core/L2.1/kw")
    assert "core/L2.1/kv" in caught.value.close
    with pytest.raises(UnknownId):
        course.exercise("core/C2")
    with pytest.raises(UnknownId):
        course.lesson("core/L2.1")
    with pytest.raises(UnknownId):
        course.resolve("x" * 10**5)


# --- answers --------------------------------------------------------------------------------------------------------


def right_answer(part: Part) -> str:
    """The right answer as a learner would type it."""
    if part.kind == "order":
        letters = {step.id: step.letter for step in shuffled_steps(part)}
        return " ".join(letters[step] for step in part.answer)
    return fill.answer_text(part)


@pytest.mark.parametrize("pair", [p for p in PARTS if p[1].kind != "rubric"], ids=named)
def test_the_displayed_answer_is_correct(pair: tuple[Exercise, Part]) -> None:
    _, part = pair
    verdict = check_part(part.id, right_answer(part))
    assert (verdict.verdict, verdict.reason, verdict.slips) == ("correct", None, ())


@pytest.mark.parametrize("pair", [p for p in PARTS if p[1].kind == "rubric"], ids=named)
def test_prose_is_marked_by_the_learner(pair: tuple[Exercise, Part]) -> None:
    verdict = check_part(pair[1].id, "Because prefill is compute-bound.")
    assert (verdict.verdict, verdict.reason) == ("invalid", "self-marked")


def typed(part: Part, slip: Broken) -> str:
    """A broken calculation's value as a careful learner types it: with a unit, and with digits enough."""
    number, _, unit = units.quantity(slip.value, part.unit, 12).replace(" × 10^", "e").partition(" ")
    number, unit = (number[:-1], "x") if number.endswith("x") else (number, unit)
    if part.kind != "integer" and "." not in number and "e" not in number:
        number += ".0000"
    return f"{number} {unit}".strip()


def slips_of(exercise: Exercise, part: Part) -> tuple[Broken, ...]:
    expect = expectation(exercise, part)
    right = right_value(expect)
    wrong = (broken for broken in broken_values(expect) if broken.value != right)
    return tuple(broken for broken in wrong if not rounded_away(broken, expect, right))


@pytest.mark.parametrize("pair", [p for p in PARTS if p[1].kind in COMPUTED], ids=named)
def test_every_slip_of_a_part_is_wrong_and_named(pair: tuple[Exercise, Part]) -> None:
    exercise, part = pair
    slips = slips_of(exercise, part)
    for slip in slips:
        verdict = check_part(part.id, typed(part, slip))
        likelier = {other.slip for other in slips if other.value == slip.value and other.rank < slip.rank}
        assert verdict.verdict == "incorrect", (slip.slip, typed(part, slip))
        assert {slip.slip, *likelier} & set(verdict.slips), (slip.slip, typed(part, slip), verdict.slips)


@pytest.mark.parametrize("pair", [p for p in PARTS if p[1].slips], ids=named)
def test_every_wrong_choice_with_a_slip_is_named(pair: tuple[Exercise, Part]) -> None:
    _, part = pair
    for reading, slip in part.slips.items():
        verdict = check_part(part.id, reading)
        assert (verdict.verdict, verdict.slips) == ("incorrect", (slip,))


@pytest.mark.parametrize("pair", [p for p in PARTS if p[1].kind == "choice"], ids=named)
def test_every_wrong_choice_has_words_of_its_own(pair: tuple[Exercise, Part]) -> None:
    _, part = pair
    assert {option.id for option in part.options} == {*part.slips, *part.answer}


@pytest.mark.parametrize("pair", [p for p in PARTS if p[1].reasons], ids=named)
def test_every_reason_that_is_not_the_one_is_told_why(pair: tuple[Exercise, Part]) -> None:
    _, part = pair
    assert {option.id for option in part.reasons if option.but} == {one.id for one in part.reasons} - {part.reason}
    assert not any("{" in option.but[lang] for option in part.reasons if option.but for lang in LANGS)


@pytest.mark.parametrize("pair", [p for p in PARTS if p[1].kind in ("choice", "match")], ids=named)
def test_every_name_of_an_option_finds_that_option(pair: tuple[Exercise, Part]) -> None:
    _, part = pair
    for option in part.options:
        for name in (option.id, option.letter, option.text.en, option.text.hi, *option.also):
            verdict = check_part(part.id, name)
            assert verdict.read is not None, name
            assert verdict.read.text == option.id, name


def test_both_readings_of_token_501_are_right() -> None:
    assert check_part("core/L1.1/b", "decode memory").notes == ()
    assert check_part("core/L1.1/b", "prefill, compute-bound").notes == ("other-definition",)


def test_steps_are_never_shown_in_their_right_order() -> None:
    for _, part in PARTS:
        if part.kind == "order":
            assert sorted(step.id for step in shuffled_steps(part)) == sorted(part.answer)
            assert tuple(step.id for step in shuffled_steps(part)) != part.answer


@pytest.mark.parametrize(
    ("part", "typed", "other"),
    [("core/L4.1/per_request", "53.69", "KV, all requests"), ("core/L5.1a/slots", "4", "blocks")],
)
def test_the_answer_of_another_part_is_said_to_be_that(part: str, typed: str, other: str) -> None:
    verdict = check_part(part, typed)
    assert verdict.notes == ("other-part",)
    assert other in message(part, verdict, "en")


def test_a_source_that_is_told_in_words_is_told_in_both_languages() -> None:
    english = {"and", "the", "of", "with", "from", "counted", "measured", "this", "see", "by"}
    lessons = [course.lesson(entry.id) for entry in TRACK.lessons]
    sections = [section for lesson in lessons for section in lesson.sections]
    nuances = [nuance for one in (*sections, *EXERCISES, *(part for _, part in PARTS)) for nuance in one.nuances]
    sources = [source for source in (one.source for one in (*sections, *nuances)) if source is not None]
    assert len({(source.en == source.hi) for source in sources}) == 2
    assert not [source.hi for source in sources if english & set(source.hi.lower().split())]


@pytest.mark.parametrize("typed", ["37 requests", "37 chats", "37 chat", "37 conversations"])
def test_requests_are_counted_in_the_words_of_the_lessons(typed: str) -> None:
    verdict = check_part("core/L2.2/batch", typed)
    assert verdict.verdict == "correct"
    assert "37 requests" in message("core/L2.2/batch", verdict, "en"), "told in the word of the question"
