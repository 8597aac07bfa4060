"""One way to serve a model, and what stands against it under any load: no kernel, no link, heads that cannot share."""

from __future__ import annotations

from typing import Literal, NamedTuple

from engine import links, precision
from engine.catalog import Gpu, Model
from engine.precision import Format

Reason = Literal["unit", "link", "heads", "weights", "kv", "tpot", "ttft"]
"""Why an option does not serve a load; the first three hold for every load."""


class Option(NamedTuple):
    """One way to serve: a kind of card, how many of it share the model, and the formats."""

    gpu: Gpu
    cards: int
    form: Format
    kv: str


def barred(model: Model, option: Option) -> list[tuple[Reason, float, float]]:
    """Why an option is out whatever the load, at most one reason."""
    if option.gpu.peak_flops is None or not runs(option.form, option.gpu):
        return [("unit", 0, 0)]
    if model.heads % option.cards:  # vLLM, ModelConfig.verify_with_parallel_config
        return [("heads", model.heads, option.cards)]
    if option.cards > 1 and links.between(option.gpu, option.cards) is None:
        return [("link", 0, 0)]
    return []


_MARLIN = (7, 5)
"""Compute capability from which vLLM's kernels unpack FP8 and FP4 weights to 16 bits (Marlin: Turing and newer)."""
_FLOATS = ("fp8", "mxfp", "nvfp")
"""How the names of such layouts begin."""


def runs(form: Format, gpu: Gpu) -> bool:
    """Whether engines have a kernel for a format on a card: its own unit, or one that unpacks the weights to 16 bits.

    INT8 with 8-bit activations needs the unit. FP8 and FP4 weights are unpacked on NVIDIA cards alone.
    """
    narrow = any(layout.name.startswith(_FLOATS) for _, layout in form.layouts)
    if not narrow or gpu.vendor != "NVIDIA":
        return precision.matmul(form, gpu).native
    major, _, minor = (gpu.capability or "0.0").partition(".")
    return (int(major), int(minor)) >= _MARLIN
