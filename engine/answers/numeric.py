"""Verdicts on values: unit first, then the number against tolerance and typed digits."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from engine import units
from engine.answers.model import Expectation, Expected, Read, Verdict
from engine.answers.nearness import close
from engine.formulas import registry
from engine.reader.errors import ReadError
from engine.reader.names import Names
from engine.reader.read import Reading, is_literal, read
from engine.tree import Call, Qty, walk

if TYPE_CHECKING:
    from engine.answers.matching import Match
    from engine.answers.pairs import Together
    from engine.answers.slips import Broken

NUMBERS = Names()
DEFAULT_REL_TOL = Fraction(1, 200)
DEFAULT_POINTS = Fraction(1, 10)
"""Tolerances of a course part that declares none: half a percent, a tenth of a percentage point."""


class Candidate(NamedTuple):
    """One way to take the typed number: its value in base units, half its last digit, and a note when that says so."""

    value: Fraction
    half_digit: Fraction
    note: str = ""


def reading_of(expect: Expectation, typed: str) -> Reading:
    """A typed value as it reads; kept, since what is wrong is looked at several times. Raises ``ReadError``."""
    return _read(typed, _names(expect, typed))


@lru_cache(maxsize=8)
def _read(typed: str, names: Names) -> Reading:
    return read(typed, names)


def _names(expect: Expectation, typed: str) -> Names:
    """What the words of an answer may name here; digits and signs alone name nothing."""
    if not expect.formula or not any(map(str.isalpha, typed)):
        return NUMBERS
    from engine.answers.senses import names  # what is typed in digits alone, with no unit, needs none of this

    return names(expect.formula, tuple(expect.given), expect.kind == "percent")


def right_value(expect: Expectation) -> Fraction:
    """The right value in base units. Raises ``FormulaError`` when the givens do not allow one."""
    if expect.formula:
        return registry.result(expect.formula, expect.given)
    assert expect.value is not None
    return expect.value


def broken_values(expect: Expectation) -> tuple[Broken, ...]:
    """The broken calculations that this expectation knows: dropped ones left out, and declared equals where their value
    really is the right one here (other values of the same exercise may tell them apart)."""
    if not expect.formula:
        return ()
    from engine.answers.slips import broken  # a right answer needs none of this

    known = broken(expect.formula, expect.given, expect.carry, expect.carry_all)
    if not expect.equal:
        return tuple(b for b in known if b.slip not in expect.drop)
    right = right_value(expect)
    reach = Fraction(0) if expect.kind == "integer" else tolerance(expect, right)
    return tuple(
        b for b in known if b.slip not in expect.drop and (b.slip not in expect.equal or abs(b.value - right) > reach)
    )


def same_value(expect: Expectation, typed: str) -> tuple[str, ...]:
    """The declared equal slips whose value is the right number that was typed; none for an expression, since that shows
    how its value came about."""
    if not expect.equal or not expect.formula:
        return ()
    try:
        reading = reading_of(expect, typed)
        taken = tuple(_candidates(expect, reading))
    except ReadError:
        return ()
    if not is_literal(reading.tree):
        return ()
    from engine.answers.slips import broken

    known = broken(expect.formula, expect.given, expect.carry, expect.carry_all)
    wrong = {slip: [b.value for b in known if b.slip == slip] or [right_value(expect)] for slip in expect.equal}
    return tuple(
        slip
        for slip, leads_to in wrong.items()  # a slip that the formula does not know at all cancels out in it
        if any(abs(value - one.value) <= one.half_digit for value in leads_to for one in taken)
    )


def tolerance(expect: Expectation, right: Fraction) -> Fraction:
    """The absolute tolerance in base units: relative, or in points of the unit for shares; never over the caps."""
    unit = units.get(expect.unit)
    if expect.abs_tol is not None:
        return expect.abs_tol * unit.factor
    if expect.digits is None and expect.rel_tol is not None:
        return expect.rel_tol * abs(right)
    if expect.kind == "percent":
        return (expect.rel_tol if expect.rel_tol is not None else DEFAULT_POINTS) * unit.factor
    relative = (expect.rel_tol if expect.rel_tol is not None else DEFAULT_REL_TOL) * abs(right)
    cap = Fraction(10**8) if unit.dimension == "bytes" else relative  # 0.1 GB
    return min(relative, cap)


def check_number(expect: Expectation, typed: str, right: Fraction | None = None) -> Verdict:
    """The verdict on a typed value. ``right`` replaces the computed right value (follow-through)."""
    right = right_value(expect) if right is None else right
    expected = Expected(right, expect.unit, display(expect, right))
    try:
        reading = reading_of(expect, typed)
        candidates = tuple(_candidates(expect, reading))
    except ReadError as error:
        return Verdict("invalid", error.reason, expected=expected, span=(error.start, error.end), params=error.params)
    shown = _read_as(expect, reading, candidates[0])
    base = Verdict("incorrect", read=shown, expected=expected)
    for candidate in candidates:
        verdict = _judge(expect, reading, candidate, right, base)
        if verdict is not None:
            return verdict
    if reading.lone_comma and expect.kind != "integer":
        start, text = 0, typed.strip()
        return base._replace(
            verdict="invalid",
            reason="comma-unclear",
            span=(start, len(typed)),
            params={"typed": text, "suggestion": text.replace(",", "."), "whole": text.replace(",", "")},
        )
    if _bytes_unsaid(expect, reading, right):
        params = {"wanted": "bytes"}
        return base._replace(verdict="invalid", reason="unit-missing", span=(0, len(typed)), params=params)
    return _wrong(expect, reading, candidates, right, base)


def _bytes_unsaid(expect: Expectation, reading: Reading, right: Fraction) -> bool:
    """Whether a bare number is the right number of bytes and its size shows ("1.07*10^9", "107.4 cr", with separators):
    who writes that counts bytes, and left the unit out. Bare digits are taken at their word, in the unit asked for."""
    unit = units.get(expect.unit)
    if reading.unit is not None or reading.value is None or unit.dimension != "bytes" or unit.factor == 1:
        return False
    if not is_literal(reading.tree) or reading.text.strip(" .").replace(".", "", 1).isdigit():
        return False
    return abs(reading.value - right) <= max(tolerance(expect, right), min(reading.half_digit, abs(right) / 100))


def read_number(expect: Expectation, typed: str) -> Verdict:
    """How a typed value reads, unjudged: incorrect stands for readable."""
    try:
        reading = reading_of(expect, typed)
        taken = next(iter(_candidates(expect, reading)))
    except ReadError as error:
        return Verdict("invalid", error.reason, span=(error.start, error.end), params=error.params)
    return Verdict("incorrect", read=_read_as(expect, reading, taken))


def display(expect: Expectation, right: Fraction) -> str:
    """The right answer as the course shows it."""
    return units.quantity(right, expect.unit, expect.digits or 6)


def _candidates(expect: Expectation, reading: Reading) -> Iterator[Candidate]:
    """How the typed value may be meant, the likelier first. Raises ``ReadError`` when its unit does not fit."""
    wanted = units.get(expect.unit)
    if reading.value is None:
        raise ReadError("needs-number", 0, len(reading.text), word=reading.text)
    if reading.unit is None:
        yield from _bare(expect, reading, wanted)
        return
    dimension = units.get(reading.unit).dimension
    whole = units.COUNTS | {"number"}
    if dimension == wanted.dimension or (
        dimension in whole and wanted.dimension in whole and _counts_alike(dimension, wanted.dimension)
    ):
        yield Candidate(reading.value, reading.half_digit)
    elif reading.unit == "bits" and wanted.dimension == "width":  # of one number, "4 bits" is a width, no memory
        yield Candidate(reading.value / units.get("bits").factor, reading.half_digit / units.get("bits").factor)
    elif dimension == "share" and wanted.dimension == "factor":
        yield Candidate(reading.value, reading.half_digit, "percent-for-factor")
    else:
        raise ReadError(
            "wrong-dimension", 0, len(reading.text), unit=units.get(reading.unit).symbol, wanted=wanted.symbol
        )


def _counts_alike(typed: str, wanted: str) -> bool:
    """Whether a counting word may stand for the wanted one: any where a bare count is asked, else like for like."""
    return "number" in (typed, wanted) or units.counts_alike(typed, wanted)


def _bare(expect: Expectation, reading: Reading, wanted: units.Unit) -> Iterator[Candidate]:
    """A number without a unit: in the asked unit; a share may also be typed as a fraction; an expression in bytes may
    already be bytes."""
    value = reading.value
    assert value is not None
    if wanted.dimension not in ("share", "factor", "number") and (word := _fraction_word(reading)):
        raise ReadError("unit-missing", 0, len(reading.text), wanted=wanted.symbol, word=word, more="fraction")
    if wanted.dimension == "bytes" and any(isinstance(node, Qty) for node in walk(reading.tree)):
        # one size over another: the units have cancelled, and what is left is no size
        raise ReadError("unit-missing", 0, len(reading.text), wanted=wanted.symbol)
    as_asked = Candidate(value * wanted.factor, reading.half_digit * wanted.factor)
    as_is = Candidate(value, reading.half_digit, "fraction-as-percent")
    if wanted.dimension == "share":
        fraction_first = not is_literal(reading.tree) or abs(value) <= 1
        yield from (as_is, as_asked) if fraction_first else (as_asked,)
        return
    working = wanted.dimension in ("bytes", "bytes/s") and wanted.factor != 1 and not is_literal(reading.tree)
    in_bytes = Candidate(value, reading.half_digit, "expression-in-bytes")
    bytes_first = working and abs(value) >= wanted.factor / 1000  # a product of the givens, not yet divided
    yield from (in_bytes, as_asked) if bytes_first else (as_asked, in_bytes) if working else (as_asked,)


def _fraction_word(reading: Reading) -> str:
    """The word of an answer that is a bare fraction ("aadha", "teen chauthai"): of what, it does not say."""
    if not is_literal(reading.tree) or any(map(str.isdigit, reading.text)):
        return ""
    from engine.reader.words import FRACTIONS, key  # numbers in words are rare

    found = [word for word in reading.text.replace("-", " ").split() if key(word) in FRACTIONS]
    whole = reading.value is not None and reading.value >= 1  # "six and a half" is an amount
    return "" if whole or not found else found[-1]


def _read_as(expect: Expectation, reading: Reading, taken: Candidate) -> Read:
    unit = reading.unit or ("%" if expect.unit == "%" else expect.unit)
    dimension = units.get(expect.unit).dimension
    if dimension == "width":
        unit = expect.unit
    if taken.note in ("fraction-as-percent", "expression-in-bytes"):
        unit = dimension if taken.note == "expression-in-bytes" else "%"  # the base unit is called like the dimension
    return Read(reading.text, taken.value / units.get(unit).factor, unit, taken.value)


def _judge(expect: Expectation, reading: Reading, taken: Candidate, right: Fraction, base: Verdict) -> Verdict | None:
    """Correct or in want of digits; ``None`` when this candidate is wrong."""
    notes = tuple(note for note in (taken.note, _rounded_by_luck(expect, reading)) if note)
    base = base._replace(read=_read_as(expect, reading, taken))
    if taken.value == right:
        return base._replace(verdict="correct", notes=notes + _unit_note(expect, reading))
    error = abs(taken.value - right)
    allowed = tolerance(expect, right)
    if expect.abs_tol is None and (expect.kind == "integer" or right == 0 or taken.value == 0):
        return None  # a whole number is exact, and nothing is near to zero but by a tolerance in its own unit
    if expect.digits is None or reading.digits is None:
        return base._replace(verdict="correct", notes=notes + _unit_note(expect, reading)) if error <= allowed else None
    if error > max(allowed, taken.half_digit):
        return None
    if reading.digits >= digits_wanted(expect, right):
        return base._replace(verdict="correct", notes=notes + _unit_note(expect, reading))
    if _cut(taken, right):
        return None
    from engine.answers.matching import match_slips

    also = match_slips(broken_values(expect), expect, reading, taken, right).slips
    params = {"digits": str(digits_wanted(expect, right)), **({"also_slip": also[0]} if also else {})}
    return base._replace(verdict="invalid", reason="more-digits", params=params)


def _cut(taken: Candidate, right: Fraction) -> bool:
    """Whether the number looks cut off rather than rounded: right's digits, but over half a last digit too small."""
    step = 2 * taken.half_digit
    return step > 0 and abs(taken.value) < abs(right) and step / 2 < abs(right) - abs(taken.value) < step


