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
from pathlib import Path
from tests.tutor.frames import frame, make_app, settle
from tutor.progress import Place

async def main():
    for keys, place in (((), None), (("f6",), None), (("n",), Place("lesson", "laptop/A1")), (("alt+i",), None)):
        app = make_app(Path(sys.argv[1]), sys.argv[2], place)
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


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program with the example track moved into its course, as the README says."""
    folder = tmp_path_factory.mktemp("house")
    for name in ("engine", "tutor", "tests"):
        (folder / name).symlink_to(ROOT / name)
    shutil.copytree(ROOT / "content", folder / "content", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "tests/content/example/course/laptop", folder / "content/course/laptop")
    return folder


def ran(house: Path, home: Path, *args: str, typed: str = "") -> str:
    env = {**os.environ, "PYTHONPATH": str(house), "LLM_TUTOR_HOME": str(home), "LLM_TUTOR_LANG": "en"}
    done = subprocess.run(
        [sys.executable, *args], input=typed, env=env, cwd=house, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(("lang", "title"), [("en", "A model on a laptop"), ("hi-Latn", "Laptop par model")])
def test_the_app_shows_it(house: Path, tmp_path: Path, lang: str, title: str) -> None:
    home, places, lesson, progress, _ = ran(house, tmp_path, "-c", SHOWS, str(tmp_path), lang).split("=====")
    level = "First sums" if lang == "en" else "Pehla hisaab"
    assert home.count(title) == 2  # above its lesson, and above its level
    assert "0/1" in home
    assert title in places
    assert f"{title}: L1 {level}" in places
    assert "L1.1" in places
    assert f"{title} › A1" in lesson
    assert f"{title}: L1 {level}" in " ".join(progress.split())


def test_its_exercise_is_asked_and_revised(house: Path, tmp_path: Path) -> None:
    tutor = ("-m", "tutor")
    assert "laptop/L1.1" in ran(house, tmp_path, *tutor, "course", "list")
    asked = ran(house, tmp_path, *tutor, "check", "laptop/L1.1/weights", "1.5 GB")
    assert "1.5 GB" in asked
    assert "The course is valid." in ran(house, tmp_path, *tutor, "course", "validate")
