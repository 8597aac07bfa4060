"""JSON Lines in, JSON Lines out: the order is kept, and a line that cannot be used stops nothing."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from tutor.commands.context import DONE, UNUSABLE, Context, Refusal, Words, dumps, heard, quoted, quoted_path
from tutor.commands.files import MAX_LINE, json_trouble, lines

Answer = Callable[[dict[str, Any]], dict[str, Any]]


def own_id(record: dict[str, Any]) -> dict[str, Any]:
    """The id that a line gave itself, so that the answer to it can be told among the others."""
    return {"id": record["id"]} if isinstance(record.get("id"), str | int) else {}


def run(context: Context, name: str, answer: Answer, known: Collection[str], head: Answer = own_id) -> int:
    """Answer every line of a file that is not blank; the exit status: unusable when not one line could be used.

    Whoever looks at the status alone would not hear of lines that could not be used: their number is told beside.

    Args:
        context: of the run.
        name: the file, or ``-``.
        answer: what answers a line.
        known: the keys of a line; others are named in its answer.
        head: what of a line stands in its answer when it cannot be used.

    Raises ``Refusal`` when the file itself cannot be read or holds no line, or nobody could read the answers.
    """
    if not heard():
        raise Refusal("cli.error.no_output")
    # whoever feeds us line by line waits for each answer; a file needs no such haste
    awaited = name == "-" or not Path(name).is_file()
    seen = used = 0
    for number, line in enumerate(lines(name), start=1):
        data = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
        if not data.strip():
            continue
        answered = _answered(data, number, answer, known, head)
        seen += 1
        used += "error" not in answered
        sys.stdout.write(dumps(answered) + "\n")
        if awaited or len(data) > MAX_LINE:
            sys.stdout.flush()
    if not seen:
        raise Refusal("cli.batch.empty", path=Words("cli.batch.input") if name == "-" else quoted_path(name))
    if used < seen:
        context.warn(context.say("cli.batch.unused", n=seen - used, of=seen))
    return DONE if used else UNUSABLE


def _answered(data: bytes, number: int, answer: Answer, known: Collection[str], named: Answer) -> dict[str, Any]:
    head: dict[str, Any] = {}
    try:
        record = _record(data)
        head = named(record)
        odd = [name for name in record if name not in known]
        return answer(record) | ({"unknown_keys": odd} if odd else {})
    except Refusal as refusal:
        refusal.params.setdefault("line", number)
        return head | {"error": refusal.both(), "line": number}
    except (ArithmeticError, LookupError, RecursionError, TypeError, ValueError, MemoryError):
        # a line of somebody else's file must not end the work on the others, whatever is wrong with it
        return head | {"error": Refusal("cli.batch.broken", line=number).both(), "line": number}


def _record(data: bytes) -> dict[str, Any]:
    if len(data) > MAX_LINE:
        raise Refusal("cli.batch.too_long")
    try:
        record = json.loads(data.decode("utf-8"), object_pairs_hook=_once)
    except UnicodeDecodeError as error:
        raise Refusal("cli.batch.not_text") from error
    except (ValueError, RecursionError) as error:
        raise Refusal("cli.batch.not_json", detail=json_trouble(error, one_line=True)) from error
    if not isinstance(record, dict):
        raise Refusal("cli.batch.not_object")
    return record


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys stand there once each: of two values nobody could say which is meant."""
    made: dict[str, Any] = {}
    for name, value in pairs:
        if name in made:
            raise Refusal("cli.batch.twice", name=quoted(name))
        made[name] = value
    return made


def known_keys(record: Mapping[str, Any], known: Collection[str]) -> None:
    """Refuse a key that nothing reads: most likely a slip of the finger, which would change the answer unseen."""
    odd = [name for name in record if name not in known]
    if odd:
        shown = quoted(", ".join(odd) if all(odd) else '""')
        raise Refusal("cli.batch.unknown_key", text=shown, known=", ".join(known))


def text_of(record: Mapping[str, Any], name: str, known: Collection[str] = ()) -> str:
    """A text of a line; a bare number is what was typed. Raises ``Refusal``, naming keys that are not ``known``."""
    value = record.get(name)
    if value is None:
        if known:
            known_keys(record, known)
        raise Refusal("cli.batch.missing", name=name, known=", ".join(known) or name)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise Refusal("cli.batch.bad", name=name, text=quoted(dumps(value)))
    return value if isinstance(value, str) else dumps(value)
