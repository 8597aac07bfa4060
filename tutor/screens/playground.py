"""The playground: one figure as large as the window, beside it its values, to be typed and stepped.

Every figure keeps its state while the app runs (:class:`tutor.playing.played.Played`), so that one may look at another
one, at a lesson or at an exercise, and come back.
"""

from __future__ import annotations

import asyncio
import textwrap
from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual import events
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget
from textual.widgets import Static

from content.words import say
from tutor.figures.registry import names
from tutor.figures.view import FigureView
from tutor.keys import Command, Scope
from tutor.playing.played import Played
from tutor.screens.base import Panel, bindings
from tutor.screens.playground_figure import APART, PlayFigure
from tutor.screens.playground_values import ValuesPane
from tutor.widgets.blank import Container, Vertical
from tutor.widgets.ink import QUIET
from tutor.widgets.page import AnswerPage

WHOLE = 80
"""Columns that the figure keeps beside its values: with those there all the time it is no narrower than alone in a
window of this width. Where they leave it less, they open and close."""
SIDE = 78
"""Columns from which they open beside it; in a narrower window below it."""
LEAST, MOST = 30, 40
"""Columns of the values beside the figure; they take what they need."""
GUTTER = 3
"""Columns between figure and values, and for their scrollbar."""
OPENED = 38
"""The most that they take of a window in which they open and close."""


