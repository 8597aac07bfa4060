"""The few LaTeX commands that people paste, in plain signs."""

from __future__ import annotations

import re

_LATEX = (
    (re.compile(r"\\(?:cdot|times|ast)(?![A-Za-z])"), "*"),
    (re.compile(r"\\(?:left|right|,|;|!|quad)(?![A-Za-z])"), ""),
    (re.compile(r"\\(?:text|mathrm|mathit|operatorname)\s*\{([^{}]*)\}"), r" \1 "),
    (re.compile(r"\\[dt]?frac\s*\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}\s*\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}"), r"(\1)/(\2)"),
    (re.compile(r"\\lfloor"), "floor("), (re.compile(r"\\lceil"), "ceil("), (re.compile(r"\\r(?:floor|ceil)"), ")"),
    (re.compile(r"\\div(?![A-Za-z])"), "/"), (re.compile(r"\\%"), "%"), (re.compile(r"_\{(\w+)\}"), r"_\1"),
    (re.compile(r"\^\{([^{}]*)\}"), r"^(\1)"), (re.compile(r"\$"), ""),
)  # fmt: skip


def plain(text: str) -> str:
    """A text without its LaTeX; nested fractions take a few passes."""
    for _ in range(4):
        before = text
        for pattern, sign in _LATEX:
            text = pattern.sub(sign, text)
        if text == before:
            break
    return text
