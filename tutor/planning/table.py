"""A plan as a table of text: as many columns as there is room for, and why what is left out is out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from math import ceil
from typing import NamedTuple

from content.lang import Lang
from content.words import say
from engine import precision
from engine.catalog import Gpu
from engine.planning.options import Option, has_rules_of_its_own
from engine.planning.plan import Left, Line, Plan
from engine.planning.wishes import Relaxed, Wish
from engine.support import served_in
from engine.units import grouped

GAP = 2
MANY = 4
"""Cards of one maker that a sentence names; of more it says how many."""
_SPARE = 6
"""Rank from which a column says only more of what another one says."""
_NAME = 24
"""Cells of the widest name of a card that is not wrapped on a narrow screen."""


class Column(NamedTuple):
    """A column: the key of its heading, what stands in it, its rank (1: never left out), on which side it stands."""

    id: str
    cell: Callable[[Line], str]
    rank: int
    right: bool = True


def columns(plan: Plan) -> list[Column]:
    """The columns that this plan can have, in their order; one that says the same everywhere is left out.

    What was asked for is never left out for lack of room: the time that a goal is about.
    """
    load = plan.load
    kvs = {line.option.kv for line in plan.lines}
    priced = any(line.hour is not None for line in plan.lines)
    goals = load.tpot is not None or load.ttft is not None
    found = [
        Column("cards", lambda line: cards(line.option), 1, right=False),
        Column("weights", lambda line: line.option.form.name + ("" if line.native else "*"), 1, right=False),
        Column("fits", lambda line: whole(line.fits), 2 if goals else 1),
        Column("each", lambda line: speed(line.each.usual), 1),
        Column("together", lambda line: speed(line.together.usual), 3 if goals else 1),
        Column("band", lambda line: f"{speed(line.together.worst)}-{speed(line.together.best)}", 8),
        Column("step", lambda line: time(line.step.usual), 6 if load.tpot is None else 1),
        Column("first", lambda line: time(line.first.usual), 5 if load.ttft is None or load.requests else 1),
        Column("memory", lambda line: f"{gigabytes(line.weights)}+{gigabytes(line.pool)}", 7),
    ]
    ids = [one.id for one in found]
    if load.requests is None:
        found.insert(ids.index("each"), Column("running", lambda line: whole(line.running), 4))
    else:
        last = Column("last", lambda line: time(line.last.usual) if line.last else "", 4 if load.ttft is None else 1)
        found.insert(ids.index("first") + 1, last)
    if len(kvs) > 1 or kvs - {"auto"}:
        found.insert(2, Column("kv", lambda line: line.option.kv, 2, right=False))
    if priced:
        found.append(Column("hour", lambda line: "-" if line.hour is None else money(line.hour), 2))
        found.append(Column("cost", lambda line: "-" if line.cost is None else money(line.cost), 2))
    return found


class Table(NamedTuple):
    """Lines of text: the headings, and for each line of the plan one line or, where a name is wrapped, several.

    Attributes:
        ids, heads: of the columns that are shown.
        heading: their line.
        rows: as above.
        lacking: headings of columns that answer what was asked, and have no room.
        starred: whether a format is there that its card has no unit for.
        halved: whether fp16 stands there for bf16.
        requests: that were asked for.
    """

    ids: tuple[str, ...]
    heads: tuple[str, ...]
    heading: str
    rows: tuple[tuple[str, ...], ...]
    lacking: tuple[str, ...]
    starred: bool
    halved: bool = False
    requests: int | None = None


def table(plan: Plan, lang: Lang, width: int, most: int, currency: str = "") -> Table:
    """The first ``most`` lines of a plan as a table that is at most ``width`` cells wide, where that can be."""
    lines = plan.lines[:most]
    wall = Column("wall", lambda line: say(f"cli.plan.part.{line.bound}", lang), 3, right=False)
    every = [*columns(plan), wall]
    heads = {one.id: say(f"cli.plan.column.{one.id}", lang, n=plan.load.requests or "") for one in every}
    if currency:
        heads |= {"hour": f"{currency}/h", "cost": f"{currency}/M"}
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
    return Table(
        tuple(one.id for one in shown), tuple(heads[one.id] for one in shown), heading, tuple(rows),
        tuple(heads[one.id] for one in every if one not in shown and one.rank < _SPARE),
        any(not line.native for line in lines), _is_halved(lines), plan.load.requests,
    )  # fmt: skip


def _is_halved(lines: Sequence[Line]) -> bool:
    """Whether fp16 stands for the bf16 that a card has not."""
    bf16 = precision.find("bf16")
    return any(
        line.option.form.name == "fp16" and served_in(bf16, line.option.gpu) is line.option.form for line in lines
    )


def legend(of: Table, lang: Lang) -> list[str]:
    """What the columns are, those that do not say so themselves."""
    named = [pair for pair in zip(of.ids, of.heads, strict=True) if pair[0] not in ("cards", "weights")]
    made = [say(f"cli.plan.legend.{id}", lang, column=head, n=of.requests or "") for id, head in named]
    notes = [("native", of.starred), ("half", of.halved)]
    made += [say(f"cli.plan.legend.{name}", lang) for name, there in notes if there]
    return made + lacking(of, lang)


def lacking(of: Table, lang: Lang) -> list[str]:
    """That columns had no room, and which: a price may push others out."""
    return [say("cli.plan.legend.lacking", lang, columns=", ".join(of.lacking))] if of.lacking else []


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


def notes(plan: Plan, lang: Lang) -> list[str]:
    """What the memory of some cards of the table does not hold for: vLLM is not the engine of all of them."""
    shown = dict.fromkeys(line.option.gpu for line in plan.lines)
    others = [gpu for gpu in shown if has_rules_of_its_own(gpu)]
    if not others:
        return []
    found = [say("cli.plan.not_vllm", lang, cards=", ".join(names(others, lang)))]
    sizes = [gpu.capacity for gpu in others if gpu.vendor == "Apple"]
    if sizes:
        ends = dict.fromkeys(grouped(size / 10**9) for size in (min(sizes), max(sizes)))
        found.append(say("cli.plan.most_memory", lang, sizes=say("cli.plan.sizes", lang, gb="-".join(ends))))
    return found


# --- what is out -----------------------------------------------------------------------------------------------------


def left_out(plan: Plan, lang: Lang, most: int, short: bool = True) -> list[str]:
    """Why options are out, one sentence for those that are out alike; at most ``most`` sentences.

    ``short``: of more than :data:`MANY` cards of a maker only their number is said.
    """
    found = []
    for reason, group in groupby(plan.left, key=lambda left: left.reason):
        same = list(group)
        if reason in ("unit", "link", "heads"):
            found += _together(reason, same, lang, short)
        else:
            found += [f"{named(one.option)}: {why(one, lang, plan.load.requests)}" for one in same]
    return found[:most]


def _together(reason: str, same: Sequence[Left], lang: Lang, short: bool) -> list[str]:
    """One sentence for all cards that are out for the same reason."""
    by: dict[str, list[Gpu]] = {}
    for one in same:
        of = one.option
        what = {"unit": of.form.name, "link": "", "heads": str(of.cards)}[reason]
        by.setdefault(what, []).append(of.gpu)
    made = []
    for what, gpus in by.items():
        cards_ = ", ".join(names(gpus, lang, short))
        made.append(say(f"cli.plan.out.{reason}", lang, what=what, cards=cards_, heads=f"{same[0].need:.0f}"))
    return made


def names(gpus: Iterable[Gpu], lang: Lang, short: bool = True) -> list[str]:
    """Cards by their names; of many of one maker only how many they are."""
    found: list[str] = []
    makers: dict[str, dict[str, None]] = {}
    for gpu in gpus:
        makers.setdefault(gpu.vendor, {})[gpu.name] = None
    for maker, theirs in makers.items():
        if short and len(theirs) > MANY:
            key = "cli.plan.out.chips" if maker == "Apple" else "cli.plan.out.some"
            found.append(say(key, lang, n=len(theirs), maker=maker))
        else:
            found += theirs
    return found


def why(left: Left, lang: Lang, requests: int | None = None) -> str:
    """Why one option is out; ``requests``: that were asked for."""
    if left.reason == "requests":
        return say("cli.plan.out.requests", lang, need=whole(left.need), have=whole(left.have))
    if left.reason == "ttft" and requests is not None:
        need, have = time(left.need), time(left.have)
        return say("cli.plan.out.last", lang, need=need, have=have, n=whole(requests))
    if left.reason in ("tpot", "ttft"):
        return say(f"cli.plan.out.{left.reason}", lang, need=time(left.need), have=time(left.have))
    need, have = gigabytes(left.need), gigabytes(max(left.have, 0))
    return say(f"cli.plan.out.{left.reason}", lang, need=need, have=have)


def relaxed(plan: Plan, lang: Lang) -> list[str]:
    """What would serve the load with less of a wish, as one would type that; nothing where something serves it."""
    return [say("cli.plan.relaxed", lang, wishes=_wishes(one, lang), option=named(one.option)) for one in plan.relaxed]


def _wishes(one: Relaxed, lang: Lang) -> str:
    *others, last = [f"{_OPTIONS[wish]} {_typed(wish, value)}" for wish, value in one.wishes.items()]
    return say("cli.plan.relaxed_and", lang, one=", ".join(others), two=last) if others else last


_OPTIONS: Mapping[Wish, str] = {"requests": "--concurrency", "tpot": "--tpot", "ttft": "--ttft"}


def _typed(wish: Wish, value: float) -> str:
    """A wish that is met: a time is rounded up."""
    if wish == "requests":
        return str(int(value))
    return f"{ceil(value * 1000)}ms" if value < 1 else f"{ceil(value * 10) / 10:g}s"


# --- cells -----------------------------------------------------------------------------------------------------------


def cards(option: Option) -> str:
    """How many of which card."""
    return f"{option.cards} x {option.gpu.name}"


def named(option: Option) -> str:
    """An option in a sentence."""
    kv = "" if option.kv == "auto" else f", KV {option.kv}"
    return f"{cards(option)}, {option.form.name}{kv}"


def whole(value: float) -> str:
    """A count."""
    return grouped(value)


def speed(value: float) -> str:
    """Tokens a second: no digits behind the point where they would only be noise."""
    return grouped(value) if value >= 10 else f"{value:.2g}"


def time(value: float) -> str:
    """A time: "38 ms", "1.2 s"."""
    if value < 0.9995:
        return f"{value * 1000:.1f} ms" if value < 0.00995 else f"{value * 1000:.0f} ms"
    return f"{value:.1f} s" if value < 99.5 else f"{grouped(value)} s"


def gigabytes(value: float) -> str:
    """Bytes in GB."""
    return grouped(value / 1e9, 1)


def money(value: float) -> str:
    """A price."""
    return f"{value:.2f}" if value >= 0.1 else f"{value:.3g}"
