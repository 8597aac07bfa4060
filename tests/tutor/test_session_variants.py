"""The study logic with variants, and what it remembers of slips."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

import pytest

from content import address, course
from content.lang import LANGS
from content.words import say
from engine.answers.model import Verdict
from engine.formulas import registry
from tutor import coursemap, standing
from tutor.checked import Checked
from tutor.progress import Attempt, PartState, Place, ProgressProblem
from tutor.progress.store import Progress
from tutor.session import Session, _made

EXERCISE, KV = "core/L2.1", "core/L2.1/kv"
BITS = "kv-bits-as-bytes"
FIXED = "core/L3.3"
"""An exercise that is only text: it has nothing to draw."""


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Session]:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path))
    monkeypatch.delenv("LLM_TUTOR_LANG", raising=False)
    made = Session.start()
    yield made
    made.close()


def right(part_id: str, times: int = 1) -> str:
    """The exact right answer of a part in bytes, or so many times it."""
    part = course.part(part_id)[1]
    value = registry.result(part.formula, part.given)
    assert value is not None and value.denominator == 1
    return f"{value * times} bytes"


# --- the way through variants -----------------------------------------------------------------------------------------


def test_fresh_values_are_the_next_untouched_ones(session: Session) -> None:
    first = session.fresh(EXERCISE)
    assert first == session.fresh(EXERCISE) == "core/L2.1@1"
    session.set_place(Place("exercise", first))
    assert session.fresh(first) == "core/L2.1@2"
    session.skip("core/L2.1@8/kv")
    assert session.fresh(EXERCISE) == "core/L2.1@9"


def test_fresh_values_after_the_last_number_are_the_ones_left_out(session: Session) -> None:
    session.skip(f"core/L2.1@{address.MOST}/kv")
    session.skip("core/L2.1@1/kv")
    assert session.fresh(EXERCISE) == "core/L2.1@2"


def test_a_number_that_cannot_be_drawn_is_passed_over(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    exercise = course.exercise

    def unfair(text: str) -> object:
        if address.split(text)[1] in (1, 2):
            raise course.UnknownVariant(EXERCISE, address.split(text)[1])
        return exercise(text)

    monkeypatch.setattr(course, "exercise", unfair)
    assert session.fresh(EXERCISE) == "core/L2.1@3"


def test_an_exercise_without_values_to_draw_has_no_fresh_ones(session: Session) -> None:
    with pytest.raises(course.UnknownVariant) as caught:
        session.fresh(FIXED)
    assert caught.value.args == (FIXED, 1)
    with pytest.raises(course.UnknownId):
        session.fresh("core/L99")


def test_an_answer_is_judged_and_recorded_in_its_variant(session: Session) -> None:
    part = f"{session.fresh(EXERCISE)}/kv"
    assert session.check(part, right(KV)).verdict.verdict == "incorrect"
    checked = session.check(part, right(part))
    assert (checked.verdict.verdict, checked.state.status, checked.state.attempts) == ("correct", "solved", 2)
    assert [one.variant for one in session.progress.attempts(part)] == [1, 1]
    assert session.state(KV).status == "new"
    assert session.hints(part) == ()


def test_a_solution_shown_leaves_other_variants_fair(session: Session) -> None:
    session.solution(KV)
    part = f"{session.fresh(EXERCISE)}/kv"
    assert session.state(part).status == "new"
    assert session.results(EXERCISE).solved == 0
    session.check(part, right(part))
    assert session.state(KV).status == "shown"
    for place in (EXERCISE, "core/L2", "core"):
        assert session.results(place).solved == 1, place
    known = coursemap.states(session)
    assert coursemap.of_exercise(coursemap.exercise_entry(EXERCISE), known) == (1, 1)
    assert coursemap.of_level(coursemap.level_of(EXERCISE), known).done == 1
    assert session.next_unsolved(after="core/L1.3/continuous") == "core/L2.2/batch"


def test_one_variant_stands_for_itself(session: Session) -> None:
    here = session.fresh(EXERCISE)
    session.check(KV, right(KV))
    assert session.first_open(here) == f"{here}/kv"
    assert session.first_open(EXERCISE) is None
    results = session.results(here)
    assert (list(results.parts), results.solved, results.done) == ([f"{here}/kv"], 0, False)
    assert list(results.followups) == ["core/L2.1@1/gqa8"]
    session.skip(f"{here}/kv")
    assert session.first_open(here) == f"{here}/kv", "a skipped one is left"
    session.check(f"{here}/kv", right(f"{here}/kv"))
    assert session.results(here).done
    assert session.next_unsolved(after=f"{here}/kv") == "core/L2.2/batch"
    entry = coursemap.exercise_entry(here)
    assert coursemap.of_exercise(entry, session.progress.states(here)) == (1, 1)


def test_the_index_of_a_variant_is_that_of_its_exercise() -> None:
    assert coursemap.level_of("core/L2.1@7") == coursemap.level_of(EXERCISE)
    assert coursemap.next_exercise("core/L2.1@7") == coursemap.next_exercise(EXERCISE)
    assert coursemap.exercise_entry("core/L2.1@7").title == coursemap.exercise_entry(EXERCISE).title


def test_it_resumes_in_the_variant(session: Session) -> None:
    place = Place("exercise", "core/L2.1@3", part="core/L2.1@3/kv", draft="1.0")
    session.keep(place)
    session.close()
    later = Session.start()
    assert later.resume() == place
    assert later.drafts("core/L2.1@3") == {"core/L2.1@3/kv": "1.0"}
    assert later.drafts(EXERCISE) == {}
    later.close()


def test_what_was_done_in_places_that_the_course_lacks_disturbs_nothing(session: Session) -> None:
    lost = ("core/L2.1@3/gone", f"{FIXED}@4/explain", "core/L99/x", "core/L99@2/x")
    for minute, part in enumerate(lost):
        when = datetime(2026, 1, 1, 0, minute, tzinfo=UTC)
        session.progress.record(Attempt(part, "1", "incorrect", (BITS,), 0, 1.0, 0, when, Fraction(1)))
    session.set_place(Place("exercise", f"{FIXED}@4"))
    assert session.resume() is None
    checked = session.check(KV, "8.59 GB")
    assert checked.again == lost[-1]
    assert "core/L99/x" in checked.message("en")
    assert session.results("core").solved == 0
    assert session.next_unsolved() == "core/L1.1/a"


@pytest.mark.parametrize(
    ("notes", "ambiguous", "made"),
    [
        ((), False, ("a",)),
        ((), True, ("a", "b")),
        (("seen-in-working",), True, ("a",)),
        (("together",), False, ("a", "b")),
        (("together", "seen-in-working"), False, ("a", "b")),
        (("seen-in-sibling",), False, ("a",)),
    ],
)
def test_which_slips_of_a_verdict_are_recorded(notes: tuple[str, ...], ambiguous: bool, made: tuple[str, ...]) -> None:
    assert _made(Verdict("incorrect", slips=("a", "b"), ambiguous=ambiguous, notes=notes)) == made


def test_a_place_that_the_verdict_names_is_not_named_twice() -> None:
    verdict = Verdict("incorrect", slips=(BITS,), notes=("seen-in-sibling",), params={"sibling": KV})
    state = PartState("tried", 1)
    told = Checked("core/L4.1/kv", verdict, state, again=KV).message("en")
    assert told == Checked("core/L4.1/kv", verdict, state).message("en")
    assert told.count("L2.1") == 1


@pytest.mark.parametrize(
    ("place", "fits"),
    [
        (Place("exercise", "core/L2.1@3"), True),
        (Place("exercise", "core/L2.1@3", part="core/L2.1@3/gqa8"), True),
        (Place("exercise", "core/L2.1@3", part=KV), False),
        (Place("exercise", EXERCISE, part="core/L2.1@3/kv"), False),
        (Place("exercise", "core/L2.1@3", part="core/L2.1@4/kv"), False),
        (Place("exercise", "core/L2.1@3", part="core/L2.1@3/nope"), False),
        (Place("exercise", f"{FIXED}@3"), False),
        (Place("exercise", "core/L2.1@0"), False),
        (Place("exercise", "core/L2.1@1000000"), False),
        (Place("exercise", "core/L2.1@3/kv"), False),
        (Place("lesson", "core/C2@3"), False),
    ],
)
def test_which_places_in_variants_there_are(place: Place, fits: bool) -> None:
    assert standing.fits(place) is fits


def test_values_of_the_whole_track_are_the_learners_own(session: Session) -> None:
    """Of variants only those of the part's own number are heard: every other one would have to be drawn first."""
    variant = f"{session.fresh(EXERCISE)}/kv"
    session.check(KV, "8.59 GB")
    session.check(variant, right(variant, 3))
    session.check("core/L4.1/kv", "53.69 GB")
    tripled = registry.result("kv_cache", course.part(variant)[1].given) * 3
    assert session.earlier("core/L4.1/kv") == {KV: 8_590_000_000}
    assert session.earlier("core/L4.1@1/kv") == {KV: 8_590_000_000, "core/L4.1/kv": 53_690_000_000, variant: tripled}
    assert set(session.earlier(KV)) == {"core/L4.1/kv"}


