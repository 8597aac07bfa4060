"""The probe's page before a run and during one: what will be measured and with what, then stage by stage what came."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, cast

from textual.content import Content

from engine.probe.readings import STAGES, Run
from tutor.figures.decode_curve import words_of
from tutor.screens.probe_doors import SECONDS, Finished
from tutor.screens.probe_speech import ProbeSpeech
from tutor.widgets import decode_curve
from tutor.widgets.decode_curve import Curve, Dot
from tutor.widgets.ink import ACCENT, QUIET, STRONG, bar, plainer
from tutor.widgets.lines import Draw, Line, sentence, written

if TYPE_CHECKING:
    from tutor.probing.running import NotReady, Ready

Phase = Literal["looking", "ready", "running", "stopping", "over"]
LABEL = 10
"""Columns of the words at the left."""
BESIDE = 92
"""Columns from which the curve stands beside the stages."""
STAGE = 44
"""Columns of the stages there."""
UNTIL, UNTIL_CPU = 512, 128
"""The batch up to which a sweep goes, on a card and on a processor; its axis is there from the first point on."""
ROOMY = 30
"""Lines of a page from which all stages and the curve are there one under the other."""
LEAST_ROWS, TALLEST = 5, 14
GAINED = 1.05
"""From so many times the first speed on the warm-up is worth a word."""


@dataclass(frozen=True)
class View:
    """What there is to show.

    Attributes:
        phase: looking for a Python and a card, ready to start, running, stopping, over.
        ready: what a run would have, or why there is none; ``None`` before that is known.
        cpu: whether the reader asked for the processor.
        own: whether the reader named what he runs.
        run: what came so far.
        elapsed: seconds of measuring.
        failed: why nothing could be started: the system's own words.
        height: lines that the page has.
    """

    phase: Phase = "looking"
    ready: Ready | NotReady | None = None
    cpu: bool = False
    own: bool = False
    run: Run = field(default_factory=Run)
    elapsed: float = 0.0
    finished: Finished | None = None
    failed: str = ""
    height: int = 24

    def but(self, **changes: object) -> View:
        """The same with some values changed."""
        return replace(self, **changes)  # type: ignore[arg-type]

    @property
    def found(self) -> Ready | None:
        """What a run would have."""
        return None if self.ready is None or hasattr(self.ready, "why") else self.ready

    @property
    def can_start(self) -> Ready | None:
        """What a run would have, where one may begin now."""
        return self.found if self.phase in ("ready", "over") else None

    @property
    def can_choose(self) -> bool:
        """Whether there is a choice between card and processor."""
        ready = self.can_start
        return ready is not None and (self.cpu or (ready.card is not None and ready.python.build != "cpu"))


# --- before ----------------------------------------------------------------------------------------------------------


def before(view: View, speech: ProbeSpeech, start: str) -> list[Line]:
    """What will be measured, on what, how long, with which Python; or what is missing. ``start``: the key."""
    made = [Line(draw=sentence(speech.tell("intro"))), Line()]
    if view.ready is None:
        return [*made, Line(draw=sentence(speech.tell("looking"), QUIET))]
    ready = view.found
    if ready is None:
        return [*made, *_missing(cast("NotReady", view.ready), speech)]
    python = ready.python
    runs = speech.tell("python", file=python.python, version=python.version, torch=python.torch)
    made += [_fact(speech.tell("device"), _device(view, ready, speech)), _fact(speech.tell("runs"), runs)]
    made.append(_fact(speech.tell("takes"), speech.tell("takes_what", seconds=round(SECONDS))))
    made.append(_fact(speech.tell("measures"), speech.tell("measures_what")))
    if view.own:
        load = ready.workload
        told = speech.tell("load_what", batch=load.batch, context=f"{load.context:,}")
        made.append(_fact(speech.tell("load"), f"{load.setup.model.id}, {told}" if load.setup is not None else told))
    if view.failed:
        made += [Line(), Line(draw=sentence(speech.tell("not_started", reason=view.failed), STRONG))]
    key = Content.styled(start, ACCENT)
    words = speech.tell("start_cpu" if _on_cpu(view, ready) else "start")
    return [*made, Line(), *_warnings(view, ready, speech), Line(draw=written(Content.assemble(key, f" {words}")))]


def _fact(label: str, text: str) -> Line:
    return Line(draw=sentence(text, "", label.ljust(LABEL)[: max(LABEL, len(label) + 1)], LABEL))


def _on_cpu(view: View, ready: Ready) -> bool:
    """Whether the processor will be measured: asked for, or nothing else can be."""
    return view.cpu or ready.card is None or ready.python.build == "cpu"


def _device(view: View, ready: Ready, speech: ProbeSpeech) -> str:
    """The card with its free memory and its company, or the processor and why."""
    card = ready.card
    if card is None:
        return speech.tell("cpu" if view.cpu else "no_card")
    name = card.name or card.vendor
    if _on_cpu(view, ready):
        return speech.tell("cpu_despite", card=name)
    parts = [name]
    if card.free is not None:
        parts.append(speech.told("report.free", free=speech.amount(card.free, "bytes")))
    if card.others is not None and not card.others:
        parts.append(speech.told("report.alone"))
    elif card.others:
        pids = ", ".join(f"{one.name} {one.pid}".strip() for one in card.others[:3])
        parts.append(speech.told("report.others", pids=pids))
    return ", ".join(parts)


def _missing(why: NotReady, speech: ProbeSpeech) -> list[Line]:
    """No torch: what to do about it, and which Pythons were asked."""
    made = [Line(draw=sentence(speech.tell("no_torch"), STRONG)), Line(draw=sentence(speech.tell("no_torch_what")))]
    made += [Line(), Line(draw=sentence(speech.tell("install"), ACCENT, "  ")), Line()]
    made.append(Line(draw=sentence(speech.tell("no_torch_then"))))
    if why.search.tried:
        made += [Line(), Line(draw=sentence(speech.tell("tried"), QUIET))]
    for one in why.search.tried[:6]:
        made.append(Line(draw=sentence(f"{one.python}: {speech.told(f'python.{one.why}')}", QUIET, "  ", 4)))
    return made


def _warnings(view: View, ready: Ready, speech: ProbeSpeech) -> list[Line]:
    """What would spoil the numbers, and why it is only a demonstration."""
    from content.probing import words

    told = [words.may(id, params, speech.lang) for id, params in ready.warnings if id != "other-device"]
    if ready.card is not None and ready.python.build == "cpu":
        told = [speech.told("note.cpu-build.text", version=ready.python.torch)]
    if view.own:
        told.append(words.without(ready.without, speech.lang))
    if _on_cpu(view, ready):
        told.append(speech.tell("demonstration"))
    made = [Line(draw=sentence(speech.plain(text), QUIET)) for text in told if text]
    return [*made, Line()] if made else []


# --- during ----------------------------------------------------------------------------------------------------------


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


def _hung(one: Content, hang: int, width: int) -> list[Content]:
    first, rest = one[:hang], one[hang:]
    return written(rest, first, hang)(width) if rest.plain else [first.rstrip()]


def _names(speech: ProbeSpeech, own: bool = False) -> dict[str, str]:
    return {one: speech.tell("stage.own" if one == "case" and own else f"stage.{one}") for one in STAGES}


def result_of(stage: str, run: Run, speech: ProbeSpeech) -> str:
    """What a stage came to, in a few words; "" while there is nothing."""
    return _RESULTS[stage](run, speech) if stage in _RESULTS else ""


def _identify(run: Run, speech: ProbeSpeech) -> str:
    if run.device is None:
        return ""
    free = run.device.free
    parts = [run.device.name, speech.told("report.free", free=speech.amount(free, "bytes")) if free else ""]
    return ", ".join(part for part in parts if part)


def _ramp(run: Run, speech: ProbeSpeech) -> str:
    if run.ramp is None:
        return ""
    gained = run.ramp.first / run.ramp.last
    told = speech.tell("warm" if run.ramp.settled else "still_warming")
    return f"{told}, {speech.tell('gained', factor=speech.amount(gained, 'x', 2))}" if gained >= GAINED else told


def _bandwidth(run: Run, speech: ProbeSpeech) -> str:
    rates = [one.rate for one in run.moved if not one.again]
    return speech.amount(max(rates), "bytes/s") if rates else ""


def _matmul(run: Run, speech: ProbeSpeech) -> str:
    best: dict[str, float] = {}
    for one in run.products:
        if not one.again and one.fill != "zeros":
            best[one.dtype] = max(one.rate, best.get(one.dtype, 0.0))
    return ", ".join(f"{dtype} {speech.amount(rate, 'FLOP/s')}" for dtype, rate in list(best.items())[:2])


def _floor(run: Run, speech: ProbeSpeech) -> str:
    return speech.tell("a_step", time=speech.amount(run.floor.seconds, "s")) if run.floor is not None else ""


def _linear(run: Run, speech: ProbeSpeech) -> str:
    if not run.linear:
        return ""
    first, last = run.linear[0].batch, run.linear[-1].batch
    if first == last:
        return speech.figure("decode-curve.batch", n=first)
    return speech.tell("batches", first=first, last=last)


def _kv(run: Run, speech: ProbeSpeech) -> str:
    return speech.amount(max(one.rate for one in run.caches), "bytes/s") if run.caches else ""


def _prefill(run: Run, speech: ProbeSpeech) -> str:
    if not run.prompts:
        return ""
    longest = max(run.prompts, key=lambda one: one.tokens)
    return speech.tell("prompt", tokens=f"{longest.tokens:,}", time=speech.amount(longest.time.seconds, "s"))


def _case(run: Run, speech: ProbeSpeech) -> str:
    return speech.tell("a_step", time=speech.amount(run.case.time.seconds, "s")) if run.case is not None else ""


def _recheck(run: Run, speech: ProbeSpeech) -> str:
    rates = [one.rate for one in run.moved if one.again]
    return speech.amount(max(rates), "bytes/s") if rates else ""


_RESULTS = {
    "identify": _identify, "ramp": _ramp, "bandwidth": _bandwidth, "matmul": _matmul, "floor": _floor,
    "linear": _linear, "kv": _kv, "prefill": _prefill, "case": _case, "recheck": _recheck,
}  # fmt: skip


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
