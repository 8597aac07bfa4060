"""One way to serve a model, and what stands against it under any load: no kernel, no link, heads that cannot share."""

from __future__ import annotations

from typing import Literal, NamedTuple

from engine import links, precision
from engine.catalog import Gpu, Model
from engine.parallel import splits
from engine.precision import Format

Reason = Literal["unit", "link", "heads", "weights", "kv", "requests", "tpot", "ttft"]
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
    if option.cards > 1 and links.between(option.gpu, option.cards) is None:
        return [("link", 0, 0)]
    if not splits(model, option.cards):
        return [("heads", model.heads, option.cards)]
    return []


def served_in(form: Format, gpu: Gpu) -> Format:
    """A format as a card runs it: bf16 weights are read as fp16 where the card has no bf16 (vLLM's ``--dtype half``).

    NVIDIA cards have it from Ampere on (capability 8.0); both take two bytes a number.
    """
    without = gpu.vendor == "NVIDIA" and _capability(gpu) < _BF16
    return precision.find("fp16") if form.name == "bf16" and without else form


def has_rules_of_its_own(gpu: Gpu) -> bool:
    """Whether vLLM's memory rule (a share of the card, taken whole) is not that of the engines on such a card.

    CUDA and ROCm cards run vLLM; Apple chips run llama.cpp or MLX, and the others an engine of their maker's.
    """
    return gpu.vendor not in ("NVIDIA", "AMD")


_MARLIN = (7, 5)
"""Compute capability from which vLLM's kernels unpack FP8 and FP4 weights to 16 bits (Marlin: Turing and newer)."""
_BF16 = (8, 0)
"""Compute capability from which cards multiply bf16 numbers (vLLM, CudaPlatform.check_if_supports_dtype)."""
_FLOATS = ("fp8", "mxfp", "nvfp")
"""How the names of such layouts begin."""


def runs(form: Format, gpu: Gpu) -> bool:
    """Whether engines have a kernel for a format on a card: its own unit, or one that unpacks the weights to 16 bits.

    INT8 with 8-bit activations needs the unit. FP8 and FP4 weights are unpacked on NVIDIA cards alone.
    """
    narrow = any(layout.name.startswith(_FLOATS) for _, layout in form.layouts)
    if not narrow or gpu.vendor != "NVIDIA":
        return precision.matmul(form, gpu).native
    return _capability(gpu) >= _MARLIN


def _capability(gpu: Gpu) -> tuple[int, int]:
    """The compute capability of a NVIDIA card."""
    major, _, minor = (gpu.capability or "0.0").partition(".")
    return int(major), int(minor)
