"""Logs of SGLang, TensorRT-LLM, TGI and llama.cpp, of every era: values, units, kinds, traps; nothing that is cut."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.artefacts.model import Observations
from engine.artefacts.registry import read, read_text

SGLANG_START = """\
[2026-03-04 10:00:01 TP0] server_args=ServerArgs(model_path='org/Model-9B', tp_size=2, mem_fraction_static=0.82, \
context_length=None, api_key='hidden', disable_cuda_graph=False, cuda_graph_bs=[1, 2, 4], kv_cache_dtype='fp8_e5m2')
[2026-03-04 10:00:02 TP0] Load weight begin. avail mem=78.25 GB
[2026-03-04 10:01:12 TP0] Load weight end. elapsed=69.50 s, type=ModelForCausalLM, avail mem=61.50 GB, mem \
usage=16.75 GB.
[2026-03-04 10:01:13 TP1] Load weight end. type=ModelForCausalLM, dtype=torch.bfloat16, avail mem=61.25 GB, \
mem usage=17.00 GB.
[2026-03-04 10:01:20 TP0] Load weight end. elapsed=4.25 s, type=ModelForCausalLMMTP, avail mem=62.00 GB, \
mem usage=-0.50 GB.
[2026-03-04 10:01:21 TP0] KV Cache is allocated. dtype: torch.bfloat16, #tokens: 412096, K size: 20.25 GB, V size: \
20.75 GB
[2026-03-04 10:01:21 TP0] Memory pool end. avail mem=12.50 GB
[2026-03-04 10:01:22 TP0] Capture cuda graph begin. This can take up to several minutes. avail mem=12.25 GB
Capturing batches (bs=8 avail_mem=12.00 GB):  50%|#####     | 6/12 [00:02<00:02,  2.40it/s]
Capturing batches (bs=1 avail_mem=11.50 GB): 100%|##########| 12/12 [00:05<00:00,  2.40it/s]
Capturing batches (bs=1 avail_mem=11.50 GB): 100%|##########| 12/12 [00:05<00:00,  2.40it/s]
[2026-03-04 10:01:28 TP0] Capture cuda graph end. Time elapsed: 5.75 s. mem usage=0.75 GB. avail mem=11.50 GB.
[2026-03-04 10:01:30 TP0] Capture target decode CUDA graph end. elapsed=2.25 s, mem usage=0.25 GB, avail mem=11.25 GB.
[2026-03-04 10:01:31 TP0] max_total_num_tokens=412096, chunked_prefill_size=4096, max_prefill_tokens=16384, \
max_running_requests=256, context_len=65536, available_gpu_mem=11.25 GB
"""
SGLANG_RUN = """\
[2026-03-04 10:02:00 TP0] Prefill batch [7], #new-seq: 2, #new-token: 3072, #cached-token: 1024, full token usage: \
0.40, \
mamba usage: 0.25, #running-req: 0, #queue-req: 5, #pending-token: 640, cuda graph: False, input throughput \
(token/s): 812.50
[2026-03-04 10:02:04 TP0] Decode batch [40], #running-req: 6, #full token: 164864, full token usage: 0.40, mamba \
num: 12, \
mamba usage: 0.25, accept len: 2.75, accept rate: 0.58, cuda graph: True, gen throughput (token/s): 240.25, \
#queue-req: 5
[2026-03-04 10:02:09 TP0] KV cache pool is full. Retract requests. #retracted_reqs: 2, #new_token_ratio: 0.10 -> 0.35
[2025-01-08 20:17:32 TP0] Decode batch. #running-req: 3, #token: 27373, token usage: 0.07, npu graph: True, \
gen throughput (token/s): 33.25, #queue-req: 1,\x20
[2024-10-08 20:17:33 TP0] Prefill batch(mixed #running-req: 4). #new-seq: 1, #new-token: 96, #cached-token: 32, \
cache hit rate: 12.50%, #queue-req: 2
"""
TENSORRT = """\
[TensorRT-LLM] TensorRT-LLM version: 0.17.0
[TensorRT-LLM][INFO] TRTGptModel maxSequenceLen: 6144
[TensorRT-LLM][INFO] TRTGptModel maxNumTokens: 12288
[TensorRT-LLM][INFO] TRTGptModel maxBatchSize: 96
[TensorRT-LLM][INFO] Loaded engine size: 7168 MiB
[TensorRT-LLM][INFO] [MemUsageChange] Allocated 1.14 GB GPU memory for runtime buffers.
[TensorRT-LLM][INFO] Memory usage when calculating max tokens in paged kv cache: total: 44.50 GiB, available: 30.25 GiB
[TensorRT-LLM][INFO] Number of blocks in KV cache primary pool: 3072
[TensorRT-LLM][INFO] Number of blocks in KV cache secondary pool: 4096, onboard blocks to primary memory before \
reuse: true
[TensorRT-LLM][INFO] Max KV cache pages per sequence: 96
[TensorRT-LLM][INFO] Number of tokens per block: 64.
[TensorRT-LLM][INFO] [MemUsageChange] Allocated 27.25 GiB for max tokens in paged KV cache (196608).
[02/14/2025-09:38:53] [TRT-LLM] [I] max_seq_len=6144, max_num_requests=96, max_num_tokens=12288, max_batch_size=96
"""
TRTLLM_BENCH = """\
===========================================================
= WORLD + RUNTIME INFORMATION
===========================================================
TP Size:                2
EP Size:                None
Max Runtime Batch Size: 512
Max Runtime Tokens:     6144
KV Memory Percentage:   85.00%

===========================================================
= PERFORMANCE OVERVIEW
===========================================================
Request Throughput (req/sec):                     12.5000
Total Output Throughput (tokens/sec):             3200.2500
Per User Output Throughput [w/ ctx] (tps/user):   41.7500
Per GPU Output Throughput (tps/gpu):              1600.1250
Total Token Throughput (tokens/sec):              9600.7500
Total Latency (ms):                               80000.5000
Average request latency (ms):                     6144.2500
Average time-to-first-token [TTFT] (ms):          512.2500
Average time-per-output-token [TPOT] (ms):        22.1250

-- Request Latency Breakdown (ms) -----------------------

[Latency] P10    : 4096.1250
[Latency] P99    : 9216.3750
[Latency] AVERAGE: 6144.2500
"""
TGI = """\
2024-09-03T04:36:57.491823Z  INFO text_generation_launcher: Args {
    model_id: "org/model-7b",
    revision: None,
    num_shard: Some(
        2,
    ),
    max_input_tokens: Some(
        3000,
    ),
    max_total_tokens: Some(
        3500,
    ),
    max_batch_prefill_tokens: None,
    cors_allow_origin: [],
}
2024-09-03T04:36:57.507104Z  INFO text_generation_launcher: Default `max_batch_prefill_tokens` to 3050
2024-09-03T04:36:59.370247Z  INFO text_generation_launcher: KV-cache blocks: 61440, size: 1
2024-09-03T04:40:19.370247Z  INFO text_generation_router::server: router/src/server.rs:1: Setting max batch total \
tokens to 61440
"""
LLAMACPP = """\
ggml_cuda_init: found 2 CUDA devices (Total VRAM: 36864 MiB):
  Device 0: NVIDIA GeForce RTX 4090, compute capability 8.9, VMM: yes, VRAM: 24576 MiB
  Device 1: AMD Radeon RX 6700 XT, gfx1031 (0x1031), VMM: no, Wave Size: 32
ggml_vulkan: 2 = Intel(R) Arc(tm) A770 Graphics (Intel open-source Mesa driver) | uma: 0 | fp16: 1
print_info: file size   = 8.50 GiB (4.89 BPW)
print_info: n_layer          = 48
print_info: n_head_kv        = 4
load_tensors: offloaded 40/49 layers to GPU
load_tensors:   CPU_Mapped model buffer size =   768.00 MiB
load_tensors:        CUDA0 model buffer size =  6144.50 MiB
load_tensors: RPC[10.0.0.7:50052] model buffer size =  1024.00 MiB
llama_context: n_seq_max     = 4
llama_context: n_ctx         = 16384
llama_context: n_ctx_seq     = 4096
llama_context: n_batch       = 1024
llama_context: n_ubatch      = 256
llama_context: flash_attn    = auto
llama_context: Flash Attention was auto, set to enabled
llama_context:  CUDA_Host  output buffer size =     0.77 MiB
llama_kv_cache:      CUDA0 KV buffer size =  1536.00 MiB
llama_kv_cache: size = 1536.00 MiB ( 16384 cells,  48 layers,  4/4 seqs), K (q8_0):  512.00 MiB, V (f16): 1024.00 MiB
llama_context: pipeline parallelism enabled (n_copies=2)
sched_reserve:      CUDA0 compute buffer size =   320.00 MiB
prompt eval time =     500.25 ms /    64 tokens (    7.82 ms per token,   127.94 tokens per second)
       eval time =    4000.50 ms /   128 tokens (   31.25 ms per token,    32.00 tokens per second)
slot print_timing: id  0 | task 7 |        eval time =       0.00 ms /     1 runs   (    0.00 ms per token,      \
inf tokens per second)
[ Prompt: 210.5 t/s | Generation: 20.5 t/s ]
"""
WHOLE = (SGLANG_START, SGLANG_RUN, TENSORRT, TRTLLM_BENCH, TGI, LLAMACPP)


def values(text: str) -> dict[str, Any]:
    """What was read: one value by itself, several as a list."""
    found = read_text(text)
    return {name: found.all(name)[0] if len(found.all(name)) == 1 else found.all(name) for name in found.series}


def traps(text: str) -> set[tuple[str, str]]:
    return {(one.id, one.name) for one in read_text(text).traps}


def test_sglang_start() -> None:
    found = read_text(SGLANG_START)
    assert found.engine == "sglang"
    assert set(found.kinds) == {"sglang-start", "sglang-config"}
    assert values(SGLANG_START) == {
        "model": "org/Model-9B", "model_path": "org/Model-9B", "tp_size": 2, "mem_fraction_static": 0.82,
        "disable_cuda_graph": False, "kv_cache_dtype": "fp8_e5m2",
        "gpu_memory_free": [78.25, 61.5, 61.25, 62.0, 12.5, 12.25, 11.5, 11.25],
        "model_loading_memory": [16.75, 17.0, -0.5], "model_loading_time": [69.5, 4.25],
        "kv_cache_tokens": 412096, "k_cache_memory": 20.25, "v_cache_memory": 20.75,
        "graph_count": 12, "graph_memory": [0.75, 0.25], "graph_capture_time": [5.75, 2.25],
        "chunked_prefill_size": 4096, "max_prefill_tokens": 16384, "max_running_requests": 256, "context_len": 65536,
    }  # fmt: skip
    assert "api_key" not in found.flags
    assert found.flags["cuda_graph_bs"] == "[1, 2, 4]"
    assert {
        ("gb-is-gib", "model_loading_memory"), ("gb-is-gib", "k_cache_memory"), ("gb-is-gib", "graph_memory"),
        ("draft-model", "model_loading_memory"), ("per-rank", "model_loading_memory"),
    } <= traps(SGLANG_START)  # fmt: skip


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("KV Cache is allocated. K size: 2.25 GB, V size: 2.50 GB.", {"k_cache_memory": 2.25, "v_cache_memory": 2.5}),
        (
            "KV Cache is allocated. #tokens: 52224, KV size: 3.25 GB",
            {"kv_cache_tokens": 52224, "kv_cache_memory": 3.25},
        ),
        (
            "SWAKVPool mem usage: 30.50 GB, swa size: 81920, full size: 102400",
            {"kv_cache_memory": 30.5, "kv_cache_tokens.swa": 81920, "kv_cache_tokens.full": 102400},
        ),
        ("Capture cuda graph end. Time elapsed: 6.25 s", {"graph_capture_time": 6.25}),
        (
            "Capture piecewise CUDA graph end. Time elapsed: 3.50 s. mem usage=0.50 GB.",
            {"graph_memory": 0.5, "graph_capture_time": 3.5},
        ),
    ],
)
def test_sglang_other_eras(line: str, expected: dict[str, Any]) -> None:
    assert values(f"[2025-05-05 10:00:00] {line}\n") == expected


def test_sglang_old_bar_has_no_name() -> None:
    bar = "100%|####| 23/23 [00:06<00:00,  3.5it/s]\n"
    assert values(f"Capture cuda graph begin. It takes a while.\n{bar}Capture cuda graph end.\n") == {"graph_count": 23}
    assert values(f"Downloading\n{bar}") == {}


def test_sglang_batches() -> None:
    assert values(SGLANG_RUN) == {
        "prefill_new_sequences": [2, 1], "prefill_new_tokens": [3072, 96], "prefill_cached_tokens": [1024, 32],
        "kv_cache_usage.full": [0.4, 0.4], "mamba_usage": [0.25, 0.25], "running_requests": [0, 6, 3, 4],
        "waiting_requests": [5, 5, 1, 2], "pending_tokens": 640, "cuda_graph": [False, True, True],
        "prompt_throughput": 812.5, "kv_cache_tokens_used.full": 164864, "mamba_slots_used": 12,
        "spec_accept_length": 2.75, "spec_acceptance_rate": 0.58, "generation_throughput": [240.25, 33.25],
        "kv_cache_tokens_used": 27373, "kv_cache_usage": 0.07, "prefix_cache_hit_rate": 0.125, "retracted_requests": 2,
    }  # fmt: skip
    assert {
        ("two-pools", "kv_cache_usage"), ("average-of-gap", "generation_throughput"),
        ("since-start", "prefix_cache_hit_rate"),
    } <= traps(SGLANG_RUN)  # fmt: skip
    assert read_text(SGLANG_RUN).kinds["sglang-stats"].times == 5


def test_a_batch_that_is_cut_gives_what_is_whole() -> None:
    text = "[2026-03-04 10:02:04] Decode batch, #running-req: 6, #token: 4711, token usage: 0.3\n"
    assert values(text) == {"running_requests": 6, "kv_cache_tokens_used": 4711}
    assert values("Decode batch, #running-req: 12, #queue-req: 3") == {"running_requests": 12}
    assert values("Decode batch, #running-req: 12, #queue-req: 3\n") == {"running_requests": 12, "waiting_requests": 3}


def test_tensorrt() -> None:
    found = read_text(TENSORRT)
    assert (found.engine, found.version) == ("tensorrt-llm", "0.17.0")
    assert values(TENSORRT) == {
        "max_model_len": 6144, "max_num_batched_tokens": 12288, "max_batch_size": 96, "max_num_seqs": 96,
        "model_size": 7.0, "gpu_memory_total": 44.5, "gpu_memory_free": 30.25, "num_gpu_blocks": 3072,
        "num_cpu_blocks": 4096, "blocks_per_sequence": 96, "block_size": 64, "kv_cache_memory": 27.25,
        "kv_cache_tokens": 196608,
    }  # fmt: skip
    assert ("cpu-blocks-more", "num_cpu_blocks") in traps(TENSORRT)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "Max KV cache blocks per sequence: 128 [window size=4096], tokens per block=32, primary blocks=900, "
            "secondary blocks=0, max sequence length=4096",
            {"blocks_per_sequence": 128, "block_size": 32, "num_gpu_blocks": 900, "num_cpu_blocks": 0,
             "max_model_len": 4096},
        ),
        ("[windowSize=1024] {.primaryBlocks=77, .secondayBlocks=3}", {"num_gpu_blocks": 77, "num_cpu_blocks": 3}),
        ("Using 20480 tokens in paged KV cache.", {"kv_cache_tokens": 20480}),
        (
            "Using 4096 total tokens in paged KV cache, and 32 blocks per sequence",
            {"kv_cache_tokens": 4096, "blocks_per_sequence": 32},
        ),
        ("Rank 0 uses 6.25 GB for model weights.", {"model_loading_memory": 6.25}),
        (
            "Both free_gpu_memory_fraction and max_tokens are set (to 0.75 and 8256 with free memory 1.5 of total "
            "memory 5.5, respectively). The smaller value will be used.",
            {"free_gpu_memory_fraction": 0.75, "max_tokens_in_paged_kv_cache": 8256},
        ),
        ("Allocate 3221225472 bytes for k/v cache.", {"kv_cache_memory": 3.0}),
        (
            "Allocated 512.00 MiB for max tokens in paged KV cache (2048).",
            {"kv_cache_memory": 0.5, "kv_cache_tokens": 2048},
        ),
        (
            "Both freeGpuMemoryFraction (aka kv_cache_free_gpu_mem_fraction) and maxTokens (aka "
            "max_tokens_in_paged_kv_cache) are set (to 0.750000 and 4096, respectively). The smaller one will be used.",
            {"free_gpu_memory_fraction": 0.75, "max_tokens_in_paged_kv_cache": 4096},
        ),
        ("kv_cache_config=KvCacheConfig(free_gpu_memory_fraction=0.85, x=1)", {"free_gpu_memory_fraction": 0.85}),
    ],
)  # fmt: skip
def test_tensorrt_other_eras(line: str, expected: dict[str, Any]) -> None:
    assert values(f"[TensorRT-LLM][INFO] {line}\n") == expected


def test_trtllm_bench() -> None:
    assert values(TRTLLM_BENCH) == {
        "tp_size": 2, "max_batch_size": 512, "max_num_batched_tokens": 6144, "free_gpu_memory_fraction": 0.85,
        "request_throughput": 12.5, "output_throughput": 3200.25, "output_throughput.per_user": 41.75,
        "output_throughput.per_gpu": 1600.125, "total_token_throughput": 9600.75, "benchmark_duration": 80.0005,
        "e2e_latency.mean": 6144.25, "ttft.mean": 512.25, "tpot.mean": 22.125, "e2e_latency.p10": 4096.125,
        "e2e_latency.p99": 9216.375,
    }  # fmt: skip
    old = (
        "= STATISTICS\nNumber of requests:             300\nToken Throughput (tokens/sec):  405.5\n"
        "Total Latency (seconds):        16.25\n"
    )
    assert values(old) == {"completed_requests": 300, "output_throughput": 405.5, "benchmark_duration": 16.25}


def test_tgi_limits() -> None:
    found = read_text(TGI)
    assert found.engine == "tgi"
    assert values(TGI) == {
        "model": "org/model-7b", "num_shard": 2, "max_input_length": 3000, "max_total_tokens": 3500,
        "max_batch_prefill_tokens": 3050, "num_gpu_blocks": 61440, "block_size": 1, "max_batch_total_tokens": 61440,
    }  # fmt: skip
    assert found.flags["cors_allow_origin"] == "[]"
    assert found.line_of("max_input_length") == 7


@pytest.mark.parametrize("quote", ['"', '\\"'])
def test_tgi_arguments_on_one_line(quote: str) -> None:
    text = (
        "2023-07-05T19:53:44Z  INFO text_generation_launcher: Args { model_id: 'org/m', quantize: Some(Gptq), "
        "max_input_length: 700, max_total_tokens: 900, max_batch_total_tokens: Some(8000), env: false }\n"
    ).replace("'", quote)
    found = values(text)
    assert found["model"] == "org/m"
    assert found["quantize"] == "Gptq"
    assert (found["max_input_length"], found["max_total_tokens"], found["max_batch_total_tokens"]) == (700, 900, 8000)


def test_tgi_errors() -> None:
    text = (
        'Error: Warmup(Generation("Not enough memory to handle 3000 prefill tokens. You need to decrease it"))\n'
        "Not enough memory to handle 9000 total tokens with 40 prefill tokens. You need to decrease it\n"
        "ERROR warmup{max_input_length=90 max_prefill_tokens=300 max_total_tokens=400}:warmup: client: Server error: "
        "Not enough memory to handle 300 prefill tokens.\n"
    )
    assert values(text) == {
        "error": ["warmup_prefill_memory", "warmup_total_memory", "warmup_prefill_memory"],
        "failed_prefill_tokens": [3000, 40, 300], "failed_total_tokens": 9000, "max_input_length": 90,
        "max_batch_prefill_tokens": 300, "max_total_tokens": 400,
    }  # fmt: skip
    assert [dict(one.params) for one in read_text(text).traps if one.id == "fails-at-few"] == [{"tokens": 40}]
    assert not traps("Not enough memory to handle 3000 prefill tokens.\n")


def test_llamacpp() -> None:
    found = read_text(LLAMACPP)
    assert found.engine == "llama.cpp"
    assert set(found.kinds) == {"llamacpp-start", "llamacpp-timings"}
    assert values(LLAMACPP) == {
        "gpu_index": [0, 1, 2], "gpu_memory_total": 24.0,
        "gpu_name": ["NVIDIA GeForce RTX 4090", "AMD Radeon RX 6700 XT", "Intel(R) Arc(tm) A770 Graphics"],
        "model_size": 8.5, "n_layers": 48, "n_kv_heads": 4, "layers_on_gpu": 40, "layers_total": 49,
        "weights_memory.cpu_mapped": 0.75, "weights_memory.cuda0": 6144.5 / 1024, "weights_memory.rpc": 1.0,
        "n_seq_max": 4, "n_ctx": 16384, "n_batch": 1024, "n_ubatch": 256, "flash_attention": True,
        "kv_cache_memory.cuda0": 1.5, "kv_cache_memory": 1.5, "k_cache_memory": 0.5, "v_cache_memory": 1.0,
        "pipeline_copies": 2, "compute_buffer_memory.cuda0": 0.3125, "prefill_time": 500.25, "prefill_tokens": 64,
        "prefill_throughput": [127.94, 210.5], "decode_time": [4000.5, 0.0], "decode_tokens": [128, 1],
        "decode_throughput": [32.0, 20.5],
    }  # fmt: skip
    assert {("ctx-is-split", "n_ctx"), ("eval-is-decode", "decode_time")} <= traps(LLAMACPP)


def test_llamacpp_of_2023_and_2024() -> None:
    text = """\
llm_load_tensors: mem required  =  256.00 MB (+  256.00 MB per state)
llm_load_tensors: offloaded 20/33 layers to GPU
llm_load_tensors: VRAM used: 3072.00 MB
llm_load_tensors:        CPU buffer size =  2048.00 MiB
llm_load_tensors:      ROCm0 buffer size =  1024.00 MiB
llama_new_context_with_model: flash_attn = 0
llama_new_context_with_model: kv self size  =  512.00 MB
llama_new_context_with_model: KV self size  = 1536.00 MiB, c^KV (q8_0): 1536.00 MiB, kv^T: not used
llama_new_context_with_model: compute buffer total size =   64.00 MB
llama_print_timings:        eval time =  2806.00 ms /   255 runs   (   11.0 ms per token)
"""
    assert values(text) == {
        "weights_memory.cpu": [0.25, 2.0], "weights_memory.vram": 3.0, "weights_memory.rocm0": 1.0,
        "layers_on_gpu": 20, "layers_total": 33, "flash_attention": False, "kv_cache_memory": [0.5, 1.5],
        "compute_buffer_memory": 0.0625, "decode_time": 2806.0, "decode_tokens": 255,
    }  # fmt: skip
    assert {("whole-file", "weights_memory.cpu"), ("mla", "kv_cache_memory")} <= traps(text)


def test_what_llamacpp_could_not_allocate_is_told_once() -> None:
    text = """\
ggml_backend_cuda_buffer_type_alloc_buffer: allocating 1024.00 MiB on device 1: cudaMalloc failed: out of memory
ggml_gallocr_reserve_n_impl: failed to allocate CUDA1 buffer of size 1073741824
graph_reserve: failed to allocate compute buffers
sched_reserve: compute buffer allocation failed, retrying without pipeline parallelism
ggml_backend_cuda_buffer_type_alloc_buffer: allocating 512.00 MiB on device 1: cudaMalloc failed: out of memory
llama_init_from_model: failed to initialize the context: failed to allocate compute pp buffers
"""
    assert values(text) == {
        "gpu_index": [1, 1], "error": ["buffer_allocation", "buffer_allocation"], "failed_allocation": [1.0, 0.5],
        "failed_buffer": "compute",
    }  # fmt: skip
    host = (
        "alloc_tensor_range: failed to allocate CPU buffer of size 2147483648\n"
        "llama_kv_cache_init: failed to allocate buffer for kv cache\n"
    )
    assert values(host) == {"error": "buffer_allocation", "failed_allocation": 2.0, "failed_buffer": "kv cache"}
    assert values("CUDA error 2 at ggml-cuda.cu:8012: out of memory\n") == {"error": "out_of_memory"}


def _printed(found: Observations) -> dict[str, set[Any]]:
    return {name: set(series) for name, series in found.series.items()}


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_cut_never_gives_what_the_whole_does_not_print(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(WHOLE))
    at = data.draw(st.integers(0, len(text)))
    whole = _printed(read_text(text))
    for name, found in _printed(read_text(text[:at])).items():
        assert found <= whole.get(name, set()), (name, text[max(0, at - 60) : at])


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_bytes_of_any_kind_raise_nothing(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(WHOLE)).encode()
    at, length = data.draw(st.integers(0, len(text))), data.draw(st.integers(0, 40))
    read((text[:at], data.draw(st.binary(max_size=60)), text[at + length :]))
