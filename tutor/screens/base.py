"""What every screen has: the line at the top, the line of keys, the words for a window that is too small.

A screen says its words in `retell`, called once at the start and again whenever the language changes. Nothing is
composed anew then, so focus, typed text and scroll position stay. Each screen calls it from its own `on_mount`: Textual
runs the handlers of all base classes too, so one here would say everything twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Offset
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from content.lang import Lang, Text
from content.words import say
from tutor import keys
from tutor.keys import Command, Scope
from tutor.language import other
from tutor.progress import Place
from tutor.widgets.blank import Blank
from tutor.widgets.ink import QUIET, STRONG
from tutor.widgets.keyline import KeyHint, KeyLine
from tutor.widgets.prose import Piece, paired, pieces
from tutor.widgets.seen import SeenCompositor
from tutor.widgets.topline import TopLine

if TYPE_CHECKING:
    from content import fill
    from engine.diagnosis.model import Scenario
    from tutor.app import TutorApp
    from tutor.playing.played import Played
    from tutor.session import Session


LAYOUT = 0.05
"""Seconds after which a changed page has been laid out: three frames."""


WALK: Sequence[BindingType] = (
    Binding("up", "screen.walk(-1)", show=False),
    Binding("down", "screen.walk(1)", show=False),
)
LEAP: Sequence[BindingType] = (
    Binding("pageup", "screen.walk(-8)", show=False),
    Binding("pagedown", "screen.walk(8)", show=False),
)
"""A screen walks its list, a row or a windowful at a time, while the keys go to a line to type in."""


def bindings(scope: Scope) -> list[BindingType]:
    """The Textual bindings of one screen, from the table."""
    return [Binding(",".join(c.keys), c.action, show=False, id=c.id) for c in keys.of(scope)]


class TutorScreen(Blank, Screen[Any]):
    """A screen of the tutor. Subclasses yield their middle in `body`, and say it in `retell_body`."""

    SCOPE: ClassVar[Scope] = "app"
    AUTO_FOCUS = ""
    LETTERED: ClassVar[bool] = False
    """Whether letters are answers here: none is a command then but those that the reader chose."""
    back_to: str = ""
    """A lesson that escape returns to, when it led here."""

    DEFAULT_CSS = """
    TutorScreen { layers: page small; overflow: hidden; }
    TutorScreen > #small { layer: small; display: none; width: 100%; height: 100%; background: $background;
                           content-align: center middle; text-align: center; }
    TutorScreen.-tiny > #small, TutorScreen.-flat > #small { display: block; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._compositor = SeenCompositor()

    @property
    def tutor(self) -> TutorApp:
        """The app, by its own type."""
        return cast("TutorApp", self.app)

    @property
    def session(self) -> Session:
        """The one session."""
        return self.tutor.session

    @property
    def lang(self) -> Lang:
        """The language of this moment."""
        return self.session.language

    def tell(self, key: str, **params: object) -> str:
        """Words of the app in the language of this moment."""
        return say(f"app.{key}", self.lang, **params)

    def compose(self) -> ComposeResult:
        """The frame around the screen's own middle."""
        self._know_window()
        yield TopLine(ascii_only=self.session.ascii)
        yield from self.body()
        yield KeyLine()
        yield Static("", id="small", markup=False)

    def _know_window(self) -> None:
        """The classes of a window of this size. Textual gives them with the first resize, which comes after the first
        paint: the screen would be painted once without its lines, and then move."""
        steps = (
            (self.app.size.width, self.app.HORIZONTAL_BREAKPOINTS),
            (self.app.size.height, self.app.VERTICAL_BREAKPOINTS),
        )
        for cells, breakpoints in steps:
            here = max((step for step in breakpoints or () if step[0] <= cells), default=(0, ""))
            self.update_classes({name: name == here[1] for _, name in breakpoints or ()}, animate=False)

    def body(self) -> Iterable[Widget]:
        """The widgets between the two lines."""
        return ()

    async def on_event(self, event: events.Event) -> None:
        """A screen that is left while it is still being made gets no widgets any more, and has nothing to set up."""
        if not isinstance(event, events.Mount) or self.display:
            await super().on_event(event)

    def retell(self) -> None:
        """Say everything again, in the language of this moment, without moving anything."""
        if not self.stands:
            return
        self.retell_body()
        self.retell_frame()

    @property
    def stands(self) -> bool:
        """Whether its widgets are there: not before they are made, when all is said anyway, nor once they have gone."""
        return self.is_attached and bool(self.query(KeyLine))

    @property
    def made(self) -> bool:
        """Whether it is there with all that it shows at first. Before that nothing in it can be asked for: what was
        begun elsewhere, a click on the page below for one, may come just then."""
        return self.is_mounted

    def retell_body(self) -> None:
        """Say the middle again; for subclasses."""

    def retell_frame(self) -> None:
        """Say the top line, the keys and the too-small notice again."""
        self.set_class(self.session.ascii, "-ascii")
        self.query_one(TopLine).show(self.crumbs(), self.progress(), say("app.language", self.lang))
        small, told = self.query_one("#small", Static), self.tell("too_small")
        if str(small.content) != told:  # an update lays out the whole screen
            small.update(Content(told))
        self.retell_keys()

    def retell_keys(self) -> None:
        """Say the line of keys again; call it when what can be done has changed."""
        if self.stands:
            self.query_one(KeyLine).show(list(self._hints()), self.note())

    def say_waiting(self, words: str) -> None:
        """What is being waited for, where the keys stood; `retell_keys` brings them back."""
        if self.stands:
            self.query_one(KeyLine).show([], words)

    def _hints(self) -> Iterable[KeyHint]:
        chosen = self.session.settings.keys
        for command in self.commands():
            if command.rank and self.can(command):
                key = keys.shown(self.key_of(command, keys.keys_of(command, chosen)))
                more = self.tell("keys.help.more") if command.id == "help" else ""
                yield KeyHint(key, self.label_of(command), command.action, self.rank_of(command), more)

    def commands(self) -> Sequence[Command]:
        """The commands that work here: those of the screen, then those of everywhere."""
        return (*(keys.offered(self.SCOPE) if self.SCOPE != "app" else ()), *keys.offered("app"))

    def has(self, command: Command) -> bool:
        """Whether this very screen knows a command at all; help leaves out one that it does not."""
        return True

    def can(self, command: Command) -> bool:
        """Whether a command makes sense at this moment; a command that does not is left out of the line of keys."""
        return self.has(command)

    def pressed(self, id: str) -> str:
        """The key of a command as sentences name it: the reader's own choice, and one that works at this moment."""
        command = keys.BY_ID[id]
        return keys.shown(self.key_of(command, keys.keys_of(command, self.session.settings.keys)))

    def key_of(self, command: Command, own: Sequence[str]) -> str:
        """Which of its keys to show: while text is being typed, a letter would only be typed."""
        typing = self.is_typing() or self.LETTERED
        return next((key for key in own if not (typing and (len(key) == 1 or key == "question_mark"))), own[0])

    def is_typing(self) -> bool:
        """Whether letters go into a text field."""
        return False

    def on_key(self, event: events.Key) -> None:
        """A letter that nothing here has taken is no command where letters are answers."""
        typed = event.character or ""
        if self.LETTERED and typed.isprintable() and typed.strip() and not event.key.startswith(("alt+", "ctrl+")):
            chosen = (key.strip() for own in self.session.settings.keys.values() for key in own.split(","))
            active = self.active_bindings.get(event.key)
            of_what_has_the_keys = active is not None and active.node not in (self, self.app)  # such as a figure
            if event.key not in chosen and not of_what_has_the_keys:
                event.stop()

    def rank_of(self, command: Command) -> int:
        """Its place in the line of keys at this moment."""
        return command.rank

    def label_of(self, command: Command) -> str:
        """The word or two beside a key."""
        if command.id == "language":
            return say("app.language", other(self.lang))
        return say(command.label, self.lang)

    def note(self) -> str:
        """A remark at the right end of the line of keys."""
        return ""

    def get_widget_and_offset_at(self, x: int, y: int) -> tuple[Widget | None, Offset | None]:
        """What is under the mouse; nothing where that is on its way out, for Textual would ask it where it stands."""
        widget, offset = super().get_widget_and_offset_at(x, y)
        gone = widget is not None and widget is not self and widget.parent is None
        return (None, None) if gone else (widget, offset)

    def crumbs(self) -> Sequence[str]:
        """Where the reader is, from outside in."""
        return ()

    def progress(self) -> Sequence[str]:
        """How far, in forms from long to short."""
        return ()

    async def go_back(self) -> None:
        """One step outward: to the lesson that led here, else home."""
        self.keep()
        self.tutor.go(self.back_to or Place("home"))

    def load_of(self) -> Mapping[str, str]:
        """Model, card and load that stand here, for the plan; for subclasses."""
        return {}

    def scenario_of(self) -> Scenario | None:
        """The workload that stands here, for the probe; for subclasses."""
        return None

    def playing(self) -> Played | None:
        """The figure that stands here, for the playground; for subclasses."""
        return None

    def whereabouts(self) -> str | Place:
        """What `go` takes to come back here; for subclasses."""
        return Place("home")

    def keep(self) -> None:
        """Store what would be lost if the app ended now; for subclasses."""

    def keep_at_once(self) -> None:
        """The same where no message is dealt with any more; for subclasses that learn by one what was typed."""
        self.keep()

    def read(self, text: Text, scope: fill.Scope) -> Sequence[Piece]:
        """A course text as paragraphs; with the peek on, in both languages."""
        from content import fill  # brings the formulas with it: home needs none of them

        first = pieces(fill.fill(text[self.lang], self.lang, scope))
        if not self.tutor.peek:
            return first
        second = self.tutor.other_language
        return paired(first, pieces(fill.fill(text[second], second, scope), quiet=True))

    def source(self, text: Text | None) -> Sequence[Piece]:
        """Where a statement comes from, quietly under it; nothing for nothing."""
        if text is None:
            return []
        return [Piece(Content.styled(self.tell("lesson.source", text=text[self.lang]), QUIET), "  ", tight=True)]

    def heading_of(self, text: Text, scope: fill.Scope) -> Content:
        """A heading; with the peek on, in both languages."""
        from content import fill

        made = Content.styled(fill.fill(text[self.lang], self.lang, scope), STRONG)
        if not self.tutor.peek:
            return made
        second = self.tutor.other_language
        other = fill.fill(text[second], second, scope)
        return made if other == made.plain else Content.assemble(made, (f"\n{other}", QUIET))


class Panel(TutorScreen):
    """A screen laid over another (list, glossary, settings, help); escape returns to the one below, as it was."""

    PASSING: ClassVar[bool] = False
    """Whether another panel takes its place; one with something in it that was typed or computed waits below."""

    def own_keys(self) -> Sequence[tuple[str, str]]:
        """Its own keys, each with what it does, for help."""
        return [("enter", self.enter())] if self.enter() else []

    def enter(self) -> str:
        """What Enter does, in a word for the line of keys; nothing where it does nothing."""
        return ""

    def _hints(self) -> Iterable[KeyHint]:
        if self.enter():
            yield KeyHint("enter", self.enter(), "screen.enter", 0)
        yield from super()._hints()

    async def action_enter(self) -> None:
        """A click on that word presses the key."""
        for part in ("choose", "submit"):
            if self.focused is not None and hasattr(self.focused, f"action_{part}"):
                await self.app.run_action(part, self.focused)
                return

    async def go_back(self) -> None:
        """Close."""
        self.tutor.close(self)

    def crumbs(self) -> Sequence[str]:
        """Only its own name."""
        return (self.name_of(),)

    def name_of(self) -> str:
        """Name of the panel."""
        return ""
