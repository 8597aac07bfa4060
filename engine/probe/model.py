"""What a probe's run means: ids and numbers; the words are the content's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from engine.catalog import Gpu
from engine.efficiency import Reached
from engine.probe.readings import Note, Run
from engine.steps import Setup

Label = Literal["memory", "knee", "compute", "overhead"]
LABELS: tuple[Label, ...] = ("memory", "knee", "compute", "overhead")

LeverId = Literal["w4a16", "w8a8", "fp8", "kv-fp8", "larger-batch"]


class Workload(NamedTuple):
    """What the user runs: the setup of :mod:`engine.steps`, and the load.

    Attributes:
        setup: model, card of the data sheet, formats; ``None`` for the probe's own stack.
        batch, context: of a decode step: sequences, and tokens that each holds.
        prompt: tokens of a prompt; ``None`` where not said.
    """

    setup: Setup | None
    batch: int
    context: int
    prompt: int | None = None


class Ceiling(NamedTuple):
    """A measured rate beside the data sheet's; ``share`` is ``None`` where the sheet is not known."""

    rate: float
    sheet: float | None

    @property
    def share(self) -> float | None:
        """Of the data sheet."""
        return self.rate / self.sheet if self.sheet else None


class Ceilings(NamedTuple):
    """What this device reaches. Rates in bytes/s and FLOP/s.

    Attributes:
        read, copy: of memory; ``bandwidth`` is the better one.
        products: the best rate by dtype (bf16, fp16, fp32, fp8, int8).
        weights: bytes a second while the stack's matrices are read, the fixed part taken off.
        kv: bytes a second of attention over caches, the fixed part taken off; of the largest cache.
        prefill: FLOP/s of the stack on prompts.
        fixed: seconds a layer that nothing shortens, of its matrices' kernels; replayed from a graph.
        launched: the same launched kernel by kernel.
        kv_fixed: likewise of its attention, from caches of several sizes; ``None`` where they allow no fit.
    """

    bandwidth: Ceiling | None
    read: Ceiling | None
    copy: Ceiling | None
    products: Mapping[str, Ceiling]
    weights: Ceiling | None
    kv: Ceiling | None
    prefill: Ceiling | None
    fixed: float | None
    launched: float | None
    kv_fixed: float | None = None


class Knee(NamedTuple):
    """Where a step of the weights alone turns from reading to computing, in tokens.

    Attributes:
        batch: from two points (flat part over time per token).
        fitted: from the whole curve; ``power`` is its sharpness. ``None`` where no fit holds.
        low, high: one standard deviation.
        agree: whether the two are within a quarter of each other; ``None`` without a fit.
        ridge: FLOPs a byte at which the two ceilings meet.
        sheet: the knee of the data sheet, where it is known.
    """

    batch: float
    low: float
    high: float
    fitted: float | None
    power: float | None
    agree: bool | None
    ridge: float | None
    sheet: float | None


class Reason(NamedTuple):
    """What lowered the confidence: an id, its factor on the distance from a coin toss, numbers for the sentence."""

    id: str
    factor: float
    params: Mapping[str, Any]


class Verdict(NamedTuple):
    """Which class a step is in.

    Attributes:
        label: memory, knee, compute or overhead.
        confidence: that the label is right, 0.5 to 0.97.
        memory_likelihood: that more bandwidth would shorten the step.
        position: batch over the knee (``None`` without a knee).
        rho: compute time over memory time on the measured ceilings.
        bandwidth_share: achieved bytes/s over the measured ceiling.
        compute_share: achieved FLOP/s over the measured rate.
        fixed_share: of the step's time that no size changes.
        witnesses: how many of the two (position, bandwidth) say so.
        reasons: what lowered the confidence.
    """

    label: Label
    confidence: float
    memory_likelihood: float
    position: float | None
    rho: float
    bandwidth_share: float | None
    compute_share: float | None
    fixed_share: float | None
    witnesses: int
    reasons: tuple[Reason, ...]


class Spot(NamedTuple):
    """One batch of the curve: seconds of the stack, what the measured ceilings predict, its class."""

    batch: int
    seconds: float
    predicted: float | None
    noise: float
    label: Label


