"""Grades from evidence."""

from __future__ import annotations

import pytest

from content.checking import check_part
from tutor.revision.grading import Evidence, grade, near, pace, unit_missing


@pytest.mark.parametrize(
    ("evidence", "wanted", "reasons"),
    [
        (Evidence(True), "good", ("right", "no-pace")),
        (Evidence(True, seconds=60, pace=60), "good", ("right", "usual")),
        (Evidence(True, seconds=20, pace=60), "easy", ("right", "fast")),
        (Evidence(True, seconds=200, pace=60), "hard", ("right", "slow")),
        (Evidence(True, seconds=3600, pace=60), "good", ("right", "no-pace")),
        (Evidence(True, hints=1, ladder=3, seconds=20, pace=60), "hard", ("right", "some-hints")),
        (Evidence(True, hints=3, ladder=3), "again", ("right", "all-hints")),
        (Evidence(True, shown=True), "again", ("right", "shown-before")),
        (Evidence(False), "again", ("wrong",)),
        (Evidence(False, near=True), "hard", ("near",)),
        (Evidence(False, unit=True), "hard", ("unit",)),
        (Evidence(False, near=True, hints=1, ladder=3), "again", ("wrong",)),
        (Evidence(False, slip_again=True), "again", ("slip-again",)),
        (Evidence(False, other=True), "again", ("other-slip",)),
        (Evidence(False, gave_up=True), "again", ("gave-up",)),
        (Evidence(True, ticked=(3, 3)), "good", ("ticked-all",)),
        (Evidence(False, ticked=(2, 3)), "hard", ("ticked-some",)),
        (Evidence(False, ticked=(1, 2)), "again", ("ticked-few",)),
        (Evidence(True, test=True), "good", ("right", "no-pace", "test")),
        (Evidence(True, study=True), "good", ("right", "no-pace", "study")),
    ],
)
def test_grades(evidence: Evidence, wanted: str, reasons: tuple[str, ...]) -> None:
    graded = grade(evidence)
    assert (graded.grade, graded.proposed, graded.reasons) == (wanted, wanted, reasons)


def test_near_is_a_number_close_by_that_no_slip_gives() -> None:
    assert near(check_part("core/L2.1/kv", "1.09 GB"))
    assert not near(check_part("core/L2.1/kv", "0.537 GB"))  # a slip
    assert not near(check_part("core/L2.1/kv", "1.3 GB"))
    assert not near(check_part("core/L2.1/kv", "1.07 GB"))  # right
    assert not near(check_part("core/L2.1/kv", "many"))
    assert not near(check_part("core/L1.3/paged", "weights"))


def test_a_number_of_bytes_without_its_unit_is_no_ignorance() -> None:
    assert unit_missing(check_part("core/L2.1/kv", "1073741824"))
    assert not unit_missing(check_part("core/L2.1/kv", "1 GiB"))
    assert not unit_missing(check_part("core/L2.1/kv", "1.07 GB"))
    assert not unit_missing(check_part("core/L2.1/kv", "0.537 GB"))


def test_a_pace_is_the_median_of_ones_own_times() -> None:
    assert pace([30, 50, 40], [100] * 9) == 40
    assert pace([30, 50], [100, 80, 90, 70, 110]) == 90
    assert pace([30, 50], [100] * 4) is None
    assert pace([], [0.0] * 9) is None
    assert pace([], [2000.0, 50, 50, 50, 50]) is None
