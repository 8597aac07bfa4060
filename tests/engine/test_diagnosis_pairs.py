"""Levers that are not enough alone and fit together: found by the same engine, told with both flags."""

from __future__ import annotations

from typing import Any

import pytest

from content import diagnosis
from content.diagnosing.document import document
from content.lang import LANGS
from engine.artefacts import feed
from engine.artefacts.evidence import Evidence, read
from engine.diagnosis import judge, scenario
from engine.diagnosis.acting import aims, levers, pairing, typed
from engine.diagnosis.acting.levers import LEVERS
from engine.diagnosis.cases.case import Case
from engine.diagnosis.model import LeverResult, Report
from engine.diagnosis.settings import engines

LAYERS_LEFT = """\
build: 5412 (d590cd4c) with cc (Ubuntu 13.3.0) for x86_64-linux-gnu
  Device 0: NVIDIA GeForce RTX 4090, compute capability 8.9, VMM: yes
llama_model_loader: - kv   2: general.name str = Qwen2.5 32B Instruct
print_info: file type   = Q4_K - Medium
print_info: file size   = 18.48 GiB (4.85 BPW)
print_info: n_ctx_train      = 32768
print_info: n_embd           = 5120
print_info: n_layer          = 64
print_info: n_head           = 40
print_info: n_head_kv        = 8
print_info: model params     = 32.76 B
load_tensors: offloaded 52/65 layers to GPU
load_tensors:        CUDA0 model buffer size = 14500.31 MiB
load_tensors:   CPU_Mapped model buffer size =  4423.12 MiB
llama_context: n_seq_max     = 4
llama_context: n_ctx         = 32768
llama_context: n_ctx_per_seq = 8192
llama_kv_cache_unified: size = 8192.00 MiB ( 32768 cells,  64 layers,  4 seqs)
slot      release: id  0 | task 12 | stop processing: n_past = 3260, truncated = 0
prompt eval time =    9211.40 ms /  3000 tokens (    3.07 ms per token,   325.69 tokens per second)
       eval time =   31200.00 ms /   260 tokens (  120.00 ms per token,     8.33 tokens per second)
"""


def judged(**given: Any) -> Report:
    return judge.diagnose(scenario.build(given, "given"))


def from_log(text: str) -> Report:
    return judge.diagnose(feed.scenario(Evidence((read("server.log", [text.encode()]),))))


def pair(report: Report) -> LeverResult | None:
    found = [one for one in report.levers if one.beside is not None]
    assert len(found) < 2
    return found[0] if found else None


def test_layers_left_on_the_processor_come_back_with_a_smaller_cache_before_anything_is_bought() -> None:
    report = from_log(LAYERS_LEFT)
    first = report.levers[0]
    assert first.id == "drop-cpu-offload" and first.helps and first.beside is not None
    assert first.flag == "-ngl 999 -ctk q8_0 -ctv q8_0 -fa"
    assert first.after is not None and not Case(first.after).host_weights and Case(first.after).starts is True
    assert [(one.id, one.flag) for one in first.instead] == [("lower-max-model-len", "-c 16384")]


LARGE: dict[str, Any] = {"model": "llama-3.1-70b", "max_model_len": 32768, "gpu_memory_utilization": 0.95}


@pytest.mark.parametrize("window", [24576, 32768])
@pytest.mark.parametrize("gpu", ["H100 SXM 80GB", "A100 SXM 80GB", None])
def test_8_bit_weights_and_a_shorter_window_or_a_smaller_cache_hold_what_neither_holds(
    gpu: str | None, window: int
) -> None:
    card = {"gpu_memory": "79 GiB"} if gpu is None else {"gpu": gpu}
    found = pair(report := judged(**{**LARGE, **card, "engine": "vllm", "max_model_len": window}))
    assert found is not None and found.helps and found.beside is not None and found.after is not None
    assert found.id in ("fp8", "w8a8") and found.flag.endswith(found.beside.flag)
    assert "lower-max-model-len" in {one.id for one in (found.beside, *found.instead)}
    after = Case(found.after)
    assert after.starts is True and aims.window_fits(after)
    for name in (found.id, found.beside.id):
        alone = levers.apply(name, report.scenario)
        assert alone is not None and not (Case(alone).starts and aims.window_fits(Case(alone)))


