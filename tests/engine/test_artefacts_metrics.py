"""Pages of /metrics, of six servers and as people paste them."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.artefacts import registry
from engine.artefacts.model import Observations
from engine.artefacts.readers import metric_samples
from engine.artefacts.readers.metric_names import SERVERS
from engine.artefacts.vocabulary import TERMS

V1 = """\
# HELP vllm:num_requests_running Number of requests in model execution batches.
# TYPE vllm:num_requests_running gauge
vllm:num_requests_running{engine="0",model_name="org/small-7b"} 37.0
vllm:num_requests_running{engine="1",model_name="org/small-7b"} 41.0
vllm:num_requests_waiting{engine="0",model_name="org/small-7b"} 5.0
vllm:num_requests_waiting{engine="1",model_name="org/small-7b"} 0.0
vllm:kv_cache_usage_perc{engine="0",model_name="org/small-7b"} 0.8125
vllm:kv_cache_usage_perc{engine="1",model_name="org/small-7b"} 7.5e-05
vllm:prompt_tokens_total{engine="0",model_name="org/small-7b"} 1.2345678e+07
vllm:prompt_tokens_created{engine="0",model_name="org/small-7b"} 1.7612345670123e+09
vllm:request_success_total{engine="0",finished_reason="stop",model_name="org/small-7b"} 812.0
vllm:request_success_total{engine="0",finished_reason="length",model_name="org/small-7b"} 19.0
vllm:cache_config_info{block_size="32",cache_dtype="fp8",enable_prefix_caching="True",engine="0",\
gpu_memory_utilization="0.85",num_cpu_blocks="None",num_gpu_blocks="20481",swap_space="4"} 1.0
vllm:time_to_first_token_seconds_bucket{engine="0",le="0.1",model_name="org/small-7b"} 10.0
vllm:time_to_first_token_seconds_bucket{engine="0",le="0.5",model_name="org/small-7b"} 60.0
vllm:time_to_first_token_seconds_bucket{engine="0",le="+Inf",model_name="org/small-7b"} 80.0
vllm:time_to_first_token_seconds_count{engine="0",model_name="org/small-7b"} 80.0
vllm:time_to_first_token_seconds_sum{engine="0",model_name="org/small-7b"} 36.5
process_resident_memory_bytes 6.5e+09
http_requests_total{handler="/v1/completions",method="POST"} 900.0
"""


def read(text: str) -> Observations:
    return registry.read_text(text)


def values(text: str) -> dict[str, list[object]]:
    found = read(text)
    return {name: found.all(name) for name in found.series}


def traps(found: Observations) -> set[tuple[str, str]]:
    return {(trap.id, trap.name) for trap in found.traps}


def test_a_page_of_vllm_gives_every_series_its_entry_and_its_line() -> None:
    found = read(V1)
    assert list(found.kinds) == ["metrics"] and found.engine == "vllm"
    assert found.all("running_requests") == [37, 41] and found.line_of("running_requests") == 3
    assert found.all("waiting_requests") == [5, 0]
    assert found.all("kv_cache_usage") == [0.8125, 7.5e-05]
    assert found.one("prompt_tokens_total") == 12345678
    assert found.all("requests_finished_total") == [812, 19] and found.line_of("requests_finished_total") == 11
    assert found.all("engine_index") == [0, 1] and found.all("model") == ["org/small-7b"]


def test_a_histogram_gives_its_mean_its_count_and_its_buckets_in_milliseconds() -> None:
    found = read(V1)
    assert found.one("ttft.mean") == 456.25 and found.line_of("ttft.mean") is None
    assert found.one("ttft.count") == 80
    assert found.all("ttft.bucket_bounds") == [100, 500] and found.all("ttft.bucket_counts") == [10, 60]
    assert found.line_of("ttft.bucket_bounds") == 14


def test_the_labels_of_the_cache_are_facts_and_flags() -> None:
    found = read(V1)
    told = ("block_size", "num_gpu_blocks", "gpu_memory_utilization", "kv_cache_dtype", "enable_prefix_caching")
    assert [found.one(name) for name in told] == [32, 20481, 0.85, "fp8", True]
    assert "num_cpu_blocks" not in found.series
    assert found.flags["gpu_memory_utilization"] == "0.85" and "num_gpu_blocks" not in found.flags


def test_what_is_not_what_it_seems_is_noted() -> None:
    assert traps(read(V1)) == {
        ("requests-not-sequences", "running_requests"), ("perc-is-fraction", "kv_cache_usage"),
        ("created-is-time", ""), ("no-interval", "prompt_tokens_total"), ("no-interval", "requests_finished_total"),
    }  # fmt: skip


def test_two_samples_after_one_another_are_entries_in_order() -> None:
    later = V1.replace(" 37.0", " 38.0").replace(" 812.0", " 900.0").replace(" 36.5", " 45.0").replace(" 80.0", " 90.0")
    found = read(V1 + later)
    assert found.all("running_requests") == [37, 41, 38, 41]
    assert found.all("requests_finished_total") == [812, 19, 900, 19]
    assert found.all("ttft.mean") == [456.25, 500] and found.all("ttft.count") == [80, 90]
    assert found.all("ttft.bucket_bounds") == [100, 500, 100, 500]
    assert "no-interval" not in {trap.id for trap in found.traps}


def test_of_an_old_and_a_new_name_the_new_one_is_taken() -> None:
    both = """\
