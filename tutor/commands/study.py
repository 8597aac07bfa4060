"""`llm-tutor [study [ID]]`: the app, or plain lines where there is no terminal to draw on."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from tutor.commands.context import DONE, Context, unknown
from tutor.commands.parser import Parser

if TYPE_CHECKING:
    from tutor.progress import Place
    from tutor.session import Session


def arguments(parser: Parser) -> None:
    """Where to begin, and how."""
    parser.word("id", "ID")
    parser.flag("--plain")


def run(context: Context, args: argparse.Namespace) -> int:
    """Study until the learner stops."""
    if context.json:
        context.refuse("cli.study.no_json")
    found = None
    if args.id is not None:
        from tutor.commands.places import resolve

        found = resolve(args.id)  # refused before any screen opens
    session = _session(context)
    try:
        if args.plain or not drawable():
            from tutor.plain import study
            from tutor.plain.terminal import Terminal

            place = study.Reader(session, Terminal(sys.stdin, sys.stdout)).place(found.id) if found else None
            return study.run(session, Terminal(sys.stdin, sys.stdout), place)
        return _app(session, found.id if found else None, context.flag is None)
    finally:
        session.close()


def drawable() -> bool:
    """Whether a full screen makes sense: three terminals, and one that understands where to put what."""
    streams = (sys.stdin, sys.stdout, sys.stderr)
    return os.environ.get("TERM") != "dumb" and all(stream is not None and stream.isatty() for stream in streams)


def _session(context: Context) -> Session:
    from tutor import language
    from tutor.session import Session

    try:
        return Session.start(context.flag)
    except language.UnknownLanguage as error:
        raise unknown("language", error.text, language.LANGS, where=error.where) from error


def _app(session: Session, target: str | None, ask: bool) -> int:
    for name in ("COLUMNS", "LINES"):  # exported once and stale ever since; the terminal itself knows its size
        os.environ.pop(name, None)
    from tutor.app import TutorApp
    from tutor.screens import route

    place: Place | None = route.place_of(session, target) if target else None  # home, where Enter goes on
    TutorApp(session, place, ask=ask).run()
    return DONE
