"""Time that no roofline explains: launches, kernels that do not suit, features that add work, layers above."""

from __future__ import annotations

from fractions import Fraction

from engine import support
from engine.diagnosis.cases.case import Case
from engine.diagnosis.causes.row import Cause, Witness, flags, numbers, together, weaker, words
from engine.diagnosis.causes.situation import (
    LARGE_BATCH,
    SMALL_BATCH,
    fails,
    has_graphs,
    ms,
    part,
    percent,
    usual_phase,
)
from engine.diagnosis.model import Param, Phase
from engine.vllm import version

_FEW = 4
"""Sequences at once for which drafting is made."""
_MUCH = Fraction(1, 5)
"""Of a step: launches that take less of it are no wall."""
_ADAPTER = Fraction(34, 100)
"""Of the throughput of a 7B with one adapter of rank 8 unmerged: 11.45 to 7.60 requests/s (vllm#11267)."""


def launch_overhead(case: Case) -> Witness | None:
    """No CUDA graphs: every kernel of every layer pays its launch."""
    s = case.scenario
    if fails(case) or not (s.eager or _interpreted(case)) or not has_graphs(case):
        return None
    share = part(case, "overhead")
    direct = {"slow-decode": "0.3", "low-gpu-use": "0.4", "cpu-busy": "0.4", "settings-overwritten": "0.3"}
    if _interpreted(case):
        direct["gain-below-advertised"] = "0.4"  # fewer bytes do not shorten launches
    seen = words(case, direct)
    measure = None if share is None else numbers("0.6", share) if share > Fraction(1, 3) else None
    said = flags("0.42", "eager") if s.eager else flags("0.36", "engine")
    return together(measure, said, seen)


def _interpreted(case: Case) -> bool:
    """A loop in Python that launches every kernel of every step: no engine, a library."""
    return case.scenario.engine == "transformers"


def idle_on_this_card(case: Case) -> Witness | None:
    """A probe ran the workload's own step on its card, and it waited for neither memory nor math."""
    seen = case.scenario.seen
    if seen is None or seen.idle is None or fails(case) or usual_phase(case) == "prefill":
        return None
    sure, moved = seen.idle
    if moved is None:
        return numbers(float(sure), part(case, "overhead"))
    return numbers(float(sure), 1 - moved)._replace(params={"share": percent(moved)})


def graph_cliff(case: Case) -> Witness | None:
    """The batch is over the largest captured size: the step runs without a graph."""
    s = case.scenario
    said = words(case, {"cliff-at-batch": "0.58"}, "slow-decode")
    if s.has("preempts", "cache-full"):
        said = weaker(said, "0.3")  # it gets slow at so many because the pool is full
    if case.scenario.has("drafting-worse-under-load"):
        said = weaker(said, "0.5")  # drafts that are not batched fall off at the second request, with graphs or without
    largest = case.defaults.graph_max_batch.value
    if s.eager or largest is None or s.concurrency is None or fails(case):
        return said
    cap = case.at_most
    together_at_most = s.concurrency.high if cap is None else min(s.concurrency.high, cap)
    width = together_at_most * ((s.draft_tokens or 0) + 1 if s.speculation else 1)
    if width <= largest:
        return weaker(said, "0.8")
    given = {"batch": width, "largest": largest}
    told = "graph_max_batch" in s.said or s.graph_max_batch is not None
    runs = case.requests_that_fit is not None or s.running is not None or s.concurrency.high <= 2 * largest
    sure = "0.85" if told and runs else "0.52" if told or runs else "0.4"
    share, timing = part(case, "overhead"), case.timings.decode
    if share is not None and share < _MUCH and timing is not None and not timing.excess:
        sure = str(float(share))  # the step is so long that the launches hardly matter
    found = together(numbers(sure)._replace(params=given), said)
    return weaker(found, "0.5") if usual_phase(case) == "prefill" and said is None else found


def adapter_unmerged(case: Case) -> Witness | None:
    """An adapter beside the weights adds kernels to every layer, however small it is."""
    said = words(case, {"adapter-slower": "0.6"})
    on = flags("0.55", "lora") if case.scenario.lora and not fails(case) else None
    found = together(said, on)
    return None if found is None else found._replace(share=_ADAPTER)