def digits_wanted(expect: Expectation, right: Fraction) -> int:
    """The digits that an answer must have: those of the displayed one, fewer where it is shorter ("26"), at most those
    that are asked for."""
    shown = units.number(right / units.get(expect.unit).factor, expect.digits).replace(",", "")
    shown = shown if "." in shown else shown.rstrip("0")  # the reader counts no zeros at the end of a whole number
    return min(len(shown.replace(".", "").replace("-", "").lstrip("0")) or 1, expect.most_asked)


def _rounded_by_luck(expect: Expectation, reading: Reading) -> str:
    """A note when the learner rounded to the nearest where the formula rounds down (or up)."""
    if not expect.formula:
        return ""
    rule = registry.expanded(expect.formula)
    nearest = any(isinstance(node, Call) and node.name == "round" for node in walk(reading.tree))
    return "by-luck" if nearest and isinstance(rule, Call) and rule.name in ("floor", "ceil") else ""


def _unit_note(expect: Expectation, reading: Reading) -> tuple[str, ...]:
    """A note when the answer came in another unit of the same bytes."""
    differs = reading.unit is not None and units.get(reading.unit).factor != units.get(expect.unit).factor
    return ("other-unit",) if differs and units.get(expect.unit).dimension == "bytes" else ()


def _wrong(
    expect: Expectation, reading: Reading, candidates: tuple[Candidate, ...], right: Fraction, base: Verdict
) -> Verdict:
    """An incorrect verdict with the slips that give the typed value."""
    found = _match(expect, reading, candidates, right, broken_values(expect))
    if found is not None and found.slips:
        return base._replace(slips=found.slips, ambiguous=found.ambiguous, notes=found.notes)
    near = any(close(c.value, right, expect.unit) for c in candidates)
    return base._replace(notes=("near",) if near else ())


