"""A report as lines that can be walked through: memory, steps, roofline, the wall, levers, questions, assumptions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from tutor.diagnoser.doors import Outcome
from tutor.diagnoser.result_memory import bar_of, beside_log, memory
from tutor.diagnoser.result_rows import LABEL, heading, label
from tutor.diagnoser.result_steps import measured, roof, steps
from tutor.diagnoser.speech import Speech
from tutor.figures.pen import STRONG
from tutor.widgets.ink import ACCENT, QUIET, plainer
from tutor.widgets.lines import Draw, Line, drawn_once, sentence, wrapped, written

if TYPE_CHECKING:
    from engine.diagnosis.model import LeverResult, Report


def lines(outcome: Outcome, speech: Speech) -> list[Line]:
    """All lines of a report."""
    report = outcome.report
    if report is None:
        return []
    made = [
        *verdict(report, speech),
        *first(report, speech),
        *memory(report, speech),
        *beside_log(report, speech),
        *steps(report, speech),
        *levers(report, speech),
        *questions(report, speech),
        *roof(outcome, speech),
        *measured(outcome, speech),
        *assumptions(report, speech),
    ]
    return [drawn_once(line) for line in made]


# --- the wall --------------------------------------------------------------------------------------------------------


def verdict(report: Report, speech: Speech) -> list[Line]:
    """The wall, then why, with the arithmetic."""
    phase = f"  {speech.phase(report.phase)}" if report.phase != "none" else ""
    head = Content.assemble((speech.walls(report), f"{STRONG} {ACCENT}"), (phase, QUIET))
    made = [Line("wall", draw=written(head, label(speech.tell("wall")), LABEL))]
    return [*made, *(Line(draw=sentence(text, "", " " * LABEL)) for text in speech.verdict(report))]


def first(report: Report, speech: Speech) -> list[Line]:
    """The lever to begin with, what to type for it and what to mind: what a reader in a hurry came for."""
    best = next((one for one in report.levers if one.helps), None)
    if best is None:
        return []
    effect = speech.effect(best.effects[0]) if best.effects else speech.promise(best)
    told = Content.assemble((speech.title(best), STRONG), f": {effect}" if effect else "")
    made = [Line(f"first:{best.id}", draw=written(told, label(speech.tell("first")), LABEL))]
    if best.flag:
        made.append(Line(draw=sentence(speech.flag(best.flag), ACCENT, " " * LABEL)))
    return [*made, *(Line(draw=sentence(text, QUIET, " " * LABEL)) for text in speech.terms(best))]


def brief(outcome: Outcome, stale: str, speech: Speech, width: int) -> Content:
    """Wall, memory and what to type first, under a form that has no room beside it; before them why they are old."""
    report = outcome.report
    if report is None:
        return Content.styled(stale or speech.tell("strip_empty"), QUIET)
    room = max(20, width)
    text = Content.assemble((speech.walls(report), QUIET if stale else f"{STRONG} {ACCENT}"))
    made = list(sentence(stale)(room)) if stale else []
    made += written(text, label(speech.tell("wall")), LABEL)(room)
    if report.ledger is not None:
        made += [label(speech.tell("memory")) + bar_of(report.ledger, room - LABEL, speech.ascii)]
    best = next((one for one in report.levers if one.helps), None)
    if best is not None and not stale:
        made += written(Content(speech.flag(best.flag) or speech.title(best)), label(speech.tell("first")), LABEL)(room)
    return Content("\n").join(made)


# --- levers ----------------------------------------------------------------------------------------------------------


def levers(report: Report, speech: Speech) -> list[Line]:
    """The others that help, each with its effect and when it backfires; then those that do not, with why. The first one
    stands under the wall."""
    helping = [one for one in report.levers if one.helps][1:]
    idle = [one for one in report.levers if not one.helps]
    made: list[Line] = []
    if helping:
        made += [Line(), Line(draw=heading(speech.tell("levers"), speech.tell("levers_columns")))]
        for number, one in enumerate(helping, 2):
            made.append(Line(f"lever:{one.id}", draw=_lever(number, one, speech)))
    if idle:
        made += [Line(), Line(draw=heading(speech.tell("idle"), ""))]
        for one in idle:
            made.append(Line(f"no:{one.id}", draw=_idle(one, speech)))
    return made


def _lever(number: int, one: LeverResult, speech: Speech) -> Draw:
    """Number, name, effect; below, quietly, the flag and when it backfires."""

    def draw(width: int) -> Sequence[Content]:
        name = Content.styled(speech.title(one), STRONG)
        effect = Content(speech.effect(one.effects[0]) if one.effects else speech.promise(one))
        lead = Content.styled(f"{number:>2} ", QUIET)
        *above, head = written(name, lead, 3)(width)
        space = width - head.cell_length - effect.cell_length
        made = [*above, head + Content(" " * space) + effect if space >= 2 else head]
        made = [line.rstrip() for line in made]
        if space < 2:
            made += _right(effect, width)
        if one.flag:
            made += sentence(speech.flag(one.flag), ACCENT, "   ")(width)
        for text in speech.terms(one):
            made += sentence(text, QUIET, "   ")(width)
        return made

    return draw


def _right(content: Content, width: int) -> list[Content]:
    return [Content(" " * max(3, width - line.cell_length)) + line for line in wrapped(content, max(8, width - 3))]


def _idle(one: LeverResult, speech: Speech) -> Draw:
    sign = Content.styled(plainer(" ✗ ", speech.ascii), QUIET)
    return written(Content.assemble(speech.title(one), (f": {speech.why(one)}", QUIET)), sign, 3)


# --- what is open ----------------------------------------------------------------------------------------------------


def questions(report: Report, speech: Speech) -> list[Line]:
    """At most three, and the experiment that would refute the verdict."""
    made: list[Line] = []
    if report.questions:
        made += [Line(), Line(draw=heading(speech.tell("ask"), ""))]
        for one in report.questions:
            made += _said(f"ask:{one.input}", speech.question(one), plainer(" › ", speech.ascii))
    if report.experiment is not None:
        made += [Line(), Line(draw=heading(speech.tell("experiment"), ""))]
        made += _said("experiment", speech.experiment(report.experiment), "   ")
    return made


def _said(id: str, texts: Sequence[str], lead: str) -> list[Line]:
    """A sentence that can be opened, and quietly below it the same in the second language."""
    return [
        Line("" if place else id, draw=sentence(text, QUIET if place else "", " " * len(lead) if place else lead))
        for place, text in enumerate(texts)
    ]


def assumptions(report: Report, speech: Speech) -> list[Line]:
    """What was taken for granted, what could not be used, and what was told twice."""
    told: list[tuple[str, str]] = [(f"assumed:{one.name}", speech.assumed(one)) for one in report.assumed]
    aside = [(f"unread:{one.field}", speech.unread(one)) for one in report.scenario.unread]
    aside += [(f"conflict:{one.field}", speech.conflict(one)) for one in report.scenario.conflicts]
    lead, made = plainer(" · ", speech.ascii), []
    for name, found in ((speech.tell("aside"), aside), (speech.tell("assumed"), told)):
        if found:
            made += [Line(), Line(draw=heading(name, ""))]
            made += [Line(id, draw=sentence(text, QUIET, lead)) for id, text in found]
    return made
