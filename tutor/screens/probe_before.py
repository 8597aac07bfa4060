"""The probe's page before a run: what will be measured and with what, or what is missing and how to get it."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual.content import Content

from engine.units import grouped
from tutor.screens.probe_doors import SECONDS
from tutor.screens.probe_speech import ProbeSpeech
from tutor.screens.probe_view import View
from tutor.widgets.ink import ACCENT, QUIET, STRONG
from tutor.widgets.lines import Line, sentence, written

if TYPE_CHECKING:
    from tutor.probing.running import NotReady, Ready

LABEL = 10
"""Columns of the words at the left."""


def before(view: View, speech: ProbeSpeech, start: str, back: str) -> list[Line]:
    """What will be measured, on what, how long, with which Python; or what is missing. ``start``, ``back``: keys."""
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
        told = speech.tell("load_what", batch=load.batch, context=grouped(load.context))
        made.append(_fact(speech.tell("load"), f"{load.setup.model.id}, {told}" if load.setup is not None else told))
    if view.failed:
        made += [Line(), Line(draw=sentence(speech.tell("not_started", reason=view.failed), STRONG))]
    key = Content.styled(start, ACCENT)
    words = speech.tell("start_cpu" if _on_cpu(view, ready) else "start")
    if ready.busy and not _on_cpu(view, ready):
        words = speech.tell("start_busy", back=back)
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
    made += [Line(), Line(draw=sentence(speech.told("torch.install"), ACCENT, "  ")), Line()]
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
