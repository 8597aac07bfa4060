"""What sentences in people's own words are read as: a corpus, and what must hold of any text."""

from __future__ import annotations

import re
import time
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.diagnosis.symptoms import printed, sayings, signals
from engine.diagnosis.symptoms.concepts import CONCEPTS
from engine.diagnosis.symptoms.figures import hear
from engine.diagnosis.symptoms.hearing import vocabulary

# Language, part ("own" sentences were looked at while the tables were written, "held" ones only counted), sentence, and
# the ids that belong to it; one with "?" may be read or not.
ROWS = [
    (part, text, ids.split())
    for _, part, text, ids in (
        line.split("\t") for line in (Path(__file__).parent / "data" / "signals.tsv").read_text("utf-8").splitlines()
    )
]


def read(text: str, source: str = "symptom") -> set[str]:
    return {one.id for one in signals.read(text, source)}


def counted(part: str) -> tuple[float, float]:
    """Recall and precision on a part of the corpus."""
    count: Counter[str] = Counter()
    for where, text, ids in ROWS:
        if where.startswith(part):
            found, wanted = read(text), {one for one in ids if one[-1] != "?"}
            count["both"] += len(found & wanted)
            count["missed"] += len(wanted - found)
            count["wrong"] += len(found - wanted - {one[:-1] for one in ids})
    return count["both"] / (count["both"] + count["missed"]), count["both"] / (count["both"] + count["wrong"])


@pytest.mark.parametrize(("part", "recall", "precision"), [("own", 0.97, 0.97), ("held", 0.8, 0.9)])
def test_the_corpus_is_read(part: str, recall: float, precision: float) -> None:
    found = counted(part)
    assert found[0] >= recall and found[1] >= precision, found


def test_every_signal_is_in_the_corpus_and_can_be_read() -> None:
    labels = {one.rstrip("?") for _, _, ids in ROWS for one in ids}
    assert labels == set(signals.VOCABULARY)
    assert set(signals.VOCABULARY) - {one for _, text, _ in ROWS for one in read(text)} == set()


def test_sentences_without_a_signal_stay_without() -> None:
    plain = [text for _, text, ids in ROWS if not ids]
    assert len(plain) > 60
    assert sum(1 for text in plain if read(text)) <= len(plain) // 20


# --- the tables -------------------------------------------------------------------------------------------------------


def test_rows_name_only_concepts_that_something_yields_and_each_is_used() -> None:
    named = {row.partition(":")[0] for row in CONCEPTS.strip().replace("\n    ", " ").split("\n")}
    rows = [row for row in sayings.SAYINGS.strip().split("\n") if row]
    named |= {row.partition(":")[0][1:] for row in rows if row[0] == "="}
    source = "".join(Path(signals.__file__).with_name(name).read_text("utf-8") for name in ("figures.py", "pairs.py"))
    named |= set(re.findall(r'"([a-z-]+)"', source))
    bodies = (
        [row.partition(":")[2] for row in rows] + list(sayings.LEVERS.values()) + [sayings.IN_VAIN, sayings.LEANING]
    )
    words = {name for body in bodies for term in body.split() for name in re.split(r"[|~>]", term.lstrip("-<"))}
    assert {word for word in words if word not in named and word.removeprefix("no-") not in named} == set()
    concepts = {row.partition(":")[0] for row in CONCEPTS.strip().replace("\n    ", " ").split("\n")}
    in_code = set(re.findall(r"[a-z-]+", " ".join(re.findall(r'"([a-z|-]+)"', source)))) | {"mask"}
    assert concepts - {word.removeprefix("no-") for word in words} - in_code == set()


