"""The bytes that a server lacks: one number with one meaning, wherever it is told."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest

from content import diagnosis
from content.diagnosing import setting, words
from content.lang import LANGS, Lang
from engine.artefacts import feed
from engine.artefacts.evidence import Evidence, read
from engine.diagnosis import judge, scenario
from engine.diagnosis.acting import levers
from engine.diagnosis.cases.case import Case
from engine.diagnosis.model import Report
from tutor.diagnoser import compare, doors, result_memory
from tutor.diagnoser.speech import Speech
from tutor.plain.diagnose import compared

FAILED = """\
INFO 11-29 02:51:11 [api_server.py:1839] vLLM API server version 0.11.0
INFO 11-29 02:51:11 [utils.py:233] non-default args: {'model': 'meta-llama/Llama-3.1-70B-Instruct', \
'max_model_len': 32768, 'gpu_memory_utilization': 0.95}
ERROR 11-29 02:51:33 [core.py:708] EngineCore failed to start.
ERROR 11-29 02:51:33 [core.py:708] torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 448.00 MiB. GPU 0 has \
a total capacity of 79.11 GiB of which 181.06 MiB is free. Process 81233 has 78.92 GiB memory in use. Of the allocated \
memory 78.30 GiB is allocated by PyTorch, and 17.55 MiB is reserved by PyTorch but unallocated.
"""


def failed(**given: Any) -> Report:
    base = feed.scenario(Evidence((read("server.log", [FAILED.encode()]),)))
    return judge.diagnose(scenario.build(given, "options", base))


@pytest.mark.parametrize("engine", ["vllm", "sglang", "tgi", "lmdeploy", "tensorrt-llm", "llama.cpp"])
@pytest.mark.parametrize("gpu", ["A100 SXM 80GB", "L4", "RTX 4090"])
def test_the_table_and_the_levers_lack_the_same_bytes(engine: str, gpu: str) -> None:
    case = Case(
        scenario.build({"model": "llama-3.1-70b", "gpu": gpu, "engine": engine, "max_model_len": 32768}, "given")
    )
    assert case.ledger is not None
    free = case.ledger.entry("free")
    assert free is not None
    if free.bytes < 0:
        assert case.free_bytes == free.bytes
        assert sum(one.bytes for one in case.ledger.entries) == case.ledger.card.bytes


def test_what_one_request_needs_is_named_where_it_is_counted() -> None:
    report = failed()
    assert report.ledger is not None
    one, free = report.ledger.entry("kv-request"), report.ledger.entry("free")
    assert one is not None and free is not None
    assert one.bytes == Fraction(80 * 2 * 8 * 128 * 2 * 32768)
    best = report.levers[0].effects[0]
    assert best.measure == "free" and best.before.value == free.bytes
    assert (
        judge.diagnose(scenario.build({"model": "llama-3.1-8b", "gpu": "L4"}, "given")).ledger.entry("kv-request")
        is None
    )  # type: ignore[union-attr]


@pytest.mark.parametrize("lang", LANGS)
def test_what_is_missing_is_never_told_as_left_over(lang: Lang) -> None:
    before = failed()
    after = levers.applied("w4a16", before)
    assert after is not None
    missing, unused = (words.named("ledger", name, lang) for name in ("short", "free"))
    told = [
        line for line in compared(before, judge.diagnose(after), "w4a16", lang) if unused in line or missing in line
    ]
    assert len(told) == 2 and any(line.strip().startswith(missing) for line in told)
    assert not any(unused in line and "73.4" in line for line in told)
    applied = doors.apply("w4a16", before)
    parts = [compare._parts(one.ledger) for one in (applied.before, applied.after) if one is not None]
    assert "short" in parts[0] and "free" not in parts[0] and "short" not in parts[1]
    drawn = "\n".join(text.plain for line in compare.sides(applied, Speech(lang)) for text in line.draw(100))
    assert not re.search(r"-\d", drawn.replace("W4A16", "")), "no negative bytes"


def test_a_failure_of_other_settings_is_none_of_these() -> None:
    report = failed(weights="fp8", max_model_len=8192)
    assert Case(report.scenario).starts is True and report.wall != "kv-memory"
    text = "\n".join(diagnosis.lines(report, "en"))
    assert "no room is left" not in text
    assert failed().wall == "weights-memory" and failed(max_model_len=8192).wall == "weights-memory"


@pytest.mark.parametrize("lang", LANGS)
def test_layers_that_all_come_back_are_said_to_be_all(lang: Lang) -> None:
    said = words.label("all_layers", lang)
    assert setting.value(setting.LAYERS, None, lang) == said
    assert Speech(lang).without(setting.LAYERS).endswith(f" {said}")


def test_no_rest_of_a_card_is_told_to_be_under_zero() -> None:
    given = {
        "model": "qwen2.5-32b",
        "gpu": "RTX 4090",
        "engine": "llama.cpp",
        "weights": "q4_k_m",
        "context_total": 16384,
    }
    report = judge.diagnose(scenario.build(given, "given"))
    free = report.ledger.entry("free") if report.ledger is not None else None
    assert free is not None and free.low < 0 <= free.bytes, "else there is nothing to see"
    for line in result_memory.memory(report, Speech("en")):
        assert "-" not in "".join(text.plain for text in line.draw(100)).replace("4-bit", "")
