"""The few events that decide where a part stands, found by an index however many there are.

Of all attempts at a part three say everything: the first right one (was the solution seen before it?), the last right
one and the last wrong one; and how many there are. Of its marks, those that came first and last of each kind.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import NamedTuple

from tutor.progress.reach import Reach

_OF_PART = "SELECT id FROM attempts AS {one} WHERE {one}.part = a.part AND {one}.variant = a.variant"
_FIRST_RIGHT = f"{_OF_PART.format(one='f')} AND f.verdict = 'correct' ORDER BY f.at, f.id LIMIT 1"
_LAST_RIGHT = f"{_OF_PART.format(one='r')} AND r.verdict = 'correct' ORDER BY r.at DESC, r.id DESC LIMIT 1"
_LAST_WRONG = f"{_OF_PART.format(one='w')} AND w.verdict = 'incorrect' ORDER BY w.at DESC, w.id DESC LIMIT 1"
_TURNS = f"({_FIRST_RIGHT}) AS one, ({_LAST_RIGHT}) AS two, ({_LAST_WRONG}) AS three"
_MOST_NAMED = 500
"""So many ids stand in one statement."""


class Turns(NamedTuple):
    """Attempts that decide, oldest first, and how many attempts there were: plain id and variant -> number."""

    rows: list[sqlite3.Row]
    counts: Mapping[tuple[str, int], int]


def attempts(connection: sqlite3.Connection, reach: Reach) -> Turns:
    """The deciding attempts at every part that an id reaches."""
    grouped = f"SELECT part, variant, count(*) AS times FROM attempts WHERE {reach.where} GROUP BY part, variant"
    parts = connection.execute(f"SELECT *, {_TURNS} FROM ({grouped}) AS a", reach.values).fetchall()
    ids = sorted({row[name] for row in parts for name in ("one", "two", "three")} - {None})
    rows: list[sqlite3.Row] = []
    for start in range(0, len(ids), _MOST_NAMED):
        some = ", ".join(map(str, ids[start : start + _MOST_NAMED]))
        rows += connection.execute(f"SELECT * FROM attempts WHERE id IN ({some})").fetchall()
    rows.sort(key=lambda row: (row["at"], row["id"]))
    return Turns(rows, {(row["part"], row["variant"]): row["times"] for row in parts})


def marks(connection: sqlite3.Connection, reach: Reach) -> list[sqlite3.Row]:
    """The deciding marks on every part that an id reaches: of each kind the first and the last, with the highest n."""
    grouped = (
        "SELECT part, variant, kind, {when}(at) AS at, max(n) AS n FROM marks"
        f" WHERE {reach.where} GROUP BY part, variant, kind"
    )
    both = f"{grouped.format(when='min')} UNION {grouped.format(when='max')} ORDER BY at"
    return connection.execute(both, reach.values).fetchall()
