"""The number format that a config.json says its checkpoint is in, and which tensors were left out of it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from engine.config_fields import Config
from engine.precision import Kind

_MODULES: tuple[tuple[str, frozenset[Kind]], ...] = (
    ("shared_expert", frozenset(("shared-expert",))),
    ("linear_attn", frozenset(("linear-attention",))),
    ("mamba", frozenset(("linear-attention",))),
    ("self_attn", frozenset(("attention",))),
    ("attention", frozenset(("attention",))),
    ("mlp.gate", frozenset(("router",))),
    ("router", frozenset(("router",))),
    ("experts", frozenset(("expert",))),
    ("mlp", frozenset(("mlp", "expert", "shared-expert"))),
    ("embed", frozenset(("embedding",))),
    ("lm_head", frozenset(("head",))),
)


def kept_16bit(config: Config) -> frozenset[Kind]:
    """Classes of tensors that a quantized checkpoint says it left alone, beyond what its format leaves alone anyway:
    for :meth:`engine.precision.Format.keeping`. Single layers and towers of other media are not classes of ours."""
    quantized = config.get("quantization_config")
    if not isinstance(quantized, Mapping):
        return frozenset()
    names = quantized.get("modules_to_not_convert") or quantized.get("ignore") or ()
    kinds: set[Kind] = set()
    for name in names if isinstance(names, Sequence) and not isinstance(names, str) else ():
        part = re.sub(r"^re:|[.*\\]+$", "", str(name))
        if re.search(r"layers\.\d", part):
            continue  # one layer, not a class
        kinds |= next((found for word, found in _MODULES if word in part), frozenset())
    return frozenset(kinds)


def format_name(config: Config, whole: Config) -> str:
    """A format's name: the quantization decides the bytes, not the dtype beside it."""
    quantized = config.get("quantization_config")
    if isinstance(quantized, Mapping):
        return _quantization(quantized)
    kind = config.get("torch_dtype") or config.get("dtype") or whole.get("torch_dtype") or whole.get("dtype")
    return {"float32": "float32 checkpoint"}.get(str(kind), str(kind)) if kind else "bfloat16"


def _quantization(quantized: Config) -> str:
    method = str(quantized.get("quant_method", "")).lower()
    if method in ("awq", "gptq"):
        if quantized.get("bits", quantized.get("w_bit", 4)) == 8:
            return "int8"
        group = quantized.get("group_size", quantized.get("q_group_size"))
        return "int4-g64" if group == 64 else "int4-g32" if group == 32 else method
    if method == "fp8":
        return "fp8-tile" if quantized.get("weight_block_size") else "fp8"
    if method == "bitsandbytes":
        if quantized.get("load_in_8bit"):
            return "int8"
        return "nf4-double" if quantized.get("bnb_4bit_use_double_quant") else "nf4"
    if method == "compressed-tensors":
        return _compressed(quantized)
    if method == "modelopt":
        return "nvfp4" if "4" in str(quantized.get("quant_algo", "")) else "fp8"
    return method or "bfloat16"


def _compressed(quantized: Config) -> str:
    """compressed-tensors: its own words for the first group of layers."""
    groups = quantized.get("config_groups")
    first = next(iter(groups.values()), None) if isinstance(groups, Mapping) else None
    first = first if isinstance(first, Mapping) else {}
    weights = first.get("weights")
    weights = weights if isinstance(weights, Mapping) else {}
    bits, number = weights.get("num_bits", 8), weights.get("type", "int")
    if number == "float":
        return "nvfp4" if bits == 4 else "fp8-tile" if weights.get("block_structure") else "fp8-row"
    if bits == 8:
        return "w8a8" if first.get("input_activations") else "int8"
    narrow = weights.get("group_size") == 32
    if weights.get("symmetric", True):
        return "w4a16-g32" if narrow else "w4a16"
    return "int4-g32" if narrow else "int4"
