"""Seats: so many readers at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tutor.serving.limits import WAIT_FOR_SEAT


class Full(Exception):
    """Every seat is taken."""


class Seats:
    """Whoever sits gives the seat back when the app has ended, not before."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._free = asyncio.Semaphore(count)

    @property
    def full(self) -> bool:
        """Whether nobody could sit down now."""
        return self._free.locked()

    @asynccontextmanager
    async def seat(self, patience: float = WAIT_FOR_SEAT) -> AsyncIterator[None]:
        """Sit down. Raises ``Full`` where no seat is free and none becomes so within ``patience`` seconds."""
        try:
            await asyncio.wait_for(self._free.acquire(), patience)
        except TimeoutError:
            raise Full from None
        try:
            yield
        finally:
            self._free.release()
