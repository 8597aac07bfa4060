"""Slips in what people type: a mistyped model, a flag of another engine than the one that is started."""

from __future__ import annotations

import json

import pytest

from engine.artefacts import evidence, feed
from engine.artefacts.evidence import Evidence
from engine.diagnosis import judge
from engine.diagnosis.fields import ScenarioProblem
from engine.diagnosis.model import Scenario, Unread
from engine.diagnosis.reading import named
from engine.diagnosis.scenario import build
from engine.diagnosis.symptoms import signals


def started(line: str) -> Scenario:
    return build({"command": line, "gpu": "A100 SXM 80GB"}, "options")


def told(found: Scenario) -> dict[str, tuple[str, str]]:
    return {one.field: (one.reason, one.text) for one in found.unread}


@pytest.mark.parametrize("name", ["lama3.1-8b", "llama-3.1-8bb", "Lama-3.1-8B"])
def test_a_mistyped_model_is_asked_about_and_not_replaced(name: str) -> None:
    found = build({"model": name, "gpu": "L40S"}, "options")
    assert found.model is None
    assert found.unread == (Unread("model", "meta-llama/Llama-3.1-8B", "near-model"),)
    assert "model" in {one.input for one in judge.diagnose(found).questions}


@pytest.mark.parametrize("name", ["Falcon-11B", "mistral-9b", "Llama-3.3-8B", "foo-8b"])
def test_another_model_of_that_size_is_no_slip_and_what_stands_for_it_is_told(name: str) -> None:
    assert named.near(name) == ()
    found = build({"model": name}, "options")
    assert found.stand_in and found.unread == (Unread("model", name, "stood-in"),)


def test_a_flag_of_another_engine_is_told_with_the_one_that_is_meant() -> None:
    found = started("vllm serve Qwen/Qwen2.5-32B --mem-fraction-static 0.85 --context-length 8192")
    assert told(found) == {
        "flags.--mem-fraction-static": ("meant-here", "vLLM --gpu-memory-utilization"),
        "flags.--context-length": ("meant-here", "vLLM --max-model-len"),
    }
    assert (float(found.utilization or 0), found.max_model_len) == (0.85, 8192)
    other = started("python -m sglang.launch_server --model-path Qwen/Qwen2.5-32B --max-num-seqs 64 --tp-size 1")
    assert told(other) == {"flags.--max-num-seqs": ("meant-here", "SGLang --max-running-requests")}
    last = started("llama-server -m qwen2.5-32b-q4_k_m.gguf --tensor-parallel-size 2 -ngl 99")
    assert told(last)["flags.--tensor-parallel-size"] == ("meant-here", "llama.cpp --tensor-split")


def test_the_engines_own_flag_wins_over_a_foreign_one_in_either_order() -> None:
    for flags in ("--mem-fraction-static 0.85 --gpu-memory-utilization 0.5",
                  "--gpu-memory-utilization 0.5 --mem-fraction-static 0.85"):  # fmt: skip
        found = started(f"vllm serve Qwen/Qwen2.5-32B {flags}")
        assert float(found.utilization or 0) == 0.5
        assert [one.reason for one in found.unread] == ["meant-here"]


def test_a_flag_that_the_engine_has_nothing_like_is_left_out_and_nothing_is_dropped_for_it() -> None:
    found = started("vllm serve Qwen/Qwen2.5-32B --n-gpu-layers 99")
    assert told(found) == {"flags.--n-gpu-layers": ("not-here", "vLLM")}
    assert found.gpu_layers is None
    assert not [one for one in judge.diagnose(found).levers if "cpu-offload" in (one.flag or "") and "drop" in one.flag]


def test_flags_of_the_engine_itself_are_no_slip() -> None:
    line = "vllm serve Qwen/Qwen2.5-32B --max-num-seqs 8 --tensor-parallel-size 1 --enforce-eager --kv-cache-dtype fp8"
    assert started(line).unread == ()


def test_two_names_of_one_model_do_not_contradict_each_other() -> None:
    config = {
        "model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336, "num_attention_heads": 32,
        "num_hidden_layers": 32, "num_key_value_heads": 8, "head_dim": 128, "vocab_size": 128256,
        "max_position_embeddings": 131072, "torch_dtype": "bfloat16",
    }  # fmt: skip
    texts = (
        ("config.json", json.dumps(config)),
        ("a.sh", "vllm serve meta-llama/Llama-3.1-8B-Instruct --max-num-seqs 8"),
        ("b.sh", "vllm serve /models/Llama-3.1-8B --max-num-seqs 8"),
    )
    logs = feed.scenario(Evidence(tuple(evidence.read(name, [text.encode()]) for name, text in texts)))
    found = build({"model": "llama-3.1-8b"}, "options", logs)
    assert [one.field for one in found.conflicts if one.field == "model"] == []
    other = build({"model": "qwen2.5-7b"}, "options", logs)
    assert [one.field for one in other.conflicts if one.field == "model"] == ["model"]


def test_a_percentage_without_its_sign_is_asked_about() -> None:
    with pytest.raises(ScenarioProblem) as caught:
        build({"kv_usage": "98"}, "options")
    assert (caught.value.reason, caught.value.params) == ("over-one", {"value": "98", "meant": "98 %"})
    with pytest.raises(ScenarioProblem) as caught:
        build({"gpu_memory_utilization": "1.3"}, "options")
    assert caught.value.params == {"value": "1.3"}


def test_evidence_is_cut_between_words_without_process_and_time() -> None:
    line = (
        "(EngineCore_DP0 pid=88) ERROR 11-29 02:13:30 [core.py:718] RuntimeError: CUDA out of memory occurred when "
        "warming up sampler with 1024 dummy requests. Please try lowering `max_num_seqs` or `gpu_memory_utilization`."
    )
    short = signals.quoted(line)
    assert short.startswith("RuntimeError: CUDA out of memory") and len(short) <= 120
    assert short.endswith("…") and line[line.index(short[:-1]) + len(short) - 1] == " "
    assert signals.quoted("TTFT is 9 s") == "TTFT is 9 s"


def test_memory_that_runs_out_for_the_sampler_is_the_activation_peak() -> None:
    line = "RuntimeError: CUDA out of memory occurred when warming up sampler with 1024 dummy requests.\n"
    report = judge.diagnose(feed.scenario(Evidence((evidence.read("server.log", [line.encode()]),))))
    assert (report.phase, report.walls[0].detail) == ("load", "activation-peak")
    assert "cap-concurrency" in [one.id for one in report.levers if one.helps][:3]
