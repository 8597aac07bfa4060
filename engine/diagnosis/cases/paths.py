"""The path between the cards of a group: how fast its kind is, and which kernels work over it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import links

if TYPE_CHECKING:
    from engine.diagnosis.cases.case import Case

_PAIR = 2
"""Cards up to which the engines' own all-reduce works over PCIe."""


def fast_link(case: Case) -> bool | None:
    """Whether the cards of a group talk over NVLink or a fabric of its class; ``None`` where nobody said."""
    scenario = case.scenario
    if scenario.link is not None:
        return scenario.link != "pcie"
    if scenario.has("pcie-only"):
        return False
    if scenario.gpu is None:
        return None
    best = links.between(scenario.gpu, max(2, scenario.gpus or 2))
    if best is None or (best.kind != "pcie" and (scenario.gpu.nvlink or links.BRIDGE) < links.BRIDGE):
        return None
    bridged = "bridge" in (scenario.gpu.link or "").lower()  # which nobody need have plugged in
    return None if bridged and best.kind != "pcie" else best.kind != "pcie"


def own_all_reduce(case: Case) -> bool | None:
    """Whether the engine's own all-reduce kernel works between the ranks. vLLM and SGLang turn it off by themselves on
    more than two cards that PCIe alone joins, and between machines: NCCL is what they have there, flag or not.
    ``None`` where nobody said how the cards are joined."""
    if case.spread.tp > _PAIR and fast_link(case) is False:
        return False
    if (case.scenario.nodes or 1) > 1 and case.spread.tp * case.spread.pp > (case.scenario.gpus or 1):
        return False
    return True if case.spread.tp <= _PAIR else fast_link(case)
