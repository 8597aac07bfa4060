"""Notes of one line: what people say of a load, a speed, a card or a link is read, and what is not is told."""

from __future__ import annotations

import pytest

from engine.artefacts import feed, notes
from engine.artefacts.evidence import Artefact, Evidence
from engine.artefacts.evidence import read as artefact
from engine.diagnosis import judge
from engine.diagnosis.model import Report, Scenario, Span


def note(text: str) -> Artefact:
    return artefact("note.txt", [text.encode()])


def said(text: str) -> dict[str, str]:
    return {one.name: one.value for one in notes.read(note(text)).values}


def scenario(text: str) -> Scenario:
    return feed.scenario(Evidence((note(text),)))


def judged(text: str) -> Report:
    return judge.diagnose(scenario(text))


SERVED = "qwen2.5-7b on one L4 with vllm, "


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("30 users", "concurrency", "30"),
        ("64 concurrent", "concurrency", "64"),
        ("64 requests, prompt 2000", "concurrency", "64"),
        ("batch of 48 requests", "concurrency", "48"),
        ("batch size 12", "concurrency", "12"),
        ("200 requests in queue", "waiting", "200"),
        ("50 log queue mein", "waiting", "50"),
        ("4k in / 512 out", "prompt", "4k"),
        ("4k in / 512 out", "output", "512"),
        ("prompt 3 hazaar tokens", "prompt", "3 hazaar"),
        ("a 6000 token system prompt plus a 200 token question", "prompt", "6200"),
        ("6000 token ka same system prompt + 200 token ka sawaal", "prompt", "6200"),
        ("we paste contracts in (24k tokens)", "prompt", "24k"),
        ("answers are short, ~300 tokens", "output", "300"),
        ("pehla token aane mein 9 second lagte hain", "ttft", "9 second"),
        ("sirf 45 tok/s per user milta hai, kyun?", "tpot", "22.22 ms"),
        ("it gets 4 t/s for one user", "tpot", "250 ms"),
        ("throughput 900 tok/s", "throughput", "900 tok/s"),
        ("tensor parallel 2", "tp", "2"),
        ("weights quantized in fp8", "weights", "fp8"),
        ("q5_k_m", "weights", "q5_k_m"),
        ("-ngl 20", "flags.ngl", "20"),
        ("two cards with NVLink", "link", "NVLink"),
        ("without NVLink", "link", "pcie"),
        ("koi NVLink nahi hai", "link", "pcie"),
        ("only PCIe", "link", "pcie"),
        ("I set max_model_len to 4096", "max_model_len", "4096"),
        ("we went from 8k to 64k context", "max_model_len", "64k"),
    ],
)
def test_a_clause_gives_what_it_says(text: str, name: str, value: str) -> None:
    assert said(SERVED + text)[name] == value


@pytest.mark.parametrize(
    "text",
    [
        "64 requests fail",
        "5 to 9 tok/s",
        "fp16 gives 1400 tok/s, AWQ gives 620 tok/s",
        "107,253 tokens at 513 tok/s",
        "prompt speed 900 tok/s",
        "we sent 200 requests yesterday",
        "would 30 users fit",
        "6k prompts were sent",
    ],
)
def test_what_is_said_of_something_else_is_not_taken(text: str) -> None:
    assert not said(SERVED + text).keys() & {"concurrency", "waiting", "throughput", "tpot", "prompt"}


def test_a_count_alone_gives_way_to_what_says_how_many_run() -> None:
    assert said(SERVED + "load test: 1000 requests, 32 concurrency")["concurrency"] == "32"
    assert said(SERVED + "64 requests, 8 at once, 8 concurrent")["concurrency"] == "8"
    assert "concurrency" not in said(SERVED + "load test: 5000 requests, all slow")


def test_a_rate_beside_each_format_is_that_of_the_format_in_use() -> None:
    text = "vllm, TheBloke/Llama-2-13B-AWQ on one A100 SXM 80GB, fp16 gives 1400 tok/s, AWQ gives only 620 tok/s"
    assert said(text)["throughput"] == "620 tok/s"


def test_a_card_by_its_number_alone_is_one_only_where_the_words_say_so() -> None:
    assert said("bhai 4090 pe qwen2.5-7b chala raha hu vllm se")["gpu"] == "4090"
    assert said("qwen2.5-7b on a 3090 with vllm")["gpu"] == "3090"
    assert "gpu" not in said("qwen2.5-7b with vllm, job 4090 is slow")


@pytest.mark.parametrize(
    "text", ["maine --no-enable-prefix-caching lagaya tha", "I had put --no-enable-prefix-caching."]
)
def test_an_option_that_begins_with_no_denies_nothing_of_its_sentence(text: str) -> None:
    found = scenario(f"{SERVED}every request has the same system prompt\n{text}\n")
    assert found.prefix_caching is False


