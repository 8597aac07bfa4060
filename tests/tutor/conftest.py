"""What the tests of the app share: style sheets read and tables made once, no picture painted that nobody looks at, no
idle time."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tutor import blank, resting, skipping, unseen
from tests.tutor.command import Tutor

blank.install()
resting.install()
unseen.install()


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "painted: every update of the screen is painted, looked at or not")


def pytest_runtest_setup(item: pytest.Item) -> None:
    unseen.painting = item.get_closest_marker("painted") is not None
    skipping.wanted = True


def pytest_runtest_teardown() -> None:
    skipping.wanted = False


@pytest.fixture
def tutor(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Tutor:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("LLM_TUTOR_LANG", raising=False)
    return Tutor(capsys)
