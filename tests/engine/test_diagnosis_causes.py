"""Single causes: what brings each one up, and what keeps it away."""

from __future__ import annotations

from typing import Any

import pytest

from engine.diagnosis import scenario
from engine.diagnosis.judge import diagnose
from engine.diagnosis.model import Amount, Report, Scenario, Signal, Span

SERVER = {"model": "llama-3.1-8b", "gpu": "A100 SXM 80GB", "engine": "vllm 0.10", "max_model_len": 8192}


def judged(**given: Any) -> Report:
    return diagnose(scenario.build(given))


def causes(report: Report) -> list[str]:
    return [one.cause for one in report.findings]


def signalled(*names: str, **fields: Any) -> Report:
    return diagnose(Scenario(signals=tuple(Signal(name, "a sentence") for name in names), **fields))


def test_more_arrives_than_is_served() -> None:
    load = {"prompt": 2000, "output": 300}
    over = judged(**SERVER, **load, request_rate=12)
    assert causes(over)[0] == "overload"
    assert next(one for one in over.levers if one.helps).id in ("data-parallel", "w8a8", "fp8")
    assert not any(one.helps for one in over.levers if one.id in ("client-batching", "raise-concurrency"))
    assert "overload" not in causes(judged(**SERVER, **load, request_rate=1))


def test_a_first_token_that_waits_for_others() -> None:
    load = {"prompt": 2000, "output": 300, "concurrency": 32}
    late = judged(**SERVER, **load, ttft="4s")
    assert (causes(late)[0], late.phase) == ("first-token-waits", "prefill")
    usual = judged(**SERVER, prompt=2000, output=300, concurrency=1, ttft="150ms")
    assert "first-token-waits" not in causes(usual)


def test_inputs_that_cannot_all_be_true() -> None:
    """28 GB of weights do not lie on a card of 24 GB; whoever measures a step there has said something else wrong."""
    report = judged(model="qwen2.5-14b", gpu="A10", weights="bf16", concurrency=4, tpot="60ms", engine="vllm")
    assert causes(report)[0] == "inputs-disagree"
    assert report.questions[0].input == "weights" or any(one.input == "weights" for one in report.questions)
    offloaded = judged(
        model="qwen2.5-14b", gpu="A10", weights="bf16", concurrency=4, engine="vllm", flags={"cpu_offload_gb": 12},
        prompt=500, output=200,
    )  # fmt: skip
    assert causes(offloaded)[0] == "offload-crossing"
    assert "inputs-disagree" not in causes(offloaded)


def test_how_many_fit_is_answered() -> None:
    report = judged(**SERVER, prompt=1000, output=500, symptoms=["how many users can I serve at the same time?"])
    assert (causes(report)[0], report.wall) == ("how-many", "none")
    fits = report.findings[0].params["fits"]
    assert report.ledger is not None and fits == report.ledger.fits


@pytest.mark.parametrize(("engine", "first"), [("tensorrt-llm", True), ("vllm", False)])
def test_time_that_grows_with_requests_is_no_static_batch_where_there_is_none(engine: Any, first: bool) -> None:
    report = signalled("time-grows-with-requests", engine=engine)
    found = next(one for one in report.findings if one.cause == "static-batch")
    assert (found.strength > 0.5) is first


def test_the_complaint_decides_which_phase_is_looked_at() -> None:
    load = {"prompt": 2000, "output": 200, "concurrency": 16}
    assert judged(**SERVER, **load, symptoms=["TTFT is far too high"]).phase == "prefill"
    assert judged(**SERVER, **load, symptoms=["tokens come out very slowly"]).phase == "decode"


def test_a_pass_that_reads_weights_for_a_short_prompt() -> None:
    report = judged(**SERVER, prompt=20, output=1, concurrency=1)
    assert (report.phase, report.wall, causes(report)[0]) == ("prefill", "memory-bandwidth", "short-prompts")


def test_a_start_that_fails_with_room_to_spare_claims_no_missing_room() -> None:
    report = judged(**SERVER, symptoms=["server does not start"])
    found = report.findings[0]
    assert "peak" not in found.params
    room = found.params.get("room")
    assert room is None or (isinstance(room, Amount) and room.value > 0)


def test_speed_levers_do_not_follow_a_crash() -> None:
    report = judged(
        **SERVER, prompt=1000, output=200, concurrency=8, symptoms=["CUDA out of memory after an hour of serving"]
    )
    assert report.wall == "other"
    helping = {one.id for one in report.levers if one.helps}
    assert not helping & {"speculative-decoding", "client-batching", "faster-gpu", "raise-concurrency"}


def test_a_server_with_one_slot_serves_several_one_after_another() -> None:
    load = {"model": "llama-3.1-8b", "gpu": "RTX 4090", "weights": "Q4_K_M", "prompt": 300, "output": 200}
    said = {"symptoms": ["it answers one request after the other"]}
    assert causes(judged(**load, **said, engine="ollama", concurrency=4))[0] == "one-slot"
    assert "one-slot" not in causes(judged(**load, **said, engine="ollama", concurrency=4, flags={"num_parallel": 4}))
    assert "one-slot" not in causes(judged(**load, **said, engine="vllm", concurrency=4))


