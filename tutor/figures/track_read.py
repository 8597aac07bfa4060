"""What one step of decode reads, of the parallel tracks: the numbers, what to notice in them, their command lines."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from engine.units import grouped
from tutor.figures import shell
from tutor.figures.numbers import Args, calc
from tutor.figures.pen import Pen
from tutor.figures.shell import Shell
from tutor.figures.sizes import amount, suited
from tutor.figures.state import State, number, whole
from tutor.figures.unsaid import unsaid

FOLLOWS = {
    "weights": ("share", "step", "overtakes"),
    "own": ("step", "overtakes"),
    "step": ("part",),
    "share": (),
    "part": (),
    "overtakes": (),
}
"""Parts that a state can hide, each with the parts that are worked out from it."""


@dataclass(frozen=True, slots=True)
class Read:
    """What one step reads, in bytes."""

    weights: Fraction
    share: Fraction
    """Of the weights, for one request."""
    own: Fraction
    """KV of one request."""
    kv: Fraction
    step: Fraction
    part: Fraction
    """The weights as a share of the step."""
    even: int
    """Most requests whose KV together is no more than the weights."""
    gone: frozenset[str]
    """Parts that are hidden."""


def secrets(state: State) -> frozenset[str]:
    """The numbers that this state does not tell."""
    return unsaid(state, FOLLOWS) & frozenset(FOLLOWS)


def _one(state: State) -> Args:
    names = ("S", "L", "n_kv_heads", "d_head")
    return {**{name: whole(state, name) for name in names}, "p": number(state, "p")}


def _model(state: State) -> Args:
    return {"N": whole(state, "N"), "p_w": number(state, "p_w")}


def read(state: State) -> Read:
    """The numbers of the drawing."""
    one, model, batch = _one(state), _model(state), whole(state, "B")
    weights, total = calc("weights", **model), calc("total", B=batch, **one, **model)
    return Read(
        weights,
        calc("weight_read_per_request", B=batch, **model),
        calc("kv_per_request", **one),
        calc("kv_cache", B=batch, **one),
        total,
        calc("ratio", part=weights, whole=total),
        int(calc("max_requests", budget=weights, **one)),
        secrets(state),
    )


def notice(state: State, pen: Pen) -> str:
    """Who shares what, and from when on sharing the weights saves little. Of hidden numbers it tells none."""
    told, batch = read(state), whole(state, "B")
    if told.gone:
        return pen.say("tracks.notice.hidden")
    part, kv = pen.amount(told.part, "%", 3), pen.amount(1 - told.part, "%", 3)
    if not told.even:
        return pen.say(
            "tracks.notice.long", own=amount(told.own, "GB", pen, 3), weights=amount(told.weights, "GB", pen, 3)
        )
    if batch > told.even:
        return pen.say("tracks.notice.overtaken", kv=kv)
    if batch == 1:
        return pen.say("tracks.notice.alone", weights=amount(told.weights, "GB", pen, 3), part=part)
    return pen.say("tracks.notice.shared", all=grouped(batch), part=part, even=grouped(told.even + 1))


def _share(state: State, told: Read, load: Args) -> tuple[Shell, ...]:
    """The share that the sentence speaks of: of the weights, or of the KV once that has overtaken them."""
    if not told.even:
        return ()
    if whole(state, "B") > told.even:
        return (shell.calc("kv_share", load),)
    return (shell.calc("ratio", {"part": told.weights, "whole": told.step}),)


def commands(state: State) -> tuple[Shell, ...]:
    """The numbers of the drawing, one command each; none where some are hidden."""
    told = read(state)
    if told.gone:
        return ()
    one, model = _one(state), _model(state)
    every: Args = {"B": whole(state, "B"), **one}
    return (
        shell.calc("total", {**model, **every}, suited(told.step, "GB")),
        shell.calc("weight_read_per_request", {**model, "B": whole(state, "B")}, suited(told.share, "GB")),
        shell.calc("kv_per_request", one, suited(told.own, "GB")),
        shell.calc("weights", model, suited(told.weights, "GB")),
        *_share(state, told, {**model, **every}),
    )
