"""What is in force on a server where nothing is said: its engine's defaults, by version.

A value of the scenario always wins; a default is an assumption and carries the release it belongs to. An unknown
version takes the newest row. The rows, with their sources, are :mod:`engine.diagnosis.settings.default_rows`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Generic, NamedTuple, TypeVar

from engine import vllm
from engine.diagnosis.model import Engine, Said, Scenario
from engine.diagnosis.settings import default_rows, engines

T = TypeVar("T")


class Value(NamedTuple, Generic[T]):
    """A setting in force: ``None`` where the engine has no such limit or nobody knows; and where it comes from."""

    value: T | None
    said: Said


@dataclass(frozen=True, slots=True)
class Defaults:
    """The settings in force.

    Attributes:
        paged: KV is kept in blocks or cells of one pool that requests share.
        continuous: the batch is re-formed every step.
        chunked_prefill, prefix_caching: as named.
        graphs: CUDA graphs are on.
        graph_max_batch: largest captured batch, in tokens of a step.
        full_admission: a request starts only when its whole prompt (with its output limit: TensorRT-LLM, TGI) fits.
        unified: slots share one pool.
        utilization: share of the card (vLLM, SGLang), or of what is free after the weights (the others).
        max_num_seqs: sequences of a step at most.
        token_budget: tokens of a step at most.
        block_size: tokens of a block.
        watermark: share of the pool that admission keeps free.
        slots: parallel slots of a server that has them.
        max_model_len: longest sequence, where an engine has a default other than the model's window.
    """

    paged: Value[bool]
    continuous: Value[bool]
    chunked_prefill: Value[bool]
    prefix_caching: Value[bool]
    graphs: Value[bool]
    graph_max_batch: Value[int]
    full_admission: Value[bool]
    unified: Value[bool]
    utilization: Value[Fraction]
    max_num_seqs: Value[int]
    token_budget: Value[int]
    block_size: Value[int]
    watermark: Value[Fraction]
    slots: Value[int]
    max_model_len: Value[int]


def of(s: Scenario) -> Defaults:
    """The settings in force for a scenario, each with where it comes from."""
    rows = default_rows.of(s)
    assumed = Said("assumed", _source(s))
    values: dict[str, Value[object]] = {name: Value(rows.get(name), assumed) for name in _NAMES}
    values |= {name: Value(value, s.said.get(field, _GIVEN)) for name, field, value in _said(s)}
    if values["graphs"].value is False:  # then no captured batch bounds anything
        values["graph_max_batch"] = Value(None, values["graphs"].said)
    return Defaults(**values)  # type: ignore[arg-type]  # each row's values have the type of their name


_NAMES = tuple(one.name for one in fields(Defaults))

_NEWEST: Mapping[Engine, str] = {
    "vllm": "{}.{}".format(*vllm.NEWEST), "sglang": "0.5.20", "tensorrt-llm": "1.3", "llama.cpp": "2026-09",
    "tgi": "3.3.7",
}  # fmt: skip
"""The newest release that the table of flags has."""


def _source(s: Scenario) -> str:
    version = s.version or (_NEWEST.get(s.engine) if s.engine else None)
    return engines.title(s.engine, version)


_GIVEN = Said("given")
"""Where a value comes from of which nobody said so."""


def _said(s: Scenario) -> Iterator[tuple[str, str, object]]:
    """What the scenario itself says: the default that it replaces, the field, the value."""
    if s.reserve is not None:
        yield "paged", "reserve", False
    if s.static_batching is not None:
        yield "continuous", "static_batching", not s.static_batching
    if s.eager is not None:
        yield "graphs", "eager", not s.eager
    if s.max_num_batched_tokens is not None:
        yield "token_budget", "max_num_batched_tokens", s.max_num_batched_tokens
    for name in _SAME:
        value = getattr(s, name)
        if value is not None:
            yield name, name, value


_SAME = tuple(name for name in _NAMES if name not in ("paged", "continuous", "graphs", "token_budget"))
"""Names that a scenario has too."""
