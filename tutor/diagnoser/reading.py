"""What the command line names, as a scenario: files told apart by what they hold, options over them.

A scenario file is one under another only by rank: options win over it, it over what other files say, those over the
catalogue (the model's own numbers).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from tutor.commands.context import Refusal, quoted
from tutor.diagnoser.opening import Opened, Tell, opened

if TYPE_CHECKING:
    from content.lang import Lang
    from engine.artefacts.evidence import Artefact, Evidence
    from engine.diagnosis.fields import ScenarioProblem
    from engine.diagnosis.model import Scenario, Unread


class Gathered(NamedTuple):
    """What a command line names.

    Attributes:
        scenario: of all of it.
        evidence: everything that was read in files, by the names of observed quantities.
    """

    scenario: Scenario
    evidence: Evidence


def gathered(
    files: Sequence[str], options: Mapping[str, object], live: Sequence[Artefact] = (), tell: Tell | None = None
) -> Gathered:
    """The scenario of a command line.

    Args:
        files: names of files, folders of models, "-" for standard input.
        options: values by public names.
        live: what a running server said just now.
        tell: is told of a file that takes its time.

    Raises:
        Refusal: a file that cannot be read, an impossible scenario.
    """
    return together(opened(files, tell), options, live)


def together(files: Sequence[Opened], options: Mapping[str, object], live: Sequence[Artefact] = ()) -> Gathered:
    """What files, options and a running server say. Raises ``Refusal``: an impossible scenario."""
    from engine.artefacts.evidence import Evidence
    from engine.diagnosis import scenario as read
    from engine.diagnosis.fields import ScenarioProblem

    place = ""
    evidence = Evidence((*(one.artefact for one in files if one.artefact), *live))
    told = [one.artefact for one in files if one.artefact and one.kind in _SPOKEN]
    try:
        found = _fed((*told, *live))
        for one in files:
            place = one.shown
            found = _with(found, one)
        place = ""
        return Gathered(_checked(read.build(options, "options", found), found) if options else found, evidence)
    except ScenarioProblem as problem:
        raise Impossible(problem, place) from problem


_SPOKEN = ("words", "command")
"""Kinds of files in which a person may say something: around a start command too."""


def _fed(artefacts: Sequence[Artefact]) -> Scenario:
    """The scenario that logs, metrics and results tell."""
    from engine.artefacts import feed
    from engine.artefacts.evidence import Evidence
    from engine.diagnosis.model import Scenario

    return feed.scenario(Evidence(tuple(artefacts))) if artefacts else Scenario()


def scenario(files: Sequence[str], options: Mapping[str, object]) -> Scenario:
    """The scenario alone. Raises as :func:`gathered`."""
    return gathered(files, options).scenario


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


def _with(found: Scenario, one: Opened) -> Scenario:
    """A scenario with what a file says over it; logs and the like are in it already."""
    from engine.diagnosis import scenario
    from engine.diagnosis.fields import ScenarioProblem

    if one.text is None and one.kind == "config":
        return scenario.build({"model": one.name}, one.shown, found)
    if one.kind == "scenario":
        return scenario.build(scenario.load(one.text or "", one.shown), one.shown, found)
    if one.kind == "config":
        try:
            return _config(one, found) if _unnamed(one) else scenario.build({"model": one.name}, one.shown, found)
        except ScenarioProblem as problem:
            if _is_part(one, problem.reason):
                return found
            raise
    if one.kind == "command":
        return scenario.build({"command": one.text}, one.shown, found)
    return found


def _unnamed(one: Opened) -> bool:
    """Whether a config has no path that a model could be named by: it came through a pipe, or is named otherwise."""
    return one.name == "-" or not one.name.lower().endswith(".json")


def _is_part(one: Opened, reason: str) -> bool:
    """Whether a config lacks what a model needs, and says something all the same; what it lacks is noted there."""
    return reason == "missing-key" and one.artefact is not None and bool(one.artefact.found)


def _config(one: Opened, found: Scenario) -> Scenario:
    """A config.json that came through a pipe, and so has no path."""
    from engine.catalog import NoValues
    from engine.diagnosis.fields import ScenarioProblem
    from engine.diagnosis.model import Said
    from engine.diagnosis.reading import checkpoint

    try:
        model = checkpoint.parsed(one.text or "", f"{one.shown} (config)")  # no file has that name
    except NoValues as error:
        if _is_part(one, error.reason):
            return found
        about = {"name": one.shown, "key": error.detail, "file": one.shown}
        raise ScenarioProblem("cannot-size", "model", about) from error
    return replace(found, model=model, model_name=model.id, said={**found.said, "model": Said("config", one.shown)})


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
