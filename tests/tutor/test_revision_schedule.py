"""Days, memories, due days: FSRS through our records, beside the package itself; clocks and zones; exams; leeches."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from fsrs import Card, Rating, Scheduler
from fsrs.scheduler import DEFAULT_PARAMETERS
from hypothesis import given
from hypothesis import strategies as st

from tutor.progress import Grade, Memory, Review
from tutor.revision import schedule
from tutor.revision.days import day_of
from tutor.revision.memory import AGAIN_IN, after
from tutor.revision.schedule import Plan

DAY = date(2026, 3, 1)
GRADES: tuple[Grade, ...] = ("again", "hard", "good", "easy")
grades = st.sampled_from(GRADES)
histories = st.lists(st.tuples(st.integers(0, 60), grades), min_size=1, max_size=12)


def reviewed(day: date, grade: Grade, item: str = "core/card/token") -> Review:
    when = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
    return Review(item, when, day, grade, grade, "quiz")


def learnt(history: list[tuple[int, Grade]], item: str = "core/card/token") -> Memory:
    memory, day = None, DAY
    for gap, grade in history:
        day += timedelta(days=gap)
        memory = after(memory, reviewed(day, grade, item))
    assert memory is not None
    return memory


def plan(today: date, retention: float = 0.9, exam: date | None = None) -> Plan:
    return Plan(today, datetime(today.year, today.month, today.day, 12, tzinfo=UTC), retention, exam)


# --- days -----------------------------------------------------------------------------------------------------------


def test_a_day_of_study_turns_at_four_in_the_night_where_the_learner_is() -> None:
    kolkata = timezone(timedelta(hours=5, minutes=30))
    assert day_of(datetime(2026, 3, 1, 22, 29, tzinfo=UTC), kolkata) == date(2026, 3, 1)
    assert day_of(datetime(2026, 3, 1, 22, 31, tzinfo=UTC), kolkata) == date(2026, 3, 2)


# --- memory ---------------------------------------------------------------------------------------------------------


@given(histories)
def test_a_memory_is_that_of_the_package_at_one_hour_of_the_day(history: list[tuple[int, Grade]]) -> None:
    scheduler = Scheduler(learning_steps=(AGAIN_IN,), relearning_steps=(AGAIN_IN,), enable_fuzzing=False)
    card, when = Card(card_id=1), datetime(2026, 3, 1, 12, tzinfo=UTC)
    for gap, grade in history:
        when += timedelta(days=gap)
        card, _ = scheduler.review_card(card, Rating[grade.capitalize()], when)
    memory = learnt(history)
    assert memory.stability == pytest.approx(card.stability)
    assert memory.difficulty == pytest.approx(card.difficulty)
    assert (memory.state, memory.step) == (card.state.name.lower(), card.step)
    if memory.again_at is not None:
        assert memory.again_at == card.due


@given(histories, st.sampled_from([0.7, 0.85, 0.9, 0.95, 0.97]))
def test_the_interval_is_that_of_the_package(history: list[tuple[int, Grade]], retention: float) -> None:
    scheduler = Scheduler(desired_retention=retention, learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    memory = learnt(history)
    noon = datetime(2026, 3, 1, 12, tzinfo=UTC)
    card = Card(1, stability=memory.stability, difficulty=memory.difficulty, last_review=noon)
    rated, _ = scheduler.review_card(card, Rating.Good, noon + timedelta(days=9))
    assert rated.stability is not None
    assert schedule.interval_days(rated.stability, retention) == (rated.due - noon).days - 9


def test_the_forgetting_curve_is_that_of_the_package() -> None:
    assert DEFAULT_PARAMETERS[20] == schedule.DECAY
    memory = learnt([(0, "good"), (3, "good")])
    card = Card(1, stability=memory.stability, last_review=datetime(2026, 3, 4, 12, tzinfo=UTC))
    for days in (0, 1, 7, 400):
        when = datetime(2026, 3, 4, 12, tzinfo=UTC) + timedelta(days=days)
        ours = schedule.recall(memory, memory.day + timedelta(days=days))
        assert ours == pytest.approx(Scheduler().get_card_retrievability(card, when))


def test_recall_is_nine_tenths_after_the_stability() -> None:
    memory = learnt([(0, "good")])._replace(stability=30.0)
    assert schedule.recall(memory, memory.day + timedelta(days=30)) == pytest.approx(0.9)


def test_known_and_forgotten_again_is_a_lapse_and_a_first_miss_is_none() -> None:
    assert learnt([(0, "again"), (0, "good")]).lapses == 0
    memory = learnt([(0, "good"), (2, "again"), (0, "good"), (4, "again")])
    assert (memory.lapses, memory.reviews, memory.streak) == (2, 4, 0)


def test_what_was_missed_comes_again_in_ten_minutes() -> None:
    missed = learnt([(0, "again")])
    assert missed.again_at == missed.when + AGAIN_IN
    assert not schedule.is_due(missed, Plan(DAY, missed.when))
    assert schedule.is_due(missed, Plan(DAY, missed.when + AGAIN_IN))
    assert schedule.is_due(missed, plan(DAY + timedelta(days=1)))


@given(histories, st.integers(1, 400))
def test_a_clock_that_was_set_back_makes_no_harm(history: list[tuple[int, Grade]], back: int) -> None:
    """What was reviewed on a day that has not come yet is due today; one answer more, and it lies in the present."""
    memory = learnt(history)
    today = memory.day - timedelta(days=back)
    assert schedule.due_day(memory, plan(today)) == today
    again = after(memory, reviewed(today, "good"))
    assert again.day == today
    assert today <= schedule.due_day(again, plan(today))
    assert again.stability >= min(memory.stability, 0.001)


# --- when it is due ---------------------------------------------------------------------------------------------------


@given(histories)
def test_a_higher_recall_is_asked_for_earlier(history: list[tuple[int, Grade]]) -> None:
    memory = learnt([*history, (1, "good")])
    days = [schedule.interval_days(memory.stability, retention) for retention in (0.97, 0.9, 0.8, 0.7)]
    assert days == sorted(days)
    assert days[0] >= 1


@given(st.lists(st.integers(2, 60), min_size=1, max_size=6), st.text("abc", min_size=1, max_size=8))
def test_the_spread_stays_within_its_reach(gaps: list[int], name: str) -> None:
    memory = learnt([(0, "good"), *((gap, "good") for gap in gaps)], f"core/card/{name}")
    days = schedule.interval_days(memory.stability, 0.9)
    shown = (schedule.due_day(memory, plan(memory.day)) - memory.day).days
    assert abs(shown - days) <= 0.15 * min(days, 7) + 0.1 * min(days, 20) + 0.05 * days + 1
    assert shown >= 1


def test_what_was_learnt_together_does_not_come_back_on_one_day() -> None:
    later = DAY + timedelta(days=13)
    days = {
        schedule.due_day(learnt([(0, "good"), (2, "good"), (11, "good")], f"core/card/{n}"), plan(later))
        for n in range(40)
    }
    assert len(days) >= 5


@given(histories, st.integers(1, 40))
def test_before_an_exam_all_stands_high_or_is_asked_once_more(history: list[tuple[int, Grade]], ahead: int) -> None:
    memory = learnt([*history, (1, "good")])
    exam = memory.day + timedelta(days=ahead)
    due = schedule.due_day(memory, plan(memory.day, exam=exam))
    safe = schedule.recall(memory, exam) >= schedule.EXAM_RECALL
    assert safe or due < exam or ahead <= schedule.LAST_DAYS


def test_an_exam_that_is_over_changes_nothing() -> None:
    memory = learnt([(0, "good"), (2, "good")])
    today = memory.day + timedelta(days=3)
    assert schedule.due_day(memory, plan(today, exam=today)) == schedule.due_day(memory, plan(today))


def test_new_items_come_in_time_for_an_exam() -> None:
    assert schedule.new_today(10, 90, plan(DAY)) == 10
    assert schedule.new_today(10, 90, plan(DAY, exam=DAY + timedelta(days=12))) == 18
    assert schedule.new_today(10, 90, plan(DAY, exam=DAY + timedelta(days=2))) == 90
    assert schedule.new_today(10, 20, plan(DAY, exam=DAY + timedelta(days=60))) == 10


def test_the_forecast_counts_each_item_once_and_the_overdue_today() -> None:
    memories = [learnt([(0, "good"), (2, "good")], f"core/card/{n}") for n in range(30)]
    today = DAY + timedelta(days=100)
    assert schedule.forecast(memories, plan(today), 14) == (30, *[0] * 13)
    assert sum(schedule.forecast(memories, plan(DAY + timedelta(days=2)), 400)) == 30


def test_a_leech_is_cured_by_two_right_answers() -> None:
    history: list[tuple[int, Grade]] = [(0, "good")]
    for _ in range(schedule.LEECH):
        history += [(5, "again"), (0, "good")]
    assert schedule.is_leech(learnt(history))
    assert not schedule.is_leech(learnt([*history, (3, "good")]))
    assert not schedule.is_leech(learnt(history[:-2]))