def grammar_work(case: Case) -> Witness | None:
    """Structured output: masks are made on the host, for every sequence of the batch."""
    said = words(case, {"grammar-slower": "0.6"}, "cpu-busy", "low-gpu-use")
    on = flags("0.45", "grammar") if case.scenario.grammar and not fails(case) else None
    return together(said, on)


def sampling_work(case: Case) -> Witness | None:
    """Log probabilities and penalties are work for every sequence over the whole vocabulary, a part of it in Python."""
    return words(case, {"sampling-slower": "0.6"}, "cpu-busy", "slow-decode")


def drafting_costs(case: Case) -> Witness | None:
    """Drafts are work too: it pays where FLOPs are spare and drafts are accepted, and costs in a full batch."""
    s = case.scenario
    said = words(case, {"drafting-no-gain": "0.6", "drafting-worse-under-load": "0.6"}, "slow-decode", "regression")
    if not s.speculation:
        return said
    on = flags("0.3", "speculation")
    batch, knee = case.batch, case.knee
    past = batch is not None and knee is not None and batch * ((s.draft_tokens or 1) + 1) > knee
    timing = case.timings.decode
    past = past and timing is not None and timing.step.shares()["compute"] >= _MUCH  # else reading the cache hides them
    if not past and said is None and batch is not None and batch <= _FEW and knee is not None:
        return None  # arithmetic to spare, and nobody complains
    found = together(numbers("0.7") if past else None, said, on)
    return None if found is None else found._replace(wall="compute" if past else None)


def unfused_kernel(case: Case) -> Witness | None:
    """A format without a fused kernel on this card and engine: unpacking takes longer than the bytes it saves."""
    s = case.scenario
    said = words(case, {"quantized-slower": "0.55", "kernel-warning": "0.58", "unfused-format": "0.6"}, "slow-decode")
    large = case.batch is not None and case.batch >= LARGE_BATCH
    weak = None
    if s.weights is not None and s.weights.name in ("nf4", "nf4-double", "int8") and s.engine in ("transformers", None):
        weak = flags("0.55", "weights")
    elif s.act_order:
        weak = flags("0.45", "act_order")
    if large:
        said = weaker(said, "0.7")
    return together(said, weak, _older_kernel(case))


def _older_kernel(case: Case) -> Witness | None:
    """An engine's own warning of its kernel for 4-bit weights, on a card that runs the newer one."""
    s, form = case.scenario, case.scenario.weights
    logged = any(one.id == "kernel-warning" and one.source not in ("", "symptom") for one in s.signals)
    if not logged or form is None or form.name not in support.MARLIN_FORMATS or s.engine not in ("vllm", "sglang"):
        return None
    release = version(s.version) if s.engine == "vllm" else None
    known = s.gpu is None or support.marlin(s.gpu, release)
    return flags("0.5", "weights") if known else None


def compiles_first(case: Case) -> Witness | None:
    """Kernels are compiled or tuned when a shape is seen for the first time; the same request is fast afterwards."""
    return words(case, {"first-time-slow": "0.6"}, "slow-first-token")


def weight_only_at_large_batch(case: Case) -> Witness | None:
    """Weights in few bits multiplied in 16: past the knee the bytes saved were not what took the time."""
    s = case.scenario
    direct = {"quantized-slower-large-batch": "0.6"}
    long = s.prompt is not None and s.prompt.mid >= 1000 and (s.output is None or s.output.mid * 8 <= s.prompt.mid)
    prompts = long or bool(s.images) or s.has("slow-first-token") or usual_phase(case) == "prefill"
    if s.has("quantized-slower") and ((case.batch or 1) > SMALL_BATCH or prompts):
        direct["quantized-slower"] = "0.57"
    said = words(case, direct, "slow-decode", "throughput-goal")
    if said is None:
        return None
    phase: Phase | None = "prefill" if prompts and s.has("quantized-slower") else None
    if case.knee is None or case.batch <= case.knee:
        return said._replace(phase=phase)
    given: dict[str, int] = {"batch": case.batch, "knee": int(case.knee)}
    return said._replace(params=given, phase=phase)


def cache_format_overhead(case: Case) -> Witness | None:
    """A quantized cache adds kernels to every layer; with few and short sequences it saves nothing."""
    s = case.scenario
    said = words(case, {"quantized-kv-slower": "0.6"}, "slow-decode", "regression")
    quantized = s.kv is not None and s.kv not in ("auto", "16-bit", "bf16", "fp16")
    small = s.concurrency is not None and s.concurrency.high <= SMALL_BATCH
    return together(said, flags("0.3", "kv", "concurrency") if said and quantized and small else None)


