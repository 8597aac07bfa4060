"""Scenarios: values as people write them, what they become together, and that files and commands say the same again."""

from __future__ import annotations

import argparse
import json
import struct
import time
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import catalog, weights
from engine.diagnosis import fields, scenario
from engine.diagnosis.model import Said, Scenario, Signal, Span
from engine.diagnosis.reading import cards, checkpoint, formats, named, standin, values
from engine.diagnosis.scenario import ScenarioProblem, build, command, export, kind, load
from engine.diagnosis.written import NotRead
from engine.precision import FORMATS


def unread(s: Scenario) -> dict[str, str]:
    return {one.field: one.reason for one in s.unread}


def problem(**given: object) -> tuple[str, str]:
    with pytest.raises(ScenarioProblem) as caught:
        build(given)
    assert caught.value.reason in fields.PROBLEMS
    return caught.value.reason, caught.value.field


# --- values ----------------------------------------------------------------------------------------------------------

SPANS = [
    (1000, 1000, 1000), ("16k", 16000, 16000), ("32 K", 32000, 32000), ("16-64", 16, 64), ("16–64", 16, 64),
    ("16/32/64", 16, 64), ("1 vs 4", 1, 4), ("256 to 512", 256, 512), ("2-4k", 2000, 4000), ("2K-4K", 2000, 4000),
    ("1..4", 1, 4), ("about 120", 120, 120), ("~1000", 1000, 1000), ("lagbhag 500", 500, 500), ("1,024", 1024, 1024),
    ("1,07,374 tokens", 107374, 107374), ("4 lakh", 400000, 400000), ("dedh lakh", 150000, 150000),
    ("8192 (profiling pass)", 8192, 8192), ("500-900 shared", 500, 900), ("1.5k tokens", 1500, 1500),
    ("average 500, max 4000", 500, 500), ("32Ki", 32768, 32768), ("5 images + 700 tokens", 700, 700),
    ("16 then 64", 16, 64), ("1,2,4,8", 1, 8), ([8, 32], 8, 32), ("10k/2k", 2000, 10000),
    ("100 se 200", 100, 200), ("up to 64", 64, 64), ("1e4", 10000, 10000), (2048.0, 2048, 2048),
]  # fmt: skip


@pytest.mark.parametrize(("written", "low", "high"), SPANS)
def test_a_length_is_one_number_or_a_range(written: object, low: int, high: int) -> None:
    found = values.span(written)
    assert (found.low, found.high) == (low, high)
    assert found.text == (written if isinstance(written, str) else "")


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("several", "not-a-number"), ("a dataset", "not-a-number"), ("2.5", "not-whole"), ("22 ms", "wrong-unit"),
        ("300 words", "wrong-unit"), ("1,5k", "comma-unclear"), (True, "not-a-number"), (float("nan"), "not-a-number"),
        (None, "not-a-number"), ({}, "not-a-number"), (10**400, "not-a-number"), ("9" * 300, "too-long"),
        ("2 GB", "wrong-unit"), ("2^12", "no-one-number"), ([], "not-a-number"), (["a"], "not-a-number"),
    ],
)  # fmt: skip
def test_what_is_no_length_has_a_reason(written: object, reason: str) -> None:
    with pytest.raises(NotRead) as caught:
        values.span(written)
    assert caught.value.reason == reason


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("700 requests, 20 concurrent", {"requests": 700, "concurrency": Span(20, 20, "700 requests, 20 concurrent")}),
        ("request rate 4", {"rate": Fraction(4)}), ("sequential", {"concurrency": Span(1, 1, "sequential")}),
        (8, {"concurrency": Span(8, 8)}), ("16-64", {"concurrency": Span(16, 64, "16-64")}),
        ("40 prompts offline", {"requests": 40}), ("500 prompts", {"requests": 500}),
        ("300 prompts x3", {"requests": 300}),
        ("2-4 req/s, 80 prompts", {"rate": Fraction(3), "requests": 80}), ("90 req/min", {"rate": Fraction(3, 2)}),
        ("3 rps", {"rate": Fraction(3)}), ("256-token batch", {"batch_tokens": 256}),
        ("batch of 256 tokens", {"batch_tokens": 256}),
        ("24 concurrent users", {"concurrency": Span(24, 24, "24 concurrent users")}),
        ("12 prompts at once", {"concurrency": Span(12, 12, "12 prompts at once")}),
        ("1, 8, 32", {"concurrency": Span(1, 32, "1, 8, 32")}),
        ("60 prompts at 6 concurrent", {"requests": 60, "concurrency": Span(6, 6, "60 prompts at 6 concurrent")}),
    ],
)  # fmt: skip
def test_requests_in_flight_arriving_and_in_all_are_told_apart(written: object, expected: dict[str, object]) -> None:
    assert values.load(written) == values.Load(**expected)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given_", "field", "expected"),
    [
        ({"tpot": "22 ms"}, "tpot", Fraction(22, 1000)), ({"tpot": 0.02}, "tpot", Fraction(1, 50)),
        ({"ttft": "~15 s"}, "ttft", Fraction(15)), ({"ttft": "2 min"}, "ttft", Fraction(120)),
        ({"tpot": "22ms/token"}, "tpot", Fraction(22, 1000)),
        ({"throughput": "240 tokens per second"}, "throughput", Fraction(240)),
        ({"throughput": "1.2k tok/s"}, "throughput", Fraction(1200)),
        ({"request_rate": "30 req/min"}, "request_rate", Fraction(1, 2)),
        ({"gpu_memory_utilization": "90%"}, "utilization", Fraction(9, 10)),
        ({"gpu_memory_utilization": 0.95}, "utilization", Fraction(19, 20)),
        ({"price_per_hour": "$2.50"}, "price_per_hour", Fraction(5, 2)),
        ({"kv_pool": "16 GiB"}, "kv_pool", Fraction(16 * 2**30)),
        ({"max_model_len": "32k"}, "max_model_len", 32000), ({"eager": "on"}, "eager", True),
        ({"eager": False}, "eager", False),
        ({"kv": "fp8_e4m3"}, "kv", "fp8"), ({"link": "PCIe, no NVLink"}, "link", "pcie"), ({"gpus": "four"}, "gpus", 4),
    ],
)  # fmt: skip
def test_a_value_is_read_in_its_unit(given_: dict[str, object], field: str, expected: object) -> None:
    s = build(given_)
    assert getattr(s, field) == expected
    assert not s.unread
    assert s.said[field].origin == "given"


