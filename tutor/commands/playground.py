"""`llm-tutor playground [FIGURE [NAME=VALUE ...]]`: a figure to play with; in lines, what it shows and the commands."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tutor.commands.context import DONE, Context
from tutor.commands.parser import Parser

if TYPE_CHECKING:
    from tutor.playing.opening import Opened
    from tutor.session import Session

_WIDEST = 100
_OF_THE_READER = ("map", "decode-curve")
"""Figures that show what is known of the reader: lessons read, a card measured."""


def arguments(parser: Parser) -> None:
    """The figure, and values for it."""
    parser.word("figure", "FIGURE")
    parser.word("values", "NAME=VALUE", many=True)
    parser.flag("--plain")


def run(context: Context, args: argparse.Namespace) -> int:
    """Open the app's playground, or say a figure in lines."""
    from tutor.commands.study import drawable, open_app
    from tutor.playing import opening

    words = [word for word in (args.figure, *args.values) if word is not None]
    opened = opening.read(words) if words else None  # refused before any screen opens
    if not (args.plain or context.json) and drawable():
        from tutor.playing.played import Played
        from tutor.travel import PLAYGROUND

        at = None
        if opened is not None:
            given = opening.given(words)
            at = Played(opened.figure, opened.state, opened.state, named=opened.named, given=given)
        return open_app(context, PLAYGROUND, playing=at)
    if opened is None:
        return _list(context)
    opened = _with_the_reader(context, opened)
    if context.json:
        context.document(document(context, opened))
    else:
        _show(context, opened)
    return DONE


def _with_the_reader(context: Context, opened: Opened) -> Opened:
    if opened.figure not in _OF_THE_READER:
        return opened
    from content.schema import FigureRef
    from tutor import coursemap
    from tutor.commands.study import with_session
    from tutor.figures.registry import get

    known: dict[str, object] = {}

    def ask(session: Session) -> int:
        known.update(coursemap.figure_state(FigureRef(opened.figure, {}), session))
        return DONE

    with_session(context, ask)
    return opened._replace(state=get(opened.figure).defaults({**opened.state, **known}))


def _list(context: Context) -> int:
    from tutor.figures.registry import names

    titles = {name: context.say(f"figures.title.{name}") for name in names()}
    if context.json:
        context.document({"figures": [{"figure": name, "title": title} for name, title in titles.items()]})
        return DONE
    column = max(map(len, titles)) + 2
    for name, title in titles.items():
        context.line(f"{name:{column}}{title}")
    context.line(f"\n{context.say('cli.playground.how')}")
    return DONE


# --- one figure ------------------------------------------------------------------------------------------------------


def said(context: Context, opened: Opened) -> list[str]:
    """Every number that the figure shows, and what to notice, a line each; its title is not among them."""
    from tutor.commands.help import columns_of_output
    from tutor.commands.study import shows_signs
    from tutor.figures.plain import plain

    ascii = not (context.json or shows_signs(sys.stdout))
    text = plain(opened.figure, opened.state, columns_of_output(_WIDEST), context.lang, ascii=ascii)
    return text.split("\n")[1:]


def commands(opened: Opened) -> list[str]:
    """Command lines that give the numbers of the figure."""
    from tutor.playing import opening

    return list(opening.commands(*opened))


def settings(context: Context, opened: Opened) -> list[dict[str, str]]:
    """What can be set here: its name, what it is, and how it stands."""
    from tutor.figures.registry import get
    from tutor.playing import values
    from tutor.playing.unreadable import Name

    figure, state = get(opened.figure), opened.state
    return [
        {
            "name": one.name,
            "label": Name(one).text(context.lang),
            "value": values.shown(figure, one, state, opened.named.get(one.name, "")),
        }
        for one in values.offered(figure, state)
    ]


def document(context: Context, opened: Opened) -> dict[str, Any]:
    """A figure as `playground --json` shows it; its numbers in base units."""
    return {
        "figure": opened.figure,
        "state": {key: _plain(value) for key, value in opened.state.items()},
        "title": context.say(f"figures.title.{opened.figure}"),
        "said": said(context, opened),
        "values": settings(context, opened),
        "commands": commands(opened),
    }


def _plain(value: object) -> object:
    """A value of a state as JSON has it."""
    from fractions import Fraction

    from tutor.commands.check import plain

    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return plain(Fraction(value)) if isinstance(value, int | Fraction) and not isinstance(value, bool) else value


def _show(context: Context, opened: Opened) -> None:
    context.line(context.say(f"figures.title.{opened.figure}"))
    for line in said(context, opened):
        context.line(line)
    rows = settings(context, opened)
    if rows:
        column = max(len(_pair(row)) for row in rows) + 2
        context.line(f"\n{context.say('cli.playground.values')}")
        for row in rows:
            context.line(f"  {_pair(row):{column}}{row['label']}{_unset(context, row)}")
    from tutor.figures.shell import judges

    lines = commands(opened)
    if lines:
        context.line(f"\n{context.say('cli.playground.commands')}")
        for line in lines:
            context.line(f"  {line}")
        if any(map(judges, lines)):
            context.line(context.say("app.playground.judged"))


def _unset(context: Context, row: Mapping[str, str]) -> str:
    """What holds where no value is set: own values that no model or card has, or nothing."""
    kind = row["name"] if row["name"] in ("model", "gpu") else "unset"
    return "" if row["value"] else f" ({context.say(f'app.playground.hint.{kind}')})"


def _pair(row: Mapping[str, str]) -> str:
    """A value as it is set; where none is, what would stand there."""
    return f"{row['name']}={row['value'] or ('NAME' if row['name'] in ('model', 'gpu') else 'VALUE')}"
