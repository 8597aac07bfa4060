"""A formula over arrays: many configurations at once, in floating point. Imports numpy when called."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from engine.formulas import registry
from engine.tree import Bin, Call, Neg, Num, Qty, Sym, Tree, symbols

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray


def sweep(
    name: str, given: Mapping[str, ArrayLike], overrides: Mapping[str, ArrayLike] | None = None
) -> NDArray[np.float64]:
    """The values of a formula for arrays of its symbols, broadcast together; base units, float64.

    Args:
        name: the formula.
        given: arrays of its symbols; more than it needs do no harm.
        overrides: arrays that stand in for formulas it refers to, as for :func:`engine.formulas.registry.result`.

    Raises:
        FormulaError: an unknown formula or a missing symbol.
    """
    import numpy as np

    instead = overrides or {}
    tree = registry.multi_head(_tree(name, tuple(instead)), given)
    known = {**given, **instead}
    missing = [symbol for symbol in symbols(tree) if symbol not in known]
    if missing:
        raise registry.FormulaError("missing-symbol", name=name, symbol=missing[0])
    arrays = {symbol: np.asarray(value, dtype=np.float64) for symbol, value in known.items()}
    return np.asarray(_walk(tree, arrays), dtype=np.float64)


@cache
def _tree(name: str, kept: tuple[str, ...]) -> Tree:
    """The expanded tree of a formula in which some of the formulas below it stay names."""
    return registry.expand_with(name, {ref: Sym(ref) for ref in kept}) if kept else registry.expanded(name)


def _walk(tree: Tree, arrays: Mapping[str, Any]) -> Any:
    import numpy as np

    match tree:
        case Num(value):
            return float(value)
        case Sym(name):
            return arrays[name]
        case Neg(arg):
            return -_walk(arg, arrays)
        case Qty(arg, _, factor):
            return _walk(arg, arrays) * float(factor)
        case Call(name, arg):
            functions: dict[str, Any] = {"floor": np.floor, "ceil": np.ceil, "int": np.trunc, "abs": np.abs,
                         "round": lambda v: np.sign(v) * np.floor(np.abs(v) + 0.5)}  # fmt: skip
            return functions[name](_walk(arg, arrays))
        case Bin(op, left, right):
            operations = {
                "+": np.add,
                "-": np.subtract,
                "*": np.multiply,
                "/": np.divide,
                "//": np.floor_divide,
                "^": np.power,
            }
            return operations[op](_walk(left, arrays), _walk(right, arrays))
