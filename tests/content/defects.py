"""Defects of the course and the one problem that each makes; the data is in ``defects.toml``."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import NamedTuple


class Defect(NamedTuple):
    """Changes to one file, and where the problem must be found; see the head of ``defects.toml``."""

    reason: str
    file: str
    changes: tuple[tuple[str, str], ...]
    at: str
    where: str
    above: int

    def line(self, text: str) -> int:
        """The line that the problem must name, of the text of ``where``."""
        lines = text.splitlines()
        return next(place for place, line in enumerate(lines, start=1) if self.at in line) - self.above

    @property
    def name(self) -> str:
        """A short name for the list of tests."""
        return f"{self.reason}-{Path(self.file).stem}-{self.at[:24]}"


def defects() -> tuple[Defect, ...]:
    """All defects of the file."""
    rows = tomllib.loads((Path(__file__).parent / "defects.toml").read_text(encoding="utf-8"))["defect"]
    return tuple(_defect(row) for row in rows)


def _defect(row: dict[str, str]) -> Defect:
    changes = ((row["old"], row["new"]), *([(row["also_old"], row["also_new"])] if "also_old" in row else []))
    where = row.get("where", row["file"])
    return Defect(row["reason"], row["file"], changes, row["at"], where, int(row.get("above", 0)))


CORE = "course/core/"
DEFECTS = defects()
