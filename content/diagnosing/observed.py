"""What was read in logs, metrics, results and configs, in words: names, values, kinds, traps, and the list of it all.

What a text said is cleaned and put in as it is; it is never looked at again.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, get_args

from content import words
from content.diagnosing import amounts
from content.diagnosing.layout import wrapped
from content.diagnosing.observed_names import FEW, ROOT, derived, group, kind, label, some, trap, value
from content.diagnosing.observed_notes import ONE_SAMPLE, PARTS, Remark, grown, notes, remarks, source
from content.diagnosing.words import clean, field
from content.lang import Lang
from engine.artefacts import notes as notes_read
from engine.artefacts.evidence import Artefact, Evidence
from engine.artefacts.model import Observations, Series, shown
from engine.artefacts.rates import COUNTERS
from engine.artefacts.vocabulary import TERMS, Group, term
from engine.units import grouped

__all__ = [
    "Remark", "Row", "about", "at", "derived", "group", "kind", "known", "label", "lines", "place", "remarks", "rows",
    "source", "trap", "value",
]  # fmt: skip

GROUPS: tuple[str, ...] = get_args(Group)
"""Groups of the list, in its order."""
SAMPLES = 2
"""Entries of a counter that are what it was before and after."""
NARROWEST = 12
"""Columns of a value at least."""


class Row(NamedTuple):
    """A name of one text.

    Attributes:
        name: of the vocabulary, or a flag.
        label, value: in words; of many entries how many, and the least and the most.
        line: of the first entry; ``None`` where it has none.
        source: name of the text.
        notes: sentences: what the value really means.
        group: of the list.
        place: number of the text.
        corrected: whether somebody put another value there, which ``value`` is then.
        used: whether it counts at all.
        read: the value as it was read.
        went: of a series of numbers the first and the last one.
    """

    name: str
    label: str
    value: str
    line: int | None
    source: str
    notes: tuple[str, ...]
    group: str
    place: int = 0
    corrected: bool = False
    used: bool = True
    read: str = ""
    went: str = ""


# --- a text ----------------------------------------------------------------------------------------------------------


def about(artefact: Artefact, lang: Lang) -> str:
    """What a text holds: "vLLM start-up log, vLLM statistics lines"; "" where nothing is known."""
    found = artefact.found
    ordered = sorted(found.kinds.values(), key=lambda one: one.line)
    return ", ".join(dict.fromkeys(kind(one.id, lang) for one in ordered))


def known(artefact: Artefact, lang: Lang) -> str:
    """How much of a text is known: "31 of 400 lines known"; "" for a document that is known as a whole."""
    found = artefact.found
    if found.sealed:
        return words.say(f"{ROOT}.row.sealed", lang)
    if found.lines == 0:
        return words.say(f"{ROOT}.row.empty", lang)
    if notes_read.is_note(artefact):
        return words.say(f"{ROOT}.row.note", lang)
    n = min(found.known + len({one.line for one in notes_read.read(artefact).values}), found.lines)
    if n == 0 and found.series:
        return ""
    frame = "known_none" if n == 0 else "known_all" if n >= found.lines else "known_one" if n == 1 else "known"
    one = "_one" if found.lines == 1 and frame in ("known_none", "known_all") else ""
    return words.say(f"{ROOT}.row.{frame}{one}", lang, n=grouped(n), lines=grouped(found.lines))


# --- the list --------------------------------------------------------------------------------------------------------


def rows(evidence: Evidence, lang: Lang) -> list[Row]:
    """Everything that was read, group by group; the same name of several texts stands together."""
    made = [row for place, one in enumerate(evidence.artefacts) for row in _rows(evidence, place, one, lang)]
    order = {name: number for number, name in enumerate(TERMS)}
    last = len(order)
    return sorted(
        made,
        key=lambda row: (GROUPS.index(row.group), order.get(row.name.partition(".")[0], last), row.name, row.place),
    )


def _rows(evidence: Evidence, place: int, artefact: Artefact, lang: Lang) -> Iterator[Row]:
    for name, series in artefact.found.series.items():
        if not len(series) or name.endswith(PARTS):
            continue
        read, ends = _summed(artefact.found, name, lang) or _all_of(name, series, lang)
        said = (*notes(evidence, artefact.found, name, lang), *grown(evidence, place, name, lang))
        told, corrected, used = read, name in evidence.corrected, True
        if corrected:
            better = evidence.corrected[name]
            used = better is not None
            told = words.say(f"{ROOT}.row.unused", lang) if better is None else value(name, better, lang)
        line, where = series.lines[0] or None, _group(name, artefact.found)
        yield Row(
            name, label(name, lang), told, line, artefact.name, said, where, place, corrected, used, read, ends
        )  # fmt: skip


def _group(name: str, found: Observations) -> str:
    """Where the list has a name: what a server says of its own requests is no benchmark."""
    made = term(name).group
    return (
        "statistics"
        if made == "benchmarks" and not any("bench" in one or one == "autoawq" for one in found.kinds)
        else made
    )


def _summed(found: Observations, name: str, lang: Lang) -> tuple[str, str] | None:
    """A counter of one sample: a page has it by outcome and by engine, and what counts is all of it."""
    if not any((one.id, one.name) == (ONE_SAMPLE, name) for one in found.traps) or found.series[name].dropped:
        return None
    return _value(name, sum(found.series[name]), lang), ""


def place(row: Row, lang: Lang, *, named: bool = True) -> str:
    """Where a value was read."""
    return at(row.source if named else "", row.line, lang)


def at(text: str, line: int | None, lang: Lang) -> str:
    """A place: "server.log, line 12", or as much of it as is told."""
    told = words.say(f"{ROOT}.row.line", lang, n=grouped(line)) if line else ""
    return ", ".join(part for part in (source(text, lang) if text else "", told) if part)


def lines(evidence: Evidence, lang: Lang, width: int = 96) -> list[str]:
    """The list as plain lines: what each text is, then group by group the names, each with its notes under it."""
    made: list[str] = []
    for artefact in evidence.artefacts:
        if told := _told(artefact, lang):
            made += _wrapped(f"{source(artefact.name, lang)}: {told}", width, 0, 2)
    said = dict.fromkeys(one.text for one in remarks(evidence, lang))
    for text in said:
        made += _wrapped(text, width, 2)
    listed, several = [*noted(evidence, lang), *rows(evidence, lang)], len(evidence.artefacts) > 1
    first = max((len(row.label) for row in listed), default=0)
    third = max((len(place(row, lang, named=several)) for row in listed), default=0)
    room = min(36, max(NARROWEST, width - first - third - 6))
    second = min(room, max((len(row.value) for row in listed), default=0))
    before: str | None = None
    for row in listed:
        if row.group != before:
            before = row.group
            made += ["", group(row.group, lang)]
        where = place(row, lang, named=several)
        line = f"  {row.label.ljust(first)}  {row.value.ljust(second if where else 0)}  {where}".rstrip()
        made += [line] if len(line) <= width else _wrapped(f"{row.label}: {row.value}  {where}".rstrip(), width, 2, 6)
        fresh = [note for note in row.notes if note not in said]
        said |= dict.fromkeys(fresh)
        for note in (*fresh, row.went):
            made += _wrapped(note, width, 6)
    return made


def noted(evidence: Evidence, lang: Lang) -> Iterator[Row]:
    """What people's notes say, as it was written: rows of no group."""
    for place, artefact in enumerate(evidence.artefacts):
        for one in notes_read.read(artefact).values:
            shown_value = clean(one.value, 60)
            yield Row(one.name, field(one.name, lang), shown_value, one.line, artefact.name, (), "", place)


