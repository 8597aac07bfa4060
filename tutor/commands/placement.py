"""`llm-tutor placement [--plain]`: a few questions that suggest a level; with --json one document at its end."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from tutor.commands import study
from tutor.commands.context import DONE, NEGATIVE, Context, heard
from tutor.commands.parser import Parser

if TYPE_CHECKING:
    from tutor.placement.placement import Placement, Suggestion
    from tutor.session import Session


def arguments(parser: Parser) -> None:
    """How to be asked."""
    parser.flag("--plain")


def run(context: Context, args: argparse.Namespace) -> int:
    """Ask until it is clear where to begin; 1 where the learner left before."""
    if not args.plain and not context.json and study.drawable():
        from tutor.travel import PLACEMENT

        return study.open_app(context, PLACEMENT)
    if sys.stdin is None:
        context.refuse("cli.error.no_input")
    if not heard():
        context.refuse("cli.error.no_output")
    return study.with_session(context, lambda session: _lines(context, session))


def _lines(context: Context, session: Session) -> int:
    """Questions on standard output; with --json on the error output, beside the one document."""
    from tutor import nextup
    from tutor.placement.placement import Placement
    from tutor.plain import placement
    from tutor.plain.terminal import Terminal

    day = session.clock().timetuple().tm_yday if nextup.placed(session) else 0
    asked, found = Placement(day), None
    terminal = Terminal(sys.stdin, sys.stderr if context.json else sys.stdout)
    try:
        found = placement.run(session, terminal, asked)
    finally:
        if context.json:
            context.document(_document(asked, found))
    return DONE if found is not None else NEGATIVE


def _document(asked: Placement, found: Suggestion | None) -> dict[str, object]:
    """What came of it; the level is null where the learner left before the end."""
    from tutor.placement.where import level_id, target

    scores = asked.suggestion().scores
    return {
        "level": found.id if found is not None else None,
        "begin": target(found.level) if found is not None else None,
        "beyond": found is not None and found.beyond,
        "asked": len(asked.said),
        "scores": {level_id(level): score._asdict() for level, score in scores.items()},
    }
