"""What an earlier reading found, as a saved scenario keeps it beside the values, so that opening it changes nothing.

The table is written by :mod:`engine.diagnosis.reading.saved`; a file may hold anything, so every entry is checked
again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import get_args

from engine.diagnosis.fields import BY_ATTRIBUTE
from engine.diagnosis.model import LOGGED, Conflict, Logged, Origin, Said, Scenario, Signal, Unread
from engine.diagnosis.reading.kinds import impossible

_MOST = 2000
_LONGEST = 4000
_ORIGINS = get_args(Origin)
_TEXTS = ("model_name", "gpu_name", "engine_name")
_EXACT = frozenset(
    """
    request_rate utilization kv_pool watermark cpu_offload ttft tpot throughput prompt_throughput kv_usage
    price_per_hour
    """.split()
)
"""Attributes with exact values that no decimal may give back."""


def table(wanted: Scenario, got: Scenario) -> dict[str, object]:
    """What of a scenario its values alone do not give back."""
    out: dict[str, object] = {}
    if wanted.said != got.said:
        out["said"] = {name: list(said) for name, said in wanted.said.items()}
    for name in ("unread", "conflicts", "signals"):
        if getattr(wanted, name) != getattr(got, name):
            out[name] = [list(one) for one in getattr(wanted, name)]
    if wanted.tried != got.tried:
        out["tried"] = sorted(wanted.tried)
    if dict(wanted.flags) != dict(got.flags):
        out["flags"] = dict(wanted.flags)
    for name in _TEXTS:
        if getattr(wanted, name) != getattr(got, name):
            out[name] = getattr(wanted, name)
    exact = {name: getattr(wanted, name) for name in _EXACT if getattr(wanted, name) != getattr(got, name)}
    exact = {name: str(value) for name, value in exact.items() if value is not None}
    if dict(wanted.logged) != dict(got.logged):
        out["logged"] = {name: [str(line.bytes), line.source] for name, line in wanted.logged.items()}
    return out | ({"exact": exact} if exact else {})


def restored(scenario: Scenario, table: Mapping[str, object], base: Scenario) -> Scenario:
    """A scenario with what was kept of it, beside what a weaker source said; entries that are none are left out."""
    if not table:
        return scenario
    new: dict[str, object] = {}
    said = table.get("said")
    if isinstance(said, Mapping):
        rows = {_line(name): _texts(row, 2) for name, row in list(said.items())[:_MOST]}
        new["said"] = {name: Said(row[0], row[1]) for name, row in rows.items() if row and row[0] in _ORIGINS}  # type: ignore[arg-type]  # it is one
    for name, kind, width in (("unread", Unread, 3), ("conflicts", Conflict, 5), ("signals", Signal, 3)):
        rows_of = table.get(name)
        if isinstance(rows_of, list):
            texts = (_texts(row, width) or _texts(row, width + 1) for row in rows_of[:_MOST])
            new[name] = tuple(kind(*row[: len(kind._fields)]) for row in texts if row)
    tried = table.get("tried")
    if isinstance(tried, list):
        new["tried"] = frozenset(_line(one) for one in tried[:_MOST] if isinstance(one, str))
    flags = table.get("flags")
    if isinstance(flags, Mapping):
        new["flags"] = {_line(name): _line(one) for name, one in list(flags.items())[:_MOST] if isinstance(one, str)}
    logged = table.get("logged")
    if isinstance(logged, Mapping):
        new["logged"] = {**base.logged, **dict(_printed(logged))}
    _beside(new, base)
    new |= {name: _line(table[name]) for name in _TEXTS if isinstance(table.get(name), str)}
    new |= _fractions(table.get("exact"))
    return replace(scenario, **new)  # type: ignore[arg-type]  # each has its field's type


def _beside(new: dict[str, object], base: Scenario) -> None:
    """What was kept put before by what the weaker source said."""
    for name in ("unread", "conflicts", "signals"):
        if name in new:
            new[name] = tuple(dict.fromkeys((*getattr(base, name), *new[name])))  # type: ignore[misc]  # a tuple
    for name in ("said", "flags"):
        if name in new:
            new[name] = {**getattr(base, name), **new[name]}  # type: ignore[dict-item]  # a table
    if "tried" in new:
        new["tried"] = base.tried | new["tried"]  # type: ignore[operator]  # a set


def _printed(logged: Mapping[object, object]) -> Iterator[tuple[str, Logged]]:
    for name in LOGGED:
        row = _texts(logged.get(name), 2)
        size = _fraction(row[0]) if row else None
        if row and size is not None and size < _LARGEST:
            yield name, Logged(size, row[1])


_LARGEST = 10**15
"""Bytes that no card has."""


def _line(text: object) -> str:
    """A text without what moves a cursor, bounded."""
    return "".join(c if c.isprintable() else " " for c in str(text)[:_LONGEST])


def _texts(row: object, width: int) -> tuple[str, ...] | None:
    if not isinstance(row, list) or len(row) != width or not all(isinstance(one, str) for one in row):
        return None
    return tuple(_line(one) for one in row)


def _fractions(exact: object) -> dict[str, object]:
    """Exact values by attribute; only those that are positive and of a sensible length."""
    out: dict[str, object] = {}
    for name, value in exact.items() if isinstance(exact, Mapping) else ():
        found = _fraction(value) if name in _EXACT and isinstance(value, str) else None
        if found is not None and impossible(BY_ATTRIBUTE[str(name)], found) is None:
            out[str(name)] = found
    return out


def _fraction(text: str) -> Fraction | None:
    """A positive number as a quotient of whole ones; ``None`` for anything else."""
    above, _, below = text.partition("/") if len(text) < 100 else ("", "", "")
    if above.isdecimal() and (below or "1").isdecimal() and int(below or 1) and int(above):
        return Fraction(int(above), int(below or 1))
    return None