def _wrapped(text: str, width: int, indent: int, hang: int | None = None) -> list[str]:
    further = " " * (indent if hang is None else hang)
    return wrapped(text, width, " " * indent, further) if text else []


def _told(artefact: Artefact, lang: Lang) -> str:
    return "; ".join(part for part in (about(artefact, lang), known(artefact, lang)) if part)


def _all_of(name: str, series: Series, lang: Lang) -> tuple[str, str]:
    """The entries of a name in words, and how they went, for a series of numbers."""
    entries: Sequence[Any] = series.values
    n = grouped(len(entries) + series.dropped)
    if len(entries) == 1:
        return _value(name, entries[0], lang), ""
    if not isinstance(entries, array):  # numbers are kept as such: there may be hundreds of thousands
        told = list(dict.fromkeys(_value(name, one, lang) for one in entries))
        frame = "same" if len(told) == 1 else "kinds"
        return words.say(f"{ROOT}.row.{frame}", lang, n=n, value=told[0], shown=some(told, lang)), ""
    low, high = (_value(name, one, lang) for one in (min(entries), max(entries)))
    if low == high:
        return words.say(f"{ROOT}.row.same", lang, n=n, value=low), ""
    if _is_fact(name) and len(entries) <= FEW:
        return words.say(
            f"{ROOT}.row.kinds", lang, n=n, shown=some([_value(name, one, lang) for one in entries], lang)
        ), ""
    if name in COUNTERS and len(entries) == SAMPLES:
        before, after = (_value(name, one, lang) for one in entries)
        return f"{amounts.bare(before, after)} → {after}", ""
    ends = words.say(
        f"{ROOT}.row.ends", lang, first=_value(name, entries[0], lang), last=_value(name, entries[-1], lang)
    )
    return words.say(f"{ROOT}.row.many", lang, n=n, low=amounts.bare(low, high), high=high), ends


def _is_fact(name: str) -> bool:
    return term(name).form == "fact"


def _value(name: str, one: Any, lang: Lang) -> str:
    return value(name, shown(name, one), lang)
