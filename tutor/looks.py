"""Theme, colour and motion: what must be settled before the app exists, and what may change while it runs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.app import App


def settle_no_color() -> None:
    """An empty NO_COLOR means unset (no-color.org); Textual would take it for a wish."""
    if os.environ.get("NO_COLOR") == "":
        del os.environ["NO_COLOR"]


def ansi(theme: str) -> bool | None:
    """Whether the terminal's own palette is used; without colours it must be, or greys would still be sent.

    App.__init__ chooses the filter that drops colour: told later, an ANSI theme would be black on black.
    """
    return True if "NO_COLOR" in os.environ or theme.startswith("ansi") else None


def wear(app: App[None], theme: str) -> None:
    """Put on a theme; one that does not exist leaves the old one, and the environment outranks the setting."""
    if theme in app.available_themes and "TEXTUAL_THEME" not in os.environ:
        app.ansi_color = ansi(theme)
        app.theme = theme


def move(app: App[None], motion: str) -> None:
    """Allow motion or not; `auto` leaves it to TEXTUAL_ANIMATIONS."""
    if motion != "auto":
        app.animation_level = "full" if motion == "on" else "none"
