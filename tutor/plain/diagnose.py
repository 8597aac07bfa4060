"""The diagnoser in plain lines: a report, a lever's before and after, and a form asked line by line."""

from __future__ import annotations

import os
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from content.lang import Lang
from content.words import has, say
from tutor.commands.context import DONE, NEGATIVE, Words

if TYPE_CHECKING:
    from content.diagnosis import Block
    from engine.artefacts.evidence import Evidence
    from engine.diagnosis.fields import Field
    from engine.diagnosis.model import Report, Scenario, Unread
    from tutor.diagnoser.probed import Seen
    from tutor.plain.terminal import Terminal

SYMPTOM = "symptoms"
ASKED = (
    SYMPTOM, "engine", "model", "gpu", "gpus", "link", "weights", "kv", "max_model_len", "gpu_memory_utilization",
    "max_num_seqs", "prompt", "output", "concurrency", "running", "waiting", "kv_usage", "ttft", "tpot", "throughput",
)  # fmt: skip
"""What a form in lines asks for, in this order: first what is wrong, last what was measured. The rest are options."""
WIDEST = 100
"""Columns that a line of a report takes at most."""


def width() -> int:
    """Columns of the terminal; those of plain lines where there is none, or one that tells no size."""
    from tutor.plain.terminal import WIDTH

    try:
        return min(os.get_terminal_size(1).columns, WIDEST) or WIDTH
    except (OSError, ValueError):
        return WIDTH


def lines(report: Report, lang: Lang) -> list[str]:
    """The whole report."""
    from content import diagnosis

    return diagnosis.lines(report, lang, width())


def read(evidence: Evidence, lang: Lang) -> list[str]:
    """What was read in files, line by line, and what follows from it; nothing where no file was."""
    if not evidence:
        return []
    from content.diagnosing import observed
    from content.diagnosis import wrapped
    from engine.artefacts.derived import derive

    follows = [observed.derived(one, lang) for one in derive(evidence)]
    room = width()
    made = ["", say("diagnosis.heading.read", lang), *observed.lines(evidence, lang, room)]
    if follows:
        made += ["", say("diagnosis.heading.follows", lang)]
        made += [line for one in follows for line in wrapped(one, room, "  ", "     ")]
    return made


def measured(seen: Seen | None, lang: Lang) -> list[str]:
    """What the card at hand measured, below a report; nothing where it measured nothing."""
    if seen is None:
        return []
    from content import probing
    from content.diagnosis import wrapped

    if seen.result.reached is None:
        return ["", *wrapped(probing.unused(seen.result, lang), width(), "", "   ")]
    return ["", *probing.drawn(probing.brief(seen.result, lang, seen.at, seen.own), width())]


# --- what if ---------------------------------------------------------------------------------------------------------


def compared(before: Report, after: Report, lever: str, lang: Lang) -> Iterator[str]:
    """What changes with a lever: what it sets, the verdict and the figures, before and after."""
    from content import diagnosis

    room = width()
    yield say("cli.diagnose.after", lang, lever=_name(before, lever, lang), id=lever)
    settings = "; ".join(_settings(before.scenario, after.scenario, lang))
    if settings:
        yield from diagnosis.wrapped(say("diagnosis.label.changes", lang, text=settings), room, "   ", "   ")
    walls = [diagnosis.wall_text(one, lang) for one in (before, after)]
    same = say("cli.diagnose.same_wall", lang, wall=walls[0]) if walls[0] == walls[1] else " → ".join(walls)
    yield from diagnosis.wrapped(f"{say('diagnosis.label.wall', lang)}: {same}", room, "   ", "      ")
    rows = [*_gained(before, lever, lang), *_changed(before, after, lang)]
    if rows:
        old = max(len(row[1]) for row in rows)
        yield from diagnosis.table([(name, f"{was.rjust(old)} → {now}", note) for name, was, now, note in rows], room)
    else:
        told = lacking(before.scenario) or Words("cli.diagnose.no_figure")
        yield from diagnosis.wrapped(told.text(lang), room, "   ", "   ")


def _name(before: Report, lever: str, lang: Lang) -> str:
    """A lever's name, with that of a second one where the report advises both."""
    from content import diagnosis

    advised = next((one for one in before.levers if one.id == lever and one.after is not None), None)
    return diagnosis.named("lever", lever, lang) if advised is None else diagnosis.title(advised, lang)


