"""A report as blocks, in the order of reading: what --plain, Markdown and the screen all show."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from content.diagnosing import advice, figures, reconciled, words
from content.diagnosing.block import Block, BlockKind
from content.diagnosing.figures import entry_row, step_title
from content.diagnosing.levers import title
from content.diagnosing.words import label, named, sentence
from content.lang import Lang
from engine.diagnosis.acting import levers
from engine.diagnosis.causes import BY_ID
from engine.diagnosis.causes.situation import between_tokens, explained
from engine.diagnosis.fields import BY_NAME
from engine.diagnosis.model import Assumed, Experiment, Finding, Question, Report, WallShare

__all__ = [
    "Block", "BlockKind", "assumed_words", "entry_row", "experiment_text", "experiment_words", "question_words",
    "step_title", "text", "told", "undecided", "wall_text",
]  # fmt: skip

_IN_BRACKETS = re.compile(r" ?\(([^()]*)\)")

MOST_ALSO = 1
"""Findings beside the verdict that are told."""
LEAST_ALSO = 0.25
"""And how sure they are at least."""


def text(report: Report, lang: Lang) -> list[Block]:
    """The whole report: the verdict, what could not be used, the question that decides, what to do; then the rest."""
    first, others = report.questions[:1], report.questions[1:]
    unread = [_note(words.unread(*one, lang)) for one in report.scenario.unread]
    unread += [_note(words.conflict(one, lang)) for one in report.scenario.conflicts]
    sections: tuple[tuple[str, list[Block]], ...] = (
        ("verdict", list(_verdict(report, lang))),
        ("unread", unread),
        ("questions", [_question(one, lang) for one in first]),
        ("levers", advice.now(report, lang, undecided(report))),
        ("memory", list(figures.memory(report, lang))),
        ("reconciled", list(reconciled.blocks(report, lang))),
        ("times", list(figures.times(report, lang))),
        ("more_levers", advice.later(report, lang)),
        ("useless", advice.useless(report, lang)),
        ("more_questions", [_question(one, lang, brief=True) for one in others]),
        ("assumed", list(_assumptions(report, lang))),
        ("experiment", list(_experiment(report, lang))),
        ("also", _also(report, lang)),
    )
    found: list[Block] = []
    for name, blocks in sections:
        if blocks:
            found += [_heading(name, lang), *blocks]
    return found


def _heading(name: str, lang: Lang) -> Block:
    return Block("heading", sentence(f"heading.{name}", {}, lang), name=name)


def _note(line: str) -> Block:
    return Block("note", line)


# --- the verdict -----------------------------------------------------------------------------------------------------

_OF_CARD = ("weights-memory", "kv-memory", "kv-fragmentation")
_OF_CARD_TOO = ("activation-peak", "graph-memory", "non-torch-memory", "fragmented-memory", "shared-card")
_OF_TIME = {"decode": "of_step", "prefill": "of_prefill", "both": "of_time"}


def wall_text(report: Report, lang: Lang, short: bool = False) -> str:
    """The walls with their shares, with what they are shares of: "memory bandwidth 60 % of a step, compute 30 %"."""
    if undecided(report):
        return label("undecided", lang)
    found: list[str] = []
    spent: dict[str, Fraction] = {}
    for one in _largest_first(report):
        name, base = _wall_name(one, lang, short), _base(one, report)
        left = 1 - spent.get(base, Fraction(0))
        if one.share is None or not base or one.share < _LEAST_SHARE or one.share > left + _LEAST_SHARE:
            found.append(name)
            continue
        share = words.share(one.share, lang)
        found.append(f"{name} {share}" if base in spent else f"{name} {label(base, lang, share=share)}")
        spent[base] = spent.get(base, Fraction(0)) + one.share
    return ", ".join(found)


def _largest_first(report: Report) -> tuple[WallShare, ...]:
    """The walls as they are told: by their shares, where those are all of one thing."""
    shares = [one.share or Fraction(0) for one in report.walls]
    bases = {_base(one, report) for one in report.walls}
    parts = min(shares, default=Fraction(0)) >= _LEAST_SHARE and sum(shares) <= 1 + _LEAST_SHARE
    if len(bases) > 1 or "" in bases or not parts:
        return report.walls
    return tuple(sorted(report.walls, key=lambda one: -(one.share or 0)))


_LEAST_SHARE = Fraction(1, 200)
"""A share below it would be shown as 0 %: the wall is not found by it, and it says nothing."""


def _base(one: WallShare, report: Report) -> str:
    """What a wall's share is a share of; "" where it is of nothing that a reader could set it beside."""
    found = next((each for each in report.findings if each.wall == one.id), None)
    own = found if found is not None and found.share == one.share else None  # else a part of the report's steps
    if own is not None and own.cause == "first-token-waits":
        return "of_wait"
    if one.id in _OF_CARD or one.detail in _OF_CARD_TOO:
        return "of_card"
    if one.id in ("none", "other"):
        return ""
    decode = report.timings.decode
    phase = own.phase if own is not None and own.phase in ("prefill", "decode") else report.phase
    if decode is not None and between_tokens(decode, report.findings, phase):
        return "of_between"
    timing = {"decode": report.timings.decode, "prefill": report.timings.prefill}.get(phase)
    if timing is not None and explained(timing) < 1:
        return f"{_OF_TIME[phase]}_measured"
    return _OF_TIME.get(phase, "")


