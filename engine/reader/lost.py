"""Learners who say that they do not know, in either language: no answer, and nothing to judge."""

from __future__ import annotations

import re

from engine.reader.words import key

_WORD = re.compile(r"[A-Za-z']+|[\u0900-\u0963]+")
_MOST_WORDS = 12
_ASIDE = frozenset(
    key(
        """mujhe mujhko muje muje to toh hi kuch bhi hai hain ho raha rahi abhi yaar bhai sir madam please pls plz
        sorry
        i me im am it this that is the a an of with have got really koi mein me se iska isko yeh ye just still here
        answer jawab um uh hmm well what u you can my at all ji main maine hu hun hoon ke liye bilkul"""
    ).split()
)
"""Words that change nothing about not knowing."""

_SAID = """
pata nahi|nahi pata|pata nhi|nhi pata|kya pata|pta nahi|pta nhi|nahi malum|malum nahi|nahi maloom|maloom nahi
nahi janta|nahi jaanta
nahi jaanti|nahi aata|nahi aati|nhi aata|samajh nahi aaya|samajh nahi aayi|samajh nhi aaya|samajh nahi aata
samajh nahi
samajh nahi aa raha|nahi samjha|nahi samjhi|nahi samajh aaya|nahi samajh paya|samajh nahi paya|nahi kar paya
dont know|don't know
do not know|dunno|idk|dont understand|don't understand|do not understand|didnt understand|didn't understand|dont get
don't get
didn't get|no idea|no clue|not sure|no clue|cant do|can't do|cannot do|can't solve|help|help karo|help chahiye
need help|help do
hint|hint do|hint de do|hint dena|hint dijiye|hint chahiye|give hint|need hint|want hint|hint batao|hint please
ek hint do|ek hint
madad|madad karo|madad chahiye|kya karu|kya karun|kya karoon|kya karna|kaise karu|kaise karun|kaise kare|kaise karna
kaise nikalu
kaise nikale|stuck|lost|confused|confuse|give up|batao|bata do|jawab batao|tum batao|aap batao|mushkil|how do do
how to do|how
"""
"""What they say."""


def _content(text: str) -> tuple[str, ...]:
    return tuple(word for word in (key(piece) for piece in _WORD.findall(text)) if word not in _ASIDE)


_PHRASES = frozenset(_content(phrase) for line in _SAID.split("\n") for phrase in line.split("|"))
_LOST = _PHRASES - {(), ("nahi",)}  # a bare "no" is an answer


def is_lost(typed: str) -> bool:
    """Whether a text says no more than that its writer does not know, or wants help."""
    if any(char.isdigit() for char in typed):
        return False
    found = _content(typed.replace("’", "'"))
    return 0 < len(found) <= _MOST_WORDS and found in _LOST
