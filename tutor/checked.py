"""A judged answer and what to tell of it: the verdict, and the slip that comes again or is gone."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from content import address
from tutor.language import Lang
from tutor.progress import PartState

if TYPE_CHECKING:
    from engine.answers.model import Verdict


class Checked(NamedTuple):
    """A judged answer, already recorded. ``state`` is where the part stands now.

    ``again`` is the part of another exercise in which the slip of this answer was last named before; ``gone`` the slip
    of the last attempt at this part, in any variant, now that the answer is right.
    """

    part: str
    verdict: Verdict
    state: PartState
    again: str | None = None
    gone: str | None = None

    def message(self, lang: Lang) -> str:
        """What to tell the learner."""
        from content import verdicts

        told = [verdicts.message(self.part, self.verdict, lang)]
        if self.again is not None and "seen-in-sibling" not in self.verdict.notes:  # which names the other place itself
            told.append(same_slip(self.verdict.slips[0], self.again, lang))
        if self.gone is not None:
            told.append(_of_slip("correct-after-slip", self.gone, lang))
        return " ".join(filter(None, told))


def _of_slip(key: str, slip: str, lang: Lang, **params: object) -> str:
    """A sentence about a slip by its name; nothing for one that this version does not know."""
    from content.words import has, say

    name = f"slips.{slip}.name"
    return say(f"verdicts.{key}", lang, name=say(name, lang), **params) if has(name) else ""


def same_slip(slip: str, part_id: str, lang: Lang) -> str:
    """That this slip was made in another part before; nothing for one that this version does not know."""
    return _of_slip("slip-again", slip, lang, place=_place_name(part_id, lang))


def _place_name(part_id: str, lang: Lang) -> str:
    """A part as a sentence names it: "L2.1 (KV cache)"; whatever the variant, and by its id if the course lacks it."""
    from content import course, verdicts_read

    try:
        return verdicts_read.place_text(address.plain(part_id), lang)
    except course.UnknownId:
        return address.plain(part_id)
