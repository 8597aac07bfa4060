"""Everything that is shown of a run, finished, cut short or failed.

Whatever is there is used, and what is not is ``None``.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from engine import roofline
from engine.catalog import Gpu
from engine.probe import classify, curve, sheet
from engine.probe.case import Measured, case_result
from engine.probe.ceilings import DRIFT, ceilings, drift, product16, roof
from engine.probe.conditions import weakened
from engine.probe.model import Ceilings, Knee, Result, Spot, Workload
from engine.probe.reached import measured_card, reached
from engine.probe.readings import Note, Run
from engine.probe.sound import sound
from engine.probe.workload import card_of
from engine.roofline import Demand

_NO_KNEE = 0.35
"""Standard deviation of ln b* where only the ceilings tell it: their ridge lies that much under a stack's knee."""

STARVED = 0.6
"""Share of the processor under which its numbers are the other program's: at 0.5 a product took 3.3 times as long
(probe.md section 6)."""


def judge(run: Run, card: Gpu | None = None, workload: Workload | None = None) -> Result:
    """What a run means.

    Args:
        run: as far as it came.
        card: the data sheet to set it beside; ``None``: found from the device. A slice has none.
        workload: what the user runs; ``None`` for the program's own step.
    """
    run = sound(run)
    beside = _beside(run, card)
    run, notes = sheet.believed(run, beside)
    slow = sheet.slow_memory(run, beside)
    of = ceilings(run, beside)
    place, no_knee = curve.place(run)
    own = measured_card(run, of) if beside is None else None
    slower = drift(run)
    blocked = _blocked(run, of, slow)
    seen_on = beside or own
    seen = reached(run, of, seen_on) if seen_on is not None and not blocked else None
    stands = classify.Place(place.batch, place.deviation) if place else classify.Place(None, _NO_KNEE)
    reasons = weakened(run, slower, place is not None)
    measured = Measured(run, beside, seen_on, seen, of, stands, reasons)
    case = None if blocked else case_result(measured, workload)
    return Result(
        run, beside, _notes(run, notes, slow, slower, place), blocked, of, tuple(_spots(run, of, stands)),
        _knee(place, of, beside), no_knee, case, curve.prefill_slope(run), slower, seen, own,
    )  # fmt: skip


def _beside(run: Run, card: Gpu | None) -> Gpu | None:
    if run.device is None or run.device.slice or run.demonstration:
        return None
    return card if card is not None else card_of(run.device)


def _blocked(run: Run, of: Ceilings, slow: Note | None) -> str:
    """Why no verdict may be given: slow-memory, busy, failed, few-points; or ""."""
    if slow is not None or run.has("slow-memory"):
        return "slow-memory"
    if _had(run) < STARVED:
        return "busy"
    if roof(of) is not None and run.linear:
        return ""
    return "failed" if run.failed is not None else "few-points"


def _had(run: Run) -> float:
    """The least share of the processor that a run on it had; 1 where nothing was noted."""
    told = (one.params.get("share") for one in run.notes if one.id == "cpu-contention")
    return min((float(one) for one in told if isinstance(one, int | float)), default=1.0)


def _notes(
    run: Run, beside_sheet: tuple[Note, ...], slow: Note | None, slower: float | None, place: curve.Place | None
) -> tuple[Note, ...]:
    """The program's own, and the logic's behind them; nothing is said twice."""
    made = [*beside_sheet, *([slow] if slow is not None else [])]
    told = run.notes
    if slower is not None:  # the program tells the same as a share of the rate
        told = tuple(note for note in told if note.id != "drift")
        if slower > DRIFT:
            made.append(Note("drift", {"times": 1 + slower}))
    if run.device is not None and run.device.others and not run.has("others-on-card"):
        made.append(Note("others-on-card", {"pids": list(run.device.others)}))
    apart = place.apart if place is not None else None
    if apart is not None and apart > curve.APART:
        made.append(Note("disagree", {"share": apart}))
    known = {note.id for note in told} - {"cache-reading"}  # of which there may be one a reading
    return _once((*told, *(note for note in made if note.id not in known)))


def _once(notes: tuple[Note, ...]) -> tuple[Note, ...]:
    """The card's other processes may be told by the driver, the program and the parent: the first one's word counts."""
    first = next((note for note in notes if note.id == "others-on-card"), None)
    return tuple(note for note in notes if note.id != "others-on-card" or note is first)


def _knee(place: curve.Place | None, of: Ceilings, card: Gpu | None) -> Knee | None:
    if place is None:
        return None
    low, high = curve.interval(place.batch, place.deviation)
    sixteen, apart = product16(of), place.apart
    ridge = float(roofline.ridge(sixteen.rate, of.bandwidth.rate)) if sixteen and of.bandwidth else None
    peak = card.peak_flops if card is not None else None
    return Knee(
        place.batch, low, high, place.fit.knee if place.fit else None, place.fit.power if place.fit else None,
        None if apart is None else apart <= curve.APART, ridge,
        float(roofline.knee(peak, card.bandwidth, 2)) if card is not None and peak else None,
    )  # fmt: skip


def _spots(run: Run, of: Ceilings, place: classify.Place) -> Iterator[Spot]:
    """The sweep, each batch with what the measured ceilings predict and its class; a batch that cannot be classed,
    since no rate was measured, is left out."""
    alone = roof(of, attention=False)
    layers = run.plan.layers if run.plan is not None else 1
    flat = curve.flat_seconds(run.linear)
    for one in run.linear:
        fixed = None if of.fixed is None else of.fixed * layers
        work = classify.Work(one.batch, one.time.seconds, one.bytes, 0, one.flops, 0, fixed, flat)
        found = classify.verdict(work, of, place)
        if found is None or alone is None:
            continue
        asked = Demand(layers, Fraction(one.bytes), Fraction(0), Fraction(one.flops), Fraction(0))
        predicted = float(roofline.times(asked, *alone).total)
        yield Spot(one.batch, one.time.seconds, predicted, one.time.noise, found.label)
