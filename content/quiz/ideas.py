"""Which ideas of a card stand in what was typed: whole words as written, nothing nearly alike.

What a learner said in other words, only the learner knows: what is found here is a proposal, to be ticked or unticked.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from content.cards import Card, scope
from content.fill import fill
from content.lang import LANGS, Lang

_TOKEN = re.compile(r"\d+(?:[./]\d+)?|[^\W\d_]+(?:'[^\W\d_]+)*\d*|[^\w\s]")
"""A number (a fraction is one), a word, or a sign."""
_SIGNS = str.maketrans({"−": "-", "–": "-", "⁄": "/", "×": "*", "·": "*", "’": "'", "_": " "})
_JOINING = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])|(?<=\d)-(?=[^\W\d_])")
"""A hyphen inside a word: "compute-bound" and "compute bound" are one term."""
_NOT = frozenset("not no never neither nor without isnt arent dont doesnt cannot bina na nahi nahin".split())
_NOT_BEHIND = frozenset("nahi nahin".split())
"""Hindi says no behind the word: "compute nahi, memory"."""
_SKIPPED = frozenset("a an the any".split())


def ideas(card: Card, lang: Lang) -> tuple[str, ...]:
    """Each idea of a card in a clause. It may give the answer away: for a card that is turned."""
    at = scope(card)
    return tuple(fill(said[lang], lang, at) for said in card.ideas)


def found(card: Card, typed: str, lang: Lang) -> tuple[bool, ...]:
    """Which ideas stand in a typed answer, in the order of :func:`ideas`.

    An idea counts where one of its terms, in either language, stands there as whole words and is not denied: "not
    compute", "compute nahi". Case, blanks, hyphens and Unicode variants make no difference, anything else does.
    """
    said = _tokens(typed)
    number = len(card.terms[lang])
    rows = [[_tokens(term) for other in LANGS for term in _spellings(card, other, place)] for place in range(number)]
    return tuple(any(_stands(term, said) for term in row if term) for row in rows)


def _spellings(card: Card, lang: Lang, place: int) -> tuple[str, ...]:
    terms = card.terms[lang]
    return terms[place] if place < len(terms) else ()


def _tokens(text: str) -> list[str]:
    text = unicodedata.normalize("NFKC", text).translate(_SIGNS).casefold()
    text = "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in text)
    return _TOKEN.findall(_JOINING.sub(" ", text))


def _stands(term: Sequence[str], said: Sequence[str]) -> bool:
    """Whether a term stands in a text at least once without being denied."""
    size = len(term)
    places = (place for place in range(len(said) - size + 1) if said[place : place + size] == list(term))
    return any(not _denied(term, said, place) for place in places)


def _denied(term: Sequence[str], said: Sequence[str], place: int) -> bool:
    before = place - 1
    while before >= 0 and said[before] in _SKIPPED:
        before -= 1
    if before >= 0 and (said[before] in _NOT or said[before].endswith("n't")):
        return True
    behind = place + len(term)
    return behind < len(said) and said[behind] in _NOT_BEHIND
