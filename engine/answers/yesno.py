"""Yes and no in either language: whole phrases decide, and what is mixed, unknown or says neither is asked about.

A text falls into clauses. A clause says yes or no when all of its words are known: an answer ("haan", "nope"), or
something that is so or not ("fit hota hai", "doesn't fit", "OOM"), turned by one negation. Words that only look like
a
negation are phrases of their own ("kyun nahi", "no problem"). A reason behind a clear answer may be in any words that
do not answer again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.reader.words import key

_CLAUSES = re.compile(r"[,;:.!|&→—–\n]+| - ")
_WORD = re.compile(r"[a-z0-9%+]+(?:'[a-z]+)*|[\u0900-\u0963]+")
_REASON = frozenset(map(key, "because cause coz cuz bcoz since as kyunki kyonki kyuki kyoki".split()))


def _keys(text: str) -> frozenset[str]:
    return frozenset(key(word) for word in text.split())


def _phrases(text: str) -> tuple[tuple[str, ...], ...]:
    found = (tuple(key(word) for word in phrase.split()) for phrase in text.replace("\n", "|").split("|") if phrase)
    return tuple(sorted(found, key=len, reverse=True))


_YES = _keys(
    """yes y yep yup yeah yea yess ye haan ha haa han haanji hanji hnji hn jihaan jihan hanh haaji sure zaroor zarur
    jarur ok okay affirmative beshak"""
)
_NO = _keys("no n nope nopes nah never")
_NOT = _keys(
    """nahi nahin nahee nhi nai nehi na naa nay mat not dont don't doesnt doesn't wont won't cannot cant can't isnt
    isn't wouldnt wouldn't didnt didn't couldnt couldn't shouldnt shouldn't aint ain't arent aren't"""
)
_EMPHASIS = _keys("definitely certainly absolutely bilkul pakka ekdum")
"""Words that are a yes alone, and beside another answer only stress it."""
_SO = _keys(
    """fit fits fitting fitted safe chalega chalegi chalenge chalta chalti chalunga chalaunga chalaungi chalaoonga
    chala aata aati aayega aayegi aaega aaegi samata samaata samayega hota hoti hote hoga hogi works work
    possible sambhav enough kaafi kafi would can could will does do is run jata jaata jati jaati jayega jaayega
    jaega smaller chhota chota shrinks grows badhega badhta surakshit true sach right correct sahi theek thik"""
)
_NOT_SO = _keys(
    """oom overflow overflows overflowed unsafe risky khatra khatarnak crash crashes impossible tight false galat
    ghalat wrong incorrect jhooth jhuth untrue"""
)
_AUXILIARY = _keys(
    "hota hoti hote hoga hogi would can could will does do is run jata jaata jati jaati jayega jaayega jaega"
)
"""Words of :data:`_SO` that only carry another one: with it they add nothing, alone they answer."""
_ASIDE = _keys(
    """it its it's this that the a an on in for of to at all i we me my our you there here now still just only very too
    really quite so sum total card gpu memory model server setup config option answer jawab hai hain h he ho hi
    bhi toh to yeh ye woh wo ab abhi mein me par pe ka ki ke ko se mere hisaab mera sab poora pura ekdum
    actually sir madam bhai yaar think guess believe say kv cache weights statement baat be like real
    practically practice theoretically technically kar karega karegi lagta ji jee aaram aaraam easily
    comfortably barely mushkil-se yahan wahan and aur phir then so isliye therefore hence batch request requests
    gb chal rahega rahegi raha sakta sakte sakti as well"""
)
_IDIOMS = _phrases(
    """no problem|no problems|no issue|no issues|no doubt|no worries|not a problem|koi dikkat nahi|dikkat nahi
koi problem nahi
koi shak nahi|shak nahi|koi baat nahi|kyun nahi|why not|koi pareshani nahi|koi tension nahi|koi issue nahi"""
)
"""Phrases with a negation that deny nothing asked for: they add nothing to an answer and are none alone."""
_UNSURE = _keys("shayad maybe perhaps probably possibly depends kya kyun why whether unsure confused")
_UNSURE_PHRASES = _phrases(
    """pata nahi|nahi pata|dont know|don't know|do not know|not sure|no idea|no clue|ho sakta hai|can't say|cant say
kah nahi sakte|keh nahi sakte|samajh nahi|idk"""
)
_OF_COURSE = _phrases("of course|for sure")


