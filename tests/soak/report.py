"""What a soak prints: a line after each measurement, and a table at the end."""

from __future__ import annotations

import sys
import time

from tests.soak import measure
from tests.soak.ran import Ran

BEGAN = time.monotonic()


def progress(ran: Ran) -> None:
    """How far it is."""
    levels = ran.windows[-1].levels
    told = ", ".join(
        f"{name} {levels[name].value:,.0f}"
        for name in ("resident MB", "objects", "remembered", "threads")
        if name in levels
    )
    minutes = (time.monotonic() - BEGAN) / 60
    sys.stdout.write(f"{ran.form} {minutes:6.1f} min  {ran.keys:8,} keys  {told}  failures {len(ran.failures)}\n")
    sys.stdout.flush()


def table(ran: Ran) -> str:
    """Everything that was measured, and what is wrong with it."""
    rows = [
        "",
        f"{ran.form}: seed {ran.seed}, {ran.steps:,} steps, {ran.keys:,} keys, {ran.lives} lives, left {ran.left}x",
        f"at rest: {ran.idle_cpu:.2%} of a core, wrote {ran.idle_wrote}",
        "",
        f"{'settled half':18} {'first':>12} {'last':>12} {'/1,000 keys':>12} {'allowed':>9}",
    ]
    for one in ran.growth:
        sign = "  GROWS" if one.grew else ""
        rows.append(
            f"{one.name:18} {one.first:12,.1f} {one.last:12,.1f} {one.per_thousand:12,.2f} {one.allowed:9,.1f}{sign}"
        )
    rows += ["", "types with ever more objects, in 1,000 keys:"]
    rows += [f"  {gain:10,.1f}  {name}" for name, gain in measure.growing_types(ran.windows)] or ["  none"]
    rows += ["", "steps on each screen:"]
    rows += [f"  {count:8,}  {name}" for name, count in ran.screens.most_common()]
    rows += ["", *(f"FOUND: {one}" for one in ran.problems), "all well" if not ran.problems else "not well", ""]
    return "\n".join(rows)
