"""Bytes that cross a link in every step: between cards, or from the host's memory."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from engine.diagnosis.cases.case import Case
from engine.diagnosis.cases.paths import own_all_reduce
from engine.diagnosis.cases.placement import OFFLOADING, offloads
from engine.diagnosis.causes.row import Cause, Witness, flags, numbers, together, weaker, words
from engine.diagnosis.causes.situation import (
    BELOW_KNEES,
    cards,
    fails,
    gb,
    ms,
    over_the_card,
    part,
    percent,
    serves,
    usual_phase,
)
from engine.diagnosis.model import Param, Phase

_MUCH = Fraction(1, 4)
"""Share of a step that a link may take before it is worth a word."""
_BROKEN = 20
"""A step so many times slower than its band is no matter of bandwidth: the path itself is broken."""


def broken_path(case: Case) -> Witness | None:
    """Hundreds of times slower than any link: peer access off, a shared-memory path across sockets, one lane."""
    s = case.scenario
    if (s.tp or 1) * (s.pp or 1) * (s.gpus or 1) < 2:
        return None
    said = words(case, {"extremely-slow": "0.6"}, "more-cards-slower", "low-power-on-cards")
    off = flags("0.55", "p2p_off") if s.p2p_off else None
    timing = case.timings.decode
    far = None
    if timing is not None and timing.own and timing.own > _BROKEN * timing.step.time.high:
        far = numbers("0.8", 1 - timing.step.time.high / timing.own)
    found = together(far, said, off)
    return None if found is None else found._replace(phase=_phase(case))


def cards_over_link(case: Case) -> Witness | None:
    """Two all-reduces a layer cross the link between the cards."""
    s = case.scenario
    seen = ("more-cards-slower", "low-power-on-cards", "collectives-slow", "slow-link")
    if case.spread.tp < 2 and (1 in (s.tp, s.gpus) or not s.has(*seen)):
        return None
    direct = {
        "more-cards-slower": "0.56", "low-power-on-cards": "0.5", "pcie-only": "0.3", "collectives-slow": "0.58",
        "slow-link": "0.5",
    }  # fmt: skip
    if s.link == "pcie" and case.spread.tp > 1:
        direct["low-gpu-use"] = "0.45"  # they wait for each other
    said = words(case, direct, "extremely-slow")
    slow = flags("0.35", "link") if s.link == "pcie" and case.spread.tp > 1 else None
    forgone = bool(s.no_custom_all_reduce) and own_all_reduce(case) is not False
    if forgone and case.spread.tp > 1:
        slow = together(slow, flags("0.3", "no_custom_all_reduce"))
    share = part(case, "link")
    if said is None and not forgone and not _leads(case) and not s.p2p_off:
        return None  # a limit among others: link_time
    computed = None
    if share is not None and share >= _MUCH:
        computed = Witness(min(Fraction(88, 100), Fraction(1, 2) + share), "numbers", share, {"share": percent(share)})
    elif share is not None and said is not None:
        said = said._replace(share=share, params={"share": percent(share)})
    found = together(computed, said, slow)
    return None if found is None else found._replace(phase=_phase(case))


def rows_split(case: Case) -> Witness | None:
    """llama.cpp with every matrix cut by rows: each product of each layer is gathered over the link."""
    s = case.scenario
    by_rows = any(name.strip("-").replace("-", "_") in ("split_mode", "sm") and value.strip() == "row"
                  for name, value in s.flags.items())  # fmt: skip
    if not by_rows or s.engine not in OFFLOADING or s.gpus == 1 or fails(case):
        return None
    seen = words(case, {"more-cards-slower": "0.5", "slow-decode": "0.2"}, "low-gpu-use", "extremely-slow")
    return together(flags("0.5", "flags"), seen)


_BOARD = 8
"""Cards that share one switch in the largest machines, but for racks that are wired as one."""


def between_machines(case: Case) -> Witness | None:
    """Tensor parallelism over several machines: two all-reduces a layer cross the network in every step."""
    s, tp = case.scenario, case.spread.tp
    machines = s.nodes or 1
    each = (s.gpus or tp) // machines if machines > 1 else _BOARD
    if tp < 2 or tp <= each or fails(case) or (s.link is not None and s.nodes is None):
        return None
    said = words(case, {"slow-decode": "0.3", "more-cards-slower": "0.5"}, "extremely-slow")
    share = part(case, "link")
    if said is None and share is not None:
        return None  # computed, and nobody complains: link_time
    found = together(flags("0.56", "tp", "nodes"), said)
    return None if found is None else found._replace(params={"cards": tp}, share=share, phase=_phase(case))


def _leads(case: Case) -> bool:
    """Whether nothing takes more of the step than the link, or it was measured to take longer than explained."""
    timing = case.timings.prefill if usual_phase(case) == "prefill" else case.timings.decode
    if timing is None:
        return True
    shares = timing.step.shares()
    others = (shares["weights"] + shares["kv"], shares["compute"], shares["overhead"])
    return bool(timing.excess) or shares["link"] >= max(others)


def _phase(case: Case) -> Phase:
    phase = usual_phase(case)
    return "both" if phase == "decode" and case.scenario.prompt is None else phase


def cards_not_needed(case: Case) -> Witness | None:
    """The model fits fewer cards: a replica each would serve more than one model cut into pieces."""
    s = case.scenario
    if case.spread.tp < 2 or fails(case) or s.model is None:
        return None
    loaded = case.asked is not None and case.asked >= BELOW_KNEES  # enough to do: what idles waits for its peers
    complains = s.has("more-cards-slower", "fits-one-card", "low-power-on-cards", "collectives-slow")
    complains = complains or (loaded and s.has("low-gpu-use"))
    alone = case.fits_cards(1)
    if not complains or alone is not True:
        return None
    said = words(case, {"more-cards-slower": "0.4", "fits-one-card": "0.4", "low-gpu-use": "0.2"})
    found = together(flags("0.6", "tp"), said)
    params: dict[str, Param] = {"cards": cards(case)} | _beside_one(case)
    return None if found is None else found._replace(params=params, phase=_phase(case))


def _beside_one(case: Case) -> dict[str, Param]:
    """The usual step on one card and on those that share it, as far as they can be computed."""
    alone = Case(replace(case.scenario, tp=1, pp=1, dp=1, gpus=1)).decode_seconds
    shared = case.decode_seconds
    return {} if alone is None or shared is None else {"alone": ms(alone), "shared": ms(shared)}


def offload_crossing(case: Case) -> Witness | None:
    """Weights in host memory cross the host's link in every step."""
    return None if case.scenario.engine in OFFLOADING else _in_host_memory(case)


