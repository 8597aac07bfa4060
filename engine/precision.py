"""Number formats of weights and of the KV cache: what a number really costs, what it covers, what multiplies it.

A format is not its name's bits: scales and zero-points come on top, and most formats leave some tensors at 16 bits.
The cost of one number is the formula ``effective_bits``; here are only its givens, each with where they come from.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from engine.catalog import Gpu
from engine.formulas import registry
from engine.formulas.registry import Value

Kind = Literal[
    "embedding", "head", "attention", "linear-attention", "mlp", "expert", "shared-expert", "router", "small", "other"
]
"""Classes of tensors. ``small`` is norms, biases and other vectors; ``other`` what no rule of ours names."""

KINDS: tuple[Kind, ...] = (
    "embedding", "head", "attention", "linear-attention", "mlp", "expert", "shared-expert", "router", "small", "other",
)  # fmt: skip

LINEAR: frozenset[Kind] = frozenset(("attention", "linear-attention", "mlp", "expert", "shared-expert", "other"))
"""The matrices inside the layers: what a quantized checkpoint quantizes unless it says otherwise. ``other`` is counted
with them, since where it is large it is attention or experts that we could not name."""

EXPERTS: frozenset[Kind] = frozenset(("expert",))
MATRICES: frozenset[Kind] = LINEAR | {"embedding", "head"}

Unit = Literal["32-bit", "16-bit", "fp8", "int8", "fp4"]
"""What the matrix unit multiplies. Weight-only formats are unpacked to 16 bits first."""


class Layout(NamedTuple):
    """How numbers lie in memory.

    Attributes:
        bits: of one number.
        meta_bits: of the scales and zero-points of one group.
        group: numbers that share them; 0 for a whole row of the matrix.
    """

    name: str
    bits: int
    meta_bits: Fraction = Fraction(0)
    group: int = 1

    def effective_bits(self, row: int = 4096) -> Fraction:
        """Bits of one number, its share of the metadata in; ``row`` is the row's length where a row is the group."""
        given: dict[str, Value] = {"b": self.bits, "meta_bits": self.meta_bits, "group": self.group or row}
        return registry.result("effective_bits", given)

    def bytes(self, rows: int, columns: int) -> Fraction:
        """Bytes of a matrix. Exact where a group divides the row, as packed formats demand."""
        given: dict[str, Value] = {"b": self.bits, "meta_bits": self.meta_bits, "group": self.group or columns}
        return registry.result("packed_bytes", {**given, "d_out": rows, "d_in": columns})


def _blocks(name: str, weights: int, size: int, bits: int) -> Layout:
    """A layout of blocks: ``size`` bytes hold ``weights`` numbers of ``bits`` and their metadata."""
    return Layout(name, bits, Fraction(8 * size - bits * weights), weights)


