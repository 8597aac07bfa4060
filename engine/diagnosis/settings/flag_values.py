"""Values of flags as people write them: "0.9 default", "4 vs 2", "default 1024 (was 256)", "image=3", "16G", "on".

Each reader takes what was written and gives a typed value, or raises :class:`NotRead` with the reason. ``None`` means
that the value says nothing ("auto", "default"). Nothing is evaluated.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import islice

from engine import precision

MAX_TEXT = 200
"""Characters of a value that are kept."""
MAX_TOKENS = 10**9
"""No server has a pool, a window or a budget beyond it."""
_LONG = 256
"""Bits of a whole number that are printed or counted with."""
MAX_RANKS = 4096
MAX_BYTES = 1 << 50
ALL_LAYERS = 999
"""llama.cpp's own way to say "every layer"."""


class NotRead(ValueError):
    """A value that was not understood; ``reason`` as in :class:`engine.diagnosis.model.Unread`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def text(value: object, depth: int = 0) -> str:
    """A value as one line of text, shortened."""
    if isinstance(value, str):
        return " ".join(value[: 4 * MAX_TEXT].split())[:MAX_TEXT]
    if value is None or isinstance(value, bool):
        return "" if value is None else str(value).lower()
    if isinstance(value, int) and value.bit_length() > _LONG:
        return "a number of too many digits"
    if isinstance(value, Mapping | Sequence) and depth > 3:
        return "..."
    if isinstance(value, Mapping):
        pairs = islice(value.items(), 8)
        return ", ".join(f"{text(key, depth + 1)}={text(one, depth + 1)}" for key, one in pairs)[:MAX_TEXT]
    if isinstance(value, Sequence):
        return ", ".join(text(one, depth + 1) for one in value[:32])[:MAX_TEXT]
    return str(value)[:MAX_TEXT]


# --- one of several -------------------------------------------------------------------------------------------------

_ASIDE = r"\([^()]*\)|\[[^\[\]]*\]"
_CHANGED = r"->|=>|→|\bnow\b|\bchanged to\b|\braised to\b|\blowered to\b|\bset to\b"
_EITHER = r"\bvs\b\.?|\bversus\b|\bor\b|\band\b|\bya\b|\baur\b|/|\||;|,(?!\d{3}(?!\d))"
_AROUND = r"^(?:(?:\b(?:default(?:s|ed)?|about|approx(?:imately)?|around|only|is|to|at|of)\b|[=:~≈≥≤<>])\s*)+"
_ALWAYS = r"(?i)^(?:always|forced(?: to)?|hard-?coded(?: to)?|silently|overrid\w+(?: to| with)?)\b[\s:]*"

SILENT = frozenset(("auto", "default", "none", "null", "unset", "not set", "not given", "n/a", "na", "?", "unknown"))
"""Words that leave a setting to the engine."""


def first(value: object) -> str:
    """The one value in a text that may name several: what holds now ("256 -> 1024"), else the first ("4 vs 2")."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        value = value[0] if value else ""
    line = text(value).casefold()
    bare = re.sub(_ASIDE, " ", line).strip() or line.strip("()[] ")
    bare = re.split(_CHANGED, bare)[-1] if not bare.endswith(("->", "now")) else bare
    parts = [part.strip() for part in re.split(_EITHER, bare)]
    kept = next((part for part in parts if part), "")
    if kept in SILENT:
        return kept
    return re.sub(_AROUND, "", re.sub(_ALWAYS, "", kept)).strip(" .'\"`")


def is_forced(value: object) -> bool:
    """Whether a text says that something else decides the value ("always True when ...")."""
    return isinstance(value, str) and re.match(_ALWAYS, text(value)) is not None


# --- numbers -------------------------------------------------------------------------------------------------------

_NUMBER = r"([+-]?\d{1,18}(?:,\d{3}(?!\d)|_\d{3}(?!\d)){0,5}(?:\.\d{0,12})?)\s*((?!(?:to|se)\b)[a-z%]{0,8})(?![\d.])"
_RANGE = r"\s*(?:-|–|—|\.\.+|~|to|se)\s*\d"
"""What makes a number the low end of a range, which no setting can be."""
_THOUSANDS = {"k": 1000, "m": 10**6, "": 1}


