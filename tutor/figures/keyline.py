"""The line of keys under a figure: neighbouring arrows share a word, so that it stays short."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tutor.figures.base import OWN_KEYS, Figure, Lang
from tutor.figures.pen import DIM, Pen
from tutor.figures.state import State

if TYPE_CHECKING:
    from textual.content import Content

_SHOWN = {"right": "→", "left": "←", "up": "↑", "down": "↓"}
_ASCII = {"right": "l", "left": "h", "up": "k", "down": "j"}
OWN = (OWN_KEYS["copy"][0], OWN_KEYS["reset"][0])
"""The keys that copy and reset, where the reader has not chosen others."""


def key_words(
    figure: Figure, lang: Lang, *, ascii: bool = False, state: State | None = None, playing: str = "",
    own: tuple[str, str] = OWN,
) -> list[tuple[str, str]]:  # fmt: skip
    """Each key of a figure as printed and its short name, reset last. The levers say their keys in the drawing.

    ``playing``: what the play key does now ("play", "pause", "step"); empty where there is none. ``own``: the keys
    that copy and reset.
    """
    pen = Pen(80, 24, lang, ascii)
    arrows = _ASCII if ascii else _SHOWN
    told = [
        key for key in figure.shown(state or figure.base) if key.action not in ("first", "second", "third", "fourth")
    ]
    words = [(arrows.get(key.key, key.key), pen.say(key.label)) for key in told]
    if figure.target is not None:
        words.append(("enter", pen.say("key.open")))
    if playing:
        words.append(("space", pen.say(f"key.{playing}")))
    copy, reset = map(pen.fold, own)
    return [*words, (copy, pen.say("key.copy")), (reset, pen.say("key.reset"))]


def key_line(
    figure: Figure, width: int, lang: Lang, *, ascii: bool = False, state: State | None = None, playing: str = "",
    own: tuple[str, str] = OWN,
) -> list[Content]:  # fmt: skip
    """The keys on as few lines as the width allows."""
    pen = Pen(width, 24, lang, ascii)
    lines: list[list[tuple[str, str]]] = [[]]
    used = 0
    for key, text in key_words(figure, lang, ascii=ascii, state=state, playing=playing, own=own):
        need = len(key) + 1 + len(text)
        if used and used + 2 + need > width:
            lines, used = [*lines, []], 0
        lines[-1] += [("  " if used else "", ""), (key, "bold"), (f" {text}", DIM)]
        used += need + (2 if used else 0)
    return [pen.line(*line) for line in lines]
