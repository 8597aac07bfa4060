"""The catalogue's doors: an entry by any of its names. The files are read when first asked for."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from engine.catalog.entries import Gpu, Hybrid, Linear, Mla, Model, Moe
from engine.catalog.names import Names

_FOLDER = Path(__file__).parent


class _Gpus(NamedTuple):
    names: Names
    entries: dict[str, Gpu]


class _Models(NamedTuple):
    names: Names
    entries: dict[str, Model]


def gpu(name: str) -> Gpu:
    """The GPU that a name means: "T4", "nvidia a100 sxm 80 gb", "4090".

    Raises:
        AmbiguousName: "A100" is four cards.
        UnknownName: none is called so, or not with that much memory.
    """
    table = _gpus()
    return table.entries[table.names.find(name).name]


def model(name: str) -> Model:
    """The model that a name means: "llama-2-7b", "Qwen/Qwen3-8B". A quantization behind the name ("-AWQ") becomes the
    model's ``dtype``, since its weights are no longer those of the entry.

    Raises:
        AmbiguousName: "llama-3" is two models.
        UnknownName: none is called so.
    """
    table = _models()
    found = table.names.find(name)
    entry = table.entries[found.name]
    return entry._replace(dtype=found.quantization) if found.quantization else entry


def gpus() -> tuple[Gpu, ...]:
    """Every GPU, in the order of the file."""
    return tuple(_gpus().entries.values())


def models() -> tuple[Model, ...]:
    """Every model, in the order of the file."""
    return tuple(_models().entries.values())


@cache
def _gpus() -> _Gpus:
    data = _read("gpus.json")
    entries = {row["name"]: _gpu(row) for row in data["gpus"]}
    gigabytes = {row["name"]: row["memory_gb"] for row in data["gpus"]}
    return _Gpus(Names({name: entry.aliases for name, entry in entries.items()}, data["ambiguous"], gigabytes), entries)


@cache
def _models() -> _Models:
    data = _read("models.json")
    entries = {row["id"]: _model(row) for row in data["models"]}
    return _Models(Names({name: entry.aliases for name, entry in entries.items()}, data["ambiguous"], {}), entries)


def _read(name: str) -> Any:
    import json

    return json.loads((_FOLDER / name).read_text(encoding="utf-8"), parse_float=Fraction)


def _scaled(row: dict[str, Any], key: str, factor: int) -> int | None:
    """A number of the file in base units, exactly; ``None`` where the file has none."""
    return int(row[key] * factor) if key in row else None


def _gpu(row: dict[str, Any]) -> Gpu:
    return Gpu(
        row["name"], row["vendor"], row["architecture"], row.get("capability"),
        row["memory_gb"] * 10**9, row.get("visible_bytes"), int(row["bandwidth_gbps"] * 10**9),
        _scaled(row, "fp16_tflops", 10**12), _scaled(row, "fp8_tflops", 10**12),
        _scaled(row, "int8_tops", 10**12), _scaled(row, "fp4_tflops", 10**12),
        _scaled(row, "cache_mb", 10**6), _scaled(row, "nvlink_gbps", 10**9), row.get("pcie"), row.get("link"),
        row["evidence"], row["source"], row.get("confirmed"), row.get("notes", ""), tuple(row.get("aliases", ())),
    )  # fmt: skip


def _model(row: dict[str, Any]) -> Model:
    return Model(
        row["id"], row["params"], row.get("active"), row.get("matmul"), row["layers"], row["d_model"],
        row["heads"], row["kv_heads"], row["head_dim"], row["ffn"], row["vocab"], row["context"], row["tied"],
        row["attention"], row.get("window"), row["full_layers"], row["sliding_layers"],
        mla(row["mla"]) if "mla" in row else None,
        moe(row["moe"]) if "moe" in row else None,
        _hybrid(row["hybrid"]) if "hybrid" in row else None,
        row["dtype"], row.get("cannot_size"), row.get("published"), row["evidence"], row["source"],
        row.get("notes", ""), tuple(row.get("aliases", ())),
        row["family"], row.get("qkv_bias"), row.get("qk_norm"),
    )  # fmt: skip


def mla(fields: Mapping[str, Any]) -> Mla:
    """Latent attention from the keys of config.json."""
    return Mla(
        fields["kv_lora_rank"], fields["qk_rope_head_dim"], fields.get("q_lora_rank"),
        fields["qk_nope_head_dim"], fields["v_head_dim"],
        fields.get("index_head_dim", 0), fields.get("index_layers"), fields.get("index_heads", 0),
        fields.get("index_pool", 1), fields.get("index_topk"),
    )  # fmt: skip


def moe(fields: Mapping[str, Any]) -> Moe:
    """Experts from the catalogue's keys."""
    return Moe(
        fields["n_experts"], fields["top_k"], fields["ff"], fields.get("shared_ff", 0),
        fields.get("dense_layers", fields.get("first_dense_layers", 0)), fields.get("dense_ff"),
        fields.get("gated", True), fields.get("expert_hidden_size"),
    )  # fmt: skip


def _hybrid(fields: Mapping[str, Any]) -> Hybrid:
    linear = Linear(
        fields.get("linear_layers", 0), fields.get("conv_kernel"),
        fields.get("linear_key_heads"), fields.get("linear_key_head_dim"),
        fields.get("linear_value_heads", fields.get("linear_heads")),
        fields.get("linear_value_head_dim", fields.get("linear_head_dim")),
        fields.get("groups"), fields.get("state_size"),
    )  # fmt: skip
    return Hybrid(
        fields["kind"], fields["state_elements_per_sequence"], fields["conv_state_elements_per_sequence"], linear,
        fields.get("no_attention_layers", 0),
        tuple((int(width), layers) for width, layers in fields.get("ffn_sizes_and_layer_counts", {}).items()),
        fields.get("p_state", 4),
    )  # fmt: skip
