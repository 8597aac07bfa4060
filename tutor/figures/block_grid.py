"""FI-10, the block grid: one reserved row of max_len slots against blocks of bs slots, the last one slot by slot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from engine.units import grouped
from tutor.figures.base import Figure, FigureKey
from tutor.figures.block_rows import Blocks, block_rows, last_row, memory_rows
from tutor.figures.numbers import Args, calc
from tutor.figures.parameters import Parameter
from tutor.figures.pen import DIM, KV, RESERVED, STRONG, Part, Pen, beside
from tutor.figures.rows import Row, apportion
from tutor.figures.shell import Shell
from tutor.figures.shell import calc as command
from tutor.figures.state import State, between, hidden, names, number, put, whole

SIZES = (1, 8, 16, 32, 64, 128)
MOST = 2**20
"""Slots of the longest row that can be typed."""
_HIDDEN = "?"
"""In place of a number that an exercise asks for."""
_MEMORY = 8
"""Rank of the memory under the blocks: it goes before the sentence on what to notice."""
_WIDE = 96
"""Columns from which the memory stands beside the blocks."""
PAGED = "paged"
"""Hides the blocks altogether: where an exercise asks for the lever that brings them."""
_NAIVE_SHARE, _PAGED_SHARE = ("waste", "naive_waste"), ("waste", "paged_waste")
"""The parts that hide a share; "waste" hides both."""
_COMMANDS = {
    "paged_waste": (*_PAGED_SHARE, PAGED),
    "naive_waste": _NAIVE_SHARE,
    "blocks": ("blocks", PAGED),
    "wasted_slots": ("slack", PAGED),
    "unused_slots": ("unused",),
    "worst_slack": ("most", PAGED),
}
"""The formulas of the drawing, the most useful first, each with the parts that hide it."""
_NEEDS = {"naive_waste": ("max_len", "used"), "unused_slots": ("max_len", "used"), "worst_slack": ("bs",)}


def given(state: State, *symbols: str) -> Args:
    """Values of the formulas, by symbol."""
    return {name: whole(state, name) for name in symbols or ("used", "bs")}


def _asked(state: State, *parts: str) -> bool:
    """Whether one of these parts is hidden."""
    return any(hidden(state, part) for part in parts)


def blocks_of(state: State) -> Blocks:
    """The request's blocks, and what of them may be seen: a shown slack would answer what asks for the slots."""
    count, slack = int(calc("blocks", **given(state))), int(calc("wasted_slots", **given(state)))
    slack_shown = not _asked(state, "slack", "slots", "waste")
    number_shown = not _asked(state, "blocks")
    return Blocks(count, whole(state, "bs"), slack, number_shown, slack_shown)


def _naive(state: State, pen: Pen) -> list[Row]:
    """The reservation of a naive server as one row."""
    used, most = whole(state, "used"), whole(state, "max_len")
    unused = int(calc("unused_slots", **given(state, "max_len", "used")))
    shown = _HIDDEN if hidden(state, "unused") else grouped(unused)
    slots = int(calc("slots", **given(state)))
    filled, empty, beyond = apportion([used, unused, max(0, slots - most)], pen.width - 2)
    share = _share(calc("naive_waste", **given(state, "max_len", "used")), _asked(state, *_NAIVE_SHARE), pen)
    return [
        *pen.apart(pen.say("block-grid.naive", n=grouped(most)), share),
        pen.art("│", ("K" * filled, KV), ("r" * empty, RESERVED), "│" + " " * beyond),
        *pen.wrapped(pen.say("block-grid.counts", used=grouped(used), unused=shown), DIM, 5),
    ]


def _share(waste: Fraction, asked: bool, pen: Pen) -> str:
    """The unused share in words, or that it is the reader's to find."""
    return pen.say("block-grid.waste", share=_HIDDEN if asked else pen.amount(waste, "%"))


def _paged(state: State, blocks: Blocks, pen: Pen) -> list[Row]:
    """What the blocks take of the same memory, to the scale of the row above, and what they leave to others."""
    used, slots, most = whole(state, "used"), blocks.number * blocks.size, whole(state, "max_len")
    share = _share(calc("paged_waste", **given(state)), _asked(state, *_PAGED_SHARE), pen)
    title = pen.apart(pen.say("block-grid.paged", bs=blocks.size), share)
    if not (blocks.slack_shown and blocks.number_shown):
        return title
    free = max(0, most - slots)
    filled, slack, left = apportion([used, blocks.slack, free], pen.width - 2)
    bar: list[Part] = ["│", ("K" * filled, KV), ("r" * slack, RESERVED), (pen.dot * left, DIM), "│"]
    rows = [*title, pen.art(*bar, rank=4)]
    if free and not _asked(state, "unused", *_PAGED_SHARE):
        gain = pen.amount(calc("density_gain", **given(state, "max_len", "used", "bs")), "x", 3)
        text = pen.say("block-grid.free", n=grouped(free), gain=gain)
        rows += [Row(row.content, 5, row.said) for row in pen.wrapped(text, DIM)]
    return rows


