"""The pages of a lesson as shown: sections with their figures, what is folded away, and the exercises at the end."""

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
from tutor import coursemap
from tutor.progress import Place
from tutor.screens.base import LAYOUT, TutorScreen
from tutor.widgets.blank import Vertical
from tutor.widgets.ink import ACCENT, QUIET, STRONG, mark, plainer
from tutor.widgets.page import Page
from tutor.widgets.prose import Piece, Prose, pieces
from tutor.widgets.rows import Row, Rows
from tutor.widgets.whole import whole

if TYPE_CHECKING:
    from content.schema import Section
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


class LessonPages(TutorScreen):
    """One section a page, its figure beside or below; the page after the last one offers the exercises."""

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

    def _plays(self) -> bool:
        """Whether the arrows go to the figure."""
        return self._figure is not None and self._figure.has_focus

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

    def whereabouts(self) -> Place:
        """This page."""
        return Place("lesson", self.lesson.id, "end" if self.at_offers else self.lesson.sections[self.number].id)
