"""The prerequisite tree of the core course: which idea is needed before which, and the lesson that teaches it.

The chain from token to KV cache is the source's; the side branches are our own reading of it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Node:
    """One idea: its id, its depth in the tree, and the lesson that teaches it."""

    id: str
    depth: int
    lesson: str


NODES = (
    Node("token", 0, "core/C0"),
    Node("vector", 1, "core/C0"),
    Node("query-key-value", 2, "core/C0"),
    Node("kv-cache", 3, "core/C0"),
    Node("kv-formula", 4, "core/C2"),
    Node("paging", 4, "core/C3"),
    Node("heads", 3, "core/C0"),
    Node("precision", 0, "core/C0"),
    Node("memory-pipe", 1, "core/C0"),
    Node("bound", 2, "core/C1"),
    Node("phases", 3, "core/C1"),
    Node("quantization", 1, "core/C4"),
    Node("batching", 0, "core/C0"),
    Node("continuous-batching", 1, "core/C1"),
    Node("serving", 0, "core/C6"),
    Node("fit", 1, "core/C5"),
    Node("choice", 1, "core/C6"),
)
"""The map in reading order: a deeper node needs the one above it."""


def children(place: int) -> range:
    """The places of everything below a node."""
    end = next((i for i in range(place + 1, len(NODES)) if NODES[i].depth <= NODES[place].depth), len(NODES))
    return range(place + 1, end)


def guides(place: int) -> str:
    """The lines of the tree left of a node: two columns for each level above it."""
    depth, text = NODES[place].depth, ""
    for level in range(1, depth + 1):
        later = [node.depth for node in NODES[place + 1 :]]
        goes_on = next((d == level for d in later if d <= level), False)
        text += ("├ " if goes_on else "└ ") if level == depth else ("│ " if goes_on else "  ")
    return text
