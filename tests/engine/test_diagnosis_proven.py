"""What a case's own numbers prove holds in its answer: where a lever goes, whether it suffices, what waits for what."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from engine.artefacts import feed
from engine.artefacts.evidence import Evidence, read
from engine.diagnosis import judge
from engine.diagnosis.acting import measures
from engine.diagnosis.acting.levers import LEVERS, applied
from engine.diagnosis.cases.case import Case
from engine.diagnosis.model import Amount, LeverResult, Report
from engine.diagnosis.scenario import build
from engine.vllm import GIB


def diagnosed(**given: Any) -> Report:
    return judge.diagnose(build(given))


def lever(report: Report, name: str) -> LeverResult:
    return next(one for one in report.levers if one.id == name)


def helping(report: Report) -> list[str]:
    return [one.id for one in report.levers if one.helps]


CAPPED = {
    "model": "qwen2.5-7b", "gpu": "H100 SXM 80GB", "engine": "vllm", "max_num_seqs": 8, "concurrency": 60,
    "prompt": 1600, "output": 550,
}  # fmt: skip


# --- a lever goes where its name says, against the number that holds now ----------------------------------------------

_NOW: dict[str, tuple[int, Any]] = {
    "cap-concurrency": (-1, lambda case: case.scenario.slots or case.defaults.max_num_seqs.value),
    "raise-concurrency": (+1, lambda case: case.scenario.slots or case.defaults.max_num_seqs.value),
    "lower-max-model-len": (-1, lambda case: case.scenario.max_model_len or case.scenario.model.context),
    "lower-memory-utilization": (-1, lambda case: case.defaults.utilization.value),
    "raise-memory-utilization": (+1, lambda case: case.defaults.utilization.value),
    "lower-token-budget": (-1, lambda case: case.defaults.token_budget.value),
    "raise-token-budget": (+1, lambda case: case.defaults.token_budget.value),
}  # fmt: skip


@pytest.mark.parametrize("name", _NOW)
def test_a_lever_moves_its_number_in_its_own_direction(name: str) -> None:
    sign, number = _NOW[name]
    moved = 0
    sizes = product((1, 8, 64, 300), (None, 2, 8, 64), (512, 30_000), ("H100 SXM 80GB", "L4"))
    for (concurrency, cap, prompt, gpu), share in product(sizes, (None, "0.5", "0.97")):
        given = {
            "model": "llama-3.1-8b", "gpu": gpu, "engine": "vllm", "concurrency": concurrency, "prompt": prompt,
            "output": 200, "max_num_seqs": cap, "gpu_memory_utilization": share,
        }  # fmt: skip
        case = Case(build({key: value for key, value in given.items() if value is not None}))
        act = LEVERS[name].act
        after = act(case) if act is not None else None
        if after is not None:
            moved += 1
            was, now = number(case), number(Case(after))
            assert (now - was) * sign > 0, (given, was, now)
    assert moved > 3


def test_a_cap_under_what_the_pool_holds_is_not_lowered() -> None:
    report = diagnosed(**CAPPED, ttft="9s")
    assert "cap-concurrency" not in helping(report)
    refused = lever(report, "cap-concurrency")
    assert refused.why == "pool-has-room" and "16" not in refused.flag


# --- what the numbers prove is not taken back by what somebody complains of -------------------------------------------

QUEUE = {"running": 8, "waiting": 61, "kv_usage": "1.5 %"}
COMPLAINTS: tuple[dict[str, Any], ...] = (
    {},
    {"ttft": "9s"},
    {"ttft": "9s", "symptoms": ["ttft is 9s but gpu is idle"]},
    {"ttft": "40s"},
)


@pytest.mark.parametrize("complaint", COMPLAINTS)
@pytest.mark.parametrize("seen", [{}, QUEUE, {**QUEUE, "throughput": "314 tok/s"}])
def test_a_cap_that_holds_requests_back_is_the_first_thing_to_raise(seen: dict[str, Any], complaint: Any) -> None:
    given = {name: value for name, value in CAPPED.items() if not seen or name != "concurrency"}
    report = diagnosed(**given, **seen, **complaint)
    assert report.walls[0].id == "idle-scheduling"
    assert report.findings[0].cause == "cap-reached"
    assert helping(report)[0] == "raise-concurrency"


@pytest.mark.parametrize("complaint", COMPLAINTS[1:])
def test_a_first_token_behind_a_cap_is_told_with_its_queue(complaint: Any) -> None:
    found = diagnosed(**CAPPED, **complaint).findings[0]
    last = found.params["last"]
    served = measures.output_rate(Case(build(CAPPED)))
    assert isinstance(last, Amount) and served is not None
    assert last.value == (60 - 8) * 550 / served
    assert "compute" not in [one.id for one in diagnosed(**CAPPED, **complaint).walls]


def test_a_cap_with_no_graphs_comes_first_and_the_long_step_stays_the_hosts() -> None:
    given = {**CAPPED, "flags": {"enforce_eager": True}, "throughput": "314 tok/s", **QUEUE, "ttft": "9s"}
    del given["concurrency"]
    report = diagnosed(**given)
    assert [one.id for one in report.walls] == ["idle-scheduling", "cpu-overhead"]
    assert report.walls[0].share is None  # a cap lengthens no step
    assert helping(report)[:2] == ["raise-concurrency", "cuda-graphs"]


FULL = {
    "model": "llama-3.1-8b", "gpu": "L40S", "engine": "vllm", "max_num_seqs": 128, "prompt": 6000, "output": 900,
    "ttft": "19.1s", "kv_pool_tokens": 193_408,
}  # fmt: skip


@pytest.mark.parametrize("seen", [{"running": 29, "waiting": 88, "kv_usage": "99.1 %"}, {"symptoms": ["preemptions"]}])
def test_a_first_token_in_front_of_a_full_pool_waits_for_the_pool(seen: dict[str, Any]) -> None:
    report = diagnosed(**FULL, **seen)
    assert report.walls[0].id == "kv-memory"
    assert not {"compute", "idle-scheduling"} & {one.id for one in report.walls}
    waits = [one for one in report.findings if one.cause == "first-token-waits"]
    assert [one.wall for one in waits] == ["kv-memory"]


def test_prompts_that_explain_the_wait_are_still_named() -> None:
    room = {**FULL, "kv_pool_tokens": 2_000_000, "concurrency": 60, "ttft": "19.1s"}
    waits = [one for one in diagnosed(**room).findings if one.cause == "first-token-waits"]
    assert [one.wall for one in waits] == ["compute"] and "queue" in waits[0].params


# --- a share of the card that others hold -----------------------------------------------------------------------------

FREE = (
    "Initializing a V1 LLM engine (v0.10.2) with config: model='{model}', dtype=torch.bfloat16, max_seq_len=32768, "
    "tensor_parallel_size=1\n"
    "ERROR 11-29 02:12:31 [core.py:718] EngineCore failed to start.\n"
    "ERROR 11-29 02:12:31 [core.py:718] ValueError: Free memory on device ({free}/79.10 GiB) on startup is less than "
    "desired GPU memory utilization (0.9, 71.19 GiB). Decrease GPU memory utilization or reduce GPU memory used by "
    "other processes.\n"
)  # fmt: skip


def refused(free: str, model: str = "Qwen/Qwen2.5-7B-Instruct") -> Report:
    text = FREE.replace("{free}", free).replace("{model}", model)
    return judge.diagnose(feed.scenario(Evidence((read("vllm.log", [text.encode()]),))))


@pytest.mark.parametrize("free, most", [("31.42", "0.39"), ("55.00", "0.69"), ("24.00", "0.3")])
def test_a_share_that_others_leave_is_the_one_that_is_advised(free: str, most: str) -> None:
    report = refused(free)
    assert (report.walls[0].id, report.walls[0].detail, report.findings[0].by) == ("other", "shared-card", "numbers")
    assert helping(report)[:2] == ["free-card", "lower-memory-utilization"]
    share = lever(report, "lower-memory-utilization")
    assert share.flag == f"--gpu-memory-utilization {most}"
    assert Fraction(most) * Fraction("79.10") <= Fraction(free)
    for name in helping(report)[:2]:  # by its own numbers the server starts with it
        assert [one.after.value > 0 > one.before.value for one in lever(report, name).effects[:1]] == [True]


def test_a_share_that_does_not_hold_the_weights_is_said_not_to() -> None:
    report = refused("12.00")
    share = lever(report, "lower-memory-utilization")
    assert not share.helps and share.why in ("not-enough", "does-not-fit")
    assert helping(report)[0] == "free-card"


def test_a_refused_share_leaves_no_pool_and_nothing_to_spare() -> None:
    report = refused("31.42")
    assert report.ledger is not None
    names = [one.name for one in report.ledger.entries]
    assert "kv-pool" not in names and report.ledger.pool_tokens is None
    held = report.ledger.entry("others")
    assert held is not None and held.bytes == (Fraction("79.10") - Fraction("31.42")) * GIB
    assert sum(one.bytes for one in report.ledger.entries) == report.ledger.card.bytes
    for name in ("w4a16", "tensor-parallel"):  # a smaller model, or a second card, frees nothing of this one
        assert name not in helping(report)


def test_a_share_that_is_to_be_had_keeps_its_pool() -> None:
    free = refused("75.00")
    assert Case(free.scenario).share_taken is None
    assert free.ledger is not None and free.ledger.entry("kv-pool") is not None


# --- a pool that a refusal tells, without its card --------------------------------------------------------------------

WINDOW = (
    "non-default args: {'model': '{model}', 'max_model_len': 131072, 'gpu_memory_utilization': 0.9}\n"
    "Initializing a V1 LLM engine (v0.10.2) with config: model='{model}', dtype=torch.bfloat16, max_seq_len=131072, "
    "tensor_parallel_size=1\n"
    "INFO 11-29 02:12:21 [gpu_model_runner.py:2392] Model loading took 61.0375 GiB and 19.402114 seconds\n"
    "INFO 11-29 02:13:12 [gpu_worker.py:298] Available KV cache memory: {there} GiB\n"
    "ERROR 11-29 02:13:12 [core.py:718] EngineCore failed to start.\n"
    "ERROR 11-29 02:13:12 [core.py:718] ValueError: To serve at least one request with the models's max seq len "
    "(131072), (32.00 GiB KV cache is needed, which is larger than the available KV cache memory ({there} GiB). Based "
    "on the available memory, the estimated maximum model length is {longest}. Try increasing "
    "`gpu_memory_utilization` or decreasing `max_model_len` when initializing the engine.\n"
)  # fmt: skip


def windowed(there: str, longest: int, model: str = "Qwen/Qwen2.5-32B-Instruct") -> Report:
    text = WINDOW.replace("{there}", there).replace("{longest}", str(longest)).replace("{model}", model)
    return judge.diagnose(feed.scenario(Evidence((read("vllm.log", [text.encode()]),))))


@pytest.mark.parametrize("model", ["Qwen/Qwen2.5-32B-Instruct", "acme/Unheard-Of-32B"])
def test_what_needed_against_available_rules_out_is_said_to_fall_short_without_a_card(model: str) -> None:
    report = windowed("8.41", 34_432, model)
    assert report.findings[0].cause == "window-exceeds-cache" and report.findings[0].by == "numbers"
    assert helping(report)[0] == "lower-max-model-len"
    for name in ("kv-quantization", "raise-memory-utilization"):
        one = lever(report, name)
        assert (one.helps, one.why) == (False, "not-enough")
        held = one.params["holds"]
        assert isinstance(held, Amount) and 34_432 < held.value < 131_072


def test_half_of_what_is_needed_is_enough_for_a_cache_of_half_the_bits() -> None:
    report = windowed("17.00", 69_632)
    assert "kv-quantization" in helping(report)
    assert not lever(report, "raise-memory-utilization").helps


def test_a_little_more_of_the_card_is_enough_where_little_is_missing() -> None:
    assert "raise-memory-utilization" in helping(windowed("31.00", 126_976))


def test_a_lever_that_falls_short_leaves_the_wall_where_it_is() -> None:
    report = windowed("8.41", 34_432)
    after = applied("kv-quantization", report)
    assert after is not None
    assert judge.diagnose(after).walls[0].id == "kv-memory"


# --- a measured rate beside a computed one ----------------------------------------------------------------------------


@pytest.mark.parametrize("rate, told", [("314 tok/s", True), ("1150 tok/s", False), (None, False)])
def test_a_measured_rate_far_from_the_computed_one_is_told_beside_it(rate: str | None, told: bool) -> None:
    given = {**CAPPED, "ttft": "9s"} | ({} if rate is None else {"throughput": rate})
    one = lever(diagnosed(**given), "raise-concurrency")
    assert one.effects[0].measure == "output-rate"
    assert (one.params.get("measured") == Amount(Fraction(314), "tokens/s")) == told
    assert ("measured" in one.params) == told
