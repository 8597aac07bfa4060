"""What a flag can set beyond one value: tables and their texts, pools in two units, budgets that are switches too.

Readers as in :mod:`engine.diagnosis.settings.flag_values`; those that set several fields give them by name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from engine import precision
from engine.diagnosis.settings.flag_values import (
    ALL_LAYERS,
    MAX_TOKENS,
    SILENT,
    NotRead,
    count,
    first,
    in_bytes,
    largest,
    present,
    ranks,
    size,
    some,
    switch,
    text,
)  # fmt: skip
from engine.links import Kind as LinkKind

Reader = Callable[[object], object]
"""Reads a value, or raises ``NotRead``; ``None`` or no fields where it says nothing."""

# --- composed values ------------------------------------------------------------------------------------------------


def table(value: object) -> Mapping[str, Any] | None:
    """A value that is a table, or the text of one: JSON, or "image=3,video=1"."""
    if isinstance(value, Mapping):
        return value
    if not isinstance(value, str) or len(value) > 4096:
        return None
    line = value.strip()
    if line.startswith("{"):
        import json  # few flags hold a table

        try:
            read = json.loads(line.replace("'", '"'))
        except (ValueError, RecursionError):
            return None
        return read if isinstance(read, dict) else None
    pairs = dict(part.split("=", 1) for part in re.split(r"[,;\s]+", line) if part.count("=") == 1)
    return pairs or None


def images(value: object) -> int | None:
    """Pictures of a prompt in "image=3", a table, or a number."""
    inside = table(value)
    if inside is None:
        return some(value)
    found = next((inside[key] for key in inside if "image" in str(key).casefold()), None)
    if isinstance(found, Mapping):
        found = found.get("count")
    return None if found is None else some(found)


_POOL_BYTES = r"(?i)(\d{1,12}(?:\.\d{1,6})?)\s*([kmgt]i?b|bytes)\b"
_POOL_TOKENS = r"(?i)(\d{1,3}(?:[,_]\d{3}){1,3}|\d{1,10})\s*(k)?\s*(?:tokens?|toks?|slots|cells)\b"


def pool(value: object) -> dict[str, object]:
    """A pool in bytes, in tokens or both: "16 GiB fixed, 299584 tokens". A bare number is bytes from a megabyte on."""
    line = text(value)
    out: dict[str, object] = {}
    for found, name in ((re.search(_POOL_BYTES, line), "kv_pool"), (re.search(_POOL_TOKENS, line), "kv_pool_tokens")):
        if found and name == "kv_pool":
            out[name] = in_bytes(Fraction(found[1]), found[2].casefold())
        elif found:
            out[name] = count(f"{re.sub('[,_]', '', found[1])}{found[2] or ''}")
    if out:
        return out
    amount = size(value)
    if amount is None:
        return {}
    if amount < 1 << 20:
        raise NotRead("no-unit")
    return {"kv_pool": amount}


# --- meanings of one flag -------------------------------------------------------------------------------------------


def several(value: object) -> bool | None:
    """Whether a number of ranks is over one, or a switch is on."""
    try:
        found = ranks(value)
    except NotRead:
        return switch(value)
    return None if found is None else found > 1


_RANKS = r"(?<![a-z])(tp|pp|dp)\s{0,3}[=:x_-]?\s{0,3}(\d{1,4})(?!\d)"


def spread(value: object) -> dict[str, object]:
    """Ranks in one text: "TP4", "tp=2 pp=2", "DP8 + EP"."""
    line = text(value).casefold()
    found: dict[str, object] = {name: ranks(int(number)) for name, number in reversed(re.findall(_RANKS, line))}
    if found and re.search(r"(?<![a-z])ep(?![a-z])|expert", line):
        found["expert_parallel"] = True
    return found


_LINKS: tuple[tuple[str, LinkKind], ...] = (
    (r"no nv-?link|without nv-?link|nv-?link (?:off|disabled|none|missing|nahi)|bina nv-?link", "pcie"),
    (r"nv-?link|nv-?switch|\bsxm|\bnvl\d*\b|\bnv\d{1,2}\b", "nvlink"),
    (r"infinity fabric|xgmi", "fabric"),
    (r"\bpci-?e?\b|\bpci express|^(?:phb|pix|pxb|sys|node)$|\bgen ?[1-6]\b|oculink|thunderbolt", "pcie"),
    (r"unified memory|unified", "unified"),
)


def link(value: object) -> LinkKind | None:
    """The kind of link that a text names: "PCIe, no NVLink", "NV12", "PHB"."""
    line = text(value).casefold()
    if line in SILENT or line == "":
        return None
    for pattern, kind in _LINKS:
        if re.search(pattern, line):
            return kind
    raise NotRead("unknown-link")


def nvlink(value: object) -> LinkKind | None:
    """The link of a flag that is called "nvlink"."""
    try:
        found = switch(value)
    except NotRead:
        return link(value)
    return None if found is None else "nvlink" if found else "pcie"


def bits(form: str) -> Callable[[object], precision.Format | None]:
    """A reader of a switch that asks for one format while loading."""

    def read(value: object) -> precision.Format | None:
        return precision.FORMATS[form] if switch(value) else None

    return read


def layers(value: object) -> int | None:
    """Layers on the card; "all" and -1 are every one."""
    if first(value) in ("all", "max", "-1", "everything", "full"):
        return ALL_LAYERS
    return some(value)


def given(value: object) -> bool | None:
    """True for any value, even 0: giving the flag is what counts."""
    return None if first(value) in SILENT else True


def experts_elsewhere(value: object) -> bool | None:
    """Whether tensors that are moved to host memory are those of the experts."""
    return True if re.search(r"exp(?:s|ert)", text(value).casefold()) else None


def context(value: object) -> int | None:
    """A window; 0 and -1 leave it to the model."""
    return None if first(value) == "-1" else some(value) or None


def slots(value: object) -> int | None:
    """Slots of a server; -1 leaves them to the engine."""
    return None if first(value) == "-1" else count(value)


def chunk(value: object) -> dict[str, object]:
    """A chunk of a prefill is the step's budget too; -1 is off."""
    if first(value) in ("-1", "0", "off", "none", "disabled", "false"):
        return {"chunked_prefill": False}
    found = count(value)
    return {} if found is None else {"chunked_prefill": True, "max_num_batched_tokens": found}


