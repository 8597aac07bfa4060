"""The figure of an exercise in words: at the start what is known, after a part what has been found."""

from __future__ import annotations

from content.schema import Exercise
from tutor import coursemap
from tutor.plain.reader import Reader


class Beside:
    """The figure as it was last told. An exercise without one says nothing."""

    def __init__(self, reader: Reader, exercise: Exercise) -> None:
        self._reader, self._exercise = reader, exercise
        self._told: tuple[str, ...] = ()

    def tell(self) -> None:
        """Say the whole figure."""
        self._told = self._lines()
        if self._told:
            self._reader.out.say("\n" + "\n".join(self._told))

    def found(self) -> None:
        """Say the lines that a part just settled has changed, under the figure's name; nothing where there are none.

        Where most of it has changed, all of it: a few lines left out would be missed.
        """
        now = self._lines()
        new = [line for line in now[1:] if line not in self._told]
        if new:
            told = now[1:] if 2 * len(new) > len(now) - 1 else new
            self._reader.out.say("\n".join(["", now[0], *told]))
        self._told = now

    def _lines(self) -> tuple[str, ...]:
        """Title and lines; none for a figure that cannot be told."""
        if self._exercise.figure is None:
            return ()
        states = self._reader.session.progress.states(self._exercise.id)
        return self._reader.figure_lines(coursemap.figure_beside(self._exercise, self._exercise.figure, states))
