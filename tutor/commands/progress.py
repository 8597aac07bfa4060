"""`llm-tutor progress show [CONCEPT|ID] | unexplained [ID] | export FILE | import FILE | reset [ID]`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from content.words import counted
from tutor.commands.context import NEGATIVE, Context, Refusal, Words, dumps, heard, quoted, quoted_path, unknown
from tutor.commands.parser import Parser
from tutor.language import Lang
from tutor.progress import ImportProblem, Place, Progress, ProgressProblem, memory_progress, open_progress
from tutor.progress.connected import heard_by

MAX_IMPORT = 64 * 2**20
"""Bytes of the largest export that is read: ten years of daily study stay far below."""


def arguments(parser: Parser) -> None:
    """What to do, and with which file or id."""
    parser.word("action", "ACTION")
    parser.word("target", "FILE|ID|CONCEPT")
    parser.flag("--yes")
    parser.flag("--force")


def run(context: Context, args: argparse.Namespace) -> int:
    """Do it on the learner's file."""
    actions: dict[str, Callable[[Context, Progress, argparse.Namespace], int]] = {
        "show": _show,
        "unexplained": _unexplained,
        "export": _export,
        "import": _import,
        "reset": _reset,
    }
    action = args.action or "show"
    if action not in actions:
        raise unknown("action", action, actions, command="progress")
    if action in ("export", "import") and not args.target:
        context.refuse(
            "cli.error.missing", what="FILE", known=f"progress {action} progress.json", command=f"progress {action}"
        )
    progress = _open(context, reading=action in ("show", "unexplained", "export"))
    try:
        return actions[action](context, progress, args)
    except ProgressProblem as problem:
        raise refusal(problem) from problem
    finally:
        progress.close()


def _open(context: Context, reading: bool) -> Progress:
    """The learner's file; to look at, one that cannot be written will do, and a full disk is told beside."""
    from tutor import paths

    try:
        return _patiently(context, paths.database())
    except ProgressProblem as problem:
        if reading and problem.kind in ("readonly", "full", "locked"):
            copy = memory_progress(paths.database())
            if copy.complete:
                if problem.kind == "full":
                    context.warn(refusal(problem).text(context.lang))
                return copy
            copy.close()
        raise refusal(problem) from problem


def _patiently(context: Context, path: Path) -> Progress:
    """The store in a file; who waits for another program for long is told so, now and at each write."""
    from tutor.commands.study import waiting

    with heard_by(lambda: context.warn(waiting(path, context.lang))):
        return open_progress(path)


def refusal(problem: ProgressProblem) -> Refusal:
    """A file that cannot be used, as a refusal."""
    from tutor.commands.files import trouble
    from tutor.problems import LONGEST_PATH

    path, why = quoted_path(str(problem.path), LONGEST_PATH), trouble(OSError(problem.code, ""))
    said = f"cli.progress.refused.{problem.said}"
    return Refusal(said, path=path, aside=problem.aside or "", n=problem.saved, detail=why)


def _show(context: Context, progress: Progress, args: argparse.Namespace) -> int:
    from content import course
    from tutor.commands import explaining, revising
    from tutor.session import Session

    session = Session(context.lang, context.settings, progress)
    if args.target is not None:
        return explaining.explain(context, session.revision, args.target)
    levels = [(level, session.results(level.id)) for track in course.index().tracks for level in track.levels]
    slips, trends = progress.slips(), revising.trends(session.revision)
    if context.json:
        rows = [{"id": level.id, "solved": seen.solved, "parts": len(seen.parts)} for level, seen in levels]
        states = {part: state.status for part, state in progress.overall().items()}
        told = [{"slip": one.slip, "count": one.times, **_part(one.part), **trends.get(one.slip, {})} for one in slips]
        revised = revising.document(context, session.revision)
        context.document({"levels": rows, "parts": states, "slips": told, **revised})
        return 0
    for level, seen in levels:
        name = level.id.rpartition("/")[2]
        parts = counted("parts", len(seen.parts), context.lang)
        title = level.title[context.lang]
        context.prose(context.say("cli.progress.level", id=name, title=title, solved=seen.solved, parts=parts))
    for line in revising.lines(context, session.revision):
        context.prose(line)
    for slip in slips[:5]:
        name = _slip_name(slip.slip, context.lang)
        line = context.say("cli.progress.slip", slip=name, times=slip.times, part=slip.part)
        if slip.slip in trends:
            line = f"{line}; {revising.trend(context, trends[slip.slip], session.revision.today)}"
        context.prose(line)
    return 0


