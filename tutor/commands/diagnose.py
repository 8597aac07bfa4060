"""`llm-tutor diagnose [FILE|- ...] [options]`: which wall a workload hits and which lever helps; bare, the app."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from tutor.commands.context import DONE, NEGATIVE, Context, Refusal, quoted
from tutor.commands.parser import Parser

if TYPE_CHECKING:
    from engine.diagnosis.model import Scenario
    from tutor.diagnoser.probed import Seen
    from tutor.diagnoser.reading import Gathered

GROUPS = ("model", "card", "load", "server", "measured")
"""Inputs that help lists; what flags set has options too, and is more easily said with --flag."""
_SHOWN = {
    "model": "NAME|PATH", "gpu": "NAME", "span": "N", "count": "N", "tokens": "N", "share": "SHARE", "format": "FORMAT",
    "kv-format": "FORMAT", "seconds": "TIME", "rate": "N", "gigabytes": "GB", "number": "X", "text": "TEXT",
}  # fmt: skip


LIST = "list"
"""In place of a lever, a model or a card: which there are."""


def arguments(parser: Parser) -> None:
    """The files, the inputs of the table, and what to do with the answer."""
    from engine.diagnosis.fields import FIELDS

    parser.word("files", "FILE|-", many=True)
    for field in FIELDS:
        if field.name != "version":  # --version is the program's own; engines say theirs
            shown = "|".join(field.choices) if field.choices else _SHOWN.get(field.kind, "TEXT")
            parser.value(field.option, shown, dash=True, told=field.group in GROUPS)
    parser.value("--command", "LINE", dash=True)
    parser.value("--flag", "K=V", dash=True, many=True, dashes=True)
    parser.value("--symptom", "TEXT", dash=True, many=True)
    parser.value("--url", "ADDRESS", dash=True)
    parser.value("--interval", "SECONDS", dash=True)
    parser.flag("--watch")
    parser.value("--samples", "N", dash=True)
    parser.value("--what-if", "LEVER", bare=LIST)
    parser.value("--save", "FILE")
    parser.value("--report", "FILE")
    parser.flag("--force")
    parser.flag("--probe")
    parser.flag("--no-probe")
    parser.flag("--redact")
    parser.flag("--plain")


def run(context: Context, args: argparse.Namespace) -> int:
    """Read what was given, judge it, say it; 1 where there is nothing to diagnose."""
    options = _options(args)
    if LIST in (args.what_if, args.model, args.gpu):
        return _list(context, "levers" if args.what_if == LIST else "models" if args.model == LIST else "gpus")
    if args.what_if is not None:  # before anything is read or measured for it
        from tutor.commands import reporting

        reporting.lever_of(args.what_if)
    if "" in args.files:
        context.refuse("cli.error.no_file")
    if not options and not args.files and not _served(args):
        return _bare(context, args)
    from engine.diagnosis import judge
    from tutor.commands import reporting

    if args.save is not None or args.report is not None:
        from tutor.diagnoser import targets

        read = [*args.files, *([args.model] if args.model else [])]
        targets.check(args.save, args.report, read, force=args.force)
    if _served(args):
        from tutor.commands import living

        if args.watch:
            return living.watch(context, args, options)
        found = living.gathered(context, args, options)
    else:
        found = _gathered(context, args, options)
    scenario = found.scenario
    seen = _probed(context, args, scenario)
    if seen is not None:
        from tutor.diagnoser import probed

        seen = probed.about(scenario, seen)
        scenario = probed.fed(scenario, seen)
    report = judge.diagnose(scenario)
    answer = reporting.Answer(report, found.evidence, seen, reporting.applied(args.what_if, report))
    reporting.write(context, args, answer)
    reporting.tell(context, answer, args.redact)
    return NEGATIVE if report.findings[0].cause == "unknown" else DONE


def _gathered(context: Context, args: argparse.Namespace, options: Mapping[str, object]) -> Gathered:
    """What files and options say; while long ones are read, how far that is."""
    from tutor.commands.progressline import ProgressLine
    from tutor.diagnoser import reading

    if "-" in args.files and sys.stdin is not None and sys.stdin.isatty():
        context.warn(context.say("cli.diagnose.stdin"))
    line = ProgressLine(context, plain=args.plain)
    try:
        return reading.gathered(args.files, options, tell=line.read)
    except KeyboardInterrupt:
        line.clear()
        context.warn(context.say("cli.diagnose.stopped"))
        raise
    finally:
        line.clear()


def _served(args: argparse.Namespace) -> bool:
    """Whether a running server is asked."""
    return args.watch or any(one is not None for one in (args.url, args.interval, args.samples))


def _probed(context: Context, args: argparse.Namespace, scenario: Scenario) -> Seen | None:
    """What the card at hand measures, where it may and can."""
    if args.probe and args.no_probe:
        context.refuse("cli.diagnose.probe_or_not")
    if not args.probe and (args.no_probe or args.plain or context.json):
        return None  # without importing what decides the rest
    from tutor.commands import measuring

    return measuring.measured(context, scenario, wanted=args.probe, forbidden=args.no_probe, plain=args.plain)


def _list(context: Context, kind: str) -> int:
    """The levers, models or cards that there are."""
    from tutor.plain import diagnose

    if context.json:
        context.document({kind: [{"id": id, "name": name} for id, name in diagnose.known(kind, context.lang)]})
        return DONE
    for line in diagnose.listed(kind, context.lang):
        context.line(line)
    return DONE


def _bare(context: Context, args: argparse.Namespace) -> int:
    """Nothing given: the screen, or questions one after the other."""
    from tutor.commands import study

    if context.json or args.what_if is not None:
        context.refuse("cli.diagnose.nothing")
    if args.plain or not study.drawable():
        from tutor.plain import diagnose
        from tutor.plain.terminal import Terminal

        if sys.stdin is None:
            context.refuse("cli.error.no_input")
        return diagnose.asked(Terminal(sys.stdin, sys.stdout), context.lang)
    return study.open_app(context, "diagnose")


def _options(args: argparse.Namespace) -> dict[str, object]:
    """What the options say, under the names of a scenario file."""
    from engine.diagnosis.fields import BY_NAME

    given: dict[str, object] = {
        name: value for name, value in vars(args).items() if name in BY_NAME and value is not None
    }  # fmt: skip
    if args.command is not None:
        given["command"] = args.command
    if args.flag:
        given["flags"] = dict(_pair(text) for text in args.flag)
    if args.symptom:
        given["symptoms"] = list(args.symptom)
    return given


def _pair(text: str) -> tuple[str, str]:
    """A flag as people write it: K=V, K V as in a start command, or a switch alone."""
    written = text.strip()
    name, mark, value = written.partition("=")
    if not mark and len(words := written.split()) == 2:
        name, value = words
    if not name.strip(" -"):
        raise Refusal("cli.diagnose.flag", text=quoted(text))
    return name.strip(), value.strip() or "on"
