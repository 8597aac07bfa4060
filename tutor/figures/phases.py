"""FI-6, the two phases: time of the math against time of the reading, for a number of tokens in flight.

One pass of all weights: the bytes are read once however many tokens ride along, the FLOPs grow with the tokens. Where
the two times meet is the card's ridge, for weights of 16 bits; lighter weights bring the crossing nearer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from engine.units import grouped
from tutor.figures.base import Figure, FigureKey
from tutor.figures.columns import pointed
from tutor.figures.numbers import PRECISIONS, billions, calc, precision
from tutor.figures.parameters import Parameter
from tutor.figures.pen import ACCENT, DIM, STRONG, Pen, beside
from tutor.figures.phases_scale import MOST, scale
from tutor.figures.rows import Row
from tutor.figures.shell import Shell
from tutor.figures.shell import calc as command
from tutor.figures.state import State, between, hidden, number, put, whole, word

CARDS = ("T4", "A100 SXM 80GB", "H100 SXM 80GB", "H200 SXM 141GB")
"""The cards that the key offers, by their names in the catalogue."""
WIDE = 90
"""Columns from which a table of other numbers of tokens stands beside the facts."""
_FACTS = 42
_TABLE_ROWS = 17
"""Rows of height from which there is room for it."""
_NEAR = Fraction(101, 100)
"""A factor below it is told with a digit more: it would read as 1."""
TIMES = "times"
"""The part whose absence leaves no bar either: its length would tell which one is slower."""
_LIGHTEST, _HEAVIEST, _SMALLEST, _LARGEST = Fraction(1, 8), Fraction(4), 10**6, 10**13


# --- numbers ---------------------------------------------------------------------------------------------------------


def card(name: str) -> tuple[str, Fraction, Fraction]:
    """A card's full name, its dense 16-bit FLOP/s and its bytes per second, from the catalogue."""
    from engine.catalog import gpu

    found = gpu(name)
    return found.name, Fraction(found.peak_flops or 0), Fraction(found.bandwidth)


def times(state: State, tokens: int | None = None) -> tuple[Fraction, Fraction]:
    """Seconds for the math and for the reading of one pass."""
    _, peak, bandwidth = card(word(state, "gpu"))
    flops = calc("matmul_flops", N=whole(state, "N"), T=whole(state, "tokens") if tokens is None else tokens)
    return (
        calc("compute_time", flops=flops, peak_flops=peak),
        calc("read_time", bytes_moved=weights(state), bandwidth=bandwidth),
    )


def weights(state: State) -> Fraction:
    """Bytes of the weights, which a pass reads once."""
    return calc("weights", N=whole(state, "N"), p_w=number(state, "p_w"))


def crossing(state: State) -> Fraction:
    """Tokens in flight at which both take equally long."""
    _, peak, bandwidth = card(word(state, "gpu"))
    return calc("knee_batch", peak_flops=peak, bandwidth=bandwidth, p_w=number(state, "p_w"))


def slower(math: Fraction, read: Fraction) -> str:
    """Which of the two decides: "math", "mem", or "even"."""
    return "math" if math > read else "mem" if read > math else "even"


# --- the drawing -----------------------------------------------------------------------------------------------------


def paint(state: State, pen: Pen) -> list[Row]:
    """The facts, the two bars, the verdict, the line of tokens with the ridge."""
    facts = _facts(state, pen)
    head = pen.pairs(facts) if pen.width < WIDE else pen.pairs(facts, width=_FACTS)
    if pen.width >= WIDE and pen.height >= _TABLE_ROWS and not any(hidden(state, one) for one in HIDE):
        head = beside(head, _table(state, pen), _FACTS + 6, pen)
    told = not (hidden(state, "limit") or hidden(state, TIMES))
    verdict = pen.wrapped(pen.say(f"phases.limit.{_seen(state, pen)}"), STRONG) if told else []
    edge = None if hidden(state, "ridge") else crossing(state)
    return [
        *head,
        pen.gap(),
        *_bars(state, pen),
        *verdict,
        pen.gap(),
        *scale(whole(state, "tokens"), edge, number(state, "p_w") == 2, told, pen),
        *pen.wrapped(pen.say("phases.basis"), DIM, 8),
    ]


HIDE = ("ridge", "limit", TIMES)


