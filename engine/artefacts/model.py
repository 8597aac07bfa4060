"""What reading an artefact gives: observations by name with their lines, notes on traps, and what it was told by."""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from engine.artefacts import traps, vocabulary
from engine.artefacts.text import Ends, Line
from engine.artefacts.vocabulary import WHOLE, factor, term

Value = float | int | str | bool | tuple[str, ...]

MOST_ENTRIES = 2**18
"""Entries of one name that are kept, the first half and the latest: 50 MB of statistics lines have fewer."""
MOST_NAMES = 4096
ERRORS = frozenset(("vllm-error", "vllm-preemption", "vllm-traceback", "torch-oom", "tgi-error"))
"""Kinds whose lines say in words what is wrong."""
MOST_TRAPS = 500
NO_LINE = 0
"""Of a value that comes from several lines, or from JSON."""
_NAN = math.nan


class Series:
    """The entries of one name, in order of the text: values, lines and times (NaN where there is none)."""

    __slots__ = ("dropped", "lines", "times", "values")

    def __init__(self) -> None:
        self.values: array[float] | list[Any] = array("d")
        self.lines = array("Q")
        self.times = array("d")
        self.dropped = 0

    def __len__(self) -> int:
        return len(self.lines)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.values)

    def add(self, value: Value, line: int, at: float | None) -> None:
        """Keep an entry; of too many, those in the middle are left out."""
        number = type(value) is float or (isinstance(value, int | float) and not isinstance(value, bool))
        if not number and isinstance(self.values, array):
            self.values = list(self.values)
        self.values.append(value)  # type: ignore[arg-type]  # a list by now where it is no number
        self.lines.append(line)
        self.times.append(_NAN if at is None else at)
        if len(self.lines) > MOST_ENTRIES:
            middle = slice(MOST_ENTRIES // 2, MOST_ENTRIES // 4 * 3)
            del self.values[middle], self.lines[middle], self.times[middle]
            self.dropped += MOST_ENTRIES // 4

    @property
    def first(self) -> Any:
        """The first value."""
        return self.values[0]

    @property
    def last(self) -> Any:
        """The last value."""
        return self.values[-1]


class Trap(NamedTuple):
    """A note: an id of :data:`engine.artefacts.traps.TRAPS`, the name that it is about ("" for none), where it was met
    first, and values for its sentence."""

    id: str
    name: str
    line: int
    params: tuple[tuple[str, str | int], ...] = ()


class Kind(NamedTuple):
    """A kind of content that was recognised: its id, where first, and how many lines or documents of it there are."""

    id: str
    line: int
    times: int


class Observations:
    """Everything that was read in one text.

    Attributes:
        series: by name.
        traps: notes, each once for a name.
        kinds: what the text holds, by id of the reader, in order of first appearance.
        engine, version: the server that printed it, where it can be told.
        config: the first document that is a model's config.json; ``None`` without one.
        flags: of a start command or of an engine's config line, as written, by name.
        sealed: what it is where it is no text, of :data:`engine.artefacts.sealed.KINDS`; nothing of it is read then.
        lines: how many lines the text has.
        known: how many of them a reader took something from.
        taken, errors: how often a reader took something of a line, and an error or a warning.
        ticks: times of the lines of statistics, in order.
        text: lines from its beginning and its end, for those who read sentences.
    """

    def __init__(self) -> None:
        self.series: dict[str, Series] = {}
        self.traps: list[Trap] = []
        self.kinds: dict[str, Kind] = {}
        self.engine = ""
        self.version = ""
        self.sealed = ""
        self.config: dict[str, Any] | None = None
        self.flags: dict[str, str] = {}
        self.lines = self.known = 0
        self.ticks = array("d")
        self.text = Ends()
        self.taken = self.errors = 0
        self._noted: set[tuple[str, str]] = set()

    def __bool__(self) -> bool:
        return bool(self.series or self.flags or self.engine)

    # --- for readers ---------------------------------------------------------------------------------------------

    def put(self, name: str, value: Value, line: Line | None = None, unit: str = "") -> None:
        """Keep a value, converted from the unit it is printed in to the name's own.

        Args:
            name: of the vocabulary, or a flag.
            value: a text that looks like a number is one where the name has a unit; thousands separators are dropped.
            line: where it stands; ``None`` for JSON and for what comes from several lines.
            unit: as printed: "MiB", "%", "s", "B" of parameters; "" for the name's own.
        """
        found = _printed(name, value, unit) if isinstance(value, str) else _converted(name, value, unit)
        if found is None:
            if isinstance(value, str) and _DIGITS.fullmatch(value) and value != _NOTHING:
                self.no_value(name, value, line)
            return
        series = self.series.get(name)
        if series is None:
            if len(self.series) >= MOST_NAMES:
                return
            series = self.series[name] = Series()
        elif term(name).form == "fact" and found in series.values:
            return
        number, at = (NO_LINE, None) if line is None else (line.number, line.at)
        series.add(found, number, at)
        self._take(line)
        self.errors += name == "error"
        if series.dropped:
            self.trap("many-entries", name, line, most=MOST_ENTRIES)

    def no_value(self, name: str, text: str, line: Line | None) -> None:
        """Note that what stands in the place of a value is none: it is not used, and that is told."""
        self.trap("no-value", name, line, of=name, value=text[:_ODD])

    def trap(self, id: str, name: str = "", line: Line | None = None, **params: str | int) -> None:
        """Keep a note, once for its name."""
        assert id in traps.TRAPS, id
        if (id, name) not in self._noted and len(self._noted) < MOST_TRAPS:
            self._noted.add((id, name))
            self.traps.append(Trap(id, name, NO_LINE if line is None else line.number, tuple(params.items())))

    def seen(self, kind: str, line: Line | None = None) -> None:
        """Count a line, a row or a document of a kind."""
        known = self.kinds.get(kind)
        self._take(line)
        self.errors += kind in ERRORS
        first = NO_LINE if line is None else line.number
        self.kinds[kind] = Kind(kind, first, 1) if known is None else known._replace(times=known.times + 1)

    def tick(self, line: Line) -> None:
        """Count a line of statistics that comes at regular times."""
        if line.at is not None and len(self.ticks) < MOST_ENTRIES:
            self.ticks.append(line.at)

    def _take(self, line: Line | None) -> None:
        if line is not None:
            self.taken += 1

    def forget(self, unwanted: Callable[[str], bool]) -> None:
        """Drop flags by their names, secrets for instance, and what was observed of them."""
        for name in [one for one in self.flags if unwanted(one)]:
            del self.flags[name]
        for name in [one for one in self.series if term(one) is vocabulary.FLAG and unwanted(one)]:
            del self.series[name]

    def settle(self) -> None:
        """Drop notes on values that were not read after all."""
        bases = {name.partition(".")[0] for name in self.series}
        self.traps = [
            one for one in self.traps if not one.name or one.name.partition(".")[0] in bases or one.id == "no-value"
        ]

    def served_by(self, engine: str, version: str = "") -> None:
        """Keep which server printed this; the first one that says so."""
        if not self.engine:
            self.engine = engine
        if version and not self.version and engine == self.engine:
            self.version = version

    # --- for those who ask ---------------------------------------------------------------------------------------

    def one(self, name: str) -> Any:
        """The last value of a name; ``None`` where it was not read."""
        series = self.series.get(name)
        return None if series is None or not len(series) else shown(name, series.last)

    def all(self, name: str) -> list[Any]:
        """All values of a name."""
        series = self.series.get(name)
        return [] if series is None else [shown(name, one) for one in series]

    def line_of(self, name: str) -> int | None:
        """Where a name was read first; ``None`` for no one line."""
        series = self.series.get(name)
        return None if series is None or not len(series) else series.lines[0] or None


_DIGITS = re.compile(r"-?\d{1,18}(?:,\d{3}){0,5}(?:\.\d{1,18})?(?:[eE][+-]?\d{1,9})?")
_NOTHING = "-1"
"""What programs print where they have nothing to tell."""
_ODD = 40
"""Characters of a value that is none, at most."""


def _converted(name: str, value: Value, unit: str) -> Value | None:
    """A value in the name's own unit; ``None`` for what can be no value of it."""
    own = term(name).unit
    if isinstance(value, bool | tuple) or (isinstance(value, str) and (not own or value == "inf")):
        return value.strip().rstrip(" .") if isinstance(value, str) else value
    if isinstance(value, float) and not math.isfinite(value):
        return None
    try:
        found = _scaled(value.replace(",", "") if isinstance(value, str) else value, *_way(name, unit))
    except (ValueError, ZeroDivisionError, OverflowError):
        return None
    return found if math.isfinite(found) and _possible(own, found) else None


@lru_cache(maxsize=4096)
def _printed(name: str, text: str, unit: str) -> Value | None:
    """The same of a text: a server prints few different ones of each name, time and again."""
    return _converted(name, text, unit)


_MOST: Mapping[str, float] = {"fraction": 1.5, "requests": 1e9, "tokens": 1e15, "blocks": 1e12, "GiB": 1e6}
"""What nobody has: a number beyond is damaged, or made up. Engines may tell a pool as a little over full."""


def _possible(unit: str, value: float) -> bool:
    """Whether a number can be one of its unit; -1 is what programs print where they have nothing to tell."""
    least = 0.0 if unit in ("fraction", "requests", "tokens", "blocks") else -math.inf
    return least <= value <= _MOST.get(unit, math.inf)


_TENS: Mapping[Fraction, str] = {
    Fraction(1): "",
    Fraction(1, 100): "e-2",
    Fraction(1000): "e3",
    Fraction(1, 1000): "e-3",
}
_PLAIN = frozenset("0123456789.-")


@lru_cache(maxsize=1024)
def _way(name: str, unit: str) -> tuple[Fraction, str | None]:
    """What a printed number is multiplied with, and the power of ten that does the same behind its digits."""
    times = factor(name, unit)
    return times, _TENS.get(times)


def _scaled(value: float | int | str, times: Fraction, tens: str | None) -> float:
    """The number nearest to the exact product; a power of ten behind the digits is as exact, and quicker."""
    if tens is not None and isinstance(value, str) and _PLAIN.issuperset(value):
        return float(value + tens)
    exact = Fraction(repr(value) if isinstance(value, float) else value)  # the digits, not what a float holds of them
    return float(exact if times == 1 else exact * times)


def shown(name: str, value: Value) -> Value | list[str]:
    """A value as it goes out: what is counted as a whole number, a list as a list."""
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**63:
        unit = term(name).unit
        if unit in WHOLE or not unit:
            return int(value)
    return value
