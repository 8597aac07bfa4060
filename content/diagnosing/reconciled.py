"""What a log printed beside what is computed, in words."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from content.diagnosing import words
from content.diagnosing.block import Block
from content.diagnosing.words import named, sentence
from content.lang import Lang
from engine.diagnosis.model import Amount, Reconciled, Report

QUIET = ("agrees", "in-band")
"""Why two figures that agree need no sentence of their own: the row says it."""


def blocks(report: Report, lang: Lang) -> Iterator[Block]:
    """A row for each figure, and why it differs where it does."""
    for one in report.reconciled:
        yield _block(one, lang)
        if one.why not in QUIET:
            yield Block("note", why(one, lang), name=one.name)


def why(one: Reconciled, lang: Lang) -> str:
    """Why a logged figure and a computed one are as far apart as they are."""
    return sentence(f"reconciled.{one.why}", words.params(one.params, lang), lang)


def title(one: Reconciled, lang: Lang) -> str:
    """What is compared."""
    return sentence("reconciled.kv-tokens", {}, lang) if one.name == "kv-tokens" else named("ledger", one.name, lang)


def row(one: Reconciled, lang: Lang) -> tuple[str, str, str]:
    """The label of a figure, what the log has of it, and what stands beside it, with what that is made of."""
    figures = {name: _shown(amount, lang) for name, amount in (("printed", one.printed), ("expected", one.expected))}
    figures["residual"] = _signed(one.residual, lang)
    beside = sentence(f"reconciled.basis-{one.basis}", figures, lang)
    note = f"{beside}; {why(one, lang)}" if one.why in QUIET else beside
    return title(one, lang), sentence("reconciled.printed", figures, lang), note


def _block(one: Reconciled, lang: Lang) -> Block:
    label, value, note = row(one, lang)
    tail = f"; {one.source}" if one.source else ""
    return Block("row", f"{label}: {value}; {note}{tail}", label, value, note, one.source, one.name)


def _shown(one: Amount, lang: Lang) -> str:
    return words.gb(one.value) if one.unit == "bytes" else words.quantity(Fraction(round(one.value)), one.unit, lang)


def _signed(one: Amount, lang: Lang) -> str:
    sign = "−" if one.value < 0 else "+"
    return f"{sign}{_shown(Amount(abs(one.value), one.unit), lang)}"
