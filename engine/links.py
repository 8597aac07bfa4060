"""Links between cards and to the host: their bandwidth one way, what crosses them in a step, and how long that takes.

Data sheets print NVLink as both directions together; every bandwidth here is one way.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import Literal, NamedTuple

from engine.catalog import Gpu
from engine.efficiency import IDEAL, Band, band
from engine.formulas.registry import Value, result

Kind = Literal["nvlink", "fabric", "pcie", "unified", "ram"]

_TRANSFERS = {1: "2.5", 2: "5", 3: "8", 4: "16", 5: "32", 6: "64"}
"""GT/s a lane, PCI-SIG base specifications."""
_ENCODING = {1: Fraction(8, 10), 2: Fraction(8, 10), 3: Fraction(128, 130), 4: Fraction(128, 130),
             5: Fraction(128, 130), 6: Fraction(242, 256)}  # fmt: skip
"""What is left of a transfer after line coding (6.0: of a flit of 256 bytes)."""

_PCIE = re.compile(r"([1-6])(?:\.\d)?(?:\s*x\s*(\d{1,2}))?")
_FABRIC = re.compile(r"(?:infinity fabric|xgmi)\D{0,10}(\d+(?:\.\d+)?) ?GB/s", re.IGNORECASE)

BRIDGE = 300 * 10**9
"""NVLink under this (both directions) is a bridge of two cards: RTX 100-112.5, A30 200; V100 SXM2 has 300."""

_NVLINK_SHARE = band(
    "0.60", "0.75", "0.85", "assumed", "large all-reduces of NCCL reach 0.7 to 0.85 of a data sheet's NVLink"
)
_PCIE_SHARE = band(
    "0.60", "0.80", "0.87", "assumed", "pinned copies reach 0.8 to 0.85; less where cards talk through the host"
)
_NVLINK_HOP = band(
    "0.000004", "0.000008", "0.000018", "fit",
    "probe.md section 5: gpt-fast, A100, 7B: 1397 to 704 GB/s a card at TP8 leaves 4 us an all-reduce beyond the fixed "
    "time of a step, 18 us without it",
)  # fmt: skip
_PCIE_HOP = band(
    "0.000015", "0.00003", "0.00006", "assumed", "an all-reduce through host memory; no public set of ours"
)
_NO_HOP = band("0", "0", "0", "exact", "one memory")


class Link(NamedTuple):
    """A link.

    Attributes:
        kind: NVLink, AMD's fabric, PCIe, one memory for both sides, or a processor's own memory.
        bandwidth: bytes a second one way; ``None`` where a unified memory has no link to cross.
        share: what of it is reached.
        hop: seconds that one all-reduce costs whatever its size.
        source: where the bandwidth comes from.
    """

    kind: Kind
    bandwidth: Fraction | None
    share: Band
    hop: Band
    source: str


def pcie(text: str) -> Fraction:
    """Bytes a second one way of a PCIe slot: "4.0 x16", "gen5 x8", "PCIe 3"; 16 lanes where none are named.

    Raises ``ValueError`` for text that names no generation or a width that does not exist.
    """
    found = _PCIE.fullmatch(re.sub(r"^(pcie|pci-e|gen|\s)+", "", text.strip().lower()).strip())
    if found is None or int(found[2] or 16) not in (1, 2, 4, 8, 12, 16):
        raise ValueError(text)
    generation, lanes = int(found[1]), int(found[2] or 16)
    return Fraction(_TRANSFERS[generation]) * 10**9 / 8 * _ENCODING[generation] * lanes


def pcie_link(text: str) -> Link:
    """A PCIe slot as a link. Raises ``ValueError`` as :func:`pcie` does."""
    return Link("pcie", pcie(text), _PCIE_SHARE, _PCIE_HOP, f"PCIe {text.strip()}")


@lru_cache(maxsize=256)  # links are read out of texts; each card is asked for a few counts and kinds
def between(gpu: Gpu, cards: int = 2, kind: Kind | None = None) -> Link | None:
    """The link between ``cards`` of a kind of GPU: the fastest that they can have, or the named kind.

    A bridge joins two; more than two cards of that kind talk over PCIe. Whether a bridge is plugged in and whether a
    box has a switch, only ``nvidia-smi topo -m`` tells. ``None`` where the catalogue knows no such link.
    """
    bridged = gpu.nvlink is not None and (gpu.nvlink < BRIDGE or "bridge" in (gpu.link or "").lower())
    if gpu.nvlink is not None and kind in (None, "nvlink") and not (bridged and cards > 2):
        return Link("nvlink", Fraction(gpu.nvlink, 2), _NVLINK_SHARE, _NVLINK_HOP, gpu.source)
    fabric = _FABRIC.search(gpu.link or "")
    if fabric is not None and kind in (None, "fabric"):
        return Link("fabric", Fraction(fabric[1]) * 10**9 / 2, _NVLINK_SHARE, _NVLINK_HOP, gpu.source)
    return _slot(gpu) if kind in (None, "pcie") else None


@lru_cache(maxsize=256)
def to_host(gpu: Gpu) -> Link | None:
    """The link to the host's memory; ``None`` where the catalogue has none."""
    if "unified" in (gpu.link or ""):
        return Link("unified", None, _PCIE_SHARE, _NO_HOP, gpu.source)
    return _slot(gpu)


