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


_REAL = frozenset(("bytes", "bytes/s", "FLOP/s", "none", "FLOP", "width"))

SYMBOLS: Mapping[str, Symbol] = _table(
    ("B", "requests"),
    ("S used P T", "tokens"),
    ("L", "layers"),
    ("n_head n_kv_heads", "heads"),
    ("d_model d_head", "numbers"),
    ("p p_w p_from", "bytes"),  # bytes per number: 1/2 for INT4
    ("N N_linear N_rest group", "weights"),
    ("capacity budget reserve bytes_moved", "bytes"),
    ("max_len", "slots"),
    ("bs", "tokens"),
    ("b b_high b_low b_from b_to meta_bits bits_linear bits_rest", "width"),
    ("r_min r_max absmax fraction", "none"),
    ("peak_flops", "FLOP/s"),
    ("bandwidth", "bytes/s"),
    ("flops", "FLOP"),
)
"""Every symbol by name. ``p`` is bytes per number of the KV cache, ``p_w`` per weight, ``p_from`` per weight before
a change; ``bs`` is the block size, since ``B`` is the batch."""
