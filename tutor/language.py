"""Which language the tutor speaks: the flag, then `LLM_TUTOR_LANG`, then the saved choice, then English.

The locale never decides: it only proposes an answer when the app asks at its first start.
"""

import os

from content.lang import LANGS, Lang, lang_of

__all__ = ["LANGS", "VARIABLE", "Lang", "UnknownLanguage", "choose", "other", "parse", "propose"]

VARIABLE = "LLM_TUTOR_LANG"


class UnknownLanguage(Exception):
    """A language name that we do not have; ``where`` is the flag or the variable that held it."""

    def __init__(self, text: str, where: str) -> None:
        super().__init__(text, where)
        self.text, self.where = text, where


def parse(text: str, where: str) -> Lang:
    """The language that ``text`` names. Raises ``UnknownLanguage``, which remembers ``where`` the text stood."""
    lang = lang_of(text)
    if lang is None:
        raise UnknownLanguage(text, where)
    return lang


def choose(flag: str | None, variable: str | None, saved: Lang | None) -> Lang:
    """The language of this run. Raises ``UnknownLanguage`` for a flag or variable that names none of ours."""
    if flag is not None:
        return parse(flag, "--lang")
    if variable:
        return parse(variable, VARIABLE)
    return saved or "en"


def propose() -> Lang:
    """What the locale suggests; the app offers it as the first answer of its one question."""
    locale = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return "hi-Latn" if locale.lower().startswith(("hi_", "hi-", "hi.")) or locale == "hi" else "en"


def other(lang: Lang) -> Lang:
    """The language that the switch leads to."""
    return "en" if lang == "hi-Latn" else "hi-Latn"
