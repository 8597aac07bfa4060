"""What recorded runs mean: knees, classes, bandwidths and levers beside the figures that others published."""

from __future__ import annotations

import json
from math import log
from statistics import median

import probe_records as records
import pytest

from engine.probe import changes, classify, curve, gains
from engine.probe.gather import gathered
from engine.probe.model import LABELS, Result
from engine.probe.readings import CaseStep, Time
from engine.probe.result import judge

BYTES = 2 * 2 * 8192 * 16384
"""Of the two matrices, 16 bits; also their FLOPs a token."""
NVIDIA = ("h200", "a100", "l40s", "h100", "b200", "rtx4090", "rtx-pro-6000")
KERNEL_NAMES = {"a100": "A100-SXM4-80GB", "l40s": "L40S", "h200": "H200"}


def judged(name: str) -> Result:
    return judge(gathered(records.load(name)))


def labels(result: Result) -> dict[int, str]:
    return {spot.batch: spot.label for spot in result.curve}


def test_files_hold_what_the_script_makes() -> None:
    for name, events in records.records().items():
        assert records.load(name) == json.loads(json.dumps(events)), name
        assert gathered(events).odd == 0, name


@pytest.mark.parametrize(
    ("name", "card"),
    [
        ("h200", "H200 SXM 141GB"), ("a100", "A100 SXM 80GB"), ("l40s", "L40S"), ("h100", "H100 SXM 80GB"),
        ("b200", "B200 SXM"), ("rtx4090", "RTX 4090"), ("rtx-pro-6000", "RTX PRO 6000 Blackwell Workstation"),
        ("mi300x", "MI300X"),
    ],
)  # fmt: skip
def test_a_recorded_card_is_found_in_the_catalogue(name: str, card: str) -> None:
    result = judged(name)
    assert result.card is not None and result.card.name == card
    assert result.usable and not result.no_knee
    assert result.measured_card is None


# --- the knee --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        ("a100", 0.95 * 153, 1.25 * 153),  # probe.md section 0.6: 0.95 to 1.25 of the data sheet's
        ("h200", 0.90 * 206, 1.25 * 206),  # these matrices: 195 alone; attention of the prompt takes 3 % of its time
        ("l40s", 300, 335),  # 0.57-0.63 of the peak in every large product: three quarters of the data sheet's 419
        ("h100", 0.85 * 295, 1.25 * 295),
        ("b200", 0.85 * 292, 1.25 * 292),
        ("rtx-pro-6000", 0.95 * 281, 1.25 * 281),
        ("zen4", 24, 28),  # section 6: 27.0 from two points, 24-28 over four sizes
    ],
)
def test_knee_lies_where_it_was_published(name: str, low: float, high: float) -> None:
    knee = judged(name).knee
    assert knee is not None and low <= knee.batch <= high
    assert knee.low < knee.batch < knee.high
    assert knee.fitted is not None and knee.power is not None and knee.agree
    assert knee.fitted == pytest.approx(knee.batch, rel=0.10)


def test_two_points_take_the_flat_part_and_the_longest_prompts() -> None:
    result = judged("h200")
    run = result.run
    flat = median(one.time.seconds for one in run.linear if 2 <= one.batch <= 16)
    each = min(one.time.seconds / one.tokens for one in run.prompts)
    assert result.knee is not None and result.knee.batch == pytest.approx(flat / each)


def test_ridge_of_the_ceilings_is_that_of_the_study() -> None:
    """H200: 788 TFLOP/s over 4.3 TB/s are 183 FLOP a byte (probe.md section 2.4)."""
    knee = judged("h200").knee
    assert knee is not None and knee.ridge == pytest.approx(183, rel=0.01)
    assert knee.sheet == pytest.approx(206, rel=0.01)


@pytest.mark.parametrize("power", [1.0, 1.5, 2.0, 2.8])
@pytest.mark.parametrize("knee", [27, 153, 300])
def test_fit_finds_the_law_that_made_the_points(power: float, knee: float) -> None:
    made = curve.Fit(1e-3, 1e-3 / knee, power, 0.0)
    points = [(float(b), made.seconds(b)) for b in (2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048)]
    found = curve.fit(points, knee)
    assert found is not None
    assert found.knee == pytest.approx(knee, rel=0.03) and found.power == pytest.approx(power, rel=0.05)
    assert found.residual < 0.01


def test_fit_needs_points_beyond_twice_the_knee() -> None:
    """With batches up to 512 a fit read H100's knee as 512, with up to 2048 as 333 (probe.md section 2.4)."""
    made = curve.Fit(1e-3, 1e-3 / 295, 2.0, 0.0)
    points = [(float(b), made.seconds(b)) for b in (2, 4, 8, 16, 32, 64, 128, 256, 512)]
    assert curve.fit(points, 295) is None
    assert curve.fit([*points, (1024.0, made.seconds(1024)), (2048.0, made.seconds(2048))], 295) is not None


