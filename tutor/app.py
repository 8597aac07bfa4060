"""The app: wiring only. Which screen comes first, how one leads to another, and what works everywhere."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events, work
from textual.app import App
from textual.screen import Screen

from content.lang import Lang
from content.words import say
from tutor import copying, garbage, keys, language, looks, mends, ondisk
from tutor.ending import Ending
from tutor.progress import Place
from tutor.screens import route
from tutor.screens.base import Panel, TutorScreen, bindings
from tutor.served import CLOSED, served
from tutor.travel import DIAGNOSE, PLACEMENT, PLAYGROUND, PROBE, QUIZ, WATCH, Travel
from tutor.typeahead import Typeahead
from tutor.widgets.chain import Chain
from tutor.widgets.obeyed import Obeyed
from tutor.widgets.quiet import Quiet
from tutor.widgets.whole import paint

if TYPE_CHECKING:
    from rich.console import RenderableType
    from textual.binding import BindingType
    from textual.filter import LineFilter
    from textual.timer import Timer

    from tutor.session import Session


SMALLEST = (40, 12)
"""Columns and lines under which the window is too small, see the breakpoints."""
UNSEEN = 4
"""Texts that may be pasted into a window that is too small: they wait until it is larger."""


class TutorApp(Travel, Ending, App[None]):
    """The tutor in the terminal. `open` is where to start instead of home: a place, `DIAGNOSE`, `PLACEMENT`,
    `PLAYGROUND`, `PROBE`, `QUIZ` or `WATCH`; `ask` False: the language is settled."""

    TITLE = "llm-tutor"
    ENABLE_COMMAND_PALETTE = False  # ours speaks both languages
    CSS_PATH = Path(__file__).with_name("app.tcss")
    BINDINGS: ClassVar[list[BindingType]] = bindings("app")
    HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (SMALLEST[0], "-narrow"), (60, "-small"), (80, "-normal"), (120, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (SMALLEST[1], "-short"), (24, "-tall")]  # noqa: RUF012

    def __init__(self, session: Session, open: Place | str | None = None, *, ask: bool = True) -> None:
        self.session = session
        self.peek = False
        """Whether course text stands there in both languages."""
        self._start = open
        self._ask = ask and session.settings.language is None and language.VARIABLE not in os.environ
        looks.settle_no_color()
        mends.apply()
        self._typeahead = Typeahead(self)
        self._pauses = garbage.Pauses(self)
        self._unseen: deque[str] = deque(maxlen=UNSEEN)
        self._obeyed, self._quiet, self._chain = Obeyed(), Quiet(), Chain()
        self._trying: Timer | None = None
        """Runs while something is not written, and only then."""
        super().__init__(ansi_color=looks.ansi(session.settings.theme))
        self.set_keymap(keys.keymap(session.settings.keys))
        looks.wear(self, session.settings.theme)
        looks.move(self, session.settings.motion)
        self.set_class(self.no_color, "-no-color")

    def get_css_variables(self) -> dict[str, str]:
        """Those of the theme, where all that is drawn is also seen."""
        made = looks.seen(super().get_css_variables())
        self._quiet.share = looks.quietness(made)
        return made

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Those of the terminal's colours, then ours; quiet text first, which the terminal's would make too faint."""
        filters = (self._quiet, *super().get_line_filters(), self._obeyed)
        if filters != self._chain.filters:
            self._chain = Chain(filters)
        return [self._chain]

    def get_default_screen(self) -> Screen[None]:
        """The first screen: once the question of language, else where the reader wants to be."""
        if self._ask:
            from tutor.screens.welcome import WelcomeScreen

            return WelcomeScreen(self._start)
        if self._start == DIAGNOSE:
            from tutor.screens.diagnose import DiagnoseScreen

            return DiagnoseScreen()
        if self._start in (PLACEMENT, PLAYGROUND, PROBE, QUIZ, WATCH):
            self.go(self._start)  # home lies below it
        return route.screen_of(self._start if isinstance(self._start, Place) else None)

    async def on_event(self, event: events.Event) -> None:
        """Keys go on one after the other, see `Typeahead`; none reaches a screen that is too small to be seen."""
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            self._pauses.typed()
            if self._typeahead.holds(event):
                return
            if self.too_small:
                await self._pressed_unseen(event)
                return
        await super().on_event(event)

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        super()._display(screen, renderable)
        garbage.painted()

    def copy_to_clipboard(self, text: str) -> None:
        """To the terminal's clipboard, and to that of the tmux around it, which would swallow the terminal's."""
        super().copy_to_clipboard(text)
        if not served():
            copying.beyond(text)

    def forget_text(self) -> None:
        """Let go of what was typed for a page that was not there yet."""
        self._typeahead.forget_text()

    @property
    def too_small(self) -> bool:
        """Whether the notice about a small window covers everything."""
        return self.size.width < SMALLEST[0] or self.size.height < SMALLEST[1]

    async def _pressed_unseen(self, event: events.Key | events.Paste) -> None:
        """Only the way out and the language of the notice work; a letter may be part of an answer being typed.

        A pasted text is not there to be pressed again: it waits until the window is larger.
        """
        typing = getattr(self.focused, "is_text_field", False)
        if isinstance(event, events.Paste):
            self._unseen.append(event.text)
            return
        if typing and event.is_printable:
            return
        for command in (keys.BY_ID["quit"], keys.BY_ID["language"]):
            if event.key in keys.keys_of(command, self.session.settings.keys):
                await self.run_action(command.action)

    def on_resize(self) -> None:
        """A window that is large enough again takes what was pasted meanwhile."""
        if self._unseen:  # the size is taken over after this
            self.call_after_refresh(self._paste_unseen)

    def _paste_unseen(self) -> None:
        while self._unseen and not self.too_small:
            self.post_message(events.Paste(self._unseen.popleft()))

    def on_mount(self) -> None:
        """Leave the rest until the first frame is painted."""
        self.session.on_unwritten = lambda: self.call_later(self._try_later)  # from whatever thread
        if self.session.unwritten:
            self._try_later()
        self.call_after_refresh(self._settle)

    def _settle(self) -> None:
        self.tell_notices()
        self.set_timer(0.5, self.prewarm)

    def _try_later(self) -> None:
        if self._trying is None:
            self._trying = self.set_timer(ondisk.RETRY, self._try_disk)

    def _try_disk(self) -> None:
        """Write what the disk did not take before; while it still refuses, again a while later."""
        self._trying = None
        if not self.session.retry():
            self._try_later()

    @work(thread=True, exit_on_error=False, group="prewarm")
    def prewarm(self) -> None:
        """Import what judges and grades answers, sympy too, away from the screen: it takes a third of a second."""
        import fsrs  # noqa: F401

        from content import checking  # noqa: F401  what a first verdict needs
        from engine.formulas import symbolic
        from engine.reader.read import formula_tree

        symbolic.equal(formula_tree("2*B"), formula_tree("B + B"))
        garbage.spare()

    def tell_notices(self) -> None:
        """Problems that the learner must know of, each once."""
        for sentence in self.session.notices():
            self.notify(sentence, severity="warning", timeout=12, markup=False)

    @property
    def other_language(self) -> Lang:
        """The language that F2 leads to."""
        return language.other(self.session.language)

    async def action_panel(self, name: str) -> None:
        """Open a panel, or close it when it is the open one."""
        if served() and name in CLOSED:
            self.notify(say(f"serve.closed.{name}", self.session.language), markup=False, severity="warning")
            return
        if name == PLAYGROUND and self.uncover_the_playground():
            return
        panel = self._panel(name)
        if type(self.screen) is type(panel):
            await self.action_back()
        else:
            self.show_panel(panel)

    def _panel(self, name: str) -> Panel:
        if name == PROBE:
            return self.probe_screen()
        return self.playground_screen() if name == PLAYGROUND else route.panel(name, self._load())

    def _load(self) -> Mapping[str, str]:
        """Model, card and load of the diagnoser's form where that is open, else what stood in the plan before."""
        for screen in reversed(self.screen_stack):
            if isinstance(screen, TutorScreen) and (known := screen.load_of()):
                return known
        return self.planning

    def action_home(self) -> None:
        """Go to the home screen."""
        self.go(Place("home"))

    async def action_back(self) -> None:
        """One step outward; a screen that is still being made has nothing to go back from."""
        if isinstance(self.screen, TutorScreen) and self.screen.made:
            await self.screen.go_back()

    async def action_quit(self) -> None:
        """Leave; what stands typed is kept."""
        self.keep_all()
        self.exit()

    def action_help_quit(self) -> None:
        """Ctrl+c, which ends other programs: say what ends this one."""
        pressed = keys.keys_of(keys.BY_ID["quit"], self.session.settings.keys)[-1]  # the one that works while typing
        self.notify(say("app.quit_by", self.session.language, shortcut=keys.shown(pressed)), markup=False)

    def action_language(self) -> None:
        """The other language, everywhere, in place."""
        self.session.speak(self.other_language)
        self.retell()
        paint(self.screen)
        self.call_after_refresh(self._keep_settings)  # a disk takes its time

    def _keep_settings(self) -> None:
        self.session.keep_settings()
        self.tell_notices()

    def action_peek(self) -> None:
        """Show both languages, or one again."""
        self.peek = not self.peek
        self.retell()

    def retell(self) -> None:
        """Say every open screen again."""
        for screen in self.screen_stack:
            if isinstance(screen, TutorScreen):
                screen.retell()
        self.tell_notices()
