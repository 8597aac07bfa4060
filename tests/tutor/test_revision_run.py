"""Quizzes: what is asked, how it is graded, what comes again, what stands on the sheet."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from content import address, course
from content.quiz import items
from content.quiz.model import Question
from engine import units
from tests.tutor.simulated import right_of
from tutor import coursemap
from tutor.progress import Review, memory_progress
from tutor.revision import choosing
from tutor.revision.flow import MOST_TIMES
from tutor.revision.model import Answered, Wanted
from tutor.revision.run import Run
from tutor.revision.sheet import by_level, document
from tutor.session import Session
from tutor.settings import Settings


class Clock:
    """A clock that stands until it is told."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 2, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def on(self, **span: float) -> None:
        self.now += timedelta(**span)


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    made = Session("en", Settings(quiz_count=6, quiz_new=4), memory_progress(tmp_path / "none.db"))
    made.clock = Clock()
    yield made
    made.close()


def clock(session: Session) -> Clock:
    assert isinstance(session.clock, Clock)
    return session.clock


def start(session: Session, wanted: Wanted | None = None, seed: int = 1) -> Run:
    return session.revision.start(wanted or Wanted(), Random(seed))


def solve(run: Run, question: Question, seconds: float = 30) -> Answered:
    if question.card is not None:
        return run.tick("", [str(n) for n in range(len(question.card.terms["en"]))], seconds)
    if question.part is not None and question.part.kind == "rubric":
        return run.tick("", [point.id for point in question.part.rubric], seconds)
    return run.answer(right_of(question), seconds)


def items_of(run: Run) -> list[str]:
    asked = []
    while (question := run.next()) is not None:
        asked.append(question.item.id)
        run.skip()
    return asked


def reviews(session: Session, item: str) -> list[Review]:
    return list(session.progress.reviews(item))


# --- study is evidence ------------------------------------------------------------------------------------------------


def test_the_first_answer_of_a_day_in_an_exercise_is_a_review(session: Session) -> None:
    session.check("core/L2.1/kv", "5 GB")
    session.check("core/L2.1/kv", "1.07 GB")
    assert [(r.grade, r.source, r.right) for r in reviews(session, "core/L2.1/kv")] == [("again", "study", False)]
    clock(session).on(days=1)
    session.check("core/L2.1/kv", "1.074 GB")
    assert [r.grade for r in reviews(session, "core/L2.1/kv")] == ["again", "good"]


def test_what_could_not_be_read_is_no_review(session: Session) -> None:
    session.check("core/L2.1/kv", "many")
    assert not session.progress.reviews()


def test_a_slip_becomes_an_item_once_a_day_and_comes_back_elsewhere(session: Session) -> None:
    for _ in range(2):
        session.check("core/L4.1/weights", "24.2 GB")  # GiB for GB
    made = reviews(session, "core/slip/gib-for-gb")
    assert [(r.grade, r.source) for r in made] == [("again", "slip")]
    clock(session).on(days=1)
    run = start(session)
    asked = [question for question in iter(run.next, None) if not run.skip()]
    slip = next(question for question in asked if question.item.kind == "slip")
    assert slip.part is not None
    assert not slip.part.id.startswith("core/L4.1/weights")


def test_a_settled_slip_becomes_an_item(session: Session) -> None:
    session.check("core/L2.1/kv", "0.537 GB")
    assert not reviews(session, "core/slip/kv-drop-two")
    session.settle("core/L2.1/kv", "no-such-slip")
    session.settle("core/L2.1/kv", "kv-drop-two")
    assert len(reviews(session, "core/slip/kv-drop-two")) == 1


# --- what is asked ----------------------------------------------------------------------------------------------------


def test_nothing_learnt_nothing_due(session: Session) -> None:
    assert session.revision.due() == (0, 0, 0, 0, None)
    assert items_of(start(session)) == []


