"""The learner's days of study. Memory counts whole days, so that an hour more or less, a journey or a clock that was
set back changes nothing."""

from __future__ import annotations

from datetime import date, datetime, timedelta, tzinfo
from typing import Final

TURNS_H: Final = 4
"""Hour of the night, local time, at which one day of study becomes the next: who learns past midnight is not torn."""


def day_of(when: datetime, zone: tzinfo | None = None) -> date:
    """The day of study of a moment.

    Args:
        when: the moment, with its zone.
        zone: where the learner is; ``None`` is the zone of this machine.
    """
    return (when.astimezone(zone) - timedelta(hours=TURNS_H)).date()
