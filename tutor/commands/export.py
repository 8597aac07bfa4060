"""`llm-tutor export anki FILE.apkg [--force]`: the course as notes for Anki, in both languages."""

from __future__ import annotations

import argparse
import sqlite3
import time
from collections import Counter

from tutor.commands.context import DONE, Context, Refusal, quoted, quoted_path, unknown
from tutor.commands.parser import Parser

FORMATS = ("anki",)
ENDING = ".apkg"
"""How the name of a package ends: Anki opens no other."""


def arguments(parser: Parser) -> None:
    """What to write, and where."""
    parser.word("format", "anki")
    parser.word("target", f"FILE{ENDING}")
    parser.flag("--force")


def run(context: Context, args: argparse.Namespace) -> int:
    """Write the package whole, or leave what is there as it was."""
    if not args.format:
        context.refuse("cli.error.missing", what="anki", known=f"anki FILE{ENDING}", command="export")
    if args.format not in FORMATS:
        raise unknown("format", args.format, FORMATS)
    if not args.target:
        context.refuse("cli.error.missing", what=f"FILE{ENDING}", known=f"cards{ENDING}", command="export anki")
    if not args.target.lower().endswith(ENDING):
        context.refuse("cli.export.not_apkg", path=quoted_path(args.target), ending=ENDING)
    return _anki(context, args.target, args.force)


def _anki(context: Context, target: str, force: bool) -> int:
    from tutor.anki import notes, package
    from tutor.commands.files import write_bytes

    made = list(notes.notes())
    try:
        data = package.data(made, context.lang, time.time())
    except ImportError as error:
        raise Refusal("cli.export.no_genanki", command="python -m pip install genanki") from error
    except sqlite3.Error as error:
        raise Refusal("cli.error.write", path=quoted_path(target), detail=quoted(str(error))) from error
    write_bytes(target, data, None if force else package.is_export)
    kinds = Counter(note.kind for note in made)
    context.done("cli.export.done", path=quoted_path(target, 200), n=len(made), parts=kinds["part"],
                 reverse=kinds["reverse"], cards=kinds["card"])  # fmt: skip
    if context.json:
        context.document({"file": target, "format": "anki", "notes": len(made), "kinds": dict(kinds)})
        return DONE
    context.line(context.say("cli.export.next"))
    return DONE
