"""How much of the data sheet a step reaches: bands by vendor, generation and format, each with where it comes from.

These are the only constants of the speed side. Most are medians with the tenth and ninetieth percentile of
measurements that others published; ``fit`` marks numbers that were chosen after seeing the data that they describe,
``assumed`` those that no data set of ours supports. A probe of the card at hand replaces them.

A step takes ``fixed + bytes/(bandwidth*share)``: a constant share alone hides the fixed part, and so makes small models
on fast cards look inefficient. Sources: probe.md sections 0, 4 and 5, calculators.md section 6.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal, NamedTuple

from engine.catalog import Gpu
from engine.formulas.registry import Value
from engine.precision import Unit

Basis = Literal["published", "fit", "assumed", "measured", "exact"]
Stack = Literal["serving", "llama.cpp"]
Generation = Literal["nvidia-new", "nvidia-old", "nvidia", "amd-new", "amd-old", "amd", "apple", "intel", "other"]
Width = Literal["4", "8", "16"]


class Band(NamedTuple):
    """A number with its spread: about a tenth of what was measured lies below ``low``, a tenth above ``high``."""

    low: Fraction
    mid: Fraction
    high: Fraction
    basis: Basis = "exact"
    source: str = ""

    def scaled(self, factor: Fraction) -> Band:
        """The band times a factor."""
        return self._replace(low=self.low * factor, mid=self.mid * factor, high=self.high * factor)


class Efficiency(NamedTuple):
    """What a step reaches.

    Attributes:
        weights: share of the bandwidth while weights are read.
        kv: share of the bandwidth while the KV cache is read, beyond the fixed part.
        math: share of the peak rate in matrices.
        attention: share of the 16-bit peak in attention.
        layer_time: seconds a layer that no size changes: a chain of kernels, each with its start.
    """

    weights: Band
    kv: Band
    math: Band
    attention: Band
    layer_time: Band


class Idle(NamedTuple):
    """A probed step that waited for neither memory nor math: launches, or kernels that are too small.

    Attributes:
        sure: how sure that is, 0.5 to 0.97.
        moved: share of the measured bandwidth that it reached; ``None`` where that is not known.
    """

    sure: Fraction
    moved: Fraction | None


class Reached(NamedTuple):
    """What a probe measured on the card at hand, as shares of its data sheet; what is ``None`` was not measured.

    Attributes:
        weights: while 16-bit matrices are read, beyond the fixed part.
        kv: while the cache is read, beyond the fixed part.
        math: of the peak rate, by what is multiplied.
        layer_time: seconds a layer that no size changes, replayed from a graph.
        launched: the same where every kernel is launched anew.
        source: which run said so.
        card: name of the card whose data sheet the shares are of; on another card they mean nothing.
        memory: bytes of its memory as its driver tells; ``None`` where that is not known.
        idle: of the workload's own step, where that was in the class "overhead".
    """

    weights: Band | None
    kv: Band | None
    math: tuple[tuple[Unit, Band], ...]
    layer_time: Band | None
    launched: Band | None
    source: str
    card: str = ""
    memory: int | None = None
    idle: Idle | None = None


def band(low: str, mid: str, high: str, basis: Basis, source: str) -> Band:
    """A band from decimal texts, exactly."""
    return Band(Fraction(low), Fraction(mid), Fraction(high), basis, source)


def same(value: Value, source: str, basis: Basis = "measured") -> Band:
    """A number without a spread: measured on the card at hand, or defined."""
    exact = Fraction(value)
    return Band(exact, exact, exact, basis, source)


_ONE = same(1, "data sheet", "exact")
IDEAL = Efficiency(_ONE, _ONE, _ONE, _ONE, same(0, "data sheet", "exact"))
"""The plain roofline: full bandwidth, full rate, nothing fixed. Real steps take 1.2 to 2.5 times as long."""

# --- generations -----------------------------------------------------------------------------------------------------

_GENERATIONS: Mapping[tuple[str, str], Generation] = {
    **{("nvidia", name): "nvidia-new" for name in ("ampere", "ada", "hopper", "blackwell", "blackwell ultra", "rubin")},
    **{("nvidia", name): "nvidia-old" for name in ("kepler", "maxwell", "pascal", "volta", "turing")},
    **{("amd", f"cdna{n}"): "amd-new" for n in ("2", "3", "4")},
    **{("amd", f"rdna{n}"): "amd-new" for n in ("2", "3", "3.5", "4")},
    **{("amd", name): "amd-old" for name in ("gcn5", "gcn5.1", "cdna", "cdna1", "rdna", "rdna1")},
}
_VENDORS: Mapping[str, Generation] = {"nvidia": "nvidia", "amd": "amd", "apple": "apple", "intel": "intel"}


def generation(vendor: str | None, architecture: str | None = None) -> Generation:
    """The group whose measurements describe a card; the vendor's mixed one where the architecture is not known."""
    maker = (vendor or "").lower()
    family = (architecture or "").lower()
    if family == "gaudi":
        return "other"
    return _GENERATIONS.get((maker, family), _VENDORS.get(maker, "other"))


