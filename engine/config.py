"""A model from its config.json: the same entry as the catalogue's, or the key that makes it impossible.

Only keys that decide sizes are read. Where a config leaves something out, transformers' own default for it holds.
A key that changes what a layer keeps, and that is not understood here, is refused by name rather than ignored.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from engine import config_layers
from engine.catalog import Hybrid, Mla, Model, Moe, NoValues
from engine.config_fields import Config, Fields
from engine.config_format import format_name
from engine.tensors import tensors

_UNSIZED = (
    "num_global_key_value_heads", "global_head_dim", "attention_k_eq_v", "num_kv_shared_layers", "compress_ratios",
    "hybrid_override_pattern", "attn_type_list", "block_configs", "mamba_d_state", "mamba_n_heads", "state_size",
    "ssm_state_size", "cross_attention_layers", "encoder_layers",
)  # fmt: skip
"""Keys of architectures whose layers keep something that is not sized from a config here; refused when set."""

_ENCODERS = frozenset(
    """
    albert bart bert blip clip convbert deberta deberta-v2 distilbert electra esm fsmt led longformer longt5 m2m_100
    marian mbart modernbert mpnet mt5 nllb-moe nomic_bert pegasus prophetnet roberta seamless_m4t siglip speech_to_text
    switch_transformers t5 umt5 vit wav2vec2 whisper xlm-roberta xlnet
    """.split()
)
"""``model_type`` of models that encode, or encode and decode: they keep no cache of the kind that is sized here."""

_ENCODER_CLASSES = re.compile(
    r"(?:^|[^A-Za-z])(?:Albert|Bart|(?:Distil|Modern|Nomic|Conv)?Bert|Roberta|XLMRoberta|Deberta\w{0,2}|Electra|MPNet"
    r"|[mM]?[tT]5|UMT5|LongT5|Whisper|MBart|Marian|Pegasus|Wav2Vec2)(?:Model|For[A-Z]|LMHead|PreTrained)"
)
"""``architectures`` of the same."""

_TYPES: Mapping[str, str] = {
    "mistral": "llama", "mistral3": "llama", "internlm2": "llama", "baichuan": "llama", "granite": "llama",
    "smollm3": "llama", "yi": "llama", "deepseek": "llama", "olmo3": "olmo2", "cohere2": "cohere",
    "kimi_k2": "deepseek_v3", "kimi_k25": "deepseek_v3", "deepseek_v32": "deepseek_v3", "glm_moe_dsa": "deepseek_v3",
    "gemma3_text": "gemma3", "llama4_text": "llama4", "qwen2_5_vl": "qwen2", "qwen2_5_vl_text": "qwen2",
    "qwen2_vl": "qwen2", "qwen3_vl": "qwen3", "qwen3_vl_text": "qwen3", "qwen3_vl_moe": "qwen3_moe",
    "qwen3_vl_moe_text": "qwen3_moe", "qwen3_5_text": "qwen3_5", "qwen3_5_moe": "qwen3_5",
    "qwen3_5_moe_text": "qwen3_5",
}  # fmt: skip
"""``model_type`` -> the family of the same parts."""

_DRAFTING = 4
"""Layers that predict further tokens, which some configs list behind the others."""

_TIED = frozenset(("gemma", "gemma2", "gemma3", "cohere", "falcon", "falcon_decoder", "opt", "gpt2", "gpt_bigcode",
                   "starcoder2", "bloom", "mpt"))  # fmt: skip
"""Families whose head is the embedding unless config.json says otherwise."""


_DEFAULTS: Mapping[str, Config] = {
    "gemma3_text": {
        "vocab_size": 262208, "num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 256,
        "max_position_embeddings": 131072, "sliding_window": 4096,
    },
}  # fmt: skip
"""Classes whose published config.json leaves out what equals the class's default (transformers, Gemma3TextConfig)."""

LANGUAGE = ("text_config", "llm_config", "language_config")
"""Where a multimodal config.json keeps its language model."""


def read(config: Config, name: str = "config.json") -> Model:
    """The model that a config.json describes; parameters are counted from its shape.

    ``notes`` names keys that were expected and not there. A type whose parts are not known counts as a plain one.

    Args:
        config: the parsed file; of a multimodal one the language model's table is read.
        name: what to call the model.

    Raises:
        NoValues: "cannot-size" with the key that we cannot size, "missing-key" with one that must be there, or
            "bad-key" with one whose value is none.
    """
    outer = config
    text = next((config[key] for key in LANGUAGE if isinstance(config.get(key), Mapping)), None)
    if text is not None:
        kept = ("tie_word_embeddings", "quantization_config", "torch_dtype", "dtype", "model_type")
        config = {**{key: config[key] for key in kept if key in config}, **text}
    config = {**_DEFAULTS.get(str(config.get("model_type")), {}), **config}
    for key in _UNSIZED:
        if config.get(key) not in (None, False, 0, [], ()):
            raise NoValues("cannot-size", name, key)
    _refuse_encoders(config, outer, name)
    fields = Fields(config, name)
    shape = _shape(fields, format_name(config, outer))
    named = tensors(shape)
    active = sum(one.active for one in named)
    looked_up = sum(one.active for one in named if one.kind == "embedding") if not shape.tied else 0
    known = shape.moe is None or shape.moe.active is not None
    return shape._replace(
        params=sum(one.params for one in named),
        active=active if known else None,
        matmul=active - looked_up if known else None,
    )


