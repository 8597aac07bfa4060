"""The memory of a card as lines: its bar, what is in it, what fits, and what a log printed beside what was computed."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from textual.content import Content

from tutor.diagnoser.result_rows import headed, heading, noted
from tutor.diagnoser.speech import Speech
from tutor.widgets import ledger_bar
from tutor.widgets.ink import QUIET
from tutor.widgets.lines import Draw, Line, sentence

if TYPE_CHECKING:
    from engine.diagnosis.model import Entry, Ledger, Report


def _taken(ledger: Ledger) -> list[ledger_bar.Share]:
    return [ledger_bar.Share(one.name, one.bytes) for one in ledger.entries if one.name not in ("free", "short")]


def bar_of(ledger: Ledger, width: int, ascii_only: bool, whole: Fraction | None = None) -> Content:
    """The memory of one card as a bar; ``whole``: bytes of the full width."""
    return ledger_bar.bar(_taken(ledger), ledger.card.bytes, width, ascii_only, whole)


def extent(ledger: Ledger) -> Fraction:
    """Bytes that its bar stands for."""
    return ledger_bar.extent(_taken(ledger), ledger.card.bytes)


def memory(report: Report, speech: Speech) -> list[Line]:
    """The bar, its lines, and what fits."""
    ledger = report.ledger
    if ledger is None:
        return []
    card = speech.bytes(ledger.card.bytes)
    head = headed(speech.tell("memory"), speech.tell("card", size=card), speech.origin(ledger.card, report))
    made = [
        Line(),
        Line("ledger:card", draw=head),
        Line(draw=lambda width: (bar_of(ledger, width, speech.ascii),)),
    ]
    entered = [_entered(one, report, speech) for one in ledger.entries]
    columns = (
        max(len(one.label) for one in entered), max(len(one.amount) for one in entered),
        max(len(one.spread) for one in entered),
    )  # fmt: skip
    for one in entered:
        made.append(Line(f"ledger:{one.name}", draw=_entry(one, columns, speech.ascii)))
    fits = speech.fits(ledger)
    if fits:
        made.append(Line("fits", draw=sentence(fits, QUIET)))
    return made


def _entered(one: Entry, report: Report, speech: Speech) -> ledger_bar.Entered:
    short = one.name == "free" and one.bytes < 0
    name = "short" if short else one.name
    spread = ""
    if one.low != one.high and not short:
        spread = speech.span(max(one.low, min(one.bytes, Fraction(0))), one.high, speech.bytes)  # no rest is under zero
    return ledger_bar.Entered(name, speech.entry(name), speech.bytes(abs(one.bytes)), spread,
                              speech.origin(one, report))  # fmt: skip


def _entry(one: ledger_bar.Entered, columns: tuple[int, int, int], ascii_only: bool) -> Draw:
    return lambda width: ledger_bar.entry(one, columns, width, ascii_only)


def beside_log(report: Report, speech: Speech) -> list[Line]:
    """What a log printed, each figure with the computed one beside it, and why they differ where they do."""
    if not report.reconciled:
        return []
    rows = [(one, *speech.reconciled(one)) for one in report.reconciled]
    label, value = (max(len(row[at]) for row in rows) for at in (1, 2))
    made = [Line(), Line(draw=heading(speech.heading("reconciled"), ""))]
    for one, name, printed, note, why in rows:
        head = Content(f"   {name.ljust(label)}  {printed.rjust(value)}")
        made.append(Line(f"log:{one.name}", draw=noted(head, "; ".join(part for part in (note, one.source) if part))))
        made += [Line(draw=sentence(text, QUIET, "      ")) for text in why]
    return made
