"""A report built by hand, for the screen's own tests: they must not move when a rule of the engine does."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction as F

from engine import catalog, pool, precision, steps, vllm
from engine.artefacts.evidence import Evidence
from engine.diagnosis.model import (
    Amount,
    Assumed,
    Effect,
    Entry,
    Experiment,
    Finding,
    Ledger,
    LeverResult,
    Question,
    Report,
    Scenario,
    Span,
    Timing,
    Timings,
    Unread,
    WallShare,
)
from tutor.diagnoser import doors
from tutor.diagnoser.probed import Seen


def ledger(card: str = "H100 SXM 80GB", form: str = "bf16") -> Ledger:
    model, gpu = catalog.model("llama-3.1-8b"), catalog.gpu(card)
    found = pool.pool(model, pool.card(gpu), form, vllm.DEFAULT._replace(max_len=8192), name=gpu.name)
    lines = [Entry(one.name, one.bytes, one.low, one.high, one.origin, one.source) for one in found.lines]
    lines.append(Entry("kv-pool", found.budget.bytes, found.budget.low, found.budget.high, "computed", "", "kv_pool"))
    free = found.card.bytes - sum(one.bytes for one in lines)
    whole = Entry("card", found.card.bytes, found.card.low, found.card.high, found.card.origin)
    tokens = found.room.tokens
    return Ledger(
        whole, (*lines, Entry("free", free, free, free, "computed")), found, None, tokens, 2304, tokens // 2304, tokens
    )


def lever(name: str, helps: bool, why: str = "") -> LeverResult:
    effect = Effect("decode-step", Amount(F(117, 10**4), "ms"), Amount(F(8, 1000), "ms"), -1)
    return LeverResult(name, helps, (effect,) if helps else (), F(146, 100) if helps else None, "met", why, {},
                       name if helps else "", "--quantization awq" if helps else "")  # fmt: skip


def report(gpu: str = "H100 SXM 80GB", form: str = "bf16") -> Report:
    model, card = catalog.model("llama-3.1-8b"), catalog.gpu(gpu)
    setup = steps.Setup(model, card, precision.find(form))
    scenario = Scenario(
        model=model, gpu=card, weights=setup.form, prompt=Span(2048, 2048), output=Span(256, 256),
        concurrency=Span(64, 64), tpot=F(22, 1000), unread=(Unread("kv", "several", "not-a-number"),),
    )  # fmt: skip
    slow = {"measured": Amount(F(22, 1000), "s"), "high": Amount(F(163, 10**4), "s")}
    return Report(
        scenario, "decode", (WallShare("memory-bandwidth", F(6, 10)), WallShare("cpu-overhead", F(4, 10))),
        (Finding("beyond-band", "cpu-overhead", None, "decode", F(1), F(4, 10), "numbers", slow),),
        ledger(gpu, form),
        Timings(setup, Timing(steps.decode(setup, 64, 2176), 64, 2176, F(22, 1000), "tpot"),
                Timing(steps.prefill(setup, 2048), 1, 2048), F(9, 10)),
        (lever("w4a16", True), lever("kv-quantization", True), lever("paged-attention", False, "already-on")),
        (Question("eager", "graphs"),), (Assumed("gpu_memory_utilization", Amount(F(9, 10), "%"), "default"),),
        Experiment("graphs-on", "drop --enforce-eager", {}),
    )  # fmt: skip


def diagnose(
    number: int, given: Mapping[str, object], seen: Seen | None = None, evidence: Evidence | None = None
) -> doors.Outcome:
    """Answers like the engine, with a card that is none as the one problem."""
    wanted = str(given.get("gpu", "H100 SXM 80GB"))
    if str(given.get("gpus", "1")) == "0":
        return doors.Outcome(number, problem=doors.Problem("gpus", "zero", {}))
    try:
        made = report(catalog.gpu(wanted).name, "awq" if given.get("weights") == "awq" else "bf16")
    except (catalog.UnknownName, catalog.AmbiguousName):
        made = report()
    return doors.Outcome(number, made, doors.roof(made.timings))


def apply(name: str, before: Report) -> doors.Applied:
    """A lever that makes the weights smaller, and one that changes nothing."""
    if name != "w4a16":
        return doors.Applied(name, before, None, {}, {})
    return doors.Applied(
        name, before, report(form="awq"), {"model": "llama-3.1-8b", "weights": "bf16"},
        {"model": "llama-3.1-8b", "weights": "awq"},
    )  # fmt: skip
