"""A home that nothing can be kept in: what the system refuses is said for what it is, with the next step."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from content.lang import LANGS, Lang
from content.words import say
from tests.tutor.command import Tutor
from tutor.problems import problem_text
from tutor.progress import ProgressProblem, space
from tutor.session import Session


@pytest.fixture(params=["long", "loop", "file"])
def odd(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """A home that is none; what is said of progress and of settings there, by the ids of the sentences."""
    home = tmp_path / ("x" * 300 if request.param == "long" else "home")
    if request.param == "loop":
        home.symlink_to(home)
    elif request.param == "file":
        home.write_text("in the way")
    monkeypatch.setenv("LLM_TUTOR_HOME", str(home))
    return {
        "long": ("os.name", "os.name"), "loop": ("progress.{}.no_home", "os.loop"),
        "file": ("progress.{}.no_home", "settings.problem.unreadable_no_home"),
    }[request.param]  # fmt: skip


def words(id: str, lang: Lang) -> str:
    """What a sentence says whatever the path."""
    name = id if id.startswith("settings") else f"cli.{id}"
    return say(name, lang, path="\0", detail="").rpartition("\0")[2]


@pytest.mark.parametrize("lang", LANGS)
def test_why_progress_cannot_be_kept_is_said(tutor: Tutor, odd: tuple[str, str], lang: Lang) -> None:
    ran = tutor("progress", "reset", "--yes", "--lang", lang)
    assert ran.status == 2 and words(odd[0].format("refused"), lang) in ran.err and "progress.sqlite3" in ran.err
    session = Session.start(lang)
    (told,) = [one for one in session.notices() if "progress.sqlite3" in one]
    assert words(odd[0].format("problem"), lang) in told and "ermission" not in told
    session.close()


@pytest.mark.parametrize("lang", LANGS)
def test_why_settings_cannot_be_read_is_said(tutor: Tutor, odd: tuple[str, str], lang: Lang) -> None:
    ran = tutor("config", "motion", "off", "--lang", lang)
    first = ran.err.splitlines()[0]
    assert ran.status == 2 and words(odd[1], lang) in first and "ermission" not in first


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(
    ("code", "said"), [(errno.EROFS, "readonly"), (errno.ENAMETOOLONG, "name"), (errno.ELOOP, "loop")]
)
def test_each_refusal_has_its_words(code: int, said: str, lang: Lang) -> None:
    problem = ProgressProblem("readonly", Path("/a/progress.sqlite3"), code=code)
    assert say(f"cli.os.{said}", lang) in problem_text(problem, lang)
    for allowed in (0, errno.EACCES, errno.EPERM):
        problem = ProgressProblem("readonly", Path("/a/progress.sqlite3"), code=allowed)
        assert problem_text(problem, lang) == say("cli.progress.problem.readonly", lang, path="/a/progress.sqlite3")


def test_what_the_system_shows_as_files_is_no_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.statvfs(tmp_path)

    def nothing(_: object) -> os.statvfs_result:
        return os.statvfs_result((real.f_bsize, real.f_frsize, 0, 0, 0, 0, 0, 0, real.f_flag, real.f_namemax))

    monkeypatch.setattr(os, "statvfs", nothing)
    assert not space.tight(tmp_path / "progress.sqlite3")


def test_asking_why_leaves_nothing_behind(tmp_path: Path) -> None:
    assert space.refusal(tmp_path / "progress.sqlite3") == 0
    assert space.refusal(tmp_path / "none" / "progress.sqlite3") == errno.ENOENT
    assert not list(tmp_path.iterdir())


def test_a_long_place_is_said_with_its_end() -> None:
    problem = ProgressProblem("readonly", Path("/srv") / ("deep/" * 100) / "progress.sqlite3")
    said = problem_text(problem, "en")
    assert said.startswith("/srv/deep/") and "deep/progress.sqlite3 cannot be written" in said and len(said) < 400
