"""`llm-tutor completion SHELL`: a completion script, made by shtab from what the parsers declare."""

from __future__ import annotations

import argparse

from tutor.commands.context import Context, quoted, unknown
from tutor.commands.parser import Parser

SHELLS = ("bash", "zsh", "tcsh")


def arguments(parser: Parser) -> None:
    """The shell."""
    parser.word("shell", "SHELL")


def run(context: Context, args: argparse.Namespace) -> int:
    """Print the script."""
    if args.shell is None:
        context.refuse("cli.error.missing", what="SHELL", known=", ".join(SHELLS), command="completion")
    if args.shell not in SHELLS:
        raise unknown("shell", quoted(args.shell), SHELLS)
    import shtab

    script = shtab.complete(_whole(), shell=args.shell)
    if context.json:
        context.document({"shell": args.shell, "script": script})
    else:
        context.line(script)
    return 0


def _whole() -> argparse.ArgumentParser:
    """One argparse parser of all commands, for shtab alone."""
    from tutor import cli

    whole = argparse.ArgumentParser(prog="llm-tutor", allow_abbrev=False)
    _globals(whole)
    commands = whole.add_subparsers()
    for name in cli.COMMANDS:
        made = commands.add_parser(name, help=name)  # shtab leaves out what has none
        _globals(made)
        for declared in cli.parser(name).declared:
            _declare(made, name, declared.written, declared.option)
    return whole


def _globals(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--lang", choices=("en", "hi-Latn"))
    parser.add_argument("--json", action="store_true")


def _declare(parser: argparse.ArgumentParser, command: str, written: str, option: str) -> None:
    import shtab

    takes_file = "FILE" in written or "PATH" in written
    if option:
        action = parser.add_argument(option, action="store_true" if written == option else "store")
    else:
        choices = _choices(command, written)
        action = parser.add_argument(written.lower(), nargs="?", choices=choices)
    if takes_file:
        action.complete = shtab.FILE  # type: ignore[attr-defined]


CHOICES = {
    ("completion", "SHELL"): SHELLS,
    ("course", "ACTION"): ("list", "show", "validate"),
    ("progress", "ACTION"): ("show", "unexplained", "export", "import", "reset"),
}


def _choices(command: str, written: str) -> tuple[str, ...] | None:
    """The words that may stand here; nothing where any may."""
    if (command, written) == ("playground", "FIGURE"):
        from tutor.figures.registry import names

        return names()
    return CHOICES.get((command, written))
