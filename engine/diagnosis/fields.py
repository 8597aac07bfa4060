"""The public inputs of the diagnoser in the order of a form: one table for options, files, JSON and screens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

Kind = Literal[
    "text", "model", "gpu", "count", "tokens", "span", "share", "format", "kv-format", "choice", "seconds", "rate",
    "gigabytes", "number", "path",
]  # fmt: skip
Group = Literal["model", "card", "load", "server", "measured", "settings"]
"""``settings``: what an engine's flags set; one may say them by name too, and a form may leave them to its flags."""

SWITCH = ("on", "off")
"""The choices of what is on or off; true, yes, 1 and their like are read as well."""


class Field(NamedTuple):
    """A public input.

    Attributes:
        name: the key in a scenario file and in JSON.
        option: of the command line.
        kind: how its value is read.
        unit: of a bare number, a name of ``engine.units``; "" where there is none.
        low, high: what is possible, in base units; ``None`` for no bound.
        choices: of a ``choice``.
        group: where a form has it.
        attribute: of :class:`engine.diagnosis.model.Scenario`; "" where it goes into making another ("bandwidth").
    """

    name: str
    option: str
    kind: Kind
    unit: str
    low: int | None
    high: int | None
    choices: tuple[str, ...]
    group: Group
    attribute: str


MOST_TOKENS = 10**9
MOST_CARDS = 100_000
ARCHITECTURE = ("layers", "d_model", "n_head", "n_kv_heads", "d_head", "ffn", "vocab", "context")
"""Numbers that together make a dense model that no catalogue has."""


def _field(
    name: str, kind: Kind, group: Group, unit: str = "", low: int | None = None, high: int | None = None,
    choices: tuple[str, ...] = (), attribute: str | None = None,
) -> Field:  # fmt: skip
    option = "--" + name.replace("_", "-")
    return Field(name, option, kind, unit, low, high, choices, group, name if attribute is None else attribute)


def _switch(name: str) -> Field:
    return _field(name, "choice", "settings", choices=SWITCH)


FIELDS: tuple[Field, ...] = (
    _field("model", "model", "model", attribute="model_name"),
    _field("params_b", "number", "model", "", 10**6, 10**14, attribute="params"),
    _field("weights", "format", "model"),
    _field("kv", "kv-format", "model"),
    *(_field(name, "count", "model", "", 1, 10**8, attribute="") for name in ARCHITECTURE),
    _field("gpu", "gpu", "card", attribute="gpu_name"),
    _field("gpus", "count", "card", "cards", 1, MOST_CARDS),
    _field("nodes", "count", "card", "", 1, MOST_CARDS),
    _field("link", "choice", "card", choices=("nvlink", "pcie", "fabric")),
    _field("gpu_memory", "gigabytes", "card", "GB", 10**8, 10**14, attribute=""),
    _field("bandwidth", "number", "card", "GB/s", 10**9, 10**15, attribute=""),
    _field("tflops", "number", "card", "TFLOP/s", 10**10, 10**18, attribute=""),
    _field("price_per_hour", "number", "card", "", 0, 10**9),
    _field("prompt", "span", "load", "tokens", 1, MOST_TOKENS),
    _field("output", "span", "load", "tokens", 1, MOST_TOKENS),
    _field("concurrency", "span", "load", "requests", 1, 10**7),
    _field("request_rate", "rate", "load", "", 0, 10**7),
    _field("requests", "count", "load", "requests", 1, 10**10),
    _field("engine", "text", "server", attribute="engine_name"),
    _field("version", "text", "server"),
    _field("max_model_len", "tokens", "server", "tokens", 1, MOST_TOKENS),
    _field("gpu_memory_utilization", "share", "server", "%", 0, 1, attribute="utilization"),
    _field("max_num_seqs", "count", "server", "requests", 1, 10**7),
    _field("max_num_batched_tokens", "tokens", "server", "tokens", 1, MOST_TOKENS),
    _field("tp", "count", "server", "cards", 1, MOST_CARDS),
    _field("pp", "count", "server", "cards", 1, MOST_CARDS),
    _field("dp", "count", "server", "cards", 1, MOST_CARDS),
    _field("reserve", "tokens", "server", "tokens", 1, MOST_TOKENS),
    _field("ttft", "seconds", "measured", "s", 0, 10**6),
    _field("tpot", "seconds", "measured", "s", 0, 10**4),
    _field("throughput", "rate", "measured", "tokens/s", 0, 10**9),
    _field("prompt_throughput", "rate", "measured", "tokens/s", 0, 10**9),
    _field("running", "count", "measured", "requests", 0, 10**7),
    _field("waiting", "count", "measured", "requests", 0, 10**9),
    _field("kv_usage", "share", "measured", "%", 0, 1),
    _switch("expert_parallel"),
    _field("kv_pool", "gigabytes", "settings", "GB", 0, 10**14),
    _field("kv_pool_tokens", "tokens", "settings", "tokens", 0, 10**12),
    _field("block_size", "tokens", "settings", "tokens", 1, 10**6),
    _field("context_total", "tokens", "settings", "tokens", 1, MOST_TOKENS),
    _field("slots", "count", "settings", "slots", 1, 10**6),
    _switch("unified"),
    _switch("eager"),
    _field("graph_max_batch", "count", "settings", "", 0, 10**7),
    _switch("chunked_prefill"),
    _switch("prefix_caching"),
    _switch("full_admission"),
    _field("watermark", "share", "settings", "%", 0, 1),
    _switch("speculation"),
    _field("draft_tokens", "count", "settings", "tokens", 0, 10**4),
    _switch("lora"),
    _field("loras", "count", "settings", "", 0, 10**6),
    _switch("grammar"),
    _switch("static_batching"),
    _field("images", "count", "settings", "", 0, 10**6),
    _field("cpu_offload", "gigabytes", "settings", "GB", 0, 10**14),
    _field("gpu_layers", "count", "settings", "layers", 0, 10**6),
    _switch("expert_offload"),
    _switch("no_custom_all_reduce"),
    _switch("p2p_off"),
    _switch("attention_dp"),
    _switch("act_order"),
)
"""Every input with one value. Beside them a scenario file has the tables of :data:`TABLES`."""

