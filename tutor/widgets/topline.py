"""The line at the top: where you are, how far, and which language. Says less rather than cutting a word."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content
from textual.widget import Widget

from tutor.widgets.ink import ACCENT, QUIET, STRONG, plainer, spread


class TopLine(Widget):
    """One line: `llm-tutor   Core › L2 › L2.1 How large is the KV cache?      ● ○   English`."""

    DEFAULT_CSS = """
    TopLine { dock: top; height: 1; width: 100%; padding: 0 1; }
    """

    def __init__(self, *, ascii_only: bool = False) -> None:
        super().__init__(id="topline")
        self._crumbs: tuple[str, ...] = ()
        self._progress: tuple[str, ...] = ()
        self._language = ""
        self._ascii = ascii_only

    def show(self, crumbs: Sequence[str], progress: Sequence[str], language: str) -> None:
        """Show a place, the forms of the progress from the longest to the shortest, and the language's own name.

        The last crumb may be `id title`; on a narrow screen the title loses its last words, then only the id stays.
        """
        shown = tuple(crumbs), tuple(progress), language
        if shown != (self._crumbs, self._progress, self._language):
            self._crumbs, self._progress, self._language = shown
            self.refresh()

    def render(self) -> Content:
        """The longest form that fits."""
        width = max(1, self.content_size.width)
        lefts, rights = self._lefts(), self._rights()
        whole = rights[: max(1, len(rights) - 2)]  # with the progress, where there is one, and the language
        wanted = [(left, right) for right in whole for left in lefts[:4]]
        wanted += [(left, whole[-1]) for left in self._shortened()]  # a title says less before those say nothing
        wanted += [(left, right) for some in (lefts[:4], lefts[4:]) for right in rights for left in some]
        lines = (spread(left, right, width) for left, right in wanted)
        return next((line for line in lines if line is not None), lefts[-1])

    def _shortened(self) -> list[Content]:
        """The last crumb without its last words, from the longest on; its id and a word stay."""
        words = self._crumbs[-1].split(" ") if self._crumbs else []
        kept = (" ".join(words[:n]).rstrip(",:;") for n in range(len(words) - 1, 1, -1))
        return [self._path([f"{one} ..."]) for one in kept]

    def _lefts(self) -> list[Content]:
        crumbs = list(self._crumbs)
        if not crumbs:
            return [Content.styled("llm-tutor", f"{STRONG} {ACCENT}")]
        short = [*crumbs[:-1], crumbs[-1].split(" ")[0]]
        forms = [["llm-tutor", *crumbs], crumbs, crumbs[1:] or crumbs, crumbs[-1:], short, short[-1:]]
        return [self._path(form) for form in forms]

    def _path(self, crumbs: Sequence[str]) -> Content:
        between = (plainer(" › ", self._ascii), QUIET)
        made: list[tuple[str, str]] = []
        for number, crumb in enumerate(crumbs):
            last = number == len(crumbs) - 1
            made += [between] if number else []
            made.append((crumb, STRONG if last else QUIET))
        return Content.assemble(*made)

    def _rights(self) -> list[Content]:
        language = Content.styled(self._language, QUIET)
        forms = [
            Content.assemble((plainer(form, self._ascii), ACCENT), "   ", language) for form in self._progress if form
        ]
        return [*forms, language, Content("")]
