"""What sentences of a note say of a load and of what was measured, by the words around a number.

Each row is an input and a pattern; what its first group matches is the value, as one would type it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple


class Figure(NamedTuple):
    """A value in a clause: an input's name, the value as typed, and where it stands."""

    name: str
    value: str
    low: int
    high: int


WEAK = "concurrency?"
"""A count that stands alone ("30 users"): those at once, where nothing else says how many are, and they are not so many
that they are all there are."""
MOST_ALONE = 512
_NUMBER = r"[~≈]?(\d{1,9}(?:[.,]\d{1,9}){0,3}\s?(?:k|thousand|haza+r|haja+r)?)"
_END = (
    r"(?=\s?(?:$|[,;.)]|tok|&|\+|/|(?:and|aur|in|out|hai|ke|ka|ki|long|each|per|with|on|at|output|answer|jawab)\b|"
    r"(?:an? )?(?:answers?|outputs?|replies|responses?)\b))"
)
"""What may stand behind a length: no other thing that is counted."""
_FILL = (
    r"(?:\s|:|=|~|≈|\(|of|is|are|was|about|around|roughly|approx|average|avg|mean|typical(?:ly)?|length|lengths|len|size|"
    r"lagbhag|kareeb|ka|ke|ki|tokens?|hai|hain|usually|each|side){0,8}"
)
_PROMPT = r"(?:prompts?|inputs?|input[_ -]?len(?:gth)?)"
_ANSWER = r"(?:answers?|outputs?|responses?|completions?|replies|reply|jawab|output[_ -]?len(?:gth)?)"
_PEOPLE = (
    r"(?:requests?|reqs?|users?|clients?|streams?|sessions?|sequences?|seqs?|connections?|people|persons?|logon|"
    r"log(?!\s(?:lines?|files?|entries|records?)\b)|"
    r"customers?|students?|colleagues|chats?|conversations?)"
)
_AT_ONCE = (
    r"(?:at once|at a time|at the same time|in flight|in parallel|concurrently|simultaneously|together|ek saa?th|"
    r"saa?th me(?:in)?)"
)
_ALIKE = r"(?:concurrent|parallel|simultaneous)"
_WAITING = (
    r"(?:are |hain |is )?(?:in (?:the |a )?queue|queued|waiting|pending|queue me(?:in)?|line me(?:in)?|"
    r"(?:wait|intezaa?r) kar)"
)
_RATE_END = r"\s?(?:req(?:uest)?s?\s?(?:/|per|a)\s?s(?:ec(?:ond)?)?|rps|qps)\b"
_WAIT = (
    r"(?:\s|:|=|~|≈|\(|is|was|of|at|around|about|latency|mean|median|average|avg|takes?|me(?:in)?|lagbhag|after|aa?ne|"
    r"sirf|only){0,9}"
)
_TIME = r"(\d{1,7}(?:[.,]\d{1,6})?\s?(?:ms|s|secs?|seconds?|sekand|mins?|minutes?))\b(?!\s?(?:to|se|-|/)\s?\d)"
_FORMATS = r"fp8|fp16|bf16|int8|int4|awq|gptq|w8a8|w4a16|4[- ]?bit|8[- ]?bit"
_GGUF = r"i?q[2-8]_(?:[01]|k(?:_[sml]|_xs|_xxs)?)"
_B, _TOK = r"(?<![\w./-])", r"[\s-]?tok(?:en)?s?"
_SIZE = r"(?:\s?(?:len(?:gth)?|size))?"
_IN = r"\sin(?:put)?\s?(?:[/,+&]|and|aur)\s?"
_OWN = r"(?:long\s|lamba\s)?(?:ke\s|ka\s|ki\s)?"
_ALONE = r"\s{0,3}(?:(?:with|for|serving|about|around|only|just|sirf|lagbhag|hain|hai|~)\s){0,2}"
"""What may stand before a count that is all that a clause says."""
_ROWS: tuple[tuple[str, str], ...] = (
    ("prompt", rf"\b{_PROMPT}{_FILL}{_NUMBER}{_END}"),
    ("prompt", rf"{_B}{_NUMBER}{_TOK}\s{_OWN}{_PROMPT}\b"),
    ("prompt", rf"\b(?:with|of|have|has|send|sends)\s{_NUMBER}(?<=k)\s{_PROMPT}\b"),
    ("prompt", rf"{_B}{_NUMBER}(?:{_TOK})?{_IN}\d[\d.,]{{0,9}}\s?k?(?:{_TOK})?\sout(?:put)?\b"),
    ("output", rf"\b{_ANSWER}{_FILL}{_NUMBER}{_END}"),
    ("output", rf"{_B}{_NUMBER}{_TOK}\s{_OWN}{_ANSWER}\b"),
    ("output", rf"\d\s?k?(?:{_TOK})?{_IN}{_NUMBER}(?:{_TOK})?\sout(?:put)?\b"),
    ("concurrency", rf"{_B}{_NUMBER}\s(?:\w{{2,12}}\s)?{_PEOPLE}\s(?:\w{{2,8}}\s)?{_AT_ONCE}"),
    ("concurrency", rf"{_B}{_NUMBER}\s{_ALIKE}\s{_PEOPLE}"),
    ("concurrency", rf"{_B}{_NUMBER}\s{_ALIKE}(?=\s?$)"),
    ("concurrency", rf"\b(?:concurrency|ek saa?th)(?:\s|:|=|of|is|~|about|around){{0,5}}{_NUMBER}(?=\s?$|\s{_PEOPLE})"),
    ("concurrency", rf"\bbatch(?:\s?size)?(?:\s|:|=|of|is|hai){{1,4}}{_NUMBER}(?=\s?$|\s{_PEOPLE}|\shai)"),
    ("concurrency", rf"{_B}{_NUMBER}\sconcurrency(?=\s?$)"),
    (WEAK, rf"^{_ALONE}{_NUMBER}\s{_PEOPLE}(?:\shain?)?\s?$"),
    ("concurrency", r"\bfor (?:just )?(one|a single|1) (?:user|request|stream|client)\b(?=\s?$)"),
    ("waiting", rf"{_B}{_NUMBER}\s(?:\w{{2,12}}\s)?{_PEOPLE}\s{_WAITING}"),
    ("waiting", rf"{_B}{_NUMBER}\s(?:in (?:the )?queue|queued|waiting|pending)(?=\s?$)"),
    ("request_rate", rf"{_B}{_NUMBER}{_RATE_END}"),
    ("ttft", rf"\b(?:ttft|time to (?:the )?first token|first token|pehla token){_WAIT}{_TIME}"),
    ("tpot", rf"\b(?:tpot|itl|inter[- ]token latency|time per output token|time between tokens){_WAIT}{_TIME}"),
    ("gpus", rf"{_B}(\d{{1,3}})\s(?:gpus|cards)\b"),
    ("weights", rf"\b({_FORMATS})\s(?:weights?|quanti[sz]\w+)\b"),
    ("weights", rf"\bweights?\s(?:in|are|is|me(?:in)?)\s({_FORMATS})\b"),
    ("weights", rf"(?<!weights )(?<!cache )(?<!kv )\bin\s({_FORMATS})\b(?=\s?$)"),
    ("weights", rf"\b({_GGUF})\b"),
    ("kv", r"\b(fp8|fp16|bf16|int8)\skv(?:[\s-]cache)?\b"),
    ("tp", r"\btensor[ -]parallel(?:ism)?(?:[ -]size)?(?:\s|=|:|of|is|hai){1,4}(\d{1,3})\b"),
    ("pp", r"\bpipeline[ -]parallel(?:ism)?(?:[ -]size)?(?:\s|=|:|of|is|hai){1,4}(\d{1,3})\b"),
    ("dp", r"\bdata[ -]parallel(?:ism)?(?:[ -]size)?(?:\s|=|:|of|is|hai){1,4}(\d{1,3})\b"),
    ("link", r"\b(?:with|over|has|have|via|gb|sxm\d?|gpus|cards)\s(nvlink|pcie)\b"),
    ("link", r"^\s?(nvlink)\s?$"),
    ("max_model_len", rf"{_B}{_NUMBER}(?<=k)(?:{_TOK})?\s(?:context|window)(?=\s?$)"),
    ("max_model_len", rf"\b(?:context|window){_SIZE}(?:\s|:|=|of|is|hai|ka){{1,4}}{_NUMBER}(?:{_TOK})?(?=\s?$)"),
)  # fmt: skip


