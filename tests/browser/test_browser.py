"""The served tutor in a real browser: a name, an exercise, an answer, the verdict; and whose progress it went into."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.browser.chromium import PROGRAM, browser
from tests.serving import serving

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no Chromium here: apt-get install chromium")
PICTURES = os.environ.get("PICTURES")
"""A folder for pictures of what is seen."""


async def test_an_answer_and_its_verdict_in_a_browser(tmp_path: Path) -> None:
    with serving(tmp_path / "home") as server:
        async with browser(tmp_path / "browser") as page:

            async def seen(name: str) -> None:
                if PICTURES:
                    await page.picture(Path(PICTURES) / f"{name}.png")

            await page.open(server.url)
            await page.until("Your name here Yahan tumhara naam", page=True)
            await seen("name")
            await page.type("<b>")
            await page.press("Enter")
            await page.until("A name has letters and digits", page=True)
            assert len(page.troubles) == 1 and "400" in page.troubles.pop()
            await seen("refused")
            await page.run("document.getElementById('name').select()")
            await page.type("Asha K.")
            await page.press("Enter")
            await page.until("Core course")
            home = await page.until("ctrl+l Hinglish")  # the last line to be painted
            assert "F2" not in home and "what your GPU" not in home
            await seen("home")
            await page.alt("l")
            await page.until("part of a name or id")
            await page.type("L2.1")
            await page.until("› L2.1")
            await page.press("Enter")
            assert "alt+a hint" in await page.until("How many GB does the KV cache take?")
            await page.type("1.07 GB")
            await page.until("read as 1.07 GB")
            await page.press("Enter")
            await page.until("✓ Right: 1.07 GB")
            await seen("verdict")
            assert server.attempts("Asha K.") == [("1.07 GB", "correct")]
            assert [one.name for one in (server.home / "learners").iterdir()] == [server.folder("Asha K.").name]
            assert not (server.home / "progress.sqlite3").exists()

            server.end()
            await page.until("The tutor was ended on the machine that serves it", page=True)
            await seen("ended")
            assert page.troubles == []