HIT = (
    "rag bot: 6000 token ka same system prompt har request mein jaata hai + 200 token ka sawaal, 150 token jawab. "
    "qwen2.5 7b, L40S, vllm 0.8.5, 40 log ek saath. pehla token aane mein 9 second lagte hain.\n"
    "Log bola: Prefix cache hit rate: 0.0%\n"
    "maine --no-enable-prefix-caching lagaya tha kyunki kisi blog mein likha tha.\n"
)


def test_reuse_that_was_switched_off_is_not_told_as_on_and_comes_back_first() -> None:
    report = judged(HIT)
    assert "cache-cannot-hit" not in {one.cause for one in report.findings}
    assert report.findings[0].cause == "prefix-not-reused"
    first = report.levers[0]
    assert (first.id, first.flag) == ("prefix-caching", "remove --no-enable-prefix-caching")
    on = judged(HIT.replace("maine --no-enable-prefix-caching lagaya tha", "koi flag set hua tha"))
    assert "cache-cannot-hit" in {one.cause for one in on.findings}


def test_a_queue_in_front_of_a_cap_is_the_wall_and_the_cap_goes_up() -> None:
    report = judged(
        "GPU util is only 30%, throughput 900 tok/s on H100 SXM, llama 3 8b, vllm 0.9.1, max-num-seqs 8, "
        "200 requests in queue"
    )
    assert (report.walls[0].id, report.levers[0].id) == ("idle-scheduling", "raise-concurrency")
    free = judged("GPU util is only 30%, throughput 900 tok/s on H100 SXM, llama 3 8b, vllm 0.9.1, max-num-seqs 8")
    assert free.findings[0].cause != "cap-reached"


def test_prompts_beyond_the_window_of_a_server_that_runs_are_no_failed_start() -> None:
    text = "I set max_model_len to 4096 and users with 6k prompts get 400 errors. Qwen2.5-7B, A10G, vLLM 0.9"
    report = judged(text)
    assert report.findings[0].cause == "requests-over-window"
    assert report.scenario.max_model_len == 4096 and report.scenario.gpu is not None
    assert ("prompt", "6k", "note-contradicts") in report.scenario.unread
    assert judged(text.replace("6k", "3k")).findings[0].cause != "requests-over-window"


def test_a_longer_window_that_fills_the_pool_is_heard() -> None:
    report = judged(
        "nothing fits any more since we went from 8k to 64k context. llama-3.1-70b AWQ int4 on 2x A6000 48GB, vllm"
    )
    assert report.walls[0].id == "kv-memory"


def left(text: str) -> list[str]:
    return [one.text for one in scenario(text).unread if one.reason == "numbers-left"]


def test_numbers_that_nothing_was_read_from_are_told() -> None:
    assert left(SERVED + "6 boards and 40 requests at once") == ["6 boards"]
    assert left(SERVED + "40 requests at once, prompt 2000, answer 300, ttft 2 s, max-num-seqs 64") == []
    assert left("qwen2.5-7b on 2x RTX 4090 with vllm 0.10.2 on port 8000:8000, since 12:30") == []


def test_every_line_of_a_note_that_says_something_is_understood() -> None:
    assert not [one for one in scenario(HIT).unread if one.reason == "words-only"]
    assert [one for one in scenario(f"{HIT}what a day it has been\n").unread if one.reason == "words-only"]


def test_a_load_in_one_line_is_judged_as_options_are() -> None:
    found = scenario("Llama 3.1 8B, L4, 20 log ek saath, prompt 3 hazaar tokens, output 500. vllm")
    assert (found.concurrency, found.prompt, found.output) == (
        Span(20, 20), Span(3000, 3000, "3 hazaar"), Span(500, 500)
    )  # fmt: skip


def test_a_name_that_several_models_share_is_told_and_not_lost() -> None:
    found = scenario("bhai 4090 pe mistral 7b awq chala raha hu vllm 0.6.3 se, 30 users")
    assert [one.reason for one in found.unread if one.field == "model"] == ["ambiguous-model"]
    assert found.weights is not None and found.weights.name == "awq"


def test_ollama_without_a_format_runs_what_it_pulls() -> None:
    report = judged("gemma-2 9b on T4, ollama, 3 tok/s. ollama ps says 38%/62% CPU/GPU")
    assert [one.value for one in report.assumed if one.name == "weights"] == ["q4_k_m"]
    assert "w4a16" not in {one.id for one in report.levers if one.helps}
    other = judged("gemma-2 9b on T4, llama.cpp, 3 tok/s")
    assert [one.value for one in other.assumed if one.name == "weights"] != ["q4_k_m"]