class PlaygroundScreen(Panel):
    """Tab goes from the figure to its values and back; where they do not fit beside it, it opens and closes them."""

    SCOPE: ClassVar[Scope] = "playground"
    BINDINGS = bindings("playground")
    DEFAULT_CSS = """
    PlaygroundScreen #panes { height: 1fr; width: 100%; layout: vertical; }
    PlaygroundScreen.-beside #panes { layout: horizontal; }
    PlaygroundScreen #stage { height: 1fr; width: 1fr; }
    PlaygroundScreen #stage FigureView { height: 1fr; }
    PlaygroundScreen #values { display: none; height: auto; max-height: 40%; width: 100%; padding: 0 1; }
    PlaygroundScreen.-open #values { display: block; }
    PlaygroundScreen.-beside #values { height: 1fr; max-height: 100%; padding: 1 0 0 1; }
    PlaygroundScreen #how { height: auto; margin-top: 1; display: none; }
    PlaygroundScreen #secret { height: auto; padding: 0 1; display: none; }
    """

    def __init__(self, opened: Played) -> None:
        super().__init__()
        self.opened = opened
        self._page = opened.name if opened.came is not None else ""
        """The figure that came from a page, until the reader chooses their own of that name instead."""
        self.busy = False
        """Whether another figure is on its way; keys wait for it, see `tutor.typeahead`."""
        self._turning = asyncio.Lock()
        self._open = False
        """Whether the values were opened in a window that has no room for them all the time."""

    def body(self) -> Iterable[Widget]:
        """Figure and values."""
        yield Container(
            Vertical(id="stage"),
            AnswerPage(ValuesPane(id="pane"), Static("", id="how", markup=False), id="values"),
            id="panes",
        )
        yield Static("", id="secret", markup=False)

    async def on_mount(self) -> None:
        """The figure takes the keys."""
        self._fit()
        await self.turn(self.opened)

    # --- which figure ------------------------------------------------------------------------------------------------

    @property
    def view(self) -> PlayFigure | None:
        """The figure, once it is there."""
        found = self.query(PlayFigure)
        return found.first() if found else None

    @property
    def pane(self) -> ValuesPane:
        """The values."""
        return self.query_one(ValuesPane)

    async def turn(self, opened: Played) -> None:
        """Show a figure. Of two asked for at once the later stands at the end."""
        self.busy = True
        try:
            async with self._turning:
                stage = self.query_one("#stage")
                typing = self.is_typing()
                await stage.remove_children()
                if not stage.is_attached:
                    return
                view = PlayFigure(opened, self._heard)
                self.opened = opened
                await stage.mount(view)
                self.pane.turn(view)
                self._keep(view)
                self._fit()
                self.set_focus(self.pane.line if typing and self.pane.offers else view, scroll_visible=False)
                self.retell()
                self.call_after_refresh(self._learn)
        finally:
            self.busy = False

    @staticmethod
    def _learn() -> None:
        from tutor.playing import own

        own.learn()

    async def show_figure(self, name: str) -> None:
        """A figure as the reader left it; of one that came from a page the reader's own."""
        self.pane.leave()
        if name == self._page:
            self._page = ""
        if name != self.opened.name or self.opened.came is not None:
            await self.turn(self.tutor.played_of(name))

    async def _go_by(self, by: int) -> None:
        every = names()
        name = every[(every.index(self.opened.name) + by) % len(every)]
        if name != self._page:
            await self.show_figure(name)
            return
        self.pane.leave()
        await self.turn(self.tutor.brought[name])

    async def action_next_figure(self) -> None:
        """The next figure of the list."""
        await self._go_by(1)

    async def action_previous_figure(self) -> None:
        """The figure before."""
        await self._go_by(-1)

    def action_figures(self) -> None:
        """All figures."""
        from tutor.screens.playground_panels import FiguresPanel

        self.tutor.show_panel(FiguresPanel(self))

    def _keep(self, view: PlayFigure) -> None:
        """What stands here, and that the reader has set it; what a figure has played nobody has set."""
        before, self.opened = self.opened, self.opened._replace(state=view.state, named=view.named)
        again, view.again = view.again, False
        self.tutor.now_playing(self.opened, self.opened if view.playing else before, again=again)

    def _heard(self, view: PlayFigure) -> None:
        """A key of the figure, or a value: it is kept, and the values say it."""
        if view is self.view:
            self._keep(view)
            self.pane.say()

    def on_figure_view_chosen(self, event: FigureView.Chosen) -> None:
        """The map leads to a lesson; from there the way back is here."""
        event.stop()
        self.tutor.leave_the_playground(event.target)

    # --- what can be done --------------------------------------------------------------------------------------------

    def action_values(self) -> None:
        """From the figure to its values, and back."""
        view = self.view
        if view is None:
            return
        if self.is_typing():
            self.pane.leave()
            self._open = False
            self._fit()
            self.set_focus(view, scroll_visible=False)
        elif self.pane.offers:
            self._open = True
            self._fit()
            self.set_focus(self.pane.line, scroll_visible=False)
            self.call_after_refresh(self.pane.reveal)

    def action_next_value(self) -> None:
        """The value below, or the next suggestion."""
        self.pane.walk(1)

    def action_previous_value(self) -> None:
        """The value above, or the suggestion before."""
        self.pane.walk(-1)

    def action_value_up(self) -> None:
        """The value at hand, a step up."""
        self.pane.step_by(1)

    def action_value_down(self) -> None:
        """The value at hand, a step down."""
        self.pane.step_by(-1)

    def action_take_value(self) -> None:
        """A click on the word presses the key."""
        if self.is_typing():
            self.pane.submit()

    def action_reset_figure(self) -> None:
        """The figure as it was opened."""
        if self.view is not None:
            self.pane.forget()
            self.view.action_reset()
            self.pane.say()

    def action_copy_figure(self) -> None:
        """The drawing as text."""
        if self.view is not None:
            self.view.action_copy()

    def action_figure_command(self) -> None:
        """Command lines that give the numbers of the figure."""
        from tutor.screens.playground_panels import CommandsPanel

        self.pane.leave()
        if self.view is not None:
            view = self.view
            self.tutor.show_panel(CommandsPanel(view.figure, view.state, view.named, self.why_secret))

    def action_make_exercise(self) -> None:
        """The exercises that ask about this figure, the nearest numbers first."""
        from tutor.screens.playground_panels import MatchesPanel

        self.pane.leave()
        if not self._is_asked():
            self.notify(self.tell("playground.no_exercise"), markup=False)
        elif self.view is not None:
            self.tutor.show_panel(MatchesPanel(self.view.figure.name, self.view.state))

    def _is_asked(self) -> bool:
        """Whether an exercise stands on this figure."""
        from tutor.playing import matching

        return matching.asked(self.opened.name)

    async def go_back(self) -> None:
        """Escape takes back what is being typed, then leaves for where the reader was."""
        if not (self.is_typing() and self.pane.escape()):
            self.pane.leave()
            await super().go_back()

    # --- frame -------------------------------------------------------------------------------------------------------

    def _fit(self) -> None:
        """Values beside the figure, below it, or away."""
        width, offers = self.size.width, self.pane.offers
        need = max(LEAST, self.pane.need + GUTTER)
        always = width >= WHOLE + min(need, MOST)
        beside = always or (self._open and width >= SIDE)
        most = max(MOST, width - WHOLE - LEAST) if always else OPENED
        self.query_one("#values").styles.width = min(need, most) if beside else "100%"
        self.set_class(offers and (always or self._open), "-open")
        self.set_class(offers and beside, "-beside")
        self._fit_how()
        self.call_after_refresh(self._fit_how)
        view = self.view
        if view is not None and view.show_keys == (self._open and not always):
            view.show_keys = not view.show_keys  # the arrows are not its own there, and the room is wanted
            view.refresh()

    def _fit_how(self) -> None:
        """How values are changed is said where there is room for all of it: the keys are in the last line too."""
        if not self.is_attached:
            return
        how, values = self.query_one("#how", Static), self.query_one("#values")
        room, taken = values.scrollable_content_region.size, self.pane.size.height
        if not room:  # before the first layout what it will give, or the words would come after the first paint
            frame = 2 * (2 if self.has_class("-tall") else 1) + APART
            wide = values.styles.width.value if values.styles.width is not None else 0
            room, taken = Size(int(wide) - 2, self.size.height - frame), len(self.pane.rows)
        lines = len(textwrap.wrap(self.tell("playground.how"), max(1, room.width - 1)))
        how.display = self.has_class("-beside") and taken + APART + lines <= room.height

    def on_resize(self, event: events.Resize) -> None:
        """The room is another one; what has the keys keeps them."""
        if not self.is_mounted:
            return
        self._open = self._open or self.is_typing()
        self._fit()
        self.call_after_refresh(self.pane.reveal)

    def retell_body(self) -> None:
        """Figure and values again; what is typed stays."""
        if self.view is not None:
            self.view.retell()
        self.pane.say()
        self.query_one("#how", Static).update(Content.styled(self.tell("playground.how"), QUIET))
        secret = self.query_one("#secret", Static)
        secret.display = self.opened.secret
        secret.update(Content.styled(self.why_secret(), QUIET))
        self.call_after_refresh(self._fit_how)

    def why_secret(self) -> str:
        """Why a figure of an exercise has amounts left out, and the way to one that has them."""
        return self.tell("playground.secret", shortcut=self.pressed("figures")) if self.opened.secret else ""

    def on_descendant_focus(self) -> None:
        """Which keys there are depends on where they go."""
        self.retell_keys()

    def is_typing(self) -> bool:
        """Whether letters go into a value."""
        return self.focused is not None and self.focused is self.pane.line

    def can(self, command: Command) -> bool:
        """What makes sense at this moment."""
        if command.id in ("value-up", "value-down", "take-value", "next-value", "previous-value"):
            return self.is_typing()
        if command.id == "values":
            return self.pane.offers
        if command.id == "make-exercise":
            return self._is_asked()
        return command.id not in ("peek", "home", "playground")

    def label_of(self, command: Command) -> str:
        """Tab leads to whichever of figure and values has not got the keys."""
        if command.id == "values" and self.is_typing():
            return say("app.playground.figure", self.lang)
        return super().label_of(command)

    def progress(self) -> Sequence[str]:
        """Which of the figures this is."""
        every = names()
        return (f"{every.index(self.opened.name) + 1}/{len(every)}",)

    def name_of(self) -> str:
        """Name of the screen."""
        return self.tell("playground.title")
