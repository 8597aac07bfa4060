"""A log whose lines are prefills: prompts take the steps, and no host is slow for it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.artefacts import feed
from engine.artefacts.evidence import Evidence, read
from engine.diagnosis import judge
from engine.diagnosis import scenario as scenarios
from engine.diagnosis.model import Report, Scenario

START = (
    "[2025-10-03 02:14:01] server_args=ServerArgs(model_path='Qwen/Qwen2.5-32B-Instruct', dtype='auto', tp_size=2)\n"
    "[2025-10-03 02:14:44 TP0] KV Cache is allocated. #tokens: 297311, K size: 18.15 GB, V size: 18.15 GB\n"
)
PREFILL = (
    "[2025-10-03 02:31:0{second} TP0] Prefill batch. #new-seq: 1, #new-token: {tokens}, #cached-token: 0, "
    "token usage: 0.41, #running-req: 6, #queue-req: {queue}, \n"
)
DECODE = (
    "[2025-10-03 02:31:09 TP0] Decode batch. #running-req: 6, #token: 143211, token usage: 0.48, cuda graph: {graph}, "
    "gen throughput (token/s): 41.02, #queue-req: {queue}, \n"
)


def of(prefills: int, tokens: int = 8192, queue: int = 8, decodes: int = 1, graph: bool = True) -> Scenario:
    lines = [PREFILL.format(second=at, tokens=tokens, queue=queue) for at in range(prefills)]
    lines += [DECODE.format(queue=queue, graph=graph)] * decodes
    card = scenarios.build({"gpu": "H100 SXM 80GB"})
    return feed.scenario(Evidence((read("server.log", [(START + "".join(lines)).encode()]),)), card)


def causes(report: Report) -> list[str]:
    return [one.cause for one in report.findings]


def test_prefills_with_a_queue_in_front_are_the_wall_and_their_speed_is_no_steps() -> None:
    report = judge.diagnose(of(5))
    assert (report.wall, report.phase, report.findings[0].cause) == ("compute", "prefill", "prompts-fill-steps")
    assert not {"beyond-band", "cap-reached"} & set(causes(report))
    assert report.timings.decode is not None and report.timings.decode.measured is None


@pytest.mark.parametrize(
    "log",
    [
        {"prefills": 5, "tokens": 400},  # each takes less than one of the 40 steps of a line
        {"prefills": 5, "queue": 0},  # nobody waits for a prompt
        {"prefills": 5, "decodes": 5},
        {"prefills": 2},
    ],
)
def test_steps_that_decode_for_the_most_part_are_told_as_such(log: dict[str, int]) -> None:
    assert "prompts-fill-steps" not in causes(judge.diagnose(of(**log)))


def test_said_in_words_it_gives_way_to_numbers() -> None:
    said = scenarios.build({"symptoms": ["most of the batches in the log are prefill, hardly any decode"]})
    first = judge.diagnose(said).findings[0]
    assert (first.cause, first.by) == ("prompts-fill-steps", "words") and first.strength <= Fraction(6, 10)


@pytest.mark.parametrize(("graph", "eager"), [(True, False), (False, None)])
def test_a_batch_that_ran_in_a_graph_says_that_graphs_are_on(graph: bool, eager: bool | None) -> None:
    """One that did not may be larger than those captured."""
    assert of(5, graph=graph).eager is eager
