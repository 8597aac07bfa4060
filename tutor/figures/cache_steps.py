"""FI-4, generating with a cache: the newest query against every kept key, and two counters of work.

``tokens`` counts the positions whose k and v are kept: the prompt and every generated token that went in again.
After T generated tokens that is P + T - 1, because the last one has been chosen but not yet read. The prompt goes in
as one step, the prefill; every later step brings one token.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine.units import grouped
from tutor.figures.base import Figure, FigureKey
from tutor.figures.cache_rows import scale, with_steps
from tutor.figures.numbers import Args, calc
from tutor.figures.parameters import Parameter
from tutor.figures.pen import ACCENT, DIM, KV, STRONG, Part, Pen, beside
from tutor.figures.rows import GAP, Row
from tutor.figures.shell import Shell
from tutor.figures.shell import calc as command
from tutor.figures.state import State, between, hidden, put, whole

MOST = 512
PLAYED = 24
"""Tokens of an answer after which playing ends: the counters have drifted apart by then."""
_WIDE = 76
"""Columns from which the counters stand beside the pile."""
_READS, _FACT = 6, 5
"""Ranks of the sentences beside the drawing: they leave before the steps do."""
_FEW, _FEWEST = 4, 3
"""Rows of steps for which the sentences give way, and those that still say something: the first, dots, the last."""
_LONG = 12
"""Tokens of an answer from which the sentence tells what the cache saves and what it does not."""


def load(state: State) -> Args:
    """P and T of the formulas: tokens of the prompt, and tokens generated."""
    prompt = whole(state, "prompt")
    return {"P": prompt, "T": whole(state, "tokens") - prompt + 1}


def counters(state: State) -> tuple[int, int]:
    """Tokens that went through the model so far, with a cache and without."""
    return int(calc("positions_cached", **load(state))), int(calc("positions_uncached", **load(state)))


def passes(state: State) -> tuple[list[int], list[int]]:
    """Tokens that go through the model in each step, the prefill first: with a cache, and without."""
    prompt, count = whole(state, "prompt"), whole(state, "tokens")
    return [prompt, *[1] * (count - prompt)], list(range(prompt, count + 1))


def _pile(state: State, pen: Pen) -> list[Row]:
    """The keys and values, those of this step lit, and the line from the newest query to every one of them."""
    count, new = whole(state, "tokens"), passes(state)[0][-1]
    cell = max(4, len(str(count)) + 2)
    places = range(max(1, count - (pen.width - 5) // cell + 1), count + 1)
    cut = " " if places[0] == 1 else "<" if pen.ascii else "…"
    kept = []
    for letter in "kv":
        parts: list[Part] = [f"{letter.upper()} {cut}".ljust(5)]
        for place in places:
            name = f"{letter}{place}".center(cell - 1)
            parts += [(name, ACCENT if place > count - new else KV), " "]
        kept.append(pen.art(*parts[:-1]))
    cross = "┼".center(cell - 1, "─")
    line = (cross + "─") * (len(places) - 1) + cross[: cross.index("┼")] + "┤"
    query = pen.art((f"q{count}".ljust(5), ACCENT), line)
    return [_steps(state, places, cell, pen), kept[0], query, kept[1]]


def _steps(state: State, places: range, cell: int, pen: Pen) -> Row:
    """Which step brought each position: the prompt together, then one by one."""
    prompt = whole(state, "prompt")
    parts: list[Part] = [(pen.say("cache-steps.step").ljust(5), DIM)]
    together = sum(place <= prompt for place in places)
    if together:
        parts += [(_bracket(together * cell - 1, pen), DIM), " "]
    for place in places[together:]:
        parts += [(str(place - prompt + 1).center(cell - 1), DIM), " "]
    return pen.art(*parts[:-1], rank=1)


def _bracket(wide: int, pen: Pen) -> str:
    """The prompt's tokens as one step, over their columns."""
    if wide < 5:
        return "1".center(wide)
    names = (f" 1: {pen.say('cache-steps.prefill')} ", " 1 ")
    return f"├{next(name for name in names if len(name) <= wide - 2).center(wide - 2, '─')}┤"


def _counters(state: State, pen: Pen) -> list[Row]:
    """The two counters, their bars to one scale, which is told where a cell is more than one token."""
    told = not hidden(state, "counters")
    values, most = counters(state), counters(state)[1]
    labels = [pen.say(f"cache-steps.{name}") for name in ("with", "without")]
    wide, digits = max(map(len, labels)), len(grouped(most)) if told else 1
    size = scale(most, max(1, pen.width - wide - digits - 2))
    head, cell = pen.say("cache-steps.counters"), f"█ = {grouped(size)}"
    scaled = [f"{head}  {cell}", pen.say("cache-steps.cell", cell=cell)] if told and size > 1 else [head]
    title = next(text for text in scaled if len(text) <= pen.width or text == scaled[-1])
    rows = [pen.row((title, DIM), rank=2, said=head)]
    for label, value in zip(labels, values, strict=True):
        text = grouped(value) if told else "?"
        bar = "█" * max(1, round(value / size)) if told else ""
        parts: list[Part] = [label.ljust(wide), " ", (text.rjust(digits), STRONG), " ", bar]
        rows.append(pen.row(*parts, said=f"{label}: {text}"))
    return rows


