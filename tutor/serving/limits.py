"""How much a server takes: of readers, of what they send, of waiting."""

from __future__ import annotations

from typing import NamedTuple

LEARNERS = 12
"""Readers at once, unless told otherwise: each is a Python process of about 85 MB (resident, measured on Linux)."""
IDLE_MINUTES = 30.0
"""Minutes without a key or a move of the mouse after which a session ends, unless told otherwise."""
MOST_LEARNERS = 200
"""The largest number of readers at once that can be asked for."""
MOST_IDLE_MINUTES = 24 * 60.0
MOST_FOLDERS = 1000
"""Readers whose progress is kept: a name that is made up takes a folder for good."""
MESSAGE = 2**18
"""Bytes of one message of a browser: a pasted log of three thousand lines; more ends the session."""
RATE = 2**16
"""Bytes a second that a browser may send for long; it is read no faster."""
BURST = 2**19
"""Bytes that it may send at once before that."""
COLUMNS, ROWS = (20, 500), (5, 200)
"""Fewest and most of a window: a screen is computed cell by cell."""
WAIT_FOR_SEAT = 3.0
"""Seconds that a reader waits for a seat: whoever loads the page again has just left one."""
PATIENCE = 5.0
"""Seconds that an app is given to write down what stands typed, before it is ended."""


class Limits(NamedTuple):
    """What the command line chose: readers at once, and seconds without a key."""

    learners: int = LEARNERS
    idle: float = IDLE_MINUTES * 60