def _sums(state: State, blocks: Blocks, pen: Pen) -> list[Row]:
    """The blocks, their number, and the last one with its slack against the largest possible."""
    used, size = whole(state, "used"), blocks.size
    slots = int(calc("slots", **given(state)))
    held = {"blocks": _count("blocks", blocks.number, state, pen), "slots": _count("slots", slots, state, pen)}
    most = int(calc("worst_slack", **given(state, "bs")))
    said = {name: _HIDDEN if hidden(state, part) else grouped(n) for name, part, n in
            (("n", "slack", blocks.slack), ("most", "most", most))}  # fmt: skip
    return [
        *pen.wrapped(pen.say("block-grid.sum", used=grouped(used), bs=size, **held), STRONG, 2),
        last_row(blocks, pen),
        *pen.wrapped(pen.say("block-grid.slack", **said)),
    ]


def _count(noun: str, number: int, state: State, pen: Pen) -> str:
    """A number with its noun, unless an exercise asks for it."""
    return pen.count(noun, number) if not hidden(state, noun) else f"{_HIDDEN} {pen.say(f'block-grid.{noun}')}"


def paint(state: State, pen: Pen) -> list[Row]:
    """The long row, what blocks take of it, the blocks; where there is room, how they lie in memory."""
    if hidden(state, PAGED):
        return _naive(state, pen)
    blocks = blocks_of(state)
    alone = blocks.number == 1 and blocks.number_shown  # drawn once, slot by slot
    every = [] if alone else block_rows(blocks, between(pen.height - 8, 1, 6), pen)
    top = [*_naive(state, pen), pen.gap(), *_paged(state, blocks, pen)]
    if pen.width < _WIDE:
        memory = memory_rows(blocks, pen, _MEMORY)
        return [*top, *every, *_sums(state, blocks, pen), *([pen.gap(), *memory] if memory else [])]
    at = pen.width * 4 // 7
    left, right = replace(pen, width=at - 3), replace(pen, width=pen.width - at)
    return [*top, pen.gap(), *every, *beside(_sums(state, blocks, left), memory_rows(blocks, right, 2), at, pen)]


def notice(state: State, pen: Pen) -> str:
    """Where the unused slots are, and how many more there could be; of blocks only where they are drawn."""
    used, most, size = whole(state, "used"), whole(state, "max_len"), whole(state, "bs")
    if hidden(state, PAGED):
        return pen.say("block-grid.notice.row", max_len=grouped(most))
    if set(names(state, "hide")) - {"note"}:
        return pen.say("block-grid.notice.rule")
    blocks = blocks_of(state)
    numbers = {
        "used": grouped(used),
        "bs": size,
        "slack": pen.count("slots", blocks.slack),
        "most": grouped(int(calc("worst_slack", **given(state, "bs")))),
        "unused": grouped(int(calc("unused_slots", **given(state, "max_len", "used")))),
        "blocks": pen.count("blocks", blocks.number),
        "max_len": grouped(most),
    }
    if blocks.slack > most - used and (used < most or size > most):
        name = "larger"
    elif used == most:
        name = "whole"
    elif size == 1:
        name = "single"
    else:
        name = {0: "full", size - 1: "opened"}.get(blocks.slack, "part")
    return pen.say(f"block-grid.notice.{name}", **numbers)


def commands(state: State) -> list[Shell]:
    """The shares and counts of the drawing, those left out that an exercise asks for."""
    return [
        command(name, given(state, *_NEEDS.get(name, ())))
        for name, parts in _COMMANDS.items()
        if not _asked(state, *parts)
    ]


def _use(by: int, state: State) -> State:
    return put(state, used=between(whole(state, "used") + by, 1, whole(state, "max_len")))


def _next_size(state: State) -> State:
    """The next block size; after the largest comes the smallest."""
    size = number(state, "bs")
    return put(state, bs=next((n for n in SIZES if n > size), SIZES[0]))


def clean(state: State, given: Mapping[str, object]) -> State:
    """A length within the reservation."""
    most = between(whole(state, "max_len"), 1, MOST)
    return put(
        state, max_len=most, used=between(whole(state, "used"), 1, most), bs=between(whole(state, "bs"), 1, 4096)
    )


FIGURE = Figure(
    "block-grid",
    {"used": 250, "bs": 16, "max_len": 2048, "hide": ()},
    (
        FigureKey("right", lambda state: _use(1, state), "block-grid.key.more"),
        FigureKey("left", lambda state: _use(-1, state), "block-grid.key.fewer"),
        FigureKey("up", lambda state: _use(50, state), "block-grid.key.fifty"),
        FigureKey("down", lambda state: _use(-50, state), "block-grid.key.minus-fifty"),
        FigureKey("switch", _next_size, "block-grid.key.size", PAGED),
    ),
    paint,
    clean,
    notice=notice,
    parameters=(
        Parameter("used", "count", 1, MOST),
        Parameter("bs", "count", 1, 4096, SIZES, part=PAGED),
        Parameter("max_len", "count", 1, MOST, (1024, 2048, 4096, 8192, 32768, 131072)),
    ),
    commands=commands,
)