vllm:gpu_cache_usage_perc{engine="0"} 0.25
vllm:kv_cache_usage_perc{engine="0"} 0.5
vllm:time_per_output_token_seconds_sum{engine="0"} 9.0
vllm:time_per_output_token_seconds_count{engine="0"} 300.0
vllm:inter_token_latency_seconds_sum{engine="0"} 8.0
vllm:inter_token_latency_seconds_count{engine="0"} 400.0
"""
    found = read(both)
    assert found.all("kv_cache_usage") == [0.5] and found.all("tpot.mean") == [20]
    told = {trap.name: dict(trap.params) for trap in found.traps if trap.id == "both-names"}
    assert told["kv_cache_usage"] == {"old": "vllm:gpu_cache_usage_perc", "new": "vllm:kv_cache_usage_perc"}
    assert set(told) == {"kv_cache_usage", "tpot"}
    old = read("\n".join(row for row in both.split("\n") if "kv_cache" not in row and "inter_token" not in row))
    assert old.all("kv_cache_usage") == [0.25] and old.all("tpot.mean") == [30]


def test_the_older_engine_has_gauges_of_its_own() -> None:
    found = read(
        'vllm:num_requests_swapped{model_name="m"} 0.0\n'
        'vllm:cpu_cache_usage_perc{model_name="m"} 0.125\n'
        'vllm:gpu_prefix_cache_hit_rate{model_name="m"} 0.625\n'
        'vllm:avg_generation_throughput_toks_per_s{model_name="m"} 512.5\n'
        'vllm:num_preemptions_total{model_name="m"} 14.0\n'
        'vllm:spec_decode_draft_acceptance_rate{model_name="m"} 0.75\n'
        'vllm:time_in_queue_requests_sum{model_name="m"} 3.0\n'
        'vllm:time_in_queue_requests_count{model_name="m"} 4.0\n'
    )
    assert (found.one("swapped_requests"), found.one("cpu_kv_cache_usage")) == (0, 0.125)
    assert (found.one("prefix_cache_hit_rate"), found.one("generation_throughput")) == (0.625, 512.5)
    assert (found.one("preemptions_total"), found.one("spec_acceptance_rate")) == (14, 0.75)
    assert found.one("queue_time.mean") == 750
    assert {("swapped-zero", "swapped_requests"), ("since-start", "prefix_cache_hit_rate")} <= traps(found)


@pytest.mark.parametrize(
    ("row", "name", "expected", "engine"),
    [
        ('sglang:num_running_reqs{model_name="m",tp_rank="0"} 6.0', "running_requests", 6, "sglang"),
        ('sglang:token_usage{model_name="m"} 0.375', "kv_cache_usage", 0.375, "sglang"),
        ('sglang:max_total_num_tokens{model_name="m"} 98304.0', "kv_cache_tokens", 98304, "sglang"),
        ('sglang:swa_token_usage{model_name="m"} 0.5', "kv_cache_usage.swa", 0.5, "sglang"),
        ('sglang:num_retracted_requests_total{model_name="m"} 3.0', "preemptions_total", 3, "sglang"),
        ("tgi_batch_current_size 24", "running_requests", 24, "tgi"),
        ("tgi_queue_size 7", "waiting_requests", 7, "tgi"),
        ('tgi_request_success{method="generate"} 311', "requests_finished_total", 311, "tgi"),
        ("llamacpp:requests_deferred 2", "waiting_requests", 2, "llama.cpp"),
        ("llamacpp:kv_cache_usage_ratio 0.0625", "kv_cache_usage", 0.0625, "llama.cpp"),
        ("llamacpp:tokens_predicted_total 4711", "generation_tokens_total", 4711, "llama.cpp"),
        ("llamacpp:predicted_tokens_seconds 38.25", "decode_throughput", 38.25, "llama.cpp"),
        ('trtllm_kv_cache_utilization{model_name="m"} 0.3125', "kv_cache_usage", 0.3125, "tensorrt-llm"),
        ('trtllm_num_requests_waiting{model_name="m"} 9.0', "waiting_requests", 9, "tensorrt-llm"),
        ('nv_trt_llm_request_metrics{model="t",request_type="scheduled",version="1"} 5', "running_requests", 5,
         "tensorrt-llm"),
        ('nv_trt_llm_kv_cache_block_metrics{kv_cache_block_type="tokens_per",model="t"} 64', "block_size", 64,
         "tensorrt-llm"),
        ('ray_vllm_num_requests_running{WorkerId="a",model_name="m"} 2.0', "running_requests", 2, "vllm"),
        ('vllm:num_requests_running{model="served",version="1"} 3', "running_requests", 3, "vllm"),
    ],
)  # fmt: skip
def test_each_server_has_its_names(row: str, name: str, expected: object, engine: str) -> None:
    found = read(row + "\n")
    assert (found.one(name), found.engine) == (expected, engine)


@pytest.mark.parametrize(
    "row",
    [
        'sglang:swa_token_usage{model_name="m"} 0.0',
        'sglang:spec_accept_length{model_name="m"} 0.0',
        "llamacpp:predicted_tokens_seconds 0",
        'vllm:kv_cache_usage_perc{engine="0"} NaN',
        'vllm:num_requests_running{engine="0"} +Inf',
        'vllm:num_requests_running{engine="0"',
        'vllm:num_requests_running{engine="0"} ',
        'vllm:num_requests_running{engine="0"} ...',
        'vllm:num_requests_running{engine="0"} 12...',
        'vllm:num_requests_running{engine="0} 12.0',
        'vllm:num_requests_running{engine="0" "x"} 12.0',
        'vllm:num_requests_waiting_by_reason{engine="0",reason="capacity"} 3.0',
        'vllm:request_time_per_output_token_seconds_sum{engine="0"} 3.0',
        'vllm:external_prefix_cache_hits_total{engine="0"} 3.0',
        "# TYPE vllm:num_requests_running 12",
        "the gauge vllm:num_requests_running 12 is high",
        "...",
    ],
)
def test_what_says_nothing_is_not_read(row: str) -> None:
    assert not {name for name in read(row + "\n").series if name not in ("model", "engine_index")}


@pytest.mark.parametrize(
    "row",
    [
        'vllm:num_requests_running{model_name="m",engine="0"} 12.0',
        'vllm:num_requests_running{engine="0", model_name="m",} 12',
        '   vllm:num_requests_running{engine="0",model_name="m"}   12.0   ',
        '118:vllm:num_requests_running{engine="0",model_name="m"} 12.0',
        'dump/metrics.txt:118:vllm:num_requests_running{engine="0",model_name="m"} 12.0',
        '<pre>vllm:num_requests_running{engine="0",model_name="m"} 12.0</pre>',
        "vllm:num_requests_running{engine=&quot;0&quot;,model_name=&quot;m&quot;} 12.0<br>",
        'vllm:num_requests_running{engine="0",model_name="m"} 1.2e1 1712345678901',
        'vllm:num_requests_running{engine="0",model_name="m"} 12.0 # {trace_id="4f"} 0.5 1712345678.9',
        "vllm:num_requests_running 12",
    ],
)
def test_a_sample_is_read_however_it_is_dressed(row: str) -> None:
    found = read(f"HTTP/1.1 200 OK\ncontent-type: text/plain\n\n{row}\n...\n# EOF\n")
    assert found.all("running_requests") == [12] and found.line_of("running_requests") == 4


def test_label_values_are_unescaped() -> None:
    found = read('vllm:num_requests_running{model_name="a\\\\b \\"c\\", }=d",engine="3"} 1.0\n')
    assert found.one("model") == 'a\\b "c", }=d' and found.one("engine_index") == 3


@pytest.mark.parametrize(
    ("row", "read_it"),
    [
        ('vllm:prompt_tokens_total{engine="0"} 1.25e+07', True),
        ('vllm:prompt_tokens_total{engine="0"} 125.0', True),
        ('vllm:prompt_tokens_total{engine="0"} 1.0', False),  # the beginning of 1.05e+06, perhaps
        ('vllm:num_requests_waiting{engine="0"} 3.0', True),
        ('vllm:num_requests_waiting{engine="0"} 3', False),
        ('vllm:kv_cache_usage_perc{engine="0"} 0.0', False),
        ('vllm:kv_cache_usage_perc{engine="0"} 0.0 ', True),
    ],
)
def test_without_a_line_end_a_value_is_read_where_nothing_can_follow(row: str, read_it: bool) -> None:
    assert bool({"prompt_tokens_total", "waiting_requests", "kv_cache_usage"} & values(row).keys()) is read_it
    assert {"prompt_tokens_total", "waiting_requests", "kv_cache_usage"} & values(row + "\n").keys()


WHOLE = values(V1)


@given(st.integers(0, len(V1)))
@settings(max_examples=80, deadline=None)
def test_a_cut_page_gives_nothing_that_the_whole_one_does_not_print(at: int) -> None:
    for name, some in values(V1[:at]).items():
        assert all(one in WHOLE[name] for one in some), (name, some)


@given(st.text(max_size=300) | st.binary(max_size=300).map(lambda data: "vllm:x" + data.decode("latin-1")))
@settings(max_examples=40, deadline=None)
def test_no_text_is_too_strange(text: str) -> None:
    read(text)
    read("vllm:num_requests_running{" + text)


NAMES = st.sampled_from(("model_name", "engine", "le", "x"))


@given(st.dictionaries(NAMES, st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=12)), st.integers(0, 99))
@settings(max_examples=40, deadline=None)
def test_labels_of_any_text_come_back(labels: dict[str, str], value: int) -> None:
    escaped = {name: text.replace("\\", "\\\\").replace('"', '\\"') for name, text in labels.items()}
    block = ",".join(f'{name}="{text}"' for name, text in escaped.items())
    found = read(f"vllm:num_requests_running{{{block}}} {value}.0\n")
    assert found.all("running_requests") == [value]


def test_a_huge_page_reads_its_labels_once(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []
    before = metric_samples._parsed

    def counted(block: str) -> metric_samples.Labels | None:
        parsed.append(block)
        return before(block)

    monkeypatch.setattr(metric_samples, "_parsed", counted)
    found = read(V1 * 20)
    assert len(parsed) <= 8 and len(found.all("ttft.count")) == 20


def test_a_line_without_end_is_left_alone() -> None:
    for row in (
        'vllm:num_requests_running{a="' + '\\"' * 20_000,
        "vllm:num_requests_running{" + 'a="b",' * 5000 + "} 1",
    ):
        assert not read(f"{row}\n").series


def test_every_name_of_the_table_is_of_the_vocabulary() -> None:
    names = {metric.name for server in SERVERS.values() for metric in server.metrics.values() if metric.name}
    assert {name.partition(".")[0] for name in names} <= set(TERMS)
    assert len(names) > 20


def test_the_parser_is_imported_at_the_first_metric() -> None:
    code = (
        "import sys; from engine.artefacts import registry;"
        "registry.read_text('INFO vllm:nothing here\\n'); print('prometheus_client' in sys.modules);"
        "registry.read_text('tgi_queue_size{a=\"b\"} 1\\n'); print('prometheus_client' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert told == ["False", "True"]
