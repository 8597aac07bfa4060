"""What `llm-tutor diagnose` says and writes: the report, what a lever changes, what was read, redacted or as it is."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, NamedTuple

from tutor.commands.context import Context, Refusal, quoted_path, unknown

if TYPE_CHECKING:
    from engine.artefacts.evidence import Evidence
    from engine.diagnosis.model import Report
    from tutor.diagnoser.probed import Seen


class Answer(NamedTuple):
    """Everything that there is to say.

    Attributes:
        report: of the scenario.
        evidence: what was read in files.
        seen: what the card at hand measured.
        after: the report with a lever applied, and the lever.
    """

    report: Report
    evidence: Evidence
    seen: Seen | None = None
    after: tuple[Report, str] | None = None


def tell(context: Context, answer: Answer, redacted: bool) -> None:
    """Say it: as JSON, or as lines."""
    if context.json:
        whole = _document(answer)
        context.document(_redacted(whole) if redacted else whole)
        return
    text = "\n".join(_lines(answer, context))
    for line in (_redacted(text) if redacted else text).split("\n"):
        context.line(line)


def write(context: Context, args: argparse.Namespace, answer: Answer) -> None:
    """The files that were asked for; which they are is said beside the answer."""
    from tutor.commands.files import write_text
    from tutor.diagnoser import keeping

    as_json = args.report is not None and args.report.lower().endswith(".json")
    wanted: tuple[tuple[str | None, keeping.Kind], ...] = (
        (args.save, "scenario"), (args.report, "json" if as_json else "markdown"),
    )  # fmt: skip
    for name, kind in wanted:
        if name is None:
            continue
        text = keeping.text(kind, answer.report, context.lang, answer.evidence)
        if args.redact and kind != "scenario":  # one without its paths could not be opened again
            text = keeping.redacted(kind, text)
        if write_text(name, text):
            context.warn(context.say("cli.diagnose.wrote", path=quoted_path(name)))


def applied(lever: str | None, report: Report) -> tuple[Report, str] | None:
    """The report with a lever applied. Raises ``Refusal`` for one that is none, or changes nothing."""
    if lever is None:
        return None
    from engine.diagnosis import judge
    from engine.diagnosis.acting import levers

    name = lever_of(lever)
    changed = levers.applied(name, report)
    if changed is None:
        seen = next((one.gain for one in report.levers if one.id == name and one.published), None)
        if seen is not None:
            from content.diagnosing.words import factor

            raise Refusal("cli.diagnose.no_change_seen", lever=name, factor=factor(seen))
        from tutor.plain import diagnose

        missing = None if levers.LEVERS[name].act is None else diagnose.lacking(report.scenario)
        if missing is not None:
            raise Refusal("cli.diagnose.no_change_yet", lever=name, missing=missing)
        raise Refusal("cli.diagnose.no_change", lever=name)
    return judge.diagnose(changed), name


def lever_of(text: str) -> str:
    """The lever of a name. Raises ``Refusal`` for one that is none."""
    from engine.diagnosis.acting import levers

    name = text.strip().lower()
    if name not in levers.LEVERS:
        raise unknown("lever", text, tuple(levers.LEVERS))
    return name


# --- JSON ------------------------------------------------------------------------------------------------------------


def _document(answer: Answer) -> dict[str, Any]:
    from content import diagnosis
    from engine.diagnosis import questions

    whole = diagnosis.document(answer.report, answer.evidence, _measured(answer.seen))
    if answer.after is None:
        return whole
    after, lever = answer.after
    before = {name: whole[name] for name in ("phase", "wall", "walls", "ledger", "steps")}
    lacking = list(questions.lacking(answer.report.scenario))
    made = {"lever": lever, "before": before, "after": diagnosis.document(after), "lacking": lacking}
    return whole | {"what_if": made}


def _measured(seen: Seen | None) -> dict[str, Any] | None:
    """The measurement in the report's JSON."""
    if seen is None:
        return None
    from content import probing

    return probing.document(seen.result, at=seen.at) | {"own_step": seen.own}


# --- lines -----------------------------------------------------------------------------------------------------------


def _lines(answer: Answer, context: Context) -> list[str]:
    from tutor.plain import diagnose

    lang, made = context.lang, list[str]()
    if answer.after is not None:
        made += [*diagnose.compared(answer.report, *answer.after, lang), ""]
    made += diagnose.lines(answer.report, lang)
    made += diagnose.measured(answer.seen, lang)
    return made + diagnose.read(answer.evidence, lang)


def _redacted(whole: Any) -> Any:
    """Text or a document without hosts, paths and people."""
    from tutor.diagnoser import redact

    return redact.text(whole) if isinstance(whole, str) else redact.document(whole)
