"""The formulas, each written once. A name inside a text that is itself a formula stands for that formula.

``derive`` names a formula with some symbols fixed or renamed, or with another formula in the place of one it refers to,
so that the cost of one request and of one token is the batch's formula and not a second one.
"""

from __future__ import annotations

from engine.formulas.registry import declare, derive

_VLLM = "Kwon et al., PagedAttention (SOSP 2023), arXiv 2309.06180"
_SCALING = "How to Scale Your Model (JAX scaling book), chapter on transformer inference"
_ROOFLINE = "Williams, Waterman, Patterson, Roofline (CACM 2009)"
_AFFINE = "Jacob et al., Quantization for integer-arithmetic-only inference, arXiv 1712.05877"
_DEFINITION = "definition"
_GROUPS = "vLLM, v1/core/kv_cache_utils.py: layers in groups of one size"
_INDEX = "vLLM and SGLang, indexer cache of DeepSeek-V3.2: FP8 keys, each with an FP32 scale (sgl-project/sglang#11309)"
_ACTIVATION = "a fit to start-up logs of vLLM 0.6 and 0.19 on 14 models (mean error 3.8 %), not a law"
_MEGATRON = "Shoeybi et al., Megatron-LM, arXiv 1909.08053: two all-reduces a layer"
_RING = "Patarasu, Yuan, Bandwidth optimal all-reduce algorithms (JPDC 2009): the least that any card must send"
_LITTLE = "Little, A proof for the queuing formula L = lambda W (Operations Research 1961)"

# --- memory: the cache, the weights, the card ------------------------------------------------------------------------
declare("kv_cache", "2*B*S*L*n_kv_heads*d_head*p", "bytes", _SCALING)
derive("kv_per_request", "kv_cache", B=1)
derive("kv_per_token", "kv_cache", B=1, S=1)
derive("kv_per_layer", "kv_cache", B=1, S=1, L=1)
declare("vector_bytes", "d_model*p", "bytes", _DEFINITION)
declare("head_dim", "d_model/n_head", "numbers", "Vaswani et al., Attention is all you need, arXiv 1706.03762")
declare("weights", "N*p_w", "bytes", _DEFINITION)
derive("weights_before", "weights", p_w="p_from")
declare("weights_saved", "weights_before - weights", "bytes", _DEFINITION)
declare("total", "weights + kv_cache", "bytes", _DEFINITION)
derive("total_before", "total", weights="weights_before")
declare("headroom", "capacity - total", "bytes", _DEFINITION)
declare("max_requests", "floor(budget/kv_per_request)", "requests", _DEFINITION)
declare("batch_that_fits", "floor((capacity - weights)/kv_per_request)", "requests", _DEFINITION)
derive("batch_before", "batch_that_fits", weights="weights_before")
declare("extra_requests", "floor(headroom/kv_per_request)", "requests", _DEFINITION)
declare("extra_not_rounded", "headroom/kv_per_request", "none", _DEFINITION)
declare("batch_growth", "extra_requests/B", "%", _DEFINITION)
declare("rounded_request", "round(kv_per_request/10^7)*10^7", "bytes", "a request in GB, noted with 2 places")
declare("rounded_headroom", "capacity - weights - B*rounded_request", "bytes", _DEFINITION)
declare("weights_ratio", "weights_before/weights", "x", _DEFINITION)
declare("usable_memory", "capacity*fraction", "bytes", "vLLM, gpu_memory_utilization")
declare("kv_pool", "usable_memory - reserve - weights", "bytes", "vLLM, start-up profiling")
declare("pool_requests", "floor(kv_pool/kv_per_request)", "requests", _DEFINITION)
declare("weight_read_per_request", "weights/B", "bytes", _SCALING)
declare("kv_share", "kv_cache/total", "%", _DEFINITION)
declare("ratio", "part/whole", "x", _DEFINITION)

