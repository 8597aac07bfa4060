"""The workload's own step: what it took, what was expected of it, its class, and what levers would do."""

from __future__ import annotations

from fractions import Fraction

from engine import flops, roofline, steps
from engine.catalog import Gpu, NoValues
from engine.efficiency import Efficiency, Reached, of_card
from engine.probe import classify, gains
from engine.probe.ceilings import roof
from engine.probe.model import CaseResult, Ceilings, Gain, Prediction, Reason, Verdict, Workload
from engine.probe.readings import CaseStep, Prompt, Run
from engine.roofline import Demand
from engine.steps import Setup


def case_result(
    run: Run, workload: Workload | None, card: Gpu | None, of: Ceilings, place: classify.Place,
    weakened: tuple[Reason, ...], reached: Reached | None,
) -> CaseResult | None:  # fmt: skip
    """All of it; ``None`` where the step did not run, or there are no rates to set it against."""
    ran = run.case
    found = roof(of)
    if ran is None or found is None:
        return None
    asked = workload if workload is not None else Workload(None, ran.batch, ran.context)
    setup = _seen(asked.setup, card, reached)
    whole = _whole(setup, ran)
    verdict = _verdict(ran, of, place, weakened, whole if _is_narrow(setup) else None, setup)
    if verdict is None:
        return None
    decode = _prediction(gains.demand(ran), ran.time.seconds, card, found)
    step = float(steps.decode(setup, ran.batch, ran.context).seconds) if whole and setup else decode.ceilings
    moved = whole or gains.demand(ran)
    return CaseResult(
        asked, ran.layers, verdict, decode, _prefill(run, card, found), step * decode.ratio_ceilings,
        float(moved.weight_bytes), float(moved.kv_bytes), _gains(setup if whole else None, ran, of),
    )  # fmt: skip


def _seen(setup: Setup | None, card: Gpu | None, reached: Reached | None) -> Setup | None:
    """The setup with what was measured, on the card that it was measured on."""
    if setup is None or card is None or reached is None:
        return None
    return setup._replace(gpu=card, seen=reached)


def _whole(setup: Setup | None, ran: CaseStep) -> Demand | None:
    """What the model's whole step asks of one card; ``None`` without a model that can be sized."""
    if setup is None:
        return None
    try:
        asked = steps.demand(setup, (flops.decode(ran.batch, ran.context),))
        steps.ceilings(setup)
    except (NoValues, ValueError):
        return None
    return asked


def _is_narrow(setup: Setup | None) -> bool:
    return setup is not None and setup.form.linear_bits < 16


def _verdict(
    ran: CaseStep, of: Ceilings, place: classify.Place, weakened: tuple[Reason, ...], asked: Demand | None,
    setup: Setup | None,
) -> Verdict | None:  # fmt: skip
    """The class of the step. ``asked``: of a workload in another format than the 16 bits that ran; its own bytes and
    its own unit's rate place it then, and what ran stays the witness."""
    fixed = None if of.fixed is None else (of.fixed + (of.kv_fixed or 0.0)) * ran.layers
    work = classify.Work(
        ran.batch, ran.time.seconds, ran.weight_bytes, ran.kv_bytes, ran.linear_flops, ran.attention_flops, fixed
    )  # fmt: skip
    if asked is None or setup is None:
        return classify.verdict(work, of, place, weakened)
    times = roofline.times(asked, steps.ceilings(setup), setup.efficiency)
    ratio = float(((times.matrices or Fraction(0)) + (times.attention or Fraction(0))) / (times.weights + times.kv))
    other = Reason("other-format", classify.FACTORS["other-format"], {"format": setup.form.name})
    return classify.verdict(work, of, place, (*weakened, other), ratio)


def _prediction(
    asked: Demand, seconds: float, card: Gpu | None, found: tuple[roofline.Ceilings, Efficiency]
) -> Prediction:
    ceilings = float(roofline.times(asked, *found).total)
    if card is None:
        return Prediction(seconds, None, None, None, ceilings)
    band = roofline.step(asked, roofline.ceilings(card), of_card(card, 16)).time
    return Prediction(seconds, float(band.low), float(band.mid), float(band.high), ceilings)


def _prefill(run: Run, card: Gpu | None, found: tuple[roofline.Ceilings, Efficiency]) -> Prediction | None:
    """The workload's own prompt, through all layers of the stack."""
    own: Prompt | None = next((one for one in run.prompts if one.stage == "case"), None)
    if own is None or run.plan is None:
        return None
    asked = Demand(
        run.plan.layers, Fraction(own.bytes), Fraction(0), Fraction(own.linear_flops), Fraction(own.attention_flops)
    )
    return _prediction(asked, own.time.seconds, card, found)


def _gains(setup: Setup | None, ran: CaseStep, of: Ceilings) -> tuple[Gain, ...]:
    if setup is None:
        return gains.of_stack(ran, of)
    return gains.of_setup(setup, ran.batch, ran.context, frozenset(of.products))
