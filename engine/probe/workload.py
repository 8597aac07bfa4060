"""A workload as the program runs it: shapes of one layer on one card, and which card of the catalogue that is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from engine.catalog import AmbiguousName, Gpu, Model, UnknownName, gpu, gpus
from engine.catalog.families import family
from engine.parallel import fullest_stage, kv_heads
from engine.probe.model import Workload
from engine.probe.readings import Device


class Asked(NamedTuple):
    """Fields of the program's request.

    Attributes:
        shape: of one layer on one card; ``None``: the program's own stack, whose ceilings apply all the same.
        case: the decode step and prompt; ``None`` where it could not be run as it is.
        layers: of the model, on the card that holds most of them.
        without: why there is no shape: "no-model", "cannot-size", "moe", "mla", "hybrid", "uneven" (heads or width that
            the cards cannot share) or "" where there is one. "sliding-window" and "shared-kv" keep their shape, and
            the case has the context of their layers on average.
    """

    shape: dict[str, Any] | None
    case: dict[str, Any] | None
    layers: int | None
    without: str


def asked(workload: Workload | None) -> Asked:
    """What to ask of the program for a workload."""
    if workload is None:
        return Asked(None, None, None, "no-model")
    case = {"batch": workload.batch, "context": workload.context, "prompt": workload.prompt}
    setup = workload.setup
    if setup is None:
        return Asked(None, case, None, "no-model")
    model, tp = setup.model, setup.tp
    refused = _refused(model, tp)
    if refused:
        return Asked(None, None, None, refused)
    shape = {
        "d_model": model.d_model, "d_ff": model.ffn // tp, "n_head": model.heads // tp,
        "n_kv_heads": int(kv_heads(model, tp)), "d_head": model.head_dim, "gated": family(model.family).gated,
    }  # fmt: skip
    layers = int(model.layers * fullest_stage(model, setup.pp))
    case["context"] = seen_on_average(model, workload.context)
    return Asked(shape, case, layers, model.not_plain or "")


def _refused(model: Model, tp: int) -> str:
    if model.cannot_size:
        return "cannot-size"
    for name, part in (("moe", model.moe), ("mla", model.mla), ("hybrid", model.hybrid)):
        if part is not None:
            return name
    return "uneven" if model.heads % tp or model.ffn % tp or (model.heads // tp) % int(kv_heads(model, tp)) else ""


def seen_on_average(model: Model, context: int) -> int:
    """Tokens of cache that a layer reads, on average over layers with a window and those that reuse another's."""
    window = min(context, model.window) if model.window is not None else context
    read = model.full_layers * context + model.sliding_layers * window
    return max(1, round(read / model.layers))


# --- the card --------------------------------------------------------------------------------------------------------

_MEMORY = (0.90, 1.12)
"""Bytes that a driver reports over those on the box: some are held back, and some boxes count in GiB."""
_BANDWIDTH = 0.025
"""Cards of one memory size differ by 5 % (A100 SXM and PCIe), clocks are told in whole MHz."""


def card_of(device: Device | None) -> Gpu | None:
    """The card of the catalogue that a device is; ``None`` for a processor, a slice, a name that is not known and one
    that means several cards which memory and bus do not tell apart."""
    if device is None or device.kind == "cpu" or device.slice:
        return None
    fitting = [one for one in _named(device.name) if _has_memory(one, device)]
    if len(fitting) > 1:
        fitting = [one for one in fitting if _has_bandwidth(one, device)]
    return fitting[0] if len(fitting) == 1 else None


def _named(name: str) -> Iterable[Gpu]:
    try:
        return (gpu(name),)
    except AmbiguousName as several:
        options = several.options
        return tuple(one for one in gpus() if one.name in options)
    except UnknownName:
        return ()


def _has_memory(card: Gpu, device: Device) -> bool:
    """Whether a card has as much memory as the device; one that shares the machine's may have any."""
    if device.total is None or device.integrated or device.kind == "mps":
        return True
    sizes = (card.capacity, card.visible or card.capacity)
    return _MEMORY[0] * min(sizes) <= device.total <= _MEMORY[1] * max(sizes)


def _has_bandwidth(card: Gpu, device: Device) -> bool:
    """Whether the memory's clock and bus give a card's bandwidth: two transfers a clock."""
    if device.memory_clock is None or device.memory_bus_bits is None:
        return False
    told = device.memory_clock * 1e6 * 2 * device.memory_bus_bits / 8
    return abs(told / card.bandwidth - 1) <= _BANDWIDTH