def test_a_bare_time_too_long_for_seconds_is_asked_about() -> None:
    assert unread(build({"tpot": 22})) == {"tpot": "unit-missing"}
    assert unread(build({"throughput": "3 req/s"})) == {"throughput": "wrong-unit"}


def test_words_are_kept_with_the_reason() -> None:
    s = build({"concurrency": "sweep", "prompt": "ShareGPT", "gpus": "several", "weights": "fast", "link": "cable"})
    assert unread(s) == {
        "concurrency": "not-a-number", "prompt": "not-a-number", "gpus": "not-a-number", "weights": "unknown-format",
        "link": "unknown-link",
    }  # fmt: skip
    assert s.concurrency is s.prompt is s.gpus is s.weights is s.link is None


def test_prompt_and_output_in_one_text_are_told_apart() -> None:
    text = "700 in / 100 out"
    s = build({"prompt": text, "output": text})
    assert (s.prompt, s.output) == (Span(700, 700, text), Span(100, 100, text))


# --- cards -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "name", "number", "link"),
    [
        ("RTX 3090", "RTX 3090", None, None), ("2x RTX 3090", "RTX 3090", 2, None), ("2x3090", "RTX 3090", 2, None),
        ("L40S x 4", "L40S", 4, None), ("4×H100 SXM", "H100 SXM 80GB", 4, None), ("dual 4090", "RTX 4090", 2, None),
        ("RTX 3090 + RTX 3090", "RTX 3090", 2, None), ("RTX 4090 PCIe", "RTX 4090", None, "pcie"),
        ("RTX 3090, no NVLink", "RTX 3090", None, "pcie"), ("2 x RTX 3090 (NVLink)", "RTX 3090", 2, "nvlink"),
        ("8x H100 80GB NVLink", "H100 SXM 80GB", 8, "nvlink"), ("two RTX 4090s", "RTX 4090", 2, None),
        ("A100 PCIe 80GB", "A100 PCIe 80GB", None, None), ("A100-SXM4-80GB*4", "A100 SXM 80GB", 4, None),
        ("3 L4s", "L4", 3, None), ("A100-40G", "A100 SXM 40GB", None, None),
        ("A100 (80 GB)", "A100 SXM 80GB", None, None),
        ("some.large (8x A100 40GB)", "A100 SXM 40GB", 8, None), ("L4 24GB, 8 cards", "L4", 8, None),
        ("4x RTX 3090 with NVLink bridge", "RTX 3090", 4, "nvlink"),
    ],
)  # fmt: skip
def test_a_text_names_cards_their_number_and_link(
    written: str, name: str, number: int | None, link: str | None
) -> None:
    found = cards.read(written)
    assert (found.gpu and found.gpu.name, found.number, found.link) == (name, number, link)


def test_forms_of_a_card_that_do_not_matter_are_assumed_and_listed() -> None:
    for memory in (40, 80):
        s = build({"gpu": f"A100 {memory}GB"})
        assert s.gpu is not None and s.gpu.capacity == memory * 10**9
        assert s.said["gpu"] == Said("assumed", f"A100 SXM {memory}GB, A100 PCIe {memory}GB")
        assert not s.gpu_options


def test_a_short_name_that_means_different_cards_is_asked_about() -> None:
    for name in ("A100", "H100 80GB", "V100", "RTX PRO 6000", "L4 or T4", "H100/H200"):
        s = build({"gpu": name})
        assert s.gpu is None and len(s.gpu_options) > 1
    assert build({"gpu": "A100", "gpu_memory": 80}).gpu == catalog.gpu("A100 SXM 80GB")


