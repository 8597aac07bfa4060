"""Which slips give a typed value: first the broken calculations, then mix-ups of units, percent, sign and digits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from engine import units
from engine.answers.model import Expectation
from engine.answers.slips import Broken
from engine.formulas.registry import expanded, get, values
from engine.reader.read import Reading, is_literal
from engine.tree import FUNCTIONS, Bin, Call, EvalError, Neg, Num, Sym, Tree, evaluate, walk

if TYPE_CHECKING:
    from engine.answers.numeric import Candidate

S = TypeVar("S")
SEEN_IN_WORKING = "seen-in-working"
"""The note that the typed expression itself shows the slip."""

CLOSE = Fraction(3, 1000)
"""How near a typed value must be to a broken calculation's to count as its value."""

_ROUNDING = frozenset(("floor", "ceil", "round"))

FAR_BELOW = 1000
"""So many times smaller than the right count, a calculation is far too small: a length or a width went in squared."""

ONE_DIGIT = Fraction(1, 40)
"""How near one typed digit must be to it: half a digit would take in a third of all values."""


class Match(NamedTuple):
    """Slips that give a value, the likelier first; ambiguous when nothing typed tells them apart.

    ``wide`` holds the less likely ones of the same value too, for a witness that knows better.
    """

    slips: tuple[str, ...]
    ambiguous: bool
    notes: tuple[str, ...]
    wide: tuple[str, ...] = ()


def match_slips(
    known: Sequence[Broken], expect: Expectation, reading: Reading, taken: Candidate, right: Fraction
) -> Match:
    """The slips behind a wrong value.

    The typed expression is the stronger witness: when it is itself one of the broken calculations, factor by factor,
    only that one is named. Otherwise the value decides: all calculations with that value are named, the likelier
    first; a step broken in one of its uses only (rank 2) is named where nothing simpler fits.
    """
    typed = as_typed([(b.slip, b.tree, b.value) for b in known], expect, reading)
    if typed:
        return Match(typed, False, (SEEN_IN_WORKING,))
    general = tuple(dict.fromkeys(_general(expect, reading, taken, right)))
    hits = _nearest(known, expect, reading, taken, right)
    if hits:
        lowest = min(hit.rank for hit in hits)
        named = sorted((hit for hit in hits if hit.rank <= max(lowest, 1)), key=lambda hit: hit.rank)
        slips = tuple(dict.fromkeys(hit.slip for hit in named))
        if _inverted(expect, taken, right) and "factor-inverted" in general and not _exactly(taken, hits):
            return Match(("factor-inverted", *slips), False, ())
        wide = tuple(dict.fromkeys((*slips, *(hit.slip for hit in hits))))
        return Match((*slips, *(s for s in general if s not in slips)), len(slips) > 1, (), wide)
    return Match(general, False, ())


def _nearest(
    known: Sequence[Broken], expect: Expectation, reading: Reading, taken: Candidate, right: Fraction
) -> list[Broken]:
    """The broken calculations whose value the typed one is, all that share the nearest value."""
    short = taken._replace(half_digit=min(taken.half_digit, abs(taken.value) * ONE_DIGIT))
    taken = short if reading.digits == 1 else taken
    whole = expect.kind == "integer"
    near = [
        b
        for b in known
        if (_is_count(taken, b.value) if whole else _is(taken, b.value)) and not rounded_away(b, expect, right)
    ]
    best = min((abs(taken.value - b.value) for b in near), default=None)
    if best is None or abs(taken.value - right) < best:
        return []
    nearest = next(b.value for b in near if abs(taken.value - b.value) == best)
    return [b for b in near if abs(b.value - nearest) <= abs(nearest) / 10**9]


def rounded_away(broken: Broken, expect: Expectation, right: Fraction) -> bool:
    """Whether a broken calculation is a count of 0 only because its last step rounds what is far too small.

    Every other that is far too small ends in the same 0, which so says nothing of how it came about.
    """
    tree = broken.tree
    if broken.value != 0 or not isinstance(tree, Call) or tree.name not in _ROUNDING:
        return False
    try:
        return abs(evaluate(tree.arg, values(expect.given))) * FAR_BELOW < abs(right)
    except EvalError:  # counted from the learner's own values: far below nothing that is known here
        return False


