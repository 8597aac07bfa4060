"""Which number formats a card can run: by its units, and by the compute capability that engines' kernels ask for."""

from __future__ import annotations

from engine import precision
from engine.catalog import Gpu
from engine.precision import Format

MARLIN = (7, 5)
"""Compute capability from which vLLM's kernels unpack FP8 and FP4 weights to 16 bits (Marlin: Turing and newer)."""
BF16 = (8, 0)
"""Compute capability from which cards multiply bf16 numbers (vLLM, CudaPlatform.check_if_supports_dtype)."""
FP8_CACHE = (8, 9)
"""Compute capability from which attention kernels read a cache of FP8 numbers by themselves (Triton, below it: "type
fp8e4nv not supported in this architecture", vllm#26431)."""
MARLIN_FORMATS = ("awq", "gptq")
"""Formats of 4-bit weights that have an older kernel of their own beside Marlin, in vLLM and SGLang."""
_FOUR_BITS = (8, 0)
"""Compute capability that Marlin asks for to read AWQ and GPTQ weights (vLLM and SGLang, ``get_min_capability``)."""
_TURING = (0, 14)
"""vLLM's release whose Marlin kernels run on Turing too (vllm#29901, December 2025)."""
_FLOATS = ("fp8", "mxfp", "nvfp")
"""How the names of such layouts begin."""


def served_in(form: Format, gpu: Gpu) -> Format:
    """A format as a card runs it: bf16 weights are read as fp16 where the card has no bf16 (vLLM's ``--dtype half``).

    NVIDIA cards have it from Ampere on (capability 8.0); both take two bytes a number.
    """
    return precision.find("fp16") if form.name == "bf16" and not has_bf16(gpu) else form


def has_bf16(gpu: Gpu) -> bool:
    """Whether a card multiplies bf16 numbers."""
    return gpu.vendor != "NVIDIA" or capability(gpu) >= BF16


def runs(form: Format, gpu: Gpu) -> bool:
    """Whether engines have a kernel for a format on a card: its own unit, or one that unpacks the weights to 16 bits.

    INT8 with 8-bit activations needs the unit. FP8 and FP4 weights are unpacked on NVIDIA cards alone.
    """
    narrow = any(layout.name.startswith(_FLOATS) for _, layout in form.layouts)
    if not narrow or gpu.vendor != "NVIDIA":
        return precision.matmul(form, gpu).native
    return capability(gpu) >= MARLIN


def marlin(gpu: Gpu, vllm: tuple[int, int] | None) -> bool:
    """Whether the Marlin kernels that read AWQ and GPTQ weights run on a card: by the release of vLLM, ``None`` for
    other engines."""
    needed = MARLIN if vllm is not None and vllm >= _TURING else _FOUR_BITS
    return gpu.vendor == "NVIDIA" and capability(gpu) >= needed


def reads_fp8(gpu: Gpu) -> bool:
    """Whether attention reads a cache of FP8 numbers on a card without converting it first."""
    return capability(gpu) >= FP8_CACHE if gpu.vendor == "NVIDIA" and gpu.capability else gpu.flops8 is not None


def capability(gpu: Gpu) -> tuple[int, int]:
    """The compute capability of a NVIDIA card."""
    major, _, minor = (gpu.capability or "0.0").partition(".")
    return int(major), int(minor)