def _part(name: str) -> dict[str, object]:
    """An address as JSON carries it: the plain id and the number of the variant."""
    from content import address

    part, variant = address.split(name)
    return {"part": part, "variant": variant}


def _unexplained(context: Context, progress: Progress, args: argparse.Namespace) -> int:
    """Wrong answers that no slip explains, the newest first."""
    from tutor.commands.check import plain
    from tutor.revision.days import local

    kept = progress.unexplained(_resolved(args.target) if args.target is not None else "")
    if context.json:
        rows = [
            {
                **_part(one.part),
                "answer": one.answer,
                "value": plain(one.value),
                "times": one.times,
                "last": one.when.isoformat(timespec="seconds"),
            }
            for one in kept
        ]
        context.document({"unexplained": rows})
        return 0
    for one in kept:
        when = local(one.when).date().isoformat()
        context.prose(context.say("cli.progress.unexplained", part=one.part, answer=quoted(one.answer),
                                 times=one.times, when=when))  # fmt: skip
    if not kept:
        off = not context.settings.keep_unexplained
        context.prose(context.say(f"cli.progress.unexplained_{'off' if off else 'none'}"))
    return 0


def _slip_name(slip: str, lang: Lang) -> str:
    """A slip in words; one that this version does not know, by its id."""
    from content.words import has, say

    key = f"slips.{slip}.name"
    return say(key, lang) if slip.isprintable() and "." not in slip and has(key) else quoted(slip)


def _export(context: Context, progress: Progress, args: argparse.Namespace) -> int:
    if args.target == "-" and not heard():
        context.refuse("cli.error.no_output")
    document = progress.export()
    if args.target == "-":
        context.document(document)
        return 0
    from tutor.commands.files import write_text
    from tutor.progress.exchange import is_export

    stays = write_text(args.target, dumps(document, indent=2) + "\n", None if args.force else is_export)
    count = len(document["attempts"])
    if not stays:
        return 0  # a pipe or a device, perhaps our own output: nothing else goes there
    context.done("cli.progress.exported", n=count, path=quoted_path(args.target, 200))
    if context.json:
        context.document({"file": args.target, "attempts": count})
    return 0


def _import(context: Context, progress: Progress, args: argparse.Namespace) -> int:
    import json

    from tutor import standing
    from tutor.commands.files import json_trouble, read_bytes, shown

    nowhere: list[Place] = []

    def fits(place: Place) -> bool:
        if not standing.fits(place):
            nowhere.append(place)
        return not nowhere

    data = read_bytes(args.target, MAX_IMPORT)
    try:
        document = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise Refusal("cli.progress.not_json", path=shown(args.target), detail=json_trouble(error)) from error
    try:
        new = progress.import_(document, fits)
    except ImportProblem as problem:
        key = f"cli.progress.bad.{problem.reason.replace('-', '_')}"
        raise Refusal(key, path=shown(args.target), where=problem.where) from problem
    for place in nowhere:
        stood = " / ".join(filter(None, (place.screen, place.id, place.section, place.part)))
        context.warn(Words("cli.progress.nowhere", path=shown(args.target), place=quoted(stood)).text(context.lang))
    context.done("cli.progress.imported", n=new)
    if context.json:
        context.document({"file": args.target, "new": new})
    return 0


def _reset(context: Context, progress: Progress, args: argparse.Namespace) -> int:
    prefix = _resolved(args.target) if args.target is not None else ""
    what = prefix or context.say("cli.progress.everything")
    if not args.yes and not _agreed(context, what):
        context.warn(context.say("cli.progress.kept"))
        return NEGATIVE
    removed = progress.reset(prefix)
    context.done("cli.progress.removed", n=removed, what=what)
    if context.json:
        context.document({"reset": prefix or None, "removed": removed})
    return 0


def _resolved(text: str) -> str:
    from tutor.commands.places import resolve

    return resolve(text).id


def _agreed(context: Context, what: str) -> bool:
    """Ask on the terminal; without one, only `--yes` says yes."""
    if sys.stdin is None or not (sys.stdin.isatty() and sys.stderr.isatty()):
        context.refuse("cli.progress.needs_yes")
    sys.stderr.write(context.say("cli.progress.sure", what=what) + " ")
    sys.stderr.flush()
    try:
        typed = sys.stdin.readline()
    except KeyboardInterrupt:
        typed = ""
    if not typed.endswith("\n"):
        sys.stderr.write("\n")
    return typed.strip().lower() in ("y", "yes", "haan", "ha", "han")
