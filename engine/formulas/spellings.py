"""Names that programs and people give to the symbols of the formulas: "batch_size" is B."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.formulas.symbols import SYMBOLS

_SPELLINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "B": ("batch", "batch_size", "batchsize", "bsz"),
    "S": ("seq", "seq_len", "seqlen", "seq_length", "sequence_length", "context_length", "tokens", "n_tokens"),
    "L": ("layers", "n_layers", "n_layer", "num_layers", "num_hidden_layers"),
    "d_model": ("hidden", "hidden_size", "hidden_dim"),
    "p": ("bytes", "dtype_bytes", "bytes_per_number", "bytes_per_param", "dtype_size"),
    "n_head": ("heads", "n_heads", "num_heads", "num_attention_heads"),
    "n_kv_heads": ("kv_heads", "num_kv_heads", "num_key_value_heads"),
    "d_head": ("head_dim", "head_size"),
}
_UNITS: Final = frozenset(("tokens", "layers", "bytes", "heads"))
"""Spellings that are units: they name a symbol only where no other symbol counts the same."""


def all_of(named: Mapping[str, str]) -> Mapping[str, str]:
    """Spelling -> symbol: those that a question names, and the usual ones of its symbols, which name nothing else."""
    asked = dict.fromkeys(named.values())
    units = [SYMBOLS[name].unit for name in asked if name in SYMBOLS]
    more = {
        spelling: symbol
        for symbol in asked
        for spelling in _SPELLINGS.get(symbol, ())
        if spelling not in _UNITS or units.count(SYMBOLS[symbol].unit) == 1
    }
    return {**more, **named}