def settings_overwritten(case: Case) -> Witness | None:
    """A platform around the engine sets flags of its own: the log's first lines show what is in force."""
    return words(case, {"settings-overwritten": "0.5"}, "slow-decode")


def layer_above(case: Case) -> Witness | None:
    """The bare engine is fast: the time goes to a proxy, a router, a wrapper, the client."""
    direct = {
        "engine-alone-fast": "0.6", "replicas-no-gain": "0.58", "proxy-in-between": "0.57", "constant-offset": "0.45",
    }  # fmt: skip
    said, timing = words(case, direct), case.timings.decode
    slow = timing is not None and bool(timing.excess) and timing.measured_by in ("throughput", "tpot")
    return weaker(said, "0.5") if slow and not case.scenario.has("engine-alone-fast") else said  # the engine's own


def host_busy(case: Case) -> Witness | None:
    """The GPU waits for the processor: sampling, scheduling, tokenizing, many small kernels."""
    said = words(case, {"cpu-busy": "0.58", "low-gpu-use": "0.5"}, "slow-decode")
    if said is None:
        return None
    idle = ["nothing-waits", "one-at-a-time"]
    if not case.scenario.has("cpu-busy"):
        idle.append("stuck-below-offered")  # a core at its limit is why more of them bring no more
    found = said._replace(phase="prefill") if usual_phase(case) == "prefill" else said
    return weaker(found, "0.8") if case.scenario.has(*idle) else found


def beyond_band(case: Case) -> Witness | None:
    """Measured well beyond what bytes, FLOPs and links explain with any usual efficiency."""
    prefilling = usual_phase(case) == "prefill"
    timing = case.timings.prefill if prefilling else case.timings.decode
    if timing is None or not timing.excess or not timing.own or case.scenario.stand_in:
        return None
    if timing.measured_by == "ttft" and timing.shared != 1:
        return None  # several that come together: a wait, and nobody knows for what (first-token-waits)
    if timing.measured_by == "throughput" and case.scenario.has("preempts", "recomputes"):
        return None  # what was thrown out is computed again between the steps: that is where the time is
    usual = timing.step.time
    if timing.own < usual.high * Fraction(5, 4):
        return None
    share = 1 - usual.mid / timing.own
    given: dict[str, Param] = {"measured": ms(timing.own), "high": ms(usual.high)}
    if timing.measured and timing.measured_by == "tpot" and timing.shared != 1:
        given = {"between": ms(timing.measured), "explained": ms(timing.step.seconds / timing.shared)}
    return Witness(Fraction(9, 10) * share, "numbers", share, given, phase="prefill" if prefilling else None)


_KERNELS = ("better-kernel", "upgrade-engine", "keep-16bit", "prequantized-checkpoint")

