"""Our signs on an output that lacks them: the nearest ASCII, so that 10⁹ on a plain terminal is still 10^9."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

NAME = "llm-tutor-nearest"
"""Name under which :func:`nearest` is registered with codecs."""
FOLDED = "llm-tutor-folded"
"""Name of :func:`folded`: for an output that could carry more, where the reader wants our signs in ASCII."""

_NEAREST = {
    "×": "x", "·": "*", "−": "-", "–": "-", "—": "-", "→": "->", "←": "<-", "↑": "^", "↓": "v", "≤": "<=", "≥": ">=",
    "≈": "~", "≠": "!=", "…": "...", "“": '"', "”": '"', "‘": "'", "’": "'", "½": "1/2", "✓": "+", "✗": "x", "●": "*",
    "○": "o", "◐": "%", "█": "#", "▓": "#", "▒": "=", "░": ".", "│": "|", "┃": "|", "─": "-", "━": "-", "¹": "^1",
    "²": "^2", "³": "^3", "⁹": "^9", "╭": "+", "╮": "+", "╰": "+", "╯": "+", "┌": "+", "┐": "+", "└": "+", "┘": "+",
    "├": "+", "┤": "+", "┬": "+", "┴": "+", "┼": "+", "▌": "|", "▐": "|", "▊": "|", "▎": "|", "▁": "_", "▂": "_",
    "▃": "_", "▄": "#", "▅": "#", "▆": "#", "▇": "#", "▀": "#", "⌈": "ceil(", "⌉": ")",
    "⌊": "floor(", "⌋": ")", " ": " ", "›": ">",
    "‹": "<", "▸": ">", "▾": "v", "▲": "^", "▼": "v", "┊": "|", "┿": "+", "•": "*", "±": "+-", "µ": "u", "μ": "u",
}  # fmt: skip
_SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-", strict=True))


def nearest(error: UnicodeError) -> tuple[str | bytes, int]:
    """Error handler for codecs: what cannot be written becomes its nearest ASCII, else a question mark."""
    return _near(error, keep=False)


def folded(error: UnicodeError) -> tuple[str | bytes, int]:
    """Error handler for codecs: our signs become their nearest ASCII, all other letters stay, in UTF-8."""
    return _near(error, keep=True)


def _near(error: UnicodeError, *, keep: bool) -> tuple[str | bytes, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    out = ""
    text = error.object[error.start : error.end]
    for place, letter in enumerate(text):
        if letter in _SUPERSCRIPTS:
            before = text[place - 1] if place else error.object[error.start - 1 : error.start]
            out += _SUPERSCRIPTS[letter] if before and before in _SUPERSCRIPTS else "^" + _SUPERSCRIPTS[letter]
        else:
            out += _NEAREST.get(letter, letter if keep else "?")
    return out.encode("utf-8", "replace") if keep else out, error.end


def asked(variables: Mapping[str, str] = os.environ) -> bool:
    """Whether the locale asks for ASCII although Python writes UTF-8.

    In the C locale Python takes UTF-8 on its own, for the many machines where nobody has set a locale. LC_ALL=C is no
    such accident but a wish, which alone keeps Python from another locale too (PEP 538); LANG=C and LC_CTYPE=C cannot
    be told from it. A wish for UTF-8 that is said to Python itself outranks it.
    """
    said = variables.get("PYTHONUTF8") == "1" or variables.get("PYTHONIOENCODING") or "utf8" in sys._xoptions
    return variables.get("LC_ALL") in ("C", "POSIX") and not said
