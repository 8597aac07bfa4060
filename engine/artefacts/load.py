"""The load and what was measured of it: lengths, requests at once, times and rates, each the best that was read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from statistics import median

from engine.artefacts.facts import Entry, Facts, Moment, busy, is_number, steady, typical
from engine.artefacts.signs import usage


def fields(facts: Facts) -> dict[str, Entry]:
    """Inputs of the diagnoser by their public names, as one would type them."""
    return {
        **dict(_lengths(facts)), **dict(_requests(facts)), **dict(_server_statistics(facts)), **dict(_times(facts)),
        **dict(_single(facts)), **dict(_graphs(facts)),
    }  # fmt: skip


# --- lengths ---------------------------------------------------------------------------------------------------------


def _lengths(facts: Facts) -> Iterator[tuple[str, Entry]]:
    """Tokens of a prompt and of an output: what was counted before what was asked for."""
    done = facts.number("completed_requests")
    for field, total, mean, asked, phase in (
        ("prompt", "input_tokens_total", "request_prompt_tokens.mean", "input_len", "prefill_tokens"),
        ("output", "output_tokens_total", "request_generation_tokens.mean", "output_len", "decode_tokens"),
    ):
        counted = facts.last(total)
        found = facts.last(mean, asked, phase)
        if counted is not None and done:
            found = Entry(counted.value / done, counted.place)
        found = found or _since_start(facts, field)
        if found is not None and is_number(found.value) and found.value >= 1:
            yield field, Entry(max(1, round(found.value)), found.place)


_COUNTED = {"prompt": "prompt_tokens_total", "output": "generation_tokens_total"}
_MANY = 4
"""Requests that are done for each one in flight: then tokens of unfinished ones hardly count."""


def _since_start(facts: Facts, field: str) -> Entry | None:
    """The mean of a server's own counters since it started: tokens by finished requests, over all of its series."""
    tokens, done = (list(facts.entries(name)) for name in (_COUNTED[field], "requests_finished_total"))
    finished = sum(one.value for one in done)
    in_flight = facts.number("running_requests") or 0
    if not tokens or not done or finished <= 0 or finished < _MANY * in_flight:
        return None
    return Entry(sum(one.value for one in tokens) / finished, tokens[-1].place)


def held(facts: Facts, pool: int | None) -> float | None:
    """Tokens in the cache of a request that runs, while the server is busiest; ``None`` where nothing tells.

    Args:
        facts: what was read.
        pool: tokens of the KV pool, where they are known.
    """
    moments = [one for one in busy(facts.moments()) if one.values.get("running_requests")]
    found = []
    for one in moments:
        running = one.values["running_requests"]
        used = one.values.get("kv_cache_tokens_used", one.values.get("kv_cache_tokens_used.full"))
        if used is None and pool and usage(one) > 0:
            used = pool * min(1.0, usage(one))
        if used:
            found.append(used / running)
    middle = median(found) if found else 0.0
    return middle if middle >= 1 else None


_FEWEST = 2
"""Moments from which rates are those of a load and not of a start."""


def lengths(facts: Facts, held: float) -> tuple[int, int] | None:
    """Tokens of a prompt and of an output, of rates that last: the tokens of both come as often as requests do, and a
    request that runs holds its prompt and half its output. ``None`` where few moments tell, or one phase is missing."""
    moments = [one for one in facts.moments() if one.values.get("generation_throughput")]
    most = max((one.values.get("running_requests", 0.0) for one in moments), default=0.0)
    moments = [one for one in moments if 2 * one.values.get("running_requests", 0.0) >= most > 0]
    rates = [[one.values[name] for one in moments if name in one.values] for name in _RATES]
    if min(map(len, rates)) < _FEWEST:
        return None
    prompts, outputs = (sum(each) / len(each) for each in rates)
    if not prompts or not outputs:
        return None
    ratio = prompts / outputs
    output = held / (ratio + 0.5)
    prompt = ratio * output
    return (round(prompt), round(output)) if output >= 1 and prompt >= 1 else None


_RATES = ("prompt_throughput", "generation_throughput")


# --- requests --------------------------------------------------------------------------------------------------------


def _requests(facts: Facts) -> Iterator[tuple[str, Entry]]:
    """Requests of a benchmark: at once, in all, arriving."""
    client = facts.last("client_max_concurrency")
    if client is not None:
        yield "concurrency", client
    rate, prompts = facts.last("request_rate"), facts.last("num_prompts", "completed_requests")
    if rate is not None and is_number(rate.value) and rate.value > 0:
        yield "request_rate", rate
    if prompts is not None and prompts.value >= 1:
        yield "requests", prompts


