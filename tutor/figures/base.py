"""What a figure is: a state of plain values, keys that change it, a drawing of it, and what to notice in it.

Nothing here knows a widget. A change is a pure function from state to state, a drawing a pure function from state to
rows, so that the same figure serves the lesson, the exercise, the playground, the plain mode and the tests.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from tutor.figures.pen import DIM, Pen
from tutor.figures.rows import CAPTION, Row, fit
from tutor.figures.state import State, filled, hidden, put

if TYPE_CHECKING:
    from textual.content import Content

    from tutor.figures.parameters import Parameter
    from tutor.figures.shell import Shell

Lang = Literal["en", "hi-Latn"]
Change = Callable[[State], State]
Painter = Callable[[State, Pen], Sequence[Row]]
Notice = Callable[[State, Pen], str]
"""One sentence: what to notice in the drawing of this state. It changes with what can be seen."""
Tween = Callable[[State, State, Fraction], State]

KEYS: Mapping[str, tuple[str, str]] = {
    "right": ("right", "l"),
    "left": ("left", "h"),
    "up": ("up", "k"),
    "down": ("down", "j"),
    "first": ("1", "g"),
    "second": ("2", "w"),
    "third": ("3", "f"),
    "fourth": ("4", "c"),
    "unit": ("u", "5"),
    "switch": ("o", "b"),
    "play": ("space", "a"),
}
"""Every key that a figure may use: its action, the key, and the twin for people without that key."""
OWN_KEYS: Mapping[str, tuple[str, ...]] = {"copy": ("y",), "reset": ("r", "0")}
"""Keys of every figure, the one to show first; a reader may have chosen others (``tutor.keys.OF_FIGURES``)."""


@dataclass(frozen=True, slots=True)
class FigureKey:
    """One thing the reader can do to a figure."""

    action: str
    """Name in :data:`KEYS`; the binding's id is ``figure.<action>``."""
    change: Change
    """The state after the key. A value at its end stays where it is."""
    label: str
    """Key of its short name in ``content/words/figures.toml``, without the file's name."""
    part: str = ""
    """The part of the drawing that it belongs to: hidden with it, where a state hides that."""

    @property
    def key(self) -> str:
        """The key as Textual spells it."""
        return KEYS[self.action][0]

    @property
    def twin(self) -> str:
        """Another key for the same thing."""
        return KEYS[self.action][1]


COMMON = frozenset({"other"})
"""State keys of every figure: ``other`` tells the reader that the drawing shows another example than the page."""


def _no_commands(state: State) -> Sequence[Shell]:
    return ()


def _one_beat(state: State) -> int:
    return 1


def _as_it_is(state: State, given: Mapping[str, object]) -> State:
    return state


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of the course.

    ``base`` holds every state key with its default; ``paint`` draws; ``clean`` brings a state that an author wrote
    within what can be drawn (it also sees which keys were really given).

    The sentence of ``notice`` stands under the drawing, unless the state's ``hide`` has "note": it may tell what an
    exercise asks.
    """

    name: str
    base: State
    keys: tuple[FigureKey, ...]
    paint: Painter
    clean: Callable[[State, Mapping[str, object]], State] = _as_it_is
    also: frozenset[str] = field(default_factory=frozenset)
    """Further state keys that ``clean`` reads, beside those of ``base``."""
    tween: Tween | None = None
    """A state to draw on the way from one to another, for a figure that moves; only what is drawn may differ."""
    notice: Notice | None = None
    parameters: tuple[Parameter, ...] = ()
    """What the playground lets the reader type, in the order of its panel. Every value that a key changes is one."""
    commands: Callable[[State], Sequence[Shell]] = _no_commands
    """Command lines that give the numbers of the drawing, the most useful first."""
    advance: Change | None = None
    """The next moment of a figure that plays; at its end the same state. Without it the figure has no play key."""
    begin: Change | None = None
    """The moment with which a figure begins again that is at its end; without it the state that it was given."""
    target: Callable[[State], str] | None = None
    """The course id of what a figure points at, for one from which the reader goes there."""
    beats: Callable[[State], int] = _one_beat
    """How long a moment of a figure that plays stays, in beats: longer where there is something to read."""

    def defaults(self, given: Mapping[str, object] | None = None) -> State:
        """The complete state that an author's state stands for. Raises ``ValueError`` for a value of the wrong kind."""
        given = given or {}
        state = self.clean(filled(self.base, given), given)
        return put(state, other=True) if given.get("other") else state

    def unknown(self, given: Mapping[str, object]) -> tuple[str, ...]:
        """State keys that this figure does not know; the validation of the course reports them."""
        return tuple(sorted(set(given) - set(self.base) - self.also - COMMON))

    def rows(self, state: State, pen: Pen) -> list[Row]:
        """The rows for one pen, those that its height has no room for left out."""
        other = pen.wrapped(pen.say("other"), DIM, rank=CAPTION - 1) if state.get("other") else []
        said = pen.caption(self.notice(state, pen)) if self.notice is not None and not hidden(state, "note") else []
        return fit([*other, *self.paint(state, pen), *said], pen.height)

    def draw(self, state: State, width: int, height: int, lang: Lang, *, ascii: bool = False) -> Content:
        """The drawing, no line wider than ``width`` (34 and more) and no more lines than ``height`` (8 and more)."""
        from textual.content import Content

        pen = Pen(width, height, lang, ascii)
        return Content("\n").join([row.content for row in self.rows(state, pen)])

    def shown(self, state: State) -> tuple[FigureKey, ...]:
        """The keys that this state offers."""
        return tuple(key for key in self.keys if not key.part or not hidden(state, key.part))

    def press(self, state: State, action: str) -> State:
        """The state after the key of one action; an action that the figure lacks changes nothing."""
        return next((key.change(state) for key in self.shown(state) if key.action == action), state)
