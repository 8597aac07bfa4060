"""The defaults of each engine, by version: rows for ``settings.defaults``. A name left out is not known.

vLLM's numbers are those of :mod:`engine.vllm`. Source: the project's table of flags and defaults (option parsers and
release notes of vLLM, SGLang, TensorRT-LLM, llama.cpp and TGI); LMDeploy, ExLlama, Ollama and transformers by their
documentation, and only what it states.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TypeVar

from engine import pool, vllm
from engine.diagnosis.model import Engine, Scenario
from engine.diagnosis.settings import engines
from engine.diagnosis.settings.engines import Release

T = TypeVar("T")

_GIB, _MIB = 2**30, 2**20

Rows = dict[str, object]
_PAGED: Mapping[str, object] = {"paged": True, "continuous": True, "unified": True, "watermark": Fraction(0)}


def _card(s: Scenario) -> Fraction | None:
    return None if s.gpu is None else pool.card(s.gpu).bytes


# --- vLLM ---------------------------------------------------------------------------------------------------

_FIRST_GRAPHS: Release = (0, 2, 6)
"""vLLM runs decode steps in graphs from here on (release notes of December 2023)."""
_FULL_ADMISSION: vllm.Version = (0, 20)
"""``--scheduler-reserve-full-isl`` is on from 0.19 or 0.20 (March 2026): the later one is taken."""
_CUTS_ALONE: vllm.Version = (0, 5)
"""V0 cuts the prompts of long windows by itself from 0.5.4 (summer 2024)."""
_V0_WATERMARK = Fraction(1, 100)
_V0_GRAPHS = 256
_GRAPHS_PER_SEQ, _MOST_GRAPHS = 2, 512
_LARGE_CARD = Fraction(1 << 50)
_ANY_WINDOW = 1 << 40
"""Longer than every window: asks for the budget of chunked prefill in V0."""


def _vllm(s: Scenario) -> Rows:
    release, v1 = vllm.version(s.version), engines.is_v1(s.version)
    row = max(release, vllm.V1) if v1 else min(release, (vllm.V1[0], vllm.V1[1] - 1))
    seqs, tokens, chunked = _vllm_caps(s, row, v1, early=v1 and release < vllm.V1)
    if tokens is not None and seqs is not None:
        seqs = min(seqs, s.max_num_batched_tokens or tokens)
    running = s.max_num_seqs or seqs
    budget = s.max_num_batched_tokens or tokens
    graphs = engines.release("vllm", s.version) >= _FIRST_GRAPHS
    largest: int | None = _V0_GRAPHS
    if v1:
        # of a card that nobody named: its default of sequences is one of those that reach the most
        largest = _MOST_GRAPHS if running is None else min(_GRAPHS_PER_SEQ * running, _MOST_GRAPHS)
        largest = min(largest, budget) if largest and budget else largest
    return {
        **_PAGED,
        "chunked_prefill": chunked,
        # off for models with a recurrent state unless asked for
        "prefix_caching": v1 and not (s.model is not None and s.model.hybrid is not None),
        "graphs": graphs,
        "graph_max_batch": largest,
        "full_admission": release >= _FULL_ADMISSION,
        "utilization": vllm.utilization(release),
        "max_num_seqs": seqs,
        "token_budget": tokens,
        "block_size": vllm.DEFAULT.block_size,
        "watermark": Fraction(0) if v1 else _V0_WATERMARK,
    }


def _vllm_caps(s: Scenario, row: vllm.Version, v1: bool, early: bool) -> tuple[int | None, int | None, bool]:
    """Sequences and tokens of a step, and whether prompts are cut; ``None`` where they depend on an unknown card."""
    card, name = _card(s), s.gpu.name if s.gpu else ""
    window = s.max_model_len or (s.model.context if s.model else None)
    if v1:
        chunked = s.chunked_prefill is not False
        # V1 had 1024 sequences on every card while it was an option (0.7)
        seqs = vllm.max_num_seqs(row, _LARGE_CARD) if early else None
        seqs = vllm.max_num_seqs(row, card, name) if card is not None and not early else seqs
        tokens = None if card is None else vllm.batched_tokens(row, card, window or 0, name)
        if not chunked and tokens is not None:
            tokens = max(tokens, window or 0)
        return seqs, tokens, chunked
    seqs = vllm.max_num_seqs(row, card or Fraction(0), name)
    if s.chunked_prefill:
        return seqs, vllm.batched_tokens(row, card or Fraction(0), _ANY_WINDOW, name), True
    tokens = None if window is None else vllm.batched_tokens(row, card or Fraction(0), window, name)
    chunked = tokens is not None and window is not None and tokens < window
    alone = (
        row < _CUTS_ALONE or s.chunked_prefill is False or bool(s.lora or s.speculation or (s.model and s.model.window))
    )
    if chunked and alone:  # V0 does not cut prompts by itself with these
        return seqs, window, False
    return seqs, tokens, chunked


# --- SGLang ---------------------------------------------------------------------------------------------------------

_EARLY_2026: Release = (0, 5, 9)
"""The first release with the newer table by card; 0.5.8 is of January 2026."""
_BY_CARD = (20, 35, 60, 160)
_CHUNKS = ((2048, 4096, 4096, 8192, 16384), (2048, 2048, 4096, 8192, 16384))
_DECODE_GRAPHS = ((8, 48, 32, 256, 512), (8, 24, 32, 256, 512))
_DECODE_GRAPHS_TP4 = ((8, 160, 160, 512, 512), (8, 80, 160, 512, 512))
_PREFILL_TOKENS = 16384
_RESERVED_LEAST, _LEAST_FROM = 10240, 60


def _sglang(s: Scenario) -> Rows:
    old = engines.release("sglang", s.version) < _EARLY_2026
    card = _card(s)
    rows: Rows = {
        **_PAGED, "chunked_prefill": True, "prefix_caching": True, "graphs": True, "full_admission": False,
        "block_size": 1,
    }  # fmt: skip
    if card is None:
        return rows
    tp = s.tp or s.gpus or 1
    place = sum(card >= limit * _GIB for limit in _BY_CARD)
    chunk = _CHUNKS[old][place]
    largest = (_DECODE_GRAPHS_TP4 if tp >= 4 else _DECODE_GRAPHS)[old][place]
    if s.chunked_prefill is False:
        chunk = _PREFILL_TOKENS
    share = _sglang_share(card, s.max_num_batched_tokens or chunk, s.graph_max_batch or largest, tp * (s.pp or 1))
    return rows | {
        "token_budget": chunk, "graph_max_batch": largest, "utilization": share,
    }  # fmt: skip


def _sglang_share(card: Fraction, chunk: int, graph: int, ranks: int) -> Fraction:
    """``--mem-fraction-static`` where it is not given: what is left of the card after a reserve in MiB, rounded to
    three digits as SGLang does. Prefill graphs (8 MiB each) are left out: their number is not in the table."""
    reserve = 512 + Fraction(3, 2) * max(chunk, 2048) + 2 * graph + 128 * ranks
    if card > _LEAST_FROM * _GIB:
        reserve = max(reserve, Fraction(_RESERVED_LEAST))
    share = (card - reserve * _MIB) / card
    return max(Fraction(round(share * 1000), 1000), Fraction(1, 10))


# --- the others -----------------------------------------------------------------------------------------------------

_PYTORCH: Release = (1, 0)
"""TensorRT-LLM's PyTorch backend, with defaults of its own; before, an engine was built with its limits in it."""


