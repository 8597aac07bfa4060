"""vLLM while it runs: its statistics, what it refuses, whom it preempts."""

from __future__ import annotations

import pytest

from engine.artefacts.registry import read_text
from tests.engine.readings import traps, values

# --- statistics -----------------------------------------------------------------------------------------------------

V0 = (
    "INFO 06-01 12:00:{:02} metrics.py:455] Avg prompt throughput: {} tokens/s, Avg generation throughput: {} "
    "tokens/s, "
    "Running: {} reqs, Swapped: {} reqs, Pending: {} reqs, GPU KV cache usage: {}%, CPU KV cache usage: {}%.\n"
)
V1 = (
    "(APIServer pid=1) INFO 06-01 12:00:{:02} [loggers.py:118] Engine {}: Avg prompt throughput: {} tokens/s, Avg "
    "generation throughput: {} tokens/s, Running: {} reqs, Waiting: {} reqs, {}GPU KV cache usage: {}%, Prefix cache "
    "hit rate: {}%{}\n"
)


def test_statistics_of_the_older_engine() -> None:
    text = (
        V0.format(10, "101.5", "820.4", 31, 0, 12, "97.2", "0.0")
        + "INFO 06-01 12:00:10 metrics.py:471] Prefix cache hit rate: GPU: 45.25%, CPU: 0.00%\n"
        + V0.format(15, "88.0", "811.1", 30, 2, 13, "98.0", "1.5").replace("%.\n", "%\n")
    )
    found = read_text(text)
    assert values(found) == {
        "prompt_throughput": [101.5, 88.0], "generation_throughput": [820.4, 811.1], "running_requests": [31, 30],
        "swapped_requests": [0, 2], "waiting_requests": [12, 13], "kv_cache_usage": [0.972, 0.98],
        "cpu_kv_cache_usage": [0, 0.015], "prefix_cache_hit_rate": 0.4525, "cpu_prefix_cache_hit_rate": 0,
        "stats_interval": 5,
    }  # fmt: skip
    assert traps(found) == {"swapped-zero": "swapped_requests", "since-start": "prefix_cache_hit_rate"}
    assert found.flags["VLLM_USE_V1"] == "0"


def test_statistics_of_the_newer_engine_with_all_that_may_stand_in_them() -> None:
    more = ", External prefix cache hit rate: 12.0%, MM cache hit rate: 88.8%"
    text = "".join(
        V1.format(second, engine, "0.0", rate, running, waiting, deferred, usage, "53.7", more)
        for second, engine, rate, running, waiting, deferred, usage in (
            (10, "000", "240.8", 8, 3, "Deferred: 2 reqs, Preemptions: 17, ", "93.9"),
            (10, "001", "239.5", 7, 0, "", "90.0"),
            (20, "000", "241.6", 8, 0, "", "94.3"),
        )
    )
    found = read_text(text)
    assert values(found) == {
        "engine_index": [0, 1], "prompt_throughput": [0, 0, 0], "generation_throughput": [240.8, 239.5, 241.6],
        "running_requests": [8, 7, 8], "waiting_requests": [3, 0, 0], "kv_cache_usage": [0.939, 0.9, 0.943],
        "prefix_cache_hit_rate": [0.537, 0.537, 0.537], "stats_interval": 10,
    }  # fmt: skip
    assert dict(found.traps[0].params) == {"count": 2}
    assert traps(found) == {"deferred": "waiting_requests"}


def test_several_engines_may_be_added_up_by_the_server() -> None:
    line = V1.format(10, "000", "1.0", "2.0", 3, 4, "", "5.0", "6.0", "").replace("Engine 000", "4 Engines Aggregated")
    assert "engine_index" not in values(read_text(line))
    assert values(read_text(line))["running_requests"] == 3


def test_a_statistics_line_broken_by_hand_goes_on() -> None:
    line = V1.format(10, "000", "1.5", "2.5", 3, 4, "", "5.0", "6.0", ", MM cache hit rate: 1.0%")
    assert values(read_text(line.replace("s, ", "s,\n            "))) == values(read_text(line))


def test_a_line_after_a_gap_averages_the_gap() -> None:
    idle = V1.format(20, "000", "0", "0", 0, 0, "", "1", "0", "")
    busy = [V1.format(second, "000", "1", "2", 1, 0, "", "1", "0", "") for second in (0, 10, 20, 50)]
    assert "average-of-gap" not in traps(read_text("".join(busy))), "a line was left out in copying"
    lines = [*busy[:2], idle, busy[3]]
    assert "average-of-gap" not in traps(read_text("".join(lines[:3])))
    assert "average-of-gap" in traps(read_text("".join(lines)))


def test_two_requests_do_not_make_thousands_of_tokens_a_second() -> None:
    lines = [V0.format(second, "0.0", "6100.0", 2, 0, 40, "60.0", "0.0") for second in (0, 5)]
    assert "requests-not-sequences" in traps(read_text("".join(lines)))
    assert "requests-not-sequences" not in traps(read_text(lines[0]))


def test_a_consumer_counts_prompts_that_came_to_it() -> None:
    config = (
        "INFO 02-03 04:05:06 [utils.py:1] non-default args: {'kv_transfer_config': KV(kv_role='kv_consumer'), 'x': 1}\n"
    )
    assert "transferred-prompts" in traps(read_text(config + V1.format(1, "000", "5", "2", 1, 0, "", "1", "0", "")))