F32 = Layout("f32", 32)
F16 = Layout("16-bit", 16)
LAYOUTS: Mapping[str, Layout] = {
    layout.name: layout
    for layout in (
        F32,
        F16,
        Layout("fp8", 8),  # one scale a tensor: nothing to count
        Layout("fp8-row", 8, Fraction(32), 0),  # compressed-tensors FP8_DYNAMIC: an FP32 scale an output channel
        Layout("fp8-tile", 8, Fraction(32), 128 * 128),  # DeepSeek-V3 report, arXiv 2412.19437: FP32 a 128x128 tile
        Layout("int8-row", 8, Fraction(32), 0),  # SmoothQuant, LLM.int8(): an FP32 scale an output channel
        Layout("int4-g128-zero", 4, Fraction(16 + 4), 128),  # AWQ, GPTQ: a 16-bit scale and a 4-bit zero-point
        Layout("int4-g128", 4, Fraction(16), 128),  # compressed-tensors W4A16, symmetric
        Layout("int4-g64-zero", 4, Fraction(16 + 4), 64),
        Layout("int4-g32-zero", 4, Fraction(16 + 4), 32),
        Layout("int4-g32", 4, Fraction(16), 32),  # Kimi-K2-Thinking: symmetric, groups of 32
        Layout("nf4", 4, Fraction(32), 64),  # bitsandbytes: an FP32 absmax for 64
        Layout("nf4-double", 4, 8 + Fraction(32, 256), 64),  # QLoRA, arXiv 2305.14314: the absmax quantized again
        Layout("mxfp8", 8, Fraction(8), 32),  # OCP Microscaling 1.0: an 8-bit exponent for 32
        Layout("mxfp4", 4, Fraction(8), 32),  # the same
        Layout("nvfp4", 4, Fraction(8), 16),  # NVIDIA Blackwell: an FP8 scale for 16 (and one FP32 a tensor)
        # llama.cpp, ggml-common.h: the size of each block struct
        _blocks("q4_0", 32, 18, 4),
        _blocks("q4_1", 32, 20, 4),
        _blocks("q5_0", 32, 22, 5),
        _blocks("q5_1", 32, 24, 5),
        _blocks("q8_0", 32, 34, 8),
        _blocks("iq4_nl", 32, 18, 4),
        _blocks("iq4_xs", 256, 136, 4),
        _blocks("q2_k", 256, 84, 2),
        _blocks("q3_k", 256, 110, 3),
        _blocks("q4_k", 256, 144, 4),
        _blocks("q5_k", 256, 176, 5),
        _blocks("q6_k", 256, 210, 6),
    )
}
"""Every layout by name."""


class Format(NamedTuple):
    """A weight format as people name it.

    Attributes:
        name: its id.
        layouts: the layout of each kind of tensor that is not 16-bit.
        computes: what the matrix unit multiplies where the GPU has that unit.
        weight_only: activations stay 16-bit, so that the format saves bytes and no FLOPs.
        better: a second layout for half the layers' value and down projections (K-quants), else ``None``.
        source: where the layout comes from.
    """

    name: str
    layouts: tuple[tuple[Kind, Layout], ...]
    computes: Unit
    weight_only: bool
    better: Layout | None
    source: str

    def __hash__(self) -> int:
        return hash(self.name)  # part of many caches' keys, and the layouts are full of fractions

    def layout(self, kind: Kind) -> Layout:
        """The layout of a kind of tensor."""
        return next((layout for one, layout in self.layouts if one == kind), F16)

    def keeping(self, kinds: Collection[Kind]) -> Format:
        """The same format with some kinds left at 16 bits (``modules_to_not_convert`` of a checkpoint)."""
        return self._replace(layouts=tuple((one, layout) for one, layout in self.layouts if one not in kinds))

    @property
    def linear_bits(self) -> Fraction:
        """Effective bits of a weight inside the layers (of experts, where only they are quantized)."""
        return _linear_bits(self)


@lru_cache(maxsize=256)  # of formats, of which there are fewer
def _linear_bits(form: Format) -> Fraction:
    dense = any(kind == "mlp" for kind, _ in form.layouts)
    return form.layout("mlp" if dense else "expert").effective_bits()


class UnknownFormat(LookupError):
    """No format has this name. ``close`` are the nearest names, best first, at most three."""

    def __init__(self, text: str, close: tuple[str, ...]) -> None:
        super().__init__(text, close)
        self.text, self.close = text, close


_VLLM = "vLLM, supported quantization formats: lm_head, embeddings, norms and routers stay 16-bit"
_GGUF = "llama.cpp, llama_tensor_get_type: output.weight q6_k, token_embd in the format, vectors and routers f32"
_MXFP4 = "OpenAI gpt-oss model card: only the experts are MXFP4"


def _format(
    name: str, layout: str, kinds: frozenset[Kind], computes: Unit, source: str, weight_only: bool = False
) -> Format:
    return Format(name, _each(dict.fromkeys(kinds, LAYOUTS[layout])), computes, weight_only, None, source)