def test_rows_and_known_texts_yield_only_ids_of_the_vocabulary() -> None:
    heads = {row.partition(":")[0] for row in sayings.SAYINGS.strip().split("\n") if row and row[0] != "="}
    ids = {one.lstrip("!") for one in heads | {one for _, several in printed.KNOWN for one in several}}
    assert ids == set(signals.VOCABULARY)
    assert set(signals.VOCABULARY) >= printed.LOGGED
    assert all(fragment == fragment.lower() for fragment, _ in printed.KNOWN)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("0 preemptions", set()),
        ("num_preemptions_total 0.0", set()),
        ("preemptions: none", set()),
        ("num_preemptions_total 312.0", {"preempts"}),
        ("maximum 26 concurrent requests, 5 should be fine", set()),
        ("how many users can I serve at the same time?", {"asks-how-many"}),
        ("an answer does not start until another's has finished", {"one-at-a-time"}),
        ("ek ek word atak ke aata hai", {"spikes-between-tokens"}),
        ("naya adapter load hone pe atakta hai", {"adapter-slower"}),
        ("memory full dikh rahi hai", {"uses-most-memory"}),
        ("memory full dikh rahi thi aur server gir gaya", {"oom-running"}),
        ("raat ko slow ho jata hai", set()),
        ("but it crashes with two images", set()),
        ("Setting attention block size to 7808 tokens", {"padding-warning"}),
        ("Setting attention block size to 544 tokens", set()),
        ("1 seq 110 tok/s, 2 seqs 13", {"cliff-at-batch"}),
        ("1 seq 110 tok/s, 2 seqs 190", set()),
        ("For TP=1, I get 90 tps. For TP=2, I get 77 tps.", {"more-cards-slower"}),
        ("AWQ gives 55 tok/s. fp16 gives 40 tok/s.", set()),
    ],
)
def test_what_is_no_event_and_what_is_another(text: str, found: set[str]) -> None:
    assert read(text) == found


# --- negation, comparison, numbers ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "absent"),
    [
        ("no OOM with this setting", "oom"),
        ("OOM bilkul nahi aata", "oom"),
        ("it runs without preemption", "preempts"),
        ("preemption nahi hoti", "preempts"),
        ("the KV cache is not full", "cache-full"),
        ("generation is not slow", "slow-decode"),
        ("two GPUs are not slower than one", "more-cards-slower"),
        ("nothing was truncated from the prompt", "prompts-truncated"),
        ("JSON mode is not slower", "grammar-slower"),
    ],
)
def test_what_is_denied_is_not_read(text: str, absent: str) -> None:
    assert absent not in read(text)


@pytest.mark.parametrize("quantized", ["AWQ", "int4", "the GPTQ model", "4-bit", "fp8"])
@pytest.mark.parametrize(
    ("text", "slower"),
    [
        ("{} is slower than fp16", True),
        ("fp16 is slower than {}", False),
        ("{} is faster than bf16", False),
        ("bf16 is faster than {}", True),
        ("{} fp16 se slow hai", True),
        ("fp16 {} se tez hai", True),
        ("{}: 30 tok/s, fp16: 50 tok/s", True),
        ("{}: 50 tok/s, fp16: 30 tok/s", False),
    ],
)
def test_comparisons_keep_their_direction(quantized: str, text: str, slower: bool) -> None:
    if "se tez" in text or "se slow" in text:
        quantized = quantized.removeprefix("the ").removesuffix(" model")
    assert ("quantized-slower" in read(text.format(quantized))) == slower


