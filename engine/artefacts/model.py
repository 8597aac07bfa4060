"""What reading an artefact gives: observations by name with their lines, notes on traps, and what it was told by."""

from __future__ import annotations

import math
import re
import sys
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

    __slots__ = ("_distinct", "_fact", "dropped", "lines", "times", "values")

    def __init__(self, fact: bool = False) -> None:
        """Make one; of a fact equal repeats are one entry."""
        self.values: array[float] | list[Any] = array("d")
        self.lines = array("Q")
        self.times = array("d")
        self.dropped = 0
        self._fact = fact
        self._distinct: set[Value] = set()

    def __len__(self) -> int:
        return len(self.lines)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.values)

    def add(self, value: Value, line: int, at: float | None) -> bool:
        """Keep an entry; of too many, those in the middle are left out. Whether it is kept."""
        if self._fact:
            if value in self._distinct:
                return False
            self._distinct.add(value)
        if type(value) is not float and isinstance(self.values, array) and not _is_number(value):
            self.values = list(self.values)
        self.values.append(value)  # type: ignore[arg-type]  # a list by now where it is no number
        self.lines.append(line)
        self.times.append(_NAN if at is None else at)
        if len(self.lines) > MOST_ENTRIES:
            middle = slice(MOST_ENTRIES // 2, MOST_ENTRIES // 4 * 3)
            del self.values[middle], self.lines[middle], self.times[middle]
            self.dropped += MOST_ENTRIES // 4
            self._distinct = set(self.values) if self._fact else self._distinct
        return True

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
        found = converted(name, value, unit)
        if found is not None:
            self.keep(name, found, line)
        elif isinstance(value, str):
            self.impossible(name, value, line)

    def keep(self, name: str, found: Value, line: Line | None = None) -> None:
        """Keep a value that is in the name's own unit, see :func:`converted`."""
        series = self.series.get(name)
        if series is None:
            if len(self.series) >= MOST_NAMES:
                return
            series = self.series[name] = Series(term(name).form == "fact")
        if line is None:
            kept = series.add(found, NO_LINE, None)
        elif kept := series.add(found, line.number, line.at):
            self.taken += 1
        if kept and name == "error":
            self.errors += 1
        if kept and series.dropped:
            self.trap("many-entries", name, line, most=MOST_ENTRIES)

    def impossible(self, name: str, text: str, line: Line | None) -> None:
        """Note a number that can be no value of its name."""
        if _DIGITS.fullmatch(text) and text != _NOTHING:
            self.no_value(name, text, line)

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
        self.kinds[kind] = Kind(kind, first, 1) if known is None else Kind(kind, known.line, known.times + 1)

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


def converted(name: str, value: Value, unit: str) -> Value | None:
    """A value in the name's own unit; ``None`` for what can be no value of it."""
    own = term(name).unit
    if isinstance(value, str):
        if not own or value == "inf":
            return value.strip().rstrip(" .")
    elif isinstance(value, bool | tuple):
        return value
    way = way_of(name, unit)
    try:
        found = _scaled(value, way)
    except (ValueError, ZeroDivisionError, OverflowError):
        return None
    return found if way.least <= found <= way.most else None


def _is_number(value: Value) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_MOST: Mapping[str, float] = {"fraction": 1.5, "requests": 1e9, "tokens": 1e15, "blocks": 1e12, "GiB": 1e6}
"""What nobody has: a number beyond is damaged, or made up. Engines may tell a pool as a little over full."""


_LARGEST = sys.float_info.max
"""Of numbers; what is beyond is not finite."""
_NONE_BELOW = frozenset(("fraction", "requests", "tokens", "blocks"))
"""Units in which nothing is negative; -1 is what programs print where they have nothing to tell."""
_TENS: Mapping[Fraction, str] = {
    Fraction(1): "",
    Fraction(1, 100): "e-2",
    Fraction(1000): "e3",
    Fraction(1, 1000): "e-3",
}
_PLAIN = frozenset("0123456789.-")


class Way(NamedTuple):
    """From a printed number to one in its name's own unit.

    Attributes:
        times: what the number is multiplied with.
        tens: the power of ten that does the same behind its digits; ``None`` where none does.
        least, most: of what can be.
    """

    times: Fraction
    tens: str | None
    least: float
    most: float

    def of(self, digits: str) -> float | None:
        """The same as :func:`converted` of digits with a point or without one."""
        found = float(digits + self.tens) if self.tens is not None else float(Fraction(digits) * self.times)
        return found if self.least <= found <= self.most else None


@lru_cache(maxsize=1024)
def way_of(name: str, unit: str) -> Way:
    """The way from a unit that a name's numbers are printed in."""
    own, times = term(name).unit, factor(name, unit)
    least = 0.0 if own in _NONE_BELOW else -_LARGEST
    return Way(times, _TENS.get(times), least, _MOST.get(own, _LARGEST))


def _scaled(value: float | int | str, way: Way) -> float:
    """The number nearest to the exact product; a power of ten behind the digits is as exact, and quicker."""
    if isinstance(value, str):
        value = value.replace(",", "")
        if way.tens is not None and (value.replace(".", "", 1).isdecimal() or _PLAIN.issuperset(value)):
            return float(value + way.tens)
    elif way.times == 1 or not math.isfinite(value):
        return float(value)
    exact = Fraction(repr(value) if isinstance(value, float) else value)  # the digits, not what a float holds of them
    return float(exact * way.times)


def shown(name: str, value: Value) -> Value | list[str]:
    """A value as it goes out: what is counted as a whole number, a list as a list."""
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**63:
        unit = term(name).unit
        if unit in WHOLE or not unit:
            return int(value)
    return value
