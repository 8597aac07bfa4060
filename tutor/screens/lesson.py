"""A lesson: one section a page, its figure beside or below, and at the end the exercises that belong to it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from content import cards, course, fill
from content.lang import Text
from content.words import say
from tutor import coursemap, keys
from tutor.dialogs.cards import CardsPanel
from tutor.keys import Command, Scope
from tutor.progress import Place
from tutor.screens.base import LAYOUT, TutorScreen, bindings
from tutor.travel import QUIZ
from tutor.widgets.blank import Vertical
from tutor.widgets.ink import ACCENT, QUIET, STRONG, mark, plainer
from tutor.widgets.keyline import KeyHint
from tutor.widgets.page import Page
from tutor.widgets.prose import Piece, Prose, pieces
from tutor.widgets.rows import Row, Rows
from tutor.widgets.whole import whole

if TYPE_CHECKING:
    from content.schema import Section
    from tutor.figures.view import FigureView
    from tutor.playing.played import Played
    from tutor.screens.figure import PageFigure


CARDS = "cards"
"""The row that opens the questions of the lesson."""


def foldable(section: Section) -> bool:
    """Whether a section has something that is folded away at first."""
    return bool(section.nuances or section.source)


SIDEWAYS = ("left", "right")
"""The arrows that are the figure's on a page that has one; without a figure they turn the page."""


