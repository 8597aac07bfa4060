"""The few LaTeX commands that people paste, in plain signs; every character keeps its place in the typed text."""

from __future__ import annotations

import re

Placed = tuple[str, int]
Template = tuple[str | int, ...]
"""What stands in a command's place: texts, and numbers for the command's own groups."""

_ARG = r"\s*\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}"
_RULES: tuple[tuple[re.Pattern[str], Template], ...] = tuple(
    (re.compile(pattern), template)
    for pattern, template in (
        (r"\\(?:left|right|displaystyle|bigl?|bigr|Bigl?|Bigr)(?![A-Za-z])\s*", ()),
        (r"\\(?:quad|qquad|enspace)(?![A-Za-z])|\\[,;:! ]", (" ",)),
        (r"\{,\}", (",",)),
        (r"\\(?:cdot|ast)(?![A-Za-z])", ("*",)), (r"\\times(?![A-Za-z])", ("×",)), (r"\\div(?![A-Za-z])", ("/",)),
        (r"\\(?:approx|simeq|cong)(?![A-Za-z])", ("≈",)), (r"\\sim(?![A-Za-z])", ("~",)),
        (r"\\(?:leq?|leqslant|lt|ll)(?![A-Za-z])", ("<",)), (r"\\(?:geq?|geqslant|gt|gg)(?![A-Za-z])", (">",)),
        (r"\\(?:pm|mp)(?![A-Za-z])", ("±",)), (r"\\neq?(?![A-Za-z])|\\not\s*=", ("≠",)),
        (r"\\(?:to|rightarrow|Rightarrow|implies)(?![A-Za-z])", ("→",)), (r"\\therefore(?![A-Za-z])", ()),
        (r"\\(?:text(?:bf|it|rm|sf|tt|normal)?|math(?:rm|it|bf|sf|tt|normal)|operatorname|mbox)" + _ARG, (" ", 1, " ")),
        (r"\\(?:boxed|fbox)" + _ARG, (1,)),
        (r"\\[dt]?frac" + _ARG + _ARG, ("((", 1, ")/(", 2, "))")),
        (r"\\[dt]?frac\s*(\d)\s*(\d)", ("(", 1, "/", 2, ")")),
        (r"\\sqrt" + _ARG, ("sqrt(", 1, ")")), (r"\\log_\{?2\}?\s*(?=[({\d])", ("log2 ",)),
        (r"\\lfloor(?![A-Za-z])", ("floor(",)), (r"\\lceil(?![A-Za-z])", ("ceil(",)),
        (r"\\r(?:floor|ceil)(?![A-Za-z])", (")",)),
        (r"\\%", ("%",)), (r"_\{\s*(\w+)\s*\}", ("_", 1)), (r"\\_", ("_",)), (r"\^" + _ARG, ("^(", 1, ")")),
        (r"\\[()\[\]]|\$", ()), (r"\\(floor|ceil|round|min|max)(?![A-Za-z])", (1,)),
    )
)  # fmt: skip
_PASSES = 6
"""Nested commands need a pass each; deeper ones stay as they are and are refused."""


def plain(text: list[Placed]) -> list[Placed]:
    """A folded text without its LaTeX."""
    for _ in range(_PASSES):
        before = text
        for pattern, template in _RULES:
            text = _put(text, pattern, template)
        if text == before:
            break
    return text


def _put(text: list[Placed], pattern: re.Pattern[str], template: Template) -> list[Placed]:
    """Every match of a pattern replaced; the template's own signs stand where the match began or ended."""
    written = "".join(char for char, _ in text)
    out: list[Placed] = []
    at = 0
    for found in pattern.finditer(written):
        out.extend(text[at : found.start()])
        for n, piece in enumerate(template):
            if isinstance(piece, int):
                out.extend(text[found.start(piece) : found.end(piece)])
            else:
                edge = found.start() if n == 0 else found.end() - 1
                out.extend((char, text[edge][1]) for char in piece)
        at = found.end()
    return [*out, *text[at:]]
