"""A report as blocks, in the order of reading: what --plain, Markdown and the screen all show."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from content.diagnosing import words
from content.diagnosing.levers import lever
from content.diagnosing.words import label, named, sentence
from content.lang import Lang
from engine.diagnosis.model import Amount, Assumed, Entry, Experiment, Finding, Ledger, Question, Report, Timing

BlockKind = Literal["heading", "wall", "sentence", "row", "lever", "question", "note"]

_IN_BRACKETS = re.compile(r" ?\(([^()]*)\)")

MOST_ALSO = 3
"""Findings beside the verdict that are told."""
LEAST_ALSO = 0.25
"""And how sure they are at least."""


class Block(NamedTuple):
    """One piece of a report.

    Attributes:
        kind: what it is; a ``row`` is one number, a ``note`` a sentence of less weight.
        text: the whole of it as one line of plain text.
        label, value, note, origin: of a row: the name, the number, its spread or what was measured, where it comes
            from. Of a lever: its name, its first effect, when it backfires, its flag. Of a wall: name and share.
        name: id of what it is about, for "explain" and for applying a lever: "weights", "decode", "w4a16", "prompt".
        helps: of a lever.
        more: further sentences, one a line.
    """

    kind: BlockKind
    text: str
    label: str = ""
    value: str = ""
    note: str = ""
    origin: str = ""
    name: str = ""
    helps: bool = True
    more: tuple[str, ...] = ()


def text(report: Report, lang: Lang) -> list[Block]:
    """The whole report."""
    sections: tuple[tuple[str, list[Block]], ...] = (
        ("verdict", list(_verdict(report, lang))),
        ("memory", list(_memory(report.ledger, lang))),
        ("times", list(_times(report, lang))),
        ("levers", _levers(report, lang, helps=True)),
        ("useless", _levers(report, lang, helps=False)),
        ("questions", [_question(one, lang) for one in report.questions]),
        ("assumed", [_assumed(one, lang) for one in report.assumed]),
        ("experiment", list(_experiment(report, lang))),
        ("also", _also(report, lang)),
        ("unread", [_note(words.unread(*one, lang)) for one in report.scenario.unread]),
        ("conflicts", [_note(words.conflict(*one, lang)) for one in report.scenario.conflicts]),
    )
    found: list[Block] = []
    for name, blocks in sections:
        if blocks:
            found += [_heading(name, lang), *blocks]
    return found


def lines(report: Report, lang: Lang) -> list[str]:
    """The report as plain lines: a blank one before every heading but the first."""
    found: list[str] = []
    for block in text(report, lang):
        if block.kind == "heading" and found:
            found.append("")
        found.append(block.text)
        found += [f"  {line}" for line in block.more]
    return found


def _heading(name: str, lang: Lang) -> Block:
    return Block("heading", sentence(f"heading.{name}", {}, lang), name=name)


def _note(line: str) -> Block:
    return Block("note", line)


# --- the verdict -----------------------------------------------------------------------------------------------------


def wall_text(report: Report, lang: Lang, short: bool = False) -> str:
    """The walls with their shares, on one line: "memory bandwidth 60 %, CPU overhead 40 %"."""
    if undecided(report):
        return label("undecided", lang)
    found = []
    for one in report.walls:
        name = named("wall", one.id, lang, short)
        if one.detail is not None and not short:
            name = label("wall_detail", lang, wall=name, detail=named("detail", one.detail, lang))
        found.append(name if one.share is None else f"{name} {words.share(one.share, lang)}")
    return ", ".join(found)


def undecided(report: Report) -> bool:
    """Whether too little is known for a verdict, which is not the same as that nothing is wrong."""
    return bool(report.findings) and report.findings[0].cause == "unknown"


def _verdict(report: Report, lang: Lang) -> Iterator[Block]:
    walls, phase = wall_text(report, lang), named("phase", report.phase, lang)
    yield Block("wall", f"{label('wall', lang)}: {walls}", label("wall", lang), walls, name=report.wall)
    if not undecided(report):
        said = f"{label('phase', lang)}: {phase}. {sentence(f'phase.{report.phase}', {}, lang)}"
        yield Block("sentence", said, label("phase", lang), phase, name="phase")
    for finding in told(report):
        yield Block("sentence", words.cause(finding, lang), name=finding.cause)
    if report.findings and not undecided(report):
        yield from _evidence(report.findings[0], lang)


def told(report: Report) -> tuple[Finding, ...]:
    """The findings that the verdict is told by: the first of each of its walls."""
    found = (next((one for one in report.findings if one.wall == wall.id), None) for wall in report.walls)
    return tuple(one for one in found if one is not None)


def _evidence(finding: Finding, lang: Lang) -> Iterator[Block]:
    said = [words.evidence(one, lang) for one in finding.because]
    if said:
        yield _note(label("because", lang, text="; ".join(said)))
    if finding.by != "numbers":
        yield _note(label(f"by_{finding.by}", lang))


def _also(report: Report, lang: Lang) -> list[Block]:
    known = told(report)
    others = [one for one in report.findings if one not in known and one.strength >= LEAST_ALSO]
    return [Block("sentence", words.cause(one, lang), name=one.cause) for one in others[:MOST_ALSO]]


# --- memory ----------------------------------------------------------------------------------------------------------


def _row(name: str, title: str, value: str, note: str = "", origin: str = "") -> Block:
    tail = "; ".join(part for part in (note, origin) if part)
    return Block("row", f"{title}: {value}" + (f" ({tail})" if tail else ""), title, value, note, origin, name)


def _memory(ledger: Ledger | None, lang: Lang) -> Iterator[Block]:
    if ledger is None:
        return
    for entry in (*ledger.entries, ledger.card):
        yield entry_row(entry, lang)
    if ledger.asked is not None:
        yield entry_row(ledger.asked, lang)
    if ledger.pool_tokens is not None:
        pool = words.shown(ledger.pool_tokens, lang, "tokens")
        yield _row("pool-tokens", named("measure", "pool-tokens", lang), pool)
    if ledger.longest is not None:
        yield _row("longest", label("longest", lang), words.shown(ledger.longest, lang, "longest"))
    if ledger.request_tokens is not None:
        yield _row("request-tokens", label("request_tokens", lang), words.shown(ledger.request_tokens, lang, "tokens"))
    if ledger.fits is not None:
        yield _row("requests", label("fits", lang), words.shown(ledger.fits, lang, "fits"))
    if ledger.reservation is not None:
        waste = words.shown(Amount(ledger.reservation.waste, "%"), lang)
        yield _row("waste", label("waste", lang), waste)


def entry_row(entry: Entry, lang: Lang, short: bool = False) -> Block:
    """A line of the ledger; what is missing is shown as such, not as a negative rest."""
    size, name = entry.bytes, entry.name
    missing = name == "free" and size < 0
    title = named("ledger", "short" if missing else name, lang, short)
    spread = ""
    if entry.low != entry.high and not missing:
        low, high = words.gb(entry.low), words.gb(entry.high)
        spread = label("band", lang, low=low, high=high)
    return _row(name, title, words.gb(abs(size)), spread, sentence(f"origin.{entry.origin}", {}, lang))


# --- times -----------------------------------------------------------------------------------------------------------


def _times(report: Report, lang: Lang) -> Iterator[Block]:
    for name, timing in (("decode", report.timings.decode), ("prefill", report.timings.prefill)):
        if timing is not None:
            yield from _timing(name, timing, lang)
    if report.timings.decode_share is not None:
        yield _note(label("decode_share", lang, share=words.share(report.timings.decode_share, lang)))


def step_title(name: str, timing: Timing, lang: Lang) -> str:
    """What a step was computed for: "decode, 64 requests with 2176 tokens each"."""
    tokens = words.shown(timing.tokens, lang, "tokens")
    if name == "prefill":
        return label("prefill", lang, prompt=tokens)
    return label("decode", lang, batch=words.shown(timing.batch, lang, "batch"), context=tokens)


def _timing(name: str, timing: Timing, lang: Lang) -> Iterator[Block]:
    band = timing.step.time
    spread = label("band", lang, low=words.seconds(band.low, lang), high=words.seconds(band.high, lang))
    ideal = label("ideal", lang, value=words.seconds(timing.step.ideal.total, lang))
    computed = sentence("origin.computed", {}, lang)
    title = step_title(name, timing, lang)
    yield _row(name, title, words.seconds(timing.step.seconds, lang), f"{spread}; {ideal}", computed)
    shares = timing.step.shares()
    for part, time in timing.step.parts().items():
        if time and shares[part] >= _LEAST_PART:
            share = words.share(shares[part], lang)
            yield _row(f"{name}.{part}", f"  {named('part', part, lang)}", words.seconds(time, lang), share)
    if timing.measured is not None:
        yield _note(_measured(timing, lang))


_LEAST_PART = 0.01
"""Parts of a step under a hundredth of it are left out."""


def _measured(timing: Timing, lang: Lang) -> str:
    band, measured = timing.step.time, timing.measured
    assert measured is not None
    shown, by = words.seconds(measured, lang), sentence(f"measured.{timing.measured_by}", {}, lang)
    shown = f"{shown} ({by})" if by else shown
    if timing.excess:
        high, beyond = words.seconds(band.high, lang), words.share(timing.excess, lang)
        return label("beyond_band", lang, measured=shown, high=high, share=beyond)
    return label("below_band" if measured < band.low else "inside_band", lang, measured=shown)


# --- levers, questions, the rest -------------------------------------------------------------------------------------


def _levers(report: Report, lang: Lang, *, helps: bool) -> list[Block]:
    chosen = [one for one in report.levers if one.helps is helps]
    if helps and not chosen:
        key = "nothing_to_do" if report.wall == "none" and report.phase == "none" else "no_lever"
        return [] if not report.levers or undecided(report) else [_note(label(key, lang))]
    found = []
    for number, one in enumerate(chosen, 1):
        said = lever(one, lang)
        head = f"{number}. {said.name}" if helps else said.name
        if helps:
            first = said.effects[0] if said.effects else said.effect
            line = f"{head}: {first}" if first else head
            careful = label("warning", lang, text=said.warning) if said.warning else ""
            more = (said.does, *said.effects[1:], *said.chosen, said.need, careful, said.flag)
        else:
            first = said.why
            line, more = f"{head}: {first}", ()
        kept = tuple(part for part in more if part)
        found.append(Block("lever", line, said.name, first, said.warning, one.flag, one.id, helps, kept))
    return found


def _question(question: Question, lang: Lang) -> Block:
    ask, why = question_words(question, lang)
    return Block("question", f"{ask} {why}", ask, note=why, name=question.input)


def question_words(question: Question, lang: Lang) -> tuple[str, str]:
    """A question, and why its answer would change the verdict."""
    given = words.params(question.params, lang) | {"field": words.field(question.input, lang)}
    ask = sentence(f"question.{question.input}.ask", given, lang) or sentence("question.other.ask", given, lang)
    why = sentence(f"asked.{question.why}", given, lang) or sentence(f"question.{question.input}.why", given, lang)
    return ask, why or sentence("question.other.why", given, lang)


def _assumed(one: Assumed, lang: Lang) -> Block:
    title, value, why = assumed_words(one, lang)
    return Block("row", f"{title}: {value} ({why})", title, value, why, sentence("origin.assumed", {}, lang), one.name)


def assumed_words(one: Assumed, lang: Lang) -> tuple[str, str, str]:
    """What was taken for granted: the name, the value, and why."""
    why = words.one_of("assumed", one.why, lang, {"source": words.clean(one.source)})
    taken = sentence(f"taken.{one.name}.name", {}, lang)
    return taken or words.field(one.name, lang), words.shown(one.value, lang, one.name), why


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
