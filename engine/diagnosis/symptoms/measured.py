"""Figures that people put into their sentences: "4.6 tok/s", "TTFT ~15 s", "running 92, queue 990, token usage 0.92".

Only what a sentence says without doubt: one value of a kind, measured here and now. A sentence with an alternative, a
comparison, a wish or an advertised figure gives none, nor does a kind that several sentences put differently.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from engine.diagnosis.model import Origin
from engine.diagnosis.symptoms.hearing import sentences

LINES = 400
"""Lines of a text that are read, half of them from either end."""


class Measured(NamedTuple):
    """One figure.

    Attributes:
        value: seconds, tokens a second, a share, or a count.
        text: the sentence.
        origin: "log" where a program printed it, else "given".
    """

    value: Fraction | int
    text: str
    origin: Origin


_NUMBER = r"(?<![\w.,])[~≈]?(\d{1,9}(?:[.,]\d{1,9})*)"
_SECONDS = r"\s?(ms|milliseconds?|s|secs?|seconds?|sekand|m|mins?|minutes?|minat)\b"
_UNIT = {"ms": Fraction(1, 1000), "mil": Fraction(1, 1000), "min": Fraction(60), "m": Fraction(60)}
"""Seconds of a unit, by its first letters."""
_FILLER = (
    r"(?:\s|:|=|~|\(|is|was|of|at|around|about|latency|mean|median|average|avg|takes?|in|only|over|just|time|me(?:in)?|"
    r"lagbhag|sirf){0,9}"
)
_QUEUE = r"\b#?(?:waiting|pending|queued?)(?:-req)?\s?[:=]?\s?"
_RUNNING = r"\b#?running(?:-req)?\s?[:=]?\s?"
_ALONE = r"(?!\s?[\w%])"
_REQUESTS = r"\s?(?=req|seq)"
_PATTERNS = (
    ("ttft", rf"\b(?:ttft|time to (?:the )?first token|first token|pehla token){_FILLER}{_NUMBER}{_SECONDS}"),
    ("tpot", rf"\b(?:tpot|itl|inter[- ]token latency|time per output token){_FILLER}{_NUMBER}{_SECONDS}"),
    ("tpot", rf"{_NUMBER}\s?(ms|s|secs?|seconds?)\s?(?:/|per|a|har)\s?tok(?:en)?\b"),
    ("running", rf"{_RUNNING}{_NUMBER}{_ALONE}"),
    ("running", rf"{_RUNNING}{_NUMBER}{_REQUESTS}"),
    ("waiting", rf"{_QUEUE}{_NUMBER}{_ALONE}"),
    ("waiting", rf"{_QUEUE}{_NUMBER}{_REQUESTS}"),
    ("kv_usage", rf"\b(?:kv(?: cache)?|cache|token)(?: usage)?\s?(?:[:=]|is|at|pe|par)?\s?{_NUMBER}\s?%"),
    ("kv_usage", r"\b(?:token|cache) usage\s?[:=]?\s?(0\.\d{1,9}|1\.0{1,9})(?![\w.%])()"),
    ("kv_pool_tokens", rf"\bkv cache size\s?[:=]?\s?{_NUMBER} tok"),
    ("kv_pool_tokens", rf"\bmax_total_num_tokens\s?[:=]\s?{_NUMBER}"),
    (
        "kv_pool_tokens",
        rf"\b(?:larger|bigger|greater|more) than [^()]{{0,80}}\bkv(?: cache)? \({_NUMBER}(?! ?gi?b)",
    ),
    ("kv_pool_tokens", rf"{_NUMBER} tokens? (?:of|in) (?:the )?kv"),
    ("kv_pool_tokens", rf"\bkv (?:cache|pool) (?:holds|stores|fits|has room for)(?: only| just)? {_NUMBER} tok"),
)
_RATE = rf"{_NUMBER}\s?(?:(?:tok(?:en)?s?|t)(?:\s?/\s?|\sper\s|\sa\s|p)s(?:ec(?:ond)?)?\b|tps\b)"
_PRINTED_RATE = rf"gen(?:eration)? throughput(?: \(token/s\))?:\s?{_NUMBER}"
_TOKENS = rf"{_NUMBER}\s?(?:output |new )?tok(?:en)?s?"
_FOR_TOKENS = rf"{_NUMBER}{_SECONDS} for {_TOKENS}\b|{_TOKENS} in {_NUMBER}{_SECONDS}"
_SWAP = r"cpu kv cache usage:? ?[\d.]+ ?%"
_DOUBT = (
    r"\b(?:instead|vs|versus|than|compared?|against|whereas|while|without|or|from|if|to (?=\d)|batch|respectively|"
    r"expect\w*|should|want\w*|would|target|goal|need\w*|set to|limit\w*|max\w*|min|best|worst|peak|p[59]\d|"
    r"promis\w*|advertis\w*|theoretical\w*|claim\w*|docs?|paper|table|benchmark page|up to|under|below|never|"
    r"used to|previous\w*|before|earlier|old|faster|slower|twice|half|"
    r"chahi\w*|ummeed|pehle|bajay|jabki|bina|ya)\b|->|→|[x×] ?(?:faster|slower)|\?"
)
"""What makes the figures of a person's sentence doubtful, but for the pool in "larger than the KV cache (N)"."""
_PROMPT = r"\b(?:prompt|prefill|input|pp\d*|ingest\w*|total tok\w*)\b"
_ONE_PROMPT = r"\b(?:one|1|single|ek|per|each|every|har) prompts?\b"
"""A prompt as a request, not as what is read."""
_TIMINGS = r"\b(?:prompt eval|load|sample|total|sampling) time\b"
"""Lines of llama.cpp's timings that are not of the generation."""
_DURATION = rf"{_NUMBER}{_SECONDS}"
_LOOSE = rf"{_NUMBER}\s?(?=$|[,;)])"
"""A number without a unit at the end of a clause: an alternative to one that has it."""
_EACH = r"\b(?:per|each|every|har)[ -](?:user|client|request|stream|slot|session|sequence)\b"
_STATISTICS = r"(?:running|waiting|pending|swapped)(?:-req)?: ?\d|kv cache (?:usage|size): ?\d|token usage: ?\d"
"""What only a program writes."""
_INFINITE = r"\binf(?:inite|inity)?\b|at once|ek saath"
_COUNTED = r"\b\d{1,9} (?:concurrent |parallel )?(?:requests?|reqs?|users?|clients?|streams?) (?:at once|ek saath)\b"
"""How many run together, which is no rate."""


