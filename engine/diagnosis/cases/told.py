"""What a scenario says and what is in force where it says nothing, with a note of everything that is taken for granted.

The lowest part of :class:`engine.diagnosis.cases.case.Case`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple, TypeVar

from engine import memory
from engine.catalog import NoValues
from engine.diagnosis.cases import placement
from engine.diagnosis.cases.placement import Spread
from engine.diagnosis.cases.server import Kind
from engine.diagnosis.model import Amount, Assumed, Engine, Param, Scenario, Span
from engine.diagnosis.settings import defaults, engines
from engine.diagnosis.settings.defaults import Value
from engine.formulas.registry import FormulaError
from engine.precision import Format, UnknownFormat

_T = TypeVar("_T")

TYPICAL_CONTEXT = 1024
"""Tokens in the cache of a sequence of which no length is known."""
USUAL_DRAFT = 3
"""Tokens drafted for a step where drafting is on and nothing more is said (llama.cpp's default)."""

_KINDS: dict[Engine | None, Kind] = {
    "vllm": "vllm", "sglang": "sglang", "tensorrt-llm": "of-free", "tgi": "of-free", "lmdeploy": "of-free",
    "llama.cpp": "cells", "ollama": "cells", "exllama": "cells",
}  # fmt: skip
STATISTICS = "statistics"
"""Source of a value that was worked out of what a server printed while it ran."""
OF_VLLM = ("utilization", "max_num_seqs", "max_num_batched_tokens", "max_model_len", "block_size")
"""Fields that are vLLM's settings where no engine is named."""


class Refused(NamedTuple):
    """What no input would make computable: what, and the id of the reason with more of it."""

    name: str
    reason: str
    detail: str = ""


def _shown(value: object, unit: str) -> Param:
    """A setting for a sentence."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return Amount.of(value, unit) if isinstance(value, int | Fraction) else str(value)


class Notes:
    """Keeps what was taken for granted and what could not be computed, each once, under its name."""

    def __init__(self) -> None:
        self._assumed: dict[str, Assumed] = {}
        self._refused: dict[str, Refused] = {}

    def _assume(self, name: str, value: Param, why: str, source: str = "") -> None:
        self._assumed.setdefault(name, Assumed(name, value, why, source))

    def _note(self, noted: Iterable[Assumed]) -> None:
        for one in noted:
            self._assumed.setdefault(one.name, one)

    def _refuse(self, name: str, reason: str, detail: str = "") -> None:
        self._refused.setdefault(name, Refused(name, reason, detail))

    def _try(self, name: str, compute: Callable[[], _T]) -> _T | None:
        """A value, or ``None`` with the reason kept."""
        try:
            return compute()
        except NoValues as why:
            self._refuse(name, why.reason, why.detail or why.name)
        except UnknownFormat as why:
            self._refuse(name, "unknown-format", why.text)
        except FormulaError as why:
            self._refuse(name, why.reason)
        except (ValueError, ArithmeticError) as why:
            self._refuse(name, "impossible", str(why))
        return None


class Told(Notes):
    """What is said, or in force. All of one replica, unless a name says otherwise."""

    def __init__(self, scenario: Scenario) -> None:
        super().__init__()
        self.scenario = scenario
        self._as_read()

    @cached_property
    def defaults(self) -> defaults.Defaults:
        """What is in force: what is said, and what the engine's version does where nothing is."""
        s = self.scenario
        return defaults.of(s if s.engine == self.engine else s.having(engine=self.engine))

    def _force(self, value: Value[_T], name: str) -> _T | None:
        """A setting in force, noted where nobody said it."""
        found, said = value
        if found is not None and said.origin == "assumed" and name not in self._assumed:
            self._assume(name, _shown(found, "%" if name == "utilization" else "none"), "engine-default", said.source)
        return found

    def _as_read(self) -> None:
        """Note what the reading of the scenario itself took for granted: a card among nearly equal ones or this
        machine's own, a stand-in for a model, a format that a few words may mean."""
        s = self.scenario
        for name, said in s.said.items():
            value = getattr(s, name, None)
            if said.origin not in ("assumed", "measured") or value is None or (name == "params" and s.stand_in):
                continue
            value = value.low if isinstance(value, Span) and value.single else value
            shown = getattr(value, "name", None) or getattr(value, "id", None) or getattr(value, "text", None) or value
            why = "from-statistics" if said.source == STATISTICS else "read-as"
            if said.origin == "measured":
                why = "this-machine"
            elif name == "gpu" or (name == "model" and s.stand_in):
                why = "card-alike" if name == "gpu" else "stand-in"
            self._assume(name, _shown(shown, "none"), why, said.source)

    @cached_property
    def engine(self) -> Engine | None:
        """The server; vLLM where only its settings are given."""
        s = self.scenario
        if s.engine is None and any(getattr(s, name) is not None for name in OF_VLLM):
            self._assume("engine", "vLLM", "settings-of-vllm")
            return "vllm"
        return s.engine

    @cached_property
    def spread(self) -> Spread:
        """How the cards share the work."""
        found, noted = placement.spread(self.scenario)
        self._note(noted)
        return found

    @property
    def cards(self) -> int:
        """Cards that work, of all replicas."""
        return self.spread.cards

    @cached_property
    def form(self) -> Format | None:
        """Format of the weights; ``None`` without a model."""
        found, noted = placement.form(self.scenario)
        self._note(noted)
        return found

    @cached_property
    def _p(self) -> Fraction:
        """Bytes of a number of the cache."""
        s = self.scenario
        if s.model is None:
            return Fraction(2)
        if s.kv is None:
            self._assume("kv", "16-bit", "kv-sparse" if memory.index_symbols(s.model) else "kv-as-model")
        model, flat = s.model, s.engine in engines.FLAT_LATENTS
        found = self._try("kv", lambda: memory.number_bytes(model, s.kv or "auto", flat=flat))
        return Fraction(2) if found is None else found

    # --- lengths and caps --------------------------------------------------------------------------------------------

    @cached_property
    def prompt(self) -> int | None:
        """Tokens of a prompt, the middle of a range."""
        return self.scenario.prompt.mid if self.scenario.prompt else None

    @cached_property
    def output(self) -> int | None:
        """Tokens that a request makes."""
        return self.scenario.output.mid if self.scenario.output else None

    @cached_property
    def peak_tokens(self) -> int | None:
        """Tokens of a request when it is done; what is not said of it counts as nothing (and is assumed so)."""
        if self.prompt is None and self.output is None:
            return None
        for name, value in (("prompt", self.prompt), ("output", self.output)):
            if value is None:
                self._assume(name, Amount(Fraction(0), "tokens"), "length-not-said")
        return (self.prompt or 0) + (self.output or 0)

    @property
    def tokens(self) -> int | None:
        """The same, under its short name."""
        return self.peak_tokens

    @cached_property
    def context(self) -> int:
        """Tokens that a decoding sequence holds on average: the prompt and half the output."""
        if self.peak_tokens is None:
            held = self.scenario.held or self.held_of_pool
            if held:
                self._assume("context", Amount(Fraction(held), "tokens"), "as-held")
                return held
            longest = self.scenario.max_model_len or (self.scenario.model.context if self.scenario.model else 0)
            found = min(TYPICAL_CONTEXT, longest) if longest else TYPICAL_CONTEXT
            self._assume("context", Amount(Fraction(found), "tokens"), "typical-context")
            return found
        return max(1, (self.prompt or 0) + (self.output or 0) // 2)

    @property
    def held_of_pool(self) -> int | None:
        """Tokens in the cache of a running request, by the pool and its gauge; ``None`` where either is not known."""
        return None  # a case knows its pool

    @cached_property
    def _cap(self) -> int | None:
        """Most sequences of a step; SGLang shares a cap among the replicas of data-parallel attention."""
        self._force(self.defaults.max_num_seqs, "max_num_seqs")
        return self.at_most

    @property
    def cap_shared(self) -> int:
        """Replicas that the cap that was set is for all together."""
        s = self.scenario
        together = s.attention_dp and s.engine == "sglang" and s.max_num_seqs is not None
        return max(1, self.spread.dp) if together else 1

    @property
    def at_most(self) -> int | None:
        """Most sequences of a replica's step, for what only compares it."""
        cap = self.defaults.max_num_seqs.value or None
        return cap and max(1, cap // self.cap_shared)

    @cached_property
    def _chunk(self) -> int | None:
        """Most tokens of a prompt in a step."""
        if not self._force(self.defaults.chunked_prefill, "chunked_prefill"):
            return None
        return self._force(self.defaults.token_budget, "max_num_batched_tokens") or None

    @property
    def _graphs(self) -> bool:
        """Whether decode steps are replayed from graphs, as far as anybody says so."""
        return self.defaults.graphs.value is not False or (self.engine == "exllama" and not self.scenario.eager)

    @cached_property
    def _drafts(self) -> int:
        s = self.scenario
        if not s.speculation:
            return 0
        if s.draft_tokens is None:
            self._assume("draft_tokens", USUAL_DRAFT, "usual-draft")
        return USUAL_DRAFT if s.draft_tokens is None else s.draft_tokens

    @cached_property
    def _kind(self) -> Kind:
        return "reserve" if self.scenario.reserve else _KINDS.get(self.engine, "grows")