def _facts(state: State, pen: Pen) -> list[tuple[str, str]]:
    name, peak, bandwidth = card(word(state, "gpu"))
    size = pen.say(
        "phases.size", n=billions(whole(state, "N")), form=precision(number(state, "p_w")),
        amount=pen.amount(weights(state), "GB", 3),
    )  # fmt: skip
    facts = [
        (pen.say("phases.tokens"), grouped(whole(state, "tokens"))),
        (pen.say("phases.weights"), size),
        (pen.say("phases.card"), name),
    ]
    if hidden(state, "ridge"):
        return facts
    ridge = calc("ridge", peak_flops=peak, bandwidth=bandwidth)
    facts.append((pen.say("phases.ridge"), pen.amount(ridge, "FLOP/byte")))
    if number(state, "p_w") != 2:
        facts.append((pen.say("phases.crossing"), pen.amount(crossing(state), "tokens", 3)))
    return facts


_AMOUNT = 9
"""Columns of a time at least, so that the bars stand still while it changes."""


def _unit(*seconds: Fraction) -> str:
    """The unit in which the slowest time has a few digits before its point; one for all that are compared."""
    slowest = max(seconds)
    return "s" if slowest >= 10 else "ms" if slowest >= Fraction(1, 1000) else "us"


def _seen(state: State, pen: Pen) -> str:
    """Which of the two decides, as the drawing tells it: two times that read alike are even."""
    both = times(state)
    math, read = (pen.amount(seconds, _unit(*both), 3) for seconds in both)
    return "even" if math == read else slower(*both)


def _bars(state: State, pen: Pen) -> list[Row]:
    """Both times as bars, the slower one as long as the line; where times are asked for, neither."""
    math, read = times(state)
    label = max(len(pen.say("phases.math")), len(pen.say("phases.mem")))
    unit = _unit(math, read)
    amounts = pointed([pen.amount(seconds, unit, 3) for seconds in (math, read)])
    column = max(_AMOUNT, *map(len, amounts))
    rows = []
    for name, seconds, amount, letter in zip(("math", "mem"), (math, read), amounts, "█▒", strict=True):
        text = pen.say(f"phases.{name}")
        if hidden(state, TIMES):
            rows.append(pen.row(text.ljust(label), " ?", said=f"{text}: ?"))
            continue
        slow = seconds == max(math, read) or _seen(state, pen) == "even"
        cells = pen.width - label - 2 - column
        bar = (letter * max(1, round(cells * seconds / max(math, read)))).ljust(cells)
        rows.append(
            pen.row((text.ljust(label), STRONG if slow else ""), " ", (bar, ACCENT if slow else DIM), " ",
                    (amount.rjust(column), STRONG if slow else ""), said=f"{text}: {amount.rstrip()}")
        )  # fmt: skip
    return rows


def _table(state: State, pen: Pen) -> list[Row]:
    """The same pass with other numbers of tokens."""
    here = whole(state, "tokens")
    ladder = sorted({1, 32, 256, 2048, here, between(round(crossing(state)), 1, MOST)})
    unit = _unit(*times(state))
    made = [[pen.amount(seconds, unit, 3) for seconds in times(state, tokens)] for tokens in ladder]
    columns = [pointed(column) for column in zip(*made, strict=True)]
    wide = [max(_AMOUNT, *map(len, column)) for column in columns]
    head = f"{pen.say('phases.tokens'):>16}  {pen.say('phases.math'):>{wide[0]}}  {pen.say('phases.mem'):>{wide[1]}}"
    rows = [pen.row((head, DIM), rank=3, said="")]
    for tokens, *amounts in zip(ladder, *columns, strict=True):
        mark = "▌" if tokens == here else " "
        cells = f"{mark}{grouped(tokens):>15}  {amounts[0]:>{wide[0]}}  {amounts[1]:>{wide[1]}}"
        math, read = (amount.rstrip() for amount in amounts)
        said = f"{grouped(tokens)}: {pen.say('phases.math')} {math}, {pen.say('phases.mem')} {read}"
        rows.append(pen.row((cells, STRONG if tokens == here else ""), rank=3, said=said))
    return rows