def _is_count(taken: Candidate, value: Fraction) -> bool:
    """Whether a typed count is a calculation's: the very number, since nobody rounds one; a fraction may be rounded."""
    if value.denominator == 1:
        return taken.value == value
    return taken.value.denominator != 1 and _is(taken, value)


def _is(taken: Candidate, value: Fraction) -> bool:
    """Whether a typed value is a calculation's: rounded, nearly so, or cut after at least three digits."""
    cut = 2 * taken.half_digit if taken.half_digit <= abs(taken.value) / 200 else Fraction(0)
    off = abs(value) - abs(taken.value)
    return (
        (abs(off) <= max(taken.half_digit, abs(value) * CLOSE) or 0 <= off < cut)
        and (taken.value < 0) == (value < 0)
        and (taken.value == 0) == (value == 0)
    )


def _inverted(expect: Expectation, taken: Candidate, right: Fraction) -> bool:
    """Whether the value is the right factor upside down to a ten thousandth."""
    ratio = units.get(expect.unit).dimension in ("factor", "number") and right != 0
    return ratio and abs(taken.value * right - 1) <= Fraction(1, 10**4)


def _exactly(taken: Candidate, hits: Sequence[Broken]) -> bool:
    """Whether a broken calculation gives the typed value to a ten thousandth."""
    return any(abs(taken.value - hit.value) <= abs(hit.value) / 10**4 for hit in hits)


def as_typed(known: Sequence[tuple[S, Tree, Fraction]], expect: Expectation, reading: Reading) -> tuple[S, ...]:
    """What was calculated where the very numbers of one calculation were typed, in their order.

    2*1*2048*32*4096 has lost p, 1*2048*32*4096*2 the two of K and V: one value, but the working tells.
    """
    if is_literal(reading.tree) or reading.value is None:
        return ()
    typed = _numbers(reading.tree, {})
    while typed and typed[-1] in _CONVERSIONS:
        typed.pop()
    given = values(expect.given)
    same = [
        (what, _numbers(tree, given)) for what, tree, value in known if typed and _scaled_alike(value, reading.value)
    ]
    for arranged in (list, sorted):  # in the formula's order; then in any, which tells less
        found = tuple(dict.fromkeys(what for what, numbers in same if arranged(numbers) == arranged(typed)))
        if found:
            return found if len(found) == 1 else ()
    return ()


_CONVERSIONS = frozenset(Fraction(n) for n in (9, 10, 10**6, 10**9, 1000, 1024, 2**30))


def _numbers(tree: Tree, given: Mapping[str, Fraction]) -> list[Fraction]:
    """The numbers put into a tree, in order; ones are left out, since people do not write them."""
    leaves = (n.value if isinstance(n, Num) else given.get(n.name) for n in walk(tree) if isinstance(n, Num | Sym))
    return [value for value in leaves if value is not None and value != 1]


def _scaled_alike(one: Fraction, other: Fraction) -> bool:
    """Equal values, perhaps after a division that turns bytes into GB or GiB."""
    return any(one == other * scale for scale in (1, 10**9, 2**30, 10**6, 2**20))


