"""A sentence in plain words as concepts: where each stands, what is denied, and who loses a comparison.

English and Hinglish. Words are folded (case, long vowels, hyphens, contractions), fillers dropped, numbers kept with what
their unit makes of them: a share, a rate, a time, a number of cards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain

from engine.diagnosis import sayings

WORDS = 160
"""Words of a sentence that are read."""
WIDTH = 1000
"""Characters of a line that are read."""

_TOKEN = re.compile(r"[0-9]+(?:[.,][0-9]+)*|[^\W\d_][^\W_]*\*?|[%#,;()]")
_PLUS = re.compile(r"(?<!\S)\+(?=[0-9])")
_SENTENCE = re.compile(r"[.!?]\s|\n")
_LONG = (("aa", "a"), ("ee", "i"), ("oo", "u"), ("n't", " not"), ("no longer", "not"), ("cannot", "can not"), ("'s ", " "), ("i'm ", ""), ("any more", "anymore"), ("without it ", "otherwise "), ("without that ", "otherwise "))
_PAUSES = frozenset(",;()")
_CONTRAST = frozenset("but lekin although though however whereas magar while yet".split())
_BEFORE = frozenset("not no never without neither nor nothing none hardly barely nobody bina gairv nor isnt dont".split())
_AFTER = frozenset("nahi nahin nhi nai nahe".split())
_NEGATIONS = _BEFORE | _AFTER
_FILLERS = frozenset(
    """
    the a an my our your their this that these those it its i we you they he me is are was were be been being am so very
    really quite do does did has had have will would can could should
    there here ve re ll hai hain tha thi ho hota hoti hote tuh ka ki ke ko mein men ne kar karo
    karta karti karte raha rahi rahe rha rhi gaya gayi gaye ja jata jati jate hua hui hue yeh ye wuh vo wo ek-dam
    mera meri mere mujhe phir-se bilkul bahut bahot kafi isko usko some much about get got getting gets
    """.split()
)  # fmt: skip
_SKIPPED = frozenset("of to in on at for by from into with as and also bhi par pe hi".split())
"""Words that may stand between the words of a phrase."""
_NUMBERS = {
    "one": "1", "two": "2", "thri": "3", "four": "4", "five": "5", "six": "6", "eight": "8", "ten": "10", "sixtin": "16",
    "ek": "1", "dun": "2", "tin": "3", "char": "4", "ath": "8", "das": "10", "hundred": "100", "twenty": "20", "panch": "5",
}  # fmt: skip
_COUNTED = frozenset("gpu gpus card cards request requests user users engine engines minute second log".split())
"""Words before which "do" is the number."""
_CARDS = re.compile(r"(?:x|gpus?|cards?|devices?|[ahlvt]\d{1,3}s?|[34]090s?|rtx|h200s?|mi300x?)$")


def fold(lower: str) -> list[str]:
    """The words of a text in lower case, as the tables have them."""
    lower = _PLUS.sub(" extra ", lower.replace("->", " to ").replace("→", " to "))
    for long, short in _LONG:
        lower = lower.replace(long, short)
    words = [_NUMBERS.get(word, word) for word in _TOKEN.findall(lower.replace("’", "'"))]
    kept = []
    for at, word in enumerate(words):
        if word == "do" and at + 1 < len(words) and words[at + 1] in _COUNTED:
            kept.append("2")
        elif word not in _FILLERS:
            kept.append(word)
    return kept


def sentences(text: str, lines: int) -> Iterator[str]:
    """The sentences of a text; of one with more lines than given, half of them from either end."""
    if len(text) > lines * WIDTH:
        half = lines * WIDTH // 2
        text = text[:half] + "\n" + text[-half:]
    rows = text.split("\n")
    if len(rows) > lines:
        rows = rows[: lines // 2] + rows[-(lines // 2) :]
    return (piece for row in rows for piece in _split(row[:WIDTH]))


def _split(line: str) -> Iterator[str]:
    return (piece.strip() for piece in _SENTENCE.split(line) if piece and not piece.isspace())


class Vocabulary:
    """The tables of concepts, compiled: a bit for each concept, and one for its denial."""

    def __init__(self) -> None:
        self.names: dict[str, int] = {}
        self.exact: dict[str, list[tuple[tuple[str, ...], int]]] = {}
        self.stems: dict[str, list[tuple[tuple[str, ...], int]]] = {}
        for row in sayings.CONCEPTS.strip().replace("\n    ", " ").split("\n"):
            concept, _, words = row.partition(":")
            bit = self.bit(concept)
            for phrase in words.split():
                first, *rest = fold(phrase.replace("_", " ")) or [""]
                table, key = (self.stems, first[:-1]) if first.endswith("*") else (self.exact, first)
                if key:
                    table.setdefault(key, []).append((tuple(rest), bit))

    def bit(self, concept: str) -> int:
        """The bit of a concept; a new one where it is not known yet."""
        denied = concept.startswith("no-")
        bit = self.names.setdefault(concept[3:] if denied else concept, 1 << 2 * len(self.names))
        return bit << 1 if denied else bit

    def mask(self, names: str) -> int:
        """The bits of concepts joined by "|"."""
        found = 0
        for name in names.split("|"):
            found |= self.bit(name)
        return found

    def starts(self, word: str) -> Iterator[tuple[tuple[str, ...], int]]:
        """The phrases that a word may begin: what must follow, and the bit."""
        ends = range(2, min(len(word), 20) + 1)
        return chain(self.exact.get(word, ()), *(self.stems[word[:n]] for n in ends if word[:n] in self.stems))


@lru_cache(maxsize=1)
def vocabulary() -> Vocabulary:
    """The one vocabulary."""
    return Vocabulary()


class Heard:
    """A sentence as concepts.

    Attributes:
        words: folded.
        bits: of all concepts that stand in it.
        places: bit -> words at which it stands.
        contests: slower side and faster side of each comparison, as bits.
    """

    def __init__(self, words: list[str]) -> None:
        self.words = words
        self.bits = 0
        self.places: dict[int, list[int]] = {}
        self.contests: list[tuple[int, int]] = []

    def put(self, bit: int, at: int) -> None:
        """Notes a concept at a word."""
        self.bits |= bit
        self.places.setdefault(bit, []).append(at)

    def add(self, name: str, like: int) -> None:
        """Notes a concept wherever one of others stands."""
        bit = vocabulary().bit(name)
        for at in self.where(like) or [0]:
            self.put(bit, at)

    def where(self, mask: int) -> list[int]:
        """The words at which one of these concepts stands."""
        if not self.bits & mask:
            return []
        return [at for bit, places in self.places.items() if bit & mask for at in places]

    def between(self, low: int, high: int) -> int:
        """The concepts at the words from ``low`` to before ``high``."""
        found = 0
        for bit, places in self.places.items():
            if any(low <= at < high for at in places):
                found |= bit
        return found

    def close(self, left: int, right: int, near: int, ordered: bool) -> bool:
        """Whether two concepts stand close together, in either order or in this one."""
        if not (self.bits & left and self.bits & right):
            return False
        others = self.where(right)
        return any(0 < b - a <= near or (not ordered and 0 < a - b <= near) for a in self.where(left) for b in others)

    def loses(self, mask: int) -> bool:
        """Whether one of these concepts is the slower side; where nothing is compared, whether the sentence is of slowness."""
        if not self.bits & mask:
            return False
        decided = [(bool(slow & mask), bool(fast & mask)) for slow, fast in self.contests]
        decided = [one for one in decided if one[0] != one[1]]
        if decided:
            return any(slow for slow, _ in decided)
        return bool(self.bits & vocabulary().mask("slower"))


def hear(lower: str) -> Heard:
    """The concepts of a sentence in lower case."""
    heard = Heard(fold(lower)[:WORDS])
    matches, mask = _matches(heard.words), vocabulary().mask("mask")
    inside = {at for start, length, _ in matches if length > 1 for at in range(start, start + length)}
    said = {at for at in inside if heard.words[at] in _NEGATIONS}  # negations that belong to a phrase deny nothing
    masked = {at for start, length, bit in matches if bit == mask for at in range(start, start + length)}
    spans = [(s, s + n) for s, n, _ in matches if n > 1 and any(at in said for at in range(s, s + n))]
    for start, length, bit in matches:
        if any(low <= start and start + length <= high and (high - low) > length for low, high in spans):
            continue  # "faster" of "no faster"
        if length == 1 and start in masked:
            continue  # "load" of "load test"
        heard.put(bit << 1 if _denied(heard.words, start, start + length, said) else bit, start)
    for name, at in [*_figures(heard.words), *_cards(heard.words), *_queue(heard.words), *_changes(heard.words), *_lengths(heard.words), *_shares(heard.words)]:
        heard.put(vocabulary().bit(name), at)
    for name, at in list(_several(heard)):
        heard.put(vocabulary().bit(name), at)
    heard.contests = [*_contests(heard), *_measured(heard)]
    return heard


def _matches(words: list[str]) -> list[tuple[int, int, int]]:
    """Where phrases stand: first word, number of words, bit."""
    starts = vocabulary().starts
    found = []
    for at, word in enumerate(words):
        for rest, bit in starts(word):
            if not rest or _follows(words, at + 1, rest):
                found.append((at, 1 + len(rest), bit))
        if word[0].isdigit():
            for rest, bit in vocabulary().exact.get("#", ()):
                if _follows(words, at + 1, rest):
                    found.append((at, 1 + len(rest), bit))
    return found


def _follows(words: list[str], at: int, rest: tuple[str, ...]) -> bool:
    for want in rest:
        while at < len(words) and words[at] in _SKIPPED and words[at] != want:
            at += 1
        if at == len(words):
            return False
        word = words[at]
        if want != word and not (want[-1] == "*" and word.startswith(want[:-1])) and not (want == "#" and word[0].isdigit()):
            return False
        at += 1
    return True


def _denied(words: list[str], start: int, end: int, said: set[int]) -> bool:
    for at in range(start - 1, max(-1, start - 5), -1):
        word = words[at]
        if word in _PAUSES or word in _CONTRAST:
            break
        if (word in _BEFORE and at not in said) or (word in _AFTER and at == start - 1 and at not in said):
            return True
    for at in range(end, min(len(words), end + 2)):
        word = words[at]
        if word in _PAUSES or word in _CONTRAST:
            break
        if word in _AFTER and at not in said:
            return True
    return False


# --- numbers ----------------------------------------------------------------------------------------------------------


def _value(word: str) -> float:
    parts = word.split(",")
    whole = word.replace(",", "") if all(len(part) >= 2 for part in parts[1:]) else word.replace(",", ".")
    try:
        return float(whole[:24])
    except ValueError:
        return 0.0  # "0.9.1": a version


_RATES = ({"tok", "toks", "tokens", "token", "t", "it", "tk", "req", "requests", "reqs"}, {"s", "sec", "second", "seconds", "per"})
_SECONDS = {"s": 1, "sec": 1, "secs": 1, "second": 1, "seconds": 1, "sekand": 1}
_MINUTES = {"minute", "minutes", "min", "mins", "minat", "hours", "hour", "ghante"}


def _is_rate(words: list[str], at: int) -> bool:
    if not words[at][0].isdigit() or at + 1 >= len(words):
        return False
    if words[at + 1] in ("tps", "tok/s"):
        return True
    if words[at + 1] in ("rps", "qps"):
        return True
    return at + 2 < len(words) and words[at + 1] in _RATES[0] and words[at + 2] in _RATES[1]


def _figures(words: list[str]) -> Iterator[tuple[str, int]]:
    """What numbers with their units are."""
    for at, word in enumerate(words):
        if not word[0].isdigit():
            if word in _MINUTES:
                yield "minutes", at
            continue
        value = _value(word)
        unit = words[at + 1] if at + 1 < len(words) else ""
        if unit in ("%", "percent", "pratishat", "pct"):
            yield "pct", at
            if value >= 88:
                yield "pct-high", at
            elif value <= 60:
                yield "pct-idle", at
            if value <= 15:
                yield "pct-low", at
            if value == 0:
                yield "pct-zero", at
        elif _is_rate(words, at):
            yield "rate", at
            if unit.startswith(("req", "rps", "qps")):
                continue
            if value <= 1.5:
                yield "rate-tiny", at
            if value <= 15:
                yield "rate-low", at
        elif unit in _SECONDS:
            yield "seconds", at
            if value >= 240:
                yield "minutes", at
        elif unit == "ms":
            yield "ms", at
        elif unit in _MINUTES:
            yield "minutes", at
        elif unit in ("x", "times", "guna", "fold"):
            yield "factor", at
        elif unit in ("w", "watt", "watts"):
            yield "watts", at
        elif unit in ("gb", "gib"):
            yield "gb", at
        elif unit == "k" or (value >= 1000 and "." not in word):
            yield "thousands", at
        elif 0.1 <= value <= 1 and "." in word:
            yield ("share-high" if value >= 0.88 else "share"), at
        if _of(words, at):
            yield "layers-part", at


def _of(words: list[str], at: int) -> bool:
    """Whether "20 of 33 layers", or fewer than all of them, begins here."""
    rest = [word for word in words[at + 1 : at + 6] if word not in ("of", "se", "out", "sirf")][:2]
    return (
        len(rest) == 2 and rest[0][0].isdigit() and rest[1].startswith("layer") and _value(words[at]) != _value(rest[0])
    )


def _changes(words: list[str]) -> Iterator[tuple[str, int]]:
    """A rate that falls, a time that grows ("14 -> 9 req/s", "from 20 to 60 ms"); "90 s for 100 tokens" as a rate."""
    for at in range(1, len(words) - 1):
        if not (words[at - 1][0].isdigit() and words[at] in ("to", "for", "per")):
            if words[at] == "for" and at > 1 and words[at - 2][0].isdigit() and words[at + 1][0].isdigit():
                time = _value(words[at - 2]) * (60 if words[at - 1] in _MINUTES else 1)
                if words[at - 1] in _SECONDS or words[at - 1] in _MINUTES:
                    rate = _value(words[at + 1]) / time if time else 99
                    if words[at + 2 : at + 3] and words[at + 2] in _RATES[0] and rate <= 15:
                        yield ("rate-tiny" if rate <= 3 else "rate-low"), at
            continue
        if words[at] == "to" and words[at + 1][0].isdigit():
            before, after = _value(words[at - 1]), _value(words[at + 1])
            timed = words[at + 2 : at + 3] and (words[at + 2] in _SECONDS or words[at + 2] == "ms")
            if (_is_rate(words, at + 1) and after < before) or (timed and after > before):
                yield "falls", at


_IN = frozenset("in input inputs prompt prompts context document documents".split())
_OUT = frozenset("out output outputs answer answers response label labels generated completion".split())


def _lengths(words: list[str]) -> Iterator[tuple[str, int]]:
    """A number of tokens in, ten times or more above the number out."""
    sides = {}
    for name, side in (("in", _IN), ("out", _OUT)):
        for at, word in enumerate(words):
            if word in side:
                around = [*range(at - 1, max(-1, at - 4), -1), *range(at + 1, min(len(words), at + 5))]
                number = next((n for n in around if words[n][0].isdigit()), None)
                if number is not None:
                    sides[name] = _value(words[number]) * (1000 if words[number + 1 : number + 2] == ["k"] else 1)
                    break
    if sides.get("in", 0) >= max(500, 10 * sides.get("out", 1e9)):
        yield "long-short", 0


def _shares(words: list[str]) -> Iterator[tuple[str, int]]:
    """A share of the card as a setting ("utilization 0.95"), not a gauge ("utilization 25%")."""
    for at, word in enumerate(words):
        if word.startswith("utili"):
            for number in words[at + 1 : at + 5]:
                if number[0].isdigit():
                    if "." in number and _value(number) <= 1:
                        yield "utilization", at
                    break


def _queue(words: list[str]) -> Iterator[tuple[str, int]]:
    """The number behind "waiting": nothing, or more than a few."""
    for at, word in enumerate(words):
        if word in _QUEUES:
            for number in words[at + 1 : at + 4]:
                if number[0].isdigit():
                    value = _value(number)
                    yield ("queue-zero" if value == 0 else "queue-many" if value >= 4 else "queue-few"), at
                    break


_QUEUES = frozenset("waiting pending queue queued wait".split())


def _several(heard: Heard) -> Iterator[tuple[str, int]]:
    """What it means that something is named twice: two engines, two factors, two sizes of a batch."""
    for name, concept, table in (("engines", "runner", None), ("pair", "factor", None), ("gb-pair", "gb", None), ("thousands-pair", "thousands", None), ("batch-pair", "batch", 1)):
        places = heard.where(vocabulary().mask(concept))
        if table:
            places = [at for at in places if at + 1 < len(heard.words) and heard.words[at + 1][0].isdigit()]
            places += [at for at in places if heard.words[at + 2 : at + 3] and heard.words[at + 2][0].isdigit()]
        if len({(heard.words[at], at if name != "engines" or 1 else 0) for at in places}) > 1:
            yield name, places[0]


def _cards(words: list[str]) -> Iterator[tuple[str, int]]:
    """Numbers of cards, and of ranks behind "tp"."""
    for at, word in enumerate(words[:-1]):
        following = words[at + 1]
        if word[0].isdigit() and len(word) <= 2 and _CARDS.match(following):
            if following == "x" and not (at + 2 < len(words) and _CARDS.match(words[at + 2])):
                continue
            yield ("manycards" if _value(word) > 1 else "onecard"), at
        elif word in ("tp", "parallel") and following[0].isdigit() and (word == "tp" or (at and words[at - 1] == "tensur")):
            yield ("manycards" if _value(following) > 1 else "onecard"), at


# --- comparisons ------------------------------------------------------------------------------------------------------

_THAN = frozenset("than compared vs versus relative against behind".split())
_OVER = frozenset("outperforms outperform beats beat outperformed".split())


def _contests(heard: Heard) -> Iterator[tuple[int, int]]:
    """Comparisons in words: the slower side, the faster side."""
    words = heard.words
    bits = vocabulary().mask
    worse = set(heard.where(bits("slow|no-fast"))) | _with(heard, "less", "perf") | _with(heard, "more", "delay")
    better = set(heard.where(bits("fast|no-slow"))) | _with(heard, "more", "perf") | _with(heard, "less", "delay")
    for at in sorted(worse | better):
        if at in worse and at in better:
            continue
        sides = _than(words, at) or _se(words, at)
        if sides:
            (a, b), (c, d) = sides
            first, second = heard.between(a, b), heard.between(c, d)
            yield _completed((first, second) if at in worse else (second, first))


def _with(heard: Heard, one: str, other: str) -> set[int]:
    bits = vocabulary().mask
    others = heard.where(bits(other))
    return {at for at in heard.where(bits(one)) if any(abs(at - place) <= 3 for place in others)}


def _than(words: list[str], at: int) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """English: what stands before the comparing word, and what follows "than"."""
    direct = words[at] in _OVER
    for than in range(at + (0 if direct else 1), min(len(words), at + 6)):
        if direct or words[than] in _THAN:
            end = than + 1
            while end < len(words) and end - than < 9 and words[end] not in _PAUSES and words[end] not in _CONTRAST:
                end += 1
            return (0, at), (than + 1, end)
        if words[than] in _CONTRAST:
            return None
    return None


def _se(words: list[str], at: int) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Hinglish: "A B se slow": the two words before "se", and what stands before them or, where nothing does, behind."""
    for se in range(at - 1, max(0, at - 4), -1):
        if words[se] == "se" and se:
            if words[se - 1].endswith("ne"):
                return None  # "karne se", "lagane se": a cause
            low = se - 2 if se > 1 and words[se - 2][0].isdigit() else se - 1
            return ((0, low) if low else (se + 1, len(words))), (low, se)
    return None