HOST_MEMORY = Link(
    "ram", Fraction(64 * 10**9),
    band("0.45", "0.75", "0.90", "assumed", "two channels of DDR4-3200 to DDR5-6000: 51 to 96 GB/s; servers have more"),
    _NO_HOP, "two channels of memory, nobody said which",
)  # fmt: skip
"""A processor's own memory: what bounds layers that it computes itself (llama.cpp without ``-ngl``). They cross no
slot in a decode step; only the activations of their border do, which are nothing beside it."""


def _slot(gpu: Gpu) -> Link | None:
    return pcie_link(gpu.pcie) if gpu.pcie else None


class Crossing(NamedTuple):
    """What one step sends over a link: bytes that each card sends, and how often all wait for each other."""

    bytes_sent: Fraction
    hops: int


def tensor_parallel(layers: int, d_model: int, tokens: int, cards: int, p_act: Value = 2) -> Crossing:
    """What tensor parallelism sends in a step of ``tokens``: two all-reduces of the activations a layer.

    Raises ``ValueError`` for less than one card.
    """
    if cards < 1:
        raise ValueError("cards must be at least 1")
    if cards == 1:
        return Crossing(Fraction(0), 0)
    shape: dict[str, Value] = {"L": layers, "d_model": d_model, "q_tokens": tokens, "cards": cards, "p_act": p_act}
    return Crossing(result("tensor_parallel_bytes", shape), 2 * layers)


def experts(layers: int, d_model: int, tokens: int, active: int, cards: int, p_act: Value = 2) -> Crossing:
    """What experts spread whole over cards send in a step of ``tokens``: each token to the cards of its experts and
    back, in each of the layers that have them; all but the part that stays on its own card.

    Raises ``ValueError`` for less than one card.
    """
    if cards < 1:
        raise ValueError("cards must be at least 1")
    copies = tokens * min(active, cards)
    one = (
        result("activation_bytes", {"q_tokens": copies, "d_model": d_model, "p_act": p_act}) if copies else Fraction(0)
    )
    return Crossing(2 * layers * one * Fraction(cards - 1, cards), 2 * layers if cards > 1 else 0)


def pipeline(d_model: int, tokens: int, stages: int, p_act: Value = 2) -> Crossing:
    """What a pipeline sends in a step of ``tokens``, all stages together: the activations, once a border.

    Raises ``ValueError`` for less than one stage.
    """
    if stages < 1:
        raise ValueError("stages must be at least 1")
    if stages == 1:
        return Crossing(Fraction(0), 0)
    one = result("activation_bytes", {"q_tokens": tokens, "d_model": d_model, "p_act": p_act})
    return Crossing((stages - 1) * one, stages - 1)


def ideal(link: Link | None) -> Link | None:
    """A link as its data sheet has it: all of the bandwidth, no waiting."""
    return None if link is None else link._replace(share=IDEAL.weights, hop=IDEAL.layer_time)


def seconds(link: Link, bytes_sent: Value, hops: int = 0) -> Band:
    """How long a link needs for ``bytes_sent`` and ``hops`` waits, with its band."""
    share, hop = link.share, link.hop
    ends = ((share.high, hop.low), (share.mid, hop.mid), (share.low, hop.high))
    low, mid, high = (seconds_at(link, bytes_sent, hops, *end) for end in ends)
    return Band(low, mid, high, share.basis, share.source)


def seconds_at(link: Link, bytes_sent: Value, hops: int, share: Fraction, hop: Fraction) -> Fraction:
    """The same where the link reaches this share of its bandwidth and a wait takes so long (formula ``link_time``)."""
    if link.bandwidth is None:
        return Fraction(0)
    given: dict[str, Value] = {
        "link_bytes": bytes_sent, "link_bandwidth": link.bandwidth, "link_efficiency": share,
        "hops": hops, "hop_time": hop,
    }  # fmt: skip
    return result("link_time", given)
