"""Assertions of the test modules rewritten once for all workers. This is the only place that knows pytest's rewriter.

Rewriting is three quarters of a collection, and every worker collects everything. Each rewrites a share and leaves it
where pytest keeps such things; what the others have left, it reads. Where no bytecode may lie beside the sources, it
lies in the folder of this run instead.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from _pytest.assertion import rewrite


def share(config: pytest.Config, worker: int, workers: int) -> None:
    """Rewrite every `workers`-th test module, from `worker` on, unless it is there already."""
    state = config.stash.get(rewrite.assertstate_key, None)
    if state is None or (sys.dont_write_bytecode and not _keep_in_the_folder_of_the_run(config)):
        return
    for file in sorted(Path(__file__).parent.rglob("test_*.py"))[worker::workers]:
        folder = rewrite.get_cache_dir(file)
        kept = folder / (file.stem + rewrite.PYC_TAIL)
        if rewrite._read_pyc(file, kept) is None and rewrite.try_makedirs(folder):
            stat, code = rewrite._rewrite_test(file, config)
            rewrite._write_pyc(state, code, stat, kept)


def _keep_in_the_folder_of_the_run(config: pytest.Config) -> bool:
    """Whether there is such a folder: the one that holds the temporary folders of all workers, which pytest removes."""
    own = config.option.basetemp
    if own is None:
        return False
    common = Path(own).parent / "bytecode"
    rewrite.get_cache_dir = lambda file: common.joinpath(*file.parts[1:-1])
    return True


SELDOM = (60_000, 20, 20)
"""Objects and rounds after which garbage is looked for: a test makes many and few of them go round in circles."""


@contextmanager
def without_collector() -> Iterator[None]:
    """No search for garbage while thousands of tests are made that all stay; afterwards none of them is looked at, and
    what tests leave behind is looked for seldom."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.freeze()
        gc.set_threshold(*SELDOM)
