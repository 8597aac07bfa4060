"""A cache of a fixed window, which llama.cpp and its kin take whole at the start: what the card did not have of it."""

from __future__ import annotations

from engine.diagnosis.cases.case import Case
from engine.diagnosis.causes.row import Cause, Witness, numbers
from engine.diagnosis.causes.situation import gb, serves, tokens


def cache_refused(case: Case) -> Witness | None:
    """The log of a server that ended says which cache it asked for in vain."""
    asked, s = case.cache_refused, case.scenario
    if asked is None or serves(case):
        return None
    if case.starts and (s.context_total is None or not s.has("oom", "fails-to-start")):
        return None
    share = asked / case.ledger.card.bytes if case.ledger is not None else None
    found = numbers("0.96", share, asked=gb(asked))
    window = s.context_total
    return found if window is None else found._replace(params={**found.params, "window": tokens(window)})


CAUSES = (
    Cause(
        "cache-refused", "load", "kv-memory", None, "load", cache_refused,
        ("lower-max-model-len", "kv-quantization", "cap-concurrency", "cpu-offload", "w4a16", "more-memory"),
        ("raise-memory-utilization", "paged-attention", "raise-concurrency"),
        ("smaller-window", "lower-max-model-len"), "llama.cpp: the cache of the whole window is allocated at start",
    ),
)  # fmt: skip
"""In the order in which a person would look."""