class Prediction(NamedTuple):
    """A measured step beside what was expected of it; ``ratio`` is measured over expected.

    Attributes:
        measured: seconds of the step that ran.
        low, usual, high: the engine's band from the data sheet (``None`` for an unknown card).
        ceilings: what the measured ceilings give.
    """

    measured: float
    low: float | None
    usual: float | None
    high: float | None
    ceilings: float

    @property
    def ratio(self) -> float | None:
        """Measured over the usual expectation of the data sheet's band."""
        return self.measured / self.usual if self.usual else None

    @property
    def ratio_ceilings(self) -> float:
        """Measured over what the measured ceilings give."""
        return self.measured / self.ceilings


class Gain(NamedTuple):
    """What a lever would do to the workload's decode step, on the measured ceilings.

    Attributes:
        lever: id as in the diagnoser's levers.
        before, after: seconds of a decode step; for ``larger-batch`` seconds a token of the batch.
        speedup: before over after.
        basis: "measured" where every rate behind it was, else "assumed" (a format's kernels were not run).
    """

    lever: str
    before: float
    after: float
    basis: Literal["measured", "assumed"]

    @property
    def speedup(self) -> float:
        """How many times faster."""
        return self.before / self.after


class CaseResult(NamedTuple):
    """The workload's own step.

    Attributes:
        workload: as asked; ``batch`` and ``context`` of what ran may be smaller (a note says so).
        layers: that ran, of the model's.
        verdict: of its decode step.
        decode, prefill: measured beside predicted, for the layers that ran.
        step_seconds: the model's whole decode step, scaled from the layers that ran.
        weight_bytes, kv_bytes: that the whole step moves on this card.
        gains: levers by measured effect, best first; those that gain nothing are there too.
    """

    workload: Workload
    layers: int
    verdict: Verdict
    decode: Prediction
    prefill: Prediction | None
    step_seconds: float
    weight_bytes: float
    kv_bytes: float
    gains: tuple[Gain, ...]


@dataclass(frozen=True)
class Result:
    """Everything that is shown of a run.

    Attributes:
        card: the data sheet beside which it is set; ``None`` for a card that the catalogue does not know, a slice or a
            processor.
        notes: the program's and the logic's own.
        blocked: the id of what forbids a verdict (slow-memory, busy, failed, few-points), else "".
        curve: the linear sweep with a label each.
        no_knee: why there is none: "", "no-flat", "few-points", "disagree" (the two are more than twice apart).
        prefill_slope: of log time against log tokens over the two longest prompts; near 1 when compute-bound.
        drift: of the re-check, share by which it was slower at the end.
        reached: measured efficiencies for the diagnoser, as shares of ``card``, or of ``measured_card`` where there is
            no data sheet; ``None`` on a processor and where a verdict is blocked.
        measured_card: a card of the measured ceilings, for one that the catalogue does not know; ``None`` on a CPU.
    """

    run: Run
    card: Gpu | None
    notes: tuple[Note, ...]
    blocked: str
    ceilings: Ceilings
    curve: tuple[Spot, ...]
    knee: Knee | None
    no_knee: str
    case: CaseResult | None
    prefill_slope: float | None
    drift: float | None
    reached: Reached | None
    measured_card: Gpu | None

    @property
    def usable(self) -> bool:
        """Whether a verdict may be given."""
        return not self.blocked

    @property
    def own_layers(self) -> bool:
        """Whether layers of the workload's own model ran, and no stand-in."""
        plan = self.run.plan
        named = self.case is not None and self.case.workload.setup is not None
        return named and plan is not None and plan.origin == "case"

    def ran(self, workload: Workload) -> bool:
        """Whether the step that ran was this workload's: its model's layers in its formats, its batch and context."""
        if self.case is None or not self.own_layers or self.run.has("case-reduced"):
            return False
        return _asked(self.case.workload) == _asked(workload)


def _asked(of: Workload) -> tuple[object, ...]:
    """What decides a decode step, whatever card it runs on."""
    setup = of.setup
    served = None if setup is None else (setup.model, setup.form, setup.p, setup.tp, setup.pp, setup.ep)
    return served, of.batch, of.context


class Change(NamedTuple):
    """A number of this run beside the same of an earlier one on the same device.

    Attributes:
        name: bandwidth, bf16, fp8, int8, knee, kv, prefill, floor.
        before, now: in bytes/s, FLOP/s, tokens or seconds.
    """

    name: str
    before: float
    now: float

    @property
    def change(self) -> float:
        """Relative change."""
        return self.now / self.before - 1
