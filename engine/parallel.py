"""How a model is spread over cards: who holds which share of heads, layers and experts."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from engine.catalog import Model
from engine.formulas import registry


class Parallel(NamedTuple):
    """How a model is spread.

    Attributes:
        tp: cards that share every layer.
        pp: stages of layers, one after the other.
        ep: cards that hold different experts; 1 where tensor parallelism cuts each expert instead.
    """

    tp: int = 1
    pp: int = 1
    ep: int = 1

    def check(self, model: Model) -> None:
        """Raise ``ValueError`` for less than one card and for more stages than layers."""
        if min(self) < 1 or self.pp > model.layers:
            raise ValueError("no such spread")


ONE = Parallel()
"""A single card."""


@lru_cache(maxsize=256)  # of each model that is asked for, by the few counts of cards that are compared
def kv_heads(model: Model, tp: int) -> Fraction:
    """K and V heads on one card: shared out while there are enough, then copied (vLLM, ``get_num_kv_heads``)."""
    return registry.result("per_card", {"whole": model.kv_heads, "cards": tp})


def splits(model: Model, tp: int) -> bool:
    """Whether so many cards take as many query heads each (vLLM, ``ModelConfig.verify_with_parallel_config``)."""
    return model.heads % tp == 0


def stage_layers(layers: int, stages: int) -> tuple[int, ...]:
    """Layers of each pipeline stage: equal, what is left goes to stages before the last (vLLM, ``get_pp_indices``)."""
    counts = [layers // stages] * stages
    for extra in range(2, layers % stages + 2):
        counts[-extra] += 1
    return tuple(counts)


def fullest_stage(model: Model, pp: int) -> Fraction:
    """Share of a model's layers in the stage that has most of them."""
    return Fraction(max(stage_layers(model.layers, pp)), model.layers)