# --- slips ------------------------------------------------------------------------------------------------------------


def test_a_slip_that_was_made_elsewhere_is_recognised(session: Session) -> None:
    assert session.check(KV, "8.59 GB").again is None
    assert session.check("core/L2.1/gqa8", "8.59 GB").again is None, "the same exercise"
    checked = session.check("core/L4.1/kv", "429.5 GB")
    assert (checked.verdict.slips, checked.again) == ((BITS,), KV)
    for lang in LANGS:
        name = say(f"slips.{BITS}.name", lang)
        label = course.part(KV)[1].label[lang]
        told = checked.message(lang)
        assert told.endswith(say("verdicts.slip-again", lang, place=f"L2.1 ({label})", name=name))
        assert told.count(name) == 1
        assert len(told) > len(name) + 40, "after the slip's own words"


def test_a_variant_of_the_same_exercise_is_not_elsewhere(session: Session) -> None:
    session.check(KV, "8.59 GB")
    part = f"{session.fresh(EXERCISE)}/kv"
    checked = session.check(part, right(part, 8))
    assert (checked.verdict.slips[:1], checked.again) == ((BITS,), None)
    assert session.check("core/L4.1/kv", "429.5 GB").again == part, "the latest of several"


def test_where_nothing_is_sure_nothing_is_recognised(session: Session) -> None:
    session.check(KV, "0.537 GB")
    session.check("core/L4.1/kv", "26.84 GB")
    assert session.check("core/L4.1/kv", "26.844 GB").again is None
    assert session.seen_before("core/L4.1/kv", "kv-drop-two") is None


