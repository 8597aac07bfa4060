"""The form in words: the fields that are shown, in groups, what is assumed for the others, and what is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from engine.units import grouped
from tutor.diagnoser.doors import Outcome
from tutor.diagnoser.form import FREE, GROUPS, MAIN, FormState
from tutor.diagnoser.speech import Speech
from tutor.widgets.field_rows import FormRow

if TYPE_CHECKING:
    from engine.catalog import Model
    from engine.diagnosis.fields import Field
    from engine.diagnosis.model import Conflict, Unread

FREE_GROUP = "free"
FORM = "form"
"""What conflicts call the form, see :func:`tutor.diagnoser.doors.diagnose`."""
TOLD_ELSEWHERE = frozenset(FREE)
"""Inputs that have no line among the fields."""


def shown(fields: Mapping[str, Field], state: FormState, *, every: bool | None = None) -> list[str]:
    """Names of the fields that have a line now, group by group: the usual ones first, then those that are set."""
    whole = state.every if every is None else every
    made: list[str] = []
    for group in GROUPS:
        names = [name for name, field in fields.items() if field.group == group and name not in TOLD_ELSEWHERE]
        usual = [name for name in MAIN if name in names]
        others = [name for name in names if name not in MAIN]
        made += [*usual, *(name for name in others if whole or state.values.get(name) or name == state.current)]
    return [*made, *FREE]


def rows(
    fields: Mapping[str, Field], names: Sequence[str], state: FormState, outcome: Outcome, failed: Outcome,
    speech: Speech, *, tight: bool = False,
) -> list[FormRow]:  # fmt: skip
    """The rows, with a heading over each group, and a gap above that unless it is to be tight."""
    assumed = _assumed(fields, outcome, speech)
    problems = {**_remarks(fields, outcome, failed, speech), **_problem(fields, failed, speech)}
    made: list[FormRow] = []
    before = ""
    for name in names:
        group = fields[name].group if name in fields and name not in FREE else FREE_GROUP
        if group != before:
            made += [FormRow()] if made and not tight else []
            made.append(FormRow(label=speech.tell("free") if group == FREE_GROUP else speech.group(group)))
            before = group
        text = state.values.get(name, "")
        hint = _hint(name, assumed, outcome)
        if name == state.current and name not in outcome.told:  # what counts is no example
            hint = "  ".join(part for part in (hint, speech.example(name)) if part)
        problem, remark = problems.get(name, ("", False))
        made.append(FormRow(name, speech.field(name), text, hint, problem, name not in FREE, remark))
    return made


def _hint(name: str, assumed: Mapping[str, str], outcome: Outcome) -> str:
    """What counts while a field is empty: what a log says, with its place, else what is assumed."""
    if name in outcome.told:
        return "  ".join(part for part in outcome.told[name] if part)
    return f"({assumed[name]})" if assumed.get(name) else ""


def _assumed(fields: Mapping[str, Field], outcome: Outcome, speech: Speech) -> dict[str, str]:
    """What is taken for a field that nothing is said about."""
    if outcome.report is None:
        return {}
    read, made = outcome.report.scenario, {}
    if read.model is not None and not read.stand_in:
        made = {name: grouped(value) for name, value in _numbers(read.model) if isinstance(value, int) and value}
    if read.weights is not None:
        made["weights"] = read.weights.name
    told = (one for one in outcome.report.assumed if one.name != "context")  # of a request, not of the model
    return made | {line_of(fields, one.name): speech.assumed_value(one) for one in told}


def _numbers(model: Model) -> Sequence[tuple[str, int | None]]:
    """What a model's own numbers are called in the form."""
    return (
        ("layers", model.layers), ("d_model", model.d_model), ("n_head", model.heads), ("n_kv_heads", model.kv_heads),
        ("d_head", model.head_dim), ("ffn", model.ffn), ("vocab", model.vocab), ("context", model.context),
    )  # fmt: skip


def _problem(fields: Mapping[str, Field], failed: Outcome, speech: Speech) -> dict[str, tuple[str, bool]]:
    """Why the scenario cannot be, under its field."""
    if failed.problem is None:
        return {}
    return {line_of(fields, failed.problem.field): (speech.problem(failed.problem), False)}


def _remarks(
    fields: Mapping[str, Field], outcome: Outcome, failed: Outcome, speech: Speech
) -> dict[str, tuple[str, bool]]:
    """Values that were put aside; nothing while they may be of an older text."""
    if outcome.report is None or failed.problem is not None:
        return {}
    read = outcome.report.scenario
    found = {name: (speech.against(one), True) for name, one in against(fields, outcome).items()}
    unread: dict[str, list[Unread]] = {}
    for one in read.unread:
        unread.setdefault(line_of(fields, one.field), []).append(one)
    found |= {name: (speech.unread_in(several), True) for name, several in unread.items()}
    if read.gpu is None and read.gpu_options:
        found["gpu"] = (speech.tell("which_card", names=", ".join(read.gpu_options)), True)
    return found


def against(fields: Mapping[str, Field], outcome: Outcome) -> dict[str, Conflict]:
    """What stands in the form against what logs and files say, by its line."""
    if outcome.report is None:
        return {}
    found = (one for one in outcome.report.scenario.conflicts if one.kept_source == FORM)
    return {line: one for one in found if (line := line_of(fields, one.field))}


def line_of(fields: Mapping[str, Field], name: str) -> str:
    """The line of the form that a name of the scenario is told in; "" where it has none."""
    if not name:
        return ""
    if name.startswith("flags"):
        return "flags"
    found = {"signals": "symptoms", "batch": "concurrency"}.get(name, name)
    if found in fields or found in FREE:
        return found
    return next((one.name for one in fields.values() if one.attribute == found), "")


def general(fields: Mapping[str, Field], failed: Outcome, speech: Speech, *, older: bool = False) -> str:
    """What is impossible, where no field of the form is to blame; and that the answer below it is an older one."""
    if failed.problem is None:
        return ""
    reason = "" if line_of(fields, failed.problem.field) else speech.problem(failed.problem)
    return " ".join(text for text in (reason, speech.tell("stale") if older else "") if text)
