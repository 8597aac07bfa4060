"""Number formats as people write them, beyond the names of :mod:`engine.precision`: "AWQ 4-bit", "3.5bpw", "IQ3_M"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from engine import precision
from engine.precision import LINEAR, Format, Layout, UnknownFormat

BITS_SOURCE = "bits a weight, metadata in: matrices inside the layers"
"""``Format.source`` of a format made from a figure of bits."""


class Written(NamedTuple):
    """A format as it was read.

    Attributes:
        form: the format.
        assumed: whether it only comes near what was written.
        act_order: whether the text says that a GPTQ checkpoint was made with act-order.
    """

    form: Format
    assumed: bool = False
    act_order: bool = False


class NotAFormat(LookupError):
    """``reason``: "unknown-format", or "two-formats"."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


_BITS = re.compile(r"(?<![\w.])(\d{1,2}(?:\.\d{1,4})?)\s?(?:bpw\b|bits? (?:per|a) weight)")
_ACT_ORDER = re.compile(r"\b(?:no |without )?(?:act[-_ ]?order|desc[-_ ]?act)\b")
_NOTE = re.compile(r"\([^()]*\)")
_WORD = re.compile(r"[a-z0-9_.+-]+")
_GGUF: Mapping[str, str] = {  # bits a weight over the layers: llama.cpp, tools/quantize
    "iq1_s": "1.56", "iq1_m": "1.75", "tq1_0": "1.69", "tq2_0": "2.06", "iq2_xxs": "2.06", "iq2_xs": "2.31",
    "iq2_s": "2.5", "iq2_m": "2.7", "iq3_xxs": "3.06", "iq3_xs": "3.3", "iq3_s": "3.44", "iq3_m": "3.66",
}  # fmt: skip
_NEAR: Mapping[str, str] = {  # mixes of the same blocks that differ in a few tensors
    "q2_k_s": "q2_k", "q2_k_l": "q2_k", "q2_k_xl": "q2_k", "q3_k_s": "q3_k_m", "q3_k_l": "q3_k_m", "q3_k_xl": "q3_k_m",
    "q4_k_l": "q4_k_m", "q4_k_xl": "q4_k_m", "q5_k_l": "q5_k_m", "q5_k_xl": "q5_k_m", "q6_k_l": "q6_k",
    "q6_k_xl": "q6_k", "q8_k_xl": "q8_0", "q8": "q8_0",
    "q4": "q4_k_m", "q5": "q5_k_m", "q6": "q6_k", "q3": "q3_k_m", "q2": "q2_k",
}  # fmt: skip
_TOO_SHORT = frozenset("4 8 16 sq single half marlin".split())
"""Names of formats that are other words too; they count only where they are all that is written."""
_FAMILIES: tuple[frozenset[str], ...] = (
    frozenset(("awq", "gptq", "int4", "w4a16", "w4a16-g32", "int4-g32", "int4-g64", "nf4", "nf4-double")),
    frozenset(("bf16", "fp16")), frozenset(("fp8", "fp8-row", "fp8-tile")), frozenset(("int8", "w8a8")),
    frozenset(("nvfp4", "mxfp4", "fp4-experts")),
)  # fmt: skip
"""Formats of one family may be named side by side ("awq 4-bit"); then the one named by its method is meant."""
_GENERAL = frozenset(("int4", "int8", "bf16", "fp8", "nvfp4"))


@lru_cache(maxsize=256)
def read(text: str) -> Written:
    """The format of weights that a text names.

    Raises ``NotAFormat``.
    """
    lower = text.lower()
    plain = " ".join(_NOTE.sub(" ", lower).split())
    order = _ACT_ORDER.search(lower)
    act_order = order is not None and not order[0].startswith(("no ", "without "))
    if order is not None:
        plain = _ACT_ORDER.sub(" ", plain)
    for one in (lower, plain):
        form = _exact(one.strip(" ,;"))
        if form is not None:
            return Written(form, act_order=act_order)
    bits = _BITS.search(lower)
    if bits is not None and 1 <= Fraction(bits[1]) <= 16:
        return Written(of_bits(Fraction(bits[1])), True, act_order)
    return _among_words(plain, act_order)


def _exact(text: str) -> Format | None:
    try:
        return precision.find(text)
    except UnknownFormat:
        return None


def of_bits(bits: Fraction) -> Format:
    """A weight-only format of so many bits, as exllama and llama.cpp count them: scales in, tables and head at 16."""
    whole = int(bits)
    layout = Layout(f"{float(bits):g}bpw", whole, bits - whole, 1)
    kinds = tuple((kind, layout) for kind in precision.KINDS if kind in LINEAR)
    return Format(layout.name, kinds, "16-bit", True, None, BITS_SOURCE)


def _among_words(text: str, act_order: bool) -> Written:
    """A format among other words: the longest runs of words that name one; two different ones are none."""
    words = _WORD.findall(text)[:12]
    found: list[Written] = []
    at = 0
    while at < len(words):
        for size in range(min(3, len(words) - at), 0, -1):
            one = _run(words[at : at + size])
            if one is not None:
                found.append(one)
                at += size
                break
        else:
            at += 1
    if not found:
        raise NotAFormat("unknown-format")
    names = {one.form.name for one in found}
    if len(names) == 1:
        return found[0]._replace(act_order=act_order)
    if names == {"gptq", "int8"}:  # a GPTQ checkpoint of 8 bits
        return next(one for one in found if one.form.name == "int8")._replace(act_order=act_order)
    if not any(names <= family for family in _FAMILIES):
        raise NotAFormat("two-formats")
    special = [one for one in found if one.form.name not in _GENERAL]
    several = len({one.form.name for one in special}) > 1
    return special[0]._replace(act_order=act_order, assumed=several or special[0].assumed)


def _run(words: list[str]) -> Written | None:
    joined = " ".join(words).removeprefix("ud-").replace("-", "_") if len(words) == 1 else " ".join(words)
    if joined in _TOO_SHORT:
        return None
    if joined in _GGUF:
        return Written(of_bits(Fraction(_GGUF[joined])), True)
    form = _exact(_NEAR.get(joined, joined))
    if form is None and len(words) == 1:
        form = _exact(words[0])
    return None if form is None else Written(form, joined in _NEAR)


@lru_cache(maxsize=64)
def read_kv(text: str) -> str:
    """The name of a KV cache's format: "fp8_e4m3" is "fp8", "f16" "fp16". Raises ``NotAFormat``."""
    plain = " ".join(_NOTE.sub(" ", text.lower()).split())
    if plain in ("auto", "default"):
        return "auto"
    name = read(plain).form.name
    try:
        precision.kv_layout(name)
    except UnknownFormat:
        raise NotAFormat("unknown-format") from None
    return name
