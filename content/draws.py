"""Variants: the values of an exercise drawn afresh, from real models and GPUs, the same for the same number.

A draw keeps to the limits under which the texts are true, and is refused when a slip would give the right answer or two
slips one value that no question splits (see :mod:`engine.answers.variants`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from content.checking import expectation
from content.schema import COMPUTED, Exercise, Given, Part
from content.slips import together
from content.vary import Draw, Limit, Vary
from engine.answers.variants import clashes
from engine.catalog import Gpu, Model, formula_values, gpu, gpus, model, models
from engine.formulas import registry
from engine.formulas.registry import FormulaError

TRIES = 400
"""So many draws are tried for one number before the exercise counts as one that cannot vary."""
SHOWN_DIGITS = 3
"""Digits of a drawn parameter count: what is shown is what is computed with."""
MODEL_SYMBOLS = ("N", "L", "d_model", "n_head", "n_kv_heads", "d_head")
GPU_SYMBOLS = ("capacity", "bandwidth", "peak_flops")
TRUSTED = ("seen", "secondary")
"""Evidence on which a GPU's numbers may stand in an exercise."""


class Drawn(NamedTuple):
    """Values of symbols, and the names of what they belong to."""

    values: Given
    names: Mapping[str, str]


class Refused(Exception):
    """A draw that does not keep to its limits, or has no values."""


def draw(vary: Vary, given: Given, key: str) -> Drawn:
    """One draw; the same key always draws the same.

    Args:
        vary: what is drawn, in its order.
        given: the values as written, under those drawn.
        key: names the draw: exercise, variant, try and part.

    Raises:
        Refused: the draw is outside its limits.
    """
    values, names = dict(given), {}
    for one in vary.draws:
        put, name = _one(one, values, f"{key}/{one.name}")
        values |= put
        if name:
            names[one.name] = name
    for limit in vary.limits:
        _keep(limit, values)
    return Drawn({name: value for name, value in values.items() if given.get(name) != value}, names)


def fair(exercise: Exercise) -> bool:
    """Whether every computed part of a drawn exercise is a fair question."""
    return not any(unfair(exercise, part) for part in exercise.parts if part.kind in COMPUTED)


def unfair(exercise: Exercise, part: Part) -> str:
    """What makes the values of a part unfair: slips joined by a space; empty when nothing does."""
    try:
        found = next(clashes(expectation(exercise, part), together()), None)
    except FormulaError as error:
        return error.reason
    return " ".join(sorted(found.slips)) if found else ""


def same_values(one: Exercise, other: Exercise) -> bool:
    """Whether a draw came out as another one, part by part."""
    return all(a.given == b.given for a, b in zip(one.parts, other.parts, strict=True))


def _keep(limit: Limit, values: Given) -> None:
    given = {**values, **{s: values[v] if isinstance(v, str) else v for s, v in limit.given.items()}}
    try:
        value = registry.result(limit.formula, given)
    except FormulaError as error:
        raise Refused(limit.formula) from error
    if (limit.least is not None and value < limit.least) or (limit.most is not None and value > limit.most):
        raise Refused(limit.formula)


def _one(one: Draw, values: Given, key: str) -> tuple[Given, str]:
    if one.formula:
        try:
            return {one.name: registry.result(one.formula, values)}, ""
        except FormulaError as error:
            raise Refused(one.formula) from error
    if one.entries:
        return _entry(one, values, key)
    return one.options[_dice(key, len(one.options))], ""


def _entry(one: Draw, values: Given, key: str) -> tuple[Given, str]:
    """A model or a GPU: of its values those that the exercise has symbols for."""
    wanted = [symbol for symbol in (*MODEL_SYMBOLS, *GPU_SYMBOLS) if symbol in values]
    found = entries(one)
    entry = found[_dice(key, len(found))]
    if isinstance(entry, Gpu):
        return formula_values(entry, [s for s in wanted if s in GPU_SYMBOLS]), entry.name
    put = formula_values(entry, [s for s in wanted if s in MODEL_SYMBOLS])
    if "N" in put:
        put["N"] = rounded(put["N"])
    return put, entry.id.rpartition("/")[2]


def entries(one: Draw) -> Sequence[Gpu | Model]:
    """What a draw of a model or GPU can give. Raises ``LookupError`` for a name that the catalogue does not know."""
    return _entries(one.name, one.entries)


@cache
def _entries(kind: str, names: tuple[str, ...]) -> tuple[Gpu | Model, ...]:
    if kind == "gpu":
        return _real_gpus() if names == ("any",) else tuple(gpu(name) for name in names)
    many = {"multi-head": _multi_head, "grouped": _grouped}
    return tuple(many[names[0]]()) if names[0] in many else tuple(model(name) for name in names)


def _real_gpus() -> tuple[Gpu, ...]:
    return tuple(one for one in gpus() if one.evidence in TRUSTED and one.peak_flops)


def _multi_head() -> Iterator[Model]:
    """Models whose keys are as wide as the model, so that d_model is in their formula."""
    for one in models():
        if not one.not_plain and one.heads == one.kv_heads and one.heads * one.head_dim == one.d_model:
            yield one


def _grouped() -> Iterator[Model]:
    """Models whose query heads share their KV heads."""
    return (one for one in models() if not one.not_plain and one.kv_heads < one.heads)


def rounded(value: Fraction) -> Fraction:
    """A count rounded to :data:`SHOWN_DIGITS` digits."""
    step = Fraction(10) ** max(len(str(int(value))) - SHOWN_DIGITS, 0)
    return round(value / step) * step


def _dice(key: str, sides: int) -> int:
    """A number from 0 below ``sides``. A hash, since the same number must draw the same in every Python to come."""
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big") % sides