def test_two_kinds_of_card_are_none() -> None:
    s = build({"gpu": "RTX 4070 12GB + RTX 4080 16GB"})
    assert (s.gpu, s.gpus, unread(s)) == (None, 2, {"gpu": "two-cards"})
    s = build({"gpu": "8-GPU NVLink node"})
    assert (s.gpu, s.gpus, s.link, unread(s)) == (None, 8, "nvlink", {"gpu": "unknown-gpu"})


def test_a_card_outside_the_catalogue_comes_from_its_numbers() -> None:
    s = build({"gpu_memory": "48 GB", "bandwidth": "900 GB/s", "tflops": 200, "gpu": "Foo X1"})
    assert s.gpu is not None
    assert (s.gpu.name, s.gpu.capacity, s.gpu.bandwidth, s.gpu.peak_flops) == (
        "Foo X1",
        48 * 10**9,
        900 * 10**9,
        200 * 10**12,
    )
    assert build({"gpu_memory": 48, "bandwidth": 900}).gpu == cards.made("", 48 * 10**9, 900 * 10**9, None)
    assert unread(build({"gpu_memory": 48})) == {"gpu_memory": "memory-alone"}
    modded = build({"gpu": "RTX 4090", "gpu_memory": 48})
    assert modded.gpu is not None and modded.gpu.capacity == 48 * 10**9
    assert [one.field for one in modded.conflicts] == ["gpu_memory"]


# --- models and formats ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "model", "form", "by"),
    [
        ("Qwen3-8B", "Qwen/Qwen3-8B", "bf16", "catalogue"), ("Qwen3-14B AWQ", "Qwen/Qwen3-14B", "awq", "name"),
        ("Qwen3-14B-FP8-Dynamic", "Qwen/Qwen3-14B", "fp8-row", "name"),
        ("Qwen3-8B-Q4_K_M.gguf", "Qwen/Qwen3-8B", "q4_k_m", "name"),
        ("Qwen3-14B (AWQ INT4)", "Qwen/Qwen3-14B", "awq", "name"),
        ("Qwen3-14B-quantized.w8a8", "Qwen/Qwen3-14B", "w8a8", "name"),
        ("llama-70b w4a16", "meta-llama/Llama-3.3-70B-Instruct", "w4a16", "name"),
        ("Qwen3-8B-bnb-4bit", "Qwen/Qwen3-8B", "nf4", "name"),
        ("Qwen3-32B-exl2-4.0bpw", "Qwen/Qwen3-32B", "4bpw", "name"),
        ("llama-70b", "meta-llama/Llama-3.3-70B-Instruct", "bf16", "catalogue"),
        ("Some-Llama-3-8B-Instruct-tuned", "meta-llama/Meta-Llama-3-8B", "bf16", "catalogue"),
        ("40 layers (Qwen3-14B class)", "Qwen/Qwen3-14B", "bf16", "catalogue"),
    ],
)  # fmt: skip
def test_a_name_gives_the_model_and_the_format(written: str, model: str, form: str, by: str) -> None:
    found = named.read(written)
    assert found.model is not None and found.form is not None
    assert (found.model.id, found.form.name, found.form_by, found.stand_in) == (model, form, by, False)


@pytest.mark.parametrize(
    ("written", "params", "active"),
    [("Foo-70B", 70, 70), ("Foo-Math-13B-AWQ", 13, 13), ("Foo-235B-A22B", 235, 22), ("foo/bar-6.7b", 6.7, 6.7),
    ("34B", 34, 34)],
)  # fmt: skip
def test_a_size_in_an_unknown_name_gives_a_stand_in(written: str, params: float, active: float) -> None:
    s = build({"model": written})
    assert s.model is not None and s.stand_in
    assert s.said["model"] == Said("assumed", "stand-in")
    assert s.params == s.model.params == params * 10**9
    assert s.model.active == active * 10**9
    assert (s.model.moe is None) == (params == active)


def test_a_size_alone_gives_a_stand_in_and_a_size_beside_a_known_model_nothing() -> None:
    assert build({"params_b": 13}).model == standin.model(13 * 10**9, "13B")
    s = build({"model": "Qwen3-8B", "params_b": 8})
    assert (s.stand_in, s.params, s.conflicts) == (False, None, ())
    assert [one.field for one in build({"model": "Qwen3-8B", "params_b": 80}).conflicts] == ["params_b"]


def test_two_models_or_none_are_told() -> None:
    for name, reason in (
        ("Foo-7B/40B", "two-models"), ("Qwen3-8B, Qwen3-14B", "two-models"), ("my model", "unknown-model"),
        ("mistral-7b", "ambiguous-model"), ("no/such/config.json", "no-file"),
    ):  # fmt: skip
        s = build({"model": name})
        assert (s.model, s.model_name, unread(s)) == (None, name, {"model": reason})


def test_a_draft_beside_the_model_is_speculation() -> None:
    for name in ("Qwen3-32B + Qwen3-0.6B draft", "Qwen3-32B with Qwen3-0.6B-AWQ draft"):
        s = build({"model": name})
        assert s.model == catalog.model("Qwen3-32B") and s.speculation is True and s.weights == FORMATS["bf16"]


