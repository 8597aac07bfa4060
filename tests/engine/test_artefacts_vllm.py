"""vLLM's start and its settings, of every era."""

from __future__ import annotations

from typing import Any

import pytest

from engine.artefacts.registry import read_text
from tests.engine.readings import traps, values

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