def _refuse_encoders(config: Config, outer: Config, name: str) -> None:
    """Raise for a model that does not decode token by token with a cache of its own, by the key that says so."""
    if str(config.get("model_type") or "").lower() in _ENCODERS:
        raise NoValues("cannot-size", name, "model_type")
    if config.get("is_encoder_decoder") is True:
        raise NoValues("cannot-size", name, "is_encoder_decoder")
    classes = outer.get("architectures")
    if isinstance(classes, Sequence) and any(_ENCODER_CLASSES.search(str(one)[:200]) for one in classes[:20]):
        raise NoValues("cannot-size", name, "architectures")
    for table in ("quantization_config", "rope_scaling"):
        if config.get(table) is not None and not isinstance(config[table], Mapping):
            raise Fields(config, name).bad(table)
    kinds = config.get("layer_types")
    if kinds is not None and (not isinstance(kinds, Sequence) or isinstance(kinds, str)):
        raise Fields(config, name).bad("layer_types")


def _shape(fields: Fields, dtype: str) -> Model:
    """The entry without its counts."""
    family = _family(fields)
    layers = fields.must("num_hidden_layers", "n_layer", "n_layers", "num_layers")
    d_model = fields.must("hidden_size", "n_embd", "d_model")
    heads = fields.must("num_attention_heads", "n_head", "n_heads")
    mla, moe, hybrid = (
        config_layers.mla(fields, layers),
        config_layers.moe(fields, layers),
        config_layers.hybrid(fields, layers),
    )
    context = _context(fields)
    window, sliding = config_layers.sliding(fields, layers, context)
    full = layers - sliding - (hybrid.linear.layers if hybrid else 0)
    if full < 0:
        raise fields.bad("layer_types")
    kinds = fields.words("layer_types")
    if kinds and not layers <= len(kinds) <= layers + _DRAFTING:
        raise fields.bad("layer_types")
    kv_heads = heads if mla else _kv_heads(fields, heads, family)
    if kv_heads > heads or heads % kv_heads:
        raise fields.bad("num_key_value_heads")
    tied = fields.flag("tie_word_embeddings")
    qk_norm = fields.flag("use_qk_norm")
    return Model(
        id=fields.name, params=0, active=None, matmul=None, layers=layers, d_model=d_model, heads=heads,
        kv_heads=kv_heads, head_dim=_head_dim(fields, mla, d_model, heads), ffn=_ffn(fields, moe, d_model),
        vocab=fields.must("vocab_size", "padded_vocab_size"), context=context,
        tied=family in _TIED if tied is None else tied, attention=_attention(mla, hybrid, kv_heads, heads),
        window=window, full_layers=full, sliding_layers=sliding, mla=mla, moe=moe, hybrid=hybrid, dtype=dtype,
        cannot_size=None, published=None, evidence="computed from config fields", source="config.json",
        notes=_unsaid(fields), aliases=(), family=family,
        qkv_bias=fields.flag("attention_bias", "qkv_bias", "add_qkv_bias"),
        qk_norm=None if qk_norm is None else ("heads" if family == "cohere" else "head") if qk_norm else "",
    )  # fmt: skip


def _unsaid(fields: Fields) -> str:
    """Keys that a config of this kind has, and this one lacks: what was assumed in their place may be wrong."""
    asked = ["max_position_embeddings"]
    if fields.get("kv_lora_rank") and fields.get("n_routed_experts"):
        asked += ["first_k_dense_replace", "intermediate_size"]
    return ", ".join(key for key in asked if key not in fields.config)


def _family(fields: Fields) -> str:
    if fields.kind == "falcon":
        return "falcon_decoder" if fields.flag("new_decoder_architecture") else "falcon"
    return _TYPES.get(fields.kind, fields.kind) or "llama"


def _kv_heads(fields: Fields, heads: int, family: str) -> int:
    if family == "falcon":
        return 1 if fields.flag("multi_query") else heads
    if family == "gpt_bigcode":
        return heads if fields.flag("multi_query") is False else 1
    inner = fields.part("attn_config")
    own = fields.get("num_key_value_heads", "num_kv_heads", "multi_query_group_num", "n_head_kv")
    return own or (inner.get("kv_n_heads") if inner else None) or heads


def _head_dim(fields: Fields, mla: Mla | None, d_model: int, heads: int) -> int:
    if mla:
        return mla.nope + mla.rope
    return fields.get("head_dim", "kv_channels", "attention_head_dim") or d_model // heads


def _ffn(fields: Fields, moe: Moe | None, d_model: int) -> int:
    if fields.kind == "qwen":  # first generation: gate and up together
        return fields.must("intermediate_size") // 2
    if moe and not moe.dense_layers:
        return moe.ffn
    inner = fields.part("ffn_config")
    own = fields.get("intermediate_size_mlp", "intermediate_size", "ffn_hidden_size", "ffn_dim", "n_inner")
    return own or (inner.get("ffn_hidden_size") if inner else None) or 4 * d_model


def _context(fields: Fields) -> int:
    return fields.get("max_position_embeddings", "n_positions", "seq_length", "max_seq_len", "n_ctx") or 2048


def _attention(mla: Mla | None, hybrid: Hybrid | None, kv_heads: int, heads: int) -> str:
    if hybrid:
        return "hybrid"
    if mla:
        return "MLA"
    return "MHA" if kv_heads == heads else "MQA" if kv_heads == 1 else "GQA"
