"""What only a card can answer: run once on a GPU, in under three minutes, with a Python that has torch.

    python -m tests.probe.on_gpu [--device auto|cuda|mps|cpu] [--json FILE]

It starts the probe three times as the product does (its own step; a model's step at batch 1 and at batch 64) and asks
torch two things of its own. Printed are the seven open points of the study that the probe was built on. Nothing is
judged: the figures are for a person to read, and ``--json`` keeps them with the events behind them.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from engine import catalog, precision
from engine.probe.gather import gathered
from engine.probe.model import Ceiling, Result, Workload
from engine.probe.program import backends, torch_device
from engine.probe.program.model import NoGraph
from engine.probe.program.timing import measure
from engine.probe.result import judge
from engine.probe.workload import asked, card_of
from engine.steps import Setup
from tutor.probing import child

MODEL = "llama-3.1-8b"
SECONDS = 25.0
OWN = {"batch": 8, "context": 4096, "prompt": 512}
NULLS = (64, 128, 256, 512, 1024)
"""Hidden sizes of the step that is to cost nothing but its kernels."""
KERNELS = 16
CACHES = ((1, 8192), (8, 1024), (8, 8192), (32, 4096))
"""Batch and context of the attention that is compared."""


def main() -> None:
    """Run everything and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    began = time.perf_counter()
    kept: dict[str, Any] = {"runs": {}}
    results: dict[str, Result] = {}
    for name, load in (("own", None), ("batch-1", 1), ("batch-64", 64)):
        events, wall = _run(chosen.device, results.get("own"), load)
        result = judge(gathered(events), None, _workload(results.get("own"), load))
        results[name] = result
        kept["runs"][name] = {"wall": wall, "events": events}
        print(f"\n== run {name}: {wall:.1f} s in all")
        for line in _answers(result, load is None):
            print("  ", line)
    kept["questions"] = dict(_questions(chosen.device))
    kept["wall"] = time.perf_counter() - began
    print(f"\nin all {kept['wall']:.0f} s")
    if chosen.json:
        chosen.json.write_text(json.dumps(kept, indent=1))


# --- the product's own run -------------------------------------------------------------------------------------------


def _workload(own: Result | None, batch: int | None) -> Workload | None:
    """A model's step on the card that the first run found; ``None`` for the probe's own step."""
    card = card_of(own.run.device) if own is not None else None
    if batch is None:
        return None
    gpu = card or (own.measured_card if own is not None else None) or catalog.gpu("H200 SXM 141GB")
    return Workload(Setup(catalog.model(MODEL), gpu, precision.find("bf16")), batch, 4096, 512)


def _run(device: str, own: Result | None, batch: int | None) -> tuple[list[dict[str, Any]], float]:
    told = asked(_workload(own, batch))
    request = {
        "protocol": 1, "device": device, "seconds": SECONDS, "shape": told.shape, "case": told.case or OWN,
        "layers": told.layers, "zeros": batch is None,
    }  # fmt: skip
    began = time.perf_counter()
    running = child.start(request, sys.executable)
    events = list(running.events())
    running.wait(10)
    return events, time.perf_counter() - began


def _answers(result: Result, own: bool) -> Iterator[str]:
    run, of = result.run, result.ceilings
    if run.failed is not None:
        yield f"failed: {run.failed}"
        return
    if own:
        yield f"device: {run.device}"
        yield f"card of the catalogue: {result.card.name if result.card else None}"
        named: dict[str, Ceiling | None] = {"read": of.read, "copy": of.copy, **of.products, "weights": of.weights}
        for name, one in {**named, "kv": of.kv, "prefill": of.prefill}.items():
            if one is not None:
                share = f"{one.share:.3f} of the data sheet" if one.share else "no data sheet"
                yield f"ceiling {name}: {one.rate:.4g}/s, {share}"
        yield f"1. knee: {result.knee or result.no_knee}"
        yield f"3. warm-up: {run.ramp}"
        yield f"5. drift: {result.drift}"
        yield from _zeros(result)
    software = run.software
    spent = {stage: round(seconds, 2) for stage, seconds in run.ended.stages.items()} if run.ended else {}
    loading = f"{software.import_seconds:.1f} s of import" if software else "?"
    yield f"6. time: {run.ended.elapsed if run.ended else None} s by stage {spent}, apart from {loading}"
    yield f"   memory: {run.ended.peak if run.ended else None} of a budget of {run.ended.budget if run.ended else None}"
    yield f"   fixed a layer: {of.fixed}, launched {of.launched}, attention {of.kv_fixed}"
    case = result.case
    if case is not None:
        verdict = case.verdict
        yield f"step: {verdict.label} {verdict.confidence:.2f}, less sure by {[one.id for one in verdict.reasons]}"
        for name, one in (("decode", case.decode), ("prefill", case.prefill)):
            if one is not None:
                band = f"{one.low:.4g}..{one.high:.4g} s" if one.low is not None and one.high is not None else "none"
                yield f"{name}: measured {one.measured:.4g} s, by the ceilings {one.ceilings:.4g}, band {band}"
        yield f"levers: {[(x.lever, round(x.speedup, 2), x.basis) for x in case.gains]}"
    yield f"notes: {[(note.id, dict(note.params)) for note in result.notes]}"


