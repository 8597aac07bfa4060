"""The steps themselves: matrices for growing batches, attention over growing caches, prompts, the workload's own."""

from __future__ import annotations

from .. import sizes
from ..bench import Bench
from ..device import Step

BATCHES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
MORE = 1024
"""A batch for which there is no note when time does not allow it."""
CPU_BATCHES = BATCHES[:8]
CACHES = ((1, 1024), (1, 8192), (8, 1024), (8, 8192), (32, 4096))
CPU_CACHES = ((1, 1024), (1, 4096), (4, 1024), (4, 4096))
PROMPTS = (128, 512, 2048)
MORE_PROMPT = 4096
CPU_PROMPTS = (128, 256, 512)
SHORTEST = 16
"""Tokens of a prompt below which the slowest processor measures none."""


def floor(bench: Bench) -> None:
    """What a step costs before it moves anything: as many kernels with next to no bytes; and without a graph."""
    step = bench.made(lambda: bench.device.stack(1, empty=True))
    if step is None:
        return
    replayed, graph = bench.recorded(step)
    bench.reading("floor", bench.time(replayed), layers=bench.plan.layers, graph=graph)
    if not bench.replays:
        return
    eager = bench.device.stack(1)
    if bench.affords(_reading_time(bench)):
        bench.reading("eager", bench.time(eager), batch=1)
    else:
        bench.shorten()


def _reading_time(bench: Bench) -> float:
    """Seconds that reading the weights takes, at the speed of memory."""
    moved = bench.rates.get("moved")
    return bench.plan.weight_bytes / moved if moved else 0.0


def linear(bench: Bench) -> None:
    """Matrices alone, up the batches and down again: a slow drift falls on both passes alike.

    The whole curve comes before the second pass, which says how sure it is: a short budget loses that one first.
    """
    most = sizes.most_tokens(bench.plan, prompt=False)
    wanted = CPU_BATCHES if bench.facts.kind == "cpu" else (*BATCHES, MORE)
    batches = [batch for batch in wanted if batch <= most]
    steps: dict[int, tuple[Step, bool]] = {}
    times: dict[int, float] = {}
    expected = _reading_time(bench)
    for place, batch in enumerate(batches):
        if not bench.affords(expected):
            if batch != MORE:
                bench.shorten()
            break
        step = bench.made(lambda batch=batch: bench.device.stack(batch))  # type: ignore[misc]
        if step is None:
            break
        steps[batch] = bench.recorded(step)
        times[batch] = _linear(bench, batch, 1, len(batches) - place, steps[batch])
        following = batches[place + 1] if place + 1 < len(batches) else batch
        expected = times[batch] * (following / batch if batch >= 8 else 1.2)
    for place, batch in enumerate(reversed(list(times))):
        if not bench.affords(times[batch]):
            bench.shorten()
            break
        _linear(bench, batch, 2, len(times) - place, steps[batch])
    if times:
        largest = max(times)
        bench.rate("stack", sizes.linear_flops(bench.plan, largest) / times[largest])
    bench.watch()


def _linear(bench: Bench, batch: int, way: int, parts: int, made: tuple[Step, bool]) -> float:
    step, graph = made
    timed = bench.time(step, parts)
    size, flops = bench.plan.weight_bytes, sizes.linear_flops(bench.plan, batch)
    if not bench.impossible("linear", size / timed.seconds):
        bench.reading(
            "linear", timed, batch=batch, **{"pass": way}, bytes=size, flops=flops, graph=graph
        )  # fmt: skip
    return timed.seconds


def kv(bench: Bench) -> None:
    """Attention alone, over caches that no cache of the processor holds together."""
    made = bench.plan
    points = CPU_CACHES if bench.facts.kind == "cpu" else CACHES
    for place, (batch, context) in enumerate(points):
        layers = sizes.cache_layers(bench.facts, made, batch, context)
        if layers < 1:
            continue
        size = layers * sizes.cache_bytes(made, batch, context)
        if not bench.affords(size / bench.rates["kv"] if "kv" in bench.rates else _moving(bench, size)):
            bench.shorten()
            break
        step = bench.made(lambda b=batch, c=context, n=layers: bench.device.attention(b, c, n))  # type: ignore[misc]
        if step is None:
            continue
        replayed, graph = bench.recorded(step)
        timed = bench.time(replayed, len(points) - place)
        bench.rate("kv", size / timed.seconds)
        if not bench.impossible("kv", size / timed.seconds):
            flops = sizes.attention_flops(made, batch * context, layers)
            bench.reading(
                "kv", timed, batch=batch, context=context, layers=layers, bytes=size, flops=flops, graph=graph
            )  # fmt: skip
    bench.watch()


