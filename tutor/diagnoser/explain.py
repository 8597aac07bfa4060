"""A number opened: what the content says to it, as paragraphs, and its lesson."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from tutor.diagnoser.speech import Speech
from tutor.widgets.ink import CODE, QUIET, STRONG
from tutor.widgets.prose import Piece

if TYPE_CHECKING:
    from content.diagnosing.explain import Explanation
    from engine.diagnosis.model import Report

_ALSO = {
    "fits": ("requests", "pool-tokens", "kv-per-token", "waste"),
    "ledger:kv-pool": ("kv-pool", "pool-tokens"),
    "ledger:reserved": ("reserved", "waste", "kv-per-token"),
    "ledger:kv": ("kv", "kv-per-token"),
    "log:kv-tokens": ("pool-tokens", "kv-per-token"),
    "step:decode": ("decode", "knee"),
    "roofline": ("knee", "decode", "prefill"),
    "roof:measured_point": ("decode",),
}
"""Numbers that a line of the answer is about, the first its own; of every other line that is its name."""
_MEMORY = {"weights-memory": ("free", "weights"), "kv-memory": ("requests", "pool-tokens", "kv-pool"),
           "kv-fragmentation": ("waste", "reserved")}  # fmt: skip
"""Numbers that stand behind a wall of memory; behind the others stand the steps."""


def behind(report: Report, line: str) -> Sequence[str]:
    """The numbers that a line of the answer is about."""
    if line == "wall":
        steps = {"prefill": ("prefill",), "decode": ("decode", "knee")}.get(report.phase, ("decode", "prefill"))
        return (*_MEMORY.get(report.wall, ()), *steps)
    return _ALSO.get(line, (line.partition(":")[2] or line,))


def explained(report: Report, line: str, speech: Speech) -> tuple[list[Piece], str]:
    """The paragraphs of a line of the answer, and the id of the lesson that teaches it ("" where none does)."""
    from content.diagnosing.explain import explain

    made: list[Piece] = []
    lesson, taught = "", ""
    for name in behind(report, line):
        found = explain(report, speech.lang, name)
        if found is None:
            continue
        second = explain(report, speech.second, name) if speech.second is not None else None
        made += _told(found, second, speech)
        if found.lesson and not lesson:
            lesson, taught = found.lesson, f"{found.lesson.partition('/')[2]} {found.lesson_title}"
    if taught:
        made.append(Piece(Content.styled(speech.tell("lesson", name=taught), QUIET)))
    return made or [Piece(Content(speech.tell("unexplained")))], lesson


def _told(found: Explanation, second: Explanation | None, speech: Speech) -> list[Piece]:
    made = [Piece(Content.assemble((found.title, STRONG), f"  {speech.plain(found.value)}"))]
    for number, text in enumerate(found.lines):
        depth = len(text) - len(text.lstrip(" "))
        made.append(Piece(Content.styled(speech.plain(text.lstrip(" ")), CODE), "  " + " " * depth, tight=bool(number)))
    for place, note in enumerate(found.notes):
        made.append(Piece(Content(speech.plain(note))))
        if second is not None and place < len(second.notes) and second.notes[place] != note:
            made.append(Piece(Content.styled(speech.plain(second.notes[place]), QUIET), tight=True))
    if found.source:
        made.append(Piece(Content.styled(speech.tell("source", text=found.source), QUIET), tight=True))
    return made
