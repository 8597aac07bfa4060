"""The levers of a report as blocks: what to do now, what more there is, and what one would try in vain."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from functools import lru_cache

from content.diagnosing import words
from content.diagnosing.block import Block
from content.diagnosing.levers import SPARE, LeverWords, lever, worse
from content.diagnosing.words import label
from content.lang import Lang
from engine.diagnosis.acting.weighing import USUAL
from engine.diagnosis.causes import BY_ID
from engine.diagnosis.model import LeverResult, Report

MOST_NOW = 3
"""Levers that are told whole."""
MOST_LATER = 2
"""Those after them that have a line each."""
MOST_USELESS = 3
"""Levers that do not help and are told with their reason."""
ROOM = 2
"""Lines that the sentences of a lever may take: what it does, its condition, when it backfires."""
COLUMNS = 74
"""Width of such a line."""

_NOTHING_TO_TRY = ("already-on", "not-on", "no-experts", "one-card", "tried")
"""Reasons that a reader knows, or that make a lever nothing that one could try."""


def now(report: Report, lang: Lang, undecided: bool) -> list[Block]:
    """The first levers: name and effect, the flag, what it changes besides, and a few sentences."""
    chosen = [one for one in report.levers if one.helps]
    if not chosen:
        key = "nothing_to_do" if report.wall == "none" and report.phase == "none" else "no_lever"
        return [] if not report.levers or undecided else [Block("note", label(key, lang))]
    return [_told(number, one, lang) for number, one in enumerate(chosen[:MOST_NOW], 1)]


def later(report: Report, lang: Lang) -> list[Block]:
    """The other levers that help, a line each; how many more there are."""
    chosen = [one for one in report.levers if one.helps][MOST_NOW:]
    found = []
    for one in chosen[:MOST_LATER]:
        said = lever(one, lang)
        first = said.effects[0] if said.effects else said.effect
        line = ", ".join(part for part in (first, words.flag(one.flag, lang)) if part)
        found.append(Block("lever", _head("", said, one, line), said.name, line, "", one.flag, one.id))
    rest = len(chosen) - MOST_LATER
    return [*found, Block("note", label("more_helpful", lang, n=str(rest)))] if rest > 0 else found


def useless(report: Report, lang: Lang) -> list[Block]:
    """What one would try for this wall in vain, with the reason; of the others their number."""
    refused = [one for one in report.levers if not one.helps]
    told = [one for one in refused if _would_try(one, report)][:MOST_USELESS]
    found = []
    for one in told:
        said = lever(one, lang)
        line = _head("", said, one, said.why)
        found.append(Block("lever", line, said.name, said.why, "", one.flag, one.id, False))
    rest = len(refused) - len(told)
    if rest and found:
        found.append(Block("note", label("more_useless", lang, n=str(rest))))
    return found


def _would_try(one: LeverResult, report: Report) -> bool:
    """Whether people try it for this wall: its cause says so, or the wall; or it was wanted and is not enough."""
    if one.why in _NOTHING_TO_TRY:
        return False
    first = report.findings[0].cause if report.findings else ""
    known = (*(BY_ID[first].useless if first in BY_ID else ()), *USUAL[report.wall])
    return one.id in known or one.why == "not-enough"


def _head(mark: str, said: LeverWords, one: LeverResult, tail: str) -> str:
    name = f"{mark}{said.name} [{one.id}]"
    return f"{name}: {tail}" if tail else name


def _told(number: int, one: LeverResult, lang: Lang) -> Block:
    said = lever(one, lang)
    first = said.effects[0] if said.effects else said.effect
    id = label("try_it", lang, id=one.id)
    more = (f"{said.flag} {id}" if said.flag else id, _besides(one, said), _sentences(one, said, lang))
    kept = tuple(part for part in more if part)
    head = f"{number}. {said.name}: {first}" if first else f"{number}. {said.name}"
    return Block("lever", head, said.name, first, said.warning, one.flag, one.id, True, kept)


def _besides(one: LeverResult, said: LeverWords) -> str:
    """What it was worked out for, and one more effect: one that gets worse, if any does."""
    others = list(zip(one.effects[1:], said.effects[1:], strict=True))
    others = [pair for pair in others if pair[0].measure not in SPARE]
    others.sort(key=lambda pair: not worse(pair[0]))
    parts = [*said.chosen]
    if others:
        line = others[0][1]
        parts.append(f"{line[:1].upper()}{line[1:]}.")
    return " ".join(parts)


def _sentences(one: LeverResult, said: LeverWords, lang: Lang) -> str:
    """What it does, its condition, when it backfires: as much of it as :data:`ROOM` lines hold. A condition that
    nobody knows of comes before the rest, then the warning, then what the lever does."""
    careful = label("warning", lang, text=said.warning) if said.warning else ""
    order = (said.does, said.need, careful)
    first, second = (said.need, careful) if one.precondition == "unknown" and said.need else (careful, said.does)
    third = next(part for part in (said.does, said.need, careful) if part not in (first, second) or not part)
    kept: list[str] = []
    for part in (first, second, third):
        if part and _fits([*kept, part]):
            kept.append(part)
    return " ".join(part for part in order if part in kept)


def _fits(parts: Sequence[str]) -> bool:
    return len(parts) == 1 or _lines(" ".join(parts)) <= ROOM


@lru_cache(maxsize=512)  # of one lever the same few sentences are put together for many workloads
def _lines(text: str) -> int:
    return len(textwrap.wrap(text, COLUMNS))