def _facts(state: State, pen: Pen) -> list[Row]:
    """How many tokens the prompt and the answer have, and so the cache: the newest one has not been read yet."""
    made = load(state)
    head, count = pen.say("cache-steps.cached"), grouped(whole(state, "tokens"))
    counted = pen.say("cache-steps.stored", prompt=grouped(int(made["P"])), made=grouped(int(made["T"])), n=count)
    line = f"{head} {counted}"
    if len(line) <= pen.width:
        return [pen.row((line, DIM), rank=_FACT)]
    rest = [pen.row((row.content.plain, DIM), rank=_FACT, said="") for row in pen.wrapped(counted)]
    return [pen.row((head, DIM), rank=_FACT, said=line), *rest]


def paint(state: State, pen: Pen) -> list[Row]:
    """The pile and the counters, then, where there is room, what went through the model in each of the last steps.

    In a short window the sentences beside them make room for a few steps: from the first step on, so that no row comes
    or goes under the eye.
    """
    every = _tops(state, pen, _READS)
    if hidden(state, "counters"):
        return every
    note = _note(state, pen)
    tries = [_tops(state, pen, last) for last in (_READS, _FACT, _FACT - 1)]
    for tops, least in (*((tops, _FEW) for tops in tries), (tries[-1], _FEWEST)):
        if rows := with_steps(tops, *passes(state), pen.height - note, least, pen, noted=bool(note)):
            return rows
    bare = [[row for row in tops if row.rank < GAP] for tops in tries]
    fitting = (tops for tops in (every, *bare) if len(tops) + (tops is every and bool(note)) <= pen.height - note)
    return next(fitting, every)


def _note(state: State, pen: Pen) -> int:
    """Lines of the longest sentence that any step of this prompt has below the drawing."""
    if hidden(state, "note"):
        return 0
    prompt = whole(state, "prompt")
    return max(len(pen.wrapped(notice(put(state, tokens=prompt + more), pen))) for more in (0, 1, _LONG - 1))


def _tops(state: State, pen: Pen, last: int) -> list[Row]:
    """The pile and the counters, with the sentences of no higher rank than ``last``."""
    wide, at = pen.width >= _WIDE, pen.width * 4 // 7
    left, right = (replace(pen, width=at - 3), replace(pen, width=pen.width - at)) if wide else (pen, pen)
    reads = left.wrapped(pen.say("cache-steps.reads", n=whole(state, "tokens")), DIM, _READS)
    pile = [*_pile(state, left), *(reads if last >= _READS else [])]
    counted = [*_counters(state, right), *(_facts(state, right) if last >= _FACT else [])]
    return beside(pile, counted, at, pen) if wide else [*pile, pen.gap(), *counted]


def notice(state: State, pen: Pen) -> str:
    """What this step did; in a long answer, what the cache saves and what it does not."""
    count, made = whole(state, "tokens"), int(load(state)["T"])
    if made == 1:
        return pen.say("cache-steps.notice.prefill" if count > 1 else "cache-steps.notice.single", n=count)
    if made < _LONG or hidden(state, "counters"):
        return pen.say("cache-steps.notice.step", n=count, step=made)
    kept, again = counters(state)
    return pen.say("cache-steps.notice.long", n=count, kept=grouped(kept), again=grouped(again))


def commands(state: State) -> list[Shell]:
    """The two counters."""
    if hidden(state, "counters"):
        return []
    return [command(name, load(state)) for name in ("positions_uncached", "positions_cached")]


def _more(by: int, state: State) -> State:
    prompt = whole(state, "prompt")
    return put(state, tokens=between(whole(state, "tokens") + by, prompt, max(MOST, prompt)))


def advance(state: State) -> State:
    """The next token; none after two dozen of an answer, nor where the pile is full."""
    return _more(1, state) if load(state)["T"] < PLAYED else state


def clean(state: State, given: Mapping[str, object]) -> State:
    """A prompt that is no longer than the tokens in the cache."""
    tokens = between(whole(state, "tokens"), 1, MOST)
    return put(state, tokens=tokens, prompt=between(whole(state, "prompt"), 1, tokens))


FIGURE = Figure(
    "cache-steps",
    {"tokens": 6, "prompt": 4, "hide": ()},  # two steps after the prefill: what the cache saves is seen at once
    (
        FigureKey("right", lambda state: _more(1, state), "cache-steps.key.add"),
        FigureKey("left", lambda state: _more(-1, state), "cache-steps.key.remove"),
        FigureKey("up", lambda state: _more(10, state), "cache-steps.key.ten"),
        FigureKey("down", lambda state: _more(-10, state), "cache-steps.key.minus-ten"),
    ),
    paint,
    clean,
    notice=notice,
    parameters=(Parameter("prompt", "count", 1, MOST), Parameter("tokens", "count", 1, MOST, called="cached")),
    commands=commands,
    advance=advance,
    begin=lambda state: put(state, tokens=whole(state, "prompt")),
)