def test_a_part_is_due_after_its_days_and_asked_in_other_numbers(session: Session) -> None:
    session.check("core/L2.1/kv", "1.07 GB")
    assert session.revision.due().items == 0
    assert session.revision.due().next is not None or session.revision.due().new
    clock(session).on(days=2)
    run = start(session)
    question = next(q for q in iter(run.next, None) if q.item.id == "core/L2.1/kv")
    assert question.variant > 0


def test_new_cards_come_from_lessons_that_were_read_and_so_many_a_day(session: Session) -> None:
    for section in ("a", "b", "c", "d", "e", "f", "g"):
        coursemap.saw(session, "core/C0", section)
    due = session.revision.due()
    assert (due.items, due.new, due.offered) == (0, 4, 4)
    run = start(session)
    while (question := run.next()) is not None:
        assert question.card is not None
        assert question.item.lesson == "core/C0"
        solve(run, question)
    assert session.revision.due().new == 0
    cards = [item for item in session.revision.items.values() if item.kind == "card" and item.lesson == "core/C0"]
    clock(session).on(days=1)
    assert session.revision.due().new == len(cards) - 4 > 0


def test_a_level_asks_everything_there_neighbours_apart(session: Session) -> None:
    asked = items_of(start(session, Wanted("level", level="core/L2", most=20)))
    assert len(asked) == len(set(asked)) == 20
    known = session.revision.items
    assert {known[id_].level for id_ in asked} == {"core/L2"}
    kinds = [known[id_].kind for id_ in asked]
    assert {"part", "reverse", "card"} <= set(kinds)
    situations = [known[id_].source.rpartition("/")[0] for id_ in asked]
    assert sum(one == other for one, other in pairwise(situations)) < 8


def test_a_level_asks_the_slips_that_show_there_too(session: Session) -> None:
    session.check("core/L2.1/kv", "1 GiB")
    session.check("core/L4.1/weights", "24.2 GB")  # GiB for GB
    run = start(session, Wanted("level", level="core/L2", most=60))
    slips = [q for q in iter(run.next, None) if q.item.kind == "slip"]
    assert [question.item.id for question in slips] == ["core/slip/gib-for-gb"]
    assert slips[0].part is not None
    assert slips[0].part.id.startswith("core/L2.")


@pytest.mark.parametrize("level", ["core/L1", "core/L2", "core/L3"])
def test_no_part_is_asked_twice_in_the_same_numbers(session: Session, level: str) -> None:
    """Two draws of an exercise may have other numbers in another part only: the address alone does not tell."""
    run, asked = start(session, Wanted("level", level=level, most=99)), set[object]()
    all_of_it = [item for item in items.catalogue().values() if item.kind in ("part", "slip")]
    run._queue = choosing.within(all_of_it, run.wanted)
    run._total = len(run._queue)
    for question in iter(run.next, None):
        assert question.part is not None and question.exercise is not None
        names = {**question.exercise.names, **question.part.names}
        same = (address.plain(question.part.id), *question.part.given.items(), *names.items())
        assert same not in asked, question.part.id
        asked.add(same)
        run.skip()
    assert {line.item.kind for line in run._lines.values()} == {"part", "slip"}


def test_a_backlog_comes_in_pieces_the_best_known_first(session: Session) -> None:
    run = start(session, Wanted("level", level="core/L1", most=50))
    while (question := run.next()) is not None:
        solve(run, question)
    clock(session).on(days=40)
    due = session.revision.due()
    assert due.items > due.offered == 6
    known = session.revision.known()
    first = choosing.choose(known, Wanted(), 6, Random(1))
    worst = choosing.due(known, known.items.values())[: due.items - 6]
    assert not {item.id for item in first} & {item.id for item in worst}


def test_weak_spots_are_what_was_missed(session: Session) -> None:
    session.check("core/L1.3/paged", "weights")
    session.check("core/L1.3/int4", "weights")
    clock(session).on(minutes=1)
    asked = items_of(start(session, Wanted("weak")))
    assert asked[0].startswith("core/slip/") or asked[0] == "core/L1.3/paged"
    assert "core/L1.3/int4" not in asked


