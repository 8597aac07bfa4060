"""The probe's stages on invented cards: what they tell, within which time and memory, and which notes they raise."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.probe.gather import gathered
from engine.probe.program.clock import STAGES
from engine.probe.program.model import Case, NoMemory, Refused, Shape, Stopped
from tests.engine.probe_card import CPU, GB, H200, Card, asked, events

Events = list[dict[str, Any]]
CASE = Case(8, 4096, 2048)


def readings(told: Events, what: str, **fields: Any) -> Events:
    return [
        event for event in told
        if event["event"] == "reading" and event["what"] == what
        and all(event[name] == value for name, value in fields.items())
    ]  # fmt: skip


def notes(told: Events) -> dict[str, dict[str, Any]]:
    return {event["id"]: event for event in told if event["event"] == "note"}


def curve(told: Events) -> dict[int, float]:
    best: dict[int, float] = {}
    for event in readings(told, "linear"):
        best[event["batch"]] = min(best.get(event["batch"], 9e9), event["seconds"])
    return best


def end(told: Events) -> dict[str, Any]:
    assert told[-1]["event"] == "end"
    return told[-1]


FIELDS = {
    "copy": {"bytes"}, "read": {"bytes"}, "matmul": {"dtype", "n", "flops", "fill"}, "floor": {"layers"},
    "eager": {"batch"}, "linear": {"batch", "pass", "bytes", "flops"},
    "kv": {"batch", "context", "layers", "bytes", "flops"},
    "prefill": {"tokens", "linear_flops", "attention_flops", "bytes"},
    "case": {"batch", "context", "layers", "weight_bytes", "kv_bytes", "linear_flops", "attention_flops"},
}  # fmt: skip
ALWAYS = {"event", "stage", "what", "seconds", "median", "noise", "blocks", "graph", "flagged"}


def well_formed(told: Events) -> None:
    for event in told:
        if event["event"] == "reading" and event["what"] != "ramp":
            assert set(event) == ALWAYS | FIELDS[event["what"]]
            assert 0 < event["seconds"] <= event["median"] * (1 + 1e-9)
            assert event["noise"] >= 0
            assert event["blocks"] >= 1
    run = gathered(told)
    assert run.odd == 0, "the logic reads every event"


# --- a card without trouble ------------------------------------------------------------------------------------------


def test_a_whole_run_tells_everything_in_order() -> None:
    card = Card()
    told = events(card, asked(case=CASE, zeros=True))
    well_formed(told)
    stages = [event["stage"] for event in told if event["event"] == "stage"]
    assert tuple(stages) == STAGES
    assert [(event["n"], event["of"]) for event in told if event["event"] == "stage"] == [
        (place, len(STAGES)) for place in range(1, len(STAGES) + 1)
    ]
    assert [event["event"] for event in told[:3]] == ["device", "stage", "plan"]
    assert end(told)["reason"] == "done"
    assert set(end(told)["stages"]) == set(STAGES)
    assert end(told)["memory"] == {"budget": told[2]["budget"], "peak": card.held}
    assert card.released == 1
    assert notes(told) == {}
    assert {event["what"] for event in told if event["event"] == "reading"} == {*FIELDS, "ramp"}


def test_without_a_case_there_is_one_stage_less() -> None:
    told = events(Card())
    assert [event["of"] for event in told if event["event"] == "stage"] == [9] * 9
    assert not readings(told, "case")


def test_the_rates_are_the_cards_own() -> None:
    card = Card()
    told = events(card, asked(case=CASE))
    (copy,) = readings(told, "copy", stage="bandwidth")
    (read,) = readings(told, "read", stage="bandwidth")
    assert copy["bytes"] / copy["seconds"] == pytest.approx(card.bandwidth, rel=0.05)
    assert read["bytes"] / read["seconds"] == pytest.approx(card.bandwidth, rel=0.1)
    for dtype in ("bf16", "fp16", "fp8", "int8"):
        best = max(event["flops"] / event["seconds"] for event in readings(told, "matmul", dtype=dtype))
        assert best == pytest.approx(card.peaks[dtype], rel=0.03)


def test_the_curve_is_flat_and_then_rises() -> None:
    """The knee of this card: 4.3 TB/s against 788 TFLOP/s meet at 183 tokens."""
    times = curve(events(Card()))
    assert list(times) == [2**power for power in range(11)]
    assert times[16] / times[2] < 1.05
    assert 1.15 < times[128] / times[2] < 1.5
    assert times[1024] / times[512] == pytest.approx(2, rel=0.1)


def test_both_passes_see_every_batch_and_a_slow_drift_falls_on_both() -> None:
    told = events(Card())
    up = [event["batch"] for event in readings(told, "linear", **{"pass": 1})]
    down = [event["batch"] for event in readings(told, "linear", **{"pass": 2})]
    assert down == up[::-1]


def test_prompts_grow_until_they_compute() -> None:
    told = readings(events(Card()), "prefill")
    assert [event["tokens"] for event in told] == [128, 512, 2048, 4096]
    rates = [(event["linear_flops"] + event["attention_flops"]) / event["seconds"] for event in told]
    assert all(a < b for a, b in pairwise(rates))
    assert rates[-1] == pytest.approx(788e12, rel=0.03)


def test_a_second_look_at_the_ceilings_closes_the_run() -> None:
    told = events(Card())
    again = [event["what"] for event in told if event.get("stage") == "recheck" and event["event"] == "reading"]
    assert again == ["read", "copy", "matmul"]


def test_the_budget_is_not_used_up_when_less_is_enough() -> None:
    assert end(events(Card(), asked(25.0, case=CASE)))["elapsed"] < 5


def test_the_workloads_own_step() -> None:
    told = events(Card(), asked(case=CASE, shape=Shape(4096, 14336, 32, 8, 128, True), layers=32))
    (step,) = readings(told, "case")
    assert (step["batch"], step["context"], step["layers"]) == (8, 4096, 4)
    assert step["kv_bytes"] == 4 * 8 * 4096 * 2 * 8 * 128 * 2
    (prompt,) = readings(told, "prefill", stage="case")
    assert prompt["tokens"] == 2048


# --- time and memory, whatever the card ------------------------------------------------------------------------------


@given(
    st.floats(20e9, 1e13), st.floats(1e12, 3e15), st.floats(1e-6, 1e-4), st.integers(250 * 10**6, 250 * GB),
    st.floats(4, 60), st.floats(0, 0.4), st.booleans(),
)  # fmt: skip
def test_time_and_memory_are_kept_on_any_card(
    bandwidth: float, peak: float, launch: float, free: int, seconds: float, noise: float, graphs: bool
) -> None:
    known = replace_facts(free=free, memory_clock=None)
    card = Card(known, bandwidth, {"bf16": peak, "fp16": peak}, launch / 2, launch, noise=noise,
                records="" if graphs else "no such thing")  # fmt: skip
    told = events(card, asked(seconds, case=CASE))
    well_formed(told)
    assert end(told)["elapsed"] <= seconds
    assert card.held == end(told)["memory"]["budget"] <= 0.75 * free
    assert card.released == 1
    assert readings(told, "copy")
    assert len(curve(told)) >= (8 if seconds * bandwidth > 25 * 20e9 else 3)
    assert readings(told, "prefill") or seconds * bandwidth < 5 * 20e9  # the slowest cards need more than 4 seconds
    assert ("budget-cut" in notes(told)) == (end(told)["reason"] == "budget")


@given(st.floats(3e9, 300e9), st.floats(5e9, 5e12), st.floats(5, 60), st.floats(0, 0.3), st.floats(0.3, 1))
def test_a_slow_processor_ends_in_time_with_something_of_everything(
    bandwidth: float, peak: float, seconds: float, noise: float, share: float
) -> None:
    card = Card(CPU, bandwidth, {"bf16": peak, "fp32": peak / 3}, 5e-6, 5e-6, noise=noise, share=share, overlap=1)
    told = events(card, asked(seconds, case=Case(8, 4096, 512)))
    well_formed(told)
    assert end(told)["elapsed"] <= seconds
    assert readings(told, "copy") or readings(told, "read")
    assert len(curve(told)) >= 3
    assert len(readings(told, "prefill")) >= 1


@pytest.mark.parametrize("stalls", [3, 5, 17])
def test_a_processor_that_stalls_ends_in_time_all_the_same(stalls: int) -> None:
    """Threads wait for one that others keep from running."""
    card = Card(CPU, 2e10, {"bf16": 2e11, "fp32": 1e11}, 5e-6, 5e-6, stalls=stalls, overlap=1)
    told = events(card, asked(15.0, case=Case(8, 4096, 512)))
    assert end(told)["elapsed"] <= 15.0
    assert readings(told, "copy")
    assert len(curve(told)) >= 3
    assert readings(told, "kv")
    assert readings(told, "prefill")


def replace_facts(**fields: Any) -> Any:
    return H200._replace(**fields)


def test_a_short_budget_loses_the_second_pass_before_the_curve() -> None:
    card = Card(replace_facts(free=6 * GB, memory_clock=None), 50e9, {"bf16": 50e12, "fp16": 50e12})
    told = events(card, asked(8.0))
    assert set(curve(told)) >= {2**power for power in range(9)}
    assert len(readings(told, "linear", **{"pass": 2})) < 8
    assert notes(told)["budget-cut"]["stage"] == "linear"


# --- notes: when they must, and not otherwise ------------------------------------------------------------------------


def seen(card: Card, **request: Any) -> dict[str, dict[str, Any]]:
    return notes(events(card, asked(**request)))


def test_a_step_that_cannot_be_recorded_is_launched() -> None:
    told = events(Card(records="operation not permitted when stream is capturing"), asked(case=CASE))
    assert notes(told)["no-graph"]["detail"].startswith("operation not permitted")
    assert len([event for event in told if event.get("id") == "no-graph"]) == 1
    assert not any(event["graph"] for event in told if event["event"] == "reading" and event["what"] != "ramp")
    assert not readings(told, "eager"), "it would be the same reading"
    assert curve(told)[2] == pytest.approx(4 * 4 * 9e-6 + 1744830464 / 4.3e12, rel=0.05)


def test_launches_are_the_difference_between_eager_and_graph() -> None:
    card = Card(launch=200e-6)
    told = events(card)
    (eager,) = readings(told, "eager")
    assert eager["seconds"] > 4 * curve(told)[1]
    (floor,) = readings(told, "floor")
    assert floor["seconds"] == pytest.approx(16 * card.kernel, rel=0.1)


def test_a_card_without_eight_bits_says_so() -> None:
    told = events(Card(peaks={"bf16": 100e12, "fp16": 100e12, "int8": 200e12}))
    assert notes(told)["no-fast8"]["dtype"] == "fp8"
    assert readings(told, "matmul", dtype="int8")
    assert not readings(told, "matmul", dtype="fp8")


def test_the_dtype_is_what_the_device_is_quick_at() -> None:
    slow = Card(CPU, 2e10, {"bf16": 2e9, "fp32": 2e11}, 0, 0, overlap=1)
    quick = Card(CPU, 2e10, {"bf16": 4e11, "fp32": 2e11}, 0, 0, overlap=1)
    alike = Card(CPU, 2e10, {"bf16": 2e11, "fp32": 2.2e11}, 0, 0, overlap=1)
    dtypes = [next(event["dtype"] for event in events(card) if event["event"] == "plan")
              for card in (slow, quick, alike)]  # fmt: skip
    assert dtypes == ["fp32", "bf16", "bf16"]
    with pytest.raises(Refused):
        events(Card(peaks={}))


def test_a_noisy_card_is_flagged() -> None:
    told = events(Card(noise=0.3))
    assert notes(told)["noisy"]["noise"] >= 0.1
    assert any(event["flagged"] for event in told if event["event"] == "reading" and event["what"] != "ramp")


def test_a_cold_card_is_warmed_up_and_the_ramp_told() -> None:
    (ramp,) = readings(events(Card(cold=3.0, warm=0.4)), "ramp")
    assert ramp["settled"]
    assert ramp["first"] > 1.5 * ramp["last"]
    told = events(Card(cold=3.0, warm=2.0))
    assert "not-settled" in notes(told)
    (ramp,) = readings(told, "ramp")
    assert not ramp["settled"]


def test_heat_is_seen_at_the_end() -> None:
    assert seen(Card(tired=1.2, tired_after=1.0))["drift"]["share"] == pytest.approx(1 - 1 / 1.2, abs=0.03)


@pytest.mark.parametrize(
    ("bits", "reasons"),
    [(0x4, ["power"]), (0x8, ["hw-slowdown"]), (0x20, ["thermal"]), (0x44, ["power", "thermal"]), (0x80, ["brake"])],
)
def test_clocks_held_down_are_told_with_why(bits: int, reasons: list[str]) -> None:
    found = seen(Card(reasons={0.2: bits}))
    assert found["capped"]["reasons"] == reasons
    assert found["capped"]["where"] in STAGES


@pytest.mark.parametrize("bits", [0x1, 0x2, 0x10])
def test_an_idle_card_is_not_throttled(bits: int) -> None:
    assert "capped" not in seen(Card(reasons={0.0: bits}))


def test_a_lower_memory_clock_is_told() -> None:
    found = seen(Card(memory_clock=2600.0))["low-memory-clock"]
    assert (found["clock"], found["max"]) == (2600.0, 3201.0)


def test_others_on_the_card_are_told_before_and_after() -> None:
    busy = seen(Card(replace_facts(others=((77, 5 * GB), (78, None)), utilization=40)))["others-on-card"]
    assert (busy["pids"], busy["bytes"], busy["utilization"]) == ([77, 78], 5 * GB, 40)
    used = seen(Card(replace_facts(utilization=90)))["others-on-card"]
    assert used["pids"] == []
    late = seen(Card(late=((99, GB),)))["others-on-card"]
    assert (late["pids"], late["bytes"]) == ([99], GB)


def test_something_that_comes_and_goes_makes_two_speeds() -> None:
    assert "bimodal" in seen(Card(twice=0.6))


def test_no_witness_is_told() -> None:
    assert "no-witness" in seen(Card(replace_facts(witness=False, others=None, utilization=None)))


def test_shared_memory_and_slices_are_told() -> None:
    assert "unified-memory" in seen(Card(replace_facts(integrated=True)))
    found = seen(Card(replace_facts(slice="1g.18gb", slice_of=(1, 7), free=16 * GB)))["slice"]
    assert (found["k"], found["of"]) == (1, 7)


def test_readings_faster_than_memory_are_thrown_away() -> None:
    """8 TB/s from memory of 4.9 TB/s: some cache that nobody knows of."""
    told = events(Card(bandwidth=8e12, overlap=8), asked(case=CASE))
    found = [event for event in told if event.get("id") == "cache-reading"]
    assert {event["what"] for event in found} == {"copy", "read", "linear", "kv"}
    assert all(event["share"] > 1.02 for event in found)
    assert not readings(told, "copy")
    assert not readings(told, "read")
    for event in readings(told, "linear"):
        assert event["bytes"] / event["seconds"] < 1.02 * 4.92e12


def test_a_cache_that_answers_is_left_behind_by_a_larger_buffer() -> None:
    card = Card(replace_facts(memory_clock=None), hidden=600 * 10**6)
    told = events(card)
    (read,) = readings(told, "read", stage="bandwidth")
    assert read["bytes"] > 600 * 10**6
    assert read["bytes"] / read["seconds"] == pytest.approx(card.bandwidth, rel=0.1)
    assert notes(told)["cache-reading"]["what"] == "read"


def test_little_memory_is_told_and_made_do_with() -> None:
    told = events(Card(replace_facts(free=900 * 10**6)), asked(case=CASE))
    assert notes(told)["small-memory"]["free"] == 900 * 10**6
    assert next(event for event in told if event["event"] == "plan")["origin"] == "reduced"
    card = Card(replace_facts(free=100 * 10**6))
    with pytest.raises(NoMemory):
        events(card)
    assert card.released == 1


def test_a_case_too_large_is_reduced() -> None:
    told = events(Card(), asked(case=Case(4, 1 << 20, None)))
    found = notes(told)["case-reduced"]
    (step,) = readings(told, "case")
    assert (found["batch"], found["context"]) == (step["batch"], step["context"]) == (1, 244140)


def test_a_processor_is_a_demonstration_and_guarded() -> None:
    quiet = Card(CPU, 2e10, {"bf16": 4e11, "fp32": 2e11}, 5e-6, 5e-6, overlap=1)
    assert set(seen(quiet)) == {"demonstration"}
    assert quiet.slept == []
    shared = Card(CPU, 2e10, {"bf16": 4e11, "fp32": 2e11}, 5e-6, 5e-6, overlap=1, share=0.5)
    assert seen(shared)["cpu-contention"]["share"] == pytest.approx(0.5, abs=0.02)
    assert 1 <= len(shared.slept) <= 3


# --- ends ------------------------------------------------------------------------------------------------------------


def test_a_run_that_is_stopped_says_so_and_gives_the_memory_back() -> None:
    card = Card(breaks=(60, Stopped()))
    told = events(card, asked(case=CASE))
    assert end(told)["reason"] == "stop"
    assert readings(told, "copy")
    assert card.released == 1


def test_a_stage_without_memory_is_left_out() -> None:
    card = Card(breaks=(60, NoMemory("out of memory")))
    told = events(card, asked(case=CASE))
    assert "small-memory" in notes(told)
    assert end(told)["reason"] == "done"
    assert readings(told, "case")


def test_a_card_that_breaks_gives_the_memory_back() -> None:
    card = Card(breaks=(60, RuntimeError("CUDA error: unspecified launch failure")))
    with pytest.raises(RuntimeError, match="launch failure"):
        events(card)
    assert card.released == 1


def test_mps_has_no_graphs_and_says_that_memory_is_shared() -> None:
    known = H200._replace(backend="mps", kind="mps", name="Apple M2", integrated=True, witness=False, others=None,
                          utilization=None, free=10 * GB, cache=None, memory_clock=None)  # fmt: skip
    told = events(Card(known, 90e9, {"fp16": 3e12, "fp32": 2.8e12}, 2e-5, 2e-5))
    assert set(notes(told)) == {"unified-memory", "no-witness"}
    assert not any(event["graph"] for event in readings(told, "linear"))


def test_two_runs_share_nothing() -> None:
    first, second = events(Card()), events(replace(Card()))
    assert first == second