@lru_cache(maxsize=64)
def _of(pattern: str) -> re.Pattern[str]:
    """A pattern, compiled when the first sentence is read."""
    return re.compile(pattern, re.I)


def read(text: str) -> dict[str, Measured]:
    """The figures of a text, by the scenario's attributes.

    They are "throughput", "tpot", "ttft", "running", "waiting", "kv_usage" and "kv_pool_tokens".
    """
    return agreed(_said(text))


def agreed(found: Iterable[tuple[str, Measured]]) -> dict[str, Measured]:
    """Figures of several sentences, those that are put in one way only."""
    out: dict[str, Measured] = {}
    split = set()
    for name, one in found:
        if out.setdefault(name, one).value != one.value:
            split.add(name)
    return {name: one for name, one in out.items() if name not in split}


def said(texts: Iterable[str]) -> dict[str, Measured]:
    """The figures of several texts together."""
    return agreed(pair for text in texts for pair in _said(text))


_SIZE = r"(?<![\w.,])(\d{1,4}) ?(gib|gb|g)\b"
_CARD = (
    rf"{_SIZE} ?(?:of )?(?:(?:nvidia|amd|vram|memory|single|ka|ke|ki|wale|wala|waale|waala) ){{0,2}}"
    r"(?:gpus?|cards?|vram|graphics)\b",
    rf"\b(?:gpu|card) (?:with|has|having|of|me|mein|ke paas|par) (?:only |just |sirf )?{_SIZE}"
    r"(?! (?:free|used|in use|khaali))",
)
"""A card by nothing but the size of its memory."""
_OTHER_CARD = (
    r"\b(?:would|should|could|need\w*|want\w*|than|vs|versus|instead|compared?|against|unlike|or|if|whether|another|other|"
    r"enough|buy\w*|upgrad\w*|mov\w*|switch\w*|before|earlier|used to|"
    r"chahi\w*|kaafi|ya|bajay|jabki|agar|kya|pehle|doosr\w*)\b|\?"
)
"""What tells of a card that is not this one."""