def _server_statistics(facts: Facts) -> Iterator[tuple[str, Entry]]:
    """What the server said of itself while it was busiest."""
    moments = busy(facts.moments())
    for field, name in (("running", "running_requests"), ("waiting", "waiting_requests")):
        found = typical(moments, name) or facts.last(name)
        if found is not None:
            yield field, Entry(round(found.value), found.place)
    full = max(moments, key=usage, default=None)
    nothing = (
        full is not None and usage(full) == 0 and any(one.in_flight for one in moments)
    )  # 0.00 is rounded: a little is in use
    if full is not None and usage(full) >= 0 and not nothing:
        yield "kv_usage", Entry(min(1.0, usage(full)), full.place)
    elif (found := facts.last("kv_cache_usage")) is not None:
        yield "kv_usage", found
    speed = steady(moments, "generation_throughput") or facts.last("output_throughput")
    if speed is not None and speed.value > 0:
        yield "throughput", speed
        if (prompts := _computed_prompts(moments)) is not None:
            yield "prompt_throughput", prompts


def _computed_prompts(moments: Sequence[Moment]) -> Entry | None:
    """Prompt tokens a second that were computed beside the outputs: the mean of the moments, without what the prefix
    cache had of them."""
    found = [one for one in moments if "prompt_throughput" in one.values]
    rates = [
        one.values["prompt_throughput"] * (1 - min(1.0, one.values.get("prefix_cache_hit_rate", 0.0))) for one in found
    ]
    if not rates or sum(rates) < 1:
        return None
    return Entry(sum(rates) / len(rates), found[-1].place)


def _graphs(facts: Facts) -> Iterator[tuple[str, Entry]]:
    """That batches ran in CUDA graphs, where every line that says it says so: one that did not may only be larger than
    the captured ones."""
    told = list(facts.entries("cuda_graph"))
    if told and all(one.value is True for one in told):
        yield "eager", Entry("off", told[-1].place)


# --- times -----------------------------------------------------------------------------------------------------------

_CHOSEN = ("median", "mean", "p50")
"""Statistics of a time, the best first: a mean has the slowest few in it, a quantile of a histogram is a guess inside a
bucket."""


def _times(facts: Facts) -> Iterator[tuple[str, Entry]]:
    """The times to the first token and between two."""
    for field, names in (("ttft", ("ttft",)), ("tpot", ("tpot", "itl"))):
        found = facts.last(*(f"{name}.{one}" for name in names for one in _CHOSEN))
        if found is not None and found.value > 0:
            yield field, Entry(_milliseconds(found.value), found.place)


def _milliseconds(value: float) -> str:
    """A time as a person writes it: four digits of a mean are more than any two runs agree in."""
    return f"{float(f'{value:.4g}')!r} ms"


def _single(facts: Facts) -> Iterator[tuple[str, Entry]]:
    """What a program for one user prints: the speed of each phase by itself (llama.cpp, llama-bench, AutoAWQ)."""
    table = bench_rows(facts)
    decode, prefill = table.get("tg"), table.get("pp")
    decoding = decode[1] if decode else facts.last("decode_throughput")
    reading = prefill[1] if prefill else facts.last("prefill_throughput")
    if decoding is not None and decoding.value > 0:
        yield "tpot", Entry(_milliseconds(1000 / decoding.value), decoding.place)
    if reading is not None and reading.value > 0:
        yield "prompt_throughput", reading
    if prefill is not None and prefill[0]:
        yield "prompt", Entry(prefill[0], prefill[1].place)
    if table:
        yield "concurrency", Entry(1, next(iter(table.values()))[1].place)
        if (size := facts.first("parameters")) is not None:
            yield "params_b", Entry(size.value / 1e9, size.place)


def bench_rows(facts: Facts) -> dict[str, tuple[int, Entry]]:
    """llama-bench's first row of each phase, of the first model: tokens of the test and its rate."""
    tests, rates = list(facts.entries("bench_test")), list(facts.entries("bench_throughput"))
    models = [one.value for one in facts.entries("bench_model")]
    found: dict[str, tuple[int, Entry]] = {}
    same = len(models) == len(tests)
    for at, (test, rate) in enumerate(zip(tests, rates, strict=False)):
        if same and models[at] != models[0]:
            break
        phase, digits = str(test.value)[:2], "".join(takewhile(str.isdigit, str(test.value)[2:]))
        if phase in ("pp", "tg") and phase not in found and digits:
            found[phase] = (int(digits), rate)
    return found
