"""Memory and speed of many configurations at once: the registered formulas over arrays, in floating point.

It says what :func:`engine.pool.pool` and :func:`engine.steps.step` say of each configuration alone. numpy is imported
when something is called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from engine.flops import picks
from engine.formulas.sweep import sweep
from engine.groups import Group
from engine.memory import index_symbols
from engine.planning.grid import Columns

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Numbers = NDArray[np.float64]

_P_ACT, _P_CONV = 2, 2
"""Bytes of an activation that crosses a link, and of a number of a convolution state."""


class Times(NamedTuple):
    """Seconds of the parts of steps, as :class:`engine.roofline.Times`."""

    overhead: Numbers
    weights: Numbers
    matrices: Numbers
    kv: Numbers
    attention: Numbers
    link: Numbers

    @property
    def total(self) -> Numbers:
        """The steps' times: parts that overlap count with the longer one."""
        import numpy as np

        linear, cache = np.maximum(self.weights, self.matrices), np.maximum(self.kv, self.attention)
        return self.overhead + linear + cache + self.link

    def parts(self) -> dict[str, Numbers]:
        """Seconds by what bounds them, as :meth:`engine.roofline.Step.parts`."""
        import numpy as np

        linear, cache = self.matrices > self.weights, self.attention > self.kv
        return {
            "overhead": self.overhead,
            "weights": np.where(linear, 0, self.weights),
            "kv": np.where(cache, 0, self.kv),
            "compute": np.where(linear, self.matrices, 0) + np.where(cache, self.attention, 0),
            "link": self.link,
        }


class Swept(NamedTuple):
    """What a sweep says of each configuration.

    Attributes:
        budget: bytes of the KV pool on one card; at or below zero nothing is left for it.
        fits: requests of prompt and output that the pool holds.
        decode: seconds of a decode step, half of the output written.
        prefill: seconds of one prompt alone.
        step_rate: tokens a second of all requests while they decode.
        output_rate: tokens a second of all requests, the prefills among the steps.
    """

    budget: Numbers
    fits: Numbers
    decode: Numbers
    prefill: Numbers
    step_rate: Numbers
    output_rate: Numbers


def sweep_all(of: Columns, prompt: ArrayLike, output: ArrayLike, batch: ArrayLike) -> Swept:
    """Memory, step times and throughput of options under loads, all broadcast together."""
    import numpy as np

    prompt, output = np.asarray(prompt), np.asarray(output)
    step = decode(of, batch, middle(prompt, output)).total
    first = prefill(of, prompt).total
    given: dict[str, ArrayLike] = {"prefill_time": first, "step_time": step, "T": output, "B": batch}
    tokens = np.asarray(prompt + output)
    return Swept(budget(of), fits(of, tokens), step, first, sweep("step_rate", given), sweep("output_rate", given))


def middle(prompt: ArrayLike, output: ArrayLike) -> NDArray[np.int64]:
    """Tokens that a request holds on average while it decodes: the prompt, and half of what it will write."""
    import numpy as np

    return np.asarray(prompt, dtype=np.int64) + np.asarray(output, dtype=np.int64) // 2


# --- memory ----------------------------------------------------------------------------------------------------------


def budget(of: Columns) -> Numbers:
    """Bytes of the KV pool on one card (formula ``kv_pool``)."""
    given = {"capacity": of.capacity, "fraction": of.fraction, "reserve": of.reserve}
    return sweep("kv_pool", given, {"weights": of.weights})


def blocks(of: Columns) -> Numbers:
    """Blocks of the pool (formula ``pool_blocks``)."""
    import numpy as np

    given = {"budget": np.maximum(budget(of), 0), "bs": of.block_size}
    return sweep("pool_blocks", given, {"kv_per_token": of.block_bytes / of.block_size})


def need(of: Columns, tokens: ArrayLike) -> Numbers:
    """Blocks that a request of so many tokens takes at its largest (:meth:`engine.groups.Grouping.need`)."""
    import numpy as np

    return np.asarray(sum(group.groups * _need(of, group, tokens) for group in of.groups), dtype=np.float64)


