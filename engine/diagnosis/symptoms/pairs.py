"""Numbers of a sentence that say something together: a need and a room, two neighbouring batches, a card and a CPU."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from engine.diagnosis.symptoms.hearing import CONTRAST, PAUSES, Heard, amount, vocabulary

_Noted = Iterator[tuple[str, int]]
"""Concepts, each with the word at which it stands. Words are folded: "ee" is "i", "free" is "fri"."""

# --- what a number is of ---
_CARD = frozenset(
    "gpu gpus sm util smi nvtop card cards a100 h100 a800 h800 h200 l40s l4 t4 v100 a10 a10g a6000".split()
)  # fmt: skip
_HOST = frozenset("cpu cpus core cores process python thread".split())
_MEMORY = frozenset("memory mem vram ram kv cache offload layer layers split power tdp watts fan cap free size".split())
"""A share behind one of these is none of a device's time."""
_LOADED = ("util", "us", "load", "busy", "sit", "show", "at", "run")
"""How words begin that make the share behind a card's name its load."""
_COMPARED = tuple(
    "fast slow more less high low better worse quick spid tez kam zyada below above under behind gain than".split()
)
"""How words begin that make a share a gain."""
_MANY = ("request", "req", "user", "client", "concurren", "parallel", "stream", "sequence", "session", "connection")
_BATCH = frozenset("batch bs parallel concurrency concurrent requests sequences seqs users clients slots".split())

# --- bytes ---
_BYTES = frozenset("gb gib g mib mb".split())
_FREE = frozenset("fri left available remaining remain remains khali".split())
_NEEDED = ("nid", "requir", "chahi", "wants")

# --- counts ---
_SENT = frozenset("active sent offered total clients users send bheje opened posted submitted".split())
_IN_BATCH = frozenset("scheduled running runs processed serves requests".split())
_SEQUENCES = (*_MANY, "seq")
_AT_MOST = frozenset("only max maximum most never sirf just limit limited capped up bas".split())
_UNTIL = frozenset("to se and aur".split())
_DOUBLES = frozenset("twice double doubles doubled doubling dugna dugni".split())
_ALONE = frozenset("single one ek akela".split())
_OF_ALL = frozenset("aggregate total combined together overall sum".split())
"""Behind a rate: it is that of all requests, not of each."""
_TIMES = frozenset("s sec secs second seconds ms".split())
_PAST = frozenset("17 33 65 129 161 257 513".split())
"""One more than the usual sizes of a captured batch."""
_LISTED = frozenset((",", "and", "or", "aur"))
_UNITS = frozenset("tok toks t token tokens ms s sec seconds min minutes gb gib mb k w".split())
_PLACED = frozenset("at batch past beyond above size par".split())
_RELEASE = frozenset("with se on in since version release vllm sglang ollama than v".split())
"""Words before the number of a version."""


def find(words: list[str]) -> _Noted:
    """What pairs of numbers are, by the words around them."""
    if sum(map(_number, words)):
        for rule in (_devices, _bytes, _crowd, _follows, _rated, _neighbours, _span, _reserved, _versions):
            yield from rule(words)
    if sum(word in _DOUBLES for word in words) > 1:
        yield "doubles", 0


def _number(word: str) -> bool:
    return word[0].isdigit()


def _counts(word: str) -> bool:
    return word.startswith(_MANY)


def _devices(words: list[str]) -> _Noted:
    """The load of a card, of a CPU core ("GPU 60%, CPU 100%"); where "10%/90% CPU/GPU" says that layers are split."""
    for at in range(1, len(words)):
        if words[at] not in ("%", "percent", "pct") or not _number(words[at - 1]):
            continue
        if words[at + 1 : at + 3] == ["cpu", "gpu"]:
            yield "layers-part", at
            return
        owner = _owner(words, at)
        if owner in _HOST and amount(words[at - 1]) >= 80:
            yield "cpu-full", at
        elif owner in _CARD:
            yield ("gpu-part" if amount(words[at - 1]) <= 70 else "gpu-full"), at


def _owner(words: list[str], at: int) -> str:
    """The device whose load the share before ``at`` is; "" where it is no load."""
    behind = words[at + 1 : at + 3]
    if any(one.startswith(_COMPARED) for one in behind[:1]):
        return ""
    start = max((n for n in range(at) if words[n] in PAUSES or words[n] in CONTRAST), default=-1) + 1
    before = words[max(start, at - 9) : at - 1]
    owner = next((one for one in reversed(before) if one in _CARD or one in _HOST), "")
    if any(map(str.isdigit, owner)) and not any(one.startswith(_LOADED) for one in before):
        return ""  # a card by its name, and a share that may be a gain
    if not owner and "of" not in behind:
        owner = next((one for one in behind if one in _CARD or one in _HOST), "")
    return "" if _MEMORY & {*before, *behind[:1]} else owner


