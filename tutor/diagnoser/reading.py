"""What the command line names, as a scenario: files told apart by what they hold, options over them.

A scenario file is one under another only by rank: options win over it, it over what other files say, those over the
catalogue (the model's own numbers).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tutor.commands.context import Refusal

if TYPE_CHECKING:
    from content.lang import Lang
    from engine.diagnosis.fields import ScenarioProblem
    from engine.diagnosis.model import Scenario

MOST = 64 * 2**20
"""Bytes of the largest file that is opened."""


def scenario(files: Sequence[str], options: Mapping[str, object]) -> Scenario:
    """The scenario of a command line. Raises ``Refusal``: a file that cannot be read, an impossible scenario."""
    from engine.diagnosis import scenario as read
    from engine.diagnosis.fields import ScenarioProblem
    from engine.diagnosis.model import Scenario

    found = Scenario()
    try:
        for name, text in sorted(map(_opened, files), key=lambda pair: _rank(pair[1])):
            found = _with(found, name, text)
        return read.build(options, "options", found) if options else found
    except ScenarioProblem as problem:
        raise Impossible(problem) from problem


def _opened(name: str) -> tuple[str, str | None]:
    """A file's name and its text; no text for a folder, which only a model can be."""
    from tutor.commands.files import read_bytes

    if name != "-" and Path(name).is_dir():
        return name, None
    return name, read_bytes(name, MOST).decode("utf-8", errors="replace").removeprefix("\ufeff")


def _rank(text: str | None) -> int:
    """Weakest first, so that what comes later wins."""
    from engine.diagnosis import scenario

    kind = "config" if text is None else scenario.kind(text)
    return ("words", "config", "scenario").index(kind)


def _with(found: Scenario, name: str, text: str | None) -> Scenario:
    from engine.diagnosis import scenario, signals
    from engine.diagnosis.model import Unread

    shown = "standard input" if name == "-" else Path(name).name
    if text is None:
        return scenario.build({"model": name}, shown, found)
    kind = scenario.kind(text)
    if kind == "scenario":
        return scenario.build(scenario.load(text, shown), shown, found)
    if kind == "config":
        return scenario.build({"model": name}, shown, found) if name != "-" else _config(text, shown, found)
    heard = signals.read(text, shown)
    found = replace(found, signals=(*found.signals, *heard), tried=found.tried | signals.tried(text))
    return replace(found, unread=(*found.unread, Unread("file", shown, "words-only" if heard else "no-reader")))


def _config(text: str, shown: str, found: Scenario) -> Scenario:
    """A config.json that came through a pipe, and so has no path."""
    from engine.catalog import NoValues
    from engine.diagnosis import checkpoint
    from engine.diagnosis.fields import ScenarioProblem
    from engine.diagnosis.model import Said

    try:
        model = checkpoint.parsed(text)
    except NoValues as error:
        raise ScenarioProblem("cannot-size", "model", {"name": shown, "key": error.detail}) from error
    return replace(found, model=model, model_name=model.id, said={**found.said, "model": Said("config", shown)})


class Impossible(Refusal):
    """A scenario that cannot be, said in the content's words."""

    def __init__(self, problem: ScenarioProblem) -> None:
        super().__init__(f"diagnosis.problem.{problem.reason}")
        self._problem = problem

    def text(self, lang: Lang) -> str:
        """The sentence."""
        from content import diagnosis

        return diagnosis.problem(self._problem.reason, self._problem.field, self._problem.params, lang)
