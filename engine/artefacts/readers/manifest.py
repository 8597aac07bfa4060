"""The words that a compose file or a pod's manifest starts a container with.

They are gathered line by line, not parsed as YAML, for what people paste is a part of one.
"""

from __future__ import annotations

import re
import shlex
from typing import NamedTuple

from engine.artefacts.text import Line

_KEY = re.compile(r"(?P<indent>\s{0,80}(?:- {1,4})?)(?P<key>image|command|args|entrypoint): {0,8}(?P<value>.*)$")
_ITEM = re.compile(r"(?P<indent>\s{0,80})- {1,8}(?P<value>.*)$")
_SHELLS = ("sh", "bash", "/bin/sh", "/bin/bash")
_IMAGE = re.compile(r"[\w.-]{1,80}(?:[/:][\w.-]{1,80}){0,6}(?:@sha256:[0-9a-f]{1,64})?")
_LINES = 200


class Started(NamedTuple):
    """A container's command, as a line of a shell, the line where it begins, and whether its last one is ended."""

    text: str
    line: Line
    ended: bool


class Manifest:
    """Gathers an image and the words behind it.

    Attributes:
        open: whether a list or a block goes on, so that every next line is to be added.
    """

    def __init__(self) -> None:
        self.open = False
        self._image = ""
        self._words: dict[str, list[str]] = {}
        self._first: Line | None = None
        self._ended = True
        self._key, self._indent, self._left, self._inline = "", 0, 0, False

    def begins(self, text: str) -> bool:
        """Whether a line begins another container than the one whose words are held."""
        found = _KEY.match(text)
        return found is not None and bool(self._words) and (found["key"] == "image" or found["key"] in self._words)

    def add(self, line: Line) -> None:
        """Gather a line."""
        self._ended = line.ended
        found = _KEY.match(line.text)
        if found is not None and not found["value"].startswith("Namespace("):
            self._begin(found["key"], found["value"].strip(), len(found["indent"]), line)
        elif self.open:
            self._go_on(line.text)

    def started(self) -> Started | None:
        """What was gathered; ``None`` where there are no words."""
        words = [word for key in ("entrypoint", "command", "args") for word in self._words.get(key, [])]
        inner = _unwrapped(words)
        image = self._image if inner == words else ""  # a shell's script says which program it starts
        if self._first is None or not inner:
            return None
        text = " ".join(inner).replace("\n ", "\n")
        return Started(f"docker run {image} {text}" if image else text, self._first, self._ended)

    def _begin(self, key: str, value: str, indent: int, line: Line) -> None:
        self.open = False
        if key == "image":
            image = value.strip("'\"")
            self._image = image if _IMAGE.fullmatch(image) else ""
            return
        self._first = self._first or line
        self._key, self._indent, self._left = key, indent, _LINES
        words = self._words[key] = []
        self._inline = value.startswith("[")
        if value in ("", ">", "|", ">-", "|-", ">+", "|+"):
            self.open = True
        elif self._inline:
            self.open = "]" not in value
            words += _listed(value)
        else:
            words.append(f"{value[1:-1]}\n" if value[0] in "'\"" and value[-1] == value[0] else f"{value}\n")
            self.open = True

    def _go_on(self, text: str) -> None:
        self._left -= 1
        words, deep = self._words[self._key], len(text) - len(text.lstrip())
        item = _ITEM.match(text)
        if self._left <= 0 or not text.strip():
            self.open = bool(text.strip() == "" and self._left > 0 and not words)
        elif self._inline:
            words += _listed(text)
            self.open = "]" not in text
        elif item is not None and deep >= self._indent and not text.strip().startswith("--"):
            words += _item(item["value"].strip())
        elif text.strip() == "-":
            return
        elif deep > self._indent:
            words.append(text.strip() + "\n")
        else:
            self.open = False


def _listed(text: str) -> list[str]:
    """The items of a list in brackets, each as one word of a shell."""
    body = text.strip().removeprefix("[").partition("]")[0] if "{" not in text else text.strip().strip("[],")
    found = re.findall(r"\"((?:[^\"\\]|\\.){0,4000})\"|'([^']{0,4000})'|([^\s,'\"]{1,4000})", body)
    return [shlex.quote(next(part for part in one if part)) for one in found if any(one)]


def _item(value: str) -> list[str]:
    """An item of a list: one word, or a script of several."""
    if value[:1] in ("'", '"') and value[-1:] == value[:1] and len(value) > 1:
        value = value[1:-1]
    elif " #" in value:
        value = value.partition(" #")[0].rstrip()
    if value in (">", "|", ">-", "|-", ">+", "|+"):
        return []
    return [value if value.startswith("-") and " " in value and "{" not in value else shlex.quote(value)]


def _unwrapped(words: list[str]) -> list[str]:
    """The words without the shell that runs them: its script is the command."""
    if words and words[0].strip("'\"") in _SHELLS:
        words = words[1:]
        while words and re.fullmatch(r"-[a-z]{1,4}", words[0].strip("'\"")):
            words = words[1:]
        return [word[1:-1] if len(word) > 1 and word[0] == "'" == word[-1] else word for word in words]
    return words