def pool_blocks(value: object) -> dict[str, object]:
    """A pool in blocks; ``blocks`` becomes tokens when the size of a block is known."""
    found = count(value)
    return {} if found is None else {"blocks": found}


def policy(value: object) -> dict[str, object]:
    """TensorRT-LLM's ways of admitting: GUARANTEED_NO_EVICT reserves the output limit, MAX_UTILIZATION may pause."""
    if isinstance(value, bool):
        return {"full_admission": value}
    line = text(value).casefold().replace("-", "_")
    if "static" in line:
        return {"static_batching": True}
    found = re.search(r"no_evict|max_util", line)
    return {"full_admission": found[0] == "no_evict"} if found else {}


def static(value: object) -> bool | None:
    """Whether a way of batching, by its name, re-forms the batch at every step or not."""
    line = text(value).casefold()
    if re.search(r"in-?_?flight|continuous|iteration", line):
        return False
    return True if re.search(r"static|\bv1\b|fixed", line) else None


def graphs(value: object) -> dict[str, object]:
    """The largest captured batch; no sizes, or 0, is no graphs."""
    found = largest(value)
    if found is None:
        return {}
    return {"graph_max_batch": found} if found else {"eager": True}


def graph_mode(value: object) -> dict[str, object]:
    """vLLM's kind of graphs; NONE is without."""
    kept = first(value)
    return {"eager": kept in ("none", "0", "off", "false")} if kept and kept not in ("auto", "default") else {}


def graph_table(value: object) -> dict[str, object]:
    """A table of graph settings (``cuda_graph_config``, ``--compilation-config``); null is no graphs."""
    if isinstance(value, str) and first(value) in ("null", "none"):
        return {"eager": True}
    inside = table(value) or {}
    if str(inside.get("cudagraph_mode", "")).casefold().endswith("none"):
        return {"eager": True}
    names = ("max_batch_size", "max_cudagraph_capture_size", "batch_sizes", "cudagraph_capture_sizes")
    sizes = next((inside[name] for name in names if name in inside), None)
    return {} if sizes is None else graphs(sizes)


_TOKENS = r"(\d{1,4}) (?:draft )?tok"
_DRAFTED = ("num_speculative_tokens", "max_draft_len", "num_steps", "k", "tokens")


def drafting(value: object) -> dict[str, object]:
    """``--speculative-config``: a table or the text of one, or a word on what drafts ("EAGLE, k=3", "3 tokens")."""
    inside = table(value)
    if inside is None:
        used = present(value)
        told = re.match(_TOKENS, first(value)) if isinstance(value, str) else None
        return {} if used is None else drafts(told[1]) if told else {"speculation": used}
    tokens = next((inside[key] for key in _DRAFTED if key in inside), 0)
    found = some(tokens)
    return {"speculation": True, "draft_tokens": found} if found else {"speculation": True}


def drafts(value: object) -> dict[str, object]:
    """Tokens drafted a step; 0 is no drafting."""
    found = some(value)
    if found is None:
        return {}
    return {"speculation": True, "draft_tokens": found} if found else {"speculation": False}


def drafts_and_one(value: object) -> dict[str, object]:
    """SGLang counts the tokens that are verified, the one of the model itself among them."""
    found = count(value)
    return {} if found is None else drafts(found - 1)


def adapters(value: object) -> dict[str, object]:
    """Adapters by name or path: how many there are."""
    if not present(value):
        return {} if present(value) is None else {"lora": False}
    if isinstance(value, Mapping | Sequence) and not isinstance(value, str):
        return {"lora": True, "loras": min(len(value), MAX_TOKENS)}
    named = [part for part in re.split(r"[,\s]+", text(value)) if part]
    return {"lora": True, "loras": len(named)} if isinstance(value, str) and len(named) > 1 else {"lora": True}


def answer_format(value: object) -> bool | None:
    """Whether an answer's format ("json_schema") needs a grammar."""
    inside = table(value)
    line = text(inside.get("type", "") if inside else value).casefold()
    return True if "json" in line or "regex" in line or "grammar" in line else None