def _wall_name(one: WallShare, lang: Lang, short: bool) -> str:
    name = named("wall", one.id, lang, short)
    if one.detail is None or short:
        return name
    detail = named("detail", one.detail, lang)
    if one.id == "other" or (one.id, one.detail) == ("cpu-overhead", "slow-kernel"):
        return detail  # a kernel runs on the card: its name alone
    return label("wall_detail", lang, wall=name, detail=detail)


def undecided(report: Report) -> bool:
    """Whether too little is known for a verdict, which is not the same as that nothing is wrong."""
    return bool(report.findings) and report.findings[0].cause == "unknown"


def _verdict(report: Report, lang: Lang) -> Iterator[Block]:
    walls, phase = wall_text(report, lang), named("phase", report.phase, lang)
    title = label("wall", lang)
    if not undecided(report) and report.phase != "none":
        title = label("wall_in", lang, phase=phase)
    yield Block("wall", f"{title}: {walls}", title, walls, name=report.wall)
    if report.phase == "load" and not undecided(report):
        yield Block("sentence", sentence("phase.load", {}, lang), label("phase", lang), phase, name="phase")
    for finding in told(report):
        yield Block("sentence", words.cause(finding, lang), name=finding.cause)
    if report.findings and not undecided(report):
        yield from _evidence(report.findings[0], lang)


def told(report: Report) -> tuple[Finding, ...]:
    """The findings that the verdict is told by: the first of each of its walls."""
    found = (next((one for one in report.findings if one.wall == wall.id), None) for wall in _largest_first(report))
    return tuple(one for one in found if one is not None)


def _evidence(finding: Finding, lang: Lang) -> Iterator[Block]:
    """What it rests on, where that is not numbers alone."""
    said = [words.evidence(one, lang) for one in finding.because]
    parts = [label("because", lang, text="; ".join(said))] if said else []
    if finding.by == "words" or (finding.by == "flags" and said):
        parts.append(label(f"by_{finding.by}", lang))
    if parts:
        yield _note(" ".join(parts))


def _also(report: Report, lang: Lang) -> list[Block]:
    known = told(report)
    others = [one for one in report.findings if one not in known and one.strength >= LEAST_ALSO]
    others = [one for one in others if not _refuted(one, report)]
    return [
        Block("sentence", f"{words.cause(one, lang)}{_against(report, one, lang)}", name=one.cause)
        for one in others[:MOST_ALSO]
    ]


