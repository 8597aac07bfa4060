"""What Textual does that the tutor cannot live with, each put right in one place, once in a process.

A mend replaces one attribute of Textual by what its function makes of it; the function says why. The tests show each
fault in the Textual that is installed: where one of them fails, Textual has put it right itself and the mend can go.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache, partial, wraps
from importlib import import_module
from typing import TYPE_CHECKING, Any

from tutor.pastes import Pastes

if TYPE_CHECKING:
    from textual._xterm_parser import XTermParser
    from textual.notifications import Notifications
    from textual.timer import Timer
    from textual.widgets._toast import ToastRack

SHORTEST = 0.001
"""Seconds of a timer at least; a thousand times what looking for the next moment takes."""
PLACES = 2048
"""Styles that are remembered with their place: those of some twenty pages."""
PAIRS = 1024
"""Pairs of backgrounds whose styles are remembered, as many as Textual itself remembers."""


@dataclass(frozen=True)
class Mend:
    """One attribute of Textual, and what stands there instead."""

    module: str
    owner: str
    """The class that has it; empty for the module itself."""
    name: str
    seen: str
    """The newest Textual in which the fault was seen; its tests look again in whichever is installed."""
    make: Callable[[Any], Any]
    """What stands there instead; the attribute itself where there is nothing to mend."""

    def place(self) -> Any:
        """The class or module with the attribute."""
        module = import_module(self.module)
        return getattr(module, self.owner) if self.owner else module

    def of_textual(self) -> Any:
        """The attribute as Textual has it, mended or not."""
        there = vars(self.place())[self.name]
        return getattr(there, "mended", there)

    def apply(self) -> None:
        """Put it right, unless that is done."""
        there = vars(self.place())[self.name]
        if hasattr(there, "mended"):
            return
        made = self.make(there)
        if made is not there:
            made.mended = there
            setattr(self.place(), self.name, made)


MENDS: list[Mend] = []
"""All of them, in the order of this file."""


def apply() -> None:
    """Put everything right that is not yet."""
    for mend in MENDS:
        try:
            mend.apply()
        except ImportError:  # Textual's drivers of other systems
            continue


def _mend(module: str, owner: str, name: str, seen: str) -> Callable[[Callable[[Any], Any]], Mend]:
    def keep(make: Callable[[Any], Any]) -> Mend:
        MENDS.append(Mend(module, owner, name, seen, make))
        return MENDS[-1]

    return keep


@_mend("textual._styles_cache", "StylesCache", "get_inner_outer", seen="8.2.8")
def widgets_are_let_go_of(kept: Any) -> Any:
    """Two colours are remembered by the colours alone.

    Textual remembers them by the painted lines of the widget too, so that the lines of the last thousand widgets, far
    more than are ever on the screen, outlive them: tens of megabytes in a long evening.
    """
    made: Callable[..., object] | None = getattr(kept, "__wrapped__", None)
    if made is None:
        return kept

    @lru_cache(PAIRS)
    def styles(base: object, background: object) -> object:
        return made(None, base, background)

    def get_inner_outer(_self: object, base: object, background: object) -> object:
        return styles(base, background)

    return get_inner_outer


@_mend("textual.style", "Style", "rich_style_with_offset", seen="8.2.8")
def places_are_remembered(made: Any) -> Any:
    """A style at a place in a text is made once. Textual makes one for each piece of text whenever it is painted, and
    that is the most of what painting a text takes.
    """
    return lru_cache(PLACES)(made)


@_mend("textual.timer", "Timer", "__init__", seen="8.2.8")
def timers_end(made: Any) -> Any:
    """Every timer has some time: one of less than none looks for its next moment for ever, and the app hears nothing
    any more. Textual makes one itself, for a notice that is about to be shown just as its time is up.
    """

    @wraps(made)
    def bounded(self: Timer, event_target: Any, interval: float, **named: Any) -> None:
        made(self, event_target, max(SHORTEST, interval), **named)

    return bounded


@_mend("textual.widgets._toast", "ToastRack", "show", seen="8.2.8")
def notices_leave_nothing(made: Any) -> Any:
    """A notice that goes takes its place on the screen with it. Textual leaves that there, empty, for as long as the
    screen lives (home: for ever), and with its task every screen that was open when the notice came.
    """

    from textual.widgets._toast import Toast

    @wraps(made)
    def show(self: ToastRack, notifications: Notifications) -> None:
        for place in self.children:
            told = list(place.query(Toast))
            if told and all(one._notification not in notifications for one in told):
                place.remove()
        made(self, notifications)

    return show


@_mend("textual._xterm_parser", "XTermParser", "feed", seen="8.2.8")
def pastes_stay_whole(made: Any) -> Any:
    """A pasted text arrives as one text, and soon, see `Pastes`: Textual takes an escape inside it for a key, and every
    letter of it for a step."""

    from textual.events import Paste

    @wraps(made)
    def feed(self: XTermParser, data: str) -> Iterable[Any]:
        pastes: Pastes = self.__dict__.setdefault("_pastes", Pastes())
        cleaned = pastes.clean(data)
        if not cleaned and data:
            return  # no text at all means that the terminal has gone
        for event in made(self, cleaned):
            yield Paste(pastes.take()) if isinstance(event, Paste) else event

    return feed


@_mend("textual.drivers.linux_driver", "", "getincrementaldecoder", seen="8.2.8")
def odd_bytes_are_letters(_made: Any) -> Any:
    """Bytes of the keyboard that are no UTF-8 (a Latin-1 terminal, an 8-bit Alt, a torn paste) are read as the sign for
    an unknown letter: Textual decodes strictly, without a setting for that, and one such byte would end the app.
    """

    def decoder(encoding: str) -> partial[codecs.IncrementalDecoder]:
        return partial(codecs.getincrementaldecoder(encoding), errors="replace")

    return decoder
