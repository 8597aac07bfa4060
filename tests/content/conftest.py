"""What the tests of the words of a diagnosis share."""

from __future__ import annotations

import pytest

from engine.diagnosis.model import Report
from tests.content.reports import GIVEN, of


@pytest.fixture(scope="module", params=GIVEN)
def report(request: pytest.FixtureRequest) -> Report:
    return of(request.param)
