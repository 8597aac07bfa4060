"""`llm-tutor keys`: every command of the app with its keys, and how to change them."""

from __future__ import annotations

import argparse

from tutor.commands.context import Context
from tutor.commands.parser import Parser


def arguments(parser: Parser) -> None:
    """No words, no options."""


def run(context: Context, args: argparse.Namespace) -> int:
    """Print the keys after the learner's own choice."""
    from tutor import keys

    _ = context.lang  # before the settings, whose troubles are told in it
    chosen = context.settings.keys
    if context.json:
        rows = [
            {"id": command.id, "keys": keys.keys_of(command, chosen), "default": command.keys, "scope": command.scope}
            for command in keys.TABLE
        ]
        context.document({"keys": rows})
        return 0
    scope = ""
    for command in sorted(keys.TABLE, key=lambda command: SCOPES.index(command.scope)):
        if command.scope != scope:
            scope = command.scope
            context.line(("" if scope == SCOPES[0] else "\n") + context.say(f"app.keys.scope.{scope}"))
        shown = ", ".join(keys.shown(key) for key in keys.keys_of(command, chosen))
        context.line(f"  {shown:20} {command.id:14} {context.say(command.help)}")
    context.line(f"\n{context.say('cli.keys.change')}")
    return 0


SCOPES = (
    "app", "home", "lesson", "exercise", "results", "cards", "quiz", "sheet", "diagnose", "evidence", "probe", "watch",
    "playground", "placement", "plan",
)  # fmt: skip
"""In the order they are listed."""
