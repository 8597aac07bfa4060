"""What numbers of a log say without a word: preemption, a queue that grows, a cache that fills, inputs that repeat.

They become signals of the same vocabulary that sentences have (:mod:`engine.diagnosis.symptoms.signals`), each with the
figures that it was seen in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from engine.artefacts.facts import Facts, Moment, busy
from engine.diagnosis.model import Signal

_FEWEST = 3
"""Moments from which a course can be seen."""
FULL = 0.98
"""A pool in use from here on has no room for another block of every sequence."""
_FEW = 512
"""Tokens of a warm-up that need next to no memory beside the weights: failing there, the weights fill the card."""
_LOST = 0.02
"""Of the running requests: fewer may have ended between two lines."""


def signals(facts: Facts) -> Iterator[Signal]:
    """The signals that the numbers carry."""
    moments = facts.moments()
    counted = list(facts.entries("preemptions_total"))
    if counted and counted[-1].value > (counted[0].value if len(counted) > 1 else 0):
        course = " → ".join(dict.fromkeys(f"{one.value}" for one in (counted[0], counted[-1])))
        yield Signal("preempts", f"preemptions {course}", counted[-1].place)
    elif preempted(moments):
        yield Signal("preempts", _course(moments, "running_requests", "waiting_requests"), moments[-1].place)
    few = next((one for one in facts.entries("failed_prefill_tokens") if one.value <= _FEW), None)
    if few is not None:
        yield Signal("oom-loading", f"prefill tokens {few.value}", few.place)
    part, whole = facts.last("layers_on_gpu"), facts.number("layers_total")
    if part is not None and whole and 0 < part.value < whole:
        yield Signal("layers-left-on-cpu", f"{part.value}/{whole:g} layers on the GPU", part.place)
    yield from _out_of_memory(facts)
    mode = facts.last("preemption_mode")
    if mode is not None and str(mode.value).upper() == "RECOMPUTE":
        yield Signal("recomputes", f"PreemptionMode.{mode.value}", mode.place)
    if grows(moments):
        yield Signal("queue-grows", _course(moments, "waiting_requests"), moments[-1].place)
    if (prompts := _prompts(busy(moments))) is not None:
        yield prompts
    full = [one for one in busy(moments) if usage(one) >= FULL]
    if full and any(one.values.get("waiting_requests", 0) > 0 for one in full):
        yield Signal("cache-full", f"KV cache usage {100 * usage(full[0]):.3g} %", full[0].place)


_NOTABLE = 0.05
"""Of a card: what other processes hold below it is what a desktop takes."""


def _out_of_memory(facts: Facts) -> Iterator[Signal]:
    """What PyTorch's text of a failed allocation names beside the bytes: memory that lies unused in pieces, and other
    processes that hold more than was missing or a good part of the card."""
    asked, spare = facts.last("failed_allocation"), facts.last("pytorch_unallocated_memory")
    traps = {one.id for artefact in facts.evidence.artefacts for one in artefact.found.traps}
    if asked is not None and spare is not None and "fragmentation" in traps:
        text = f"Tried to allocate {asked.value:g} GiB; {spare.value:g} GiB is reserved by PyTorch but unallocated"
        yield Signal("allocator-fragmented", text, spare.place)
    others = facts.last("other_process_memory")
    if others is not None and asked is not None:
        held = sum({one.place: one.value for one in facts.entries("other_process_memory")}.values())
        if held >= min(asked.value, _NOTABLE * (facts.number("gpu_memory_total") or asked.value)):
            yield Signal("other-process", f"Process ... has {others.value:g} GiB memory in use", others.place)


def usage(moment: Moment) -> float:
    """Share of the fullest pool in use; -1 where none is printed."""
    names = ("kv_cache_usage", "kv_cache_usage.full", "kv_cache_usage.swa", "mamba_usage")
    return max((moment.values[name] for name in names if name in moment.values), default=-1.0)


def preempted(moments: Sequence[Moment]) -> bool:
    """Whether running requests went back to the queue: fewer run, as many more wait, and none came or left (V1 and V0's
    recomputation print nothing else)."""
    both = [one for one in moments if {"running_requests", "waiting_requests"} <= one.values.keys()]
    if len(both) < _FEWEST:
        return False
    running = [one.values["running_requests"] for one in both]
    lost = running[0] - running[-1]
    back = both[-1].values["waiting_requests"] - both[0].values["waiting_requests"]
    falls = all(after <= before for before, after in pairwise(running))
    return falls and lost > _LOST * running[0] and abs(back - lost) <= max(1.0, lost / 10)


def grows(moments: Sequence[Moment]) -> bool:
    """Whether ever more requests wait."""
    waiting = [one.values["waiting_requests"] for one in moments if "waiting_requests" in one.values]
    if len(waiting) < _FEWEST or waiting[-1] <= waiting[0]:
        return False
    rises = sum(after >= before for before, after in pairwise(waiting))
    return rises >= 0.8 * (len(waiting) - 1) and waiting[-1] > waiting[0] * 1.05


_STEPS = 40
"""Decode steps for which SGLang prints one line; of prefills it prints each."""
_WORTH = 300
"""Tokens of prompts that take as long as a decode step: its weights are read while so many are computed (the 16-bit
knees of data-centre cards)."""


def _prompts(moments: Sequence[Moment]) -> Signal | None:
    """Whether prompts took more of the time than decode steps did, with requests in front of them in a queue."""
    prefills = [one for one in moments if one.values.get("prefill_new_tokens")]
    steps = sum("generation_throughput" in one.values for one in moments) * _STEPS
    waiting = [one.values.get("waiting_requests", 0.0) for one in prefills]
    computed = [one.values["prefill_new_tokens"] for one in prefills]
    if len(prefills) < _FEWEST or min(waiting) <= 0 or sum(computed) <= max(1, steps) * _WORTH:
        return None
    course = f"{waiting[0]:g} → {waiting[-1]:g}"
    text = f"Prefill batch {len(prefills)}/{len(moments)}, #new-token {max(computed):g}, #queue-req {course}"
    return Signal("prompts-fill-steps", text, prefills[-1].place)


_SHORT = {"running_requests": "Running", "waiting_requests": "Waiting"}
"""As logs call them."""


def _course(moments: Sequence[Moment], *names: str) -> str:
    parts = []
    for name in names:
        values = [one.values[name] for one in moments if name in one.values]
        parts.append(f"{_SHORT[name]} {values[0]:g} → {values[-1]:g}")
    return ", ".join(parts)
