"""What the two buckets leave out, said under them where there is room: what a server keeps back, what scales weigh."""

from __future__ import annotations

from fractions import Fraction

from tutor.figures.bucket_tools import WEIGHT_FORMATS, model_like
from tutor.figures.card import secrets
from tutor.figures.pen import DIM, Pen
from tutor.figures.rows import GAP, Row
from tutor.figures.state import State, hidden, number, whole, word

_FIRST_TO_GO = GAP + 1
"""Rank of what is beside the matter: it leaves before an empty line does."""
_PLAIN_BYTES = 2
"""Weights of so many bytes and more are stored as they are counted."""


def asides(state: State, pen: Pen) -> list[Row]:
    """That a server fits fewer, and where weights have less than 16 bits, that a real checkpoint is larger."""
    if secrets(state) or hidden(state, "note"):
        return []
    said = [pen.say("two-buckets.aside.server")]
    if number(state, "p_w") < _PLAIN_BYTES:
        said.append(_checkpoint(state, pen))
    rows = [row for text in said for row in pen.wrapped(text, DIM, _FIRST_TO_GO)]
    return [Row(pen.gap().content, _FIRST_TO_GO, ""), *rows]


def _checkpoint(state: State, pen: Pen) -> str:
    """What the weights leave out; of a model of the catalogue, what its checkpoint in this format comes to."""
    from engine import precision, weights

    model, form = model_like(state), WEIGHT_FORMATS.get(number(state, "p_w"))
    if model is None or form is None or model.params != whole(state, "N"):
        return pen.say("two-buckets.aside.checkpoint")
    size = Fraction(weights.by_class(model, precision.find(form)).bytes)
    return pen.say("two-buckets.aside.model", size=pen.amount(size, word(state, "unit"), 2))
