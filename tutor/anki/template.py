"""How a note looks in Anki: the language shown first, the other one folded below it. It needs no script."""

from __future__ import annotations

from content.lang import Lang

_NAMES: dict[Lang, str] = {"en": "English", "hi-Latn": "Hinglish"}


def _either(side: str) -> str:
    """One side of a note, in the order of its languages."""
    return (
        "{{^Hinglish first}}" + _both(side, "en", "hi-Latn") + "{{/Hinglish first}}"
        "{{#Hinglish first}}" + _both(side, "hi-Latn", "en") + "{{/Hinglish first}}"
    )


def _both(side: str, first: Lang, other: Lang) -> str:
    return f"{_shown(side, first)}<details><summary>{_NAMES[other]}</summary>{_shown(side, other)}</details>"


def _shown(side: str, lang: Lang) -> str:
    figure = f"{{{{#Figure {lang}}}}}<pre>{{{{Figure {lang}}}}}</pre>{{{{/Figure {lang}}}}}" if side == "Back" else ""
    return f'<div lang="{lang}">{{{{{side} {lang}}}}}{figure}</div>'


QUESTION = f'{_either("Front")}<div class="place">{{{{Id}}}}</div>'
ANSWER = f'{{{{FrontSide}}}}<hr id="answer">{_either("Back")}<div class="place">{{{{Lesson}}}}</div>'
CSS = """
.card { font-family: sans-serif; font-size: 18px; text-align: left; max-width: 42em; margin: 0 auto; padding: 0.5em; }
pre { font-family: monospace; font-size: 80%; line-height: 1.15; overflow-x: auto; }
details { margin: 0.8em 0; opacity: 0.85; }
.place { font-size: 70%; opacity: 0.6; margin-top: 1em; }
"""
