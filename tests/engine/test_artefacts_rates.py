"""What two samples say together, and the quantiles of a histogram."""

from __future__ import annotations

from itertools import accumulate

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.artefacts import rates, registry
from engine.artefacts.histogram import quantile
from engine.artefacts.model import Observations

# --- the histogram ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("q", "bounds", "counts", "total", "expected"),
    [
        (0.5, (1.0, 2.0, 4.0), (2, 6, 10), 10, 1.75),  # rank 5: 3 of the 4 between 1 and 2
        (0.9, (1.0, 2.0, 4.0), (2, 6, 10), 10, 3.5),  # rank 9: 3 of the 4 between 2 and 4
        (0.1, (1.0, 2.0, 4.0), (2, 6, 10), 10, 0.5),  # the first bucket begins at 0
        (0.2, (1.0, 2.0, 4.0), (2, 6, 10), 10, 1.0),
        (0.99, (1.0, 2.0), (2, 6), 10, 2.0),  # above the last bound: at least that
        (0.5, (1.0, 2.0, 4.0), (0, 0, 10), 10, 3.0),  # empty buckets are passed over
        (0.0, (1.0, 2.0, 4.0), (0, 4, 4), 4, 1.0),
        (1.0, (1.0, 2.0, 4.0), (2, 6, 6), 6, 2.0),
        (0.5, (-2.0, 2.0), (5, 10), 10, -2.0),  # a first bound that is not positive stands for itself
        (0.75, (1.0, 2.0, 4.0), (4, 3, 8), 8, 3.0),  # a count that falls counts as the one before
    ],
)
def test_quantiles_by_hand(
    q: float, bounds: tuple[float, ...], counts: tuple[float, ...], total: float, expected: float
) -> None:
    assert quantile(q, bounds, counts, total) == pytest.approx(expected)


def test_without_bounds_or_observations_there_is_none() -> None:
    assert quantile(0.5, (), (), 5) is None
    assert quantile(0.5, (1.0,), (0,), 0) is None


@st.composite
def histograms(draw: st.DrawFn) -> tuple[list[float], list[int], int]:
    bounds = sorted(draw(st.sets(st.integers(1, 1000), min_size=1, max_size=8)))
    each = draw(st.lists(st.integers(0, 50), min_size=len(bounds) + 1, max_size=len(bounds) + 1))
    assume(sum(each))
    return [float(bound) for bound in bounds], list(accumulate(each[:-1])), sum(each)


SHARES = st.floats(0, 1)


@given(histograms(), SHARES, SHARES)
def test_a_larger_share_has_no_smaller_value(found: tuple[list[float], list[int], int], a: float, b: float) -> None:
    low, high = (quantile(q, *found) for q in sorted((a, b)))
    assert low is not None and high is not None and low <= high * (1 + 1e-12)


@given(histograms(), SHARES)
def test_the_value_lies_in_the_bucket_of_its_rank(found: tuple[list[float], list[int], int], q: float) -> None:
    bounds, counts, total = found
    value = quantile(q, bounds, counts, total)
    at = next((at for at, count in enumerate(counts) if count and count >= q * total), len(counts) - 1)
    lower = bounds[at - 1] if at else 0.0
    assert value is not None and lower * (1 - 1e-12) <= value <= bounds[at] * (1 + 1e-12)


# --- two samples -----------------------------------------------------------------------------------------------------


def page(tokens: float, prompts: float = 0.0, done: float = 0.0, extra: str = "") -> Observations:
    return registry.read_text(
        f'vllm:num_requests_running{{engine="0",model_name="m"}} 7.0\n'
        f'vllm:kv_cache_usage_perc{{engine="0",model_name="m"}} 0.5\n'
        f'vllm:generation_tokens_total{{engine="0",model_name="m"}} {tokens!r}\n'
        f'vllm:prompt_tokens_total{{engine="0",model_name="m"}} {prompts!r}\n'
        f'vllm:request_success_total{{engine="0",finished_reason="stop",model_name="m"}} {done!r}\n{extra}'
    )


def latency(count: float, seconds: float, *buckets: tuple[str, float], engine: str = "0") -> str:
    name = "vllm:time_to_first_token_seconds"
    rows = [f'{name}_bucket{{engine="{engine}",le="{bound}"}} {float(held)}' for bound, held in buckets]
    rows += [f'{name}_count{{engine="{engine}"}} {float(count)}', f'{name}_sum{{engine="{engine}"}} {float(seconds)}']
    return "\n".join(rows) + "\n"