def lacking(scenario: Scenario) -> Words | None:
    """What is missing for a comparison, and the options that give it; ``None`` where nothing is."""
    from engine.diagnosis import questions
    from engine.diagnosis.fields import BY_NAME

    names = questions.lacking(scenario)
    if not names:
        return None
    what = [Words(f"cli.diagnose.without.{name}") for name in names]
    shown = {"gpu": scenario.gpu_options[:1]}
    given = [shown.get(name) or (say(f"diagnosis.field.{name}.example", "en"),) for name in names]
    how = " ".join(f'{BY_NAME[name].option} "{one[0]}"' for name, one in zip(names, given, strict=True))
    both = what[0] if len(what) == 1 else Words("cli.diagnose.without.both", one=what[0], two=what[1])
    return Words("cli.diagnose.lacking", what=both, how=how)


def _settings(before: Scenario, after: Scenario, lang: Lang) -> Iterator[str]:
    """What the lever sets: inputs that a scenario file would hold otherwise."""
    from content import diagnosis
    from content.diagnosing import setting
    from engine.diagnosis import scenario
    from engine.diagnosis.fields import BY_NAME

    was, now = (scenario.export(one) for one in (before, after))
    counted = (
        before.concurrency is None and before.running
    )  # what ran and waited is offered to the lever, not set by it
    for name in dict.fromkeys((*now, *was)):
        measured = name in BY_NAME and BY_NAME[name].group == "measured"  # before the lever; nobody sets it
        if (
            name not in _NOT_SET
            and not measured
            and not (counted and name == "concurrency")
            and was.get(name) != now.get(name)
            and not isinstance(now.get(name), dict | list)
        ):
            yield f"{diagnosis.field(name, lang)}: {setting.value(name, now.get(name), lang)}"


_NOT_SET = ("read", "symptoms")
"""What a saved scenario holds and no lever sets: how it was read, and what was seen before."""


def _changed(before: Report, after: Report, lang: Lang) -> Iterator[tuple[str, str, str, str]]:
    """Numbers that differ: name, before, after, and the loads of a step where they are not the same."""
    from content import diagnosis

    was, now = ({_kind(row): row for row in diagnosis.text(one, lang) if row.kind == "row" and "." not in row.name}
                for one in (before, after))  # fmt: skip
    absent = say("diagnosis.label.none", lang)
    for key in dict.fromkeys((*was, *now)):
        old, new = (row[key].value if key in row else absent for row in (was, now))
        name, told_once = key[0], key[0] == "longest" and not (key in was and key in now)  # it is the whole pool then
        if old != new and not told_once:
            yield (now.get(key) or was[key]).label, old, new, _loads(name, before, after, lang)


def _kind(row: Block) -> tuple[str, str]:
    """A row's name; what is missing and what is left over are two things of one name."""
    return row.name, row.label if row.name == "free" else ""


def _gained(before: Report, lever: str, lang: Lang) -> Iterator[tuple[str, str, str, str]]:
    """What the lever is weighed by and no row of the report shows: the output rate, the time between tokens."""
    from content import diagnosis

    effects = next((one.effects for one in before.levers if one.id == lever), ())
    for one in effects:
        if one.measure in _WEIGHED_BY:
            was, now = (diagnosis.quantity(amount.value, amount.unit, lang) for amount in (one.before, one.after))
            yield diagnosis.named("measure", one.measure, lang), was, now, ""


_WEIGHED_BY = ("output-rate", "token-time", "ttft", "pause", "demand", "request-seconds", "cost")


def _loads(name: str, before: Report, after: Report, lang: Lang) -> str:
    """What a step was computed for, before and after, where that is not the same: else its times are no comparison."""
    from content import diagnosis

    if name not in ("decode", "prefill"):
        return ""
    both = [getattr(one.timings, name) for one in (before, after)]
    said = ["" if one is None else diagnosis.step_load(name, one, lang) for one in both]
    return " → ".join(said) if all(said) and said[0] != said[1] else ""


def known(kind: str, lang: Lang) -> list[tuple[str, str]]:
    """What options take: ids of levers with their names, models with their parameters, cards with their memory."""
    from content import diagnosis
    from engine import catalog
    from engine.diagnosis.acting import levers

    if kind == "models":
        billions = ((one.id, Fraction(one.params) / 10**9) for one in catalog.models())
        return sorted((id, f"{float(size):.3g}B") for id, size in billions)
    if kind == "gpus":
        return [(one.name, diagnosis.quantity(Fraction(one.capacity), "bytes", lang)) for one in catalog.gpus()]
    return [(id, diagnosis.named("lever", id, lang)) for id in levers.LEVERS]


