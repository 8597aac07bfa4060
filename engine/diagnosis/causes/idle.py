"""The card waits for work: requests that come one by one, a batch that is not filled, a cap."""

from __future__ import annotations

from fractions import Fraction

from engine.diagnosis.cases.case import Case
from engine.diagnosis.causes.queue import wait_under_cap
from engine.diagnosis.causes.row import Cause, Witness, flags, numbers, together, weaker, words
from engine.diagnosis.causes.situation import SMALL_BATCH, capped, fails, ms, usual_phase
from engine.diagnosis.model import Amount, Param

_BELOW = Fraction(3, 4)
"""Running under this share of what is offered, with nothing waiting, is not the engine's doing."""
_ROOM = Fraction(7, 10)
_ALWAYS = ("vllm", "sglang", "tgi", "lmdeploy")
"""Engines that cannot be run without continuous batching."""


def client_in_sequence(case: Case) -> Witness | None:
    """One request at a time: nothing to batch, and each answer reads all the weights for itself."""
    s = case.scenario
    said = words(
        case, {"one-at-a-time": "0.56", "gain-below-advertised": "0.48", "same-as-other-runner": "0.3"},
        "nothing-waits", "low-gpu-use",
    )  # fmt: skip
    if s.concurrency is not None and s.concurrency.low > 1 and s.engine not in _ALWAYS:
        return weaker(said, "0.5")  # an engine that always batches serves one at a time only what comes so
    return said


def below_offered(case: Case) -> Witness | None:
    """Fewer run than are offered and none waits: they are held back before the engine sees them."""
    s = case.scenario
    said = words(case, {"stuck-below-offered": "0.6"}, "nothing-waits")
    if s.has("cpu-busy", "replicas-no-gain"):
        said = weaker(said, "0.7")  # what holds them back is named
    asked, running = case.asked, s.running
    if asked is None or running is None or (s.waiting or 0) > 0 or running >= asked * _BELOW:
        return said
    return together(numbers("0.85")._replace(params={"running": running, "offered": asked}), said)


def static_batch(case: Case) -> Witness | None:
    """Time grows with the number of requests: they are served one after the other, or in batches that wait."""
    direct = {"time-grows-with-requests": "0.6"}
    if case.scenario.concurrency is not None and case.scenario.concurrency.low > 1:
        direct["one-at-a-time"] = "0.56"  # several are sent, and one is served
    said = words(case, direct)
    on = flags("0.75", "static_batching") if case.scenario.static_batching else None
    if on is None and case.scenario.engine in (*_ALWAYS, *_SLOTTED):
        said = weaker(said, "0.5")  # their batch is re-formed every step: something else keeps requests apart
    return together(said, on)


_SLOTTED = ("ollama", "llama.cpp")
"""Servers that answer as many at once as they have slots."""


def one_slot(case: Case) -> Witness | None:
    """A server with one slot answers one request after the other, however many come."""
    s = case.scenario
    if s.engine not in _SLOTTED or (s.slots or case.defaults.slots.value or 1) > 1 or fails(case):
        return None
    said = words(case, {"one-at-a-time": "0.58", "time-grows-with-requests": "0.58", "queue-grows": "0.3"})
    several = s.concurrency is not None and s.concurrency.low > 1
    if said is None or (s.concurrency is not None and not several):
        return None
    return together(said, flags("0.5", "slots" if s.slots else "engine") if several or s.slots else None)