@pytest.mark.parametrize("size", [10**8, 10**9, 7 * 10**9, 13 * 10**9, 33 * 10**9, 70 * 10**9, 405 * 10**9, 10**12])
def test_a_stand_in_has_its_size_and_a_usual_shape(size: int) -> None:
    made = standin.model(size)
    counted = weights.by_class(made, "fp16")
    assert counted.params == size
    assert counted.of("other").params * 100 < size
    assert made.heads % made.kv_heads == 0 and made.heads * made.head_dim == made.d_model
    if size >= 7 * 10**9:
        near = [m for m in catalog.models() if m.attention == "GQA" and not m.moe and abs(m.params - size) * 5 < size]
        assert not near or min(m.layers for m in near) * 0.7 <= made.layers <= max(m.layers for m in near) * 1.3
    assert made not in catalog.models()


def test_an_architecture_in_numbers_is_a_dense_model() -> None:
    shape = {"layers": 32, "d_model": 4096, "n_head": 32, "n_kv_heads": 8, "d_head": 128, "ffn": 14336, "vocab": 128256}
    s = build(shape)
    assert s.model is not None and s.model.params == catalog.model("llama-3.1-8b").params
    assert build(export(s)) == s
    assert unread(build({"layers": 32, "d_model": 4096})) == {"layers": "shape-incomplete"}
    assert problem(**{**shape, "n_kv_heads": 7}) == ("heads-do-not-divide", "n_kv_heads")


@pytest.mark.parametrize(
    ("written", "name", "assumed"),
    [
        ("nf4 double-quant", "nf4-double", False), ("gptq-int4", "gptq", False), ("awq-int4", "awq", False),
        ("16-bit", "bf16", False), ("fp4 experts", "fp4-experts", False), ("AWQ 4-bit (Marlin)", "awq", False),
        ("8-bit GPTQ", "int8", False), ("INT8 weights", "int8", False), ("w8a8 int8", "w8a8", False),
        ("exl2 4.65bpw", "4.65bpw", True), ("UD-Q4_K_XL", "q4_k_m", True), ("IQ3_M", "3.66bpw", True),
    ],
)  # fmt: skip
def test_formats_as_people_write_them(written: str, name: str, assumed: bool) -> None:
    found = formats.read(written)
    assert (found.form.name, found.assumed) == (name, assumed)
    s = build({"weights": written})
    assert s.weights == found.form and s.said["weights"].origin == ("assumed" if assumed else "given")


def test_bits_a_weight_are_what_they_say() -> None:
    assert formats.of_bits(Fraction("4.65")).linear_bits == Fraction("4.65")
    assert unread(build({"weights": "fp16 vs int4"})) == {"weights": "two-formats"}
    s = build({"weights": "gptq int4 act-order"})
    assert s.act_order is True and s.weights == FORMATS["gptq"]


def test_weights_follow_from_the_model_unless_told() -> None:
    s = build({"model": "Qwen3-8B"})
    assert s.weights == FORMATS["bf16"] and s.said["weights"] == Said("catalogue", "Qwen/Qwen3-8B")
    assert build({"model": "Qwen3-8B", "engine": "llama.cpp"}).weights is None
    told = build({"model": "Qwen3-8B-AWQ", "weights": "fp16"})
    assert told.weights == FORMATS["fp16"] and [one.dropped for one in told.conflicts] == ["awq"]


# --- checkpoints -----------------------------------------------------------------------------------------------------

CONFIG: dict[str, Any] = {
    "model_type": "llama", "num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "intermediate_size": 128, "vocab_size": 100, "max_position_embeddings": 512, "torch_dtype": "bfloat16",
}  # fmt: skip


def shard(path: Path, size: int) -> None:
    header = b'{"a":{"dtype":"U8","shape":[%d],"data_offsets":[0,%d]}}' % (size, size)
    path.write_bytes(struct.pack("<Q", len(header)) + header + bytes(size))


def test_a_folder_gives_the_model_and_exact_bytes(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps(CONFIG))
    shard(tmp_path / "model-00001-of-00002.safetensors", 150_000)
    shard(tmp_path / "model-00002-of-00002.safetensors", 22_000)
    shard(tmp_path / "consolidated.safetensors", 999)
    for place in (tmp_path, tmp_path / "config.json"):
        s = build({"model": str(place)})
        assert s.model is not None and s.model.layers == 2
        assert (s.exact_weights, s.weights, s.stand_in) == (172_000, FORMATS["bf16"], False)
        assert s.said["weights"].origin == s.said["model"].origin == s.said["exact_weights"].origin == "config"
        assert build(export(s)) == s


