"""What was read becomes a scenario: which value of many, which source, and what numbers say without a word."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.artefacts import derived, feed, observed
from engine.artefacts.evidence import Artefact, Evidence, read
from engine.artefacts.model import Observations
from engine.artefacts.signs import grows, preempted
from engine.artefacts.text import Line
from engine.diagnosis import judge
from engine.diagnosis import scenario as scenarios
from engine.diagnosis.model import Conflict, Said
from engine.diagnosis.settings import defaults
from engine.diagnosis.settings.flag_names import is_secret
from engine.vllm import GIB


def at(number: int, seconds: float | None = None) -> Line:
    return Line(number, "", lambda _: seconds)


def artefact(name: str = "server.log", kind: str = "vllm-stats", **values: object) -> Artefact:
    """A text with a value, or a list of values on lines of their own, for each name ("a__b" is "a.b")."""
    found = Observations()
    for name_of, value in values.items():
        for number, one in enumerate(value if isinstance(value, list) else [value], 1):
            found.put(name_of.replace("__", "."), one, at(number, 10.0 * number))
    found.seen(kind, at(1))
    return Artefact(name, found)


def evidence(*artefacts: Artefact) -> Evidence:
    return Evidence(artefacts)


# --- facts -----------------------------------------------------------------------------------------------------------


def test_facts_fill_the_fields_with_the_place_where_they_stand() -> None:
    text = artefact(max_model_len=16384, gpu_memory_utilization=0.87, max_num_seqs=48, kv_cache_tokens=70_000)
    found = feed.scenario(evidence(text))
    assert [found.max_model_len, found.utilization, found.max_num_seqs] == [16384, Fraction(87, 100), 48]
    assert found.said["max_model_len"] == Said("log", "server.log:1")
    assert found.kv_pool_tokens == 70_000


@pytest.mark.parametrize(
    ("gpu", "told"),
    [("H100 SXM 80GB", True), ("A100", True), ("L4", False), ("RTX 3090", False), (None, False)],
)
def test_a_card_that_the_log_contradicts_is_told(gpu: str | None, told: bool) -> None:
    log = feed.scenario(evidence(artefact(gpu_memory_total=22.04)))
    found = log if gpu is None else scenarios.build({"gpu": gpu}, base=log)
    assert [(one.field, one.rule, one.dropped) for one in found.conflicts] == [("gpu", "card", "23.7 GB")] * told
    if told:
        assert found.conflicts[0].dropped_source == "server.log:1"
        assert not scenarios.build({"gpu": "L4"}, base=replace(found, gpu=None, gpu_options=())).conflicts[1:]


def _log_and_page() -> tuple[Artefact, Artefact]:
    log = artefact(
        "app.log", running_requests=[44, 50, 50], waiting_requests=[0, 60, 90], kv_cache_usage=[0.8, 0.99, 0.99],
        generation_throughput=[1000.0, 900.0, 800.0], prompt_throughput=[5000.0, 7000.0, 8000.0],
        kv_cache_tokens=139_824,
    )  # fmt: skip
    page = artefact("metrics.txt", "metrics", running_requests=48, waiting_requests=97, kv_cache_usage=0.98)
    for one, version in ((log, "0.8.5"), (page, "")):
        one.found.served_by("vllm", version)
    return log, page


def test_a_page_of_metrics_beside_a_log_loses_nothing_in_either_order() -> None:
    log, page = _log_and_page()
    alone, after, before = (feed.scenario(evidence(*one)) for one in ((log,), (log, page), (page, log)))
    assert after == before
    assert (after.engine, after.version) == ("vllm", "0.8.5")
    assert after.prompt == alone.prompt is not None
    assert after.output == alone.output is not None
    assert (after.throughput, after.running) == (alone.throughput, alone.running)


def test_a_mean_is_read_with_as_many_digits_as_a_person_writes() -> None:
    found = feed.scenario(evidence(artefact(ttft__mean=7907.965451055662, tpot__mean=50.09992356077839)))
    assert (found.ttft, found.tpot) == (Fraction(7908, 1000), Fraction(501, 10_000))


def test_another_engine_s_page_is_that_engine_s() -> None:
    log, page = _log_and_page()
    other = artefact("page.txt", "metrics", running_requests=3)
    other.found.served_by("sglang")
    found = feed.scenario(evidence(log, page, other))
    assert (found.engine, found.version) == ("sglang", None)


def test_a_config_that_names_another_card_than_the_log_counts_is_told_too() -> None:
    config = scenarios.build({"gpu": "H100 SXM 80GB"}, "run.toml")
    (one,) = feed.scenario(evidence(artefact(gpu_memory_total=22.04)), config).conflicts
    assert (one.rule, one.kept_source) == ("card", "run.toml")


def test_the_pool_is_bytes_of_gib_and_its_blocks_tokens() -> None:
    found = feed.scenario(evidence(artefact(kv_cache_memory=7.25, num_gpu_blocks=900, block_size=32)))
    assert found.kv_pool == Fraction(725, 100) * GIB
    assert found.kv_pool_tokens == 28_800


def test_two_halves_are_one_pool_and_a_negative_one_is_none() -> None:
    halves = feed.scenario(evidence(artefact(k_cache_memory=3.5, v_cache_memory=3.5)))
    assert halves.kv_pool == 7 * GIB
    assert feed.scenario(evidence(artefact(kv_cache_memory=-2.1))).kv_pool is None


def test_of_two_starts_the_later_one_holds_and_the_rule_is_told() -> None:
    found = feed.scenario(evidence(artefact(max_model_len=[8192, 4096])))
    assert found.max_model_len == 4096
    told = Conflict("max_model_len", "4096", "server.log:2", "8192", "server.log:1", "later")
    assert told in found.conflicts


def test_tokens_outrank_blocks_and_are_told() -> None:
    found = feed.scenario(evidence(artefact(kv_cache_tokens=20_000, num_gpu_blocks=1000, block_size=16)))
    assert found.kv_pool_tokens == 20_000
    assert [one.rule for one in found.conflicts] == ["tokens"]


def test_what_a_server_prints_outranks_its_start_command() -> None:
    text = artefact(max_model_len=4096)
    text.found.flags["max_model_len"] = "8192"
    text.found.served_by("vllm", "0.9.1")
    found = feed.scenario(evidence(text))
    assert [found.max_model_len, found.engine, found.version] == [4096, "vllm", "0.9.1"]
    assert [one.rule for one in found.conflicts if one.field == "max_model_len"] == ["printed"]


def test_secrets_among_flags_go_nowhere() -> None:
    text = artefact(max_model_len=4096)
    text.found.flags |= {"api_key": "sk-very-secret", "hf_token": "hf_secret", "max_num_seqs": "7"}
    found = feed.scenario(evidence(text))
    assert "secret" not in repr(found)
    assert found.max_num_seqs == 7


@pytest.mark.parametrize(
    "written", ["/models/Qwen2.5-7B-Instruct", "/data/x/Qwen2.5-7B-Instruct/", "Qwen/Qwen2.5-7B-Instruct"]
)
def test_a_model_on_the_servers_disk_is_known_by_its_last_part(written: str) -> None:
    found = feed.scenario(evidence(artefact(model=written)))
    assert found.model is not None and found.model.id.startswith("Qwen/Qwen2.5-7B")
    assert not found.unread


def test_a_correction_outranks_what_was_read_and_none_takes_it_out() -> None:
    texts = evidence(artefact(max_model_len=8192, max_num_seqs=64))
    found = feed.scenario(texts.correcting("max_model_len", 2048).correcting("max_num_seqs", None))
    assert [found.max_model_len, found.max_num_seqs] == [2048, None]
    assert found.said["max_model_len"] == Said("log", "corrected")
    shown = observed.document(texts.correcting("max_model_len", 2048))
    assert shown["max_model_len"] == {"value": 2048, "unit": "tokens", "line": None, "source": "corrected"}
    assert feed.scenario(texts.correcting("max_model_len", 2048).restoring("max_model_len")).max_model_len == 8192


@pytest.mark.parametrize(
    "name", ["--api-key", "HF_TOKEN", "ssl-private-key", "db_password", "OPENAI_API_KEY", "auth-token"]
)
def test_no_secret_of_a_start_command_is_kept(name: str) -> None:
    built = scenarios.build({"command": f"vllm serve org/model-7b {name} hush-hush --max-num-seqs 3"}, "start.sh")
    text = evidence(
        read("log", [f"vllm serve org/model-7b --{name.lstrip('-')} hush-hush --max-num-seqs 3\n".encode()])
    )
    for found in (built, feed.scenario(text), scenarios.export(built), observed.document(text)):
        assert "hush" not in repr(found)


@pytest.mark.parametrize("name", ["max_num_batched_tokens", "num_key_value_heads", "tokenizer", "kv_cache_dtype"])
def test_what_only_looks_like_a_secret_is_none(name: str) -> None:
    assert not is_secret(name)


# --- the hour that matters -------------------------------------------------------------------------------------------


def test_statistics_are_those_of_the_busy_hour_not_of_the_night() -> None:
    text = artefact(
        running_requests=[0, 0, 40, 42, 41, 0], waiting_requests=[0, 0, 9, 11, 10, 0],
        kv_cache_usage=[0, 0, 0.91, 0.97, 0.95, 0], generation_throughput=[0, 2.5, 810, 850, 830, 12],
    )  # fmt: skip
    found = feed.scenario(evidence(text))
    assert [found.running, found.waiting, found.throughput, found.kv_usage] == [41, 10, 830, Fraction(97, 100)]


def test_an_average_over_an_idle_gap_is_no_speed() -> None:
    found = feed.scenario(evidence(artefact(kind="sglang-stats", generation_throughput=[1.1, 90.0, 92.0, 2.2])))
    assert found.throughput == 91


def test_of_two_pools_the_fullest_binds() -> None:
    text = artefact(running_requests=[4], kv_cache_usage__full=[0.99], kv_cache_usage__swa=[0.08])
    assert feed.scenario(evidence(text)).kv_usage == Fraction(99, 100)


def test_a_page_of_metrics_is_one_moment() -> None:
    text = artefact("page", "metrics", running_requests=[3, 17], waiting_requests=5, kv_cache_usage=[0.2, 0.6])
    found = feed.scenario(evidence(text))
    assert [found.running, found.waiting, found.kv_usage] == [17, 5, Fraction(6, 10)]


# --- what numbers say ------------------------------------------------------------------------------------------------


def test_requests_that_go_back_to_the_queue_are_preempted() -> None:
    text = artefact(running_requests=[120, 114, 107, 101], waiting_requests=[300, 306, 313, 319])
    found = feed.scenario(evidence(text))
    assert found.has("preempts", "queue-grows")
    assert {one.id: one.value for one in derived.derive(evidence(text))}["inferred_preemptions"] == 19


def test_requests_that_end_are_not_preempted() -> None:
    text = artefact(running_requests=[120, 114, 107, 101], waiting_requests=[0, 0, 0, 0])
    assert not feed.scenario(evidence(text)).has("preempts", "queue-grows")


@given(st.lists(st.integers(0, 500), min_size=3, max_size=12), st.integers(0, 50))
def test_a_queue_that_never_rises_never_grows(waiting: list[int], start: int) -> None:
    falling = sorted(waiting, reverse=True)
    text = artefact(waiting_requests=falling, running_requests=[start] * len(falling))
    from engine.artefacts.facts import Facts

    moments = Facts(evidence(text)).moments()
    assert not grows(moments)
    assert not preempted(moments)


def test_a_counter_of_preemptions_above_zero_is_one() -> None:
    assert feed.scenario(evidence(artefact(preemptions_total=[3, 9]))).has("preempts")
    assert not feed.scenario(evidence(artefact(preemptions_total=0))).has("preempts")
    assert not feed.scenario(evidence(artefact(preemptions_total=[7, 7]))).has("preempts"), "long ago"


def test_how_fast_a_pool_fills_and_when_it_is_full() -> None:
    text = artefact(
        running_requests=[10, 10, 10], generation_throughput=[400, 400, 400], kv_cache_usage=[0.90, 0.92, 0.94]
    )
    found = {one.id: one.value for one in derived.derive(evidence(text))}
    assert found["kv_growth"] == pytest.approx(0.002)
    assert found["seconds_to_full"] == pytest.approx(30)
    assert found["pool_estimate"] == pytest.approx(200_000)
    assert [found["rate_per_request"], found["time_per_token"]] == [40, 25]


def test_a_short_note_is_a_persons_own_words_and_bytes_are_nobodys() -> None:
    note = evidence(read("note.txt", [b"1 request takes 2 s; 16 requests take about 31 s"]))
    assert feed.scenario(note).has("time-grows-with-requests")
    program = evidence(
        read("a.out", [b"no space left \xff\xfe\x00 out of memory while loading \xf0\x28 cache is full\n" * 9])
    )
    found = feed.scenario(program)
    assert found.signals == ()
    assert [(one.field, one.reason) for one in found.unread] == [("file", "no-reader")]


# --- results ---------------------------------------------------------------------------------------------------------


def test_lengths_that_were_counted_outrank_those_asked_for() -> None:
    text = artefact(
        "bench", "bench-serve", input_len=1000, output_len=500, completed_requests=10, input_tokens_total=9_000,
        output_tokens_total=2_500, tpot__mean=31.5, tpot__median=30.0, ttft__mean=400.0, request_rate="inf",
        num_prompts=10,
    )  # fmt: skip
    found = feed.scenario(evidence(text))
    assert found.prompt is not None and found.output is not None
    assert [found.prompt.low, found.output.low, found.requests] == [900, 250, 10]
    assert [found.tpot, found.ttft, found.request_rate] == [Fraction(30, 1000), Fraction(4, 10), None]


def test_of_a_table_the_first_models_rows_count() -> None:
    text = artefact(
        "bench", "llama-bench", bench_test=["tg64", "tg64"], bench_throughput=[50, 90], model_size=[15, 5],
        bench_model=["llama 8B F16", "llama 8B Q4_0"], parameters=[8e9, 8e9],
    )  # fmt: skip
    found = feed.scenario(evidence(text))
    assert found.tpot == Fraction(2, 100)
    assert found.weights is not None and found.weights.linear_bits == 16


def test_layers_that_stay_in_host_memory_are_a_sign() -> None:
    text = artefact(kind="llamacpp-start", layers_on_gpu=30, layers_total=41)
    assert feed.scenario(evidence(text)).has("layers-left-on-cpu")
    assert not feed.scenario(evidence(artefact(layers_on_gpu=41, layers_total=41))).has("layers-left-on-cpu")


def test_a_table_of_one_model_gives_its_two_phases() -> None:
    text = artefact(
        "bench", "llama-bench", bench_test=["pp1024", "tg64", "pp1024"], bench_throughput=[5000, 50, 1],
        bench_model=["llama 8B F16", "llama 8B F16", "llama 8B Q4"], model_size=[15, 15, 5], parameters=[8e9, 8e9, 8e9],
        gpu_name="NVIDIA A100-SXM4-80GB",
    )  # fmt: skip
    found = feed.scenario(evidence(text))
    assert [found.tpot, found.prompt_throughput, found.concurrency] == [Fraction(2, 100), 5000, (1, 1, "")]
    follows = {one.id: one for one in derived.derive(evidence(text))}
    assert follows["bandwidth_used"].value == pytest.approx(50 * 15 * 2**30 / 1e9)
    assert follows["compute_used"].value == pytest.approx(80)
    assert follows["bandwidth_used"].share == pytest.approx(50 * 15 * 2**30 / 2.039e12, rel=0.01)


# --- the ledger ------------------------------------------------------------------------------------------------------

BLOCK = {
    "gpu_memory_total": 79.1, "gpu_memory_utilization": 0.9, "weights_memory": 15.2, "non_torch_memory": 0.4,
    "activation_memory": 1.9, "kv_cache_memory": 53.0, "kv_cache_tokens": 434_176,
}  # fmt: skip


def test_logged_lines_stand_in_the_ledger_in_the_place_of_computed_ones() -> None:
    text = artefact(kind="vllm-start", model="meta-llama/Llama-3.1-8B-Instruct", gpu_name="H100 SXM 80GB", **BLOCK)
    report = judge.diagnose(feed.scenario(evidence(text)))
    assert report.ledger is not None
    lines = {one.name: one for one in (*report.ledger.entries, report.ledger.card)}
    for name, gib in {
        "weights": "15.2",
        "non-torch": "0.4",
        "activation": "1.9",
        "kv-pool": "53",
        "card": "79.1",
    }.items():
        assert (lines[name].bytes, lines[name].origin) == (Fraction(gib) * GIB, "log")
    assert sum(one.bytes for one in report.ledger.entries) == lines["card"].bytes
    assert report.ledger.pool_tokens == 434_176


def test_a_log_alone_has_a_ledger_without_model_and_card() -> None:
    report = judge.diagnose(feed.scenario(evidence(artefact(kind="vllm-start", **BLOCK))))
    assert report.ledger is not None
    assert report.ledger.pool_tokens == 434_176
    assert sum(one.bytes for one in report.ledger.entries) == Fraction("79.1") * GIB


def test_the_ranks_lines_are_not_added_up() -> None:
    found = feed.scenario(evidence(artefact(kind="vllm-start", model_loading_memory=[16.4, 16.5, 16.4, 16.4])))
    assert found.logged["weights"].bytes == Fraction("16.5") * GIB


def test_host_memory_is_no_card() -> None:
    text = artefact(
        kind="llamacpp-start", weights_memory__cpu=40.0, weights_memory__cuda0=11.0, weights_memory__cuda1=9.0
    )
    assert feed.scenario(evidence(text)).logged["weights"].bytes == 11 * GIB


# --- beside the arithmetic -------------------------------------------------------------------------------------------


def reconciled(**changed: object) -> dict[str, str]:
    text = artefact(
        kind="vllm-start", model="meta-llama/Llama-3.1-8B-Instruct", gpu_name="H100 SXM 80GB", max_model_len=8192,
        **{**BLOCK, **changed},
    )  # fmt: skip
    return {one.name: one.why for one in judge.diagnose(feed.scenario(evidence(text))).reconciled}


def test_what_agrees_is_said_to() -> None:
    found = reconciled(weights_memory=14.99)
    assert found["weights"] == "agrees"
    assert found["kv-tokens"] == "agrees"  # 53 GiB at 131072 bytes a token


@pytest.mark.parametrize(
    ("changed", "name", "why"),
    [
        ({"weights_memory": 7.6}, "weights", "other-format"),
        ({"weights_memory": 18.0}, "weights", "tensors-beside"),
        ({"weights_memory": 13.0}, "weights", "fewer-tensors"),
        ({"kv_cache_tokens": 868_352}, "kv-tokens", "cache-half"),
        ({"kv_cache_tokens": 217_088}, "kv-tokens", "cache-double"),
        ({"kv_cache_tokens": 300_000}, "kv-tokens", "other-token"),
        ({"kv_cache_memory": 20.0, "kv_cache_tokens": 163_840}, "kv-pool", "implied-share"),
    ],
)
def test_a_difference_is_explained_where_it_can_be(changed: dict[str, object], name: str, why: str) -> None:
    assert reconciled(**changed)[name] == why


def test_nothing_is_compared_without_a_log() -> None:
    found = feed.scenario(evidence(artefact(running_requests=[3], generation_throughput=[90])))
    assert judge.diagnose(found).reconciled == ()


# --- a log with its command, a text with its log ---------------------------------------------------------------------

STATS = (
    "INFO 07-01 10:00:{s:02d} [loggers.py:118] Engine 000: Avg prompt throughput: {p} tokens/s, "
    "Avg generation throughput: {g} tokens/s, Running: {r} reqs, "
    "Waiting: {w} reqs, GPU KV cache usage: {u}%, Prefix cache hit rate: 0.0%\n"
)


def logged(*rows: tuple[float, float, int, int, float]) -> bytes:
    return "".join(STATS.format(s=10 * n, p=p, g=g, r=r, w=w, u=u) for n, (p, g, r, w, u) in enumerate(rows)).encode()


def test_lengths_follow_from_rates_that_last_and_are_told_as_assumed() -> None:
    """100 requests hold 1200 tokens each: prompts of 1000 and outputs of 400, of which half is there."""
    head = b"INFO 07-01 09:59:00 [kv_cache_utils.py:1] GPU KV cache size: 240,000 tokens\n"
    text = read("v.log", [head, logged(*[(2500.0, 1000.0, 100, 20, 50.0)] * 3)])
    found = feed.scenario(evidence(text))
    assert found.held == 1200
    assert found.prompt is not None and found.output is not None
    assert [found.prompt.mid, found.output.mid] == [1000, 400]
    assert found.said["prompt"].origin == found.said["output"].origin == "assumed"
    asked = {one.name: one.why for one in judge.diagnose(found).assumed}
    assert asked["prompt"] == asked["output"] == "from-statistics"


def test_what_waited_is_offered_to_a_lever() -> None:
    from engine.diagnosis.acting import levers

    text = read("v.log", [b"vllm serve Qwen/Qwen3-8B --max-num-seqs 64\n", logged(*[(0.0, 2000.0, 64, 64, 20.0)] * 3)])
    found = scenarios.build({"gpu": "H100 SXM 80GB"}, "given", feed.scenario(evidence(text)))
    report = judge.diagnose(found)
    assert report.findings[0].cause == "cap-reached"
    raised = levers.applied("raise-concurrency", report)
    assert raised is not None and raised.max_num_seqs is not None and raised.max_num_seqs > 64
    lever = next(one for one in report.levers if one.id == "raise-concurrency")
    assert lever.helps and lever.effects[0].after.value > lever.effects[0].before.value


def test_figures_that_were_read_are_no_symptoms() -> None:
    table = (
        b"| N/A   61C    P0             312W /  400W |    73522MiB /  81920MiB |    100%      Default |\n"
        b"INFO 07-01 10:00:00 [gpu_worker.py:1] Available KV cache memory: 53.42 GiB\n"
    )
    assert feed.scenario(evidence(read("log", [table]))).signals == ()


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("This model's maximum context length is 4096 tokens. However, you requested 5000.", "requests-over-window"),
        ("User-specified max_model_len (9000) is greater than the derived max_model_len (4096).", "window-over-model"),
    ],
)
def test_lengths_that_no_memory_decides(line: str, cause: str) -> None:
    report = judge.diagnose(feed.scenario(evidence(read("log", [f"ERROR 07-01 10:00:00 x.py:1] {line}\n".encode()]))))
    assert report.findings[0].cause == cause


def test_what_a_person_wrote_between_the_lines_of_a_log_counts() -> None:
    text = b"It gets super slow, the first token takes 25 seconds.\n\n" + logged((0.0, 100.0, 4, 0, 10.0))
    assert feed.scenario(evidence(read("issue.md", [text]))).has("slow-first-token")


@pytest.mark.parametrize(
    "text",
    [
        "2026-07-01 10:00:00 install gsettings-desktop-schemas:all <none> 43.0\n",
        "2026/07/01 10:00:00 [error] 7#7: *12 upstream timed out (110: timed out) while reading response header\n",
        "Jul  1 10:00:00 host sshd[12]: Connection closed by other process, port 22 [preauth]\n",
        "some other program says hello\n",
        "roses are red, violets are blue, the queue was long, and I was too\n",
    ],
)
def test_other_programs_say_nothing_of_this_server(text: str) -> None:
    found = feed.scenario(evidence(read("log", [text.encode() * 3])))
    assert found.signals == ()
    assert judge.diagnose(found).findings[0].cause == "unknown"


def test_what_no_server_can_have_is_not_read() -> None:
    text = artefact(
        kv_cache_usage=[-1.0, 980.0], running_requests=[-5, 10**18], kv_cache_tokens=[-1], gpu_memory_total=[1e9]
    )
    assert not text.found.series


def test_two_models_in_one_text_are_told() -> None:
    found = feed.scenario(evidence(artefact(model=["Qwen/Qwen3-8B", "meta-llama/Llama-3.1-8B-Instruct"])))
    assert [(one.field, one.rule) for one in found.conflicts] == [("model", "later")]


def test_a_lever_keeps_the_load_and_what_a_request_holds() -> None:
    from engine.diagnosis.acting import levers

    head = b"INFO 07-01 09:59:00 [kv_cache_utils.py:1] GPU KV cache size: 40,000 tokens\n"
    text = read("v.log", [head, logged(*[(0.0, 900.0, 20, 12, 99.0)] * 3)])
    given = {"model": "llama-3.1-8b", "gpu": "L4", "max_num_seqs": 64}
    report = judge.diagnose(scenarios.build(given, "given", feed.scenario(evidence(text))))
    assert report.scenario.held == 1980
    for lever in ("kv-quantization", "cap-concurrency", "admission-policy"):
        changed = levers.applied(lever, report)
        if changed is not None:
            assert changed.held == 1980
            assert changed.concurrency is not None and changed.concurrency.mid == 32


def test_a_record_that_tells_of_nothing_wrong_is_no_complaint() -> None:
    line = (
        b'time=2026-07-01T10:00:00 level=INFO msg=offload memory.required.kv="1.0 GiB" memory.available="[10.8 GiB]"\n'
    )
    assert feed.scenario(evidence(read("ollama.log", [line]))).signals == ()


def test_a_forecast_is_told_for_minutes_not_for_hours() -> None:
    def ids(step: float) -> set[str]:
        usage = [0.5, 0.5 + step, 0.5 + 2 * step]
        text = artefact(running_requests=[9, 9, 9], generation_throughput=[90, 90, 90], kv_cache_usage=usage)
        return {one.id for one in derived.derive(evidence(text))}

    assert "seconds_to_full" in ids(0.05)
    assert "seconds_to_full" not in ids(0.001)


def test_a_token_of_llama_cpps_cache_and_a_configs_dimensions() -> None:
    text = (
        b"llama_new_context_with_model: n_ctx      = 4096\n"
        b"llama_kv_cache_init:      CUDA0 KV buffer size =   512.00 MiB\n"
        b"llama_new_context_with_model: KV self size  =  512.00 MiB, K (f16):  256.00 MiB, V (f16):  256.00 MiB\n"
    )
    found = {one.id: one.value for one in derived.derive(evidence(read("a.log", [text])))}
    assert found["kv_bytes_per_token"] == 131_072
    config = (
        b'{"num_hidden_layers": 4, "hidden_size": 64, "num_attention_heads": 8, "num_key_value_heads": 2,'
        b' "head_dim": 16, "intermediate_size": 128, "vocab_size": 1000,'
        b' "max_position_embeddings": 512, "model_type": "llama"}'
    )
    found = {one.id: one.value for one in derived.derive(evidence(read("config.json", [config])))}
    assert found["kv_bytes_per_token"] == 2 * 4 * 2 * 16 * 2
    assert found["parameters"] == 2 * 1000 * 64 + 4 * (64 * 128 * 2 + 2 * 64 * 32 + 3 * 64 * 128 + 2 * 64) + 64


@pytest.mark.parametrize(("told", "version", "cuts"), [("V0", "0.7.3", False), ("V1", "0.7.3 V1", True)])
def test_which_of_the_two_engines_runs_is_in_its_own_line(told: str, version: str, cuts: bool) -> None:
    """0.7 has both, and only one of them cuts prompts by itself."""
    line = (
        f"INFO 09-12 23:02:26 llm_engine.py:234] Initializing a {told} LLM engine (v0.7.3) with config: "
        "model='Qwen/Qwen2.5-7B-Instruct', dtype=torch.bfloat16, max_seq_len=4096, tensor_parallel_size=1\n"
    )
    found = feed.scenario(evidence(read("server.log", [line.encode()])))
    assert found.version == version
    assert defaults.of(found).chunked_prefill.value is cuts
