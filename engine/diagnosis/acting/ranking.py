"""The order of levers that help.

The causes' order holds for levers whose effect cannot be computed, or rests on a choice: they keep their places. The
places between them go to the computed ones, in this order: what needs no more cards before what does; what removes the
cause (the server starts, the requests asked for fit, nothing crosses the link) before what only softens it; then the
clearly larger gain, else (and among what removes it) as the causes named them. What only softens it is told in the end
by what it asks for (a setting or a format, less of what is wanted, more cards, other cards), and then by its gain.

Where nothing large is computed, a number that cannot be given yet and what gave little where somebody measured it come
behind what others measured to give much.

Where one gives much, those that nobody can put a number to come behind: what the first cause names and what may turn
out to help before the levers of other walls, what may do anything after them, but for the one act that the first cause
names first, since it takes the cause away. Then what gives little; last of all what gives little and has no flag here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from engine.diagnosis.acting.levers import LEVERS
from engine.diagnosis.model import LeverResult

if TYPE_CHECKING:
    from engine.diagnosis.cases.case import Case

CLEARLY = Fraction(11, 10)
"""A gain must be so many times another to come before it: smaller differences are below what the figures can tell."""
LARGE = Fraction(115, 100)
"""From this gain on a lever is told of although no cause named it, and one without a number stands behind it."""
PAIR = ("fp8", "w8a8")
"""The two formats that compute in 8 bits; a card has one that suits it."""
_ANYTHING = ("upgrade-engine", "tune-serving-layer", "prequantized-checkpoint")
"""Levers that may do anything or nothing: only release notes and measurements tell."""


class Weighed(NamedTuple):
    """A result; whether the lever removes the cause, buys cards, or serves another wall than the verdict's; whether it
    only serves more users at once where one waits for an answer; the case that it was weighed by, computed as far as
    it was asked."""

    result: LeverResult
    removes: bool = False
    buys: bool = False
    aside: bool = False
    crowd: bool = False
    changed: Case | None = None


def ordered(found: Sequence[Weighed], last: str, own: Sequence[str] = ()) -> list[LeverResult]:
    """Computed ones among themselves, the others in their places (see above).

    Args:
        found: those that help, as the causes named them.
        last: an 8-bit format that is the card's second choice stays there.
        own: levers that the first cause names; the first of them is the act that takes it away.
    """
    placed = _placed(found, last)
    large = [one for one in placed if computed(one.result) and (one.result.gain or 0) >= LARGE]
    if not large:
        return [one.result for one in _by_measured(placed)]
    behind = [one for one in placed if _behind(one.result, own[0] if own else "")]
    tiny = [one for one in behind if _tiny(one.result) and not one.result.flag]
    checks = [one for one in behind if one.result.id in own and not _anything(one.result) and not _tiny(one.result)]
    kept = [one for one in placed if one not in behind]
    others = [one for one in behind if one not in tiny and one not in checks]
    here, aside = [one for one in kept if not one.aside], [one for one in kept if one.aside]
    here, aside = (_by_effect(_another_card_last(part), last) for part in (here, aside))
    return [one.result for one in (*here, *checks, *aside, *others, *tiny)]


def _by_measured(found: Sequence[Weighed]) -> list[Weighed]:
    """Where nothing large is computed: what cannot be typed yet, and what gave little where it was measured, come
    behind what others measured to give much."""
    much = [place for place, one in enumerate(found) if one.result.published and (one.result.gain or 0) >= LARGE]
    if not much:
        return list(found)
    front, rest = found[: much[0] + 1], found[much[0] + 1 :]
    late = [one for one in front if _tiny(one.result) or _unfilled(one.result)]
    return [*(one for one in front if one not in late), *late, *rest]


def _unfilled(one: LeverResult) -> bool:
    """Whether its flag wants a number that nothing here gives."""
    return one.after is None and one.flag.rpartition(" ")[2].startswith("-") and one.id in _NUMBERED


_NUMBERED = ("cap-concurrency", "raise-concurrency", "lower-max-model-len", "lower-token-budget", "raise-token-budget")
"""Levers that set a number."""


def _by_effect(found: Sequence[Weighed], last: str) -> list[Weighed]:
    """Those that can be moved by what they ask for, then in the order of their effect, on the places that they have.
    What takes the cause away, what cannot be computed and the card's second 8-bit format stay where they are."""
    made = list(found)
    places = [place for place, one in enumerate(found) if _moves(one, last)]
    best = sorted(
        (found[place] for place in places), key=lambda one: (one.crowd, _effort(one), -(one.result.gain or Fraction(1)))
    )
    for place, one in zip(places, best, strict=True):
        made[place] = one
    return made