def layers_on_processor(case: Case) -> Witness | None:
    """Layers that the card does not hold are computed by the processor, out of its own memory (llama.cpp)."""
    return _in_host_memory(case) if case.scenario.engine in OFFLOADING else None


def _in_host_memory(case: Case) -> Witness | None:
    s = case.scenario
    said = words(case, {"offload-slow": "0.58", "layers-left-on-cpu": "0.3"}, "slow-decode", "low-gpu-use")
    told = flags("0.5", "cpu_offload") if s.cpu_offload else None
    if s.gpu_layers is not None and s.model is not None and s.gpu_layers < s.model.layers and serves(case):
        told = together(told, flags("0.5", "gpu_layers"))
    share = part(case, "host")
    timing = case.timings.decode
    computed = None
    if share is not None and share >= _MUCH and timing is not None and timing.step.usual.host:
        sure = min(Fraction(95, 100), Fraction(6, 10) + share / 3)
        computed = Witness(sure, "numbers", share, {"bytes": gb(case.host_bytes)})
    else:
        computed = _beyond_the_card(case)
    if case.host_bytes and share is not None and share < _MUCH:
        said, told = weaker(said, "0.5"), weaker(told, "0.5")
    if computed is None and said is None and case.setup is not None and not case.host_weights:
        return None  # one memory for both: what is told to lie elsewhere crosses nothing
    found = together(computed, said, told)
    return None if found is None else found._replace(phase=usual_phase(case))


def _beyond_the_card(case: Case) -> Witness | None:
    """It answers although its weights are more than its cards hold: the rest lies in host memory."""
    beyond = over_the_card(case)
    if beyond is None or not serves(case) or not offloads(case.scenario):
        return None
    return Witness(Fraction(8, 10), "numbers", None, {"bytes": gb(beyond)})


