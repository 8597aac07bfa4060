"""A sentence in plain words as concepts: where each stands, what is denied, and who loses a comparison.

English and Hinglish. Words are folded (case, long vowels, hyphens, contractions), articles and auxiliaries dropped, and
looked up in ``symptoms.concepts``. No lookup goes back over the text: time grows with its length alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain

from engine.diagnosis.symptoms.concepts import CONCEPTS

WORDS = 160
"""Words of a sentence that are read."""
WIDTH = 1000
"""Characters of a line that are read."""

_TOKEN = re.compile(r"[0-9]+(?:[.,][0-9]+)*|[^\W\d_][^\W_]*\*?|[%#,;()]")
_PLUS = re.compile(r"(?<!\S)\+(?=[0-9])")
_SENTENCE = re.compile(r"[.!?]\s|\n")
_LOGGED = re.compile(
    r"\W{0,4}(?:\d{4}-\d\d-\d\d|\d\d-\d\d |\d\d:\d\d|[IWEF]\d{4}\b|(?:INFO|WARN|ERROR|DEBUG|TRACE|CRITICAL)|"
    r"\w{1,40}\s(?:pid=|INFO|WARN|ERROR)|(?:llama|ggml|llm|load|common|print|srv|slot|main)_?\w{0,40}:|"
    r"[\w.]{0,60}(?:Error|Exception):)"
)
"""How a line that a program printed begins."""
_METRIC = re.compile(r"[\w:]{1,80}\{|# (?:HELP|TYPE) ")
"""How a line of a metrics page begins; its numbers are read elsewhere."""
_STANDING = re.compile(
    r",?\s{1,4}(?:with )?[0-9.]{1,12} [KMGT]?i?B allocated in private pools \(e\.g\.,? CUDA Graphs\)"
)
"""A clause of PyTorch's out-of-memory text of every process that has CUDA graphs: it says nothing of capturing them."""
_LONG = (
    ("->", " to "), (" > ", " above "), ("→", " to "),
    ("’", "'"), ("aa", "a"), ("ee", "i"), ("oo", "u"), ("n't", " not"),
    ("no longer", "not"), ("cannot", "can not"), ("'s ", " "), ("i'm ", ""), ("any more", "anymore"),
    ("without it ", "otherwise "), ("without that ", "otherwise "),
)  # fmt: skip
PAUSES = frozenset(",;()")
CONTRAST = frozenset("but lekin although though however whereas magar while yet".split())
_BEFORE = frozenset("not no non never without neither nor nothing none hardly barely nobody bina".split())
_AFTER = frozenset("nahi nahin nhi nai nahe".split())
_NEGATIONS = _BEFORE | _AFTER
_CIRCUMSTANCE = frozenset("with under when beyond after above since because".split())
"""Words at which the reach of a negation before them ends ("no gain with 50 users")."""
_FILLERS = frozenset(
    """
    the a an my our your their this that these those it its i we you they he me is are was were be been being am so very
    really quite do does did has had have will can should there here ve re ll hai hain tha thi ho hota hoti
    hote tuh ka ki ke ko mein men ne kar karo karta karti karte raha rahi rahe rha rhi gaya gayi gaye ja jata jati jate
    hua hui hue yeh ye wuh vo wo mera meri mere mujhe bilkul bahut bahot kafi isko usko some about get got getting gets
    """.split()
)
_SKIPPED = frozenset("of to in on at for by from into with as and also much would could bhi par pe hi".split())
"""Words that may stand between the words of a phrase."""
_NUMBERS = {
    "one": "1", "two": "2", "thri": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "ten": "10",
    "sixtin": "16", "twenty": "20", "hundred": "100", "ek": "1", "dun": "2", "tin": "3", "char": "4", "panch": "5",
    "ath": "8", "das": "10",
}  # fmt: skip
_COUNTED = frozenset("gpu gpus card cards request requests user users engine engines minute second log".split())
"""Words before which "do" is the number."""

_NAMED = re.compile(r"[ahlvtb]\d{1,3}s?|[345]0[6-9]0")
"""A card by its name."""

