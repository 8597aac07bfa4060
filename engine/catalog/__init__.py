"""GPUs and models by name, from data files: read once, when first asked for."""

from engine.catalog.entries import AmbiguousName, Gpu, Hybrid, Linear, Mla, Model, Moe, NoValues, UnknownName
from engine.catalog.lookup import gpu, gpus, model, models
from engine.catalog.values import KV_SYMBOLS, formula_values

__all__ = [
    "KV_SYMBOLS", "AmbiguousName", "Gpu", "Hybrid", "Linear", "Mla", "Model", "Moe", "NoValues", "UnknownName",
    "formula_values", "gpu", "gpus", "model", "models",
]  # fmt: skip
