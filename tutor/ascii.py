"""Our signs on an output that lacks them: the nearest ASCII, so that 10⁹ on a plain terminal is still 10^9."""

NAME = "llm-tutor-nearest"
"""Name under which :func:`nearest` is registered with codecs."""

_NEAREST = {
    "×": "x", "·": "*", "−": "-", "–": "-", "—": "-", "→": "->", "←": "<-", "↑": "^", "↓": "v", "≤": "<=", "≥": ">=",
    "≈": "~", "≠": "!=", "…": "...", "“": '"', "”": '"', "‘": "'", "’": "'", "½": "1/2", "✓": "+", "✗": "x", "●": "*",
    "○": "o", "◐": "%", "█": "#", "▓": "#", "▒": "=", "░": ".", "│": "|", "┃": "|", "─": "-", "━": "-", "¹": "^1",
    "²": "^2", "³": "^3", "⁹": "^9", "╭": "+", "╮": "+", "╰": "+", "╯": "+", "┌": "+", "┐": "+", "└": "+", "┘": "+",
    "├": "+", "┤": "+", "┬": "+", "┴": "+", "┼": "+", "▌": "|", "▐": "|", "▊": "|", "▎": "|", "▁": "_", "▂": "_",
    "▃": "_", "▄": "#", "▅": "#", "▆": "#", "▇": "#", "▀": "#", "⌈": "ceil(", "⌉": ")",
    "⌊": "floor(", "⌋": ")", " ": " ", "›": ">",
}  # fmt: skip
_SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-", strict=True))


def nearest(error: UnicodeError) -> tuple[str | bytes, int]:
    """Error handler for codecs: what cannot be written becomes its nearest ASCII, else a question mark."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    out = ""
    text = error.object[error.start : error.end]
    for place, letter in enumerate(text):
        if letter in _SUPERSCRIPTS:
            before = text[place - 1] if place else error.object[error.start - 1 : error.start]
            out += _SUPERSCRIPTS[letter] if before and before in _SUPERSCRIPTS else "^" + _SUPERSCRIPTS[letter]
        else:
            out += _NEAREST.get(letter, "?")
    return out, error.end