# --- memory: other caches, several cards, the engine's pool ----------------------------------------------------------
declare("mla_cache", "B*S*L*(latent + rope_dim)*p", "bytes", "DeepSeek-V2, arXiv 2405.04434")
declare("index_cache", "B*S*L_index*(index_dim + index_scale)/index_pool", "bytes", _INDEX)
declare("sparse_mla_cache", "mla_cache + index_cache", "bytes", "DeepSeek-V3.2-Exp: a latent and an index key a token")
declare("state_bytes", "B*(state*p_state + conv*p)", "bytes", "one fixed state a sequence: Mamba 2, arXiv 2405.21060")
declare("per_card", "ceil(whole/cards)", "none", "vLLM: heads are copied once cards outnumber them")
declare("rope_table", "positions*d_head*p_w", "bytes", "vLLM, rotary embedding: cos and sin of half a head each")
declare("activation_layers", "6*batched_tokens*(ffn + d_model)", "bytes", _ACTIVATION)
declare("activation_logits", "3.8*max_seqs*vocab*4", "bytes", _ACTIVATION)
declare("held_back", "activation + non_torch + graphs", "bytes", "vLLM, start-up profiling")
declare("pool_blocks", "floor(budget/(bs*kv_per_token))", "blocks", _VLLM)
declare("pool_tokens", "pool_blocks*bs", "tokens", _VLLM)
declare("concurrency", "pool_tokens/max_len", "x", "vLLM, start-up log: maximum concurrency")
declare("layer_groups", "ceil(L/group_layers)", "none", _GROUPS)
declare("group_padding", "layer_groups*group_layers - L", "layers", _GROUPS)
declare("group_pool_tokens", "floor(pool_blocks/groups)*bs", "tokens", _GROUPS)
declare("window_blocks", "blocks + 1", "blocks", _GROUPS)
declare("group_concurrency", "pool_blocks/need", "x", _GROUPS)
declare("state_block", "16*ceil(page/(16*kv_per_layer))", "tokens", "vLLM: attention pages grow to a state's page")
declare("reserved_bytes", "max_len*kv_per_token", "bytes", _VLLM)

# --- reservation and paging ------------------------------------------------------------------------------------------
declare("unused_slots", "max_len - used", "slots", _VLLM)
declare("naive_waste", "(max_len - used)/max_len", "%", _VLLM)
declare("blocks", "ceil(used/bs)", "blocks", _VLLM)
declare("slots", "blocks*bs", "slots", _VLLM)
declare("wasted_slots", "slots - used", "slots", _VLLM)
declare("paged_waste", "wasted_slots/slots", "%", _VLLM)
declare("worst_slack", "bs - 1", "slots", _VLLM)
declare("mean_slack", "worst_slack/2", "slots", _VLLM)
declare("worst_share", "worst_slack/bs", "%", _VLLM)
declare("paged_waste_bound", "worst_slack/(used + worst_slack)", "%", _VLLM)
declare("density_gain", "max_len/slots", "x", _VLLM)
declare("kv_effective", "1 - reserved_share - internal_share - external_share", "%", _VLLM)
declare("paged_sessions", "floor(budget/(slots*kv_per_token))", "sessions", _VLLM)
declare("naive_sessions", "floor(budget/(max_len*kv_per_token))", "sessions", _VLLM)

# --- quantization ----------------------------------------------------------------------------------------------------
declare("codes", "2^b", "codes", _DEFINITION)
declare("gaps", "2^b - 1", "steps", _DEFINITION)
declare("codes_ratio", "2^b_high/2^b_low", "x", _DEFINITION)
declare("bits_gone", "b_high - b_low", "bit", _DEFINITION)
declare("quant_step", "(r_max - r_min)/(2^b - 1)", "none", _AFFINE)
declare("max_error", "quant_step/2", "none", _AFFINE)
declare("zero_point", "round(-r_min/quant_step)", "none", _AFFINE)
declare("step_ratio", "(2^b_high - 1)/(2^b_low - 1)", "x", _AFFINE)
declare("square_error_ratio", "step_ratio^2", "x", "mean square of a uniform rounding error is step^2/12")
declare("symmetric_step", "absmax/(2^(b-1) - 1)", "none", _AFFINE)
declare("symmetric_step_ratio", "(2^(b_high-1) - 1)/(2^(b_low-1) - 1)", "x", _AFFINE)
declare("precision_shrink", "b_from/b_to", "x", _DEFINITION)
declare("bytes_of_bits", "b/8", "bytes", _DEFINITION)
declare("effective_bits", "b + meta_bits/group", "bit", "AWQ and GPTQ checkpoints: one scale (and zero-point) a group")
declare("effective_bytes", "effective_bits/8", "bytes", _DEFINITION)
declare("packed_bytes", "matrix_weights*effective_bytes", "bytes", _DEFINITION)
declare("quantized_weights", "(N_linear*bits_linear + N_rest*bits_rest)/8", "bytes", _DEFINITION)

# --- speed limits ----------------------------------------------------------------------------------------------------
declare("ridge", "peak_flops/bandwidth", "FLOP/byte", _ROOFLINE)
declare("smallest_compute_prompt", "ceil(ridge)", "tokens", _SCALING)
declare("knee_batch", "ridge*p_w/2", "tokens", _SCALING)
declare("critical_batch", "ceil(knee_batch)", "tokens", _SCALING)
declare("decode_step_time", "total/bandwidth", "s", _SCALING)
declare("decode_rate", "B*bandwidth/total", "tokens/s", _SCALING)
declare("decode_rate_limit", "bandwidth/kv_per_request", "tokens/s", _SCALING)
declare("rate_growth", "(1 + batch_growth)/(1 + kv_share*batch_growth) - 1", "%", _SCALING)
declare("decode_speedup", "total_before/total", "x", _SCALING)
declare("compute_time", "flops/peak_flops", "s", _ROOFLINE)
declare("read_time", "bytes_moved/bandwidth", "s", _ROOFLINE)
declare("matmul_flops", "2*N*T", "FLOP", "Kaplan et al., Scaling laws, arXiv 2001.08361: 2 FLOPs a weight and token")