@given(st.integers(0, 10**6), st.integers(0, 5000), st.integers(1, 600))
@settings(max_examples=40, deadline=None)
def test_a_counter_that_grows_by_so_much_a_second_has_that_rate(start: int, rate: int, seconds: int) -> None:
    grown = start + rate * seconds
    found = rates.between(page(float(start)), page(float(grown), float(rate * seconds)), seconds)
    assert found.one("generation_throughput") == pytest.approx(rate)
    assert found.one("prompt_throughput") == pytest.approx(rate)


def test_the_later_gauges_facts_and_counters_come_along() -> None:
    earlier, later = page(1000.0, 50.0, 2.0), page(4000.0, 650.0, 5.0)
    found = rates.between(earlier, later, 10)
    assert (found.one("running_requests"), found.one("kv_cache_usage"), found.one("model")) == (7, 0.5, "m")
    assert (found.one("generation_throughput"), found.one("prompt_throughput")) == (300, 60)
    assert found.one("request_throughput") == pytest.approx(0.3)
    assert found.one("generation_tokens_total") == 4000
    assert found.engine == "vllm" and list(found.kinds) == ["metrics"]
    assert "no-interval" not in {trap.id for trap in found.traps}
    assert "generation_throughput" not in later.series  # the samples stay as they were


def test_engines_are_added_up_and_a_new_outcome_begins_at_nothing() -> None:
    two = 'vllm:generation_tokens_total{engine="1",model_name="m"} '
    more = 'vllm:request_success_total{engine="0",finished_reason="length",model_name="m"} 3.0\n'
    found = rates.between(page(100.0, extra=f"{two}900.0\n"), page(300.0, done=1.0, extra=f"{two}1900.0\n{more}"), 4)
    assert found.one("generation_throughput") == 300
    assert found.one("request_throughput") == 1


def test_latencies_are_those_of_the_interval() -> None:
    before = latency(100, 20.0, ("0.1", 40), ("0.5", 100), ("1.0", 100), ("+Inf", 100))
    after = latency(200, 80.0, ("0.1", 50), ("0.5", 160), ("1.0", 190), ("+Inf", 200))
    found = rates.between(page(1.0, extra=before), page(2.0, extra=after), 5)
    assert found.one("ttft.count") == 100 and found.one("ttft.mean") == pytest.approx(600)
    assert found.one("ttft.p50") == pytest.approx(420)  # 10, 50, 30 in the buckets: 40 of the 50 above 100 ms
    assert found.one("ttft.p90") == pytest.approx(1000)
    assert found.one("ttft.p99") == 1000
    assert {trap.name for trap in found.traps if trap.id == "open-bucket"} == {"ttft.p99"}
    assert "ttft.bucket_counts" not in found.series


def test_latencies_of_several_engines_are_one_distribution() -> None:
    def both(first: tuple[float, float], second: tuple[float, float]) -> str:
        return "".join(
            latency(count, seconds, ("0.1", count / 2), ("0.2", count), engine=engine)
            for engine, (count, seconds) in (("0", first), ("1", second))
        )

    found = rates.between(
        page(1.0, extra=both((0, 0), (10, 1.0))), page(2.0, extra=both((20, 4.0), (30, 2.0))), 1
    )  # fmt: skip
    assert found.one("ttft.count") == 40 and found.one("ttft.mean") == pytest.approx(125)
    assert found.one("ttft.p50") == pytest.approx(100)


def test_an_interval_without_a_request_has_no_latency() -> None:
    same = latency(100, 20.0, ("0.1", 40), ("0.5", 100))
    found = rates.between(page(5.0, extra=same), page(5.0, extra=same), 5)
    assert not [name for name in found.series if name.startswith("ttft")]
    assert found.one("generation_throughput") == 0


def test_buckets_that_are_cut_give_a_mean_and_no_quantile() -> None:
    before = latency(10, 1.0, ("0.1", 5), ("0.5", 10))
    found = rates.between(page(1.0, extra=before), page(2.0, extra=latency(20, 3.0, ("0.1", 9))), 5)
    assert found.one("ttft.mean") == pytest.approx(200) and "ttft.p50" not in found.series


