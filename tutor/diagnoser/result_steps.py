"""The time of a step as lines: decode and prefill with their parts, the roofline, and what this machine measured."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from textual.content import Content

from content.words import say
from engine.units import grouped, quantity
from tutor.diagnoser.doors import Outcome
from tutor.diagnoser.result_rows import headed, heading, noted
from tutor.diagnoser.speech import Speech
from tutor.figures import roof as roofline
from tutor.figures.pen import DIM, KV, OVER, STRONG, WEIGHTS
from tutor.figures.rows import apportion
from tutor.widgets import ledger_bar
from tutor.widgets.ink import ACCENT, QUIET
from tutor.widgets.lines import Draw, Line, sentence, written

if TYPE_CHECKING:
    from engine.diagnosis.model import Report, Timing

ROOF = 72
"""Columns of the roofline at most."""
PARTS = {"weights": ("W", WEIGHTS), "kv": ("K", KV), "compute": ("C", STRONG), "link": ("L", STRONG),
         "host": ("H", STRONG), "overhead": ("o", DIM)}  # fmt: skip
"""Letter and look of the parts of a step."""


def steps(report: Report, speech: Speech) -> list[Line]:
    """Decode and prefill: time, band, what was measured, and what the time goes to."""
    made: list[Line] = []
    for name, timing in (("decode", report.timings.decode), ("prefill", report.timings.prefill)):
        if timing is None:
            continue
        made += [Line(), Line(f"step:{name}", draw=headed(speech.tell(name), *_times(name, timing, speech)))]
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
        Line("roofline", draw=heading(speech.tell("roof"), ", ".join(told))),
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
        lines.append(Line(f"roof:{_POINTS[one.letter]}", draw=noted(head, side)))
    return lines


def measured(outcome: Outcome, speech: Speech) -> list[Line]:
    """What this machine's card measured, and what of it the report uses."""
    if outcome.seen is None:
        return []
    told = speech.probed(outcome.seen)
    label = max((len(row.label) for row in told.rows), default=0)
    value = max((len(row.value) for row in told.rows), default=0)
    made = [Line(), Line("probe", draw=heading(speech.plain(told.title), ""))]
    for row in told.rows:
        head = f"   {speech.plain(row.label).ljust(label)}  {speech.plain(row.value).rjust(value)}"
        made.append(Line(draw=noted(Content(head), speech.plain(row.note))))
    return [*made, *(Line(draw=sentence(speech.plain(text), QUIET, "   ")) for text in told.texts)]