def _tensorrt(s: Scenario) -> Rows:
    rows: Rows = {
        **_PAGED, "chunked_prefill": False, "full_admission": True, "utilization": Fraction(9, 10), "block_size": 32,
    }  # fmt: skip
    if engines.release("tensorrt-llm", s.version) < _PYTORCH:
        return rows | {"block_size": 64}
    return rows | {
        "prefix_caching": True, "graphs": True, "graph_max_batch": 128,
        "max_num_seqs": 2048, "token_budget": 8192,
    }  # fmt: skip


_AUTO_SLOTS: Release = (2025, 11)
"""llama.cpp: four slots with one cache where ``-np`` is not given."""


def _llama_cpp(s: Scenario) -> Rows:
    auto = s.slots is None and engines.release("llama.cpp", s.version) >= _AUTO_SLOTS
    unified = auto if s.unified is None else s.unified
    slots = 4 if auto else 1
    return {
        "paged": unified or (s.slots or slots) == 1, "continuous": True, "unified": unified, "slots": slots,
        "chunked_prefill": True, "prefix_caching": True, "graphs": True, "token_budget": 512,
        "max_num_seqs": s.slots or slots, "block_size": 1, "watermark": Fraction(0),
    }  # fmt: skip


_TGI_ROOM: tuple[tuple[Release, Fraction], ...] = (
    ((0, 0), Fraction(9, 10)), ((2, 3), Fraction(95, 100)), ((3, 1), Fraction(93, 100)), ((3, 3), Fraction(9, 10)),
)  # fmt: skip
"""``TGI_WIGGLE_ROOM``: what the warm-up takes of the free memory."""
_TGI_HEADS = (64, 128, 256)
_TGI_WINDOWS: tuple[tuple[Release, int | None], ...] = (((0, 0), 2048), ((2, 0), 4096), ((2, 4, 1), None))
_TGI_PREFILL: tuple[tuple[Release, int], ...] = (((0, 0), 4096), ((2, 0), 4095 + 50), ((2, 4, 1), 4096))
_TGI_GRAPHS: Release = (2, 0)