def _measured(heard: Heard) -> Iterator[tuple[int, int]]:
    """Two or more rates in a sentence, each with what it is of: before it or, where the first stands bare, behind it."""
    yield from _sides(heard, [at for at in range(len(heard.words)) if _is_rate(heard.words, at)], 1)
    yield from _sides(heard, heard.where(vocabulary().mask("ms|seconds|minutes")), -1)


def _sides(heard: Heard, figures: list[int], sign: int) -> Iterator[tuple[int, int]]:
    words, figures = heard.words, sorted(set(figures))[:8]
    if len(figures) < 2:
        return
    known = vocabulary().mask("manycards|onecard|quant|plain|draft|lora|chunk|offload|runner")
    cuts = [0, *figures, len(words)]
    before = bool(heard.between(0, figures[0]) & known)
    sides = [
        (sign * _value(words[at]), heard.between(*((cuts[n], at) if before else (at, cuts[n + 2]))))
        for n, at in enumerate(figures)
    ]
    for n, (speed, bits) in enumerate(sides):
        for other, others in sides[n + 1 :]:
            if speed != other:
                yield _completed((bits, others) if speed < other else (others, bits))


def _completed(contest: tuple[int, int]) -> tuple[int, int]:
    """A contest with the side that goes unsaid: against "one card", "two" are cards too."""
    slow, fast = contest
    for one, other in (("onecard", "manycards"), ("plain", "quant")):
        if vocabulary().mask(one) & fast & ~slow:
            slow |= vocabulary().mask(other)
    return slow, fast
