"""The learner's days of study.

Memory counts whole days, so that an hour more or less, a journey or a clock that was set back changes nothing.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Final

TURNS_H: Final = 4
"""Hour of the night, local time, at which one day of study becomes the next: who learns past midnight is not torn."""


def day_of(when: datetime, zone: tzinfo | None = None) -> date:
    """The day of study of a moment.

    Args:
        when: the moment, with its zone.
        zone: where the learner is; ``None`` is the zone of this machine.
    """
    return (local(when, zone) - timedelta(hours=TURNS_H)).date()


def local(when: datetime, zone: tzinfo | None = None) -> datetime:
    """A moment on the learner's clock; in UTC where this machine names a zone that is none (TZ=XYZ99)."""
    try:
        return when.astimezone(zone)
    except (ValueError, OverflowError, OSError):
        return when.astimezone(UTC)
