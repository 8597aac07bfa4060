"""Lines of a text as it was pasted: bounded, without colours, without what containers put before them, unwrapped.

A text is read as it comes, piece by piece, so that a log of any size takes the memory of a few lines.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import lru_cache
from itertools import chain, islice, pairwise

from engine.artefacts.sieve import Passing, Sieve
from engine.artefacts.text import Line

MOST_LINE = 2**16
"""Characters of a line that are kept."""
MOST_WRAPPED = 250
"""Columns of the widest terminal whose wrapping is undone."""
_AHEAD = 300
"""Lines that are looked at to find how a text was wrapped."""
_PIECES = 12

_ESCAPES = re.compile(
    r"\x1b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\][^\x07\x1b]{0,512}(?:\x07|\x1b\\)?|[@-Z\\^_])"
    r"|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]"
)
_CUT_ESCAPES = re.compile(r"\[(?:(?:\d{1,3};){0,4}\d{1,3}m|m(?!\w))")
"""What is left of a colour where the escape itself was lost in copying."""
_PREFIXES = re.compile(
    r"(?:"
    r"\s{0,8}(?:>\s?){1,4}"  # a quoted mail or comment
    r"|\[pod/[^\]\s]{1,200}\]\s"
    r"|[A-Za-z0-9][\w.-]{0,80}[-_]\d{1,6}\s{0,40}\|\s"  # docker compose
    r"|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)\s(?:std(?:out|err)\s[FP]\s)?"  # kubectl, CRI
    r"|[A-Z][a-z]{2}\s[ \d]\d\s\d\d:\d\d:\d\d\s[\w.-]{1,80}\s[\w./@-]{1,80}\[\d{1,8}\]:\s"  # journald
    r")"
)


def lines(chunks: Iterable[bytes], sieve: Sieve | None = None) -> Iterator[Line]:
    """The lines of a text that comes in pieces, in UTF-8; what is no UTF-8 is replaced. With a sieve, of a run of blank
    lines only the last, and none of those that may be passed over."""
    for line in _unwrapped(_cleaned(_split(chunks, sieve)), sieve):
        line.text = line.text.rstrip()
        yield line


# --- splitting -------------------------------------------------------------------------------------------------------


def _split(chunks: Iterable[bytes], sieve: Sieve | None) -> Iterator[tuple[int, str, bool, bool]]:
    """Physical lines with their numbers; of one too long the beginning, and that it was cut; whether it is ended. A
    carriage return inside a line, as progress bars print it, begins a new text on the same line."""
    number, held, size, given = 1, bytearray(), 0, 0
    for chunk in chunks if sieve is None else _merged(chunks):
        start = 0
        passing = None if sieve is None else Passing(sieve, chunk)
        while (end := chunk.find(b"\n", start)) >= 0:
            if passing is not None and not size and (passing.gaps or chunk[start] <= _SPACE):
                at = passing.over(start, _says, blanks=given > _AHEAD)
                if at > start:
                    number, start = number + chunk.count(b"\n", start, at), at
                    continue
            piece = chunk[start:end]
            size += len(piece)
            if held:
                held += piece[: max(0, MOST_LINE - len(held))]
                yield from _texts(number, bytes(held), size)
                held.clear()
            elif b"\r" not in piece and size <= MOST_LINE:
                given += 1
                yield number, piece.decode("utf-8", "replace"), False, True
            else:
                yield from _texts(number, piece[:MOST_LINE], size)
            number, size, start = number + 1, 0, end + 1
        size += len(chunk) - start
        held += chunk[start : start + max(0, MOST_LINE - len(held))]
    if size:
        yield from _texts(number, bytes(held), size, ended=held[-1:].isspace())


_SPACE = 32
_MERGED = 2**21
"""Bytes that are looked at together: of a stretch that may be passed over, the last lines of each piece are not."""


def _merged(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes in larger pieces."""
    held: list[bytes] = []
    size = 0
    for chunk in chunks:
        held.append(chunk)
        size += len(chunk)
        if size >= _MERGED:
            yield b"".join(held)
            held, size = [], 0
    yield b"".join(held)