def test_an_engine_that_always_batches_serves_in_turn_only_what_comes_in_turn() -> None:
    report = signalled("one-at-a-time", engine="vllm")
    assert causes(report)[0] == "client-in-sequence"


def test_tensor_parallelism_beyond_one_machine() -> None:
    server = {"model": "llama-3.1-70b", "gpu": "H100 SXM", "weights": "bf16", "engine": "vllm"}
    load = {"prompt": 500, "output": 200, "concurrency": 1, "symptoms": ["generation is very slow"]}
    assert "between-machines" in causes(judged(**server, **load, gpus=16, tp=16))
    assert "between-machines" in causes(judged(**server, **load, gpus=16, nodes=2, tp=16))
    assert "between-machines" not in causes(judged(**server, **load, gpus=16, nodes=2, tp=8, pp=2))


@pytest.mark.parametrize(("engine", "first"), [("tensorrt-llm", "limit-reserved"), ("transformers", "slots-reserved")])
def test_an_output_limit_reserves_blocks_or_slots(engine: Any, first: str) -> None:
    report = signalled("reserved-per-request", engine=engine)
    assert causes(report)[0] == first


def test_log_probabilities_are_work_of_the_sampler() -> None:
    report = judged(**SERVER, symptoms=["with logprobs the generation gets much slower"])
    assert causes(report)[0] == "sampling-work"


def test_what_runs_only_in_eager_mode_lacks_memory_for_graphs() -> None:
    report = signalled("oom", "starts-only-eager", engine="vllm")
    assert (causes(report)[0], report.phase) == ("graph-capture-memory", "load")
    assert "graph-capture-memory" not in causes(signalled("starts-only-eager", engine="vllm", eager=True))


def test_layers_that_a_long_window_pushes_off_the_card() -> None:
    said = ["everything is on CPU with this context"]
    long = judged(model="llama-3.2-3b", weights="Q8_0", engine="ollama", max_model_len=128000, symptoms=said)
    short = judged(model="llama-3.2-3b", weights="Q8_0", engine="ollama", max_model_len=4096, symptoms=said)
    assert (causes(long)[0], long.wall) == ("few-layers-left", "kv-memory")
    assert short.wall == "weights-memory"


def test_memory_short_at_every_share_is_the_weights() -> None:
    assert causes(signalled("oom", "tried-utilization", engine="sglang"))[0] == "weights-do-not-fit"
    moved = signalled("oom", "tried-utilization", "after-upgrade", engine="vllm")
    assert causes(moved)[0] == "profiling-peak"  # the same weights loaded before


def test_replicas_that_bring_nothing_are_held_up_above_the_engine() -> None:
    report = signalled("stuck-below-offered", "replicas-no-gain")
    assert (causes(report)[0], report.detail) == ("layer-above", "above-engine")


def test_bytes_do_not_explain_what_more_cards_make_slower() -> None:
    plain = signalled("slow-decode", concurrency=Span(1, 1))
    split = signalled("slow-decode", "more-cards-slower", concurrency=Span(1, 1), gpus=2)
    assert causes(plain)[0] == "reads-weights"
    assert split.wall == "interconnect"


def test_sixteen_bit_tensors_come_first_where_weights_are_quantized_at_load() -> None:
    server = {"gpu": "L4", "engine": "vllm", "symptoms": ["CUDA out of memory"], "max_model_len": 2048}
    online = judged(**server, model="Qwen/Qwen2.5-14B-Instruct", flags={"quantization": "fp8"})
    assert (causes(online)[0], online.wall, online.phase) == ("quantizes-while-loading", "weights-memory", "load")
    for other in (
        judged(**server, model="RedHatAI/Qwen2.5-14B-Instruct-FP8", flags={"quantization": "fp8"}),
        judged(**server, model="Qwen/Qwen2.5-7B-Instruct", flags={"quantization": "fp8"}),
    ):
        assert "quantizes-while-loading" not in causes(other)


def test_matrices_cut_by_rows_cross_the_link() -> None:
    server = {"model": "llama-3.1-8b", "weights": "Q4_K_M", "gpu": "RTX 3090", "gpus": 2, "engine": "llama.cpp"}
    said = {"concurrency": 1, "symptoms": ["two GPUs are slower than one"]}
    assert causes(judged(**server, **said, flags={"split-mode": "row"}))[0] == "rows-split"
    assert "rows-split" not in causes(judged(**server, **said, flags={"split-mode": "layer"}))


def test_what_slows_down_with_the_context_reads_the_cache() -> None:
    report = signalled("slows-with-context", "slow-decode")
    assert (causes(report)[0], report.wall) == ("reads-cache", "memory-bandwidth")
