"""The probe in plain lines: what is missing, what will be measured, stage after stage."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from content.lang import Lang
from content.words import say
from tutor.commands.context import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tutor.probing.running import NotReady, Ready


def room() -> int:
    """Columns to fill: those of the terminal, where it has any to tell, and never too few to break words in."""
    from content.diagnosing.layout import NARROWEST, WIDTH
    from tutor.plain.diagnose import width

    return max(width() or WIDTH, NARROWEST)


INSTALL = "probe.torch.install"
_PATH = 200
"""Characters of a path that a line shows."""


def missing(why: NotReady, lang: Lang) -> Iterator[str]:
    """That no Python has torch: what to do, and which were tried."""
    from content.diagnosis import wrapped
    from content.probing import words

    columns = room()
    yield from wrapped(say("cli.probe.no_torch", lang), columns, "", "")
    for text in (say("cli.probe.point", lang), say("cli.probe.install", lang, command=say(INSTALL, lang))):
        yield from wrapped(text, columns, " - ", "   ")
    if not why.present.cards:
        yield from wrapped(say("cli.probe.no_card", lang), columns, "", "")
    if why.search.tried:
        yield say("cli.probe.tried", lang)
    for one in why.search.tried:
        yield from wrapped(f"{quoted(one.python, _PATH)}: {words.python(one.why, lang)}", columns, "   ", "      ")


def before(ready: Ready, lang: Lang) -> Iterator[str]:
    """What is about to be measured and with what, after what should be known before."""
    from content.diagnosis import wrapped
    from content.probing import words

    texts = [words.may(id, params, lang) for id, params in ready.warnings]
    texts.append(words.without(ready.without, lang) if ready.without != "no-model" else "")
    texts.append(
        say(
            "cli.probe.on", lang, device=_device(ready, lang), python=quoted(ready.python.python, _PATH),
            torch=quoted(ready.python.torch), seconds=f"{ready.request['seconds']:g}",
        )
    )  # fmt: skip
    for text in filter(None, texts):
        yield from wrapped(text, room(), "", "   ")


def _device(ready: Ready, lang: Lang) -> str:
    if ready.card is not None and ready.card.name:
        return quoted(ready.card.name)
    return say("cli.probe.processor" if ready.request["device"] == "cpu" else "cli.probe.what_is_here", lang)


def stage(event: Mapping[str, Any], ready: Ready, lang: Lang, timed: bool) -> str:
    """A stage that begins; ``timed``: with the seconds so far."""
    from content.probing import words

    n, of, elapsed = (event.get(name) for name in ("n", "of", "elapsed"))
    told = words.stage(str(event.get("stage")), lang)
    place = {"n": quoted(str(n), 6), "of": quoted(str(of), 6), "stage": told}
    if not timed or not isinstance(elapsed, int | float):
        return say("cli.probe.stage", lang, **place)
    budget = f"{ready.request['seconds']:g}"
    return say("cli.probe.stage_at", lang, **place, elapsed=f"{elapsed:.1f}", budget=budget)
