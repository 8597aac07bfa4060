"""What levers do with cards and host memory: acts like those of :mod:`engine.diagnosis.acting.acts`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from engine import catalog, links
from engine.catalog import Gpu
from engine.diagnosis.acting.acts import again, changed, printed_pool, refitted, repooled
from engine.diagnosis.cases.paths import fast_link, own_all_reduce
from engine.diagnosis.model import Scenario
from engine.vllm import GIB

if TYPE_CHECKING:
    from engine.diagnosis.cases.case import Case

_MOST_CARDS = 16


# --- several cards ---------------------------------------------------------------------------------------------------


def _spread(case: Case, tp: int, pp: int, dp: int, **more: object) -> Scenario:
    gpus = max(case.scenario.gpus or 1, tp * pp * dp)
    if case.scenario.attention_dp and case.spread.dp > 1:
        tp *= dp  # the replicas are parts of its group
    return refitted(repooled(case, changed(case.scenario, tp=tp, pp=pp, dp=dp, gpus=gpus, **more)))


def tensor_parallel(case: Case) -> Scenario | None:
    """Twice the ranks, or as many as it takes to start."""
    now, model = case.spread, case.scenario.model
    if now.tp >= _MOST_CARDS:
        return None
    found = None
    for tp in _doubled(now.tp):
        if model is not None and model.heads % tp:
            continue
        after = _spread(case, tp, now.pp, max(1, now.dp * now.tp // tp))
        found = found or after
        if _holds(case) or _holds(again(after)):
            return after
    return found


def _holds(case: Case) -> bool:
    """Whether the cards hold all that they should, as far as anybody knows."""
    return case.starts is not False and not case.host_weights


def _doubled(now: int) -> Iterator[int]:
    ranks = now * 2
    while ranks <= _MOST_CARDS:
        yield ranks
        ranks *= 2


def data_parallel(case: Case) -> Scenario | None:
    """Replicas on as few ranks each as the weights need, experts spread whole; with one card today, a second one."""
    now, model = case.spread, case.scenario.model
    experts = True if model is not None and model.moe is not None and model.mla is not None else None
    cards = max(case.scenario.gpus or 1, now.tp * now.pp * now.dp)
    group = now.tp * now.pp
    if group == 1:
        return _spread(case, 1, 1, max(cards, 2 * now.dp)) if cards != now.dp or cards == 1 else None
    afters, ranks = [], 1
    while ranks < group:
        afters.append(_spread(case, ranks, 1, max(1, cards // ranks), expert_parallel=experts))
        ranks *= 2
    return _group(case, afters, model is not None and model.moe is not None)


_SLOWER = ("more-cards-slower", "collectives-slow", "slow-link", "extremely-slow", "low-power-on-cards")
"""Signals of a path that is slower than its kind: what is computed of the link is then too little."""


def _group(case: Case, afters: Sequence[Scenario], experts: bool) -> Scenario | None:
    """Of groups, the smallest first, the first that comes up; over PCIe, where each rank less costs as many bytes as it
    saves waiting, the one whose replicas yield most.

    Where nobody can tell which come up, the largest: its cards are asked for least. Experts that are spread over all
    cards take as much of one whatever the groups are: then it is the smallest.
    """
    cases = [(again(one), one) for one in afters]
    up = [pair for pair in cases if pair[0].starts]
    if up and fast_link(case) is False and not case.scenario.has(*_SLOWER):
        return max(up, key=lambda pair: (pair[0].output_rate or 0) * pair[0].spread.dp)[1]
    unknown = [pair for pair in cases if pair[0].starts is None]
    smallest = experts or case.scenario.has("more-cards-slower", "fits-one-card")  # fewer cards have served it
    found = up or (unknown if smallest else unknown[::-1])
    return found[0][1] if found else None


def pipeline_parallel(case: Case) -> Scenario | None:
    """The ranks that cut layers as stages of whole layers in their place, of several machines one stage each; with one
    card, a second one."""
    now, machines = case.spread, case.scenario.nodes or 1
    stages = now.pp * now.tp if now.tp > 1 else 2 * now.pp
    ranks = 1
    if machines > 1 and now.tp > 1 and now.tp * now.pp * now.dp % machines == 0 and now.tp % machines == 0:
        stages, ranks = now.pp * machines, now.tp // machines  # each layer stays inside one machine
    if case.scenario.model is not None and stages > case.scenario.model.layers:
        return None
    return _spread(case, ranks, stages, now.dp)


def fix_topology(case: Case) -> Scenario | None:
    """The direct path between the cards, where a flag took it away."""
    scenario = case.scenario
    mended: dict[str, object] = {"p2p_off": False} if scenario.p2p_off else {}
    if scenario.no_custom_all_reduce and own_all_reduce(case) is not False:
        mended["no_custom_all_reduce"] = False
    return changed(scenario, **mended) if mended else None


# --- host memory -----------------------------------------------------------------------------------------------------


def cpu_offload(case: Case) -> Scenario | None:
    """So much of the weights in host memory as is missing on the card, in whole GiB."""
    left = case.free_bytes
    if left is None or left >= 0 or case.scenario.cpu_offload:
        return None
    return changed(case.scenario, cpu_offload=Fraction(-(left // GIB) * GIB))


def drop_cpu_offload(case: Case) -> Scenario | None:
    """All weights on the card."""
    scenario = case.scenario
    if not offloads(case):
        return None
    return changed(scenario, cpu_offload=Fraction(0), gpu_layers=None, expert_offload=False)


def offloads(case: Case) -> bool:
    """Whether weights stay in host memory, told so or by the engine's own doing."""
    scenario = case.scenario
    layers = scenario.model.layers if scenario.model else None
    fewer = scenario.gpu_layers is not None and layers is not None and 0 <= scenario.gpu_layers < layers
    return bool(scenario.cpu_offload or scenario.expert_offload or fewer or case.host_weights)


