"""Watching a server in plain lines: one for each sample, and the verdict whenever it is another one."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime
from itertools import count as counting

from content.lang import Lang
from content.words import say
from tutor.live import saying
from tutor.live.watching import Watched, Watcher

Line = Callable[[str], None]


def run(watcher: Watcher, lang: Lang, line: Line, warn: Line, count: int | None = None) -> bool:
    """Sample until ctrl+c, or so many times; whether there was any sample.

    Args:
        watcher: of the server.
        lang: of the lines.
        line: takes a line of output.
        warn: takes a sentence about what went wrong.
        count: of tries; ``None`` for no end.
    """
    begun = watcher.watched
    line(say("live.plain.begins", lang, address=begun.address.name, time=saying.span(begun.interval, lang)))
    verdict, good = "", False
    try:
        for number in counting(1):
            watched = watcher.heard(watcher.step())
            if watched.trouble is not None:
                warn(
                    f"{watched.trouble.text(lang)} {_again(watched, lang)}" if number != count else _why(watched, lang)
                )
            elif watched.last is not None:
                good = True
                line(f"{datetime.now():%H:%M:%S}  {saying.line(watched.last, lang)}")
                verdict = _verdict(watched, verdict, lang, line)
            if number == count:
                break
            _flush()
            time.sleep(watcher.due())
    except KeyboardInterrupt:
        watcher.end()
        return True
    return good


def _why(watched: Watched, lang: Lang) -> str:
    return "" if watched.trouble is None else watched.trouble.text(lang)


def _again(watched: Watched, lang: Lang) -> str:
    return say("live.watch.next_try", lang, time=saying.span(watched.retry, lang))


def _verdict(watched: Watched, before: str, lang: Lang, line: Line) -> str:
    """Say the verdict where it is another one than before; which it is. An idle server has none."""
    if watched.verdict is None or watched.phase == "idle":
        return before
    told = saying.told(watched.verdict, lang)
    report = watched.verdict.report
    same = told.problem or f"{report.wall if report else ''} {told.lever.partition(':')[0]} {told.ask}"
    if same == before:
        return before
    if told.problem:
        line(f"          {told.problem}")
    for key, text in (("wall", told.wall), ("lever", told.lever), ("ask", told.ask)):
        if text:
            line(f"          {say(f'live.plain.{key}', lang, text=text)}")
    return same


def _flush() -> None:
    import sys

    sys.stdout.flush()