def _tgi(s: Scenario) -> Rows:
    release = engines.release("tgi", s.version)
    flash = release >= (2, 3) and (s.model is None or s.model.head_dim in _TGI_HEADS)
    return {
        **_PAGED,
        "chunked_prefill": release >= (3, 0),
        "prefix_caching": flash and not s.lora and not s.images,
        "graphs": release >= _TGI_GRAPHS,
        "graph_max_batch": 32,
        "full_admission": True,
        "utilization": _since(_TGI_ROOM, release),
        "max_num_seqs": 128,
        "token_budget": _since(_TGI_PREFILL, release),
        "block_size": 1 if flash else 16,
        "max_model_len": _since(_TGI_WINDOWS, release),
    }


def _since(rows: tuple[tuple[Release, T], ...], release: Release) -> T:
    """The last row that a release has reached."""
    return next(value for since, value in reversed(rows) if since <= release)


def _lmdeploy(_: Scenario) -> Rows:
    return {
        **_PAGED, "prefix_caching": False, "full_admission": False, "utilization": Fraction(8, 10), "block_size": 64,
        "token_budget": 8192,
    }  # fmt: skip


def _exllama(s: Scenario) -> Rows:
    """The second and third library have a generator with pages; the first keeps one sequence's cache."""
    paged = any(mark in s.engine_name.casefold() for mark in ("v2", "v3", "exl2", "exl3", "tabby"))
    return {"paged": paged, "continuous": paged, "unified": paged, "prefix_caching": paged, "graphs": False}


def _transformers(_: Scenario) -> Rows:
    off = ("paged", "continuous", "unified", "chunked_prefill", "prefix_caching", "graphs", "full_admission")
    return dict.fromkeys(off, False)


def _ollama(s: Scenario) -> Rows:
    return {
        "paged": (s.slots or 1) == 1, "continuous": True, "unified": False, "slots": 1, "chunked_prefill": True,
        "prefix_caching": True, "graphs": True, "max_num_seqs": s.slots or 1, "token_budget": 512, "block_size": 1,
    }  # fmt: skip


def unknown(s: Scenario) -> Rows:
    """No engine is named: a server of today pages and batches continuously. Of one that we do not know, nothing."""
    return {"paged": True, "continuous": True, "unified": True, "block_size": 16} if s.engine is None else {}


ROWS: Mapping[Engine | None, Callable[[Scenario], Rows]] = {
    "vllm": _vllm, "sglang": _sglang, "tensorrt-llm": _tensorrt, "llama.cpp": _llama_cpp, "tgi": _tgi,
    "lmdeploy": _lmdeploy, "exllama": _exllama, "transformers": _transformers, "ollama": _ollama,
}  # fmt: skip


def of(s: Scenario) -> Rows:
    """The defaults of the scenario's engine, at its version, by name."""
    return ROWS[s.engine](s) if s.engine in ROWS else unknown(s)
