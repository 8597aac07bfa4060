"""Numbers of a sentence that say something together: a need and a room, two neighbouring batches, a card and a CPU."""

from __future__ import annotations

from collections.abc import Iterator

from engine.diagnosis.hearing import CONTRAST, PAUSES, Heard, amount, vocabulary

_Noted = Iterator[tuple[str, int]]
"""Concepts, each with the word at which it stands."""

_BYTES = frozenset("gb gib g mib mb".split())
_FREE = frozenset("fri left available remaining remain remains khali".split())
_NEEDED = ("nid", "requir", "chahi", "wants")
_CARD = frozenset("gpu gpus sm smi nvtop a100 h100 a800 h800 h200 l40s l4 t4 v100 a10 a10g a6000 card cards".split())
_HOST = frozenset("cpu cpus core cores process python thread".split())
_MEMORY = frozenset(
    "memory mem vram ram kv cache offload layer layers split power tdp watts fan cap free size".split()
)
"""A share behind one of these is none of a device's time."""
_LOADED = ("util", "us", "load", "busy", "sit", "show", "at", "run")
_FASTER = ("fast", "slow", "more", "less", "high", "low", "better", "worse", "quick", "spid", "tez", "kam", "zyada", "below", "above",
    "under", "behind", "gain", "than")
_MANY = ("request", "req", "user", "client", "concurren", "parallel", "stream", "sequence", "session", "connection")
_BATCH = frozenset("batch bs parallel concurrency concurrent requests sequences seqs users clients slots".split())
_UNTIL = frozenset("to se and aur".split())
_TIMES = frozenset("s sec secs second seconds ms".split())
_RELEASE = frozenset("on in since version release vllm sglang ollama than v".split())
_AT_MOST = frozenset("only max maximum most never sirf just limit limited capped up bas".split())


def _number(word: str) -> bool:
    return word[0].isdigit()


def find(words: list[str]) -> _Noted:
    """What pairs of numbers are, by the words around them."""
    for rule in (_devices, _memory, _crowd, _follows, _neighbours, _span, _reserved, _versions):
        yield from rule(words)


def _devices(words: list[str]) -> _Noted:
    """The load of a card, of a CPU core ("GPU 60%, CPU 100%"); where "10%/90% CPU/GPU" says that layers are split."""
    for at in range(1, len(words) - 2):
        if words[at + 1] == "cpu" and words[at + 2] == "gpu" and words[at] == "%":
            yield "layers-part", at
            return
    for at, word in enumerate(words):
        if word not in ("%", "percent", "pct") or not at or not _number(words[at - 1]):
            continue
        if any(one.startswith(_FASTER) for one in words[at + 1 : at + 2]):
            continue
        share = amount(words[at - 1])
        start = max((n for n in range(at) if words[n] in PAUSES or words[n] in CONTRAST), default=-1)
        before = words[max(start + 1, at - 9) : at - 1]
        owner = next((one for one in reversed(before) if one in _CARD or one in _HOST), "")
        if owner and any(one.isdigit() for one in owner) and not any(one.startswith(_LOADED) for one in before):
            continue  # a card by its name, and a share that may be a gain
        if not owner:
            before = words[at + 1 : at + 3]
            owner = next((one for one in before if one in _CARD or one in _HOST), "")
            if "of" in before:
                continue
        if not owner or _MEMORY & {*before, *words[at + 1 : at + 3]}:
            continue
        if owner in _HOST:
            if share >= 80:
                yield "cpu-full", at
        else:
            yield ("gpu-part" if share <= 70 else "gpu-full"), at


def _memory(words: list[str]) -> _Noted:
    """Bytes: far more in use than a model has, hardly any left, fewer there than needed."""
    sizes = [
        (at, amount(words[at]) / (1000 if words[at + 1].startswith("m") else 1))
        for at in range(len(words) - 1)
        if _number(words[at]) and words[at + 1] in _BYTES
    ]
    if not sizes:
        return
    small, large = min(size for _, size in sizes), max(size for _, size in sizes)
    if small > 0 and large >= 2.5 * small:
        yield "gb-far", sizes[0][0]
    if small > 0 and large >= 1.8 * small:
        yield "gb-double", sizes[0][0]
    for at, size in sizes:
        of = next((n for n in range(max(1, at - 3), at) if words[n] == "of"), 0)
        part = next((amount(one) for one in reversed(words[:of]) if _number(one)), size)
        if of and _FREE & set(words[at + 2 : at + 4]) and part <= 0.15 * size:
            yield "memory-most", at
        if words[at - 1 : at] and words[at - 1] in _UNTIL and _number(words[at - 2]) and amount(words[at - 2]) * 1.3 <= size:
            yield "gb-grows", at
        around = words[max(0, at - 4) : at + 6]
        if any(one.startswith(_NEEDED) for one in around) and any(n > at and other < size for n, other in sizes):
            yield "short-have", at