# --- answering --------------------------------------------------------------------------------------------------------


def one_question(session: Session, item: str) -> tuple[Run, Question]:
    run = start(session, Wanted("level", level=session.revision.items[item].level, most=200))
    question = next(q for q in iter(run.next, None) if q.item.id == item)
    return run, question


def test_the_first_answer_counts_and_more_tries_are_free(session: Session) -> None:
    run, question = one_question(session, "core/L2.1/kv")
    assert question.part is not None
    assert run.answer("many").stage == "open"
    wrong = run.answer("123456 GB", 20)
    assert (wrong.stage, wrong.graded and wrong.graded.grade) == ("answered", "again")
    right = run.answer(right_of(question), 5)
    assert (right.stage, right.graded and right.graded.grade) == ("settled", "again")
    assert [r.grade for r in reviews(session, "core/L2.1/kv")] == ["again"]
    assert len(session.progress.attempts(question.part.id)) == 2


def test_hints_lower_the_grade(session: Session) -> None:
    run, question = one_question(session, "core/L2.1/kv")
    first = run.hint()
    assert first is not None
    assert run.hints() == (first,)
    graded = run.answer(right_of(question), 20).graded
    assert graded is not None
    assert (graded.grade, graded.reasons) == ("hard", ("right", "some-hints"))
    assert run.solution() is not None


def test_who_gives_up_is_graded_and_may_read_the_solution(session: Session) -> None:
    run, _ = one_question(session, "core/L2.1/kv")
    assert run.solution() is None
    answered = run.give_up(12)
    assert (answered.stage, answered.graded and answered.graded.reasons) == ("settled", ("gave-up",))
    assert run.solution() is not None


def test_the_learner_overrules_and_the_memory_follows(session: Session) -> None:
    run, question = one_question(session, "core/L2.1/kv")
    before = run.answer(right_of(question), 20).memory
    after = run.overrule("easy")
    assert before is not None
    assert after.memory is not None
    assert after.memory.stability > before.stability
    assert after.graded is not None
    assert (after.graded.grade, after.graded.proposed, after.graded.reasons[0]) == ("easy", "good", "overruled")
    stored = reviews(session, "core/L2.1/kv")[-1]
    assert (stored.grade, stored.proposed) == ("easy", "good")
    back = run.overrule("good")
    assert back.graded is not None
    assert "overruled" not in back.graded.reasons


def test_nothing_can_be_overruled_before_an_answer(session: Session) -> None:
    run, _ = one_question(session, "core/L2.1/kv")
    with pytest.raises(ValueError, match="nothing is graded"):
        run.overrule("easy")


def test_a_wrong_reason_makes_a_right_yes_a_guess(session: Session) -> None:
    run, question = one_question(session, "core/L4.1/fits")
    assert question.part is not None
    answered = run.answer(right_of(question), 10)
    assert answered.graded is not None
    assert answered.graded.grade == "good"
    other = next(option.id for option in question.part.reasons if option.id != question.part.reason)
    answered = run.reason(other)
    assert answered.graded is not None
    assert (answered.graded.grade, answered.graded.reasons) == ("again", ("reason-wrong",))
    run.reason(question.part.reason)
    stored = reviews(session, "core/L4.1/fits")[-1]
    assert (stored.grade, stored.proposed) == ("again", "again")


def test_the_slip_of_a_slip_item_is_what_it_is_graded_by(session: Session) -> None:
    session.check("core/L4.1/weights", "24.2 GB")
    clock(session).on(days=1)
    run = start(session)
    question = next(q for q in iter(run.next, None) if q.item.kind == "slip")
    answered = run.answer(right_of(question), 20)
    assert answered.graded is not None
    assert answered.graded.grade == "good"
    assert [r.grade for r in reviews(session, "core/slip/gib-for-gb")] == ["again", "good"]
    assert question.part is not None
    level = course.shipped().level_of(address.plain(question.part.id)).id
    assert by_level(run.sheet())[level].right == 1, "a slip stands at the level at which it was asked"


