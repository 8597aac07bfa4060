"""What to ask: the inputs that are missing and whose value could change the verdict, the cheapest first.

The order is that in which threads were turned by an answer (incidents.md section 3). A question is put only where the
rule beside it says that the verdict hangs on it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from engine.diagnosis import fields
from engine.diagnosis.cases.case import Case
from engine.diagnosis.cases.paths import fast_link
from engine.diagnosis.causes.situation import fails, graphs_cover, has_graphs, measured, serves, usual_phase
from engine.diagnosis.model import Finding, Param, Question, Scenario, Wall
from engine.diagnosis.settings import engines, foreign

MOST = 3

_PLAIN = frozenset(("weights-do-not-fit", "no-bf16", "no-kernel-for-format", "window-over-model"))
"""Causes that a refusal or a sum settles: neither a window, nor a version, nor more of the log changes them."""


class Rule(NamedTuple):
    """A question: the input, when the verdict hangs on it, and the id of the reason."""

    input: str
    hangs: Callable[[Case, Finding], bool]
    why: str


def _no_gpu(case: Case, first: Finding) -> bool:
    return case.scenario.gpu is None and first.detail not in ("reserved-pool-misread", "above-engine")


def _no_model(case: Case, first: Finding) -> bool:
    s = case.scenario
    return s.model is None and s.params is None and first.detail not in ("reserved-pool-misread", "above-engine")


def _no_link(case: Case, first: Finding) -> bool:
    s = case.scenario
    several = case.spread.tp * case.spread.pp > 1 or (s.gpus or 1) > 1
    if not several or s.link is not None or fails(case):
        return False
    return s.gpu is None or fast_link(case) is not True or first.wall == "interconnect"  # boards with a switch have it


def _no_window(case: Case, first: Finding) -> bool:
    s = case.scenario
    longer = case.ledger is not None and case.ledger.pool is not None and not case.ledger.pool.starts
    at_load = first.phase == "load" and first.cause not in _PLAIN
    return s.max_model_len is None and (at_load or (longer and case.starts is True))


def _no_lengths(case: Case, first: Finding) -> bool:
    held = first.wall in ("kv-memory", "kv-fragmentation", "none")  # what prompts fill; weights fit or not without them
    return case.scenario.prompt is None and (held or serves(case) or first.phase != "load")


def _no_output(case: Case, first: Finding) -> bool:
    hangs = first.wall in ("kv-memory", "kv-fragmentation", "none") or first.phase == "both"
    return case.scenario.output is None and hangs


def _no_concurrency(case: Case, first: Finding) -> bool:
    s = case.scenario
    told = s.concurrency is not None or s.request_rate or s.requests or s.running
    return not told and first.phase in ("decode", "both", "prefill")


def _no_weights(case: Case, first: Finding) -> bool:
    s = case.scenario
    unsaid = s.weights is None or s.said.get("weights") is None or s.said["weights"].origin in ("assumed", "catalogue")
    hangs = first.wall in ("weights-memory", "memory-bandwidth", "kv-memory") or first.detail == "slow-kernel"
    return (unsaid and hangs) or first.cause == "inputs-disagree"


def _no_version(case: Case, first: Finding) -> bool:
    s = case.scenario
    told = first.cause in _PLAIN and first.by == "numbers"
    at_load = first.phase == "load" and not told
    return s.engine in (None, "vllm") and s.version is None and (at_load or first.by == "words")


def _no_measurement(case: Case, first: Finding) -> bool:
    return not measured(case) and first.phase in ("decode", "prefill", "both") and first.by != "words"


def _no_log(case: Case, first: Finding) -> bool:
    told = first.cause in _PLAIN and first.by == "numbers"
    return (first.phase == "load" and not told) or first.cause in (
        "figure-misread",
        "shares-differ",
        "pool-overflow",
        "unknown",
    )


def _no_running(case: Case, first: Finding) -> bool:
    return case.scenario.running is None and first.wall in ("idle-scheduling", "cpu-overhead", "kv-memory")


def _graphs_unsaid(case: Case, first: Finding) -> bool:
    timing = case.timings.decode
    if not has_graphs(case) or graphs_cover(case) or first.wall == "interconnect" or first.phase == "prefill":
        return False
    far = timing is not None and bool(timing.excess)
    return case.scenario.eager is None and (far or first.cause in ("beyond-band", "host-busy"))


def _no_symptom(case: Case, first: Finding) -> bool:
    return first.cause == "unknown" and not case.scenario.signals


RULES: tuple[Rule, ...] = (
    Rule("symptoms", _no_symptom, "what-is-wrong"),
    Rule("gpu", _no_gpu, "ceilings"),
    Rule("model", _no_model, "sizes"),
    Rule("link", _no_link, "link-decides"),
    Rule("max_model_len", _no_window, "window-decides"),
    Rule("concurrency", _no_concurrency, "batch-decides"),
    Rule("prompt", _no_lengths, "lengths-decide"),
    Rule("output", _no_output, "lengths-decide"),
    Rule("weights", _no_weights, "bits-decide"),
    Rule("eager", _graphs_unsaid, "graphs-decide"),
    Rule("running", _no_running, "running-decides"),
    Rule("tpot", _no_measurement, "measured-decides"),
    Rule("log", _no_log, "start-of-log"),
    Rule("engine", _no_version, "defaults-differ"),
)
"""In the order in which they are asked."""

_FIRST_BY_WALL: dict[Wall, tuple[str, ...]] = {
    "interconnect": ("link", "gpu"),
    "weights-memory": ("gpu", "model", "weights"),
    "memory-bandwidth": ("model", "gpu", "link", "concurrency", "tpot", "weights"),
    "compute": ("gpu", "concurrency", "prompt"),
    "kv-memory": ("gpu", "max_model_len", "prompt"),
    "kv-fragmentation": ("prompt", "output"),
    "none": ("prompt", "output"),
}
"""What decides a wall is asked before the rest, what moves it most first: of a step that reads, the card's bandwidth
and the batch move it by tens, the format by four at most, and the name of a model mostly tells it."""


def ask(case: Case, findings: Sequence[Finding]) -> tuple[Question, ...]:
    """At most three questions, the most telling first."""
    first = findings[0]
    before = _FIRST_BY_WALL.get(first.wall, ()) if first.cause != "unknown" else ()
    open_ones = [rule for rule in RULES if rule.hangs(case, first)]
    open_ones.sort(key=lambda rule: before.index(rule.input) if rule.input in before else len(before))
    if usual_phase(case) == "prefill":  # the answer's length and the batch hardly matter to a prompt
        open_ones.sort(key=lambda rule: rule.input in ("output", "concurrency"))
    return tuple(Question(rule.input, rule.why, _known(case, rule.input)) for rule in open_ones[:MOST])


def lacking(scenario: Scenario) -> tuple[str, ...]:
    """The inputs without which no bytes and no times are computed, those that are not there."""
    needed = (("model", scenario.model is None and scenario.params is None), ("gpu", scenario.gpu is None))
    return tuple(name for name, missing in needed if missing)


def _known(case: Case, name: str) -> dict[str, Param]:
    """What is known already of an input that is asked for: the server whose version is not said, and what that server
    calls the setting."""
    s = case.scenario
    if name == "engine" and s.engine is not None:
        return {"engine": engines.TITLES.get(s.engine, s.engine_name or s.engine)}
    flag = foreign.own(fields.BY_NAME[name].attribute, s.engine) if name in fields.BY_NAME else ""
    return {"flag": flag} if flag else {}
