"""How many experts of a mixture a step reads: few for one token, soon all of them."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from engine.formulas import registry

_CHUNK = 128
"""Tokens put into the formula at once: exact fractions grow with the power."""
_NOTHING = Fraction(1, 2**60)


def touched(experts: int, top_k: int, tokens: int) -> Fraction:
    """Experts of one layer that at least one of ``tokens`` goes through, on average (formula ``experts_touched``).

    Exact up to 128 tokens; above, good to 2^-60 of a layer. Real routers favour some experts, so that a step touches
    fewer: the number is an upper bound in the mean.

    Raises:
        ValueError: no experts, more of them active than there are, or fewer than no tokens.
    """
    if not 0 < top_k <= experts or tokens < 0:
        raise ValueError("top_k must lie between 1 and the number of experts, tokens must not be negative")
    missed = Fraction(1)
    while tokens > 0 and missed > _NOTHING:
        now = min(tokens, _CHUNK)
        missed *= _missed(experts, top_k, now)
        tokens -= now
        if tokens:
            missed = Fraction(round(missed * 2**80), 2**80)
    return experts * (1 - missed)


@lru_cache(maxsize=1024)  # a long step is made of equal chunks
def _missed(experts: int, top_k: int, tokens: int) -> Fraction:
    """Share of the experts that none of a few tokens goes through."""
    seen = registry.result("experts_touched", {"n_experts": experts, "top_k": top_k, "q_tokens": tokens})
    return 1 - seen / experts
