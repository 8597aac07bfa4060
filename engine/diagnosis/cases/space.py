"""The memory side of a case: weights, the ledger, what the pool holds."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from engine import catalog, pool, vllm
from engine.catalog import Gpu
from engine.diagnosis.cases import ledger, placement, room
from engine.diagnosis.cases.server import Server, asked_bytes, closed, token_bytes
from engine.diagnosis.cases.told import Told
from engine.diagnosis.model import Amount, Entry, Ledger
from engine.diagnosis.settings import engines
from engine.pool import Line
from engine.weights import rope_table

_LINES: tuple[pool.Name, ...] = ("weights", "activation", "non-torch", "graphs", "kv")
_NAMELESS = Gpu(
    "", "", "", None, 0, None, 0, None, None, None, None, None, None, None, None, "", "", None, "", (),
)  # fmt: skip
"""A card of which nothing is known but its memory."""
_BLOCK = 16
"""Tokens of a block where nobody says: vLLM's."""
OLLAMA_CELLS = 4096
"""Cells of a slot that Ollama takes where nothing is said (OLLAMA_CONTEXT_LENGTH; 2048 in 2024)."""


class Reserved(NamedTuple):
    """What keeping whole slots for a request does, and blocks in its place; needs no model.

    Attributes:
        used, reserved: tokens that a request has, and slots that are kept for it.
        unused: slots that hold nothing.
        waste: them as a share.
        paged_slots: slots of its blocks.
        paged_waste: share of them that holds nothing.
        density: how many times more requests the blocks allow.
    """

    used: int
    reserved: int
    unused: int
    waste: Fraction
    paged_slots: int
    paged_waste: Fraction
    density: Fraction