@lru_cache(maxsize=1)
def _rows() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The rows, compiled when the first note is read."""
    return tuple((name, re.compile(pattern, re.IGNORECASE)) for name, pattern in _ROWS)


def figures(clause: str) -> Iterator[Figure]:
    """What a clause says, the surer rows first: an input may come again."""
    for name, pattern in _rows():
        found = pattern.search(clause)
        if found is not None:
            yield Figure(name, _value(found[1]), *found.span(1))
    yield from _parts(clause)
    yield from _rates(clause)


_LENGTH_ALONE = re.compile(rf"^\s{{0,3}}{_NUMBER}{_TOK}\s{{0,3}}$", re.IGNORECASE)
_SENT = re.compile(rf"\b(?:{_PROMPT}|documents?|contracts?|files?|reports?|pages|paste\w*|bhej\w*)\b", re.IGNORECASE)
_GIVEN = re.compile(rf"\b{_ANSWER}\b", re.IGNORECASE)


def length_of(before: str, clause: str) -> Figure | None:
    """A length that stands alone behind the clause which says what it is of: "contracts (24k tokens)", "answers are
    short, ~300 tokens"."""
    found = _LENGTH_ALONE.match(clause)
    sent, given = (pattern.search(before) is not None for pattern in (_SENT, _GIVEN))
    if found is None or sent is given:
        return None
    return Figure("prompt" if sent else "output", _value(found[1]), *found.span(1))