def _bytes(words: list[str]) -> _Noted:
    """Far more in use than a model has, hardly any left, fewer there than needed, more than before."""
    sizes = [
        (at, amount(words[at]) / (1000 if words[at + 1].startswith("m") else 1))
        for at in range(len(words) - 1)
        if _number(words[at]) and words[at + 1] in _BYTES
    ]
    if not sizes:
        return
    small, large = min(size for _, size in sizes), max(size for _, size in sizes)
    if len(sizes) > 1 and small == large:
        yield "gb-same", sizes[0][0]
    if small > 0 and large >= 2.5 * small:
        yield "gb-far", sizes[0][0]
    if small > 0 and large >= 1.8 * small:
        yield "gb-double", sizes[0][0]
    for at, size in sizes:
        of = next((n for n in range(max(1, at - 3), at) if words[n] == "of"), 0)
        part = next((amount(one) for one in reversed(words[:of]) if _number(one)), size)
        if of and _FREE & set(words[at + 2 : at + 4]) and part <= 0.15 * size:
            yield "memory-most", at
        if at > 1 and words[at - 1] in _UNTIL and _number(words[at - 2]) and amount(words[at - 2]) * 1.3 <= size:
            yield "gb-grows", at
        needed = any(one.startswith(_NEEDED) for one in words[max(0, at - 4) : at + 6])
        short = any(one.startswith(_NEEDED) for one in words[max(0, at - 2) : at])
        if needed and any((n > at or short) and other < size for n, other in sizes):
            yield "short-have", at


def _crowd(words: list[str]) -> _Noted:
    """Fewer requests that run than are sent ("at most 100 of the 200 users")."""
    counts = [
        at for at in range(len(words) - 1) if _number(words[at]) and any(map(_counts, words[max(0, at - 2) : at + 3]))
    ]
    if not counts:
        return
    pairs = pairwise(words)
    running = [amount(after) for word, after in pairs if word in _IN_BATCH and _number(after)]
    sent = [amount(words[at]) for at in counts if _SENT & set(words[max(0, at - 4) : at + 4])]
    if running and sent and 0 < 4 * min(running) < 3 * max(sent):
        yield "below-pair", counts[0]
    most = max(amount(words[at]) for at in counts)
    for at, word in enumerate(words):
        fewer = _number(word) and 0 < amount(word) < most and words[at + 1 : at + 2] != ["%"]
        low = max((n + 1 for n in range(at) if _number(words[n])), default=0)
        if fewer and _AT_MOST & set(words[max(low, at - 4) : at]):
            yield "below-pair", at
    listed = [at for at in range(4, len(words) - 1) if _number(words[at]) and _counts(words[at + 1])]
    for at in listed:
        first, second, third = words[at - 4], words[at - 2], words[at]
        if words[at - 1] in _LISTED and words[at - 3] in PAUSES and 0 < amount(first) < amount(second) < amount(third):
            yield "count-list", at


def _follows(words: list[str]) -> _Noted:
    """A time that grows as the number of requests does ("1 user 1 s, 10 users 10 s"), a rate that does not."""
    if not any(map(_counts, words)):
        return
    found = _timed(words)
    for few, short, _ in found:
        for many, long, at in found:
            if 0 < few < many and 0 < short < long and long / short >= 0.4 * many / few:
                yield "time-follows", at
                return
    rates = [at for at in range(1, len(words)) if words[at] in ("s", "sec", "second") and _counts(words[at - 1])]
    numbers = sorted(amount(one) for one in words if _number(one) and "." in one)
    if rates and len(numbers) == 2 and 0 < numbers[1] < 1.25 * numbers[0]:
        yield "rate-flat", rates[0]


