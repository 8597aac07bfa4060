"""One thing that is wrong with a course, and its sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from content.lang import Lang
from content.words import put, say
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
        text = put(words(f"validation.reason.{self.reason}")[lang], dict(self.params))
        return say("validation.at", lang, place=" / ".join(self.where), text=text) if self.where else text

    def text(self, lang: Lang) -> str:
        """The line that a person or an editor reads: ``file:line: sentence``."""
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.sentence(lang)}"


def message(problem: Problem, lang: Lang) -> str:
    """As :meth:`Problem.sentence`."""
    return problem.sentence(lang)