def _value(text: str) -> str:
    """A value as its reader takes it."""
    value = " ".join(text.split()).rstrip(".,").replace("sekand", "s")
    return "1" if value.lower() in ("one", "a single") else value


# --- a prompt that is told by its parts -------------------------------------------------------------------------------

_PART = re.compile(
    rf"{_B}{_NUMBER}{_TOK}\s(?:long\s|lamba\s)?(?:ka\s|ke\s|ki\s|of\s|wala\s)?(?:\w{{3,10}}\s)?"
    r"(system prompts?|questions?|sawaa?l|quer(?:y|ies)|documents?|history|context|instructions?|prefix)\b",
    re.IGNORECASE,
)


def _parts(clause: str) -> Iterator[Figure]:
    """The prompt of which a clause tells the parts: "a 6000 token system prompt plus a 200 token question"."""
    found = list(_PART.finditer(clause))
    counts = [_tokens(one[1]) for one in found]
    if found and all(counts):
        yield Figure("prompt", str(sum(counts)), found[0].start(), found[-1].end())


_THOUSANDS = re.compile(r"(?:k|thousand|ha[zj]a+r)$", re.IGNORECASE)


def _tokens(text: str) -> int:
    """A count of tokens; 0 for what is none."""
    number = _THOUSANDS.sub("", text).strip().replace(",", "")
    try:
        return round(float(number) * (1000 if _THOUSANDS.search(text) else 1))
    except ValueError:
        return 0


# --- rates ------------------------------------------------------------------------------------------------------------

