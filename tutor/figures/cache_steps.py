"""FI-4, generating with a cache: the newest query against every kept key, and two counters of work.

``tokens`` counts the positions whose k and v are kept: the prompt and every generated token that went in again.
After T generated tokens that is P + T - 1, because the last one has been chosen but not yet read.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.units import grouped
from tutor.figures.base import Figure, FigureKey
from tutor.figures.numbers import calc
from tutor.figures.pen import ACCENT, DIM, KV, TEAL, Part, Pen
from tutor.figures.rows import Row
from tutor.figures.state import State, between, put, whole

MOST = 512


def counters(state: State) -> tuple[int, int]:
    """Positions pushed through the network so far, with a cache and without."""
    prompt, made = whole(state, "prompt"), whole(state, "tokens") - whole(state, "prompt") + 1
    return int(calc("positions_cached", P=prompt, T=made)), int(calc("positions_uncached", P=prompt, T=made))


def _pile(state: State, pen: Pen) -> list[Row]:
    """The kept keys and values, the newest at the right, and the lines from its query to every key."""
    count = whole(state, "tokens")
    cell = max(4, len(str(count)) + 2)
    fits = (pen.width - 5) // cell
    places = list(range(max(1, count - fits + 1), count + 1))
    cut = " " if places[0] == 1 else "<" if pen.ascii else "…"
    rows = []
    for letter in "kv":
        parts: list[Part] = [f"{letter.upper()} {cut}  "]
        for place in places:
            name = f"{letter}{place}".center(cell - 1)
            parts += [(name, ACCENT if place == count else KV), " "]
        rows.append(pen.art(*parts))
    rise = "┴".center(cell - 1, "─")
    lines = (rise + "─") * (len(places) - 1) + rise[: rise.index("┴")] + "┘"
    return [rows[0], pen.art((f"q{count}".ljust(5), ACCENT), lines), rows[1]]


def _counter(label: str, value: int, most: int, style: str, pen: Pen) -> Row:
    """A counter with a bar in proportion to the larger of the two."""
    text = grouped(value)
    wide = max(len(pen.say("cache-steps.with")), len(pen.say("cache-steps.without")))
    room = pen.width - wide - 2 - len(grouped(most)) - 1
    bar = "█" * max(1, round(room * value / most))
    return pen.row(
        label.ljust(wide), " ", (text.rjust(len(grouped(most))), "bold"), " ", (bar, style), said=f"{label}: {text}"
    )


def paint(state: State, pen: Pen) -> list[Row]:
    """The pile, then what each way of working has pushed through the network."""
    kept, again = counters(state)
    count, prompt = whole(state, "tokens"), whole(state, "prompt")
    facts = [
        (pen.say("cache-steps.prompt"), grouped(prompt)),
        (pen.say("cache-steps.made"), grouped(count - prompt + 1)),
    ]
    return [
        *_pile(state, pen),
        pen.gap(),
        *[Row(row.content, 3, row.said) for row in pen.pairs(facts)],
        pen.row((pen.say("cache-steps.counters"), DIM), rank=4),
        _counter(pen.say("cache-steps.with"), kept, again, TEAL, pen),
        _counter(pen.say("cache-steps.without"), again, again, "", pen),
        *pen.caption(pen.say("cache-steps.caption", n=count)),
    ]


def _more(by: int, state: State) -> State:
    return put(
        state, tokens=between(whole(state, "tokens") + by, whole(state, "prompt"), max(MOST, whole(state, "prompt")))
    )


def clean(state: State, given: Mapping[str, object]) -> State:
    """A prompt that is no longer than the tokens in the cache."""
    tokens = between(whole(state, "tokens"), 1, MOST)
    return put(state, tokens=tokens, prompt=between(whole(state, "prompt"), 1, tokens))


FIGURE = Figure(
    "cache-steps",
    {"tokens": 4, "prompt": 4},
    (
        FigureKey("right", lambda state: _more(1, state), "cache-steps.key.add"),
        FigureKey("left", lambda state: _more(-1, state), "cache-steps.key.remove"),
        FigureKey("up", lambda state: _more(10, state), "cache-steps.key.ten"),
        FigureKey("down", lambda state: _more(-10, state), "cache-steps.key.minus-ten"),
    ),
    paint,
    clean,
)
