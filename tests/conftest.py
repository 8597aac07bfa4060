"""What all tests share: hypothesis draws the same examples every time, a variant is drawn once, and more workers than
cores."""

from __future__ import annotations

import os
from collections.abc import Generator

import pytest
import rewriting
from _pytest.unraisableexception import gc_collect_iterations_key
from hypothesis import settings

from tests import drawn
from tests.tutor import skipping

skipping.install()
drawn.install()

settings.register_profile("same", derandomize=True, max_examples=25, deadline=None, database=None)
settings.load_profile("same")


def pytest_configure(config: pytest.Config) -> None:
    """One search through all that a worker has made shows what was never awaited or closed; five show no more."""
    config.stash[gc_collect_iterations_key] = 1


LONGEST_NAME = 80
"""Characters of a value that may stand in the name of a test."""


@pytest.hookimpl(tryfirst=True)
def pytest_xdist_auto_num_workers() -> int | None:
    """Three workers for two cores: a test of a terminal or of a process waits for it most of its time."""
    if os.environ.get("PYTEST_XDIST_AUTO_NUM_WORKERS"):
        return None
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores + cores // 2


@pytest.hookimpl
def pytest_make_parametrize_id(val: object) -> str | None:
    """A long text names its test by how it begins and how long it is: every worker sends the names of all its tests."""
    if isinstance(val, str | bytes) and len(val) > LONGEST_NAME:
        return f"{ascii(val[:LONGEST_NAME])[1:-1]}...{len(val)}"
    return None


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    with rewriting.without_collector():
        worker = os.environ.get("PYTEST_XDIST_WORKER", "").removeprefix("gw")
        if worker.isdecimal():
            rewriting.share(session.config, int(worker), int(os.environ["PYTEST_XDIST_WORKER_COUNT"]))
        return (yield)
