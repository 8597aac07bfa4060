"""The `expect` of a batch line as an expectation of the engine: free questions, for other people's scripts.

What cannot be asked is refused in one sentence: a key that nothing reads, a value of the wrong type, two things that
contradict each other. A class answers the same questions over and over, so the last ones stay made.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from content.schema import LETTERS
from engine.answers.model import Expectation, Option
from tutor.commands import values
from tutor.commands.batch import known_keys, text_of
from tutor.commands.context import Refusal, dumps, quoted, unknown

NUMBERS = ("number", "integer", "percent", "factor")
KINDS = (*NUMBERS, "formula", "choice")
KEYS = {
    "number": ("kind", "value", "unit", "rel_tol", "abs_tol", "digits", "formula", "given"),
    "formula": ("kind", "formula", "identities", "aliases"),
    "choice": ("kind", "options", "value"),
}
"""What each kind can be told; the number kinds alike."""
_LONGEST_KEPT = 4096
"""Characters of the longest question that stays made."""
MOST_DIGITS = 15
MOST_IDENTITIES = 20
_UNITS = {"percent": "%", "factor": "x"}
"""Units of kinds that have one by nature."""
_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")


def expectation(data: object) -> Expectation:
    """What a batch line expects. Raises ``Refusal`` for one that cannot be checked."""
    if not isinstance(data, dict):
        raise _bad("expect", data)
    text = json.dumps(data)
    return _kept(text) if len(text) <= _LONGEST_KEPT else _made(data)


@lru_cache(maxsize=256)
def _kept(text: str) -> Expectation:
    return _made(json.loads(text))


def _made(data: dict[str, Any]) -> Expectation:
    kind = text_of(data, "kind", ("kind", "value", "unit"))
    if kind not in KINDS:
        raise Refusal("cli.batch.bad_kind", text=quoted(kind), known=", ".join(KINDS))
    known_keys(data, KEYS[kind if kind in KEYS else "number"])
    if kind == "formula":
        return _formula(data)
    return _choice(data) if kind == "choice" else _number(kind, data)


def _bad(name: str, value: object) -> Refusal:
    return Refusal("cli.batch.bad", name=name, text=quoted(value if isinstance(value, str) else dumps(value)))


# --- numbers ----------------------------------------------------------------------------------------------------------


def _number(kind: str, data: Mapping[str, Any]) -> Expectation:
    """A value given, or one that the registry computes: then its slips are known as those of a course part."""
    computed = data.get("formula") is not None
    for name, alone in (("value", computed), ("given", not computed)):
        if alone and data.get(name) is not None:
            raise Refusal("cli.batch.not_both", name=name, other="formula" if computed else "value")
    if computed:
        return _computed(kind, data)
    unit = _unit(kind, data)
    return _toleranced(kind, data, unit, values.quantity("value", text_of(data, "value", KEYS["number"]), unit))


def _computed(kind: str, data: Mapping[str, Any]) -> Expectation:
    from engine.formulas import registry
    from tutor.commands import calc

    name = calc.formula_name(text_of(data, "formula"))
    given = data.get("given") or {}
    if not isinstance(given, dict):
        raise _bad("given", given)
    known = calc.filled(name, {symbol: text_of(given, symbol) for symbol in given}).exact
    try:
        right = registry.result(name, known)
    except registry.FormulaError as error:
        raise calc.refusal(name, error, known) from error
    unit = _unit(kind, data, name)
    return _toleranced(kind, data, unit, right)._replace(formula=name, given=known, value=None)


def _unit(kind: str, data: Mapping[str, Any], formula: str = "") -> str:
    """The canonical name of the unit asked for: the one given, that of the kind, that of the formula."""
    from engine import units
    from engine.formulas import registry

    own = registry.get(formula).unit if formula else "none"
    asked = text_of(data, "unit") if data.get("unit") is not None else _UNITS.get(kind, own)
    unit = units.find(asked) if asked not in units.UNITS else units.get(asked)
    if unit is None:
        raise unknown("unit", asked, units.UNITS)
    name = asked if asked in units.UNITS else next(name for name, row in units.UNITS.items() if row == unit)
    if kind in _UNITS and unit.dimension not in (units.get(_UNITS[kind]).dimension, "number"):
        raise _bad("unit", asked)
    if formula and not _alike(unit.dimension, units.get(own).dimension):
        raise Refusal("cli.calc.wrong_unit", formula=formula, unit=name)
    return name


def _alike(one: str, other: str) -> bool:
    """Whether a value of one dimension can be shown in a unit of the other: counts in each other, all as a number."""
    from engine import units

    return one in (other, "number") or {one, other} <= units.COUNTS | {"number"}


def _toleranced(kind: str, data: Mapping[str, Any], unit: str, right: Fraction) -> Expectation:
    """The expectation of a value in base units, with its rule of digits or its tolerance."""
    from engine import units

    if kind == "integer" and (right / units.get(unit).factor).denominator != 1:
        raise Refusal("cli.batch.not_whole", text=quoted(units.number(right / units.get(unit).factor)))
    relative, absolute = _tolerance(data, "rel_tol", "%"), _tolerance(data, "abs_tol", unit)
    digits = _digits(data, tolerant=relative is not None or absolute is not None)
    if relative is not None and absolute is not None:  # within either of the two
        absolute, relative = max(absolute, relative * abs(right) / units.get(unit).factor), None
    if digits is None and relative is None and absolute is None:
        relative = Fraction(0)
    most = digits or 0  # who asks for five digits means five
    return Expectation(kind, value=right, unit=unit, digits=digits, most_asked=most, rel_tol=relative, abs_tol=absolute)


def _tolerance(data: Mapping[str, Any], name: str, unit: str) -> Fraction | None:
    """A tolerance as a plain number; written with a unit ("1 %", "0.1 GB") it is that much of ``unit``."""
    from engine import units

    if data.get(name) is None:
        return None
    text = text_of(data, name)
    plain = "none" if name == "rel_tol" else unit
    value = values.quantity(name, text, unit, bare=plain) / units.get(plain).factor
    if value < 0:
        raise _bad(name, text)
    return value


def _digits(data: Mapping[str, Any], tolerant: bool) -> int | None:
    """The digits that must be typed; an explicit "digits" decides, else the rule is on where no tolerance is given."""
    asked = data.get("digits")
    if asked is None:
        return None if tolerant else 3
    if isinstance(asked, bool):
        return 3 if asked else None
    if isinstance(asked, int) and 1 <= asked <= MOST_DIGITS:
        return asked
    raise _bad("digits", asked)


# --- formulas ---------------------------------------------------------------------------------------------------------


def _formula(data: Mapping[str, Any]) -> Expectation:
    """A registered formula by its name, or the text of any."""
    from engine.answers import symbolic
    from engine.formulas import registry

    text = text_of(data, "formula", KEYS["formula"]).strip()
    pairs = _identities(data)
    lower = {name.lower(): name for name in registry.names()}
    if text.lower() in lower:
        text = lower[text.lower()]
        names = symbolic.named(text)
    else:
        names = _symbols("formula", text)
        if not names:
            raise Refusal("cli.batch.no_symbol", text=quoted(text))
    names = (*names, *(name for pair in pairs for side in pair for name in _symbols("identities", side)))
    spelled = {name: name for name in dict.fromkeys(names)}
    made = Expectation("formula", text, symbols=spelled | _aliases(data, spelled), identities=pairs)
    reason = symbolic.trouble(made)
    if reason is not None:
        raise Refusal("cli.calc.no_value", formula=quoted(text), detail=values.why(reason))
    return made


def _symbols(name: str, text: str) -> tuple[str, ...]:
    """The symbols of a formula text. Raises ``Refusal`` for one that cannot be read."""
    from engine.reader.errors import ReadError
    from engine.reader.read import formula_tree
    from engine.tree import symbols

    try:
        return symbols(formula_tree(text))
    except (ReadError, RecursionError) as error:
        raise _bad(name, text) from error


def _identities(data: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Identities as the texts of their two sides: those of the formula hold one after the other."""
    from engine.formulas import identities

    found = data.get("identities") or []
    if isinstance(found, str):
        found = [found]
    if not isinstance(found, list) or len(found) > MOST_IDENTITIES:
        raise _bad("identities", found)
    pairs = tuple(_identity(pair) for pair in found)
    try:
        identities.solved(pairs)
    except identities.IdentityError as error:
        raise Refusal("cli.batch.identity", text=quoted(f"{error.left} = {error.right}")) from error
    return pairs


