"""`llm-tutor [study [ID]]`: the app, or plain lines where there is no terminal to draw on."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, TextIO

from tutor.commands.context import DONE, UNUSABLE, Context, heard, quoted_path, unknown
from tutor.commands.parser import Parser

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tutor.language import Lang
    from tutor.live.watching import Watcher
    from tutor.playing.played import Played
    from tutor.progress import Place
    from tutor.revision.model import Wanted
    from tutor.session import Session


DUMB = ("dumb", "unknown")
"""Names of terminals that do not understand where to put what. No name at all says nothing: Windows sets none."""


def arguments(parser: Parser) -> None:
    """Where to begin, and how."""
    parser.word("id", "ID")
    parser.value("--variant", "N", dash=True)
    parser.flag("--plain")


def run(context: Context, args: argparse.Namespace) -> int:
    """Study until the learner stops."""
    if context.json:
        context.refuse("cli.study.no_json")
    found = None
    if args.id is None and args.variant is not None:
        context.refuse("cli.error.missing", what="ID", known="study core/L2.1 --variant 3", command="study --variant")
    if args.id is not None:
        from tutor.commands.places import resolve

        found = resolve(args.id, args.variant)  # refused before any screen opens
    plain = args.plain or not drawable()
    if plain and sys.stdin is None:
        context.refuse("cli.error.no_input")
    if plain and not heard():
        context.refuse("cli.error.no_output")
    target = found.id if found else None
    return with_session(context, lambda session: _plain(session, target) if plain else _app(session, target, context))


def open_app(
    context: Context, target: str, wanted: Wanted | None = None, watching: Watcher | None = None,
    playing: Played | None = None,
) -> int:  # fmt: skip
    """The app at a place of its own that is no lesson ("diagnose"); at a quiz, with what it is to ask; at a watch, with
    what samples the server; at the playground, with a figure and its state."""
    return with_session(context, lambda session: _app(session, target, context, wanted, watching, playing))


def with_session(context: Context, what: Callable[[Session], int]) -> int:
    """Do something within a session and close it; what could not be written is told at last."""
    session = _session(context)
    session.on_waiting = lambda: context.warn(waiting(session.progress.path, session.language))
    try:
        status = what(session)
    finally:
        session.close()
        for sentence in session.notices():
            context.warn(sentence)
    return UNUSABLE if session.lost else status


def waiting(path: Path, lang: Lang) -> str:
    """That somebody else's write is waited for."""
    from content.words import say

    return say("cli.progress.waiting", lang, path=quoted_path(str(path), 200))


def _plain(session: Session, target: str | None) -> int:
    from tutor.plain import study
    from tutor.plain.terminal import Terminal

    terminal = Terminal(sys.stdin, sys.stdout)
    session.ascii_only = not shows_signs(sys.stdout)
    return study.run(session, terminal, study.Student(session, terminal).place(target) if target else None)


def drawable() -> bool:
    """Whether a full screen makes sense: three terminals, and one that understands where to put what."""
    streams = (sys.stdin, sys.stdout, sys.stderr)
    return os.environ.get("TERM") not in DUMB and all(stream is not None and stream.isatty() for stream in streams)


def shows_signs(stream: TextIO) -> bool:
    """Whether an output has the marks, bars and borders of the screens."""
    try:
        "●━▸╭█▁".encode(stream.encoding or "ascii")
    except (UnicodeError, LookupError):
        return False
    return True


def _session(context: Context) -> Session:
    from tutor import language
    from tutor.session import Session

    try:
        return Session.start(context.flag)
    except language.UnknownLanguage as error:
        raise unknown("language", error.text, language.LANGS, where=error.where) from error


def _app(
    session: Session, target: str | None, context: Context, wanted: Wanted | None = None,
    watching: Watcher | None = None, playing: Played | None = None,
) -> int:  # fmt: skip
    for name in ("COLUMNS", "LINES"):  # exported once and stale ever since; the terminal itself knows its size
        os.environ.pop(name, None)
    from tutor.app import TutorApp
    from tutor.screens import route
    from tutor.travel import DIAGNOSE, PLACEMENT, PLAYGROUND, PROBE, QUIZ, WATCH

    start: Place | str | None = target  # home without one, where Enter goes on
    if target and target not in (DIAGNOSE, PLACEMENT, PLAYGROUND, PROBE, QUIZ, WATCH):
        start = route.place_of(session, target)
    session.ascii_only = not shows_signs(sys.stderr)  # where Textual draws
    app = TutorApp(session, start, ask=context.flag is None)
    app.quizzing, app.watching = wanted, watching
    if playing is not None:
        app.now_playing(playing)
    app.run()
    if app.crash is not None:
        raise app.crash
    return app.return_code or DONE