def _general(expect: Expectation, reading: Reading, taken: Candidate, right: Fraction) -> Iterator[str]:
    """Slips that can happen to any value, the more specific first."""
    unit = units.get(expect.unit)
    value = taken.value
    if expect.kind == "integer" and value.denominator == 1:
        taken = taken._replace(half_digit=Fraction(0))
    if value == -right and right != 0:
        yield "sign-flipped"
    if unit.dimension == "bytes":
        yield from _bytes(reading, taken, right, unit)
    if unit.dimension == "share" and _equal(taken, (right / 100, right * 100)):
        yield "percent-twice"
    if unit.dimension == "factor" and right != 0 and _equal(taken, (1 / right,)):
        yield "factor-inverted"
    if unit.dimension == "factor" and taken.note == "percent-for-factor" and right and _equal(taken, (1 - 1 / right,)):
        yield "saving-for-factor"
    if _is_ratio(expect, unit) and right != 0 and _equal(taken, (1 / right,)):
        yield "factor-inverted"
    if _equal(taken, (-right,)) and value != -right:
        yield "sign-flipped"
    if expect.kind == "integer" and expect.formula:
        yield from _unrounded(expect, taken, right)
    if expect.kind != "integer" and _truncated(taken, right):
        yield "truncated"
    yield from _powers(expect, reading, taken, right)


def _is_ratio(expect: Expectation, unit: units.Unit) -> bool:
    """Whether a value has another direction: a plain number, or a rate or time whose formula divides."""
    if expect.kind != "number" or unit.dimension in ("bytes", "share", "factor"):
        return False
    tree = get(expect.formula).tree if expect.formula else None
    return unit.dimension == "number" or (isinstance(tree, Bin) and tree.op == "/")


def _unrounded(expect: Expectation, taken: Candidate, right: Fraction) -> Iterator[str]:
    """A fraction where the formula ends in a whole number: the last step is missing, whatever was rounded before."""
    tree = expanded(expect.formula)
    if isinstance(tree, Call) and taken.value.denominator != 1 and FUNCTIONS[tree.name](taken.value) == right:
        yield {"floor": "fraction-kept", "ceil": "not-rounded-up"}.get(tree.name, "fraction-kept")


def _bytes(reading: Reading, taken: Candidate, right: Fraction, unit: units.Unit) -> Iterator[str]:
    used = units.get(reading.unit) if reading.unit else unit
    for decimal, binary in (("KB", "KiB"), ("MB", "MiB"), ("GB", "GiB"), ("TB", "TiB")):
        ratio = units.get(binary).factor / units.get(decimal).factor
        if used == units.get(decimal) and _equal(taken, (right / ratio,)):
            yield "gib-for-gb"
        if used == units.get(binary) and _equal(taken, (right * ratio,)):
            yield "gb-for-gib"
    bare = taken.value / unit.factor
    typed = taken._replace(value=bare, half_digit=reading.half_digit)
    if reading.unit is None and _near(typed, right):
        yield "bytes-as-gb"
    if reading.unit is None and unit.factor == 1 and any(_near(taken, right / f) for f in (10**9, 2**30)):
        yield "bytes-as-gb"


def _powers(expect: Expectation, reading: Reading, taken: Candidate, right: Fraction) -> Iterator[str]:
    if right == 0 or taken.value == 0 or (taken.value < 0) != (right < 0):
        return
    shift = units.exponent(taken.value) - units.exponent(right)
    for power in (shift - 1, shift, shift + 1):
        scale = Fraction(10) ** power
        if power != 0 and _near(taken, right * scale):
            if _negative_exponent(reading) and power < -3:
                yield "exponent-sign"
            yield "power-of-ten"
            return


def _negative_exponent(reading: Reading) -> bool:
    """Whether a power of ten with a minus was typed, as in 1.07*10^-9 or 1.07e-9."""
    for node in walk(reading.tree):
        if isinstance(node, Bin) and node.op == "^" and isinstance(node.right, Neg):
            return True
        if isinstance(node, Num) and "e-" in node.text:
            return True
    return False


def _equal(taken: Candidate, values: Sequence[Fraction]) -> bool:
    return any(_near(taken, value) for value in values)


def _near(taken: Candidate, value: Fraction) -> bool:
    return abs(taken.value - value) <= max(min(taken.half_digit, abs(value) / 50), abs(value) * CLOSE)


def _truncated(taken: Candidate, right: Fraction) -> bool:
    step = 2 * taken.half_digit
    return step > 0 and step / 2 < abs(right) - abs(taken.value) < step
