"""What a probe measured, in the form that the engine's steps take: shares of a data sheet, or a card of its own.

A run has one set of ceilings. The steps of any model, format and batch on this card are computed with them
(:attr:`engine.steps.Setup.seen`), so that the diagnoser and the probe never have two answers.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from statistics import median

from engine.catalog import Gpu
from engine.efficiency import KERNEL, Band, Basis, Reached, of_card
from engine.precision import Unit
from engine.probe import curve
from engine.probe.ceilings import product16
from engine.probe.model import Ceilings
from engine.probe.readings import Prompt, Run, Time
from engine.roofline import peak

SOURCE = "probe"
_MEASURED: tuple[Basis, str] = ("measured", SOURCE)
_CAPABILITIES = (
    (12, "Blackwell"), (10, "Blackwell"), (9, "Hopper"), (8.9, "Ada"), (8, "Ampere"), (7.5, "Turing"), (7, "Volta"),
    (6, "Pascal"),
)  # fmt: skip


def reached(run: Run, of: Ceilings, card: Gpu) -> Reached | None:
    """The measured shares of a card's data sheet; ``None`` where nothing of a step was measured."""
    kv = None
    if of.kv is not None and run.caches:
        largest = max(run.caches, key=lambda one: one.bytes)
        kv = _band(of.kv.rate, card.bandwidth, _noise(largest.time), whole=True)
    weights = None
    if of.weights is not None:
        weights = _band(of.weights.rate, card.bandwidth, _flat_spread(run), whole=True)
    total = run.device.total if run.device is not None else None
    math = tuple(_math(run, of, card))
    found = Reached(weights, kv, math, _layer(run, of), _launched(run, of), SOURCE, card.name, total)
    return found if weights or kv or found.math else None


def _math(run: Run, of: Ceilings, card: Gpu) -> Iterator[tuple[Unit, Band]]:
    """Shares of the peak rates in matrices: of 16 bits from the stack's prompts, the shorter ones as the low end;
    narrower products by as much under their best as the stack was under its own."""
    prompts = curve.long_prompts(run) or tuple(one for one in run.prompts if one.stage != "case")
    if not prompts:
        return
    rates = [_matrices_rate(one, run, of, card) for one in prompts]
    best, noise = max(rates), median(_noise(one.time) for one in prompts)
    units: tuple[tuple[Unit, float | None], ...] = (
        ("16-bit", best), ("fp8", narrow_rate(of, "fp8", best)), ("int8", narrow_rate(of, "int8", best)),
    )  # fmt: skip
    for unit, rate in units:
        sheet = peak(card, unit)
        if rate is not None and sheet is not None:
            made = _band(rate, sheet, noise)
            yield unit, made._replace(low=min(made.low, made.mid * _exact(min(rates) / best)))


def _matrices_rate(prompt: Prompt, run: Run, of: Ceilings, card: Gpu) -> float:
    """FLOP/s of a prompt's matrices: without what is fixed, and without its attention at the share that the engine will
    take for it, so that the engine's step for this prompt takes what was measured. Never over the best product."""
    fixed = ((of.fixed or 0.0) + (of.kv_fixed or 0.0)) * (run.plan.layers if run.plan is not None else 0)
    attention = 0.0
    if card.peak_flops is not None:
        attention = prompt.attention_flops / (card.peak_flops * float(of_card(card, 16).attention.mid))
    beyond = prompt.time.seconds - fixed - attention
    sixteen = product16(of)
    most = max(prompt.rate, sixteen.rate if sixteen is not None else 0.0)
    return min(most, prompt.linear_flops / beyond) if beyond > 0 else prompt.rate


def narrow_rate(of: Ceilings, dtype: str, stack: float | None = None) -> float | None:
    """FLOP/s that the stack would reach in FP8 or INT8: the measured product, by as much under its best as the stack
    was under the 16-bit product. ``stack``: FLOP/s of its matrices; ``None`` for those of its prompts as a whole.
    ``None`` where one of the three was not measured."""
    sixteen, whole = product16(of), stack or (of.prefill.rate if of.prefill is not None else None)
    if sixteen is None or whole is None or dtype not in of.products:
        return None
    return of.products[dtype].rate * min(1.0, whole / sixteen.rate)