def card_memory(texts: Iterable[str]) -> tuple[str, str] | None:
    """The memory of the card as one types it ("24 GB"), and the sentence; ``None`` where none or several are said."""
    found: dict[str, str] = {}
    for text in texts:
        for piece, logged in sentences(text, LINES):
            if logged or _of(_OTHER_CARD).search(piece):
                continue
            for match in (one for pattern in _CARD for one in _of(pattern).finditer(piece)):
                found.setdefault(f"{match[1]} {'GiB' if match[2].lower() == 'gib' else 'GB'}", piece[:120])
    return next(iter(found.items())) if len(found) == 1 else None


def _said(text: str) -> Iterator[tuple[str, Measured]]:
    for piece, logged in sentences(text, LINES):
        if not any(character.isdigit() for character in piece):
            continue
        printed = logged or bool(_of(_STATISTICS).search(piece))
        for name, value in _figures(_of(_SWAP).sub("", piece), printed):
            yield name, Measured(value, piece[:120], "log" if printed else "given")


def _figures(piece: str, printed: bool) -> Iterator[tuple[str, Fraction | int]]:
    if _of(_TIMINGS).search(piece):
        return
    doubtful = not printed and bool(_of(_DOUBT).search(piece))
    matches = [
        (name, match)
        for name, pattern in _PATTERNS
        if not (doubtful and name != "kv_pool_tokens")
        and not (name == "ttft" and _of(_INFINITE).search(_of(_COUNTED).sub("", piece)))
        for match in _of(pattern).finditer(piece)
    ]
    spans = [match.span() for _, match in matches]
    reading = bool(_of(_PROMPT).search(_of(_ONE_PROMPT).sub("", piece)))
    speeds = [] if doubtful or (reading and not printed) else list(_speeds(piece, printed))
    spans += [match.span() for match, _, _ in speeds]
    alone = printed or not any(
        not any(low <= match.start() < high for low, high in spans)
        for pattern in (_DURATION, _LOOSE)
        for match in _of(pattern).finditer(piece)
    )
    for name, match in matches:
        value = _value(name, match)
        if value is not None and (alone or name not in ("ttft", "tpot")):
            yield name, value
    if alone:
        yield from ((name, value) for _, name, value in speeds)


def _speeds(piece: str, printed: bool) -> Iterator[tuple[re.Match[str], str, Fraction]]:
    """Tokens a second, or the time of a number of tokens."""
    for match in _of(_PRINTED_RATE).finditer(piece) if printed else _of(_RATE).finditer(piece):
        rate = _number(match[1])
        if rate > 0:
            yield (match, "tpot", 1 / rate) if _of(_EACH).search(piece) else (match, "throughput", rate)
    for match in _of(_FOR_TOKENS).finditer(piece):
        time, unit, tokens = (match[1], match[2], match[3]) if match[1] else (match[5], match[6], match[4])
        if _number(tokens) >= 8:
            yield match, "tpot", _time(time, unit) / _number(tokens)


def _value(name: str, match: re.Match[str]) -> Fraction | int | None:
    if name in ("ttft", "tpot"):
        return _time(match[1], match[2]) or None
    number = _number(match[1])
    if name == "kv_usage":
        share = number if match.re.groups > 1 else number / 100
        return share if share <= 1 else None
    return int(number) if number.denominator == 1 else None


def _time(number: str, unit: str) -> Fraction:
    return _number(number) * _UNIT.get(unit.lower()[:3], Fraction(1))


def _number(text: str) -> Fraction:
    """ "1,234" and "12.5"; one comma before fewer or more than three digits is a decimal one."""
    whole, *parts = text.split(",")
    if parts and not all(len(part.partition(".")[0]) == 3 for part in parts):
        text = f"{whole}.{parts[0]}" if len(parts) == 1 and "." not in text else whole
    try:
        return Fraction(text.replace(",", ""))
    except (ValueError, ZeroDivisionError):
        return Fraction(0)  # "0.9.1": a version
