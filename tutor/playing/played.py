"""What stands in the playground: of each figure the state it was left in, and the one that reset goes back to."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from tutor.figures.registry import BROKEN, get
from tutor.figures.state import State, hidden, put

if TYPE_CHECKING:
    from tutor.figures.base import Figure
    from tutor.figures.view import FigureView


class Played(NamedTuple):
    """One figure as it stands in the playground."""

    name: str
    first: State
    """What reset goes back to."""
    state: State
    came: State | None = None
    """The state of the page that it was brought from, if from one."""
    named: Mapping[str, str] = MappingProxyType({})
    """Models and cards as they were named, by parameter: others may have the same numbers."""
    given: tuple[str, ...] = ()
    """Values that words of a command line set, though some may be what they would be without."""
    seen: int = 0
    """How many of the reader's own values had been set when it was looked at last (:mod:`tutor.playing.own`)."""

    @property
    def secret(self) -> bool:
        """Whether it leaves out what its page asks for."""
        from content.beside import SENTENCE

        return self.came is not None and hidden(self.state, SENTENCE)


def of_page(view: FigureView, *, secret: bool, names: Mapping[str, str] = MappingProxyType({})) -> Played:
    """The figure of a page.

    ``secret``: what the page hides would tell an answer, and stays hidden. ``names``: model and card of the page.
    """
    first, state = (_own(one, secret=secret) for one in (view.first, view.state))
    return Played(view.figure.name, first, state, state, _named(view.figure, state, names))


def _named(figure: Figure, state: State, names: Mapping[str, str]) -> Mapping[str, str]:
    """Of the entries of the catalogue with the state's values those that the page names."""
    from tutor.playing import catalogue

    found = {}
    for one in figure.parameters:
        if one.kind in ("model", "gpu") and one.name not in figure.base and one.name in names:
            entry = catalogue.fitting(one, state, names[one.name])
            found.update({one.name: entry.name} if entry is not None else {})
    return MappingProxyType(found)


def _own(state: State, *, secret: bool) -> State:
    """A state without what is only said of a page: that its example is another one, and what is taught later."""
    kept = MappingProxyType({key: value for key, value in state.items() if key != "other"})
    return kept if secret or "hide" not in kept else put(kept, hide=())


def fresh(name: str, given: Mapping[str, object]) -> Played:
    """A figure that was not played with yet: with what is known of the reader, where that can be drawn."""
    state = _known(name, given)
    return Played(name, state, state)


def _known(name: str, given: Mapping[str, object]) -> State:
    figure = get(name)
    try:
        state = figure.defaults(given)
        figure.draw(state, 60, 16, "en")
    except BROKEN:  # a curve in a damaged file of measurements
        return figure.defaults()
    return state


def renewed(played: Played, given: Mapping[str, object]) -> Played:
    """The same with what is known of the reader now."""
    known = _known(played.name, given)
    news = {key: known[key] for key in given}
    return played._replace(first=put(played.first, **news), state=put(played.state, **news))
