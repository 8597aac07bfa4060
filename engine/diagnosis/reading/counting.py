"""Words that stand beside counts, and what makes a count none: units of something else, and what is half read."""

from __future__ import annotations

import re
from functools import lru_cache

from engine import units
from engine.diagnosis.written import MAX_WRITTEN, Group, NotRead
from engine.reader import words

USUAL = words.MEAN | {"typical", "usual", "default", "median", "p50"}
COUNTED = frozenset(
    """
    token tokens tok toks request requests req reqs sequence sequences seqs seq user users session sessions slot slots
    stream streams client clients prompt prompts card cards gpu gpus layers layer heads head gpu(s) concurrent parallel
    """.split()
)
NO_TOKENS = frozenset("word words char chars character characters page pages line lines % rps qps tps".split())
TOKENS = frozenset("tok token tokens toks t tk tkn".split())
IN = frozenset("in input prompt prompts ctx context".split())
OUT = frozenset("out output outputs generated new completion".split())
AT_ONCE = frozenset(
    """
    concurrent concurrently concurrency parallel simultaneous simultaneously user users stream streams client clients
    worker workers session sessions flight once saath sath batch slot slots sequence sequences seqs in-flight
    """.split()
)
IN_ALL = frozenset(
    """
    prompt prompts offline total question questions sample samples conversation conversations dataset document documents
    row rows example examples
    """.split()
)


def refuse_units(found: Group) -> None:
    """Bytes, seconds, shares and rates are no counts; neither are words or pages of a text."""
    for word in found.after[:1]:
        unit = None if word in COUNTED else units.find(word)
        if "/" in word or word in NO_TOKENS or (unit is not None and unit.dimension not in (*units.COUNTS, "factor")):
            raise NotRead("wrong-unit")


_POINTS = re.compile(r"(?<![\d.])[1-9]\d{0,2}(?:\.\d{3})+(?![\d.])\s*(?:[^\W\dkm]|$)", re.IGNORECASE)


def refuse_points(value: object) -> None:
    """ "1.000" of something counted: one, or a thousand as some countries write it."""
    if isinstance(value, str) and len(value) <= MAX_WRITTEN and _POINTS.search(value):
        raise NotRead("point-unclear")


def refuse_rest(found: Group) -> None:
    """A word right behind a number that no count has is a unit of something else: "5 furlongs", "1e"."""
    if len(found.after) == 1 and found.after[0].isalpha() and words.key(found.after[0]) not in _beside_counts():
        raise NotRead("unknown-unit")


@lru_cache(maxsize=1)
def _beside_counts() -> frozenset[str]:
    more = """
        shared each max maximum min minimum total mean avg average image images step steps block blocks size long only
        per-request ke ka ki hi default experts expert way nodes node ranks rank stages stage streams
    """.split()
    known = COUNTED | AT_ONCE | IN_ALL | IN | OUT | TOKENS | USUAL | words.FILLERS | words.HEDGES
    return frozenset(words.key(word) for word in (*known, *more)) | frozenset((*known, *more))