class Space(Told):
    """What lies on one card, the fullest of a replica."""

    @cached_property
    def asked(self) -> int | None:
        """Requests that want to run at once; ``None`` where nothing tells."""
        raise NotImplementedError  # a case knows it: arrivals over time decide it, too

    @cached_property
    def _whole_weights(self) -> Fraction | None:
        """Bytes of the weights of one card, wherever they lie."""
        s, of = self.scenario, self.form
        if s.model is not None and of is not None:
            model, spread = s.model, self.spread.parallel
            return self._try("weights", lambda: placement.on_card(model, of, spread, s.exact_weights))
        if s.params is not None and s.weights is not None:
            params, weights, cards = s.params, s.weights, self.spread.tp * self.spread.pp
            return self._try("weights", lambda: placement.nominal(params, weights, cards))
        return None

    @cached_property
    def host_weights(self) -> Fraction:
        """Bytes of one card's weights that stay in host memory."""
        s, of, size = self.scenario, self.form, self._whole_weights
        if s.model is None or of is None or size is None:
            return Fraction(0)
        found = self._try("host_weights", lambda: placement.in_host(s, of, size, self._short(size)))
        if found is None:
            return Fraction(0)
        self._note(found[1])
        return found[0]

    def _short(self, size: Fraction) -> Fraction:
        """Bytes that the card lacks with all weights on it, where that decides what is offloaded."""
        s, by_itself = self.scenario, self.scenario.engine in placement.OFFLOADING
        if self._kind in ("reserve", "grows") or not (by_itself or placement.serves_beyond(s)):
            return Fraction(0)
        if self.cache_refused is not None:
            return Fraction(0)  # it asked for the cache with its weights where they are
        server = self._serving(size)
        free = None if server is None else ledger.build(server).entry("free")
        return Fraction(0) if free is None else (ledger.FIT_TARGET if by_itself else 0) - free.bytes

    @property
    def host_read(self) -> Fraction:
        """Bytes of them that a step reads: of a table of embeddings it looks up a row a token."""
        model, of, held = self.scenario.model, self.form, self.host_weights
        if model is None or of is None or self.scenario.gpu_layers is None or not held:
            return held
        return max(held - placement.looked_up(model, of) / self.spread.pp, Fraction(0))

    @cached_property
    def weights_on_card(self) -> Fraction | None:
        """Bytes of weights on one card."""
        whole = self._whole_weights
        return None if whole is None else whole - self.host_weights

    @cached_property
    def kv_per_token(self) -> Fraction | None:
        """Bytes of one token of the cache on one card."""
        model = self.scenario.model
        if model is None:
            return None
        return self._try("kv", lambda: token_bytes(model, self._p, self.spread.parallel))

    def _card(self, gpu: Gpu) -> Line:
        """The memory of the card: as its own driver told a probe, else as the catalogue knows it."""
        printed = self.scenario.logged.get("card")
        if printed is not None:
            return pool.exactly("card", printed.bytes, "log", printed.source)
        given = self.scenario.logged.get("card-memory") if gpu is _NAMELESS else None
        if given is not None:
            return pool.exactly("card", given.bytes, "given", given.source)
        if gpu is _NAMELESS and self._outgrown is not None:
            return self._outgrown
        seen = self.scenario.seen
        if seen is not None and seen.memory:
            return pool.exactly("card", seen.memory, "measured", seen.source)
        return pool.card(gpu)

    @property
    def _gpu(self) -> Gpu | None:
        """The card; one without a name where only its memory is known, by a log or by who asks."""
        s = self.scenario
        if s.gpu is not None:
            return s.gpu
        known = not s.logged.keys().isdisjoint(("card", "card-memory")) or self._outgrown is not None
        return _NAMELESS if known else None

    @cached_property
    def _outgrown(self) -> Line | None:
        """The largest of the cards that a name may mean, where the weights are too large even for that: whichever it
        is, they do not fit."""
        options, size = self.scenario.gpu_options, self._whole_weights
        if not options or size is None:
            return None
        name, largest = max(((one, pool.card(catalog.gpu(one))) for one in options), key=lambda pair: pair[1].bytes)
        if size <= largest.high:
            return None
        self._assume("gpu", name, "largest-of-name")
        return largest

    @cached_property
    def _server(self) -> Server | None:
        size = self.weights_on_card
        return None if size is None else self._try("ledger", lambda: self._serving(size))

    def _serving(self, size: Fraction) -> Server | None:
        """What the ledger is computed from, with so many bytes of weights on the card."""
        s, kind, force = self.scenario, self._kind, self.defaults
        gpu = self._gpu
        if s.model is None or gpu is None:
            return None
        window = s.max_model_len
        if kind in ("vllm", "sglang"):  # they keep the table of positions beside the weights
            size += rope_table(s.model, max(window or 0, s.model.context))
        base = Server(
            kind, s.model, gpu, self._card(gpu), self._weights_line(size), self.spread.parallel, self._p, None,
            self.peak_tokens, self.prompt, share=s.utilization, max_len=window,
            block_size=force.block_size.value or _BLOCK, eager=not self._graphs, pool=self._pool_line,
            pool_tokens=s.kv_pool_tokens, logged=self._logged,
        )  # fmt: skip
        if kind in ("reserve", "grows"):
            return base._replace(asked=self.asked, reserve=s.reserve, blocks=bool(s.block_size))
        base = base._replace(tokens=self._force(force.token_budget, "max_num_batched_tokens"))
        if kind == "cells":
            return self._in_cells(base)
        base = base._replace(share=self._force(force.utilization, "utilization"))
        if kind == "vllm":
            seqs = self._force(force.max_num_seqs, "max_num_seqs")
            return base._replace(version=self._vllm_version, seqs=seqs)
        return base

    def _weights_line(self, size: Fraction) -> Line:
        """The weights on the card: as a log printed them, else by their files, else tensor by tensor."""
        printed = next((one for one in self._logged if one.name == "weights"), None)
        if printed is not None:
            return printed
        if self.scenario.exact_weights is None:
            return pool.exactly("weights", size, "computed", "tensor by tensor")
        return pool.exactly("weights", size, "config", "safetensors headers")

    def _in_cells(self, base: Server) -> Server:
        """A server whose cache is one row of cells, divided among slots."""
        s, slots = self.scenario, self._force(self.defaults.slots, "slots") or 1
        cells = s.context_total or s.max_model_len
        if cells is None and self.engine == "ollama":
            cells = OLLAMA_CELLS * slots
            self._assume("context_total", Amount(Fraction(cells), "tokens"), "engine-default", "Ollama")
        return base._replace(
            cells=cells, slots=slots, unified=bool(self.defaults.unified.value), block_size=1,
            cells_here=placement.cells_here(s), refused=self.cache_refused,
        )  # fmt: skip

    @property
    def _vllm_version(self) -> str | None:
        """A version number that tells vLLM's two engines apart: "0.7 V1" stands where the newer one is the default."""
        text = self.scenario.version
        if text is None:
            return None
        number, newer = vllm.version(text), engines.is_v1(text)
        if newer == (number >= vllm.V1):
            return text
        return "{}.{}".format(*vllm.V1) if newer else f"{vllm.V1[0]}.{vllm.V1[1] - 1}"

    @property
    def _pool_line(self) -> Line | None:
        s, token = self.scenario, self.kv_per_token
        name, size = "kv_pool", s.kv_pool
        if size is None and s.kv_pool_tokens is not None and token:
            name, size = "kv_pool_tokens", s.kv_pool_tokens * token
        said = s.said.get(name)
        if size is None or (name == "kv_pool_tokens" and (said is None or said.origin != "log")):
            return None
        return pool.exactly("kv-pool", size, "log" if said and said.origin == "log" else "given")

    @property
    def _logged(self) -> tuple[Line, ...]:
        """What a log printed of the lines, but for the card's."""
        printed = self.scenario.logged
        return tuple(
            pool.exactly(name, printed[name].bytes, "log", printed[name].source) for name in _LINES if name in printed
        )

    @cached_property
    def ledger(self) -> Ledger | None:
        """The memory of one card; ``None`` without a model or a card."""
        server = self._server
        found = None if server is None else self._try("ledger", lambda: ledger.build(server))
        if found is None:
            return self._printed
        for one in (found.card, *found.entries):
            if one.origin == "assumed":
                self._assume(one.name, Amount(one.bytes, "GB"), "seen-elsewhere", one.source)
        return self._beside_others(found)._replace(asked=self.kv_asked)

    # --- a card that others use, too -----------------------------------------------------------------------------

    @property
    def free_at_start(self) -> Fraction | None:
        """Bytes of the card that were free when vLLM refused to start; ``None`` where no log says so."""
        printed = self.scenario.logged.get("free-at-start")
        return None if printed is None or self._kind != "vllm" else printed.bytes

    @cached_property
    def share_taken(self) -> Fraction | None:
        """Bytes that the engine's share of the card lacks, since others hold them: vLLM refuses to start where the
        share is more than what is free, however small the model. ``None`` where it is not, or nobody knows."""
        free, share, gpu = self.free_at_start, self.defaults.utilization.value, self._gpu
        if free is None or share is None or gpu is None:
            return None
        lacks = share * self._card(gpu).bytes - free
        return lacks if lacks > 0 else None

    @property
    def cache_refused(self) -> Fraction | None:
        """Bytes of a fixed window's cache that the card did not have, by the log of a server that ended for it."""
        printed = self.scenario.logged.get("kv-refused")
        return None if printed is None or self._kind != "cells" else printed.bytes

    def _beside_others(self, found: Ledger) -> Ledger:
        """The ledger with what others hold as a line of its own, and no pool where the share is not to be had."""
        free, printed = self.free_at_start, self.scenario.logged.get("free-at-start")
        if free is None or printed is None:
            return found
        held = max(found.card.bytes - free, Fraction(0))
        lines = [one for one in found.entries[:-1] if self.share_taken is None or one.name != "kv-pool"]
        others = Entry("others", held, held, held, "log", printed.source)
        rest = closed(pool.exactly("card", found.card.bytes, "log"), [*lines, others])
        if self.share_taken is None:
            return found._replace(entries=rest)
        return found._replace(entries=rest, pool_tokens=None, longest=None, fits=None if found.fits is None else 0)

    @property
    def _printed(self) -> Ledger | None:
        """The ledger that a log alone gives, where the model or the card is not known; ``None`` without its weights."""
        s, lines, gpu = self.scenario, self._logged, self._gpu
        if "weights" not in s.logged or gpu is None:
            return None
        of = self._card(gpu)
        if self._pool_line is not None:
            lines += (self._pool_line,)
        tokens, used = s.kv_pool_tokens, self.peak_tokens
        return ledger.printed(of, lines, tokens, used)

    @cached_property
    def kv_asked(self) -> Entry | None:
        """What the cache holds when every asked request has all its tokens; it stands beside the pool."""
        server = self._server
        if server is None:
            return None
        return self._try("kv-asked", lambda: asked_bytes(server._replace(asked=self.asked)))

    @cached_property
    def reserved(self) -> Reserved | None:
        """What reserved slots do to requests of the scenario's length; ``None`` where none are reserved."""
        s, used = self.scenario, self.peak_tokens
        slots = s.reserve
        if slots is None and s.slots and s.slots > 1 and s.context_total and self._kind == "cells":
            slots = None if self.defaults.unified.value else s.context_total // s.slots
        if not slots or not used:
            return None
        if used > slots:
            self._refuse("reserved", "used-over-reserved", f"{used} > {slots}")
            return None
        block = self.defaults.block_size.value
        block = block if block and block > 1 else _BLOCK
        found = self._try("reserved", lambda: room.reserved_numbers(used, slots, block))
        if found is None:
            return None
        waste, paged, paged_waste, density = found
        return Reserved(used, slots, slots - used, waste, paged, paged_waste, density)

    @cached_property
    def pool_tokens(self) -> int | None:
        """Tokens that the KV pool of a replica holds."""
        return self._tokens_told if self.ledger is None else self.ledger.pool_tokens

    @property
    def _tokens_told(self) -> int | None:
        """Tokens of a pool that is known without its card: as printed, or its bytes over those of a token."""
        s, token = self.scenario, self.kv_per_token
        if s.kv_pool_tokens is not None or s.kv_pool is None or not token:
            return s.kv_pool_tokens
        return int(s.kv_pool / token) if s.model is not None and s.model.not_plain in (None, "mla") else None

    @property
    def window_told(self) -> int | None:
        """Tokens of the window, where vLLM's pool is known without its card: one request of it must fit that pool."""
        bare = self.ledger is None and self._kind == "vllm" and self.pool_tokens
        return self.scenario.max_model_len if bare else None

    @property
    def longest(self) -> int | None:
        """Tokens of the longest request that the pool holds alone; where only its tokens are known, them: a request
        cannot be longer."""
        known = None if self.ledger is None else self.ledger.longest
        return self.pool_tokens if known is None else known

    @property
    def held_of_pool(self) -> int | None:
        """Tokens in the cache of a running request, by the pool's size and its gauge."""
        s = self.scenario
        if not s.running or not s.kv_usage or not self.pool_tokens:
            return None
        return max(1, round(s.kv_usage * self.pool_tokens / s.running))

    @cached_property
    def requests_that_fit(self) -> int | None:
        """Requests of the scenario's length that the pool of a replica holds."""
        if self.ledger is not None:
            return self.ledger.fits
        known, used = self.scenario.kv_pool_tokens, self.peak_tokens
        return known // used if known and used else None

    @cached_property
    def free_bytes(self) -> Fraction | None:
        """Bytes of a card left over once the server is up and one request of the longest length has its cache; what
        is missing where it is below zero."""
        found, server = self.ledger, self._server
        if found is None or server is None:
            return None
        if self.share_taken is not None:
            return -self.share_taken
        return self._try("free", lambda: room.spare(found, server))

    @property
    def starts(self) -> bool | None:
        """Whether the server comes up, by the usual figures."""
        if self.ledger is None or self._server is None:
            return None
        return self.share_taken is None and room.starts(self.ledger, self._server)