_RATE = re.compile(
    r"(?<![\w.,/-])(?<!\bto )(?<!\bse )[~≈]?(\d{1,9}(?:[.,]\d{1,9}){0,3}\s?k?)\s?"
    r"(?:(?:output |generation )?(?:tok(?:en)?s?|t)(?:\s?/\s?|\sper\s|\sa\s|p)s(?:ec(?:ond)?)?|tps)\b",
    re.IGNORECASE,
)
_EACH = re.compile(
    r"\b(?:(?:per|each|every|har)[ -](?:ek[ -])?(?:user|client|request|stream|slot|session|sequence)"
    r"|for (?:just )?(?:one|a single|1) (?:user|request|stream|client))\b",
    re.IGNORECASE,
)
_READ = re.compile(
    r"\b(?:prompts?|prefill|input|pp\d*|ingest\w*|total)\b|\d\s?k?\s?tok(?:en)?s?\s(?:at|in|@)\s", re.IGNORECASE
)
"""A rate beside one of these is not that of what is written."""


def _rates(clause: str) -> Iterator[Figure]:
    """Tokens a second of the whole server, or of each user: then it is the time between two tokens."""
    found = list(_RATE.finditer(clause))
    if len(found) != 1 or _READ.search(clause):
        return
    rate = _rate(found[0][1])
    if rate <= 0:
        return
    each = _EACH.search(clause)
    if each is None:
        yield Figure("throughput", f"{_value(found[0][1])} tok/s", *found[0].span())
        return
    low, high = min(found[0].start(), each.start()), max(found[0].end(), each.end())
    yield Figure("tpot", f"{1000 / rate:.4g} ms", low, high)


def _rate(text: str) -> float:
    number = text.lower().removesuffix("k").strip().replace(",", "")
    try:
        return float(number) * (1000 if text.lower().endswith("k") else 1)
    except ValueError:
        return 0.0


_NAMED_FORMAT = re.compile(rf"\b({_FORMATS}|{_GGUF})\b", re.IGNORECASE)


def formats(text: str) -> frozenset[str]:
    """The formats of weights that a text names."""
    return frozenset(one[1].lower().replace(" ", "").replace("-", "") for one in _NAMED_FORMAT.finditer(text))


# --- what is denied ---------------------------------------------------------------------------------------------------

_DASHED = re.compile(r"(?<!\S)--?[A-Za-z][\w-]{0,60}")
_NO_LINK = re.compile(
    r"\b(?:without|no|bina|koi)\s(?:an?\s|any\s)?nv[ -]?link(?:\sbridge)?\b(?:\s(?:ke|hai|nahi\w*|nhi|hain)\b){0,3}"
    r"|\bnvlink\s(?:nahi\w*|nhi|na)\b(?:\shain?\b)?"
    r"|\b(?:only|just|sirf)\spcie\b|\bpcie\s(?:only|hi)\b",
    re.IGNORECASE,
)
_CAME_FROM = re.compile(r"\b(?:went|gone|moved|came|gaye|gaya|aaye)\s(?:up\s)?from\s\S{1,8}\sto\b", re.IGNORECASE)
"""What was before: behind it stands what is now ("we went from 8k to 64k context")."""
_WITHOUT = re.compile(r"\bwithout\b", re.IGNORECASE)


def unlinked(clause: str) -> tuple[int, int] | None:
    """Where a clause says that the cards have nothing but PCIe between them."""
    found = _NO_LINK.search(clause)
    return found.span() if found else None


def beside_doubt(clause: str) -> str:
    """A clause, each sign in its place, without words that deny nothing of it: the names of options ("--no-..."), and
    that there is no NVLink. What stands behind "without" is left out: it is not there."""
    masked = _NO_LINK.sub(lambda one: " " * len(one[0]), clause)
    masked = _CAME_FROM.sub(lambda one: " " * len(one[0]), masked)
    cut = _WITHOUT.search(masked)
    return masked[: cut.start()] if cut else masked


def words_of_doubt(clause: str) -> str:
    """The words of a clause that may make it doubtful: all but the names of options."""
    return _DASHED.sub(lambda one: " " * len(one[0]), clause)