def _says(row: bytes) -> bool:
    """Whether a line has a word after what containers put before it."""
    return bool(_bare(row.decode("utf-8", "replace")).strip())


def _texts(number: int, data: bytes, size: int, ended: bool = True) -> Iterator[tuple[int, str, bool, bool]]:
    text = data.decode("utf-8", "replace")
    if "\r" in text:
        for piece in text.split("\r"):
            if piece:
                yield number, piece, False, ended
        return
    yield number, text, size > len(data), ended


# --- cleaning --------------------------------------------------------------------------------------------------------


def _cleaned(found: Iterable[tuple[int, str, bool, bool]]) -> Iterator[Line]:
    for number, text, cut, ended in found:
        if number == 1:
            text = text.removeprefix("\ufeff")
        width = len(text)
        if not text.isprintable():
            if "\x00" in text:  # a log that was emptied while it was written begins so; elsewhere it is no text
                text = text.lstrip("\x00").replace("\x00", "\ufffd")
            text = _ESCAPES.sub("", text)
        if "m" in text and "[" in text:
            text = _CUT_ESCAPES.sub("", text)
        if text.startswith('{"') and text.rstrip().endswith("}"):
            text = _payload(text)
        line = Line(number, _bare(text), clock, cut, ended, text[:200])
        line.width = width
        yield line


def _bare(text: str) -> str:
    """A line without what containers put before it."""
    for _ in range(4):
        before = _PREFIXES.match(text)
        if before is None:
            break
        text = text[before.end() :]
    return text


_PAYLOADS = ("log", "message", "msg", "textPayload", "MESSAGE")


def _payload(text: str) -> str:
    """The message of a log that is written as one JSON object a line (Docker's json-file, collectors)."""
    head = text[:2000]
    if len(text) > MOST_LINE // 2 or not any(f'"{name}"' in head for name in _PAYLOADS):
        return text
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return text
    if not isinstance(found, dict):
        return text
    for name in _PAYLOADS:
        held = found.get(name)
        if isinstance(held, str):
            stamp = found.get("time") or found.get("timestamp") or ""
            lead = f"{stamp} " if isinstance(stamp, str) and stamp[:4].isdigit() else ""
            return _ESCAPES.sub("", lead + held.rstrip("\n").replace("\n", " "))
    return text


# --- time stamps -----------------------------------------------------------------------------------------------------

_CLOCK = re.compile(
    r"(?:(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)[T ]|(?P<m>\d\d)-(?P<d>\d\d) "
    r"|(?P<us_month>\d\d)/(?P<us_day>\d\d)/(?P<us_year>\d{4})-)?"
    r"(?P<hours>[0-2]\d):(?P<minutes>[0-5]\d):(?P<seconds>[0-6]\d)(?:[.,](?P<part>\d{1,9}))?(?!\d)"
)
_LEAP = 2024
"""For stamps without a year: one that has every day."""


def clock(text: str) -> float | None:
    """Seconds of the first time stamp in a line's beginning, from any beginning; ``None`` where there is none."""
    found = _CLOCK.search(text, 0, 160)
    if found is None:
        return None
    year, month, day, m, d, us_month, us_day, us_year, hours, minutes, seconds, part = found.groups()
    days = _day(year or us_year, month or m or us_month, day or d or us_day)
    if days is None:
        return None
    return days * 86400 + int(hours) * 3600 + int(minutes) * 60 + int(seconds) + (float(f"0.{part}") if part else 0.0)


@lru_cache(maxsize=64)
def _day(year: str | None, month: str | None, day: str | None) -> int | None:
    """Days of a date from any beginning, ``None`` for one that there is not; what is not told is the first."""
    try:
        return date(int(year or _LEAP), int(month or 1), int(day or 1)).toordinal()
    except ValueError:
        return None


# --- wrapping --------------------------------------------------------------------------------------------------------

