"""`llm-tutor check ID ANSWER` and `check --batch FILE|-`: the judgement alone; nothing is recorded."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from tutor.commands.context import DONE, NEGATIVE, Context, Refusal, quoted
from tutor.commands.parser import Parser
from tutor.language import LANGS

if TYPE_CHECKING:
    from fractions import Fraction

    from engine.answers.model import Verdict


KEYS = ("id", "answer", "expect", "variant")
"""What a line of a batch can hold."""


_PARTS = 8
"""Parts that are named as examples."""


def arguments(parser: Parser) -> None:
    """An id and an answer, or a batch."""
    parser.word("id", "ID")
    parser.word("answer", "ANSWER", dash=True)
    parser.value("--variant", "N", dash=True)
    parser.value("--batch", "FILE|-")


def run(context: Context, args: argparse.Namespace) -> int:
    """Check one answer or many."""
    if args.batch is not None:
        for word, value in ((args.id, args.id), ("--variant", args.variant)):
            if value is not None:
                context.refuse("cli.error.not_with", text=quoted(word), command="check --batch")
        from tutor.commands import batch

        return batch.run(context, args.batch, judged, KEYS, named)
    if args.id is None or args.answer is None:
        what = "ID" if args.id is None else "ANSWER"
        context.refuse("cli.error.missing", what=what, known='check core/L2.1/kv "1.07 GB"', command="check")
    part = part_of(args.id, args.variant)
    verdict = _check(part, args.answer)
    if context.json:
        context.document(document(part, verdict, args.answer))
    else:
        _tell(context, part, verdict, args.answer)
    return DONE if verdict.verdict == "correct" else NEGATIVE


def _tell(context: Context, part: str, verdict: Verdict, answer: str) -> None:
    """The message; under an answer that cannot be read, the answer itself with a caret where the trouble is."""
    from content import verdicts

    context.line(verdicts.message(part, verdict, context.lang))
    if verdict.verdict == "invalid" and verdict.span is not None:
        from tutor.commands import caret

        for line in caret.lines(answer, verdict.span, sys.stdout.encoding or "ascii"):
            context.line(line)


def part_of(text: str, variant: object = None) -> str:
    """The address of a part. Raises ``Refusal``, naming the parts of an exercise or level given instead."""
    from tutor.commands.places import parts_under, resolve

    place = resolve(text, variant)
    if place.kind in ("lesson", "track"):
        parts = [part for exercise in parts_under(place.id) for part in parts_under(exercise)]
        raise Refusal("cli.error.not_a_part_above", text=place.id, parts=", ".join(parts[:_PARTS]))
    if place.kind != "part":
        raise Refusal("cli.error.not_a_part", text=place.id, parts=", ".join(parts_under(place.id)))
    return place.id


def _check(part: str, answer: str) -> Verdict:
    from content import checking

    return checking.check_part(part, answer)


def judged(line: dict[str, Any]) -> dict[str, Any]:
    """The answer to one batch line. Raises ``Refusal`` for a line that cannot be used."""
    from tutor.commands.batch import text_of

    answer = text_of(line, "answer", KEYS)
    if "expect" in line:
        from engine.answers.check import check
        from tutor.commands import expect

        if "variant" in line:
            raise Refusal("cli.batch.variant_expect")
        given_id = {"id": line["id"]} if "id" in line else {}
        return given_id | document(None, check(expect.expectation(line["expect"]), answer), answer)
    part = part_of(text_of(line, "id", KEYS), line.get("variant"))
    return document(part, _check(part, answer), answer)


def named(line: dict[str, Any]) -> dict[str, Any]:
    """What names a line that cannot be used, as in the answer to one that can: the plain id, the variant beside it."""
    from content import address
    from tutor.commands.batch import own_id

    head = own_id(line)
    if "expect" in line or not isinstance(head.get("id"), str):
        return head
    plain_id, written = address.split(head["id"])
    beside = line.get("variant")
    variant = beside if isinstance(beside, int) and not isinstance(beside, bool) and not written else written
    return {"id": plain_id, **({"variant": variant} if variant else {})}


def document(part: str | None, verdict: Verdict, answer: str) -> dict[str, Any]:
    """A verdict as `--json` shows it: a public interface, its keys grow but never change."""
    from content import verdicts

    read, expected = verdict.read, verdict.expected
    return _head(part) | {
        "verdict": verdict.verdict,
        "reason": verdict.reason,
        "span": _span(verdict, answer),
        "read": read
        and {"text": read.text, "value": plain(read.value), "unit": read.unit, "base_value": plain(read.base_value)},
        "slips": list(verdict.slips),
        "ambiguous": verdict.ambiguous,
        "notes": list(verdict.notes),
        "message": {lang: verdicts.message(part, verdict, lang) for lang in LANGS},
        "expected": expected
        and {"value": in_unit(expected.value, expected.unit), "unit": expected.unit, "display": expected.display},
    }


def _head(part: str | None) -> dict[str, Any]:
    if part is None:
        return {}
    from content import address

    plain_id, variant = address.split(part)
    return {"id": plain_id, "variant": variant}


def _span(verdict: Verdict, answer: str) -> list[int] | None:
    """Start and end of what could not be read, counted in characters of the answer."""
    if verdict.verdict != "invalid" or verdict.span is None:
        return None
    from tutor.commands import caret

    place = caret.span(answer, verdict.span)
    return None if place is None else list(place)


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
