"""What levers do with requests and steps: acts like those of :mod:`engine.diagnosis.acting.acts`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.diagnosis.acting.acts import MARGIN, Act, changed, split
from engine.diagnosis.causes.situation import pool_is_full, step_tokens
from engine.diagnosis.model import Scenario, Span

if TYPE_CHECKING:
    from engine.diagnosis.cases.case import Case

DRAFT = 3
"""Draft tokens a step: llama.cpp's default, and the middle of what vLLM's examples use."""


# --- how many at once ------------------------------------------------------------------------------------------------


def cap_concurrency(case: Case) -> Scenario | None:
    """As many sequences as the pool holds; without that number those that are asked for, else a quarter; fewer than run
    now where those fill it."""
    scenario, fits, asked = case.scenario, case.requests_that_fit, case.asked
    if split(case) and scenario.context_total and scenario.slots:
        slots = scenario.context_total // case.peak_tokens if case.peak_tokens else scenario.slots // 2
        slots = max(1, min(slots, scenario.slots - 1))
        fewer: dict[str, object] = {"slots": slots, "concurrency": _at_most(scenario.concurrency, slots)}
        if case.starts is False:  # the cells are what does not fit: those of the slots that go
            fewer["context_total"] = scenario.context_total // scenario.slots * slots
        return changed(scenario, **fewer)
    covered, now = case.defaults.graph_max_batch.value, case.at_most
    if fits and asked and (case.at_once or asked) > fits and _fewer(case, fits):
        whole = fits * case.spread.dp
        return changed(scenario, max_num_seqs=fits * case.cap_shared, concurrency=_at_most(scenario.concurrency, whole))
    if asked and covered and (case.at_once or asked) > covered and _fewer(case, covered):
        return changed(scenario, max_num_seqs=covered * case.cap_shared)
    full = scenario.running * 9 // 10 if scenario.running and _too_many(case) else None
    if (now is None and full is None) or (now is not None and now <= 1):
        return None
    target = full or 1 if now is None else asked if asked and asked < now else max(1, now // 4)
    if full is not None:
        target = max(1, min(target, full))  # fewer than run now: those are too many
    return (
        changed(scenario, max_num_seqs=target * case.cap_shared, graph_max_batch=None) if _fewer(case, target) else None
    )


def _too_many(case: Case) -> bool:
    """Whether those that run are as many as the pool holds, or more."""
    return case.scenario.has("preempts", "cache-full") or pool_is_full(case)


def _fewer(case: Case, cap: int) -> bool:
    """Whether a cap lets fewer run than do, where anybody counted them."""
    return not case.scenario.running or cap < case.scenario.running


def _at_most(span: Span | None, most: int) -> Span | None:
    return None if span is None else Span(min(span.low, most), min(span.high, most))


def raise_concurrency(case: Case) -> Scenario | None:
    """A cap up to what is asked for and what the pool holds."""
    scenario, asked, now = case.scenario, case.asked, case.at_most
    fits = case.requests_that_fit or case.holds_as_long
    now = scenario.slots or now
    if now is None:
        return None
    target = min(one for one in (asked or 2 * now, fits or 2 * now) if one)
    if target <= now:
        return None
    if scenario.slots:
        total = scenario.context_total and scenario.context_total * target // scenario.slots
        return changed(scenario, slots=target, context_total=total)
    return changed(scenario, max_num_seqs=target * case.cap_shared)


def client_batching(case: Case) -> Scenario | None:
    """More requests in flight: what the pool holds, up to the cap and to half the knee; from there on twice as many."""
    now = case.batch or 1
    bounds = [max(min(64, int(case.knee / 2)) if case.knee else 64, 2 * now)]
    fits = case.requests_that_fit or case.holds_as_long
    bounds += [one for one in (fits, case.at_most) if one]
    if case.knee:
        bounds.append(max(1, int(case.knee)))
    target = min(bounds)
    if target <= now:
        return None
    return changed(case.scenario, concurrency=Span(target * case.spread.dp, target * case.spread.dp), running=None)


def shorten_requests(case: Case) -> Scenario | None:
    """The longer part of a request, prompt or output, cut to half."""
    scenario = case.scenario
    name = "prompt" if (case.prompt or 0) >= (case.output or 0) else "output"
    span: Span | None = getattr(scenario, name)
    if span is None or span.low < 2:
        return None
    return changed(scenario, **{name: Span(span.low // 2, span.high // 2)})


def admission_policy(case: Case) -> Scenario | None:
    """Whole requests admitted, and a small share of the pool kept free."""
    if case.scenario.watermark and case.defaults.full_admission.value:
        return None
    return changed(case.scenario, full_admission=True, watermark=MARGIN)


# --- scheduling ------------------------------------------------------------------------------------------------------


def _flag(name: str, value: bool | None, default: str = "") -> Act:
    """An act that turns one field, where it is not so already (``default``: its name among the defaults)."""

    def act(case: Case) -> Scenario | None:
        now = getattr(case.scenario, name)
        if now is None and default:
            now = getattr(case.defaults, default).value
        return None if bool(now) == bool(value) and now is not None else changed(case.scenario, **{name: value})

    return act


_chunked = _flag("chunked_prefill", True, "chunked_prefill")


def chunked_prefill(case: Case) -> Scenario | None:
    """Prompts in pieces, which are pieces only where the budget of a step is less than a prompt: a budget that was set
    for whole prompts goes with them."""
    after, budget = _chunked(case), case.scenario.max_num_batched_tokens
    if after is None or budget is None or budget <= PIECE or (case.prompt is not None and budget < case.prompt):
        return after
    return after.having(max_num_batched_tokens=PIECE)


PIECE = 2048
"""Tokens of a step that vLLM's documentation advises where the time between tokens matters."""
prefix_caching = _flag("prefix_caching", True, "prefix_caching")
eager_mode = _flag("eager", True)