def test_long_prompts_take_time_in_proportion() -> None:
    assert judged("zen4").prefill_slope == pytest.approx(0.97)
    assert judged("h100").prefill_slope == pytest.approx(1.0, abs=0.12)


# --- classes ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NVIDIA)
def test_classes_follow_the_place_around_the_knee(name: str) -> None:
    result = judged(name)
    assert result.knee is not None
    for spot in result.curve:
        place = spot.batch / result.knee.batch
        assert spot.label == ("memory" if place < 0.5 else "compute" if place > 2 else "knee"), spot


def test_published_curves_are_classed_at_the_batches_of_the_study() -> None:
    assert labels(judged("a100"))[32] == labels(judged("h200"))[64] == labels(judged("l40s"))[128] == "memory"
    assert labels(judged("a100"))[128] == labels(judged("h200"))[256] == labels(judged("l40s"))[512] == "knee"
    assert labels(judged("a100"))[512] == labels(judged("h200"))[1024] == labels(judged("l40s"))[1024] == "compute"


def test_a_processor_is_held_up_by_its_kernels_and_not_by_memory() -> None:
    """30 % of the copy bandwidth: the two-witness rule says overhead, rightly; 16 to 32 are the knee (section 6)."""
    result = judged("zen4")
    found = labels(result)
    assert [found[b] for b in (1, 2, 4)] == ["overhead"] * 3
    assert found[16] == found[32] == "knee" and found[128] == "compute"
    assert result.card is None and result.reached is None and result.measured_card is None
    assert result.run.demonstration


def test_a_processor_in_32_bits_has_no_flat_part() -> None:
    """Time doubles from 2 to 4 tokens, where another kernel begins: no knee is printed (probe.md section 6)."""
    result = judged("cpu")
    assert result.knee is None and result.no_knee == "no-flat"
    assert result.case is not None
    assert [reason.id for reason in result.case.verdict.reasons] == ["few-points"]


@pytest.mark.parametrize(("batch", "context"), sorted(records.caches_of("h200_sxm")))
def test_attention_followed_bandwidth_where_two_witnesses_say_so(batch: int, context: int) -> None:
    """H100 and H200 are one processor with 3.35 and 4.8 TB/s: log(T_H100/T_H200)/log(1.433) is how far memory sets the
    time. Small caches reach little of the bandwidth and did not follow it; the class knows from the H200 alone."""
    slow, fast = (records.caches_of(name)[batch, context] for name in ("h100_sxm", "h200_sxm"))
    followed = log(slow / fast) / log(4800 / 3350)
    result = judged("h200")
    size = batch * context * 4096
    work = classify.Work(batch, fast, 0, size, 0, 4 * 32 * 128 * batch * context, None)
    found = classify.verdict(work, result.ceilings, classify.Place(None, 0.1))
    assert found is not None
    assert found.label == ("memory" if followed > 0.5 else "overhead"), followed
    assert found.witnesses == 2


def test_a_step_with_its_cache_stays_on_the_memory_side_beyond_the_knee() -> None:
    """The cache grows with the batch: with it the place is rho, not the batch over the knee (probe.md section 0.3)."""
    result = judged("h200")
    assert result.knee is not None
    linear = next(one for one in result.run.linear if one.batch == 512)
    cache = records.caches_of("h200_sxm")[64, 4096] * 8
    work = classify.Work(
        512, linear.time.seconds + cache, linear.bytes, 8 * 2**30, linear.flops, 8 * 4 * 32 * 128 * 64 * 4096, None
    )  # fmt: skip
    found = classify.verdict(work, result.ceilings, classify.Place(result.knee.batch, 0.1))
    assert found is not None and found.position is not None and found.position > 2
    assert found.label == "memory" and found.rho < 0.5


# --- the workload's step ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*NVIDIA, "mi300x"])
def test_the_ceilings_predict_the_step_that_ran(name: str) -> None:
    """Where the curve is nature's within 6 %, where the law made it almost exactly."""
    case = judged(name).case
    assert case is not None
    assert case.decode.ratio_ceilings == pytest.approx(1, abs=0.06 if name in KERNEL_NAMES else 0.001)
    assert case.verdict.label == "memory" and case.verdict.witnesses == 2
    assert case.verdict.confidence == 0.97
    assert case.step_seconds == pytest.approx(case.decode.measured)


@pytest.mark.parametrize("name", ["h200", "a100", "l40s", "h100", "rtx4090"])
def test_a_measured_step_lies_in_the_data_sheets_band(name: str) -> None:
    case = judged(name).case
    assert case is not None and case.decode.low is not None and case.decode.high is not None
    assert case.decode.low <= case.decode.measured <= case.decode.high


