"""vLLM's defaults by version, as far as they decide memory. A printed value always wins over these.

Source: vLLM's option parsers and release notes from 0.2 to 0.30, as collected in the project's table of flags; what
is only known to the season of its release says so.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from engine.catalog import Model
from engine.parallel import ONE, Parallel

GIB = 2**30
Version = tuple[int, int]

NEWEST: Version = (0, 30)
"""Taken where no version is known."""
V1: Version = (0, 8)
"""The V1 engine is the default from here on."""
GROUPS: Version = (0, 10)
"""From about here on layers of different kinds are pooled in groups (summer 2025); before, all counted as full."""
GRAPHS: Version = (0, 21)
"""From here on CUDA graphs are inside the utilization, and the printed pool of a hybrid model is
concurrency x max_model_len (vllm#40691, #51041)."""
_BIG_BUDGET: Version = (0, 14)
"""16384 tokens a step on cards of 160 GiB and over: in releases of 2026, the first of them assumed here."""

_NEW_SHARE, _OLD_SHARE = Fraction(92, 100), Fraction(9, 10)
_CHUNKS: Version = (0, 7)
_WINDOW = 32768

_BIG, _HUGE = 70 * GIB, 160 * GIB


@lru_cache(maxsize=256)  # each computation of one server asks for its version again
def version(text: str | None) -> Version:
    """The version in a text ("v0.19.1", "0.11.0rc2"), major and minor; the newest for ``None`` or no number."""
    found = re.search(r"(\d{1,4})\.(\d{1,4})", text or "")
    return (int(found[1]), int(found[2])) if found else NEWEST


def utilization(of: Version) -> Fraction:
    """Default of ``gpu_memory_utilization``: 0.92 from 0.21 on, 0.9 before."""
    return _NEW_SHARE if of >= GRAPHS else _OLD_SHARE


def max_num_seqs(of: Version, card: Fraction, name: str = "") -> int:
    """Default of ``max_num_seqs``: V1 takes 1024 on cards of 70 GiB and over except the A100, else 256; V0 256."""
    return 1024 if of >= V1 and card >= _BIG and not _small_budget(name) else 256


def batched_tokens(of: Version, card: Fraction, max_len: int, name: str = "") -> int:
    """Default of ``max_num_batched_tokens`` of a server: V1 8192 on cards of 70 GiB and over except the A100, 16384
    from 160 GiB in 2026, else 2048; V0 the whole window, 2048 at least, and above a window of 32768, where it takes
    prompts in pieces by itself, 512 in 2024 (to 0.6) and 2048 after."""
    if of < V1:
        chunk = 512 if of < _CHUNKS else 2048
        return chunk if max_len > _WINDOW else max(max_len, 2048)
    if of >= _BIG_BUDGET and card >= _HUGE:
        return 16384
    return 8192 if card >= _BIG and not _small_budget(name) else 2048


def _small_budget(name: str) -> bool:
    """Whether a card is one that vLLM leaves out of the large defaults by its name."""
    return "a100" in name.lower()


class Settings(NamedTuple):
    """What a server was started with; ``None`` is "not said": the version's default.

    Attributes:
        version: of vLLM, as printed.
        utilization: ``gpu_memory_utilization``.
        max_len: ``max_model_len``.
        tokens: ``max_num_batched_tokens``.
        seqs: ``max_num_seqs``.
        block_size: tokens of a block.
        eager: no CUDA graphs.
        p: bytes of a number of the KV cache.
        p_state: bytes of a number of the recurrent state of linear layers; ``None`` for the model's own.
        parallel: how the model is spread.
    """

    version: str | None = None
    utilization: Fraction | None = None
    max_len: int | None = None
    tokens: int | None = None
    seqs: int | None = None
    block_size: int = 16
    eager: bool = False
    p: Fraction = Fraction(2)
    p_state: Fraction | None = None
    parallel: Parallel = ONE


DEFAULT = Settings()
"""A server that was started with nothing but a model."""


class Resolved(NamedTuple):
    """Settings with every gap filled. ``assumed`` names the fields that no one said."""

    version: Version
    utilization: Fraction
    max_len: int
    tokens: int
    seqs: int
    assumed: tuple[str, ...]


def resolve(asked: Settings, model: Model, card: Fraction, name: str = "") -> Resolved:
    """The settings that a server runs with on a card of so many bytes, named so where its name is known."""
    release = version(asked.version)
    max_len = asked.max_len or model.context
    tokens = asked.tokens or batched_tokens(release, card, max_len, name)
    seqs = min(asked.seqs or max_num_seqs(release, card, name), tokens)
    share = utilization(release) if asked.utilization is None else asked.utilization
    said = {
        "version": asked.version, "utilization": asked.utilization, "max_len": asked.max_len,
        "tokens": asked.tokens, "seqs": asked.seqs,
    }  # fmt: skip
    return Resolved(release, share, max_len, tokens, seqs, tuple(key for key, value in said.items() if value is None))