def number(value: object) -> tuple[Fraction, str] | None:
    """The number in a value with the unit that follows it; ``None`` where the value leaves it to the engine."""
    if isinstance(value, bool):
        raise NotRead("not-a-number")
    if isinstance(value, int):
        if value.bit_length() > _LONG:
            raise NotRead("out-of-range")
        return Fraction(value), ""
    if isinstance(value, float):
        if not math.isfinite(value):
            raise NotRead("not-a-number")
        return Fraction(repr(value)), ""
    if isinstance(value, Fraction):
        return value, ""
    kept = first(value)
    if kept in SILENT:
        beside = re.search(_ASIDE, text(value))  # "default (0.9)"
        kept = first(beside[0][1:-1]) if beside else kept
    if kept in SILENT:
        return None
    found = re.match(_NUMBER, kept)
    if found is None:
        raise NotRead("not-a-number")
    if re.match(_RANGE, kept[found.end() :]):
        raise NotRead("no-one-number")
    return Fraction(found[1].replace(",", "").replace("_", "").rstrip(".")), found[2]


def _whole(value: object, low: int, high: int) -> int | None:
    found = number(value)
    if found is None:
        return None
    amount, unit = found
    if unit in _NOT_COUNTED:
        raise NotRead("unknown-unit")
    scaled = amount * (1024 if unit == "k" and amount in _BINARY else _THOUSANDS.get(unit, 1))
    if scaled.denominator != 1:
        raise NotRead("not-a-whole-number")
    if not low <= scaled <= high:
        raise NotRead("out-of-range")
    return int(scaled)


_NOT_COUNTED = frozenset("% b kb mb gb tb kib mib gib tib g t ms s sec".split())
_BINARY = frozenset(2**power for power in range(12))
"""Before "k", a power of two is meant in 1024s ("32k" is 32768), any other number in thousands ("10k")."""


def ranks(value: object) -> int | None:
    """Cards, replicas or stages."""
    return _whole(value, 1, MAX_RANKS)


def count(value: object) -> int | None:
    """A number of things, at least one."""
    return _whole(value, 1, MAX_TOKENS)


def some(value: object) -> int | None:
    """A number of things, or none."""
    return _whole(value, 0, MAX_TOKENS)


def share(value: object) -> Fraction | None:
    """A share: "0.9", "90%", "0.9 default"."""
    found = number(value)
    if found is None:
        return None
    amount, unit = found
    if unit != "%" and unit in _NOT_COUNTED:
        raise NotRead("unknown-unit")
    amount = amount / 100 if unit == "%" else amount
    if not 0 <= amount <= 1:
        raise NotRead("out-of-range")
    return amount


def positive_share(value: object) -> Fraction | None:
    """A share that is not zero."""
    found = share(value)
    if found == 0:
        raise NotRead("out-of-range")
    return found


