"""A model's config.json, whole, in part or cut off, and the table in it, or alone, that says how it is quantized."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.artefacts.model import Observations
from engine.artefacts.readers.cut_json import Cut
from engine.artefacts.readers.hf_quantization import quantization, table_of
from engine.artefacts.text import Line
from engine.catalog import NoValues
from engine.config import LANGUAGE, read

_KEYS: Mapping[str, tuple[str, ...]] = {
    "n_layers": ("num_hidden_layers", "n_layer", "n_layers", "num_layers"),
    "n_heads": ("num_attention_heads", "n_head", "n_heads"),
    "n_kv_heads": ("num_key_value_heads", "num_kv_heads", "multi_query_group_num", "n_head_kv"),
    "head_dim": ("head_dim", "kv_channels", "attention_head_dim"),
    "hidden_size": ("hidden_size", "n_embd", "d_model"),
    "intermediate_size": ("intermediate_size", "ffn_hidden_size", "ffn_dim", "n_inner"),
    "moe_intermediate_size": ("moe_intermediate_size", "expert_ffn_hidden_size"),
    "vocab_size": ("vocab_size", "padded_vocab_size"),
    "q_lora_rank": ("q_lora_rank",),
    "kv_lora_rank": ("kv_lora_rank",),
    "qk_nope_head_dim": ("qk_nope_head_dim",),
    "qk_rope_head_dim": ("qk_rope_head_dim",),
    "v_head_dim": ("v_head_dim",),
    "n_experts": ("n_routed_experts", "num_experts", "num_local_experts", "moe_num_experts"),
    "n_experts_per_token": ("num_experts_per_tok", "num_experts_per_token", "moe_top_k", "moe_topk", "moe_k"),
    "n_shared_experts": ("n_shared_experts", "num_shared_experts", "num_shared_expert", "moe_num_shared_experts"),
    "max_position_embeddings": ("max_position_embeddings", "n_positions", "seq_length", "max_seq_len"),
}
"""The keys of a name, transformers' usual one first; the others are of older and of models' own classes."""
_INNER = ("attn_config", "ffn_config")
"""Tables in which one family (DBRX, MPT) keeps a part of them."""
_INNER_KEYS: Mapping[str, str] = {
    "kv_n_heads": "n_kv_heads", "moe_num_experts": "n_experts", "moe_top_k": "n_experts_per_token",
    "ffn_hidden_size": "intermediate_size",
}  # fmt: skip
_SIZES = ("n_layers", "n_heads", "hidden_size", "vocab_size")
"""What every model has."""
_LARGEST = 10**9
"""No size in a config.json is larger."""


def config(document: Any, out: Observations, line: Line | None) -> bool:
    """Read a model's config.json, of a multimodal one its language model."""
    if not isinstance(document, dict):
        return False
    text = next((one for one in map(document.get, LANGUAGE) if isinstance(one, dict)), document)
    found = _sizes(text)
    if not _is_model(document, found):
        return False
    out.seen("config", line)
    for name, value in found.items():
        out.put(name, value, line)
    _attention(text, found, line, out)
    for name, keys in (("tied_embeddings", ("tie_word_embeddings",)), ("dtype", ("torch_dtype", "dtype"))):
        said = next((part[key] for part in (text, document) for key in keys if part.get(key) is not None), None)
        if isinstance(said, bool | str) and isinstance(said, bool) == (name == "tied_embeddings"):
            out.put(name, said, line)
    if "dtype" in out.series and table_of(document) is not None:
        out.trap("quantized-dtype", "dtype", line)
    missing = _missing(document, text, found)
    if missing:
        out.trap("fragment", "", line, missing=", ".join(missing))
    return True


def _sizes(text: Mapping[str, Any]) -> dict[str, int]:
    """Sizes by name. A list with one for each layer is no size."""
    found: dict[str, int] = {}
    for name, keys in _KEYS.items():
        known = next((key for key in keys if _is_size(text.get(key))), "")
        if known:
            found[name] = text[known]
    for table in _INNER:
        part = text.get(table)
        inner: dict[str, Any] = part if isinstance(part, dict) else {}
        found |= {
            name: inner[key] for key, name in _INNER_KEYS.items() if name not in found and _is_size(inner.get(key))
        }
    return found


def _is_size(value: Any) -> bool:
    return type(value) is int and 0 < value <= _LARGEST


def _is_model(document: Mapping[str, Any], found: Mapping[str, int]) -> bool:
    """Whether the sizes are a model's: named as one, or too many of them to be anything else."""
    core = sum(name in found for name in (*_SIZES, "n_kv_heads", "head_dim", "intermediate_size", "kv_lora_rank"))
    named = isinstance(document.get("model_type"), str) or isinstance(document.get("architectures"), list)
    return core >= 3 or (named and core >= 1)


def _attention(text: Mapping[str, Any], found: Mapping[str, int], line: Line | None, out: Observations) -> None:
    """Windows, the kinds of layers, and what the head dimension and the KV heads do not say."""
    switched = text.get("use_sliding_window")
    if isinstance(switched, bool):
        out.put("use_sliding_window", switched, line)
    if _is_size(text.get("sliding_window")):
        if switched is False:
            out.trap("window-off", "sliding_window", line)
        else:
            out.put("sliding_window", text["sliding_window"], line)
    kinds = text.get("layer_types")
    if isinstance(kinds, Sequence) and not isinstance(kinds, str) and kinds:
        out.put("n_full_attention_layers", sum(kind == "full_attention" for kind in kinds), line)
        out.put("n_sliding_layers", sum(kind == "sliding_attention" for kind in kinds), line)
    if "kv_lora_rank" in found:
        out.trap("mla", "n_kv_heads" if "n_kv_heads" in found else "kv_lora_rank", line)
    elif {"head_dim", "hidden_size", "n_heads"} <= found.keys():
        divided = found["hidden_size"] // found["n_heads"]
        if found["head_dim"] != divided:
            out.trap("own-head-dim", "head_dim", line, divided=divided)


def _missing(document: Mapping[str, Any], text: Mapping[str, Any], found: Mapping[str, int]) -> list[str]:
    """Keys that sizing needs and that are not there; those that transformers' defaults stand in for are not needed."""
    try:
        unsaid = [key for key in read(document).notes.split(", ") if key not in ("", "max_position_embeddings")]
    except NoValues as problem:
        if problem.reason != "missing-key":
            return []
        unsaid = [_KEYS[name][0] for name in _SIZES if name not in found]
    said = any(part.get(key) for part in (document, text) for key in ("torch_dtype", "dtype"))
    if unsaid and not said and table_of(document) is None:
        unsaid.append("dtype")
    return unsaid


def index(document: Any, out: Observations, line: Line | None) -> bool:
    """Recognise a list of the files that hold a model's tensors; it says nothing else that is needed."""
    weights = document.get("weight_map") if isinstance(document, dict) else None
    if not isinstance(weights, dict) or not weights or not isinstance(next(iter(weights.values())), str):
        return False
    out.seen("safetensors-index", line)
    return True


DOCUMENTS = (config, quantization, index)


class CutConfig(Cut):
    """A config.json that is cut off: the keys before the cut."""

    def __init__(self) -> None:
        super().__init__((config, quantization))


READERS = (CutConfig,)