def test_speculation_in_both_engines() -> None:
    older = (
        "INFO 02-11 14:50:38 metrics.py:477] Speculative metrics: Draft acceptance rate: 0.550, System "
        "efficiency: 0.333, "
        "Number of speculative tokens: 8, Number of accepted tokens: 44, Number of draft tokens tokens: 80, Number of "
        "emitted tokens tokens: 12.\n"
    )
    newer = (
        "(APIServer pid=1) INFO 08-24 16:22:46 [metrics.py:120] SpecDecoding metrics: Mean acceptance length: 2.77, "
        "Accepted throughput: 5.50 tokens/s, Drafted throughput: 6.20 tokens/s, Accepted: 55 tokens, Drafted: "
        "62 tokens, "
        "Per-position acceptance rate: 0.903, 0.871, Avg Draft acceptance rate: 88.7%\n"
    )
    assert values(read_text(older)) == {
        "spec_acceptance_rate": 0.55, "spec_system_efficiency": 0.333, "num_speculative_tokens": 8,
        "spec_accepted_tokens_total": 44, "spec_draft_tokens_total": 80, "spec_emitted_tokens_total": 12,
    }  # fmt: skip
    assert values(read_text(newer)) == {"spec_accept_length": 2.77, "spec_acceptance_rate": 0.887}
    first = "INFO 05-01 00:00:00 [metrics.py:9] SpecDecoding metrics: Draft acceptance rate: 57.1%, Accepted: 4 tokens"
    assert values(read_text(first)) == {"spec_acceptance_rate": 0.571}


# --- refusals -------------------------------------------------------------------------------------------------------

REFUSED = (
    "ValueError: To serve at least one request with the models's max seq len (20480), (2.50 GiB KV cache is "
    "needed, which "
    "is larger than the available KV cache memory (1.47 GiB). Based on the available memory, the estimated "
    "maximum model "
    "length is 12032. Try increasing `gpu_memory_utilization` or decreasing `max_model_len` when initializing "
    "the engine.\n"
)


def test_the_older_length_error_gives_tokens() -> None:
    found = read_text(
        "ERROR 04-28 15:55:45 worker_base.py:157] ValueError: The model's max seq len (9000) is larger than "
        "the maximum "
        "number of tokens that can be stored in KV cache (5120). Try increasing `gpu_memory_utilization`.\n"
    )
    assert values(found) == {"error": "max_model_len_exceeds_kv", "max_model_len": 9000, "kv_cache_tokens": 5120}
    assert traps(found) == {"refused-length": "max_model_len"}


@pytest.mark.parametrize("model", ["models's", "model's", "model"])
def test_the_newer_length_error_gives_sizes(model: str) -> None:
    expected = {
        "error": "max_model_len_exceeds_kv", "max_model_len": 20480, "kv_cache_memory.needed": 2.5,
        "kv_cache_memory.available": 1.47, "max_model_len.estimated": 12032,
    }  # fmt: skip
    text = REFUSED.replace("models's", model)
    assert values(read_text(text)) == expected
    broken = text.replace("(20480), (", "(20480),\n").replace("Based", "\nBased").replace("which is", "which\nis")
    assert values(read_text(broken)) == expected


def test_gigabytes_of_the_first_months_are_gibibytes() -> None:
    found = read_text(REFUSED.replace("GiB", "GB").replace("Based on", "No"))
    assert values(found)["kv_cache_memory.needed"] == 2.5
    assert "gb-is-gib" in traps(found)


def test_an_error_is_one_entry_for_each_text() -> None:
    assert (
        values(read_text(f"(EngineCore pid=1) ERROR 01-01 00:00:00 [core.py:1] {REFUSED}" + REFUSED))["error"]
        == ["max_model_len_exceeds_kv"] * 2
    )


def test_too_little_free_memory_at_the_start() -> None:
    found = read_text(
        "ValueError: Free memory on device cuda:0 (3.25/23.43 GiB) on startup is less than desired GPU memory "
        "utilization "
        "(0.96, 22.49 GiB). Decrease GPU memory utilization or reduce GPU memory used by other processes.\n"
    )
    assert values(found) == {
        "gpu_memory_free": 3.25, "gpu_memory_total": 23.43, "gpu_memory_utilization": 0.96, "memory_budget": 22.49,
    }  # fmt: skip
    assert "vllm-error" in found.kinds


def test_refusals_without_figures_are_recognised() -> None:
    found = read_text(
        "ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization`.\n"
    )
    assert (values(found), list(found.kinds), found.engine) == ({}, ["vllm-error"], "vllm")


WARNED = (
    "WARNING 05-09 00:49:33 scheduler.py:1057] Sequence group {} is preempted by {}{} mode because there is "
    "not enough KV "
    "cache space. This can affect the end-to-end performance. {}={}\n"
)


def test_preemption_in_every_spelling() -> None:
    text = (
        WARNED.format("4", "PreemptionMode.", "RECOMPUTE", "total_num_cumulative_preemption", 51)
        + WARNED.format("chat-9f", "PreemptionMode.", "SWAP", "total_cumulative_preemption_cnt", 101)
        + "Sequence group 7 is preempted by RECOMPUTE mode because there is not enough KV cache sp\n"
    )
    found = read_text(text)
    assert values(found) == {"preemption_mode": ["RECOMPUTE", "SWAP"], "preemptions_total": [51, 101]}
    assert found.kinds["vllm-preemption"].times == 3
    assert traps(found) == {"counter-counts": "preemptions_total"}
