"""The command line: which command, which language, which exit status. Each command is imported when it is called.

What goes wrong is said in our own words, in the reader's language, on one line. `--lang` and `--json` stand anywhere.
"""

from __future__ import annotations

import errno
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple

from tutor.commands.context import UNUSABLE, Context, Refusal, let_stdout_go, unknown
from tutor.commands.parser import GLOBAL, Parser

COMMANDS = (
    "study", "placement", "quiz", "diagnose", "probe", "plan", "playground", "check", "calc", "course", "glossary",
    "config", "progress", "export", "serve", "keys", "completion",
)  # fmt: skip
"""Every command: its file in tutor/commands has its name, its words are under `cli.<name>`."""


_OF_OUTPUT = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF))
"""What writing to standard output fails with; an error of a file has its name."""


class Line(NamedTuple):
    """A command line without the options that every command knows."""

    lang: str | None
    json: bool
    help: bool
    version: bool
    rest: list[str]
    incomplete: str = ""
    """A global option whose value is missing."""


def run(argv: Sequence[str]) -> int:
    """Run one command line and return the exit status."""
    line = split(argv)
    context = Context(line.lang, line.json)
    try:
        if line.incomplete:
            context.refuse("cli.error.needs_value", option=line.incomplete)
        context.settle()
        context.fold()
        status = _version(context) if line.version else _dispatch(line, context)
        sys.stdout.flush()
        return status
    except OSError as error:
        if error.filename is not None or error.errno not in _OF_OUTPUT:
            raise
        let_stdout_go()
        return _refused(_unwritten(error, context), context)
    except Refusal as refusal:
        return _refused(refusal, context)
    except Exception as error:
        known = _known(error)
        if known is None:
            raise
        return _refused(known, context)


def split(argv: Sequence[str]) -> Line:
    """Take out of a command line what holds for every command; behind `--` all are plain words."""
    words = list(argv)
    end = words.index("--") if "--" in words else len(words)
    seen: set[str] = set()
    lang, incomplete, rest = None, "", []
    before = iter(words[:end])
    for word in before:
        name, equals, value = word.partition("=")
        if name == "--lang":
            lang = value if equals else next(before, None)
            incomplete = "" if lang is not None else name
        elif word in ("--json", "--help", "-h", "--version"):
            seen.add(word)
        else:
            rest.append(word)
    asked = bool(seen & {"--help", "-h"})
    return Line(lang, "--json" in seen, asked, "--version" in seen, rest + words[end:], incomplete)


def _dispatch(line: Line, context: Context) -> int:
    if (line.help and not line.rest) or line.rest == ["help"]:
        from tutor.commands import help

        return help.overview(context, COMMANDS)
    name, words = (line.rest[0], line.rest[1:]) if line.rest else ("study", [])
    if name == "--plain":  # of the command behind it, or of study
        name, words = (words[0], [name, *words[1:]]) if words and words[0] in COMMANDS else ("study", line.rest)
    if name.startswith("-"):
        raise unknown("option", name, (*GLOBAL, "--plain"))
    if name not in COMMANDS:
        raise unknown("command", name, COMMANDS)
    if line.help:
        from tutor.commands import help

        return help.of_command(context, parser(name))
    status: int = import_module(f"tutor.commands.{name}").run(context, parser(name).split(words))
    return status


def parser(name: str) -> Parser:
    """The parser of one command."""
    made = Parser(name)
    import_module(f"tutor.commands.{name}").arguments(made)
    return made


def _version(context: Context) -> int:
    from tutor import __version__

    if context.json:
        context.document({"version": __version__})
    else:
        context.line(f"llm-tutor {__version__}")
    return 0


def _known(error: Exception) -> Refusal | None:
    """A trouble with files of ours as a refusal; their modules are imported only when there is one."""
    from content.files import ContentError
    from tutor.commands.files import is_unspeakable, unspeakable

    if isinstance(error, UnicodeEncodeError) and is_unspeakable(error):
        return unspeakable(error)
    if isinstance(error, ContentError):
        where = ", ".join(error.where) + (f" line {error.line}" if error.line else "")
        return Refusal("cli.error.content", file=error.file, where=where or "-", detail=error.reason)
    if type(error).__name__ == "ProgressProblem":
        from tutor.commands.progress import refusal

        return refusal(error)  # type: ignore[arg-type]  # its module must not be imported to ask
    return None


def _unwritten(error: OSError, context: Context) -> Refusal:
    """Standard output takes nothing more: the refusal says so, and what was done before."""
    from tutor.commands.files import trouble

    detail = trouble(error)
    if context.did is None:
        return Refusal("cli.error.output", detail=detail)
    return Refusal("cli.error.output_done", detail=detail, done=context.did)


def _refused(refusal: Refusal, context: Context) -> int:
    if context.json:
        context.document({"error": refusal.both()})
    context.warn(refusal.text(context.lang))
    return UNUSABLE