def width(bits: Value) -> Width:
    """The class of a weight's effective bits: up to 6.6 (Q6_K) as 4, up to 10 as 8."""
    exact = Fraction(bits)
    return "4" if exact <= Fraction("6.6") else "8" if exact <= 10 else "16"


# --- bandwidth -------------------------------------------------------------------------------------------------------

_END = "probe.md section 5, batch 1 end to end"
_KERNEL = "calculators.md section 6, aiconfigurator kernel tables"

_NEW_16 = band("0.76", "0.85", "0.90", "published", f"{_KERNEL}: GEMM m=1 bf16 0.72-0.91")
_OLD = band("0.48", "0.58", "0.74", "published", f"{_END}: Turing and older, ~4-bit")
_OLD_16 = band("0.50", "0.66", "0.80", "assumed", "no public set; between Turing's ~4-bit and Ampere's 16-bit")
_MIXED = band("0.45", "0.65", "0.82", "assumed", f"{_END}: the generations of NVIDIA together, ~4-bit")
_MIXED_16 = band("0.60", "0.76", "0.85", "assumed", f"{_END}: Ampere 16-bit, low end widened for older cards")
_AMD_NEW = band("0.53", "0.63", "0.83", "published", f"{_END}: RDNA2+ and CDNA2+, ~4-bit; MI250X bf16 0.63")
_AMD_8 = band("0.43", "0.60", "0.80", "assumed", f"{_END}: MI250X int8 0.43, else as ~4-bit")
_AMD_OLD = band("0.30", "0.34", "0.40", "published", f"{_END}: MI50, MI60, MI100 0.34-0.36 (three cards; band ours)")
_AMD_MIXED = band("0.30", "0.56", "0.80", "assumed", f"{_END}: both groups of AMD together")
_APPLE = band("0.80", "0.92", "0.95", "fit", "probe.md section 5: Metal, time = 5.6 ms + bytes/(0.92 BW) at 32 layers")
_INTEL = band("0.31", "0.49", "0.64", "published", f"{_END}: Arc, Vulkan, ~4-bit")
_INTEL_16 = band("0.45", "0.65", "0.84", "assumed", "between Vulkan end to end and the 0.84 of Arc B60 kernels")
_OTHER = band("0.60", "0.72", "0.85", "published", "calculators.md section 1.3: decode MBU 0.6 to 0.85; gpt-fast 0.72")

_WEIGHTS: Mapping[Generation, Mapping[Width, Band]] = {
    "nvidia-new": {
        "4": band("0.80", "0.85", "0.88", "fit", "probe.md section 5: 46 CUDA rows of Llama-2-7B Q4_0"),
        "8": band("0.55", "0.72", "0.85", "assumed", f"{_END}: 8-bit 0.65; {_KERNEL}: fp8 0.43-0.78"),
        "16": _NEW_16,
    },
    "nvidia-old": {"4": _OLD, "8": _OLD, "16": _OLD_16},
    "nvidia": {"4": _MIXED, "8": _MIXED, "16": _MIXED_16},
    "amd-new": {"4": _AMD_NEW, "8": _AMD_8, "16": _AMD_NEW},
    "amd-old": {"4": _AMD_OLD, "8": _AMD_OLD, "16": _AMD_OLD},
    "amd": {"4": _AMD_MIXED, "8": _AMD_MIXED, "16": _AMD_MIXED},
    "apple": {"4": _APPLE, "8": _APPLE, "16": _APPLE},
    "intel": {"4": _INTEL, "8": _INTEL_16, "16": _INTEL_16},
    "other": {"4": _OTHER, "8": _OTHER, "16": _OTHER},
}  # fmt: skip

_KV = band("0.72", "0.85", "0.95", "published", "probe.md section 5: KV of 256 MB 0.67-0.80, of 1 GB 0.77-0.97")

# --- what is fixed ---------------------------------------------------------------------------------------------------

