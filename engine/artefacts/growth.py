"""How fast a pool fills, and when it is full: of moments in a log, and of samples of a running server."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import linear_regression

LEAST = 1e-5
"""Share of a pool a second under which its use counts as level: 28 hours from empty to full."""
FEWEST = 2


def growth(points: Sequence[tuple[float, float]]) -> float | None:
    """Share of the pool a second by which its use rises, the slope of the least squares; ``None`` where it does not.

    Args:
        points: seconds from any beginning, and the share in use, in order of time.
    """
    if len(points) < FEWEST or points[-1][0] <= points[0][0] or points[-1][1] <= points[0][1]:
        return None
    start = points[0][0]
    slope = linear_regression([at - start for at, _ in points], [share for _, share in points]).slope
    return slope if slope > LEAST else None


def seconds_to_full(points: Sequence[tuple[float, float]]) -> float | None:
    """Seconds from the last point until the pool is full at that rate; ``None`` where it does not rise, or is full."""
    rate = growth(points)
    left = 1.0 - points[-1][1] if points else 0.0
    return left / rate if rate is not None and left > 0 else None
