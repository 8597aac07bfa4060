"""A person's note in plain words: what it plainly says is read, and nothing of a line that merely mentions a word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.artefacts import feed, notes
from engine.artefacts.evidence import Artefact, Evidence
from engine.artefacts.evidence import read as artefact
from engine.diagnosis import judge
from engine.diagnosis.model import Scenario, Span
from engine.diagnosis.reading import noted
from engine.diagnosis.scenario import build

EN = (
    "our vllm (llama-3.1-8b on one L40S) is slow since midnight, ~117 requests at once, prompts about 6k tokens, "
    "answers 900. ttft 20 s. nvidia-smi shows 99%"
)
HI = (
    "ttft 9 sec aa raha hai par GPU khali baitha hai, qwen2.5-7b H100 par, max-num-seqs 8, prompt 1600, answer 550, "
    "60 requests ek saath"
)
KEYED = "model: qwen2.5-7b\ngpu: H100 SXM 80GB\nttft: 9 s\nmax-num-seqs 8\nprompt 1600 tokens\n60 concurrent users\n"


def said(text: str) -> dict[str, str]:
    return {one.name: one.value for one in noted.read(enumerate(text.split("\n"), 1))}


def note(text: str) -> Artefact:
    return artefact("note.txt", [text.encode()])


def scenario(*texts: str) -> Scenario:
    return feed.scenario(Evidence(tuple(map(note, texts))))


SAYS = (
    (EN, {"engine": "vllm", "model": "llama-3.1-8b", "gpu": "1x L40S", "concurrency": "117", "prompt": "6k",
          "output": "900", "ttft": "20 s"}),
    (HI, {"model": "qwen2.5-7b", "gpu": "H100", "max_num_seqs": "8", "prompt": "1600", "output": "550",
          "concurrency": "60", "ttft": "9 sec"}),
    (KEYED, {"model": "qwen2.5-7b", "gpu": "H100 SXM 80GB", "ttft": "9 s", "max_num_seqs": "8", "prompt": "1600",
             "concurrency": "60"}),
    ("server bahut slow hai, llama 3.1 8b on L40S, prompt 6000 tokens output 900",
     {"model": "llama 3.1 8b", "gpu": "L40S", "prompt": "6000", "output": "900"}),
    ("Serving Qwen2.5-7B-Instruct-AWQ with vLLM 0.10.2 on 2x RTX 4090, tp 2, gpu memory utilization 0.9, "
     "--enforce-eager, 4k token prompts, 200 token answers, 32 concurrent users",
     {"model": "Qwen2.5-7B-Instruct-AWQ", "engine": "vLLM 0.10.2", "gpu": "2x RTX 4090", "tp": "2",
      "gpu_memory_utilization": "0.9", "flags.enforce_eager": "on", "prompt": "4k", "output": "200",
      "concurrency": "32"}),
    ("meta-llama/Llama-3.1-70B-Instruct, fp8 weights, on 4 H100s with max_model_len=32768 and kv-cache-dtype fp8; "
     "5 req/s, tpot 30 ms",
     {"model": "meta-llama/Llama-3.1-70B-Instruct", "weights": "fp8", "gpu": "4x H100s", "max_model_len": "32768",
      "flags.kv_cache_dtype": "fp8", "request_rate": "5", "tpot": "30 ms"}),
)  # fmt: skip


@pytest.mark.parametrize(("text", "wanted"), SAYS)
def test_a_note_gives_what_it_plainly_says(text: str, wanted: dict[str, str]) -> None:
    assert said(text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "We tried an H100 instead of the A100, and max-num-seqs 64 would be better.",
        "Would an L40S be faster than the A100 80GB?",
        "Kya H100 lena chahiye?",
        "pehle L40S tha",
        "we tried max-num-seqs 64, max-model-len 8k, tp 2",
        "prompt 2 of 5 takes 30 seconds, 64 requests fail",
        "prompt 500 words, output of 20 lines",
        "max-num-seqs 8 to 64",
        "the longest prompt is 30000 tokens, p99 ttft 20 s",
        "note: the gpu is fine\ngpu: is idle all day\nengine: started\nmodel: it is the new one from the other team",
        "ttft 5 to 9 s",
        "port 8000, see the api key: 4090",
        "running on an A100 80GB\nrunning on an L40S",  # two that contradict each other
    ],
)
def test_a_line_that_merely_mentions_a_word_gives_nothing(text: str) -> None:
    assert said(text) == {}


def test_two_names_of_one_model_are_one() -> None:
    text = "llama-3.1-8b is slow\nmodel: meta-llama/Llama-3.1-8B"
    assert said(text) == {"model": "meta-llama/Llama-3.1-8B"}


def test_a_note_is_computed_with_and_every_value_has_its_line() -> None:
    found = scenario(KEYED)
    assert (found.model and found.model.id, found.gpu and found.gpu.name) == ("Qwen/Qwen2.5-7B", "H100 SXM 80GB")
    assert (found.prompt, found.max_num_seqs, found.ttft) == (Span(1600, 1600), 8, 9)
    assert {name: found.said[name].source for name in ("model", "gpu", "max_num_seqs")} == {
        "model": "note.txt:1",
        "gpu": "note.txt:2",
        "max_num_seqs": "note.txt:4",
    }
    assert not [one for one in found.unread if one.field == "file"]
    assert notes.is_note(note(KEYED))


def test_what_a_program_printed_counts_over_a_note() -> None:
    log = "INFO 11-29 02:12:20 [core.py:76] Initializing a V1 LLM engine (v0.10.2) with config: model='Qwen/Qwen2.5-7B-Instruct', dtype=torch.bfloat16, max_seq_len=32768\n"  # noqa: E501
    found = feed.scenario(Evidence((artefact("server.log", [log.encode()]), note("our model is llama-3.1-8b on L40S"))))
    assert found.model is not None and found.model.id.startswith("Qwen/Qwen2.5-7B")
    assert [one.field for one in found.conflicts] == ["model"]


@pytest.mark.parametrize("text", [HI, EN.replace("nvidia-smi shows 99%", "gpu is idle")])
def test_an_idle_card_with_a_late_first_token_is_not_nothing_wrong(text: str) -> None:
    report = judge.diagnose(scenario(text))
    assert "low-gpu-use" in {one.id for one in report.scenario.signals}
    assert report.walls[0].id != "none"
    assert "do-nothing" not in {one.id for one in report.levers if one.helps}


def test_the_cap_that_a_note_names_is_found() -> None:
    report = judge.diagnose(scenario(HI.replace("H100", "H100 SXM 80GB")))
    assert report.findings[0].cause == "cap-reached"
    assert report.levers[0].id == "raise-concurrency"


def test_the_evidence_is_the_line_as_it_was_written() -> None:
    report = judge.diagnose(scenario("GPU khali hai, qwen2.5-7b, max-num-seqs 8"))
    assert {one.text for one in report.scenario.signals} == {"GPU khali hai, qwen2.5-7b, max-num-seqs 8"}


@given(st.text(alphabet=st.sampled_from("model: gpu=H100 L40S prompt 8k, tp ttft s\n-~.%x"), max_size=200))
def test_any_text_is_read_without_a_fault(text: str) -> None:
    for one in noted.read(enumerate(text.split("\n"), 1)):
        assert one.value and one.low < one.high
    scenario(text)


# --- the same, said as a note and as options -------------------------------------------------------------------------

PREEMPTED = (
    "WARNING 07-10 12:00:00 scheduler.py:1057] Sequence group 12 is preempted by PreemptionMode.RECOMPUTE mode because "
    "there is not enough KV cache space."
)
LOADS = (
    ("20 requests at once, prompt 3000 tokens, answer 400 tokens", 20, 3000, 400),
    ("20 people chat at once, prompts 3000 tokens, answers 400", 20, 3000, 400),
    ("20 log ek saath chat karte hain, prompt 3000 tokens, jawab 400 tokens", 20, 3000, 400),
    ("ek saath 20 log chat karte hain", 20, None, None),
    ("12 students at the same time", 12, None, None),
)


def spans(*values: int | None) -> tuple[Span | None, ...]:
    return tuple(None if one is None else Span(one, one) for one in values)


@pytest.mark.parametrize(("text", "users", "prompt", "output"), LOADS)
@pytest.mark.parametrize("log", ["", PREEMPTED])
def test_a_load_in_words_is_read_with_a_log_beside_it_and_without(
    text: str, users: int, prompt: int | None, output: int | None, log: str
) -> None:
    found = scenario(f"qwen2.5-7b on one L4 with vllm\n{text}\nit is slow today\n{log}\n")
    assert (found.model and found.model.id, found.gpu and found.gpu.name) == ("Qwen/Qwen2.5-7B", "L4")
    assert (found.concurrency, found.prompt, found.output) == spans(users, prompt, output)
    assert ("preempts" in {one.id for one in found.signals}) is bool(log)


def test_a_note_is_judged_as_the_same_options_are() -> None:
    words = judge.diagnose(scenario(f"qwen2.5-7b on one L4 with vllm\n{LOADS[0][0]}\n"))
    options = judge.diagnose(build({"model": "qwen2.5-7b", "gpu": "L4", "gpus": 1, "engine": "vllm", "prompt": 3000,
                                    "output": 400, "concurrency": 20}))  # fmt: skip
    assert words.walls == options.walls
    assert [one.cause for one in words.findings] == [one.cause for one in options.findings]
    assert [(one.id, one.gain) for one in words.levers] == [(one.id, one.gain) for one in options.levers]


@pytest.mark.parametrize("text", ["8 log lines together", "20 log files ek saath", "the old log has 20 requests"])
def test_lines_of_a_log_are_no_people(text: str) -> None:
    assert "concurrency" not in said(text)


def test_what_runs_at_once_is_told_and_how_many_may_is_asked() -> None:
    def asks(text: str) -> bool:
        return "asks-how-many" in {one.id for one in scenario(f"qwen2.5-7b on L4 with vllm\n{text}\n").signals}

    assert not any(asks(text) for text, *_ in LOADS)
    assert asks("how many users can I serve at the same time?")
    assert asks("ek saath kitne users chal sakte hain?")


def test_a_lever_with_a_larger_gain_than_the_first_is_not_told_as_one_that_does_not_help() -> None:
    report = judge.diagnose(
        scenario(
            "ek L4 par qwen2.5-7b vllm se\n20 log ek saath chat karte hain, har chat ke baad requests ruk jaati hain"
        )
    )
    assert report.walls[0].id == "compute"
    first = max(one.gain for one in report.levers if one.helps and one.gain)
    assert not [one.id for one in report.levers if not one.helps and one.gain and one.gain >= first]


COMMAND = (
    "docker run --gpus all \\\n  vllm/vllm-openai:v0.8.5 \\\n  --model meta-llama/Llama-3.1-8B-Instruct \\\n"
    "  --max-num-seqs 64"
)
ABOUT = "On one A100 SXM 80GB, 32 requests at once, prompt 2000 tokens, answer 300 tokens."
FELT = "Time between tokens is 40 ms, it feels slow."


@pytest.mark.parametrize("text", [f"{COMMAND}\n{ABOUT}\n{FELT}", f"{ABOUT}\n{FELT}\n{COMMAND}\n"])
def test_a_note_beside_a_command_is_read_line_by_line(text: str) -> None:
    read = note(text)
    values = {one.name: (one.value, one.line) for one in notes.read(read).values}
    first = text.split("\n").index(ABOUT) + 1
    assert values["gpu"] == ("1x A100 SXM 80GB", first) and values["concurrency"] == ("32", first)
    assert values["tpot"] == ("40 ms", first + 1)
    assert read.found.known >= 3  # the lines of the command; those of the note are told by what they say
    found = scenario(text)
    assert (found.gpu and found.gpu.name, found.concurrency, found.max_num_seqs) == ("A100 SXM 80GB", Span(32, 32), 64)


def test_a_line_behind_an_error_is_no_part_of_it() -> None:
    text = f"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.32 GiB.\n{ABOUT}\n"
    assert {one.name for one in notes.read(note(text)).values} >= {"gpu", "concurrency", "prompt"}
