"""4-bit weights in their older kernel: what a log's own warning names comes first, whatever else is said."""

from __future__ import annotations

from typing import Any

import pytest

from content.diagnosing import blocks, words
from content.lang import LANGS, Lang
from engine.artefacts import feed
from engine.artefacts.evidence import Evidence, read
from engine.diagnosis import judge, scenario
from engine.diagnosis.model import LeverResult, Report

SLOW = """\
INFO 09-12 23:02:13 api_server.py:712] vLLM API server version 0.7.3
INFO 09-12 23:02:13 api_server.py:713] args: Namespace(model='Qwen/Qwen2.5-32B-Instruct-AWQ', dtype='auto', \
max_model_len=4096, tensor_parallel_size=1, gpu_memory_utilization=0.95, quantization='awq', max_num_seqs=16)
WARNING 09-12 23:02:20 config.py:689] awq quantization is not fully optimized yet. The speed can be slower than \
non-quantized models.
INFO 09-12 23:03:04 worker.py:267] the current vLLM instance can use total_gpu_memory (22.04GiB) x \
gpu_memory_utilization (0.95) = 20.94GiB
INFO 09-12 23:03:04 worker.py:267] model weights take 18.15GiB; non_torch_memory takes 0.05GiB; PyTorch activation \
peak memory takes 0.73GiB; the rest of the memory reserved for KV Cache is 2.01GiB.
INFO 09-12 23:20:10 metrics.py:455] Avg prompt throughput: 61.0 tokens/s, Avg generation throughput: 9.4 tokens/s, \
Running: {running} reqs, Swapped: 0 reqs, Pending: 0 reqs, GPU KV cache usage: 14.4%, CPU KV cache usage: 0.0%.
INFO 09-12 23:20:15 metrics.py:455] Avg prompt throughput: 0.0 tokens/s, Avg generation throughput: 9.6 tokens/s, \
Running: {running} reqs, Swapped: 0 reqs, Pending: 0 reqs, GPU KV cache usage: 15.0%, CPU KV cache usage: 0.0%.
"""
WARNING = SLOW.splitlines()[2]


def seen(text: str = SLOW, running: int = 1, **given: Any) -> Report:
    base = feed.scenario(Evidence((read("server.log", [text.replace("{running}", str(running)).encode()]),)))
    return judge.diagnose(scenario.build(given, "options", base))


def helping(report: Report) -> list[str]:
    return [one.id for one in report.levers if one.helps]


def lever(report: Report, name: str) -> LeverResult:
    return next(one for one in report.levers if one.id == name)


@pytest.mark.parametrize("symptom", [None, "slow", "AWQ is slower than hoped", "answers take long"])
@pytest.mark.parametrize("gpu", [None, "L4", "A10", "RTX 4090"])
def test_a_warning_of_the_log_names_what_comes_first_with_and_without_a_phrase(
    gpu: str | None, symptom: str | None
) -> None:
    given: dict[str, Any] = ({"gpu": gpu} if gpu else {}) | ({"symptoms": [symptom]} if symptom else {})
    report = seen(**given)
    assert (report.wall, report.detail) == ("cpu-overhead", "slow-kernel")
    assert helping(report)[0] == "better-kernel" and report.levers[0].flag == "--quantization awq_marlin"
    assert "prequantized-checkpoint" not in helping(report), "the checkpoint is quantized"


def test_without_the_warning_or_with_a_card_of_no_such_kernel_nothing_names_it() -> None:
    assert seen(SLOW.replace(f"{WARNING}\n", ""), gpu="L4").detail != "slow-kernel"
    assert "better-kernel" not in helping(seen(gpu="T4"))


def test_more_requests_are_no_help_first_for_one_user_and_are_for_many() -> None:
    alone = helping(seen(gpu="L4"))
    assert alone.index("client-batching") > max(alone.index("speculative-decoding"), alone.index("better-kernel"))
    bare = helping(
        seen(SLOW.replace(f"{WARNING}\n", "").replace("quantization='awq'", "quantization='awq_marlin'"), gpu="L4")
    )
    assert bare[0] != "client-batching"


def test_a_card_that_reads_faster_is_no_vain_purchase_where_reading_takes_most_of_the_time() -> None:
    report = seen(gpu="L4")
    one = lever(report, "faster-gpu")
    assert one.helps and one.effects[0].measure == "decode-step" and (one.gain or 0) > 2
    assert helping(report).index("faster-gpu") > helping(report).index("better-kernel")


def test_weights_that_come_quantized_need_no_checkpoint_and_others_may() -> None:
    given: dict[str, Any] = {"model": "llama-3.1-8b", "gpu": "L4", "symptoms": ["quantized model is slower"]}
    for name, there in (("awq", False), ("gptq", False), ("nf4", True)):
        report = judge.diagnose(scenario.build({**given, "weights": name}, "given"))
        assert ("prequantized-checkpoint" in helping(report)) is there, name


@pytest.mark.parametrize("lang", LANGS)
def test_a_slow_kernel_is_told_as_one(lang: Lang) -> None:
    report = seen(gpu="L4", symptoms=["slow"])
    told = blocks.wall_text(report, lang)
    assert words.named("detail", "slow-kernel", lang) in told and words.named("wall", "cpu-overhead", lang) not in told