def _each(layouts: Mapping[Kind, Layout]) -> tuple[tuple[Kind, Layout], ...]:
    return tuple((kind, layouts[kind]) for kind in KINDS if kind in layouts)


def _gguf(name: str, layout: str, better: str | None = None) -> Format:
    """A GGUF file: embeddings are quantized too, the head is Q6_K, and vectors are 32-bit."""
    layouts: dict[Kind, Layout] = dict.fromkeys(MATRICES, LAYOUTS[layout])
    layouts |= {"head": LAYOUTS["q8_0" if layout == "q8_0" else "q6_k"], "small": F32, "router": F32}
    return Format(name, _each(layouts), "16-bit", True, LAYOUTS[better] if better else None, _GGUF)


_ALL: frozenset[Kind] = frozenset(KINDS)
FORMATS: Mapping[str, Format] = {
    one.name: one
    for one in (
        _format("fp32", "f32", _ALL, "32-bit", "IEEE 754"),
        _format("bf16", "16-bit", _ALL, "16-bit", "bfloat16"),
        _format("fp16", "16-bit", _ALL, "16-bit", "IEEE 754"),
        _format("fp8", "fp8", LINEAR, "fp8", _VLLM),
        _format("fp8-row", "fp8-row", LINEAR, "fp8", _VLLM),
        _format("fp8-tile", "fp8-tile", LINEAR, "fp8", "DeepSeek-V3 report, arXiv 2412.19437"),
        _format("w8a8", "int8-row", LINEAR, "int8", _VLLM),
        _format("int8", "int8-row", LINEAR, "16-bit", "LLM.int8(), arXiv 2208.07339, and W8A16: weights alone", True),
        _format("awq", "int4-g128-zero", LINEAR, "16-bit", "AWQ, arXiv 2306.00978", True),
        _format("gptq", "int4-g128-zero", LINEAR, "16-bit", "GPTQ, arXiv 2210.17323", True),
        _format("int4", "int4-g128-zero", LINEAR, "16-bit", "taken as AWQ or GPTQ: groups of 128, zero-points", True),
        _format("w4a16", "int4-g128", LINEAR, "16-bit", "compressed-tensors W4A16: groups of 128, symmetric", True),
        _format("w4a16-g32", "int4-g32", LINEAR, "16-bit", "compressed-tensors W4A16: groups of 32, symmetric", True),
        _format("int4-g64", "int4-g64-zero", LINEAR, "16-bit", "AWQ or GPTQ with groups of 64", True),
        _format("int4-g32", "int4-g32-zero", LINEAR, "16-bit", "AWQ or GPTQ with groups of 32", True),
        _format("int4-experts", "int4-g32", EXPERTS, "16-bit", "Kimi-K2-Thinking model card: experts alone", True),
        _format("nf4", "nf4", LINEAR, "16-bit", "bitsandbytes, blocks of 64", True),
        _format("nf4-double", "nf4-double", LINEAR, "16-bit", "QLoRA, arXiv 2305.14314", True),
        _format("mxfp4", "mxfp4", EXPERTS, "16-bit", _MXFP4, True),
        _format("mxfp8", "mxfp8", LINEAR, "fp8", "OCP Microscaling Formats 1.0"),
        _format("nvfp4", "nvfp4", LINEAR, "fp4", "NVIDIA ModelOpt NVFP4"),
        Format(
            "fp4-experts",
            _each({**dict.fromkeys(LINEAR, LAYOUTS["fp8-tile"]), "expert": LAYOUTS["mxfp4"]}),
            "fp8", False, None, "DeepSeek-V4 checkpoints: FP4 experts in an FP8 model",
        ),
        _gguf("q4_0", "q4_0"), _gguf("q4_1", "q4_1"), _gguf("q5_0", "q5_0"), _gguf("q5_1", "q5_1"),
        _gguf("q8_0", "q8_0"), _gguf("iq4_nl", "iq4_nl"), _gguf("iq4_xs", "iq4_xs"), _gguf("q2_k", "q2_k"),
        _gguf("q3_k_m", "q3_k", "q5_k"), _gguf("q4_k_s", "q4_k"), _gguf("q4_k_m", "q4_k", "q6_k"),
        _gguf("q5_k_s", "q5_k"), _gguf("q5_k_m", "q5_k", "q6_k"), _gguf("q6_k", "q6_k"),
    )
}  # fmt: skip
"""Every weight format by name."""

