"""What a probe costs: seconds by stage and in all, memory against its budget, and the judgement of a run.

    python -m tests.benchmarks.probing [--device auto|cpu|cuda] [--python PATH] [--seconds 25,8,4]

Times of one machine in one run, side by side; nothing is judged. The Python must have torch.
"""

from __future__ import annotations

import argparse
import time
from statistics import median
from typing import Any

from engine.probe.gather import gathered
from engine.probe.readings import STAGES, Run
from engine.probe.result import judge
from tutor.probing import running

JUDGED = 50
"""Times that a run is judged."""


def main() -> None:
    """Run the probe with each budget and print where the time went."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="auto", choices=running.DEVICES)
    parser.add_argument("--python")
    parser.add_argument("--seconds", default="25,8,4")
    chosen = parser.parse_args()
    for seconds in map(float, chosen.seconds.split(",")):
        began = time.perf_counter()
        ready = running.prepare(device=chosen.device, python=chosen.python, seconds=seconds)
        if isinstance(ready, running.NotReady):
            raise SystemExit(f"no Python with torch: {[(one.python, one.why) for one in ready.search.tried]}")
        looked = time.perf_counter() - began
        events, wall = _run(ready)
        _print(gathered(events), seconds, looked, wall)


def _run(ready: running.Ready) -> tuple[list[dict[str, Any]], float]:
    began = time.perf_counter()
    child = running.start(ready)
    events = list(child.events())
    child.wait(10)
    return events, time.perf_counter() - began


def _print(run: Run, seconds: float, looked: float, wall: float) -> None:
    if run.failed is not None or run.ended is None or run.software is None:
        raise SystemExit(f"failed: {run.failed}")
    device = run.device.name if run.device else "?"
    print(f"\n{device}, torch {run.software.torch}: budget {seconds:g} s, measured {run.ended.elapsed:.1f} s, "
          f"ended by {run.ended.reason}")  # fmt: skip
    print(f"  whole process {wall:.1f} s: {run.software.import_seconds:.1f} s import of torch, "
          f"{wall - run.software.import_seconds - run.ended.elapsed:.1f} s start and end; "
          f"looking for Python and cards before {looked:.2f} s")  # fmt: skip
    print("  " + "  ".join(f"{stage} {run.ended.stages[stage]:.2f}" for stage in STAGES if stage in run.ended.stages))
    if run.ended.peak and run.ended.budget:
        share = run.ended.peak / run.ended.budget
        print(f"  memory {run.ended.peak / 1e6:.0f} MB of a budget of {run.ended.budget / 1e6:.0f} MB ({share:.0%})")
    times = []
    for _ in range(JUDGED):
        began = time.perf_counter()
        judge(run)
        times.append(time.perf_counter() - began)
    print(f"  judging the run {median(times) * 1e3:.1f} ms (median of {JUDGED}), the first {times[0] * 1e3:.1f} ms")
    print(f"  notes: {', '.join(note.id for note in run.notes) or 'none'}")


if __name__ == "__main__":
    main()
