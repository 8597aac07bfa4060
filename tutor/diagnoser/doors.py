"""The engine's doors, opened only when the diagnoser is used and never on the screen's own thread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from tutor.figures.roof import Roof, point, reach_of

if TYPE_CHECKING:
    from pathlib import Path

    from engine.artefacts.evidence import Evidence
    from engine.diagnosis.model import Report, Scenario, Timings
    from tutor.diagnoser.probed import Seen


class Problem(NamedTuple):
    """Why a scenario cannot be: the field to say it under ("" for the whole), the reason's id and its parameters."""

    field: str
    reason: str
    params: Mapping[str, object]


BROKEN = "broken"
"""The reason of a problem that is a mistake of ours."""


def broken(error: Exception) -> Problem:
    """A mistake of ours as a problem: what was typed stays, and the traceback is kept for whoever is to mend it."""
    from tutor import crash

    return Problem("", BROKEN, {"detail": crash.brief(error), "path": crash.keep(error)})


@dataclass(frozen=True)
class Outcome:
    """What came of one reading of the form."""

    number: int
    report: Report | None = None
    roof: Roof | None = None
    problem: Problem | None = None
    seen: Seen | None = None
    """A measurement of this machine's card that the report rests on."""
    told: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """What logs and files say of a field: the value as one would type it, and where it stands."""


@dataclass(frozen=True)
class Applied:
    """A lever applied: the scenario's report before and after, and both as scenario files hold them."""

    lever: str
    before: Report
    after: Report | None
    said_before: Mapping[str, object]
    said_after: Mapping[str, object]
    problem: Problem | None = None


def warm() -> None:
    """Bring in all that a first answer needs, its words too."""
    import content.diagnosing.blocks  # noqa: F401
    import engine.diagnosis.judge
    import engine.diagnosis.scenario  # noqa: F401


def diagnose(
    number: int, given: Mapping[str, object], seen: Seen | None = None, evidence: Evidence | None = None
) -> Outcome:
    """Read, judge, and place the steps under the roof. Never raises: a mistake of ours is a problem too.

    Args:
        number: of the question.
        given: what stands in the form.
        seen: what this machine's card measured.
        evidence: what logs and files say; the form wins over it.
    """
    warm()
    from engine.diagnosis import judge, scenario
    from tutor.diagnoser import probed

    try:
        base = _fed(evidence)
        read = scenario.build(given, "form", base)
        if seen is not None:
            seen = probed.about(read, seen)
            read = probed.fed(read, seen)
        report = judge.diagnose(read)
        known = seen if read.seen is not None else None
        return Outcome(number, report, roof(report.timings), seen=known, told=_told(base))
    except scenario.ScenarioProblem as problem:
        return Outcome(number, problem=Problem(problem.field, problem.reason, problem.params))
    except Exception as error:
        return Outcome(number, problem=broken(error))


def _fed(evidence: Evidence | None) -> Scenario | None:
    """The scenario that logs and files tell."""
    if not evidence:
        return None
    from engine.artefacts import feed

    return feed.scenario(evidence)


def _told(base: Scenario | None) -> Mapping[str, tuple[str, str]]:
    """What that scenario says of the form's fields, each with its place."""
    if base is None:
        return {}
    from engine.diagnosis import scenario
    from engine.diagnosis.fields import BY_NAME
    from tutor.diagnoser.form import shown

    try:
        known = scenario.export(base)
    except scenario.ScenarioProblem:
        return {}
    placed = {name: base.said.get(BY_NAME[name].attribute) for name in known if name in BY_NAME}
    return {name: (shown(known[name]), said.source) for name, said in placed.items() if said is not None}


def apply(lever: str, report: Report) -> Applied:
    """The scenario with a lever applied, judged again. Never raises."""
    try:
        return _applied(lever, report)
    except Exception as error:
        return Applied(lever, report, None, {}, {}, broken(error))


def _applied(lever: str, report: Report) -> Applied:
    from engine.diagnosis import judge, scenario
    from engine.diagnosis.acting import levers

    changed = levers.applied(lever, report)
    if changed is None:
        return Applied(lever, report, None, {}, {})
    after = judge.diagnose(changed)
    try:
        return Applied(lever, report, after, scenario.export(report.scenario), scenario.export(changed))
    except scenario.ScenarioProblem:  # it can be judged, but not written down: to be seen, not to be kept
        return Applied(lever, report, after, {}, {})


def command(read: Scenario) -> Sequence[str]:
    """The command line that asks the same."""
    from engine.diagnosis import scenario

    return scenario.command(read)


def opened(text: str, path: Path) -> Mapping[str, object] | Problem:
    """What a scenario file holds; a model's config.json is a scenario of that model, a start command of its server."""
    from engine.diagnosis import scenario

    try:
        kind = scenario.kind(text)
        if kind == "command":
            return scenario.export(scenario.build({"command": text}, path.name))
        return {"model": str(path)} if kind == "config" else scenario.load(text, path.name)
    except scenario.ScenarioProblem as problem:
        return Problem(problem.field, problem.reason, problem.params)


def roof(timings: Timings) -> Roof | None:
    """The card's roof with the steps that could be timed; ``None`` where the rate or the steps are not known."""
    setup = timings.setup
    if setup is None:
        return None
    from engine import flops, steps

    try:
        card = steps.ceilings(setup)
    except ValueError:
        return None
    if not card.peak:
        return None
    points = []
    decode, prefill = timings.decode, timings.prefill
    if decode is not None:
        pieces = (flops.decode(decode.batch, decode.tokens),)
        points.append(point("D", setup, pieces, decode.step.seconds))
        if decode.measured:
            points.append(point("M", setup, pieces, decode.measured))
    if prefill is not None:
        points.append(point("P", setup, (flops.prefill(prefill.tokens, prefill.batch),), prefill.step.seconds))
    if not points:
        return None
    bandwidth, peak, reached = Fraction(card.bandwidth), Fraction(card.peak), setup.efficiency
    measured = reached.weights.basis == reached.math.basis == "measured"
    if measured:
        bandwidth, peak = bandwidth * reached.weights.mid, peak * reached.math.mid
    return Roof(bandwidth, peak, tuple(points), measured, None if measured else reach_of(setup))
