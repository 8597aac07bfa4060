"""A measurement from the wish to the result: what it would run on, the run, what it means and what is kept of it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from tutor.probing import cards, child, conditions, kept, pythons
from tutor.probing.cards import Card, Present
from tutor.probing.child import Child, Event
from tutor.probing.pythons import Found, Search

if TYPE_CHECKING:
    from engine.catalog import Gpu
    from engine.diagnosis.model import Scenario
    from engine.probe.model import Change, Result, Workload

Device = Literal["auto", "cuda", "cpu", "mps"]
DEVICES: tuple[Device, ...] = ("auto", "cuda", "cpu", "mps")
SECONDS = 25.0
"""Seconds of measuring that are usual, beside those of loading torch."""
SHORTEST, LONGEST = 3, 300
"""Seconds that may be asked for."""
OWN_STEP = (8, 4096, 512)
"""Batch, context and prompt of the step that runs where nobody names a load."""


class Ready(NamedTuple):
    """What a run will have.

    Attributes:
        request: of the program.
        python: that runs it; card: that it measures, ``None`` for the processor or one that no driver named.
        extra: variables of its environment.
        workload: for the judgement; without: why its own layers do not run ("" where they do).
        warnings: conditions that a reader should know before, with the values of their sentences.
    """

    request: Mapping[str, Any]
    python: Found
    card: Card | None
    extra: Mapping[str, str]
    workload: Workload
    without: str
    warnings: tuple[tuple[str, Mapping[str, Any]], ...]

    @property
    def busy(self) -> bool:
        """Whether somebody else works on the card: then nobody starts without being asked twice."""
        return any(id == "busy" for id, _ in self.warnings)


class NotReady(NamedTuple):
    """Why there is no run: "python" (the one that was named cannot be used) or "no-torch" (none has it)."""

    why: Literal["python", "no-torch"]
    search: Search
    present: Present


def prepare(
    scenario: Scenario | None = None, *, device: Device = "auto", python: str | None = None, seconds: float = SECONDS
) -> Ready | NotReady:
    """Look around: which Python, which card, what to ask for.

    Args:
        scenario: what the user runs; ``None`` for nothing named.
        device: what to measure.
        python: a Python that was named.
        seconds: of measuring.
    """
    from engine.probe.workload import asked

    present = cards.present()
    search = pythons.find(python, bool(present.cards) and device != "cpu")
    if search.found is None:
        return NotReady("python" if python is not None else "no-torch", search, present)
    named = meant(scenario)
    blind = search.found.build == "cpu" and bool(present.cards) and device != "cpu"
    card = None if device == "cpu" or blind else chosen(present.cards, named)
    load = workload(scenario, None if card is None else sheet(card))
    told = asked(load)
    request = {
        "device": device, "seconds": seconds, "shape": told.shape, "case": told.case or _own_case(),
        "layers": told.layers, "zeros": False,
    }  # fmt: skip
    warnings = [*_warnings(present, card, named, device)]
    if blind:
        params = {"here": conditions.names(present.cards), "version": search.found.torch}
        warnings.append(("cpu-build", params))
    return Ready(request, search.found, card, visible(present.cards, card), load, told.without, tuple(warnings))


def _own_case() -> dict[str, int]:
    return dict(zip(("batch", "context", "prompt"), OWN_STEP, strict=True))


def meant(scenario: Scenario | None) -> tuple[Gpu, ...]:
    """The cards that a scenario may mean: a short name means several, and the one at hand tells which."""
    from engine import catalog

    if scenario is None:
        return ()
    return tuple(map(catalog.gpu, scenario.gpu_options)) if scenario.gpu is None else (scenario.gpu,)


def chosen(present: Sequence[Card], named: Sequence[Gpu]) -> Card | None:
    """The card to measure: of those that the scenario names, else of all, the least busy."""
    return conditions.best([card for card in present if is_one(card, named)] or present)


def is_one(card: Card, named: Sequence[Gpu]) -> bool:
    """Whether a card of this machine is one of those."""
    return any(conditions.is_of(card, gpu) for gpu in named)


def visible(present: Sequence[Card], card: Card | None) -> dict[str, str]:
    """Variables with which the program sees that card alone where there are several."""
    extra = {} if "CUDA_DEVICE_ORDER" in os.environ else {"CUDA_DEVICE_ORDER": "PCI_BUS_ID"}
    if card is None or card.vendor != "nvidia" or len(present) < 2 or not card.uuid or card.slices:
        return extra
    if "MIG-" in os.environ.get("CUDA_VISIBLE_DEVICES", ""):
        return extra
    return {**extra, "CUDA_VISIBLE_DEVICES": card.uuid}


def sheet(card: Card) -> Gpu | None:
    """The card of the catalogue that a card of this machine is."""
    from engine.probe.readings import Device as Told
    from engine.probe.workload import card_of

    return card_of(Told("mps" if card.vendor == "apple" else "cuda", card.name, total=card.total))


def workload(scenario: Scenario | None, here: Gpu | None) -> Workload:
    """What a scenario runs, as the program can: its model on the card at hand; a usual step where it names no load."""
    from engine.diagnosis.cases.case import Case
    from engine.probe.model import Workload

    if scenario is None:
        return Workload(None, *OWN_STEP)
    case = Case(scenario.having(gpu=here or scenario.gpu or _any_card()))
    load = case.load
    own = scenario.concurrency is None and not scenario.running
    batch = OWN_STEP[0] if own and scenario.model is None else load.batch
    return Workload(case.setup, batch, max(1, load.context), load.prompt)


def _any_card() -> Gpu:
    """A card for the shapes of a workload where none is known: the largest, since nothing of it but its room counts."""
    from engine.catalog import gpus

    return max(gpus(), key=lambda one: one.capacity)


def _warnings(
    present: Present, card: Card | None, named: Sequence[Gpu], device: Device
) -> Sequence[tuple[str, Mapping[str, Any]]]:
    found: list[tuple[str, Mapping[str, Any]]] = []
    if device == "cpu":
        if present.cards:
            found.append(("other-device", {"here": conditions.names(present.cards)}))
        return found
    if card is not None and named and not is_one(card, named):
        names = ", ".join(gpu.name for gpu in named)
        found.append(("other-gpu", {"named": names, "here": conditions.names([card])}))
    state = conditions.of_card(card) if card is not None else None
    if state is not None and state.reason:
        found.append((state.reason, state.params))
    return found


# --- a run and after -------------------------------------------------------------------------------------------------


def start(ready: Ready) -> Child:
    """Start the program; what is known of the card's other processes is told first, since not every Python with torch
    can ask the driver. Raises ``OSError``."""
    first: list[Event] = []
    if ready.card is not None and ready.busy and ready.request["device"] != "cpu":
        others = ready.card.others or ()
        held = [one.bytes for one in others if one.bytes is not None]
        first.append({
            "event": "note", "id": "others-on-card", "pids": [one.pid for one in others],
            "bytes": sum(held) if held else ready.card.used, "utilization": ready.card.utilization,
        })  # fmt: skip
    return child.start(ready.request, ready.python.python, extra=ready.extra, first=first)


class Outcome(NamedTuple):
    """What a run came to.

    Attributes:
        at: when it was (UTC).
        result: what it means.
        before: when the run before it on the same device was; "" for none.
        changes: since then.
        unkept: why it could not be kept.
    """

    at: str
    result: Result
    before: str = ""
    changes: tuple[Change, ...] = ()
    unkept: OSError | None = None


def finish(events: Sequence[Event], load: Workload | None, asked: Mapping[str, Any]) -> Outcome:
    """Judge a run, set it beside the one before, keep it where it measured something of this device.

    Args:
        events: all of the child's.
        load: what the user runs.
        asked: what to keep of the wish; :func:`again` makes the workload anew from its ``options``.
    """
    run = kept.Kept(kept.now(), asked, tuple(events))
    outcome = _judged(run, load, kept.latest(like=run.run) if run.run.moved else None)
    if not run.run.moved or outcome.result.blocked == "busy":
        return outcome
    try:
        kept.append(run)
    except OSError as error:
        return outcome._replace(unkept=error)
    return outcome


def again() -> tuple[Outcome, kept.Kept] | None:
    """The newest run that is kept, judged anew beside the one before it; ``None`` where nothing is kept."""
    found = [one for one in kept.runs() if one.run.moved]
    if not found:
        return None
    last = found[-1]
    like = (one for one in reversed(found[:-1]) if kept.device(one.run) == kept.device(last.run))
    return _judged(last, _kept_workload(last), next(like, None)), last


def _judged(one: kept.Kept, load: Workload | None, before: kept.Kept | None) -> Outcome:
    from engine.probe.changes import changes
    from engine.probe.result import judge

    result = judge(one.run, None, load)
    if before is None:
        return Outcome(one.at, result)
    return Outcome(one.at, result, before.at, changes(result, judge(before.run)))


def _kept_workload(one: kept.Kept) -> Workload | None:
    """The workload of a run that is kept; ``None`` where its options say nothing any more."""
    from engine.diagnosis import scenario
    from engine.diagnosis.fields import ScenarioProblem
    from engine.probe.workload import card_of

    options = one.asked.get("options")
    if not isinstance(options, dict) or not options:
        return None
    try:
        return workload(scenario.build(options), card_of(one.run.device))
    except (ScenarioProblem, OSError):
        return None