def largest(value: object) -> int | None:
    """The largest of a list of sizes: ``[1, 2, 4]``, "1 2 4", "1,2,4"; 0 of an empty list."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        sizes = [one for one in (some(item) for item in value[:4096]) if one is not None]
        return max(sizes, default=0)
    if isinstance(value, str) and len(value) <= 4096 and re.fullmatch(r"[\s\d,;\[\]]+", value):
        if re.fullmatch(r"\d{1,2},\d{3}", value.strip()):  # "1,024" is one size
            return some(value)
        return max((int(one) for one in re.findall(r"\d{1,9}", value)), default=0)
    return some(value)


_BYTES = {
    "": 1, "b": 1, "bytes": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12,
    "kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40,
}  # fmt: skip


def size(value: object) -> Fraction | None:
    """Bytes: "16 GiB", "16G" (of 1024), 17179869184."""
    found = number(value)
    return None if found is None else in_bytes(*found)


def gibibytes(value: object) -> Fraction | None:
    """Bytes from a number that counts GiB where it has no unit: what engines mean by GB."""
    found = number(value)
    if found is None:
        return None
    amount, unit = found
    return in_bytes(amount, unit if unit in _BYTES and unit not in ("", "gb", "g") else "gib" if unit != "%" else unit)


def in_bytes(amount: Fraction, unit: str) -> Fraction:
    """Bytes of an amount; a word that only stands there ("fixed") is no unit."""
    unit = "" if unit in ("default", "fixed", "each", "per", "on", "of", "total") else unit
    if unit not in _BYTES:
        raise NotRead("unknown-unit")
    total = amount * _BYTES[unit]
    if not 0 <= total <= MAX_BYTES:
        raise NotRead("out-of-range")
    return total


# --- words ---------------------------------------------------------------------------------------------------------

_ON = frozenset("on true yes y 1 enabled enable active used set always haan chalu t".split()) | {""}
_OFF = frozenset("off false no n 0 disabled disable inactive unused never nahi nahin band bandh f not".split())


def switch(value: object) -> bool | None:
    """On or off; a bare flag (an empty text) is on."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int | float) and value in (0, 1):
        return bool(value)
    kept = first(value)
    if kept in SILENT:
        return None
    word = kept.split()[0] if kept else ""
    if word not in _ON | _OFF:
        raise NotRead("not-on-or-off")
    return word in _ON


def inverse(value: object) -> bool | None:
    """The opposite of a switch: of a flag that turns something off."""
    found = switch(value)
    return None if found is None else not found


def present(value: object) -> bool | None:
    """Whether something is used at all: a path, a name, a list; "none" and "off" are not."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, Mapping | Sequence) and not isinstance(value, str):
        return bool(value)
    if isinstance(value, int | float):
        return value > 0
    kept = first(value)
    if kept in ("auto", "default", "unset", "unknown", "?"):
        return None
    return kept not in _OFF | SILENT


_UNQUANTIZED = frozenset(("none", "null", "auto", "default", "", "false", "no", "off", "unquantized", "hf"))
_SCHEMELESS = frozenset(
    ("compressed-tensors", "compressed_tensors", "modelopt", "gguf", "quark", "torchao", "inc", "marlin", "auto")
)
"""Ways of quantizing that name no number format: the checkpoint says it."""
_TGI = {
    "bitsandbytes": "int8", "eetq": "int8", "bitsandbytes-nf4": "nf4", "bitsandbytes-fp4": "nf4",
}  # fmt: skip


def weights(value: object) -> precision.Format | None:
    """The format that a way of quantizing, or a number format, names; ``None`` where it names none."""
    if isinstance(value, bool) or value is None:
        return None
    kept = first(value)
    if kept in _UNQUANTIZED or kept in _SCHEMELESS:
        return None
    return _format(kept)


def weights_tgi(value: object) -> precision.Format | None:
    """The same for TGI, where "bitsandbytes" is 8-bit."""
    kept = first(value)
    return _format(_TGI[kept]) if kept in _TGI else weights(value)


def _format(name: str) -> precision.Format:
    words = [word for word in name.replace("fp8_e4m3fn", "fp8").split() if word not in _SCHEMELESS]
    for tried in (name, *words[:3]):
        try:
            return precision.find(tried)
        except precision.UnknownFormat:
            continue
    raise NotRead("unknown-format")


def kv(value: object) -> str | None:
    """The name of a format that a KV cache is kept in; ``None`` for "auto"."""
    kept = first(value).removeprefix("torch.")
    if kept in SILENT:
        return None
    name = _KV.get(kept, kept)
    for tried in (name, *name.split()[:1]):
        try:
            found = precision.find(tried).name
            precision.kv_layout(found)
        except precision.UnknownFormat:
            continue
        return found
    raise NotRead("unknown-format")


_KV = {
    "8": "int8", "4": "int4", "q8": "q8_0", "q4": "q4_0", "fp8_e4m3fn": "fp8", "fp8_ds_mla": "fp8", "fp8_inc": "fp8",
    "fp8_e4m3fnuz": "fp8", "16": "bf16", "int8_per_token_head": "int8", "fp8_per_token_head": "fp8",
}  # fmt: skip
