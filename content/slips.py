"""The named slips: what their data say of them, their sentences, and the questions that tell them apart."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, Literal

from content import words
from content.files import shipped
from content.lang import Lang, Text
from content.schema import Exercise, Part
from content.words import has, placeholders, put, say
from engine import units
from engine.answers.model import Verdict


def only(slip: str) -> str:
    """What alone is amiss where the number itself is right: its "unit", or that it is "binary"; "" for other slips."""
    told = shipped("words/slips.toml").get(slip)
    return str(told.get("only", "")) if isinstance(told, dict) else ""


# --- sentences --------------------------------------------------------------------------------------------------------


class SlipWords:
    """Sentences about slips, filled from the exercise's values and the learner's."""

    def __init__(self, exercise: Exercise | None, part: Part | None, verdict: Verdict, lang: Lang) -> None:
        self.exercise, self.part = exercise, part
        self.lang = lang
        self.verdict = verdict

    @cached_property
    def params(self) -> dict[str, str]:
        """The values that sentences can show; made when the first of them does, since few do."""
        from content import fill  # as late as this: a short command has no time to lose

        params: dict[str, str] = {}
        given = self.part.given if self.part is not None else {}
        for symbol, value in given.items():
            params[f"given.{symbol}"] = fill.plain_value(symbol, value, self.lang)
        if "capacity" in given:
            params["given.capacity_gb"] = units.number(given["capacity"] / 10**9, 6)
        if self.exercise is not None and self.exercise.carry is not None:
            for symbol, (value, _) in self.exercise.carry.symbols.items():
                params[f"carry.{symbol}"] = fill.plain_value(symbol, value, self.lang)
        if self.verdict.read is not None and self.verdict.read.value is not None:
            params["value"] = units.number(self.verdict.read.value, 6)
        return params

    def text(self, slip: str) -> str:
        """The feedback of a slip; where the exercise lacks a value that the feedback shows, the slip as a sentence."""
        filled = self._filled(f"slips.{slip}.text")
        return filled if filled is not None else f"{_capital(self.maybe(slip))}."

    def maybe(self, slip: str) -> str:
        """The slip as a clause; its short name where the exercise lacks a value that the clause shows."""
        if " " in slip:
            return say("verdicts.both", self.lang, **dict(zip("ab", map(self.maybe, slip.split()), strict=True)))
        return self.clause(slip) or say(f"slips.{slip}.name", self.lang)

    def clause(self, slip: str) -> str:
        """The slip as a clause; empty where the exercise lacks a value that it shows."""
        return self._filled(f"slips.{slip}.maybe") or ""

    def mine(self, slip: str) -> str:
        """The slip as the learner would say it of themselves."""
        if " " in slip:
            return say("verdicts.choice-both", self.lang, **dict(zip("ab", map(self.mine, slip.split()), strict=True)))
        filled = self._filled(f"slips.{slip}.mine") if has(f"slips.{slip}.mine") else None
        return filled if filled is not None else _capital(self.maybe(slip))

    def _filled(self, key: str) -> str | None:
        template = words.text(key)[self.lang]
        wanted = placeholders(template)
        if not wanted:
            return template
        return put(template, self.params) if all(name in self.params for name in wanted) else None

    def lead(self) -> str:
        """ "Exactly half.": said only of simple ratios, since an odd ratio would hand over the answer."""
        read, expected = self.verdict.read, self.verdict.expected
        if read is None or expected is None or not read.base_value or not expected.value:
            return ""
        ratio = read.base_value / expected.value
        simple = {"half": Fraction(1, 2), "double": Fraction(2), "quarter": Fraction(1, 4)}
        for name, exact in simple.items():
            if abs(ratio - exact) <= exact / 100:
                return say(f"verdicts.lead-{name}", self.lang)
        off_by_one = expected.value.denominator == 1 and abs(read.base_value - expected.value) == 1
        return say("verdicts.lead-near", self.lang) if off_by_one else ""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# --- questions --------------------------------------------------------------------------------------------------------


def splitting_question(slips: Sequence[str], lang: Lang) -> str:
    """The question that tells slips of one value apart: the one for these very slips, else the one about the likeliest
    of them, else a general one."""
    found = {one for slip in slips for one in slip.split()}
    rows = _questions("split")
    exact = next((ask for row, ask in rows if row <= found), None)
    if exact is not None:
        return exact[lang]
    probes = (ask[lang] for slip in slips for row, ask in _questions("probe") if slip in row)
    return next(probes, say("verdicts.ask-which" if len(slips) > 1 else "verdicts.ask-that", lang))


@lru_cache(maxsize=1)
def together() -> tuple[frozenset[str], ...]:
    """The sets of slips that may share a value, since a question splits them."""
    return tuple(row for row, _ in _questions("split"))


def asked_after(slip: str) -> bool:
    """Whether there is a question to ask after a right answer that this slip leads to as well."""
    return any(slip in row for row, _ in _questions("equal"))


def question_after(slips: Sequence[str], lang: Lang) -> str:
    """The question after a right answer that these slips lead to as well; empty when there is none."""
    rows = _questions("equal")
    return next((ask[lang] for slip in slips for row, ask in rows if slip in row), "")


@lru_cache(maxsize=4)
def _questions(kind: Literal["split", "probe", "equal"]) -> tuple[tuple[frozenset[str], Text], ...]:
    """The questions of one kind, each with its slips: of slips that share a value, of one slip (or several alike), and
    of slips whose value is the right one."""
    name = "probe" if kind == "probe" else "split"
    rows: list[dict[str, Any]] = shipped("words/questions.toml").get(name, [])
    wanted = (row for row in rows if bool(row.get("equal")) == (kind == "equal"))
    return tuple((frozenset(row["slips"]), Text.of(row["ask"])) for row in wanted)
