"""The tables, and how an older file becomes a current one: one step per version, each in the same transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from functools import lru_cache
from typing import Final

from tutor.progress.refusals import undo

APPLICATION: Final = 0x4C4C4D54  # "LLMT": tells our file from any other SQLite file

MIGRATIONS: Final[tuple[str, ...]] = (
    """
    CREATE TABLE attempts (
        id INTEGER PRIMARY KEY,
        uid TEXT NOT NULL UNIQUE,
        at TEXT NOT NULL,
        part TEXT NOT NULL,
        answer TEXT NOT NULL,
        verdict TEXT NOT NULL CHECK (verdict IN ('correct', 'incorrect')),
        value TEXT,
        slips TEXT NOT NULL,
        ticked TEXT NOT NULL,
        hints_used INTEGER NOT NULL,
        seconds REAL NOT NULL,
        variant INTEGER NOT NULL
    );
    CREATE TABLE marks (
        id INTEGER PRIMARY KEY,
        uid TEXT NOT NULL UNIQUE,
        at TEXT NOT NULL,
        part TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('hint', 'shown', 'skipped')),
        n INTEGER NOT NULL
    );
    CREATE TABLE place (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        at TEXT NOT NULL,
        screen TEXT NOT NULL,
        id TEXT NOT NULL,
        section TEXT NOT NULL,
        part TEXT NOT NULL,
        draft TEXT NOT NULL
    );
    CREATE INDEX attempts_part ON attempts (part);
    CREATE INDEX marks_part ON marks (part);
    """,
    """
    ALTER TABLE attempts ADD COLUMN reasons TEXT NOT NULL DEFAULT '[]';
    CREATE TABLE drafts (
        part TEXT PRIMARY KEY,
        at TEXT NOT NULL,
        draft TEXT NOT NULL
    );
    INSERT INTO drafts (part, at, draft) SELECT part, at, draft FROM place WHERE part != '' AND draft != '';
    """,
    # A program of the version before may still be running: what it writes without a variant is of variant 0.
    """
    ALTER TABLE marks ADD COLUMN variant INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE place ADD COLUMN variant INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE drafts_by_variant (
        part TEXT NOT NULL,
        variant INTEGER NOT NULL DEFAULT 0,
        at TEXT NOT NULL,
        draft TEXT NOT NULL,
        PRIMARY KEY (part, variant)
    );
    INSERT INTO drafts_by_variant (part, at, draft) SELECT part, at, draft FROM drafts WHERE part IS NOT NULL;
    DROP TABLE drafts;
    ALTER TABLE drafts_by_variant RENAME TO drafts;
    CREATE TABLE unexplained (
        part TEXT NOT NULL,
        variant INTEGER NOT NULL,
        answer TEXT NOT NULL,
        at TEXT NOT NULL,
        value TEXT,
        uid TEXT NOT NULL,
        times INTEGER NOT NULL,
        PRIMARY KEY (part, variant, answer)
    );
    """,
    # Reviews are what happened; a memory is what follows from those of its item, and stale where it does no longer.
    # No CHECK: with 50,000 reviews each costs a fifth of the time that looking at the whole file takes at every start.
    """
    CREATE TABLE reviews (
        id INTEGER PRIMARY KEY,
        uid TEXT NOT NULL UNIQUE,
        at TEXT NOT NULL,
        day TEXT NOT NULL,
        item TEXT NOT NULL,
        grade TEXT NOT NULL,
        proposed TEXT NOT NULL,
        source TEXT NOT NULL,
        answer TEXT NOT NULL,
        right INTEGER,
        seconds REAL NOT NULL,
        hints INTEGER NOT NULL,
        variant INTEGER NOT NULL,
        slips TEXT NOT NULL,
        attempt TEXT NOT NULL,
        turn INTEGER NOT NULL,
        changed TEXT
    );
    CREATE TABLE memory (
        item TEXT PRIMARY KEY,
        state TEXT,
        step INTEGER,
        stability REAL,
        difficulty REAL,
        day TEXT,
        at TEXT,
        again_at TEXT,
        reviews INTEGER,
        lapses INTEGER,
        streak INTEGER,
        stale INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX reviews_item ON reviews (item, turn);
    CREATE INDEX reviews_day ON reviews (day, source, grade, right);
    """,
)
"""Step n takes a file from version n to n + 1. Steps are never edited once released, only added."""

INDEXES: Final[tuple[str, ...]] = (
    "CREATE INDEX IF NOT EXISTS attempts_part ON attempts (part)",
    "CREATE INDEX IF NOT EXISTS marks_part ON marks (part)",
    "CREATE INDEX IF NOT EXISTS reviews_item ON reviews (item, turn)",
    "CREATE INDEX IF NOT EXISTS reviews_day ON reviews (day, source, grade, right)",
    "CREATE INDEX IF NOT EXISTS attempts_turns ON attempts (part, variant, verdict, at)",
    "CREATE INDEX IF NOT EXISTS attempts_slips ON attempts (slips, part, variant, at) WHERE slips != '[]'",
    "CREATE INDEX IF NOT EXISTS reviews_slips ON reviews (slips, item, variant, at, day) WHERE slips != '[]'",
    "CREATE INDEX IF NOT EXISTS memory_stale ON memory (item) WHERE stale != 0",
    "CREATE INDEX IF NOT EXISTS marks_turns ON marks (part, variant, kind, at, n)",
)
"""What only makes a file faster is no version of it: any program of ours can read it with or without."""

VERSION: Final = len(MIGRATIONS)

_TEXTS: Final = {
    "attempts": ("uid", "at", "part", "answer", "slips", "ticked"),
    "marks": ("uid", "at", "part"),
    "place": ("at", "screen", "id", "section", "part", "draft"),
    "drafts": ("at", "part", "draft"),
    "unexplained": ("at", "part", "answer", "uid"),
    "reviews": ("uid", "at", "day", "item", "grade", "proposed", "source", "answer", "slips", "attempt"),
    "memory": ("item",),
}
_OTHERS: Final = {
    "attempts": {"value": "'text', 'null'", "hints_used": "'integer'", "seconds": "'real'", "variant": "'integer'"},
    "marks": {"variant": "'integer'", "n": "'integer'"},
    "place": {"variant": "'integer'"},
    "drafts": {"variant": "'integer'"},
    "unexplained": {"value": "'text', 'null'", "variant": "'integer'", "times": "'integer'"},
    "reviews": {
        "right": "'integer', 'null'", "seconds": "'real'", "hints": "'integer'", "variant": "'integer'",
        "turn": "'integer'", "changed": "'text', 'null'",
    },
    "memory": {"stale": "'integer'"},
}  # fmt: skip
"""What each column holds, but for lists of words that are read with care anyway."""


def odd(table: str) -> str:
    """The condition on a row in which a column holds something else than it should."""
    texts = [f"typeof({name}) != 'text'" for name in _TEXTS[table]]
    return f"({' OR '.join(texts + [f'typeof({name}) NOT IN ({kinds})' for name, kinds in _OTHERS[table].items()])})"


ODD: Final = tuple(
    f"CREATE INDEX IF NOT EXISTS {table}_odd ON {table} ({_TEXTS[table][0]}) WHERE {odd(table)}" for table in _TEXTS
)
"""Indexes of such rows, empty in every file that only programs of ours wrote: so a start need not look at all rows."""

DERIVED: Final = "memory"
"""The table that follows from the others: a file without it, or with another one of its name, gets it anew."""


class Newer(Exception):
    """The file was written by a later version of the tutor."""


class Unsound(Exception):
    """The file is broken inside, or a database but not ours."""


def version(connection: sqlite3.Connection) -> int:
    """The schema version of a file: 0 for an empty one. Raises ``Newer`` or ``Unsound``."""
    number, application, tables = _facts(connection)
    if number > VERSION and application == APPLICATION:
        raise Newer
    if not tables and number == 0:
        return 0
    if application != APPLICATION or not 0 < number <= VERSION or not _holds(tables, _shape(number)):
        raise Unsound
    return number


Shape = dict[str, list[tuple[object, ...]]]
"""Table -> its columns, each as SQLite describes it: name, type, whether it may be null, default, key."""


def _facts(connection: sqlite3.Connection) -> tuple[int, int, Shape]:
    """Version, application and tables, all of one moment.

    Read one by one they may come from before and after another program's first write, and then look like a file
    that is not ours.
    """
    alone = not connection.in_transaction
    if alone:
        connection.execute("BEGIN")
    try:
        one = ("PRAGMA user_version", "PRAGMA application_id")
        number, application = (connection.execute(statement).fetchone()[0] for statement in one)
        return number, application, _tables(connection)
    finally:
        if alone:
            undo(connection)  # nothing was written


def _tables(connection: sqlite3.Connection) -> Shape:
    names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()]
    columns = 'SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info(?)'
    return {name: [tuple(row) for row in connection.execute(columns, (name,)).fetchall()] for name in names}


@lru_cache(maxsize=len(MIGRATIONS))
def _shape(number: int) -> Shape:
    """The tables of a file of a version, found by making one."""
    with closing(sqlite3.connect(":memory:")) as model:
        for step in MIGRATIONS[:number]:
            model.executescript(step)
        return _tables(model)


def _holds(tables: Shape, wanted: Shape) -> bool:
    return all(tables.get(name) == columns for name, columns in wanted.items() if name != DERIVED)


def derived(connection: sqlite3.Connection) -> bool:
    """Whether what follows from the learner's own rows stands there as it should."""
    return _tables(connection).get(DERIVED) == _shape(VERSION)[DERIVED]


def migrate(connection: sqlite3.Connection, before: Callable[[], object] = lambda: None) -> None:
    """Bring the file to the current version. Two programs may try at once: the second finds the work done.

    ``before`` is called once nobody else can change the file any more, if there is anything in it.
    """
    if version(connection) != VERSION:  # else there is nothing to write, and nobody else's write stands in the way
        _step(connection, before)
    if not derived(connection):
        _derive(connection)
    with suppress(sqlite3.Error):  # a disk without room for them, or a busy file: it is as right without
        for index in INDEXES + ODD:
            connection.execute(index)


def _derive(connection: sqlite3.Connection) -> None:
    """Make the derived table anew, with every row of it stale: what it held follows from the reviews."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        found = connection.execute("SELECT type FROM sqlite_master WHERE name = ?", (DERIVED,)).fetchone()
        if found is not None:
            connection.execute(f"DROP {found[0]} {DERIVED}")
        steps = (one for step in MIGRATIONS for one in step.split(";"))
        connection.execute(next(one for one in steps if f"CREATE TABLE {DERIVED} " in one))
        connection.execute(f"INSERT INTO {DERIVED} (item, stale) SELECT DISTINCT item, 1 FROM reviews")
        connection.execute("COMMIT")
    except BaseException:
        undo(connection)
        raise


def _step(connection: sqlite3.Connection, before: Callable[[], object]) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        number = version(connection)
        if 0 < number < VERSION:
            before()
        for step in MIGRATIONS[number:]:
            # executescript would commit our transaction, so the statements go one by one
            for statement in filter(str.strip, step.split(";")):
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        undo(connection)
        raise