def test_a_reverse_question_is_judged_and_recorded(session: Session) -> None:
    run, question = one_question(session, "core/L2.1/kv/find-S")
    answered = run.answer("3", 20)
    assert (answered.stage, answered.graded and answered.graded.grade) == ("answered", "again")
    assert run.answer(right_of(question)).stage == "settled"
    stored = reviews(session, "core/L2.1/kv/find-S")
    assert [(r.answer, r.right, r.attempt) for r in stored] == [("3", False, "")]


def test_ticks_of_a_card(session: Session) -> None:
    run, question = one_question(session, "core/card/decode-limit")
    assert question.card is not None
    answered = run.tick("memory", ["0", "1", "99", "x"], 20)
    assert answered.graded is not None
    assert (answered.graded.grade, answered.graded.reasons) == ("hard", ("ticked-some",))
    with pytest.raises(ValueError, match="ticked, not checked"):
        run.answer("memory")


def test_what_was_missed_comes_again_at_the_end_but_not_for_ever(session: Session) -> None:
    run = start(session, Wanted("level", level="core/L1", most=2))
    asked = []
    while (question := run.next()) is not None:
        asked.append(question.item.id)
        run.give_up()
    assert len(set(asked)) == 2
    assert sorted(asked) == sorted(list(set(asked)) * MOST_TIMES)
    assert [line.right for line in run.sheet().lines] == [False, False]


def test_a_question_passed_over_is_not_graded(session: Session) -> None:
    run = start(session, Wanted("level", level="core/L1", most=2))
    run.next()
    run.skip()
    run.next()
    assert run.next() is None
    sheet = run.sheet()
    assert [line.right for line in sheet.lines] == [None, None]
    assert not sheet.asked
    assert not session.progress.reviews()


# --- tests ------------------------------------------------------------------------------------------------------------


def test_a_test_gives_no_help_asks_checked_questions_and_ends_with_its_time(session: Session) -> None:
    ticks = iter(range(0, 10_000, 20))
    run = Run(session.revision, Wanted("test", track="core", most=8, minutes=1), Random(3), lambda: float(next(ticks)))
    question = run.next()
    assert question is not None
    assert question.part is not None
    assert question.part.kind != "rubric"
    assert run.hint() is None
    answered = run.answer(right_of(question), 20)
    assert answered.test
    assert run.solution() is None
    while (question := run.next()) is not None:
        run.answer("1", 5)
    sheet = run.sheet()
    assert sheet.over
    assert len(sheet.lines) == 8
    assert any(line.right is None for line in sheet.lines)
    assert {review.source for review in session.progress.reviews()} <= {"test", "slip"}


def test_the_same_chance_makes_the_same_test(session: Session) -> None:
    wanted = Wanted("test", track="core", most=8)
    assert items_of(start(session, wanted, 5)) == items_of(start(session, wanted, 5))
    assert items_of(start(session, wanted, 5)) != items_of(start(session, wanted, 6))


def test_an_answer_after_the_bell_is_none(session: Session) -> None:
    times = [0.0]
    run = Run(session.revision, Wanted("test", track="core", minutes=1), Random(3), lambda: times[0])
    run.next()
    times[0] = 61.0
    assert run.over and not run.closed
    times[0] = 64.0
    assert run.answer("1", 5).graded is None
    assert run.give_up().graded is None
    assert run.next() is None
    assert not session.progress.reviews()


# --- the sheet --------------------------------------------------------------------------------------------------------


def test_the_document_of_a_sheet(session: Session) -> None:
    run = start(session, Wanted("level", level="core/L2", most=3))
    question = run.next()
    assert question is not None
    solve(run, question)
    run.next()
    run.give_up(9)
    told = document(run.sheet())
    assert (told["mode"], told["level"], told["asked"], told["right"]) == ("level", "core/L2", 2, 1)
    assert told["levels"] == {"core/L2": {"right": 1, "of": 2}}
    assert [item["right"] for item in told["items"]] == [True, False]
    assert told["items"][0]["due"] is not None


