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

# --- memory: the cache, the weights, the card ----------------------------------------------------------------------
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

# --- reservation and paging ----------------------------------------------------------------------------------------
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
declare("paged_sessions", "floor(budget/(slots*kv_per_token))", "sessions", _VLLM)
declare("naive_sessions", "floor(budget/(max_len*kv_per_token))", "sessions", _VLLM)

# --- quantization --------------------------------------------------------------------------------------------------
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
declare("quantized_weights", "(N_linear*bits_linear + N_rest*bits_rest)/8", "bytes", _DEFINITION)

# --- speed limits --------------------------------------------------------------------------------------------------
declare("ridge", "peak_flops/bandwidth", "FLOP/byte", _ROOFLINE)
declare("smallest_compute_prompt", "ceil(ridge)", "tokens", _SCALING)
declare("critical_batch", "ceil(ridge*p_w/2)", "tokens", _SCALING)
declare("decode_step_time", "total/bandwidth", "s", _SCALING)
declare("decode_rate", "B*bandwidth/total", "tokens/s", _SCALING)
declare("decode_rate_limit", "bandwidth/kv_per_request", "tokens/s", _SCALING)
declare("rate_growth", "(1 + batch_growth)/(1 + kv_share*batch_growth) - 1", "%", _SCALING)
declare("decode_speedup", "total_before/total", "x", _SCALING)
declare("compute_time", "flops/peak_flops", "s", _ROOFLINE)
declare("read_time", "bytes_moved/bandwidth", "s", _ROOFLINE)
declare("matmul_flops", "2*N*T", "FLOP", "Kaplan et al., Scaling laws, arXiv 2001.08361: 2 FLOPs a weight and token")

# --- work with and without the cache -------------------------------------------------------------------------------
declare("positions_cached", "P + T - 1", "tokens", "counting: the prompt once, then one token a step")
declare("positions_uncached", "T*P + T*(T - 1)/2", "tokens", "counting: the whole text again at every step")