def experts_crossing(case: Case) -> Witness | None:
    """Experts in host memory: a long prompt uses nearly all of them, and each crosses once a pass."""
    s = case.scenario
    said = words(case, {"copies-to-device": "0.6"}, "offload-slow", "slow-first-token")
    on = flags("0.5", "expert_offload") if s.expert_offload else None
    found = together(said, on)
    if found is None:
        return None
    prefilling = s.has("copies-to-device", "slow-first-token") or usual_phase(case) == "prefill"
    return found._replace(phase="prefill" if prefilling else usual_phase(case))


_ON_PROCESSOR = ("drop-cpu-offload", "w4a16", "expert-offload", "kv-quantization", "lower-max-model-len",
                 "pipeline-parallel", "more-memory", "speculative-decoding")  # fmt: skip
_OFFLOADED = ("drop-cpu-offload", "w4a16", "fp8", "w8a8", "expert-offload", "tensor-parallel", "pipeline-parallel",
              "more-memory", "lower-max-model-len")  # fmt: skip

CAUSES = (
    Cause(
        "broken-path", "fault", "interconnect", None, "both", broken_path,
        ("fix-topology", "data-parallel", "pipeline-parallel", "upgrade-engine"),
        ("raise-memory-utilization", "more-memory", "do-nothing", "tensor-parallel"), ("one-card", ""),
        "incidents.md section 5: hundreds of times slower is no bandwidth effect",
    ),
    Cause(
        "cards-not-needed", "fault", "interconnect", None, "both", cards_not_needed,
        ("data-parallel", "fix-topology", "pipeline-parallel"), ("tensor-parallel", "raise-concurrency", "w4a16"),
        ("one-card", "tensor-parallel"), "incidents.md section 5: tensor parallelism of a model that fits one card",
    ),
    Cause(
        "cards-over-link", "fault", "interconnect", None, "both", cards_over_link,
        ("pipeline-parallel", "fix-topology", "data-parallel", "raise-token-budget"),
        ("tensor-parallel", "raise-concurrency", "w4a16"), ("one-card", "tensor-parallel"),
        "Megatron-LM: two all-reduces a layer; incidents.md section 1",
    ),
    Cause(
        "rows-split", "fault", "interconnect", None, "decode", rows_split,
        ("pipeline-parallel", "fix-topology", "data-parallel", "upgrade-engine"),
        ("tensor-parallel", "raise-concurrency", "w4a16", "more-memory"), ("one-card", ""),
        "llama.cpp, docs/multi-gpu.md: row is the older tensor split, with comparatively poor performance",
    ),
    Cause(
        "between-machines", "fault", "interconnect", None, "both", between_machines,
        ("pipeline-parallel", "fix-topology", "data-parallel", "upgrade-engine", "speculative-decoding"),
        ("tensor-parallel", "w4a16", "raise-concurrency", "raise-memory-utilization"), ("one-card", ""),
        "vLLM, distributed serving: tensor parallel within a machine, pipeline parallel between them",
    ),
    Cause(
        "offload-crossing", "fault", "interconnect", None, "decode", offload_crossing, _OFFLOADED,
        ("cpu-offload", "faster-gpu", "cuda-graphs"), ("no-offload", "drop-cpu-offload"),
        "incidents.md section 5: 2434 to 120 tokens/s with weights on the host",
    ),
    Cause(
        "layers-on-processor", "fault", "interconnect", None, "decode", layers_on_processor, _ON_PROCESSOR,
        ("cpu-offload", "faster-gpu", "cuda-graphs", "tensor-parallel"), ("no-offload", "drop-cpu-offload"),
        "llama.cpp: layers beyond -ngl stay with the processor; incidents.md section 5",
    ),
    Cause(
        "experts-crossing", "fault", "interconnect", None, "prefill", experts_crossing,
        ("raise-token-budget", "upgrade-engine", "w4a16", "more-memory"), ("faster-gpu", "cpu-offload"),
        ("larger-pass", "raise-token-budget"), "llama.cpp: experts of a batch are copied once a pass",
    ),
)  # fmt: skip
"""In the order in which a person would look."""
