"""`llm-tutor probe [options]`: measure this machine and say which wall a decode step hits; bare, the app."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tutor.commands.context import DONE, NEGATIVE, Context, Refusal, Words, quoted, quoted_path, unknown
from tutor.commands.parser import Parser

if TYPE_CHECKING:
    from engine.diagnosis.model import Scenario
    from tutor.probing.child import Child, Event
    from tutor.probing.running import Device, NotReady, Outcome, Ready

LOAD = {
    "model": "NAME|PATH", "gpu": "NAME", "gpus": "N", "weights": "FORMAT", "kv": "FORMAT", "prompt": "N",
    "output": "N", "concurrency": "N", "max_model_len": "N",
}  # fmt: skip
"""Inputs of a workload, by their names in a scenario."""


def arguments(parser: Parser) -> None:
    """What to measure and with what, and the workload."""
    parser.value("--device", "auto|cuda|cpu|mps")
    parser.value("--python", "PATH")
    parser.value("--seconds", "N", dash=True)
    for name, shown in LOAD.items():
        parser.value(f"--{name.replace('_', '-')}", shown, dash=True)
    parser.flag("--busy")
    parser.flag("--last")
    parser.flag("--plain")


def run(context: Context, args: argparse.Namespace) -> int:
    """Measure, or show what was measured; 1 where nothing could be."""
    from tutor.probing import running

    options = {name: value for name, value in vars(args).items() if name in LOAD and value is not None}
    given = bool(options) or any(value is not None for value in (args.device, args.python, args.seconds))
    if args.last:
        if given:
            context.refuse("cli.probe.last_alone")
        return _last(context)
    if not given and not args.plain and not context.json and (opened := _app(context)) is not None:
        return opened
    device, seconds = _device(args.device), _seconds(args.seconds)
    python = args.python if args.python is not None else context.settings.probe_python or None
    ready = running.prepare(_scenario(options), device=device, python=python, seconds=seconds)
    if isinstance(ready, running.NotReady):
        return _not_ready(context, ready)
    if ready.busy and device != "cpu" and not args.busy:
        return _at_work(context, ready)
    events = measured(context, ready)
    asked = {"device": device, "seconds": seconds, "options": options, "request": dict(ready.request)}
    outcome = running.finish(events, ready.workload, asked)
    _show(context, outcome, asked, ready)
    if outcome.unkept is not None:
        from tutor.commands.files import trouble
        from tutor.probing import kept

        context.warn(
            context.say(
                "cli.probe.unkept",
                path=quoted_path(str(kept.file()), 200),
                detail=trouble(outcome.unkept).text(context.lang),
            )
        )
    run = outcome.result.run
    return DONE if (run.moved or run.linear) and outcome.result.blocked != "busy" else NEGATIVE


def _at_work(context: Context, ready: Ready) -> int:
    """Somebody works on the card: that is told, and how to measure all the same."""
    from content.lang import LANGS
    from content.probing import words
    from content.words import say

    id, params = next(one for one in ready.warnings if one[0] == "busy")
    text = {lang: f"{words.may(id, params, lang)} {say('cli.probe.all_the_same', lang)}" for lang in LANGS}
    if context.json:
        context.document({"reason": id, "conditions": [{"id": id, "params": dict(params)}], "text": text})
    else:
        context.line(text[context.lang])
    return NEGATIVE


def _app(context: Context) -> int | None:
    """The app's own screen; ``None`` where there is no terminal to draw on."""
    from tutor.commands import study

    if not study.drawable():
        return None
    from tutor.travel import PROBE

    return study.open_app(context, PROBE)


# --- what is asked ---------------------------------------------------------------------------------------------------


def _device(text: str | None) -> Device:
    from tutor.probing.running import DEVICES

    name = (text or "auto").strip().lower()
    found = next((one for one in DEVICES if one == {"gpu": "cuda", "rocm": "cuda"}.get(name, name)), None)
    if found is None:
        raise unknown("value", text or "", DEVICES, name="--device")
    return found


def _seconds(text: str | None) -> float:
    from tutor.probing.running import LONGEST, SECONDS, SHORTEST

    if text is None:
        return SECONDS
    try:
        value = float(text.strip().removesuffix("s"))
    except ValueError:
        value = 0.0
    if not SHORTEST <= value <= LONGEST:
        raise Refusal("cli.probe.seconds", least=SHORTEST, most=LONGEST, text=quoted(text))
    return value


