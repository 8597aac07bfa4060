"""A command's parser: argparse, with every argument declared once for parsing, help, completion and did-you-mean."""

from __future__ import annotations

import argparse
from collections import deque
from collections.abc import Sequence
from typing import Any, NamedTuple, NoReturn

from tutor.commands.context import Refusal, quoted, unknown

GLOBAL = ("--lang", "--json", "--help", "--version")
"""Options that every command knows; the command line takes them out before a command's parser sees it."""

_WORD = "\0"
"""Set before a word that begins with one dash, so that argparse takes it for a word; no argument can contain it."""


class Declared(NamedTuple):
    """One argument as help shows it: how it is written, and the key of its meaning; without a key it is not shown."""

    written: str
    key: str
    option: str = ""


class Parser(argparse.ArgumentParser):
    """Splits the words of one command. What is wrong is a ``Refusal`` in our own words, never argparse's English."""

    def __init__(self, command: str) -> None:
        super().__init__(
            prog=f"llm-tutor {command}",
            add_help=False,
            allow_abbrev=False,
            exit_on_error=False,
            formatter_class=_formatter,
        )
        self.command = command
        self.declared: list[Declared] = []
        self._dashed: set[str] = set()
        self._free = False
        """Whether a word is free text, in which blanks are likely."""
        self._single: set[str] = set()
        self._swallowing: set[str] = set()
        self._valued: dict[str, str] = {}
        """Options that have a value, with the value of the option alone; "" where that is refused."""

    def word(self, name: str, shown: str, *, many: bool = False, dash: bool = False) -> None:
        """A positional word, or all that remain. None is required here: the command says itself what is missing.

        With ``dash`` it may begin with a dash: an answer may be negative.
        """
        if dash:
            self._dashed.add(name)
            self._free = True
        self.declared.append(Declared(shown, f"cli.{self.command}.args.{name}"))
        self.add_argument(name, nargs="*" if many else "?", metavar=shown)

    def flag(self, option: str) -> None:
        """An option without a value."""
        self._declare(option, option)
        self.add_argument(option, action="store_true")

    def value(
        self, option: str, shown: str, *, dash: bool = False, many: bool = False, told: bool = True, bare: str = "",
        dashes: bool = False,
    ) -> None:  # fmt: skip
        """An option with a value; with ``many`` it may be repeated, and its values are a list.

        With ``dash`` it may begin with a dash, to be refused as a value and no option. Of one that is not ``told`` help
        says only the name. ``bare`` is the value of the option alone; without it, that is refused.
        With ``dashes`` the word behind it is its value even where it looks like an option: a flag of another program.
        """
        if dashes:
            self._swallowing.add(option)
        if not many:
            self._single.add(option)
        self._valued[option] = bare
        if dash:
            self._dashed.add(option.lstrip("-").replace("-", "_"))
        self._declare(option, f"{option} {shown}", told)
        alone: dict[str, Any] = {"nargs": "?", "const": bare} if bare else {}
        self.add_argument(option, metavar=shown, action="append" if many else "store", **alone)

    def _declare(self, option: str, written: str, told: bool = True) -> None:
        key = option.lstrip("-").replace("-", "_")
        self.declared.append(Declared(written, f"cli.{self.command}.args.{key}" if told else "", option))

    def error(self, message: str) -> NoReturn:
        """What argparse itself would say; our declarations leave it nothing to say."""
        raise Refusal("cli.error.usage", detail=message)

    def split(self, words: Sequence[str]) -> argparse.Namespace:
        """The values of a command's words. Raises ``Refusal``: unknown option, missing value, a word too many."""
        end = words.index("--") if "--" in words else len(words)
        own, rest = self._joined(words[:end]), words[end:]
        self._refuse_repeated(own)
        options, others = self._apart(own)
        try:
            args, extra = self.parse_known_args([*map(_marked, [*options, *others]), *rest])
        except argparse.ArgumentError as error:
            raise Refusal("cli.error.needs_value", option=error.argument_name or "") from error
        for word in extra:
            if word.startswith("--"):
                raise self._no_option(word)
            key = "cli.error.too_many_blanks" if self._free else "cli.error.too_many"
            raise Refusal(key, text=quoted(_unmarked(word)), command=self.command)
        for key, value in vars(args).items():
            if key not in self._dashed:
                for word in value if isinstance(value, list) else [value]:
                    if isinstance(word, str) and word.startswith(_WORD):
                        raise self._no_option(_unmarked(word))
            setattr(args, key, _unmarked(value))
        return args

    def _joined(self, words: Sequence[str]) -> list[str]:
        """The words with the values of options that swallow dashes put to them."""
        out: list[str] = []
        for word in words:
            if out and out[-1] in self._swallowing and word.startswith("-"):
                out[-1] = f"{out[-1]}={word}"
            else:
                out.append(word)
        return out

    def _apart(self, words: Sequence[str]) -> tuple[list[str], list[str]]:
        """Options, each in one piece with its value, and the other words: argparse wants those without a gap.

        Raises ``Refusal`` for an option without its value.
        """
        options: list[str] = []
        others: list[str] = []
        waiting = deque(words)
        while waiting:
            word = waiting.popleft()
            if word in self._valued:
                word = f"{word}={self._value_of(word, waiting)}"
            (options if _is_option(word) else others).append(word)
        return options, others

    def _value_of(self, option: str, waiting: deque[str]) -> str:
        """The value of an option, taken from the words behind it."""
        if waiting and not _is_option(waiting[0]):
            return _marked(waiting.popleft())
        if not self._valued[option]:
            raise Refusal("cli.error.needs_value", option=option)
        return self._valued[option]

    def _refuse_repeated(self, words: Sequence[str]) -> None:
        """Raise for an option of one value that is given twice: one of the two would be lost."""
        seen: set[str] = set()
        for word in words:
            name = word.partition("=")[0]
            if name in seen:
                raise Refusal("cli.error.option_twice", option=name)
            if name in self._single:
                seen.add(name)

    def _no_option(self, word: str) -> Refusal:
        known = [declared.option for declared in self.declared if declared.option]
        return unknown("option", word.partition("=")[0], [*known, *GLOBAL])


def _formatter(prog: str) -> argparse.HelpFormatter:
    """argparse asks for one at every argument; without a width it would import shutil to measure the terminal."""
    return argparse.HelpFormatter(prog, width=80)


def _is_option(word: str) -> bool:
    """Whether argparse takes a word for an option."""
    return word.startswith("--") and (" " not in word or "=" in word.partition(" ")[0])


def _marked(word: str) -> str:
    return _WORD + word if word[:1] == "-" and word[1:2] != "-" and word != "-" else word


def _unmarked(value: Any) -> Any:
    if isinstance(value, list):
        return [_unmarked(item) for item in value]
    return value.removeprefix(_WORD) if isinstance(value, str) else value
