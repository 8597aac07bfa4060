"""What each lever would do to the workload's decode step on the measured ceilings.

With a model the numbers are those of :func:`engine.steps.decode` with what the probe measured; without one the stack
that ran is set against the same ceilings. Weight-only formats save bytes and no FLOPs, so that they gain nothing past
the knee; W8A8 and FP8 save both.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Literal

from engine import memory, precision, roofline, steps
from engine.efficiency import Efficiency
from engine.precision import FORMATS, Format
from engine.probe.ceilings import roof
from engine.probe.model import Ceilings, Gain, LeverId
from engine.probe.reached import narrow_rate
from engine.probe.readings import CaseStep
from engine.roofline import Demand
from engine.steps import Setup

GROWTH = 2
"""How many times as many sequences ``larger-batch`` stands for."""
_FORMS: dict[LeverId, str] = {"w4a16": "w4a16", "w8a8": "w8a8", "fp8": "fp8"}
_DTYPES: dict[LeverId, Literal["fp8", "int8"]] = {"w8a8": "int8", "fp8": "fp8"}


def of_setup(setup: Setup, batch: int, context: int, measured: frozenset[str]) -> tuple[Gain, ...]:
    """Levers on a model's step, best first.

    Args:
        setup: with what was measured (``seen``).
        batch, context: of the decode step.
        measured: types whose products were run, for the basis.

    Raises:
        NoValues: the model cannot be sized.
    """
    before = float(steps.decode(setup, batch, context).seconds)
    found = [
        _gain(lever, before, float(steps.decode(changed, batch, context).seconds), _DTYPES.get(lever) in measured)
        for lever, changed in _changed(setup)
    ]
    more = float(steps.decode(setup, GROWTH * batch, context).seconds) / GROWTH
    return _sorted((*found, _gain("larger-batch", before / batch, more / batch, True)))


def _changed(setup: Setup) -> Iterator[tuple[LeverId, Setup]]:
    """The setup with each format that is narrower than its own and that the card and the engine have."""
    for lever, name in _FORMS.items():
        form = FORMATS[name]
        narrower = form.linear_bits < setup.form.linear_bits * Fraction(9, 10)
        native = lever == "w4a16" or (setup.stack == "serving" and precision.matmul(form, setup.gpu).native)
        if narrower and native:
            yield lever, setup._replace(form=form)
    p8 = memory.number_bytes(setup.model, "fp8")
    if Fraction(setup.p) > p8:
        yield "kv-fp8", setup._replace(p=p8)


def _gain(lever: LeverId, before: float, after: float, measured: bool) -> Gain:
    return Gain(lever, before, after, "measured" if measured else "assumed")


def _sorted(gains: tuple[Gain, ...]) -> tuple[Gain, ...]:
    return tuple(sorted(gains, key=lambda gain: -gain.speedup))


# --- without a model -------------------------------------------------------------------------------------------------


def of_stack(case: CaseStep, of: Ceilings) -> tuple[Gain, ...]:
    """Levers on the stack that ran, best first; nothing where the ceilings do not allow a step."""
    found = roof(of)
    if found is None:
        return ()
    card, efficiency = found
    asked = demand(case)
    before = _seconds(asked, card, efficiency)
    gains = [_gain(lever, before, after, lever != "w4a16") for lever, after in _formats(asked, card, efficiency, of)]
    half = asked._replace(kv_bytes=asked.kv_bytes / 2)
    gains.append(_gain("kv-fp8", before, _seconds(half, card, efficiency), False))
    more = _seconds(_times(asked, GROWTH), card, efficiency) / GROWTH
    return _sorted((*gains, _gain("larger-batch", before / case.batch, more / case.batch, True)))


def _formats(
    asked: Demand, card: roofline.Ceilings, efficiency: Efficiency, of: Ceilings
) -> Iterator[tuple[LeverId, float]]:
    for lever, name in _FORMS.items():
        fewer = asked._replace(weight_bytes=narrowed(asked.weight_bytes, FORMATS[name]))
        if lever == "w4a16":
            yield lever, _seconds(fewer, card, efficiency)
            continue
        rate = narrow_rate(of, _DTYPES[lever])
        if rate is not None:
            yield lever, _seconds(fewer, card._replace(peak=Fraction(rate)), efficiency)


def narrowed(weight_bytes: Fraction, form: Format) -> Fraction:
    """Bytes of 16-bit weights in another format, group metadata in."""
    return weight_bytes * form.linear_bits / 16


def demand(case: CaseStep) -> Demand:
    """What the step that ran asked of the card."""
    return Demand(
        case.layers, Fraction(case.weight_bytes), Fraction(case.kv_bytes), Fraction(case.linear_flops),
        Fraction(case.attention_flops),
    )  # fmt: skip


def _times(asked: Demand, factor: int) -> Demand:
    """The step of as many times the sequences: the same weights, all else grows."""
    return asked._replace(
        kv_bytes=asked.kv_bytes * factor, linear_flops=asked.linear_flops * factor,
        attention_flops=asked.attention_flops * factor,
    )  # fmt: skip


def _seconds(asked: Demand, card: roofline.Ceilings, efficiency: Efficiency) -> float:
    return float(roofline.times(asked, card, efficiency).total)