BY_NAME: Mapping[str, Field] = {one.name: one for one in FIELDS}
BY_ATTRIBUTE: Mapping[str, Field] = {one.attribute: one for one in FIELDS if one.attribute}

TABLES = ("flags", "symptoms", "read")
"""Keys with more than one value: flags as written, sentences in plain words, and what an earlier reading found (only
written and read by :mod:`engine.diagnosis.scenario`, so that a saved scenario is the same when it is opened)."""

COMMAND = "command"
"""The key of a server's start command, which is read into an engine, a model and flags."""

PROBLEMS = (
    "negative", "zero", "too-small", "too-large", "over-one", "more-ranks-than-cards", "more-stages-than-layers",
    "more-nodes-than-cards", "heads-do-not-split", "not-readable", "empty",
    "longer-than-window", "heads-do-not-divide", "cannot-size", "missing-key", "bad-key", "not-a-table",
    "too-many-keys", "not-a-scenario", "not-toml", "not-json", "long-number", "too-deep", "no-file", "no-config",
)  # fmt: skip
"""Every reason of :class:`ScenarioProblem`."""


class ScenarioProblem(Exception):
    """A scenario that is impossible, or a text that is none.

    Attributes:
        reason: one of :data:`PROBLEMS`.
        field: the public input at fault, or "flags.<name>", or "file".
        params: values for the sentence.
    """

    def __init__(self, reason: str, field: str, params: Mapping[str, str | int] | None = None) -> None:
        super().__init__(reason, field)
        self.reason, self.field, self.params = reason, field, dict(params or {})


TOGETHER = (
    "over-cap", "nothing-admitted", "over-card", "zero-while-running", "waits-while-idle", "fewer-than-at-once",
    "beyond-window", "beyond-longest",
)  # fmt: skip
"""Reasons of what :mod:`engine.diagnosis.reading.together` tells."""

TOLD = frozenset(("weights-short", "weights-unread", "read-as", "said-twice", "stood-in", "meant-here", *TOGETHER))
"""Reasons of an ``Unread`` whose value is used all the same."""

_ALSO = {
    "gpu_name": "gpu", "model_name": "model", "engine_name": "engine",
    "gpu_count": "gpus", "num_gpus": "gpus", "n_gpus": "gpus", "cards": "gpus", "card": "gpu", "memory": "gpu_memory",
    "vram": "gpu_memory", "batch": "concurrency", "batch_size": "concurrency", "users": "concurrency",
    "precision": "weights",
    "input": "prompt", "input_len": "prompt", "prompt_len": "prompt", "output_len": "output", "max_tokens": "output",
    "kv_precision": "kv", "parameters": "params_b", "itl": "tpot", "rps": "request_rate", "qps": "request_rate",
}  # fmt: skip
"""Other names for the same; suggested and not read, so that a file says one thing in one way."""


def nearest(name: str) -> str:
    """The known key that a misspelt one most likely means; "" where none is near."""
    from difflib import get_close_matches  # only a wrong key needs it

    key = name[:60].strip().lower().lstrip("-").replace("-", "_").replace(" ", "_")
    if key in _ALSO:
        return _ALSO[key]
    close = get_close_matches(key, [*BY_NAME, *TABLES[:2]], n=1, cutoff=0.6)
    return close[0] if close else ""
