"""The probe's page after a run: the verdict first, then levers, curve, ceilings, what changed, what to know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from tutor.commands.files import trouble
from tutor.figures.decode_curve import rise_text
from tutor.screens.probe_during import drawn
from tutor.screens.probe_speech import ProbeSpeech
from tutor.screens.probe_view import View
from tutor.widgets import decode_curve
from tutor.widgets.decode_curve import Band, Curve, Dot
from tutor.widgets.ink import ACCENT, QUIET, STRONG
from tutor.widgets.lines import Draw, Line, drawn_once, sentence, written

if TYPE_CHECKING:
    from content.probing import Row, Section
    from engine.probe.model import Result
    from tutor.screens.probe_doors import Finished

ORDER = ("case", "levers", "curve", "ceilings", "changes", "learn", "notes")
"""Sections below the head, as one wants to know them."""
NOTE = 24
"""Columns that a remark beside a number needs; with less it goes below."""


def after(view: View, speech: ProbeSpeech, again: str) -> list[Line]:
    """Everything that a run came to. ``again``: the key for another one."""
    from content.probing import sections

    finished = view.finished
    assert finished is not None
    outcome = finished.outcome
    found = {one.name: one for one in sections(outcome.result, speech.lang, outcome.changes, outcome.before, False)}
    made = [Line(draw=sentence(speech.plain(text), QUIET)) for text in _texts(found.get("head"))]
    ending = _ending(outcome.result, speech)
    if ending:
        made += [Line(), Line(draw=sentence(speech.plain(ending), f"{STRONG} {ACCENT}"))]
    for name in ORDER:
        if name not in found:
            continue
        section = found[name]._replace(texts=tuple(text for text in found[name].texts if text != ending))
        if section.rows or section.texts:
            made += [Line(), *_section(section, finished, view.own, speech)]
    if outcome.unkept is not None:
        reason = trouble(outcome.unkept).text(speech.lang)
        made += [Line(), Line(draw=sentence(speech.tell("not_kept", path=_path(), reason=reason), QUIET))]
    if view.can_start is not None:
        key = Content.assemble((again, ACCENT), f" {speech.tell('start_again')}")
        made += [Line(), Line(draw=written(key))]
    return [drawn_once(line) for line in made]


def _path() -> str:
    from tutor.probing import kept

    return str(kept.file())


def _texts(section: Section | None) -> Sequence[str]:
    return section.texts if section is not None else ()


def _ending(result: Result, speech: ProbeSpeech) -> str:
    """Why a run ended early or gives no verdict, which is the first thing to be told; "" for one that went well."""
    from content.probing import words

    run = result.run
    if run.failed is not None:
        return words.failed(*run.failed, speech.lang)
    if not result.usable:
        return words.blocked(result.blocked, speech.lang)
    stopped = run.ended is not None and run.ended.reason == "stop"
    return words.ended(run.ended, speech.lang) if stopped and run.ended is not None else ""


def _section(section: Section, finished: Finished, own: bool, speech: ProbeSpeech) -> list[Line]:
    made = [Line(draw=sentence(speech.plain(section.title), STRONG))] if section.title else []
    if section.name == "curve":
        made += _curve(curve_of(finished, own), speech)
    columns = _columns(section.rows)
    made += [Line(draw=_row(row, columns, speech)) for row in section.rows]
    texts, style = section.texts, QUIET if section.name in ("notes", "learn", "curve") else ""
    if section.name == "case" and texts:
        made.append(Line(draw=_verdict(texts[0], finished.outcome.result, speech)))
        texts = texts[1:]
    return [*made, *(Line(draw=sentence(speech.plain(text), style, "  ")) for text in texts)]


def _verdict(text: str, result: Result, speech: ProbeSpeech) -> Draw:
    """The class with its confidence, which the eye should find first; then what it means."""
    from content.probing import words

    meaning = words.label_text(result.case.verdict.label, speech.lang) if result.case is not None else ""
    head = text.removesuffix(meaning)
    made = Content.assemble((speech.plain(head), f"{STRONG} {ACCENT}"), speech.plain(text[len(head) :]))
    return written(made, Content("  "), 2)


def _columns(rows: Sequence[Row]) -> tuple[int, int]:
    return max((len(row.label) for row in rows), default=0), max((len(row.value) for row in rows), default=0)


def _row(row: Row, columns: tuple[int, int], speech: ProbeSpeech) -> Draw:
    """Name, value and a remark in columns; where the room is too narrow, the value and the remark go below."""
    name, value, note = (speech.plain(text) for text in row)

    def draw(width: int) -> Sequence[Content]:
        label, amount = columns
        start = 2 + label + 2
        if start + amount > width:
            lead = Content.styled(f"  {name}", QUIET)
            return [lead, *sentence(value, "", "    ")(width), *(sentence(note, QUIET, "    ")(width) if note else [])]
        lead = Content.styled(f"  {name:<{label}}  ", QUIET)
        if not note:
            return [(lead + Content(value)).rstrip()]
        if start + amount + 2 + NOTE <= width:
            return written(Content.styled(note, QUIET), lead + Content(f"{value:<{amount}}  "), start + amount + 2)(
                width
            )
        return [lead + Content(value), *sentence(note, QUIET, " " * start)(width)]

    return draw


# --- the curve -------------------------------------------------------------------------------------------------------


def curve_of(finished: Finished, own: bool) -> Curve:
    """The curve with its knee, behind it the run before where that had the same stack; ``own``: the reader's batch."""
    result, before = finished.outcome.result, finished.before
    knee = None if result.knee is None else Band(result.knee.batch, result.knee.low, result.knee.high)
    at = result.case.workload.batch if own and result.case is not None else None
    behind = _dots(before) if before is not None and _stack(before) == _stack(result) else ()
    return Curve(_dots(result), knee, at, behind)


def _dots(result: Result) -> tuple[Dot, ...]:
    return tuple(Dot(one.batch, one.seconds, one.label) for one in result.curve)


def _stack(result: Result) -> tuple[object, ...]:
    plan = result.run.plan
    return () if plan is None else (plan.dtype, plan.d_model, plan.d_ff, plan.layers)


def _curve(curve: Curve, speech: ProbeSpeech) -> list[Line]:
    """The drawing, its letters, and the sentence that says what to notice."""
    found = decode_curve.notice(curve)
    rise = rise_text(found.rise, speech.figure)
    told = speech.figure(f"decode-curve.notice.{found.id}", first=found.first, last=found.last, rise=rise)

    def legend(width: int) -> Sequence[Content]:
        def name(label: str) -> str:
            return speech.figure(f"decode-curve.class.{label}")

        made = decode_curve.legend(curve, name, speech.figure("decode-curve.before"))
        return written(made, Content("  "), 2)(width)

    return [
        Line(draw=lambda width: [Content("  ") + line for line in drawn(curve, width - 2, speech)]),
        Line(draw=legend),
        Line(draw=sentence(told, "", "  ")),
    ]
