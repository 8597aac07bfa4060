"""A plan as a table of text: as many columns as there is room for, and why what is left out is out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import NamedTuple

from content.lang import Lang
from content.words import say
from engine.planning.options import Option
from engine.planning.plan import Left, Line, Plan

GAP = 2
_NAME = 24
"""Cells of the widest name of a card that is not wrapped on a narrow screen."""


class Column(NamedTuple):
    """A column: the key of its heading, what stands in it, its rank (1: never left out), on which side it stands."""

    id: str
    cell: Callable[[Line], str]
    rank: int
    right: bool = True


def columns(plan: Plan) -> list[Column]:
    """The columns that this plan can have, in their order; one that says the same everywhere is left out."""
    kvs = {line.option.kv for line in plan.lines}
    priced = any(line.cost is not None for line in plan.lines)
    found = [
        Column("cards", lambda line: cards(line.option), 1, right=False),
        Column("weights", lambda line: line.option.form.name + ("" if line.native else "*"), 1, right=False),
        Column("fits", lambda line: whole(line.fits), 1),
        Column("running", lambda line: running(line, plan), 4),
        Column("each", lambda line: speed(line.each.usual), 1),
        Column("together", lambda line: speed(line.together.usual), 1),
        Column("band", lambda line: f"{speed(line.together.worst)}-{speed(line.together.best)}", 8),
        Column("step", lambda line: time(line.step.usual), 6),
        Column("first", lambda line: time(line.first.usual), 5),
        Column("memory", lambda line: f"{gigabytes(line.weights)}+{gigabytes(line.pool)}", 7),
    ]
    if len(kvs) > 1 or kvs - {"auto"}:
        found.insert(2, Column("kv", lambda line: line.option.kv, 2, right=False))
    if priced:
        found.append(Column("cost", lambda line: "-" if line.cost is None else money(line.cost), 2))
    return found


class Table(NamedTuple):
    """Lines of text: the headings, and for each line of the plan one line or, where a name is wrapped, several.

    ``starred`` says whether a format is there that its card has no unit for.
    """

    ids: tuple[str, ...]
    heading: str
    rows: tuple[tuple[str, ...], ...]
    starred: bool


def table(plan: Plan, lang: Lang, width: int, most: int) -> Table:
    """The first ``most`` lines of a plan as a table that is at most ``width`` cells wide, where that can be."""
    lines = plan.lines[:most]
    wall = Column("wall", lambda line: say(f"cli.plan.part.{line.bound}", lang), 3, right=False)
    every = [*columns(plan), wall]
    heads = {one.id: say(f"cli.plan.column.{one.id}", lang) for one in every}
    cells = {one.id: [one.cell(line) for line in lines] for one in every}
    widths = {one.id: max(len(text) for text in (heads[one.id], *cells[one.id])) for one in every}
    if width < 80:
        widths["cards"] = min(widths["cards"], max(_NAME, len(heads["cards"])))
    shown = _that_fit(every, widths, width)
    heading = _joined([_set(heads[one.id], widths[one.id], one.right) for one in shown])
    rows = []
    for n in range(len(lines)):
        names = _wrapped(cells["cards"][n], widths["cards"])
        rest = [_set(cells[one.id][n], widths[one.id], one.right) for one in shown[1:]]
        first = _joined([_set(names[0], widths["cards"], False), *rest])
        rows.append((first, *(f"    {name}" for name in names[1:])))
    return Table(tuple(one.id for one in shown), heading, tuple(rows), any(not line.native for line in lines))


def legend(of: Table, lang: Lang) -> list[str]:
    """What the columns are, those that do not say so themselves."""
    ids = [id for id in of.ids if id not in ("cards", "weights")]
    made = [say(f"cli.plan.legend.{id}", lang, column=say(f"cli.plan.column.{id}", lang)) for id in ids]
    return [*made, *([say("cli.plan.legend.native", lang)] if of.starred else [])]


def _that_fit(every: Sequence[Column], widths: dict[str, int], width: int) -> list[Column]:
    """The columns that there is room for, the least ranks first."""
    left = width + GAP
    chosen = set()
    for one in sorted(every, key=lambda one: one.rank):
        if one.rank > 1 and widths[one.id] + GAP > left:
            continue
        left -= widths[one.id] + GAP
        chosen.add(one.id)
    return [one for one in every if one.id in chosen]


def _set(text: str, width: int, right: bool) -> str:
    return text.rjust(width) if right else text.ljust(width)


def _joined(cells: Sequence[str]) -> str:
    return (" " * GAP).join(cells).rstrip()


def _wrapped(text: str, width: int) -> list[str]:
    lines = [""]
    for word in text.split(" "):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width - (4 if len(lines) > 1 else 0):
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return lines


# --- what is out -----------------------------------------------------------------------------------------------------


def left_out(plan: Plan, lang: Lang, most: int) -> list[str]:
    """Why options are out, one sentence for those that are out alike; at most ``most`` sentences."""
    found = []
    for reason, group in groupby(plan.left, key=lambda left: left.reason):
        same = list(group)
        if reason in ("unit", "link", "heads"):
            found += _together(reason, same, lang)
        else:
            found += [f"{named(one.option)}: {why(one, lang)}" for one in same]
    return found[:most]


def _together(reason: str, same: Sequence[Left], lang: Lang) -> list[str]:
    """One sentence for all cards that are out for the same reason."""
    by: dict[str, list[str]] = {}
    for one in same:
        of = one.option
        what = {"unit": of.form.name, "link": "", "heads": str(of.cards)}[reason]
        by.setdefault(what, []).append(of.gpu.name if reason != "heads" else "")
    made = []
    for what, names in by.items():
        cards_ = ", ".join(dict.fromkeys(name for name in names if name))
        made.append(say(f"cli.plan.out.{reason}", lang, what=what, cards=cards_, heads=f"{same[0].need:.0f}"))
    return made


def why(left: Left, lang: Lang) -> str:
    """Why one option is out."""
    if left.reason in ("tpot", "ttft"):
        return say(f"cli.plan.out.{left.reason}", lang, need=time(left.need), have=time(left.have))
    need, have = gigabytes(left.need), gigabytes(max(left.have, 0))
    return say(f"cli.plan.out.{left.reason}", lang, need=need, have=have)


# --- cells -----------------------------------------------------------------------------------------------------------


def cards(option: Option) -> str:
    """How many of which card."""
    return f"{option.cards} x {option.gpu.name}"


def running(line: Line, plan: Plan) -> str:
    """How many run at once; of how many, where fewer do than were asked for."""
    asked = plan.load.requests
    return whole(line.running) if asked in (None, line.running) else f"{whole(line.running)}/{asked:,}"


def named(option: Option) -> str:
    """An option in a sentence."""
    kv = "" if option.kv == "auto" else f", KV {option.kv}"
    return f"{cards(option)}, {option.form.name}{kv}"


def whole(value: float) -> str:
    """A count."""
    return f"{value:,.0f}"


def speed(value: float) -> str:
    """Tokens a second: no digits behind the point where they would only be noise."""
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


def time(value: float) -> str:
    """A time: "38 ms", "1.2 s"."""
    if value < 0.9995:
        return f"{value * 1000:.1f} ms" if value < 0.00995 else f"{value * 1000:.0f} ms"
    return f"{value:.1f} s" if value < 99.5 else f"{value:,.0f} s"


def gigabytes(value: float) -> str:
    """Bytes in GB."""
    return f"{value / 1e9:,.1f}"


def money(value: float) -> str:
    """A price."""
    return f"{value:.2f}" if value >= 0.1 else f"{value:.3g}"
