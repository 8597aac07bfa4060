"""A scenario computed: the arithmetic that threads confirmed, the course's cases, and what missing inputs leave."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import precision, steps
from engine.catalog import Gpu, gpu, gpus, model, models
from engine.diagnosis.cases import ledger, timings
from engine.diagnosis.cases.case import Case
from engine.diagnosis.cases.timings import Load
from engine.diagnosis.model import Amount, Engine, Ledger, Said, Scenario, Signal, Span
from engine.weights import by_class

GIB = 2**30
A100 = gpu("A100 SXM 40GB")
LLAMA = model("llama-3.1-8b")
ENGINES = ("vllm", "sglang", "tensorrt-llm", "tgi", "lmdeploy", "llama.cpp", "ollama", "exllama", "transformers",
           "other", None)  # fmt: skip


def n(low: int, high: int | None = None) -> Span:
    return Span(low, low if high is None else high)


def scenario(**given: Any) -> Scenario:
    usual = {"model": LLAMA, "gpu": A100, "engine": "vllm", "prompt": n(1000), "output": n(500), "concurrency": n(64)}
    return Scenario(**{**usual, **given})


def found(case: Case) -> Ledger:
    assert case.ledger is not None
    return case.ledger


def size(case: Case, name: str) -> Fraction:
    entry = found(case).entry(name)
    assert entry is not None
    return entry.bytes


# --- what threads confirmed (incidents.md section 7) -----------------------------------------------------------------


def test_blocks_of_a_log_are_tokens_and_concurrency() -> None:
    case = Case(scenario(kv_pool_tokens=91056, max_model_len=8192))
    pool = found(case).pool
    assert pool is not None
    assert (pool.room.blocks, case.pool_tokens, case.kv_per_token) == (5691, 91056, 131072)
    assert float(pool.room.concurrency) == pytest.approx(11.12, abs=0.005)
    assert float(size(case, "kv-pool") / GIB) == pytest.approx(11.12, abs=0.005)
    assert case.requests_that_fit == 91056 // 1504  # whole blocks of 16


@pytest.mark.parametrize(
    ("name", "kv", "tp", "gib", "tokens", "per_token", "tolerance"),
    [
        ("Qwen2.5-7B", None, 1, "16", 299584, 57344, 16),
        ("Qwen3-14B", None, 1, "6.51", 42656, 163840, 80),
        ("llama-3.1-8b", "fp8", 1, "52.51", 860320, 65536, 200),
        ("Qwen3-235B-A22B", None, 4, "8.018", 178880, 48128, 200),
    ],
)
def test_pools_in_bytes_are_tokens(
    name: str, kv: str | None, tp: int, gib: str, tokens: int, per_token: int, tolerance: int
) -> None:
    pool = Fraction(gib) * GIB
    case = Case(scenario(model=model(name), gpu=gpu("B200"), kv=kv, tp=tp, gpus=tp, kv_pool=pool))
    assert case.kv_per_token == per_token
    assert case.pool_tokens == pytest.approx(tokens, abs=tolerance)


@pytest.mark.parametrize(("engine", "each"), [("vllm", 656), ("sglang", 656), ("tensorrt-llm", 576), (None, 656)])
def test_an_fp8_latent_has_the_scales_that_its_engine_keeps(engine: Engine | None, each: int) -> None:
    """512 numbers, a scale for 128 of them and 64 rotary numbers of 16 bits; TensorRT-LLM keeps 576 numbers alone."""
    case = Case(scenario(model=model("deepseek-v3.2"), gpu=gpu("B200"), kv="fp8", engine=engine))
    assert case.kv_per_token == 61 * (each + 132)


def test_a_pool_of_16_gib_runs_85_of_128_sequences() -> None:
    """Each holds 1,000 and on average half of 5,000 tokens; all of them done would be 49."""
    case = Case(scenario(model=model("Qwen2.5-7B"), gpu=gpu("B200"), prompt=n(1000), output=n(5000),
                         concurrency=n(128), max_num_seqs=256, kv_pool=Fraction(16 * GIB)))  # fmt: skip
    assert (case.context, case.asked, case.batch, case.requests_that_fit) == (3500, 128, 85, 49)
    assert case.asked_tokens == 128 * 6000
    assert case.kv_asked is not None
    assert case.kv_asked.bytes == 128 * 6000 * 57344


def test_the_eighth_long_request_does_not_fit() -> None:
    case = Case(scenario(prompt=n(32000), output=n(1000), kv_pool_tokens=250_000, concurrency=n(8)))
    assert case.requests_that_fit == 7


def test_a_long_prompt_on_an_a6000() -> None:
    """Two FLOPs a weight and token at the data sheet's rate are 14.6 s; the embedding (a lookup) and the head (of one
    token) are 3 % of them, and no real step is as fast."""
    case = Case(scenario(model=model("llama-3-70b"), gpu=gpu("RTX A6000"), prompt=n(16000), engine=None))
    step = case.timings.prefill
    assert step is not None
    assert step.step.ideal.matrices is not None
    assert float(step.step.ideal.matrices) == pytest.approx(14.6 * 0.97, rel=0.005)
    assert step.step.seconds > step.step.ideal.total


def test_a_measured_rate_stands_beside_the_step() -> None:
    """llama 7B F16 at 74.8 tokens a second reads its weights at half the bandwidth: beyond the usual band."""
    case = Case(scenario(model=model("llama-2-7b"), gpu=gpu("A100 SXM 80GB"), engine="llama.cpp", context_total=4096,
                         concurrency=n(1), prompt=n(10), output=n(128), throughput=Fraction(748, 10)))  # fmt: skip
    decode = case.timings.decode
    assert decode is not None
    assert (decode.measured, decode.measured_by) == (Fraction(10, 748), "throughput")
    assert float(decode.step.ideal.weights / (decode.measured or 1)) == pytest.approx(0.49, abs=0.02)
    assert decode.excess is not None
    assert 0 < decode.excess < 1


# --- the course ------------------------------------------------------------------------------------------------------

_13B = model("llama-2-13b")._replace(params=13 * 10**9)
_80GB = gpu("A100 SXM 80GB")._replace(visible=80 * 10**9)


def _level4(**given: Any) -> Case:
    asked = {"model": _13B, "gpu": _80GB, "engine": None, "weights": precision.find("fp16"), "prompt": n(4096),
             "output": None, "concurrency": n(16)}  # fmt: skip
    return Case(scenario(**{**asked, **given}))


def test_level_4_weights_and_cache_just_fit_and_do_not_fit_safely() -> None:
    case = _level4()
    assert case.kv_per_token == 819_200
    assert size(case, "weights") == case.weights_on_card == 26 * 10**9
    assert size(case, "kv") == 50 * GIB
    margin = size(case, "card") - size(case, "weights") - size(case, "kv")
    assert margin == 312_908_800
    assert case.starts is False  # nothing is left for what a server holds beside them
    assert (case.requests_that_fit or 0) < 16


def test_level_4_with_half_a_byte_a_weight() -> None:
    case = _level4(exact_weights=6_500_000_000)
    assert size(case, "weights") == 6_500_000_000
    assert size(case, "card") - size(case, "weights") - size(case, "kv") == 19_812_908_800
    assert (case.starts, case.requests_that_fit) == (True, 21)


def test_level_5a_needs_neither_model_nor_card() -> None:
    case = Case(Scenario(reserve=2048, prompt=n(40), output=n(20)))
    kept = case.reserved
    assert kept is not None
    assert (kept.used, kept.unused, kept.waste) == (60, 1988, Fraction(497, 512))
    assert (kept.paged_slots, kept.paged_waste, kept.density) == (64, Fraction(1, 16), 32)
    assert f"{float(kept.waste):.2%}" == "97.07%"
    assert case.ledger is None
    assert case.missing[:2] == ("model", "gpu")


def test_level_5a_sessions_in_40_gb() -> None:
    case = Case(scenario(model=model("llama-2-7b"), gpu=_80GB, engine=None, reserve=2048, prompt=n(40), output=n(20),
                         kv_pool=Fraction(40 * 10**9)))  # fmt: skip
    what = found(case).reservation
    assert what is not None
    assert (what.requests, what.paged_requests, what.bytes) == (37, 1192, GIB)
    assert case.requests_that_fit == 37
    assert size(case, "reserved") == 64 * GIB  # 64 asked for: more than fit
    paged = Case(replace(case.scenario, reserve=None))
    assert (paged.requests_that_fit or 0) > 1000
    assert paged.reserved is None


# --- other servers ---------------------------------------------------------------------------------------------------


def test_slots_of_llama_cpp_split_the_cells_unless_unified() -> None:
    split = Case(scenario(engine="llama.cpp", context_total=32768, slots=4, unified=False, prompt=n(9000)))
    assert found(split).longest == 8192
    assert split.requests_that_fit == 0
    assert [one.name for one in split.refused] == ["reserved"]
    whole = Case(replace(split.scenario, unified=True))
    assert (whole.requests_that_fit, found(whole).longest) == (3, 32768)
    assert size(split, "kv") == size(whole, "kv") == 32768 * 131072
    short = Case(replace(whole.scenario, prompt=n(100), output=n(100)))
    assert short.requests_that_fit == 4  # slots, however short the requests are


def test_llama_cpp_leaves_in_host_memory_what_does_not_fit_and_vllm_does_not_start() -> None:
    big = model("llama-3-70b")
    spilled = Case(scenario(model=big, engine="llama.cpp", concurrency=n(1)))
    assert spilled.host_weights > 90 * 10**9
    assert spilled.weights_on_card == 141_107_412_992 - spilled.host_weights
    assert size(spilled, "free") == ledger.FIT_TARGET
    assert spilled.timings.decode is not None
    assert spilled.timings.decode.step.bound == "host"
    assert any(one.name == "cpu_offload" for one in spilled.assumed)
    assert 0 < spilled.host_bytes <= spilled.host_weights
    old = Case(replace(spilled.scenario, version="2024-06"))
    assert old.host_weights == 0
    assert old.starts is False
    refused = Case(scenario(model=big))
    assert (refused.starts, refused.pool_tokens) == (False, 0)
    assert size(refused, "free") < 0


def test_layers_and_experts_that_are_said_to_lie_in_host_memory() -> None:
    part = Case(scenario(engine="llama.cpp", gpu_layers=22, context_total=4096))
    held = by_class(model("llama-3.1-8b"), "bf16")
    inside = held.bytes - held.of("embedding").bytes - held.of("head").bytes
    assert part.weights_on_card == inside * 22 / 32  # the others, the embeddings and the head stay behind
    assert part.setup is not None and part.setup.host_weights == part.host_weights - held.of("embedding").bytes
    assert part.ledger is not None and part.ledger.entry("kv").bytes == 4096 * 131072 * Fraction(22, 32)
    assert Case(scenario(engine="llama.cpp", gpu_layers=33, context_total=4096)).host_weights == 0
    away = Case(scenario(engine="llama.cpp", flags={"--no-kv-offload": ""}, context_total=4096))
    assert away.ledger is not None and away.ledger.entry("kv").bytes == 0
    moe = Case(scenario(model=model("Qwen3-30B-A3B"), engine="llama.cpp", expert_offload=True, context_total=4096))
    assert (moe.weights_on_card or 0) < moe.host_weights
    said = Case(scenario(cpu_offload=Fraction(4 * GIB)))
    assert said.host_weights == 4 * GIB
    assert (said.pool_tokens or 0) > (Case(scenario()).pool_tokens or 0)


def test_what_is_served_and_larger_than_the_card_lies_in_host_memory_where_the_format_is_said() -> None:
    """Where something says that weights lie there; else a card and a speed that do not go together are left so."""
    big = {
        "model": model("llama-3-70b"), "concurrency": n(1), "throughput": Fraction(1, 2),
        "flags": {"cpu_offload_trigger": "0.8"},
    }  # fmt: skip
    assert Case(scenario(**{**big, "flags": {}}, weights=precision.find("bf16"))).host_weights == 0
    said = Case(scenario(**big, weights=precision.find("bf16")))
    assert said.host_weights > 90 * 10**9
    assert [one.why for one in said.assumed if one.name == "cpu_offload"] == ["serves-beyond-the-card"]
    assert Case(scenario(**big)).host_weights == 0  # it may as well be quantized
    assert Case(scenario(**{**big, "throughput": None}, weights=precision.find("bf16"))).starts is False


def test_a_server_with_a_pool_shorter_than_a_request_comes_up_but_vllm_wants_its_window() -> None:
    tight = {"kv_pool_tokens": 5000, "prompt": n(6000)}
    assert [Case(scenario(engine=one, **tight)).starts for one in ("sglang", "tgi", "vllm")] == [True, True, False]
    assert Case(scenario(max_model_len=4096, **tight)).starts is True
    assert (Case(scenario(engine="sglang", **tight)).free_bytes or 0) < 0  # the request itself has no room


@pytest.mark.parametrize("engine", ["vllm", "sglang", "tensorrt-llm", "tgi", "lmdeploy"])
def test_a_pool_grows_with_its_share_and_with_smaller_numbers(engine: str) -> None:
    small = Case(scenario(engine=engine, utilization=Fraction(7, 10)))
    large = Case(scenario(engine=engine, utilization=Fraction(8, 10)))
    light = Case(scenario(engine=engine, utilization=Fraction(7, 10), weights=precision.find("awq")))
    half = Case(scenario(engine=engine, utilization=Fraction(7, 10), kv="fp8"))
    for other in (large, light, half):
        assert (other.pool_tokens or 0) > (small.pool_tokens or 0)
        assert (other.free_bytes or 0) > (small.free_bytes or 0)
    assert half.pool_tokens == pytest.approx(2 * (small.pool_tokens or 0), abs=64)
    assert size(half, "kv-pool") == size(small, "kv-pool")


def test_vllm_keeps_the_table_of_positions_beside_the_weights() -> None:
    case, other = Case(scenario()), Case(scenario(engine="tgi"))
    assert size(case, "weights") - (case.weights_on_card or 0) == 32 * 2**20
    assert size(other, "weights") == other.weights_on_card == case.weights_on_card


def test_a_pool_that_is_a_share_of_the_free_memory_is_smaller_than_one_of_the_card() -> None:
    share = Fraction(9, 10)
    of_card, of_free = (Case(scenario(engine=one, utilization=share)) for one in ("sglang", "tensorrt-llm"))
    assert size(of_free, "kv-pool") < size(of_card, "kv-pool")
    assert size(of_card, "weights") + size(of_card, "kv-pool") == share * size(of_card, "card")


# --- cards and links -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "spread"),
    [
        ({"gpus": 4}, (4, 1, 1)),
        ({"gpus": 4, "dp": 4}, (1, 1, 4)),
        ({"gpus": 4, "tp": 2}, (2, 1, 1)),
        ({"gpus": 2, "engine": "llama.cpp"}, (1, 2, 1)),
        ({"pp": 2, "tp": 2}, (2, 2, 1)),
        ({}, (1, 1, 1)),
    ],
)
def test_how_cards_share_the_work(given: dict[str, Any], spread: tuple[int, int, int]) -> None:
    case = Case(scenario(**given))
    assert case.spread[:3] == spread
    noted = {one.why for one in case.assumed if one.name in ("gpus", "tp", "pp")}
    whole = given.get("gpus", 1) == case.cards
    assert ("cards-idle" in noted) == ("gpus" in given and not whole)


def test_replicas_share_the_requests() -> None:
    one, four = Case(scenario()), Case(scenario(gpus=4, dp=4))
    assert (one.asked, four.asked, four.batch) == (64, 16, 16)
    measured = Case(scenario(gpus=4, dp=4, throughput=Fraction(3200))).timings.decode
    assert measured is not None
    assert measured.measured == Fraction(64, 3200)  # each of four makes 800 tokens a second with 16 sequences
    rates = [
        Case(scenario(concurrency=None, request_rate=Fraction(4), gpus=count, dp=count)).asked or 0 for count in (1, 4)
    ]
    assert rates[1] < rates[0] / 3


def test_stages_hold_their_layers_alone_and_fill_one_another() -> None:
    one, two = (Case(scenario(gpus=count, pp=count, reserve=4096, kv_pool=Fraction(8 * GIB))) for count in (1, 2))
    assert (one.requests_that_fit, two.requests_that_fit) == (16, 32)
    long = {"prompt": n(8000), "output": n(8), "gpus": 2, "pp": 2}
    filled, alone = Case(scenario(**long)), Case(scenario(**long, concurrency=n(1)))
    assert filled.prefill_seconds == alone.prefill_seconds
    assert float((filled.output_rate or 0) / (alone.output_rate or 1)) > 1.7  # two prompts on their way at once


def test_a_card_without_a_known_link_gets_a_usual_slot_and_says_so() -> None:
    bare = A100._replace(nvlink=None, pcie=None, link=None)
    case = Case(scenario(gpu=bare, gpus=2))
    assert case.timings.decode is not None
    assert [one.value for one in case.assumed if one.name == "pcie"] == [timings.USUAL_SLOT]
    wrong = Case(scenario(gpu=gpu("RTX 4090"), gpus=2, link="nvlink"))
    assert wrong.timings.decode is not None
    slow, fast = (Case(scenario(gpus=2, p2p_off=off)).decode_seconds for off in (True, False))
    assert slow is not None
    assert fast is not None
    assert slow > fast


def test_one_model_on_fewer_cards() -> None:
    big = Case(scenario(model=model("llama-3-70b"), gpu=gpu("A100 SXM 80GB"), gpus=4, concurrency=n(4)))
    assert (big.fits_cards(1), big.fits_cards(4)) == (False, True)
    assert Case(Scenario()).fits_cards(1) is None


# --- time ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("prompt", "chunk"), [(1000, 2048), (2049, 2048), (40000, 4096), (107_253, 512), (16384, 2048)]
)
def test_chunks_take_as_long_as_one_by_one(prompt: int, chunk: int) -> None:
    setup = steps.Setup(LLAMA, A100, precision.find("bf16"))
    short = timings.prefill(setup, Load(1, 1, prompt, None, chunk))
    exact = steps.chunked_prefill(setup, prompt, chunk)
    assert short is not None
    for end in ("low", "mid", "high"):
        whole = sum(getattr(step.time, end) for step in exact)
        assert float(getattr(short.time, end)) == pytest.approx(float(whole), rel=0.005)
    assert timings.prefill_seconds(setup, Load(1, 1, prompt, None, chunk)) == short.seconds


def test_small_chunks_of_a_long_prompt_take_longer() -> None:
    spans = [
        Case(scenario(prompt=n(40000), max_num_batched_tokens=chunk, chunked_prefill=True)).prefill_seconds
        or Fraction(0)
        for chunk in (512, 4096, 65536)
    ]
    assert spans[0] > spans[1] > spans[2]


def test_cheap_measures_are_those_of_the_timings() -> None:
    for one in ({}, {"gpus": 2}, {"speculation": True}, {"gpus": 2, "pp": 2}, {"concurrency": n(600)}):
        cheap, full = Case(scenario(**one)), Case(scenario(**one))
        quick = cheap.decode_seconds, cheap.prefill_seconds
        decode, prefill = full.timings.decode, full.timings.prefill
        assert decode is not None
        assert prefill is not None
        assert quick == (decode.step.seconds, prefill.step.seconds) == (full.decode_seconds, full.prefill_seconds)


def test_graphs_end_at_the_largest_captured_batch() -> None:
    at, over = (Case(scenario(graph_max_batch=24, concurrency=n(count))) for count in (24, 25))
    assert at.setup is not None
    assert over.setup is not None
    assert (at.setup.graphs, over.setup.graphs) == (True, False)
    assert (over.decode_seconds or 0) > (at.decode_seconds or 0) * Fraction(11, 10)
    drafting = Case(scenario(graph_max_batch=24, concurrency=n(8), speculation=True, draft_tokens=3))
    assert drafting.setup is not None
    assert drafting.setup.graphs is False  # four tokens a sequence and step


def test_drafts_are_more_tokens_in_a_step() -> None:
    plain, drafting = Case(scenario(concurrency=n(64))), Case(scenario(concurrency=n(64), speculation=True))
    assert plain.timings.decode is not None
    assert drafting.timings.decode is not None
    assert drafting.timings.decode.step.ideal.matrices == 4 * (plain.timings.decode.step.ideal.matrices or 0)
    assert any(one.name == "draft_tokens" for one in drafting.assumed)


@pytest.mark.parametrize(
    ("given", "decode", "prefill"),
    [
        ({"tpot": Fraction(1, 20)}, "tpot", ""),
        ({"throughput": Fraction(1000)}, "throughput", ""),
        ({"throughput": Fraction(1000), "concurrency": None}, "", ""),
        ({"throughput": Fraction(100), "prompt": n(30000), "output": n(2), "concurrency": n(2)}, "", ""),
        ({"ttft": Fraction(1), "concurrency": n(1)}, "", "ttft"),
        ({"ttft": Fraction(1), "concurrency": None}, "", ""),
        ({"ttft": Fraction(1), "waiting": 7}, "", ""),
        ({"ttft": Fraction(1), "max_num_seqs": 8}, "", ""),
        ({"ttft": Fraction(1, 12)}, "", "ttft"),
        ({"ttft": Fraction(1)}, "", ""),  # of 64 that come together the later ones wait for the earlier
        ({"ttft": Fraction(30)}, "", "ttft"),  # longer than all of them one after the other
        ({"ttft": Fraction(1), "signals": (Signal("ttft-at-full-rate", ""),)}, "", ""),
        ({"prompt_throughput": Fraction(2000)}, "", "prompt_throughput"),
    ],
)
def test_which_measurement_tells_which_step(given: dict[str, Any], decode: str, prefill: str) -> None:
    found = Case(scenario(**given)).timings
    assert found.decode is not None
    assert found.prefill is not None
    assert (found.decode.measured_by, found.prefill.measured_by) == (decode, prefill)
    assert (found.decode.measured is None) == (not decode)


def test_a_rate_of_requests_settles_at_a_batch() -> None:
    case = Case(scenario(concurrency=None, request_rate=Fraction(2)))
    assert case.asked is not None
    assert 1 < case.asked < 64
    assert "concurrency" not in case.missing
    rush = Case(scenario(concurrency=None, request_rate=Fraction(500)))
    assert [one.why for one in rush.assumed if one.name == "concurrency"] == ["more-than-it-serves"]


def test_what_runs_is_what_was_seen_to_run() -> None:
    assert Case(scenario(running=30, concurrency=n(100))).batch == 30
    assert Case(scenario(concurrency=n(16, 64))).batch == 40
    assert Case(scenario(concurrency=n(900), max_num_seqs=20)).batch == 20
    assert Case(scenario(concurrency=None)).batch == 1


# --- missing inputs --------------------------------------------------------------------------------------------------


def test_everything_given_leaves_nothing_missing() -> None:
    case = Case(scenario())
    assert (case.missing, case.refused) == ((), ())
    assert case.starts is True
    assert case.knee is not None
    assert case.timings.decode_share is not None


@pytest.mark.parametrize(
    ("name", "ledger_stays", "decode_stays", "prefill_stays"),
    [
        ("model", False, False, False),
        ("gpu", False, False, False),
        ("concurrency", True, True, True),
        ("prompt", True, True, False),
        ("output", True, True, True),
        ("engine", True, True, True),
    ],
)
def test_one_missing_input_leaves_the_rest(
    name: str, ledger_stays: bool, decode_stays: bool, prefill_stays: bool
) -> None:
    case = Case(scenario(**{name: None}))
    assert (case.ledger is not None) is ledger_stays
    assert (case.timings.decode is not None) is decode_stays
    assert (case.timings.prefill is not None) is prefill_stays
    assert case.missing == ((name,) if name != "engine" else ())
    if name == "gpu":
        assert case.kv_per_token == 131072
        assert case.weights_on_card is not None
    if name in ("prompt", "output", "concurrency"):
        assert any(one.name == name for one in case.assumed)


def test_a_model_that_cannot_be_sized_is_refused_with_its_reason() -> None:
    odd = next(entry for entry in models() if entry.cannot_size)
    case = Case(scenario(model=odd, gpu=gpu("B200"), gpus=8))
    assert (case.ledger, case.timings.decode, case.kv_per_token) == (None, None, None)
    assert {one.reason for one in case.refused} >= {"cannot-size"}
    assert case.weights_on_card is not None


def test_an_unknown_cache_format_is_refused_and_taken_as_16_bit() -> None:
    case = Case(scenario(kv="q9_9"))
    assert [(one.name, one.reason) for one in case.refused] == [("kv", "unknown-format")]
    assert case.kv_per_token == 131072


def test_settings_of_vllm_name_it_and_a_card_without_a_rate_gives_no_prefill() -> None:
    assert Case(scenario(engine=None, utilization=Fraction(9, 10))).engine == "vllm"
    dark = Case(scenario(gpu=A100._replace(peak_flops=None)))
    assert dark.timings.prefill is None
    assert dark.timings.decode is not None
    assert dark.missing == ("tflops",)


def test_what_the_reading_took_for_granted_is_listed_too() -> None:
    said = {"gpu": Said("assumed", "A100 SXM 40GB, A100 PCIe 40GB"), "weights": Said("assumed", "4-bit"),
            "prompt": Said("given", "--prompt")}  # fmt: skip
    case = Case(scenario(said=said, weights=precision.find("int4")))
    listed = {one.name: (one.value, one.why) for one in case.assumed}
    assert listed["gpu"] == (A100.name, "card-alike")
    assert listed["weights"] == ("int4", "read-as")
    assert "prompt" not in listed


def test_a_default_is_listed_with_its_release_and_a_said_value_is_not() -> None:
    listed = {one.name: one for one in Case(scenario(version="0.19", max_num_seqs=64)).assumed}
    assert listed["utilization"].value == Amount(Fraction(9, 10), "%")
    assert listed["utilization"].source == "vLLM 0.19"
    assert "max_num_seqs" not in listed
    assert {"activation", "non-torch", "graphs", "kv"} <= listed.keys()


# --- whatever is given -----------------------------------------------------------------------------------------------

_SPANS = st.builds(lambda low, more: n(low, low + more), st.integers(1, 200_000), st.integers(0, 500))
_MODELS = [entry for entry in models() if entry.params < 700 * 10**9]
_FORMS = [precision.FORMATS[name] for name in ("bf16", "fp8", "awq", "q4_k_m", "w8a8", "fp32")]
_BARE = Gpu("card", "", "", None, 24 * 10**9, None, 10**12, None, None, None, None, None, None, None, None,
            "given", "given", None, "", ())  # fmt: skip


def _maybe(of: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | of


_SCENARIOS = st.fixed_dictionaries(
    {},
    optional={
        "model": st.sampled_from(_MODELS), "gpu": st.sampled_from([*gpus(), _BARE]), "engine": st.sampled_from(ENGINES),
        "weights": st.sampled_from(_FORMS), "kv": st.sampled_from(["auto", "fp8", "q8_0", "int4", "nonsense"]),
        "prompt": _SPANS, "output": _SPANS, "concurrency": st.integers(1, 5000).map(n),
        "gpus": st.sampled_from([1, 2, 4, 8, 100]), "tp": st.sampled_from([1, 2, 8]),
        "pp": st.sampled_from([1, 2, 500]),
        "dp": st.sampled_from([1, 4]), "nodes": st.sampled_from([1, 2]), "expert_parallel": st.booleans(),
        "link": st.sampled_from(["nvlink", "pcie", "fabric", "unified"]),
        "utilization": st.sampled_from([Fraction(1, 100), Fraction(9, 10), Fraction(1)]),
        "version": st.sampled_from(["0.2.7", "0.7 V1", "0.10 V0", "2024-06", "3.3.7", "nightly"]),
        "reserve": st.integers(1, 10**5), "max_model_len": st.integers(1, 10**6),
        "max_num_seqs": st.integers(1, 4096), "max_num_batched_tokens": st.integers(1, 10**5),
        "kv_pool": st.integers(0, 10**11).map(Fraction), "kv_pool_tokens": st.integers(0, 10**7),
        "block_size": st.sampled_from([1, 16, 256]), "context_total": st.integers(1, 10**6),
        "slots": st.integers(1, 64), "unified": st.booleans(), "eager": st.booleans(),
        "graph_max_batch": st.integers(1, 512), "chunked_prefill": st.booleans(), "speculation": st.booleans(),
        "draft_tokens": st.integers(0, 8), "cpu_offload": st.integers(0, 10**12).map(Fraction),
        "gpu_layers": st.integers(-1, 200), "expert_offload": st.booleans(), "p2p_off": st.booleans(),
        "running": st.integers(0, 500), "waiting": st.integers(0, 500), "requests": st.integers(1, 10**4),
        "request_rate": st.fractions(0, 1000, max_denominator=10), "exact_weights": st.integers(1, 10**12),
        "params": st.integers(10**6, 10**12),
        "tpot": st.fractions(0, 10, max_denominator=100), "ttft": st.fractions(0, 10, max_denominator=100),
        "throughput": st.fractions(0, 10**4, max_denominator=10), "prompt_throughput": st.fractions(0, 100),
    },
)  # fmt: skip


@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(_SCENARIOS)
def test_nothing_raises_and_the_ledger_adds_up(given: dict[str, Any]) -> None:
    case = Case(Scenario(**given))
    everything = (
        case.defaults, case.spread, case.cards, case.form, case.timings, case.assumed, case.missing, case.refused,
        case.weights_on_card, case.kv_per_token, case.knee, case.decode_seconds, case.prefill_seconds,
        case.output_rate, case.requests_that_fit, case.pool_tokens, case.free_bytes, case.starts,
        case.reserved, case.kv_asked, case.host_bytes, case.asked_tokens, case.tokens, case.fits_cards(2),
    )  # fmt: skip
    assert len(everything) == 24
    assert case.batch >= 1
    assert case.context >= 1
    for measure in (case.decode_seconds, case.prefill_seconds, case.output_rate):
        assert measure is None or measure > 0
    names = [one.name for one in case.assumed]
    assert len(names) == len(set(names))
    if case.ledger is not None:
        _check(case.ledger)


def _check(found: Ledger) -> None:
    entries = found.entries
    assert entries[-1].name == "free"
    assert sum(one.bytes for one in entries) == found.card.bytes
    assert all(one.bytes >= 0 for one in entries[:-1])
    assert all(one.low <= one.bytes <= one.high for one in (found.card, *entries))
    assert found.fits is None or found.fits >= 0


@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_has_a_ledger_whose_spread_lies_around_it(engine: Any) -> None:
    for card in (A100, gpu("RTX 4090"), gpu("B200")):
        for name in ("llama-3.1-8b", "llama-3-70b"):
            _check(found(Case(scenario(engine=engine, gpu=card, model=model(name)))))


def test_a_scenario_with_other_fields_is_the_same_but_for_them() -> None:
    before = scenario(engine="vllm", gpu=A100, model=model("llama-3.1-8b"))
    after = before.having(tp=2, gpus=2, said={"tp": Said("given")})
    assert after == replace(before, tp=2, gpus=2, said={"tp": Said("given")})
    assert before.tp is None
    with pytest.raises(TypeError, match="ranks"):
        before.having(ranks=2)
