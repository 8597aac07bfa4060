"""A report as lines that can be walked through: memory, steps, roofline, the wall, levers, questions, assumptions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from textual.content import Content

from content.words import say
from engine.units import grouped, quantity
from tutor.diagnoser.doors import Outcome
from tutor.diagnoser.speech import Speech
from tutor.figures import roof as roofline
from tutor.figures.pen import DIM, KV, OVER, STRONG, WEIGHTS
from tutor.figures.rows import apportion
from tutor.widgets import ledger_bar
from tutor.widgets.ink import ACCENT, QUIET, plainer
from tutor.widgets.lines import Draw, Line, drawn_once, sentence, wrapped, written

if TYPE_CHECKING:
    from engine.diagnosis.model import Entry, Ledger, LeverResult, Report, Timing

LABEL = 9
"""Columns of the words at the left: memory, decode, prefill, and the like."""
ROOF = 72
"""Columns of the roofline at most."""
PARTS = {"weights": ("W", WEIGHTS), "kv": ("K", KV), "compute": ("C", STRONG), "link": ("L", STRONG),
         "host": ("H", STRONG), "overhead": ("o", DIM)}  # fmt: skip
"""Letter and look of the parts of a step."""


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
    made = [Line("wall", draw=written(head, _label(speech.tell("wall")), LABEL))]
    return [*made, *(Line(draw=sentence(text, "", " " * LABEL)) for text in speech.verdict(report))]


def first(report: Report, speech: Speech) -> list[Line]:
    """The lever to begin with, what to type for it and what to mind: what a reader in a hurry came for."""
    best = next((one for one in report.levers if one.helps), None)
    if best is None:
        return []
    effect = speech.effect(best.effects[0]) if best.effects else speech.promise(best)
    told = Content.assemble((speech.title(best), STRONG), f": {effect}" if effect else "")
    made = [Line(f"first:{best.id}", draw=written(told, _label(speech.tell("first")), LABEL))]
    if best.flag:
        made.append(Line(draw=sentence(speech.flag(best.flag), ACCENT, " " * LABEL)))
    return [*made, *(Line(draw=sentence(text, QUIET, " " * LABEL)) for text in speech.terms(best))]


def _label(text: str, style: str = QUIET) -> Content:
    return Content.styled(text.ljust(LABEL), style)


def brief(outcome: Outcome, stale: str, speech: Speech, width: int) -> Content:
    """Wall, memory and what to type first, under a form that has no room beside it; before them why they are old."""
    report = outcome.report
    if report is None:
        return Content.styled(stale or speech.tell("strip_empty"), QUIET)
    room = max(20, width)
    text = Content.assemble((speech.walls(report), QUIET if stale else f"{STRONG} {ACCENT}"))
    made = list(sentence(stale)(room)) if stale else []
    made += written(text, _label(speech.tell("wall")), LABEL)(room)
    if report.ledger is not None:
        made += [_label(speech.tell("memory")) + bar_of(report.ledger, room - LABEL, speech.ascii)]
    best = next((one for one in report.levers if one.helps), None)
    if best is not None and not stale:
        made += written(Content(speech.flag(best.flag) or speech.title(best)), _label(speech.tell("first")), LABEL)(
            room
        )
    return Content("\n").join(made)


# --- memory ----------------------------------------------------------------------------------------------------------


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
    head = _headed(speech.tell("memory"), speech.tell("card", size=card), speech.origin(ledger.card, report))
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


def _headed(label: str, text: str, quiet: str = "") -> Draw:
    tail = f"  {quiet}" if quiet else ""
    return written(Content.assemble(text, (tail, QUIET)), _label(label), LABEL)


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
    made = [Line(), Line(draw=_heading(speech.heading("reconciled"), ""))]
    for one, name, printed, note, why in rows:
        head = Content(f"   {name.ljust(label)}  {printed.rjust(value)}")
        made.append(Line(f"log:{one.name}", draw=_noted(head, "; ".join(part for part in (note, one.source) if part))))
        made += [Line(draw=sentence(text, QUIET, "      ")) for text in why]
    return made


# --- steps -----------------------------------------------------------------------------------------------------------


def steps(report: Report, speech: Speech) -> list[Line]:
    """Decode and prefill: time, band, what was measured, and what the time goes to."""
    made: list[Line] = []
    for name, timing in (("decode", report.timings.decode), ("prefill", report.timings.prefill)):
        if timing is None:
            continue
        made += [Line(), Line(f"step:{name}", draw=_headed(speech.tell(name), *_times(name, timing, speech)))]
        made.append(Line(draw=_step_bar(timing, speech.ascii)))
        made.append(Line(draw=written(_parts(timing, speech), None, 0)))
    return made


def _times(name: str, timing: Timing, speech: Speech) -> tuple[str, str]:
    time = timing.step.time
    of = speech.tell(f"{name}_of", batch=timing.batch, tokens=grouped(timing.tokens))
    quiet = f"({speech.span(time.low, time.high, speech.seconds)})  {of}"
    if timing.measured is not None:
        quiet += f"  {speech.tell('measured', time=speech.seconds(timing.measured))}"
    return speech.seconds(timing.step.seconds), quiet


def _step_bar(timing: Timing, ascii_only: bool) -> Draw:
    """The usual step as letters; a measured time beyond it as question marks."""

    def draw(width: int) -> Sequence[Content]:
        parts = [(name, size) for name, size in timing.step.parts().items() if size > 0]
        beyond = max(Fraction(0), (timing.measured or Fraction(0)) - timing.step.seconds)
        counts = apportion([*(size for _, size in parts), beyond], max(8, width - 2))
        edge = (ledger_bar.fold("│", ascii_only), DIM)
        cells = [(PARTS[name][0] * count, PARTS[name][1]) for (name, _), count in zip(parts, counts, strict=False)]
        return (Content.assemble(edge, *cells, edge, ("?" * counts[-1], OVER)),)

    return draw


def _parts(timing: Timing, speech: Speech) -> Content:
    """Letter, name and share of each part of a step."""
    shares = sorted(timing.step.shares().items(), key=lambda pair: -pair[1])
    whole = max(timing.measured or Fraction(0), timing.step.seconds)  # what the bar is long: of it are all shares
    told: list[tuple[str, str]] = []
    for name, of_step in shares:
        share = of_step * timing.step.seconds / whole if whole else of_step
        if share < Fraction(1, 200):
            continue
        told += [("  ", "")] if told else []
        told += [(f" {PARTS[name][0]} ", PARTS[name][1]), (f" {speech.part(name)} {speech.share(share)}", "")]
    if timing.measured is not None and timing.measured > timing.step.seconds:
        share = (timing.measured - timing.step.seconds) / timing.measured
        told += [("  ", ""), (" ? ", OVER), (f" {speech.tell('beyond', share=speech.share(share))}", "")]
    return Content.assemble(*told)


def roof(outcome: Outcome, speech: Speech) -> list[Line]:
    """The roofline, whose it is, and its points in numbers."""
    made = outcome.roof
    if made is None:
        return []
    words = roofline.Words(
        quantity(made.peak, "TFLOP/s", 3), quantity(made.bandwidth, "TB/s", 3),
        speech.tell("ridge", value=quantity(made.ridge, "none", 3)),
        sides=roofline.sides(lambda key: speech.plain(say(f"figures.{key}", speech.lang))),
    )  # fmt: skip
    told = [speech.tell("roof_card", n=cards)] if (cards := _cards(outcome)) > 1 else []
    told += [speech.tell("roof_measured")] if made.measured else []
    told += [speech.tell("roof_usual")] if made.reach is not None else []
    return [
        Line(),
        Line("roofline", draw=_heading(speech.tell("roof"), ", ".join(told))),
        Line(draw=lambda width: roofline.draw(made, min(width, ROOF), words, speech.ascii).all),
        *_places(made, speech),
    ]


def _cards(outcome: Outcome) -> int:
    """Cards that a step is spread over."""
    setup = outcome.report.timings.setup if outcome.report is not None else None
    return max(setup.tp * setup.pp, setup.ep) if setup is not None else 1


_POINTS = {"D": "decode", "P": "prefill", "M": "measured_point"}


def _places(made: roofline.Roof, speech: Speech) -> list[Line]:
    """A line for each point: what it asks for and gets, and whether that is more bytes or more math."""
    columns = [[speech.tell(_POINTS[one.letter]) for one in made.points]]
    columns.append([quantity(one.intensity, "FLOP/byte", 3) for one in made.points])
    columns.append([quantity(one.rate, "TFLOP/s", 3) for one in made.points])
    name, asked, got = (max(map(len, column)) for column in columns)
    lines = []
    for one, label, intensity, rate in zip(made.points, *columns, strict=True):
        numbers = f" {label.ljust(name)}  {intensity.rjust(asked)}  {rate.rjust(got)}"
        side = speech.tell("roof_left" if one.intensity < made.ridge else "roof_right")
        head = Content.assemble("   ", (one.letter, ACCENT), numbers)
        lines.append(Line(f"roof:{_POINTS[one.letter]}", draw=_noted(head, side)))
    return lines


def measured(outcome: Outcome, speech: Speech) -> list[Line]:
    """What this machine's card measured, and what of it the report uses."""
    if outcome.seen is None:
        return []
    told = speech.probed(outcome.seen)
    label = max((len(row.label) for row in told.rows), default=0)
    value = max((len(row.value) for row in told.rows), default=0)
    made = [Line(), Line("probe", draw=_heading(speech.plain(told.title), ""))]
    for row in told.rows:
        head = f"   {speech.plain(row.label).ljust(label)}  {speech.plain(row.value).rjust(value)}"
        made.append(Line(draw=_noted(Content(head), speech.plain(row.note))))
    return [*made, *(Line(draw=sentence(speech.plain(text), QUIET, "   ")) for text in told.texts)]


