"""A card of which only the memory is known: bytes are computed, and what makes the server start is proposed."""

from __future__ import annotations

from typing import Any

import pytest

from engine.diagnosis import scenario
from engine.diagnosis.judge import diagnose
from engine.diagnosis.model import Report

LARGE = {"model": "llama-3.1-70b", "weights": "bf16", "symptoms": ["CUDA out of memory"]}


def judged(**given: Any) -> Report:
    return diagnose(scenario.build(given))


def helping(report: Report) -> list[str]:
    return [one.id for one in report.levers if one.helps]


@pytest.mark.parametrize(
    "card", [{"gpu_memory": 80}, {"gpu": "H100 80GB"}, {"gpu": "H100 SXM 80GB"}, {"gpu_memory": 85, "bandwidth": 3350}]
)
def test_weights_over_one_card_ask_for_fewer_bits_or_a_second_card(card: dict[str, Any]) -> None:
    """70.6e9 parameters in 2 bytes are 141 GB."""
    report = judged(**LARGE, **card)
    assert (report.wall, report.phase) == ("weights-memory", "load")
    assert report.findings[0].by == "numbers"
    found = helping(report)
    assert found[0] == "w4a16" and "tensor-parallel" in found
    best = {one.id: one for one in report.levers}
    for name in ("w4a16", "tensor-parallel"):
        after = best[name].after
        assert after is not None and diagnose(after).phase != "load", f"with {name} it starts"
    assert best["tensor-parallel"].flag.split()[-1].isdecimal() or "max-model-len" in best["tensor-parallel"].flag


def test_what_fits_is_not_refused_and_has_no_times() -> None:
    report = judged(model="llama-3.1-8b", weights="bf16", gpu_memory=24, prompt=1000, output=200, concurrency=8)
    assert report.ledger is not None and report.ledger.card.bytes == 24 * 10**9
    assert (report.timings.decode, report.timings.prefill) == (None, None)
    assert [(one.field, one.reason) for one in report.scenario.unread] == [("gpu_memory", "memory-alone")]


@pytest.mark.parametrize(("name", "largest"), [("A100", 80), ("H100", 94)])
def test_weights_over_every_card_of_a_name_do_not_fit_whichever_it_is(name: str, largest: int) -> None:
    report = judged(**LARGE, gpu=name)
    assert (report.wall, report.findings[0].by) == ("weights-memory", "numbers")
    taken = next(one for one in report.assumed if one.name == "gpu")
    assert str(largest) in str(taken.value) and taken.why == "largest-of-name"
    assert {"w4a16", "tensor-parallel"} <= set(helping(report))
    assert "gpu" in [one.input for one in report.questions]


def test_a_name_for_cards_of_several_sizes_gives_no_memory_where_that_decides() -> None:
    assert judged(model="qwen2.5-14b", weights="bf16", gpu="A100").ledger is None


def test_a_card_named_by_another_source_counts_over_a_bare_memory() -> None:
    weaker = scenario.build({"gpu_memory": 48}, "file")
    report = diagnose(scenario.build({**LARGE, "gpu": "H100 SXM 80GB"}, "options", weaker))
    assert report.ledger is not None and report.ledger.card.bytes > 80 * 10**9


def test_it_is_kept_in_a_saved_scenario() -> None:
    first = scenario.build({**LARGE, "gpu_memory": 80})
    again = scenario.build(scenario.export(first))
    one, other = diagnose(first), diagnose(again)
    assert one.ledger == other.ledger and helping(one) == helping(other)
