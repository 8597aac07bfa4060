"""What a cause is, and how the pieces of evidence for one are put together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Literal, NamedTuple

from engine.diagnosis.cases.case import Case
from engine.diagnosis.model import Detail, Param, Phase, Wall

By = Literal["numbers", "flags", "words"]
Group = Literal["load", "misread", "fault", "base"]

WORDS_MOST = Fraction(6, 10)
"""A sentence in plain words is never surer than this: it moves a prior, and no number gives way to it."""
FLAGS_MOST = Fraction(8, 10)
"""A flag says what is on, not what it costs here."""


class Witness(NamedTuple):
    """What speaks for a cause.

    Attributes:
        strength: how sure, 0 to 1.
        by: the strongest kind of evidence in it.
        share: of the step's time, or of the card's bytes; ``None`` where not computable.
        params: for the cause's sentence.
        because: texts of the signals and names of the fields it rests on.
        phase, wall: where they differ from the cause's own.
    """

    strength: Fraction
    by: By
    share: Fraction | None = None
    params: Mapping[str, Param] = {}
    because: tuple[str, ...] = ()
    phase: Phase | None = None
    wall: Wall | None = None


class Cause(NamedTuple):
    """One thing that may be the matter.

    Attributes:
        id: its sentence is ``diagnosis.cause.<id>``.
        group: ``load`` keeps a server from starting, ``misread`` is no trouble at all, ``fault`` is something beside
            the model's own work, ``base`` the limit that any healthy server has.
        wall, detail, phase: what it says.
        witness: what speaks for it in a case; ``None`` where nothing does.
        levers: ids in the order in which threads settled them, where no number decides.
        useless: levers that people try here in vain.
        experiment: id of the change that would refute it, and the lever whose flag it uses ("" for none).
        source: where the rule comes from.
    """

    id: str
    group: Group
    wall: Wall
    detail: Detail | None
    phase: Phase
    witness: Callable[[Case], Witness | None]
    levers: tuple[str, ...]
    useless: tuple[str, ...]
    experiment: tuple[str, str]
    source: str


def words(case: Case, direct: Mapping[str, str | float], *hints: str) -> Witness | None:
    """What the sentences say: ``direct`` signals with how sure each makes one (0.6 at most), ``hints`` that only
    strengthen them. ``None`` without a direct one.
    """
    found = [one for one in case.scenario.signals if one.id in direct]
    if not found:
        return None
    doubt = Fraction(1)
    for name in {one.id for one in found}:
        doubt *= 1 - Fraction(str(direct[name]))
    hinted = [one for one in case.scenario.signals if one.id in hints]
    for _ in {one.id for one in hinted}:
        doubt *= Fraction(3, 4)
    return Witness(min(WORDS_MOST, 1 - doubt), "words", because=_texts(found, hinted))


def _texts(*groups: list) -> tuple[str, ...]:  # type: ignore[type-arg]  # signals, whose type the caller has
    return tuple(dict.fromkeys(one.text for group in groups for one in group))


def flags(strength: str | float, *names: str) -> Witness:
    """What fields that are set say: how sure, and which they are."""
    return Witness(min(FLAGS_MOST, Fraction(str(strength))), "flags", because=names)


def numbers(strength: str | float, share: Fraction | None = None, **params: Param) -> Witness:
    """What was computed."""
    return Witness(Fraction(str(strength)), "numbers", share, params)


_RANK: Mapping[By, int] = {"numbers": 2, "flags": 1, "words": 0}


def together(*witnesses: Witness | None) -> Witness | None:
    """Independent pieces of evidence as one: doubts are multiplied, the strongest kind names it, and the first that
    has a share, a phase or parameters gives them. ``None`` where there is none.
    """
    there = [one for one in witnesses if one is not None]
    if not there:
        return None
    doubt = Fraction(1)
    for one in there:
        doubt *= 1 - one.strength
    best = max(there, key=lambda one: _RANK[one.by])
    share = next((one.share for one in there if one.share is not None), None)
    params = next((one.params for one in there if one.params), {})
    phase = next((one.phase for one in there if one.phase is not None), None)
    wall = next((one.wall for one in there if one.wall is not None), None)
    because = tuple(dict.fromkeys(text for one in there for text in one.because))
    return Witness(1 - doubt, best.by, share, params, because, phase, wall)


def weaker(witness: Witness | None, factor: str | float) -> Witness | None:
    """The same evidence with less weight: something else speaks against it."""
    return None if witness is None else witness._replace(strength=witness.strength * Fraction(str(factor)))
