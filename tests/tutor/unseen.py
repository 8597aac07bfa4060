"""What Textual does again for each app of a test although nobody sees it, left out: half the time of such a test.

- A style sheet with the same variables is the same in each app: it is read once, and its rules are sorted once.
- How many parameters a handler takes is looked up once, not for each function that its source becomes.
- In a test the screen's updates go nowhere. They are not painted unless the test is marked `painted`; `frames.frame`
  draws the whole screen from the widgets, so whatever a test looks at is drawn as before. Nor is garbage looked for
  behind a paint that nobody waits for: Python's own rounds find it.
"""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType
from typing import Any
from weakref import WeakKeyDictionary

from textual import _callback
from textual._compositor import Compositor
from textual._context import visible_screen_stack
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.css.types import CSSLocation
from textual.screen import Screen

from tutor import garbage

painting = False
"""Whether updates are painted in the test that runs."""

_sheets: dict[tuple[object, ...], list[RuleSet]] = {}
_maps: dict[tuple[int, ...], tuple[list[RuleSet], dict[str, list[RuleSet]]]] = {}
_counts: dict[CodeType, int] = {}
_latest: WeakKeyDictionary[Stylesheet, tuple[dict[str, str], int]] = WeakKeyDictionary()
_numbers: dict[tuple[tuple[str, str], ...], int] = {}
_parse = Stylesheet._parse_rules
_count = _callback._count_parameters
_paint = Compositor.render_update
_collect = garbage.painted


def _parse_once(
    self: Stylesheet,
    css: str,
    read_from: CSSLocation,
    is_default_rules: bool = False,
    tie_breaker: int = 0,
    scope: str = "",
) -> list[RuleSet]:
    key = (css, read_from, is_default_rules, tie_breaker, scope, _told(self))
    if key not in _sheets:
        _sheets[key] = _parse(self, css, read_from, is_default_rules, tie_breaker, scope)
    return _sheets[key]


def _told(self: Stylesheet) -> int:
    """A number for the values of a sheet's variables, the same for the same ones; they are set whole or not at all."""
    variables, number = _latest.get(self, (None, 0))
    if variables is not self._variables:
        number = _numbers.setdefault(tuple(self._variables.items()), len(_numbers))
        _latest[self] = self._variables, number
    return number


def _map_once(self: Stylesheet) -> dict[str, list[RuleSet]]:
    if self._rules_map is None:
        rules = self.rules
        key = tuple(map(id, rules))
        if key not in _maps:
            table: dict[str, list[RuleSet]] = {}
            for rule in rules:
                for name in rule.selector_names:
                    table.setdefault(name, []).append(rule)
            _maps[key] = list(rules), table  # the rules stay, and with them their ids
        self._rules_map = _maps[key][1]
    return self._rules_map


def _count_once(function: Callable[..., Any]) -> int:
    code = getattr(function, "__code__", None)
    if code is None or hasattr(function, "__wrapped__") or hasattr(function, "__signature__"):
        return _count(function)
    if code not in _counts:
        _counts[code] = _count(function)
    return _counts[code]


def _paint_if_seen(
    self: Compositor, full: bool = False, screen_stack: list[Screen[object]] | None = None, simplify: bool = False
) -> object:
    if painting:
        return _paint(self, full, screen_stack, simplify)
    visible_screen_stack.set(screen_stack or [])  # a panel is drawn over the screens that are seen through it
    self._dirty_regions.clear()
    return None


def _collect_if_seen() -> None:
    if painting:
        _collect()


def install() -> None:
    """Leave it out from now on, in this process."""
    Stylesheet._parse_rules = _parse_once  # type: ignore[method-assign]
    Stylesheet.rules_map = property(_map_once)  # type: ignore[assignment]
    _callback._count_parameters = _count_once
    Compositor.render_update = _paint_if_seen  # type: ignore[method-assign,assignment]
    garbage.painted = _collect_if_seen
