"""`llm-tutor calc FORMULA NAME=VALUE ...`: one formula, worked; `calc --batch FILE|-`; without words, the list."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from tutor.commands.context import DONE, Context, Refusal, dumps, quoted, unknown
from tutor.commands.parser import Parser

if TYPE_CHECKING:
    from fractions import Fraction

    from engine.formulas.worked import Worked

KEYS = ("id", "formula", "given", "unit")
"""What a line of a batch can hold."""
PURE = ("factor", "share")
"""Kinds of numbers without a dimension: a quotient can be read as either."""
CATALOGUE = ("model", "gpu")
"""Names that stand for several values at once."""


def arguments(parser: Parser) -> None:
    """A formula and values, or a batch."""
    parser.word("formula", "FORMULA")
    parser.word("values", "NAME=VALUE", many=True)
    parser.value("--batch", "FILE|-")


def run(context: Context, args: argparse.Namespace) -> int:
    """Work a formula, or list them all."""
    if args.batch is not None:
        if args.formula is not None:
            context.refuse("cli.error.not_with", text=quoted(args.formula), command="calc --batch")
        from tutor.commands import batch

        return batch.run(context, args.batch, _line, KEYS)
    if args.formula is None:
        return _list(context)
    given = _pairs(args.values)
    unit = given.pop("unit", None)
    result = calculate(args.formula, given, unit)
    if context.json:
        context.document(result)
        return DONE
    for step in result["steps"]:
        context.line(f"{step['name']} = {step['symbols']}\n  = {step['numbers']}\n  = {step['value']}")
    if result["catalogue"]["entries"]:
        values = ", ".join(f"{name}={value}" for name, value in result["catalogue"]["values"].items())
        entries = ", ".join(result["catalogue"]["entries"])
        context.line(context.say("cli.calc.from", entries=entries, values=values))
    for entry, cache in result["catalogue"].get("more", {}).items():
        context.line(context.say("cli.calc.more", text=entry, formula=cache))
    return DONE


def _list(context: Context) -> int:
    from engine import tree
    from engine.formulas import registry

    formulas = [registry.get(name) for name in registry.names()]
    if context.json:
        rows = [
            {"formula": formula.name, "expression": tree.text(formula.tree), "unit": formula.unit,
             "symbols": registry.needed(formula.name), "source": formula.source}
            for formula in formulas
        ]  # fmt: skip
        context.document({"formulas": rows})
        return DONE
    for formula in formulas:
        context.line(f"{formula.name:24} {tree.text(formula.tree)}")
    return DONE


def _pairs(texts: Iterable[str]) -> dict[str, str]:
    given: dict[str, str] = {}
    for name, value in map(_pair, texts):
        if name in given:
            raise Refusal("cli.calc.twice", name=quoted(name))
        given[name] = value
    return given


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (equals and name.strip() and value.strip()):
        raise Refusal("cli.calc.pair", text=quoted(text))
    return name.strip(), value.strip()


def _line(record: dict[str, Any]) -> dict[str, Any]:
    from tutor.commands.batch import known_keys, text_of

    if "given" not in record:
        known_keys(record, KEYS)
    given = record.get("given", {})
    if not isinstance(given, dict):
        raise Refusal("cli.batch.bad", name="given", text=quoted(dumps(given)))
    unit = text_of(record, "unit") if "unit" in record else None
    head = {"id": record["id"]} if "id" in record else {}
    return head | calculate(text_of(record, "formula", KEYS), {name: text_of(given, name) for name in given}, unit)


def calculate(formula: str, given: dict[str, str], unit: str | None) -> dict[str, Any]:
    """A worked formula as `calc --json` shows it. Raises ``Refusal``."""
    from engine import tree, units
    from engine.formulas import registry, worked
    from tutor.commands.check import plain

    name = formula_name(formula)
    exact, from_catalogue, entries, more = filled(name, given)
    target = _unit(name, unit)
    try:
        done: Worked = worked.work(name, exact, target, _digits(name, exact, target))
        expression = tree.text(registry.multi_head(registry.expanded(name), exact))
    except registry.FormulaError as error:
        raise refusal(name, error, exact) from error
    shown = target or registry.get(name).unit
    return {
        "formula": name,
        "expression": expression,
        "given": {symbol: plain(value) for symbol, value in exact.items()},
        "value": plain(done.exact / units.get(shown).factor),
        "unit": shown,
        "base_value": plain(done.exact),
        "display": done.value,
        "steps": [step._asdict() for step in done.steps],
        "catalogue": {
            "entries": entries,
            "values": {symbol: plain(value) for symbol, value in from_catalogue.items()},
            **({"more": more} if more else {}),
        },
    }


def _digits(name: str, exact: Mapping[str, Fraction], target: str | None) -> int | None:
    """So many that a count which does not come out whole shows it: 1365.333 numbers, not 1365."""
    from engine import units
    from engine.formulas import registry

    unit = units.get(target or registry.get(name).unit)
    value = registry.result(name, exact) / unit.factor
    if unit.dimension not in units.COUNTS or value.denominator == 1:
        return None
    return len(str(int(abs(value)))) + 3


def formula_name(text: str) -> str:
    """The registered name that a person means. Raises ``Refusal``, with the closest."""
    from engine.formulas import registry

    lower = {name.lower(): name for name in registry.names()}
    name = lower.get(text.lower().replace("-", "_"))
    if name is None:
        raise unknown("formula", text, registry.names())
    return name


class Filled(NamedTuple):
    """Values of symbols: all of them, those that model= and gpu= gave, and the entries these came from; and of a model
    whose cache has more in it than the formula counts, the one that counts all."""

    exact: dict[str, Fraction]
    known: dict[str, Fraction]
    entries: list[str]
    more: dict[str, str]


def filled(name: str, given: Mapping[str, str]) -> Filled:
    """The values that a formula is worked with. What was typed outranks the catalogue. Raises ``Refusal``."""
    from engine.formulas import registry
    from tutor.commands import catalogue, values

    typed = {key: value for key, value in given.items() if key not in CATALOGUE}
    _known_symbols(name, typed)
    exact = {symbol: values.of_symbol(symbol, text) for symbol, text in typed.items()}
    # a given d_model says how wide K and V are, so the catalogue's own heads would contradict it
    skipped = {"n_kv_heads", "d_head"} if "d_model" in typed else set()
    wanted = [symbol for symbol in registry.needed(name) if symbol not in typed.keys() | skipped]
    found: dict[str, Fraction] = {}
    entries, more = list[str](), dict[str, str]()
    for key in CATALOGUE:
        if key in given:
            known = catalogue.values(key, given[key], wanted)
            found |= known.values
            entries.append(known.name)
            if known.cache and name in registry.references(known.cache):
                more[known.name] = known.cache
    return Filled(exact | found, found, entries, more)


def _known_symbols(name: str, given: Mapping[str, str]) -> None:
    """Refuse a name that no formula has: most likely a slip of the finger."""
    from engine.formulas import registry
    from engine.formulas.symbols import SYMBOLS

    for symbol in given:
        if symbol not in SYMBOLS:
            needed = dict.fromkeys((*registry.needed(name), *CATALOGUE, "d_model", "unit"))
            raise unknown("symbol", symbol, needed, formula=name)


def _unit(name: str, text: str | None) -> str | None:
    from engine import units
    from engine.formulas import registry

    if text is None:
        return None
    found = units.find(text)
    own = units.get(registry.get(name).unit)
    if found is None:
        near = [unit for unit, row in units.UNITS.items() if row.dimension == own.dimension]
        raise unknown("unit", text, near)
    target = next((unit for unit, row in units.UNITS.items() if row is found), found.symbol)
    if found.dimension != own.dimension and not {found.dimension, own.dimension} <= set(PURE):
        raise Refusal("cli.calc.wrong_unit", formula=name, unit=target)
    return target


def refusal(name: str, error: Any, given: Mapping[str, object]) -> Refusal:
    """Why a formula cannot be worked with these values, in one sentence."""
    from engine.formulas import registry
    from tutor.commands import values

    if error.reason == "missing-symbol":
        missing = [symbol for symbol in registry.needed(name, given) if symbol not in given]
        return Refusal("cli.calc.needs", formula=name, symbols=", ".join(missing) or error.params["symbol"])
    return Refusal("cli.calc.no_value", formula=name, detail=values.why(error.reason))
