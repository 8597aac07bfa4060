"""The files under validation: their tables, the lines of their parts, and the problems found in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from os import PathLike
from pathlib import Path as FilePath
from typing import Any

from content.files import ContentError, load, read
from content.validate.positions import Path, positions
from content.validate.problem import Problem
from content.validate.texts import controls

MOST = 500
"""Problems of one file that are told: nobody reads more, and a hostile file has a million."""
_NEAR = 2000
"""Lines that are searched for what a problem names."""


class Source:
    """One file that could be read."""

    def __init__(self, name: str, text: str, table: dict[str, Any], problems: list[Problem]) -> None:
        self.name = name
        self.text = text
        self.table = table
        self._problems = problems
        self._noted: set[tuple[object, ...]] = set()

    @cached_property
    def rows(self) -> Sequence[str]:
        """The lines of the file."""
        return self.text.splitlines()

    @cached_property
    def lines(self) -> Mapping[Path, int]:
        """Path -> line, of the whole file."""
        return positions(self.text)

    def line(self, path: Path) -> int:
        """The line of a path, or of the nearest table around it that stands in the file."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)

    def report(self, path: Path, reason: str, **params: object) -> None:
        """Note a problem at a path of the file's table."""
        self._note(self.line(path), reason, self.ids(path), params)

    def report_in(self, path: Path, needle: str, reason: str, **params: object) -> None:
        """As :meth:`report`, at the first line from the path's own on that holds ``needle``."""
        line = self.line(path)
        rest = self.rows[line - 1 : line - 1 + _NEAR]
        found = next((line + place for place, text in enumerate(rest) if needle in text), line)
        self._note(found, reason, self.ids(path), params)

    def report_error(self, error: ContentError) -> None:
        """Note what the reader of the course complained about."""
        self._note(self.line(self.find(error.where)), error.reason, error.where, error.params)

    def report_errors(self, errors: Iterable[ContentError]) -> None:
        """Note several complaints."""
        for error in errors:
            self.report_error(error)

    def _note(self, line: int, reason: str, where: tuple[str, ...], params: Mapping[str, object]) -> None:
        problem = Problem(self.name, line, reason, where, {name: str(value) for name, value in params.items()})
        key = (line, reason, where, *sorted(problem.params.items()))
        if key not in self._noted and len(self._noted) < MOST:
            self._noted.add(key)
            self._problems.append(problem)

    def ids(self, path: Path) -> tuple[str, ...]:
        """The ids and keys along a path that a person would name: "L2.1", "kv", "hints"."""
        named: list[str] = []
        here: Any = self.table
        for place, step in enumerate(path):
            try:
                here = here[step]
            except (KeyError, IndexError, TypeError):
                here = None
            follows = place + 1 < len(path) and isinstance(path[place + 1], int)
            if isinstance(step, int):
                named.append(str(here["id"]) if isinstance(here, Mapping) and "id" in here else str(step + 1))
            elif not (follows and isinstance(here, list) and here and isinstance(here[0], Mapping)):
                named.append(step)
        return tuple(named)

    def find(self, where: Sequence[str]) -> Path:
        """The path that ids lead to; where one leads nowhere the search stays at what is found so far."""
        path: Path = ()
        here: Any = self.table
        for name in where:
            found = _step(here, name)
            if found is None:
                continue
            path = (*path, *found)
            for step in found:
                here = here[step]
        return path


def _step(here: Any, name: str) -> Path | None:
    """The way from a table to the key, list element or table one level down that has a name."""
    if not isinstance(here, Mapping):
        return None
    short = name.rpartition("/")[2]
    for key, value in here.items():  # an id says more than a key: a part may be called as a key of its exercise is
        if isinstance(value, list):
            for place, item in enumerate(value):
                if isinstance(item, Mapping) and str(item.get("id", "")) in (name, short):
                    return (key, place)
    if name in here:
        return (name,)
    for key, value in here.items():
        if isinstance(value, Mapping) and name in value:
            return (key, name)
    return None


class Folder:
    """A content folder, its files read once."""

    def __init__(self, root: str | PathLike[str]) -> None:
        self.root = FilePath(root)
        self.problems: list[Problem] = []
        self._sources: dict[str, Source | None] = {}

    def source(self, name: str) -> Source | None:
        """A file that must be there; ``None``, and a problem noted, when it cannot be used."""
        if name not in self._sources:
            self._sources[name] = self._read(name)
        return self._sources[name]

    def _read(self, name: str) -> Source | None:
        path = self.root / name
        if ".." in name.split("/") or not name.isprintable():  # an id of a course leads nowhere outside its folder
            self.problems.append(Problem(name, 0, "missing-file", (), {}))
            return None
        try:
            table = load(path, self.root)
            source = Source(name, read(str(path), name), table, self.problems)
        except ContentError as error:
            self.problems.append(Problem(name, error.line or 0, error.reason, (), error.params))
            return None
        for place, code in controls(table):
            source.report(place, "control-character", code=code)
        return source

    @property
    def complete(self) -> bool:
        """Whether every file asked for could be read."""
        return None not in self._sources.values()

    def names(self, pattern: str) -> tuple[str, ...]:
        """The files that match, relative to the folder."""
        return tuple(sorted(path.relative_to(self.root).as_posix() for path in self.root.glob(pattern)))