def yes_or_no(typed: str) -> str | None:
    """``"yes"``, ``"no"``, or ``None`` where a text is neither, or both."""
    text = typed.casefold().replace("’", "'").replace("`", "'")
    said: list[str | None] = []
    for clause in _CLAUSES.split(text):
        found = _WORD.findall(clause)
        words = [key(re.sub(r"(.)\1{2,}", r"\1", word)) for word in found]
        if not words:
            continue
        before, reason = _without_reason(words)
        if before:
            said.append(_clause(before))
        if reason:
            break
    return _together(said)


def _without_reason(words: list[str]) -> tuple[list[str], bool]:
    """A clause up to the word that begins a reason."""
    place = next((n for n, word in enumerate(words) if word in _REASON and n), None)
    if words[0] in _REASON:
        return [], True
    if place is None or _clause(words[:place]) not in ("yes", "no"):
        return words, False
    return words[:place], True


def _together(said: Sequence[str | None]) -> str | None:
    """The one answer of all clauses. Behind a clear one, a clause of other words that answer nothing is a reason."""
    first = next((one for one in said if one != "nothing"), None)
    if first not in ("yes", "no"):
        return None
    beside = {"nothing", "reason"} | ({"denial"} if first == "no" else set())
    return first if set(said) - beside == {first} else None


def _clause(words: list[str]) -> str | None:
    """``"yes"``, ``"no"``, ``"nothing"`` (no answer in it), ``"reason"`` or ``"denial"`` (other words, without and
    with
    a negation), or ``None`` (unclear)."""
    left = _without(_without(words, _IDIOMS), _OF_COURSE)
    if _without(left, _UNSURE_PHRASES) != left or set(left) & _UNSURE:
        return None
    votes, other = _votes(left, stressed=_without(words, _OF_COURSE) != words), [w for w in left if w not in _KNOWN]
    if other and not all(word[0].isdigit() for word in other):
        turned = any(word in _NOT for word in left)
        answered = any(word in _YES | _NO for word in left)
        return None if answered else "denial" if turned else "reason"
    return "nothing" if votes == set() else votes.pop() if len(votes) == 1 else None


def _votes(left: Sequence[str], *, stressed: bool) -> set[str]:
    """What the words of a clause say, all of them known: the answers in it, and the one thing that is so or not."""
    claims = [word for word in left if word in _SO and word not in _AUXILIARY]
    so = bool(claims or [word for word in left if word in _AUXILIARY])
    against = any(word in _NOT_SO for word in left)
    turns = sum(word in _NOT for word in left)
    votes = {"yes"} if any(word in _YES for word in left) else set()
    votes |= {"no"} if any(word in _NO for word in left) or (turns and not so and not against) else set()
    if so and (not against or claims):
        votes |= {"no" if turns else "yes"}
    if against:
        votes |= {"yes" if turns else "no"}
    if turns > 1 and (so or against):  # "nahi nahi" is a no; two of them around a claim may cancel
        return {"yes", "no"}
    return votes or ({"yes"} if stressed or any(word in _EMPHASIS for word in left) else set())


_KNOWN = _YES | _NO | _NOT | _EMPHASIS | _SO | _NOT_SO | _ASIDE


def _without(words: Sequence[str], phrases: Sequence[tuple[str, ...]]) -> list[str]:
    """The words without every whole phrase."""
    out: list[str] = []
    at = 0
    while at < len(words):
        length = next((len(p) for p in phrases if tuple(words[at : at + len(p)]) == p), 0)
        if not length:
            out.append(words[at])
        at += length or 1
    return out
