"""The probe's page during a run: how far it is, stage by stage what came, and the curve that grows."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from engine.probe.readings import STAGES, Run
from tutor.figures.decode_curve import words_of
from tutor.screens.probe_doors import SECONDS
from tutor.screens.probe_speech import ProbeSpeech
from tutor.screens.probe_stages import result_of
from tutor.screens.probe_view import View
from tutor.widgets import decode_curve
from tutor.widgets.decode_curve import Curve, Dot
from tutor.widgets.ink import ACCENT, QUIET, STRONG, bar, plainer
from tutor.widgets.lines import Draw, Line, sentence, written

BESIDE = 92
"""Columns from which the curve stands beside the stages."""
STAGE = 44
"""Columns of the stages there."""
UNTIL, UNTIL_CPU = 512, 128
"""The batch up to which a sweep goes, on a card and on a processor; its axis is there from the first point on."""
ROOMY = 30
"""Lines of a page from which all stages and the curve are there one under the other."""
LEAST_ROWS, TALLEST = 5, 14


def during(view: View, speech: ProbeSpeech, stop: str) -> list[Line]:
    """The bar, the stages, and the curve once it has a point. ``stop``: the key that ends it."""
    head = [Line(draw=_head(view, speech, stop)), Line(draw=_now(view, speech)), Line()]
    curve = growing(view.run)
    if curve is None:
        return [*head, Line(draw=lambda width: _wrapped(stages(view, speech), width, speech))]
    return [*head, Line(draw=_both(view, curve, speech))]


def _head(view: View, speech: ProbeSpeech, stop: str) -> Draw:
    """How far: seconds of the budget, as a bar; before the first stage torch is being loaded."""
    seconds = min(view.elapsed, SECONDS)
    words = speech.tell("progress", done=round(seconds), all=round(SECONDS))
    key = Content.assemble((stop, ACCENT), (f" {speech.tell('stops')}", QUIET))

    def draw(width: int) -> Sequence[Content]:
        cells = max(10, min(40, width - len(words) - key.cell_length - 6))
        line = bar(round(1000 * seconds), round(1000 * SECONDS), cells)
        full = line.rstrip("─")
        made = Content.assemble(
            (plainer(full, speech.ascii), ACCENT), (plainer(line[len(full) :], speech.ascii), QUIET), f"  {words}"
        )  # fmt: skip
        space = width - made.cell_length - key.cell_length
        return [made + Content(" " * space) + key] if space >= 2 else [made]

    return draw


def _now(view: View, speech: ProbeSpeech) -> Draw:
    """What happens at this moment."""
    if view.phase == "stopping":
        return sentence(speech.tell("stopping"), QUIET)
    if not view.run.stage:
        return sentence(speech.tell("loading" if view.run.software is None else "opening"), QUIET)
    return sentence(speech.told(f"stage.{view.run.stage}") if view.run.stage in STAGES else view.run.stage, QUIET)


def stages(view: View, speech: ProbeSpeech, lines: int = len(STAGES)) -> list[Content]:
    """The stages as a list: done ones with what came, the current one, those to come; ``lines`` of them around it."""
    here = STAGES.index(view.run.stage) if view.run.stage in STAGES else -1
    named = _names(speech, view.own)
    width = max(map(len, named.values()))
    made = []
    for place, stage in enumerate(STAGES):
        sign, style = ("✓ ", ACCENT) if place < here else ("▸ ", ACCENT) if place == here else ("· ", QUIET)
        name = named[stage].ljust(width)
        told = result_of(stage, view.run, speech) if place <= here else ""
        made.append(
            Content.assemble(
                (plainer(sign, speech.ascii), style), (name, STRONG if place == here else "" if told else QUIET),
                (f"  {told}" if told else "", ""),
            ).rstrip()
        )  # fmt: skip
    first = max(0, min(here - lines + 2, len(made) - lines))
    return made[first : first + lines]


def _wrapped(listed: Sequence[Content], width: int, speech: ProbeSpeech) -> list[Content]:
    """The stages, what is too long for a line going on below its result."""
    hang = max(len(name) for name in _names(speech).values()) + 4
    return [line for one in listed for line in _hung(one, hang, width)]


def _hung(one: Content, hang: int, width: int) -> Sequence[Content]:
    first, rest = one[:hang], one[hang:]
    return written(rest, first, hang)(width) if rest.plain else [first.rstrip()]


def _names(speech: ProbeSpeech, own: bool = False) -> dict[str, str]:
    return {one: speech.tell("stage.own" if one == "case" and own else f"stage.{one}") for one in STAGES}


# --- the curve -------------------------------------------------------------------------------------------------------


def growing(run: Run) -> Curve | None:
    """The curve as far as it came; ``None`` before its first point."""
    dots = tuple(Dot(one.batch, one.time.seconds) for one in run.linear)
    until = UNTIL_CPU if run.demonstration else UNTIL
    return Curve(dots, until=max(until, dots[-1].batch)) if dots else None


def drawn(curve: Curve, width: int, speech: ProbeSpeech, rows: int | None = None) -> Sequence[Content]:
    """The curve with its words."""
    at = speech.tell("your_batch", n=curve.at) if curve.at is not None else ""
    words = words_of(curve, speech.figure, at)
    return decode_curve.draw(curve, width, words, speech.ascii, rows)


def _both(view: View, curve: Curve, speech: ProbeSpeech) -> Draw:
    """Stages and curve: side by side, one under the other, or of the stages only those around the current one."""

    def draw(width: int) -> Sequence[Content]:
        if width >= BESIDE:
            rows = max(decode_curve.ROWS, min(TALLEST, view.height - 3 - decode_curve.FRAME - 1))
            left, right = _wrapped(stages(view, speech), STAGE, speech), drawn(curve, width - STAGE - 3, speech, rows)
            high = max(len(left), len(right))
            left, right = [*left, *[Content("")] * (high - len(left))], [*right, *[Content("")] * (high - len(right))]
            return [
                (one.pad_right(max(0, STAGE + 3 - one.cell_length)) + other).rstrip()
                for one, other in zip(left, right, strict=True)
            ]
        if view.height >= ROOMY:
            return [*_wrapped(stages(view, speech), width, speech), Content(""), *drawn(curve, width, speech)]
        few = 3 if view.height < 19 else 4
        rows = max(LEAST_ROWS, view.height - 3 - few - 1 - decode_curve.FRAME)
        listed = _wrapped(stages(view, speech, few), width, speech)
        return [*listed, Content(""), *drawn(curve, width, speech, min(rows, decode_curve.ROWS))]

    return draw
