"""The sentences of a report in the reader's language; with the peek on, in both.

The words of a report are the content's. They bring the engine with them, so they are imported where they are used: the
first time is in the thread that prepares the screen (:func:`tutor.diagnoser.doors.warm`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from content.lang import Lang
from content.words import has, say
from engine import units
from engine.units import grouped
from tutor.diagnoser.doors import BROKEN

if TYPE_CHECKING:
    from content.probing import Section
    from engine.diagnosis.model import (
        Assumed,
        Conflict,
        Effect,
        Entry,
        Experiment,
        Ledger,
        LeverResult,
        Question,
        Reconciled,
        Report,
        Unread,
    )
    from tutor.diagnoser.doors import Problem
    from tutor.diagnoser.probed import Seen

_ASCII = str.maketrans(
    {
        "→": "->",
        "–": "-",
        "×": "x",
        "−": "-",
        "·": "*",
        "…": "...",
        "≈": "~",
        "≤": "<=",
        "≥": ">=",
        "⌊": "floor(",
        "⌋": ")",
        "⌈": "ceil(",
        "⌉": ")",
    }
)
LABEL = 20
"""Columns of a label in the form."""


@dataclass(frozen=True)
class Speech:
    """How to say things: the language, whether in ASCII, and the second language while the peek is on."""

    lang: Lang
    ascii: bool = False
    second: Lang | None = None

    def tell(self, key: str, **params: object) -> str:
        """Words of this screen."""
        return self.plain(say(f"app.diagnose.{key}", self.lang, **params))

    def _both(self, words: Callable[[Lang], str]) -> list[str]:
        """A sentence, and the other language's below it while the peek is on; nothing where there are no words."""
        first = words(self.lang)
        second = words(self.second) if self.second is not None else ""
        return [self.plain(text) for text in dict.fromkeys((first, second)) if text]

    # --- names ------------------------------------------------------------------------------------------------------

    def _named(self, group: str, name: str, short: bool = False) -> str:
        from content.diagnosing import words

        return words.named(group, name, self.lang, short)

    def walls(self, report: Report) -> str:
        """The walls with their shares: "memory bandwidth 60 %, CPU overhead 40 %"."""
        from content.diagnosing import blocks

        return blocks.wall_text(report, self.lang)

    def phase(self, id: str) -> str:
        """When it happens."""
        return self._named("phase", id)

    def field(self, name: str) -> str:
        """The label of a field of the form: its name, or its short name where that would not fit the column."""
        forms = (f"diagnosis.field.{name}.{form}" for form in ("name", "short"))
        told = [say(key, self.lang) for key in forms if has(key)] or [name]
        return next((words for words in told if len(words) <= LABEL), told[-1])

    def group(self, name: str) -> str:
        """The heading of a group of fields."""
        return say(f"diagnosis.group.{name}", self.lang)

    def example(self, name: str) -> str:
        """What one may type in a field, quietly, and told from what counts."""
        key = f"diagnosis.field.{name}.example"
        return self.tell("like", example=say(key, self.lang)) if has(key) else ""

    def entry(self, name: str) -> str:
        """A line of the ledger."""
        return self._named("ledger", name)

    def origin(self, one: Entry, report: Report) -> str:
        """Where a figure comes from: the words of the report, which know what is of no log of the reader's."""
        from content.diagnosing import figures

        return figures.entry_row(one, self.lang, seen=figures.of_others(one, report)).origin

    def heading(self, name: str) -> str:
        """The heading of a part of the report."""
        return self.plain(say(f"diagnosis.heading.{name}", self.lang))

    def reconciled(self, one: Reconciled) -> tuple[str, str, str, list[str]]:
        """A logged figure: its name, what the log has, what stands beside it, and why they differ where they do."""
        from content.diagnosing import reconciled

        label, printed, note = map(self.plain, reconciled.row(one, self.lang))
        why = [] if one.why in reconciled.QUIET else self._both(lambda lang: reconciled.why(one, lang))
        return label, printed, note, why

    def probed(self, seen: Seen) -> Section:
        """A measurement of the card at hand, in short."""
        from content import probing

        return probing.brief(seen.result, self.lang, seen.at, seen.own)

    def part(self, name: str) -> str:
        """A part of a step."""
        return self._named("part", name, short=True)

    def lever(self, id: str) -> str:
        """A lever's name."""
        return self._named("lever", id)

    def title(self, one: LeverResult) -> str:
        """A judged lever's name, with that of a second one that it takes."""
        from content.diagnosing import levers

        return levers.title(one, self.lang)

    # --- numbers ----------------------------------------------------------------------------------------------------

    def bytes(self, value: Fraction) -> str:
        """Memory."""
        from content.diagnosing import words

        return words.quantity(value, "GB", self.lang)

    def seconds(self, value: Fraction) -> str:
        """A time."""
        from content.diagnosing import words

        return words.quantity(value, "s", self.lang)

    def share(self, value: Fraction) -> str:
        """A share in percent, as exact as a computed one can be."""
        return units.quantity(value, "%", 2 if abs(value) < Fraction(995, 1000) else 3)

    def span(self, low: Fraction, high: Fraction, say: Callable[[Fraction], str]) -> str:
        """Two figures, with one unit where that is the same."""
        first, last = say(low), say(high)
        number, _, unit = first.rpartition(" ")
        between = "-" if self.ascii else "–"
        return f"{number}{between}{last}" if number and last.endswith(f" {unit}") else f"{first}{between}{last}"

    # --- sentences --------------------------------------------------------------------------------------------------

    def verdict(self, report: Report) -> list[str]:
        """Why, with the arithmetic: a sentence for each wall, and what it rests on where that is not numbers."""
        from content.diagnosing import blocks, words

        made: list[str] = []
        for finding in blocks.told(report):
            made += self._both(lambda lang, finding=finding: words.cause(finding, lang))  # type: ignore[misc]
        if report.detail is not None:
            made += self._both(lambda lang: words.sentence(f"detail.{report.detail}", {}, lang))
        first = report.findings[0] if report.findings else None
        if first is not None and first.by != "numbers" and first.cause != "unknown":
            made += self._both(lambda lang: words.label(f"by_{first.by}", lang))
        return list(dict.fromkeys(made))

    def plain(self, text: str) -> str:
        """The signs between numbers, in the characters that this terminal has."""
        return text.translate(_ASCII) if self.ascii else text

    def fits(self, ledger: Ledger) -> str:
        """How many requests the pool holds."""
        if ledger.fits is None or ledger.request_tokens is None:
            return ""
        return self.tell("fits", n=grouped(ledger.fits), tokens=grouped(ledger.request_tokens))

    def effect(self, effect: Effect) -> str:
        """Measure, before and after, and how many times better."""
        from content.diagnosing import levers

        return self.plain(levers.effect_text(effect, self.lang, short=True))

    def promise(self, one: LeverResult) -> str:
        """What stands where no effect is computed: a gain that others measured, or that none is known."""
        from content.diagnosing import levers

        return levers.lever(one, self.lang).effect

    def terms(self, one: LeverResult) -> list[str]:
        """What a lever was worked out for, its condition where nobody said whether it holds, when it backfires."""
        from content.diagnosing import levers

        def said(lang: Lang) -> str:
            words = levers.lever(one, lang)
            parts = (*words.chosen, words.need if one.precondition == "unknown" else "", words.warning)
            return " ".join(part for part in parts if part)

        return self._both(said)

    def why(self, one: LeverResult) -> str:
        """Why a lever does not help here."""
        from content.diagnosing import levers

        return levers.why(one, self.lang)

    def does(self, one: LeverResult) -> list[str]:
        """What a lever does, in a line."""
        from content.diagnosing import words

        return self._both(lambda lang: words.sentence(f"lever.{one.id}.text", {}, lang))

    def question(self, one: Question) -> list[str]:
        """What is asked, and why it would change the verdict."""
        from content.diagnosing import blocks

        return self._both(lambda lang: " ".join(part for part in blocks.question_words(one, lang) if part))

    def experiment(self, one: Experiment) -> list[str]:
        """The one change that would refute the verdict."""
        from content.diagnosing import words

        def said(lang: Lang) -> str:
            return words.sentence(f"experiment.{one.id}", {**words.params(one.params, lang), "flag": one.flag}, lang)

        return self._both(said)

    def assumed(self, one: Assumed) -> str:
        """Something taken for granted: what, the value, and why."""
        from content.diagnosing import blocks

        name, value, why = blocks.assumed_words(one, self.lang)
        return self.plain(f"{name}: {value} ({why})" if why else f"{name}: {value}")

    def flag(self, text: str) -> str:
        """A flag to copy."""
        from content.diagnosing import words

        return words.flag(text, self.lang)

    def setting(self, name: str, value: object) -> str:
        """The value of an input with its unit."""
        from content.diagnosing import setting

        return self.plain(setting.value(name, value, self.lang))

    def without(self, name: str) -> str:
        """That an input is set no more."""
        from content.diagnosing import setting

        if name in setting.POOL or name == setting.LAYERS:
            return f"{self.field(name)} {self.setting(name, None)}"
        return self.tell("without", name=self.field(name))

    def assumed_value(self, one: Assumed) -> str:
        """Its value."""
        from content.diagnosing import words

        return words.shown(one.value, self.lang, one.name)

    def unread(self, one: Unread) -> str:
        """A value that was put aside, after its name."""
        from content.diagnosing import words

        return words.unread(one.field, one.text, one.reason, self.lang)

    def unread_in(self, several: Sequence[Unread]) -> str:
        """Values of one line that were put aside: the line need not be named, a flag in it must; of one reason once."""
        from content.diagnosing import words

        told: dict[str, list[str]] = {}
        for one in several:
            why = words.one_of("unread", one.reason, self.lang, {"text": words.clean(one.text, 80)})
            name = words.field(one.field, self.lang) if one.field.startswith("flags.") else ""
            told.setdefault(why or words.clean(one.text, 80), []).append(name)
        named = ((", ".join(name for name in names if name), why) for why, names in told.items())
        return "; ".join(f"{names}: {why}" if names else why for names, why in named)

    def against(self, one: Conflict) -> str:
        """What a log says of a field in which something else was typed."""
        return self.tell("against", value=one.dropped, source=self.place(one.dropped_source))

    def place(self, source: str) -> str:
        """Where a value stands: "server.log, line 3"."""
        from content.diagnosing import observed

        name, _, line = source.rpartition(":")
        return (
            observed.at(name, int(line), self.lang) if name and line.isdigit() else observed.at(source, None, self.lang)
        )

    def conflict(self, one: Conflict) -> str:
        """Two sources that said different things."""
        from content.diagnosing import words

        return words.conflict(one, self.lang)

    def problem(self, one: Problem) -> str:
        """Why a scenario cannot be, or that a mistake of ours is in the way."""
        if one.reason == BROKEN:
            return self.tell("broken", **one.params)
        from content.diagnosing import words

        return words.problem(one.reason, one.field, one.params, self.lang)