def cap_reached(case: Case) -> Witness | None:
    """The engine's own cap is under what is offered although the pool has room."""
    s = case.scenario
    said = words(case, {"queue-grows": "0.2"})
    room = s.kv_usage is not None and s.kv_usage < _ROOM
    if s.max_num_seqs is None and room and s.running and s.waiting and not fails(case):
        return _held(case, s.running, s.waiting)
    found = capped(case)
    if found is None:
        return None
    given: dict[str, Param] = {"cap": found.cap, "asked": found.asked}
    wait = wait_under_cap(case)
    sure = (
        Fraction(66, 100) if usual_phase(case) != "prefill" else Fraction(2, 10)
    )  # prompts are computed in turn anyway
    if usual_phase(case) != "prefill" and _queue_seen(case, found.cap):
        sure = _SEEN
    if wait is not None:
        given |= {"measured": Amount(wait.measured, "s"), "alone": ms(wait.alone), "last": Amount(wait.last, "s")}
        return together(Witness(max(sure, wait.sure), "numbers", None, given, ("ttft",)), said)
    return together(Witness(sure, "numbers", None, given), said)


_SEEN = Fraction(98, 100)
"""A queue at a cap, in front of a pool with room, is not inferred: the server's own counters show it."""


def _queue_seen(case: Case, cap: int) -> bool:
    """Whether the counters show as many running as the cap allows, no fewer waiting, and room in the pool, or a queue
    is told of in front of a pool that holds more than the cap lets in; and nobody asks about the time between tokens,
    which a higher cap does not shorten."""
    s, told = case.scenario, case.scenario.said.get("tpot")
    asks_for_tokens = s.has("slow-decode", "wants-faster") or (told is not None and told.origin == "given")
    running, waiting, usage = cap if s.running is None else s.running, s.waiting or 0, s.kv_usage
    has_room = s.running is None if usage is None else usage < _ROOM
    return not asks_for_tokens and has_room and running >= cap and waiting >= running


def _held(case: Case, running: int, waiting: int) -> Witness | None:
    """Requests wait although the pool has room and nobody said a cap: it is the engine's default, or another limit."""
    if waiting * 10 < running or usual_phase(case) in ("prefill", "both"):
        return None  # a few between two steps, or those whose prompts are still to be computed
    if running < SMALL_BATCH and waiting <= running:
        return None  # no cap that anybody sets: a prompt is in front of them
    return numbers("0.5")._replace(params={"cap": running, "asked": running + waiting})


CAUSES = (
    Cause(
        "static-batch", "fault", "idle-scheduling", None, "both", static_batch,
        ("continuous-batching", "client-batching", "raise-concurrency", "upgrade-engine"),
        ("w4a16", "faster-gpu", "more-memory"), ("two-at-once", ""),
        "Yu et al., Orca (OSDI 2022); incidents.md section 1: makespan grows with concurrency",
    ),
    Cause(
        "below-offered", "fault", "idle-scheduling", None, "decode", below_offered,
        ("client-batching", "tune-serving-layer", "upgrade-engine"),
        ("raise-concurrency", "raise-memory-utilization", "w4a16"), ("another-client", ""),
        "incidents.md section 1: Running against offered, Waiting 0",
    ),
    Cause(
        "client-in-sequence", "fault", "idle-scheduling", None, "decode", client_in_sequence,
        ("client-batching", "w4a16", "fp8", "speculative-decoding"),
        ("paged-attention", "continuous-batching", "raise-concurrency", "kv-quantization"), ("two-at-once", ""),
        "incidents.md section 5, client shape",
    ),
    Cause(
        "one-slot", "fault", "idle-scheduling", None, "decode", one_slot,
        ("raise-concurrency", "continuous-batching", "data-parallel"),
        ("w4a16", "faster-gpu", "tensor-parallel", "client-batching"), ("higher-cap", "raise-concurrency"),
        "Ollama: OLLAMA_NUM_PARALLEL; llama.cpp server: -np",
    ),
    Cause(
        "cap-reached", "fault", "idle-scheduling", None, "decode", cap_reached,
        ("raise-concurrency", "client-batching"), ("cap-concurrency", "w4a16"), ("higher-cap", "raise-concurrency"),
        "levers.md, raise-concurrency: pool has room and requests wait",
    ),
)  # fmt: skip
"""In the order in which a person would look."""