_Phrase = tuple[tuple[str, ...], int]
"""What must follow a word, and the bit of the concept."""


def fold(lower: str) -> list[str]:
    """The words of a text in lower case, as the tables have them."""
    lower = _PLUS.sub(" extra ", lower)
    for long, short in _LONG:
        lower = lower.replace(long, short)
    words = [_NUMBERS.get(word, word) for word in _TOKEN.findall(lower)]
    for at, word in enumerate(words[:-1]):
        if word == "do" and (words[at + 1] in _COUNTED or _NAMED.fullmatch(words[at + 1])):
            words[at] = "2"
    return [word for word in words if word not in _FILLERS]


def amount(word: str) -> float:
    """The number that a word is."""
    parts = word.split(",")
    whole = word.replace(",", "" if all(len(part) >= 2 for part in parts[1:]) else ".")
    try:
        return float(whole[:24])
    except ValueError:
        return 0.0  # "0.9.1": a version


def sentences(text: str, lines: int) -> Iterator[tuple[str, bool]]:
    """The sentences of a text, and whether each is a program's; of too many lines, half from either end.

    Lines of a metrics page are left out.
    """
    if len(text) > lines * WIDTH:
        half = lines * WIDTH // 2
        text = text[:half] + "\n" + text[-half:]
    rows = text.split("\n")
    if len(rows) > lines:
        rows = rows[: lines // 2] + rows[-(lines // 2) :]
    for row in rows:
        if _METRIC.match(row):
            continue
        logged = bool(_LOGGED.match(row))
        for piece in _SENTENCE.split(_STANDING.sub("", row[:WIDTH])):
            if piece and not piece.isspace():
                yield " ".join(piece.split()), logged


class Vocabulary:
    """The concepts, compiled: two bits for each, the concept and its denial."""

    def __init__(self) -> None:
        self.names: dict[str, int] = {}
        self.exact: dict[str, list[_Phrase]] = {}
        self.stems: dict[str, list[_Phrase]] = {}
        self._known: dict[str, int] = {}
        for row in CONCEPTS.strip().replace("\n    ", " ").split("\n"):
            concept, _, phrases = row.partition(":")
            bit = self.bit(concept)
            for phrase in phrases.split():
                first, *rest = fold(phrase.replace("_", " "))
                table, start = (self.stems, first[:-1]) if first.endswith("*") else (self.exact, first)
                table.setdefault(start, []).append((tuple(rest), bit))

    def bit(self, concept: str) -> int:
        """The bit of a concept, or of its denial ("no-x"); a new one where it is not known yet."""
        denied = concept.startswith("no-")
        bit = self.names.setdefault(concept[3:] if denied else concept, 1 << 2 * len(self.names))
        return bit << 1 if denied else bit

    def mask(self, names: str) -> int:
        """The bits of concepts joined by "|"."""
        if names not in self._known:
            found = 0
            for name in names.split("|"):
                found |= self.bit(name)
            self._known[names] = found
        return self._known[names]

    def starts(self, word: str) -> Iterator[_Phrase]:
        """The phrases that a word may begin."""
        ends = range(2, min(len(word), 20) + 1)
        number = self.exact.get("#", ()) if word[0].isdigit() else ()
        return chain(self.exact.get(word, ()), number, *(self.stems.get(word[:n], ()) for n in ends))


@lru_cache(maxsize=1)
def vocabulary() -> Vocabulary:
    """The one vocabulary, made when the first sentence is read."""
    return Vocabulary()


class Heard:
    """A sentence as concepts.

    Attributes:
        words: folded.
        bits: of all concepts that stand in it.
        contests: slower side and faster side of each comparison, as bits.
    """

    def __init__(self, words: list[str]) -> None:
        self.words = words
        self.bits = 0
        self.contests: list[tuple[int, int]] = []
        self._places: dict[int, list[int]] = {}

    def put(self, bit: int, at: int) -> None:
        """Notes a concept at a word."""
        self.bits |= bit
        self._places.setdefault(bit, []).append(at)

    def add(self, name: str, like: int) -> None:
        """Notes a concept wherever one of others stands."""
        bit = vocabulary().bit(name)
        for at in self.where(like):
            self.put(bit, at)

    def where(self, mask: int) -> list[int]:
        """The words at which one of these concepts stands."""
        if not self.bits & mask:
            return []
        return [at for bit, places in self._places.items() if bit & mask for at in places]

    def between(self, low: int, high: int) -> int:
        """The concepts at the words from ``low`` to before ``high``."""
        found = 0
        for bit, places in self._places.items():
            if any(low <= at < high for at in places):
                found |= bit
        return found

    def close(self, left: int, right: int, near: int, ordered: bool) -> bool:
        """Whether two concepts stand close together, in either order or in this one."""
        if not (self.bits & left and self.bits & right):
            return False
        others = self.where(right)
        return any(0 < b - a <= near or (not ordered and 0 <= a - b <= near) for a in self.where(left) for b in others)

    def loses(self, mask: int) -> bool:
        """Whether one of these concepts is the slower side; without a comparison: stands by slowness."""
        sides = [(bool(slow & mask), bool(fast & mask)) for slow, fast in self.contests]
        decided = [slow for slow, fast in sides if slow != fast]
        if decided:
            return any(decided)
        return bool(self.bits & mask and self.bits & vocabulary().mask("slower"))


def concepts(lower: str) -> Heard:
    """The concepts that the words of a sentence in lower case name, without those of its numbers."""
    heard = Heard(fold(lower)[:WORDS])
    words, mask = heard.words, vocabulary().mask("mask")
    matches = _matches(words)
    phrases = [(start, end, bit) for start, end, bit in matches if end - start > 1]
    spoken = {at for start, end, _ in phrases for at in range(start, end) if words[at] in _NEGATIONS}
    whole = [(start, end) for start, end, _ in phrases if any(start <= at < end for at in spoken)]
    masked = [(start, end) for start, end, bit in phrases if bit == mask]
    for start, end, bit in matches:
        if any(low <= start and end <= high and high - low > end - start for low, high in whole):
            continue  # "faster" of "no faster": the phrase has said it
        if any(low <= start and end <= high and high - low > end - start for low, high in masked):
            continue  # "load" of "load test"
        heard.put(bit << 1 if _denied(words, start, end, spoken) else bit, start)
    return heard


def _matches(words: list[str]) -> list[tuple[int, int, int]]:
    """Where phrases stand: first word, the word after the last, bit."""
    starts, there = _starts, {*words}
    found = []
    for at, word in enumerate(words):
        for rest, bit in starts(word):
            if not rest:
                found.append((at, at + 1, bit))
            elif rest[0] in there or rest[0][-1] in "*#":
                end = _end(words, at + 1, rest)
                if end:
                    found.append((at, end, bit))
    return found


@lru_cache(maxsize=4096)
def _starts(word: str) -> tuple[_Phrase, ...]:
    return tuple(vocabulary().starts(word))


def _end(words: list[str], at: int, rest: tuple[str, ...]) -> int:
    """The word after a phrase of which only ``rest`` is left; 0 where it does not stand there."""
    for want in rest:
        while at < len(words) and words[at] in _SKIPPED and words[at] != want:
            at += 1
        if at == len(words) or not _same(want, words[at]):
            return 0
        at += 1
    return at


def _same(want: str, word: str) -> bool:
    return want == word or (want[-1] == "*" and word.startswith(want[:-1])) or (want == "#" and word[0].isdigit())


def _denied(words: list[str], start: int, end: int, spoken: set[int]) -> bool:
    """Whether a negation that is no part of a phrase stands before this one, or "nahi" behind it, in its clause."""
    for at in range(start - 1, max(-1, start - 5), -1):
        word = words[at]
        if word in PAUSES or word in CONTRAST or word in _CIRCUMSTANCE:
            break
        if at not in spoken and (word in _BEFORE or (word in _AFTER and at == start - 1)):
            return True
    for at in range(end, min(len(words), end + 2)):
        word = words[at]
        if word in PAUSES or word in CONTRAST:
            break
        if word in _AFTER and at not in spoken:
            return True
    return False
