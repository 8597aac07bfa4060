"""A text of several lines, as Textual has it, that nothing remembers once it is gone."""

from __future__ import annotations

from textual.widgets import TextArea


class LinesTyped(TextArea):
    """Textual's own asks the app to tell it of a change of theme, and the app keeps it until there is one: with its
    text, its drawing and the form around it, one for every question that was ever asked."""

    is_text_field = True
    """See `AnswerInput`."""

    def on_unmount(self) -> None:
        """The app need not tell it of anything any more."""
        for watchers in getattr(self.app, "__watchers", {}).values():
            watchers[:] = [one for one in watchers if one[0] is not self]
