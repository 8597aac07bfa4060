"""The figure beside an exercise: it starts from the given values, and leaves out what is still asked for."""

from __future__ import annotations

from collections.abc import Container, Mapping

from content.schema import Exercise, FigureRef

CATALOGUE = ("model", "gpu")
"""What a figure may take the name of, where the exercise has one; without, the figure keeps what its state says."""
SENTENCE = "note"
"""The sentence on what to notice. It speaks of the whole drawing, so it waits until all is known."""


def state(exercise: Exercise, ref: FigureRef, settled: Container[str]) -> dict[str, object]:
    """The state of an exercise's figure: its own values, those of the draw, and what is hidden now.

    Args:
        exercise: as written or a variant.
        ref: its figure.
        settled: names of the parts that are solved, or whose solution was shown.
    """
    hidden = waiting(ref, settled)
    values = {key: value for key, symbol in ref.given.items() if (value := _value(exercise, symbol)) is not None}
    hide = dict.fromkeys((*hides(ref.state), *hidden, *([SENTENCE] if hidden else [])))
    return {**ref.state, **values, **({"hide": tuple(hide)} if hide else {})}


def waiting(ref: FigureRef, settled: Container[str]) -> tuple[str, ...]:
    """The parts of the drawing that would answer something: one of the parts that ask for them is not settled."""
    return tuple(name for name, parts in ref.asks.items() if not all(part in settled for part in parts))


def hides(given: Mapping[str, object]) -> tuple[str, ...]:
    """The parts of the drawing that an author's state leaves out."""
    names = given.get("hide", ())
    return tuple(str(name) for name in names) if isinstance(names, list | tuple) else ()


def _value(exercise: Exercise, symbol: str) -> object:
    return exercise.names.get(symbol) if symbol in CATALOGUE else exercise.given.get(symbol)
