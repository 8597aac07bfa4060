"""A track that a teacher has added stands everywhere where one looks for something to study."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHOWS = """
import asyncio, sys
from itertools import product
from pathlib import Path
from tests.tutor.frames import frame, make_app, settle
from tutor.progress import Place

async def main():
    ways = (((), None), (("f6",), None), (("n",), Place("lesson", "laptop/A1")), (("alt+i",), None))
    for lang, (keys, place) in product(("en", "hi-Latn"), ways):
        app = make_app(Path(sys.argv[1]), lang, place)
        async with app.run_test(size=(120, 80)) as pilot:
            await settle(pilot)
            await pilot.press(*keys)
            await settle(pilot)
            await app.workers.wait_for_complete()
            await settle(pilot)
            print(frame(app))
            print("=====")

asyncio.run(main())
"""
ASKS = """
from tutor import cli

for argv in (["course", "list"], ["check", "laptop/L1.1/weights", "1.5 GB"], ["course", "validate"]):
    assert cli.run(argv) == 0
    print("=====")
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program with the example track moved into its course, as the README says."""
    folder = tmp_path_factory.mktemp("house")
    for name in ("engine", "tutor", "tests"):
        (folder / name).symlink_to(ROOT / name)
    shutil.copytree(ROOT / "content", folder / "content", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "tests/content/example/course/laptop", folder / "content/course/laptop")
    return folder


def ran(house: Path, home: Path, code: str, *args: str) -> str:
    env = {**os.environ, "PYTHONPATH": str(house), "LLM_TUTOR_HOME": str(home), "LLM_TUTOR_LANG": "en"}
    command = [sys.executable, "-c", code, *args]
    done = subprocess.run(command, env=env, cwd=house, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_app_shows_it(house: Path, tmp_path: Path) -> None:
    shown = ran(house, tmp_path, SHOWS, str(tmp_path)).split("=====")
    for told, title, level in (
        (shown[:4], "A model on a laptop", "First sums"),
        (shown[4:], "Laptop par model", "Pehla hisaab"),
    ):
        home, places, lesson, progress = told[:4]
        assert home.count(title) == 2  # above its lesson, and above its level
        assert "0/1" in home
        assert title in places
        assert f"{title}: L1 {level}" in places
        assert "L1.1" in places
        assert f"{title} › A1" in lesson
        assert f"{title}: L1 {level}" in " ".join(progress.split())


def test_its_exercise_is_asked_and_revised(house: Path, tmp_path: Path) -> None:
    listed, asked, checked, _ = ran(house, tmp_path, ASKS).split("=====")
    assert "laptop/L1.1" in listed
    assert "1.5 GB" in asked
    assert "The course is valid." in checked