def test_mastery_counts_what_was_never_asked_as_nothing_and_fades(session: Session) -> None:
    before = {concept.id: concept for concept in session.revision.mastery()}
    assert all(concept.value == 0 and concept.items > 0 for concept in before.values())
    run = start(session, Wanted("level", level="core/L2", most=40))
    while (question := run.next()) is not None:
        solve(run, question)
    after = {concept.id: concept for concept in session.revision.mastery()}
    cache = after["kv-cache"]
    assert 0 < cache.value < 1
    assert cache.answered <= cache.items
    rows = session.revision.mastery_of("kv-cache")
    assert cache.value == pytest.approx(sum(row.recall for row in rows) / len(rows))
    clock(session).on(days=60)
    assert {c.id: c for c in session.revision.mastery()}["kv-cache"].value < cache.value
    with pytest.raises(KeyError):
        session.revision.mastery_of("no-such-concept")


def test_slips_have_a_trend(session: Session) -> None:
    session.check("core/L4.1/weights", "24.2 GB")
    clock(session).on(days=20)
    assert [(one.slip, one.recent, one.before, one.trend) for one in session.revision.slips()] == [
        ("gib-for-gb", 0, 1, "fewer")
    ]
    session.check("core/L4.1/weights", "24.21 GB")
    session.check("core/L4.1/weights", "24.22 GB")
    [one] = session.revision.slips()
    assert (one.times, one.recent, one.before, one.trend) == (3, 2, 1, "more")


def test_retention_is_of_what_a_quiz_asked_again(session: Session) -> None:
    session.check("core/L2.1/kv", "1.07 GB")
    assert session.revision.retention() == (0, 0)
    clock(session).on(days=3)
    run = start(session)
    while (question := run.next()) is not None:
        if question.item.id == "core/L2.1/kv":
            run.give_up()
        else:
            run.skip()
    assert session.revision.retention() == (0, 1)


def test_an_item_that_keeps_slipping_is_a_leech_with_its_lesson(session: Session) -> None:
    answered = None
    for _ in range(5):
        run, _ = one_question(session, "core/card/decode-limit")
        run.tick("", ["0", "1", "2"], 20)
        clock(session).on(days=30)
        run, _ = one_question(session, "core/card/decode-limit")
        answered = run.tick("", [], 20)
        clock(session).on(days=1)
    assert answered is not None
    assert answered.leech
    [(item, memory)] = session.revision.leeches()
    assert (item.lesson, memory.lapses) == ("core/C1", 5)


# --- what a new user found --------------------------------------------------------------------------------------------


def test_numbers_whose_answer_was_seen_do_not_come_again(session: Session) -> None:
    seen = []
    for _ in range(3):
        run, question = one_question(session, "core/L4.3/extra")
        seen.append(question.variant)
        run.give_up()
        clock(session).on(days=1)
    assert len(set(seen)) == 3


def test_one_quiz_asks_no_question_under_two_names(session: Session) -> None:
    session.check("core/L1.1/a", "decode memory")
    run = start(session, Wanted("level", level="core/L1", most=100))
    places = []
    while (question := run.next()) is not None:
        if question.part is not None and question.expect is None:
            places.append(question.part.id)
        run.skip()
    assert len(places) == len(set(places))


def test_two_variants_in_a_row_have_other_numbers(session: Session) -> None:
    run = start(session, Wanted("level", level="core/L5", most=100))
    shown = []
    while (question := run.next()) is not None:
        if question.part is not None and question.part.id.endswith("/sessions_paged"):
            shown.append(dict(question.part.given))
        run.skip()
    assert all(one != other for one, other in pairwise(shown))


def test_a_wrong_answer_to_other_numbers_counts_the_same_day(session: Session) -> None:
    session.check("core/L2.1/kv", "1.07 GB")
    session.check("core/L2.1@1/kv", "77 GB")
    session.check("core/L2.1@1/kv", "78 GB")
    assert [r.grade for r in reviews(session, "core/L2.1/kv")] == ["good", "again"]


