"""What a layer has besides its big matrices, by family: norms, biases, the odd parts. Facts of the model classes.

Source: the modelling code of Hugging Face transformers for each ``model_type``, checked by the parameter counts that
the Hub prints (tests/engine/test_weights.py compares every model of the catalogue).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Family(NamedTuple):
    """One family.

    Attributes:
        gated: an MLP has three matrices (gate, up, down) rather than two.
        norms: norms of d_model numbers in a layer.
        norm_bias: norms have a bias too (LayerNorm).
        qk_norm: norms of queries and keys: "head" (one vector of d_head for all heads), "heads" (one a head),
            "width" (over the whole projection, the same numbers as "heads"), or "".
        qkv_bias, out_bias, mlp_bias, head_bias: which matrices have a bias.
        positions: learned position vectors beyond the context's; ``None`` for positions that are not learned.
        embedding_norm: a norm behind the embedding.
        sinks: a learned number a query head.
        router_bias: a learned number an expert, used in routing.
        expert_bias: experts' matrices have biases.
        shared_gate: a vector that weighs the shared expert.
        output_gate: the query projection also makes a gate for the attention's output, as wide as the queries.
        chunked: layers that do not see everything see the chunk that they are in (chunked_attention in a config.json),
            in place of a window that slides.
    """

    gated: bool = True
    norms: int = 2
    norm_bias: bool = False
    qk_norm: str = ""
    qkv_bias: bool = False
    out_bias: bool = False
    mlp_bias: bool = False
    head_bias: bool = False
    positions: int | None = None
    embedding_norm: bool = False
    sinks: bool = False
    router_bias: bool = False
    expert_bias: bool = False
    shared_gate: bool = False
    output_gate: bool = False
    chunked: bool = False


_BIASED = Family(gated=False, norm_bias=True, qkv_bias=True, out_bias=True, mlp_bias=True)

FAMILIES: Mapping[str, Family] = {
    "llama": Family(),
    "gemma": Family(),
    "gemma2": Family(norms=4),
    "gemma3": Family(norms=4, qk_norm="head"),
    "phi": _BIASED._replace(norms=1, head_bias=True),
    "phi3": Family(),
    "phimoe": Family(norm_bias=True, qkv_bias=True, out_bias=True, head_bias=True),
    "qwen": Family(qkv_bias=True),
    "qwen2": Family(qkv_bias=True),
    "qwen2_moe": Family(qkv_bias=True, shared_gate=True),
    "qwen3": Family(qk_norm="head"),
    "qwen3_moe": Family(qk_norm="head"),
    "qwen3_next": Family(qk_norm="head", shared_gate=True, output_gate=True),
    "qwen3_5": Family(qk_norm="head", shared_gate=True, output_gate=True),
    "gpt_oss": Family(qkv_bias=True, out_bias=True, sinks=True, router_bias=True, expert_bias=True),
    "mixtral": Family(),
    "llama4": Family(chunked=True),
    "deepseek_v2": Family(),
    "deepseek_v3": Family(router_bias=True),
    "mistral4": Family(),
    "falcon": Family(gated=False, norms=1, norm_bias=True),
    "falcon_decoder": Family(gated=False, norm_bias=True),
    "opt": _BIASED._replace(positions=2),
    "gpt2": _BIASED._replace(positions=0),
    "gpt_bigcode": _BIASED._replace(positions=0),
    "starcoder2": _BIASED,
    "bloom": _BIASED._replace(embedding_norm=True),
    "mpt": Family(gated=False),
    "chatglm": Family(qkv_bias=True),
    "glm4": Family(norms=4, qkv_bias=True),
    "glm4_moe": Family(qkv_bias=True, router_bias=True),
    "olmo2": Family(qk_norm="width"),
    "cohere": Family(norms=1),
    "dbrx": Family(),
    "minimax_m2": Family(qk_norm="width", router_bias=True),
    "granitemoehybrid": Family(),
    "nemotron_h": Family(gated=False, norms=1, router_bias=True),
    "nemotron_nas": Family(),
    "minimax_text": Family(),
    "kimi_linear": Family(router_bias=True),
    "gemma4": Family(norms=4, qk_norm="head"),
}
"""Every family that is counted part by part. Another one gets ``llama``'s parts, and what is left over is one lump."""


def family(name: str) -> Family:
    """The family of a ``model_type``; the plain one for a type that is not in the table."""
    return FAMILIES.get(name, FAMILIES["llama"])
