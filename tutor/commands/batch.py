"""JSON Lines in, JSON Lines out: the order is kept, and a line that cannot be used stops nothing."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from typing import Any

from tutor.commands.context import Refusal, dumps, quoted
from tutor.commands.files import MAX_LINE, lines

Answer = Callable[[dict[str, Any]], dict[str, Any]]


def run(name: str, answer: Answer) -> None:
    """Answer every line of a file that is not blank. Raises ``Refusal`` when the file itself cannot be read."""
    for number, line in enumerate(lines(name), start=1):
        data = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
        if not data.strip():
            continue
        sys.stdout.write(dumps(_answered(data, number, answer)) + "\n")
        # whoever feeds us line by line waits for each answer; a file needs no such haste
        if name == "-":
            sys.stdout.flush()


def _answered(data: bytes, number: int, answer: Answer) -> dict[str, Any]:
    head: dict[str, Any] = {}
    try:
        record = _record(data)
        head = {"id": record["id"]} if isinstance(record.get("id"), str | int) else {}
        return answer(record)
    except Refusal as refusal:
        refusal.params.setdefault("line", number)
        return head | {"error": refusal.both(), "line": number}
    except (ArithmeticError, LookupError, RecursionError, TypeError, ValueError, MemoryError) as error:
        # a line of somebody else's file must not end the work on the others, whatever is wrong with it
        detail = quoted(f"{type(error).__name__}: {error}")
        return head | {"error": Refusal("cli.batch.broken", line=number, detail=detail).both(), "line": number}


def _record(data: bytes) -> dict[str, Any]:
    if len(data) > MAX_LINE:
        raise Refusal("cli.batch.too_long")
    try:
        record = json.loads(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise Refusal("cli.batch.not_text") from error
    except (ValueError, RecursionError) as error:
        raise Refusal("cli.batch.not_json", detail=quoted(str(error))) from error
    if not isinstance(record, dict):
        raise Refusal("cli.batch.not_object")
    return record


def text_of(record: Mapping[str, Any], name: str) -> str:
    """A text of a line; a bare number is what was typed. Raises ``Refusal``."""
    value = record.get(name)
    if value is None:
        raise Refusal("cli.batch.missing", name=name)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise Refusal("cli.batch.bad", name=name, text=quoted(dumps(value)))
    return value if isinstance(value, str) else dumps(value)