def listed(kind: str, lang: Lang) -> Iterator[str]:
    """The same as lines."""
    rows = known(kind, lang)
    yield say(f"cli.diagnose.{kind}", lang)
    widest = max(len(id) for id, _ in rows)
    yield from (f"   {id.ljust(widest)}  {name}" for id, name in rows)


# --- questions -------------------------------------------------------------------------------------------------------


def asked(terminal: Terminal, lang: Lang) -> int:
    """A form, one line at a time; an empty line leaves it open. 1 where nothing was said.

    Raises:
        KeyboardInterrupt: the person wants out; nothing is judged then.
    """
    from engine.diagnosis import judge, scenario
    from engine.diagnosis.fields import BY_NAME, ScenarioProblem

    terminal.say(say("cli.diagnose.ask_more", lang))
    given: dict[str, object] = {}
    try:
        for name in ASKED:
            if name == SYMPTOM:
                text = _answer(terminal, say("cli.diagnose.ask_symptom", lang), lang)
                given |= {SYMPTOM: [text]} if text else {}
            elif name != "link" or _several(given):
                _ask(terminal, lang, BY_NAME[name], given)
    except EOFError:  # ctrl+d: with what is there
        pass
    except KeyboardInterrupt:
        terminal.say()
        raise
    except _Left:
        return DONE
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
        terminal.write(line)
    return NEGATIVE if report.findings[0].cause == "unknown" else DONE


class _Left(Exception):
    """The person wants out, without a report."""


def _answer(terminal: Terminal, prompt: str, lang: Lang) -> str:
    """A typed line that is no order of ours; "?" says how the form works. Raises ``_Left`` for the word to leave."""
    while True:
        text = terminal.ask(prompt)
        if text.lower().removeprefix(":") in ("q", "quit", "exit", "bas"):
            raise _Left
        if text.lower().removeprefix(":") not in ("?", "h", "help", "madad"):
            return text
        terminal.say(say("cli.diagnose.ask_help", lang))


def _several(given: dict[str, object]) -> bool:
    """Whether there is more than one card, so that something joins them."""
    from engine.diagnosis import scenario
    from engine.diagnosis.fields import ScenarioProblem

    try:
        return (scenario.build(given).gpus or 1) > 1
    except ScenarioProblem:
        return False


def _prompt(field: Field, lang: Lang) -> str:
    """A field's name, with its choices or with how it may be written."""
    from content import diagnosis

    title, example = diagnosis.field(field.name, lang), f"diagnosis.field.{field.name}.example"
    if field.choices:
        return f"{title} ({', '.join(field.choices)}):"
    return f"{title} ({say('cli.diagnose.like', lang, example=say(example, lang))}):" if has(example) else f"{title}:"


def _ask(terminal: Terminal, lang: Lang, field: Field, given: dict[str, object]) -> None:
    """One input, asked again until it can be used; what is impossible is said at once and costs nothing."""
    from content import diagnosis
    from engine.diagnosis import scenario
    from engine.diagnosis.fields import TOLD, ScenarioProblem

    name = field.name
    while text := _answer(terminal, _prompt(field, lang), lang):
        try:
            read = scenario.build({**given, name: text})
        except ScenarioProblem as problem:
            terminal.say(diagnosis.problem(problem.reason, problem.field, problem.params, lang))
            continue
        wrong = next((one for one in read.unread if one.field == name and one.reason not in TOLD), None)
        if wrong is None and not (name == "gpu" and read.gpu is None and read.gpu_options):
            given[name] = text
            return
        terminal.say(_unusable(wrong, read, field, lang))


def _unusable(wrong: Unread | None, read: Scenario, field: Field, lang: Lang) -> str:
    """Why an answer cannot be used, with the names or choices that could be."""
    from content import diagnosis

    said = [] if wrong is None else [f"{diagnosis.unread(*wrong, lang)}."]
    names = read.gpu_options if field.name == "gpu" else field.choices
    if names and not all(name in " ".join(said) for name in names):
        said.append(say("cli.diagnose.which_of", lang, names=", ".join(names)))
    return " ".join(said)
