"""A scenario or a report as a file: what it holds, where it goes, and never over another one unasked."""

from __future__ import annotations

import errno
import json
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from content.lang import Lang
from tutor.commands.files import replace
from tutor.diagnoser.form import FormState, line

if TYPE_CHECKING:
    from engine.artefacts.evidence import Evidence
    from engine.diagnosis.model import Report

Kind = Literal["scenario", "markdown", "json"]
KINDS: dict[Kind, str] = {"scenario": "scenario.json", "markdown": "diagnosis.md", "json": "diagnosis.json"}
"""What can be kept, and the name that it is offered under."""


OTHERS = (".md", ".markdown", ".json")
"""Ends of names that say what a file holds."""


def misnamed(kind: str, typed: str) -> bool:
    """Whether a name ends as that of another kind of file: JSON in "report.md", a report to read in "report.json"."""
    end = Path(typed.strip().lower()).suffix
    return end in OTHERS and (end == ".json") != (kind != "markdown")


class Exists(Exception):
    """A file of this name is there already."""


def text(kind: Kind, report: Report, lang: Lang, evidence: Evidence | None = None) -> str:
    """What the file holds; in a report also what was read in logs and the like.

    Raises ``ValueError`` for a scenario that cannot be written down, with the sentence.
    """
    if kind == "scenario":
        from content.diagnosing import words
        from engine.diagnosis import scenario

        try:
            return json.dumps(scenario.export(report.scenario), ensure_ascii=False, indent=2) + "\n"
        except scenario.ScenarioProblem as problem:
            raise ValueError(words.problem(problem.reason, problem.field, problem.params, lang)) from problem
    from content import diagnosis

    if kind == "markdown":
        return diagnosis.markdown(report, lang, evidence)
    return json.dumps(diagnosis.document(report, evidence), ensure_ascii=False, indent=2) + "\n"


def redacted(kind: Kind, whole: str) -> str:
    """The text of a file without hosts, paths and people."""
    from tutor.diagnoser import redact

    if kind == "markdown":
        return redact.text(whole)
    return json.dumps(redact.document(json.loads(whole)), ensure_ascii=False, indent=2) + "\n"


def remember(path: Path, state: FormState) -> None:
    """Keep what stands in the form for the next start, for this reader alone and without secrets; an example that was
    only looked at is not kept, and a folder that cannot be written keeps nothing."""
    beside = path.with_name(f"{path.name}.new")
    with suppress(OSError):
        if path.exists() or state.values or state.rest:
            path.parent.mkdir(parents=True, exist_ok=True)
            beside.unlink(missing_ok=True)  # one that was left may be everybody's to read
            with open(beside, "x", encoding="utf-8", opener=_private) as file:
                file.write(told(state))
            beside.replace(path)


def told(state: FormState) -> str:
    """What is kept of a form: what was typed, and nothing of a log or a file."""
    from tutor.diagnoser import discreet

    given = {} if state.looked_at else state.values
    values = {name: text for name, text in ((name, discreet.text(held)) for name, held in given.items()) if text}
    return json.dumps({"values": values, "rest": discreet.known(state.rest)}, ensure_ascii=False, default=str)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def recalled(path: Path) -> FormState:
    """The form as it was left; an empty one where nothing, or nothing readable, was kept."""
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
        values, rest = held["values"], held["rest"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return FormState()
    if not isinstance(values, dict) or not isinstance(rest, dict):
        return FormState()
    known = {name: line(text) for name, text in values.items() if isinstance(text, str)}
    return FormState(known, rest, kept=frozenset(known))


def write(typed: str, content: str, *, over: bool = False) -> Path:
    """Write a file, whole or not at all.

    Raises:
        Exists: there is one, and ``over`` is not said.
        OSError: it cannot be written, or is a folder or a device.
    """
    path = Path(typed).expanduser()
    if path.exists() and not path.is_file():
        code = errno.EISDIR if path.is_dir() else errno.EINVAL
        raise OSError(code, os.strerror(code))
    if over:
        replace(Path(os.path.realpath(path)), content)
        return path
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(content)
    except FileExistsError as error:
        raise Exists(str(path)) from error
    return path
