"""One way to serve a model, and what stands against it under any load: no kernel, no link, heads that cannot share."""

from __future__ import annotations

from typing import Literal, NamedTuple

from engine import links
from engine.catalog import Gpu, Model
from engine.parallel import splits
from engine.precision import Format
from engine.support import runs

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


def has_rules_of_its_own(gpu: Gpu) -> bool:
    """Whether vLLM's memory rule (a share of the card, taken whole) is not that of the engines on such a card.

    CUDA and ROCm cards run vLLM; Apple chips run llama.cpp or MLX, and the others an engine of their maker's.
    """
    return gpu.vendor not in ("NVIDIA", "AMD")
