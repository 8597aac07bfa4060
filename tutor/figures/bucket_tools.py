"""What one can type into the two buckets, and the command lines that give their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from tutor.figures.budget import (
    DIALS,
    MOST,
    MOST_BYTES,
    MOST_CAPACITY,
    active,
    budget,
    fitting,
    one_request,
    slots,
)
from tutor.figures.card import secrets
from tutor.figures.levers import about_time
from tutor.figures.numbers import LEAST_KV, MOST_KV, Args, shape
from tutor.figures.numbers import calc as formula
from tutor.figures.parameters import Parameter
from tutor.figures.shell import Shell, calc
from tutor.figures.sizes import sized, suited
from tutor.figures.state import State, number, whole, word

if TYPE_CHECKING:
    from engine.catalog import Model

_HEADS: Sequence[int] = (1, 2, 4, 8, 16, 32, 40, 64)
_LEAST_BYTES = Fraction(1, 8)


def _count(name: str, ladder: Sequence[int | Fraction] = (), least: int = 1) -> Parameter:
    return Parameter(name, "params" if name == "N" else "count", least, MOST[name], ladder)


PARAMETERS = (
    Parameter("model", "model", fills=("N", "L", "n_head", "n_kv_heads", "d_head")),
    _count("N", DIALS["N"]),
    Parameter("p_w", "format", _LEAST_BYTES, MOST_BYTES, DIALS["p_w"], called="weight_precision"),
    _count("L"),
    _count("n_head", _HEADS),
    _count("n_kv_heads", _HEADS),
    _count("d_head", (64, 80, 96, 128, 256)),
    Parameter("p", "format", LEAST_KV, MOST_KV, DIALS["p"], called="kv_precision"),
    _count("B", DIALS["B"]),
    _count("S", DIALS["S"]),
    _count("reserve_slots", DIALS["reserve_slots"], 0),
    Parameter("paging", "choice", choices=("off", "on"), part="levers"),
    _count("bs", (1, 8, 16, 32, 64, 128)),
    Parameter("batching", "choice", choices=("static", "continuous"), part="levers"),
    Parameter("gpu", "gpu", fills=("capacity",)),
    Parameter("capacity", "bytes", 1, MOST_CAPACITY, DIALS["capacity"]),
    Parameter("unit", "choice", choices=("GB", "GiB")),
)


def commands(state: State) -> tuple[Shell, ...]:
    """The numbers of the drawing, one command each, and a diagnosis of the same load where its card is a known one.

    What an exercise asks for gets no command.
    """
    if secrets(state):
        return ()
    unit = word(state, "unit")
    weights: Args = {"N": whole(state, "N"), "p_w": number(state, "p_w")}
    one: Args = {"S": slots(state), **shape(state)}
    every: Args = {"B": whole(state, "B"), **one}
    capacity: Args = {"capacity": number(state, "capacity")}
    money, each = budget(state), one_request(state)
    held, token = money.used + money.reserved, formula("kv_per_token", **shape(state))
    lines = [
        calc("headroom", {**capacity, **weights, **every}, suited(money.free, unit)),
        calc("total", {**weights, **every}, suited(money.total, unit)),
        calc("weights", weights, suited(money.weights, unit)),
        calc("kv_cache", {**every, "S": whole(state, "S")}, suited(money.used, unit)),
    ]
    if money.reserved:
        lines.append(calc("kv_cache", every, suited(held, unit)))
    lines += [calc("kv_per_request", one, sized(each, unit)), calc("kv_per_token", shape(state), sized(token, unit))]
    if fitting(state):
        lines += [calc("batch_that_fits", {**capacity, **weights, **one})]
    if money.free > 0:
        lines += [calc("extra_requests", {**capacity, **weights, **every})]
    return (*lines, *_diagnosis(state))


_NEAR = Fraction(1, 10)
"""A model this near in size goes by the same name: 7B for 6.74 billion."""
_ANSWER = 4
"""Of a request's tokens one in so many is of its answer: a load with prompts and answers, both of them felt."""
WEIGHT_FORMATS = {Fraction(4): "fp32", Fraction(2): "fp16", Fraction(1): "fp8", Fraction(1, 2): "w4a16"}
"""What weights of so many bytes are as a checkpoint, in the words of the levers."""
_KV = {Fraction(4): "fp32", Fraction(2): "fp16", Fraction(1): "fp8", Fraction(1, 2): "int4"}


def _diagnosis(state: State) -> tuple[Shell, ...]:
    """The same load for the diagnoser: requests of S tokens in the end, the last quarter of them the answer.

    The diagnoser needs more of a card and of a model than the figure has, so it is asked only where the catalogue
    knows both: a card with this memory (of several the first), a model with this cache.
    """
    weights, kv = WEIGHT_FORMATS.get(number(state, "p_w")), _KV.get(number(state, "p"))
    gpu, model = _gpu(number(state, "capacity")), model_like(state)
    if weights is None or kv is None or gpu is None or model is None:
        return ()
    size = whole(state, "S")
    answer = max(1, size // _ANSWER)
    given: dict[str, object] = {
        "--model": model.id, "--gpu": gpu, "--weights": weights, "--kv": kv,
        "--prompt": max(1, size - answer), "--output": answer, "--concurrency": whole(state, "B"),
    }  # fmt: skip
    given |= {"--block-size": whole(state, "bs")} if active(state, "paging") else {"--reserve": slots(state)}
    if about_time(state):
        given["--static-batching"] = "off" if active(state, "continuous") else "on"
    return (Shell(("diagnose", *(str(word) for pair in given.items() for word in pair))),)


def _gpu(capacity: Fraction) -> str | None:
    from engine.catalog import gpus

    return next((gpu.name for gpu in gpus() if gpu.capacity == capacity), None)


def model_like(state: State) -> Model | None:
    """The model of the catalogue with these numbers, else the first with this KV of a token and about this size."""
    from engine.catalog import models

    size, shape_ = whole(state, "N"), tuple(whole(state, name) for name in ("L", "n_kv_heads", "d_head"))
    alike = [
        model
        for model in models()
        if not model.not_plain
        and (model.layers, model.kv_heads, model.head_dim) == shape_
        and abs(model.params - size) <= size * _NEAR
    ]
    return min(alike, key=lambda model: model.params != size) if alike else None
