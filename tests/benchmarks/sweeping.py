"""A formula for a million configurations, beside one number for each of them in numpy."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

MILLION = 1_000_000


def sweep() -> tuple[float, float]:
    """Milliseconds of the formula, and of the yardstick."""
    import numpy as np

    from engine.formulas.sweep import sweep

    lengths = np.arange(1, MILLION + 1)
    given = {"B": 16, "S": lengths, "L": 40, "d_model": 5120, "p": 2, "N": 13e9, "p_w": 0.5, "capacity": 80e9}
    return _median(lambda: sweep("extra_requests", given)), _median(lambda: lengths * 2.0)


def _median(call: Callable[[], object], rounds: int = 7) -> float:
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        call()
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times)
