"""The probe's numbers and sentences in the reader's language. The words of a run are the content's."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from content.lang import Lang
from content.words import say
from tutor.diagnoser.speech import Speech


@dataclass(frozen=True)
class ProbeSpeech:
    """How to say things: the language, and whether in ASCII."""

    lang: Lang
    ascii: bool = False

    def tell(self, key: str, **params: object) -> str:
        """Words of this screen."""
        return self.plain(say(f"app.probe.{key}", self.lang, **params))

    def told(self, key: str, **params: object) -> str:
        """Words of a run: ``told("stage.ramp")``."""
        return self.plain(say(f"probe.{key}", self.lang, **params))

    def figure(self, key: str, **params: object) -> str:
        """Words of the figures: ``figure("decode-curve.axis")``; the curve has them in the lessons too."""
        return self.plain(say(f"figures.{key}", self.lang, **params))

    def amount(self, value: float, unit: str, digits: int = 3) -> str:
        """A number of a run, in a unit that reads well."""
        from content.diagnosing import words

        return self.plain(words.quantity(Fraction(value).limit_denominator(10**15), unit, self.lang, digits))

    def plain(self, text: str) -> str:
        """In the characters that this terminal has."""
        return Speech(self.lang, self.ascii).plain(text)