class LessonPage(Page, inherit_bindings=False):
    """A page whose page key, and whose arrows to the sides, ask the screen, which knows of the figure."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(one for one in Page.BINDINGS if isinstance(one, Binding) and one.key != "pagedown"),
        Binding("pagedown", "screen.more", show=False),
        *(Binding(arrow, f"screen.into_figure('{arrow}')", show=False) for arrow in SIDEWAYS),
    ]


class LessonScreen(TutorScreen):
    """The pages of one lesson. The page after the last section offers the exercises; nothing turns by itself.

    What a key does on a page never hangs on how the reader came to be where they are: letters turn every page, and on
    a page with a figure the arrows to the sides, and tab, always lead to it.
    """

    SCOPE: ClassVar[Scope] = "lesson"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("lesson"), Binding("space", "screen.read_on", show=False)]

    def __init__(self, lesson_id: str, section: str = "") -> None:
        super().__init__()
        self.lesson = course.lesson(lesson_id)
        self._scope = fill.of_lesson(self.lesson)
        ids = [s.id for s in self.lesson.sections]
        self.number = ids.index(section) if section in ids else (len(ids) if section == "end" else 0)
        self.unfolded = False
        self._figure: PageFigure | None = None
        """The figure of this page, where it has one."""
        self._view: PageFigure | None = None
        """The widget of all figures of this lesson, from the first on."""
        self._turning = asyncio.Lock()
        self._runs_on = False
        """Whether the page goes on below the window."""
        self.busy = False
        """Whether it is being settled what the arrows do; keys wait for it, see `tutor.typeahead`."""

    def body(self) -> Iterable[Widget]:
        """One page: left the text, right the figure; on a narrow screen one under the other.

        What to notice in the figure stands under it, and where the figure is beside the text, under the text.
        """
        yield LessonPage(
            Vertical(
                Vertical(Static("", id="heading", markup=False), Prose(id="text"), Prose(id="aside"), id="left"),
                Vertical(id="right"),
                id="columns",
            ),
            Prose(id="notice"),
            Static("", id="fold", markup=False),
            Prose(id="nuance"),
            Rows(id="offers"),
            id="page",
        )

    async def on_mount(self) -> None:
        """Show the first page, unless another one was asked for meanwhile."""
        self.watch(self.query_one(Page), "scroll_y", self._say_more, init=False)
        if not self._turning.locked():
            await self.turn(self.number)

    @property
    def at_offers(self) -> bool:
        """Whether this is the page after the last section."""
        return self.number >= len(self.lesson.sections)

    async def turn(self, number: int) -> None:
        """Show a page from its top, and remember it as the place to come back to.

        Turns happen one after the other: of two asked for at once the later stands at the end.
        """
        async with self._turning:
            self.number = max(0, min(number, len(self.lesson.sections)))
            self.unfolded = False
            page = self.query_one(Page)
            page.scroll_home(animate=False, force=True)
            async with whole(self):
                if self._plays():
                    self.set_focus(page, scroll_visible=False)
                await self._swap_figure()
                self.retell()
            section = "end" if self.at_offers else self.lesson.sections[self.number].id
            self.session.set_place(Place("lesson", self.lesson.id, section))
            if not self.at_offers:
                coursemap.saw(self.session, self.lesson.id, section)
            self.set_focus(self.query_one(Rows) if self.at_offers else page, scroll_visible=False)
            self.busy = True
            self.call_after_refresh(self.set_timer, LAYOUT, self._laid_out)

    def _laid_out(self) -> None:
        """The figure gets the keys when it and what to notice in it can be seen whole; else the page is read first."""
        self.busy = False
        if self._figure is not None and self.focused is self.query_one(Page):
            told = [one for one in self._notices() if one.display]
            if all(self.can_view_entire(one) for one in (self._figure, *told)):
                self.set_focus(self._figure, scroll_visible=False)
        self._say_more()

    def _say_more(self) -> None:
        """Tell in the line of keys whether the page runs on."""
        runs_on = not self.query_one(Page).at_end()
        if runs_on != self._runs_on:
            self._runs_on = runs_on
            self.retell_keys()

    def on_resize(self) -> None:
        """What fits is another thing now, and a figure that went out of sight gives the keys back."""
        self.set_timer(LAYOUT, self._fitted)

    def _fitted(self) -> None:
        if self._plays() and self._figure is not None and not self.can_view_partial(self._figure):
            self.set_focus(self.query_one(Page), scroll_visible=False)
        self._say_more()

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

    def _meet(self) -> None:
        if self._figure is not None and self.focused is self.query_one(Page) and self.can_view_partial(self._figure):
            self.set_focus(self._figure, scroll_visible=False)

    async def _swap_figure(self) -> None:
        """The figure of this page in the widget of the page before: a new one would cost more than all else."""
        right = self.query_one("#right", Vertical)
        ref = None if self.at_offers else self.lesson.sections[self.number].figure
        self._figure = None
        if ref is not None:
            from tutor.screens.figure import figure_of

            self._figure = figure_of(ref, self.session, self._view)
        right.display = self._figure is not None
        if self._figure is not None and self._view is None and right.is_attached:  # the reader may have left meanwhile
            self._view = self._figure
            await right.mount(self._view)

    def retell_body(self) -> None:
        """Say this page again; the paragraph at the top of the window stays there."""
        page = self.query_one(Page)
        point = page.anchor_point()
        if self.at_offers:
            self._say_offers()
        else:
            self._say_section()
        if self._figure is not None:
            self._figure.retell()
        page.restore(point)
        self.set_timer(LAYOUT, self._say_more)

    def _say_section(self) -> None:
        section = self.lesson.sections[self.number]
        self.query_one("#heading", Static).update(self.heading_of(section.heading, self._scope))
        self.query_one("#text", Prose).show(self.read(section.text, self._scope))
        for notice in self._notices():
            notice.show(self._notice(section.notice))
        fold = self.query_one("#fold", Static)
        fold.display = foldable(section)
        name = self.tell("lesson.simplifies" if section.nuances else "lesson.evidence")
        fold.update(Content.assemble((self._sign(), ACCENT), (name, QUIET)))
        self.query_one("#nuance", Prose).show(self._folded(section) if self.unfolded else [])
        self.query_one("#offers", Rows).display = False

    def _folded(self, section: Section) -> list[Piece]:
        """Where this simplifies, each with its source; then where the section's own numbers come from."""
        made: list[Piece] = []
        for nuance in section.nuances:
            made += [*self.read(nuance.text, self._scope), *self.source(nuance.source)]
        return made + [replace(piece, tight=False) for piece in self.source(section.source)]

    def _notices(self) -> Sequence[Prose]:
        """What to notice: under the figure, or beside it; the style sheet shows the one or the other."""
        return [self.query_one(place, Prose) for place in ("#notice", "#aside")]

    def _notice(self, notice: Text | None) -> Sequence[Piece]:
        return [] if notice is None else self.read(notice, self._scope)

    def _sign(self) -> str:
        return plainer("▾ " if self.unfolded else "▸ ", self.session.ascii)

    def _say_offers(self) -> None:
        self.query_one("#heading", Static).update(Content.styled(self.tell("lesson.end"), STRONG))
        ending = "end_text" if coursemap.of_this(self.lesson.id) else "end_bare"
        self.query_one("#text", Prose).show(pieces(self.tell(f"lesson.{ending}")))
        for notice in self._notices():
            notice.show([])
        self.query_one("#nuance", Prose).show([])
        self.query_one("#fold", Static).display = False
        offers = self.query_one("#offers", Rows)
        offers.display = True
        offers.show(self._offers())

    def _offers(self) -> list[Row]:
        known = coursemap.states(self.session)
        rows = [self._offer(e.id, e.title, coursemap.of_exercise(e, known)) for e in coursemap.of_this(self.lesson.id)]
        questions = len(cards.of_lesson(self.lesson.id))
        if questions:
            rows.append(
                Row(CARDS, Content(self.tell("cards.offer" if questions > 1 else "cards.offer_one", n=questions)))
            )
        following = coursemap.next_lesson(self.lesson.id)
        if following is None:
            return rows
        ahead = Row(text=Content(self.tell("lesson.next_lesson")))
        return [*rows, *([Row()] if rows else []), ahead, self._offer(following.id, following.title, None)]

    def _offer(self, id: str, title: Text, count: coursemap.Count | None) -> Row:
        right = (
            Content("") if count is None else Content.styled(f"{mark(count.status)} {count.done}/{count.total}", QUIET)
        )
        return Row(id, Content(title[self.lang]), lead=id.split("/")[1], right=right, brief=right)

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

    def whereabouts(self) -> Place:
        """This page."""
        return Place("lesson", self.lesson.id, "end" if self.at_offers else self.lesson.sections[self.number].id)

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

    def _plays(self) -> bool:
        """Whether the arrows go to the figure."""
        return self._figure is not None and self._figure.has_focus

    def _sideways(self) -> bool:
        """Whether the arrows to the sides are the figure's on this page."""
        return self._figure is not None and any(key.action in SIDEWAYS for key in self._figure.figure.keys)

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
