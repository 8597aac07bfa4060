"""What Textual does again for each app of a test although nobody sees it, left out: half the time of such a test.

- A style sheet with the same variables is the same in each app: it is read once.
- In a test the screen's updates go nowhere. They are not painted unless the test is marked `painted`; `frames.frame`
  draws the whole screen from the widgets, so whatever a test looks at is drawn as before.
"""

from __future__ import annotations

from textual._compositor import Compositor
from textual._context import visible_screen_stack
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.css.types import CSSLocation
from textual.screen import Screen

painting = False
"""Whether updates are painted in the test that runs."""

_sheets: dict[tuple[object, ...], list[RuleSet]] = {}
_parse = Stylesheet._parse_rules
_paint = Compositor.render_update


def _parse_once(
    self: Stylesheet,
    css: str,
    read_from: CSSLocation,
    is_default_rules: bool = False,
    tie_breaker: int = 0,
    scope: str = "",
) -> list[RuleSet]:
    key = (css, read_from, is_default_rules, tie_breaker, scope, *self._variables.items())
    if key not in _sheets:
        _sheets[key] = _parse(self, css, read_from, is_default_rules, tie_breaker, scope)
    return _sheets[key]


def _paint_if_seen(
    self: Compositor, full: bool = False, screen_stack: list[Screen[object]] | None = None, simplify: bool = False
) -> object:
    if painting:
        return _paint(self, full, screen_stack, simplify)
    visible_screen_stack.set(screen_stack or [])  # a panel is drawn over the screens that are seen through it
    self._dirty_regions.clear()
    return None


def install() -> None:
    """Leave it out from now on, in this process."""
    Stylesheet._parse_rules = _parse_once  # type: ignore[method-assign]
    Compositor.render_update = _paint_if_seen  # type: ignore[method-assign,assignment]