_ALIASES: Mapping[str, str] = {
    "float32": "fp32", "f32": "fp32", "32bit": "fp32", "single": "fp32", "tf32": "fp32",
    "bfloat16": "bf16", "half": "fp16", "float16": "fp16", "f16": "fp16", "16bit": "bf16", "16": "bf16",
    "float32checkpoint": "bf16",  # engines load 32-bit checkpoints in 16 bits
    "float8": "fp8", "f8": "fp8", "8bitfloat": "fp8", "fp8e4m3": "fp8", "fp8e5m2": "fp8", "e4m3": "fp8", "e5m2": "fp8",
    "fp8pertensor": "fp8", "fp8dsmla": "fp8", "w8a8fp8": "fp8-row", "fp8dynamic": "fp8-row",
    "fp8perchannel": "fp8-row",
    "compressedtensorsfp8": "fp8-row", "fbgemmfp8": "fp8-row",
    "fp8blockscales": "fp8-tile", "fp8block": "fp8-tile", "fp8perblock": "fp8-tile", "blockfp8": "fp8-tile",
    "w8a8int8": "w8a8", "smoothquant": "w8a8", "int8w8a8": "w8a8", "sq": "w8a8",
    "w8a16": "int8", "llmint8": "int8", "8bit": "int8", "8": "int8", "int8weightonly": "int8", "gptqint8": "int8",
    "bitsandbytes8bit": "int8", "bnb8bit": "int8", "loadin8bit": "int8",
    "awqmarlin": "awq", "awqint4": "awq", "gptqmarlin": "gptq", "gptqint4": "gptq", "marlin": "gptq",
    "autoround": "gptq",
    "4bit": "int4", "4": "int4", "int4g128": "int4", "w4": "int4", "i4": "int4", "u4": "int4", "int4weightonly": "int4",
    "w4a16g128": "w4a16", "compressedtensorsw4a16": "w4a16",
    "int4experts+bf16": "int4-experts",
    "bnb": "nf4", "bitsandbytes": "nf4", "bnb4bit": "nf4", "loadin4bit": "nf4", "bnbnf4": "nf4", "qlora": "nf4-double",
    "nf4doublequant": "nf4-double",
    "mxfp4experts+bf16": "mxfp4", "fp4experts+bf16": "mxfp4", "fp4experts+fp8": "fp4-experts",
    "fp4": "nvfp4", "modeloptfp4": "nvfp4", "w4a4": "nvfp4",
    "gguf": "q4_k_m", "q4km": "q4_k_m", "q4k": "q4_k_m", "q5k": "q5_k_m", "q3k": "q3_k_m",
}  # fmt: skip
MAX_LENGTH = 60
"""Longer texts name no format; they are not even compared."""


def find(text: str) -> Format:
    """The format that a text names: "BF16", "awq", "W4A16", "Q4_K_M", "fp8 (block scales)", "mxfp4 experts + bf16".

    Raises:
        UnknownFormat: none is called so, with the closest names.
    """
    key = _normal(text) if len(text) <= MAX_LENGTH else ""
    table = _by_normal_name()
    if key in table:
        return FORMATS[table[key]]
    import difflib  # only a wrong name needs it

    near = difflib.get_close_matches(key, table, n=6, cutoff=0.6) if key else []
    raise UnknownFormat(text[:MAX_LENGTH], tuple(dict.fromkeys(table[one] for one in near))[:3])


@cache
def _by_normal_name() -> dict[str, str]:
    return {**_ALIASES, **{_normal(name): name for name in FORMATS}}


