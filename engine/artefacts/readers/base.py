"""What a reader of lines is, and one that a table of patterns makes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple, Protocol

from engine.artefacts import fragments
from engine.artefacts.model import Observations
from engine.artefacts.text import Line

NUMBER = r"-?\d{1,18}(?:,\d{3}){0,5}(?:\.\d{1,18})?(?:[eE][+-]?\d{1,3})?"
"""A number as programs print it, bounded so that no text makes it slow."""


class Reader(Protocol):
    """A reader of lines: one object for each text, so that it may keep what it needs.

    ``marks`` are fragments: a line that has none of them is not shown to it, unless ``open`` is true (a table or a
    block whose further lines have no fragment of their own). A reader that learns only by the line behind a block that
    it is over has ``past``: whether the last line was such a one, and nothing was read in it.
    """

    marks: tuple[str, ...]
    open: bool

    def line(self, line: Line, out: Observations) -> None:
        """Read a line that has one of the marks, or any while ``open``."""

    def end(self, out: Observations) -> None:
        """The text is over."""


class Rule(NamedTuple):
    """One printed form.

    Attributes:
        mark: a fragment that every such line has.
        pattern: with a group for each value. The group is named as the value is, with ``__`` for its dot.
        units: by name: as printed ("GiB", "%", "s"), or ``"@group"`` for the text of another group.
        kind: of the content.
        fixed: names with a value that the line itself stands for.
    """

    mark: str
    pattern: str
    units: Mapping[str, str] = {}
    kind: str = ""
    fixed: Mapping[str, str | bool] = {}


@lru_cache(maxsize=512)
def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern, compiled when it is first needed."""
    return re.compile(pattern.replace("{N}", NUMBER))


class Patterned:
    """A reader made of rules; ``{N}`` in a pattern stands for :data:`NUMBER`. Every rule that fits a line is read, each
    place in it where it fits."""

    open = False

    def __init__(self, rules: Iterable[Rule], engine: str = "") -> None:
        self.rules = tuple(rules)
        self.marks = tuple(dict.fromkeys(rule.mark for rule in self.rules))
        self.engine = engine
        self._any = fragments.compiled(self.marks)

    def line(self, line: Line, out: Observations) -> None:
        """Read what the rules find."""
        self.read(line.text, line, out)

    def read(self, text: str, line: Line, out: Observations) -> None:
        """Read what the rules find in the text of a line."""
        if self._any.search(text):
            for rule in self.rules:
                if rule.mark in text:
                    for match in compiled(rule.pattern).finditer(text):
                        self.take(rule, match, line, out)

    def take(self, rule: Rule, match: re.Match[str], line: Line, out: Observations) -> None:
        """Keep the values of one match."""
        for group, text in match.groupdict().items():
            if text is None or group.startswith("_"):
                continue
            name = group.replace("__", ".")
            unit = rule.units.get(name, "")
            out.put(name, text, line, match[unit[1:]] if unit.startswith("@") else unit)
        for name, value in rule.fixed.items():
            out.put(name, value, line)
        if rule.kind:
            out.seen(rule.kind, line)
        if self.engine:
            out.served_by(self.engine)

    def end(self, out: Observations) -> None:
        """Nothing is open."""