def _need(of: Columns, group: Group, tokens: ArrayLike) -> Numbers:
    import numpy as np

    if group.kind == "state":
        return np.ones_like(of.batched)
    used: ArrayLike = tokens
    if group.window is not None:
        seen = group.window if group.kind == "chunk" else group.window - 1
        used = np.minimum(seen + of.batched, tokens)
    return sweep("window_blocks" if group.kind == "window" else "blocks", {"used": used, "bs": of.block_size})


def fits(of: Columns, tokens: ArrayLike) -> Numbers:
    """Requests of so many tokens that the pool holds, whole ones (formula ``group_concurrency``)."""
    import numpy as np

    return np.floor(sweep("group_concurrency", {"need": need(of, tokens)}, {"pool_blocks": blocks(of)}))


# --- time ------------------------------------------------------------------------------------------------------------


def decode(of: Columns, batch: ArrayLike, context: ArrayLike) -> Times:
    """Decode steps of ``batch`` sequences that hold ``context`` tokens each (:func:`engine.steps.decode`)."""
    import numpy as np

    return step(of, batch, 1, np.asarray(context) - 1)


def prefill(of: Columns, prompt: ArrayLike, requests: ArrayLike = 1) -> Times:
    """Prefills of prompts in one step (:func:`engine.steps.prefill`)."""
    return step(of, requests, prompt, 0)


def burst(of: Columns, prompt: int, requests: int) -> Numbers:
    """Seconds until the last of so many requests that come together has its first token.

    A pass takes as many whole prompts as its token budget has room for, a longer prompt alone, one pass after another.
    """
    import numpy as np

    shared = np.clip(np.floor(of.batched / prompt), 1, requests)
    passes = np.ceil(requests / shared)
    alone = prefill(of, prompt, shared).total
    return sweep("ttft", {"queue_time": (passes - 1) * alone, "prefill_time": alone})


def step(of: Columns, requests: ArrayLike, queries: ArrayLike, context: ArrayLike) -> Times:
    """Steps of ``requests`` sequences, each of ``queries`` new tokens behind others (:func:`engine.steps.step`)."""
    import numpy as np

    model = of.model
    assert model.matmul is not None
    many, new, behind = (np.asarray(value, dtype=np.float64) for value in (requests, queries, context))
    tokens = many * new
    head = sweep("matrix_weights", {"d_in": model.d_model, "d_out": model.vocab})
    linear = sweep("matmul_flops", {"N": model.matmul - head, "T": tokens})
    linear = linear + sweep("matmul_flops", {"N": head, "T": many})
    attention = many * _attention_flops(of, new, behind)
    sent = sweep(
        "tensor_parallel_bytes",
        {"L": model.layers, "d_model": model.d_model, "q_tokens": tokens, "cards": of.cards, "p_act": _P_ACT},
    )
    link: dict[str, ArrayLike] = {
        "link_bytes": sent, "link_bandwidth": of.link_bandwidth, "link_efficiency": of.share_link,
        "hops": np.where(of.cards > 1, 2 * model.layers, 0), "hop_time": of.hop_time,
    }  # fmt: skip
    return Times(
        sweep("fixed_time", {"L": model.layers, "layer_time": of.layer_time}),
        _moved(of, _weights_read(of, tokens), of.share_weights),
        _computed(linear / of.cards, of.peak, of.share_math),
        _moved(of, _cache_moved(of, many, new, behind), of.share_kv),
        _computed(attention / of.cards, of.peak16, of.share_attention),
        sweep("link_time", link),
    )


def _moved(of: Columns, size: Numbers, share: Numbers) -> Numbers:
    return sweep("memory_time", {"bytes_moved": size, "bandwidth": of.bandwidth, "memory_efficiency": share})


def _computed(flops: Numbers, rate: Numbers, share: Numbers) -> Numbers:
    return sweep("math_time", {"flops": flops, "peak_flops": rate, "compute_efficiency": share})