_RECORD = re.compile(
    r"\s{0,8}(?:\(?[\w.-]{1,40}(?: [\w-]{1,20}=\d+){0,3}\)?\s{1,4})?"
    r"(?:(?:INFO|WARNING|WARN|ERROR|DEBUG|CRITICAL|TRACE)\b|[\w.]{0,60}[A-Z]\w{2,40}(?:Error|Exception|Warning)\b"
    r"|Traceback|File \"|(?:CUDA|HIP|XPU|NPU) out of memory)"
    r"|\s{0,4}\[?\d{2,4}[-/:]\d\d[-/:]|\[[A-Z\d]|[a-z]\w{0,40}_\w{1,40}:\s|torch\."
)
"""How a record of a log begins."""
_APART = re.compile(
    r"\s{0,8}(?:$|[|{}<]|# (?:HELP|TYPE|EOF)|[+]-|={3}|-{3}|vllm:|sglang:"
    r"|[a-z]\w{0,60}[:_]\w{1,100}(?:\{[^}]{0,400}\}?)? [-\d.+NI]"
    r"|Avg latency: \d|Throughput: \d|\d{1,2}% percentile|(?:Mean|Median|P\d\d) [A-Z\d]{3,4} )"
)
"""What stands for itself: tables, metrics, JSON, results."""


def begins(text: str) -> bool:
    """Whether a line looks like the beginning of a log's record."""
    return _RECORD.match(text) is not None


def _unwrapped(found: Iterator[Line], sieve: Sieve | None) -> Iterator[Line]:
    """The lines, those that a terminal or a mail broke joined again."""
    ahead = deque(islice(found, _AHEAD))
    width, hard = _wrapping(ahead)
    if width and sieve is not None:
        sieve.on = False
    rest = chain(ahead, found)
    return rest if not width else _joined(rest, width, hard)


def _wrapping(ahead: Sequence[Line]) -> tuple[int, bool]:
    """The column that lines were broken at, 0 for none, and whether inside words."""
    width = max((line.width for line in ahead), default=0)
    if not 40 <= width <= MOST_WRAPPED:
        return 0, False
    exact = soft = whole = 0
    inside = False
    for one, other in pairwise(ahead):
        before, after = one.text, other.text
        inside = begins(before) or (inside and bool(before) and not _APART.match(before))
        if inside and not begins(after) and not _APART.match(after):
            full = one.width >= width - 1  # a blank at the break is lost in copying
            exact += full
            whole += full and before[-1:] not in " -_/." and bool(_WHOLE.match(after))
            soft += not full and _would_not_fit(one.width, after, width)
    return (width if exact or soft else 0), exact > soft and whole < exact


_WHOLE = re.compile(
    r"(?:tokens?|reqs?|[GM]iB|GB|sec(?:ond)?s|Running|Waiting|Pending|Swapped|[GC]PU|KV|cache|usage|Prefix|Avg|prompt|"
    r"generation|throughput|hit|rate|is|of|the|and|to|takes|took|memory|model|length|larger|than|maximum|number|stored|"
    r"requests?|available|needed|estimated|for|with|per)\b"
)
"""Words that a break between words leaves at the beginning of a line, where all lines are equally long."""


def _would_not_fit(before: int, after: str, width: int) -> bool:
    word = after.split(None, 1)[0] if after.strip() else ""
    return bool(word) and before + 1 + len(word) > width


def _joined(found: Iterator[Line], width: int, hard: bool) -> Iterator[Line]:
    held: Line | None = None
    last = pieces = 0
    for line in found:
        text = line.text
        broken = held is not None and pieces < _PIECES and text.strip() and not begins(text)
        if broken and not _APART.match(text):
            full = last >= width - 1 if hard else _would_not_fit(last, text, width)
            if full and held is not None and (pieces or begins(held.text)):
                held.text += f"{' ' * (width - last)}{text}" if hard else f" {text.lstrip()}"  # a blank may be lost
                held.ended, held.last = line.ended, line.last
                last, pieces = line.width, pieces + 1
                continue
        if held is not None:
            yield held
        held, last, pieces = line, line.width, 0
    if held is not None:
        yield held
