"""FI-5, attention heads: slices of the vector, who shares a K and V row (MHA, GQA, MQA), and what that saves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from tutor.figures.base import Figure, FigureKey
from tutor.figures.head_rows import diagram
from tutor.figures.numbers import LEAST_KV, MOST_KV, PRECISIONS, Args, calc
from tutor.figures.parameters import Parameter
from tutor.figures.pen import ACCENT, DIM, KV, STRONG, Pen, beside
from tutor.figures.rows import CAPTION, Row, apportion
from tutor.figures.shell import Shell
from tutor.figures.shell import calc as command
from tutor.figures.state import State, between, hidden, moved, number, put, whole

SIZES = (4, 8, 16, 32)
MOST_HEADS = 256
_WIDE = 100
_FACTS = 30
ASKED = ("token", "mha", "saving")
"""Parts of the cache that an exercise may ask for."""
_HEAD, _FACT = 6, 8
"""Ranks: the counts leave a short window before the bars lose their heading; drawing and sentence tell them too."""
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


def _bar(label: str, cells: int, of: int, amount: str, style: str, said: str, pen: Pen) -> Row:
    """What one token keeps: a letter K for each cell, a dot for each cell that is saved."""
    bar = [("K" * cells, KV), (pen.dot * (of - cells), DIM)]
    return pen.row(f"{label} ", *bar, (amount, style), said=said)


def _heading(key: str, pen: Pen) -> list[Row]:
    return [Row(row.content, _HEAD, "") for row in pen.wrapped(pen.say(f"heads.{key}"), DIM)]


def _bars(state: State, pen: Pen) -> list[Row]:
    """The cache of one token with sharing under the one without, on one scale, and what it is the product of."""
    if hidden(state, "bytes"):
        return []
    own, full = kept(state)
    texts = {
        "mha": "?" if hidden(state, "mha") else pen.amount(full, "KiB"),
        "token": "?" if hidden(state, "token") else pen.amount(own, "KiB"),
    }
    amount = max(map(len, texts.values())) + 1
    cells = pen.width - 4 - amount
    said = {name: f"{pen.say(f'heads.{name}')}: {text}" for name, text in texts.items()}
    head = _heading("keeps", pen)
    amounts = {name: text.rjust(amount) for name, text in texts.items()}
    if own == full:
        return [*head, _bar("MHA", cells, cells, amounts["token"], STRONG, said["token"], pen), *_product(state, pen)]
    share = apportion([own, full - own], cells)[0]
    known = 0 if any(hidden(state, name) for name in ASKED) else share
    return [
        *head,
        _bar("MHA", cells, cells, amounts["mha"], STRONG, said["mha"], pen),
        _bar(kind(state), known, cells, amounts["token"], STRONG, said["token"], pen),
        *_product(state, pen),
    ]


def _multiplied(state: State) -> bool:
    """Whether the drawing says what the bytes of one token are the product of."""
    return not hidden(state, "bytes") and not hidden(state, "token")


def _product(state: State, pen: Pen) -> list[Row]:
    """The numbers that the bytes of one token are the product of, on one line where that is long enough."""
    if not _multiplied(state):
        return []
    names = {name: whole(state, name) for name in ("n_kv_heads", "d_head", "L")}
    size = pen.amount(number(state, "p"), "bytes")
    long, short = (f"= {pen.say(f'heads.{key}', **names, p=size)}" for key in ("product", "product-short"))
    return pen.wrapped(long if len(long) <= pen.width else short, DIM, CAPTION)


def arrangements(heads: int) -> list[int]:
    """KV heads that so many query heads can have, from MHA to MQA."""
    return [n for n in range(heads, 0, -1) if heads % n == 0]


def _ladder(state: State, pen: Pen) -> list[Row]:
    """The cache of one token for every arrangement, on one scale, the one at hand marked."""
    heads, here = whole(state, "n_head"), whole(state, "n_kv_heads")
    found = {n: kept(put(state, n_kv_heads=n)) for n in arrangements(heads)}
    amounts = {n: pen.amount(own, "KiB") for n, (own, _) in found.items()}
    names = {n: f"{kind(put(state, n_kv_heads=n))} {n:>{len(str(heads))}}" for n in found}
    amount = max(map(len, amounts.values())) + 1
    cells = pen.width - 1 - len(names[heads]) - 1 - amount
    rows = _heading("keeps-all", pen)
    for n, (own, full) in found.items():
        mark, style = ("▌", ACCENT) if n == here else (" ", "")
        known = apportion([own, full - own], cells)[0]
        name = pen.say(f"heads.{'token' if n == here else 'mha'}") if n in (here, heads) else names[n].strip()
        said = f"{name}: {amounts[n]}"
        rows.append(_bar(mark + names[n], known, cells, amounts[n].rjust(amount), style, said, pen))
    return [*rows, *_product(state, pen)]


def _facts(state: State, width: int, pen: Pen) -> list[Row]:
    """Heads, KV heads, the width of a slice and how many times smaller the cache is."""
    facts = [
        (_FACT, pen.say("heads.heads"), str(whole(state, "n_head"))),
        (_FACT, pen.say("heads.kv"), str(whole(state, "n_kv_heads"))),
    ]
    if not _multiplied(state):
        facts.append((_FACT, pen.say("heads.slice"), str(whole(state, "d_head"))))
    own, full = kept(state)
    if own != full and not any(hidden(state, name) for name in ("bytes", "saving")):
        facts.append((_FACT, pen.say("heads.saving"), pen.amount(calc("ratio", part=full, whole=own), "x", 3)))
    return pen.ranked(facts, width)


def paint(state: State, pen: Pen) -> list[Row]:
    """The heads over their shared K and V, and a token's bytes against MHA; in a tall window every arrangement."""
    note = [] if hidden(state, "note") else pen.caption(notice(state, pen))
    asked = any(hidden(state, name) for name in ("bytes", *ASKED))
    if not asked and len(whole_drawing := _paint(state, _ladder(state, pen), pen)) + len(note) <= pen.height:
        return whole_drawing
    return _paint(state, _bars(state, pen), pen)


def _paint(state: State, bars: list[Row], pen: Pen) -> list[Row]:
    """Name, heads and counts, and below them the bars."""
    heads, shared = whole(state, "n_head"), whole(state, "n_kv_heads")
    wide = pen.width >= _WIDE
    facts = _facts(state, _FACTS if wide else pen.width, pen)
    name = pen.wrapped(pen.say(f"heads.{kind(state)}", size=heads // shared), ACCENT)
    room = pen.height - len(name) - len([row for row in bars if not row.rank])
    drawn = diagram(heads, shared, pen.width - _FACTS - _APART if wide else pen.width, room, pen)
    if wide:
        at = max(row.content.cell_length for row in drawn) + _APART
        body = beside(drawn, facts, at, pen)
    else:
        body = [*drawn, pen.gap(), *facts]
    return [*name, *([pen.gap()] if wide else []), *body, *([pen.gap(), *bars] if bars else [])]


def notice(state: State, pen: Pen) -> str:
    """What is shared, and what that does to the cache; of the cache nothing where it is not shown."""
    own, full = kept(state)
    asked = any(hidden(state, name) for name in ("bytes", *ASKED))
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
    return moved(state, "n_kv_heads", arrangements(heads)[::-1], by)


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
    {"n_head": 8, "n_kv_heads": 2, "L": 32, "d_head": 128, "p": Fraction(2), "hide": ()},
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
        Parameter("p", "format", least=LEAST_KV, most=MOST_KV, ladder=PRECISIONS, part="bytes"),
    ),
    commands=commands,
)
