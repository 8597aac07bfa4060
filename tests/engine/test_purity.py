"""Importing the engine loads nothing heavy, whichever module is asked for."""

import pkgutil
import subprocess
import sys

import pytest

import engine

MODULES = sorted(info.name for info in pkgutil.walk_packages(engine.__path__, "engine."))
HEAVY = ("sympy", "torch", "numpy", "textual", "rich", "sqlite3")
QUICK = (*HEAVY, "json", "difflib")


def loaded(code: str, names: tuple[str, ...]) -> list[str]:
    """Which of these modules a fresh interpreter has loaded after running the code."""
    script = f"import sys\n{code}\nprint(*[n for n in {names!r} if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_all_modules_together_load_nothing_heavy() -> None:
    assert len(MODULES) > 20
    assert loaded("\n".join(f"import {name}" for name in MODULES), HEAVY) == []


@pytest.mark.parametrize(
    "code",
    [
        "from engine.formulas.registry import result; result('kv_cache', dict(B=1, S=1, L=1, d_model=1, p=2))",
        "from engine.answers.check import check\nfrom engine.answers.model import Expectation\n"
        "check(Expectation('number', 'weights', dict(N=13e9, p_w=2), unit='GB'), '27 GB')",
    ],
)  # fmt: skip
def test_a_numeric_check_loads_nothing_slow_either(code: str) -> None:
    assert loaded(code, QUICK) == []


def test_the_catalogue_reads_no_file_when_imported() -> None:
    assert loaded("import engine.catalog", QUICK) == []
