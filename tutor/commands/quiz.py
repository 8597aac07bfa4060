"""`llm-tutor quiz [options]`: revision in the app, or in plain lines; with --json one document at its end."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from tutor.commands import study
from tutor.commands.context import DONE, NEGATIVE, UNUSABLE, Context, Refusal, heard, quoted, unknown
from tutor.commands.parser import Parser

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tutor.revision.model import Mode, Wanted
    from tutor.session import Session

MOST = 500
"""Questions of the longest quiz."""
LONGEST = 600
"""Minutes of the longest test."""
KINDS = ("due", "weak", "test")
"""Options that each name what the quiz is about; one of them at a time."""


def arguments(parser: Parser) -> None:
    """What to be asked, and how."""
    for option in KINDS:
        parser.flag(f"--{option}")
    parser.value("--track", "T")
    parser.value("--level", "N", dash=True)
    parser.value("--count", "N", dash=True)
    parser.value("--minutes", "N", dash=True)
    parser.flag("--plain")


def run(context: Context, args: argparse.Namespace) -> int:
    """Ask until nothing is left, the time is over or the learner stops; 1 where there was nothing to ask."""
    wanted = _wanted(args)
    if not args.plain and not context.json and study.drawable():
        from tutor.travel import QUIZ

        given = any(value not in (None, False) for value in vars(args).values())
        return study.open_app(context, QUIZ, wanted if given else None)
    if sys.stdin is None:
        context.refuse("cli.error.no_input")
    if not heard():
        context.refuse("cli.error.no_output")
    return study.with_session(context, lambda session: _lines(context, session, wanted))


def _lines(context: Context, session: Session, wanted: Wanted) -> int:
    """Questions and verdicts on standard output; with --json on the error output, beside the one document."""
    from tutor.plain import quiz
    from tutor.plain.terminal import Terminal

    asked, kept = session.revision.start(wanted), True
    terminal = Terminal(sys.stdin, sys.stderr if context.json else sys.stdout)
    try:
        quiz.run(session, terminal, asked)
    except BrokenPipeError:
        if not context.json:
            raise
        # nobody hears the questions any more; the document goes elsewhere
    finally:  # what was answered before ctrl+c is answered
        if context.json:
            from tutor.revision import sheet

            kept = session.save()
            context.document({**sheet.document(asked.sheet()), "kept": kept})
    if asked.sheet().lines and not kept:
        return UNUSABLE
    return DONE if asked.sheet().lines else NEGATIVE


# --- what is asked for -----------------------------------------------------------------------------------------------


def _wanted(args: argparse.Namespace) -> Wanted:
    from tutor.revision.model import Wanted

    mode = _mode(args)
    if args.minutes is not None and mode != "test":
        raise Refusal("cli.quiz.minutes_alone")
    track = _track(args.track) if args.track is not None else ""
    level = _level(args.level, track) if args.level is not None else ""
    most = _count(args.count) if args.count is not None else None
    minutes = _minutes(args.minutes) if args.minutes is not None else None
    return Wanted(mode or ("level" if level else "track" if track else "due"), track, level, most, minutes)


def _mode(args: argparse.Namespace) -> Mode | None:
    chosen: list[Mode] = [kind for kind in ("due", "weak", "test") if getattr(args, kind)]
    if len(chosen) > 1:
        raise Refusal("cli.quiz.not_both", one=f"--{chosen[0]}", other=f"--{chosen[1]}")
    return chosen[0] if chosen else None


def _track(text: str) -> str:
    from content import course

    known = [track.id for track in course.index().tracks]
    found = next((name for name in known if name.lower() == text.strip().lower()), None)
    if found is None:
        raise unknown("track", text, known)
    return found


def _level(text: str, track: str) -> str:
    """A level by its number ("2"), its name ("L2") or its id; within a track where one is given."""
    from content import course

    known = [level.id for one in course.index().tracks for level in one.levels]
    wanted = _level_name(text)
    found = [id for id in known if wanted in (id.lower(), id.lower().rpartition("/")[2])]
    if not found:
        raise unknown("level", text, [id.rpartition("/")[2] for id in _under(known, track)])
    here = list(_under(found, track))
    if not here:
        raise Refusal("cli.quiz.elsewhere", level=found[0], track=track)
    return here[0]


def _level_name(text: str) -> str:
    """A level as people write it: "2", "L2", "level 2", "core/l2" become "l2", "core/l2"."""
    name = "".join(text.lower().split()).strip("/")
    before, slash, last = name.rpartition("/")
    last = last.removeprefix("level")
    return before + slash + (f"l{last}" if last.isdecimal() else last)


def _under(levels: Iterable[str], track: str) -> Iterable[str]:
    return (level for level in levels if not track or level.startswith(f"{track}/"))


def _count(text: str) -> int:
    word = text.strip()
    value = int(word) if word.isascii() and word.isdigit() and len(word) <= len(str(MOST)) else 0
    if not 1 <= value <= MOST:
        raise Refusal("cli.plan.count", name="--count", text=quoted(text), most=MOST)
    return value


def _minutes(text: str) -> float:
    """Minutes as people write them: "10", "7.5", "10 min"."""
    word = text.strip().lower()
    for end in ("minutes", "minute", "min", "m"):
        word = word.removesuffix(end).strip()
    number = word if word.isascii() and word.replace(".", "", 1).isdigit() and len(word) <= 8 else "0"
    if not 1 <= float(number) <= LONGEST:
        raise Refusal("cli.quiz.minutes", text=quoted(text), most=LONGEST)
    return float(number)
