"""Two reports side by side: what a lever changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from textual.content import Content

from engine.units import grouped
from tutor.diagnoser import result_memory
from tutor.diagnoser.doors import Applied
from tutor.diagnoser.speech import Speech
from tutor.widgets.ink import QUIET, STRONG
from tutor.widgets.lines import Draw, Line, sentence

if TYPE_CHECKING:
    from engine.diagnosis.model import Ledger, LeverResult, Report

BESIDE = 76
"""Columns from which both sides stand beside each other; under it one above the other."""


def about(lever: str, found: LeverResult | None, speech: Speech) -> list[str]:
    """The lever, what it does, and its flag."""
    told = [speech.lever(lever) if found is None else speech.title(found)]
    if found is None:
        return told
    told += speech.does(found)
    if found.flag:
        told.append(speech.tell("flag", flag=speech.flag(found.flag)))
    return told


def terms(found: LeverResult | None, speech: Speech) -> list[str]:
    """Why it does not help, where it does not; its effects; when it backfires."""
    if found is None:
        return []
    why = [speech.why(found)] if not found.helps and found.why else []
    return [*why, *(speech.effect(one) for one in found.effects), *speech.terms(found)]


def sides(applied: Applied, speech: Speech) -> list[Line]:
    """Rows of a table: what, before, after."""
    if applied.problem is not None:
        return [Line(draw=sentence(speech.problem(applied.problem)))]
    if applied.after is None:
        told = _missing(applied.before, speech) or speech.tell("nothing_computed")
        return [Line(draw=sentence(told, QUIET))]
    rows = _rows(applied.before, applied.after, speech)
    missing = _missing(applied.before, speech) if len(rows) == 1 else ""
    if missing:
        return [Line(draw=sentence(missing, QUIET))]
    widest = max(len(text) for text in (speech.tell("before"), *(before for _, before, _ in rows[1:])))
    columns = (max(len(row[0]) for row in rows), widest)
    head = ("", speech.tell("before"), speech.tell("after"))
    made = [Line(draw=_row(head, columns, speech, QUIET)), *(Line(draw=_row(row, columns, speech)) for row in rows)]
    return [*_bars(applied.before, applied.after, speech), *made]


def _missing(before: Report, speech: Speech) -> str:
    """What has to be filled in before a lever can be computed; "" where it is all there."""
    from engine.diagnosis import questions

    names = [speech.field(name) for name in questions.lacking(before.scenario)]
    return speech.tell("fill_in", names=", ".join(names)) if names else ""


def _bars(before: Report, after: Report, speech: Speech) -> list[Line]:
    """Both memories on one scale, above the table: in a low window they are what one sees."""
    named = [(speech.tell("before"), before.ledger), (speech.tell("after"), after.ledger)]
    told = [(label, ledger) for label, ledger in named if ledger is not None]
    if not told:
        return []
    whole = max(result_memory.extent(ledger) for _, ledger in told)
    labels = max(len(label) for label, _ in told)
    return [*(Line(draw=_bar(label, labels, ledger, whole, speech)) for label, ledger in told), Line()]


def _rows(before: Report, after: Report, speech: Speech) -> list[tuple[str, str, str]]:
    made = [(speech.tell("wall"), speech.walls(before), speech.walls(after))]
    for name in ("decode", "prefill"):
        one, two = getattr(before.timings, name), getattr(after.timings, name)
        if one is not None or two is not None:
            times = [speech.seconds(t.step.seconds) if t is not None else "·" for t in (one, two)]
            made.append((speech.tell(name), times[0], times[1]))
    ledgers = (before.ledger, after.ledger)
    parts = [_parts(ledger) for ledger in ledgers]
    for name in dict.fromkeys(name for part in parts for name in part):
        sizes = [speech.bytes(part[name]) if name in part else "·" for part in parts]
        if sizes[0] != sizes[1]:
            made.append((speech.entry(name), sizes[0], sizes[1]))
    fits = [grouped(ledger.fits) if ledger is not None and ledger.fits is not None else "·" for ledger in ledgers]
    if fits[0] != fits[1]:
        made.append((speech.tell("requests"), fits[0], fits[1]))
    return made


def _parts(ledger: Ledger | None) -> Mapping[str, Fraction]:
    """The lines of a ledger; a rest below zero is what is missing, and no rest."""
    found = ledger.entries if ledger is not None else ()
    return {"short" if one.name == "free" and one.bytes < 0 else one.name: abs(one.bytes) for one in found}


def _row(row: tuple[str, str, str], columns: tuple[int, int], speech: Speech, style: str = "") -> Draw:
    """Label, before, after; the two values under each other where the width does not hold both."""

    def draw(width: int) -> Sequence[Content]:
        label, before, after = row
        head = Content.styled(label.ljust(columns[0] + 2), QUIET)
        second = Content.styled(after, style or STRONG)
        if len(before) <= columns[1] and head.cell_length + columns[1] + 2 + len(after) <= width:
            return (head + Content.styled(before.ljust(columns[1] + 2), style) + second,)
        indent, room = Content(" " * head.cell_length), max(8, width - head.cell_length)
        arrow = Content.styled(speech.plain("→ "), QUIET)
        lines = [*Content.styled(before, style).wrap(room), *(arrow + second).wrap(room)]
        return [head + lines[0], *(indent + line for line in lines[1:])]

    return draw


def _bar(label: str, labels: int, ledger: Ledger, whole: Fraction, speech: Speech) -> Draw:
    def draw(width: int) -> Sequence[Content]:
        head = Content.styled(label.ljust(labels + 2), QUIET)
        return (head + result_memory.bar_of(ledger, width - head.cell_length, speech.ascii, whole),)

    return draw
