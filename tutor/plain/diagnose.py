"""The diagnoser in plain lines: a report, a lever's before and after, and a form asked line by line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from content.lang import Lang
from content.words import say
from tutor.commands.context import DONE, NEGATIVE

if TYPE_CHECKING:
    from engine.diagnosis.model import Report
    from tutor.plain.terminal import Terminal

ASKED = (
    "model", "gpu", "gpus", "link", "weights", "kv", "engine", "max_model_len", "prompt", "output", "concurrency",
    "ttft", "tpot", "throughput",
)  # fmt: skip
"""Inputs that a form in lines asks for, in this order; the rest are options."""


def lines(report: Report, lang: Lang) -> list[str]:
    """The whole report."""
    from content import diagnosis

    return diagnosis.lines(report, lang)


def compared(before: Report, after: Report, lever: str, lang: Lang) -> Iterator[str]:
    """What changes with a lever: the verdict and the figures, before and after."""
    from content import diagnosis

    yield ""
    yield say("cli.diagnose.after", lang, lever=diagnosis.named("lever", lever, lang))
    was, now = ({row.name: row for row in diagnosis.text(one, lang) if row.kind == "row"} for one in (before, after))
    yield f"  {diagnosis.wall_text(before, lang)}  ->  {diagnosis.wall_text(after, lang)}"
    for name in dict.fromkeys((*was, *now)):
        old, new = (row[name].value if name in row else "-" for row in (was, now))
        if old != new:
            yield f"  {(now.get(name) or was[name]).label}: {old}  ->  {new}"


def asked(terminal: Terminal, lang: Lang) -> int:
    """A form, one line at a time; an empty line leaves it open. 1 where nothing was said."""
    from engine.diagnosis import judge, scenario
    from engine.diagnosis.fields import BY_NAME, ScenarioProblem

    terminal.say(say("cli.diagnose.ask_more", lang))
    given: dict[str, object] = {}
    try:
        for name in ASKED:
            _ask(terminal, lang, BY_NAME[name].name, given)
        symptom = terminal.ask(f"{say('cli.diagnose.args.symptom', lang)}:")
        if symptom:
            given["symptoms"] = [symptom]
    except (EOFError, KeyboardInterrupt):
        terminal.say()
    if not given:
        terminal.say(say("cli.diagnose.nothing", lang))
        return NEGATIVE
    try:
        report = judge.diagnose(scenario.build(given))
    except ScenarioProblem as problem:
        from content import diagnosis

        terminal.say(diagnosis.problem(problem.reason, problem.field, problem.params, lang))
        return NEGATIVE
    terminal.say()
    for line in lines(report, lang):
        terminal.say(line)
    return NEGATIVE if report.findings[0].cause == "unknown" else DONE


def _ask(terminal: Terminal, lang: Lang, name: str, given: dict[str, object]) -> None:
    """One input, asked again until it can be used; what is impossible is said at once and costs nothing."""
    from content import diagnosis
    from engine.diagnosis import scenario
    from engine.diagnosis.fields import ScenarioProblem

    while text := terminal.ask(f"{diagnosis.field(name, lang)} ({say(f'cli.diagnose.args.{name}', lang)}):"):
        try:
            read = scenario.build({**given, name: text})
        except ScenarioProblem as problem:
            terminal.say(diagnosis.problem(problem.reason, problem.field, problem.params, lang))
            continue
        wrong = next((one for one in read.unread if one.field == name), None)
        if wrong is None:
            given[name] = text
            return
        terminal.say(diagnosis.unread(*wrong, lang))
