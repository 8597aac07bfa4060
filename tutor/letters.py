"""Picking from a short list by a letter, where an answer could be typed as well: which of several slips was it?

One reading for the app and for plain study: a letter, its place in the list, or the words that stand there.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from content.lang import LANGS, Lang, Text
from content.words import say

if TYPE_CHECKING:
    from engine.answers.model import Verdict
    from tutor.checked import Checked
    from tutor.session import Session


class Lettered(NamedTuple):
    """One line of a list: its letter, what it stands for ("" for none of the others), and its words."""

    letter: str
    id: str
    text: Text


def choices(part_id: str, verdict: Verdict) -> tuple[Lettered, ...]:
    """What can be said to a verdict that leaves several slips open; nothing where it asks nothing."""
    from content import verdicts_wrong

    en, hi = (verdicts_wrong.choices(part_id, verdict, lang) for lang in LANGS)
    return tuple(Lettered(a.letter, a.slip, Text(a.text, b.text)) for a, b in zip(en, hi, strict=True))


# --- reading what was typed -----------------------------------------------------------------------------------------

_PLACES = (
    "first 1st pehla pehli pehle pahla pahli pahle",
    "second 2nd doosra doosri doosre dusra dusri dusre",
    "third 3rd teesra teesri teesre tisra tisri tisre",
    "fourth 4th chautha chauthi chauthe",
)
"""Places in a list as people write them. A bare number is none: it is a new answer."""
_PLACE = {word: number for number, words in enumerate(_PLACES) for word in words.split()}
_NAMED = frozenset("option choice letter".split())
"""Words that say that a line of a list is meant; after them a number is its place too."""
_AROUND = _NAMED | frozenset("the one wala wali wale vala vali vale waala waali waale hi hai tha thi it was".split())
"""Words that may stand around a letter or a place and say nothing more."""
_NONE = frozenset(
    "none|neither|none of these|none of them|none of those|none of the above|neither of them|neither of these"
    "|neither one|nothing of that|dono nahi|koi nahi|koi bhi nahi|dono mein se koi nahi|dono mein se koi bhi nahi"
    "|inmein se koi nahi|inmein se koi bhi nahi|in mein se koi nahi|in mein se koi bhi nahi|teeno nahi|tino nahi"
    "|kuch aur hi|koi aur|dono galat".split("|")
)
"""What stands for something else than all that is listed."""
_YES, _NO = frozenset("yes|yeah|haan|haa|ha|ji haan".split("|")), frozenset("no|nope|nahi|ji nahi".split("|"))
"""Answers to the question whether it was the one thing that is listed."""
_SPELT = {"nahin": "nahi", "nhi": "nahi", "nai": "nahi", "me": "mein", "main": "mein", "han": "haan"}


def folded(text: str) -> str:
    """A text for comparing: small letters, one blank between words, no punctuation and no markup."""
    return " ".join(re.findall(r"\w+", unicodedata.normalize("NFKC", text).lower()))


def of(typed: str, listed: Sequence[Lettered]) -> str:
    """The letter of the line that a typed text means: "b", "B)", "option b", "b wala", "second", or its very words.

    "" where it means none of them for sure: then it is an answer of its own.
    """
    said = folded(typed)
    for letter, _, text in listed:
        words = {folded(text[lang]) for lang in LANGS}
        if said == letter or said in words or said in {f"{letter} {one}" for one in words}:
            return letter
    spelt = " ".join(_SPELT.get(word, word) for word in said.split())
    return _placed(said.split(), listed) or _other(spelt, listed)


def _placed(said: Sequence[str], listed: Sequence[Lettered]) -> str:
    """The one letter or place among words that say nothing more."""
    left = [word for word in said if word not in _AROUND]
    if len(left) != 1:
        return ""
    place = _PLACE.get(left[0], -1)
    if _NAMED & set(said) and left[0].isascii() and left[0].isdigit():
        place = int(left[0][:2]) - 1
    if 0 <= place < len(listed):
        return listed[place].letter
    return next((letter for letter, _, _ in listed if letter == left[0]), "")


def _other(said: str, listed: Sequence[Lettered]) -> str:
    """The letter of "something else", where that is listed and meant; of the only other thing for a plain yes."""
    other = next((letter for letter, id_, _ in listed if not id_), "")
    if not other:
        return ""
    if len(listed) == 2 and said in _YES:
        return next(letter for letter, id_, _ in listed if id_)
    return other if said in _NONE or (len(listed) == 2 and said in _NO) else ""


# --- saying ---------------------------------------------------------------------------------------------------------


def spoken(letters: Sequence[str], lang: Lang) -> str:
    """Letters in a sentence: "a, b or c"."""
    *firsts, last = letters
    return f"{', '.join(firsts)} {say('app.exercise.pick_or', lang)} {last}" if firsts else last


def how(letters: Sequence[str], lang: Lang) -> str:
    """How to answer: "Type a, b or c; a new number counts as a new answer." """
    return say("app.exercise.pick_how", lang, letters=spoken(letters, lang))


class Settled(NamedTuple):
    """What the learner said to a verdict, recorded. ``again`` as in ``Checked``: where else this slip was named."""

    checked: Checked
    slip: str
    again: str | None

    def message(self, lang: Lang) -> str:
        """What to say to that."""
        from content import verdicts_wrong

        told = verdicts_wrong.settled(self.checked.part, self.checked.verdict, self.slip, lang)
        if self.again is None:
            return told
        from tutor.checked import same_slip  # here, for only the names of its records are needed above

        return f"{told} {same_slip(self.slip, self.again, lang)}".strip()


def settle(session: Session, checked: Checked, slip: str) -> Settled:
    """Record which slip it was, "" for none of them."""
    session.settle(checked.part, slip)
    return settled(session, checked, slip)


def settled(session: Session, checked: Checked, slip: str) -> Settled:
    """What there is to say to that, where it is recorded already."""
    return Settled(checked, slip, session.seen_before(checked.part, slip) if slip else None)