def _against(report: Report, finding: Finding, lang: Lang) -> str:
    """What to do about it, where it is something that went wrong."""
    failed = BY_ID[finding.cause].group in ("fault", "load") and finding.wall != report.walls[0].id
    lever = levers.against(report, finding) if failed else None
    if lever is None:
        return ""
    name = title(lever, lang)
    if lever.flag:
        name = f"{name} ({words.flag(lever.flag, lang)})"
    return f" {label('against', lang, lever=name)}"


def _refuted(finding: Finding, report: Report) -> bool:
    """Whether it was only heard, and the ledger above it says otherwise: no room, where the pool has some."""
    pool = 0 if report.ledger is None else report.ledger.pool_tokens or 0
    return finding.cause == "no-room-for-cache" and finding.by != "numbers" and pool > 0


# --- questions -------------------------------------------------------------------------------------------------------


def _question(question: Question, lang: Lang, brief: bool = False) -> Block:
    ask, why = question_words(question, lang)
    how = _answer(question.input, lang)
    parts = (ask,) if brief else (ask, how, why)
    return Block("question", " ".join(part for part in parts if part), ask, note=why, name=question.input)


def _answer(name: str, lang: Lang) -> str:
    """The option that takes the answer, with an example; "" where none does, or nothing shows how it is written."""
    if name in ("running", "symptoms"):
        return label(f"answer_{name}", lang)
    field, example = BY_NAME.get(name), sentence(f"field.{name}.example", {}, lang).partition(",")[0]
    if field is None or not example:
        return ""
    return label("answer", lang, option=field.option, example=f'"{example}"' if " " in example else example)


def question_words(question: Question, lang: Lang) -> tuple[str, str]:
    """A question, and why its answer would change the verdict."""
    given = words.params(question.params, lang) | {"field": words.field(question.input, lang)}
    ask = sentence(f"question.{question.input}.ask", given, lang) or sentence("question.other.ask", given, lang)
    why = sentence(f"asked.{question.why}", given, lang) or sentence(f"question.{question.input}.why", given, lang)
    return ask, why or sentence("question.other.why", given, lang)


# --- what was taken for granted --------------------------------------------------------------------------------------


def _assumptions(report: Report, lang: Lang) -> Iterator[Block]:
    """What was taken for granted, those of one reason together; what the ledger shows is told there."""
    shown = set() if report.ledger is None else {one.name for one in (*report.ledger.entries, report.ledger.card)}
    reasons: dict[str, list[str]] = {}
    for one in report.assumed:
        if one.name not in shown or one.why != "seen-elsewhere":
            title, value, why = assumed_words(one, lang)
            reasons.setdefault(why, []).append(f"{title}: {value}")
    for why, values in reasons.items():
        yield Block("note", f"{'; '.join(values)} ({why})", note=why, name="assumed")


def assumed_words(one: Assumed, lang: Lang) -> tuple[str, str, str]:
    """What was taken for granted: the name, the value, and why."""
    why = words.one_of("assumed", one.why, lang, {"source": words.clean(one.source)})
    taken = sentence(f"taken.{one.name}.name", {}, lang)
    return taken or words.field(one.name, lang), words.shown(one.value, lang, one.name), why


# --- the experiment --------------------------------------------------------------------------------------------------


def experiment_text(report: Report, lang: Lang) -> str:
    """The one change that would refute the verdict; "" where there is none."""
    return "" if report.experiment is None else experiment_words(report.experiment, lang)


def experiment_words(one: Experiment, lang: Lang) -> str:
    """What to change, and what would then show that the verdict is wrong."""
    flag = _IN_BRACKETS.sub(r": \1", words.clean(one.flag))  # the sentence has brackets of its own
    given = words.params(one.params, lang) | {"flag": flag}
    return sentence(f"experiment.{one.id}", given, lang)


def _experiment(report: Report, lang: Lang) -> Iterator[Block]:
    said = experiment_text(report, lang)
    if said and report.experiment is not None:
        yield Block("sentence", said, name=report.experiment.id, origin=report.experiment.flag)