def _moving(bench: Bench, size: int) -> float:
    moved = bench.rates.get("moved")
    return size / moved if moved else 0.0


def prefill(bench: Bench) -> None:
    """Prompts through the whole stack; on a slow device shorter ones than usual, but one at least."""
    cpu = bench.facts.kind == "cpu"
    wanted = list(CPU_PROMPTS if cpu else (*PROMPTS, MORE_PROMPT))
    most = sizes.most_tokens(bench.plan, prompt=True)
    shortest = wanted[0]
    while shortest > SHORTEST and (shortest > most or not bench.affords(_prompt_time(bench, shortest))):
        shortest //= 2
    if shortest != wanted[0]:
        bench.shorten()
        wanted = [shortest]
    for tokens in wanted:
        if tokens > most:
            break
        if not bench.affords(_prompt_time(bench, tokens)):
            if tokens != MORE_PROMPT:
                bench.shorten()
            break
        _prompt(bench, tokens)
    bench.watch()


def _prompt_flops(bench: Bench, tokens: int) -> tuple[int, int]:
    made = bench.plan
    return (
        sizes.linear_flops(made, tokens),
        sizes.attention_flops(made, sizes.causal_pairs(tokens), made.layers),
    )


def _prompt_time(bench: Bench, tokens: int) -> float:
    """Seconds that a prompt may take: at the rate of the last one, of the stack, or of a product."""
    rates = bench.rates
    rate = rates.get("prompt") or rates.get("stack") or rates.get("flops")
    return sum(_prompt_flops(bench, tokens)) / rate if rate else 0.0


def _prompt(bench: Bench, tokens: int) -> None:
    step = bench.made(lambda: bench.device.prefill(tokens))
    if step is None:
        return
    replayed, graph = bench.recorded(step)
    timed = bench.time(replayed)
    linear_flops, attention = _prompt_flops(bench, tokens)
    bench.rates["prompt"] = (linear_flops + attention) / timed.seconds
    bench.reading(
        "prefill", timed, tokens=tokens, linear_flops=linear_flops, attention_flops=attention,
        bytes=bench.plan.weight_bytes, graph=graph,
    )  # fmt: skip


def case(bench: Bench) -> None:
    """The workload's own decode step, over as many layers as its caches find room for; and its prompt."""
    asked, made = bench.request.case, bench.plan
    if asked is None:
        return None
    batch, context, layers = sizes.case(made, asked)
    if layers < 1:
        return bench.shorten()
    if (batch, context) != (asked.batch, asked.context):
        bench.note("case-reduced", batch=batch, context=context)
    kv_bytes, weights = layers * sizes.cache_bytes(made, batch, context), layers * made.layer_bytes
    moving = max(weights / bench.rates["moved"], 0.0) if "moved" in bench.rates else 0.0
    caches = kv_bytes / bench.rates["kv"] if "kv" in bench.rates else 0.0
    rate = bench.rates.get("stack")
    computing = sizes.linear_flops(made, batch, layers) / rate if rate else 0.0
    step = None
    if bench.affords(max(moving, computing) + caches):
        step = bench.made(lambda: bench.device.decode(batch, context, layers))
    else:
        bench.shorten()
    if step is not None:
        replayed, graph = bench.recorded(step)
        timed = bench.time(replayed)
        bench.reading(
            "case", timed, batch=batch, context=context, layers=layers, weight_bytes=weights, kv_bytes=kv_bytes,
            linear_flops=sizes.linear_flops(made, batch, layers),
            attention_flops=sizes.attention_flops(made, batch * context, layers), graph=graph,
        )  # fmt: skip
    if asked.prompt is not None:
        tokens = min(asked.prompt, sizes.most_tokens(made, prompt=True))
        if bench.affords(_prompt_time(bench, tokens)):
            _prompt(bench, tokens)
        else:
            bench.shorten()
    bench.watch()
    return None
