"""The rows of the roofline figure: the drawing, the steps in numbers, what to notice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from content.lang import LANGS
from engine.units import grouped
from tutor.figures import roof
from tutor.figures.pen import ACCENT, DIM, STRONG, Pen, beside
from tutor.figures.rows import GAP, Row, fit
from tutor.figures.served import Look, Stand, asked, bare, look
from tutor.figures.state import State, between, hidden, whole

WIDE = 96
"""Columns from which the numbers stand beside the drawing."""
_SIDE = 40
_LEAST, _MOST, _FACTS_FROM, _ALL_FROM, _VARIANTS_FROM = 4, 18, 10, 11, 7
"""Rows of the plot, how many of them come before the facts and before the last of these, and with how many the variants
are told from the rest."""
_FORM_FROM = 40
"""Columns from which the table names formats."""
_LOAD_FROM = 68
"""Columns from which the table says what its steps are of."""
_TABLE_FROM = 12
"""Rows of height from which the steps are a table."""


# --- the drawing -----------------------------------------------------------------------------------------------------


def paint(state: State, pen: Pen) -> list[Row]:
    """The setup, the roof with its points, and the steps in numbers."""
    below = _below(state, pen)
    seen = _seen(state, pen, below)
    if pen.width >= WIDE:
        at = pen.width - _SIDE
        rows = between(pen.height - roof.FRAME - below, _LEAST, _MOST)
        side = [*_setup(state, seen, pen, _SIDE), pen.gap(), *_table(state, seen, pen, _SIDE, head=True)]
        side = fit([*side, pen.gap(), *_facts(state, seen, pen, _SIDE)], rows + roof.FRAME)
        told = any(row.rank == _BAND for row in side)
        return beside(_drawing(state, seen, pen, at - 3, rows, legend=not told), side, at, pen)
    head, numbers = _setup(state, seen, pen, pen.width), _short(seen, pen)
    if pen.height >= _TABLE_FROM:
        numbers = _table(state, seen, pen, pen.width, head=_room(state, seen, pen, below, head=True) >= _VARIANTS_FROM)
    room = pen.height - len(numbers) - roof.FRAME - below
    facts, above = (
        _facts(state, seen, pen, pen.width),
        _longest(pen, lambda one: len(_setup(state, seen, one, pen.width))),
    )
    if room - above - _told(state, seen, pen) < _ALL_FROM:
        facts = [row for row in facts if row.rank <= _BAND]
    listed = _told(state, seen, pen, _BAND if all(row.rank <= _BAND for row in facts) else GAP)
    if room - above - listed < _FACTS_FROM:
        facts, listed = [], 0
    if room - above < (_VARIANTS_FROM if len(seen.stands) > 2 else _LEAST + 1):
        head, above = [], 0
    return [*head, *_drawing(state, seen, pen, pen.width, room - above - listed, legend=not facts), *numbers, *facts]


def _longest(pen: Pen, rows: Callable[[Pen], int]) -> int:
    """Rows of a text in the longer of both languages: the plot is as high in the one as in the other."""
    return max(rows(pen if pen.lang == lang else replace(pen, lang=lang)) for lang in LANGS)


def _told(state: State, seen: Look, pen: Pen, rank: int = GAP) -> int:
    """Rows of the facts up to a rank."""
    return _longest(pen, lambda one: sum(row.rank <= rank for row in _facts(state, seen, one, pen.width)))


def _seen(state: State, pen: Pen, below: int) -> Look:
    """What is drawn: the variants only where the table names them and the plot can tell them from the others."""
    seen = look(state)
    if pen.width < WIDE and (pen.height < _TABLE_FROM or _room(state, seen, pen, below, head=False) < _VARIANTS_FROM):
        return bare(seen)
    return seen


def _room(state: State, seen: Look, pen: Pen, below: int, head: bool) -> int:
    """Rows that are left to the plot over a line for each step; with its head, also under the setup."""
    above = 1 + len(_setup(state, seen, pen, pen.width)) if head else 0
    return pen.height - roof.FRAME - above - len(seen.stands) - len(_idle(seen, pen, pen.width)) - below


def _below(state: State, pen: Pen) -> int:
    """Rows of the sentence under the drawing."""
    return 0 if hidden(state, "note") else _longest(pen, lambda one: len(one.wrapped(notice(state, one))))


def _setup(state: State, seen: Look, pen: Pen, width: int) -> list[Row]:
    """Model, format and card; where the table has no room for it, what is asked of them."""
    named = pen.say("roofline.setup", model=seen.model, form=seen.form, card=seen.card)
    load = pen.say("roofline.load", decode=_load(state, "decode", pen), prefill=_load(state, "prefill", pen))
    rows = pen.wrapped(named, STRONG, 5, width)
    return rows if width >= _LOAD_FROM else [*rows, *pen.wrapped(load, "", 3, width)]


def _load(state: State, phase: str, pen: Pen) -> str:
    """What a step is of: so many requests of so many tokens, or a prompt."""
    if phase == "prefill":
        return pen.say("roofline.prompt", prompt=grouped(whole(state, "P")))
    return pen.say("roofline.batch", batch=grouped(whole(state, "B")), context=grouped(whole(state, "S")))


def words(seen: Look, pen: Pen, legend: bool) -> roof.Words:
    """The words on the drawing; ``legend``: whether they say what the dots are."""
    flat = pen.amount(seen.peak, "TFLOP/s", 3)
    second = "" if seen.second is None else f"{seen.second_unit.upper()} {pen.amount(seen.second, 'TFLOP/s', 3)}"
    return roof.Words(
        flat, pen.amount(seen.bandwidth, "TB/s", 3), pen.say("roofline.ridge", value=pen.amount(seen.ridge, "none", 3)),
        (second, second.rpartition(" ")[0]) if second else (), flat.partition(" ")[0], roof.sides(pen.say),
        band=roof.dots(pen.say) if legend else (),
    )  # fmt: skip


def _drawing(state: State, seen: Look, pen: Pen, width: int, rows: int, legend: bool) -> list[Row]:
    """The roof; above all else its plot stays, its line and the ridge."""
    made = roof.Roof(
        seen.bandwidth, seen.peak, tuple(one.point for one in seen.stands),
        reach=None if hidden(state, "band") else seen.reach, second=seen.second,
    )  # fmt: skip
    drawn = roof.draw(made, width, words(seen, pen, legend), pen.ascii, between(rows, _LEAST, _MOST))
    ranked = [(drawn.top, 6), *((line, 0) for line in drawn.plot), (drawn.axis, 0), (drawn.ticks, 4)]
    return [Row(line, rank, "") for line, rank in ranked]


# --- the numbers -----------------------------------------------------------------------------------------------------


def _short(seen: Look, pen: Pen) -> list[Row]:
    """Decode and prefill in one line."""
    parts = [_numbers(one, "ms", pen)[0] for one in seen.stands[:2]]
    text = pen.say("roofline.short", decode=parts[0], prefill=parts[1])
    return pen.wrapped(text, STRONG)


_SECONDS_FROM = 10
"""Seconds of the longest step from which all are in seconds."""


def _numbers(stand: Stand, unit: str, pen: Pen) -> tuple[str, str, str]:
    """FLOPs a byte, TFLOP/s and the time in a unit, without their units."""
    point = stand.point
    time = stand.seconds * (1 if unit == "s" else 1000)
    values = (point.intensity, point.rate / 10**12, time)
    return tuple(pen.amount(value, "none", 3) for value in values)  # type: ignore[return-value]


def _table(state: State, seen: Look, pen: Pen, width: int, *, head: bool) -> list[Row]:
    """A line a step; read aloud, each with its units."""
    stands = seen.stands
    variants = not hidden(state, "variants") and width >= _FORM_FROM
    names = [f"{pen.say(f'roofline.{one.phase}')}{f' {one.form}' if variants else ''}" for one in stands]
    if width >= _LOAD_FROM:
        loads = [f"  {_load(state, one.phase, pen)}" if one.point.letter.isupper() else "" for one in stands]
        names = [name.ljust(max(map(len, names))) + load for name, load in zip(names, loads, strict=True)]
    units = ["FLOP/byte", "TFLOP/s", "s" if max(one.seconds for one in stands) >= _SECONDS_FROM else "ms"]
    values = [_numbers(one, units[2], pen) for one in stands]
    column = [max(len(unit) if head else 0, *(len(row[n]) for row in values)) for n, unit in enumerate(units)]
    name = max(map(len, names))
    keep = _columns(width - 2 - name, column, units, head)
    rows = []
    if head:
        titles = "".join(f"  {units[n]:>{column[n]}}" for n in keep)
        rows.append(pen.row((" " * (2 + name) + titles, DIM), rank=2, said=""))
    for stand, text, row in zip(stands, names, values, strict=True):
        small = stand.point.letter.islower()
        cells = "".join(f"  {row[n]:>{column[n]}}{'' if head else f' {units[n]}'}" for n in keep)
        said = (
            f"{' '.join(text.split())}: {', '.join(f'{value} {unit}' for value, unit in zip(row, units, strict=True))}"
        )
        look_of = "" if small else STRONG
        rows.append(
            pen.row((stand.point.letter, ACCENT), (f" {text:<{name}}", look_of), (cells, look_of),
                    rank=2 if small else 0, said=f"{stand.point.letter} {said}")
        )  # fmt: skip
    return [*rows, *_idle(seen, pen, width)]


def _idle(seen: Look, pen: Pen, width: int) -> list[Row]:
    """Where lighter weights gain nothing: what the time goes to."""
    if not seen.idle:
        return []
    share = pen.amount(seen.idle_share, "%", 2)
    return pen.wrapped(pen.say(f"roofline.idle.{seen.idle}", share=share), DIM, 3, width)


def _columns(room: int, column: Sequence[int], units: Sequence[str], head: bool) -> list[int]:
    """The columns that have room: intensity always, then the time, then the rate."""
    kept: list[int] = []
    for n in (0, 2, 1):
        need = 2 + column[n] + (0 if head else 1 + len(units[n]))
        if not kept or need <= room:
            kept.append(n)
            room -= need
    return sorted(kept)


def _facts(state: State, seen: Look, pen: Pen, width: int) -> list[Row]:
    """The ridge, the batch that would reach it, what fits, and what the band is."""
    never = pen.say("roofline.never", limit=pen.amount(seen.limit, "none", 3))
    there = never if seen.ridge_batch is None else pen.say("roofline.reached", batch=grouped(seen.ridge_batch))
    facts = [
        (pen.say("roofline.fact.ridge"), pen.amount(seen.ridge, "FLOP/byte", 3)),
        (pen.say("roofline.fact.batch"), there),
    ]
    facts.append((pen.say("roofline.fact.weights"), pen.amount(seen.weights, "GB", 3)))
    if seen.fits is not None:
        facts.append((pen.say("roofline.fact.fits", context=grouped(whole(state, "S"))), grouped(seen.fits)))
    rows = pen.pairs(facts, 5, width)
    if not hidden(state, "band"):
        rows += pen.wrapped(_band(seen, pen), DIM, _BAND, width)
    if seen.fits:
        left = pen.amount(seen.capacity - seen.weights, "GB", 3)
        end, context = sum(asked(state)), whole(state, "S")
        key = "grown" if end > context + 1 else "room"
        said = pen.say(f"roofline.{key}", left=left, end=grouped(end), context=grouped(context))
        rows += pen.wrapped(said, DIM, _BAND + 1, width)
    return rows


_BAND = 6
"""Rank of the sentence on the band."""


def _band(seen: Look, pen: Pen) -> str:
    of = [f"{round(100 * share)}" for share in seen.reach]
    return pen.say("roofline.band", bytes_low=of[0], bytes_high=of[1], math_low=of[2], math_high=of[3])


# --- what to notice --------------------------------------------------------------------------------------------------


def notice(state: State, pen: Pen) -> str:
    """Where decode stands, and what would bring it to the ridge."""
    seen = look(state)
    batch, fits, reaching = whole(state, "B"), seen.fits, seen.ridge_batch
    left = seen.decode.point.intensity < seen.ridge
    if fits == 0:
        kind = "alone" if seen.weights >= seen.capacity else "one"
    elif fits is not None and batch > fits:
        kind = "beyond"
    elif not left:
        kind = "right"
    elif seen.prefill.point.intensity < seen.ridge:
        kind = "both"
    elif reaching is None:
        kind = "never"
    else:
        kind = "room" if fits is None or reaching <= fits else "full"
    return pen.say(
        f"roofline.notice.{kind}", batch=grouped(batch), prompt=grouped(whole(state, 'P')), fits=grouped(fits or 0),
        context=grouped(whole(state, 'S')), reaching=grouped(reaching or 0), limit=pen.amount(seen.limit, "none", 3),
        weights=pen.amount(seen.weights, "GB", 3), each=pen.amount(seen.each, "GB", 3),
        left=pen.amount(max(Fraction(0), seen.capacity - seen.weights), "GB", 3),
    )  # fmt: skip
