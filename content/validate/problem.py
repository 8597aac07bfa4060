"""One thing that is wrong with a course, and its sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from content.lang import Lang
from content.words import has, put, say
from content.words import text as words


class Problem(NamedTuple):
    """One thing that is wrong.

    Attributes:
        file: the file, relative to the content folder.
        line: where in it, from 1; 0 when the file itself is the problem.
        reason: an id, with its sentence in ``words/validation.toml``.
        where: ids that lead to the place, outermost first ("L2.1", "kv", "hints").
        params: values for the sentence.
    """

    file: str
    line: int
    reason: str
    where: tuple[str, ...]
    params: Mapping[str, str]

    @property
    def id(self) -> str:
        """The reason, under the name that JSON output gives it."""
        return self.reason

    def sentence(self, lang: Lang) -> str:
        """What is wrong, with the place inside the file."""
        params = {name: _shown(value) for name, value in self.params.items()}
        exact = f"validation.reason.{self.reason}-close"
        key = exact if params.get("close") and has(exact) else f"validation.reason.{self.reason}"
        text = put(words(key)[lang], params)
        return say("validation.at", lang, place=_shown(" / ".join(self.where)), text=text) if self.where else text

    def text(self, lang: Lang) -> str:
        """The line that a person or an editor reads: ``file:line: sentence``."""
        place = _shown(f"{self.file}:{self.line}" if self.line else self.file)
        return f"{place}: {self.sentence(lang)}"


def _shown(value: str) -> str:
    """Somebody's text in a line of ours: nothing in it that a terminal would obey, and not endless."""
    text = "".join(letter if letter.isprintable() else "�" for letter in str(value))
    return text if len(text) <= 200 else f"{text[:197]}..."


def message(problem: Problem, lang: Lang) -> str:
    """As :meth:`Problem.sentence`."""
    return problem.sentence(lang)
