"""What a probe measured on a card takes the place of the bands of its group, on that card and on no other."""

from fractions import Fraction

import pytest

from engine import catalog, efficiency, precision
from engine.diagnosis import judge, scenario
from engine.diagnosis.cases.case import Case
from engine.diagnosis.model import Scenario
from engine.efficiency import Idle, Reached, of_card, same
from engine.steps import Setup, decode

H100 = catalog.gpu("H100 SXM 80GB")
SEEN = Reached(
    weights=same("0.8", "probe"),
    kv=same("0.9", "probe"),
    math=(("16-bit", same("0.7", "probe")),),
    layer_time=same("0.00004", "probe"),
    launched=same("0.0002", "probe"),
    source="probe",
    card=H100.name,
    memory=84_900_000_000,
)
LOAD = {"model": "llama-3.1-8b", "gpu": H100.name, "prompt": 2000, "output": 256, "concurrency": 16}


def setup(weights: str = "bf16", graphs: bool = True, seen: Reached | None = SEEN) -> Setup:
    form = precision.find(weights)
    return Setup(catalog.model("llama-3.1-8b"), H100, form, graphs=graphs, seen=seen)


def probed(**more: object) -> Scenario:
    return scenario.build({**LOAD, **more}).having(probed=SEEN)


def test_sixteen_bit_weights_take_what_was_measured() -> None:
    found = setup().efficiency
    assert (found.weights.mid, found.kv.mid, found.math.mid) == (Fraction(4, 5), Fraction(9, 10), Fraction(7, 10))
    assert found.layer_time.mid == Fraction("0.00004")
    assert found.attention == of_card(H100, 16).attention  # the probe has no reading of it alone


def test_a_servers_own_kernels_keep_the_slow_end_away() -> None:
    """The probe's bare kernels are the best that a server's step can be made of, not what it is made of."""
    found, usual = setup().efficiency, of_card(H100, 16)
    for name in ("weights", "kv", "math"):
        band, group = getattr(found, name), getattr(usual, name)
        assert band.low / band.mid == group.low / group.mid, name
        assert band.high == band.mid, name  # as measured, here without a spread
    assert found.layer_time.high / found.layer_time.mid == usual.layer_time.high / usual.layer_time.mid


def test_without_graphs_a_layer_takes_its_launches() -> None:
    assert setup(graphs=False).efficiency.layer_time.mid == Fraction("0.0002")
    without = SEEN._replace(launched=None)
    assert setup(graphs=False, seen=without).efficiency.layer_time == of_card(H100, 16, graphs=False).layer_time


@pytest.mark.parametrize("share", ["0.4", "0.8", "0.99"])
def test_narrow_formats_move_as_sixteen_bits_did(share: str) -> None:
    usual, sixteen = of_card(H100, "4.25"), of_card(H100, 16)
    found = setup("awq", seen=SEEN._replace(weights=same(share, "probe"))).efficiency.weights
    moved = Fraction(share) / sixteen.weights.mid
    assert found.mid == min(Fraction(1), usual.weights.mid * moved)
    assert found.low <= found.mid <= found.high <= 1
    assert found.basis == "measured"


def test_a_rate_that_was_not_measured_keeps_the_groups_band() -> None:
    found = setup("fp8").efficiency
    assert found.math == of_card(H100, 8, "fp8").math


def test_products_of_llama_cpp_are_other_kernels() -> None:
    found = setup()._replace(stack="llama.cpp").efficiency
    assert found.math == of_card(H100, 16, "16-bit", "llama.cpp").math
    assert found.weights.mid == Fraction(4, 5)


def test_the_diagnosis_computes_its_steps_with_it() -> None:
    case = Case(probed())
    assert case.setup is not None and case.setup.seen == SEEN
    want = decode(setup(), case.batch, case.context)
    assert case.decode_seconds == want.seconds
    assert want.seconds != decode(setup(seen=None), case.batch, case.context).seconds


def test_on_another_card_it_says_nothing() -> None:
    other = Case(probed(gpu="L4"))
    assert other.scenario.seen is None and other.setup is not None and other.setup.seen is None
    plain = Case(scenario.build({**LOAD, "gpu": "L4"}))
    assert other.decode_seconds == plain.decode_seconds