def _rated(words: list[str]) -> _Noted:
    """A rate that falls so far with more requests that all of them together get less ("1 seq 110 tok/s, 2 seqs 13")."""
    found = []
    for at in range(len(words) - 2):
        counted = words[at].isdecimal() or words[at] in _ALONE
        if counted and (words[at + 1].startswith(_SEQUENCES) or words[at + 1] in _BATCH):
            rate = next((n for n in range(at + 2, min(at + 5, len(words))) if _number(words[n])), None)
            if rate is not None and words[rate + 1 : rate + 2] not in (["ms"], ["s"], ["%"]):
                many = 1.0 if words[at] in _ALONE else amount(words[at])
                of_all = bool(_OF_ALL & set(words[rate + 1 : rate + 5])) and many > 1
                found.append((many, amount(words[rate]) / (many if of_all else 1), at))
    for few, fast, _ in found:
        for many, slow, at in found:
            if 0 < few < many and slow > 0 and many * slow < 0.6 * few * fast:
                yield "rate-collapse", at
                return


def _timed(words: list[str]) -> list[tuple[float, float, int]]:
    """Counts, each with its time and its place; all of them stand before their times, or all behind."""
    found = []
    before = False
    ends = [at for at in range(1, len(words)) if words[at] in _TIMES and _number(words[at - 1])]
    for n, at in enumerate(ends):
        low, high = (ends[n - 1] + 1 if n else 0), (ends[n + 1] - 1 if n + 1 < len(ends) else len(words))
        count = next((m for m in range(low, at - 1) if words[m].isdecimal()), None) if not n or before else None
        before = before or (not n and count is not None)
        if count is None:
            count = next((m for m in range(at + 1, high) if words[m].isdecimal()), None)
        if count is not None:
            found.append((amount(words[count]), amount(words[at - 1]), count))
    return found


def _neighbours(words: list[str]) -> _Noted:
    """Two sizes of a batch that follow each other ("from 16 to 17 parallel requests"), or one just past the usual."""
    whole = [at for at, word in enumerate(words) if word.isdecimal() and word != "1" and len(word) < 5]
    named = _BATCH & {*words} or any(map(_counts, words))
    for n, at in enumerate(whole[:8]):
        before = words[at - 1] if at else ""
        after = words[at + 1] if at + 1 < len(words) else ","
        placed = before in _PLACED and (after in PAUSES or after in _BATCH or (after.isalpha() and after not in _UNITS))
        if words[at] in _PAST and (placed or _counts(after)):
            yield "neighbours", at
            return
        for other in whole[n + 1 : 9]:
            alike = named or (at and before == words[other - 1])
            if alike and other - at > 1 and int(words[other]) - int(words[at]) == 1 and int(words[at]) >= 4:
                yield "neighbours", at
                return


def _span(words: list[str]) -> _Noted:
    """A batch that grows ("batch size from 1 to 8")."""
    for at, word in enumerate(words):
        if word in _BATCH:
            numbers = [n for n in range(at + 1, min(len(words), at + 7)) if _number(words[n])][:2]
            between = set(words[numbers[0] + 1 : numbers[1]]) if len(numbers) == 2 else set()
            if between & _UNTIL and amount(words[numbers[0]]) < amount(words[numbers[1]]):
                yield "batch-span", at


def _reserved(words: list[str]) -> _Noted:
    """Tokens set aside, and a quarter of them or fewer that are used."""
    thousand = [words[at + 1 : at + 2] == ["k"] for at in range(len(words))]
    found = sorted(
        amount(word) * (1000 if k else 1)
        for word, k in zip(words, thousand, strict=True)
        if word.isdecimal() and (k or len(word) >= 3)
    )
    if len(found) > 1 and found[-1] >= 4 * found[0]:
        yield "quarter", 0


def _versions(words: list[str]) -> _Noted:
    """Two versions of a program."""
    short = {word for before, word in pairwise(words) if before in _RELEASE and word[:2] == "0."}
    if len(short | {word for word in words if word.count(".") == 2}) > 1:
        yield "versions", 0


def promised(heard: Heard) -> _Noted:
    """A rate under the one that was promised; two cards, or two programs, and what their rates say."""
    bits = vocabulary().mask
    rates = heard.where(bits("rate"))
    numbers = sorted(amount(word) for word in heard.words if _number(word))
    if rates and heard.bits & bits("promise") and len(numbers) > 1 and numbers[-1] >= 1.3 * numbers[-2]:
        yield "promised-more", rates[0]
    for concept, name, close, within in (
        ("cardname", "cardnames", "cards-close", 1.35), ("runner", "", "runners-close", 1.1)
    ):  # fmt: skip
        if len({heard.words[at] for at in heard.where(bits(concept))}) > 1:
            if name:
                yield name, 0
            if rates and len(numbers) == 2 and numbers[1] < within * numbers[0]:
                yield close, rates[0]
