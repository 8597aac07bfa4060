"""What several texts say together under one name.

Entries with their places, corrections over them, and the moments of statistics put together again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from statistics import median
from typing import Any, NamedTuple

from engine.artefacts.evidence import Artefact, Evidence
from engine.artefacts.model import NO_LINE, Series, shown

CORRECTED = "corrected"
"""The place of a value that a person put in."""


class Entry(NamedTuple):
    """A value and where it stands: "vllm.log:12", or only the text where no one line has it."""

    value: Any
    place: str


class Moment(NamedTuple):
    """The statistics of one line.

    Attributes:
        at: seconds from any beginning; ``None`` without a time stamp.
        place: where it stands.
        values: by name.
    """

    at: float | None
    place: str
    values: dict[str, float]

    @property
    def in_flight(self) -> float:
        """Requests that ran or waited."""
        return self.values.get("running_requests", 0.0) + self.values.get("waiting_requests", 0.0)


class Facts:
    """Answers by name, of all texts."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self.names = dict.fromkeys(name for one in evidence.artefacts for name in one.found.series)
        self.names |= dict.fromkeys(name for name, value in evidence.corrected.items() if value is not None)
        self._moments: list[Moment] | None = None

    def entries(self, name: str) -> Iterator[Entry]:
        """Every entry of a name, in order of the texts."""
        if name in self.evidence.corrected:
            value = self.evidence.corrected[name]
            if value is not None:
                yield Entry(value, CORRECTED)
            return
        for artefact in self.evidence.artefacts:
            series = artefact.found.series.get(name)
            if series is not None:
                for value, line in zip(series, series.lines, strict=True):
                    yield Entry(shown(name, value), place(artefact.name, line))

    def last(self, *names: str) -> Entry | None:
        """The last entry of the first of these names that was read."""
        for name in names:
            found = deque(self.entries(name), maxlen=1)
            if found:
                return found[0]
        return None

    def first(self, name: str) -> Entry | None:
        """The first entry of a name: of a table with several models, the one that its rates are taken of."""
        return next(self.entries(name), None)

    def number(self, *names: str) -> float | None:
        """Its value, where it is a number."""
        found = self.last(*names)
        return found.value if found is not None and is_number(found.value) else None

    def chosen(self, name: str, choose: Callable[[Sequence[float]], float]) -> Entry | None:
        """The number that ``choose`` takes of a name's entries, with the place of the first such one."""
        found = [one for one in self.entries(name) if is_number(one.value)]
        if not found:
            return None
        value = choose([one.value for one in found])
        return Entry(value, next((one.place for one in found if one.value == value), found[-1].place))

    def with_qualifier(self, name: str) -> list[str]:
        """Names that are this one with a qualifier."""
        return [one for one in self.names if one.startswith(f"{name}.")]

    # --- moments -------------------------------------------------------------------------------------------------

    def moments(self) -> list[Moment]:
        """The statistics by line, in order; each text's own: the last text with any, and a page of metrics, which is
        one moment, only where no log has lines of them."""
        if self._moments is None:
            self._moments = self._gathered()
        return self._moments

    def _gathered(self) -> list[Moment]:
        newest_first = tuple(reversed(self.evidence.artefacts))
        for artefact in sorted(newest_first, key=_is_page):
            found: dict[int, Moment] = {}
            alike = _is_page(artefact)
            for name in STATISTICS:
                if name not in self.evidence.corrected:
                    self._into(found, artefact.name, name, artefact.found.series.get(name), alike)
            if found:
                return [found[line] for line in sorted(found)]
        return []

    @staticmethod
    def _into(found: dict[int, Moment], text: str, name: str, series: Series | None, alike: bool) -> None:
        """Sort entries into moments; a page of metrics is one moment, of several engines the fullest."""
        if series is None:
            return
        for value, line, at in zip(series, series.lines, series.times, strict=True):
            if not is_number(value):
                continue
            key = NO_LINE if alike else line
            moment = found.get(key)
            if moment is None:
                moment = found[key] = Moment(None if at != at else at, place(text, line), {})
            moment.values[name] = max(value, moment.values.get(name, value)) if alike else value


def _is_page(artefact: Artefact) -> bool:
    """Whether a text is a page of metrics: all of it of one moment."""
    kinds = artefact.found.kinds
    return "metrics" in kinds and not any(kind.endswith("-stats") for kind in kinds)


STATISTICS = (
    "running_requests", "waiting_requests", "swapped_requests", "kv_cache_usage", "kv_cache_usage.full",
    "kv_cache_usage.swa", "mamba_usage", "generation_throughput", "prompt_throughput", "kv_cache_tokens_used",
    "kv_cache_tokens_used.full", "prefill_new_tokens", "prefix_cache_hit_rate",
)  # fmt: skip
"""What one line of statistics says of one moment."""

_BUSY = 0.8
"""Of the most requests in flight: moments above it are the hour that matters; an idle server prints too."""
_STEADY = 0.5
"""Of the fastest: slower ones average an idle gap or are a start."""


def busy(moments: Sequence[Moment]) -> list[Moment]:
    """The moments with most requests in flight; all of them where none are counted."""
    most = max((one.in_flight for one in moments), default=0.0)
    return [one for one in moments if one.in_flight >= _BUSY * most] if most else list(moments)


def typical(moments: Sequence[Moment], name: str) -> Entry | None:
    """The middle value of a name among moments, with the place of the first that has a value at least as large."""
    values = [one.values[name] for one in moments if name in one.values]
    if not values:
        return None
    middle = median(values)
    first = next(one for one in moments if one.values.get(name, -1.0) >= middle)
    return Entry(middle, first.place)


def steady(moments: Sequence[Moment], name: str) -> Entry | None:
    """The middle of the values that are no start and no average over an idle gap: those above half of the largest."""
    values = [one.values[name] for one in moments if name in one.values]
    most = max(values, default=0.0)
    return typical([one for one in moments if one.values.get(name, -1.0) >= _STEADY * most], name) if most else None


def place(text: str, line: int) -> str:
    """A place in a text, as sources call it."""
    return f"{text}:{line}" if line else text


def is_number(value: object) -> bool:
    """Whether a value is a number (a switch is none)."""
    return isinstance(value, int | float) and not isinstance(value, bool)
