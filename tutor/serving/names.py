"""A learner's name: text from outside, and the folder that it stands for.

The folder is made of ASCII letters, digits and a digest of the whole name, so that no name leads anywhere else, two
names that look different have two folders, and one that is typed in other case or spacing has the same.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from typing import NamedTuple

LONGEST = 40
"""Characters of a name."""
_TYPED = 4 * LONGEST
"""Characters that are looked at: blanks and joiners among them count for nothing."""
_SIGNS = frozenset(" -.'’_")
_JOINERS = str.maketrans("", "", "\u200c\u200d")
"""Signs that only shape letters of Indic scripts."""
_SLUG = 24
_DIGEST = 12
"""Hex digits: two names in a billion names would share a folder with a chance of 1 in 500."""


class BadName(Exception):
    """A text that is no name: ``why`` is ``empty``, ``long`` or ``signs``."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Learner(NamedTuple):
    """Who learns: the name as it is shown, and the name of the folder."""

    name: str
    folder: str


def learner(typed: str) -> Learner:
    """The learner of a typed name. Raises ``BadName``."""
    if len(typed) > _TYPED:
        raise BadName("long")
    name = " ".join(unicodedata.normalize("NFKC", typed).translate(_JOINERS).split())
    if not name:
        raise BadName("empty")
    if len(name) > LONGEST:
        raise BadName("long")
    kinds = [unicodedata.category(sign)[0] for sign in name]
    if not all(kind in "LMN" or sign in _SIGNS for kind, sign in zip(kinds, name, strict=True)):
        raise BadName("signs")
    if not any(kind in "LN" for kind in kinds):
        raise BadName("signs")
    return Learner(name, _folder(name.casefold()))


def _folder(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    slug = "-".join(re.findall(r"[a-z0-9]+", plain))[:_SLUG].strip("-")
    digest = hashlib.sha256(unicodedata.normalize("NFKC", name).encode()).hexdigest()[:_DIGEST]
    return f"{slug or 'learner'}-{digest}"
