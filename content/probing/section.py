"""A part of a report, as every way of showing it takes it."""

from __future__ import annotations

from typing import NamedTuple


class Row(NamedTuple):
    """One number: its name, its value, what stands beside it."""

    label: str
    value: str
    note: str = ""


class Section(NamedTuple):
    """A part of the report.

    Attributes:
        name: id: head, ceilings, curve, case, levers, changes, notes, learn.
        title: its heading; "" for the head.
        rows: numbers in columns.
        texts: sentences, below the rows.
        drawn: lines that keep their form, above both.
    """

    name: str
    title: str
    rows: tuple[Row, ...] = ()
    texts: tuple[str, ...] = ()
    drawn: tuple[str, ...] = ()
