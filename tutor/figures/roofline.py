"""The roofline: where decode and prefill of one model stand under the roof of one card, on logarithmic axes.

D and P stand where a usual step does, below the roof; small letters are the same steps with lighter weights (W4A16) and
with 8-bit math. Left of the ridge a step waits for bytes, right of it for math.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial

from tutor.figures import roof
from tutor.figures.base import Figure, FigureKey
from tutor.figures.numbers import calc, precision
from tutor.figures.parameters import Parameter
from tutor.figures.pen import ACCENT, DIM, STRONG, Pen, beside
from tutor.figures.rows import Row, fit
from tutor.figures.served import Look, Stand, look, setup_of
from tutor.figures.shell import Shell
from tutor.figures.shell import calc as command
from tutor.figures.state import State, between, exact_number, hidden, moved, number, put, step, whole, word

WIDE = 96
"""Columns from which the numbers stand beside the drawing."""
_SIDE = 40
_LEAST, _MOST = 4, 18
"""Rows of the plot."""
_FORM_FROM = 40
"""Columns from which the table names formats."""
_LOAD_FROM = 68
"""Columns from which the table says what its steps are of."""
_TABLE_FROM, _VARIANTS_FROM = 12, 17
"""Rows of height from which the steps are a table, and from which the variants are in it."""

BATCHES = tuple(2**n for n in range(13))
LENGTHS = tuple(2**n for n in range(7, 18))
FORMATS = ("bf16", "w8a8", "fp8", "w4a16")
"""What the format key walks, those that the card multiplies as they are or unpacks to 16 bits."""
CARDS = ("T4", "L4", "A100 SXM 80GB", "H100 SXM 80GB", "H200 SXM 141GB", "MI300X", "B200 SXM")
_KV = (Fraction(1, 2), Fraction(1), Fraction(2))


# --- the drawing -----------------------------------------------------------------------------------------------------


def paint(state: State, pen: Pen) -> list[Row]:
    """The setup, the roof with its points, and the steps in numbers."""
    seen = look(state)
    below = 0 if hidden(state, "note") else len(pen.wrapped(notice(state, pen)))
    if pen.width >= WIDE:
        at = pen.width - _SIDE
        drawn = _drawing(state, seen, pen, at - 3, pen.height - roof.FRAME - below)
        side = [*_setup(state, seen, pen, _SIDE), pen.gap(), *_table(state, seen, pen, _SIDE, full=True, head=True)]
        return beside(drawn, fit([*side, pen.gap(), *_facts(state, seen, pen, _SIDE)], len(drawn)), at, pen)
    head, numbers = _setup(state, seen, pen, pen.width), _short(seen, pen)
    if pen.height >= _TABLE_FROM:
        full = pen.height >= _VARIANTS_FROM
        numbers = _table(state, seen, pen, pen.width, full=full, head=full)
    facts = _facts(state, seen, pen, pen.width) if pen.height > 2 * _VARIANTS_FROM else []
    room = pen.height - len(numbers) - len(facts) - roof.FRAME - below
    if room - len(head) > _LEAST:
        return [*head, *_drawing(state, seen, pen, pen.width, room - len(head)), *numbers, *facts]
    return [*_drawing(state, seen, pen, pen.width, room), *numbers]


def _setup(state: State, seen: Look, pen: Pen, width: int) -> list[Row]:
    """Model, format and card; where the table has no room for it, what is asked of them."""
    named = pen.say("roofline.setup", model=seen.model, form=seen.form, card=seen.card)
    load = pen.say("roofline.load", decode=_load(state, "decode", pen), prefill=_load(state, "prefill", pen))
    rows = pen.wrapped(named, STRONG, 5, width)
    return rows if width >= _LOAD_FROM else [*rows, *pen.wrapped(load, "", 3, width)]


def _load(state: State, phase: str, pen: Pen) -> str:
    """What a step is of: so many requests of so many tokens, or a prompt."""
    if phase == "prefill":
        return pen.say("roofline.prompt", prompt=f"{whole(state, 'P'):,}")
    return pen.say("roofline.batch", batch=f"{whole(state, 'B'):,}", context=f"{whole(state, 'S'):,}")


def words(seen: Look, pen: Pen) -> roof.Words:
    """The words on the drawing."""
    flat = pen.amount(seen.peak, "TFLOP/s", 3)
    second = "" if seen.second is None else f"{_unit(seen.second_unit, pen)} {pen.amount(seen.second, 'TFLOP/s', 3)}"
    short = second.rpartition(" ")[0] if pen.width < 60 else second
    return roof.Words(
        flat, pen.amount(seen.bandwidth, "TB/s", 3), pen.say("roofline.ridge", value=pen.amount(seen.ridge, "none", 3)),
        short, flat.partition(" ")[0], roof.sides(pen.say),
    )  # fmt: skip


def _unit(name: str, pen: Pen) -> str:
    return name.upper() if name != "16-bit" else pen.say("roofline.sixteen")


def _drawing(state: State, seen: Look, pen: Pen, width: int, rows: int) -> list[Row]:
    """The roof; above all else its plot stays, its line and the ridge."""
    made = roof.Roof(
        seen.bandwidth, seen.peak, tuple(one.point for one in seen.stands),
        reach=None if hidden(state, "band") else seen.reach, second=seen.second,
    )  # fmt: skip
    drawn = roof.draw(made, width, words(seen, pen), pen.ascii, between(rows, _LEAST, _MOST))
    ranked = [(drawn.top, 6), *((line, 0) for line in drawn.plot), (drawn.axis, 0), (drawn.ticks, 4), (drawn.ridge, 0)]
    return [Row(line, rank, "") for line, rank in ranked]


# --- the numbers -----------------------------------------------------------------------------------------------------


def _short(seen: Look, pen: Pen) -> list[Row]:
    """Decode and prefill in one line."""
    parts = [_numbers(one, pen)[0] for one in seen.stands[:2]]
    text = pen.say("roofline.short", decode=parts[0], prefill=parts[1])
    return pen.wrapped(text, STRONG)


def _numbers(stand: Stand, pen: Pen) -> tuple[str, str, str]:
    """FLOPs a byte, TFLOP/s and milliseconds, without their units."""
    point = stand.point
    values = ((point.intensity, "none"), (point.rate / 10**12, "none"), (stand.seconds * 1000, "none"))
    return tuple(pen.amount(value, unit, 3) for value, unit in values)  # type: ignore[return-value]


def _table(state: State, seen: Look, pen: Pen, width: int, *, full: bool, head: bool) -> list[Row]:
    """A line a step; read aloud, each with its units."""
    stands = seen.stands if full else seen.stands[:2]
    variants = len(seen.stands) > 2 and width >= _FORM_FROM
    names = [f"{pen.say(f'roofline.{one.phase}')}{f' {one.form}' if variants else ''}" for one in stands]
    if width >= _LOAD_FROM:
        loads = [f"  {_load(state, one.phase, pen)}" if one.point.letter.isupper() else "" for one in stands]
        names = [name.ljust(max(map(len, names))) + load for name, load in zip(names, loads, strict=True)]
    units = ["FLOP/byte", "TFLOP/s", "ms"]
    values = [_numbers(one, pen) for one in stands]
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
    return rows


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
    facts = [
        (pen.say("roofline.fact.ridge"), pen.amount(seen.ridge, "FLOP/byte", 3)),
        (pen.say("roofline.fact.batch"), never if seen.ridge_batch is None else f"{seen.ridge_batch:,}"),
    ]
    if seen.fits is not None:
        facts.append((pen.say("roofline.fact.fits"), f"{seen.fits:,}"))
    facts.append((pen.say("roofline.fact.weights"), pen.amount(seen.weights, "GB", 3)))
    rows = pen.pairs(facts, 5, width)
    return rows if hidden(state, "band") else [*rows, *pen.wrapped(_band(seen, pen), DIM, 6, width)]


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
        kind = "alone"
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
        f"roofline.notice.{kind}", batch=f"{batch:,}", prompt=f"{whole(state, 'P'):,}", fits=f"{fits or 0:,}",
        reaching=f"{reaching or 0:,}", limit=pen.amount(seen.limit, "none", 3),
        weights=pen.amount(seen.weights, "GB", 3),
    )  # fmt: skip


# --- keys ------------------------------------------------------------------------------------------------------------


def _next_card(state: State) -> State:
    """The next card of the list; after the last comes the first."""
    place = CARDS.index(word(state, "gpu")) if word(state, "gpu") in CARDS else -1
    return put(state, gpu=CARDS[(place + 1) % len(CARDS)])


def _next_format(state: State) -> State:
    """The next weight format that the card can make something of."""
    from engine.catalog import gpu
    from tutor.figures.served import faster

    card = gpu(word(state, "gpu"))
    ring = [name for name in FORMATS if name in ("bf16", "w4a16") or faster(name, card)]
    place = ring.index(word(state, "weights")) if word(state, "weights") in ring else -1
    return put(state, weights=ring[(place + 1) % len(ring)])


# --- state -----------------------------------------------------------------------------------------------------------


def clean(state: State, given: Mapping[str, object]) -> State:
    """Names as the catalogue has them, sizes within bounds; a size alone stands for a model of that size.

    Raises ``ValueError`` for a model, card or format that no step can be computed of, with its name.
    """
    if "N" in given and "model" not in given:
        state = put(state, model="")
    if word(state, "model") or whole(state, "N") < 1:
        state = put(state, N=0, model=word(state, "model") or MODEL)
    size = {name: between(whole(state, name), 1, most) for name, most in _BOUNDS.items()}
    state = put(state, **size, p=max(_KV[0], min(Fraction(4), exact_number(state["p"]))))
    return _named(state)


def _named(state: State) -> State:
    """The state with full names. Raises ``ValueError``."""
    from engine import precision as formats
    from engine.catalog import NoValues, gpu

    try:
        card, form = gpu(word(state, "gpu")), formats.find(word(state, "weights"))
    except LookupError as error:
        name = "weights" if isinstance(error, formats.UnknownFormat) else "gpu"
        raise ValueError(f"{name} = {word(state, name)!r}") from error
    if not card.peak_flops or form.computes == "32-bit":
        name = "weights" if card.peak_flops else "gpu"
        raise ValueError(f"{name} = {word(state, name)!r}")
    state = put(state, gpu=card.name, weights=form.name)
    try:
        model = setup_of(state).model
        look(state)
    except (LookupError, NoValues) as error:
        name = "model" if word(state, "model") else "N"
        raise ValueError(f"{name} = {word(state, name)!r}") from error
    return put(state, model=model.id) if word(state, "model") else state


MODEL = "meta-llama/Llama-2-7b-hf"
_BOUNDS = {"B": 4096, "S": 2**20, "P": 2**20}


# --- commands --------------------------------------------------------------------------------------------------------


def commands(state: State) -> Sequence[Shell]:
    """The diagnosis of this load, then ridge, place and time of both steps."""
    seen = look(state)
    made = [diagnosis(state), command("ridge", {"peak_flops": seen.peak, "bandwidth": seen.bandwidth})]
    for one in (seen.decode, seen.prefill):
        made.append(command("arithmetic_intensity", {"flops": one.flops, "bytes_moved": one.bytes_moved}))
    roofs = calc("memory_roof", intensity=seen.decode.point.intensity, bandwidth=seen.bandwidth)
    if roofs < seen.peak:
        made.append(
            command("memory_roof", {"intensity": seen.decode.point.intensity, "bandwidth": seen.bandwidth}, "TFLOP/s")
        )
    return made


def diagnosis(state: State) -> Shell:
    """The same load for the diagnoser: its decode holds a prompt and half an answer."""
    prompt, context = whole(state, "P"), whole(state, "S")
    answer = max(2, 2 * (context - prompt))
    prompt = min(prompt, max(1, context - answer // 2))
    size = ("--params-b", f"{whole(state, 'N') / 10**9:g}")
    named = ("--model", word(state, "model")) if word(state, "model") else size
    cache = () if number(state, "p") == 2 else ("--kv", precision(number(state, "p"), kv=True).lower())
    return Shell((
        "diagnose", *named, "--gpu", word(state, "gpu"), "--weights", word(state, "weights"), *cache,
        "--prompt", str(prompt), "--output", str(answer), "--concurrency", str(whole(state, "B")),
    ))  # fmt: skip


def _length(by: int, state: State) -> State:
    return moved(state, "S", LENGTHS, by)


FIGURE = Figure(
    "roofline",
    {
        "model": MODEL, "N": 0, "gpu": "A100 SXM 80GB", "weights": "bf16", "p": Fraction(2), "B": 16, "S": 1024,
        "P": 512, "hide": (),
    },
    (
        FigureKey("right", step("B", BATCHES, 1), "roofline.key.more"),
        FigureKey("left", step("B", BATCHES, -1), "roofline.key.fewer"),
        FigureKey("up", partial(_length, 1), "roofline.key.longer"),
        FigureKey("down", partial(_length, -1), "roofline.key.shorter"),
        FigureKey("unit", _next_format, "roofline.key.format", part="variants"),
        FigureKey("switch", _next_card, "roofline.key.card"),
    ),
    paint,
    clean,
    notice=notice,
    parameters=(
        Parameter("model", "model"),
        Parameter("gpu", "gpu"),
        Parameter("weights", "choice", choices=(*FORMATS, "int8", "awq", "nvfp4", "q4_k_m"), part="variants"),
        Parameter("p", "format", _KV[0], 4, ladder=_KV),
        Parameter("B", "count", 1, _BOUNDS["B"], BATCHES),
        Parameter("S", "count", 1, _BOUNDS["S"], LENGTHS),
        Parameter("P", "count", 1, _BOUNDS["P"], LENGTHS),
    ),
    commands=commands,
)  # fmt: skip