def notice(state: State, pen: Pen) -> str:
    """How far apart the two times are, and how many tokens that leaves free."""
    if hidden(state, "limit") or hidden(state, TIMES):
        return pen.say("phases.notice.asked")
    (math, read), edge = times(state), crossing(state)
    told = "" if hidden(state, "ridge") else "_ridge"
    kind = _seen(state, pen)
    if kind == "even" or not told:
        return pen.say(f"phases.notice.{kind}")
    apart = max(math, read) / min(math, read)
    factor = pen.amount(apart, "none", 3 if apart >= _NEAR else 4)
    return pen.say(f"phases.notice.{kind}{told}", factor=factor, edge=grouped(max(1, int(edge))))


# --- keys ------------------------------------------------------------------------------------------------------------


def _one(by: int, state: State) -> State:
    """One token more or fewer: a step over the ridge."""
    return put(state, tokens=between(whole(state, "tokens") + by, 1, MOST))


def _double(state: State) -> State:
    return put(state, tokens=min(2 * whole(state, "tokens"), MOST))


def _halve(state: State) -> State:
    return put(state, tokens=max(whole(state, "tokens") // 2, 1))


def _next_card(state: State) -> State:
    """The next card of the list; after the last comes the first."""
    full = card(word(state, "gpu"))[0]
    place = CARDS.index(full) if full in CARDS else -1
    return put(state, gpu=CARDS[(place + 1) % len(CARDS)])


def clean(state: State, given: Mapping[str, object]) -> State:
    """One token at least. Raises ``ValueError`` for a card that the catalogue cannot give numbers for."""
    try:
        full, peak, bandwidth = card(word(state, "gpu"))
    except LookupError as error:
        raise ValueError(f"gpu = {word(state, 'gpu')!r}") from error
    if not peak or not bandwidth:
        raise ValueError(f"gpu = {word(state, 'gpu')!r}")
    return put(
        state, gpu=full, tokens=between(whole(state, "tokens"), 1, MOST),
        N=between(whole(state, "N"), _SMALLEST, _LARGEST),
        p_w=max(_LIGHTEST, min(_HEAVIEST, number(state, "p_w"))),
    )  # fmt: skip


def commands(state: State) -> Sequence[Shell]:
    """Both times and the crossing, each worked, then the same pass for the diagnoser; none of what is asked for."""
    if any(hidden(state, part) for part in ("times", "limit", "ridge")):
        return ()
    _, peak, bandwidth = card(word(state, "gpu"))
    tokens, size = whole(state, "tokens"), whole(state, "N")
    flops = calc("matmul_flops", N=size, T=tokens)
    form = {Fraction(4): "fp32", Fraction(2): "fp16", Fraction(1): "int8", Fraction(1, 2): "int4"}
    named = form.get(number(state, "p_w"))
    diagnose = (
        "diagnose", "--params-b", f"{size / 10**9:.12g}", "--gpu", word(state, "gpu"),
        *(("--weights", named) if named else ()), "--concurrency", str(tokens),
    )  # fmt: skip
    return (
        command("compute_time", {"flops": flops, "peak_flops": peak}, "ms"),
        command("read_time", {"bytes_moved": weights(state), "bandwidth": bandwidth}, "ms"),
        command("knee_batch", {"peak_flops": peak, "bandwidth": bandwidth, "p_w": number(state, "p_w")}),
        Shell(diagnose),
    )


FIGURE = Figure(
    "phases",
    {"tokens": 1, "gpu": "A100 SXM 80GB", "N": 7 * 10**9, "p_w": Fraction(2), "hide": ()},
    (
        FigureKey("right", _double, "phases.key.more"),
        FigureKey("left", _halve, "phases.key.fewer"),
        FigureKey("up", lambda state: _one(1, state), "phases.key.one"),
        FigureKey("down", lambda state: _one(-1, state), "phases.key.minus-one"),
        FigureKey("switch", _next_card, "phases.key.card"),
    ),
    paint,
    clean,
    notice=notice,
    parameters=(
        Parameter("tokens", "count", 1, MOST, tuple(2**n for n in range(14))),
        Parameter("gpu", "gpu"),
        Parameter("model", "model", fills=("N",)),
        Parameter("N", "params", _SMALLEST, _LARGEST),
        Parameter("p_w", "format", _LIGHTEST, _HEAVIEST, PRECISIONS),
    ),
    commands=commands,
)