def test_an_index_tells_the_bytes_of_files_that_are_not_there(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps(CONFIG))
    index = {"metadata": {"total_size": 172_777}, "weight_map": {"a": "model-1.safetensors", "b": "../../etc/passwd"}}
    (tmp_path / "model.safetensors.index.json").write_text(json.dumps(index))
    assert checkpoint.read(str(tmp_path)).bytes == 172_777
    (tmp_path / "model-1.safetensors").write_bytes(b"\xff" * 20)
    assert checkpoint.read(str(tmp_path)).bytes == 172_777


def test_what_cannot_be_sized_is_refused_by_its_key(tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    for config, reason, key in (
        ({**CONFIG, "state_size": 16}, "cannot-size", "state_size"),
        ({"model_type": "x"}, "missing-key", "num_hidden_layers"),
        ({**CONFIG, "hidden_size": "wide"}, "bad-key", "hidden_size"),
    ):  # fmt: skip
        file.write_text(json.dumps(config))
        with pytest.raises(ScenarioProblem) as caught:
            build({"model": str(file)})
        assert (caught.value.reason, caught.value.params["key"]) == (reason, key)
    for text, reason in (
        ("[1]", "no-config"),
        ("{", "not-json"),
        ("[" * 10**5, "too-deep"),
        (" " * (3 * 2**20), "too-large"),
    ):
        file.write_text(text)
        with pytest.raises(ScenarioProblem) as caught:
            build({"model": str(file)})
        assert caught.value.reason == reason
    assert not checkpoint.is_path("/dev/zero.json") and not checkpoint.is_path("\0")


# --- flags, symptoms, keys -------------------------------------------------------------------------------------------


def test_flags_and_sentences_are_read() -> None:
    s = build(
        {
            "flags": {"engine": "vllm 0.6", "tensor_parallel_size": 2, "foo": "bar"},
            "symptoms": ["OOM while loading the model"],
        }
    )
    assert (s.engine, s.version, s.tp, s.gpus, s.flags["foo"]) == ("vllm", "0.6", 2, 2, "bar")
    assert s.said["gpus"].origin == "computed"
    assert s.has("oom-loading") and s.signals[0].source == "symptom"
    assert build({"flags": ["tp=4"]}).tp == build({"flags": "tp=4"}).tp == build({"flag": {"tp": 4}}).tp == 4


def test_a_key_wins_over_a_flag_and_the_conflict_is_told() -> None:
    s = build({"tp": 2, "gpus": 4, "flags": {"tensor_parallel_size": 4}})
    assert s.tp == 2
    assert [(one.field, one.kept, one.dropped) for one in s.conflicts] == [("tp", "2", "4")]


def test_one_engine_named_twice_is_one() -> None:
    s = build({"engine": "vllm", "flags": {"engine": "vllm 0.6.1"}})
    assert (s.engine, s.engine_name, s.version, s.conflicts) == ("vllm", "vllm", "0.6.1", ())
    s = build({"engine": "sglang", "flags": {"engine": "vllm 0.6.1"}})
    assert (s.engine, s.version) == ("sglang", None)
    assert [(one.field, one.dropped) for one in s.conflicts] == [("engine", "vllm 0.6.1")]
    log = build({"engine": "vllm 0.6.1"}, "log")
    s = build({"engine": "vllm"}, "given", log)
    assert (s.engine, s.version, s.conflicts) == ("vllm", "0.6.1", ())
    s = build({"engine": "sglang"}, "given", log)
    assert (s.engine, s.version, [one.field for one in s.conflicts]) == ("sglang", None, ["engine"])


def test_a_number_of_cards_said_twice_is_told() -> None:
    s = build({"gpu": "4x L40S", "gpus": 2})
    assert (s.gpus, [(one.field, one.dropped) for one in s.conflicts]) == (2, [("gpus", "4")])


def test_an_unknown_key_is_told_with_the_nearest_one() -> None:
    s = build({"concurency": 3, "gpu_memory_utilizaton": 0.9, "zzz": 1, 5: 6})  # type: ignore[dict-item]
    told = {one.field: one.text for one in s.unread}
    near = "gpu_memory_utilization"
    assert told == {"concurency": "concurrency", "gpu_memory_utilizaton": near, "zzz": "", "5": ""}
    assert unread(s)["zzz"] == "unknown-key" and fields.nearest("batch size") == "concurrency"
    assert fields.nearest("gpu-memory-utilisation") == "gpu_memory_utilization"
    assert build({"--max-model-len": 5, "Max_Num_Seqs": 6}).max_num_seqs == 6


def test_a_flag_among_the_keys_is_read_as_one() -> None:
    assert build({"enforce_eager": True}).eager is True


# --- impossible ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given_", "reason", "field"),
    [
        ({"gpus": 0}, "zero", "gpus"), ({"gpus": -1}, "negative", "gpus"), ({"prompt": "-5"}, "negative", "prompt"),
        ({"prompt": 0}, "zero", "prompt"), ({"concurrency": [0, 4]}, "zero", "concurrency"),
        ({"tpot": -1}, "negative", "tpot"),
        ({"gpu_memory_utilization": 1.2}, "over-one", "gpu_memory_utilization"),
        ({"gpu_memory_utilization": "120%"}, "over-one", "gpu_memory_utilization"),
        ({"gpu_memory_utilization": 0}, "zero", "gpu_memory_utilization"),
        ({"gpu_memory": "-80"}, "negative", "gpu_memory"),
        ({"max_model_len": "99999 crore"}, "too-large", "max_model_len"), ({"params_b": -7}, "negative", "params_b"),
        ({"params_b": "0.0000001"}, "too-small", "params_b"), ({"tp": 4, "gpus": 2}, "more-ranks-than-cards", "gpus"),
        ({"gpu": "2x L40S", "flags": {"tp": 2, "pp": 2}}, "more-ranks-than-cards", "gpus"),
        ({"model": "Qwen3-8B", "pp": 99}, "more-stages-than-layers", "pp"),
        ({"output": 9000, "max_model_len": 8192}, "longer-than-window", "output"),
        ({"prompt": "9k-10k", "flags": {"max_model_len": 8192}}, "longer-than-window", "prompt"),
        ({"gpu": "0x A100 80GB"}, "zero", "gpus"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_with_its_field(given_: dict[str, object], reason: str, field: str) -> None:
    assert problem(**given_) == (reason, field)


def test_ranks_of_data_parallel_attention_share_cards() -> None:
    assert build({"engine": "sglang", "tp": 8, "dp": 8, "gpus": 8}).gpus == 8


def test_a_gauge_at_rest_and_a_damaged_log_end_nothing() -> None:
    assert unread(build({"throughput": 0})) == {"throughput": "zero"}
    assert unread(build({"gpus": -3, "kv_usage": 7}, "log")) == {"gpus": "negative", "kv_usage": "over-one"}


# --- two sources -----------------------------------------------------------------------------------------------------


def test_the_stronger_source_wins_and_the_conflict_is_told() -> None:
    log = build({"gpus": 4, "max_model_len": 4096, "model": "Qwen3-8B", "weights": "fp8"}, "log")
    s = build({"gpus": 2, "gpu": "L40S", "max_model_len": 4096}, "given", log)
    assert (s.gpus, s.gpu, s.model, s.weights) == (2, catalog.gpu("L40S"), log.model, FORMATS["fp8"])
    assert s.said["gpus"] == Said("given", "--gpus") and s.said["weights"].origin == "log"
    assert [(one.field, one.kept, one.kept_source, one.dropped) for one in s.conflicts] == [
        ("gpus", "2", "--gpus", "4")
    ]


def test_another_model_takes_what_followed_from_the_first_with_it() -> None:
    first = build({"model": "Foo-70B", "prompt": 100}, "scenario.toml")
    s = build({"model": "Qwen3-8B"}, "given", first)
    assert (s.model, s.stand_in, s.params, s.weights) == (catalog.model("Qwen3-8B"), False, None, FORMATS["bf16"])
    assert s.prompt == Span(100, 100)
    assert [(one.field, one.kept, one.dropped) for one in s.conflicts] == [("model", "Qwen3-8B", "Foo-70B")]


def test_what_follows_from_a_model_that_stays_stays() -> None:
    first = build({"model": "Qwen3-8B", "tp": 2}, "scenario.toml")
    s = build({"gpu": "L40S", "tp": 4}, "given", first)
    assert (s.weights, s.said["weights"].origin, s.gpus) == (FORMATS["bf16"], "catalogue", 4)
    assert [one.field for one in s.conflicts] == ["tp"]


def test_a_size_is_no_other_model() -> None:
    s = build({"params_b": 8}, "given", build({"model": "Qwen3-8B"}, "a.toml"))
    assert (s.model, s.stand_in, s.params, s.conflicts) == (catalog.model("Qwen3-8B"), False, None, ())
    s = build({"model": "Qwen3-8B"}, "given", build({"params_b": 8}, "a.toml"))
    assert (s.model, s.stand_in, s.params, s.conflicts) == (catalog.model("Qwen3-8B"), False, None, ())


def test_a_dtype_flag_does_not_undo_a_quantized_checkpoint() -> None:
    assert build({"model": "Qwen3-8B-AWQ", "flags": {"dtype": "float16"}}).weights == FORMATS["awq"]
    assert build({"model": "DeepSeek-R1", "flags": {"dtype": "bfloat16"}}).weights == FORMATS["fp8-tile"]
    assert build({"model": "Qwen3-8B", "flags": {"dtype": "float16"}}).weights == FORMATS["fp16"]


def test_a_catalogue_default_gives_way_to_a_log() -> None:
    log = build({"weights": "awq"}, "log")
    assert build({"model": "Qwen3-8B"}, "given", log).weights == FORMATS["awq"]


def test_a_weaker_source_that_cannot_be_true_beside_the_stronger_is_dropped() -> None:
    log = build({"tp": 8, "max_model_len": 100}, "log")
    s = build({"gpus": 2, "prompt": 500}, "given", log)
    assert (s.gpus, s.tp, s.prompt, s.max_model_len) == (2, None, Span(500, 500), None)
    assert {one.field for one in s.conflicts} == {"tp", "max_model_len", "gpus"} - {"gpus"}


# --- files -----------------------------------------------------------------------------------------------------------

TOML = """# a comment
model = "Qwen3-8B"
gpu = "L40S"
concurrency = "8-16"
symptoms = ["it is slow"]
[flags]
enforce_eager = true
"""


def test_a_file_is_toml_or_json_by_its_content() -> None:
    parsed = load(TOML, "a.toml")
    assert kind(TOML) == kind(json.dumps(parsed)) == "scenario"
    assert build(parsed) == build(load("\ufeff" + json.dumps(parsed), "a"))
    assert build(parsed).eager is True


def test_other_files_are_told_apart() -> None:
    assert kind(json.dumps(CONFIG)) == "config"
    for text in (
        "", "it is slow", '{"date": 1, "backend": 2, "request_rate": 3, "duration": 4, "mean_ttft_ms": 5}', "[1, 2]",
        "{}",
        "INFO 01-01 engine.py:1] max_model_len=8192, tp=4",
        '{"level": "info", "model": "a"}\n{"level": "info", "gpu": "b"}',
        "x = 1\ny = 2\nz = 3\ngpu = 4", "null", "{" * 10**5,
    ):  # fmt: skip
        assert kind(text) == "words", text
    assert kind('{"model": "Qwen3-8B",\n "gpu": }') == kind('model = "Qwen3-8B\ngpu = "L4"\n') == "scenario"


@pytest.mark.parametrize(
    ("text", "reason", "line"),
    [
        ('{"model": 1,\n"gpu": }', "not-json", 2), ('model = "a"\n\ngpu = ?', "not-toml", 3),
        ('{"foo": 1}', "not-a-scenario", None),
        ("foo = 1", "not-a-scenario", None), ('{"a":' * 10**4, "too-deep", None),
        ("a = " + "[" * 10**5, "too-deep", None),
        ('{"gpus": ' + "9" * 5000 + "}", "long-number", 1), ("gpus = " + "9" * 5000, "long-number", 1),
        ('gpu = "x"\ngpu = "y"', "not-toml", 2),
    ],
    ids=range(9),
)  # fmt: skip
def test_a_broken_file_says_where(text: str, reason: str, line: int | None) -> None:
    with pytest.raises(ScenarioProblem) as caught:
        load(text, "file")
    assert caught.value.reason == reason and caught.value.field == "file"
    assert line is None or caught.value.params["line"] == line


def test_large_and_many_end_fast() -> None:
    start = time.process_time()
    for text in ('{"model": "' + "x" * 10**7 + '"}', "gpu = 'a'\n" * 10**6):
        with pytest.raises(ScenarioProblem) as caught:
            load(text, "big")
        assert caught.value.reason == "too-large"
        assert kind(text) == "words"
    for text in (f"{'.'.join('a' * 60000)} = 1\ngpu = 1", f"gpu = {{ {' . '.join('a' * 30000)} = 1 }}"):
        with pytest.raises(ScenarioProblem) as caught:
            load(text, "odd")
        assert caught.value.reason == "too-deep"
    build(load("[[gpu]]\n" * 12000 + "[a.b]\nc = {}\n", "odd"))
    assert problem(**{f"k{n}": n for n in range(600)}) == ("too-many-keys", "file")
    build(
        {"symptoms": ["slow " * 10**5] * 50, "model": "x" * 10**6, "flags": {f"f{n}": "y" * 10**4 for n in range(400)}}
    )
    assert time.process_time() - start < 6, "a blow-up, not a slow machine"


# --- round trips -----------------------------------------------------------------------------------------------------

ROUNDS: list[dict[str, object]] = [
    {},
    {"model": "Qwen3-8B-AWQ", "gpu": "A100 80GB", "gpus": 2, "prompt": "500-900", "output": 200,
    "concurrency": "16/32"},
    {"model": "Foo-70B", "gpu": "H100", "weights": "exl2 4.65bpw", "kv": "fp8_e5m2", "ttft": "15 s", "tpot": "22 ms"},
    {"params_b": 6.7, "gpu_memory": "79.1 GiB", "bandwidth": "1.9 TB/s", "tflops": 300, "throughput": "100 tok/s"},
    {"gpu": "RTX 4090", "gpu_memory": 48, "request_rate": "100 req/min", "concurrency": "40 prompts offline"},
    {"gpu": "2x L40S", "engine": "vllm 0.10", "flags": {"tp": 2, "enforce_eager": True, "foo": "bar",
    "kv_cache_dtype": "fp8"}},
    {"concurrency": "512-token batch", "prompt": "many", "modl": "x", "symptoms": ["OOM while loading the model",
    "fine"]},
    {"gpu": "RTX 4070 12GB + RTX 4080 16GB", "model": "Foo-7B/9B", "kv_pool": "16 GiB",
    "gpu_memory_utilization": "90%"},
    {"model": "Foo-235B-A22B", "engine": "sglang", "tp": 8, "dp": 8, "price_per_hour": "2,50 USD", "kv_usage": "95.8%"},
]  # fmt: skip


@pytest.mark.parametrize("given_", ROUNDS)
def test_a_saved_scenario_is_the_same_when_it_is_opened(given_: dict[str, object]) -> None:
    s = build(given_, "some.toml" if "gpu" in given_ else "given")
    document = json.loads(json.dumps(export(s)))
    assert build(document) == s
    assert not document or kind(json.dumps(document)) == "scenario"
    assert export(build(document)) == document


def test_a_changed_scenario_is_saved_as_it_is() -> None:
    s = build({"model": "Qwen3-8B", "gpu": "A100 40GB", "gpus": 2, "concurrency": 8})
    for changed in (
        replace(s, weights=FORMATS["awq"]), replace(s, gpu=catalog.gpu("L40S"), gpu_name="L40S"), replace(s, tp=2,
        kv="fp8"),
        replace(s, concurrency=Span(3, 9)), replace(s, utilization=Fraction(1, 3)), replace(s, eager=True,
        max_num_seqs=7),
        replace(s, signals=(Signal("preempts", "WARNING preempted", "a.log:7"),), tried=frozenset(("eager-mode",))),
    ):  # fmt: skip
        assert build(json.loads(json.dumps(export(changed)))) == changed


def test_a_saved_scenario_keeps_what_a_log_says_beside_it() -> None:
    log = build({"waiting": 3, "symptoms": ["OOM while loading the model"]}, "log")
    saved = export(replace(build({"gpus": 2}), signals=(Signal("preempts", "WARNING preempted", "a.log:7"),)))
    s = build(saved, "saved.json", log)
    assert s.has("oom-loading") and s.has("preempts")
    assert s.said["waiting"].origin == "log" and (s.waiting, s.gpus) == (3, 2)


def parsed(argv: list[str]) -> dict[str, object]:
    """The options of a command, as a parser of the public options reads them."""
    parser = argparse.ArgumentParser()
    for one in fields.FIELDS:
        parser.add_argument(one.option, dest=one.name)
    parser.add_argument("--flag", dest="flags", action="append")
    parser.add_argument("--symptom", dest="symptoms", action="append")
    return {name: value for name, value in vars(parser.parse_args(argv)).items() if value is not None}


@pytest.mark.parametrize("given_", [one for one in ROUNDS if "many" not in one.values()])
def test_the_command_asks_the_same(given_: dict[str, object]) -> None:
    s = build(given_)
    argv = command(s)
    assert argv[:2] == ["llm-tutor", "diagnose"]
    again = build(parsed(argv[2:]))
    told = {"said", "unread", "conflicts", "flags", "request_rate"}
    for name in Scenario.__dataclass_fields__:
        if name not in told:
            assert getattr(again, name) == getattr(s, name), name


# --- hostile ---------------------------------------------------------------------------------------------------------

SCRAPS = st.sampled_from(
    ["16-64", "A100", "Qwen3-8B", "2x", "fp8", "-1", "1e999", "9" * 99, "%", "1/0", "ms", "[bold]x", "\x1b[31m",
    "\ud800", "١٢", "½",
     "8x H100 + T4", "70B", "(((", "a" * 5000, "1,2,3", "vllm", "0x10", "lakh", "--", "= =", "req/s", "/", "{}",
     "\0", "config.json"]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=30), st.lists(SCRAPS, max_size=4).map(" ".join))
LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.integers(-(10**400), 10**400), st.floats(), st.fractions(), TEXTS,
    st.binary(max_size=5)
)  # fmt: skip
VALUES = st.recursive(
    LEAVES, lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(TEXTS, inner, max_size=4)),
    max_leaves=6
)  # fmt: skip
NAMES = st.one_of(st.sampled_from([one.name for one in fields.FIELDS] + [*fields.TABLES, "flag", "symptom"]), TEXTS)