def test_the_card_of_the_ledger_is_as_its_driver_tells() -> None:
    report = judge.diagnose(probed())
    assert report.ledger is not None
    assert report.ledger.card.bytes == 84_900_000_000
    assert report.ledger.card.origin == "measured"


def test_a_measured_time_is_judged_by_the_measured_band() -> None:
    """On a slow slice of time the group's band would blame the host; what this very card needs explains it."""
    slow = SEEN._replace(weights=same("0.3", "probe"), kv=same("0.3", "probe"))
    tpot = Case(probed().having(probed=slow)).decode_seconds
    assert tpot is not None
    told = scenario.build({**LOAD, "tpot": f"{float(tpot * 1000)}ms"})
    assert judge.diagnose(told).wall != "memory-bandwidth"
    assert judge.diagnose(told.having(probed=slow)).wall == "memory-bandwidth"


def test_levers_are_weighed_on_the_measured_card() -> None:
    gains = {}
    for name, one in (("group", scenario.build(LOAD)), ("probe", probed())):
        report = judge.diagnose(one)
        gains[name] = {lever.id: lever.gain for lever in report.levers if lever.gain is not None}
    shared = gains["group"].keys() & gains["probe"].keys()
    assert any(gains["group"][lever] != gains["probe"][lever] for lever in shared)


def test_a_measured_efficiency_keeps_no_share_over_the_whole() -> None:
    found = efficiency.measured(
        of_card(H100, "4.25"), of_card(H100, 16), SEEN._replace(weights=same(1, "probe")), "16-bit", "4.25", True
    )
    assert found.weights.high == 1


# --- the knee, and the class of the step -----------------------------------------------------------------------------


def test_the_knee_is_that_of_what_the_card_reaches() -> None:
    sheet, seen = Case(scenario.build(LOAD)).knee, Case(probed()).knee
    assert sheet is not None and seen == sheet * Fraction(7, 10) / Fraction(8, 10)
    assert Case(probed(weights="awq")).knee is not None


def test_a_batch_beyond_the_measured_knee_is_beyond_it() -> None:
    """Matrices that reach a quarter of their rate move the knee down to where this batch is past it."""
    slow = SEEN._replace(math=(("16-bit", same("0.1", "probe")),))
    short = {"prompt": 32, "output": 256, "concurrency": 128}
    before, after = judge.diagnose(probed(**short)), judge.diagnose(probed(**short).having(probed=slow))
    assert before.wall == "memory-bandwidth" and after.wall == "compute"
    assert after.timings.decode is not None and after.timings.decode.step.regime == "compute"


@pytest.mark.parametrize("moved", [Fraction(41, 100), None])
def test_a_step_that_waits_for_neither_is_overhead(moved: Fraction | None) -> None:
    idle = SEEN._replace(idle=Idle(Fraction(9, 10), moved))
    report = judge.diagnose(probed().having(probed=idle))
    assert report.wall == "cpu-overhead" and report.phase == "decode"
    assert report.findings[0].cause == "idle-on-this-card"
    assert report.levers[0].id == "cuda-graphs"
    assert {"faster-gpu", "more-memory"} <= {one.id for one in report.levers if not one.helps}
    if moved is not None:
        assert report.walls[0].share == 1 - moved


def test_hardly_surer_than_a_coin_it_does_not_come_first() -> None:
    idle = SEEN._replace(idle=Idle(Fraction(1, 2), Fraction(1, 2)))
    report = judge.diagnose(probed(concurrency=1).having(probed=idle))
    assert report.wall == "memory-bandwidth" or report.findings[0].strength <= Fraction(1, 2)


def test_the_class_of_a_step_says_nothing_on_another_card_or_of_a_prompt() -> None:
    idle = SEEN._replace(idle=Idle(Fraction(9, 10), None))
    for told in (probed(gpu="L4"), probed(prompt=8000, output=1, symptoms=["time to first token is high"])):
        report = judge.diagnose(told.having(probed=idle))
        assert "idle-on-this-card" not in [one.cause for one in report.findings]
