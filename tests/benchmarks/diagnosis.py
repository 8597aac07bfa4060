"""The planner's sweep beside the engine's own estimate of one configuration: `python -m tests.benchmarks.diagnosis`.

One table in one run, in processor time. A configuration is a card, how many of it, a weight format, a KV format, a
prompt, an output and a batch; an estimate is its KV pool, the requests that fit, a decode step, a prefill and the
throughput. `grid`: a thousand options under a thousand loads. `scattered`: every configuration is another one, drawn at
random. Nothing here is a test.
"""

from __future__ import annotations

import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from engine import links, memory, pool, precision, serving, steps, vllm
from engine.catalog import Gpu, Model, gpus, model
from engine.parallel import Parallel
from engine.planning import speed
from engine.planning.grid import Facts, Grid, every
from engine.planning.plan import USUAL, Load, plan

ROUNDS = int(os.environ.get("ROUNDS", "5"))
MILLION = 10**6
CARDS, FORMS, KVS = (1, 2, 4, 8), ("bf16", "fp8", "awq", "nvfp4"), ("auto", "fp8")
MODELS = ("llama-3.1-8b", "qwen3-30b-a3b", "gemma-3-27b-it", "deepseek-v3")
FASTEST = 14_600
"""Full estimates a second of the fastest of the other calculators that were measured (LLM-Viewer, one core)."""


class Row(NamedTuple):
    """One measurement: configurations, and the seconds of a processor that they took."""

    what: str
    count: int
    seconds: float


def main() -> int:
    """Measure everything and print the table."""
    rows = [row for name in MODELS for row in of_model(name)]
    width = max(len(row.what) for row in rows)
    print(f"{'':<{width}}  configurations  seconds   per second   x the scalar engine   x {FASTEST:,}/s")
    scalar = 1.0
    for row in rows:
        rate = row.count / row.seconds
        scalar = rate if row.what.endswith("scalar") else scalar
        shown = f"{row.what:<{width}} {row.count:>15,} {row.seconds:>8.3f} {rate:>12,.0f}"
        print(f"{shown} {rate / scalar:>21,.0f} {rate / FASTEST:>13,.1f}")
    return 0


def of_model(name: str) -> Iterator[Row]:
    """The scalar engine, then the sweep, then a whole plan."""
    entry = model(name)
    cards = tuple(one for one in gpus() if one.peak_flops and links.between(one, 8) is not None)
    grid = Grid(entry, cards, CARDS, tuple(map(precision.find, FORMS)), KVS, 8192)
    yield Row(f"{name}: scalar", 200, seconds(lambda: scalar(grid, 200), 1))
    yield Row(f"{name}: grid", MILLION, seconds(lambda: on_a_grid(grid)))
    yield Row(f"{name}: scattered", MILLION, seconds(lambda: scattered(grid)))
    usual = tuple(one for one in cards if one.name in USUAL)
    count = len(usual) * len(CARDS) * len(FORMS) * len(KVS)
    yield Row(f"{name}: plan with bands", count, seconds(lambda: plan(grid._replace(gpus=usual), Load(2048, 256))))


def seconds(call: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Processor seconds of one call, the median of several; the first is not counted."""
    call()
    found = []
    for _ in range(rounds):
        start = time.process_time()
        call()
        found.append(time.process_time() - start)
    return statistics.median(found)


def scalar(grid: Grid, count: int) -> None:
    """So many configurations one by one, exactly."""
    draw = random.Random(7)
    for _ in range(count):
        gpu, cards = draw.choice(grid.gpus), draw.choice(grid.cards)
        one(grid.model, gpu, cards, draw.choice(grid.forms), draw.choice(grid.kvs), draw)


def one(entry: Model, gpu: Gpu, cards: int, form: precision.Format, kv: str, draw: random.Random) -> None:
    """One full estimate of the scalar engine."""
    prompt, output, batch = draw.randint(1, 8000), draw.randint(2, 800), draw.randint(1, 256)
    p = memory.number_bytes(entry, kv)
    asked = vllm.Settings(max_len=8192, p=p, parallel=Parallel(tp=cards))
    found = pool.pool(entry, pool.card(gpu), form, asked, name=gpu.name)
    _ = found.room.blocks // found.layers.need(prompt + output, found.settings.tokens)
    setup = steps.Setup(entry, gpu, form, p, tp=cards)
    step, first = steps.decode(setup, batch, prompt + output // 2), steps.prefill(setup, prompt)
    serving.latency(first.seconds, step.seconds, output, batch)


def on_a_grid(grid: Grid) -> None:
    """A thousand options under a thousand loads; what the engine says of the options is asked anew."""
    import numpy as np

    places = np.array(list(every(grid)))
    places = places[np.linspace(0, len(places) - 1, 1000).astype(int)]
    of = Facts(grid).at(*places.T[:, :, None])
    axes = np.meshgrid(np.arange(1, 11) * 400, np.arange(1, 11) * 50, np.arange(1, 11) ** 2, indexing="ij")
    speed.sweep_all(of, *(axis.ravel() for axis in axes))


def scattered(grid: Grid) -> None:
    """A million configurations, none like another, in pieces that a processor's cache holds."""
    import numpy as np

    facts, draw = Facts(grid), np.random.default_rng(7)
    sizes = [len(axis) for axis in (grid.gpus, grid.cards, grid.forms, grid.kvs)]
    piece = 20_000
    for _ in range(MILLION // piece):
        of = facts.at(*(draw.integers(0, size, piece) for size in sizes))
        loads = draw.integers(1, 8000, piece), draw.integers(2, 800, piece), draw.integers(1, 256, piece)
        speed.sweep_all(of, *loads)


if __name__ == "__main__":
    sys.exit(main())
