"""The one line that is asked: read strictly, since everything after it takes a card's time."""

from __future__ import annotations

import json
from math import isfinite
from typing import Any

from .model import Case, Request, Shape

PROTOCOL = 1
DEVICES = ("auto", "cuda", "cpu", "mps")
LONGEST = 600.0
"""Seconds that may be asked for."""
_MOST = 1 << 24
"""Of any size: more is a slip of the pen."""


def read(line: str) -> Request:
    """The request of a line. Raises ``ValueError`` with one sentence for anything that is not one."""
    try:
        asked = json.loads(line)
    except (ValueError, RecursionError):
        raise ValueError("the request is no line of JSON") from None
    if not isinstance(asked, dict):
        raise ValueError("the request is no JSON object")
    if asked.get("protocol") != PROTOCOL:
        raise ValueError("the request speaks another protocol than 1")
    device = asked.get("device", "auto")
    if device not in DEVICES:
        raise ValueError("device is one of auto, cuda, cpu, mps")
    layers = asked.get("layers")
    return Request(
        device,
        _seconds(asked.get("seconds", 25.0)),
        _shape(asked.get("shape")),
        _case(asked.get("case")),
        None if layers is None else _whole(layers, "layers"),
        asked.get("zeros") is True,
    )


def _seconds(value: Any) -> float:
    usable = isinstance(value, (int, float)) and not isinstance(value, bool) and isfinite(value)
    if not usable or not 0 < value <= LONGEST:
        raise ValueError("seconds is a number over 0 and at most 600")
    return float(value)


def _whole(value: Any, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value <= _MOST:
        raise ValueError(f"{name} is a whole number from 1")
    return value


def _table(value: Any, name: str) -> dict[str, Any] | None:
    if value is not None and not isinstance(value, dict):
        raise ValueError(f"{name} is an object")
    return value


def _shape(value: Any) -> Shape | None:
    table = _table(value, "shape")
    if table is None:
        return None
    names = ("d_model", "d_ff", "n_head", "n_kv_heads", "d_head")
    sizes = {name: _whole(table.get(name), f"shape.{name}") for name in names}
    if sizes["n_head"] % sizes["n_kv_heads"]:
        raise ValueError("shape.n_head is a multiple of shape.n_kv_heads")
    return Shape(gated=table.get("gated", True) is True, **sizes)


def _case(value: Any) -> Case | None:
    table = _table(value, "case")
    if table is None:
        return None
    prompt = table.get("prompt")
    return Case(
        _whole(table.get("batch"), "case.batch"),
        _whole(table.get("context"), "case.context"),
        None if prompt is None else _whole(prompt, "case.prompt"),
    )