def test_the_same_wrong_answer_again_is_no_further_attempt(session: Session) -> None:
    run, question = one_question(session, "core/L2.1/kv")
    assert question.part is not None
    for _ in range(3):
        run.answer("123456 GB", 5)
    assert len(session.progress.attempts(question.part.id)) == 1


def test_who_says_which_slip_it_was_is_believed(session: Session) -> None:
    session.check("core/L2.1/kv", "0.537 GB")
    session.settle("core/L2.1/kv", "kv-drop-two")
    clock(session).on(days=1)
    run = start(session)
    question = next(q for q in iter(run.next, None) if q.item.id == "core/slip/kv-drop-two")
    assert question.exercise is not None
    from content.checking import expectation
    from engine.answers.numeric import broken_values

    assert question.part is not None
    expect = expectation(question.exercise, question.part)
    value = next(one.value for one in broken_values(expect) if one.slip == "kv-drop-two")
    answered = run.answer(f"{float(value / units.get(expect.unit).factor):.9g} {expect.unit}", 20)
    assert answered.graded is not None
    assert answered.graded.grade == "again"
    assert answered.graded.reasons[0] in ("slip-again", "wrong")
    run.settle("kv-drop-two")
    assert run.answered is not None
    assert run.answered.graded is not None
    assert run.answered.graded.reasons[0] == "slip-again"


def test_the_sheet_tells_passed_over_from_not_reached_and_its_clock_stops(session: Session) -> None:
    times = [0.0]
    run = Run(session.revision, Wanted("test", track="core", most=3), Random(2), lambda: times[0])
    run.next()
    run.skip()
    times[0] = 40.0
    run.end()
    times[0] = 400.0
    sheet = run.sheet()
    assert sheet.seconds == 40.0
    assert [line.reached for line in sheet.lines] == [True, False, False]
    assert sheet.lines[0].place


def test_what_stood_typed_at_the_bell_is_taken(session: Session) -> None:
    times = [0.0]
    run = Run(session.revision, Wanted("test", track="core", minutes=1), Random(3), lambda: times[0])
    question = run.next()
    assert question is not None
    times[0] = 60.5
    assert run.answer(right_of(question), 5).graded is not None
    assert run.next() is None
    assert run.sheet().right == 1


def test_the_sheet_knows_what_comes_back_in_minutes(session: Session) -> None:
    run, _ = one_question(session, "core/L2.1/kv")
    run.give_up()
    run.end()
    assert (run.sheet().due_left, run.sheet().soon) == (0, 1)
    clock(session).on(minutes=11)
    assert (run.sheet().due_left, run.sheet().soon) == (1, 0)


def test_a_quiz_that_was_left_says_what_it_did_not_ask_and_does_not_call_it_missed(session: Session) -> None:
    run = Run(session.revision, Wanted("level", level="core/L2", most=3), Random(1))
    run.next()
    assert run.sheet().unasked == 0  # it goes on
    run.end()
    sheet = run.sheet()
    assert (len(sheet.lines), sheet.unasked, sheet.soon) == (1, 2, 0)
    assert [line.right for line in sheet.lines] == [None]


def test_what_comes_again_is_told(session: Session) -> None:
    run = start(session, Wanted("level", level="core/L1", most=2))
    for _ in range(2):
        run.next()
        assert not run.once_more
        run.give_up()
    run.next()
    assert run.once_more
    assert run.coming == 1


def test_new_items_are_of_several_exercises(session: Session) -> None:
    for part in ("core/L2.1/kv", "core/L2.2/batch", "core/L2.3/fp16"):
        session.check(part, {"kv": "1.07 GB", "batch": "37", "fp16": "26 GB"}[part.rpartition("/")[2]])
    known = session.revision.known()
    new = choosing.fresh(known, known.items.values())
    reverse = [item.source for item in new if item.kind == "reverse"]
    assert len(reverse) == len(set(reverse)) > 1
