"""What the command line names, as a scenario: files told apart by what they hold, options over them.

A scenario file is one under another only by rank: options win over it, it over what other files say, those over the
catalogue (the model's own numbers).
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tutor.commands.context import Refusal, quoted

if TYPE_CHECKING:
    from content.lang import Lang
    from engine.diagnosis.fields import ScenarioProblem
    from engine.diagnosis.model import Scenario, Unread

MOST = 64 * 2**20
"""Bytes of the largest file that is opened."""


def scenario(files: Sequence[str], options: Mapping[str, object]) -> Scenario:
    """The scenario of a command line. Raises ``Refusal``: a file that cannot be read, an impossible scenario."""
    from engine.diagnosis import scenario as read
    from engine.diagnosis.fields import ScenarioProblem
    from engine.diagnosis.model import Scenario

    found, place = Scenario(), ""
    _once(files)
    try:
        for name, text in sorted(map(_opened, files), key=lambda pair: _rank(*pair)):
            place = _shown(name)
            found = _with(found, place, name, text)
        place = ""
        return _checked(read.build(options, "options", found), found) if options else found
    except ScenarioProblem as problem:
        raise Impossible(problem, place) from problem


def _shown(name: str) -> str:
    """A file as sentences and sources call it."""
    return "standard input" if name == "-" else Path(name).name


def _once(files: Sequence[str]) -> None:
    """Raise ``Refusal`` for a file that is named twice: its lines would count twice."""
    seen: set[str] = set()
    for name in files:
        place = name if name == "-" else os.path.realpath(name)
        if place in seen:
            raise Refusal("cli.diagnose.file_twice", path=quoted(name))
        seen.add(place)


def _checked(built: Scenario, weaker: Scenario) -> Scenario:
    """A scenario, unless an option's value could not be read: who typed it just now can type it again.

    In a file such a value is told beside the verdict. Raises ``Refusal``.
    """
    from engine.diagnosis.fields import BY_NAME
    from engine.diagnosis.written import NOT_READ

    refused = frozenset((*NOT_READ, "unknown-format", "two-formats"))
    for one in built.unread:
        if one.reason in refused and one.field in BY_NAME and one not in weaker.unread:
            raise Unusable(one)
    return built


def _opened(name: str) -> tuple[str, str | None]:
    """A file's name and its text; no text for a folder, which only a model can be."""
    from tutor.commands.files import read_bytes

    if name != "-" and Path(name).is_dir():
        return name, None
    data = read_bytes(name, MOST)
    code = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8"  # a file that Windows wrote
    return name, data.decode(code, errors="replace").removeprefix("\ufeff")


def _rank(name: str, text: str | None) -> int:
    """Weakest first, so that what comes later wins."""
    from engine.diagnosis import scenario

    kind = "config" if text is None else scenario.kind_of(name, text)
    return ("words", "config", "command", "scenario").index(kind)


def _with(found: Scenario, shown: str, name: str, text: str | None) -> Scenario:
    from engine.diagnosis import scenario

    if text is None:
        return scenario.build({"model": name}, shown, found)
    kind = scenario.kind_of(name, text)
    if kind == "scenario":
        return scenario.build(scenario.load(text, shown), shown, found)
    if kind == "config":
        return scenario.build({"model": name}, shown, found) if name != "-" else _config(text, shown, found)
    if kind == "command":
        return scenario.build({"command": text}, shown, found)
    return _heard(found, shown, text)


def _heard(found: Scenario, shown: str, text: str) -> Scenario:
    """A file of words: what its sentences mean, and the figures of its lines."""
    from engine.diagnosis.model import Said, Unread
    from engine.diagnosis.symptoms import signals

    heard, tried = signals.read(text, shown), signals.tried(text)
    figures = {name: value for name, value in _figures(text).items() if getattr(found, name) is None}
    said = {**found.said, **dict.fromkeys(figures, Said("log", shown))}
    useful = bool(heard or tried or figures)
    told = Unread("file", shown, "words-only" if useful else "no-reader")
    return replace(
        found, signals=(*found.signals, *heard), tried=found.tried | tried, said=said, unread=(*found.unread, told),
        **figures,  # type: ignore[arg-type]  # names and types are those of the fields
    )  # fmt: skip


_FIGURED = 200
"""Lines at either end of a text that are read for figures."""


def _figures(text: str) -> dict[str, object]:
    """The figures of a log: those of the line with most requests, and what others say of the rest, the last one first.

    An idle server prints its statistics too, and the average of a night says nothing of the hour that went wrong.
    """
    from engine.diagnosis.fields import BY_ATTRIBUTE
    from engine.diagnosis.reading.kinds import impossible
    from engine.diagnosis.symptoms import measured

    lines = text.splitlines()
    if len(lines) > 2 * _FIGURED:
        lines = lines[:_FIGURED] + lines[-_FIGURED:]
    read = [one for one in (measured.read(line[:_LONG]) for line in reversed(lines) if _DIGIT.search(line)) if one]
    read.sort(key=lambda one: sum(one[name].value for name in ("running", "waiting") if name in one), reverse=True)
    found: dict[str, object] = {}
    for name, one in ((name, one) for line in read for name, one in line.items()):
        if name not in found and impossible(BY_ATTRIBUTE[name], one.value) is None:
            found[name] = one.value
    return found


_LONG = 1000
_DIGIT = re.compile(r"[0-9]")


def _config(text: str, shown: str, found: Scenario) -> Scenario:
    """A config.json that came through a pipe, and so has no path."""
    from engine.catalog import NoValues
    from engine.diagnosis.fields import ScenarioProblem
    from engine.diagnosis.model import Said
    from engine.diagnosis.reading import checkpoint

    try:
        model = checkpoint.parsed(text)
    except NoValues as error:
        raise ScenarioProblem("cannot-size", "model", {"name": shown, "key": error.detail, "file": shown}) from error
    return replace(found, model=model, model_name=model.id, said={**found.said, "model": Said("config", shown)})


class Unusable(Refusal):
    """An option whose value could not be read, said in the content's words."""

    def __init__(self, unread: Unread) -> None:
        super().__init__(f"diagnosis.unread.{unread.reason}")
        self._unread = unread

    def text(self, lang: Lang) -> str:
        """The sentence."""
        from content import diagnosis

        return f"{diagnosis.unread(*self._unread, lang)}."


class Impossible(Refusal):
    """A scenario that cannot be, said in the content's words, after the file's name where a file says it."""

    def __init__(self, problem: ScenarioProblem, place: str = "") -> None:
        super().__init__(f"diagnosis.problem.{problem.reason}")
        self._problem, self._place = problem, place

    def text(self, lang: Lang) -> str:
        """The sentence."""
        from content import diagnosis

        why = diagnosis.problem(self._problem.reason, self._problem.field, self._problem.params, lang)
        return f"{quoted(self._place)}: {why}" if self._place and self._place not in why else why
