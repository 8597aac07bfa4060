"""What a formula's value says of itself: which way its factor goes, whether it is the most, the mean, a width.

An answer may repeat that in words ("17 times wider", "maximum 37"); the reader drops what is the question's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from engine.formulas import registry
from engine.reader.names import Names

SENSES: Mapping[str, tuple[str, ...]] = {
    "step_ratio": ("larger",),
    "symmetric_step_ratio": ("larger",),
    "density_gain": ("larger",),
    "precision_shrink": ("smaller",),
    "decode_speedup": ("faster",),
    "max_requests": ("most",),
    "extra_requests": ("most",),
    "pool_requests": ("most",),
    "paged_sessions": ("most",),
    "naive_sessions": ("most",),
    "worst_slack": ("at-most",),
    "worst_share": ("at-most",),
    "paged_waste_bound": ("at-most",),
    "mean_slack": ("mean",),
    "quant_step": ("wide",),
    "symmetric_step": ("wide",),
}
"""Formula -> its senses; formulas derived from it share them."""

SPELLED: Mapping[str, tuple[str, ...]] = {
    "bs": ("block_size", "blocksize", "block"),
    "B": ("batch_size",),
    "S": ("seq_len", "sequence_length"),
    "L": ("num_layers", "n_layers"),
    "p": ("bytes_per_number",),
    "d_model": ("d", "dmodel", "hidden_size", "hidden"),
    "max_len": ("max_length", "maxlen"),
    "kv_cache": ("kv", "KV"),
    "kv_per_request": ("kv", "KV", "per_request"),
}
"""Further spellings of symbols, as learners write them in a formula."""


@lru_cache(maxsize=256)
def names(formula: str, given: tuple[str, ...], shares: bool) -> Names:
    """What the words of an answer may name, for a question with these givens."""
    below = registry.all_references(formula)
    symbols = {*given, *below} - {formula, family(formula)}
    spelled = {name for symbol in symbols for name in SPELLED.get(symbol, ())}
    return Names(known=symbols | spelled, echoes=SENSES.get(family(formula), ()), parts=shares)


def family(formula: str) -> str:
    """The formula that a formula derives from; itself, if it was declared."""
    origin = registry.base(formula)
    return origin[0] if origin else formula
