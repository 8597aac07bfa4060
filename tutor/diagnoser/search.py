"""What a few typed letters may mean: names of the catalogue, formats, choices. Best first, a handful."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, get_args

if TYPE_CHECKING:
    from engine.catalog import Gpu, Model

KV = ("auto", "fp16", "bf16", "fp8", "int8", "q8_0", "q4_0")
MOST = 6


class Found(NamedTuple):
    """A suggestion: the text that would stand in the field, and a word about it."""

    text: str
    note: str = ""


def suggest(kind: str, choices: Sequence[str], typed: str, most: int = MOST) -> list[Found]:
    """Suggestions for a field of a kind; none for free numbers, and none where what is typed is a name already."""
    every = _every(kind, tuple(choices))
    wanted = typed.lower().split()
    if not wanted or any(found.text.lower() == typed.strip().lower() for found, _ in every):
        return []
    ranked = [
        (_rank(found.text.lower(), wanted), place, found)
        for place, (found, names) in enumerate(every)
        if all(any(word in name for name in names) for word in wanted)
    ]
    return [found for *_, found in sorted(ranked)[:most]]


def meant(kind: str, choices: Sequence[str], typed: str) -> str:
    """The one name that a text stands for: it is a name of it, or no other name has it in it."""
    wanted = " ".join(typed.lower().split())
    named = [found.text for found, names in _every(kind, tuple(choices)) if wanted in names] if wanted else []
    found = named or [found.text for found in suggest(kind, choices, typed)]
    return found[0] if len(found) == 1 else ""


def _rank(text: str, wanted: Sequence[str]) -> int:
    """0 where the name starts as typed, 1 where a word of it does, 2 elsewhere."""
    last = text.rpartition("/")[2]
    if last.startswith(wanted[0]) or text.startswith(wanted[0]):
        return 0
    return 1 if any(part.startswith(wanted[0]) for part in last.replace("-", " ").split()) else 2


@cache
def _every(kind: str, choices: tuple[str, ...]) -> tuple[tuple[Found, tuple[str, ...]], ...]:
    if kind == "model":
        from engine import catalog

        return tuple(
            (Found(short_name(one.id), _size(one)), (one.id.lower(), *(alias.lower() for alias in one.aliases)))
            for one in catalog.models()
        )
    if kind == "gpu":
        from engine import catalog

        return tuple(
            (Found(one.name, _memory(one)), (one.name.lower(), *(alias.lower() for alias in one.aliases)))
            for one in catalog.gpus()
        )
    return tuple((Found(choice), (choice.lower(),)) for choice in choices or _named(kind))


def _named(kind: str) -> Sequence[str]:
    """Names that a field of this kind may hold, the usual ones."""
    if kind == "format":
        from engine.precision import FORMATS

        return tuple(FORMATS)
    if kind == "engine":
        from engine.diagnosis.model import Engine

        return tuple(name for name in get_args(Engine) if name != "other")
    return KV if kind == "kv-format" else ()


def short_name(id: str) -> str:
    """A model as people call it: without its owner, where that is one model only."""
    from engine import catalog

    short = id.rpartition("/")[2]
    try:
        return short if catalog.model(short).id == id else id
    except (catalog.AmbiguousName, catalog.UnknownName):
        return id


def _size(model: Model) -> str:
    return "" if not model.params else f"{float(model.params) / 10**9:.3g}B"


def _memory(gpu: Gpu) -> str:
    size = f"{gpu.capacity // 10**9}"
    return "" if f"{size}GB" in gpu.name else f"{size} GB"
