"""FI-5, attention heads: slices of the vector, who shares a K and V row (MHA, GQA, MQA), and what that saves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from tutor.figures.base import Figure, FigureKey
from tutor.figures.head_rows import diagram
from tutor.figures.numbers import PRECISIONS, Args, calc
from tutor.figures.parameters import Parameter
from tutor.figures.pen import ACCENT, DIM, KV, STRONG, Pen, beside
from tutor.figures.rows import Row, apportion
from tutor.figures.shell import Shell
from tutor.figures.shell import calc as command
from tutor.figures.state import State, between, hidden, moved, number, put, whole

SIZES = (4, 8, 16, 32)
MOST_HEADS = 256
_WIDE = 100
_FACTS = 30
_APART = 4
"""Columns of the counts where they stand beside the heads."""


def kind(state: State) -> str:
    """MHA, GQA or MQA."""
    heads, shared = whole(state, "n_head"), whole(state, "n_kv_heads")
    return "MHA" if shared == heads else "MQA" if shared == 1 else "GQA"


def _shape(state: State) -> Args:
    return {"L": whole(state, "L"), "d_head": whole(state, "d_head"), "p": number(state, "p")}


def kept(state: State) -> tuple[Fraction, Fraction]:
    """Bytes that one token keeps in the cache: as it is, and with a K and V for every query head."""
    own, full = (
        calc("kv_per_token", n_kv_heads=whole(state, name), **_shape(state)) for name in ("n_kv_heads", "n_head")
    )
    return own, full


def _bar(label: str, cells: int, of: int, amount: str, said: str, pen: Pen) -> Row:
    """What one token keeps: a letter K for each cell, a dot for each cell that is saved."""
    bar = [("K" * cells, KV), (pen.dot * (of - cells), DIM)]
    return pen.row(f"{label:<5}", *bar, (amount, STRONG), said=said)


def _bars(state: State, pen: Pen) -> list[Row]:
    """The cache of one token with sharing under the one without, on one scale."""
    if hidden(state, "bytes"):
        return []
    own, full = kept(state)
    texts = {
        "mha": "?" if hidden(state, "mha") else pen.amount(full, "KiB"),
        "token": "?" if hidden(state, "token") else pen.amount(own, "KiB"),
    }
    amount = max(map(len, texts.values())) + 1
    cells = pen.width - 5 - amount
    said = {name: f"{pen.say(f'heads.{name}')}: {text}" for name, text in texts.items()}
    head = pen.art((pen.say("heads.keeps"), DIM), rank=8)
    amounts = {name: text.rjust(amount) for name, text in texts.items()}
    if own == full:
        return [head, _bar("MHA", cells, cells, amounts["token"], said["token"], pen)]
    share = apportion([own, full - own], cells)[0]
    known = 0 if any(hidden(state, name) for name in ("token", "mha", "saving")) else share
    return [
        head,
        _bar("MHA", cells, cells, amounts["mha"], said["mha"], pen),
        _bar(kind(state), known, cells, amounts["token"], said["token"], pen),
    ]


def _facts(state: State, width: int, pen: Pen) -> list[Row]:
    """Heads, KV heads, the width of a slice and how many times smaller the cache is."""
    facts = [
        (3, pen.say("heads.heads"), str(whole(state, "n_head"))),
        (3, pen.say("heads.kv"), str(whole(state, "n_kv_heads"))),
        (8, pen.say("heads.slice"), str(whole(state, "d_head"))),
    ]
    own, full = kept(state)
    if own != full and not any(hidden(state, name) for name in ("bytes", "saving")):
        facts.append((3, pen.say("heads.saving"), pen.amount(calc("ratio", part=full, whole=own), "x", 3)))
    return pen.ranked(facts, width)


def paint(state: State, pen: Pen) -> list[Row]:
    """The heads over their shared K and V, the name of the arrangement, and a token's bytes against MHA."""
    heads, shared = whole(state, "n_head"), whole(state, "n_kv_heads")
    wide = pen.width >= _WIDE
    facts, bars = _facts(state, _FACTS if wide else pen.width, pen), _bars(state, pen)
    name = pen.wrapped(pen.say(f"heads.{kind(state)}", size=heads // shared), ACCENT)
    room = pen.height - len(name) - len([row for row in bars if not row.rank])
    drawn = diagram(heads, shared, pen.width - _FACTS - _APART if wide else pen.width, room, pen)
    if wide:
        at = max(row.content.cell_length for row in drawn) + _APART
        return [*name, pen.gap(), *beside(drawn, facts, at, pen), *([pen.gap(), *bars] if bars else [])]
    return [*name, *drawn, pen.gap(), *facts, *([pen.gap(), *bars] if bars else [])]


def notice(state: State, pen: Pen) -> str:
    """What is shared, and what that does to the cache; of the cache nothing where it is not shown."""
    own, full = kept(state)
    asked = any(hidden(state, name) for name in ("bytes", "token", "mha", "saving"))
    times = pen.amount(calc("ratio", part=full, whole=own), "x", 3)
    size = whole(state, "n_head") // whole(state, "n_kv_heads")
    return pen.say(f"heads.notice.{'asked-' if asked else ''}{kind(state)}", size=size, times=times)


def commands(state: State) -> Sequence[Shell]:
    """The cache of one token as it is, and without sharing."""
    if hidden(state, "bytes"):
        return ()
    given = [("token", "n_kv_heads"), ("mha", "n_head")] if kind(state) != "MHA" else [("token", "n_kv_heads")]
    return tuple(
        command("kv_per_token", {"n_kv_heads": whole(state, key), **_shape(state)}, "KiB")
        for name, key in given
        if not hidden(state, name)
    )


def _share(by: int, state: State) -> State:
    """More or fewer KV heads, along the divisors of the query heads."""
    heads = whole(state, "n_head")
    ladder = [n for n in range(1, heads + 1) if heads % n == 0]
    return moved(state, "n_kv_heads", ladder, by)


def _size(by: int, state: State) -> State:
    """More or fewer query heads; MHA stays MHA, and otherwise the KV heads keep to the divisors."""
    larger = moved(state, "n_head", SIZES, by)
    return put(larger, n_kv_heads=larger["n_head"]) if kind(state) == "MHA" else clean(larger, {})


def clean(state: State, given: Mapping[str, object]) -> State:
    """KV heads that divide the query heads; at least one layer, one number, one bit."""
    heads = between(whole(state, "n_head"), 1, MOST_HEADS)
    shared = between(whole(state, "n_kv_heads"), 1, heads)
    return put(
        state,
        n_head=heads,
        n_kv_heads=max(n for n in range(1, shared + 1) if heads % n == 0),
        L=max(1, whole(state, "L")),
        d_head=max(1, whole(state, "d_head")),
        p=max(Fraction(1, 8), number(state, "p")),
    )


FIGURE = Figure(
    "heads",
    {"n_head": 8, "n_kv_heads": 8, "L": 32, "d_head": 128, "p": Fraction(2), "hide": ()},
    (
        FigureKey("left", lambda state: _share(-1, state), "heads.key.fewer"),
        FigureKey("right", lambda state: _share(1, state), "heads.key.more"),
        FigureKey("up", lambda state: _size(1, state), "heads.key.up"),
        FigureKey("down", lambda state: _size(-1, state), "heads.key.down"),
    ),
    paint,
    clean,
    notice=notice,
    parameters=(
        Parameter("model", "model", fills=("n_head", "n_kv_heads", "d_head", "L")),
        Parameter("n_head", "count", most=MOST_HEADS),
        Parameter("n_kv_heads", "count", most=MOST_HEADS),
        Parameter("d_head", "count", most=4096, ladder=(32, 64, 80, 96, 128, 192, 256), part="bytes"),
        Parameter("L", "count", most=1024, part="bytes"),
        Parameter("p", "format", least=Fraction(1, 8), most=8, ladder=PRECISIONS, part="bytes"),
    ),
    commands=commands,
)
