"""Help: of the whole program, and of one command. Written from what the parsers declare."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from tutor.commands.context import Context
from tutor.commands.parser import Parser

_INDENT = 2
_WIDEST = 26
"""A term longer than this stands on a line of its own."""


def overview(context: Context, commands: Sequence[str]) -> int:
    """`llm-tutor --help`: what it is, the commands, the options."""
    say = context.say
    rows = [(name, say(f"cli.{name}.summary")) for name in commands]
    context.line(say("cli.help.title"))
    context.line(f"\n{say('cli.help.usage')} llm-tutor [{say('cli.help.command')}] [{say('cli.help.option')} ...]")
    context.line(f"\n{say('cli.help.start')}")
    _table(context, say("cli.help.commands"), rows)
    _table(context, say("cli.help.options"), _global_rows(context, "--version"))
    context.line(f"\n{say('cli.help.more')}")
    return 0


def of_command(context: Context, parser: Parser) -> int:
    """`llm-tutor COMMAND --help`."""
    say, name = context.say, parser.command
    for number, usage in enumerate(_usage(name)):
        head = say("cli.help.usage") if not number else " " * len(say("cli.help.usage"))
        context.line(f"{head} llm-tutor {name} {usage}".rstrip())
    context.line()
    context.line(_wrapped(say(f"cli.{name}.about")))
    words = [(declared.written, say(declared.key)) for declared in parser.declared if not declared.option]
    options = [
        (declared.written, say(declared.key)) for declared in parser.declared if declared.option and declared.key
    ]
    if words:
        _table(context, say("cli.help.words"), words)
    _table(context, say("cli.help.options"), options + _global_rows(context))
    further = [declared.option for declared in parser.declared if not declared.key]
    if further:
        context.line(f"\n{_wrapped(say(f'cli.{name}.further', options=', '.join(further)))}")
    if name in BATCHES:
        context.line(f"\n{_wrapped(say(f'cli.{name}.lines'))}")
    return 0


BATCHES = ("check", "calc")
"""Commands that read JSON Lines, whose form their help tells."""


def _usage(name: str) -> tuple[str, ...]:
    return USAGE[name]


USAGE: dict[str, tuple[str, ...]] = {
    "study": ("[ID] [--variant N] [--plain]",),
    "placement": ("[--plain]",),
    "quiz": ("[--due | --weak | --test [--minutes N]] [--track T] [--level N] [--count N]", "[--plain]"),
    "check": ("ID ANSWER [--variant N]", "--batch FILE|-"),
    "calc": ("[FORMULA NAME=VALUE ...]", "--batch FILE|-"),
    "course": ("list | show ID [--variant N] | validate [PATH]",),
    "diagnose": ("[FILE|- ...] [--model NAME] [--gpu NAME] [--symptom TEXT] ... [--what-if LEVER]", "[--plain]"),
    "probe": ("[--device auto|cuda|cpu|mps] [--python PATH] [--seconds N] [--model NAME] ...", "--last"),
    "plan": ("--model NAME|FILE [--gpu NAME] [--gpus N,N] [--weights FORMAT,FORMAT] ...",),
    "playground": ("[FIGURE [NAME=VALUE ...]] [--plain]",),
    "glossary": ("[TERM]",),
    "config": ("[NAME [VALUE]]",),
    "progress": ("show [CONCEPT|ID] | unexplained [ID] | export FILE [--force] | import FILE | reset [ID] [--yes]",),
    "export": ("anki FILE.apkg [--force]",),
    "serve": ("[--host ADDRESS] [--port N] [--expose] [--name HOSTNAME] [--learners N] [--idle MINUTES]",),
    "keys": ("",),
    "completion": ("bash | zsh | tcsh",),
}
"""How each command is written, first the usual way. Names of commands are the same in every language."""


def _global_rows(context: Context, *more: str) -> list[tuple[str, str]]:
    rows = {"--lang en|hi-Latn": "lang", "--json": "json", "--help": "help", "--version": "version"}
    names = {f"--{name}" for name in ("lang", "json", "help")} | set(more)
    return [(written, context.say(f"cli.help.{key}")) for written, key in rows.items() if written.split()[0] in names]


def _table(context: Context, title: str, rows: Iterable[tuple[str, str]]) -> None:
    context.line(f"\n{title}")
    listed = list(rows)
    column = min(_WIDEST, max((len(term) for term, _ in listed), default=0)) + 2 * _INDENT
    for term, meaning in listed:
        lines = _wrapped(meaning, column).split("\n")
        if len(term) + 2 * _INDENT > column:
            context.line(" " * _INDENT + term)
        else:
            lines[0] = (" " * _INDENT + term).ljust(column) + lines[0].lstrip()
        for line in lines:
            context.line(line)


def _wrapped(text: str, indent: int = 0) -> str:
    """Text broken at words; `textwrap` would cost a fifth of the start-up budget of help."""
    width = max(columns_of_output() - indent, 20)
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return "\n".join(" " * indent + line for line in lines)


def columns_of_output(most: int = 100) -> int:
    """Columns of the terminal, so many at most; eighty where there is none."""
    try:
        return min(os.get_terminal_size(1).columns, most)
    except OSError:
        return 80
