"""A learner of 120 days, lighter than `python -m tests.tutor.simulated`: the same interface, fewer drawn numbers."""

from __future__ import annotations

from copy import deepcopy
from datetime import timedelta
from pathlib import Path

from tests.tutor.simulated import AWAY, START, Learner, known_share
from tutor.progress import Memory, Progress, Review, open_progress
from tutor.settings import Settings

EXERCISES = ("core/L1.1", "core/L1.2", "core/L1.3", "core/L2.1")
CHOSEN = Settings(quiz_count=8, quiz_new=4)


def learner(progress: Progress) -> Learner:
    return Learner(progress, 7, chosen=CHOSEN, exercises=EXERCISES)


def known(progress: Progress) -> dict[str, Memory]:
    from tutor.revision.memory import after

    return dict(progress.memories(after))


def test_120_days(tmp_path: Path) -> None:
    """Reviews a day within bounds, the wanted recall met, nothing lost, a backlog worked off, and an export halfway
    changes nothing."""
    progress = open_progress(tmp_path / "one.db")
    one = learner(progress)
    one.live(range(60))
    document = progress.export()

    other = open_progress(tmp_path / "two.db")
    other.import_(document)
    assert other.export() == document
    assert known(other) == known(progress)
    two = learner(other)
    two.random.setstate(one.random.getstate())
    two.own, two.now, two._exercises = deepcopy(one.own), one.now, list(one._exercises)

    one.live(range(60, 120))
    two.live(range(60, 120))
    assert two.days == [day for day in one.days if day.number >= 60]
    assert known(other) == known(progress)
    assert [told(review) for review in other.reviews()] == [told(review) for review in progress.reviews()]

    _judge(one, progress)
    progress.close()
    other.close()


def told(review: Review) -> Review:
    """A review without the name of its attempt, which is another one in every file."""
    return review._replace(attempt="")


def _judge(one: Learner, progress: Progress) -> None:
    revision, reviews = one.session.revision, progress.reviews()
    assert all(day.asked <= 8 for day in one.days)
    share, count = known_share(reviews, (START + timedelta(days=20)).date())
    assert count > 100
    assert abs(share - 0.9) < 0.06
    # what was ever learnt is still known of, and comes up on some day to come
    assert set(known(progress)) == {review.item for review in reviews}
    assert sum(revision.forecast(36600)) == len(known(progress))
    back = next(day for day in one.days if day.number > AWAY.stop - 1)
    assert back.due > 8
    assert back.left == back.due - 8
    assert any(day.left == 0 for day in one.days if day.number > back.number)
    # every part is asked in numbers of its own each time
    drawn = [review.variant for review in reviews if review.item == "core/L2.1/kv" and review.source == "quiz"]
    assert len(drawn) == len(set(drawn)) > 1
