"""`model=NAME` and `gpu=NAME` of calc: what the catalogue knows of a name, as values of symbols."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from tutor.commands.context import Refusal, quoted

if TYPE_CHECKING:
    from engine.catalog import Model


class Known(NamedTuple):
    """An entry's full name and what it gives of the wanted symbols; of a model the formula of its cache, "" where there
    is no single one."""

    name: str
    values: dict[str, Fraction]
    cache: str = ""


def values(kind: str, text: str, wanted: Collection[str]) -> Known:
    """What a GPU or a model gives of some symbols.

    Raises:
        Refusal: a name that is unknown or means several, or a model whose layers the formulas cannot size.
    """
    from engine import catalog, memory

    try:
        if kind == "gpu":
            gpu = catalog.gpu(text)
            return Known(gpu.name, catalog.formula_values(gpu, wanted))
        model = catalog.model(text)
        return Known(model.id, _of_model(model, wanted), memory.formula(model))
    except catalog.AmbiguousName as error:
        raise Refusal("cli.calc.ambiguous", text=quoted(text), options=", ".join(error.options)) from error
    except catalog.UnknownName as error:
        key = "cli.calc.unknown_name_close" if error.close else "cli.calc.unknown_name"
        raise Refusal(key, kind=kind, text=quoted(text), close=", ".join(error.close)) from error
    except catalog.NoValues as error:
        own = memory.formula(catalog.model(text))
        if own:
            raise Refusal("cli.calc.other_cache", text=quoted(text), formula=own) from error
        raise Refusal("cli.calc.not_plain", text=quoted(text), symbols=", ".join(wanted)) from error


def _of_model(model: Model, wanted: Collection[str]) -> dict[str, Fraction]:
    """What a model gives; where its own cache is asked about, all that this takes. Raises ``NoValues``."""
    from engine import catalog, memory

    own = memory.symbols(model) or memory.index_symbols(model) if model.mla is not None else {}
    asked = own if not own.keys().isdisjoint(set(wanted) - catalog.KV_SYMBOLS - {"p"}) else {}
    cache = {name: Fraction(value) for name, value in asked.items() if name in wanted}
    return catalog.formula_values(model, [name for name in wanted if name not in cache]) | cache
