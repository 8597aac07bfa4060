"""What weakens a verdict, what forbids one, and runs that are cut short, odd, faked by caches, slow or unknown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import probe_records as records
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.catalog import gpu
from engine.efficiency import Reached
from engine.probe import chance
from engine.probe.classify import FACTORS
from engine.probe.gather import Gather, gathered
from engine.probe.model import LABELS, Result
from engine.probe.result import judge

Event = dict[str, Any]
H100 = records.load("h100")


def changed(events: list[Event], change: Callable[[Event], Event | None]) -> list[Event]:
    return [new for one in events if (new := change(dict(one))) is not None]


def having(**fields: Any) -> Callable[[Event], Event]:
    """Sets fields of the device."""
    return lambda one: {**one, **fields} if one["event"] == "device" else one


def slower(share: float, *whats: str, stage: str | None = None) -> Callable[[Event], Event]:
    """Makes readings slower by a share."""
    return lambda one: (
        {**one, "seconds": one["seconds"] * (1 + share), "median": one["median"] * (1 + share)}
        if one.get("what") in whats and stage in (None, one["stage"])
        else one
    )


def without(*whats: str) -> Callable[[Event], Event | None]:
    return lambda one: None if one.get("what") in whats else one


def noted(name: str, **params: Any) -> list[Event]:
    return [*H100[:4], {"event": "note", "id": name, **params}, *H100[4:]]


def judged(events: list[Event]) -> Result:
    return judge(gathered(events))


def reasons(result: Result) -> dict[str, float]:
    assert result.case is not None
    return {one.id: one.factor for one in result.case.verdict.reasons}


# --- confidence ------------------------------------------------------------------------------------------------------


def test_a_clean_run_is_as_sure_as_the_data_support() -> None:
    result = judged(H100)
    assert result.case is not None and result.case.verdict.confidence == chance.MOST
    assert reasons(result) == {} and result.notes == ()


@pytest.mark.parametrize(
    ("events", "name", "factor"),
    [
        (changed(H100, having(others=[{"pid": 7, "bytes": 10**9}])), "others", 0.6),
        (noted("others-on-card", pids=[7]), "others", 0.6),
        (noted("bimodal"), "others", 0.6),
        (noted("no-graph", detail="refused"), "no-graph", 0.8),
        (changed(H100, lambda one: {**one, "graph": False} if one.get("what") == "linear" else one), "no-graph", 0.8),
        (changed(H100, having(cache=None)), "unknown-cache", 0.9),
        (changed(H100, having(slice="1g.10gb")), "slice", 0.8),
        (noted("cpu-contention", share=0.8), "contention", 0.6),
        (changed(H100, lambda one: {**one, "flagged": True} if one.get("what") == "linear" else one), "noisy", 0.8),
        (changed(H100, slower(0.05, "read", "copy", stage="recheck")), "drift", 0.8),
        (changed(H100, slower(0.12, "matmul", stage="recheck")), "drift", 0.5),
        (changed(H100, lambda one: None if one.get("what") in ("linear", "prefill") and one.get("batch", 999) > 2
                 else one), "few-points", 0.5),
    ],
)  # fmt: skip
def test_every_condition_shrinks_the_distance_from_a_coin_toss(events: list[Event], name: str, factor: float) -> None:
    result = judged(events)
    found = reasons(result)
    assert result.case is not None
    verdict = result.case.verdict
    assert found == {name: factor}
    assert FACTORS.get(name, factor) == factor
    alone = verdict.memory_likelihood
    assert verdict.confidence == pytest.approx(0.5 + (alone - 0.5) * factor)


def test_conditions_multiply() -> None:
    events = changed(noted("no-graph"), having(cache=None, others=[{"pid": 1}]))
    result = judged(events)
    assert reasons(result) == {"others": 0.6, "no-graph": 0.8, "unknown-cache": 0.9}
    assert result.case is not None
    assert result.case.verdict.confidence == pytest.approx(0.5 + 0.47 * 0.6 * 0.8 * 0.9)


def test_without_a_bandwidth_reading_one_witness_is_missing() -> None:
    result = judged(changed(H100, without("copy", "read")))
    assert reasons(result) == {"no-bandwidth-witness": 0.5}
    assert result.case is not None and result.case.verdict.witnesses == 1
    assert result.case.verdict.bandwidth_share is None and result.case.verdict.label == "memory"


def test_small_drift_is_neither_noted_nor_counted() -> None:
    result = judged(changed(H100, slower(0.02, "read", "copy", "matmul", stage="recheck")))
    assert result.drift == pytest.approx(0.02, abs=1e-4)
    assert result.notes == () and reasons(result) == {}


def test_the_programs_own_drift_note_is_not_said_twice() -> None:
    events = [*changed(H100, slower(0.05, "read", stage="recheck")), {"event": "note", "id": "drift", "share": 0.05}]
    assert [note.id for note in judged(events).notes] == ["drift"]


def test_a_faster_end_is_no_drift() -> None:
    result = judged(changed(H100, slower(-0.05, "read", "copy", "matmul", stage="recheck")))
    assert result.drift is not None and result.drift < 0 and result.notes == ()


def test_noise_widens_the_knee_and_lowers_the_chance() -> None:
    noisy = judged(changed(H100, lambda one: {**one, "noise": 0.5} if one.get("what") == "linear" else one))
    clean = judged(H100)
    assert noisy.knee is not None and clean.knee is not None
    assert noisy.knee.high / noisy.knee.low > clean.knee.high / clean.knee.low
    assert chance.memory(0.45, 0.4) < chance.memory(0.45, 0.1)


def test_the_calibrated_curve_is_the_published_one() -> None:
    """0.91 at half the knee, 0.48 at it, 0.07 at twice (probe.md section 2.5)."""
    for place, likely in ((0.5, 0.91), (1.0, 0.475), (2.0, 0.07)):
        assert chance.memory(place, 1e-6) == pytest.approx(likely, abs=0.006)
    assert chance.at_knee(1.0, 0.1) > 0.99 and chance.at_knee(2.0, 0.1) == pytest.approx(0.5, abs=0.01)


# --- overhead --------------------------------------------------------------------------------------------------------


def test_small_kernels_are_overhead() -> None:
    """A stack whose floor is most of the step: nothing that moves fewer bytes will shorten it."""
    slow_floor = changed(
        H100, lambda one: {**one, "seconds": 5e-4, "median": 5e-4} if one.get("what") == "floor" else one
    )
    result = judged(slow_floor)
    assert result.case is not None
    verdict = result.case.verdict
    assert verdict.label == "overhead" and verdict.witnesses == 2
    assert verdict.fixed_share is not None and verdict.fixed_share > 0.5
    assert verdict.confidence >= verdict.fixed_share
    assert verdict.memory_likelihood < 0.5
    assert {spot.batch: spot.label for spot in result.curve}[2] == "overhead"


def test_a_workload_far_under_the_bandwidth_is_overhead_whatever_the_sweep_says() -> None:
    result = judged(changed(H100, slower(0.9, "case")))
    assert result.case is not None
    verdict = result.case.verdict
    assert verdict.position is not None and verdict.position < 0.1
    assert verdict.bandwidth_share is not None and verdict.bandwidth_share < 0.6
    assert verdict.label == "overhead" and verdict.witnesses == 2
    assert {spot.batch: spot.label for spot in result.curve}[8] == "memory"


def test_a_third_of_the_bandwidth_far_from_the_knee_is_overhead() -> None:
    """Every kernel three times slower than memory explains, and no FLOP/s to show for it."""
    result = judged(changed(H100, slower(2.0, "linear", "case", "kv")))
    assert result.case is not None and result.case.verdict.label == "overhead"
    assert 0.5 <= result.case.verdict.confidence < 0.97


# --- beside the data sheet -------------------------------------------------------------------------------------------


def test_readings_faster_than_memory_are_discarded() -> None:
    result = judged(changed(H100, slower(-0.5, "read", "linear")))
    notes = {note.params["what"]: note.params["share"] for note in result.notes if note.id == "cache-reading"}
    assert set(notes) == {"read", "linear"} and notes["read"] > 1.8
    assert result.ceilings.read is None and result.ceilings.copy is not None
    assert not any(one.batch < 128 for one in result.run.linear)


def test_slow_memory_forbids_a_verdict() -> None:
    result = judged(changed(H100, slower(1.5, "read", "copy")))
    assert result.blocked == "slow-memory" and not result.usable
    assert result.case is None and result.reached is None
    (note,) = (note for note in result.notes if note.id == "slow-memory")
    assert note.params["share"] == pytest.approx(0.91 / 2.5, rel=0.01)


def test_slow_reads_alone_do_not() -> None:
    assert judged(changed(H100, slower(1.5, "read"))).usable


@pytest.mark.parametrize(("share", "blocked"), [(0.33, "busy"), (0.59, "busy"), (0.6, ""), (None, "")])
def test_a_processor_that_another_program_has_gives_no_verdict(share: float | None, blocked: str) -> None:
    result = judged(noted("cpu-contention", share=share))
    assert result.blocked == blocked and (result.case is None) is bool(blocked)


def test_the_programs_word_for_slow_memory_is_enough() -> None:
    assert judged(noted("slow-memory", share=0.3)).blocked == "slow-memory"


def test_a_slice_is_set_beside_nothing_but_itself() -> None:
    result = judged(changed(H100, having(slice="1g.10gb", total=10 * 10**9)))
    assert result.card is None and result.usable
    assert result.ceilings.bandwidth is not None and result.ceilings.bandwidth.share is None
    assert result.measured_card is not None and result.measured_card.capacity == 10 * 10**9
    assert result.case is not None and result.case.decode.usual is None and result.case.decode.ratio is None


def test_an_unknown_card_gets_one_of_its_own() -> None:
    result = judged(changed(H100, having(name="NVIDIA Something 9000", capability="9.0")))
    card = result.measured_card
    assert result.card is None and card is not None
    assert (card.name, card.vendor, card.architecture) == ("NVIDIA Something 9000", "NVIDIA", "Hopper")
    assert card.bandwidth == pytest.approx(0.91 * 3350e9, rel=0.001)
    assert card.peak_flops == pytest.approx(0.83 * 989e12, rel=0.001) and card.flops8 is not None and card.ops8 is None
    assert isinstance(result.reached, Reached) and result.reached.card == card.name
    assert result.reached.weights is not None and 0.9 < result.reached.weights.mid <= 1
    assert result.knee is not None and result.knee.sheet is None


def test_a_given_card_wins_over_the_devices_name() -> None:
    assert judge(gathered(H100), gpu("H200 SXM 141GB")).card == gpu("H200 SXM 141GB")


# --- no knee ---------------------------------------------------------------------------------------------------------


def test_time_that_never_is_flat_has_no_knee() -> None:
    rising = changed(H100, lambda one: {**one, "seconds": 1e-3 * one["batch"], "median": 1e-3 * one["batch"]}
                     if one.get("what") == "linear" else one)  # fmt: skip
    result = judged(rising)
    assert result.knee is None and result.no_knee == "no-flat"


def test_time_that_is_always_flat_has_none_either() -> None:
    """Prompts of any length cost the same: launches set the time."""
    flat = changed(H100, lambda one: {**one, "seconds": 1e-3, "median": 1e-3}
                   if one.get("what") in ("linear", "prefill") else one)  # fmt: skip
    assert judged(flat).no_knee == "no-flat"


def test_two_knees_a_third_apart_are_told() -> None:
    # prompts half as fast again as the sweep says: the two points move, the sweep's shape does not
    result = judged(changed(H100, slower(0.7, "prefill", stage="prefill")))
    assert result.knee is not None and result.knee.agree is False
    assert [note.id for note in result.notes] == ["disagree"]
    clean = judged(H100).knee
    assert clean is not None
    assert result.knee.high / result.knee.low > clean.high / clean.low


def test_knees_more_than_twice_apart_are_no_knee() -> None:
    result = judged(changed(H100, slower(-0.7, "linear")))
    assert result.no_knee in ("disagree", "few-points") and result.knee is None


# --- cut short, and odd ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["h100", "l40s", "zen4", "cpu", "fake-card"])
def test_every_prefix_of_a_run_is_judged(name: str) -> None:
    gather, usable = Gather(), False
    for event in records.load(name):
        gather.feed(event)
        result = judge(gather.run)
        assert all(spot.label in LABELS for spot in result.curve)
        assert result.blocked in ("", "few-points")
        assert not (usable and result.blocked), "what was enough stays enough"
        usable = result.usable
        assert (result.knee is None) == bool(result.no_knee)
    assert usable


@given(st.sets(st.integers(0, len(H100) - 1)))
def test_any_events_may_be_missing(left_out: set[int]) -> None:
    result = judged([one for n, one in enumerate(H100) if n not in left_out])
    for verdict in [result.case.verdict] if result.case else []:
        assert 0.5 <= verdict.confidence <= 0.97


@given(st.lists(st.one_of(st.sampled_from(H100), st.dictionaries(st.text(), st.integers()), st.text(), st.none())))
def test_odd_lines_are_counted_and_left_out(events: list[Any]) -> None:
    run = gathered(events)
    assert run.odd == sum(one not in H100 for one in events)
    judge(run)


FIELDS = (
    "seconds",
    "median",
    "bytes",
    "flops",
    "batch",
    "tokens",
    "layers",
    "noise",
    "weight_bytes",
    "context",
    "total",
)
VALUES = (0, -1, 1e-300, 1e300, 10**400, float("inf"), float("nan"), True, "8", None, [], 1e-9, 1915.0, 3.6e154, 10**20)


@pytest.mark.parametrize("field", FIELDS)
def test_no_number_breaks_the_judge(field: str) -> None:
    places = [n for n, one in enumerate(H100) if field in one]
    for value in VALUES:
        for chosen in (places, places[:1], places[-1:], places[1:4]):
            result = judged([{**one, field: value} if n in chosen else one for n, one in enumerate(H100)])
            assert result.case is None or 0.5 <= result.case.verdict.confidence <= 0.97


@given(st.sampled_from(FIELDS), st.one_of(st.integers(min_value=1), st.floats(min_value=0)), st.data())
def test_any_number_at_any_place(field: str, value: float, data: st.DataObject) -> None:
    places = [n for n, one in enumerate(H100) if field in one]
    chosen = data.draw(st.sets(st.sampled_from(places), min_size=1))
    judged([{**one, field: value} if n in chosen else one for n, one in enumerate(H100)])


def test_impossible_readings_are_odd() -> None:
    run = gathered(changed(H100, lambda one: {**one, "seconds": 1e-30} if one.get("what") == "read" else one))
    result = judge(run)
    assert result.run.odd == 2 and result.ceilings.read is None


def test_a_failed_run_says_so() -> None:
    events = [H100[0], {"event": "failed", "id": "no-memory", "detail": "out of memory"}]
    result = judged(events)
    assert result.blocked == "failed" and result.curve == () and result.case is None
    assert result.run.failed == ("no-memory", "out of memory")


def test_a_run_that_failed_late_keeps_what_it_has() -> None:
    events = [one for one in H100 if one.get("stage") != "recheck" and one["event"] != "end"]
    result = judged([*events, {"event": "failed", "id": "error", "detail": "lost"}])
    assert result.usable and result.knee is not None and result.case is not None


def test_nothing_at_all_is_too_little() -> None:
    result = judge(gathered([]))
    assert result.blocked == "few-points" and result.no_knee == "few-points"
    assert replace(result, notes=()) == result


# --- what is told, and how often -------------------------------------------------------------------------------------


def test_other_processes_are_told_once_whoever_saw_them() -> None:
    """The parent asks the driver before, the program its own library: not every Python has one."""
    with_device = changed(H100, lambda e: {**e, "others": [{"pid": 7, "bytes": None}]} if e["event"] == "device" else e)
    parent = {"event": "note", "id": "others-on-card", "pids": [7], "bytes": 5, "utilization": None}
    for events, pids in ((with_device, [7]), ([parent, *H100], [7]), ([parent, *with_device], [7])):
        found = [note for note in judged(events).notes if note.id == "others-on-card"]
        assert [note.params["pids"] for note in found] == [pids]
        assert reasons(judged(events))["others"] == 0.6


def test_drift_is_told_as_times_that_the_same_work_took() -> None:
    events = changed(H100, slower(1.5, "read", "copy", stage="recheck"))
    (note,) = (one for one in judged([*events, {"event": "note", "id": "drift", "share": 0.6}]).notes)
    assert note.id == "drift" and note.params["times"] == pytest.approx(2.5, rel=0.01)


def test_a_step_of_nothing_that_was_disturbed_is_no_fixed_time() -> None:
    def disturbed(event: Event) -> Event:
        if event.get("what") != "floor":
            return event
        return {**event, "seconds": event["seconds"] * 1e3, "median": 1.0, "flagged": True}

    result = judged(changed(H100, disturbed))
    assert result.ceilings.fixed is None and result.ceilings.weights is not None
    assert judged(H100).ceilings.fixed is not None


def test_disturbed_runs_are_set_beside_nothing() -> None:
    from engine.probe.changes import changes

    busy = judged(noted("cpu-contention", share=0.3))
    assert changes(judged(H100), busy) == () == changes(busy, judged(H100))
    assert changes(judged(H100), judged(H100))