def expert_offload(case: Case) -> Scenario | None:
    """The experts alone in host memory."""
    scenario = case.scenario
    if scenario.model is None or scenario.model.moe is None or scenario.expert_offload:
        return None
    return changed(scenario, expert_offload=True, cpu_offload=None, gpu_layers=None)


# --- other cards -----------------------------------------------------------------------------------------------------


def more_memory(case: Case) -> Scenario | None:
    """The smallest larger card of the vendor that holds it; where there is none, more of the same."""
    gpu = case.scenario.gpu
    if gpu is None:
        return None
    for larger in _larger(gpu):
        after = _swapped(case, larger)
        if _holds(case) or _holds(again(after)):
            return after
    return tensor_parallel(case)


_DESK = ("RTX", "GTX", "Quadro", "TITAN", "RX", "Radeon", "Arc")
_ELSEWHERE = ("Jetson", "Laptop", "DGX", "Ryzen", "TPU")
"""Chips that nobody puts in a server's slot."""


def _alike(gpu: Gpu, other: Gpu) -> bool:
    """Whether one may take the other's place: of one vendor, of one class, with a link of its class."""
    desk = gpu.name.startswith(_DESK) == other.name.startswith(_DESK)
    places = [{word for word in _ELSEWHERE if word in one.name} for one in (gpu, other)]
    return (
        gpu.vendor == other.vendor
        and desk
        and places[0] == places[1]
        and (other.nvlink is not None or gpu.nvlink is None or gpu.nvlink < links.BRIDGE)
    )


@lru_cache(maxsize=256)
def _larger(gpu: Gpu) -> tuple[Gpu, ...]:
    """Cards of the kind with more memory and worse in nothing, smallest first, six at most."""
    found = [
        one
        for one in catalog.gpus()
        if _alike(gpu, one)
        and one.capacity >= gpu.capacity * Fraction(6, 5)
        and one.bandwidth >= gpu.bandwidth
        and _computes(gpu, one)
    ]
    sizes: dict[int, Gpu] = {}
    for one in sorted(found, key=lambda card: (card.capacity, card.bandwidth)):
        sizes.setdefault(one.capacity, one)
    return tuple(sizes.values())[:6]


def _swapped(case: Case, gpu: Gpu) -> Scenario:
    old = case.scenario.gpu
    assert old is not None
    share = case.defaults.utilization.value or Fraction(9, 10)
    more = ((gpu.visible or gpu.capacity) - (old.visible or old.capacity)) * share
    after = changed(case.scenario, gpu=gpu, gpu_name=gpu.name, gpu_options=())
    return refitted(repooled(case, after, freed=more) if printed_pool(case.scenario) else after)


def faster_gpu(case: Case) -> Scenario | None:
    """The nearest card of the kind with a quarter more bandwidth and arithmetic and no less memory."""
    gpu = case.scenario.gpu
    found = None if gpu is None else faster(gpu)
    return None if found is None else _swapped(case, found)


def _computes(gpu: Gpu, other: Gpu) -> bool:
    """Whether the other card computes no slower, and in all the formats that this one does."""
    return (
        (other.peak_flops or 0) >= (gpu.peak_flops or 0)
        and (other.flops8 or 0) >= (gpu.flops8 or 0)
        and not _older(gpu, other)
    )


def _older(gpu: Gpu, other: Gpu) -> bool:
    """Whether the other card is of an older generation, as far as both say: it lacks formats that this one has."""
    if gpu.vendor == "Apple":
        return other.name.split()[1] < gpu.name.split()[1]  # M1, M2, M3 ...
    known = [one.capability for one in (gpu, other) if one.vendor == "NVIDIA" and one.capability]
    return len(known) == 2 and Fraction(known[1]) < Fraction(known[0])


@lru_cache(maxsize=256)
def faster(gpu: Gpu) -> Gpu | None:
    """The nearest card of the kind with a quarter more bandwidth and arithmetic and no less memory, if there is one."""
    ahead = Fraction(5, 4)
    found = [
        one
        for one in catalog.gpus()
        if _alike(gpu, one)
        and one.capacity >= gpu.capacity
        and one.bandwidth >= gpu.bandwidth * ahead
        and (one.peak_flops or 0) >= (gpu.peak_flops or 0) * ahead
        and _computes(gpu, one)
    ]
    return min(found, key=lambda one: (one.bandwidth * (one.peak_flops or 1), one.name), default=None)