def _moves(one: Weighed, last: str) -> bool:
    second = one.result.id == last and last in PAIR
    return not second and not one.removes and computed(one.result) and LEVERS[one.result.id].weighs != "show"


def _effort(one: Weighed) -> int:
    """What a lever asks for: a setting or a format (0), less of what is wanted (1), more cards (2), others (3). To take
    back what was set asks for nothing more."""
    asks = LEVERS[one.result.id].weighs == "place" and not one.result.flag.startswith("remove ")
    return 2 * one.buys + asks


def _another_card_last(found: Sequence[Weighed]) -> list[Weighed]:
    """Another card behind what the one at hand can do, wherever a cause names it."""
    others = [one for one in found if one.buys and LEVERS[one.result.id].weighs == "place"]
    return [*(one for one in found if one not in others), *others]


def _anything(one: LeverResult) -> bool:
    return one.id in _ANYTHING


def _behind(one: LeverResult, cure: str) -> bool:
    if _anything(one):
        return one.id != cure or one.id == "upgrade-engine"
    guessed = one.precondition == "unknown" and not one.effects and (one.gain is None or one.published)
    act = one.id == cure and LEVERS[one.id].weighs == "show"
    return _tiny(one) or (guessed and not act)


def _tiny(one: LeverResult) -> bool:
    return one.gain is not None and one.gain < CLEARLY


def _placed(found: Sequence[Weighed], last: str) -> list[Weighed]:
    second = [one for one in found if one.result.id == last and last in PAIR]
    weak = [one for one in found if _weak(one)] if any(_ranks(one) and not one.buys for one in found) else []
    found = [one for one in found if one not in weak]
    places = [place for place, one in enumerate(found) if _ranks(one) and not one.buys and one not in second]
    behind = places[-1] + 1 if places else len(found)
    found = [*found[:behind], *weak, *found[behind:]]
    order = iter(ranked([one for one in found if _ranks(one) and one not in second]) + second)
    return [next(order) if _ranks(one) else one for one in found]


def _weak(one: Weighed) -> bool:
    """Whether nothing says that a lever would work here, and where somebody measured it, it gave little."""
    result = one.result
    return result.published and result.precondition == "unknown" and (result.gain or 1) < LARGE


def ranked(found: Iterable[Weighed]) -> list[Weighed]:
    """Sorted by the rule above: each goes up past those that it beats."""
    order: list[Weighed] = []
    for one in found:
        place = len(order)
        while place and _beats(one, order[place - 1]):
            place -= 1
        order.insert(place, one)
    return order


def _beats(one: Weighed, other: Weighed) -> bool:
    mine, theirs = ((each.aside, each.crowd, each.buys, not each.removes) for each in (one, other))
    if mine != theirs:
        return mine < theirs
    if one.removes and other.removes and (not one.buys or LEVERS[one.result.id].staged):
        return False  # the cause is gone with either: as the causes named them; stages are no faster than ranks
    return (one.result.gain or 1) > (other.result.gain or 1) * CLEARLY


def _ranks(one: Weighed) -> bool:
    return LEVERS[one.result.id].weighs == "rank" and computed(one.result)


def computed(result: LeverResult) -> bool:
    """Whether its gain is from the arithmetic of this case."""
    return result.gain is not None and not result.published
