"""A scenario with everything that can be computed of it: lazily, once, and never with an exception.

What cannot be computed is ``None``; :attr:`Case.missing` names the inputs that would allow it, :attr:`Case.refused` the
reasons that no input changes. Whatever was taken for granted on the way is in :attr:`Case.assumed`.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

from engine.diagnosis.cases import placement, room, timings
from engine.diagnosis.cases.space import Reserved, Space
from engine.diagnosis.cases.timings import Load, Served
from engine.diagnosis.cases.told import Refused
from engine.diagnosis.model import Assumed, Engine, Timings
from engine.efficiency import Stack
from engine.roofline import Step
from engine.steps import Setup

__all__ = ["Case", "Refused", "Reserved"]

MOST_RUNNING = 1024
"""Requests at once that a steady state is searched up to where no cap is known."""
_LLAMA: frozenset[Engine | None] = frozenset(("llama.cpp", "ollama", "exllama"))


class Case(Space):
    """A scenario and what follows from it. All of one replica, of its fullest card, unless a name says otherwise."""

    # --- how many run at once ----------------------------------------------------------------------------------------

    @cached_property
    def asked(self) -> int | None:
        """Requests that want to run at once; ``None`` where nothing tells."""
        s, replicas = self.scenario, max(self.spread.dp, 1)
        if s.concurrency is not None:
            return max(1, -(-s.concurrency.mid // replicas))
        if s.running or s.waiting:
            found = (s.running or 0) + (s.waiting or 0)
            self._assume("concurrency", found, "as-observed")
            return found
        if s.requests:
            self._assume("concurrency", s.requests, "all-at-once")
            return -(-s.requests // replicas)
        if s.request_rate:
            return self._settled(s.request_rate / replicas)
        return None

    def _settled(self, rate: Fraction) -> int | None:
        setup, cap = self._setup, self._cap or MOST_RUNNING
        if setup is None or not self.output:
            return None
        load = Load(1, self.context, self.prompt, self.output, self._chunk, self._drafts)
        prefill = self._try("concurrency", lambda: timings.prefill_seconds(setup, load)) or Fraction(0)
        found = self._try("concurrency", lambda: timings.settled(rate, setup, load, prefill, cap))
        if found is None:
            return None
        self._assume("concurrency", found.running, "more-than-it-serves" if found.saturated else "from-request-rate")
        return found.running

    @cached_property
    def batch(self) -> int:
        """Sequences that run at once: as observed, or those asked for as far as cap and pool let them; 1, assumed,
        where :attr:`asked` is not known."""
        if self.scenario.running:
            return self.scenario.running
        if self.asked is None:
            self._assume("concurrency", 1, "one-request")
            return 1
        return min(one for one in (self.asked, self._cap, self._held) if one)  # a pool of nothing runs none: as asked

    @property
    def at_once(self) -> int | None:
        """Requests that the server would run at once if its cache had room: those asked for, up to its cap."""
        return None if self.asked is None else min(self.asked, self._cap or self.asked)

    @property
    def asked_tokens(self) -> int | None:
        """Tokens that the cache of a replica holds when each of them has all of its own."""
        return None if self.at_once is None or self.peak_tokens is None else self.at_once * self.peak_tokens

    @cached_property
    def _held(self) -> int | None:
        """Sequences of typical length that the pool holds."""
        found, server = self.ledger, self._server
        if found is None or server is None:
            return None
        return self._try("batch", lambda: room.holds(found, server, self.context))

    @property
    def holds_as_long(self) -> int | None:
        """Sequences as long as those that run today that the pool holds, where a log or a gauge tells how long they
        are; ``None`` where that is what requests are said to be."""
        told = self.scenario.held or self.held_of_pool
        return self._held if self.peak_tokens is None and told else None

    # --- time --------------------------------------------------------------------------------------------------------

    @cached_property
    def _setup(self) -> Setup | None:
        """What prefills are computed with, and decode steps that graphs cover."""
        s, of, spread = self.scenario, self.form, self.spread
        if s.model is None or s.gpu is None or of is None:
            return None
        cards, kind = max(spread.tp * spread.pp, spread.ep), s.link
        ranks = spread.tp if spread.tp > 1 else cards  # what a stage hands on is little beside what a layer shares
        if s.p2p_off or (kind is None and s.nodes is not None and s.nodes > 1 and ranks * s.nodes > (s.gpus or cards)):
            kind = "pcie"
            self._assume("link", "PCIe", "no-direct-path" if s.p2p_off else "between-machines")
        gpu, kind, slot = timings.with_links(s.gpu, cards, kind, self.host_weights > 0)
        if slot:
            self._assume("pcie", timings.USUAL_SLOT, "usual-slot")
        elif cards > 1 and s.link is None and kind is None:
            self._assume("link", "NVLink" if gpu.nvlink else "PCIe", "fastest-of-the-card")
        stack: Stack = "llama.cpp" if s.engine in _LLAMA else "serving"
        return Setup(
            s.model, gpu, of, self._p, spread.tp, spread.pp, kind, stack, self._graphs, self.host_read, ep=spread.ep,
            seen=s.seen,
        )  # fmt: skip

    @cached_property
    def setup(self) -> Setup | None:
        """What the steps are computed with; without graphs where the batch is over the largest that was captured."""
        setup = self._setup
        largest = self.defaults.graph_max_batch.value
        if setup is not None and largest and self.batch * (self._drafts + 1) > largest:
            setup = setup._replace(graphs=False)
        if setup is not None and self.host_weights and self.engine in placement.OFFLOADING:
            setup = setup._replace(on_processor=True)  # a prompt's products go to the card, a token's stay
        return setup

    @cached_property
    def load(self) -> Load:
        """What the steps are computed for."""
        micro = self.spread.pp if self.engine not in placement.LAYERWISE else 1
        return Load(
            self.batch, self.context, self.prompt, self.output, self._chunk, self._drafts,
            max(1, min(micro, self.batch)),
        )  # fmt: skip

    @cached_property
    def _decode(self) -> Step | None:
        setup = self.setup
        return None if setup is None else self._try("decode", lambda: timings.decode(setup, self.load))

    @cached_property
    def _prefill(self) -> Step | None:
        setup = self._setup
        if setup is None or setup.gpu.peak_flops is None:  # a prompt is mostly computing: no time without a rate
            return None
        return self._try("prefill", lambda: timings.prefill(setup, self.load))

    @cached_property
    def decode_seconds(self) -> Fraction | None:
        """Usual seconds of a decode step; cheaper than :attr:`timings` where nothing else of it is wanted."""
        setup, done = self.setup, self.__dict__.get("_decode")
        if setup is None or done is not None:
            return done.seconds if done else None
        return self._try("decode", lambda: timings.decode_seconds(setup, self.load))

    @cached_property
    def prefill_seconds(self) -> Fraction | None:
        """Usual seconds of the prefill of one prompt."""
        setup, done = self._setup, self.__dict__.get("_prefill")
        if setup is None or setup.gpu.peak_flops is None or done is not None:
            return done.seconds if done else None
        return self._try("prefill", lambda: timings.prefill_seconds(setup, self.load))

    @cached_property
    def _served(self) -> Served | None:
        step = self.decode_seconds
        if step is None:
            return None
        prompt, shared = self.prefill_seconds, self.shared_prefill_seconds
        return self._try("output-rate", lambda: timings.served(self.load, step, prompt, shared))

    @cached_property
    def shared_prefill_seconds(self) -> Fraction | None:
        """Usual seconds of a prompt where as many as the token budget holds are computed in one pass."""
        setup = self._setup
        if setup is None or self.prefill_seconds is None:
            return None
        return self._try("prefill", lambda: timings.shared_prefill_seconds(setup, self.load))

    @cached_property
    def prompts_busy(self) -> Fraction | None:
        """Share of the card's time that prompts take, by the rate at which they were computed beside the outputs, where
        their length is not known; ``None`` where nobody measured both."""
        s, setup = self.scenario, self._setup
        if not s.prompt_throughput or not s.throughput or s.prompt is not None or s.output is not None:
            return None
        if setup is None or setup.gpu.peak_flops is None:
            return None
        each, step = self._try("prefill", lambda: timings.prompt_token_seconds(setup, self.load)), self.decode_seconds
        if each is None or step is None:
            return None
        replicas = max(self.spread.dp, 1)
        prompts, steps = s.prompt_throughput / replicas * each, s.throughput / replicas / self.batch * step
        return prompts / max(Fraction(1), prompts + steps)

    @property
    def output_rate(self) -> Fraction | None:
        """Output tokens a second, prefills among the steps; of decoding alone where prompt or output is not said."""
        return self._served.rate if self._served else None

    @property
    def host_bytes(self) -> Fraction:
        """Bytes that one card fetches from host memory in a decode step."""
        setup = self.setup
        if setup is None or not setup.host_weights:
            return Fraction(0)
        return self._try("host_weights", lambda: timings.host_bytes(setup, self.load)) or Fraction(0)

    def fits_cards(self, cards: int) -> bool | None:
        """Whether a server on so many cards that share each layer would come up; ``None`` where nobody can tell."""
        return Case(self.scenario.having(gpus=cards, tp=cards, pp=1, dp=1, kv_pool=None, kv_pool_tokens=None)).starts

    @cached_property
    def knee(self) -> Fraction | None:
        """Tokens in a step at which its matrices are read and computed equally long."""
        setup = self.setup
        return None if setup is None else self._try("knee", lambda: timings.knee(setup))

    @cached_property
    def timings(self) -> Timings:
        """Both steps with their bands, beside what was measured."""
        setup, load = self.setup, self.load
        if setup is None:
            return Timings(None, None, None, None)
        decode, prefill = self._decode, self._prefill  # first: what follows needs their usual times
        served = self._served
        busy = served.decode_busy if served else None
        if busy is None and self.prompts_busy is not None:
            busy = 1 - self.prompts_busy
        spoken = timings.measured(self.scenario, load, self.spread.dp, self.asked, served, prefill, decode, busy)
        return Timings(
            setup,
            timings.beside(decode, load.batch, load.context, *spoken.decode),
            timings.beside(prefill, 1, load.prompt or 0, *spoken.prefill),
            busy,
        )

    # --- what was taken for granted, and what is missing -------------------------------------------------------------

    @property
    def assumed(self) -> tuple[Assumed, ...]:
        """Every assumption that was used."""
        self._everything()
        return tuple(self._assumed.values())

    @property
    def refused(self) -> tuple[Refused, ...]:
        """What could not be computed for a reason that no input changes."""
        self._everything()
        return tuple(self._refused.values())

    @property
    def missing(self) -> tuple[str, ...]:
        """Inputs that would allow what could not be computed, the most important first."""
        s = self.scenario
        lacks = {
            "model": s.model is None, "gpu": s.gpu is None, "concurrency": self.asked is None,
            "prompt": s.prompt is None, "output": s.output is None,
            "tflops": s.gpu is not None and s.gpu.peak_flops is None,
        }  # fmt: skip
        return tuple(name for name, is_missing in lacks.items() if is_missing)

    def _everything(self) -> None:
        _ = (self.ledger, self.timings, self.kv_asked, self.reserved, self.free_bytes, self.kv_per_token, self.knee)