# --- work with and without the cache ---------------------------------------------------------------------------------
declare("positions_cached", "P + T - 1", "tokens", "counting: the prompt once, then one token a step")
declare("positions_uncached", "T*P + T*(T - 1)/2", "tokens", "counting: the whole text again at every step")

# --- the work of one step --------------------------------------------------------------------------------------------
declare(
    "causal_pairs",
    "q_tokens*context + q_tokens*(q_tokens + 1)/2",
    "numbers",
    "counting: a token sees those before it and itself",
)
declare("attention_flops", "2*pairs*n_head*(d_key + d_value)*L", "FLOP", _SCALING)
declare("matrix_weights", "d_in*d_out", "weights", _DEFINITION)
declare("matrix_bytes", "matrix_weights*p_w + (d_in + d_out)*q_tokens*p_act", "bytes", "LLM-Viewer, arXiv 2402.16363")
declare(
    "experts_touched",
    "n_experts*(1 - (1 - top_k/n_experts)^q_tokens)",
    "numbers",
    "expected value when tokens choose experts evenly and independently",
)
declare("arithmetic_intensity", "flops/bytes_moved", "FLOP/byte", _ROOFLINE)
declare("weight_intensity", "2*B/p_w", "FLOP/byte", _SCALING)
declare(
    "unfused_attention_intensity",
    "(4*d_head*S^2 + 3*S^2)/(8*S^2 + 8*S*d_head)",
    "FLOP/byte",
    "Baseten, guide to LLM inference and performance: scores written to memory",
)
declare("memory_roof", "intensity*bandwidth", "FLOP/s", _ROOFLINE)

# --- the time of one step, and what was reached ----------------------------------------------------------------------
declare("memory_time", "read_time/memory_efficiency", "s", _ROOFLINE)
declare("math_time", "compute_time/compute_efficiency", "s", _ROOFLINE)
declare("fixed_time", "L*layer_time", "s", "a step cannot end before its kernels have been launched one after another")
declare(
    "mbu", "read_time/step_time", "%", "Databricks, LLM inference performance engineering: model bandwidth utilization"
)
declare("mfu", "compute_time/step_time", "%", "Chowdhery et al., PaLM, arXiv 2204.02311: model FLOPs utilization")
declare("speedup", "time_before/time_after", "x", _DEFINITION)
declare("residual", "measured/predicted - 1", "%", _DEFINITION)

# --- more than one card ----------------------------------------------------------------------------------------------
declare("activation_bytes", "q_tokens*d_model*p_act", "bytes", _DEFINITION)
declare("all_reduce_bytes", "2*(cards - 1)/cards*activation_bytes", "bytes", _RING)
declare("tensor_parallel_bytes", "2*L*all_reduce_bytes", "bytes", _MEGATRON)
declare("link_time", "link_bytes/(link_bandwidth*link_efficiency) + hops*hop_time", "s", _DEFINITION)
declare("pipeline_bubble", "(stages - 1)/(micro_batches + stages - 1)", "%", "Huang et al., GPipe, arXiv 1811.06965")

# --- requests --------------------------------------------------------------------------------------------------------
declare("step_rate", "B/step_time", "tokens/s", _DEFINITION)
declare("ttft", "queue_time + prefill_time", "s", "the first token comes out of the prefill")
declare("request_latency", "ttft + (T - 1)*step_time", "s", _DEFINITION)
declare(
    "service_time",
    "prefill_time + (T - 1)*step_time/B",
    "s",
    "a request's own prefill, and its share of the steps it rides with others",
)
declare(
    "tpot_beside_prefills", "step_time/(1 - arrival_rate*prefill_time)", "s", "decode gets the time that prefills leave"
)
declare("output_rate", "T/service_time", "tokens/s", _DEFINITION)
declare("request_rate_limit", "1/service_time", "none", _DEFINITION)
declare("load", "arrival_rate*service_time", "%", "Kleinrock, Queueing Systems (1975)")
declare("running_requests", "arrival_rate*latency", "requests", _LITTLE)
declare("queue_wait", "service_time*load/(1 - load)", "s", "M/M/1, Kleinrock, Queueing Systems (1975)")
declare("cost_per_million", "price_per_hour*10^6/(3600*token_rate)", "none", _DEFINITION)