def _weights_read(of: Columns, tokens: Numbers) -> Numbers:
    """Bytes of weights that a card reads in a step (:meth:`engine.weights.Weights.active_bytes`)."""
    import numpy as np

    held = of.held * of.base
    if not of.model.tied:
        held = held + of.held * of.table * np.minimum(tokens / of.model.vocab, 1)
    moe = of.model.moe
    if moe is None:
        return held
    given: dict[str, ArrayLike] = {"n_experts": moe.experts, "top_k": moe.active or moe.experts, "q_tokens": tokens}
    return held + of.held * of.experts * (sweep("experts_touched", given) / moe.experts)


def _cache_moved(of: Columns, requests: Numbers, queries: Numbers, context: Numbers) -> Numbers:
    """Bytes of cache that a card moves in a step (:func:`engine.flops.kv_traffic`)."""
    import numpy as np

    model, tokens = of.model, queries + context
    picked, index = picks(model), index_symbols(model)
    read = tokens if picked is None else np.minimum(tokens, queries * picked)
    moved = _cache(of, model.full_layers, requests, read)
    if index:
        moved = moved + sweep("index_cache", {"B": requests, "S": tokens, **index})
    if model.sliding_layers:
        seen = np.minimum(tokens, model.window or tokens)
        moved = moved + _cache(of, model.sliding_layers, requests, seen)
    hybrid = model.hybrid
    if hybrid is not None and hybrid.state is not None and hybrid.conv is not None:
        state: dict[str, ArrayLike] = {
            "B": requests,
            "state": hybrid.state,
            "conv": hybrid.conv,
            "p_state": hybrid.p_state,
            "p": _P_CONV,
        }
        moved = moved + 2 * sweep("state_bytes", state) / of.cards
    return moved


def _cache(of: Columns, layers: int, requests: Numbers, tokens: Numbers) -> Numbers:
    given: dict[str, ArrayLike] = {"B": requests, "S": tokens, "L": layers, "p": of.p}
    mla = of.model.mla
    if mla is not None:
        return sweep("mla_cache", {**given, "latent": mla.latent, "rope_dim": mla.rope})
    return sweep("kv_cache", {**given, "n_kv_heads": of.heads, "d_head": of.model.head_dim})


def _attention_flops(of: Columns, queries: Numbers, context: Numbers) -> Numbers:
    """FLOPs of the attention of one sequence (:func:`engine.flops.step_flops`)."""
    import numpy as np

    model, mla, picked = of.model, of.model.mla, picks(of.model)
    key: ArrayLike = model.head_dim
    value: ArrayLike = model.head_dim
    if mla is not None:  # decode works on the latent vector, prefill on full keys and values
        latent = (queries == 1) | (picked is not None)
        key = np.where(latent, mla.latent + mla.rope, mla.nope + mla.rope)
        value = np.where(latent, mla.latent, mla.value)
    shape: dict[str, ArrayLike] = {"n_head": model.heads, "d_key": key, "d_value": value}
    seen = _pairs(queries, context, picked)
    flops = sweep("attention_flops", {**shape, "pairs": seen, "L": model.full_layers})
    index = index_symbols(model)
    if mla is not None and index:
        seen = _pairs(queries, context, None) / mla.index_pool
        scored: dict[str, ArrayLike] = {"n_head": mla.index_heads, "d_key": mla.index_key, "d_value": 0}
        flops = flops + sweep("attention_flops", {**scored, "pairs": seen, "L": index["L_index"]})
    if not model.sliding_layers:
        return flops
    seen = _pairs(queries, context, model.window)
    return flops + sweep("attention_flops", {**shape, "pairs": seen, "L": model.sliding_layers})


def _pairs(queries: Numbers, context: Numbers, window: int | None) -> Numbers:
    """Pairs of a query and a key (:func:`engine.flops.pairs`)."""
    import numpy as np

    if window is None:
        return sweep("causal_pairs", {"q_tokens": queries, "context": context})
    growing = np.clip(window - context, 0, queries)
    return sweep("causal_pairs", {"q_tokens": growing, "context": context}) + (queries - growing) * window
