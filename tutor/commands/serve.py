"""`llm-tutor serve`: the tutor for browsers, each learner with own progress; on loopback unless asked otherwise."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from tutor.commands.context import DONE, Context, Refusal, quoted, quoted_path
from tutor.commands.parser import Parser

if TYPE_CHECKING:
    from tutor.serving.limits import Limits

INSTALL = 'python -m pip install "textual-serve>=1.1.3,<2"'


def arguments(parser: Parser) -> None:
    """Where to listen, for whom, and how many."""
    parser.value("--host", "ADDRESS")
    parser.value("--port", "N", dash=True)
    parser.flag("--expose")
    parser.value("--name", "HOSTNAME", many=True)
    parser.value("--learners", "N", dash=True)
    parser.value("--idle", "MINUTES", dash=True)


def run(context: Context, args: argparse.Namespace) -> int:
    """Serve until ctrl+c."""
    try:
        import aiohttp  # noqa: F401
        import textual_serve  # noqa: F401
    except ImportError as error:
        raise Refusal("serve.error.no_extra", command=INSTALL) from error
    from tutor.serving import folders, listening, running
    from tutor.serving.site import Served

    limits = _limits(args)
    port = listening.PORT if args.port is None else _whole(args.port, "--port", 0, 65535)
    place = listening.looked_up(listening.HOST if args.host is None else args.host)
    if not place.loopback and not args.expose:
        context.refuse("serve.error.not_loopback", host=quoted(place.address))
    sock = listening.bound(place, port)
    root = folders.root()
    shown, port = listening.address_of(sock)
    served = Served(root, context.lang, context.lang if context.flag else None, limits, _names(args.name or ()))

    def ready() -> None:
        _say(context, f"http://{shown}:{port}/", port, limits, open=not place.loopback)

    def tell(error: str) -> None:
        context.warn(context.say("serve.trouble", error=error))

    with sock:
        running.run(served, sock, ready, tell)
    if not context.json:
        context.line(context.say("serve.bye"))
    return DONE


def _limits(args: argparse.Namespace) -> Limits:
    from tutor.serving.limits import IDLE_MINUTES, LEARNERS, MOST_IDLE_MINUTES, MOST_LEARNERS, Limits

    learners = LEARNERS if args.learners is None else _whole(args.learners, "--learners", 1, MOST_LEARNERS)
    minutes = IDLE_MINUTES
    if args.idle is not None:
        try:
            minutes = float(args.idle)
        except ValueError:
            minutes = 0.0
        if not 0 < minutes <= MOST_IDLE_MINUTES:  # nan too
            raise Refusal("serve.error.number", option="--idle", least=1, most=f"{MOST_IDLE_MINUTES:g}",
                          text=quoted(args.idle))  # fmt: skip
    return Limits(learners, 60 * minutes)


def _whole(text: str, option: str, least: int, most: int) -> int:
    if text.isascii() and text.isdigit() and len(text) < 10 and least <= int(text) <= most:
        return int(text)
    raise Refusal("serve.error.number", option=option, least=least, most=most, text=quoted(text))


def _names(more: list[str] | tuple[str, ...]) -> tuple[str, ...]:
    """Names that the server goes by: those that were given, and this machine's own."""
    import socket

    own = socket.gethostname().lower()
    return (*more, own, f"{own}.local")


def _say(context: Context, address: str, port: int, limits: Limits, *, open: bool) -> None:
    import sys

    from tutor.serving import folders

    root = str(folders.root())
    if context.json:
        context.document({"url": address, "port": port, "learners": limits.learners, "idle_minutes": limits.idle / 60,
                          "open": open, "folder": root})  # fmt: skip
    else:
        context.line(context.say("serve.ready", address=address))
        context.line(context.say("serve.limits", n=limits.learners, minutes=f"{limits.idle / 60:g}"))
        context.line(context.say("serve.kept", path=quoted_path(root, 200)))
        context.line(context.say("serve.stop"))
    if open:
        context.warn(context.say("serve.open", port=port))
    sys.stdout.flush()
