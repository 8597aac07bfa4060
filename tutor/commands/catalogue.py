"""`model=NAME` and `gpu=NAME` of calc: what the catalogue knows of a name, as values of symbols."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from typing import NamedTuple

from tutor.commands.context import Refusal, quoted


class Known(NamedTuple):
    """An entry's full name and what it gives of the wanted symbols."""

    name: str
    values: dict[str, Fraction]


def values(kind: str, text: str, wanted: Collection[str]) -> Known:
    """What a GPU or a model gives of some symbols.

    Raises:
        Refusal: a name that is unknown or means several, or a model whose layers the formulas cannot size.
    """
    from engine import catalog

    try:
        if kind == "gpu":
            gpu = catalog.gpu(text)
            return Known(gpu.name, catalog.formula_values(gpu, wanted))
        model = catalog.model(text)
        return Known(model.id, catalog.formula_values(model, wanted))
    except catalog.AmbiguousName as error:
        raise Refusal("cli.calc.ambiguous", text=quoted(text), options=", ".join(error.options)) from error
    except catalog.UnknownName as error:
        key = "cli.calc.unknown_name_close" if error.close else "cli.calc.unknown_name"
        raise Refusal(key, kind=kind, text=quoted(text), close=", ".join(error.close)) from error
    except catalog.NoValues as error:
        raise Refusal("cli.calc.not_plain", text=quoted(text), symbols=", ".join(wanted)) from error
