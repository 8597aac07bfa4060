"""The figure as a widget: takes the focus, answers the figure's keys, draws itself in the room it has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive

from tutor.figures.base import KEYS, OWN_KEYS, Figure, Lang
from tutor.figures.motion import Motion, Playing
from tutor.figures.registry import BROKEN, get
from tutor.figures.sheet import Ask, Sheet
from tutor.figures.state import State
from tutor.widgets.painted import RowByRow, Rows
from tutor.widgets.whole import at_once

_USUAL = 60
"""Columns of a figure before it has been laid out."""
_CORNERS = 6
"""Columns of the upper edge that no title takes."""
_DOTS = "..."


class FigureView(RowByRow, can_focus=True):
    """One figure with its keys.

    | key | does |
    | --- | --- |
    | arrows (h j k l) | whatever the figure changes with them |
    | 1 2 3 4 (g w f c) | levers |
    | u (5), o (b) | unit; the figure's own switch |
    | space (a) | play and pause, where the figure plays; one moment where the reader wants no motion |
    | y | copy the drawing as text |
    | enter (space) | choose: posts :class:`Chosen` where the figure has a target |
    | r (0) | back to how it was |

    The height is ``auto`` by default: as many rows as the drawing has, ``rows`` at most. With a height of its own in
    the style sheet the figure fills that.
    """

    DEFAULT_CSS = """
    FigureView {
        height: auto;
        border: round $panel;
        border-title-color: $text-muted;
        padding: 0 1;
        &:focus { border: round $primary; border-title-color: $primary; }
        &.-ascii { border: ascii $panel; }
        &.-ascii:focus { border: ascii $primary; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(f"{key},{twin}", f"press('{action}')", action, show=False, id=f"figure.{action}")
            for action, (key, twin) in KEYS.items()
            if action != "play"
        ),
        Binding(",".join(KEYS["play"]), "play", "play", show=False, id="figure.play"),
        *(Binding(",".join(own), name, name, show=False, id=f"figure.{name}") for name, own in OWN_KEYS.items()),
        Binding("enter,space", "choose", "choose", show=False, id="figure.choose"),
    ]
    state: reactive[State] = reactive[State](dict, init=False, repaint=False)
    """The figure's complete state; assign a new mapping, never change it in place."""

    @dataclass
    class Changed(Message):
        """The reader changed the figure."""

        view: FigureView
        state: State

        @property
        def control(self) -> FigureView:
            """The figure that changed."""
            return self.view

    @dataclass
    class Chosen(Message):
        """The reader chose what the figure points at; ``target`` is a course id such as ``core/C2``."""

        view: FigureView
        target: str

        @property
        def control(self) -> FigureView:
            """The figure that was used."""
            return self.view

    def __init__(
        self,
        figure: str,
        state: Mapping[str, object] | None = None,
        *,
        rows: int = 16,
        show_keys: bool = True,
        name: str | None = None,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        """A view of the figure of this name.

        ``rows`` is the most lines that drawing and keys may take together. Raises ``UnknownFigure`` or, for a state
        of the wrong kind, ``ValueError``.
        """
        super().__init__(name=name, id=id, classes=classes)
        self.figure = get(figure)
        self.first = self.figure.defaults(state)
        self.max_rows = rows
        self.show_keys = show_keys
        self._motion = Motion(self)
        self._playing = Playing(self)
        self._sheet = Sheet()
        self._wide = _USUAL
        """Columns that a layout gave last: while a figure is out of sight it has none."""
        self.auto_links = False
        self.set_reactive(FigureView.state, self.first)

    @property
    def language(self) -> Lang:
        """The reader's language, from the session of the app."""
        session = getattr(self.app, "session", None)
        return "hi-Latn" if getattr(session, "language", "en") == "hi-Latn" else "en"

    @property
    def ascii(self) -> bool:
        """Whether the reader asked for ASCII only."""
        session = getattr(self.app, "session", None)
        settings = getattr(session, "settings", None)
        return bool(getattr(session, "ascii", False) or getattr(settings, "ascii", False))

    @property
    def own_keys(self) -> tuple[str, str]:
        """The keys that copy and reset, as people write them: the reader's own choice, else the figure's."""
        from tutor import keys

        settings = getattr(getattr(self.app, "session", None), "settings", None)
        mapped = keys.keymap(getattr(settings, "keys", {}))
        copy, reset = (mapped.get(f"figure.{name}", own[0]).partition(",")[0] for name, own in OWN_KEYS.items())
        return keys.shown(copy), keys.shown(reset)

    @property
    def most_rows(self) -> int:
        """The most lines that drawing and keys may take now."""
        return self.max_rows

    def on_mount(self) -> None:
        """Take the title in the reader's language, and hear when the figure may have gone out of sight."""
        self.retell()
        self.watch(self.screen, "stack_updates", self._look, init=False)
        self.screen.screen_layout_refresh_signal.subscribe(self, lambda _: self._look())

    def _look(self) -> None:
        self._playing.look()

    def on_hide(self) -> None:
        """Nothing plays that is not displayed."""
        self._look()

    def retell(self) -> None:
        """Say everything again after the language or the character set changed; the state stays."""
        self._entitle()
        self.set_class(self.ascii, "-ascii")
        self.refresh(layout=True)

    def on_resize(self) -> None:
        """The title has another room."""
        self._entitle()

    def _entitle(self) -> None:
        """The title, where it does not fit without what follows its colon."""
        from content.words import say

        title, room = say(f"figures.title.{self.figure.name}", self.language), self.outer_size.width - _CORNERS
        title = title if len(title) <= room or room < 1 else title.partition(":")[0]
        if self.ascii and len(title) > room > len(_DOTS):
            title = title[: room - len(_DOTS)] + _DOTS  # cut by Textual it would end in a sign of its own
        self.border_title = Content(title)

    def become(self, figure: str, state: Mapping[str, object]) -> None:
        """Show another figure, as a new view of it would; a widget that is there already costs no new one.

        Raises as the constructor does, or what drawing it raises, and then nothing has changed.
        """
        other, before = get(figure), (self.figure, self.first, self.state, self._sheet)
        first = other.defaults(state)
        self._stand()
        self._put(other, first, first, Sheet())
        try:
            self.rows_at(self._wide)
        except BROKEN:
            self._put(*before)
            raise
        self.retell()

    def _put(self, figure: Figure, first: State, state: State, sheet: Sheet) -> None:
        self.figure, self.first, self._sheet = figure, first, sheet
        self.set_reactive(FigureView.state, state)

    def show(self, state: Mapping[str, object]) -> None:
        """Show an author's or an exercise's state, which is also what reset goes back to."""
        self.first = self.figure.defaults(state)
        self._let_go()
        self.state = self.first

    def rows_at(self, width: int) -> Rows:
        """The drawing, with the line of keys under it."""
        return self._sheet.rows(self._asked(self.state, width))

    def _asked(self, state: State, width: int) -> Ask:
        room = self.most_rows if self.styles.is_auto_height else self.content_size.height
        words = (self.language, self.ascii, self.show_keys, self.play_word, self.own_keys)
        return Ask(self.figure, state, self._motion.frame or state, max(34, width), room, *words)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many rows as the drawing has."""
        self._wide = width
        return len(self.rows_at(width))

    def watch_state(self) -> None:
        """Draw the new state."""
        self.repaint()

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """All the width there is."""
        return container.width

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only the keys that this figure has; the others go on to the screen."""
        if action == "press":
            return any(key.action in parameters for key in self.figure.shown(self.state))
        if action == "choose":
            return self.figure.target is not None
        if action == "play":
            return bool(self.play_word)
        return True

    async def on_key(self, event: events.Key) -> None:
        """A key of the figure is obeyed here: first it would go through everything that holds the figure."""
        _, own = self.screen._modal_binding_chain[0] if self.has_focus else (self, None)
        for binding in own.key_to_bindings.get(event.key, ()) if own is not None else ():
            if not binding.priority and await self.app.run_action(binding.action, self):
                event.stop()
                return

    def action_press(self, action: str) -> None:
        """One key of the figure; it takes over from a figure that plays. What it does is painted at once."""
        self._stand()
        self._sheet.steady = True
        self.change(self.figure.press(self.state, action))
        at_once(self.screen)

    def action_reset(self) -> None:
        """Back to how it was."""
        self._let_go()
        self.change(self.first)
        self.repaint()  # in the same state too it may have stood taller

    @property
    def playing(self) -> bool:
        """Whether the figure plays now."""
        return self._playing.on

    @property
    def play_word(self) -> Literal["", "play", "pause", "step"]:
        """What the play key does now; nothing where the figure has none, or has only this one moment."""
        return self._playing.word

    def action_play(self) -> None:
        """Play, or pause; from its end a figure begins again. Without motion: one moment."""
        self._motion.stop()
        self._sheet.steady = True
        self._playing.toggle()

    def _stand(self) -> None:
        self._motion.stop()
        self._playing.stop()

    def _let_go(self) -> None:
        """Stand still, and be no taller than the drawing."""
        self._stand()
        self._sheet.free()

    def on_unmount(self) -> None:
        """Nothing moves that nobody sees."""
        self._stand()

    def on_blur(self) -> None:
        """Rows that were kept for the next key are of no use while the keys go elsewhere."""
        if not self.playing and self.screen.is_active:
            self._sheet.free()
            self.repaint()

    def action_copy(self) -> None:
        """The drawing as text, to the clipboard; a sentence says where it went."""
        from content.words import say

        self.app.copy_to_clipboard(self._text())
        self.notify(say("figures.copied", self.language), markup=False)

    def _text(self) -> str:
        asked = self._asked(self.state, self.content_size.width)._replace(frame=self.state)
        return "\n".join(line.plain.rstrip() for line in self._sheet.body(asked)) + "\n"

    def action_choose(self) -> None:
        """Open what the figure points at."""
        if self.figure.target is not None:
            self.post_message(self.Chosen(self, self.figure.target(self.state)))

    def change(self, state: State) -> None:
        """Go to a state of this figure, with a glide where it has one, and tell."""
        if state != self.state:
            before, self.state = self.state, state
            self._motion.glide(self.figure, before, state)
            self.tell()

    def tell(self) -> None:
        """Tell that this state is another one than before."""
        self.post_message(self.Changed(self, self.state))
