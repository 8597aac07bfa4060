"""What a log printed beside what is computed, in words."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from content.diagnosing import words
from content.diagnosing.block import Block
from content.diagnosing.words import named, sentence
from content.lang import Lang
from engine.diagnosis.model import Amount, Reconciled, Report

_QUIET = ("agrees", "in-band")
"""Why two figures that agree need no sentence of their own: the row says it."""


def blocks(report: Report, lang: Lang) -> Iterator[Block]:
    """A row for each figure, and why it differs where it does."""
    for one in report.reconciled:
        yield Block("row", *_row(one, lang), name=one.name, origin=one.source)
        if one.why not in _QUIET:
            yield Block("note", why(one, lang), name=one.name)


def why(one: Reconciled, lang: Lang) -> str:
    """Why a logged figure and a computed one are as far apart as they are."""
    return sentence(f"reconciled.{one.why}", words.params(one.params, lang), lang)


def title(one: Reconciled, lang: Lang) -> str:
    """What is compared."""
    return sentence("reconciled.kv-tokens", {}, lang) if one.name == "kv-tokens" else named("ledger", one.name, lang)


def _row(one: Reconciled, lang: Lang) -> tuple[str, str, str, str]:
    """The text of a row, its label, its value and its note."""
    figures = {name: _shown(amount, lang) for name, amount in (("printed", one.printed), ("expected", one.expected))}
    figures["residual"] = _signed(one.residual, lang)
    value = sentence("reconciled.row", figures, lang)
    note = why(one, lang) if one.why in _QUIET else ""
    return f"{title(one, lang)}: {value}", title(one, lang), value, note


def _shown(one: Amount, lang: Lang) -> str:
    return words.gb(one.value) if one.unit == "bytes" else words.quantity(Fraction(round(one.value)), one.unit, lang)


def _signed(one: Amount, lang: Lang) -> str:
    sign = "−" if one.value < 0 else "+"
    return f"{sign}{_shown(Amount(abs(one.value), one.unit), lang)}"