_GRAPH = band(
    "0.000019", "0.000031", "0.000088", "fit",
    "probe.md section 5: 1.0 ms at 32 layers, as four matrices of 4-5 us and one attention of 8 us; band: tenth and "
    "ninetieth percentile of the Ampere-and-newer rows at 0.85",
)  # fmt: skip
_METAL = band("0.000094", "0.000175", "0.00025", "fit", "probe.md section 5: Metal, 5.6 ms at 32 layers; band assumed")
_EAGER = band("0.00006", "0.00012", "0.00024", "assumed", "12 kernels a layer of 5-20 us launch each (HTA, Kineto)")
_NO_FIXED = band("0", "0", "0", "published", "inside the share: this group was published as a share alone")

KERNEL = {
    "matrix": band("0.000004", "0.0000045", "0.000013", "published", "probe.md section 0.4: 4-5 us; A100 12-14"),
    "attention": band("0.000007", "0.000008", "0.00002", "published", f"{_KERNEL}: decode attention floor 7 to 10 us"),
}
"""Seconds that one kernel costs whatever its size, replayed from a graph."""

_MATRICES = "probe.md section 5, matrices of 4096 and over"
KERNEL_MATH: Mapping[Unit, Band] = {
    "16-bit": band("0.57", "0.78", "0.91", "published", f"{_MATRICES}: bf16, L40S to A100"),
    "fp8": band("0.46", "0.58", "0.78", "published", f"{_MATRICES}: fp8, B200 to RTX PRO 6000"),
    "int8": band("0.50", "0.70", "0.90", "fit", "aiconfigurator, W8A8 on A100, H200 and L40S at 1,024 tokens and over"),
}
"""Share of the peak that one large matrix product reaches; a whole step has small ones, and gaps between them."""

# --- arithmetic ------------------------------------------------------------------------------------------------------

_SERVING = "probe.md section 5, proposed prefill default"
_MATH_16: Mapping[Generation, Band] = {
    "nvidia-new": band("0.45", "0.65", "0.80", "published", _SERVING),
    "nvidia-old": band("0.30", "0.50", "0.75", "assumed", "no public set for serving stacks"),
    "nvidia": band("0.40", "0.62", "0.80", "assumed", "both generations together"),
    "amd-new": band("0.35", "0.50", "0.68", "published", "probe.md section 5: mamf-finder, MI300X to MI355X"),
    "amd-old": band("0.21", "0.37", "0.53", "published", "probe.md section 5: AMD prefill"),
    "amd": band("0.21", "0.42", "0.65", "assumed", "both generations together"),
    "apple": band("0.60", "0.69", "0.75", "published", "probe.md section 5: Apple prefill F16"),
    "intel": band("0.30", "0.50", "0.70", "assumed", "no public set"),
    "other": band("0.40", "0.50", "0.70", "published", "calculators.md section 1.3: prefill MFU, default 0.5"),
}  # fmt: skip
_MATH_8 = band("0.40", "0.55", "0.70", "published", f"{_SERVING}, fp8; int8 taken alike")
_MATH_4 = band("0.25", "0.40", "0.55", "assumed", "no public set: fp8 reaches 0.47 at m=8192 on B200, FP4 no more")

_PP512 = "llama.cpp, Llama-2-7B Q4_0, 512 tokens, share of the INT8 rate"
_LLAMA_INT8: Mapping[Generation, Band] = {
    "nvidia-new": band("0.11", "0.24", "0.31", "fit", f"{_PP512}; chips with HBM 0.07-0.12"),
    "nvidia-old": band("0.13", "0.16", "0.26", "fit", f"{_PP512}, Turing and Pascal"),
    "amd-new": band("0.11", "0.17", "0.34", "fit", f"{_PP512}, ROCm"),
    "amd-old": band("0.17", "0.24", "0.27", "fit", f"{_PP512}, ROCm (one card)"),
}  # fmt: skip
_LLAMA_16: Mapping[Generation, Band] = {
    "nvidia-new": band("0.34", "0.67", "0.86", "published", "probe.md section 5: GeForce prefill F16"),
    "nvidia-old": band("0.20", "0.45", "0.70", "assumed", "no public set"),
    "amd-new": band("0.21", "0.37", "0.53", "published", "probe.md section 5: AMD prefill"),
    "amd-old": band("0.21", "0.37", "0.53", "published", "probe.md section 5: AMD prefill"),
}  # fmt: skip
_APPLE_QUANTIZED = band("0.50", "0.63", "0.68", "published", "probe.md section 5: Apple prefill, quantized")
_ATTENTION = band("0.29", "0.50", "0.60", "published", f"{_KERNEL}: causal prefill attention MFU at 1k, 4k and 16k")


