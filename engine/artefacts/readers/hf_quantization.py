"""How a checkpoint is quantized: the table of config.json, that table alone, or a small file that a tool wrote."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.artefacts.model import Observations
from engine.artefacts.text import Line
from engine.config import LANGUAGE

_TABLES = ("quantization_config", "compression_config")
_BITS = ("bits", "w_bit", "nbits")
_LOADED = {"load_in_4bit": 4, "load_in_8bit": 8}
_GROUP = ("group_size", "q_group_size")
_KEPT = ("modules_to_not_convert", "ignore", "exclude_modules", "llm_int8_skip_modules")
_METHOD_NEEDS = frozenset((
    *_BITS, *_LOADED, *_GROUP, *_KEPT, "config_groups", "quant_algo", "weight_block_size", "activation_scheme",
    "format", "quant_config", "quant_type", "nbits_per_codebook", "weights", "fmt",
))  # fmt: skip
"""What stands beside ``quant_method``; that key alone could be anybody's."""
_TOOLS = (frozenset(("w_bit", "q_group_size")), frozenset(("bits", "group_size", "desc_act")))
"""Files that AutoAWQ and AutoGPTQ wrote beside config.json before it had the table."""

Table = Mapping[str, Any]


def quantization(document: Any, out: Observations, line: Line | None) -> bool:
    """Read the table; whether there is one."""
    table = table_of(document)
    if table is None or not isinstance(document, dict):
        return False
    out.seen("quantization", line)
    _read(table, document, line, out)
    if "config" not in out.kinds:
        out.trap("fragment", "", line, missing="num_hidden_layers, hidden_size, num_attention_heads")
    return True


def table_of(document: Any) -> Table | None:
    """The table of a config.json, of its language model, or the document itself where it is one."""
    if not isinstance(document, dict):
        return None
    for part in (document, *(document.get(key) for key in LANGUAGE)):
        held = [part.get(name) for name in _TABLES] if isinstance(part, dict) else []
        found = next((one for one in held if isinstance(one, dict) and one), None)
        if found is not None:
            return found
    if "quant_method" in document and _METHOD_NEEDS & document.keys():
        return document
    if any(keys <= document.keys() for keys in _TOOLS):
        return document
    own = document.get("quantization")  # of modelopt's hf_quant_config.json
    return own if isinstance(own, dict) and "quant_algo" in own else None


def _read(table: Table, document: Table, line: Line | None, out: Observations) -> None:
    producer = document.get("producer")
    method = table.get("quant_method") or (producer.get("name") if isinstance(producer, dict) else None)
    if isinstance(method, str):
        out.put("quantization_method", method, line)
    for part in _parts(table):
        for name, keys in (("quantization_bits", (*_BITS, "num_bits")), ("quantization_group_size", _GROUP)):
            value = next((part[key] for key in keys if type(part.get(key)) is int), None)
            if value is not None and abs(value) <= 10**6:
                out.put(name, value, line)
    for key, bits in _LOADED.items():
        if table.get(key) is True:
            out.put("quantization_bits", bits, line)
    if isinstance(table.get("zero_point"), bool):
        out.put("quantization_zero_point", table["zero_point"], line)
    kept = next((table[key] for key in _KEPT if isinstance(table.get(key), list) and table[key]), None)
    if kept is not None and all(isinstance(one, str) for one in kept):
        out.put("modules_not_quantized", tuple(kept), line)
        out.trap("not-all-quantized", "modules_not_quantized", line, count=len(kept))


def _parts(table: Table) -> Iterator[Table]:
    """Where bits and groups stand: in the table, with HQQ in a table of it, with compressed-tensors in the weights of
    each group of layers."""
    yield table
    groups = table.get("config_groups")
    held = list(groups.values()) if isinstance(groups, dict) else []
    for one in (table.get("quant_config"), *held):
        inner = (one.get("weights") or one.get("weight_quant_params")) if isinstance(one, dict) else None
        if isinstance(inner, dict):
            yield inner