def _crowd(words: list[str]) -> _Noted:
    """Fewer requests that run than are sent ("at most 100 of the 200 users")."""
    counts = [
        at
        for at in range(len(words) - 1)
        if _number(words[at]) and any(one.startswith(_MANY) for one in words[max(0, at - 2) : at + 3])
    ]
    if not counts:
        return
    most = max(amount(words[at]) for at in counts)
    for at, word in enumerate(words):
        if _number(word) and 0 < amount(word) < most and _AT_MOST & set(words[max(0, at - 4) : at]):
            if words[at + 1 : at + 2] != ["%"]:
                yield "below-pair", at


def _follows(words: list[str]) -> _Noted:
    """A time that grows as the number of requests does ("1 user 1 s, 10 users 10 s")."""
    found: list[tuple[float, float, int]] = []
    before = False  # whether the counts stand before their times
    for at in range(1, len(words)):
        if words[at] not in _TIMES or not _number(words[at - 1]):
            continue
        low = max((n for n in range(at - 1) if words[n] in _TIMES), default=-1)
        high = next((n for n in range(at + 1, len(words)) if words[n] in _TIMES), len(words) + 1) - 1
        count = next((n for n in range(low + 1, at - 1) if words[n].isdecimal()), None) if low < 0 or before else None
        before = before or (count is not None and low < 0)
        if count is None:
            count = next((n for n in range(at + 1, high) if words[n].isdecimal()), None)
        if count is not None:
            found.append((amount(words[count]), amount(words[at - 1]), count))
    named = any(one.startswith(_MANY) for one in words)
    for few, short, _ in found if named else ():
        for many, long, at in found:
            if few < many and short and few and long / short >= 0.4 * many / few and long > short:
                yield "time-follows", at
                return
    rates = [at for at in range(len(words)) if words[at] in ("s", "sec", "second") and words[at - 1].startswith(_MANY)]
    numbers = [one for one in words if _number(one) and "." in one]
    if named and rates and len(numbers) == 2:
        slow, fast = sorted(amount(one) for one in numbers)
        if slow and fast < 1.25 * slow:
            yield "rate-flat", rates[0]


def _neighbours(words: list[str]) -> _Noted:
    """Two sizes of a batch that follow each other ("from 16 to 17 parallel requests", "at 128 ..., at 129 ...")."""
    whole = [at for at, word in enumerate(words) if word.isdecimal() and 2 <= len(word) + (word != "1") and len(word) < 5]
    named = _BATCH & {*words} or any(one.startswith(_MANY) for one in words)
    for n, at in enumerate(whole[:8]):
        for other in whole[n + 1 : 9]:
            if int(words[other]) - int(words[at]) == 1 and int(words[at]) >= 4:
                alike = words[at - 1 : at] == words[other - 1 : other] and at > 0
                if other - at > 1 and (alike or named):
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
    found = sorted(amount(word) for word in words if word.isdecimal() and len(word) >= 3)
    if len(found) >= 2 and found[-1] >= 4 * found[0]:
        yield "quarter", 0


def _versions(words: list[str]) -> _Noted:
    """Two versions of a program."""
    found = {word for word in words if word.count(".") == 2}
    for at in range(1, len(words)):
        if words[at].startswith("0.") and words[at - 1] in _RELEASE:
            found.add(words[at])
    if len(found) > 1:
        yield "versions", 0


def promised(heard: Heard) -> _Noted:
    """A rate that is under the one that was promised, and the names of two cards."""
    bits = vocabulary().mask
    rates = heard.where(bits("rate"))
    if rates and heard.bits & bits("promise"):
        numbers = sorted(amount(word) for word in heard.words if _number(word))
        if len(numbers) > 1 and numbers[-1] >= 1.3 * numbers[-2]:
            yield "promised-more", rates[0]
    names = {heard.words[at] for at in heard.where(bits("cardname"))}
    if len(names) > 1:
        yield "cardnames", 0
