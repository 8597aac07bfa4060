"""Requests over time: latency from step times, how many run at once, when a server saturates, what tokens cost."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from engine.formulas.registry import Value, result

MAX_RUNNING = 2**20
"""Most sequences that a steady state is searched for (a guard)."""


class Latency(NamedTuple):
    """Seconds of one request, and tokens a second.

    Attributes:
        ttft: until the first token: the queue and the prefill.
        tpot: between two tokens.
        total: until the last token.
        output_rate: tokens a second of all requests in the batch, their prefills among the steps.
    """

    ttft: Fraction
    tpot: Fraction
    total: Fraction
    output_rate: Fraction


def latency(prefill: Value, step: Value, tokens: int, batch: int = 1, queue: Value = 0) -> Latency:
    """Latency of requests of ``tokens`` new tokens that run ``batch`` at once.

    ``step`` is the decode step at that batch. A prefill of somebody else's that runs in between is not in ``tpot``;
    :func:`steady` has it.

    Raises ``ValueError`` for no tokens or an empty batch.
    """
    if tokens < 1 or batch < 1:
        raise ValueError("tokens and batch must be at least 1")
    given: dict[str, Value] = {
        "prefill_time": prefill, "step_time": step, "queue_time": queue, "T": tokens, "B": batch,
    }  # fmt: skip
    return Latency(
        result("ttft", given), Fraction(step), result("request_latency", given), result("output_rate", given)
    )


def output_rate(prefill: Value, step: Value, tokens: int, batch: int = 1) -> Fraction:
    """The last figure of :func:`latency` alone. Raises as it does."""
    if tokens < 1 or batch < 1:
        raise ValueError("tokens and batch must be at least 1")
    return result("output_rate", {"prefill_time": prefill, "step_time": step, "T": tokens, "B": batch})


class Queue(NamedTuple):
    """A server under random arrivals.

    Attributes:
        service_time: seconds of the card that one request takes.
        rate_limit: requests a second that it can serve at most.
        load: arrivals over that limit; at 1 the queue grows without end.
        wait: bound of the mean time in the queue, ``None`` at a load of 1 or more. It is that of one server with
            exponential service times (M/M/1): continuous batching starts a request beside others and waits less, as
            long as slots and KV cache are free.
    """

    service_time: Fraction
    rate_limit: Fraction
    load: Fraction
    wait: Fraction | None

    @property
    def saturated(self) -> bool:
        """Whether more arrives than can be served."""
        return self.load >= 1


def queue(arrival_rate: Value, prefill: Value, step: Value, tokens: int, batch: int) -> Queue:
    """What ``arrival_rate`` requests a second do to a server that runs ``batch`` of them at once.

    Raises ``ValueError`` as :func:`latency`, and for a service that takes no time.
    """
    if tokens < 1 or batch < 1:
        raise ValueError("tokens and batch must be at least 1")
    given: dict[str, Value] = {
        "arrival_rate": arrival_rate, "prefill_time": prefill, "step_time": step, "T": tokens, "B": batch,
    }  # fmt: skip
    service = result("service_time", given)
    if service <= 0:
        raise ValueError("a request must take some time")
    load = result("load", given)
    wait = result("queue_wait", given) if load < 1 else None
    return Queue(service, result("request_rate_limit", given), load, wait)


class Steady(NamedTuple):
    """Where a server settles under an even stream of requests.

    Attributes:
        running: requests at once, the fewest at which as many leave as arrive; the cap when saturated.
        step: decode step at that batch.
        tpot: seconds between two tokens, the prefills in between counted; ``None`` when prefills alone fill the card.
        load: arrivals over what the cap can serve.
        saturated: whether even the cap cannot serve them.
        growth: requests that join the queue each second when saturated, else 0.
    """

    running: int
    step: Fraction
    tpot: Fraction | None
    load: Fraction
    saturated: bool
    growth: Fraction


def steady(
    arrival_rate: Value, prefill: Value, step: Callable[[int], Fraction], tokens: int, max_running: int
) -> Steady:
    """The batch at which a continuously batching server keeps up with ``arrival_rate`` requests a second.

    By Little's law the running requests are the rate times the time that one decodes; prefills take their time from
    the same card. The server keeps up with a batch when the requests that it then serves a second are at least those
    that arrive.

    Args:
        arrival_rate: requests a second.
        prefill: seconds of one prefill.
        step: seconds of a decode step of so many sequences; must not shrink with them, nor a token's share grow.
        tokens: new tokens a request.
        max_running: cap of running requests, by slots or by KV cache.

    Raises:
        ValueError: no tokens, a cap outside 1 to :data:`MAX_RUNNING`, or a rate that is not positive.
    """
    rate = Fraction(arrival_rate)
    if tokens < 1 or not 1 <= max_running <= MAX_RUNNING or rate <= 0:
        raise ValueError("tokens, cap and rate must be positive")

    def at(batch: int) -> Queue:
        return queue(rate, prefill, step(batch), tokens, batch)

    load = at(max_running).load
    saturated = load > 1
    low, high = (max_running, max_running) if saturated else (1, max_running)
    while low < high:  # the fewest that keep up
        middle = (low + high) // 2
        low, high = (low, middle) if at(middle).load <= 1 else (middle + 1, high)
    used = step(low)
    prefilling = rate * Fraction(prefill)
    given: dict[str, Value] = {"step_time": used, "arrival_rate": rate, "prefill_time": prefill}
    tpot = None
    if saturated:
        served = at(low).rate_limit
        given["arrival_rate"] = served
        prefilling = served * Fraction(prefill)
    if prefilling < 1:
        tpot = result("tpot_beside_prefills", given)
    return Steady(low, used, tpot, load, saturated, max(Fraction(0), rate - at(low).rate_limit))


def running(arrival_rate: Value, request_latency: Value) -> Fraction:
    """Requests in a system on average, from how fast they come and how long they stay (Little's law)."""
    return result("running_requests", {"arrival_rate": arrival_rate, "latency": request_latency})


def cost_per_million(price_per_hour: Value, tokens_per_second: Value) -> Fraction:
    """Price of a million tokens, in the currency of the price of the cards per hour.

    Raises ``FormulaError`` (division-by-zero) for a rate of 0.
    """
    return result("cost_per_million", {"price_per_hour": price_per_hour, "token_rate": tokens_per_second})
