"""What all tests share: hypothesis draws the same examples every time, and more workers than cores."""

from __future__ import annotations

import os
from collections.abc import Generator

import pytest
import rewriting
from hypothesis import settings

settings.register_profile("same", derandomize=True, max_examples=25, deadline=None, database=None)
settings.load_profile("same")


@pytest.hookimpl(tryfirst=True)
def pytest_xdist_auto_num_workers() -> int | None:
    """Three workers for two cores: a test of the app waits for its screen nearly half of its time."""
    if os.environ.get("PYTEST_XDIST_AUTO_NUM_WORKERS"):
        return None
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores + cores // 2


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    with rewriting.without_collector():
        worker = os.environ.get("PYTEST_XDIST_WORKER", "").removeprefix("gw")
        if worker.isdecimal():
            rewriting.share(session.config, int(worker), int(os.environ["PYTEST_XDIST_WORKER_COUNT"]))
        return (yield)
