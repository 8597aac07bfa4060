"""What is drawn is seen: in every theme, in the terminal's own palette, and without colours."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.color import Color
from textual.theme import BUILTIN_THEMES

from tests.tutor.frames import frame, make_app, settle
from tutor import looks
from tutor.app import TutorApp
from tutor.progress import Place

PLAIN_GROUND = [theme for theme in BUILTIN_THEMES.values() if not theme.ansi]


@pytest.mark.parametrize("theme", PLAIN_GROUND, ids=lambda theme: theme.name)
def test_quiet_text_can_be_read(theme: object) -> None:
    variables = theme.to_color_system().generate()  # type: ignore[attr-defined]
    ground = Color.parse(variables["background"])
    text = ground + Color.parse(variables["foreground"])
    share = looks.quietness(variables)
    assert looks.QUIETEST <= share <= looks.LOUDEST
    quiet = looks.contrast(ground.blend(text, share), ground)
    assert quiet >= looks.READABLE or (share == looks.LOUDEST and quiet >= 3), "3 where the text itself is pale"


def test_contrast_is_that_of_the_standard() -> None:
    black, white = Color(0, 0, 0), Color(255, 255, 255)
    assert looks.contrast(black, white) == looks.contrast(white, black) == pytest.approx(21)
    assert looks.contrast(Color(118, 118, 118), white) == pytest.approx(4.54, abs=0.005), "the palest grey that passes"


def _styles(app: TutorApp, words: str) -> list[str]:
    """The styles of the pieces of the first line that holds these words."""
    strips = app.screen._compositor.render_strips()
    return next([str(one.style) for one in strip] for strip in strips if words in strip.text)


@pytest.mark.parametrize("colours", [True, False])
@pytest.mark.parametrize("theme", ["ansi-dark", "ansi-light", "textual-dark"])
async def test_the_caret_and_the_rules_are_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, theme: str, colours: bool
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    if not colours:
        monkeypatch.setenv("NO_COLOR", "1")
    app = make_app(tmp_path, place=Place("exercise", "core/L2.1"), theme=theme)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        lines = frame(app).splitlines()
        assert set(lines[1]) == set(lines[-2]) == {"─"}
        assert lines[-1].lstrip().startswith("enter check")
        await pilot.press(*"0.537")
        assert any("reverse" in style for style in _styles(app, "0.537"))
        await pilot.press("shift+home")
        if not colours:
            assert any("reverse" in style for style in _styles(app, "0.537")[:-2]), "what is selected"
