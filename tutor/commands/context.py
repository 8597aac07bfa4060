"""What every command gets: the language, the output, and the way to refuse an input."""

from __future__ import annotations

import codecs
import io
import os
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

from tutor import language
from tutor.ascii import FOLDED, folded
from tutor.language import LANGS, Lang

if TYPE_CHECKING:
    from tutor.settings import Settings

_LINE_ENDS = "\x7f" + "".join(
    map(chr, (*range(0x80, 0xA0), 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A)))
)
"""Characters at which many programs end a line, and the one control character that JSON does not escape."""

DONE, NEGATIVE, UNUSABLE = 0, 1, 2
"""Exit statuses: done; the honest negative (a wrong answer, an invalid course); an input that cannot be used."""


class Words:
    """A value of a sentence that is itself words of ours, said in the language of the sentence."""

    def __init__(self, key: str, **params: object) -> None:
        self.key, self.params = key, params

    def text(self, lang: Lang) -> str:
        """The words."""
        from content.words import say

        return say(self.key, lang, **_said(self.params, lang))


def _said(params: Mapping[str, object], lang: Lang) -> dict[str, object]:
    """Values of a sentence, those that are words of ours in its language."""
    return {name: value.text(lang) if isinstance(value, Words) else value for name, value in params.items()}


class Refusal(Exception):
    """An input that cannot be used: the key of one sentence that says what and where, and its values."""

    def __init__(self, key: str, **params: object) -> None:
        super().__init__(key, params)
        self.key, self.params = key, params

    def text(self, lang: Lang) -> str:
        """The sentence."""
        from content.words import say

        return say(self.key, lang, **_said(self.params, lang))

    def both(self) -> dict[str, str]:
        """The sentence in each language, as JSON carries it."""
        return {lang: self.text(lang) for lang in LANGS}


def unknown(kind: str, text: str, known: Iterable[str], **params: object) -> Refusal:
    """A refusal of a word that is none of ``known``, with the closest of them when one is close."""
    from difflib import get_close_matches

    options = tuple(known)
    lower = {option.lower(): option for option in options}
    close = [lower[word] for word in get_close_matches(text.lower(), lower, n=1)]
    key = f"cli.error.{kind}_close" if close else f"cli.error.{kind}"
    return Refusal(key, text=quoted(text), close="".join(close), known=", ".join(options), **params)


def quoted(text: str, limit: int = 60) -> str:
    """Somebody's text inside a sentence of ours: one line, printable, not endless, and never a hole."""
    line = "".join(letter if letter.isprintable() else "�" for letter in text) if text else '""'
    return line if len(line) <= limit else line[: limit - 3] + "..."


def quoted_path(text: str, limit: int = 80) -> str:
    """The same of a path: of one too long the middle is left out, for its end is the name of the file."""
    line = quoted(text, max(limit, len(text)))
    return line if len(line) <= limit else f"{line[: limit // 3]}...{line[limit // 3 + 3 - limit :]}"


class Context:
    """One run of a command."""

    def __init__(self, lang: str | None, json: bool) -> None:
        self._flag = lang
        self._lang: Lang | None = None
        self._settings: Settings | None = None
        self._folded = False
        self.json = json
        self.did: Words | None = None
        """What this run has changed, to be told where its output could not be written."""

    @property
    def flag(self) -> str | None:
        """What `--lang` said."""
        return self._flag

    @property
    def lang(self) -> Lang:
        """The language of this run, found out when first asked for: most of `--json` never asks."""
        if self._lang is None:
            self._lang = self._saved() or "en"
        return self._lang

    def settle(self) -> None:
        """Find out about the language as far as that costs nothing. Raises ``Refusal`` for one that we do not have."""
        variable = os.environ.get(language.VARIABLE)
        if self._flag is None and not variable:
            return
        try:
            self._lang = language.choose(self._flag, variable, None)
        except language.UnknownLanguage as error:
            self._lang = "en"  # the refusal itself must be said in something
            raise unknown("language", error.text, LANGS, where=error.where) from error

    def fold(self) -> None:
        """Write our signs in ASCII where the reader's settings say so; a JSON document keeps them, escaped or not.

        What is wrong with the settings is told by whoever uses them for more than this.
        """
        if self.json or not _is_kept():
            return
        from tutor import paths, settingsfile

        if settingsfile.glance(paths.settings_file()).ascii:
            codecs.register_error(FOLDED, folded)
            if isinstance(sys.stdout, io.TextIOWrapper) and _writes_utf8(sys.stdout):
                sys.stdout.reconfigure(encoding="ascii", errors=FOLDED)
            self._folded = True

    def _saved(self) -> Lang | None:
        return self.settings.language if _is_kept() else None

    @property
    def settings(self) -> Settings:
        """The saved settings; what is wrong with their file is told at the first look, in the language of this run."""
        if self._settings is None:
            from tutor import paths, settingsfile

            self._settings, problem = settingsfile.load(paths.settings_file())
            if problem:
                from tutor.problems import problem_text

                self.warn(problem_text(problem, self._lang or self._settings.language or "en"))
        return self._settings

    def say(self, key: str, /, **params: object) -> str:
        """Our words in the language of this run."""
        from content.words import say

        return say(key, self.lang, **params)

    def line(self, text: str = "") -> None:
        """One line, or several, of output."""
        sys.stdout.write(text + "\n")

    def prose(self, text: str) -> None:
        """A line of sentences: on a terminal it goes on below where words begin, in a pipe it stays one line."""
        if not sys.stdout.isatty():
            self.line(text)
            return
        import textwrap

        from tutor.commands.help import columns_of_output

        indent = text[: len(text) - len(text.lstrip())]
        width = max(columns_of_output(), 20)
        self.line(textwrap.fill(text, width, subsequent_indent=f"{indent}  ", break_on_hyphens=False))

    def document(self, value: Any) -> None:
        """The one JSON document of `--json`."""
        self.line(dumps(value, indent=2))

    def done(self, key: str, /, **params: object) -> None:
        """Say what was changed, where the output is text; and keep it in mind."""
        self.did = Words(key, **params)
        if not self.json:
            self.line(self.did.text(self.lang))

    def warn(self, text: str) -> None:
        """One line to the person, beside the output."""
        if self._folded:  # the stream itself stays as it is: screens are drawn there
            text = text.encode("ascii", FOLDED).decode("utf-8")
        with suppress(OSError, ValueError):  # nobody hears it; the exit status says it too
            sys.stderr.write(f"llm-tutor: {text}\n")

    def refuse(self, key: str, **params: object) -> NoReturn:
        """Give up: the input cannot be used."""
        raise Refusal(key, **params)


def _is_kept() -> bool:
    """Whether there are settings; to look spares their import. A home that may not be looked into has none to say."""
    from tutor import paths

    return paths.has_settings()


def _writes_utf8(stream: TextIO) -> bool:
    return (stream.encoding or "ascii").lower().replace("-", "") == "utf8"


def heard() -> bool:
    """Whether standard output leads anywhere: a closed one is replaced by the null device at the start."""
    return getattr(sys.stdout, "name", None) != os.devnull


def let_stdout_go() -> None:
    """Write to nowhere from now on, or Python would complain once more at its end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def dumps(value: Any, indent: int | None = None) -> str:
    """JSON that this standard output can carry: escaped where it knows only ASCII, and what some take for a line's end.

    Such characters stand in JSON only inside a text, where their escapes mean the same.
    """
    import json

    text = json.dumps(value, indent=indent, ensure_ascii=not _writes_utf8(sys.stdout))
    for sign in _LINE_ENDS:
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text
