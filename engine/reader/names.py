"""What the words of a text may name: units and counts, or the symbols of a formula."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


class Names:
    """What the words of a text may name.

    Args:
        symbols: accepted spelling -> symbol. ``None`` takes every identifier as a symbol (formula texts).
        units: whether words may be units.
        known: spellings of symbols whose numbers are asked for, so that they can be named where one was typed.
        echoes: what the question itself asks for ("larger", "most" ...); words that repeat it say nothing.
        parts: whether a share may be the answer: then "128 mein se 8" is one.
    """

    def __init__(
        self,
        symbols: Mapping[str, str] | None = None,
        *,
        units: bool = True,
        known: Iterable[str] = (),
        echoes: Iterable[str] = (),
        parts: bool = False,
    ) -> None:
        self.any = symbols is None and not units
        self.symbols = symbols or {}
        self.units = units
        self.known = frozenset(known)
        self.echoes = frozenset(echoes)
        self.parts = parts
        self._alike = _alike(self.symbols) if not units else {}
        self._longest = sorted({**self._alike, **self.symbols}, key=len, reverse=True)

    def symbol(self, word: str) -> str | None:
        """The symbol that a whole word names."""
        if self.any:
            return word
        return self.symbols.get(word) or self.symbols.get(word.lower()) or self._alike.get(word.lower())

    def split(self, word: str) -> list[str] | None:
        """The symbols of glued names ("BSLd_model"), longest known name first, or ``None``."""
        found: list[str] = []
        while word:
            name = next((n for n in self._longest if word.startswith(n)), None)
            if name is None:
                return None
            found.append(self.symbols.get(name) or self._alike[name])
            word = word[len(name) :]
        return found


def _alike(symbols: Mapping[str, str]) -> dict[str, str]:
    """Lower-case spelling -> the one symbol that it can mean ("b" is B where nothing else is called b)."""
    meant: dict[str, set[str]] = {}
    for spelling, symbol in symbols.items():
        meant.setdefault(spelling.lower(), set()).add(symbol)
    return {spelling: next(iter(found)) for spelling, found in meant.items() if len(found) == 1}