def _zeros(result: Result) -> Iterator[str]:
    """The same product of zeros and of numbers."""
    for zero in (one for one in result.run.products if one.fill == "zeros"):
        for other in result.run.products:
            if (other.n, other.dtype, other.fill, other.again) == (zero.n, zero.dtype, "random", False):
                yield f"7. zeros: {zero.dtype} {zero.n}: {zero.rate / other.rate:.3f} times as fast as random numbers"


# --- questions to torch itself ---------------------------------------------------------------------------------------


def _questions(name: str) -> Iterator[tuple[str, dict[str, float]]]:
    torch = torch_device.load()
    device = backends.opened(torch, backends.chosen(torch, name))
    kind = device.dtype(device.dtypes[0])
    print("\n== asked of torch")
    yield "floor", dict(_floor(torch, device, kind))
    yield "attention", dict(_attention(torch, device, kind))


def _seconds(device: Any, step: Callable[[], None]) -> float:
    """Of a step, replayed where that is possible."""
    with suppress(NoGraph):
        step = device.record(step)
    return measure(device, step, 2.0, 1.0).seconds


def _floor(torch: Any, device: Any, kind: Any) -> Iterator[tuple[str, float]]:
    """2. Whether a kernel of the empty step costs the same whatever its hidden size."""
    for hidden in NULLS:
        token, made = (torch.randn(1, hidden, device=device.where).to(kind) for _ in range(2))
        matrices = [torch.randn(hidden, hidden, device=device.where).to(kind).t() for _ in range(KERNELS)]

        def step(token: Any = token, matrices: Any = matrices, made: Any = made) -> None:
            for matrix in matrices:
                torch.mm(token, matrix, out=made)

        each = _seconds(device, step) / KERNELS
        print(f"   2. floor, hidden {hidden}: {each * 1e6:.2f} us a kernel")
        yield str(hidden), each


def _attention(torch: Any, device: Any, kind: Any) -> Iterator[tuple[str, float]]:
    """4. The group folded into the query's rows against torch's own grouped attention."""
    attend, group, kv, width = torch.nn.functional.scaled_dot_product_attention, 4, 8, 128
    for batch, context in CACHES:
        if device.where == "cpu" and batch * context > 16384:
            continue
        keys, values = (torch.randn(batch, kv, context, width, device=device.where).to(kind) for _ in range(2))
        folded = torch.randn(batch, kv, group, width, device=device.where).to(kind)
        flat = folded.reshape(batch, kv * group, 1, width)
        size = 2 * keys.numel() * keys.element_size()
        ways: dict[str, Callable[[], None]] = {
            "folded": lambda q=folded, k=keys, v=values: attend(q, k, v),
            "enable_gqa": lambda q=flat, k=keys, v=values: attend(q, k, v, enable_gqa=True),
        }
        for way, step in ways.items():
            try:
                rate = size / _seconds(device, step)
            except (RuntimeError, TypeError) as error:
                print(f"   4. attention {way} {batch}x{context}: {str(error).splitlines()[0][:90]}")
                continue
            print(f"   4. attention {way} {batch}x{context}: {rate / 1e9:.1f} GB/s")
            yield f"{way} {batch}x{context}", rate
        apart = float(
            (
                attend(folded, keys, values).reshape(flat.shape)
                - attend(flat, keys.repeat_interleave(group, 1), values.repeat_interleave(group, 1))
            )
            .abs()
            .max()
        )
        print(f"   4. attention {batch}x{context}: largest difference {apart:.2g}")


if __name__ == "__main__":
    main()