CAUSES = (
    Cause(
        "adapter-unmerged", "fault", "cpu-overhead", None, "decode", adapter_unmerged,
        ("merge-lora", "lower-adapter-rank", "better-kernel", "upgrade-engine", "cuda-graphs"),
        ("w4a16", "raise-concurrency", "tensor-parallel"), ("merged-adapter", "merge-lora"),
        "incidents.md section 5: about a third of the throughput of a 7B, whatever the number of adapters",
    ),
    Cause(
        "grammar-work", "fault", "cpu-overhead", None, "decode", grammar_work,
        ("grammar-backend", "upgrade-engine", "tune-serving-layer"), ("w4a16", "faster-gpu", "tensor-parallel"),
        ("no-grammar", ""), "incidents.md section 5: cost grows with batch, never a GPU fix",
    ),
    Cause(
        "sampling-work", "fault", "cpu-overhead", None, "decode", sampling_work,
        ("lighter-sampling", "upgrade-engine", "tune-serving-layer"),
        ("w4a16", "faster-gpu", "tensor-parallel", "speculative-decoding", "more-memory"), ("plain-sampling", ""),
        "vLLM pull request 18437: penalties in a kernel of their own, 3 to 6 times faster than in PyTorch",
    ),
    Cause(
        "graph-cliff", "fault", "cpu-overhead", None, "decode", graph_cliff,
        ("cuda-graphs", "cap-concurrency", "upgrade-engine"), ("eager-mode", "fewer-cuda-graphs", "w4a16"),
        ("below-the-cliff", "cap-concurrency"), "incidents.md section 5: a cliff at one batch size (-71 %)",
    ),
    Cause(
        "idle-on-this-card", "fault", "cpu-overhead", None, "decode", idle_on_this_card,
        ("cuda-graphs", "better-kernel", "upgrade-engine", "client-batching"), ("w4a16", "faster-gpu", "more-memory"),
        ("graphs-on", "cuda-graphs"), "probe.md section 2.4: under 0.6 of the measured bandwidth, far from the knee",
    ),
    Cause(
        "launch-overhead", "fault", "cpu-overhead", None, "decode", launch_overhead,
        ("cuda-graphs", "better-kernel", "upgrade-engine", "client-batching"), ("w4a16", "faster-gpu", "eager-mode"),
        ("graphs-on", "cuda-graphs"), "levers.md, cuda-graphs; incidents.md section 5: 4x on one A6000",
    ),
    Cause(
        "drafting-costs", "fault", "cpu-overhead", None, "decode", drafting_costs,
        ("drop-speculation", "upgrade-engine", "tensor-parallel"), ("speculative-decoding", "raise-concurrency"),
        ("no-drafting", "drop-speculation"), "incidents.md section 5, speculative decoding",
    ),
    Cause(
        "weight-only-at-large-batch", "fault", "compute", "slow-kernel", "decode", weight_only_at_large_batch,
        ("better-kernel", "fp8", "w8a8", "keep-16bit", "upgrade-engine"), ("w4a16", "kv-quantization"),
        ("sixteen-bit", "keep-16bit"), "incidents.md section 5, crossovers; probe.md section 0.7",
    ),
    Cause(
        "unfused-kernel", "fault", "cpu-overhead", "slow-kernel", "decode", unfused_kernel, _KERNELS,
        ("w4a16", "more-memory", "raise-memory-utilization"), ("sixteen-bit", "keep-16bit"),
        "incidents.md section 5: unfused quantization is 2 to 10 times slower even at batch 1",
    ),
    Cause(
        "compiles-first", "fault", "other", "slow-kernel", "prefill", compiles_first,
        ("better-kernel", "upgrade-engine", "tune-serving-layer"), ("faster-gpu", "tensor-parallel", "w4a16"),
        ("second-request", ""), "incidents.md section 4.10: a first line averages what went before it",
    ),
    Cause(
        "cache-format-overhead", "fault", "cpu-overhead", None, "decode", cache_format_overhead,
        ("keep-16bit", "better-kernel", "upgrade-engine"), ("kv-quantization", "w4a16"),
        ("sixteen-bit-cache", "keep-16bit"), "incidents.md section 5: extra kernels on Hopper",
    ),
    Cause(
        "layer-above", "fault", "other", "above-engine", "none", layer_above,
        ("tune-serving-layer", "client-batching", "upgrade-engine"),
        ("w4a16", "faster-gpu", "raise-memory-utilization"), ("bare-engine", ""), "levers.md section 2, above-engine",
    ),
    Cause(
        "settings-overwritten", "fault", "other", "above-engine", "decode", settings_overwritten,
        ("tune-serving-layer", "cuda-graphs", "upgrade-engine"), ("w4a16", "eager-mode"), ("effective-settings", ""),
        "levers.md section 2: effective config differs",
    ),
    Cause(
        "host-busy", "fault", "cpu-overhead", None, "decode", host_busy,
        ("cuda-graphs", "free-cpu", "upgrade-engine", "tune-serving-layer", "client-batching"),
        ("w4a16", "faster-gpu", "raise-memory-utilization"), ("other-card-clock", ""),
        "incidents.md section 1: step time far above both rooflines",
    ),
    Cause(
        "beyond-band", "fault", "cpu-overhead", None, "decode", beyond_band,
        ("cuda-graphs", "free-cpu", "better-kernel", "upgrade-engine", "client-batching"), ("w4a16", "kv-quantization"),
        ("graphs-on", "cuda-graphs"), "incidents.md section 8.2: several times above all three is cpu-overhead",
    ),
)  # fmt: skip
"""In the order in which a person would look."""