def _identity(pair: object) -> tuple[str, str]:
    if not isinstance(pair, str):
        raise _bad("identities", pair)
    sides = [side.strip() for side in pair.replace("==", "=").split("=")]
    if len(sides) != 2 or not all(_symbols("identities", side) for side in sides):
        raise _bad("identities", pair)
    return sides[0], sides[1]


def _aliases(data: Mapping[str, Any], known: Mapping[str, str]) -> dict[str, str]:
    """More spellings of symbols: spelling -> symbol."""
    found = data.get("aliases") or {}
    if not isinstance(found, dict):
        raise _bad("aliases", found)
    for spelling, symbol in found.items():
        if not isinstance(symbol, str) or not _NAME.fullmatch(spelling) or known.get(spelling, symbol) != symbol:
            raise _bad("aliases", {spelling: symbol})
        if symbol not in known:
            raise Refusal("cli.batch.alias", text=quoted(symbol), known=", ".join(known))
    return dict(found)


# --- choices ----------------------------------------------------------------------------------------------------------


def _choice(data: Mapping[str, Any]) -> Expectation:
    """Options by their texts; the right one by its letter or its text."""
    texts = data.get("options")
    if not isinstance(texts, list) or not 0 < len(texts) <= len(LETTERS):
        raise _bad("options", texts)
    if not all(isinstance(text, str) and text.strip() for text in texts):
        raise _bad("options", texts)
    if len({text.strip().lower() for text in texts}) < len(texts):
        raise Refusal("cli.batch.option_twice", text=quoted(", ".join(texts)))
    options = tuple(Option(text, letter, (text,)) for text, letter in zip(texts, LETTERS, strict=False))
    wanted = text_of(data, "value", KEYS["choice"]).strip().lower()
    for option in options:  # the text first: an option may itself be called "B"
        if option.id.strip().lower() == wanted:
            return Expectation("choice", options=(options,), answers=((option.id,),))
    for option in options:
        if option.letter.lower() == wanted:
            return Expectation("choice", options=(options,), answers=((option.id,),))
    raise _bad("value", data["value"])