def _normal(text: str) -> str:
    """A name for comparison: lower case, letters, digits and "+" alone."""
    return "".join(c for c in text.lower().removeprefix("torch.") if c.isalnum() or c == "+")


# --- the KV cache --------------------------------------------------------------------------------------------------

_KV: Mapping[str, str] = {
    "auto": "16-bit", "fp16": "16-bit", "bf16": "16-bit", "fp32": "f32", "fp8": "fp8", "fp8-row": "fp8",
    "q8_0": "q8_0", "q4_0": "q4_0", "q4_1": "q4_1", "q5_0": "q5_0", "q5_1": "q5_1", "iq4_nl": "iq4_nl",
    "int8": "int8-head", "w8a8": "int8-head", "int4": "int4-head", "nvfp4": "nvfp4", "mxfp8": "mxfp8",
}  # fmt: skip
_HEAD = {
    # lmdeploy, kv_quant: an FP16 scale and an FP16 zero-point for the K (and the V) of one head and token
    "int8-head": Layout("int8-head", 8, Fraction(32), 0),
    "int4-head": Layout("int4-head", 4, Fraction(32), 0),
}


def kv_layout(text: str) -> Layout:
    """How a KV cache of a named format lies in memory; a group of 0 is one head of one token.

    FP8 caches have one scale a tensor or layer. Raises ``UnknownFormat`` for a format that no engine keeps a cache in.
    """
    name = "auto" if _normal(text) in ("auto", "") else find(text).name
    if name not in _KV:
        raise UnknownFormat(text[:MAX_LENGTH], ("auto", "fp8", "int8"))
    layout = _KV[name]
    return _HEAD[layout] if layout in _HEAD else LAYOUTS[layout]


@lru_cache(maxsize=256)  # asked for with every cache; a few formats, by the widths of heads
def kv_bytes_per_number(text: str, d_head: int = 128) -> Fraction:
    """Bytes of one number of the cache, scales in: 2 for 16 bits, 17/16 for q8_0. The ``p`` of ``kv_cache``."""
    layout = kv_layout(text)
    given: dict[str, Value] = {"b": layout.bits, "meta_bits": layout.meta_bits, "group": layout.group or d_head}
    return registry.result("effective_bytes", given)


# --- what the GPU multiplies ---------------------------------------------------------------------------------------


class Matmul(NamedTuple):
    """What the GPU does with a format.

    Attributes:
        unit: what is multiplied on this card.
        rate: dense FLOP/s (or integer operations a second) of that unit; ``None`` where the catalogue has none.
        native: whether it is the format's own unit. If not, weights are unpacked to 16 bits: bytes saved, no FLOPs.
        gains: the unit's rate over the card's 16-bit rate; under 1 where the vendor has nearly removed the unit.
    """

    unit: Unit
    rate: int | None
    native: bool
    gains: Fraction | None


@lru_cache(maxsize=512)  # asked for with every step; formats by cards
def matmul(form: Format, gpu: Gpu) -> Matmul:
    """The unit and dense rate with which a GPU multiplies weights of a format.

    FP8 needs Ada, Hopper, CDNA3, RDNA4 or newer, FP4 Blackwell or CDNA4, INT8 Turing or newer: the catalogue has a
    rate for each unit that a card has. Without it engines unpack to 16 bits (FP8 on Ampere by Marlin kernels).
    """
    rates: dict[Unit, int | None] = {
        "16-bit": gpu.peak_flops, "fp8": gpu.flops8, "int8": gpu.ops8, "fp4": gpu.flops4,
        "32-bit": None,
    }  # fmt: skip
    rate = rates[form.computes]
    if form.computes in ("16-bit", "32-bit") or rate is not None:
        return Matmul(form.computes, rate, True, _over(rate, gpu.peak_flops))
    return Matmul("16-bit", gpu.peak_flops, False, _over(gpu.peak_flops, gpu.peak_flops))


def _over(rate: int | None, base: int | None) -> Fraction | None:
    return Fraction(rate, base) if rate and base else None
