"""From screen to screen: the part of the app that knows how one place leads to another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import App

from tutor.progress import Place
from tutor.screens import route
from tutor.screens.base import Panel

if TYPE_CHECKING:
    from tutor.session import Session


class Travel(App[None]):
    """Ways between the screens. Each journey happens in the app's own task, one after the other."""

    session: Session

    def go(self, target: str | Place, back_to: str = "") -> None:
        """Go to a place, or to what an id names; `back_to` is a lesson that escape then returns to.

        It happens in the app's own task: a screen that waited for its own removal would wait for ever.
        """
        self.call_later(self._travel, target, back_to)

    async def _travel(self, target: str | Place, back_to: str) -> None:
        """The first screen stays at the bottom of the stack (Textual cannot switch it away); one more lies over it."""
        place = target if isinstance(target, Place) else route.place_of(self.session, target)
        await self._leave_panels()
        if place.screen == "home" and route.is_home(self.screen_stack[0]):
            while len(self.screen_stack) > 1:
                await self.pop_screen()
            return
        screen = route.screen_of(place)
        screen.back_to = back_to
        await (self.switch_screen(screen) if len(self.screen_stack) > 1 else self.push_screen(screen))

    async def _leave_panels(self) -> None:
        while len(self.screen_stack) > 1 and isinstance(self.screen, Panel):
            await self.pop_screen()

    def show_panel(self, panel: Panel) -> None:
        """Lay a panel over the reader's screen, in place of another one."""
        self.call_later(self._lay, panel)

    def close(self, panel: Panel) -> None:
        """Close a panel, unless something else has closed it by the time it is its turn."""
        self.call_later(self._close, panel)

    async def _close(self, panel: Panel) -> None:
        if self.screen is panel and len(self.screen_stack) > 1:
            await self.pop_screen()

    async def _lay(self, panel: Panel) -> None:
        await self._leave_panels()
        await self.push_screen(panel)

    def on_the_screen_below(self, action: str) -> None:
        """Close the panel, then do something on the screen that it lay over."""
        self.call_later(self._close_and_run, action)

    async def _close_and_run(self, action: str) -> None:
        await self._leave_panels()
        await self.screen.run_action(action)
