"""Flags in any spelling, the engine and its version, what is in force by default, and how a lever is spelled."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import vllm
from engine.catalog import gpu, gpus, model
from engine.diagnosis.model import Engine, Said, Scenario
from engine.diagnosis.settings import defaults, engines, flags, spelling
from engine.diagnosis.settings.flag_names import find
from engine.diagnosis.settings.flag_table import FLAGS, SILENT
from engine.diagnosis.settings.spelling_table import SPELLINGS
from engine.precision import Format

GIB = 2**30
LEVERS = """
paged-attention continuous-batching w4a16 w8a8 fp8 kv-quantization keep-16bit prequantized-checkpoint better-kernel
cuda-graphs fewer-cuda-graphs eager-mode lower-max-model-len raise-memory-utilization lower-memory-utilization
cap-concurrency raise-concurrency client-batching admission-policy shorten-requests chunked-prefill raise-token-budget
lower-token-budget prefix-caching speculative-decoding drop-speculation tensor-parallel data-parallel pipeline-parallel
fix-topology cpu-offload drop-cpu-offload expert-offload merge-lora grammar-backend tune-serving-layer more-memory
faster-gpu upgrade-engine do-nothing lower-adapter-rank free-card float16 expandable-segments
lighter-sampling free-cpu
""".split()


def fields(engine: Engine | None = None, /, **given: object) -> dict[str, object]:
    """The fields that flags set, formats by their name."""
    read = flags.read(given, engine)
    return {name: value.name if isinstance(value, Format) else value for name, value in read.fields.items()}


# --- engines -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "engine", "version"),
    [
        ("vllm v1 0.10.1", "vllm", "0.10.1 V1"),
        ("vLLM v0.19.1", "vllm", "0.19.1"),
        ("vllm==0.6.3.post1", "vllm", "0.6.3"),
        ("vllm 0.11.0rc2", "vllm", "0.11.0"),
        ("0.6.3 of vLLM", "vllm", "0.6.3"),
        ("vllm < 0.6", "vllm", "0.5"),
        ("vllm v1", "vllm", None),
        ("vllm V0", "vllm", "0.7 V0"),
        ("vllm (October 2024)", "vllm", "0.6"),
        ("Ray Serve with vLLM 0.9", "vllm", "0.9"),
        ("sglang 0.2", "sglang", "0.2"),
        ("SGLang v0.5.3.post1", "sglang", "0.5.3"),
        ("TGI (July 2023)", "tgi", "0.9"),
        ("text-generation-inference 3.1.0", "tgi", "3.1.0"),
        ("Triton + TensorRT-LLM 0.6.0", "tensorrt-llm", "0.6.0"),
        ("TensorRT_LLM v0.16", "tensorrt-llm", "0.16"),
        ("Hugging Face TGI 1.4", "tgi", "1.4"),
        ("bitsandbytes in vLLM 0.5", "vllm", "0.5"),
        ("trtllm-serve 1.2", "tensorrt-llm", "1.2"),
        ("llama.cpp mid 2024", "llama.cpp", "2024-06"),
        ("llama.cpp 2024-03", "llama.cpp", "2024-03"),
        ("llama.cpp b4500", "llama.cpp", "2024-11"),
        ("llama-server", "llama.cpp", None),
        ("LM Studio 0.3.5", "llama.cpp", None),
        ("transformers + bitsandbytes < 0.40", "transformers", None),
        ("transformers 4.44", "transformers", "4.44"),
        ("ExLlamaV2 0.1.4", "exllama", "0.1.4"),
        ("TabbyAPI", "exllama", None),
        ("Ollama 0.3", "ollama", "0.3"),
        ("LMDeploy 0.6.1", "lmdeploy", "0.6.1"),
        ("ktransformers 0.2", "other", "0.2"),
        ("FasterTransformer 5.2", "other", "5.2"),
        ("text-generation-webui", "other", None),
        ("", "other", None),
    ],
)
def test_an_engine_is_named_with_its_version(text: str, engine: Engine, version: str | None) -> None:
    assert engines.identify(text) == (engine, version)


def test_two_engines_are_compared_only_when_the_text_says_so() -> None:
    assert engines.compared("vLLM 0.6 vs SGLang 0.3")
    assert engines.identify("vLLM 0.6 vs SGLang 0.3") == ("vllm", "0.6")
    assert not engines.compared("Ollama (llama.cpp)")
    assert not engines.compared("vllm 0.6 vs vllm 0.7")


def test_versions_are_compared_as_numbers() -> None:
    assert engines.release("vllm", "0.9") < engines.release("vllm", "0.10.1") < engines.release("vllm", None)
    assert engines.release("sglang", "0.5.9") < engines.release("sglang", "0.5.15")
    assert engines.release("llama.cpp", "2025-10") < engines.release("llama.cpp", "0.4.1")


@pytest.mark.parametrize(
    ("version", "v1"),
    [(None, True), ("0.7", False), ("0.7 V1", True), ("0.8.5", True), ("0.8 V0", False), ("1.0", True)],
)
def test_the_two_engines_of_vllm(version: str | None, v1: bool) -> None:
    assert engines.is_v1(version) is v1


# --- names ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["--tensor-parallel-size", "tensor_parallel_size", "Tensor-Parallel-Size", "-tp", "tp", "--tp-size", "num_shard",
     "--num-shard", "engine_args.tensor_parallel_size", "TENSOR_PARALLEL_SIZE"],
)  # fmt: skip
def test_a_name_is_read_in_any_spelling(name: str) -> None:
    assert flags.read({name: 4}).fields == {"tp": 4}


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("-ngl", "all", {"gpu_layers": 999}),
        ("-ngl", -1, {"gpu_layers": 999}),
        ("--n-gpu-layers", "20/33", {"gpu_layers": 20}),
        ("-c", "32k", {"context_total": 32768}),
        ("-c", 0, {}),
        ("-np", 4, {"slots": 4}),
        ("-np", -1, {}),
        ("-ub", 1024, {"max_num_batched_tokens": 1024}),
        ("-ctk", "q8_0", {"kv": "q8_0"}),
        ("-kvu", "", {"unified": True}),
        ("--no-kv-unified", "", {"unified": False}),
        ("-cmoe", True, {"expert_offload": True}),
        ("-ot", "exps=CPU", {"expert_offload": True}),
        ("-ot", "blk.1.attn=CPU", {}),
        ("-cb", "off", {"static_batching": True}),
        ("GGML_CUDA_DISABLE_GRAPHS", 1, {"eager": True}),
        ("NCCL_P2P_DISABLE", "1", {"p2p_off": True}),
        ("PREFILL_CHUNKING", 0, {"chunked_prefill": False}),
        ("--enable-prefix-caching", "", {"prefix_caching": True}),
        ("--no-enable-prefix-caching", "", {"prefix_caching": False}),
        ("enable_prefix_caching", False, {"prefix_caching": False}),
        ("--disable-radix-cache", True, {"prefix_caching": False}),
        ("disable_radix_cache", "false", {"prefix_caching": True}),
        ("--disable-cuda-graph", "", {"eager": True}),
        ("use_cuda_graph", False, {"eager": True}),
        ("enforce_eager", "no", {"eager": False}),
        ("disable_custom_all_reduce", True, {"no_custom_all_reduce": True}),
        ("--chunked-prefill-size", 4096, {"chunked_prefill": True, "max_num_batched_tokens": 4096}),
        ("--chunked-prefill-size", "-1", {"chunked_prefill": False}),
        ("capacity_scheduler_policy", "MAX_UTILIZATION", {"full_admission": False}),
        ("scheduler_config.capacity_scheduler_policy", "GUARANTEED_NO_EVICT", {"full_admission": True}),
        ("gpt_model_type", "inflight_fused_batching", {"static_batching": False}),
        ("kv_cache_config.free_gpu_memory_fraction", 0.8, {"utilization": Fraction(4, 5)}),
        ("kv_cache_config.dtype", "fp8", {"kv": "fp8"}),
        ("quant_policy", 8, {"kv": "int8"}),
        ("cache_max_entry_count", 0.5, {"utilization": Fraction(1, 2)}),
        ("cuda_graph_config", None, {"eager": True}),
        ("cudagraph_capture_sizes", [1, 2, 4, 64], {"graph_max_batch": 64}),
        ("--cuda-graph-bs", "1 2 4 8", {"graph_max_batch": 8}),
        ("max_cudagraph_capture_size", "1,024", {"graph_max_batch": 1024}),
        ("--cuda-graphs", "0", {"eager": True}),
        ("compilation_config", '{"cudagraph_mode": "NONE"}', {"eager": True}),
        ("speculative_model", "[ngram]", {"speculation": True}),
        ("speculative_config", '{"method": "mtp", "num_speculative_tokens": 3}',
         {"speculation": True, "draft_tokens": 3}),
        ("speculative_config", None, {}),
        ("--speculative-num-draft-tokens", 4, {"speculation": True, "draft_tokens": 3}),
        ("--speculate", 0, {"speculation": False}),
        ("spec_type", "none", {"speculation": False}),
        ("lora_modules", ["a=x", "b=y", "c=z"], {"lora": True, "loras": 3}),
        ("--enable-lora", "", {"lora": True}),
        ("guided_decoding_backend", "xgrammar", {"grammar": True}),
        ("response_format", {"type": "json_schema"}, {"grammar": True}),
        ("response_format", {"type": "text"}, {}),
        ("limit_mm_per_prompt", "image=3,video=1", {"images": 3}),
        ("limit_mm_per_prompt", {"image": 2}, {"images": 2}),
        ("--cpu-offload-gb", 4, {"cpu_offload": Fraction(4 * GIB)}),
        ("cpu_offload_gb", "10 GB each", {"cpu_offload": Fraction(10 * GIB)}),
        ("kv_cache_memory_bytes", "16G", {"kv_pool": Fraction(16 * GIB)}),
        ("kv_cache", "20 GiB fixed, 250,000 tokens", {"kv_pool": Fraction(20 * GIB), "kv_pool_tokens": 250000}),
        ("num_gpu_blocks_override", 1000, {"kv_pool_tokens": 16000}),
        ("ep_size", 8, {"expert_parallel": True}),
        ("ep_size", 1, {"expert_parallel": False}),
        ("desc_act", True, {"act_order": True}),
        ("watermark", "0.05", {"watermark": Fraction(1, 20)}),
        ("link", "PCIe, no NVLink", {"link": "pcie"}),
        ("link", "NV12 between all pairs", {"link": "nvlink"}),
        ("nvlink", False, {"link": "pcie"}),
        ("topology", "PHB", {"link": "pcie"}),
        ("nnodes", 2, {"nodes": 2}),
        ("nonsense_of_nobody", 4, {}),
    ],
)  # fmt: skip
def test_a_flag_sets_its_fields(name: str, value: object, expected: dict[str, object]) -> None:
    read = flags.read({name: value})
    assert read.fields == expected
    assert not read.unread
    assert expected or name in read.rest


@pytest.mark.parametrize(
    ("name", "value", "form"),
    [
        ("quantization", "awq_marlin", "awq"), ("quantization", "fp8", "fp8"), ("quantize", "gptq", "gptq"),
        ("load_in_4bit", True, "nf4"), ("load_in_8bit", "True", "int8"), ("dtype", "torch.bfloat16", "bf16"),
        ("model_format", "awq", "awq"), ("quantization", "bitsandbytes", "nf4"),
        ("quantization", "GGUF Q8_0", "q8_0"), ("quantization", "AWQ 4-bit", "awq"),
    ],
)  # fmt: skip
def test_a_way_of_quantizing_is_a_format(name: str, value: object, form: str) -> None:
    assert fields(**{name: value}) == {"weights": form}


def test_the_checkpoint_says_the_format_where_a_flag_names_none() -> None:
    assert fields(quantization="compressed-tensors") == {}
    assert fields(dtype="auto") == {}


def test_the_quantization_decides_and_not_the_type_beside_it() -> None:
    for both in ({"dtype": "float16", "quantization": "awq"}, {"quantization": "awq", "dtype": "float16"}):
        read = flags.read(both)
        assert not read.unread and not read.weak
        assert fields(**both) == {"weights": "awq"}
    assert flags.read({"dtype": "float16"}).weak == {"weights"}
    assert fields(load_in_4bit=True, bnb_4bit_use_double_quant=True) == {"weights": "nf4-double"}


def test_one_name_means_different_things_in_different_engines() -> None:
    assert fields("sglang", max_total_tokens=200_000) == {"kv_pool_tokens": 200_000}
    assert fields("tgi", max_total_tokens=4096) == {"max_model_len": 4096}
    assert [one.reason for one in flags.read({"max_total_tokens": 4096}).unread] == ["which-engine"]
    assert fields("tgi", quantize="bitsandbytes") == {"weights": "int8"}
    assert fields("llama.cpp", ctx_size=8192) == {"context_total": 8192}
    assert fields("exllama", cache_size=16384) == {"kv_pool_tokens": 16384}
    assert fields("vllm", cache_size=16384) == {}
    # the flags' own word about the engine comes before
    assert fields("vllm", engine="tgi 1.0", max_total_tokens=2048)["max_model_len"] == 2048


def test_a_command_line_is_taken_apart() -> None:
    assert fields(**{"--tensor-parallel-size 4": "", "--max-num-seqs=64": True}) == {"tp": 4, "max_num_seqs": 64}


@pytest.mark.parametrize("name", ["command", "args", "launch_command"])
def test_the_flags_of_a_whole_command_are_read(name: str) -> None:
    line = "NCCL_P2P_DISABLE=1 serve --enforce-eager org/model-8b --tp 2 --mem=x --max-num-seqs=64 -fa "
    line += "--cuda-graph-bs 1 2 8"
    read = flags.read({name: line})
    assert read.fields == {"p2p_off": True, "eager": True, "tp": 2, "max_num_seqs": 64, "graph_max_batch": 8}
    assert read.rest == {"--mem": "x", "-fa": ""}
    assert not read.unread
    assert fields(**{name: ["--tp", "4", "--enable-lora"]}) == {"tp": 4, "lora": True}


def test_words_for_ranks_and_for_drafting() -> None:
    assert fields(parallelism="TP4") == {"tp": 4}
    assert fields(parallelism="tp=2, pp 3 and DP8 with EP") == {"tp": 2, "pp": 3, "dp": 8, "expert_parallel": True}
    assert fields(mtp="3 tokens") == {"speculation": True, "draft_tokens": 3}
    assert fields(speculation="off") == {"speculation": False}
    assert fields(ep="on") == {"expert_parallel": True}


# --- values --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "share"),
    [(0.9, "0.9"), ("0.9 default", "0.9"), ("default (0.85)", "0.85"), ("90%", "0.9"), ("0.95 (was 0.9)", "0.95"),
     (1.0, "1"), (1, "1"), ("about 0.8", "0.8"), ("0.9 vs 0.95", "0.9"), ("0.9 -> 0.95", "0.95"), (".9", None),
     ("high", None), (1.5, None), (0, None), (-0.5, None), (float("nan"), None), (True, None),
     ("0.9 GB", None), ("0.9-0.95", None), ("0.8 to 0.9", None)],
)  # fmt: skip
def test_a_share_as_people_write_it(value: object, share: str | None) -> None:
    read = flags.read({"gpu_memory_utilization": value})
    assert read.fields == ({} if share is None else {"utilization": Fraction(share)})
    assert bool(read.unread) is (share is None)


@pytest.mark.parametrize(
    ("value", "count"),
    [(256, 256), ("default 1024 (was 256)", 1024), ("24 (default for the memory tier)", 24), ("8 or 16", 8),
     ("4 vs 2", 4), ("16/32/64", 16), ("was 256, now 512", 512), ("1,024", 1024), ("2_048", 2048), ("64 requests", 64),
     (32.0, 32), ("auto", 0), (None, 0), ("default", 0), (0, None), (-4, None), (2.5, None), (True, None),
     ("several", None), ("10 GB", None), ("50%", None), (10**30, None), ("9" * 300, None)],
)  # fmt: skip
def test_a_count_as_people_write_it(value: object, count: int | None) -> None:
    """0 stands for a value that leaves it to the engine, ``None`` for one that is not understood."""
    read = flags.read({"max_num_seqs": value})
    assert read.fields == ({"max_num_seqs": count} if count else {})
    assert bool(read.unread) is (count is None)


@pytest.mark.parametrize(
    ("value", "on"),
    [(True, True), ("on", True), ("True (V1)", True), ("yes", True), (1, True), ("", True), ("haan", True),
     ("on/off", True), ("enabled by default", True), ("default: off", False), ("off", False), (0, False),
     ("False", False), ("nahi", False), ("auto", None), ("default", None), (None, None)],
)  # fmt: skip
def test_a_switch_as_people_write_it(value: object, on: bool | None) -> None:
    read = flags.read({"enable_chunked_prefill": value})
    assert read.fields == ({} if on is None else {"chunked_prefill": on})
    assert not read.unread


def test_what_was_written_is_kept_where_it_says_more_than_the_value() -> None:
    read = flags.read({"tensor_parallel_size": "4 vs 2", "max_num_seqs": 64, "-np": "8"})
    assert read.said["tp"] == Said("given", "tensor_parallel_size: 4 vs 2")
    assert read.said["max_num_seqs"] == Said("given", "max_num_seqs")
    assert read.said["slots"] == Said("given", "-np")


def test_a_value_that_something_else_decides_is_a_signal() -> None:
    read = flags.read({"enforce_eager": "always true when another option is set", "tp": "2"})
    assert read.fields == {"eager": True, "tp": 2}
    assert [one.id for one in read.signals] == ["settings-overwritten"]
    assert not flags.read({"enforce_eager": True, "tp": "2 always"}).signals


def test_values_that_are_not_understood_are_told() -> None:
    assert [one.reason for one in flags.read({"max_num_seqs": "16-64"}).unread] == ["no-one-number"]
    read = flags.read({"tensor_parallel": "native vs autosplit", "kv_cache_dtype": "tiny", "link": "string and tin"})
    assert not read.fields
    assert {(one.field, one.reason) for one in read.unread} == {
        ("flags.tensor_parallel", "not-a-number"), ("flags.kv_cache_dtype", "unknown-format"),
        ("flags.link", "unknown-link"),
    }  # fmt: skip


def test_a_field_that_two_flags_set_differently_keeps_the_first() -> None:
    read = flags.read({"tp": 4, "tensor_parallel_size": 2})
    assert read.fields == {"tp": 4}
    assert [(one.field, one.reason) for one in read.unread] == [("flags.tensor_parallel_size", "said-twice")]
    assert not flags.read({"tp": 4, "tensor_parallel_size": 4}).unread


# --- engines among flags, tables, slips ------------------------------------------------------------------------------


def test_the_engine_and_its_version_among_flags() -> None:
    assert fields(engine="vllm 0.7 V1") == {"engine": "vllm", "engine_name": "vllm 0.7 V1", "version": "0.7 V1"}
    assert fields(engine="sglang", version="0.5.2") == {"engine": "sglang", "engine_name": "sglang", "version": "0.5.2"}
    assert fields("vllm", VLLM_USE_V1=0) == {"version": "0.7 V0"}
    assert fields(engine="vllm 0.8.2", VLLM_USE_V1="0")["version"] == "0.8.2 V0"
    assert fields(engine="our own server")["engine"] == "other"
    assert fields("vllm", engine="our wrapper") == {}
    assert flags.read({"backend": "nccl"}).rest == {"backend": "nccl"}
    assert fields(backend="TGI")["engine"] == "tgi"


def test_of_two_engines_the_first_is_the_subject() -> None:
    read = flags.read({"sglang": {"tp": 4, "mem_fraction_static": 0.9}, "vllm 0.6": {"tensor_parallel_size": 2}})
    assert read.fields == {"engine": "sglang", "engine_name": "sglang", "tp": 4, "utilization": Fraction(9, 10)}
    assert [one.id for one in read.signals] == ["engines-compared"]
    assert read.rest == {"vllm 0.6.tensor_parallel_size": "2"}
    assert not flags.read({"vllm": {"tp": 2}}).signals


def test_nested_tables_are_flattened() -> None:
    given = {"kv_cache_config": {"free_gpu_memory_fraction": 0.7, "enable_block_reuse": False, "dtype": "fp8"},
             "cuda_graph_config": {"max_batch_size": 64, "enable_padding": True}, "max_num_tokens": 4096}  # fmt: skip
    assert fields("tensorrt-llm", **given) == {
        "utilization": Fraction(7, 10), "prefix_caching": False, "kv": "fp8", "graph_max_batch": 64,
        "max_num_batched_tokens": 4096,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "meant"),
    [("gpu_memory_utilizaton", "gpu_memory_utilization"), ("--tensor-paralel-size", "tensor_parallel_size"),
     ("max_num_seq", "max_num_seqs"), ("enforce_eagre", "enforce_eager")],
)  # fmt: skip
def test_a_slip_in_a_name_is_told_with_the_name_that_was_meant(name: str, meant: str) -> None:
    read = flags.read({name: 1})
    assert not read.fields
    assert [(one.field, one.text, one.reason) for one in read.unread] == [(f"flags.{name}", meant, "unknown-flag")]


@pytest.mark.parametrize("name", ["swap_space", "max_lora_rank", "alternative", "tuned", "note", "parallel_size_x"])
def test_other_names_are_no_slips(name: str) -> None:
    read = flags.read({name: "something"})
    assert not read.fields and not read.unread
    assert read.rest == {name: "something"}


def test_the_table_is_in_order() -> None:
    known = {name for flag in FLAGS for name in flag.names.split()}
    assert not known & SILENT, "a name that sets a field and one that sets none"
    scenario = set(Scenario.__dataclass_fields__)
    assert {flag.field for flag in FLAGS} <= scenario | {""}
    for flag in FLAGS:
        for name in flag.names.split():
            engine = flag.only[0] if flag.only else None
            if not any(name in other.names.split() for other in FLAGS if other is not flag):
                assert find(name, engine) == (flag, False), name


# --- hostile -------------------------------------------------------------------------------------------------------

_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=60)
    | st.sampled_from(["4 vs 2", "{", "[1,", "image=3", "(((", "-1", "1e999", "0x10", "auto", "١٢", "½"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=6,
)  # fmt: skip
_NAMES = st.sampled_from([name for flag in FLAGS for name in flag.names.split()]) | st.text(max_size=30)


@settings(max_examples=250, deadline=None)
@given(st.dictionaries(_NAMES, _VALUES, max_size=6), st.sampled_from([*get_args(Engine), None]))
def test_nothing_that_is_given_raises(given_flags: dict[str, Any], engine: Engine | None) -> None:
    read = flags.read(given_flags, engine)
    assert set(read.fields) <= set(Scenario.__dataclass_fields__)
    assert set(read.fields) == set(read.said)
    assert all(len(text) <= 200 for text in read.rest.values())
    Scenario(**dict(read.fields))  # type: ignore[arg-type]


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=300))
def test_any_text_names_some_engine(text: str) -> None:
    engine, version = engines.identify(text)
    assert engine in get_args(Engine)
    engines.release(engine, version)
    assert engines.identify(f"{engine} {version or ''}")[0] in (engine, "other")


def test_hostile_flags_end_soon() -> None:
    started = time.process_time()
    deep: dict[str, object] = {}
    for _ in range(5000):
        deep = {"a": deep}
    wide = {f"max_num_seqs_{i}": i for i in range(200_000)}
    read = flags.read(wide)
    assert [one.reason for one in read.unread if one.field == "flags"] == ["too-many"]
    flags.read({"kv_cache_config": deep, "tp": deep, "x": [deep]})
    flags.read({"a" * 10**6: "b" * 10**6, "tp": "(" * 10**6, "kv_cache": "1," * 10**6, "link": "no " * 10**6})
    flags.read(
        {"cuda_graph_sizes": "1," * 10**6, "speculative_config": "{" * 10**6, "limit_mm_per_prompt": "=," * 2000}
    )
    flags.read({"speculative_config": "[" * 4000, "compilation_config": '{"a":' * 800, "engine": "vllm " * 10**5})
    assert time.process_time() - started < 5, "a blow-up, not a slow machine"


# --- defaults ------------------------------------------------------------------------------------------------------

H100, A100, RTX = gpu("H100 SXM"), gpu("A100 SXM 80GB"), gpu("RTX 4090")
LLAMA = model("Llama-3.1-8B")


def force(**given: Any) -> dict[str, object]:
    """Values in force by name."""
    found = defaults.of(Scenario(**given))
    return {name: getattr(found, name).value for name in defaults.Defaults.__slots__}


def test_vllm_by_version() -> None:
    old = force(engine="vllm", version="0.6", gpu=H100, model=LLAMA, max_model_len=8192)
    assert (old["chunked_prefill"], old["prefix_caching"], old["full_admission"]) == (False, False, False)
    assert (old["max_num_seqs"], old["token_budget"], old["graph_max_batch"]) == (256, 8192, 256)
    assert (old["utilization"], old["watermark"]) == (Fraction(9, 10), Fraction(1, 100))
    new = force(engine="vllm", gpu=H100, model=LLAMA)
    assert (new["chunked_prefill"], new["prefix_caching"], new["full_admission"]) == (True, True, True)
    assert (new["max_num_seqs"], new["token_budget"], new["graph_max_batch"]) == (1024, 8192, 512)
    assert new["utilization"] == vllm.utilization(vllm.NEWEST)
    assert force(engine="vllm", version="0.2.5")["graphs"] is False


def test_vllms_caps_depend_on_the_card_and_are_unknown_without_it() -> None:
    assert force(engine="vllm", gpu=RTX)["max_num_seqs"] == 256
    assert force(engine="vllm", gpu=A100)["token_budget"] == 2048
    unknown = force(engine="vllm")
    assert (unknown["max_num_seqs"], unknown["token_budget"]) == (None, None)
    largest = {force(engine="vllm", gpu=one)["graph_max_batch"] for one in gpus()}
    assert largest == {unknown["graph_max_batch"]} == {512}, "every card's caps reach the most"
    assert force(engine="vllm", max_num_seqs=16)["graph_max_batch"] == 32
    assert force(engine="vllm", version="0.7 V1", gpu=RTX)["max_num_seqs"] == 1024, "V1 as an option: every card"
    assert force(engine="vllm", gpu=H100, max_num_batched_tokens=512)["max_num_seqs"] == 512, "never above the budget"


def test_the_old_engine_cuts_long_prompts_by_itself_but_not_with_adapters() -> None:
    long = {"engine": "vllm", "gpu": RTX, "model": LLAMA, "max_model_len": 131072}
    assert force(**long, version="0.6")["chunked_prefill"] is True
    assert force(**long, version="0.6")["token_budget"] == 512
    assert force(**long, version="0.6", lora=True)["token_budget"] == 131072
    assert force(**long, version="0.3")["chunked_prefill"] is False, "before it could"
    assert force(**long, version="0.6", chunked_prefill=False)["token_budget"] == 131072
    assert force(**long, chunked_prefill=False)["token_budget"] == 131072, "V1: at least the window"


def test_a_hybrid_model_has_no_prefix_caching_unless_asked_for() -> None:
    hybrid = next(one for one in _hybrids())
    assert force(engine="vllm", model=hybrid)["prefix_caching"] is False
    assert force(engine="vllm", model=hybrid, prefix_caching=True)["prefix_caching"] is True


def _hybrids() -> list[Any]:
    from engine.catalog import models

    return [one for one in models() if one.hybrid is not None]


def test_sglang_by_card() -> None:
    big = force(engine="sglang", gpu=H100)
    assert (big["token_budget"], big["graph_max_batch"]) == (8192, 256)
    assert Fraction(82, 100) <= big["utilization"] <= Fraction(84, 100), "about 0.83 on 80 GiB"  # type: ignore[operator]
    assert force(engine="sglang", gpu=H100, tp=4)["graph_max_batch"] == 512
    assert force(engine="sglang", version="0.5.5", gpu=RTX)["graph_max_batch"] == 24
    assert force(engine="sglang", gpu=RTX)["graph_max_batch"] == 48
    assert force(engine="sglang")["utilization"] is None
    assert force(engine="sglang")["max_num_seqs"] is None, "from the pool"


def test_the_other_engines() -> None:
    trt = force(engine="tensorrt-llm")
    assert (trt["max_num_seqs"], trt["token_budget"], trt["graph_max_batch"]) == (2048, 8192, 128)
    assert (trt["chunked_prefill"], trt["full_admission"], trt["block_size"]) == (False, True, 32)
    assert force(engine="tensorrt-llm", version="0.16")["max_num_seqs"] is None, "built into the engine"
    assert force(engine="tgi", version="2.4")["utilization"] == Fraction(95, 100)
    assert force(engine="tgi", version="1.4")["max_model_len"] == 2048
    assert force(engine="tgi")["chunked_prefill"] is True
    assert force(engine="tgi", lora=True)["prefix_caching"] is False
    assert force(engine="transformers")["continuous"] is False
    assert force(engine="exllama", engine_name="exllamav2")["paged"] is True
    assert set(force(engine="other").values()) == {None}


def test_slots_of_llama_cpp_share_a_cache_only_when_their_number_is_left_to_it() -> None:
    auto, given_slots = force(engine="llama.cpp"), force(engine="llama.cpp", slots=4)
    assert (auto["unified"], auto["slots"], auto["paged"]) == (True, 4, True)
    assert (given_slots["unified"], given_slots["slots"], given_slots["paged"]) == (False, 4, False)
    assert force(engine="llama.cpp", slots=4, unified=True)["paged"] is True
    assert force(engine="llama.cpp", version="2024-06")["slots"] == 1


def test_what_is_said_wins_and_the_rest_names_its_release() -> None:
    said = {"eager": Said("log", "start.log:3")}
    found = defaults.of(Scenario(engine="vllm", version="0.19", utilization=Fraction(1, 2), eager=True, said=said))
    assert found.utilization == (Fraction(1, 2), Said("given"))
    assert found.graphs == (False, Said("log", "start.log:3"))
    assert found.graph_max_batch.value is None
    assert found.chunked_prefill == (True, Said("assumed", "vLLM 0.19"))
    assert defaults.of(Scenario(engine="vllm")).paged.said.source == "vLLM 0.30"
    assert defaults.of(Scenario(reserve=2048)).paged.value is False
    assert defaults.of(Scenario(engine="vllm", static_batching=True)).continuous.value is False


@pytest.mark.parametrize("engine", [*get_args(Engine), None])
@pytest.mark.parametrize("version", [None, "0.1", "0.7 V1", "2.3", "2024-06", "nightly"])
def test_every_engine_has_defaults(engine: Engine | None, version: str | None) -> None:
    for card in (None, RTX, H100):
        found = force(engine=engine, version=version, gpu=card, model=LLAMA)
        share = found["utilization"]
        assert share is None or (isinstance(share, Fraction) and 0 < share <= 1)
        for name in ("max_num_seqs", "token_budget", "block_size", "graph_max_batch", "slots", "max_model_len"):
            value = found[name]
            assert value is None or (isinstance(value, int) and value >= 1), name


# --- spelling ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lever", "engine", "version", "text"),
    [
        ("kv-quantization", "vllm", None, "--kv-cache-dtype fp8"),
        ("kv-quantization", "llama.cpp", None, "-ctk q8_0 -ctv q8_0 -fa on"),
        ("kv-quantization", "tgi", "2.0", ""),
        ("cap-concurrency", "sglang", None, "--max-running-requests"),
        ("cap-concurrency", None, None, "vLLM --max-num-seqs"),
        ("cap-concurrency", "other", None, "vLLM --max-num-seqs"),
        ("speculative-decoding", "vllm", "0.6", "--speculative-model --num-speculative-tokens"),
        ("speculative-decoding", "vllm", "0.10", "--speculative-config"),
        ("fewer-cuda-graphs", "vllm", "0.11.0", "--cuda-graph-sizes --max-num-seqs"),
        ("fewer-cuda-graphs", "vllm", "0.11.1", "--cudagraph-capture-sizes --max-num-seqs"),
        ("admission-policy", "vllm", "0.10", ""),
        ("admission-policy", "vllm", "0.22", "--scheduler-reserve-full-isl"),
        ("chunked-prefill", "llama.cpp", None, ""),
        ("more-memory", "vllm", None, ""),
        ("no-such-lever", "vllm", None, ""),
    ],
)
def test_a_lever_is_spelled_by_engine_and_version(lever: str, engine: Engine, version: str | None, text: str) -> None:
    assert spelling.flag(lever, Scenario(engine=engine, version=version)) == text


def test_the_table_of_spellings_knows_only_levers_and_rises() -> None:
    assert set(SPELLINGS) <= set(LEVERS)
    for lever, rows in SPELLINGS.items():
        assert "vllm" in rows or lever in ("paged-attention", "continuous-batching")
        for engine, spellings in rows.items():
            since = [one for one, _ in spellings]
            assert since == sorted(set(since)), (lever, engine)


def test_a_flag_that_a_lever_names_is_one_that_is_read() -> None:
    """What we recommend, we understand when it is given (values and words in brackets aside)."""
    for rows in SPELLINGS.values():
        for engine, spellings in rows.items():
            for _, text in spellings:
                for word in text.replace(",", " ").split():
                    if word.startswith("-"):
                        name = word.lstrip("-").replace("-", "_")
                        assert find(word, engine)[0] is not None or name in SILENT | _PATHS, (engine, word)


_PATHS = {"m", "model", "model_path", "model_id"}
