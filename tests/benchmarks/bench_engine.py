"""Warm checks and sweeps, compared within one run, never asserted.

`pytest -n 0 tests/benchmarks -o python_files='bench_*.py'`; beside float() and sympy: `tests.benchmarks.answers`.
"""

from __future__ import annotations

from pytest_benchmark.fixture import BenchmarkFixture

from content.checking import check_part
from content.verdicts import both
from engine.formulas import registry


def test_yardstick(benchmark: BenchmarkFixture) -> None:
    """What the machine does in a thousand dictionary look-ups."""
    table = {str(n): n for n in range(1000)}
    benchmark(lambda: [table[str(n)] for n in range(1000)])


def test_check_number_right(benchmark: BenchmarkFixture) -> None:
    benchmark(check_part, "core/L2.1/kv", "1.07 GB")


def test_check_number_wrong(benchmark: BenchmarkFixture) -> None:
    benchmark(check_part, "core/L4.3/extra", "6")


def test_check_formula(benchmark: BenchmarkFixture) -> None:
    benchmark(check_part, "core/L1.2/formula", "KV = 2 B S L n_head d_head p")


def test_message_in_both_languages(benchmark: BenchmarkFixture) -> None:
    verdict = check_part("core/L2.1/kv", "0.537 GB")
    benchmark(both, "core/L2.1/kv", verdict)


def test_evaluate_exactly(benchmark: BenchmarkFixture) -> None:
    benchmark(registry.result, "kv_cache", {"B": 16, "S": 4096, "L": 40, "d_model": 5120, "p": 2})


def test_sweep_of_a_million(benchmark: BenchmarkFixture) -> None:
    import numpy as np

    from engine.formulas.sweep import sweep

    given = {
        "B": 16,
        "S": np.arange(1, 1_000_001),
        "L": 40,
        "d_model": 5120,
        "p": 2,
        "N": 13e9,
        "p_w": 0.5,
        "capacity": 80e9,
    }
    benchmark.pedantic(sweep, args=("extra_requests", given), rounds=3)
