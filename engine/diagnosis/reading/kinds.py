"""How the value of each public input is read, and which values are possible."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, time
from fractions import Fraction

from engine.diagnosis import fields
from engine.diagnosis.fields import Field, ScenarioProblem
from engine.diagnosis.model import Span
from engine.diagnosis.reading import cards, counting, formats, values
from engine.diagnosis.written import NotRead
from engine.precision import Format
from engine.units import grouped

_SHOWN = 160
"""Characters of a value that a report shows."""


def shown(value: object) -> str:
    """A value for a report: one line, shortened."""
    match value:
        case None:
            return "null"
        case bool():
            return "on" if value else "off"
        case Span():
            return value.text or (str(value.low) if value.single else f"{value.low}-{value.high}")
        case Format():
            return value.name
        case str():
            line = value
        case Fraction():
            line = f"{float(value):.6g}" if abs(value) < 10**300 else "..."
        case int():
            line = str(value) if value.bit_length() < 256 else "..."
        case float():
            line = repr(value)
        case dict():
            inner = ", ".join(f"{shown(name)}: {_inside(one)}" for name, one in list(value.items())[:5])
            line = f"{{{inner}, ...}}" if len(value) > 5 else f"{{{inner}}}"
        case list() | tuple():
            line = "..." if len(value) > 20 else ", ".join(_inside(one) for one in value) if value else ""
        case date() | time():
            line = value.isoformat()
        case _:
            line = type(value).__name__
    line = " ".join("".join(c if c.isprintable() else " " for c in line[: 2 * _SHOWN]).split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"


def _inside(value: object) -> str:
    """A value inside another one; what lies deeper is not shown."""
    return "..." if isinstance(value, dict | list | tuple) else shown(value)


def typed(value: object) -> str:
    """A value as it stands in a file or an option: what is on and off is true and false there."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"[{shown(value)}]" if isinstance(value, list | tuple) else shown(value)


def limit(one: Field, bound: int) -> str:
    """What a field can be at the most or at the least, in the unit that people write it in."""
    unit = one.unit if one.unit in _SHOWN_UNITS else ""
    scale = 10**9 if one.name == "params_b" else _SHOWN_UNITS.get(unit, 1)
    number = grouped(bound // scale) if bound % scale == 0 else f"{bound / scale:g}"
    return f"{number} {unit}" if unit else number


_SHOWN_UNITS: Mapping[str, int] = {"GB": 10**9, "GB/s": 10**9, "TFLOP/s": 10**12, "s": 1}
"""Units that a limit is told in; names and plain counts go without one."""


# --- what is possible ------------------------------------------------------------------------------------------------

_POSITIVE = frozenset(("request_rate", "gpu_memory_utilization", "ttft", "tpot", "throughput", "prompt_throughput"))


def impossible(one: Field, found: object) -> ScenarioProblem | None:
    """Why a value of a field cannot be, ``None`` where it can."""
    if isinstance(found, Span):
        return impossible(one, found.low) or impossible(one, found.high)
    if isinstance(found, bool) or not isinstance(found, int | Fraction):
        return None
    params = {"value": shown(found)}
    if found < 0:
        return ScenarioProblem("negative", one.name, params)
    if found == 0 and (one.low or one.name in _POSITIVE):
        return ScenarioProblem("zero", one.name, params)
    if one.kind == "share" and found > 1:
        return ScenarioProblem("over-one", one.name, params)
    if one.low is not None and found < one.low:
        return ScenarioProblem("too-small", one.name, {**params, "least": limit(one, one.low)})
    if one.high is not None and found > one.high:
        return ScenarioProblem("too-large", one.name, {**params, "most": limit(one, one.high)})
    return None


def fits(one: Field, value: object) -> bool:
    """Whether a flag's typed value is of the field's type."""
    if one.kind == "choice" and one.choices == fields.SWITCH:
        return isinstance(value, bool)
    if isinstance(value, bool):
        return False
    types: type | tuple[type, ...] = {
        "count": int,
        "tokens": int,
        "span": Span,
        "format": Format,
        "kv-format": str,
        "choice": str,
        "text": str,
    }.get(one.kind, (int, Fraction))
    return isinstance(value, types)


# --- readers ---------------------------------------------------------------------------------------------------------


def read(one: Field, value: object) -> object:
    """The typed value of a field. Raises ``NotRead`` and ``formats.NotAFormat``."""
    reader = _READERS[one.name] if one.name in _READERS else _KINDS[one.kind]
    return reader(value)


def _link(value: object) -> str:
    found = cards.link(values.text(value))
    if found is None:
        raise NotRead("unknown-link")
    return found


def _answer(found: Span) -> Span:
    """An answer of no tokens is one of one: the prompt's own pass gives it, as scoring and embedding runs use it."""
    return found._replace(low=max(found.low, 1), high=max(found.high, 1)) if found.low == 0 else found


_KINDS: Mapping[str, Callable[[object], object]] = {
    "text": values.text, "model": values.text, "gpu": values.text, "count": values.count, "tokens": values.count,
    "span": values.span, "share": values.share, "format": lambda value: formats.read(values.text(value)),
    "kv-format": lambda value: formats.read_kv(values.text(value)), "choice": values.switch,
    "gigabytes": lambda value: values.scaled(value, "bytes", "GB"), "number": lambda value: values.number(value).one,
}  # fmt: skip
_READERS: Mapping[str, Callable[[object], object]] = {
    "link": _link,
    "prompt": lambda value: values.span(value, counting.OUT),
    "output": lambda value: _answer(values.span(value, counting.IN)),
    "params_b": values.parameters,
    "gpu_memory": lambda value: round(values.scaled(value, "bytes", "GB")),
    "bandwidth": lambda value: round(values.scaled(value, "bytes/s", "GB/s")),
    "tflops": lambda value: round(values.scaled(value, "flop/s", "TFLOP/s")),
    "price_per_hour": values.money,
    "request_rate": lambda value: values.rate(value, "r"),
    "throughput": lambda value: values.rate(value, "t"),
    "prompt_throughput": lambda value: values.rate(value, "t"),
    "ttft": lambda value: values.seconds(value, 300),
    "tpot": lambda value: values.seconds(value, 10),
}
