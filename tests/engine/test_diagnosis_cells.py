"""llama.cpp's cache of a whole window that the card did not have: what is offered takes less of it, and never more."""

from __future__ import annotations

import pytest

from engine.artefacts import feed
from engine.artefacts.evidence import Evidence, read
from engine.diagnosis import judge
from engine.diagnosis import scenario as scenarios
from engine.diagnosis.acting.levers import LEVERS
from engine.diagnosis.model import LeverResult, Report

LOG = """\
llama_context: n_seq_max     = {slots}
llama_context: n_ctx         = {cells}
llama_context: n_batch       = 2048
llama_context: n_ubatch      = 512
ggml_backend_cuda_buffer_type_alloc_buffer: allocating {mib}.00 MiB on device 0: cudaMalloc failed: out of memory
alloc_tensor_range: failed to allocate CUDA0 buffer of size {size}
llama_init_from_model: failed to initialize the context: failed to allocate buffer for kv cache
"""
A_TOKEN = 131072
"""Bytes of a token's cache: 32 layers of 8 heads of 128 numbers, K and V, in 16 bits."""


def refused(cells: int, slots: int = 1, **given: object) -> Report:
    size = cells * A_TOKEN
    text = LOG.format(slots=slots, cells=cells, size=size, mib=size // 2**20)
    asked = {"model": "Meta-Llama-3.1-8B-Instruct", "gpu": "RTX 3090", "weights": "q4_k_m", **given}
    return judge.diagnose(feed.scenario(Evidence((read("server.log", [text.encode()]),)), scenarios.build(asked)))


def named(report: Report, name: str) -> LeverResult:
    return next(one for one in report.levers if one.id == name)


@pytest.mark.parametrize(("cells", "slots"), [(131072, 4), (131072, 1), (98304, 2)])
def test_a_refused_cache_is_the_wall_and_nothing_is_to_spare(cells: int, slots: int) -> None:
    report = refused(cells, slots)
    assert (report.wall, report.phase, report.findings[0].cause) == ("kv-memory", "load", "cache-refused")
    assert report.ledger is not None and report.ledger.entries[-1].bytes < 0
    first = report.levers[0]
    assert first.id == "lower-max-model-len" and first.flag == f"-c {cells // 2}"


def test_whatever_is_offered_asks_for_less_than_was_refused() -> None:
    report = refused(131072, 4)
    for one in report.levers:
        if one.helps and one.after is not None:
            assert (one.after.context_total or 0) <= 131072, one.id
    assert {one.id for one in report.levers[:3]} == {"lower-max-model-len", "kv-quantization", "cap-concurrency"}
    assert named(report, "cap-concurrency").flag == "-np 2 -c 65536"  # a slot keeps its window
    for name in ("raise-memory-utilization", "paged-attention", "raise-concurrency"):
        assert not named(report, name).helps


def test_the_window_offered_is_what_the_requests_need_where_that_is_known() -> None:
    assert named(refused(131072, 4, prompt=6000, output=500), "lower-max-model-len").flag == "-c 28672"


def test_the_words_of_an_fp8_cache_are_not_said_of_one_that_holds_integers() -> None:
    report = refused(131072)
    assert named(report, "kv-quantization").flag.startswith("-ctk q8_0")
    assert named(report, "kv-quantization").warning == "kv-quantization"
    assert any(name == "kv-quantization-no-fp8" for _, name in LEVERS["kv-quantization"].nears)


def test_other_buffers_that_are_refused_are_no_cache() -> None:
    text = LOG.format(slots=1, cells=8192, size=2**30, mib=1024).replace(
        "failed to allocate buffer for kv cache", "failed to allocate compute buffers"
    )
    found = feed.scenario(Evidence((read("server.log", [text.encode()]),)), scenarios.build({"gpu": "RTX 3090"}))
    assert "kv-refused" not in found.logged
    assert "cache-refused" not in [one.cause for one in judge.diagnose(found).findings]
