"""vLLM's output of every era, and PyTorch's out-of-memory texts: what is printed whole is read, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.artefacts.model import Observations
from engine.artefacts.registry import read, read_text

GIB = 1024


def values(found: Observations) -> dict[str, Any]:
    """What was read by name, one entry as itself, several as a list."""
    return {name: every[0] if len(every := found.all(name)) == 1 else every for name in found.series}


def traps(found: Observations) -> dict[str, str]:
    return {one.id: one.name for one in found.traps}


# --- start ----------------------------------------------------------------------------------------------------------

OLD = (
    "INFO 03-02 08:15:20 llm_engine.py:70] Initializing an LLM engine with config: model='acme/seven-7b', "
    "tokenizer='acme/seven-7b', tokenizer_mode=auto, dtype=torch.float16, max_seq_len=4096, tensor_parallel_size=2, "
    "quantization=None, enforce_eager=False, seed=0)\n"
    "INFO 03-02 08:15:44 llm_engine.py:195] # GPU blocks: 2571, # CPU blocks: 910\n"
    "INFO 03-02 08:15:58 model_runner.py:520] Graph capturing finished in 14 secs.\n"
)
BLOCK = (
    "INFO 01-19 10:01:02 model_runner.py:1097] Loading model weights took 13.7214 GB\n"
    "INFO 01-19 10:01:05 worker.py:241] Memory profiling takes 2.75 seconds\n"
    "INFO 01-19 10:01:05 worker.py:241] the current vLLM instance can use total_gpu_memory (47.41GiB) x "
    "gpu_memory_utilization (0.85) = 40.30GiB\n"
    "INFO 01-19 10:01:05 worker.py:241] model weights take 13.72GiB; non_torch_memory takes 0.21GiB; PyTorch "
    "activation "
    "peak memory takes 2.08GiB; the rest of the memory reserved for KV Cache is 24.29GiB.\n"
    "INFO 01-19 10:01:06 executor_base.py:111] # cuda blocks: 12436, # CPU blocks: 2048\n"
    "INFO 01-19 10:01:06 executor_base.py:116] Maximum concurrency for 12288 tokens per request: 16.19x\n"
    "INFO 01-19 10:01:31 model_runner.py:1570] Graph capturing finished in 25 secs, took 0.33 GiB\n"
    "INFO 01-19 10:01:31 llm_engine.py:447] init engine (profile, create kv cache, warmup model) took 28.64 seconds\n"
)
NEWER = (
    "(EngineCore_DP0 pid=91) INFO 09-28 21:12:43 [v1/worker/gpu_model_runner.py:1289] Model loading took 8.8033 GiB "
    "memory and 6.402118 seconds\n"
    "(EngineCore_DP0 pid=91) DEBUG 09-28 21:12:44 [v1/worker/gpu_worker.py:284] Initial free memory: 23.08 GiB; "
    "Requested memory: 0.80 (util), 18.82 GiB\n"
    "(EngineCore_DP0 pid=91) DEBUG 09-28 21:12:44 [v1/worker/gpu_worker.py:297] Memory profiling takes 14.40 seconds. "
    "Total non KV cache memory: 10.22GiB; torch peak memory increase: 1.40GiB; non-torch forward increase memory: "
    "0.02GiB; weights memory: 8.80GiB.\n"
    "(EngineCore_DP0 pid=91) INFO 09-28 21:12:44 [v1/worker/gpu_worker.py:298] Available KV cache memory: 8.60 GiB\n"
    "(EngineCore_DP0 pid=91) INFO 09-28 21:12:44 [v1/core/kv_cache_utils.py:864] GPU KV cache size: 62,608 tokens\n"
    "(EngineCore_DP0 pid=91) INFO 09-28 21:12:44 [v1/core/kv_cache_utils.py:868] Maximum concurrency for 6,144 tokens "
    "per request: 10.19x\n"
    "(APIServer pid=7) INFO 09-28 21:12:59 [loggers.py:147] Engine 000: vllm cache_config_info with initialization "
    "after num_gpu_blocks is: 3913\n"
)
NEWEST = (
    "(Worker_TP0 pid=79) INFO 07-05 08:55:36 [gpu_model_runner.py:6568] Profiling CUDA graph memory: PIECEWISE=19 "
    "(largest=144), FULL=11 (largest=72)\n"
    "(Worker_TP0 pid=79) INFO 07-05 08:55:49 [gpu_model_runner.py:6654] Estimated CUDA graph memory: 1.37 GiB total\n"
    "(Worker_TP0 pid=79) INFO 07-05 08:55:49 [gpu_worker.py:481] CUDA graph memory profiling is enabled (default since "
    "v0.21.0). The current --gpu-memory-utilization=0.8800 is equivalent to --gpu-memory-utilization=0.8628 without "
    "CUDA graph memory profiling. To maintain the same effective KV cache size as before, increase "
    "--gpu-memory-utilization to 0.8972. To disable, set VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS=0.\n"
    "(EngineCore pid=58) INFO 07-05 08:55:49 [kv_cache_utils.py:2395] GPU KV cache size: 131,083 tokens, Maximum "
    "concurrency for 24,576 tokens per request: 5.33x\n"
    "(EngineCore pid=58) INFO 07-05 08:56:01 [core.py:363] init engine (profile, create kv cache, warmup model) took "
    "12.31 s (compilation: 4.02 s)\n"
)


def test_the_oldest_start_has_blocks_and_times() -> None:
    found = read_text(OLD)
    assert values(found) == {
        "model": "acme/seven-7b", "tokenizer": "acme/seven-7b", "tokenizer_mode": "auto", "dtype": "torch.float16",
        "max_model_len": 4096, "tensor_parallel_size": 2, "enforce_eager": False, "seed": 0, "num_gpu_blocks": 2571,
        "num_cpu_blocks": 910, "graph_capture_time": 14,
    }  # fmt: skip
    assert found.flags["tensor_parallel_size"] == "2"
    assert traps(found) == {"block-size-unsaid": "num_gpu_blocks"}
    assert found.engine == "vllm"


def test_the_memory_block_of_sentences_is_read_figure_by_figure() -> None:
    found = read_text(BLOCK)
    assert values(found) == {
        "model_loading_memory": 13.7214, "memory_profiling_time": 2.75, "gpu_memory_total": 47.41,
        "gpu_memory_utilization": 0.85, "memory_budget": 40.3, "weights_memory": 13.72, "non_torch_memory": 0.21,
        "activation_memory": 2.08, "kv_cache_memory": 24.29, "num_gpu_blocks": 12436, "num_cpu_blocks": 2048,
        "max_model_len": 12288, "max_concurrency": 16.19, "graph_capture_time": 25, "graph_memory": 0.33,
        "engine_init_time": 28.64,
    }  # fmt: skip
    assert traps(found)["gb-is-gib"] == "model_loading_memory"
    assert found.line_of("weights_memory") == 4


def test_a_block_of_one_line_is_that_of_several() -> None:
    one = BLOCK.replace("\nINFO 01-19 10:01:05 worker.py:241] the", " the").replace(
        "40.30GiB\nINFO 01-19 10:01:05 worker.py:241] ", "40.30GiB; "
    )
    assert values(read_text(one)) == values(read_text(BLOCK))


def test_a_block_may_stand_without_its_log() -> None:
    text = (
        "the current vLLM instance can use total_gpu_memory (47.41GiB)\n x gpu_memory_utilization (0.85) = 40.30GiB\n"
        "model weights take 13.72GiB;\n non_torch_memory takes -0.05GiB;\n"
        " PyTorch activation peak memory takes 2.08GiB;\n the rest of the memory reserved for KV Cache is -7.83GiB.\n"
    )
    found = read_text(text)
    assert values(found) == {
        "gpu_memory_total": 47.41, "gpu_memory_utilization": 0.85, "memory_budget": 40.3, "weights_memory": 13.72,
        "non_torch_memory": -0.05, "activation_memory": 2.08, "kv_cache_memory": -7.83,
    }  # fmt: skip
    assert traps(found) == {"negative-pool": "kv_cache_memory"}


def test_profiling_results_of_the_autumn_of_2024() -> None:
    text = (
        "INFO 11-11 11:11:11 worker.py:256] Memory profiling results: total_gpu_memory=44.53GiB "
        "initial_memory_usage=18.31GiB peak_torch_memory=19.73GiB memory_usage_post_profile=18.42Gib "
        "non_torch_memory=0.62GiB kv_cache_size=17.11GiB gpu_memory_utilization=0.84\n"
    )
    expected = {
        "gpu_memory_total": 44.53, "non_torch_memory": 0.62, "kv_cache_memory": 17.11, "gpu_memory_utilization": 0.84,
    }  # fmt: skip
    assert values(read_text(text)) == expected
    assert values(read_text(text.replace(" initial", "\n initial").replace("GiB gpu_", "GiB\n gpu_"))) == expected


def test_the_newer_engine_at_debug_level() -> None:
    assert values(read_text(NEWER)) == {
        "model_loading_memory": 8.8033, "model_loading_time": 6.402118, "gpu_memory_free": 23.08,
        "gpu_memory_utilization": 0.8, "memory_budget": 18.82, "memory_profiling_time": 14.4, "activation_memory": 1.4,
        "non_torch_memory": 0.02, "weights_memory": 8.8, "kv_cache_memory": 8.6, "kv_cache_tokens": 62608,
        "max_model_len": 6144, "max_concurrency": 10.19, "num_gpu_blocks": 3913,
    }  # fmt: skip


def test_the_newest_engine_takes_graphs_off_the_pool() -> None:
    found = read_text(NEWEST)
    assert values(found) == {
        "graph_count.piecewise": 19, "graph_max_batch.piecewise": 144, "graph_count.full": 11,
        "graph_max_batch.full": 72, "graph_memory.estimated": 1.37, "gpu_memory_utilization": 0.88,
        "gpu_memory_utilization.equivalent": 0.8628, "gpu_memory_utilization.suggested": 0.8972,
        "kv_cache_tokens": 131083, "max_model_len": 24576, "max_concurrency": 5.33, "engine_init_time": 12.31,
    }  # fmt: skip
    assert traps(found) == {"graphs-inside": "gpu_memory_utilization", "hybrid-tokens": "kv_cache_tokens"}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Model loading took 86.33 GiB memory and 300.791 seconds",
         {"model_loading_memory": 86.33, "model_loading_time": 300.791}),
        ("Loading weights took 12.31 seconds", {}),
        ("Model loading took 1.55s", {}),
        ("Profiling CUDA graph memory: PIECEWISE=51, FULL=35", {"graph_count.piecewise": 51, "graph_count.full": 35}),
        ("Profiling CUDA graph memory: PIECEWISE=7 (largest=32)",
         {"graph_count.piecewise": 7, "graph_max_batch.piecewise": 32}),
        ("Graph capturing finished in 18 secs, took -0.03 GiB", {"graph_capture_time": 18, "graph_memory": -0.03}),
        ("Capturing CUDA graph shapes: 100%|####| 67/67 [00:32<00:00,  2.05it/s]", {}),
        ("CUDA graph memory profiling is disabled (VLLM_X=0). Consider re-enabling it (the default as of v0.21.0) and "
         "increasing --gpu-memory-utilization from 0.8500 to 0.8524.",
         {"gpu_memory_utilization": 0.85, "gpu_memory_utilization.suggested": 0.8524}),
        ("Add 3 padding layers, may waste at most 6.25% KV cache memory",
         {"padding_layers": 3, "padding_waste": 0.0625}),
        ("Setting attention block size to 528 tokens to ensure that attention page size is >= mamba page size.",
         {"block_size": 528}),
        ("Initial free memory 137.66 GiB, reserved 6.0 GiB memory for KV Cache as specified by kv_cache_memory_bytes "
         "config and skipped memory profiling.", {"gpu_memory_free": 137.66, "kv_cache_memory": 6}),
        ("Free memory on device (30.86/31.36 GiB) on startup. Desired GPU memory utilization is (0.7, 21.95 GiB). "
         "Actual usage is 9.1 GiB for weight, 1.46 GiB for peak activation, 0.2 GiB for non-torch memory, and 0.52 GiB "
         "for CUDAGraph memory.",
         {"gpu_memory_free": 30.86, "gpu_memory_total": 31.36, "gpu_memory_utilization": 0.7, "memory_budget": 21.95,
          "weights_memory": 9.1, "activation_memory": 1.46, "non_torch_memory": 0.2}),
        ("# npu blocks: 466, # CPU blocks: 1820", {"num_gpu_blocks": 466, "num_cpu_blocks": 1820}),
        ("before: # GPU blocks: 466 ; after: # GPU blocks: 512", {"num_gpu_blocks": [466, 512]}),
    ],
)  # fmt: skip
def test_single_lines_of_the_start(line: str, expected: dict[str, Any]) -> None:
    assert values(read_text(f"INFO 02-03 04:05:06 [x.py:1] {line}\n")) == expected


def test_ranks_are_entries_and_never_added_up() -> None:
    lead = "(VllmWorkerProcess pid={}) INFO 02-03 04:05:06 model_runner.py:1] Loading model weights took {} GB\n"
    found = read_text("".join(lead.format(100 + rank, size) for rank, size in enumerate(("8.1", "8.1", "8.3"))))
    assert values(found)["model_loading_memory"] == [8.1, 8.1, 8.3]
    note = next(one for one in found.traps if one.id == "per-rank")
    assert dict(note.params) == {"count": 3}


def test_one_warning_of_padding_for_each_grouping() -> None:
    warning = (
        "WARNING 02-03 04:05:06 [kv_cache_utils.py:1] Add 4 padding layers, may waste at most 12.50% KV cache memory\n"
    )
    found = read_text(warning * 2 + "INFO 02-03 04:05:07 [x.py:1] GPU KV cache size: 32,000 tokens\n")
    assert values(found)["padding_layers"] == [4, 4]
    assert traps(found) == {"hybrid-tokens": "kv_cache_tokens"}


def test_more_blocks_in_host_memory_than_on_the_card() -> None:
    assert "cpu-blocks-more" in traps(read_text("INFO 02-03 04:05:06 # GPU blocks: 120, # CPU blocks: 512\n"))


# --- settings -------------------------------------------------------------------------------------------------------

V1_CONFIG = (
    "(EngineCore pid=19) INFO 05-21 21:03:20 [core.py:109] Initializing a V1 LLM engine (v0.20.2) with config: "
    "model='acme/hybrid, 9b', speculative_config=SpeculativeConfig(method='mtp', model='acme/x', num_spec_tokens=3), "
    "tokenizer='acme/hybrid, 9b', revision=None, trust_remote_code=True, dtype=torch.bfloat16, max_seq_len=262144, "
    "tensor_parallel_size=4, quantization=fp8, kv_cache_dtype=auto, enable_prefix_caching=True, compilation_config="
    "{'mode': <CompilationMode.VLLM_COMPILE: 3>, 'cudagraph_mode': <CUDAGraphMode.FULL: 2>, 'sizes': [1, 2, 4]}\n"
)


def test_the_engines_config_line_tells_every_setting() -> None:
    found = read_text(V1_CONFIG)
    assert values(found) == {
        "model": "acme/hybrid, 9b", "tokenizer": "acme/hybrid, 9b", "trust_remote_code": True,
        "dtype": "torch.bfloat16", "max_model_len": 262144, "tensor_parallel_size": 4, "quantization": "fp8",
        "kv_cache_dtype": "auto", "enable_prefix_caching": True, "num_speculative_tokens": 3,
    }  # fmt: skip
    assert (found.engine, found.version, found.flags["VLLM_USE_V1"]) == ("vllm", "0.20.2", "1")
    assert found.flags["compilation_config"].endswith("'sizes': [1, 2, 4]}")
    assert "revision" not in found.flags


def test_a_namespace_that_breaks_off_gives_what_is_followed_by_a_comma() -> None:
    text = (
        "INFO 03-11 06:17:30 [api_server.py:912] vLLM API server version 0.8.3.dev358+g24bc0a9f7\n"
        "INFO 03-11 06:17:30 [api_server.py:913] args: Namespace(subparser='serve', model_tag='acme/m', host=None, "
        "port=8000, api_key='sk-secret', allowed_origins=['*'], model='acme/m', swap_space=4, max_num_seqs=25"
    )
    found = read_text(text)
    assert values(found) == {
        "subparser": "serve", "model_tag": "acme/m", "port": 8000, "model": "acme/m", "swap_space": 4,
    }  # fmt: skip
    assert found.version == "0.8.3"
    assert "secret" not in str(found.flags)


def test_args_that_differ_from_the_defaults() -> None:
    text = (
        "(APIServer pid=1) INFO 11-02 10:00:00 [utils.py:233] non-default args: {'model_tag': 'acme/m', "
        "'dtype': 'half', "
        "'max_model_len': 40000, 'gpu_memory_utilization': 0.85, 'block_size': 32, 'enable_prefix_caching': True, "
        "'speculative_config': {'method': 'eagle', 'num_speculative_tokens': 5}}\n"
    )
    assert values(read_text(text)) == {
        "model_tag": "acme/m", "model": "acme/m", "dtype": "half", "max_model_len": 40000, "num_speculative_tokens": 5,
        "gpu_memory_utilization": 0.85, "block_size": 32, "enable_prefix_caching": True,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Using max model len 40960", {"max_model_len": 40960}),
        ("Chunked prefill is enabled with max_num_batched_tokens=2048.",
         {"max_num_batched_tokens": 2048, "enable_chunked_prefill": True}),
        ("Using Flash Attention backend on V1 engine.", {"attention_backend": "Flash Attention"}),
        ("Using FLASHINFER attention backend out of potential backends: ['FLASHINFER', 'TRITON_ATTN'].",
         {"attention_backend": "FLASHINFER"}),
        ("Using mp distributed backend.", {}),
        ("Using FlashInfer for top-p & top-k sampling.", {}),
        ("Using fp8 data type to store kv cache. It reduces the GPU memory", {"kv_cache_dtype": "fp8"}),
        ("Starting to load model acme/Seven-7B-v0.2...", {"model": "acme/Seven-7B-v0.2"}),
        ("  ▄▄ ▄█ █     █     █ ▀▄▀ █  version 0.19.2rc1", {}),
        ("  █▄█▀ █     █     █     █   model   acme/eight", {"model": "acme/eight"}),
    ],
)  # fmt: skip
def test_single_settings(line: str, expected: dict[str, Any]) -> None:
    assert values(read_text(f"(APIServer pid=1) INFO 02-03 04:05:06 [x.py:1] {line}\n")) == expected


def test_a_benchmarks_namespace_is_no_servers() -> None:
    assert not values(read_text("INFO args: Namespace(backend='vllm', num_prompts=10, seed=0, model='acme/m')\n"))


# --- statistics -----------------------------------------------------------------------------------------------------

V0 = (
    "INFO 06-01 12:00:{:02} metrics.py:455] Avg prompt throughput: {} tokens/s, Avg generation throughput: {} "
    "tokens/s, "
    "Running: {} reqs, Swapped: {} reqs, Pending: {} reqs, GPU KV cache usage: {}%, CPU KV cache usage: {}%.\n"
)
V1 = (
    "(APIServer pid=1) INFO 06-01 12:00:{:02} [loggers.py:118] Engine {}: Avg prompt throughput: {} tokens/s, Avg "
    "generation throughput: {} tokens/s, Running: {} reqs, Waiting: {} reqs, {}GPU KV cache usage: {}%, Prefix cache "
    "hit rate: {}%{}\n"
)


def test_statistics_of_the_older_engine() -> None:
    text = (
        V0.format(10, "101.5", "820.4", 31, 0, 12, "97.2", "0.0")
        + "INFO 06-01 12:00:10 metrics.py:471] Prefix cache hit rate: GPU: 45.25%, CPU: 0.00%\n"
        + V0.format(15, "88.0", "811.1", 30, 2, 13, "98.0", "1.5").replace("%.\n", "%\n")
    )
    found = read_text(text)
    assert values(found) == {
        "prompt_throughput": [101.5, 88.0], "generation_throughput": [820.4, 811.1], "running_requests": [31, 30],
        "swapped_requests": [0, 2], "waiting_requests": [12, 13], "kv_cache_usage": [0.972, 0.98],
        "cpu_kv_cache_usage": [0, 0.015], "prefix_cache_hit_rate": 0.4525, "cpu_prefix_cache_hit_rate": 0,
        "stats_interval": 5,
    }  # fmt: skip
    assert traps(found) == {"swapped-zero": "swapped_requests", "since-start": "prefix_cache_hit_rate"}
    assert found.flags["VLLM_USE_V1"] == "0"


def test_statistics_of_the_newer_engine_with_all_that_may_stand_in_them() -> None:
    more = ", External prefix cache hit rate: 12.0%, MM cache hit rate: 88.8%"
    text = "".join(
        V1.format(second, engine, "0.0", rate, running, waiting, deferred, usage, "53.7", more)
        for second, engine, rate, running, waiting, deferred, usage in (
            (10, "000", "240.8", 8, 3, "Deferred: 2 reqs, Preemptions: 17, ", "93.9"),
            (10, "001", "239.5", 7, 0, "", "90.0"),
            (20, "000", "241.6", 8, 0, "", "94.3"),
        )
    )
    found = read_text(text)
    assert values(found) == {
        "engine_index": [0, 1], "prompt_throughput": [0, 0, 0], "generation_throughput": [240.8, 239.5, 241.6],
        "running_requests": [8, 7, 8], "waiting_requests": [3, 0, 0], "kv_cache_usage": [0.939, 0.9, 0.943],
        "prefix_cache_hit_rate": [0.537, 0.537, 0.537], "stats_interval": 10,
    }  # fmt: skip
    assert dict(found.traps[0].params) == {"count": 2}
    assert traps(found) == {"deferred": "waiting_requests"}


def test_several_engines_may_be_added_up_by_the_server() -> None:
    line = V1.format(10, "000", "1.0", "2.0", 3, 4, "", "5.0", "6.0", "").replace("Engine 000", "4 Engines Aggregated")
    assert "engine_index" not in values(read_text(line))
    assert values(read_text(line))["running_requests"] == 3


def test_a_statistics_line_broken_by_hand_goes_on() -> None:
    line = V1.format(10, "000", "1.5", "2.5", 3, 4, "", "5.0", "6.0", ", MM cache hit rate: 1.0%")
    assert values(read_text(line.replace("s, ", "s,\n            "))) == values(read_text(line))


def test_a_line_after_a_gap_averages_the_gap() -> None:
    idle = V1.format(20, "000", "0", "0", 0, 0, "", "1", "0", "")
    busy = [V1.format(second, "000", "1", "2", 1, 0, "", "1", "0", "") for second in (0, 10, 20, 50)]
    assert "average-of-gap" not in traps(read_text("".join(busy))), "a line was left out in copying"
    lines = [*busy[:2], idle, busy[3]]
    assert "average-of-gap" not in traps(read_text("".join(lines[:3])))
    assert "average-of-gap" in traps(read_text("".join(lines)))


def test_two_requests_do_not_make_thousands_of_tokens_a_second() -> None:
    lines = [V0.format(second, "0.0", "6100.0", 2, 0, 40, "60.0", "0.0") for second in (0, 5)]
    assert "requests-not-sequences" in traps(read_text("".join(lines)))
    assert "requests-not-sequences" not in traps(read_text(lines[0]))


def test_a_consumer_counts_prompts_that_came_to_it() -> None:
    config = (
        "INFO 02-03 04:05:06 [utils.py:1] non-default args: {'kv_transfer_config': KV(kv_role='kv_consumer'), 'x': 1}\n"
    )
    assert "transferred-prompts" in traps(read_text(config + V1.format(1, "000", "5", "2", 1, 0, "", "1", "0", "")))


def test_speculation_in_both_engines() -> None:
    older = (
        "INFO 02-11 14:50:38 metrics.py:477] Speculative metrics: Draft acceptance rate: 0.550, System "
        "efficiency: 0.333, "
        "Number of speculative tokens: 8, Number of accepted tokens: 44, Number of draft tokens tokens: 80, Number of "
        "emitted tokens tokens: 12.\n"
    )
    newer = (
        "(APIServer pid=1) INFO 08-24 16:22:46 [metrics.py:120] SpecDecoding metrics: Mean acceptance length: 2.77, "
        "Accepted throughput: 5.50 tokens/s, Drafted throughput: 6.20 tokens/s, Accepted: 55 tokens, Drafted: "
        "62 tokens, "
        "Per-position acceptance rate: 0.903, 0.871, Avg Draft acceptance rate: 88.7%\n"
    )
    assert values(read_text(older)) == {
        "spec_acceptance_rate": 0.55, "spec_system_efficiency": 0.333, "num_speculative_tokens": 8,
        "spec_accepted_tokens_total": 44, "spec_draft_tokens_total": 80, "spec_emitted_tokens_total": 12,
    }  # fmt: skip
    assert values(read_text(newer)) == {"spec_accept_length": 2.77, "spec_acceptance_rate": 0.887}
    first = "INFO 05-01 00:00:00 [metrics.py:9] SpecDecoding metrics: Draft acceptance rate: 57.1%, Accepted: 4 tokens"
    assert values(read_text(first)) == {"spec_acceptance_rate": 0.571}


# --- refusals -------------------------------------------------------------------------------------------------------

REFUSED = (
    "ValueError: To serve at least one request with the models's max seq len (20480), (2.50 GiB KV cache is "
    "needed, which "
    "is larger than the available KV cache memory (1.47 GiB). Based on the available memory, the estimated "
    "maximum model "
    "length is 12032. Try increasing `gpu_memory_utilization` or decreasing `max_model_len` when initializing "
    "the engine.\n"
)


def test_the_older_length_error_gives_tokens() -> None:
    found = read_text(
        "ERROR 04-28 15:55:45 worker_base.py:157] ValueError: The model's max seq len (9000) is larger than "
        "the maximum "
        "number of tokens that can be stored in KV cache (5120). Try increasing `gpu_memory_utilization`.\n"
    )
    assert values(found) == {"error": "max_model_len_exceeds_kv", "max_model_len": 9000, "kv_cache_tokens": 5120}
    assert traps(found) == {"refused-length": "max_model_len"}


@pytest.mark.parametrize("model", ["models's", "model's", "model"])
def test_the_newer_length_error_gives_sizes(model: str) -> None:
    expected = {
        "error": "max_model_len_exceeds_kv", "max_model_len": 20480, "kv_cache_memory.needed": 2.5,
        "kv_cache_memory.available": 1.47, "max_model_len.estimated": 12032,
    }  # fmt: skip
    text = REFUSED.replace("models's", model)
    assert values(read_text(text)) == expected
    broken = text.replace("(20480), (", "(20480),\n").replace("Based", "\nBased").replace("which is", "which\nis")
    assert values(read_text(broken)) == expected


def test_gigabytes_of_the_first_months_are_gibibytes() -> None:
    found = read_text(REFUSED.replace("GiB", "GB").replace("Based on", "No"))
    assert values(found)["kv_cache_memory.needed"] == 2.5
    assert "gb-is-gib" in traps(found)


def test_an_error_is_one_entry_for_each_text() -> None:
    assert (
        values(read_text(f"(EngineCore pid=1) ERROR 01-01 00:00:00 [core.py:1] {REFUSED}" + REFUSED))["error"]
        == ["max_model_len_exceeds_kv"] * 2
    )


def test_too_little_free_memory_at_the_start() -> None:
    found = read_text(
        "ValueError: Free memory on device cuda:0 (3.25/23.43 GiB) on startup is less than desired GPU memory "
        "utilization "
        "(0.96, 22.49 GiB). Decrease GPU memory utilization or reduce GPU memory used by other processes.\n"
    )
    assert values(found) == {
        "gpu_memory_free": 3.25, "gpu_memory_total": 23.43, "gpu_memory_utilization": 0.96, "memory_budget": 22.49,
    }  # fmt: skip
    assert "vllm-error" in found.kinds


def test_refusals_without_figures_are_recognised() -> None:
    found = read_text(
        "ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization`.\n"
    )
    assert (values(found), list(found.kinds), found.engine) == ({}, ["vllm-error"], "vllm")


WARNED = (
    "WARNING 05-09 00:49:33 scheduler.py:1057] Sequence group {} is preempted by {}{} mode because there is "
    "not enough KV "
    "cache space. This can affect the end-to-end performance. {}={}\n"
)


def test_preemption_in_every_spelling() -> None:
    text = (
        WARNED.format("4", "PreemptionMode.", "RECOMPUTE", "total_num_cumulative_preemption", 51)
        + WARNED.format("chat-9f", "PreemptionMode.", "SWAP", "total_cumulative_preemption_cnt", 101)
        + "Sequence group 7 is preempted by RECOMPUTE mode because there is not enough KV cache sp\n"
    )
    found = read_text(text)
    assert values(found) == {"preemption_mode": ["RECOMPUTE", "SWAP"], "preemptions_total": [51, 101]}
    assert found.kinds["vllm-preemption"].times == 3
    assert traps(found) == {"counter-counts": "preemptions_total"}


# --- out of memory --------------------------------------------------------------------------------------------------

OOM_1 = (
    "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 1; 23.69 GiB total capacity; 21.10 GiB already "
    "allocated; 12.50 MiB free; 21.40 GiB reserved in total by PyTorch) If reserved memory is >> allocated memory try "
    "setting max_split_size_mb to avoid fragmentation.\n"
)
OOM_2 = (
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.50 GiB. GPU 3 has a total capacity of "
    "79.11 GiB of "
    "which 640.50 MiB is free. Including non-PyTorch memory, this process has 78.40 GiB memory in use. Of the "
    "allocated "
    "memory 70.02 GiB is allocated by PyTorch, with 105.08 MiB allocated in private pools (e.g., CUDA Graphs), and "
    "7.25 GiB is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting "
    "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.\n"
)


def test_the_text_of_the_first_years() -> None:
    assert values(read_text(OOM_1)) == {
        "error": "out_of_memory", "failed_allocation": 2, "gpu_memory_total": 23.69, "gpu_memory_free": 12.5 / GIB,
        "pytorch_allocated_memory": 21.1, "gpu_index": 1,
    }  # fmt: skip


def test_the_text_of_today() -> None:
    found = read_text(OOM_2)
    assert values(found) == {
        "error": "out_of_memory", "failed_allocation": 1.5, "gpu_memory_total": 79.11,
        "gpu_memory_free": 640.5 / GIB, "pytorch_allocated_memory": 70.02, "pytorch_unallocated_memory": 7.25,
        "gpu_index": 3, "process_memory": 78.4,
    }  # fmt: skip
    assert traps(found) == {"visible-cards": "gpu_index", "fragmentation": "pytorch_unallocated_memory"}


@pytest.mark.parametrize(
    ("asked", "spare", "note"),
    [
        ("1.50 GiB", "7.25 GiB", "fragmentation"),
        ("9.00 GiB", "7.25 GiB", "little-fragmentation"),  # whole it would not have held the request
        ("2.00 MiB", "13.02 MiB", "little-fragmentation"),  # the rounding of blocks
        ("2.00 MiB", "0 bytes", "little-fragmentation"),
    ],
)
def test_only_a_large_part_that_would_have_sufficed_is_fragmentation(asked: str, spare: str, note: str) -> None:
    text = OOM_2.replace("1.50 GiB", asked).replace("7.25 GiB", spare)
    assert note in traps(read_text(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (OOM_2.replace("capacity", "capacty").replace("Including non-PyTorch memory, this process", "Process 7529"),
         {"gpu_memory_total": 79.11, "process_memory": 78.4}),
        (OOM_2.replace("Including", "Process 12 has 256.00 MiB memory in use. Including"), {"process_memory": 78.4}),
        (OOM_2.replace("78.40 GiB", "17179869184.00 GiB"), {"process_memory": None}),
        (OOM_2.replace("Of the", "60.00 GiB allowed; Of the"), {"pytorch_allocated_memory": 70.02}),
        (OOM_2.replace("CUDA out", "HIP out").replace("CUDA Graphs", "HIP Graphs"), {"failed_allocation": 1.5}),
        ("RuntimeError: XPU out of memory. Tried to allocate 59.61 GiB. GPU 0 has a total capacity of 28.55 GiB.",
         {"failed_allocation": 59.61, "gpu_memory_total": 28.55, "gpu_index": 0}),
        ("RuntimeError: NPU out of memory. Tried to allocate 260.00 MiB (NPU 2; 28.50 GiB total capacity; 10.24 GiB "
         "already allocated; 10.24 GiB current active; 0 bytes free; 10.28 GiB reserved in total by PyTorch)",
         {"failed_allocation": 260 / GIB, "gpu_index": 2, "gpu_memory_free": 0, "pytorch_allocated_memory": 10.24}),
        ("RuntimeError: MPS backend out of memory (MPS allocated: 17.21 GiB, max allowed: 20.13 GiB). Tried to "
         "allocate 256.00 MiB on private pool.", {"failed_allocation": 0.25, "pytorch_allocated_memory": 17.21}),
        ("torch.cuda.OutOfMemoryError: Allocation on device 0 would exceed allowed memory. (out of memory)\n"
         "Currently allocated     : 14.45 GiB\nRequested               : 50.00 MiB\n"
         "Device limit            : 14.58 GiB\nFree (according to CUDA): 22.75 MiB\n",
         {"failed_allocation": 50 / GIB, "gpu_memory_total": 14.58, "gpu_memory_free": 22.75 / GIB,
          "pytorch_allocated_memory": 14.45}),
        ("RuntimeError: CUDA error: out of memory\n", {"failed_allocation": None}),
        ("it dies: Tried to allocate 160MiB", {"failed_allocation": 160 / GIB}),
        ("RuntimeError: CUDA out of memory occurred when warming up sampler with 64 dummy requests. Please try",
         {"failed_allocation": None}),
    ],
)  # fmt: skip
def test_variants_of_the_text(text: str, expected: dict[str, Any]) -> None:
    found = read_text(text)
    assert found.all("error") == ["out_of_memory"]
    assert {name: found.one(name) for name in expected} == expected


def test_a_text_broken_at_its_sentences_is_one() -> None:
    broken = (
        OOM_2.replace(". GPU", ".\nGPU")
        .replace(". Inc", ".\nInc")
        .replace(", with", ",\nwith")
        .replace("and 7", "\nand 7")
    )
    assert values(read_text(broken)) == values(read_text(OOM_2))


def test_a_short_text_ends_at_the_next_record() -> None:
    text = (
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 MiB.\n"
        "INFO 01-01 00:00:00 [gpu_worker.py:1] Available KV cache memory: 5.00 GiB\n" + OOM_1
    )
    found = read_text(text)
    assert found.all("error") == ["out_of_memory"] * 2
    assert found.all("failed_allocation") == [2 / GIB, 2]


@pytest.mark.parametrize(
    "text",
    [
        "INFO If out-of-memory error occurs during cudagraph capture, consider decreasing `gpu_memory_utilization`.",
        "I changed the batch so that CUDA out of memory would not happen again",
        "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 9.00 MiB on device 0: cudaMalloc failed: out of memory",
    ],
)
def test_what_only_speaks_of_memory_is_no_error_of_pytorch(text: str) -> None:
    assert "torch-oom" not in read_text(text + "\n").kinds


# --- cut and hostile texts ------------------------------------------------------------------------------------------

WHOLE = (
    OLD, BLOCK, NEWER, NEWEST, V1_CONFIG, REFUSED, OOM_1, OOM_2,
    V0.format(10, "101.5", "820.4", 31, 0, 12, "97.2", "0.0")
    + "INFO 06-01 12:00:10 metrics.py:471] Prefix cache hit rate: GPU: 45.25%, CPU: 0.00%\n"
    + V1.format(20, "003", "17.5", "240.8", 18, 32, "Deferred: 12 reqs, ", "93.9", "53.7", ""),
    WARNED.format("14", "PreemptionMode.", "RECOMPUTE", "total_num_cumulative_preemption", 51)
    + "INFO 02-11 14:50:38 metrics.py:477] Speculative metrics: Draft acceptance rate: 0.550, System "
      "efficiency: 0.133, "
    "Number of speculative tokens: 18, Number of accepted tokens: 44, Number of draft tokens: 80, Number of emitted "
    "tokens: 112.\n(APIServer pid=1) INFO 08-24 16:22:46 [metrics.py:120] SpecDecoding metrics: Mean "
    "acceptance length: "
    "12.77, Accepted: 55 tokens, Per-position acceptance rate: 0.903, 0.871, Avg Draft acceptance rate: 88.7%\n"
    "INFO 01-01 00:00:00 [x.py:1] Using max model len 40960\n"
    "INFO 01-01 00:00:00 [x.py:1]   █▄█▀ █     █     █     █   model   acme/eight\n"
    "INFO 01-01 00:00:00 [x.py:1] Chunked prefill is enabled with max_num_batched_tokens=2048.\n",
)  # fmt: skip


def all_whole(whole: Observations, text: str, stop: int) -> None:
    """Every entry that a beginning of a text gives, the whole one gives too."""
    cut = read_text(text[:stop])
    for name in cut.series:
        assert set(map(str, cut.all(name))) <= set(map(str, whole.all(name))), (name, text[max(0, stop - 60) : stop])


@pytest.mark.parametrize("text", WHOLE, ids=range(len(WHOLE)))
def test_a_text_cut_anywhere_gives_nothing_that_the_whole_one_does_not_print(text: str) -> None:
    whole = read_text(text)
    for stop in range(0, len(text), 3):
        all_whole(whole, text, stop)


NUMBERS = st.decimals(0, 99_999, places=2).map(str)
COUNTS = st.integers(0, 10**9)


@given(st.lists(NUMBERS, min_size=5, max_size=5), st.lists(COUNTS, min_size=5, max_size=5), st.data())
def test_a_line_of_any_numbers_is_read_whole_and_in_part(
    sizes: list[str], counts: list[int], data: st.DataObject
) -> None:
    first, second, third, fourth, fifth = counts
    text = (
        V1.format(10, "000", sizes[0], sizes[1], first, second, "", sizes[2], sizes[3], "")
        + f"INFO 01-01 00:00:00 [k.py:1] GPU KV cache size: {third:,} tokens\n"
        + f"INFO 01-01 00:00:00 [k.py:1] Available KV cache memory: {sizes[4]} GiB\n"
        + f"INFO 01-01 00:00:00 x.py:1] # GPU blocks: {fourth}, # CPU blocks: {fifth}\n"
        + f"Tokens. {WARNED.format('1', '', 'SWAP', 'total_num_cumulative_preemption', fifth)}"
    )
    found = read_text(text)
    assert [found.one(name) for name in ("prompt_throughput", "generation_throughput", "kv_cache_memory")] == [
        float(sizes[at]) for at in (0, 1, 4)
    ]
    assert [
        found.one(name)
        for name in ("running_requests", "waiting_requests", "kv_cache_tokens", "num_gpu_blocks", "preemptions_total")
    ] == counts
    all_whole(found, text, data.draw(st.integers(0, len(text))))


FRAGMENTS = (
    "CUDA out of memory", "Tried to allocate ", "GPU 0 has a total capacity of ", "Avg prompt throughput: ",
    "Running: ",
    "args: Namespace(", "non-default args: {", "LLM engine with config: ", "# GPU blocks: ", "max seq len (", "GiB",
    "(",
    "model='", "{'", "tokens/s, ", "is preempted by ", "=", ", ", "\n", "9" * 30, "1.5", "-", "%", "\x00", "é", "█▄█▀ ",
    "Profiling CUDA graph memory: PIECEWISE=", "Graph capturing finished in ", "Speculative metrics: ",
)  # fmt: skip


@given(st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.text(max_size=5)), max_size=60))
def test_no_mixture_of_fragments_raises(parts: list[str]) -> None:
    read_text("".join(parts))


@given(st.binary(max_size=600))
def test_no_bytes_raise(data: bytes) -> None:
    read([b"CUDA out of memory. " + data, b"\nAvg prompt throughput: ", data])


@pytest.mark.parametrize("fragment", FRAGMENTS)
def test_a_line_of_one_fragment_without_end_is_read_through(fragment: str) -> None:
    assert isinstance(read_text(fragment * (100_000 // len(fragment))), Observations)


def test_the_block_as_names_and_values_under_each_other() -> None:
    rows = (
        "Memory profiling results:", "duration     2.75 seconds", "total_gpu_memory     47.50GiB",
        "gpu_memory_utilization       0.85", "the current vLLM instance can use    40.37GiB",
        "model weights take   9.31GiB", "non_torch_memory     1.25GiB", "PyTorch activation peak memory       2.11GiB",
        "available_kv_cache_memory    27.70GiB",
    )  # fmt: skip
    found = values(read_text("".join(f"INFO 12-13 19:55:25 worker.py:243] {row}\n" for row in rows)))
    assert found == {
        "memory_profiling_time": 2.75, "gpu_memory_total": 47.5, "gpu_memory_utilization": 0.85,
        "memory_budget": 40.37, "weights_memory": 9.31, "non_torch_memory": 1.25, "activation_memory": 2.11,
        "kv_cache_memory": 27.7,
    }  # fmt: skip


def test_an_engine_line_says_which_of_the_two_it_is() -> None:
    line = "Initializing a V0 LLM engine (v0.7.2) with config: model='a/b', max_seq_len=512)\n"
    assert values(read_text(f"INFO 02-25 18:26:42 llm_engine.py:234] {line}")) == {"model": "a/b", "max_model_len": 512}