@pytest.mark.parametrize(("one", "many"), [(50, 35), (35, 50), (2400, 2100)])
@pytest.mark.parametrize("cards", [2, 4, 8])
def test_more_cards_and_less_speed(one: int, many: int, cards: int) -> None:
    for text in (
        f"1 GPU: {one} tok/s, {cards} GPUs: {many} tok/s",
        f"{one} tok/s on one GPU and {many} tok/s on {cards}",
    ):
        assert ("more-cards-slower" in read(text)) == (many < one), text


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("GPU KV cache usage: 95.8%", {"cache-full"}),
        ("GPU KV cache usage: 3.2%", {"gauge-low"}),
        ("GPU KV cache usage: 45.0%", set()),
        ("Running: 8 reqs, Waiting: 0 reqs", {"nothing-waits"}),
        ("Running: 0 reqs, Waiting: 0 reqs, GPU KV cache usage: 0.0%, Prefix cache hit rate: 0.0%", set()),
        ("Running: 8 reqs, Swapped: 0 reqs, GPU KV cache usage: 50.1%, CPU KV cache usage: 0.0%", set()),
        ("throughput went 14.2 -> 9.1 req/s with the adapter", {"adapter-slower"}),
        ("86224 MiB of 97871 MiB used", {"uses-most-memory"}),
        ("20 GiB of 80 GiB used", set()),
        ("90 s for 100 tokens", {"extremely-slow"}),
        ("0.4 tok/s", {"extremely-slow", "slow-decode"}),
        ("offloaded 33/33 layers to GPU", set()),
        ("offloaded 30/33 layers to GPU", {"layers-left-on-cpu"}),
        ("12k tokens in, 8 out", {"prefill-heavy"}),
        ("GPU 60%, CPU 100%", {"low-gpu-use", "cpu-busy"}),
        ("GPU 90%, CPU 30%", set()),
        ("running 92, queue 990, token usage 0.92", {"cache-full", "queue-grows"}),
        ("queue time 161 s", set()),
        ("10%/90% CPU/GPU", {"layers-left-on-cpu"}),
        ("the model takes 4 GB, nvidia-smi shows 22 GB in use", {"uses-most-memory"}),
        ("20 ms at batch 32, 45 ms at batch 33", {"cliff-at-batch"}),
        ("1 user: 7 s, 2 users: 14 s", {"time-grows-with-requests"}),
        ("needs 4 GiB of KV, 2 GiB available", {"window-exceeds-cache"}),
        ("at most 100 requests run although 200 users are there", {"stuck-below-offered"}),
        ("with lora 6.5 tok/s, without 17.6", {"adapter-slower"}),
        ("without lora 65 tok/s, with it 176", set()),
        ("parallel 250 with 1000 prompts", set()),
        ("3.4 GB without num_ctx, all on GPU", set()),
        ("50 jpg of 1280x720 one after another", set()),
        ("tried no group size and no desc_act", set()),
    ],
)  # fmt: skip
def test_numbers_are_evidence(text: str, ids: set[str]) -> None:
    assert read(text) == ids


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0;", "oom"),
        ("is larger than the maximum number of tokens that can be stored in KV cache", "window-exceeds-cache"),
        ("which is larger than the available KV cache memory (1.2 GiB)", "window-exceeds-cache"),
        ("ValueError: No available memory for the cache blocks.", "no-cache-blocks"),
        ("Not enough memory to handle 2 prefill tokens.", "warmup-prefill"),
        ("Not enough memory. Please try to increase --mem-fraction-static.", "not-enough-memory-fraction"),
        ("ggml_gallocr_reserve_n: failed to allocate CUDA0 buffer of size 17179869184", "oom"),
        ("llama_new_context_with_model: failed to allocate compute buffers", "oom"),
        ("WARNING fused_moe.py:301] Using default MoE config. Performance might be sub-optimal!", "kernel-warning"),
        ("WARNING scheduler.py:1057] Sequence group 0 is preempted by PreemptionMode.SWAP mode because", "preempts"),
        ("KV cache pool is full. Retract requests. #retracted_reqs: 1, #new_token_ratio: 0.9", "preempts"),
        ("WARNING [kv_cache_utils.py:955] Add 1 padding layers, may waste at most 5.00%", "padding-warning"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("source", ["symptom", "server.log:17"])
def test_texts_that_engines_print(text: str, wanted: str, source: str) -> None:
    assert wanted in read(text, source)


@pytest.mark.parametrize(
    ("text", "levers"),
    [
        ("raising gpu_memory_utilization did not help", {"raise-memory-utilization"}),
        ("utilization is already 0.95", {"raise-memory-utilization"}),
        ("already tried enforce_eager", {"eager-mode"}),
        ("enforce_eager laga kar dekha, koi fayda nahi", {"eager-mode"}),
        ("prefix caching is already on", {"prefix-caching"}),
        ("lowering max_model_len makes no difference", {"lower-max-model-len"}),
        ("chunked prefill did not help", {"chunked-prefill"}),
        ("raising gpu_memory_utilization helped a lot", set()),
        ("AWQ is slower than fp16", set()),
        ("it runs out of memory", set()),
    ],
)
def test_levers_that_were_tried(text: str, levers: set[str]) -> None:
    assert signals.tried(text) == levers


# --- any text ---------------------------------------------------------------------------------------------------------


@given(st.text(max_size=400))
@settings(max_examples=150, deadline=None)
def test_any_text_is_read_within_bounds(text: str) -> None:
    found = signals.read(text, "file:3")
    assert len({one.id for one in found}) == len(found)
    assert all(one.id in signals.VOCABULARY and len(one.text) <= 120 and one.source == "file:3" for one in found)
    assert signals.read(text, "file:3") == found


@given(st.sampled_from([text for _, text, _ in ROWS if text.isascii()]))
@settings(max_examples=60, deadline=None)
def test_case_and_blanks_change_nothing(text: str) -> None:
    assert read(text) == read("  " + text.upper().replace(" ", "  "))


def test_signals_come_in_order_and_once() -> None:
    found = signals.read("Decoding is slow. TTFT is 15 s.\nDecoding is slow.")
    assert [one.id for one in found] == ["slow-decode", "slow-first-token"]
    assert found[0] == ("slow-decode", "Decoding is slow", "symptom")


def test_a_short_sentence_leans_on_the_one_before() -> None:
    assert read("I enabled the draft model. No gain at all.") == {"drafting-no-gain"}
    assert read("Then I loaded an adapter. Throughput dropped.") == {"adapter-slower"}
    assert "quantized-slower" not in read("We use AWQ. Generation is slow.")
    assert signals.tried("We enabled prefix caching. It did not help.") == {"prefix-caching"}


def test_a_log_is_no_person() -> None:
    line = "INFO 08-12 10:00:01 config.py:9] speculative_config=None, slow first token, how to make it faster"
    assert read(line) == set() and read("slow first token", "server.log:1") == set()


def test_a_gauge_that_rises_in_a_log_is_not_low() -> None:
    lines = "INFO 07-28 06:42:{:02d} loggers.py:118] Running: 9 reqs, Waiting: 0 reqs, GPU KV cache usage: {}%"
    assert read("\n".join(lines.format(n, n) for n in range(3, 9)), "log:1") == {"gauge-low", "nothing-waits"}
    assert read("\n".join(lines.format(n, n * 4) for n in range(3, 9)), "log:1") == {"nothing-waits"}


@pytest.mark.parametrize(
    "text",
    [
        "a" * 10**6,
        "1" * 10**6,
        "no " * 300_000,
        "slow than " * 90_000,
        "1 tok/s " * 99_000,
        "\n" * 10**6,
        ". " * 500_000,
    ],
)
def test_hostile_text_ends_soon(text: str) -> None:
    start = time.process_time()
    signals.read(text)
    assert time.process_time() - start < 1


def test_only_both_ends_of_a_long_log_are_read() -> None:
    middle = ["nothing of interest"] * (2 * signals.LINES)
    middle[signals.LINES] = "CUDA out of memory"
    assert read("\n".join(middle)) == set()
    assert read("\n".join([*middle, "CUDA out of memory"])) == {"oom"}


def test_a_sentence_has_few_words_and_two_bits_a_concept() -> None:
    heard = hear("slow " * 5000)
    assert len(heard.words) == 160
    assert vocabulary().bit("no-slow") == vocabulary().bit("slow") << 1