def _scenario(options: dict[str, str]) -> Scenario | None:
    from tutor.diagnoser import reading

    if not options:
        return None
    found = reading.scenario([], options)
    for one in found.unread:  # a short name of cards is settled by the one that is here
        if one.field in options and one.reason != "ambiguous-gpu":
            raise reading.Unusable(one)
    return found


# --- without a Python ------------------------------------------------------------------------------------------------


def _not_ready(context: Context, why: NotReady) -> int:
    """The Python that was named is refused; where none has torch, what to do about it."""
    if why.why == "python":
        tried = why.search.tried[0]
        raise Refusal("cli.probe.python", python=quoted(tried.python), why=Words(f"probe.python.{tried.why}"))
    from tutor.plain import probe

    if context.json:
        from content.lang import LANGS

        named = [{"python": one.python, "origin": one.origin, "why": one.why} for one in why.search.tried]
        text = {lang: "\n".join(probe.missing(why, lang)) for lang in LANGS}
        context.document({"reason": "no-torch", "tried": named, "text": text})
    else:
        for line in probe.missing(why, context.lang):
            context.line(line)
    return NEGATIVE


# --- a run -----------------------------------------------------------------------------------------------------------


def measured(context: Context, ready: Ready) -> list[Event]:
    """All events of a run, the stages told as they come; ctrl+c ends it early."""
    from tutor.commands.files import trouble
    from tutor.probing import running

    _before(context, ready)
    try:
        child = running.start(ready)
    except OSError as error:
        raise Refusal("cli.probe.no_start", python=quoted(ready.python.python), detail=trouble(error)) from error
    try:
        return _heard(context, ready, child)
    finally:
        child.cancel()
        child.wait(10)


def _heard(context: Context, ready: Ready, child: Child) -> list[Event]:
    events: list[Event] = []
    while True:
        try:
            for event in child.events():
                events.append(event)
                _tell(context, ready, event)
            return events
        except KeyboardInterrupt:
            if child.stopping:
                raise
            child.cancel()
            if not context.json:
                context.line(context.say("cli.probe.stopping"))


def _before(context: Context, ready: Ready) -> None:
    if context.json:
        return
    from tutor.plain import probe

    for line in probe.before(ready, context.lang):
        context.line(line)
    sys.stdout.flush()


def _tell(context: Context, ready: Ready, event: Event) -> None:
    """A stage that begins, as a line of its own."""
    if context.json or event.get("event") != "stage":
        return
    from tutor.plain import probe

    context.line(probe.stage(event, ready, context.lang, timed=sys.stdout.isatty()))
    sys.stdout.flush()


# --- the result ------------------------------------------------------------------------------------------------------


def _last(context: Context) -> int:
    """The newest run that is kept."""
    from tutor.probing import running

    found = running.again()
    if found is not None:
        outcome, one = found
        if not context.json:
            from content.probing import words

            context.line(context.say("cli.probe.last", at=words.moment(outcome.at)))
        _show(context, outcome, one.asked, None)
        return DONE
    reason, said = _none_kept()
    if context.json:
        from content.lang import LANGS

        context.document({"reason": reason, "text": {lang: said.text(lang) for lang in LANGS}})
    else:
        context.line(said.text(context.lang))
    return NEGATIVE


def _none_kept() -> tuple[str, Words]:
    """Why there is no run to show: nothing was kept, the file cannot be read, or no line of it can."""
    from tutor.commands.files import trouble
    from tutor.probing import kept

    read, path = kept.read(), quoted_path(str(kept.file()), 200)
    if read.trouble is not None:
        return "unreadable", Words("cli.probe.unreadable", path=path, detail=trouble(read.trouble))
    if read.damaged:
        return "damaged", Words("cli.probe.damaged", path=path, n=read.damaged)
    return "none-kept", Words("cli.probe.none_kept")


def _show(context: Context, outcome: Outcome, asked: Mapping[str, Any], ready: Ready | None) -> None:
    from content import probing

    if not context.json:
        from tutor.plain.probe import room

        context.line()
        for line in probing.lines(outcome.result, context.lang, room(), outcome.changes, outcome.before):
            context.line(line)
        return
    made = probing.document(outcome.result, outcome.changes, outcome.before, outcome.at, asked)
    if ready is not None:
        made |= _circumstances(ready)
    context.document(made)


def _circumstances(ready: Ready) -> dict[str, Any]:
    """What a run had, and what was known before it."""
    from content.lang import LANGS
    from content.probing import words

    conditions = [
        {"id": id, "params": dict(params), "text": {lang: words.may(id, params, lang) for lang in LANGS}}
        for id, params in ready.warnings
    ]
    return {"python": ready.python._asdict(), "conditions": conditions, "without": ready.without or None}
