"""Numbers in a sentence as concepts (a share, a rate, a time, cards), and comparisons, in words or in numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.diagnosis.symptoms import pairs
from engine.diagnosis.symptoms.hearing import CONTRAST, PAUSES, Heard, amount, concepts, vocabulary

_Noted = Iterator[tuple[str, int]]
"""Concepts, each with the word at which it stands."""

_SWAP = re.compile(r"cpu kv cache usage: [0-9.]+ ?%")
"""The gauge of the swap space, which is no evidence."""
_CARDS = re.compile(r"(?:gpus?|cards?|devices?|[ahlvt]\d{1,3}s?|[34]090s?|rtx|mi300x?)$")
_TOKENS = frozenset("tok toks tokens token t it tk req requests reqs".split())
_EACH = frozenset("s sec second seconds per".split())
_SECONDS = frozenset("s sec secs second seconds sekand".split())
_MINUTES = frozenset("minute minutes min mins minat hours hour ghante".split())
_MORE = frozenset("extra more additional full whole long".split())
"""Words between a number and its unit."""
_REQUESTS = ("req", "rps", "qps")
_WAITED = frozenset("time wait latency delay minutes".split())
_QUEUES = frozenset("waiting pending queue queued".split())
_IN = frozenset("reads in input inputs prompt prompts context document documents feed read".split())
_OUT = frozenset("writes out back output outputs answer answers response label labels generated completion".split())
_THAN = frozenset("than compared vs versus relative against behind below under".split())
_OVER = frozenset("outperforms outperform beats beat outperformed".split())


def hear(lower: str) -> Heard:
    """All concepts of a sentence in lower case, those of its numbers too, and its comparisons."""
    heard = concepts(_SWAP.sub("", lower))
    words = heard.words
    if not lower.isalpha():
        noted = (
            _figures,
            _cards,
            _queue,
            _counters,
            _pages,
            _most,
            _hits,
            _rest,
            _changes,
            _lengths,
            _shares,
            pairs.find,
        )
        for name, at in [one for find in noted for one in find(words)]:
            heard.put(vocabulary().bit(name), at)
    for name, at in [*_several(heard), *pairs.promised(heard)]:
        heard.put(vocabulary().bit(name), at)
    heard.contests = [_completed(heard, one) for one in (*_compared(heard), *_measured(heard))]
    return heard


def _number(word: str) -> bool:
    return word[0].isdigit()


def _is_rate(words: list[str], at: int) -> bool:
    if not _number(words[at]) or at + 1 >= len(words):
        return False
    if words[at + 1] in ("tps", "rps", "qps"):
        return True
    at += words[at + 1] in _WHOSE
    return at + 2 < len(words) and words[at + 1] in _TOKENS and words[at + 2] in _EACH


_WHOSE = frozenset("generation output total generated new decode".split())


def _figures(words: list[str]) -> _Noted:
    """What single numbers with their units are."""
    for at, word in enumerate(words):
        if not _number(word):
            if word in _MINUTES:
                yield "minutes", at
            elif word[0] == "x" and word[1:].isdecimal():
                yield "factor", at
            continue
        unit = next((one for one in words[at + 1 : at + 3] if one not in _MORE), "")
        for name in _names(words, at, amount(word), unit):
            yield name, at


def _names(words: list[str], at: int, value: float, unit: str) -> Iterator[str]:
    if unit in ("%", "percent", "pratishat", "pct"):
        yield "pct"
        yield from (name for name, low, high in _SHARES if low <= value <= high)
    elif _is_rate(words, at):
        yield "rate"
        if not unit.startswith(_REQUESTS):
            yield from _slow_rate(value)
    elif unit in _SECONDS:
        yield "seconds"
        if value >= 240:
            yield "minutes"
    elif unit in ("b", "billion"):
        return
    elif unit in _UNITS:
        yield _UNITS[unit]
    elif unit == "k" or (value >= 1000 and "." not in words[at]):
        yield "thousands"
    elif 0.1 <= value <= 1 and "." in words[at]:
        yield "share-high" if value >= 0.88 else "share"
    if _of_layers(words, at):
        yield "layers-part"


_SHARES = (
    ("pct-high", 88, 100),
    ("pct-idle", 0, 60),
    ("pct-low", 0, 15),
    ("pct-zero", 0, 0),
)
"""Names of shares, in percent: from, to."""
_UNITS = {
    "ms": "ms", "minute": "minutes", "minutes": "minutes", "min": "minutes", "mins": "minutes", "x": "factor",
    "times": "factor", "guna": "factor", "fold": "factor", "w": "watts", "watt": "watts", "watts": "watts",
    "gb": "gb", "gib": "gb", "g": "gb",
}  # fmt: skip


def _slow_rate(tokens: float) -> Iterator[str]:
    if tokens <= 1.5:
        yield "rate-tiny"
    if tokens <= 15:
        yield "rate-low"


def _of_layers(words: list[str], at: int) -> bool:
    """Whether "20 of 33 layers" begins here, and not all of them."""
    if words[max(0, at - 2) : at] == ["layers", "model"] and words[at + 1 : at + 3] == ["layers", "offload"]:
        return any(_number(word) and word != words[at] for word in words[at + 3 : at + 4])  # as Ollama prints it
    rest = [word for word in words[at + 1 : at + 6] if word not in ("of", "se", "out", "sirf")][:2]
    return len(rest) == 2 and _number(rest[0]) and rest[1].startswith("layer") and words[at] != rest[0]


_ALONE = frozenset("alone akela akele".split())


def _cards(words: list[str]) -> _Noted:
    """Numbers of cards, and of ranks behind "tp"."""
    for at, word in enumerate(words[:-1]):
        following = words[at + 1]
        if following == "x" and at + 2 < len(words):
            following = words[at + 2]  # "4x A100"
        if _CARDS.match(word) and following in _ALONE:
            yield "onecard", at  # "on the 4090 alone"
        if _number(word) and len(word) <= 2 and _CARDS.match(following):
            yield ("manycards" if amount(word) > 1 else "onecard"), at
        elif word == "tp" and _number(following) and len(following) <= 2:
            yield ("manycards" if amount(following) > 1 else "onecard"), at


def _queue(words: list[str]) -> _Noted:
    """The number behind "waiting": nothing, or more than a few."""
    for at, word in enumerate(words):
        if word == "swapped" and at + 1 < len(words) and _number(words[at + 1]) and amount(words[at + 1]):
            yield "preempt", at
        if word in _QUEUES:
            number = next((one for one in words[at + 1 : at + 4] if _number(one) or one in _WAITED), None)
            if at and _number(words[at - 1]) and number is None:
                number = words[at - 1]  # "200 waiting"
            if number is not None and _number(number):
                value = amount(number)
                yield ("queue-zero" if value == 0 else "queue-many" if value >= 4 else "queue-few"), at


def _counters(words: list[str]) -> _Noted:
    """A counter of preemptions that stands at nothing."""
    for at, word in enumerate(words):
        if word.startswith(("primpt", "retract")):
            behind = [one for one in words[at + 1 : at + 5] if _number(one)]
            if not behind and at and _number(words[at - 1]):
                behind = [words[at - 1]]
            none = words[at + 1 : at + 2] in (["none"], ["zero"]) or _of_none(words[:at])
            if none or (behind and not any(map(amount, behind))):
                yield "preempt-zero", at


_BETWEEN = frozenset(
    "requests request reqs req sequences sequence seqs were was are is have has bin of the got".split()
)
"""Words between "no" and what was done to none, as they are folded ("bin": been)."""


def _of_none(before: list[str]) -> bool:
    """Whether words end with nothing that something was done to: "0 requests were", "none of the requests was"."""
    head = next((one for one in reversed(before[-6:]) if one not in _BETWEEN), "-")
    return head in ("no", "none", "zero") or (_number(head) and not amount(head))


_LARGE_PAGE = 1024
"""Tokens of a block from which most of the last one stays empty: sixteen times the usual sizes and more."""


def _pages(words: list[str]) -> _Noted:
    """Blocks of the cache that were made as large as another kind of state ("attention block size to 7808 tokens")."""
    for at in range(2, len(words)):
        named = ["block", "size"] in (words[at - 2 : at], words[at - 3 : at - 1])
        if named and words[at].isdecimal() and int(words[at][:9]) >= _LARGE_PAGE:
            yield "page-large", at


def _most(words: list[str]) -> _Noted:
    """An amount of memory of nearly as much ("75 of 80 GB", "86224 MiB of 97871 MiB")."""
    for at in range(1, len(words) - 2):
        if words[at] == "of" and _number(words[at + 1]) and words[at + 2] in ("gb", "gib", "mib", "mb"):
            used = next((one for one in (words[at - 1], words[at - 2]) if _number(one)), "0")
            if 0.85 * amount(words[at + 1]) <= amount(used) <= amount(words[at + 1]):
                yield "memory-most", at


def _hits(words: list[str]) -> _Noted:
    """A hit rate above zero."""
    for at, word in enumerate(words[:-1]):
        if word == "rate" and words[at - 1] == "hit":
            number = next((one for one in words[at + 1 : at + 4] if _number(one)), None)
            if number is not None and amount(number):
                yield "hit-some", at


def _rest(words: list[str]) -> _Noted:
    """A statistics line of a server with nothing to do."""
    for at, word in enumerate(words[:-1]):
        if word == "running" and _number(words[at + 1]) and not amount(words[at + 1]):
            yield "idle-line", at


def _changes(words: list[str]) -> _Noted:
    """A rate that falls or a time that grows ("14 -> 9 req/s"); "90 s for 100 tokens" as a rate."""
    for at in range(1, len(words) - 1):
        if not _number(words[at + 1]):
            continue
        if words[at] in ("to", "se") and _number(words[at - 1]):
            before, after = amount(words[at - 1]), amount(words[at + 1])
            timed = words[at + 2 : at + 3] == ["ms"] or (at + 2 < len(words) and words[at + 2] in _SECONDS)
            if (_is_rate(words, at + 1) and after < before) or (timed and after > before):
                yield "falls", at
        elif words[at] == "for" and at > 1 and _number(words[at - 2]) and words[at + 2 : at + 3]:
            unit = 1 if words[at - 1] in _SECONDS else 60 if words[at - 1] in _MINUTES else 0
            time = amount(words[at - 2]) * unit
            if time and words[at + 2] in _TOKENS and amount(words[at + 1]) / time <= 15:
                yield ("rate-tiny" if amount(words[at + 1]) / time <= 3 else "rate-low"), at


def _lengths(words: list[str]) -> _Noted:
    """A number of tokens in, ten times or more above the number out."""
    sides = {}
    for name, side in (("in", _IN), ("out", _OUT)):
        at = next((at for at, word in enumerate(words) if word in side), None)
        if at is None:
            return
        around = [*range(at - 1, max(-1, at - 4), -1), *range(at + 1, min(len(words), at + 5))]
        number = next((n for n in around if _number(words[n])), None)
        if number is None:
            return
        sides[name] = amount(words[number]) * (1000 if words[number + 1 : number + 2] == ["k"] else 1)
    if sides["in"] >= max(500, 10 * sides["out"]):
        yield "long-short", 0


def _shares(words: list[str]) -> _Noted:
    """A share of the card as a setting ("utilization 0.95"), not a gauge ("utilization 25%")."""
    for at, word in enumerate(words):
        if word.startswith("utili"):
            number = next((one for one in words[at + 1 : at + 5] if _number(one)), "")
            if "." in number and amount(number) <= 1:
                yield "utilization", at


def _several(heard: Heard) -> _Noted:
    """What is named twice: two engines, factors, sizes of a batch, amounts of memory."""
    words, bits = heard.words, vocabulary().mask
    for name, concept in (
        ("engines", "runner"), ("pair", "factor"), ("gb-pair", "gb"), ("thousands-pair", "thousands")
    ):  # fmt: skip
        places = heard.where(bits(concept))
        if len({words[at] for at in places}) > 1:
            yield name, places[0]
    sizes = {words[at + 1] for at in heard.where(bits("batch")) if at + 1 < len(words) and _number(words[at + 1])}
    if len(sizes) > 1:
        yield "batch-pair", 0
    if any(amount(size) >= 4 for size in sizes):
        yield "batch-many", 0


# --- comparisons ------------------------------------------------------------------------------------------------------


def _compared(heard: Heard) -> Iterator[tuple[int, int]]:
    """Comparisons in words: the slower side, the faster side."""
    bits = vocabulary().mask
    worse = set(heard.where(bits("slow|no-fast"))) | _with(heard, "less", "perf") | _with(heard, "more", "delay")
    better = set(heard.where(bits("fast|no-slow"))) | _with(heard, "more", "perf") | _with(heard, "less", "delay")
    for at in sorted(worse ^ better):
        sides = _than(heard.words, at) or _se(heard.words, at)
        if sides:
            first, second = heard.between(*sides[0]), heard.between(*sides[1])
            yield (first, second) if at in worse else (second, first)


def _with(heard: Heard, one: str, other: str) -> set[int]:
    others = heard.where(vocabulary().mask(other))
    return {at for at in heard.where(vocabulary().mask(one)) if any(abs(at - place) <= 3 for place in others)}


_Sides = tuple[tuple[int, int], tuple[int, int]]


def _than(words: list[str], at: int) -> _Sides | None:
    """English: what stands before the comparing word, and what follows "than"."""
    direct = words[at] in _OVER
    for than in range(at + (0 if direct else 1), min(len(words), at + 6)):
        if words[than] in CONTRAST:
            return None
        if direct or words[than] in _THAN:
            stops = (n for n in range(than + 1, len(words)) if words[n] in PAUSES or words[n] in CONTRAST)
            return (0, at), (than + 1, min(next(stops, len(words)), than + 9))
    return None


def _se(words: list[str], at: int) -> _Sides | None:
    """Hinglish "A B se slow": the word before "se", and what stands before that or, where nothing does, behind "se"."""
    for se in range(at - 1, max(0, at - 4), -1):
        if words[se] == "se":
            if words[se - 1].endswith("ne") or "ulta" in words[se : at + 1]:
                return None  # "karne se", "lagane se": a cause
            low = se - 2 if se > 1 and _number(words[se - 2]) else se - 1
            return ((0, low) if low else (se + 1, len(words))), (low, se)
    return None


def _measured(heard: Heard) -> Iterator[tuple[int, int]]:
    """Rates, or times, in one sentence: what each is of stands before it or, where the first stands bare, behind."""
    words = heard.words
    rates, times = [at for at in range(len(words)) if _is_rate(words, at)], heard.where(vocabulary().mask("ms|seconds"))
    for figures, sign in ((rates, 1), (times, -1)):
        yield from _ranked(heard, [*figures, *_bare(words)] if len(set(figures)) == 1 else figures, sign)
    yield from _ranked(heard, heard.where(vocabulary().mask("minutes")), -1)


def _bare(words: list[str]) -> Iterator[int]:
    """Numbers without a unit at the end of a clause ("with the adapter 6.5 tokens/s, without 17.6")."""
    for at, word in enumerate(words):
        last = at + 1 == len(words) or words[at + 1] in PAUSES or words[at + 1] in CONTRAST
        last = last or (words[at + 1] == "with" and words[at - 1] in PAUSES)
        if last and at and _number(word) and words[at - 1] not in _NAMES_A_NUMBER and not _number(words[at - 1]):
            yield at


_NAMES_A_NUMBER = frozenset(
    "batch size tp pp dp rank version concurrency parallel np bs max len length v release tokens k step layers".split()
)


def _ranked(heard: Heard, figures: list[int], sign: int) -> Iterator[tuple[int, int]]:
    words, figures = heard.words, sorted({at for at in figures if _number(heard.words[at])})[:8]
    if len(figures) < 2:
        return
    cuts = [0, *figures, len(words)]
    before = bool(heard.between(0, figures[0]) & vocabulary().mask(_SIDES))
    sides = [
        (sign * amount(words[at]), heard.between(*((cuts[n], at) if before else (at, cuts[n + 2]))))
        for n, at in enumerate(figures)
    ]
    for n, (speed, bits) in enumerate(sides):
        for other, others in sides[n + 1 :]:
            if speed != other:
                yield (bits, others) if speed < other else (others, bits)


_SIDES = "manycards|onecard|quant|kvquant|plain|draft|lora|chunk|offload|runner|grammar"
"""Concepts that say what a figure is of."""


def _completed(heard: Heard, contest: tuple[int, int]) -> tuple[int, int]:
    """A contest with the side that goes unsaid: beside "one card", "two" are cards too."""
    slow, fast = contest
    bits = vocabulary().mask
    if heard.bits & bits("card") and bits("onecard") & fast & ~slow:
        slow |= bits("manycards")
    return slow, fast
