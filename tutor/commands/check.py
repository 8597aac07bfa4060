"""`llm-tutor check ID ANSWER` and `check --batch FILE|-`: the judgement alone; nothing is recorded."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from tutor.commands.context import DONE, NEGATIVE, Context, Refusal, dumps, quoted
from tutor.commands.parser import Parser
from tutor.language import LANGS

if TYPE_CHECKING:
    from fractions import Fraction

    from engine.answers.model import Verdict


KEYS = ("id", "answer", "expect", "variant")
"""What a line of a batch can hold."""


def arguments(parser: Parser) -> None:
    """An id and an answer, or a batch."""
    parser.word("id", "ID")
    parser.word("answer", "ANSWER", dash=True)
    parser.value("--batch", "FILE|-")


def run(context: Context, args: argparse.Namespace) -> int:
    """Check one answer or many."""
    if args.batch is not None:
        if args.id is not None:
            context.refuse("cli.error.too_many", text=quoted(args.id), command="check --batch")
        from tutor.commands import batch

        return batch.run(args.batch, judged, KEYS)
    if args.id is None or args.answer is None:
        what = "ID" if args.id is None else "ANSWER"
        context.refuse("cli.error.missing", what=what, known='check core/L2.1/kv "1.07 GB"', command="check")
    part_id = part_of(args.id)
    verdict = _check(part_id, args.answer)
    if context.json:
        context.document(document(part_id, verdict))
    else:
        from content import verdicts

        context.line(verdicts.message(part_id, verdict, context.lang))
    return DONE if verdict.verdict == "correct" else NEGATIVE


def part_of(text: str) -> str:
    """The canonical id of a part. Raises ``Refusal``, naming the parts of an exercise or level given instead."""
    from tutor.commands.places import parts_under, resolve

    place = resolve(text)
    if place.kind != "part":
        raise Refusal("cli.error.not_a_part", text=place.id, parts=", ".join(parts_under(place.id)))
    return place.id


def _check(part_id: str, answer: str) -> Verdict:
    from content import checking

    return checking.check_part(part_id, answer)


def judged(line: dict[str, Any]) -> dict[str, Any]:
    """The answer to one batch line. Raises ``Refusal`` for a line that cannot be used."""
    from tutor.commands.batch import text_of

    answer = text_of(line, "answer", KEYS)
    if "expect" in line:
        from engine.answers.check import check
        from tutor.commands import expect

        given_id = {"id": line["id"]} if "id" in line else {}
        return given_id | document(None, check(expect.expectation(line["expect"]), answer))
    part_id = part_of(text_of(line, "id", KEYS))
    variant = line.get("variant", 0)
    if variant != 0:
        raise Refusal("cli.batch.bad", name="variant", text=quoted(dumps(variant), 40))
    return document(part_id, _check(part_id, answer))


def document(part_id: str | None, verdict: Verdict) -> dict[str, Any]:
    """A verdict as `--json` shows it: a public interface, its keys grow but never change."""
    from content import verdicts

    read, expected = verdict.read, verdict.expected
    head = {"id": part_id} if part_id else {}
    return head | {
        "verdict": verdict.verdict,
        "reason": verdict.reason,
        "read": read
        and {"text": read.text, "value": plain(read.value), "unit": read.unit, "base_value": plain(read.base_value)},
        "slips": list(verdict.slips),
        "ambiguous": verdict.ambiguous,
        "notes": list(verdict.notes),
        "message": {lang: verdicts.message(part_id, verdict, lang) for lang in LANGS},
        "expected": expected
        and {"value": in_unit(expected.value, expected.unit), "unit": expected.unit, "display": expected.display},
    }


def in_unit(value: Fraction | None, unit: str | None) -> int | float | str | None:
    """A value in base units as a JSON number in a unit."""
    from engine import units

    return plain(value if value is None or unit is None else value / units.get(unit).factor)


def plain(value: Fraction | None) -> int | float | str | None:
    """An exact value as a JSON number; a number too large for one stays text."""
    if value is None:
        return None
    if value.denominator == 1:
        return int(value) if abs(value) < 2**63 else str(value.numerator)
    try:
        return float(value)
    except OverflowError:
        return str(value)