def continuous_batching(case: Case) -> Scenario | None:
    """The batch formed anew each step."""
    return changed(case.scenario, static_batching=False) if case.scenario.static_batching else None


def cuda_graphs(case: Case) -> Scenario | None:
    """Graphs on, and covering the batch that runs."""
    scenario = case.scenario
    tokens = step_tokens(case)
    covered = case.defaults.graph_max_batch.value
    if not scenario.eager and (covered is None or covered >= tokens):
        return None
    return changed(scenario, eager=False, graph_max_batch=max(tokens, covered or 0))


def fewer_cuda_graphs(case: Case) -> Scenario | None:
    """Graphs no larger than the batch that runs; an eighth of them where nobody says how many run."""
    covered, batch = case.defaults.graph_max_batch.value, case.batch
    if covered is not None and case.asked is None:
        batch = covered // _FEWER
    if case.scenario.eager or not batch or covered is None or covered <= batch:
        return None
    return changed(case.scenario, graph_max_batch=batch)


_FEWER = 8
"""From vLLM's usual 512 to 64: from there on decoding has most of what graphs bring."""


def raise_token_budget(case: Case) -> Scenario | None:
    """Four times the tokens a step, up to the whole prompt and to 32768."""
    now, prompt = case.defaults.token_budget.value, case.prompt
    if now is None or not case.defaults.chunked_prefill.value:
        return None
    target = min(4 * now, prompt or 4 * now, 32768)
    return changed(case.scenario, max_num_batched_tokens=target) if target > now else None


def lower_token_budget(case: Case) -> Scenario | None:
    """A quarter of the tokens a step, 512 at least."""
    now = case.defaults.token_budget.value
    if now is None or now <= 512:
        return None
    return changed(case.scenario, max_num_batched_tokens=max(512, now // 4), chunked_prefill=True)


def speculative_decoding(case: Case) -> Scenario | None:
    """Drafting on, with a few tokens a step."""
    return None if case.scenario.speculation else changed(case.scenario, speculation=True, draft_tokens=DRAFT)


def drop_speculation(case: Case) -> Scenario | None:
    """Drafting off."""
    return changed(case.scenario, speculation=False, draft_tokens=None) if case.scenario.speculation else None


def merge_lora(case: Case) -> Scenario | None:
    """No adapter beside the weights."""
    return changed(case.scenario, lora=False, loras=None) if case.scenario.lora else None


def grammar_backend(case: Case) -> Scenario | None:
    """No grammar work beside the step: the most that a faster one can give."""
    return changed(case.scenario, grammar=False) if case.scenario.grammar else None
