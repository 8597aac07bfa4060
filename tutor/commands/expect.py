"""The `expect` of a batch line as an expectation of the engine: free questions, for other people's scripts."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
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
_UNITS = {"percent": "%", "factor": "x"}
"""Units of kinds that have one by nature."""


def expectation(data: object) -> Expectation:
    """What a batch line expects. Raises ``Refusal`` for one that cannot be checked."""
    if not isinstance(data, dict):
        raise _bad("expect", data)
    kind = text_of(data, "kind", ("kind", "value", "unit"))
    if kind not in KINDS:
        raise Refusal("cli.batch.bad_kind", text=quoted(kind), known=", ".join(KINDS))
    known_keys(data, KEYS[kind if kind in KEYS else "number"])
    if kind == "formula":
        return _formula(data)
    return _choice(data) if kind == "choice" else _number(kind, data)


def _bad(name: str, value: object) -> Refusal:
    return Refusal("cli.batch.bad", name=name, text=quoted(value if isinstance(value, str) else dumps(value)))


def _number(kind: str, data: Mapping[str, Any]) -> Expectation:
    from engine import units

    asked = text_of(data, "unit") if data.get("unit") is not None else _UNITS.get(kind, "none")
    unit = units.find(asked) if asked != "none" else units.get("none")
    if unit is None:
        raise unknown("unit", asked, units.UNITS)
    name = next(name for name, row in units.UNITS.items() if row == unit)
    relative, absolute = (_tolerance(data, key) for key in ("rel_tol", "abs_tol"))
    # an explicit "digits" decides; without one the digit rule is on exactly when no tolerance is given
    digits_on = data["digits"] is True if "digits" in data else relative is None and absolute is None
    if not digits_on and relative is None and absolute is None:
        relative = Fraction(0)
    digits = 3 if digits_on else None
    common: dict[str, Any] = {"unit": name, "digits": digits, "rel_tol": relative, "abs_tol": absolute}
    if data.get("formula") is not None:
        return _computed(kind, data, common)
    return Expectation(kind, value=values.number("value", text_of(data, "value")) * unit.factor, **common)


def _tolerance(data: Mapping[str, Any], name: str) -> Fraction | None:
    if data.get(name) is None:
        return None
    value = values.number(name, text_of(data, name))
    if value < 0:
        raise _bad(name, data[name])
    return value


def _computed(kind: str, data: Mapping[str, Any], common: Mapping[str, Any]) -> Expectation:
    """A number that the registry computes: its slips are known as those of a course part."""
    from engine.formulas import registry

    name = text_of(data, "formula")
    if not registry.is_formula(name):
        raise unknown("formula", name, registry.names())
    given = data.get("given", {})
    if not isinstance(given, dict):
        raise _bad("given", given)
    exact = {symbol: values.of_symbol(symbol, text_of(given, symbol)) for symbol in given}
    missing = [symbol for symbol in registry.needed(name, exact) if symbol not in exact]
    if missing:
        raise Refusal("cli.calc.needs", formula=name, symbols=", ".join(missing))
    try:
        registry.result(name, exact)
    except registry.FormulaError as error:
        raise Refusal("cli.calc.no_value", formula=name, detail=values.why(error)) from error
    return Expectation(kind, formula=name, given=exact, **common)


def _formula(data: Mapping[str, Any]) -> Expectation:
    from engine.formulas import registry
    from engine.tree import symbols

    text = text_of(data, "formula")
    tree = registry.expanded(text) if registry.is_formula(text) else _tree(text)
    pairs = _list(data, "identities")
    identities = tuple(_identity(pair) for pair in pairs)
    aliases = data.get("aliases", {})
    if not (isinstance(aliases, dict) and all(isinstance(name, str) for name in aliases.values())):
        raise _bad("aliases", aliases)
    names = [*symbols(tree), *aliases.values()]
    for left, right in identities:
        names += [left, *symbols(_tree(right))]
    return Expectation("formula", text, symbols={name: name for name in names} | aliases, identities=identities)


def _identity(pair: object) -> tuple[str, str]:
    if not isinstance(pair, str):
        raise _bad("identities", pair)
    left, equals, right = (piece.strip() for piece in pair.partition("="))
    if not (equals and left.isidentifier()):
        raise _bad("identities", pair)
    _tree(right)
    return left, right


def _tree(text: str) -> Any:
    from engine.reader.errors import ReadError
    from engine.reader.read import formula_tree

    try:
        return formula_tree(text)
    except ReadError as error:
        raise _bad("formula", text) from error


def _list(data: Mapping[str, Any], name: str) -> list[Any]:
    found = data.get(name, [])
    if not isinstance(found, list):
        raise _bad(name, found)
    return found


def _choice(data: Mapping[str, Any]) -> Expectation:
    """Options by their texts; the right one by its letter or its text."""
    texts = _list(data, "options")
    if not 0 < len(texts) <= len(LETTERS) or not all(isinstance(text, str) for text in texts):
        raise _bad("options", texts)
    options = tuple(Option(text, letter, (text,)) for text, letter in zip(texts, LETTERS, strict=False))
    wanted = text_of(data, "value").strip().lower()
    for option in options:  # the text first: an option may itself be called "B"
        if option.id.strip().lower() == wanted:
            return Expectation("choice", options=(options,), answers=((option.id,),))
    for option in options:
        if option.letter.lower() == wanted:
            return Expectation("choice", options=(options,), answers=((option.id,),))
    raise _bad("value", data["value"])
