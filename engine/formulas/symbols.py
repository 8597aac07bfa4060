"""The symbols of the formulas: what each counts and in which unit it is given.

Words for a meaning are content's, under the symbol's name. A value is given in the unit named here; inside the
engine all are base units already, since every unit here is one.
"""

from collections.abc import Mapping
from typing import NamedTuple


class Symbol(NamedTuple):
    """A symbol: its printed name, the unit of its values, and whether they are whole numbers."""

    name: str
    unit: str
    whole: bool = True


def _table(*rows: tuple[str, str]) -> dict[str, Symbol]:
    return {name: Symbol(name, unit, unit not in _REAL) for names, unit in rows for name in names.split()}


_REAL = frozenset(("bytes", "bytes/s", "FLOP/s", "none", "FLOP", "width", "FLOP/byte", "s", "tokens/s"))

SYMBOLS: Mapping[str, Symbol] = _table(
    ("B", "requests"),
    ("S used P T", "tokens"),
    ("L L_index", "layers"),
    ("n_head n_kv_heads", "heads"),
    ("d_model d_head", "numbers"),
    ("p p_w p_from", "bytes"),  # bytes per number: 1/2 for INT4
    ("N N_linear N_rest group", "weights"),
    ("capacity budget reserve bytes_moved", "bytes"),
    ("activation non_torch graphs page p_state index_scale", "bytes"),
    ("positions batched_tokens", "tokens"),
    ("latent rope_dim index_dim state conv vocab ffn groups", "numbers"),
    ("index_pool", "tokens"),
    ("max_seqs", "requests"),
    ("need", "blocks"),
    ("group_layers", "layers"),
    ("part whole reserved_share internal_share external_share", "none"),
    ("max_len", "slots"),
    ("bs", "tokens"),
    ("b b_high b_low b_from b_to meta_bits bits_linear bits_rest", "width"),
    ("r_min r_max absmax fraction", "none"),
    ("peak_flops", "FLOP/s"),
    ("bandwidth", "bytes/s"),
    ("flops", "FLOP"),
    ("q_tokens context", "tokens"),
    ("pairs d_key d_value d_in d_out n_experts top_k", "numbers"),
    ("p_act link_bytes", "bytes"),
    ("intensity", "FLOP/byte"),
    ("memory_efficiency compute_efficiency link_efficiency measured predicted arrival_rate price_per_hour", "none"),
    ("step_time prefill_time queue_time layer_time hop_time latency time_before time_after", "s"),
    ("link_bandwidth", "bytes/s"),
    ("token_rate", "tokens/s"),
    ("cards", "cards"),
    ("stages micro_batches hops", "numbers"),
)
"""Every symbol by name. ``p`` is bytes per number of the KV cache, ``p_w`` per weight, ``p_from`` per weight before
a change; ``bs`` is the block size, since ``B`` is the batch."""
