"""What goes wrong inside the server, on its terminal: one short line each, a few a minute, and never a traceback."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

MOST = 3
"""Lines within :data:`SPAN` seconds: a reader cannot fill the terminal of whoever serves."""
SPAN = 60.0


class Troubles(logging.Handler):
    """Hears what libraries log, and tells the kind of each error."""

    def __init__(self, tell: Callable[[str], None], clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(logging.WARNING)
        self._tell, self._clock = tell, clock
        self._told: deque[float] = deque(maxlen=MOST)

    def emit(self, record: logging.LogRecord) -> None:
        """Tell an error by its class alone: its text may be a client's."""
        now = self._clock()
        if len(self._told) == MOST and now - self._told[0] < SPAN:
            return
        self._told.append(now)
        kind = record.exc_info[0] if record.exc_info else None
        self._tell(record.name if kind is None else kind.__name__)


@contextmanager
def told(tell: Callable[[str], None]) -> Iterator[None]:
    """Tell what is logged inside the block."""
    root, hearing = logging.getLogger(), Troubles(tell)
    root.addHandler(hearing)
    try:
        yield
    finally:
        root.removeHandler(hearing)
