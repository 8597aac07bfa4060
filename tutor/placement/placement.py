"""One placement, question after question. The app and the plain lines both sit on it; it prints and writes nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from tutor.placement import asked, belief
from tutor.placement.belief import BEYOND, LEVELS, Said
from tutor.placement.reading import LOST
from tutor.placement.where import level_id

if TYPE_CHECKING:
    from content.quiz.model import Question
    from engine.answers.model import Verdict

LEAST, MOST = 3, 10
"""Questions at least, for two answers may be bad luck, and at most. Four to six are usual."""
FAR, PROVEN = 3, 3
"""A level far up, from this one on, is suggested after one right answer for each level that it skips, and after so many
at most: fewer may be good luck, and whoever begins there is never asked about the levels below."""
COIN = 0.5
"""Who is right with such a chance without knowing, has proven nothing: a yes or a no."""


class Score(NamedTuple):
    """So many right, of so many asked."""

    right: int
    asked: int

    @property
    def well(self) -> bool:
        """Whether more went well than not."""
        return 2 * self.right > self.asked


class Suggestion(NamedTuple):
    """Where to begin.

    Attributes:
        level: number of the level, 1 to 5.
        beyond: whether even the last one seems to be known.
        scores: level -> how it went; levels that were not asked about are left out.
    """

    level: int
    beyond: bool
    scores: Mapping[int, Score]

    @property
    def id(self) -> str:
        """Id of the level."""
        return level_id(self.level)


class Placement:
    """Questions near the edge of what the learner knows, until that edge is clear.

    ``turn`` chooses which questions come first, so that a second placement is not the first one again.
    """

    def __init__(self, turn: int = 0) -> None:
        self._waiting = {level: list(asked.in_turn(level, turn)) for level in LEVELS}
        self._said: list[Said] = []
        self._level = 0
        self.current: Question | None = None
        """The question at hand; ``None`` before the first one and after the last."""

    @property
    def said(self) -> Sequence[Said]:
        """What was answered so far, oldest first."""
        return tuple(self._said)

    @property
    def number(self) -> int:
        """The number of the question at hand, from 1 on."""
        return len(self._said) + 1

    def next(self) -> Question | None:
        """The next question, or the one that is still open; ``None`` once it is clear where to begin.

        Raises ``ContentError`` where a file of the course is damaged.
        """
        if self.current is not None:
            return self.current
        level = self._next_level()
        if level is None or len(self._said) >= MOST:
            return None
        self._level = level
        self.current = asked.question(self._waiting[level].pop(0))
        return self.current

    def answer(self, typed: str) -> Verdict:
        """The verdict on an answer to the question at hand. What cannot be read counts for nothing and may be mended;
        who writes that they do not know has answered.

        Raises ``ValueError`` when no question is open.
        """
        from content.quiz import questions

        question = self._open()
        verdict = questions.check(question, typed)
        if verdict.reason == LOST:
            self.dont_know()
        elif verdict.verdict != "invalid":
            self._note("right" if verdict.verdict == "correct" else "wrong", question)
        return verdict

    def dont_know(self) -> None:
        """ "I don't know": an answer like any other. Raises ``ValueError`` when no question is open."""
        self._note("unknown", self._open())

    def suggestion(self) -> Suggestion:
        """Where to begin, after what was answered so far."""
        begin = belief.begin(belief.chances(self._said))
        scores = {
            level: Score(sum(one.outcome == "right" for one in those), len(those))
            for level in LEVELS
            if (those := [one for one in self._said if one.level == level])
        }
        return Suggestion(min(begin, LEVELS[-1]), begin == BEYOND, scores)

    def _next_level(self) -> int | None:
        """The level to ask about; ``None`` once it is clear where to begin, and not by luck, or nothing is left."""
        chances = belief.chances(self._said)
        waiting = [level for level, parts in self._waiting.items() if parts]
        if len(self._said) >= LEAST and belief.clear(chances):
            begin = belief.begin(chances)
            if self._proven(begin):
                return None
            return max((level for level in waiting if level < begin), default=None)
        return belief.next_level(chances, waiting)

    def _proven(self, begin: int) -> bool:
        """Whether enough was right below a level for skipping all that lies there."""
        right = sum(one.outcome == "right" and one.guess < COIN and one.level < begin for one in self._said)
        return begin < FAR or right >= min(begin - 1, PROVEN)

    def _open(self) -> Question:
        if self.current is None:
            raise ValueError("no question is open")
        return self.current

    def _note(self, outcome: belief.Outcome, question: Question) -> None:
        assert question.part is not None  # the pool holds no cards
        self._said.append(Said(self._level, outcome, asked.guess(question.part)))
        self.current = None