def _match(
    expect: Expectation,
    reading: Reading,
    candidates: tuple[Candidate, ...],
    right: Fraction,
    known: tuple[Broken, ...],
) -> Match | None:
    """What explains the likeliest way to take the number that can be explained."""
    from engine.answers.matching import match_slips

    for candidate in candidates:
        found = match_slips(known, expect, reading, candidate, right)
        if found.slips:
            return found
    return None


def matched(
    expect: Expectation, typed: str, right: Fraction | None = None, known: tuple[Broken, ...] | None = None
) -> Match | None:
    """The slips behind a typed value, the less likely ones too; ``None`` when none explains it.

    Args:
        expect: what would be right.
        typed: the answer as typed, one that can be read.
        right: a value in place of the computed right one (follow-through).
        known: broken calculations in place of the expectation's own.
    """
    reading = reading_of(expect, typed)
    candidates = tuple(_candidates(expect, reading))
    right = right_value(expect) if right is None else right
    return _match(expect, reading, candidates, right, broken_values(expect) if known is None else known)


def two_at_once(expect: Expectation, typed: str, *, alone: bool) -> tuple[Together, tuple[str, ...]] | None:
    """The pair of slips behind a typed value, and the notes it deserves; ``None`` when none is good evidence.

    Args:
        expect: what would be right.
        typed: the answer as typed, one that can be read.
        alone: whether the value itself may be the evidence, because no single slip gives it; otherwise only an
            expression that puts in the very numbers of a pair.
    """
    if not expect.formula:
        return None
    reading = reading_of(expect, typed)
    worked = not is_literal(reading.tree)
    if not (worked or alone):
        return None
    from engine.answers.matching import SEEN_IN_WORKING, as_typed
    from engine.answers.pairs import Together, Typed, by_value, pairs

    if worked:
        seen = as_typed([(p.slips, p.tree, p.value) for p in pairs(expect) if p.tree is not None], expect, reading)
        if seen:
            return Together(seen[0]), ("together", SEEN_IN_WORKING)
    if not alone:
        return None
    right = right_value(expect)
    for taken in _candidates(expect, reading):
        evidence = Typed(taken.value, taken.half_digit, reading.digits, reading.unit)
        found = by_value(expect, evidence, right)
        if found is not None:
            return found, ("together",)
    return None
