"""Theme, colour and motion: what must be settled before the app exists, and what may change while it runs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from textual.app import App
    from textual.color import Color


def settle_no_color() -> None:
    """An empty NO_COLOR means unset (no-color.org); Textual would take it for a wish."""
    if os.environ.get("NO_COLOR") == "":
        del os.environ["NO_COLOR"]


def ansi(theme: str) -> bool | None:
    """Whether the terminal's own palette is used; without colours it must be, or greys would still be sent.

    App.__init__ chooses the filter that drops colour: told later, an ANSI theme would be black on black.
    """
    return True if "NO_COLOR" in os.environ or theme.startswith("ansi") else None


READABLE = 4.5
"""Contrast that a text of usual size should have (WCAG 2.1, 1.4.3)."""
QUIETEST, LOUDEST = 0.66, 0.85
"""How much of its colour a quiet text keeps: enough on most grounds, and what still tells it from the text around."""


def seen(variables: dict[str, str]) -> dict[str, str]:
    """Colours of a theme in which the rules between the parts of a screen are seen.

    The themes of the terminal's own palette draw them in its background: two parts would run into one another.
    """
    return {**variables, "panel": "ansi_bright_black"} if _own_palette(variables) else variables


def quietness(variables: Mapping[str, str]) -> float:
    """The share of its colour that quiet text keeps in a theme: enough to be read, where the text itself allows it."""
    from textual.color import Color

    if _own_palette(variables):
        return LOUDEST  # not ours to say: the terminal makes it dim
    ground = Color.parse(variables["background"])
    text = ground + Color.parse(variables["foreground"])
    steps = (percent / 100 for percent in range(round(QUIETEST * 100), round(LOUDEST * 100)))
    return next((step for step in steps if contrast(ground.blend(text, step), ground) >= READABLE), LOUDEST)


def contrast(one: Color, other: Color) -> float:
    """The contrast of two colours, 1 to 21 (WCAG 2.1)."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: Color) -> float:
    parts = (part / 255 for part in color.rgb)
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _own_palette(variables: Mapping[str, str]) -> bool:
    return variables["background"].startswith("ansi_")


def wear(app: App[None], theme: str) -> None:
    """Put on a theme; one that does not exist leaves the old one, and the environment outranks the setting."""
    if theme in app.available_themes and "TEXTUAL_THEME" not in os.environ:
        app.ansi_color = ansi(theme)
        app.theme = theme


def move(app: App[None], motion: str) -> None:
    """Allow motion or not; `auto` leaves it to TEXTUAL_ANIMATIONS."""
    if motion != "auto":
        app.animation_level = "full" if motion == "on" else "none"