def test_the_hit_rate_is_of_the_interval() -> None:
    def cache(queries: float, hits: float) -> str:
        return (
            f'vllm:prefix_cache_queries_total{{engine="0"}} {queries}\n'
            f'vllm:prefix_cache_hits_total{{engine="0"}} {hits}\n'
        )

    found = rates.between(page(1.0, extra=cache(1000.0, 900.0)), page(2.0, extra=cache(1400.0, 1000.0)), 5)
    assert found.one("prefix_cache_hit_rate") == 0.25
    idle = rates.between(page(1.0, extra=cache(1000.0, 900.0)), page(2.0, extra=cache(1000.0, 900.0)), 5)
    assert "prefix_cache_hit_rate" not in idle.series


def test_lengths_are_of_the_interval_too() -> None:
    def lengths(count: float, tokens: float) -> str:
        name = "vllm:request_generation_tokens"
        return f'{name}_sum{{engine="0"}} {tokens}\n{name}_count{{engine="0"}} {count}\n'

    found = rates.between(page(1.0, extra=lengths(10.0, 1000.0)), page(2.0, extra=lengths(14.0, 3000.0)), 5)
    assert found.one("request_generation_tokens.mean") == pytest.approx(500)


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        (page(900.0, 10.0), page(100.0, 20.0)),
        (page(900.0, 10.0), page(2000.0, 5.0)),
        (page(9.0, extra=latency(50, 5.0)), page(10.0, extra=latency(3, 1.0))),
        (
            page(500.0, extra='vllm:generation_tokens_total{engine="1",model_name="m"} 500.0\n'),
            page(5.0, extra='vllm:generation_tokens_total{engine="1",model_name="m"} 5000.0\n'),
        ),
    ],
)
def test_a_counter_that_fell_means_a_restart_and_no_rate(earlier: Observations, later: Observations) -> None:
    found = rates.between(earlier, later, 10)
    assert [trap.id for trap in found.traps if trap.id == "counter-fell"] == ["counter-fell"]
    assert not {*rates.RATES, "ttft.mean"} & found.series.keys()
    assert found.one("running_requests") == 7


def test_a_server_that_prints_its_own_rate_keeps_it_where_there_is_no_counter() -> None:
    row = 'sglang:gen_throughput{model_name="m"} 812.5\n'
    one, two = registry.read_text(row), registry.read_text(row.replace("812.5", "800.0"))
    assert rates.between(one, two, 5).all("generation_throughput") == [800]
    counted = 'sglang:generation_tokens_total{model_name="m"} '
    found = rates.between(registry.read_text(f"{row}{counted}0.0\n"), registry.read_text(f"{row}{counted}50.0\n"), 5)
    assert found.all("generation_throughput") == [10]


def test_a_sample_without_metrics_and_no_time_between() -> None:
    nothing = registry.read_text("hello\n")
    assert not rates.between(nothing, nothing, 1).series
    assert "generation_throughput" not in rates.between(nothing, page(5.0), 1).series
    assert rates.grew(nothing, page(5.0), "generation_tokens_total") is None
    with pytest.raises(ValueError, match="interval"):
        rates.between(page(1.0), page(2.0), 0)


def test_counters_stand_as_they_were_in_both_samples() -> None:
    more = 'vllm:num_preemptions_total{engine="0"} '
    found = rates.between(page(9.0, extra=f"{more}40.0\n"), page(10.0, extra=f"{more}44.0\n"), 5)
    assert found.all("preemptions_total") == [40, 44] and found.all("generation_tokens_total") == [9, 10]
    assert [dict(trap.params) for trap in found.traps if trap.id == "two-samples"] == [{"seconds": "5"}]


@pytest.mark.parametrize(
    ("count", "told"),
    [(1, set()), (4, {"p50"}), (9, {"p50"}), (10, {"p50", "p90"}), (99, {"p50", "p90"}), (100, {"p50", "p90", "p99"})],
)
def test_a_quantile_needs_an_observation_beyond_it(count: int, told: set[str]) -> None:
    empty = latency(0, 0.0, ("0.1", 0), ("0.5", 0))
    found = rates.between(page(1.0, extra=empty), page(2.0, extra=latency(count, 1.0, ("0.1", 0), ("0.5", count))), 5)
    assert {name.partition(".")[2] for name in found.series if name.startswith("ttft.p")} == told
    assert "ttft.mean" in found.series
