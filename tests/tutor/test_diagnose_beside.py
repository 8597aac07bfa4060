"""The log beside the arithmetic on the screen of the report."""

from __future__ import annotations

import pytest

from engine.artefacts import feed
from engine.artefacts.evidence import Evidence, read
from engine.catalog import gpu
from engine.diagnosis import judge
from engine.diagnosis.model import Report, Scenario
from tutor.diagnoser import explain, result_memory
from tutor.diagnoser.speech import Speech

LOG = (
    "INFO 06-01 10:00:00 llm_engine.py:237] Initializing an LLM engine (v0.6.3) with config: "
    "model='Qwen/Qwen2.5-7B-Instruct', dtype=torch.bfloat16, max_seq_len=8192, tensor_parallel_size=1\n"
    "INFO 06-01 10:00:20 model_runner.py:1060] Loading model weights took 14.2487 GB\n"
    "INFO 06-01 10:00:40 gpu_executor.py:122] # GPU blocks: {blocks}, # CPU blocks: 4681\n"
)


def report(blocks: int) -> Report:
    found = feed.scenario(Evidence((read("v.log", [LOG.format(blocks=blocks).encode()]),)))
    return judge.diagnose(found.having(gpu=gpu("L4"), gpu_name="L4"))


def drawn(of: Report, speech: Speech, width: int) -> list[str]:
    lines = [line for line in result_memory.beside_log(of, speech) if line.draw is not None]
    return [content.plain for line in lines for content in line.draw(width)]  # type: ignore[misc]


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_each_figure_stands_beside_its_computed_one_at_any_width(width: int) -> None:
    lines = drawn(report(1200), Speech("en"), width)
    said = " ".join(" ".join(lines).split())
    assert lines[1].startswith("The log beside the arithmetic")
    assert "log 15.3 GB" in said and "the two agree" in said and "v.log:2" in said and "v.log:3" in said
    assert "gpu_memory_utilization" in said  # why the pool is another
    assert max(map(len, lines)) <= width


def test_both_languages_while_the_peek_is_on() -> None:
    said = " ".join(drawn(report(1200), Speech("en", second="hi-Latn"), 100))
    assert "something else on the card" in said and "card par kuch aur" in said


def test_each_row_opens_the_number_behind_it() -> None:
    of, speech = report(1200), Speech("en")
    rows = [line.id for line in result_memory.beside_log(of, speech) if line.id]
    assert {"log:weights", "log:kv-pool"} <= set(rows)
    for row in [*rows, "log:kv-tokens"]:
        pieces, _ = explain.explained(of, row, speech)
        assert len(pieces) > 1, row


def test_nothing_without_a_log() -> None:
    bare = judge.diagnose(Scenario())
    assert result_memory.beside_log(bare, Speech("en")) == []
