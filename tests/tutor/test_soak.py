"""The soak in its short form: the walk is the same for the same seed, and what goes wrong in it is found."""

from __future__ import annotations

import sys
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from tests.soak import headless, measure, report, terminal, walk
from tests.soak.measure import Level, Window
from tests.soak.ran import Ran, Wanted
from tests.terminal import KEYS
from tutor import keys
from tutor.app import TutorApp

ROOT = Path(__file__).parents[2]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "home"
    place.mkdir()
    (place / "settings.toml").write_text(walk.SETTINGS)
    monkeypatch.setenv("LLM_TUTOR_HOME", str(place))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.delenv("LLM_TUTOR_LANG", raising=False)
    monkeypatch.chdir(tmp_path)
    return place


def taken(seed: int, count: int) -> list[walk.Step]:
    return list(islice(walk.walk(seed), count))


def test_a_seed_is_a_walk() -> None:
    assert taken(3, 500) == taken(3, 500) != taken(4, 500)
    kinds = Counter(step.kind for step in taken(1, 20_000))
    assert set(kinds) == {"key", "type", "paste", "size", "click", "wheel", "wait", "bytes", "stop", "clock"}
    sizes = [(step.x, step.y) for step in taken(1, 20_000) if step.kind == "size"]
    assert (1, 1) in sizes and (300, 100) in sizes


def test_every_command_of_the_app_is_pressed() -> None:
    pressed = {step.text for step in taken(1, 60_000) if step.kind == "key"}
    missed = [one.id for one in keys.TABLE if one.id != "aside" and not pressed.intersection(one.keys)]
    assert not missed


@pytest.mark.parametrize(
    ("key", "bytes"), [("enter", "\r"), ("ctrl+u", "\x15"), ("alt+m", "\x1bm"), ("f8", "\x1b[19~"), ("x", "x")]
)
def test_keys_are_what_a_terminal_sends(key: str, bytes: str) -> None:
    assert terminal.sent(key) == bytes


def test_all_keys_of_the_walk_can_be_sent() -> None:
    for key in {step.text for step in taken(2, 60_000) if step.kind == "key"}:
        sent = terminal.sent(key)
        assert len(sent) == 1 or sent.startswith("\x1b"), key
        assert key in KEYS or key in terminal.MORE or len(key.rpartition("+")[2]) == 1, key


async def test_a_short_walk_finds_nothing(home: Path) -> None:
    wanted = Wanted(seed=12, seconds=60, last=60, window=50, idle=0.3)
    ran = await headless.Headless(wanted, home, "127.0.0.1:1").run()
    assert not ran.failures and not ran.broken, report.table(ran)
    assert ran.steps == 60 and ran.keys > 40 and ran.windows and len(ran.screens) > 2
    assert ran.windows[-1].levels["tasks"].value > 5 and not ran.idle_wrote


async def test_a_crash_is_told_with_its_seed_and_the_last_steps(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fall(_: TutorApp) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(TutorApp, "action_home", fall)
    wanted = Wanted(seed=11, seconds=60, last=300, latest=3)
    ran = await headless.Headless(wanted, home, "127.0.0.1:1").run()
    assert len(ran.problems) == 1 and ran.steps < 300
    assert ran.problems[0].startswith(f"seed 11, step {ran.steps}, the last steps:\n    ")
    assert "key 'alt+m'" in ran.problems[0] and "ZeroDivisionError" in ran.problems[0]
    assert "FOUND: seed 11" in report.table(ran) and "not well" in report.table(ran)


def windows(*values: float) -> list[Window]:
    return [
        Window(1000 * n, {"objects": Level(value, 100.0)}, {"a.Leak": int(value)}) for n, value in enumerate(values, 1)
    ]


def test_what_goes_on_growing_is_found() -> None:
    ran = Ran("headless", 1, windows=windows(10, 500, 900, 1000, 1200, 1400, 1600, 1800))
    assert [one.per_thousand for one in ran.growth] == [200.0]
    assert ran.problems == ["objects grows by 200.00 in 1,000 keys"] and "GROWS" in report.table(ran)
    assert measure.growing_types(ran.windows) == [("a.Leak", 200.0)]


@pytest.mark.parametrize(
    "values", [(10, 500, 900, 1000, 1001, 1000, 1002, 1001), (1, 2, 3, 1000, 1000, 9000, 1000, 1000), (1, 1000)]
)
def test_what_settles_is_no_growth(values: tuple[float, ...]) -> None:
    assert not Ran("headless", 1, windows=windows(*values)).problems


def test_files_that_are_not_whole_are_found(home: Path) -> None:
    from tutor.progress import open_progress

    open_progress(home / measure.DATABASE).close()
    assert not measure.broken(home)
    (home / "crash.txt").write_text("x")
    (home / "settings.toml").write_text("[keys\n")
    assert [one.partition(":")[0] for one in measure.broken(home)] == ["left behind", "settings"]


@pytest.mark.pty
@pytest.mark.skipif(sys.platform != "linux", reason="it looks into /proc")
def test_a_short_walk_in_a_real_terminal(home: Path) -> None:
    ran = terminal.run(Wanted(seed=5, seconds=10, last=50, window=40, idle=0.3), home, "127.0.0.1:1")
    assert not ran.failures and not ran.broken, report.table(ran)
    assert ran.keys > 40 and ran.windows and ran.windows[0].levels["open files"].value > 3
    assert not ran.idle_wrote