@pytest.mark.parametrize("gpu", ["RTX 4090", "RTX 3090", "L40S", "A100 SXM 80GB"])
@pytest.mark.parametrize("engine", ["vllm", "sglang", "tensorrt-llm", "tgi", "lmdeploy", "llama.cpp"])
@pytest.mark.parametrize("model", ["qwen2.5-32b", "llama-3.1-70b", "mistral-small-24b"])
def test_a_pair_of_any_engine_starts_and_stands_where_no_lever_that_is_free_does(
    model: str, engine: str, gpu: str
) -> None:
    report = judged(model=model, gpu=gpu, engine=engine, max_model_len=32768)
    found = pair(report)
    free = [
        one for one in report.levers
        if one.helps and one.beside is None and LEVERS[one.id].weighs == "rank" and not LEVERS[one.id].hardware
        and one.after is not None and Case(one.after).starts and aims.window_fits(Case(one.after)) and one.id != "w4a16"
    ]  # fmt: skip
    assert found is None or (not free and found.after is not None and Case(found.after).starts is True)


def test_8_bit_weights_that_are_too_large_in_16_bits_are_a_checkpoint_of_their_own() -> None:
    report = judged(model="llama-3.1-70b", gpu="H100 SXM 80GB", engine="vllm", max_model_len=32768)
    found = pair(report)
    assert found is not None and found.flag.startswith("--model <an FP8 checkpoint> ")
    small = judged(model="llama-3.1-8b", gpu="H100 SXM 80GB", engine="vllm", symptoms=["compute bound prefill"])
    after = levers.apply("fp8", small.scenario)
    assert typed.flag("fp8", Case(small.scenario), after) == "--quantization fp8"


def test_what_the_advice_is_tried_as_is_both_levers() -> None:
    report = from_log(LAYERS_LEFT)
    after = levers.applied("drop-cpu-offload", report)
    assert after is not None and after.kv == "q8_0" and after.gpu_layers is None


@pytest.mark.parametrize(
    "given",
    [
        {"model": "llama-3.1-8b", "gpu": "L4", "engine": "vllm", "symptoms": ["the model's max seq len is larger than "
         "the maximum number of tokens that can be stored in KV cache"]},
        {"model": "llama-3.1-8b", "gpu": "H100 SXM 80GB", "engine": "vllm", "prompt": 1000, "output": 200,
         "concurrency": 8},
        {"model": "llama-3.1-405b", "gpu": "H100 SXM 80GB", "engine": "vllm"},
    ],
)  # fmt: skip
def test_no_pair_where_one_lever_is_enough_or_no_two_are(given: dict[str, Any]) -> None:
    assert pair(judged(**given)) is None


def test_a_pair_buys_nothing_and_takes_no_work_away() -> None:
    for one in pairing.PARTNERS:
        assert not one.hardware and one.weighs == "rank" and one.id != "shorten-requests"


def test_a_pair_is_told_with_both_names_in_words_and_json() -> None:
    report = from_log(LAYERS_LEFT)
    for lang in LANGS:
        text = "\n".join(diagnosis.lines(report, lang))
        names = [diagnosis.named("lever", name, lang) for name in ("drop-cpu-offload", "kv-quantization")]
        assert f"1. {names[0]}, " in text and names[1] in text and "-c 16384" in text
    first = document(report)["levers"][0]
    assert first["with"] == {"id": "kv-quantization", "flag": "-ctk q8_0 -ctv q8_0 -fa", "met": True}
    assert [one["id"] for one in first["or_with"]] == ["lower-max-model-len"]


@pytest.mark.parametrize("engine", sorted(engines.TITLES))
def test_flags_of_a_lever_have_no_comma_but_before_what_is_to_be_removed(engine: str) -> None:
    given = {"model": "llama-3.1-70b", "gpu": "A100 SXM 80GB", "gpus": 2, "tp": 2, "prompt": 3000, "output": 500,
             "concurrency": 40, "flags": {"enforce_eager": True}}  # fmt: skip
    case = Case(scenario.build({**given, "engine": engine}, "given"))
    for lever in LEVERS.values():
        flag = typed.flag(lever.id, case, None if lever.act is None else lever.act(case))
        bare = flag.partition(", remove ")[0].replace('", "', "").replace('"ngram", ', "")
        assert ", " not in bare, (lever.id, flag)


@pytest.mark.parametrize("engine", ["vllm", "sglang"])
@pytest.mark.parametrize("gpu", ["RTX 4090", "L4", "A10", "RTX 3090"])
def test_a_pair_leaves_room_for_a_request_that_somebody_would_send(engine: str, gpu: str) -> None:
    for model in ("qwen2.5-32b", "gemma-2-27b", "mistral-small-24b"):
        found = pair(judged(model=model, gpu=gpu, engine=engine, max_model_len=32768))
        assert found is None or (found.after is not None and (Case(found.after).pool_tokens or 0) >= 4096)