def _noted(head: Content, note: str) -> Draw:
    """A number with its note quietly beside it, or below where there is no room."""

    def draw(width: int) -> Sequence[Content]:
        if head.cell_length + 2 + len(note) <= width:
            return (Content.assemble(head, (f"  {note}", QUIET)).rstrip(),)
        first = (head,) if head.cell_length <= width else wrapped(head, width)
        return (*first, *sentence(note, QUIET, "      ")(width))

    return draw


# --- levers ----------------------------------------------------------------------------------------------------------


def levers(report: Report, speech: Speech) -> list[Line]:
    """The others that help, each with its effect and when it backfires; then those that do not, with why. The first one
    stands under the wall."""
    helping = [one for one in report.levers if one.helps][1:]
    idle = [one for one in report.levers if not one.helps]
    made: list[Line] = []
    if helping:
        made += [Line(), Line(draw=_heading(speech.tell("levers"), speech.tell("levers_columns")))]
        for number, one in enumerate(helping, 2):
            made.append(Line(f"lever:{one.id}", draw=_lever(number, one, speech)))
    if idle:
        made += [Line(), Line(draw=_heading(speech.tell("idle"), ""))]
        for one in idle:
            made.append(Line(f"no:{one.id}", draw=_idle(one, speech)))
    return made


def _heading(text: str, quiet: str) -> Draw:
    return written(Content.assemble((text, STRONG), (f"  {quiet}" if quiet else "", QUIET)))


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
        made += [Line(), Line(draw=_heading(speech.tell("ask"), ""))]
        for one in report.questions:
            made += _said(f"ask:{one.input}", speech.question(one), plainer(" › ", speech.ascii))
    if report.experiment is not None:
        made += [Line(), Line(draw=_heading(speech.tell("experiment"), ""))]
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
    for heading, found in ((speech.tell("aside"), aside), (speech.tell("assumed"), told)):
        if found:
            made += [Line(), Line(draw=_heading(heading, ""))]
            made += [Line(id, draw=sentence(text, QUIET, lead)) for id, text in found]
    return made
