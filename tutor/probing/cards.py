"""Which cards this machine has and what they do now, without torch: asked of the driver's own programs.

What a driver does not tell is ``None``, never zero: WSL lists no processes, a MIG slice has no utilization, and a
container sees its own processes alone.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, NamedTuple

Vendor = Literal["nvidia", "amd", "apple"]

PATIENCE = 3.0
"""Seconds that a driver's program may take; one that hangs is a driver that hangs."""
MIB = 2**20
_WSL = "/usr/lib/wsl/lib/nvidia-smi"
"""Where Windows puts it for Linux, often on no PATH."""


class Other(NamedTuple):
    """A process on a card: its number, its name, bytes that it holds."""

    pid: int
    name: str
    bytes: int | None


class Card(NamedTuple):
    """One card.

    Attributes:
        vendor: who made it.
        name: as its driver calls it; "" where nobody tells.
        number: its place in the driver's order, which is that of the bus.
        uuid: its name for CUDA_VISIBLE_DEVICES; "" where it has none.
        total, free: bytes of its memory.
        others: processes that compute on it; ``None`` where the driver does not tell.
        utilization: percent of the last moment.
        driver: its version.
        slices: whether it is cut into MIG slices.
    """

    vendor: Vendor
    name: str
    number: int = 0
    uuid: str = ""
    total: int | None = None
    free: int | None = None
    others: tuple[Other, ...] | None = None
    utilization: int | None = None
    driver: str = ""
    slices: bool = False

    @property
    def used(self) -> int | None:
        """Bytes that are taken."""
        return None if self.total is None or self.free is None else self.total - self.free


class Present(NamedTuple):
    """The cards that a program of this user may see, and who told of them; "" where nobody did."""

    cards: tuple[Card, ...]
    by: str


def present() -> Present:
    """The cards at hand. Takes some ten milliseconds, three seconds for every driver that hangs; raises nothing."""
    from tutor.probing import vendors

    asked: tuple[tuple[str, Callable[[], Sequence[Card]]], ...] = (
        ("nvml", vendors.nvml), ("nvidia-smi", vendors.nvidia_smi), ("files", vendors.nvidia_files),
        ("amd-smi", vendors.amd_smi), ("rocm-smi", vendors.rocm_smi), ("files", vendors.amd_files),
        ("system", vendors.apple),
    )  # fmt: skip
    for by, ask in asked:
        cards = tuple(ask())
        if cards:
            return Present(visible(cards, os.environ), by)
    return Present((), "")


def visible(cards: Sequence[Card], env: Mapping[str, str]) -> tuple[Card, ...]:
    """The cards that CUDA_VISIBLE_DEVICES and its like leave, in their order; all where they say nothing."""
    of_amd = bool(cards) and cards[0].vendor == "amd"
    names = (
        ("HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES") if of_amd else ("CUDA_VISIBLE_DEVICES",)
    )
    chosen = next((env[name] for name in names if name in env), None)
    if chosen is None or not cards or cards[0].vendor == "apple":
        return tuple(cards)
    found: list[Card] = []
    for word in map(str.strip, chosen.split(",")):
        if word.startswith("MIG-"):
            return tuple(cards)  # a slice of one of them; the driver says which only to who may look
        one = next((card for card in cards if word == str(card.number) or _is_start(word, card.uuid)), None)
        if one is None:
            break  # as CUDA does: what stands behind a name that is none does not count
        found.append(one)
    return tuple(found)


def _is_start(word: str, uuid: str) -> bool:
    return word.startswith("GPU-") and uuid.startswith(word)


def pynvml_at_hand() -> bool:
    """Whether the library of the driver's interface is installed here; it is not imported."""
    try:
        return find_spec("pynvml") is not None
    except (ImportError, ValueError):
        return False


def wsl_program() -> str:
    """The driver's program under WSL; "" elsewhere."""
    return _WSL if sys.platform == "linux" and Path(_WSL).exists() else ""