def _layer(run: Run, of: Ceilings) -> Band | None:
    """Seconds a layer: the matrices' measured, attention's measured or, without a fit, as published."""
    if of.fixed is None or run.floor is None or _without_graphs(run):
        return None
    return _with_attention(of.fixed, of, _noise(run.floor))


def _launched(run: Run, of: Ceilings) -> Band | None:
    """The same without graphs: from the eager step, or the floor where that could not be recorded either."""
    if of.launched is not None and run.eager is not None:
        return _with_attention(of.launched, of, _noise(run.eager))
    if of.fixed is not None and run.floor is not None and _without_graphs(run):
        return _with_attention(of.fixed, of, _noise(run.floor))
    return None


def _without_graphs(run: Run) -> bool:
    """Whether a card that has graphs ran without: its floor is one of launches."""
    return run.device is not None and run.device.kind == "cuda" and run.floor is not None and not run.floor.graph


def _with_attention(matrices: float, of: Ceilings, noise: float) -> Band:
    usual = KERNEL["attention"]
    low, mid, high = (
        (of.kv_fixed, of.kv_fixed, of.kv_fixed) if of.kv_fixed is not None else (usual.low, usual.mid, usual.high)
    )
    own = _exact(matrices)
    below, above = _exact(1 - noise), _exact(1 + noise)
    return Band(
        own * below + _exact(float(low)), own + _exact(float(mid)), own * above + _exact(float(high)), *_MEASURED
    )


# --- spreads ---------------------------------------------------------------------------------------------------------


def _noise(time: Time) -> float:
    """Half of the interquartile range, as a share."""
    return min(0.5, time.noise / 2)


def _flat_spread(run: Run) -> float:
    """Of the flat part: noise, or half of the difference between the two passes where that is more."""
    spreads = [max(_noise(one.time), abs(one.drift or 0.0) / 2) for one in curve.flat(run.linear)]
    return min(0.5, median(spreads)) if spreads else 0.0


def _band(rate: float, sheet: int, spread: float, whole: bool = False) -> Band:
    """A share with its spread; ``whole``: none is over the data sheet."""
    share = _exact(rate / sheet)
    ends = (share * _exact(1 - spread), share, share * _exact(1 + spread))
    low, mid, high = (min(end, Fraction(1)) for end in ends) if whole else ends
    return Band(low, mid, high, *_MEASURED)


def _exact(value: float) -> Fraction:
    """Six digits are more than were measured."""
    return Fraction(f"{value:.6g}")


# --- a card of its own -----------------------------------------------------------------------------------------------


def measured_card(run: Run, of: Ceilings) -> Gpu | None:
    """A card whose data sheet is what was measured, for a device that the catalogue does not know; ``None`` for a
    processor, and without bandwidth or memory size."""
    device = run.device
    if device is None or device.kind == "cpu" or of.bandwidth is None or not device.total:
        return None
    sixteen = product16(of)
    rates = {dtype: round(of.products[dtype].rate) for dtype in ("fp8", "int8") if dtype in of.products}
    return Gpu(
        device.name or device.kind, _vendor(run), _architecture(device.capability), device.capability,
        device.total, device.total, round(of.bandwidth.rate), round(sixteen.rate) if sixteen is not None else None,
        rates.get("fp8"), rates.get("int8"), None, device.cache, None, None, None, "measured", SOURCE, None, "", (),
    )  # fmt: skip


def _vendor(run: Run) -> str:
    backend = run.software.backend if run.software is not None else ""
    kind = run.device.kind if run.device is not None else ""
    return "Apple" if kind == "mps" else "AMD" if backend == "rocm" else "NVIDIA" if kind == "cuda" else ""


def _architecture(capability: str | None) -> str:
    """NVIDIA's generation by compute capability; "" where it is not told."""
    try:
        number = float(capability or "")
    except ValueError:
        return ""
    return next((name for least, name in _CAPABILITIES if number >= least), "")
