"""The catalogue's doors: an entry by any of its names. The files are read when first asked for."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from engine.catalog.entries import Gpu, Hybrid, Mla, Model, Moe
from engine.catalog.names import Names

_FOLDER = Path(__file__).parent
Part = TypeVar("Part")


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
        _part(Mla, row.get("mla"), "kv_lora_rank", "qk_rope_head_dim"),
        _part(Moe, row.get("moe"), "n_experts", "top_k"),
        _part(Hybrid, row.get("hybrid"), "kind", "state_elements_per_sequence", "conv_state_elements_per_sequence"),
        row["dtype"], row.get("cannot_size"), row.get("published"), row["evidence"], row["source"],
        row.get("notes", ""), tuple(row.get("aliases", ())),
    )  # fmt: skip


def _part(kind: Callable[..., Part], fields: dict[str, Any] | None, *keys: str) -> Part | None:
    return kind(*(fields[key] for key in keys)) if fields else None