REQUEST = "core/L4.1/per_request"


def test_a_slip_made_before_is_named_first_though_it_was_mended_since(session: Session) -> None:
    session.check(KV, "0.537 GB")
    session.settle(KV, "kv-drop-two")
    assert session.check(KV, "1.07 GB").gone == "kv-drop-two"
    checked = session.check(REQUEST, "1.68 GB")
    assert (checked.verdict.slips[0], checked.verdict.ambiguous) == ("kv-drop-two", True)
    assert set(checked.verdict.slips) == {"kv-drop-two", "kv-p-one", "carry-s-2048"}
    assert (checked.again, checked.gone) == (None, None), "nothing is sure yet"
    session.settle(REQUEST, "kv-drop-two")
    assert session.seen_before(REQUEST, "kv-drop-two") == KV
    assert session.check(REQUEST, "3.355 GB").gone == "kv-drop-two"


def test_after_a_right_answer_elsewhere_every_slip_can_still_be_picked(session: Session) -> None:
    session.check(KV, "1.07 GB")
    checked = session.check(REQUEST, "1.68 GB")
    assert checked.verdict.slips == ("carry-s-2048", "kv-drop-two", "kv-p-one")
    session.settle(REQUEST, "kv-p-one")
    assert session.progress.newest(REQUEST).slips == ("kv-p-one",)  # type: ignore[union-attr]


def test_a_slip_that_was_only_possible_is_not_said_to_be_gone(session: Session) -> None:
    session.check(KV, "1.07 GB")
    session.check(REQUEST, "1.68 GB")
    assert session.check(REQUEST, "3.355 GB").gone is None


def test_the_slip_that_the_learner_named_is_recognised_at_once_where_its_value_still_stands(session: Session) -> None:
    session.check(KV, "0.537 GB")
    session.settle(KV, "kv-drop-two")
    checked = session.check(REQUEST, "1.68 GB")
    assert (checked.verdict.slips[0], checked.verdict.ambiguous, checked.again) == ("kv-drop-two", False, KV)
    assert checked.message("en").count("L2.1") == 1


