"""Why a lever does not help: ids, whose sentences are the content's ``diagnosis.why.<id>``."""

from __future__ import annotations

from collections.abc import Mapping

REASONS: Mapping[str, str] = {
    "already-on": "it is on, or in place, already",
    "not-on": "what it would take away is not on",
    "tried": "it was tried without success",
    "at-limit": "it is at its limit already",
    "no-effect": "computed, the measure moves by under 3 %",
    "little": "computed, the measure moves, but most of the wall is elsewhere",
    "slower": "computed, the measure gets worse",
    "does-not-fit": "with it the server does not fit either",
    "holds-none": "its pool then holds not even one request",
    "not-the-wall": "what it improves is not what is short",
    "far-from-roof": "the measured step is far from what the card can do: a faster one would wait alike",
    "not-needed": "the card has what it would do without",
    "one-chip": "the chip stands alone: nothing joins it to others",
    "math-stays-16bit": "weights alone get smaller; the arithmetic stays as it is",
    "frees-other-bytes": "weights are what does not fit, and it frees none of them",
    "no-graphs": "the card replays no graphs of kernels",
    "not-in-engine": "the engine has no such format",
    "no-unit": "the card has no such arithmetic unit, or one that is no faster",
    "no-kernel": "no fast kernel of this format for such a card",
    "no-fp8-cache": "the engine's attention reads no FP8 cache on such a card",
    "one-request": "with one request at a time there is nothing to share",
    "pool-full": "the pool is full: more would be put back",
    "pool-has-room": "the pool has room for what is asked",
    "nothing-waits": "nothing waits: the cap is not the limit",
    "beyond-knee": "the step is limited by arithmetic already",
    "shared-card": "other programs use the card",
    "prompts-need-it": "the requests are as long as that",
    "whole-prompt": "the whole prompt fits one step already",
    "throughput-goal": "there are no running requests to protect, only work to finish",
    "slow-link": "the cards talk over a slow link",
    "one-card": "there is only one card",
    "no-experts": "the model has no experts",
    "plain-format": "the weights are 16-bit, whose kernels are the fast ones already",
    "few-requests": "there are fewer requests than replicas",
    "not-enough": "it goes the right way, and the server does not start with it alone",
    "many-adapters": "several adapters are served, and only one can be merged",
    "busy": "the batch leaves no arithmetic to spare",
    "runs-out": "memory runs out while it serves: more for the pool leaves less for the work",
    "start-short": "the start says too little room already",
    "interactive": "host memory is far too slow for every step",
}
"""Every ``why``, and what it means."""
