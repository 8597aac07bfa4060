"""What a person's note plainly says of a workload: "llama-3.1-8b on one L40S, ~117 requests at once, prompts about 6k".

English and Hinglish. A line "name: value" with the name of an input is that input. In sentences a model or a card is
read by its name in the catalogue, a figure only with the words that say what it is of. Nothing is read in a clause that
compares, wishes, asks about another case or tells of earlier ("an H100 would be faster", "we tried max-num-seqs 64"),
nor what the note says twice and differently: falsely read is worse than unread.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from engine.diagnosis.fields import BY_NAME, FIELDS, SWITCH, Field
from engine.diagnosis.reading import cards, checkpoint, formats, kinds, named, noted_sentences
from engine.diagnosis.settings import engines
from engine.diagnosis.settings.flag_names import canonical, find, is_secret
from engine.diagnosis.written import NotRead

LINES = 60
"""A longer text is no note."""
WIDTH = 1000
FLAG = "flags."
"""Before the name of a flag that is no input of its own."""


class Noted(NamedTuple):
    """One value.

    Attributes:
        name: of a public input, or :data:`FLAG` and a flag's name.
        value: as written.
        line: 1-based.
        low, high: where on its line what was read stands.
    """

    name: str
    value: str
    line: int
    low: int = 0
    high: int = 0


def read(lines: Iterable[tuple[int, str]]) -> tuple[Noted, ...]:
    """What the lines of a note say, each input once, in the order of the text.

    Args:
        lines: with their numbers. Of a text of more than :data:`LINES` lines nothing is read.
    """
    rows = [(number, text[:WIDTH]) for number, text in lines if text.strip()]
    if len(rows) > LINES:
        return ()
    found = _of_this_format([one for number, text in rows for one in _line(number, text)], dict(rows))
    by_name: dict[str, list[Noted]] = {}
    for one in _counted_alone(found):
        by_name.setdefault(one.name, []).append(one)
    return tuple(_fullest(same) for same in by_name.values() if _agree(same))


def _counted_alone(found: Sequence[Noted]) -> Iterator[Noted]:
    """What was read, with a count that stands alone for those at once where nothing else says how many are."""
    told = any(one.name == "concurrency" for one in found)
    for one in found:
        if one.name != noted_sentences.WEAK:
            yield one
        elif not told and getattr(_typed(BY_NAME["concurrency"], one.value), "high", 0) <= noted_sentences.MOST_ALONE:
            yield one._replace(name="concurrency")


def _of_this_format(found: list[Noted], rows: Mapping[int, str]) -> list[Noted]:
    """What was read, without the rates of another format where each rate is told with its own ("fp16 gives 1400 tok/s,
    AWQ only 620")."""
    ours = noted_sentences.formats(" ".join(one.value for one in found if one.name in ("model", "weights")))
    if sum(one.name in _RATES for one in found) < 2 or not ours:
        return found
    return [one for one in found if one.name not in _RATES or noted_sentences.formats(_before(one, rows)) <= ours]


_RATES = frozenset(("throughput", "tpot"))


def _before(one: Noted, rows: Mapping[int, str]) -> str:
    """The clause of a value up to where it stands."""
    text = rows[one.line][: one.low]
    return text[max((found.end() for found in _CLAUSES.finditer(text)), default=0) :]


def _agree(same: Sequence[Noted]) -> bool:
    meant = {_meaning(one) for one in same}
    return len(meant) == 1


def _meaning(one: Noted) -> object:
    """What values are compared by: two names of one model are one model."""
    field = BY_NAME.get(one.name)
    if one.name == "model":
        return named.of_name(one.value).model or one.value.lower()
    if one.name == "gpu":
        found = cards.read(one.value)
        return found.gpu or found.options or one.value.lower()
    return _typed(field, one.value) if field is not None else one.value.lower()


def _fullest(same: Sequence[Noted]) -> Noted:
    return max(same, key=lambda one: len(one.value)) if same[0].name in ("model", "gpu") else same[0]


def _line(number: int, text: str) -> Iterator[Noted]:
    keyed = _keyed(text)
    if keyed is not None:
        yield Noted(*keyed, number, 0, len(text))
        return
    start, elsewhere, before = 0, False, ""
    for end, after in (*(found.span() for found in _CLAUSES.finditer(text)), (len(text), len(text))):
        clause, at, between = text[start:end], start, text[end:after].strip().lower()
        start = after
        elsewhere = elsewhere or _ELSEWHERE.search(clause) is not None
        if clause.strip() and not elsewhere:
            for one in _sure(clause, before, number):
                yield one._replace(low=at + one.low, high=at + one.high)
        elsewhere, before = elsewhere and between in _GOES_ON, clause if between in _GOES_ON else ""


def _sure(clause: str, before: str, number: int) -> Iterator[Noted]:
    """What a clause says without doubt; ``before`` is the one that it goes on with."""
    plain = noted_sentences.beside_doubt(clause)
    if _DOUBT.search(noted_sentences.words_of_doubt(plain)):
        return
    yield from _clause(plain, number)
    if alone := noted_sentences.unlinked(clause):
        yield Noted("link", "pcie", number, *alone)
    if length := noted_sentences.length_of(before, plain):
        yield Noted(length.name, length.value, number, length.low, length.high)


def without_names(text: str) -> str:
    """A line of a note without the models, the cards and the settings that it names: their digits count nothing."""
    drop = [(one.low, one.high) for one in _line(0, text[:WIDTH]) if one.name in _NAMES or one.name in _SET]
    for low, high in sorted(drop, reverse=True):
        text = f"{text[:low].rstrip()} {text[high:].lstrip()}" if high - low < len(text) else text
    return text


_NAMES = frozenset(("model", "gpu"))
_SET = frozenset(one.name for one in FIELDS if one.group in ("server", "settings") and one.name != "engine")
"""Inputs that set something."""


# --- "name: value" ---------------------------------------------------------------------------------------------------

_KEYED = re.compile(r"\s{0,20}(?:[-*•]\s{1,4})?(?:--)?([A-Za-z][\w -]{0,40}?)\s{0,4}[:=]\s{0,8}(\S.{0,200})$")


def _keyed(text: str) -> tuple[str, str] | None:
    """An input and its value, where all of a line is nothing else."""
    found = _KEYED.match(text)
    if found is None:
        return None
    name, value = canonical(found[1]), found[2].strip().strip("\"'`,")
    field = BY_NAME.get(name)
    if field is None or not _can_be(field, value):
        return None
    return name, value


def _can_be(field: Field, value: str) -> bool:
    """Whether the value of a line is one of its input: prose behind a colon is none."""
    if field.name == "model":
        return len(value.split()) <= _MODEL_WORDS and not checkpoint.is_path(value)
    if field.name == "gpu":
        return cards.read(value).unread != "unknown-gpu" or (len(value.split()) <= _CARD_WORDS and _is_mixed(value))
    if field.name == "engine":
        return engines.identify(value)[0] != "other"
    return _typed(field, value) is not None


def _typed(field: Field, value: str) -> object | None:
    """The value, ``None`` where it is none or impossible."""
    try:
        found = kinds.read(field, value)
    except (NotRead, formats.NotAFormat):
        return None
    return found if kinds.impossible(field, found) is None else None


# --- sentences -------------------------------------------------------------------------------------------------------

_CLAUSES = re.compile(
    r"[;!?]|\.(?=\s|$)|,(?=\s|$)|[()]|\s[-–—]\s|:(?=\s)|\b(?:but|lekin|par jab|magar)\b", re.IGNORECASE
)
_GOES_ON = frozenset((",", "(", ")", ":"))
_ELSEWHERE = re.compile(
    r"\b(?:instead|compared?|would|should|shall|if|whether|want\w*|tr(?:y|ied|ying)|consider\w*|plan\w*|chang\w*|"
    r"lower\w*|rais\w*|increas\w*|decreas\w*|reduc\w*|used to|previous\w*|before|earlier|yesterday|pehle|chahi\w*|"
    r"agar|kya|kal)\b",
    re.IGNORECASE,
)
"""What tells of another case than this one, to the end of the sentence ("we tried max-num-seqs 64, tp 2")."""
_DOUBT = re.compile(
    r"\b(?:vs|versus|than|against|whereas|unlike|without|or|either|switch\w*|mov(?:e|ed|ing)|upgrad\w*|goal|target|"
    r"need\w*|expect\w*|advertis\w*|claim\w*|benchmark\w*|docs?|paper|old|no|not|never|another|other|nahi\w*|nhi|"
    r"bajay|jabki|bina|ya|p[59]\d|peak|worst|best|longest|shortest|largest|up to|upto|tak|from|(?<!\btime )between)\b"
    r"|\b(?:max(?:imum)?|min(?:imum)?)\b"
    r"(?![\s_-]?(?:num|model|batch|seq|running|prefill|total|loras|waiting|queued|concurrency))"
    r"|\b\w{1,20}n['’]t\b|->|→",
    re.IGNORECASE,
)
"""What makes of a clause more than what is here and now."""
_LEAST_LENGTH = 8
"""Tokens: a smaller number behind "prompt" counts something else ("prompt 2")."""


def _clause(text: str, line: int) -> Iterator[Noted]:
    for one in _settings(text, line):
        yield one
        # what is set says nothing of a card or a length beside it
        text = f"{text[: one.low]}{' ,'.ljust(one.high - one.low)}{text[one.high :]}"
    taken = set()
    for name, value, low, high in noted_sentences.figures(text):
        field = BY_NAME["concurrency" if name == noted_sentences.WEAK else name]
        typed = _typed(field, value) if field.name not in taken else None
        if typed is None or (name in ("prompt", "output") and getattr(typed, "low", 0) < _LEAST_LENGTH):
            continue
        taken.add(field.name)
        yield Noted(name, value, line, low, high)
    yield from _named(text, line)


@lru_cache(maxsize=128)
def _of(pattern: str) -> re.Pattern[str]:
    """A pattern, compiled when the first note is read."""
    return re.compile(pattern, re.IGNORECASE)


# --- settings by name ------------------------------------------------------------------------------------------------

_SHORT = ("tp", "pp", "dp", "eager")
_LINK = r"(?:\s?[=:]\s?|\s(?:is\s|was\s|set to\s|to\s|of\s|ko\s|hai\s|at\s|~\s?)?)"
_WORD = re.compile(r"(?<![\w.-])(?:(?:--?)?([A-Za-z][A-Za-z\d]*(?:[_-][A-Za-z\d]+)+)|--?([A-Za-z]{2,20}))(?![\w.-])")
_VALUE = re.compile(
    r"([~≈]?\d[\d.,]*\s?(?:k|%|gib|gb)?(?![\w.])|(?:on|off|true|false|fp8(?:_e\w{3,6})?|auto)\b)", re.IGNORECASE
)
_RANGE = re.compile(r"\s?(?:to|se|-|/|x)\s?\d", re.IGNORECASE)


@lru_cache(maxsize=1)
def _spaced() -> tuple[tuple[Field, re.Pattern[str]], ...]:
    """Inputs that set something, by their names with a blank or another sign between the words."""
    made = []
    for one in FIELDS:
        if one.group in ("server", "settings") and ("_" in one.name or one.name in _SHORT):
            words = one.name.replace("utilization", "utili[sz]ation").split("_")
            made.append((one, re.compile(rf"(?<![\w.-])-{{0,2}}{'[ _-]?'.join(words)}(?![\w-])", re.IGNORECASE)))
    return tuple(made)


def _settings(text: str, line: int) -> list[Noted]:
    """Inputs and flags that are named with their values."""
    made: list[Noted] = []
    for field, pattern in _spaced():
        for found in pattern.finditer(text):
            got = _behind(text, found.end(), field.choices == SWITCH)
            if got is not None and _typed(field, got[0]) is not None:
                made.append(Noted(field.name, got[0], line, found.start(), got[1]))
    for found in _WORD.finditer(text):
        name = found[1] or found[2]
        if any(one.low <= found.end() and found.start() < one.high for one in made) or is_secret(name):
            continue
        row, turned = find(name)
        got = _behind(text, found.end(), row is not None and row.switch)
        if row is not None and got is not None and (not turned or got[0] == "on"):
            made.append(Noted(FLAG + canonical(name), got[0], line, found.start(), got[1]))
    return made


def _behind(text: str, at: int, switch: bool) -> tuple[str, int] | None:
    """The value behind a name, and where it ends; a switch may stand alone as an option does ("--enforce-eager")."""
    link = _of(_LINK).match(text, at)
    value = _VALUE.match(text, link.end()) if link else None
    if value is None:
        dashed = re.search(r"(?<!\S)--[\w-]{1,60}$", text[:at])
        return ("on", at) if switch and dashed else None
    if _RANGE.match(text, value.end()):
        return None
    return value[1].lstrip("~≈").rstrip(".,"), value.end()


# --- models, cards, engines ------------------------------------------------------------------------------------------

_MODEL_WORDS = 5
_CARD_WORDS = 5
_TRIMMED = ".,;:!?()[]\"'`"
_COUNTS = {
    "one": "1",
    "single": "1",
    "ek": "1",
    "two": "2",
    "dual": "2",
    "do": "2",
    "four": "4",
    "char": "4",
    "eight": "8",
}
_COUNT = re.compile(r"(\d{1,3})\s?x?|x\s?(\d{1,3})", re.IGNORECASE)
_LEADS = frozenset("on par with have has using our pe mere paas and aur across over is hai of".split())
"""Words before a bare number that make it a number of cards ("on 8 H100s")."""
_MEMORY = re.compile(r"\d{1,3}\s?gi?b", re.IGNORECASE)


def _named(text: str, line: int) -> Iterator[Noted]:
    """The model, the card and the engine that the words name."""
    spans = [found.span() for found in re.finditer(r"\S+", text)]
    words = [text[low:high].strip(_TRIMMED) for low, high in spans]
    at, has_engine = 0, False
    while at < len(words):
        name, value, length = "", "", 1
        if model := _model_at(words, at):
            name, value, length = "model", " ".join(words[at : at + model]), model
        elif card := _card_at(words, at):
            name, value, length = "gpu", _counted(words, at, card), card
        elif not has_engine and words[at].lower() in _ENGINES:
            name, value, has_engine = "engine", _engine(words, at), True
            length = len(value.split())
        if name:
            yield Noted(name, value, line, spans[at][0], spans[at + length - 1][1])
        if name == "model" and named.of_name(value).model is None:  # several have this name: its format holds for each
            for form in sorted(noted_sentences.formats(value))[:1]:
                yield Noted("weights", form, line, spans[at][0], spans[at + length - 1][1])
        at += length


_ENGINES = frozenset("vllm sglang tgi llama.cpp llama-server tensorrt-llm trt-llm lmdeploy ollama".split())


def _engine(words: Sequence[str], at: int) -> str:
    """The engine's name, with the version behind it."""
    version = (
        words[at + 1] if at + 1 < len(words) and re.fullmatch(r"v?\d{1,3}(?:\.\d{1,4}){1,3}", words[at + 1]) else ""
    )
    return f"{words[at]} {version}".strip()


def _is_mixed(text: str) -> bool:
    """Letters and digits: a name, and neither a word nor a number."""
    return any(map(str.isalpha, text)) and any(map(str.isdigit, text))


def _model_at(words: Sequence[str], at: int) -> int:
    """How many words from one on name a model of the catalogue; 0 where none do."""
    if not any(map(str.isalpha, words[at])):
        return 0
    for length in range(min(_MODEL_WORDS, len(words) - at), 0, -1):
        text = " ".join(words[at : at + length])
        if len(text) > 3 and _is_mixed(text) and "\\" not in text and named.is_known(text, ambiguous=True):
            return length
    return 0


_BARE = re.compile(r"[2-6]0[5-9]0")
"""A consumer card by its number alone."""
_BEFORE_CARD = frozenset("on a an my the our one single ek mera meri our two 2 do rtx geforce".split())
_BEHIND_CARD = frozenset("pe par mein me card gpu ti super".split())


def _card_at(words: Sequence[str], at: int) -> int:
    if _BARE.fullmatch(words[at]):
        named_so = words[at - 1].lower() in _BEFORE_CARD if at else False
        return int(named_so or (at + 1 < len(words) and words[at + 1].lower() in _BEHIND_CARD))
    if not any(map(str.isalpha, words[at])):
        return 0
    for length in range(min(_CARD_WORDS, len(words) - at), 0, -1):
        text = " ".join(words[at : at + length])
        if _is_mixed(text) and not re.fullmatch(r"p\d{1,3}", text) and cards.is_known(text):
            return length
    return 0


def _counted(words: Sequence[str], at: int, length: int) -> str:
    """The card with its memory and how many there are, where the words before it say so."""
    name = " ".join(words[at : at + length])
    if at and _MEMORY.fullmatch(words[at - 1]):
        name, at = f"{name} {words[at - 1]}", at - 1
    elif at > 1 and _MEMORY.fullmatch(" ".join(words[at - 2 : at])):
        name, at = f"{name} {''.join(words[at - 2 : at])}", at - 2
    if not at:
        return name
    before = words[at - 1].lower()
    if before in ("x", "×") and at > 1 and words[at - 2].isdigit():
        return f"{words[at - 2]}x {name}"
    if before in _COUNTS:
        return f"{_COUNTS[before]}x {name}"
    found = _COUNT.fullmatch(before)
    if found and (before[-1:] in "xX×" or at == 1 or words[at - 2].lower() in _LEADS):
        return f"{found[1] or found[2]}x {name}"
    return name