def test_what_follows_from_an_impossible_own_value_is_not_solved(session: Session) -> None:
    session.check("core/L3.1/blocks", "7")
    checked = session.check("core/L3.1/wasted", "-8")
    assert (checked.verdict.verdict, checked.state.status) == ("incorrect", "tried")
    for lang in LANGS:
        assert course.part("core/L3.1/blocks")[1].label[lang] in checked.message(lang)
    assert list(session.progress.unexplained()) == []
    assert session.check("core/L3.1/wasted", "8").state.status == "solved"


def test_a_settled_slip_is_on_the_disk(session: Session) -> None:
    session.check(KV, "0.537 GB")
    session.settle(KV, "kv-p-one")
    session.check(KV, "0.537 GB")
    kept = Session.start().progress
    assert [one.slips for one in kept.attempts(KV)] == [("kv-p-one",)]
    assert [slip.slip for slip in kept.slips()] == ["kv-p-one"]
    kept.close()


def test_a_slip_that_is_gone_is_told_once(session: Session) -> None:
    assert session.check(KV, "8.59 GB").gone is None
    checked = session.check(KV, "1.07 GB")
    assert checked.gone == BITS
    for lang in LANGS:
        assert say(f"slips.{BITS}.name", lang) in checked.message(lang)
    assert session.check(KV, "1.0737 GB").gone is None


def test_a_slip_is_gone_when_the_next_variant_is_right(session: Session) -> None:
    session.check(KV, "8.59 GB")
    part = f"{session.fresh(EXERCISE)}/kv"
    assert session.check(part, right(part)).gone == BITS


def test_a_slip_that_was_never_sure_or_not_the_last_is_not_said_to_be_gone(session: Session) -> None:
    session.check(KV, "0.537 GB")
    assert session.check(KV, "1.07 GB").gone is None
    session.reset(KV)
    session.check(KV, "8.59 GB")
    session.check(KV, "5 GB")
    assert session.check(KV, "1.07 GB").gone is None
    session.check("core/L4.1/kv", "429.5 GB")
    assert session.check("core/L2.2/batch", "37").gone is None, "another part"


# --- answers that nothing explains ------------------------------------------------------------------------------------


def test_wrong_answers_without_a_slip_are_kept(session: Session) -> None:
    variant = f"{session.fresh(EXERCISE)}/kv"
    session.check(KV, "5 GB")
    session.check(KV, "5 GB")
    session.check(KV, "1.07 GB")
    session.check(KV, "5 GB")
    session.check(variant, "0.0123 GB")
    session.check("core/L1.2/formula", "B + S")
    session.check(KV, "8.59 GB")
    session.check(KV, "what")
    session.check("core/L4.1/fits", "no")
    kept = {(one.part, one.answer): (one.value, one.times) for one in session.progress.unexplained()}
    assert kept == {
        (KV, "5 GB"): (5 * 10**9, 2),
        (variant, "0.0123 GB"): (12_300_000, 1),
        ("core/L1.2/formula", "B + S"): (None, 1),
    }


def test_the_answer_of_another_part_is_explained(session: Session) -> None:
    checked = session.check("core/L4.1/weights", "3.355 GB")
    assert "other-part" in checked.verdict.notes and not checked.verdict.slips
    assert list(session.progress.unexplained()) == []


def test_the_setting_keeps_none(session: Session) -> None:
    session.change(keep_unexplained=False)
    session.check(KV, "5 GB")
    assert list(session.progress.unexplained()) == []
    assert len(session.progress.attempts(KV)) == 1


def test_all_of_it_survives_a_full_disk(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    session.check(KV, "0.537 GB")
    refusing = True
    writing = Progress._writing

    def full(self: Progress) -> AbstractContextManager[sqlite3.Connection]:
        if refusing and self.persistent:
            raise ProgressProblem("full", self.path)
        return writing(self)

    monkeypatch.setattr(Progress, "_writing", full)
    session.settle(KV, "kv-drop-two")
    variant = f"{session.fresh(EXERCISE)}/kv"
    session.check(variant, "0.0123 GB")
    session.keep(Place("exercise", "core/L2.1@1", part=variant, draft="2"))
    session.skip("core/L2.1@5/kv")
    session.reset("core/L2.1@5")
    refusing = False
    session.close()
    assert not session.lost
    kept = Session.start()
    assert kept.progress.attempts(KV)[0].slips == ("kv-drop-two",)
    assert [one.part for one in kept.progress.unexplained()] == [variant]
    assert kept.drafts("core/L2.1@1") == {variant: "2"}
    assert kept.progress.variants(EXERCISE) == {1}
    kept.close()
