"""The workload's own step: what it took, what was expected of it, its class, and what levers would do."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from engine import flops, roofline, steps
from engine.catalog import Gpu, NoValues
from engine.efficiency import Efficiency, Reached, of_card
from engine.flops import Piece
from engine.probe import classify, gains
from engine.probe.ceilings import roof
from engine.probe.model import CaseResult, Ceilings, Gain, Prediction, Reason, Verdict, Workload
from engine.probe.readings import CaseStep, Prompt, Run
from engine.roofline import Demand
from engine.steps import Setup


class Measured(NamedTuple):
    """What a run found before its case is judged.

    Attributes:
        run: its readings.
        sheet: the data sheet's card; ``None`` where it is not known.
        card: that, or a card of what was measured; ``None`` for a processor.
        reached: shares of ``card``.
        ceilings, place: rates, and the knee.
        weakened: what lowers the confidence.
    """

    run: Run
    sheet: Gpu | None
    card: Gpu | None
    reached: Reached | None
    ceilings: Ceilings
    place: classify.Place
    weakened: tuple[Reason, ...]


def case_result(of: Measured, workload: Workload | None) -> CaseResult | None:
    """All of it; ``None`` where the step did not run, or there are no rates to set it against.

    What ran may be fewer layers, a smaller batch or wider numbers than the workload's: it is the witness and the
    measure of the ceilings. With a model the place, the whole step and the levers are the workload's as it was asked.
    """
    ran, found = of.run.case, roof(of.ceilings)
    if ran is None or found is None:
        return None
    asked = workload if workload is not None else Workload(None, ran.batch, ran.context)
    setup = _seen(asked, of)
    whole = steps.demand(setup, (_piece(asked),)) if setup is not None else None
    verdict = _verdict(ran, of, asked, whole, setup)
    if verdict is None:
        return None
    decode = _prediction(gains.demand(ran), ran.time.seconds, of.sheet, found)
    step = float(steps.step(setup, (_piece(asked),)).seconds) if setup is not None else decode.ceilings
    moved = whole or gains.demand(ran)
    return CaseResult(
        asked, ran.layers, verdict, decode, _prefill(of.run, of.sheet, found), step * decode.ratio_ceilings,
        float(moved.weight_bytes), float(moved.kv_bytes), _gains(setup, asked, ran, of.ceilings),
    )  # fmt: skip


def _piece(asked: Workload) -> Piece:
    return flops.decode(asked.batch, asked.context)


def _seen(asked: Workload, of: Measured) -> Setup | None:
    """The setup with what was measured, on the card that it was measured on; ``None`` without a model that can be sized
    there."""
    if asked.setup is None or of.card is None or of.reached is None:
        return None
    setup = asked.setup._replace(gpu=of.card, seen=of.reached)
    try:
        steps.step(setup, (_piece(asked),))
    except (NoValues, ValueError):
        return None
    return setup


def _verdict(
    ran: CaseStep, measured: Measured, workload: Workload, asked: Demand | None, setup: Setup | None
) -> Verdict | None:
    """The class of the step. ``asked``: of the workload's model; its own bytes and its own unit's rate place it then,
    and what ran stays the witness."""
    of, place, weakened = measured.ceilings, measured.place, measured.weakened
    fixed = None if of.fixed is None else (of.fixed + (of.kv_fixed or 0.0)) * ran.layers
    batch = workload.batch if setup is not None else ran.batch
    work = classify.Work(
        batch, ran.time.seconds, ran.weight_bytes, ran.kv_bytes, ran.linear_flops, ran.attention_flops, fixed
    )  # fmt: skip
    if asked is None or setup is None:
        return classify.verdict(work, of, place, weakened)
    times = roofline.times(asked, steps.ceilings(setup), setup.efficiency)
    computing = (times.matrices or Fraction(0)) + (times.attention or Fraction(0))
    ratio = float(computing / (times.weights + times.kv)) if computing else None
    if setup.form.linear_bits < 16:
        weakened = (*weakened, Reason("other-format", classify.FACTORS["other-format"], {"format": setup.form.name}))
    return classify.verdict(work, of, place, weakened, ratio)


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


def _gains(setup: Setup | None, asked: Workload, ran: CaseStep, of: Ceilings) -> tuple[Gain, ...]:
    if setup is None:
        return gains.of_stack(ran, of)
    return gains.of_setup(setup, asked.batch, asked.context, frozenset(of.products))
