"""A list whose lines draw themselves: bars, figures and sentences, with one cursor that stops at what can be opened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.containers import ScrollableContainer
from textual.content import Content
from textual.strip import Strip
from textual.visual import Visual

from content.diagnosing.together import GLUE, glued
from tutor.widgets.ink import ACCENT, STRONG, plainer, wants_ascii
from tutor.widgets.page import Page
from tutor.widgets.rows import Row, Rows

Draw = Callable[[int], Sequence[Content]]
"""The drawing of a line for a width; it may take several lines of the screen."""
LEAD = 2
"""Columns for the cursor's mark."""
BLANK = Content(" " * LEAD)
STRIPS = 1000
"""Lines of the screen that are kept in cells."""


def nothing(width: int) -> Sequence[Content]:
    """An empty line."""
    return (Content(""),)


@dataclass(frozen=True, slots=True)
class Line(Row):
    """One line; without an id the cursor passes over it."""

    draw: Draw = nothing


class Lines(Rows):
    """The keys of :class:`Rows`; the line at the cursor is marked, not coloured over: a drawing has its own colours."""

    DEFAULT_CSS = "Lines { height: auto; width: 1fr; max-width: 100; }"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
    ]

    still = True
    _strips: dict[object, Strip]
    _strips_for: object = None

    def over_the_edge(self, step: int) -> None:
        """At an end the page scrolls on: there may be lines beyond that the cursor does not stop at."""
        scroll = getattr(self._page(), "scroll_up" if step < 0 else "scroll_down", None)
        if scroll is not None:
            scroll(animate=False)

    def _page(self) -> object:
        """What scrolls them."""
        return next((one for one in self.ancestors if isinstance(one, ScrollableContainer)), self.parent)

    def action_page(self, step: int) -> None:
        """A windowful further: the cursor goes along, so that Enter never acts on what is out of sight."""
        page = self._page()
        high = max(1, getattr(page, "size", self.size).height - 1)
        tops = [0, *accumulate(len(lines) for lines in self._made(max(1, self.content_size.width)))]
        here = tops[self.cursor] if 0 <= self.cursor < len(tops) else 0
        free = [n for n, row in enumerate(self.rows) if row.id and (n - self.cursor) * step > 0]
        near = [n for n in free if abs(tops[n] - here) <= high]
        if near or free:
            self.cursor = (max(near) if step > 0 else min(near)) if near else (min(free) if step > 0 else max(free))
        else:
            scroll = getattr(page, "scroll_page_up" if step < 0 else "scroll_page_down", None)
            if scroll is not None:
                scroll(animate=False)

    @property
    def room(self) -> int:
        """The width that lines are drawn for now."""
        return max(10, self.content_size.width - LEAD)

    def _draw(self, width: int) -> list[list[Content]]:
        room = max(10, width - LEAD)
        return [self._drawn(number, row, room) for number, row in enumerate(self.rows)]

    def _drawn(self, number: int, row: Row, room: int) -> list[Content]:
        here = bool(row.id) and number == self.cursor and (self.has_focus or self.always)
        draw = row.draw if isinstance(row, Line) else nothing
        if not here:
            return draw.behind(room) if isinstance(draw, _Once) else [BLANK + line for line in draw(room)]
        made = draw(room)
        mark = Content.styled(plainer("▸ ", wants_ascii(self)), ACCENT)
        first, *rest = made or [Content("")]
        return [mark + first.stylize(STRONG), *(BLANK + line for line in rest)]

    def render_line(self, y: int) -> Strip:
        """One line of the screen: of a long answer only what is in sight is turned into cells."""
        if self.text_selection is not None:
            return super().render_line(y)
        width, style = self.size.width, self.visual_style
        if self._strips_for != (width, style) or len(self._strips) > STRIPS:
            self._strips_for, self._strips = (width, style), {}
        line = self._line(y)
        key = (line.plain, *line.spans)  # two contents are equal for Textual when their texts are
        if key not in self._strips:
            drawn = Visual.to_strips(self, line, width, 1, style)
            self._strips[key] = drawn[0] if drawn else Strip.blank(width, style.rich_style)
        return self._strips[key]

    def _line(self, y: int) -> Content:
        for lines in self._made(max(1, self.content_size.width)):
            if y < len(lines):
                return lines[y]
            y -= len(lines)
        return Content("")

    def forget(self) -> None:
        """Draw again; the screen is laid out anew only when the height is another one, which it seldom is."""
        width, before = self._cache
        if width > 0 and self.is_mounted:
            self._cache = (width, self._draw(width))
            if sum(map(len, self._cache[1])) == sum(map(len, before)):
                self.refresh()
                return
        super().forget()


def lines_page() -> Page:
    """A page of lines to read: no cursor on them, the arrows scroll."""
    lines = Lines(id="lines")
    lines.can_focus = False
    return Page(lines, id="page")


class _Once:
    """A drawing that remembers how it looked, bare and behind the blanks where the mark may stand."""

    def __init__(self, draw: Draw) -> None:
        self._draw = draw
        self._kept: tuple[int, Sequence[Content], list[Content]] = (-1, (), [])

    def __call__(self, width: int) -> Sequence[Content]:
        return self._at(width)[1]

    def behind(self, width: int) -> list[Content]:
        """Its lines with blanks before them."""
        return self._at(width)[2]

    def _at(self, width: int) -> tuple[int, Sequence[Content], list[Content]]:
        kept = self._kept
        if kept[0] != width:
            made = self._draw(width)
            kept = self._kept = (width, made, [BLANK + line for line in made])
        return kept


def drawn_once(line: Line) -> Line:
    """The same line, which remembers how it looks at a width: it may be drawn before it is shown, in another thread."""
    return replace(line, draw=_Once(line.draw))


def sentence(text: str, style: str = "", lead: str = "", hang: int = 0) -> Draw:
    """A text wrapped for the width, its further lines indented; never markup."""
    return lambda width: _wrapped(text, style, lead, hang, width)


@lru_cache(maxsize=512)
def _wrapped(text: str, style: str, lead: str, hang: int, width: int) -> Sequence[Content]:
    """Most sentences stay from one answer to the next, and wrapping them is most of the work."""
    return written(Content.styled(text, style) if style else Content(text), Content(lead), hang or len(lead))(width)


def wrapped(content: Content, room: int) -> list[Content]:
    """The lines of a content, numbers and their units together where there is room for both."""
    plain = glued(content.plain)
    if plain == content.plain:
        return list(content.wrap(room))
    lines = Content(plain, spans=[*content.spans]).wrap(room)
    return [Content(line.plain.replace(GLUE, " "), spans=[*line.spans]) for line in lines]


def written(content: Content, lead: Content | None = None, hang: int = 0) -> Draw:
    """The same for a content with styles of its own."""
    start = lead or Content("")

    def draw(width: int) -> Sequence[Content]:
        room = max(8, width - max(hang, start.cell_length))
        lines = [line.rstrip() for line in wrapped(content, room)] or [Content("")]
        indent = Content(" " * max(hang, start.cell_length))
        first = start.pad_right(max(0, hang - start.cell_length)) + lines[0]
        return [first, *(indent + line for line in lines[1:])]

    return draw
