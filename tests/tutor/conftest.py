"""What the tests of the app share: style sheets read once, and no picture painted that nobody looks at."""

from __future__ import annotations

import pytest

from tests.tutor import resting, unseen

resting.install()
unseen.install()


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "painted: every update of the screen is painted, looked at or not")


def pytest_runtest_setup(item: pytest.Item) -> None:
    unseen.painting = item.get_closest_marker("painted") is not None
