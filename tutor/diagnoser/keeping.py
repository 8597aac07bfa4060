"""A scenario or a report as a file: what it holds, where it goes, and never over another one unasked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from content.lang import Lang

if TYPE_CHECKING:
    from engine.diagnosis.model import Report

Kind = Literal["scenario", "markdown", "json"]
KINDS: dict[Kind, str] = {"scenario": "scenario.json", "markdown": "diagnosis.md", "json": "diagnosis.json"}
"""What can be kept, and the name that it is offered under."""


class Exists(Exception):
    """A file of this name is there already."""


def text(kind: Kind, report: Report, lang: Lang) -> str:
    """What the file holds. Raises ``ValueError`` for a scenario that cannot be written down, with the sentence."""
    if kind == "scenario":
        from content.diagnosing import words
        from engine.diagnosis import scenario

        try:
            return json.dumps(scenario.export(report.scenario), ensure_ascii=False, indent=2) + "\n"
        except scenario.ScenarioProblem as problem:
            raise ValueError(words.problem(problem.reason, problem.field, problem.params, lang)) from problem
    from content import diagnosis

    if kind == "markdown":
        return diagnosis.markdown(report, lang)
    return json.dumps(diagnosis.document(report), ensure_ascii=False, indent=2) + "\n"


def write(typed: str, content: str, *, over: bool = False) -> Path:
    """Write a file, whole or not at all.

    Raises:
        Exists: there is one, and ``over`` is not said.
        OSError: it cannot be written.
    """
    path = Path(typed).expanduser()
    if over:
        beside = path.with_name(f"{path.name}.new")
        beside.write_text(content, encoding="utf-8")
        beside.replace(path)
        return path
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(content)
    except FileExistsError as error:
        raise Exists(str(path)) from error
    return path