def efficiency(
    vendor: str | None,
    architecture: str | None,
    bits: Value,
    unit: Unit = "16-bit",
    stack: Stack = "serving",
    graphs: bool = True,
) -> Efficiency:
    """What a step is expected to reach.

    Args:
        vendor, architecture: as in the catalogue; ``None`` where only bandwidth and rate are known.
        bits: effective bits a weight.
        unit: what the matrices are multiplied in (:func:`engine.precision.matmul`, or :func:`llama_unit`).
        stack: llama.cpp and its like, or a serving engine.
        graphs: whether decode replays CUDA graphs; without, every kernel costs its launch.
    """
    group, size = generation(vendor, architecture), width(bits)
    weights = _WEIGHTS[group][size]
    layer_time = {"nvidia-new": _GRAPH, "apple": _METAL}.get(group, _NO_FIXED)
    if not graphs and group != "apple":
        layer_time = _EAGER
    kv = _KV if group in ("nvidia-new", "intel") else weights._replace(source=f"as weights: {weights.source}")
    return Efficiency(weights, kv, _math(group, size, unit, stack), _ATTENTION, layer_time)


def _math(group: Generation, size: Width, unit: Unit, stack: Stack) -> Band:
    if stack == "llama.cpp":
        if group == "apple" and size != "16":
            return _APPLE_QUANTIZED
        if unit == "int8":
            return _LLAMA_INT8.get(group, _LLAMA_INT8["nvidia-new"])
        return _LLAMA_16.get(group, _MATH_16[group])
    if unit in ("fp8", "int8"):
        return _MATH_8
    return _MATH_4 if unit == "fp4" else _MATH_16[group]


def llama_unit(gpu: Gpu, bits: Value) -> Unit:
    """What llama.cpp multiplies a prompt in: quantized weights in INT8 where the card has that unit, else 16 bits."""
    return "int8" if width(bits) != "16" and gpu.ops8 is not None and gpu.vendor != "Apple" else "16-bit"


def of_card(gpu: Gpu, bits: Value, unit: Unit = "16-bit", stack: Stack = "serving", graphs: bool = True) -> Efficiency:
    """:func:`efficiency` of a card of the catalogue."""
    return efficiency(gpu.vendor, gpu.architecture, bits, unit, stack, graphs)


def measured(usual: Efficiency, same16: Efficiency, seen: Reached, unit: Unit, bits: Value, graphs: bool) -> Efficiency:
    """An efficiency with what a probe measured in the place of the group's bands.

    The probe runs bare matrices and bare attention. A server has norms, sampling and kernels of its own beside them: so
    the slow end stays as far from the middle as the group's is. The probe reads 16-bit matrices; kernels of narrower
    formats are others: their band moves by as much as this card's 16-bit matrices were better or worse than the
    group's. llama.cpp's products are its own kernels, of which the probe's say nothing: hand over a ``seen`` without
    ``math`` for it.

    Args:
        usual: of the card's group, for this format.
        same16: of the group, for 16-bit weights.
        seen: what was measured.
        unit, bits, graphs: as in :func:`efficiency`.
    """
    weights = usual.weights
    if seen.weights is not None and width(bits) == "16":
        weights = _served(seen.weights, usual.weights)
    elif seen.weights is not None:
        weights = _at_most_all(usual.weights.scaled(seen.weights.mid / same16.weights.mid), seen.source)
    kv = usual.kv if seen.kv is None else _served(seen.kv, usual.kv)
    rate = dict(seen.math).get(unit)
    math = usual.math if rate is None else _served(rate, usual.math)
    time = seen.layer_time if graphs else seen.launched
    layer = usual.layer_time if time is None else _served_time(time, usual.layer_time)
    return usual._replace(weights=weights, kv=kv, math=math, layer_time=layer)


def _served(seen: Band, usual: Band) -> Band:
    """A measured share with the group's distance from its middle to its slow end."""
    return seen._replace(low=min(seen.low, seen.mid * usual.low / usual.mid))


def _served_time(seen: Band, usual: Band) -> Band:
    """A measured time likewise; where the group's fixed part is inside its shares there is no distance to keep."""
    return seen._replace(high=max(seen.high, seen.mid * usual.high / usual.mid)) if usual.mid else seen


def _at_most_all(of: Band, source: str) -> Band:
    """A band of shares: none is over the whole."""
    whole = Fraction(1)
    return Band(min(of.low, whole), min(of.mid, whole), min(of.high, whole), "measured", source)
