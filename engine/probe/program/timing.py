"""How one step is timed, and what of its times is told.

A block is several steps, long enough for the clock; a point is several blocks. Told are the 20th percentile (for
ceilings and curves: what the device reaches when nothing disturbs), the median (the typical value) and the
interquartile range over the median (the noise). A point with 10 % of noise or more, the line at which
``torch.utils.benchmark`` warns, is measured once more, and flagged when that does not help.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

from .device import Device, Step

NOISY = 0.10
BLOCKS = 8
POINT = 0.020
"""Seconds that a point's blocks last at least."""
LONGEST = 0.25
"""Seconds that a point's blocks last at most; slow steps are timed in ``FEWEST`` blocks all the same."""
FEWEST = 3
SLOW = 0.01
"""Seconds of a step whose first run is warm-up enough."""
QUIET = 0.9
"""Processor time over wall time and threads under which something else uses the processor."""
SHORT = 1e-3
"""Seconds under which a step is no use to the processor guard: too little work for all threads."""


class Timed(NamedTuple):
    """Seconds of one step. ``quiet``: share of the processor that the probe had; ``None`` where that means nothing."""

    seconds: float
    median: float
    noise: float
    blocks: int
    flagged: bool = False
    quiet: float | None = None
    samples: tuple[float, ...] = ()


def percentile(samples: Sequence[float], share: float) -> float:
    """The value that ``share`` of the samples lie under, between two neighbours on a line. Not for no samples."""
    ordered = sorted(samples)
    place = share * (len(ordered) - 1)
    under = int(place)
    over = min(under + 1, len(ordered) - 1)
    return ordered[under] + (place - under) * (ordered[over] - ordered[under])


def summary(samples: Sequence[float]) -> Timed:
    """What is told of a point's blocks."""
    median = percentile(samples, 0.5)
    noise = (percentile(samples, 0.75) - percentile(samples, 0.25)) / median if median > 0 else 0.0
    return Timed(percentile(samples, 0.2), median, noise, len(samples), samples=tuple(samples))


def bimodal(samples: Sequence[float]) -> bool:
    """Whether the blocks fall into two groups apart: something comes and goes on the device.

    Both groups hold a quarter of the blocks at least, and lie further apart than each is wide.
    """
    ordered = sorted(samples)
    least = max(2, ceil(len(ordered) / 4))
    cuts = range(least, len(ordered) - least + 1)
    if not cuts or ordered[0] <= 0:
        return False
    cut = max(cuts, key=lambda place: ordered[place] - ordered[place - 1])
    gap = ordered[cut] - ordered[cut - 1]
    wide = max(ordered[cut - 1] - ordered[0], ordered[-1] - ordered[cut])
    return gap > NOISY * ordered[0] and gap > wide


def layout(one: float, block: float, room: float, fair: float) -> tuple[int, int]:
    """Steps in a block and blocks in a point, for a step of ``one`` seconds.

    ``room`` seconds are left; over ``fair`` ones, the fewest blocks will do. No blocks at all when there is not even
    room for one step.
    """
    one = max(one, 1e-9)
    repeats = max(1, ceil(block / one))
    if repeats * one > room:
        repeats = max(1, int(room / one))
    length = repeats * one
    wanted = max(BLOCKS, ceil(POINT / length))
    if wanted * length > max(LONGEST, BLOCKS * block):
        wanted = max(FEWEST, int(LONGEST / length))
    return repeats, min(wanted, max(FEWEST, int(fair / length)), int(room / length))


def cost(one: float, recorded: bool) -> float:
    """Seconds that a point takes at least, when one step takes ``one``: warming up, recording, timing."""
    return one * (6 if recorded else 2)


def measure(device: Device, step: Step, room: float, fair: float, threads: int | None = None) -> Timed:
    """Time a step within ``room`` seconds, and rather within ``fair``.

    The first run is always made: it warms up, and is told if there is no time for more.
    ``threads``: of a processor, to see how much of it the probe had.
    """
    began = device.now()
    first = device.time(step, 1, 1)[0]
    one = first if first > SLOW or room < 4 * first else min(first, *device.time(step, 1, 2))
    left = room - (device.now() - began)
    repeats, blocks = layout(one, device.block, left, fair - (room - left))
    if blocks < 1:
        return Timed(first, first, 0.0, 1, flagged=True)
    until = began + room
    found = _blocks(device, step, (repeats, blocks), until, threads)
    left = fair - (device.now() - began)
    if found.noise < NOISY or left < 2 * found.median * repeats * blocks:
        return found._replace(flagged=found.noise >= NOISY)
    again = _blocks(device, step, (repeats, blocks), until, threads)
    better = min((found, again), key=lambda one: one.noise)
    return better._replace(flagged=better.noise >= NOISY)


def _blocks(device: Device, step: Step, size: tuple[int, int], until: float, threads: int | None) -> Timed:
    busy, wall = device.busy(), device.now()
    found = summary(_samples(device, step, size, until))
    after, wall = device.busy(), device.now() - wall
    if threads is None or busy is None or after is None or wall <= 0 or found.median < SHORT:
        return found
    return found._replace(quiet=(after - busy) / (wall * threads))


def _samples(device: Device, step: Step, size: tuple[int, int], until: float) -> list[float]:
    """Seconds of a step in each block. A device that works while the host looks at the clock is stopped in time: on a
    processor that others use, a step may suddenly take fifty times as long."""
    repeats, blocks = size
    if device.ahead:
        return device.time(step, repeats, blocks)
    found = device.time(step, repeats, 1)
    while len(found) < blocks and device.now() < until:
        found += device.time(step, repeats, 1)
    return found
