"""How each engine spells each lever, and since which release: names of flags, with a value only where it is one word.

"drop" before names means that they are to be removed.

Source: the project's tables of levers and of flags, of September 2026. A lever that an engine has no flag for has no
row there. A row holds from its release on until the next one; a release is a number, or year and month for llama.cpp.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.diagnosis.model import Engine
from engine.diagnosis.settings.engines import Release

Rows = tuple[tuple[Release, str], ...]
"""Spellings with the release that each holds from."""

ALWAYS: Release = (0,)
_V1: Release = (0, 8)


def _one(text: str) -> Rows:
    return ((ALWAYS, text),)


SPELLINGS: Mapping[str, Mapping[Engine, Rows]] = {
    "paged-attention": {"llama.cpp": (((2025, 9), "--kv-unified"),)},
    "continuous-batching": {"llama.cpp": _one("-cb -np")},
    "w4a16": {
        "vllm": _one("--model (AWQ, GPTQ)"), "sglang": _one("--model-path (AWQ, GPTQ)"),
        "tensorrt-llm": _one("trtllm-serve (AWQ)"), "llama.cpp": _one("-m (Q4_K_M)"), "tgi": _one("--quantize awq"),
        "lmdeploy": _one("--model-format awq"), "transformers": _one("load_in_4bit"),
    },
    "w8a8": {
        "vllm": _one("--model (W8A8)"), "sglang": _one("--quantization w8a8_int8"), "tgi": _one("--model-id (W8A8)"),
    },
    "fp8": {
        "vllm": _one("--quantization fp8"), "sglang": _one("--quantization fp8"), "tgi": _one("--quantize fp8"),
        "tensorrt-llm": _one("trtllm-serve (FP8)"),
    },
    "kv-quantization": {
        "vllm": _one("--kv-cache-dtype fp8"), "sglang": _one("--kv-cache-dtype fp8_e4m3"),
        "tensorrt-llm": _one("kv_cache_config.dtype fp8"),
        "llama.cpp": ((ALWAYS, "-ctk q8_0 -ctv q8_0 -fa"), ((2025, 9), "-ctk q8_0 -ctv q8_0 -fa on")),
        "tgi": (((2, 4), "--kv-cache-dtype fp8_e4m3fn"),), "lmdeploy": _one("--quant-policy 8"),
        "ollama": _one("OLLAMA_KV_CACHE_TYPE=q8_0 OLLAMA_FLASH_ATTENTION=1"), "exllama": _one("cache_mode Q8"),
    },
    "keep-16bit": {
        "vllm": _one("--dtype bfloat16 --kv-cache-dtype auto"),
        "sglang": _one("--dtype bfloat16 --kv-cache-dtype auto"),
        "tensorrt-llm": _one("kv_cache_config.dtype auto"), "llama.cpp": _one("-m (F16) -ctk f16 -ctv f16"),
        "tgi": _one("--dtype bfloat16"), "transformers": _one("torch_dtype=bfloat16"),
        "exllama": _one("cache_mode FP16"), "ollama": _one("OLLAMA_KV_CACHE_TYPE=f16"),
    },
    "float16": {
        "vllm": _one("--dtype half"), "sglang": _one("--dtype half"), "tgi": _one("--dtype float16"),
        "lmdeploy": _one("--dtype float16"), "transformers": _one("torch_dtype=float16"),
    },
    "prequantized-checkpoint": {
        "vllm": _one("--model"), "sglang": _one("--model-path"), "tensorrt-llm": _one("trtllm-serve"),
        "llama.cpp": _one("-m"), "tgi": _one("--model-id"),
    },
    "better-kernel": {
        "vllm": (
            (ALWAYS, "--quantization gptq_marlin VLLM_ATTENTION_BACKEND"),
            ((0, 14), "--attention-backend --moe-backend --linear-backend"),
        ),
        "sglang": _one("--attention-backend --moe-runner-backend --fp8-gemm-backend"),
        "tensorrt-llm": _one("attn_backend moe_config.backend"), "tgi": _one("ATTENTION"),
        "llama.cpp": ((ALWAYS, "-fa"), ((2025, 9), "-fa on")),
        "transformers": _one("attn_implementation=flash_attention_2"), "ollama": _one("OLLAMA_FLASH_ATTENTION=1"),
    },
    "cuda-graphs": {
        "vllm": (
            (ALWAYS, "drop --enforce-eager, --max-seq-len-to-capture"),
            (_V1, "drop --enforce-eager, --cuda-graph-sizes"),
            ((0, 11, 1), "drop --enforce-eager, --max-cudagraph-capture-size"),
        ),
        "sglang": (
            (ALWAYS, "drop --disable-cuda-graph, --cuda-graph-max-bs"),
            ((0, 5, 15), "drop --disable-cuda-graph, --cuda-graph-max-bs-decode"),
        ),
        "tensorrt-llm": (((1, 0), "cuda_graph_config.max_batch_size enable_padding"),),
        "llama.cpp": _one("drop GGML_CUDA_DISABLE_GRAPHS"), "tgi": (((1, 4), "--cuda-graphs"),),
    },
    "fewer-cuda-graphs": {
        "vllm": (
            (ALWAYS, "--max-num-seqs"),
            (_V1, "--cuda-graph-sizes --max-num-seqs"),
            ((0, 11, 1), "--cudagraph-capture-sizes --max-num-seqs"),
        ),
        "sglang": ((ALWAYS, "--cuda-graph-max-bs"), ((0, 5, 15), "--cuda-graph-max-bs-decode")),
        "tensorrt-llm": (((1, 0), "cuda_graph_config.batch_sizes"),), "tgi": (((1, 4), "--cuda-graphs"),),
    },
    "eager-mode": {
        "vllm": _one("--enforce-eager"), "sglang": _one("--disable-cuda-graph"),
        "tensorrt-llm": (((1, 0), "cuda_graph_config: null"),), "llama.cpp": _one("GGML_CUDA_DISABLE_GRAPHS=1"),
        "tgi": (((1, 4), "--cuda-graphs 0"),),
    },
    "lower-max-model-len": {
        "vllm": _one("--max-model-len"), "sglang": _one("--context-length"), "tensorrt-llm": _one("--max_seq_len"),
        "llama.cpp": _one("-c"), "tgi": _one("--max-total-tokens"), "lmdeploy": _one("--session-len"),
        "exllama": _one("max_seq_len"), "ollama": _one("OLLAMA_CONTEXT_LENGTH"),
    },
    "raise-memory-utilization": {
        "vllm": ((ALWAYS, "--gpu-memory-utilization"), ((0, 11), "--gpu-memory-utilization --kv-cache-memory-bytes")),
        "sglang": _one("--mem-fraction-static"), "tensorrt-llm": _one("--free_gpu_memory_fraction"),
        "llama.cpp": _one("-c"), "tgi": _one("--max-batch-total-tokens"), "lmdeploy": _one("--cache-max-entry-count"),
        "exllama": _one("cache_size"),
    },
    "expandable-segments": {
        name: _one("PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True")
        for name in ("vllm", "sglang", "tgi", "transformers", "lmdeploy", "exllama", "tensorrt-llm")
    },
    "lower-memory-utilization": {
        "vllm": _one("--gpu-memory-utilization"), "sglang": _one("--mem-fraction-static"),
        "tensorrt-llm": _one("--free_gpu_memory_fraction"), "llama.cpp": (((2025, 12), "--fit-target"),),
        "tgi": _one("--cuda-memory-fraction"), "lmdeploy": _one("--cache-max-entry-count"),
        "exllama": _one("cache_size"),
    },
    "cap-concurrency": {
        "vllm": _one("--max-num-seqs"), "sglang": _one("--max-running-requests"),
        "tensorrt-llm": _one("--max_batch_size"), "llama.cpp": _one("-np"), "tgi": _one("--max-concurrent-requests"),
        "lmdeploy": _one("--max-batch-size"), "exllama": _one("max_batch_size"), "ollama": _one("OLLAMA_NUM_PARALLEL"),
    },
    "raise-concurrency": {
        "vllm": _one("--max-num-seqs"), "sglang": _one("--max-running-requests"),
        "tensorrt-llm": _one("--max_batch_size"), "llama.cpp": _one("-np -c"), "tgi": _one("--max-concurrent-requests"),
        "lmdeploy": _one("--max-batch-size"), "exllama": _one("max_batch_size"), "ollama": _one("OLLAMA_NUM_PARALLEL"),
    },
    "admission-policy": {
        "vllm": (
            (ALWAYS, ""),
            ((0, 20), "--scheduler-reserve-full-isl"),
            ((0, 25), "--watermark --scheduler-reserve-full-isl"),
        ),
        "sglang": _one("--schedule-conservativeness"),
        "tensorrt-llm": (
            (ALWAYS, "batch_scheduler_policy: guaranteed_no_evict"),
            ((1, 0), "scheduler_config.capacity_scheduler_policy: GUARANTEED_NO_EVICT"),
        ),
        "tgi": _one("--max-batch-total-tokens"),
    },
    "shorten-requests": {
        "vllm": _one("max_tokens"), "sglang": _one("max_tokens"), "tensorrt-llm": _one("max_tokens"),
        "llama.cpp": _one("-n"), "tgi": _one("max_new_tokens"), "lmdeploy": _one("max_tokens"),
        "transformers": _one("max_new_tokens"), "exllama": _one("max_tokens"), "ollama": _one("num_predict"),
    },
    "chunked-prefill": {
        "vllm": (((0, 4), "--enable-chunked-prefill"),), "sglang": _one("--chunked-prefill-size"),
        "tensorrt-llm": ((ALWAYS, "enable_chunked_context"), ((1, 0), "--enable_chunked_prefill")),
        "tgi": (((2, 4), "PREFILL_CHUNKING=1"),),
    },
    "raise-token-budget": {
        "vllm": _one("--max-num-batched-tokens"), "sglang": _one("--chunked-prefill-size --max-prefill-tokens"),
        "tensorrt-llm": _one("--max_num_tokens"), "llama.cpp": _one("-ub -b"),
        "tgi": _one("--max-batch-prefill-tokens"), "lmdeploy": _one("--max-prefill-token-num"),
        "exllama": _one("chunk_size"),
    },
    "lower-token-budget": {
        "vllm": _one("--max-num-batched-tokens"), "sglang": _one("--chunked-prefill-size"),
        "tensorrt-llm": _one("--max_num_tokens"), "llama.cpp": _one("-ub"), "tgi": _one("--max-batch-prefill-tokens"),
        "lmdeploy": _one("--max-prefill-token-num"), "exllama": _one("chunk_size"),
    },
    "prefix-caching": {
        "vllm": (((0, 4), "--enable-prefix-caching"),), "sglang": _one("drop --disable-radix-cache"),
        "tensorrt-llm": _one("kv_cache_config.enable_block_reuse"),
        "llama.cpp": ((ALWAYS, "--cache-prompt"), ((2025, 10), "--cache-prompt --cache-ram")),
        "tgi": (((2, 3), "PREFIX_CACHING=1"),), "lmdeploy": _one("--enable-prefix-caching"),
    },
    "speculative-decoding": {
        "vllm": ((ALWAYS, "--speculative-model --num-speculative-tokens"), (_V1, "--speculative-config")),
        "sglang": _one("--speculative-algorithm"), "tensorrt-llm": _one("speculative_config"),
        "llama.cpp": ((ALWAYS, "-md --draft-max"), ((2026, 1), "-md --spec-type --spec-draft-n-max")),
        "tgi": _one("--speculate"),
    },
    "drop-speculation": {
        "vllm": ((ALWAYS, "drop --speculative-model"), (_V1, "drop --speculative-config")),
        "sglang": _one("drop --speculative-algorithm"), "tensorrt-llm": _one("drop speculative_config"),
        "llama.cpp": ((ALWAYS, "drop -md"), ((2026, 1), "drop -md --spec-type")), "tgi": _one("drop --speculate"),
    },
    "tensor-parallel": {
        "vllm": _one("--tensor-parallel-size"), "sglang": ((ALWAYS, "--tp"), ((0, 4), "--tp-size")),
        "tensorrt-llm": _one("--tp_size"), "llama.cpp": ((ALWAYS, "-sm row"), ((2026, 1), "-sm row, -sm tensor")),
        "tgi": _one("--num-shard"), "lmdeploy": _one("--tp"), "exllama": _one("tensor_parallel"),
    },
    "data-parallel": {
        "vllm": (((0, 8), "--data-parallel-size --enable-expert-parallel"),),
        "sglang": ((ALWAYS, "--dp"), ((0, 4), "--dp-size --enable-dp-attention")),
        "tensorrt-llm": (((1, 0), "enable_attention_dp --ep_size"),), "lmdeploy": _one("--dp"),
    },
    "pipeline-parallel": {
        "vllm": (((0, 5), "--pipeline-parallel-size"),), "sglang": (((0, 4), "--pp-size"),),
        "tensorrt-llm": _one("--pp_size"), "llama.cpp": _one("-sm layer"), "transformers": _one("device_map=auto"),
    },
    "fix-topology": {
        "vllm": _one("drop NCCL_P2P_DISABLE, --disable-custom-all-reduce"),
        "sglang": _one("drop NCCL_P2P_DISABLE, --disable-custom-all-reduce"),
        "tensorrt-llm": _one("drop NCCL_P2P_DISABLE"), "tgi": _one("drop NCCL_P2P_DISABLE"),
    },
    "cpu-offload": {
        "vllm": (((0, 5), "--cpu-offload-gb"),), "sglang": _one("--cpu-offload-gb"), "llama.cpp": _one("-ngl"),
        "transformers": _one("device_map=auto max_memory"), "ollama": _one("num_gpu"),
    },
    "drop-cpu-offload": {
        "vllm": _one("drop --cpu-offload-gb"), "sglang": _one("drop --cpu-offload-gb"),
        "llama.cpp": ((ALWAYS, "-ngl 999"), ((2025, 12), "-ngl all --fit off")),
        "transformers": _one("drop device_map=auto"), "ollama": _one("num_gpu 999"),
    },
    "expert-offload": {
        "vllm": (((0, 14), "--cpu-offload-gb --cpu-offload-params"),),
        "sglang": (((0, 5), "--kt-num-gpu-experts --kt-weight-path"),),
        "llama.cpp": ((ALWAYS, "-ot"), ((2025, 8), "--n-cpu-moe")),
    },
    "merge-lora": {
        "vllm": _one("drop --enable-lora"), "sglang": _one("drop --lora-paths"), "tgi": _one("drop --lora-adapters"),
        "llama.cpp": _one("llama-export-lora"), "transformers": _one("merge_and_unload()"),
    },
    "lower-adapter-rank": {"vllm": _one("--max-lora-rank"), "sglang": _one("--max-lora-rank")},
    "grammar-backend": {
        "vllm": ((ALWAYS, "--guided-decoding-backend"), ((0, 11), "--structured-outputs-config.backend")),
        "sglang": _one("--grammar-backend"), "tensorrt-llm": _one("guided_decoding_backend"),
    },
    "tune-serving-layer": {
        "vllm": (((0, 11), "--api-server-count --stream-interval"),), "sglang": _one("--stream-interval"),
        "tensorrt-llm": (((1, 0), "stream_interval"),),
    },
}  # fmt: skip
"""By lever and engine. Levers of hardware, of the caller and of an upgrade have no flag."""