def _built(given_: Mapping[str, object], source: str = "given", base: Scenario | None = None) -> Scenario | None:
    try:
        return build(given_, source, base)
    except ScenarioProblem as raised:
        assert raised.reason in fields.PROBLEMS
        return None


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.dictionaries(NAMES, VALUES, max_size=5), st.dictionaries(NAMES, VALUES, max_size=3))
def test_nothing_raises_but_what_it_says(one: dict[str, object], other: dict[str, object]) -> None:
    base = _built(one, "log")
    s = _built(other, "given", base)
    if s is not None:
        assert build(json.loads(json.dumps(export(s)))) == s
        command(s)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(TEXTS)
def test_no_text_breaks_a_field_or_a_file(text: str) -> None:
    for one in fields.FIELDS:
        _built({one.name: text})
    assert kind(text) in ("scenario", "config", "words")
    with pytest.raises(ScenarioProblem):
        load(f"{text}\n= broken", "x")


def test_every_reason_and_field_is_declared() -> None:
    assert len({one.name for one in fields.FIELDS}) == len(fields.FIELDS)
    assert {one.attribute for one in fields.FIELDS} - {""} <= set(Scenario.__dataclass_fields__)
    assert scenario.__all__ and all(one.option.startswith("--") and "_" not in one.option for one in fields.FIELDS)
