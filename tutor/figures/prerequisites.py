"""The prerequisite tree of the core course: which idea is needed before which, and the lesson that teaches it.

The chain from token to KV cache and its end in LLM serving are the source's; what lies between and the side branches
are our own reading of it, in agreement with what the lessons need. A tree shows one way to each idea, so an idea that
needs others too names them.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Node:
    """One idea: its id, its depth in the tree, and the lesson that teaches it."""

    id: str
    depth: int
    lesson: str
    terms: tuple[str, ...]
    """Ids of the glossary's terms that say what it is."""
    formula: str = ""
    """The registered formula that it comes down to, if it has one."""
    also: tuple[str, ...] = ()
    """Ids of what it needs besides the idea that it hangs under."""


NODES = (
    Node("token", 0, "core/C0", ("token",)),
    Node("vector", 1, "core/C0", ("vector", "d-model"), "vector_bytes"),
    Node("query-key-value", 2, "core/C0", ("query", "key", "value")),
    Node("heads", 3, "core/C0", ("head", "d-head"), "head_dim"),
    Node("kv-cache", 3, "core/C0", ("kv-cache",)),
    Node("kv-formula", 4, "core/C2", ("sequence-length", "kv-head"), "kv_cache", ("heads", "precision")),
    Node("paging", 4, "core/C3", ("paged-attention", "block"), "blocks", ("kv-formula",)),
    Node("fit", 4, "core/C5", ("budget", "headroom"), "headroom", ("kv-formula", "paging", "quantization")),
    Node("choice", 5, "core/C6", ("bottleneck", "lever"), also=("phases", "continuous-batching")),
    Node("serving", 6, "core/C6", ("throughput", "latency")),
    Node("precision", 0, "core/C0", ("byte", "precision")),
    Node("memory-pipe", 1, "core/C0", ("memory-pipe",)),
    Node("bound", 2, "core/C1", ("memory-bound", "compute-bound"), "ridge"),
    Node("phases", 3, "core/C1", ("prefill", "decode")),
    Node("quantization", 1, "core/C4", ("quantization", "scale"), "quant_step", ("phases",)),
    Node("batching", 0, "core/C0", ("batching",), "weight_read_per_request"),
    Node("continuous-batching", 1, "core/C1", ("continuous-batching",)),
)
"""The map in reading order: a deeper node needs the one above it, and LLM serving is where it ends."""


def children(place: int) -> range:
    """The places of everything below a node."""
    end = next((i for i in range(place + 1, len(NODES)) if NODES[i].depth <= NODES[place].depth), len(NODES))
    return range(place + 1, end)


def leads_to(place: int) -> tuple[int, ...]:
    """The places of what needs this node: what hangs right under it, then what also needs it."""
    hanging = tuple(below for below in children(place) if NODES[below].depth == NODES[place].depth + 1)
    return (*hanging, *(other for other, node in enumerate(NODES) if NODES[place].id in node.also))


def needs(place: int) -> tuple[int, ...]:
    """The places of what this node needs: the one that it hangs under, then the others."""
    others = tuple(other for other, node in enumerate(NODES) if node.id in NODES[place].also)
    return (*way(place)[:-1][-1:], *others)


def way(place: int) -> tuple[int, ...]:
    """The places from the root to a node, itself the last."""
    above = tuple(root for root in range(place) if place in children(root))
    return (*above, place)


def guides(place: int) -> str:
    """The lines of the tree left of a node: two columns for each level above it."""
    depth, text = NODES[place].depth, ""
    for level in range(1, depth + 1):
        later = [node.depth for node in NODES[place + 1 :]]
        goes_on = next((d == level for d in later if d <= level), False)
        text += ("├ " if goes_on else "└ ") if level == depth else ("│ " if goes_on else "  ")
    return text
