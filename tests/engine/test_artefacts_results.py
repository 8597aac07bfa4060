"""Results of benchmarks: tables of every layout, Namespace lines, JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.artefacts import registry
from engine.artefacts.model import Observations


def rows(*pairs: tuple[str, str]) -> str:
    return "".join(f"{label:<40} {value:<10}\n" for label, value in pairs)


NEWER = (
    "Traffic request rate: 12.5\nBurstiness factor: 0.5 (Gamma distribution)\nMaximum request concurrency: 48\n"
    "============ Serving Benchmark Result ============\n"
    + rows(
        ("Successful requests:", "720"), ("Failed requests:", "3"), ("Maximum request concurrency:", "48"),
        ("Request rate configured (RPS):", "12.50"), ("Benchmark duration (s):", "71.25"),
        ("Total input tokens:", "511200"), ("Total generated tokens:", "93600"),
        ("Request throughput (req/s):", "10.11"), ("Request goodput (req/s):", "8.75"),
        ("Output token throughput (tok/s):", "1313.68"), ("Peak output token throughput (tok/s):", "1999.00"),
        ("Peak concurrent requests:", "60.00"), ("Total token throughput (tok/s):", "8488.42"),
    )
    + "---------------Time to First Token----------------\n"
    + rows(("Mean TTFT (ms):", "210.25"), ("Median TTFT (ms):", "198.50"), ("P95 TTFT (ms):", "402.00"))
    + "-----Time per Output Token (excl. 1st token)------\n"
    + rows(("Mean TPOT (ms):", "21.75"), ("P99.9 TPOT (ms):", "44.00"))
    + "---------------Inter-token Latency----------------\n"
    + rows(("Mean ITL (ms):", "20.50"), ("Median ITL (ms):", "19.00"), ("P99 ITL (ms):", "61.25"))
    + "----------------End-to-end Latency----------------\n"
    + rows(("Mean E2EL (ms):", "3010.00"), ("P99 E2EL (ms):", "6100.00"))
    + "==================================================\n"
)  # fmt: skip

SGLANG = (
    "============ Serving Benchmark Result ============\n"
    + rows(
        ("Backend:", "sglang"), ("Traffic request rate:", "inf"), ("Max request concurrency:", "not set"),
        ("Successful requests:", "64"), ("Total input tokens:", "8192"), ("Total input text tokens:", "8192"),
        ("Total generated tokens:", "4096"), ("Total generated tokens (retokenized):", "4090"),
        ("Input token throughput (tok/s):", "512.25"), ("Concurrency:", "31.50"), ("Accept length:", "2.75"),
    )
    + "----------------End-to-End Latency----------------\n"
    + rows(("Mean E2E Latency (ms):", "8123.50"), ("P90 E2E Latency (ms):", "9000.00"))
    + rows(("Mean TTFT (ms):", "4100.00"), ("P95 ITL (ms):", "70.00"), ("Max ITL (ms):", "310.00"))
    + "==================================================\n"
)  # fmt: skip

NAMESPACE = (
    "Namespace(subparser='bench', bench_type='serve', dispatch_function=<function X.cmd at 0x7f01>, num_prompts=720, "
    "dataset_name='random', custom_output_len=256, sonnet_input_len=550, sonnet_output_len=150, "
    "sharegpt_output_len=None, random_input_len=710, random_output_len=130, "
    "random_mm_bucket_config={(256, 256, 1): 0.5}, backend='openai', "
    "base_url=None, model='org/some, model', max_concurrency=None, request_rate=inf, burstiness=1.0, ignore_eos=False)"
)


def read(text: str) -> Observations:
    return registry.read_text(text)


def values(text: str) -> dict[str, list[Any]]:
    found = read(text)
    return {name: found.all(name) for name in found.series}


def traps(text: str) -> set[str]:
    return {trap.id for trap in read(text).traps}


# --- tables ----------------------------------------------------------------------------------------------------------


def test_a_table_of_a_newer_layout() -> None:
    assert values(NEWER) == {
        "request_rate": [12.5], "burstiness": [0.5], "client_max_concurrency": [48], "completed_requests": [720],
        "benchmark_duration": [71.25], "input_tokens_total": [511200], "output_tokens_total": [93600],
        "request_throughput": [10.11], "request_goodput": [8.75], "output_throughput": [1313.68],
        "total_token_throughput": [8488.42], "ttft.mean": [210.25], "ttft.median": [198.5], "ttft.p95": [402.0],
        "tpot.mean": [21.75], "tpot.p99.9": [44.0], "itl.mean": [20.5], "itl.median": [19.0], "itl.p99": [61.25],
        "e2e_latency.mean": [3010.0], "e2e_latency.p99": [6100.0],
    }  # fmt: skip
    found = read(NEWER)
    assert list(found.kinds) == ["bench-serve"] and not found.traps and found.line_of("ttft.mean") == 19


def test_a_table_of_sglang() -> None:
    found = read(SGLANG)
    assert list(found.kinds) == ["bench-sglang"] and found.engine == "sglang"
    assert values(SGLANG) == {
        "request_rate": ["inf"], "completed_requests": [64], "input_tokens_total": [8192],
        "output_tokens_total": [4096], "input_throughput": [512.25], "spec_accept_length": [2.75],
        "e2e_latency.mean": [8123.5], "e2e_latency.p90": [9000.0], "ttft.mean": [4100.0], "itl.p95": [70.0],
        "itl.max": [310.0],
    }  # fmt: skip
    assert traps(SGLANG) == {"ttft-is-queueing"}


def test_the_first_layout_had_its_units_behind() -> None:
    first = (
        "Successful requests: 40\nBenchmark duration: 8.250000 s\nTotal input tokens: 900\n"
        "Request throughput: 4.85 requests/s\nInput token throughput: 109.09 tokens/s\nMean TTFT: 75.50 ms\n"
    )
    assert values(first) == {
        "completed_requests": [40], "benchmark_duration": [8.25], "input_tokens_total": [900],
        "request_throughput": [4.85], "input_throughput": [109.09], "ttft.mean": [75.5],
    }  # fmt: skip


def test_several_tables_are_entries_in_order() -> None:
    found = read(
        NEWER + NEWER.replace("210.25", "310.25").replace("12.50", "25.00").replace("rate: 12.5", "rate: 25.0")
    )
    assert found.all("ttft.mean") == [210.25, 310.25] and found.all("request_rate") == [12.5, 25]
    assert found.kinds["bench-serve"].times == 2 and found.all("client_max_concurrency") == [48]


@pytest.mark.parametrize(
    "lead", ["# ", "    ", "> ", "| "], ids=["in a script", "indented", "quoted", "in a cell"]
)  # fmt: skip
def test_a_table_is_read_where_it_stands(lead: str) -> None:
    assert values("".join(f"{lead}{row}\n" for row in NEWER.splitlines())) == values(NEWER)


def test_a_row_of_a_markdown_table() -> None:
    assert values("| Mean TTFT (ms) | 12.5 |\n| Successful requests | 9 |\n") == {
        "ttft.mean": [12.5], "completed_requests": [9],
    }  # fmt: skip


@pytest.mark.parametrize(
    "row",
    [
        "Mean TTFT (ms):                          [result]",
        "Mean TTFT (ms):                          nan",
        "Mean TTFT (ms):",
        "Mean TTFT (days):                        3",
        "Maximum request concurrency: None",
        "Max request concurrency:                 not set",
        "Peak output token throughput (tok/s):    1999.00",
        "Total generated tokens (retokenized):    4090",
        "Traffic ramp-up strategy: linear.",
        "the Mean TTFT (ms): 12.0 of last week",
    ],
)
def test_rows_that_say_nothing(row: str) -> None:
    assert not values(row + "\n")


WHOLE = {text: values(text) for text in (NEWER, SGLANG, NAMESPACE + "\n" + NEWER)}


@given(st.sampled_from(list(WHOLE)), st.floats(0, 1))
@settings(max_examples=90, deadline=None)
def test_a_cut_text_gives_nothing_that_the_whole_one_does_not_print(text: str, share: float) -> None:
    for name, some in values(text[: int(share * len(text))]).items():
        assert all(one in WHOLE[text][name] for one in some), (name, some)


def test_a_table_that_stops_says_so() -> None:
    assert "unfinished-table" in traps(NEWER[: NEWER.index("Median TTFT")])
    assert "unfinished-table" in traps(NEWER[: NEWER.index("Median TTFT")] + NEWER)
    assert "unfinished-table" not in traps(NEWER)


# --- how it was started ----------------------------------------------------------------------------------------------


def test_the_lengths_of_the_dataset_in_use() -> None:
    found = read(NAMESPACE + "\n")
    assert values(NAMESPACE + "\n") == {
        "model": ["org/some, model"], "num_prompts": [720], "burstiness": [1], "request_rate": ["inf"],
        "input_len": [710], "output_len": [130],
    }  # fmt: skip
    assert {trap.id for trap in found.traps} == {"other-defaults", "asked-not-made"}
    assert "asked-not-made" not in traps(NAMESPACE.replace("ignore_eos=False", "ignore_eos=True") + "\n")


@pytest.mark.parametrize(
    ("dataset", "expected"),
    [
        ("sonnet", {"input_len": [550], "output_len": [150]}),
        ("custom", {"output_len": [256]}),
        ("random-mm", {"input_len": [710], "output_len": [130]}),
        ("sharegpt", {}),
        ("burstgpt", {}),
    ],
)
def test_every_dataset_has_its_own(dataset: str, expected: dict[str, list[int]]) -> None:
    found = values(NAMESPACE.replace("dataset_name='random'", f"dataset_name='{dataset}'") + "\n")
    assert {name: found[name] for name in ("input_len", "output_len") if name in found} == expected


def test_lengths_for_all_datasets_win() -> None:
    found = values(NAMESPACE.replace("backend=", "input_len=64, output_len=32, backend=") + "\n")
    assert (found["input_len"], found["output_len"]) == ([64], [32])


def test_an_old_dataset_is_a_file_of_sharegpt() -> None:
    old = "Namespace(backend='vllm', dataset='x.json', num_prompts=9, request_rate=2.0, sharegpt_output_len=70)"
    found = read(old + "\n")
    assert (found.one("output_len"), found.one("request_rate"), found.engine) == (70, 2, "vllm")


def test_namespaces_of_other_benchmarks_and_programs() -> None:
    throughput = "Namespace(backend='vllm', dataset=None, input_len=128, output_len=64, num_prompts=500, model='m')\n"
    assert values(throughput) == {"model": ["m"], "num_prompts": [500], "input_len": [128], "output_len": [64]}
    assert list(read(throughput).kinds) == ["bench-throughput"]
    batch = "Namespace(model='m', input_len=32, output_len=16, batch_size=8, num_iters=5)\n"
    assert list(read(batch).kinds) == ["bench-latency"]
    assert not {"bench-serve", "bench-throughput"} & read("Namespace(host='x', port=1)\n").kinds.keys()


# --- JSON ------------------------------------------------------------------------------------------------------------

RUN: dict[str, Any] = {
    "date": "20260301-101500", "backend": "openai", "model_id": "org/m", "tokenizer_id": "org/m", "num_prompts": 720,
    "request_rate": "inf", "burstiness": 1.0, "max_concurrency": 48, "input_len": "710", "output_len": "130",
    "duration": 71.25, "completed": 720, "failed": 0, "total_input_tokens": 511200, "total_output_tokens": 93600,
    "request_throughput": 10.1052, "request_goodput:": 8.75, "output_throughput": 1313.68,
    "total_token_throughput": 8488.42, "max_output_tokens_per_s": 1999.0, "mean_ttft_ms": 210.25,
    "median_ttft_ms": 198.5, "std_ttft_ms": 30.0, "p99.9_tpot_ms": 44.0, "mean_e2el_ms": 3010.0,
}  # fmt: skip


def test_the_json_of_a_run() -> None:
    assert values(json.dumps(RUN)) == {
        "model": ["org/m"], "num_prompts": [720], "request_rate": ["inf"], "burstiness": [1],
        "client_max_concurrency": [48], "input_len": [710], "output_len": [130], "benchmark_duration": [71.25],
        "completed_requests": [720], "input_tokens_total": [511200], "output_tokens_total": [93600],
        "request_throughput": [10.1052], "request_goodput": [8.75], "output_throughput": [1313.68],
        "total_token_throughput": [8488.42], "ttft.mean": [210.25], "ttft.median": [198.5], "ttft.std": [30.0],
        "tpot.p99.9": [44.0], "e2e_latency.mean": [3010.0],
    }  # fmt: skip


def test_json_may_be_infinite_nested_pasted_or_one_a_line() -> None:
    bare = {name: value for name, value in RUN.items() if name not in ("input_len", "output_len", "max_concurrency")}
    endless = values(json.dumps({**bare, "request_rate": float("inf"), "max_concurrency": None}))
    assert endless["request_rate"] == ["inf"] and "client_max_concurrency" not in endless
    nested = values(json.dumps({**bare, "metadata": {"input_len": "64", "output_len": 32}}))
    assert (nested["input_len"], nested["output_len"]) == ([64], [32])
    assert values(json.dumps({"setup": "a", "results": bare}))["ttft.mean"] == [210.25]
    pasted = read("done\n" + json.dumps(bare) + "\n")
    assert pasted.one("ttft.mean") == 210.25 and pasted.line_of("ttft.mean") == 2
    several = values("\n".join(json.dumps({**bare, "mean_ttft_ms": number}) for number in (1.5, 2.5)))
    assert several["ttft.mean"] == [1.5, 2.5]


def test_what_is_null_or_of_single_requests_is_not_read() -> None:
    detailed = {**RUN, "request_goodput:": None, "ttfts": [0.25] * 5000, "itls": [[0.125] * 9] * 500, "errors": [""]}
    found = read(json.dumps(detailed))
    assert "request_goodput" not in found.series
    assert all(len(series) == 1 for series in found.series.values())


def test_the_json_of_sglang() -> None:
    run = {
        "backend": "sglang", "dataset_name": "random", "request_rate": 4, "max_concurrency": 8, "duration": 9.5,
        "random_input_len": 256, "random_output_len": 64, "sharegpt_output_len": None, "completed": 40,
        "total_output_tokens": 2560, "total_output_tokens_retokenized": 2551, "request_throughput": 4.25,
        "input_throughput": 1077.5, "output_throughput": 269.5, "total_throughput": 1347.0,
        "mean_e2e_latency_ms": 812.5, "median_ttft_ms": 33.5, "max_itl_ms": 90.0, "accept_length": None,
    }  # fmt: skip
    found = read(json.dumps(run))
    assert list(found.kinds) == ["bench-sglang"] and found.engine == "sglang"
    told = ("input_len", "output_len", "total_token_throughput", "e2e_latency.mean", "ttft.median", "itl.max")
    assert [found.one(name) for name in told] == [256, 64, 1347, 812.5, 33.5, 90]


# --- offline ---------------------------------------------------------------------------------------------------------


def test_lines_of_the_offline_benchmarks() -> None:
    text = (
        "Throughput: 12.25 requests/s, 6272.00 total tokens/s, 3136.50 output tokens/s\n"
        "Total num prompt tokens:  255648\nTotal num output tokens:  256000\n"
        "Throughput: 3.50 requests/s, 1792.75 tokens/s\n"
        "Avg latency: 2.125 seconds\n10% percentile latency: 2.0625 seconds\n99% percentile latency: 2.25 seconds\n"
    )
    assert values(text) == {
        "request_throughput": [12.25, 3.5], "total_token_throughput": [6272, 1792.75], "output_throughput": [3136.5],
        "input_tokens_total": [255648], "output_tokens_total": [256000], "e2e_latency.mean": [2125],
        "e2e_latency.p10": [2062.5], "e2e_latency.p99": [2250],
    }  # fmt: skip
    assert list(read(text).kinds) == ["bench-throughput", "bench-latency"]


@pytest.mark.parametrize(
    ("cut", "names"),
    [
        ("Throughput: 12.25 requests/s, 6272.00 total tok", {"request_throughput"}),
        ("Throughput: 12.25 requests/s, 6272.00 total tokens/s, 31", {"request_throughput", "total_token_throughput"}),
        ("Throughput: 12.25 requests/s", {"request_throughput"}),
        ("Throughput: 12.25 requests", set()),
        ("Throughput: 12.2", set()),
        ("Total num prompt tokens:  2556", set()),
        ("Avg latency: 2.1", set()),
        ("99% percentile latency: 2.25 sec", set()),
    ],
)
def test_an_offline_line_that_is_cut(cut: str, names: set[str]) -> None:
    assert values(cut).keys() == names


def test_sglangs_single_batch_prints_its_warm_up_too() -> None:
    run = (
        "Prefill. latency: 0.12500 s, throughput:   8192.00 token/s\n"
        "Decode 0. Batch size: 1, latency: 0.00750 s, throughput:    133.33 token/s\n"
        "Decode.  median latency: 0.00500 s, median throughput:    200.00 token/s\n"
    )
    assert values(run) == {"prefill_time": [125], "prefill_throughput": [8192], "decode_throughput": [200]}
    assert "warmup-row" in traps(run + run) and "warmup-row" not in traps(run)


def test_json_of_the_offline_benchmarks() -> None:
    latency = {"avg_latency": 2.125, "latencies": [2.0, 2.25], "percentiles": {"10": 2.0625, "99": 2.25}}
    assert values(json.dumps(latency)) == {
        "e2e_latency.mean": [2125], "e2e_latency.p10": [2062.5], "e2e_latency.p99": [2250],
    }  # fmt: skip
    throughput = {
        "elapsed_time": 40.5, "num_requests": 500, "total_num_tokens": 96000, "requests_per_second": 12.25,
        "tokens_per_second": 2370.5,
    }  # fmt: skip
    assert values(json.dumps(throughput)) == {
        "benchmark_duration": [40.5], "num_prompts": [500], "request_throughput": [12.25],
        "total_token_throughput": [2370.5],
    }  # fmt: skip


@given(st.sampled_from(["Mean TTFT (ms):", "Throughput: ", "Namespace(", "====", "{", ""]), st.text(max_size=200))
@settings(max_examples=40, deadline=None)
def test_no_text_is_too_strange(lead: str, text: str) -> None:
    read(lead + text)


def test_long_lines_are_no_trouble() -> None:
    for row in ("Mean " * 12_000, "Request throughput (req/s):" + " " * 60_000, "= " * 30_000 + "Benchmark Result"):
        assert not values(row + "\n")
    assert not values("Namespace(" * 6000 + "a=((" * 5000)