def test_drift_and_noise_are_nothing_in_published_figures() -> None:
    result = judged("a100")
    assert result.drift == 0 and result.notes == ()


def test_a_cache_that_answered_is_left_out() -> None:
    """L40S, 96 MB of cache: 34 MB of keys and values at 1.47 times what its memory can do (probe.md section 0.5)."""
    result = judged("l40s")
    (note,) = result.notes
    assert (note.id, note.params["what"]) == ("cache-reading", "kv") and note.params["share"] == pytest.approx(
        1.47, abs=0.01
    )
    assert (8, 1024) not in {(one.batch, one.context) for one in result.run.caches}
    assert result.ceilings.kv is not None and result.ceilings.kv.share is not None and result.ceilings.kv.share < 0.9


# --- levers ----------------------------------------------------------------------------------------------------------


def gain(result: Result, lever: str, batch: int) -> float | None:
    """Predicted speed-up of the two matrices alone."""
    seconds = Time(1.0, 1.0, 0.0, 8, True)
    case = CaseStep(batch, 1, 1, BYTES, 0, BYTES * batch, 0, seconds)
    return next((one.speedup for one in gains.of_stack(case, result.ceilings) if one.lever == lever), None)


@pytest.mark.parametrize(
    ("name", "form", "lever", "off"),
    [
        ("a100", "int4_wo", "w4a16", {1: 0.12, 32: 0.26, 64: 0.30, 128: 0.05, 256: 0.12, 512: 0.15}),
        ("l40s", "int4_wo", "w4a16", {1: 0.02, 32: 0.05, 64: 0.02, 128: 0.15, 256: 0.22, 512: 0.10}),
        ("a100", "sq", "w8a8", {1: 0.12, 32: 0.10, 64: 0.10, 256: 0.12, 512: 0.26, 1024: 0.10}),
        ("l40s", "sq", "w8a8", {1: 0.05, 32: 0.05, 64: 0.05, 256: 0.10, 512: 0.12, 1024: 0.20}),
        ("l40s", "fp8", "fp8", {1: 0.10, 32: 0.10, 64: 0.10, 256: 0.05, 512: 0.16, 1024: 0.20}),
    ],
)
def test_gains_are_near_the_published_ones(name: str, form: str, lever: str, off: dict[int, float]) -> None:
    """Measured speed-up over 16 bits by tokens, TensorRT-LLM kernels (probe.md section 4); ``off`` is how near."""
    card, result = KERNEL_NAMES[name], judged(name)
    wide, narrow = records.rows_of(card, "bfloat16"), records.rows_of(card, form)
    for batch, most in off.items():
        predicted = gain(result, lever, batch)
        assert predicted is not None
        assert predicted == pytest.approx(wide[batch] / narrow[batch], rel=most), batch


@pytest.mark.parametrize("name", ["a100", "l40s", "h200", "rtx4090"])
def test_four_bits_gain_all_below_a_quarter_of_the_knee_and_nothing_past_it(name: str) -> None:
    result = judged(name)
    assert result.knee is not None
    knee = int(result.knee.batch)
    first, quarter, half, past = (gain(result, "w4a16", b) for b in (1, knee // 5, knee // 2, 2 * knee))
    assert first is not None and quarter is not None and half is not None
    assert first > 2.5 and quarter == pytest.approx(first, rel=0.01)
    assert 1 < half < first and past == pytest.approx(1, abs=0.001)


def test_levers_a_card_has_no_unit_for_are_left_out() -> None:
    case = judged("a100").case
    assert case is not None
    levers = {one.lever: one for one in case.gains}
    assert "fp8" not in levers and levers["w8a8"].basis == "measured" and levers["w4a16"].basis == "assumed"
    speedups = [one.speedup for one in case.gains]
    assert speedups == sorted(speedups, reverse=True)


# --- other runs ------------------------------------------------------------------------------------------------------


def test_changes_since_an_earlier_run() -> None:
    now = judged("h200")
    slower = [
        {**one, "seconds": one["seconds"] * 1.25} if one.get("what") in ("copy", "read") else one
        for one in records.load("h200")
    ]
    found = {one.name: one for one in changes.changes(judge(gathered(slower)), now)}
    assert found["bandwidth"].change == pytest.approx(-0.2)
    assert found["bf16"].change == 0 and found["knee"].change == pytest.approx(0)
    assert set(found) == {"bandwidth", "bf16", "fp8", "int8", "knee", "kv", "prefill", "floor"}
    assert changes.changes(now, judged("h100")) == ()


def test_labels_are_the_four() -> None:
    assert {spot.label for name in (*NVIDIA, "zen4") for spot in judged(name).curve} == set(LABELS)
