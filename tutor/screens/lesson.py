"""A lesson: one section a page, its figure beside or below, and at the end the exercises that belong to it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType

from content import course
from content.words import say
from tutor import coursemap, keys
from tutor.dialogs.cards import CardsPanel
from tutor.keys import Command, Scope
from tutor.screens.base import LAYOUT, bindings
from tutor.screens.lesson_pages import CARDS, SIDEWAYS, LessonPages, foldable
from tutor.travel import QUIZ
from tutor.widgets.keyline import KeyHint
from tutor.widgets.page import Page
from tutor.widgets.rows import Rows

if TYPE_CHECKING:
    from tutor.figures.view import FigureView
    from tutor.playing.played import Played


class LessonScreen(LessonPages):
    """The pages of one lesson. The page after the last section offers the exercises; nothing turns by itself.

    What a key does on a page never hangs on how the reader came to be where they are: letters turn every page, and on
    a page with a figure the arrows to the sides, and tab, always lead to it.
    """

    SCOPE: ClassVar[Scope] = "lesson"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("lesson"), Binding("space", "screen.read_on", show=False)]

    def _hints(self) -> Iterable[KeyHint]:
        if self.at_offers:
            yield KeyHint("enter", say("app.keys.open.label", self.lang), "screen.open", 1)
        if self._sideways():
            arrows = "arrows" if self.session.ascii else "←→"
            yield KeyHint(arrows, say("app.keys.play.label", self.lang), "screen.play", 3)
        if self._runs_on:
            page_down = keys.shown("pagedown")
            yield KeyHint(page_down, self.tell("lesson.more"), "screen.more", 2)
        yield from super()._hints()

    def action_open(self) -> None:
        """Open what the cursor is on."""
        self.query_one(Rows).action_choose()

    def action_more(self) -> None:
        """Scroll on; a figure that is come to gets the keys, and with them the window is brought to show it whole."""
        met = self._figure is not None and self.can_view_entire(self._figure)
        self.query_one(Page).scroll_page_down(animate=False)
        if not met:
            self.set_timer(LAYOUT, self._meet)

    async def action_next(self) -> None:
        """The next page."""
        if not self.at_offers:
            await self.turn(self.number + 1)

    async def action_previous(self) -> None:
        """The page before."""
        if self.number:
            await self.turn(self.number - 1)

    async def action_read_on(self) -> None:
        """Scroll a windowful, and at the end of the page turn it."""
        page = self.query_one(Page)
        if page.at_end():
            await self.action_next()
        else:
            page.scroll_page_down(animate=False)

    async def action_exercises(self) -> None:
        """Go to the page with the exercises."""
        await self.turn(len(self.lesson.sections))

    def action_nuance(self) -> None:
        """Open or close `where this simplifies`."""
        if self.at_offers or not foldable(self.lesson.sections[self.number]):
            return
        self.unfolded = not self.unfolded
        self.retell()
        if self.unfolded:
            self.call_after_refresh(self.query_one("#nuance").scroll_visible, animate=False)

    def action_play(self) -> None:
        """Give the keys to the figure, which comes into sight with that."""
        if self._figure is not None:
            self.set_focus(self._figure)
            self._figure.come_into_sight()

    def action_leave_figure(self) -> None:
        """Give the keys back to the page."""
        self.set_focus(self.query_one(Page), scroll_visible=False)

    def action_into_figure(self, arrow: str) -> None:
        """An arrow of the figure while the page has the keys: shown first, as it is, where it was out of sight."""
        if self._figure is not None:
            seen = self.can_view_entire(self._figure)
            self.set_focus(self._figure)
            if seen:
                self._figure.action_press(arrow)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """An arrow that the figure has no use for turns the page, as it does where there is no figure."""
        if action == "into_figure":
            return self._sideways()
        return super().check_action(action, parameters)

    def on_click(self, event: object) -> None:
        """A click on the fold line opens it."""
        control = getattr(event, "widget", None)
        if control is not None and control.id == "fold":
            self.action_nuance()

    async def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """An exercise, or the next lesson."""
        event.stop()
        if event.id == CARDS:
            self.tutor.show_panel(CardsPanel(self.lesson.id, self._cards_done))
            return
        back = self.lesson.id if course.resolve(event.id).kind == "exercise" else ""
        self.tutor.go(event.id, back_to=back)

    def _cards_done(self) -> None:
        """Past the last card the cursor is on what comes next."""
        following = coursemap.next_lesson(self.lesson.id)
        if self.at_offers and following is not None:
            self.query_one(Rows).go(following.id)

    async def on_figure_view_chosen(self, event: FigureView.Chosen) -> None:
        """What the map points at."""
        self.tutor.go(event.target)

    def playing(self) -> Played | None:
        """The figure of this page, whole: what comes later in the course may be played with."""
        if self._figure is None:
            return None
        from tutor.playing import played

        return played.of_page(self._figure, secret=False)

    def on_descendant_focus(self) -> None:
        """What the arrows do depends on where they go."""
        self.retell_keys()

    def can(self, command: Command) -> bool:
        """Leave out what this page does not have."""
        if self.at_offers and command.id in ("next", "exercises", "nuance"):
            return False
        if command.id == "play":
            return self._figure is not None and not self._plays() and not self._sideways()
        if command.id == "leave-figure":
            return self._plays()
        if command.id == "exercises":
            return bool(coursemap.of_this(self.lesson.id))
        if command.id == "nuance":
            return foldable(self.lesson.sections[self.number])
        return not (command.id == "previous" and self.number == 0)

    def _sideways(self) -> bool:
        """Whether the arrows to the sides are the figure's on this page, as it stands."""
        view = self._figure
        return view is not None and any(key.action in SIDEWAYS for key in view.figure.shown(view.state))

    def label_of(self, command: Command) -> str:
        """Who only looked something up goes back to the quiz."""
        if command.id == "back" and self.back_to == QUIZ:
            return self.tell("quiz.back")
        return super().label_of(command)

    def rank_of(self, command: Command) -> int:
        """Who only looked something up wants to know the way back; a figure may be played with, and left again."""
        if command.id == "playground" and self._figure is not None:
            return 8
        return 1 if command.id == "back" and self.back_to == QUIZ else super().rank_of(command)

    def crumbs(self) -> Sequence[str]:
        """Course and lesson."""
        track = course.shipped().track_of(self.lesson.id)
        return (track.title[self.lang], f"{self.lesson.id.split('/')[1]} {self.lesson.title[self.lang]}")

    def progress(self) -> Sequence[str]:
        """Pages as dots and as a count."""
        total, here = len(self.lesson.sections), min(self.number + 1, len(self.lesson.sections))
        dots = "●" * here + "○" * (total - here)
        return (f"{dots} {here}/{total}", f"{here}/{total}")
