"""Days in a zone that is none."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

import pytest

from tests.tutor.test_progress_command import KV, Said, said, session
from tutor.revision.days import TURNS_H, day_of
from tutor.session import Session

__all__ = ["said", "session"]  # fixtures


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone cannot be changed here")
@pytest.mark.parametrize("zone", ["XYZ99", "ABC-99:59", "nonsense", ":/nowhere", ""])
def test_days_are_those_of_utc_where_the_zone_is_none(session: Session, said: Said, zone: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", zone)
        time.tzset()
        session.check(KV, "5 GB")
        assert session.revision.today in {(datetime.now(UTC) - timedelta(hours=TURNS_H)).date()}
        assert datetime.now(UTC).date().isoformat() in said("progress", "unexplained")
        for words in (("progress", "show"), ("progress", "show", KV), ("progress", "export", "-")):
            assert said(*words)
    time.tzset()
    noon = datetime(2026, 3, 1, 12, tzinfo=UTC)
    assert day_of(noon, UTC) == noon.date()
