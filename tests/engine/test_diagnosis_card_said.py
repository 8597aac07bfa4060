"""A card of which a sentence says nothing but its memory: computed with, asked about, behind all names."""

from __future__ import annotations

from typing import Any

import pytest

from engine.artefacts import feed
from engine.artefacts.evidence import Evidence, read
from engine.diagnosis import judge, scenario
from engine.diagnosis.model import Report
from engine.diagnosis.symptoms import measured


def judged(sentence: str, log: str = "", **given: Any) -> Report:
    base = feed.scenario(Evidence((read("server.log", [log.encode()]),))) if log else None
    return judge.diagnose(scenario.build({"model": "qwen2.5-14b", "symptoms": [sentence], **given}, "options", base))


@pytest.mark.parametrize(
    ("sentence", "size"),
    [
        ("out of memory on a 24 GB card", 24 * 10**9),
        ("CUDA out of memory while loading, 16GB GPU", 16 * 10**9),
        ("does not load in 48 GB of VRAM", 48 * 10**9),
        ("load nahi hota, 24 GB ke card par", 24 * 10**9),
        ("24 GB wale GPU par start nahi hota", 24 * 10**9),
        ("it does not start, the card has 24 GiB", 24 * 2**30),
    ],
)
def test_the_size_of_a_card_in_a_sentence_is_computed_with_and_its_name_asked_for(sentence: str, size: int) -> None:
    report = judged(sentence)
    assert report.ledger is not None and report.ledger.card.bytes == size
    assert "gpu" in [one.input for one in report.questions]


@pytest.mark.parametrize(
    "sentence",
    [
        "would a 24 GB card be enough", "it needs a 80 GB card", "slower than on the 24 GB card", "24 GB of weights",
        "the KV cache takes 24 GB", "24 GB free", "a 24 GB card or a 48 GB card", "the card has 3 GB free",
    ],
)  # fmt: skip
def test_a_size_that_is_wished_compared_or_of_something_else_is_no_card(sentence: str) -> None:
    assert measured.card_memory([sentence]) is None


def test_what_names_the_card_counts() -> None:
    sentence = "out of memory on a 24 GB card"
    assert judged(sentence, gpu="H100 SXM 80GB").scenario.gpu is not None
    assert judged(sentence, gpu_memory="48 GB").ledger.card.bytes == 48 * 10**9  # type: ignore[union-attr]
    log = (
        "INFO worker.py:267] the current vLLM instance can use total_gpu_memory (79.11GiB) x gpu_memory_utilization "
        "(0.90) = 71.20GiB\nINFO worker.py:267] model weights take 18.15GiB; non_torch_memory takes 0.05GiB; PyTorch "
        "activation peak memory takes 0.73GiB; the rest of the memory reserved for KV Cache is 52.01GiB.\n"
    )
    of_log = judged(sentence, log)
    assert of_log.ledger is not None and of_log.ledger.card.bytes > 80 * 10**9
    assert not any(one.field == "gpu_memory" for one in of_log.scenario.unread)
