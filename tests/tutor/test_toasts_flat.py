"""Messages lie flat above the line of keys, so that what stands in the corner is seen below none of them for long."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets._toast import Toast

from content.lang import LANGS
from content.words import say
from tests.tutor.frames import flat, make_app, settle


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_a_long_message_takes_few_lines_and_covers_no_key(
    tmp_path: Path, lang: str, size: tuple[int, int]
) -> None:
    app = make_app(tmp_path, lang, probe=False)
    async with app.run_test(size=size, notifications=True) as pilot:
        told = {"field": "card", "value": "H100 SXM 80GB", "source": "server.log, line 3"}
        sentence = say("app.diagnose.yielded", app.session.language, **told)
        assert len(sentence) > 90
        app.notify(sentence, markup=False, severity="warning")
        await settle(pilot)
        (toast,) = app.screen.query(Toast)
        assert toast.region.height <= 3 and toast.region.right <= size[0]
        assert "".join(sentence.split())[:30] in "".join(flat(app).split())
        keys = app.screen.query_one("KeyLine").region
        assert toast.region.bottom <= keys.bottom - 1
